"""Keeps the edges that history claims equal to what it says now: whatever was landed, renamed or deleted in between."""

from collections.abc import Collection
from datetime import datetime

import msgspec

from memoire.episodes.history import History
from memoire.graph import Graph
from memoire.impact import is_code
from memoire.model import Claim, Edge, GraphDelta
from memoire.relations.changes_with import ORIGIN, claims


class Companions:
    """The CHANGES_WITH edges of one project.

    Args:
        graph: The open edges.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: tuple[History, frozenset[str]] | None = None

    def delta(self, history: History, files: Collection[str], now: datetime) -> GraphDelta:
        """Return what has to change so that the edges are those of this history and these files.

        Args:
            history: As mined.
            files: Those of the project.
            now: When the edges that open or close do so.
        """
        state = (history, frozenset(files))
        if self._known is not None and self._known[0] is history and self._known[1] == state[1]:
            return GraphDelta()
        claimed = {claim.key: (claim, count) for claim, count in claims(history.commits, state[1], is_code)}
        open_now = {edge.key: edge for edge in self._graph.edges_from_file(ORIGIN)}
        opened = [_edge(*claimed[key], now) for key in sorted(claimed) if key not in open_now]
        updated = [
            _edge(*claimed[key], old.valid_from)
            for key, old in sorted(open_now.items())
            if key in claimed and claimed[key][0].rationale != old.rationale
        ]
        closed = [
            msgspec.structs.replace(old, valid_to=max(now, old.valid_from))
            for key, old in sorted(open_now.items())
            if key not in claimed
        ]
        self._known = state
        return GraphDelta(opened=opened, updated=updated, closed=closed)


def _edge(claim: Claim, commits: int, since: datetime) -> Edge:
    return Edge(
        key=claim.key,
        rationale=claim.rationale,
        extracted_from=claim.extracted_from,
        is_causal=False,
        cost="normal",
        confidence=claim.confidence,
        valid_from=since,
        learned=commits - 1,  # the first sighting counts as one
    )
