"""Folds what one hub repeats, so that the edges of an answer tell of the whole project and not of its busiest file."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from memoire.graph import Graph
from memoire.model import Edge, parse_path
from memoire.relations._spec import is_ranked
from memoire.scorer import RankedEdge, rank_order

ALSO, ALSO_CHARS = 4, 120
"""Names of those that are folded into an entry, and their characters in all; the others are counted."""
_OWN = (32, 16, 8, 4, 2, 1)
"""Entries that a hub may keep: the first of these numbers that leaves room for all."""
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


def fold(ranked: Sequence[RankedEdge], most: int) -> list[Folded]:
    """Return the entries of a ranking, at most so many, edges of one relation that share an end in one where need be.

    Each hub keeps as many entries of its own as leave room for those of all others; what it has beside is folded.

    Args:
        ranked: The best first.
        most: Entries; edges behind the last one are folded into those that are there, or left out.
    """
    for each in _OWN[:-1]:
        found = _fold(ranked, most, each, is_whole=True)
        if found is not None:
            return found
    return _fold(ranked, most, _OWN[-1]) or []


def _fold(ranked: Iterable[RankedEdge], most: int, each: int, *, is_whole: bool = False) -> list[Folded] | None:
    """Return the entries where a hub has at most `each` of its own, by its relation and its side.

    None where all have to find room (`is_whole`) and do not.
    """
    firsts: list[RankedEdge] = []
    others: list[list[str]] = []
    is_target: dict[int, bool] = {}
    entries: dict[tuple[str, str, bool], list[int]] = {}
    for item in ranked:
        key = item.edge.key
        outward = entries.setdefault((key.relation, key.source, True), [])
        inward = entries.setdefault((key.relation, key.target, False), [])
        if len(outward) >= each and is_target.setdefault(outward[0], True):
            others[outward[0]].append(key.target)
        elif len(inward) >= each and not is_target.setdefault(inward[0], False):
            others[inward[0]].append(key.source)
        elif len(firsts) < most:
            outward.append(len(firsts))
            inward.append(len(firsts))
            firsts.append(item)
            others.append([])
        elif is_whole:
            return None
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


def named(item: Folded) -> list[str]:
    """Return the first of those that are folded into an entry, as many as have room; one at least."""
    shown: list[str] = []
    for name in item.others[:ALSO]:
        if shown and sum(map(len, shown)) + len(name) > ALSO_CHARS:
            break
        shown.append(name)
    return shown
