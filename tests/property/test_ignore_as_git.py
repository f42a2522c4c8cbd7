"""What is ignored equals what git says, over generated patterns in every kind of ignore file."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memoire.ignore import Ignore
from memoire.scan import scan

NAMES = ["a", "b", "ab", "a.b", "a b", "a ", "#a", "!a", "[a]", "a*", "\\a", "A", "b.txt", "\u00e9", "x-1"]
FOLDERS = ["", "a", "b", "a/b", "a/b/a", "b/ab", "ab", "b/a.b", "\u00e9", "a/[a]", "A"]
FILES = ["", "a/", "a/b/", "b/", ".git/info/exclude", "~"]

GLOBS = st.lists(
    st.sampled_from(
        ["a", "b", "ab", ".", "/", "*", "**", "**/", "/**", "/**/", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[",
         "]", "\\", "\\*", "\\a", "!", "#", " ", "-", "[[:alpha:]]", "[[:punct:]]", "[[:nope:]]", "[a-", "\u00e9", "A",
         "\t", ".txt", "[\\]a]", "[a\\-c]", "x-1", "\\/", "***"]
    ),
    min_size=1, max_size=6,
).map("".join)  # fmt: skip
LINES = st.tuples(st.sampled_from(["", "", "!", "\\"]), GLOBS, st.sampled_from(["", "", "/", " ", "\\ ", "\r"])).map(
    "".join
)
CONTENTS = st.lists(LINES, max_size=6).map("\n".join)
TREES = st.dictionaries(st.sampled_from(FILES), CONTENTS, min_size=1, max_size=4)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    top = tmp_path_factory.mktemp("git")
    (top / "home").mkdir()
    root = top / "repo"
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(top / "home"))
    patch.delenv("XDG_CONFIG_HOME", raising=False)
    git(root.parent, "init", "-q", str(root))
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for folder in FOLDERS:
        for name in NAMES:
            if not (root / folder / name).is_dir():
                (root / folder / name).touch()
    yield root
    patch.undo()


def git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True).stdout


def write_rules(root: Path, rules: dict[str, str]) -> None:
    for place in FILES:
        if place == "~":
            file = Path(os.environ["HOME"]) / ".config" / "git" / "ignore"
        else:
            file = root / place if place.startswith(".git/") else root / place / ".gitignore"
        file.parent.mkdir(parents=True, exist_ok=True)
        if place in rules:
            file.write_bytes(rules[place].encode() + b"\n")
        else:
            file.unlink(missing_ok=True)


@given(TREES)
@example({"": "*\n!*/\n!*.txt"})
@example({"": "a**/b\n!a"})
@example({"": "/*\n!/a\n/a/*\n!/a/b"})
@example({"": "**/a\n", "a/": "!b"})
@example({"~": "a", ".git/info/exclude": "!a", "a/": "a"})
@example({"": "a/**/b\n**/[a]/**\n**\\/a"})
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_the_files_found_are_those_git_does_not_ignore(repository: Path, rules: dict[str, str]) -> None:
    write_rules(repository, rules)
    listed = git(repository, "ls-files", "--others", "--exclude-standard", "-z").decode().split("\0")
    expected = sorted(path for path in listed if path)
    ignore = Ignore(repository)
    assert [entry.path for entry in scan(repository, ignore).files] == expected
    # The answer for a single path, asked cold, is the same as that of a walk.
    cold = Ignore(repository)
    everything = sorted(
        str(Path(folder, name).relative_to(repository))
        for folder, _, names in os.walk(repository)
        for name in names
        if "/.git" not in f"{folder}/"
    )
    assert [path for path in everything if not cold.is_ignored(path)] == sorted(expected, key=str)


@given(TREES)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_that_ignores_case_is_followed(repository: Path, rules: dict[str, str]) -> None:
    write_rules(repository, rules)
    # Brackets and escaped letters aside, where git folds the path but not the pattern.
    text = {place: content.replace("[", "x").replace("\\", "") for place, content in rules.items()}
    write_rules(repository, text)
    git(repository, "config", "core.ignoreCase", "true")
    try:
        listed = git(repository, "ls-files", "--others", "--exclude-standard", "-z").decode().split("\0")
        found = [entry.path for entry in scan(repository, Ignore(repository)).files]
    finally:
        git(repository, "config", "--unset", "core.ignoreCase")
    assert found == sorted(path for path in listed if path)
