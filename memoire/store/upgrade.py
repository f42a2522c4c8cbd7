"""Brings a store that an older memoire wrote to this schema, in one transaction: all of it or nothing.

An old version is read as a whole (unless all that it lacks is a table), its tables are removed, today's are defined and
filled. That is simpler than changing columns in place, it cannot stop half-way, and a project's graph is small. What
cannot be computed again (events, learned evidence, access counts) always comes along; the rest of the graph does too,
so that nothing is indexed twice.
"""

import zlib
from collections.abc import Awaitable, Callable
from datetime import datetime

import msgspec

from memoire.episodes.sessions import fold
from memoire.errors import StoreDamagedError
from memoire.model import Edge, EdgeKey, Event, FileRecord
from memoire.store.client import Database, RecordExistsError
from memoire.store.deltas import inserts
from memoire.store.rows import (
    CLOSED_COLUMNS,
    EDGE_COLUMNS,
    FILE_COLUMNS,
    closed_edge_rows,
    edge_row,
    edges_of,
    event_row,
    file_row,
    files_of,
    session_row,
)
from memoire.store.schema import SCHEMA, SCHEMA_VERSION, definition_of

_LACKING = {3: ("evidence", "about"), 4: ("about",)}
"""Version that is today's but for some tables -> those; they are new and empty."""


class Contents(msgspec.Struct):
    """All that an old store holds, as today's values."""

    generation: int
    files: list[FileRecord]
    edges: list[Edge]
    closed: list[Edge]
    events: list[Event]


class _FileOfVersion1(msgspec.Struct, array_like=True):
    path: str
    kind: str
    language: str
    sha: str
    size: int
    mtime_ns: int
    changed_at: datetime
    changes: int
    accesses: int
    facts: bytes


class _EdgeOfVersion1(msgspec.Struct, array_like=True):
    """A column for each attribute; `learned` was not counted yet."""

    source: str
    relation: str
    target: str
    rationale: str
    extracted_from: str
    is_causal: bool
    cost: str
    confidence: float
    valid_from: datetime
    changes_before: int
    line: int
    valid_to: datetime | None = None


class _EventOfVersion1(msgspec.Struct, array_like=True):
    """Without `count` and `paths`."""

    id: str
    kind: str
    at: datetime
    summary: str
    importance: float
    entities: tuple[str, ...]
    actor: str
    client: str
    session: str


class _EventOfVersion2(_EventOfVersion1):
    """Without `rest`."""

    count: int


async def upgrade(database: Database, found: int) -> None:
    """Bring a database of schema `found` to `SCHEMA_VERSION`.

    Raises:
        StoreDamagedError: No memoire ever wrote such a version, or its rows are not what that version wrote.
        StoreUnavailableError: No space.
    """
    if lacking := _LACKING.get(found):
        stamp = "UPDATE meta:state SET schema = $schema RETURN NONE"
        await database.write([*map(definition_of, lacking), stamp], {"schema": SCHEMA_VERSION})
        return
    reader = _READERS.get(found)
    if reader is None:
        raise StoreDamagedError(str(database.folder), f"it claims schema {found}, which never was")
    try:
        old = await reader(database)
    except (msgspec.MsgspecError, zlib.error) as error:
        raise StoreDamagedError(str(database.folder), f"it is not what schema {found} says: {error}") from error
    fill = inserts(
        [file_row(file) for file in old.files],
        [edge_row(edge) for edge in old.edges],
        closed_edge_rows(old.closed),
        [event_row(event) for event in old.events],
        [session_row(session) for session in fold(old.events).values()],
    )
    tables = (await database.read("INFO FOR DB"))[0]["tables"]
    state: dict[str, object] = {
        "schema": SCHEMA_VERSION,
        "generation": old.generation,
        "unfinished": False,
        "projected": "",
        "project": {},
    }
    statements = [
        *(f"REMOVE TABLE `{table}`" for table in tables),
        SCHEMA,
        *fill.statements,
        "CREATE meta:state CONTENT $state RETURN NONE",
    ]
    try:
        await database.write(statements, {**fill.variables, "state": state})
    except RecordExistsError as error:
        raise StoreDamagedError(str(database.folder), f"it holds one edge twice: {error}") from error


async def _read_version_1(database: Database) -> Contents:
    generation = (await database.read("RETURN meta:state.generation"))[0]
    edge = "relation, {}, rationale, extracted_from, is_causal, cost, confidence, valid_from, changes_before, line"
    files = await database.select(
        "[record::id(id), kind, language, sha, size, mtime_ns, changed_at, changes, accesses, facts]", "file"
    )
    edges = await database.select(f"[record::id(in), {edge.format('record::id(out)')}]", "edge")
    closed = await database.select(f"[source, {edge.format('target')}, valid_to]", "closed_edge")
    events = await database.select(
        "[record::id(id), kind, at, summary, importance, entities, actor, client, session]", "event"
    )
    return Contents(
        generation=msgspec.convert(generation, int),
        files=[FileRecord(**msgspec.structs.asdict(each)) for each in msgspec.convert(files, list[_FileOfVersion1])],
        edges=[_edge(each) for each in msgspec.convert(edges, list[_EdgeOfVersion1])],
        closed=[_edge(each) for each in msgspec.convert(closed, list[_EdgeOfVersion1])],
        events=[Event(**msgspec.structs.asdict(each)) for each in msgspec.convert(events, list[_EventOfVersion1])],
    )


async def _read_version_2(database: Database) -> Contents:
    events = await database.select(
        "[record::id(id), kind, at, summary, importance, entities, actor, client, session, count]", "event"
    )
    return Contents(
        generation=msgspec.convert((await database.read("RETURN meta:state.generation"))[0], int),
        files=files_of(await database.select(f"[{FILE_COLUMNS}]", "file")),
        edges=edges_of(await database.select(f"[{EDGE_COLUMNS}]", "edge")),
        closed=edges_of(await database.select(f"[{CLOSED_COLUMNS}]", "closed_edge")),
        events=[Event(**msgspec.structs.asdict(each)) for each in msgspec.convert(events, list[_EventOfVersion2])],
    )


def _edge(old: _EdgeOfVersion1) -> Edge:
    return Edge(
        key=EdgeKey(old.source, old.relation, old.target),
        rationale=old.rationale,
        extracted_from=old.extracted_from,
        is_causal=old.is_causal,
        cost=old.cost,
        confidence=old.confidence,
        valid_from=old.valid_from,
        valid_to=old.valid_to,
        changes_before=old.changes_before,
        # What no file's content supports was seen at least once, in history or by a person.
        learned=0 if old.extracted_from else 1,
        line=old.line,
    )


_READERS: dict[int, Callable[[Database], Awaitable[Contents]]] = {1: _read_version_1, 2: _read_version_2}
