"""What a result is made of on the way to the screen: headings, lines, tables. Plain data, so that it can be tested."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Heading(NamedTuple):
    """The title of what follows."""

    text: str


class Lines(NamedTuple):
    """Lines of text, shown as they are."""

    lines: tuple[str, ...]


class Table(NamedTuple):
    """Column titles and rows; a long cell is folded on a terminal."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Lines | Table

_UNSAFE = {code: f"\\x{code:02x}" for code in [*range(32), *range(127, 160)] if code != ord("\t")}
# Line separators, and the marks that turn the direction of writing: they show one thing and are another.
_UNSAFE |= {code: f"\\u{code:04x}" for code in [*range(0x2028, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C]}


def clean(text: object) -> str:
    """Return one line of text that no terminal takes for a command: what a repository holds is from strangers."""
    return str(text).translate(_UNSAFE)


def heading(text: str) -> Heading:
    """Return a cleaned title."""
    return Heading(clean(text))


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table of cleaned strings."""
    return Table(tuple(columns), tuple(tuple(clean(cell) for cell in row) for row in rows))


def lines(text: str) -> Lines:
    """Return a text's lines, each cleaned."""
    return Lines(tuple(clean(line) for line in text.split("\n")))
