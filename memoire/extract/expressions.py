"""Tells of an expression which part of it shows the class of its value."""

import re
from collections.abc import Mapping

from tree_sitter import Node

from memoire.extract.spec import Syntax
from memoire.extract.stretches import Part, Stretch

MAX_WRAPPED = 8
"""How many expressions, each inside the one before, are looked into."""
_BRACKETS = re.compile(rb"[()\[\]{},]")
_HEAD = re.compile(rb"[\w\x80-\xff]+")
_NOTHING = frozenset({"null", "undefined", "none", "false"})
"""Kinds of expressions that give no instance of any class."""
_OPENING = b"([{"


def alternatives(node: Part, syntax: Syntax) -> list[Part]:
    """Return the parts of an expression of which it evaluates to one, each as `settled` gives it."""
    node = settled(node, syntax)
    if isinstance(node, Stretch) or node.type not in syntax.choices or node.child_by_field_name("operator") is not None:
        return [node]
    children = [child for child in node.named_children if child.type != "comment"]
    places = [place for place in syntax.choices[node.type] if place < len(children)]
    return [settled(children[place], syntax) for place in places]


def settled(node: Part, syntax: Syntax) -> Part:
    """Return the part of an expression that shows its class: what is in parentheses, what `a ?? new B()` may be.

    Of `a ?? b` it is the side that calls something, the right before the left: what is kept in `a` was made by `b`.
    Of `c ? a : b` it is the one that is not nothing.
    """
    for _ in range(MAX_WRAPPED):
        if isinstance(node, Stretch):
            return node
        if node.type in syntax.wrappers and node.named_child_count:
            node = node.named_children[0]
            continue
        places = syntax.choices.get(node.type)
        if places is None:
            lent, is_lent = _without_block(node, syntax)
            if not is_lent:
                return lent
            node = lent
            continue
        operator = node.child_by_field_name("operator")
        children = [child for child in node.named_children if child.type != "comment"]
        if (operator is not None and operator.type not in syntax.choosers) or len(children) <= max(places):
            return node
        chosen = [children[place] for place in places]
        if operator is None:
            chosen = [child for child in chosen if child.type not in _NOTHING]
            if len(chosen) != 1:
                return node  # one or the other: which is not told
        node = next((child for child in chosen if _inner(child, syntax).type in syntax.call_nodes), chosen[-1])
    return node


def _without_block(node: Node, syntax: Syntax) -> tuple[Part, bool]:
    """Return a call without the closure behind it; what that gives, and True, where the call gives or lends it."""
    block = node.child_by_field_name(syntax.block_field) if syntax.block_field else None
    if block is None or block.prev_sibling is None:
        return node, False
    arguments = node.child_by_field_name("arguments")
    head = Stretch(
        node.start_byte,
        (arguments.prev_sibling if arguments and arguments.prev_sibling else block.prev_sibling).end_byte,
    )
    text = (node.text or b"")[: head.end_byte - head.start_byte].decode("utf-8", "replace")
    body = block.child_by_field_name("body")
    if text in syntax.lenders and body is not None and body.named_child_count:
        return body.named_children[-1], True
    return Stretch(node.start_byte, block.prev_sibling.end_byte, node.type), False


def _inner(node: Part, syntax: Syntax) -> Part:
    for _ in range(MAX_WRAPPED):
        if node.type not in syntax.wrappers or not node.named_child_count:
            break
        node = node.named_children[0]
    return node


def first_argument(text: bytes, start: int) -> bytes:
    """Return the first argument of the call whose arguments begin at an offset, where it ends with them; else nothing.

    `sorted(a.b(), key=c)` gives `a.b()`, `sorted(a)[0]` nothing: that is no longer what is sorted.
    """
    depth, end = 1, 0
    for found in _BRACKETS.finditer(text, start):
        if found[0] == b",":
            end = end or (found.start() if depth == 1 else 0)
            continue
        depth += 1 if found[0] in _OPENING else -1
        if not depth:
            return text[start : end or found.start()] if not text[found.end() :].strip() else b""
    return b""


def operated(text: bytes, operators: Mapping[str, str]) -> tuple[bytes, str]:
    """Return the left side of an expression with an operator, and the method that this calls; empty without one.

    Args:
        text: The expression.
        operators: See `Syntax.operators`.
    """
    for operator, method in operators.items():
        left, sign, _ = text.partition(operator.encode())
        if sign:
            return left.lstrip(b"( "), method
    return b"", ""


def begins_path(text: bytes, head: str, joint: str) -> bool:
    """Return whether an expression whose first name is `head` begins with a path of modules and types."""
    first, found, _ = text.partition(joint.encode()) if joint else (b"", b"", b"")
    return bool(found) and first.rstrip().endswith(head.encode())


def element(text: bytes) -> bytes:
    """Return the expression that makes the elements of a list, or the first of them: `a(x)` in `[a(x) for x in y]`.

    Nothing where it begins with a name that the list itself binds: that has no meaning outside of it.
    """
    made, sign, rest = text[1:-1].partition(b" for ")
    if not sign:
        return first_argument(text[1:-1] + b")", 0)
    head = _HEAD.match(made)
    bound = _HEAD.findall(rest.partition(b" in ")[0])
    return made if head is not None and head[0] not in bound else b""
