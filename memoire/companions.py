"""Keeps the edges of files that change together equal to what history and sessions say of those that there are."""

from collections.abc import Callable, Container
from datetime import datetime

import msgspec

from memoire.graph import Graph
from memoire.model import Claim, Edge, GraphDelta
from memoire.relations import asserted, session_order
from memoire.relations.changes_with import ORIGIN, claim
from memoire.relations.lessons import Lessons


class Companions:
    """The CHANGES_WITH edges of one project.

    Args:
        graph: The open edges.
        lessons: What was learned.
        depends: Whether one of two files depends on the other in the source: then sessions are evidence for DRIVES.
    """

    def __init__(self, graph: Graph, lessons: Lessons, depends: Callable[[str, str], bool]) -> None:
        self._graph = graph
        self._lessons = lessons
        self._depends = depends

    def delta(self, files: Container[str], now: datetime) -> GraphDelta:
        """Return what has to change so that the edges are those that the lessons support.

        Args:
            files: Those of the project.
            now: When the edges that open or close do so.
        """
        claimed = {found.key: (found, count) for found, count in self._claims(files)}
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
        return GraphDelta(opened=opened, updated=updated, closed=closed)

    def _claims(self, files: Container[str]) -> list[tuple[Claim, int]]:
        found = []
        for pair, (together, pieces) in self._lessons.companions().items():
            if not (pair[0] in files and pair[1] in files):
                continue
            stated = [piece for piece in pieces if piece.kind == asserted.KIND]
            edited = [] if self._depends(*pair) else [piece for piece in pieces if piece.kind == session_order.KIND]
            said = [
                session_order.told(*ends, of_one)
                for ends in (pair, pair[::-1])
                if (of_one := [piece for piece in edited if piece.source == ends[0]])
            ]
            said += [asserted.told(stated)] if stated else []
            if together is not None or said:
                count = sum(piece.count for piece in (*edited, *stated)) + (together.commits if together else 0)
                found.append((claim(together, pair, said), count))
        return found


def _edge(claimed: Claim, count: int, since: datetime) -> Edge:
    return Edge(
        key=claimed.key,
        rationale=claimed.rationale,
        extracted_from=claimed.extracted_from,
        is_causal=False,
        cost="normal",
        confidence=claimed.confidence,
        valid_from=since,
        learned=count - 1,  # the first sighting counts as one
    )
