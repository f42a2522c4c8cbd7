"""Reads languages of blocks in braces by their outline: Terraform, protobuf, GraphQL, style sheets, Gradle.

Strings and comments are known; what stands in them opens and closes nothing. Nothing here is ever an error: a brace
too much is passed over, one that is missing closes at the end of the file.
"""

import re
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

MAX_BLOCKS = 20_000
"""Blocks and statements of one file that are looked at."""


class Piece(NamedTuple):
    """A block with its header, or a statement that stands by itself."""

    text: str
    """The header before the brace, or the statement; without comments, blanks folded."""
    line: int
    end_line: int
    depth: int
    """Blocks around it."""
    is_block: bool
    start: int
    """Offset of its text."""
    end: int
    """Offset behind it."""
    parent: int = -1
    """Index of the block around it."""


class Style(NamedTuple):
    """The lexical rules of one language."""

    tokens: re.Pattern[str]
    """Comments (group 1), strings (group 2), else one of the marks."""
    ends: str
    """What ends a statement beside braces: `;`, a line feed."""


def style(*, line_comments: tuple[str, ...], strings: str, ends: str) -> Style:
    """Return the rules of a language.

    Args:
        line_comments: What begins a comment to the end of the line; `/* */` is one everywhere.
        strings: Regular expression of its strings, without groups.
        ends: Characters that end a statement.
    """
    marks = "|".join(map(re.escape, line_comments))
    comments = r"/\*(?:.*?\*/|.*)" + (rf"|(?:{marks})[^\n]*" if marks else "")
    return Style(re.compile(rf"({comments})|({strings})|[{{}}{re.escape(ends)}]", re.DOTALL), ends)


QUOTED = r'"(?:[^"\\\n]|\\.)*+"'
SINGLE = r"'(?:[^'\\\n]|\\.)*+'"


def pieces(text: str, rules: Style) -> list[Piece]:
    """Return the blocks and statements of a text in order of their begin; a block precedes what it holds."""
    return _Cutter(text, rules).cut()


class _Cutter:
    """Goes through one text once."""

    def __init__(self, text: str, rules: Style) -> None:
        self._text = text
        self._rules = rules
        self._found: list[Piece] = []
        self._open: list[int] = []
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._begin = 0
        self._comments: list[tuple[int, int]] = []

    def cut(self) -> list[Piece]:
        for token in self._rules.tokens.finditer(self._text):
            if token[1] is not None:
                self._comments.append(token.span())
            elif token[2] is None:
                if len(self._found) >= MAX_BLOCKS:
                    break
                self._mark(token[0], token.start())
        else:
            self._piece(len(self._text), is_block=False)
        last = self._line(max(0, len(self._text.rstrip()) - 1))
        for place in self._open:
            self._found[place] = self._found[place]._replace(end_line=last, end=len(self._text))
        return self._found

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def _mark(self, mark: str, at: int) -> None:
        self._piece(at, is_block=mark == "{")
        if mark == "{":
            self._open.append(len(self._found) - 1)
        elif mark == "}" and self._open:
            place = self._open.pop()
            self._found[place] = self._found[place]._replace(end_line=self._line(at), end=at + 1)
        self._begin = at + 1

    def _piece(self, end: int, *, is_block: bool) -> None:
        """Take in what stands between the last mark and this one; a comment before it is no part of it."""
        text, parts, at = self._text, [], self._begin
        first = -1
        for start, after in (*self._comments, (end, end)):
            part = text[at:start]
            if first < 0 and part.strip():
                first = at + len(part) - len(part.lstrip())
            parts.append(part)
            at = after
        self._comments = []
        words = " ".join("".join(parts).split())
        if words or is_block:
            first = end if first < 0 else first
            last = first + len(text[first:end].rstrip())
            lines = self._line(first), self._line(max(first, last - 1))
            parent = self._open[-1] if self._open else -1
            self._found.append(Piece(words, *lines, len(self._open), is_block, first, end, parent))


def comment_above(text: str, start: int, marks: str = "/*# ") -> str:
    """Return the text of the comment lines right above an offset, at most ten of them; empty without.

    Args:
        text: The file.
        start: Of a piece.
        marks: Characters that frame a comment.
    """
    above = text[max(0, start - 2_000) : start].rsplit("\n", 1)[0].split("\n") if "\n" in text[:start] else []
    said: list[str] = []
    for line in reversed(above[-10:]):
        stripped = line.strip()
        if not stripped.startswith(("//", "#", "*", "/*")):
            break
        said.append(stripped.strip(marks))
    return " ".join(reversed([part for part in said if part]))
