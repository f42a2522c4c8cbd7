"""Every file, document, open edge and session of the project, page by page, in a fixed order."""

from collections.abc import Callable, Iterable
from datetime import datetime
from heapq import nsmallest
from typing import Annotated, Literal, TypeVar

import msgspec

from memoire.episodes.sessions import NODE, edit_counts, prompts_of, title_of
from memoire.errors import InvalidArgumentError
from memoire.graph import Graph, Node
from memoire.memory import AsOf, Memory
from memoire.model import Edge, Session
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, wire_time

T = TypeVar("T")

MAX_PAGE = 5000
FIRST = "\0"
"""Sorts before every id of a session."""


class Params(msgspec.Struct, frozen=True):
    """What `export` takes."""

    after: Annotated[str, msgspec.Meta(description="An answer's `next`.")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MAX_PAGE, description="Records of one page.")] = MAX_PAGE


class Record(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A node or an edge; what does not apply to it is left out."""

    type: Literal["node", "edge"]
    path: str = ""
    kind: str = ""
    """file, document or session."""
    language: str = ""
    summary: str = ""
    side_effects: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    size: int = 0
    accesses: int = 0
    reachability: int = 0
    changed_at: datetime | None = None
    source: str = ""
    relation: str = ""
    target: str = ""
    rationale: str = ""
    extracted_from: str = ""
    is_causal: bool = False
    cost: str = ""
    observations: int = 0
    confidence: float = 0.0
    line: int = 0
    valid_from: datetime | None = None
    client: str = ""
    started: datetime | None = None
    last: datetime | None = None
    prompts: tuple[str, ...] = ()
    edited: dict[str, int] = {}
    commands: int = 0
    failures: int = 0


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `export` gives."""

    project_id: str
    as_of: AsOf
    records: list[Record]
    """Files by path, then edges by source, relation and target, then sessions by id."""
    next: str = ""
    """There are more: ask again with this as `after`."""


async def run(memory: Memory, params: Params) -> Result:
    """Return the records that follow `after`.

    Raises:
        InvalidArgumentError: `after` is of no answer.
    """
    await memory.settle(SETTLE_S)
    kind, _, last = params.after.partition(":")
    if kind not in {"", "node", "edge", "session"}:
        raise InvalidArgumentError("after", "is the `next` of no answer")
    graph, records = memory.graph, list[Record]()
    if kind in {"", "node"}:
        nodes = _following(graph.nodes(), lambda node: node.path, last, params.limit)
        records += [_node(graph, node) for node in nodes]
        last = ""
    if len(records) < params.limit and kind != "session":
        edges = _following(graph.edges(), _edge_key, last, params.limit - len(records))
        records += [_edge(graph, edge) for edge in edges]
        last = ""
    if len(records) < params.limit:
        room = params.limit - len(records)
        sessions = await memory.sessions(limit=room, after=last or FIRST)
        records += [_session(memory, session) for session in sessions]
    is_full = len(records) == params.limit
    return Result(memory.project_id, current(memory), records, _cursor(records[-1]) if is_full else "")


def _following(items: Iterable[T], key: Callable[[T], str], last: str, limit: int) -> list[T]:
    """Return the first `limit` items whose key sorts behind `last`."""
    return nsmallest(limit, (item for item in items if key(item) > last), key=key)


def _edge_key(edge: Edge) -> str:
    return "\0".join((edge.key.source, edge.key.relation, edge.key.target))


def _cursor(record: Record) -> str:
    if record.kind == "session":
        return record.path
    if record.type == "node":
        return f"node:{record.path}"
    return "\0".join((f"edge:{record.source}", record.relation, record.target))


def _node(graph: Graph, node: Node) -> Record:
    return Record(
        type="node",
        path=node.path,
        kind=node.kind,
        language=node.language,
        summary=node.summary,
        side_effects=node.effects,
        uses=node.uses,
        problems=node.problems,
        size=node.size,
        accesses=node.accesses,
        reachability=graph.reachability(node.path),
        changed_at=wire_time(node.changed_at),
    )


def _session(memory: Memory, session: Session) -> Record:
    return Record(
        type="node",
        path=f"{NODE}{session.id}",
        kind="session",
        summary=memory.redact(title_of(session)),
        client=session.client,
        started=wire_time(session.started) if session.started else None,
        last=wire_time(session.last) if session.last else None,
        prompts=tuple(memory.redact(prompt) for _, prompt in prompts_of(session)),
        edited=edit_counts(session),
        commands=len(session.ran),
        failures=sum(session.ran.values()),
    )


def _edge(graph: Graph, edge: Edge) -> Record:
    return Record(
        type="edge",
        source=edge.key.source,
        relation=edge.key.relation,
        target=edge.key.target,
        rationale=edge.rationale,
        extracted_from=edge.extracted_from,
        is_causal=edge.is_causal,
        cost=edge.cost,
        observations=graph.observations(edge),
        confidence=edge.confidence,
        line=edge.line,
        valid_from=wire_time(edge.valid_from),
    )


OPERATION = Operation(
    name="export",
    title="Export the graph",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    is_tool=False,
)
