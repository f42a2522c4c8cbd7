"""Types and expressions that are no node of their own: in some grammars the parts of `a.b(c)` are siblings."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

MAX_BEFORE = 400
"""How many bytes before a name its type is looked for in: a declaration may go on with thousands of names."""
_ENDS = frozenset({",", ";", ")", "cascade_section"})
"""What stands behind an expression: the next name of the declaration, or what is done with what it gives."""
_DECLARED = re.compile(
    rb"(?:\s|\b(?:final|const|var|late|static|covariant|required|external|abstract|get|augment)\b|[({\[,])*\Z"
)
"""Words that say how something is declared, and nothing of its type."""


class Stretch(NamedTuple):
    """A stretch of source that is taken like a node."""

    start_byte: int
    end_byte: int
    type: str = "stretch"
    named_child_count: int = 0
    named_children: tuple[Node, ...] = ()


Part = Node | Stretch
Captures = Mapping[str, list[Node]]
"""What one match of a query captured."""


def type_before(src: bytes, node: Node, name: Node) -> Stretch | None:
    """Return the type that stands before a name; None where only words do that say nothing of it.

    Args:
        src: The source.
        node: The declaration; where the name is its beginning, what stands before it in the file is looked at.
        name: The name.
    """
    start, end = node.start_byte, name.start_byte
    if start == end:
        start = max(0, end - MAX_BEFORE)
        start = max(start, *(src.rfind(sign, start, end) + 1 for sign in (b";", b"}", b"\n")))
    is_far = end - start > MAX_BEFORE
    return None if is_far or _DECLARED.match(src[start:end]) else Stretch(start, end)


def value_behind(name: Node) -> Part | None:
    """Return the expression behind the `=` that follows a name, in all its parts; None where there is none."""
    sign = name.next_sibling
    return rest(sign.next_sibling) if sign is not None and sign.type == "=" else None


def rest(first: Node | None) -> Part | None:
    """Return an expression that begins with a node and goes on with its siblings."""
    last = first
    while last is not None:
        following = last.next_sibling
        if following is None or following.type in _ENDS:
            break
        last = following
    if first is None or last is None or first == last:
        return first
    return Stretch(first.start_byte, last.end_byte)


def dotted(node: Node) -> Part | None:
    """Return the dotted name that a node begins, as `a.B` may be three nodes; None for a node that goes on with one."""
    before = node.prev_sibling
    if before is not None and before.type == ".":
        return None
    last = node
    while (dot := last.next_sibling) is not None and dot.type == "." and dot.next_sibling is not None:
        last = dot.next_sibling
    return node if last == node else Stretch(node.start_byte, last.end_byte)


def declared(node: Node) -> Node:
    """Return the name in a declarator: in `*name`, `name[3]` and `(*name)(int)`; any other node itself."""
    while node.type.endswith("_declarator"):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.named_child_count == 1:
            inner = node.named_children[0]
        if inner is None:
            break
        node = inner
    return node


def behind_arrow(node: Node) -> list[Node]:
    """Return what stands behind the arrows of a node: the type that a function returns."""
    return [after for arrow, after in pairwise(node.children) if arrow.type == "->" and after.is_named]


def said_type(src: bytes, got: Captures, name: Node) -> Part | None:
    """Return the type that a declaration gives a name."""
    types, typed = got.get("type"), got.get("typed")
    return types[0] if types else type_before(src, typed[0], name) if typed else None


def given_value(got: Captures, name: Node) -> Part | None:
    """Return the expression that a name is given."""
    values, first = got.get("value"), got.get("rest")
    if values or first:
        return values[0] if values else rest(first[0] if first else None)
    return value_behind(name) if "typed" in got else None
