"""Marks around what is memoire's in a text that is somebody else's, and the line ends that come and go with it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memoire.clients._spec import BLANK, Undo

BLOCK_VERSION = 1
"""Of what stands between the marks: a newer version's is left alone by an older."""


class Marks(NamedTuple):
    """How a comment of one line is written in one kind of text."""

    before: str
    after: str = ""

    @property
    def begin(self) -> str:
        """The line before a block."""
        return f"{self.before}memoire:begin v{BLOCK_VERSION}{self.after}"

    @property
    def end(self) -> str:
        """The line after it."""
        return f"{self.before}memoire:end{self.after}"

    def blocks(self, text: str) -> "Iterator[Block | None]":
        """Yield each block; None where a mark has no partner."""
        before, after = re.escape(self.before), re.escape(self.after)
        pattern = rf"(?m)^\ufeff?[ \t]*({before}memoire:(?:begin v([0-9]{{1,9}})|end){after})[ \t]*\r?$"
        begin: re.Match[str] | None = None
        for mark in re.finditer(pattern, text):
            if (mark[2] is None) == (begin is None):
                yield None
                return
            if begin is not None:
                yield Block(begin.start(1), mark.end(1), int(begin[2]))
            begin = mark if begin is None else None
        if begin is not None:
            yield None


MARKDOWN = Marks("<!-- ", " -->")
HASH = Marks("# ")
"""Of TOML, YAML and shells."""


class Block(NamedTuple):
    """Where a block is, its marks included, without the line end after it."""

    start: int
    end: int
    version: int


def ends(text: str, newline: str) -> tuple[int, int]:
    """Return how many line ends to put before and after a block at the end: one blank line, and the last as it was."""
    if text in {"", "\ufeff"}:
        return 0, 1
    if not text.endswith("\n"):
        return 2, 0
    return 0 if text.endswith(f"\n{newline}") else 1, 1


def cut(text: str, block: Block, undo: Undo | None) -> str:
    """Return the text without a block, and without the line ends that were added with it, as far as they are there."""
    head, tail = text[: block.start], text[block.end :]
    line_end = newline(text[block.start : block.end])
    if undo is None:
        after = 1 if tail.startswith(line_end) else 0
        before = 2 - after
    else:
        before, after = undo.before, undo.after
    tail = tail.removeprefix(line_end * after)
    if tail.strip(BLANK) and not tail.startswith(line_end):
        return head + tail  # text that follows at once: the blank line keeps it a paragraph of its own
    if before == 1 and not head.endswith(line_end * 2):
        return head + tail
    for _ in range(before):
        head = head.removesuffix(line_end)
    return head + tail


def newline(text: str) -> str:
    """Return the line end of a text: that of its first line."""
    first, ending, _ = text.partition("\n")
    return "\r\n" if ending and first.endswith("\r") else "\n"
