"""Keeps the few edges that can be among the best, while the graph changes and time passes.

All scores fall with time by at most `MARGIN` within `LIFE`, and none rises unless its nodes or the edge change. So the
edges whose score, as of the beginning of that time, lies above a floor hold the best of any later moment of it, as long
as enough of them lie further than the margin above the floor. A change moves the edges it touches over the floor or
below; only if too few are left, or the time is over, all edges are scored again.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from heapq import nlargest
from math import exp

from memoire.model import Edge, EdgeKey
from memoire.relations._spec import is_ranked
from memoire.scorer import RECENCY_DAYS, edge_bonus

LIFE = timedelta(hours=1)
MARGIN = 2 * (1 - exp(-(LIFE / timedelta(days=1)) / RECENCY_DAYS)) + 1e-9
"""The most that two recencies, the only terms that change with time, lose within `LIFE`."""
DEPTH = 2
"""Times the edges asked for are kept, so that some may fall out before all are scored again."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class Shortlist:
    """The edges that may be among the best of one graph.

    Args:
        edges: The open edges.
        around: Returns the keys of the edges that start, end or rest at a file.
        totals: Returns the score of every file at a time.
        total: Returns the score of one file at a time; 0 for what is none.
        file_of: Returns the file of a node.
        observations: Returns how often an edge was seen.
    """

    def __init__(
        self,
        edges: Mapping[EdgeKey, Edge],
        *,
        around: Callable[[str], Iterable[EdgeKey]],
        totals: Callable[[datetime], dict[str, float]],
        total: Callable[[str, datetime], float],
        file_of: Callable[[str], str],
        observations: Callable[[Edge], int],
    ) -> None:
        self._edges = edges
        self._around = around
        self._compute_totals = totals
        self._total_of = total
        self._file_of = file_of
        self._observations = observations
        self._since = self._until = _NEVER
        self._limit = 0
        self._floor = 0.0
        self._totals: dict[str, float] = {}
        self._scores: dict[EdgeKey, float] = {}
        self._paths: set[str] = set()
        self._keys: set[EdgeKey] = set()
        self._is_moved = True

    def touch(self, paths: Iterable[str] = (), keys: Iterable[EdgeKey] = ()) -> None:
        """Note files that are new, changed or gone, and edges that opened, changed or closed."""
        self._paths.update(paths)
        self._keys.update(keys)

    def move(self) -> None:
        """Note that the score of any file may differ: what causes what has changed."""
        self._is_moved = True

    def best(self, now: datetime, limit: int) -> list[Edge]:
        """Return the edges that may be among the best `limit` now, in no order."""
        is_over = not self._since <= now <= self._until or limit > self._limit
        if is_over or not self._catch_up():
            self._make(now, limit)
        best = nlargest(limit, self._scores.values())
        # What lies further below the last of them than time can bring them together is not among the best.
        least = best[-1] - MARGIN if len(best) == limit else self._floor
        return [self._edges[key] for key, score in self._scores.items() if score >= least]

    def _make(self, now: datetime, limit: int) -> None:
        self._since, self._until, self._limit = now, now + LIFE, limit
        self._totals = self._compute_totals(now)
        self._is_moved = False
        self._paths.clear()
        self._keys.clear()
        ranked = {relation: is_ranked(relation) for relation in {key.relation for key in self._edges}}
        bonuses: dict[tuple[bool, str, int], float] = {}
        found = {key: self._score(edge, bonuses) for key, edge in self._edges.items() if ranked[key.relation]}
        best = nlargest(DEPTH * limit, found.values())
        self._floor = best[-1] - MARGIN if len(best) == DEPTH * limit else float("-inf")
        self._scores = {key: score for key, score in found.items() if score >= self._floor}

    def _catch_up(self) -> bool:
        """Take in what was touched; return False where the list may no longer hold the best."""
        changed = self._paths
        if self._is_moved:
            totals = self._compute_totals(self._since)
            changed |= {path for path, total in totals.items() if self._totals.get(path) != total}
            changed |= self._totals.keys() - totals.keys()
            self._totals = totals
            self._is_moved = False
        for path in changed:
            self._totals[path] = self._total_of(path, self._since)
        touched = self._keys.union(*map(self._around, changed))
        self._paths, self._keys = set(), set()
        bonuses: dict[tuple[bool, str, int], float] = {}
        for key in touched:
            edge = self._edges.get(key)
            score = self._score(edge, bonuses) if edge is not None and is_ranked(key.relation) else None
            if score is not None and score >= self._floor:
                self._scores[key] = score
            else:
                self._scores.pop(key, None)
        if self._floor == float("-inf"):
            return len(self._scores) <= 2 * DEPTH * self._limit
        return sum(score >= self._floor + MARGIN for score in self._scores.values()) >= self._limit

    def _score(self, edge: Edge, bonuses: dict[tuple[bool, str, int], float]) -> float:
        seen = (edge.is_causal, edge.cost, self._observations(edge))
        bonus = bonuses.get(seen)
        if bonus is None:
            bonus = bonuses[seen] = sum(edge_bonus(edge, seen[2]))
        return self._of(edge.key.source) + self._of(edge.key.target) + bonus

    def _of(self, node: str) -> float:
        """Return a node's score: a symbol has its file's, anything else none."""
        total = self._totals.get(node)
        return self._totals.get(self._file_of(node), 0.0) if total is None else total
