"""A part of the graph that can be drawn: the files around some paths, or those of the best edges, and the edges
between them."""  # noqa: D205, D209 - the operation's description

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from memoire.graph import Graph
from memoire.memory import AsOf, Memory
from memoire.model import Edge, parse_path
from memoire.operations._lookup import locate
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, shown_pending
from memoire.relations._spec import PACKAGE

MOST_FILES, MOST_EDGES = 400, 2_000
_LOOKED_AT = 20_000
"""Best edges among which those of a picture are found."""


class Params(msgspec.Struct, frozen=True):
    """What `subgraph` takes."""

    paths: Annotated[
        list[str], msgspec.Meta(description="Files or directories to start from; none: the best edges.")
    ] = []
    depth: Annotated[int, msgspec.Meta(ge=0, le=6, description="How many edges from them.")] = 1
    relations: Annotated[list[str], msgspec.Meta(description="Only these, as DRIVES; none: all causal ones.")] = []
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_FILES, description="Most files.")] = 40


class Drawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file of the picture."""

    path: str
    kind: Literal["file", "document"]
    language: str = ""
    side_effects: tuple[str, ...] = ()
    is_start: bool = False
    """One of the paths that were asked for."""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """All edges of one relation between two files."""

    source: str
    relation: str
    target: str
    rationale: str
    is_causal: bool = False
    is_costly: bool = False
    count: int = 1


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `subgraph` gives."""

    nodes: list[Drawn]
    edges: list[Line]
    as_of: AsOf
    files: int
    """Files that belong to it, with those that were left out."""
    pending: list[str] = []


async def run(memory: Memory, params: Params) -> Result:
    """Return the files, the most important first, and the edges between them.

    Raises:
        UnknownPathError: A path names nothing of the project.
    """
    pending = shown_pending(await memory.settle(SETTLE_S))
    graph, now = memory.graph, memory.now()
    starts = _starts(memory, params.paths)
    wanted = frozenset(name.upper() for name in params.relations)
    ranked = [item.edge for item in graph.top_edges(now=now, limit=_LOOKED_AT)]
    if starts:
        order = _around(graph, starts, params.depth, wanted)
    else:
        kept = [edge for edge in ranked if _is_wanted(edge, wanted)]
        order = list(dict.fromkeys(end for edge in kept for end in _ends(edge)))
    order = [path for path in order if graph.node(path) is not None]
    shown = order[: params.limit]
    nodes = [_drawn(graph, path, is_start=path in starts) for path in shown]
    return Result(nodes, _lines(graph, shown, wanted), current(memory), len(order), pending)


def _starts(memory: Memory, paths: Sequence[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for given in paths:
        place = locate(memory, given)
        if place.kind == "directory":
            below = "" if place.path == "." else place.path
            found.update(dict.fromkeys(sorted(n.path for n in memory.graph.nodes() if n.path.startswith(below))))
        else:
            found[parse_path(place.path)[0]] = None
    return tuple(found)


def _around(graph: Graph, starts: Sequence[str], depth: int, wanted: frozenset[str]) -> list[str]:
    """Return the files at most so many edges away, the nearest first, those of the same distance by path."""
    found = dict.fromkeys(starts)
    ring: Sequence[str] = starts
    for _ in range(depth):
        edges = (edge for path in ring for edge in graph.edges_of(path) if _is_wanted(edge, wanted))
        beside = {end for edge in edges for end in _ends(edge)}
        ring = sorted(beside - found.keys())
        found.update(dict.fromkeys(ring))
    return list(found)


def _lines(graph: Graph, shown: Sequence[str], wanted: frozenset[str]) -> list[Line]:
    inside = frozenset(shown)
    found: dict[tuple[str, str, str], list[Edge]] = {}
    for path in shown:
        for edge in graph.edges_of(path):
            source, target = _ends(edge)
            if source == path and target in inside and source != target and _is_wanted(edge, wanted):
                found.setdefault((source, edge.key.relation, target), []).append(edge)
    lines = []
    for (source, relation, target), edges in sorted(found.items())[:MOST_EDGES]:
        is_costly = any(edge.cost == "high" for edge in edges)
        lines.append(Line(source, relation, target, edges[0].rationale, edges[0].is_causal, is_costly, len(edges)))
    return lines


def _is_wanted(edge: Edge, wanted: frozenset[str]) -> bool:
    if edge.key.target.startswith(PACKAGE):
        return False
    return edge.key.relation in wanted if wanted else edge.is_causal


def _ends(edge: Edge) -> tuple[str, str]:
    return parse_path(edge.key.source)[0], parse_path(edge.key.target)[0]


def _drawn(graph: Graph, path: str, *, is_start: bool) -> Drawn:
    node = graph.node(path)
    assert node is not None
    kind: Literal["file", "document"] = "document" if node.kind == "document" else "file"
    return Drawn(path, kind, node.language, node.effects, is_start)


OPERATION = Operation(
    name="subgraph",
    title="A part of the graph to be drawn",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="graph data",
    is_tool=False,
)
