"""Folds what one hub repeats, so that the edges of an answer tell of the whole project and not of its busiest file."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from memoire.graph import Graph
from memoire.model import Edge, parse_path
from memoire.relations._spec import is_ranked
from memoire.scorer import RankedEdge, rank_order

ALSO = 4
"""Names of those that are folded into an entry; the others are counted."""
NEAR, NEXT = 8.0, 4.0
"""What is added to an edge that touches a file in focus, and to one that touches a file beside it: more than scores of
one project differ by, so that these come first, in the order of their scores."""
MOST_BESIDE = 40
"""Files beside those in focus whose edges are looked at."""
MOST_EDGES = 400
"""Edges of one such file."""


class Folded(msgspec.Struct, frozen=True):
    """One edge, and those that say the same of the same hub."""

    first: RankedEdge
    others: tuple[str, ...] = ()
    """The other ends, in the order of their scores: targets, or sources where the edges share their target."""
    is_target: bool = True
    """Whether they are targets."""


def fold(ranked: Iterable[RankedEdge], most: int) -> list[Folded]:
    """Return the first entries of a ranking, edges of one relation that share an end in one.

    Args:
        ranked: The best first.
        most: Entries; edges behind the last one are folded into those that are there.
    """
    firsts: list[RankedEdge] = []
    others: list[list[str]] = []
    by_source: dict[tuple[str, str], int] = {}
    by_target: dict[tuple[str, str], int] = {}
    is_target: dict[int, bool] = {}
    for item in ranked:
        key = item.edge.key
        outward, inward = (key.relation, key.source), (key.relation, key.target)
        at = by_source.get(outward)
        if at is not None and is_target.setdefault(at, True):
            others[at].append(key.target)
            continue
        at = by_target.get(inward)
        if at is not None and not is_target.setdefault(at, False):
            others[at].append(key.source)
            continue
        if len(firsts) < most:
            by_source.setdefault(outward, len(firsts))
            by_target.setdefault(inward, len(firsts))
            firsts.append(item)
            others.append([])
    return [
        Folded(first, tuple(names), is_target.get(at, True))
        for at, (first, names) in enumerate(zip(firsts, others, strict=True))
    ]


def focused(
    graph: Graph, ranked: Sequence[RankedEdge], focus: Collection[str], found: Sequence[RankedEdge]
) -> list[RankedEdge]:
    """Return a ranking in which what touches some files comes first, then what touches those beside them.

    Args:
        graph: The open edges.
        ranked: The best edges of the project.
        focus: Files.
        found: The edges of these files and of those beside them, ranked.
    """
    beside = neighbours(graph, focus)
    seen = {item.edge.key: item for item in (*ranked, *found)}

    def order(item: RankedEdge) -> tuple[float, str, str, str]:
        ends = {parse_path(item.edge.key.source)[0], parse_path(item.edge.key.target)[0]}
        bonus = NEAR if not ends.isdisjoint(focus) else NEXT if not ends.isdisjoint(beside) else 0.0
        score, *rest = rank_order(item)
        return (score - bonus, *rest)  # type: ignore[return-value]

    return sorted(seen.values(), key=order)


def neighbours(graph: Graph, focus: Collection[str]) -> list[str]:
    """Return the files beside some files, at most `MOST_BESIDE`, those with the fewest edges first."""
    ends = {
        parse_path(end)[0]
        for path in focus
        for edge in _ranked_of(graph, path)
        for end in (edge.key.source, edge.key.target)
    }
    files = [path for path in ends - set(focus) if graph.node(path) is not None]
    return sorted(files, key=lambda path: (graph.degree(path), path))[:MOST_BESIDE]


def around(graph: Graph, focus: Collection[str]) -> list[Edge]:
    """Return the edges of some files and of those beside them."""
    found = {
        edge.key: edge for path in (*focus, *neighbours(graph, focus)) for edge in _ranked_of(graph, path)[:MOST_EDGES]
    }
    return list(found.values())


def _ranked_of(graph: Graph, path: str) -> list[Edge]:
    return [edge for edge in graph.edges_of(path) if is_ranked(edge.key.relation)]
