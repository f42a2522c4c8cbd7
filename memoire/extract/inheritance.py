"""Finds the bases of a class among the nodes that hold them."""

from tree_sitter import Node

_LISTS = ("_clause", "_list", "_heritage", "superclass", "_interfaces", "_specifiers", "_specifier", "_bounds")
"""How the kinds of nodes end that hold bases: `extends_clause`, `argument_list`."""
_INVOCATIONS = ("constructor_invocation", "explicit_delegation")
"""Kinds of nodes whose first child is the base: `Base(x)`, `Base by x`."""


def bases_in(node: Node) -> list[Node]:
    """Return the bases in a node: itself, or those of a list and of the clauses inside it."""
    if node.type in _INVOCATIONS and node.named_child_count:
        return [node.named_children[0]]
    if not node.type.endswith(_LISTS):
        return [] if node.type in {"type_arguments", "arguments", "argument"} else [node]
    return [base for child in node.named_children for base in bases_in(child)]
