"""What every relation of the graph means: whether it is causal, what it costs, and which way a change travels.

Reachability follows propagation, not arrows: `test ASSERTS_ON module` points at the module, but it is the test that
a change of the module reaches.
"""

from typing import Literal

import msgspec

Propagation = Literal["source_to_target", "target_to_source", "none"]
"""Which end a change reaches when the other one changes."""


class Relation(msgspec.Struct, frozen=True):
    """One kind of edge."""

    name: str
    meaning: str
    """One sentence that starts at the source."""
    propagates: Propagation
    causal: bool = False
    cost: str = "normal"
    """normal, high, or `effects`: high where the node that the change reaches has side effects."""
    ranked: bool = True
    """Whether its edges are candidates for the `relationships` of an answer about the whole project."""


_ALL = (
    Relation("CONTAINS", "A directory holds its child, a file its symbol.", "none", ranked=False),
    Relation("IMPORTS", "A file imports a file or an external package.", "target_to_source"),
    Relation("CALLS", "A symbol calls a symbol.", "target_to_source"),
    # Pictures and commands compete with no cause for a place in the answer about a whole project.
    Relation(
        "REFERENCES",
        "A symbol names a symbol without calling it; a command names a file, a document a picture.",
        "target_to_source",
        ranked=False,
    ),
    Relation("INHERITS", "A class extends a class.", "target_to_source"),
    Relation(
        "DRIVES", "A core file decides how its dependent behaves.", "source_to_target", causal=True, cost="effects"
    ),
    Relation("ASSERTS_ON", "A test exercises what it checks.", "target_to_source", causal=True, cost="high"),
    Relation("SPECIFIES", "A document states what code must do.", "source_to_target", causal=True),
    Relation("IMPLEMENTS", "Code cites the document that it carries out.", "target_to_source", causal=True),
    Relation("DOCUMENTS", "A document describes code, and goes stale with it.", "target_to_source", causal=True),
    # Shown by impact alone, in both directions: two files that change together drive each other no more than a
    # common cause drives both.
    Relation("CHANGES_WITH", "Two files are changed by the same commits or sessions.", "none", ranked=False),
)

PACKAGE = "pkg:"
"""How the node id of an external package starts."""

RELATIONS: dict[str, Relation] = {relation.name: relation for relation in _ALL}
"""Every relation by name."""


def propagation(relation: str) -> Propagation:
    """Return which way a change travels along a relation; `none` for one that is not known here."""
    known = RELATIONS.get(relation)
    return "none" if known is None else known.propagates


def is_ranked(relation: str) -> bool:
    """Return whether edges of a relation compete for the `relationships` of `get_context`."""
    known = RELATIONS.get(relation)
    return known is None or known.ranked
