"""Shell: suffixes and names of the files, and the rules that find what a script names."""

from memoire.extract.spec import Language
from memoire.languages.shell.reader import read
from memoire.languages.shell.resolution import holds_tests, is_test, resolve

LANGUAGE = Language(
    name="shell",
    suffixes=(".sh", ".bash", ".zsh", ".ksh", ".bats", ".command"),
    filenames=(
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".envrc",
        "PKGBUILD",
        "APKBUILD",
        "gradlew",
        "mvnw",
    ),
    resolve=resolve,
    is_test=is_test,
    holds_tests=holds_tests,
    read=read,
    loads_anywhere=True,
)
