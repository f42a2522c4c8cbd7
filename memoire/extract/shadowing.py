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
    places = _places(rows, src, name)
    seen: set[tuple[int, bytes]] = set()
    opened: Counter[int] = Counter()
    for left, _, _ in rows.binds:
        declaration = _declaration(left)
        around = _block(declaration)
        text = src[left.start_byte : left.end_byte]
        if declaration is None or around is None or not declaration.type.endswith(_DECLARES) or text not in places:
            continue
        is_again = (around.id, text) in seen
        seen.add((around.id, text))
        if keeps_types and is_again:
            continue
        start = _start(around)
        at = places[text]
        others = bisect_left(at, declaration.end_byte) - bisect_left(at, start)
        if (is_again or others > 1) and opened[around.id] < MAX_SCOPES:
            opened[around.id] += 1
            # Its bracket left out, so that it ends before the function whose body this is.
            end = around.end_byte - (src[around.end_byte - 1] in b"})")
            rows.regions.add(Region(declaration.end_byte, end, is_function=False))
            rows.shadowing[left.start_byte] = declaration.end_byte


def _places(rows: Rows, src: bytes, name: str) -> dict[bytes, list[int]]:
    """Return where each name that is bound stands, as a member of something aside."""
    bound = {src[left.start_byte : left.end_byte] for left, _, _ in rows.binds}
    found: dict[bytes, list[int]] = {text: [] for text in bound}
    for match in re.finditer(rb"(?<![.\w])" + name.encode(), src):
        places = found.get(match[0])
        if places is not None:
            places.append(match.start())
    return found


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
