"""Asserted edges: what an assistant or a person says binds two nodes, and what they say does not.

Evidence: a statement with its author, time and reason. It counts until it is taken back. What is denied takes back all
learned evidence of that edge before it, and keeps history from claiming it again; what the source tree says stays, and
is shown beside the denial.
"""

from datetime import datetime

from memoire.model import Claim, EdgeKey, Evidence
from memoire.relations._spec import RELATIONS
from memoire.relations.session_order import identity

KIND, DENIED = "asserted", "denied"
ASSERTABLE = ("ASSERTS_ON", "CHANGES_WITH", "DOCUMENTS", "DRIVES", "IMPLEMENTS", "REFERENCES", "SPECIFIES")
"""Relations between files that more than the source can tell of: what imports what, the tree says."""


def statement(key: EdgeKey, *, is_denied: bool, author: str, reason: str, at: datetime) -> Evidence:
    """Return the piece of evidence that a statement is."""
    kind = DENIED if is_denied else KIND
    return Evidence(
        id=identity(kind, key.source, key.relation, key.target, author, at.isoformat()),
        kind=kind,
        source=key.source,
        relation=key.relation,
        target=key.target,
        at=at,
        origin=author,
        text=reason,
    )


def claim(key: EdgeKey, pieces: list[Evidence], extracted_from: str) -> Claim:
    """Return the edge that statements alone support; there is at least one."""
    relation = RELATIONS[key.relation]
    return Claim(
        key,
        told(pieces),
        extracted_from=extracted_from,
        is_causal=relation.causal,
        cost="high" if relation.cost == "high" else "normal",
    )


def told(pieces: list[Evidence]) -> str:
    """Return the sentence that names the last statement."""
    last = max(pieces, key=lambda piece: (piece.at, piece.id))
    more = f" ({len(pieces)} statements)" if len(pieces) > 1 else ""
    return f"{last.origin} said so on {last.at:%Y-%m-%d}: {last.text}{more}"
