"""Opens a scope behind each declaration that hides a name which the code around it also means otherwise.

`x := x.y()` speaks of two variables: what stands on its right means the outer one, and so does an x before it. Most
declarations hide nothing and need no scope of their own.
"""

import re
from bisect import bisect_left
from collections import Counter

from tree_sitter import Node

from memoire.extract.regions import Region
from memoire.extract.rows import Rows

MAX_SCOPES = 64
"""How many declarations of one block open a scope, one in the other: what hides names behind them is not told apart."""
MAX_SEARCHED = 20_000
"""Bytes of a function in which one name is looked for by itself."""
BYTES_A_TRY = 16
"""For each so many bytes of the file one place is looked at, before all names are told at once."""
_APART = frozenset(b' \t\r\n()[]{},;:=+-*/%&|^<>~!."0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')
"""Bytes before which a longer name ends, or with which what follows is no name of its own: what is told of one place
is known without those before it."""
_DECLARES = ("_declaration", "_clause")
"""How the kinds of nodes end that are in force from their end on."""


def shadow(rows: Rows, src: bytes, name: str, *, keeps_types: bool) -> None:
    """Add a region to the rows for each such declaration.

    Args:
        rows: What the file holds.
        src: Its source.
        name: Regular expression of one name.
        keeps_types: Whether a second declaration in one block is of the same variable: see `Syntax.keeps_types`.
    """
    places = _Places(src, name)
    seen: set[tuple[int, bytes]] = set()
    opened: Counter[int] = Counter()
    for left, _, _ in rows.binds:
        declaration = _declaration(left)
        around = _block(declaration)
        text = src[left.start_byte : left.end_byte]
        if declaration is None or around is None or not declaration.type.endswith(_DECLARES):
            continue
        is_again = (around.id, text) in seen
        seen.add((around.id, text))
        if keeps_types and is_again:
            continue
        is_hiding = is_again or places.are_several(text, _start(around), declaration.end_byte)
        if is_hiding and opened[around.id] < MAX_SCOPES:
            opened[around.id] += 1
            # Its bracket left out, so that it ends before the function whose body this is.
            end = around.end_byte - (src[around.end_byte - 1] in b"})")
            rows.regions.add(Region(declaration.end_byte, end, is_function=False))
            rows.shadowing[left.start_byte] = declaration.end_byte


class _Places:
    """Where names stand in a source, as members of something aside.

    A name is looked for where one asks for it. The places of all names are only told where that would cost more.

    Args:
        src: The source.
        name: Regular expression of one name.
    """

    def __init__(self, src: bytes, name: str) -> None:
        self._src = src
        self._name = re.compile(rb"(?<![.\w])" + name.encode())
        self._all: dict[bytes, list[int]] | None = None
        self._left = len(src) // BYTES_A_TRY

    def are_several(self, text: bytes, start: int, end: int) -> bool:
        """Return whether a name stands more than once between two offsets."""
        if self._all is not None or end - start > MAX_SEARCHED:
            return self._are_several_of_all(text, start, end)
        src, count, last = self._src, 0, end + len(text) - 1
        at = src.find(text, start, last)
        while at >= 0:
            self._left -= 1
            if self._left < 0 or (at and src[at - 1] not in _APART):
                return self._are_several_of_all(text, start, end)
            found = self._name.match(src, at)
            count += found is not None and found[0] == text
            if count > 1:
                return True
            at = src.find(text, at + 1, last)
        return False

    def _are_several_of_all(self, text: bytes, start: int, end: int) -> bool:
        if self._all is None:
            self._all = {}
            for match in self._name.finditer(self._src):
                self._all.setdefault(match[0], []).append(match.start())
        at = self._all.get(text, [])
        return bisect_left(at, end) - bisect_left(at, start) > 1


def _declaration(left: Node) -> Node | None:
    found = left.parent
    while found is not None and found.type.endswith(("_list", "_spec")):
        found = found.parent
    return found


def _block(declaration: Node | None) -> Node | None:
    """Return what a declaration is in force in; None at the top of the file."""
    around = declaration.parent if declaration is not None else None
    if around is not None and around.type.endswith("_clause"):
        around = around.parent
    return around if around is not None and around.parent is not None else None


def _start(around: Node) -> int:
    """Return where the statement or the function begins that a block is the body of."""
    while around.type in {"block", "statement_list"} and around.parent is not None:
        around = around.parent
    return around.start_byte
