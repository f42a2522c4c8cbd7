"""`go.mod` and `go.work`: the modules that a Go module requires, and where its own lie.

Source: https://go.dev/ref/mod#go-mod-file.
"""

from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.resolution.paths import directories_as


def read(found: Found) -> None:
    """Fill in what one file says."""
    block = ""
    for number, line in enumerate(found.lines, 1):
        text = line.partition("//")[0].strip()
        if not text or text == ")":
            block = "" if text else block
            continue
        words = text.replace("(", " ( ").split()
        if words[-1] == "(":
            block = words[0]
            continue
        verb, rest = (block, words) if block else (words[0], words[1:])
        if verb == "module" and rest:
            found.summary = f"module {rest[0]}"
            found.define(rest[0], "key", number)
        elif verb == "require" and rest and "// indirect" not in line:
            found.link(f"go:{rest[0]}", number, kind="dependency")
        elif verb == "replace" and "=>" in rest[:-1] and rest[rest.index("=>") + 1].startswith("."):
            found.link(rest[rest.index("=>") + 1], number, kind="dependency")
        elif verb == "use" and rest:
            found.link(rest[0], number, kind="entry")


LANGUAGE = Language(
    name="gomod",
    suffixes=(),
    filenames=("go.mod", "go.work"),
    resolve=directories_as("go.mod"),
    read=structured("gomod", read),
    is_setting=True,
)
