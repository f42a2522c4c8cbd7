"""Which lines of which files differ: what is not committed, what is staged, or what one commit did."""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from memoire import gitrun, paths

Which = Literal["uncommitted", "staged", "commit"]

MOST_BYTES = 16_000_000
"""Of a diff: what comes behind is left out."""
MOST_FILES = 500
_ARGUMENTS = (
    "--patch", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative",
    "--find-renames", "-l500", "--src-prefix=a/", "--dst-prefix=b/", "-O/dev/null",
)  # fmt: skip
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_HEADS = {
    b"rename from ": ("old", b""), b"rename to ": ("new", b""), b"--- ": ("old", b"a/"), b"+++ ": ("new", b"b/"),
}  # fmt: skip
_NAME = re.compile(r"[0-9a-zA-Z][0-9a-zA-Z._/@{}^~-]{0,199}")
"""A name of a commit that git may be given: no option, no range."""


class Lines(NamedTuple):
    """How one file differs."""

    path: str
    """As it is called afterwards; of a file that is gone, before."""
    old_path: str
    is_gone: bool
    spans: tuple[tuple[int, int], ...]
    """(first, last) lines as they are afterwards, 1-based; where lines went and none came, those around the gap."""
    text: bytes
    """The lines that went and those that came."""


def changed_lines(root: paths.AnyPath, which: Which, commit: str = "") -> list[Lines] | None:
    """Return how files differ, by path; None where git cannot say, such as of a commit that there is not.

    Args:
        root: The project.
        which: What is compared: the files with the last commit, what is staged with it, or a commit with its first
            parent.
        commit: Its name, for `commit`.
    """
    if which == "commit":
        if not _NAME.fullmatch(commit):
            return None
        command = ("diff-tree", "--root", "-m", "--first-parent", "--no-commit-id", "-r", *_ARGUMENTS, commit, "--")
    else:
        command = ("diff", *_ARGUMENTS, *(("--cached",) if which == "staged" else ()), "HEAD", "--")
    printed = gitrun.run(root, *command, max_bytes=MOST_BYTES)
    return None if printed is None else sorted(_files(printed.split(b"\n")))[:MOST_FILES]


def _files(lines: list[bytes]) -> Iterator[Lines]:
    starts = [number for number, line in enumerate(lines) if line.startswith(b"diff --git ")]
    for start, end in pairwise([*starts, len(lines)]):
        found = _file(lines[start:end])
        if found is not None:
            yield found


def _file(lines: list[bytes]) -> Lines | None:
    names = {"old": "", "new": ""}
    spans: list[tuple[int, int]] = []
    text: list[bytes] = []
    for line in lines:
        if found := _HUNK.match(line):
            first, count = int(found[3]), int(found[4] or 1)
            spans.append((first, first + count - 1) if count else (max(first, 1), first + 1))
        elif spans:
            if line[:1] in {b"+", b"-"}:
                text.append(line[1:])
        else:
            for head, (side, prefix) in _HEADS.items():
                if line.startswith(head):
                    names[side] = _named(line.removeprefix(head), prefix)
    old, new = names["old"], names["new"]
    return Lines(new or old, old or new, not new, tuple(spans), b"\n".join(text)) if old or new else None


def _named(name: bytes, prefix: bytes) -> str:
    """Return the path that a line of the head names; empty where there is no file on this side."""
    name = name.split(b"\t")[0]
    if name == b"/dev/null":
        return ""
    if name.startswith(b'"'):  # git puts odd names in quotes, as C writes them
        name = codecs.decode(name[1:-1], "unicode_escape").encode("latin-1", "replace")
    try:
        return unicodedata.normalize("NFC", name.removeprefix(prefix).decode("utf-8"))
    except UnicodeDecodeError:
        return ""
