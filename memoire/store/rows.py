"""Value types to rows and back: pure, and the only place that knows how a value is laid out in a table.

A field that a person may filter by is a column; the rest of an edge is one MessagePack array, because a column costs
6 microseconds of every insert and an edge has seven more.
"""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeAlias

import cbor2
import msgspec

from memoire.episodes.sessions import decode, encode
from memoire.model import Edge, EdgeKey, Event, Evidence, FileRecord, Judgement, Session, parse_path
from memoire.store.client import instant, record

Row: TypeAlias = dict[str, object]
"""One record as it is bound to a statement: column -> value."""

FILE_COLUMNS = "record::id(id), kind, language, sha, size, mtime_ns, changed_at, changes, accesses, facts"
EDGE_COLUMNS = "record::id(in), relation, record::id(out), rationale, is_causal, rest"
CLOSED_COLUMNS = "source, relation, target, rationale, is_causal, rest, valid_to"
EVENT_COLUMNS = "record::id(id), kind, at, summary, importance, entities, actor, client, session, count, rest"
ABOUT_COLUMNS = "note, node, of, watch, state, now, place, since, cause, commit, what"
EVIDENCE_COLUMNS = "record::id(id), kind, source, relation, target, at, origin, text, count, until, revision"

_PLAIN, _PACKED = b"\x00", b"\x01"
_STATE_WORTH_PACKING = 2_000
_WORTH_PACKING = 32_000
"""Bytes of facts from which they are compressed: it costs 20 microseconds a kB, more than writing them does, and pays
only where it keeps a record, and every later version of it, from growing large."""


class FileRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`FILE_COLUMNS` of one record of `file`."""

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


class EdgeRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`EDGE_COLUMNS` or `CLOSED_COLUMNS` of one record."""

    source: str
    relation: str
    target: str
    rationale: str
    is_causal: bool
    rest: bytes
    valid_to: datetime | None = None


class EdgeRest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The column `rest` of an edge. A field may only be added at the end, with a default."""

    extracted_from: str
    cost: str
    confidence: float
    valid_from: datetime
    changes_before: int
    learned: int
    line: int


class EventRest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The column `rest` of an event. A field may only be added at the end, with a default."""

    replaces: str = ""
    outcome: str = ""
    failed: tuple[str, ...] = ()
    duration_ms: int = -1
    changes: int = 0
    looks: dict[str, int] = {}


_rest_encoder = msgspec.msgpack.Encoder()
_event_rest_decoder = msgspec.msgpack.Decoder(EventRest)
_PLAIN_EVENT = EventRest()
_rest_decoder = msgspec.msgpack.Decoder(EdgeRest)


def edge_id(key: EdgeKey) -> str:
    """Return the id of the open edge with this key: 20 hex digits, spread evenly.

    80 bits: with a million edges the chance that any two meet is 4e-13.
    """
    text = f"{key.source}\0{key.relation}\0{key.target}"
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


def file_row(file: FileRecord) -> Row:
    """Return the record of a file."""
    return {
        "id": file.path,
        "kind": file.kind,
        "language": file.language,
        "sha": file.sha,
        "size": file.size,
        "mtime_ns": file.mtime_ns,
        "changed_at": instant(file.changed_at),
        "changes": file.changes,
        "accesses": file.accesses,
        "facts": _pack(file.facts),
    }


def files_of(reply: object) -> list[FileRecord]:
    """Return the files of a reply that selected `FILE_COLUMNS`.

    Raises:
        msgspec.MsgspecError: A row does not hold what was written.
        zlib.error: Facts do not.
    """
    rows = msgspec.convert(reply, list[FileRow])
    return [
        FileRecord(
            path=row.path,
            kind=row.kind,
            language=row.language,
            sha=row.sha,
            size=row.size,
            mtime_ns=row.mtime_ns,
            changed_at=row.changed_at,
            changes=row.changes,
            accesses=row.accesses,
            facts=_unpack(row.facts),
        )
        for row in rows
    ]


def edge_row(edge: Edge) -> Row:
    """Return the record of an open edge."""
    return {
        "id": edge_id(edge.key),
        "in": record("node", edge.key.source),
        "out": record("node", edge.key.target),
        "relation": edge.key.relation,
        "is_causal": edge.is_causal,
        "rationale": edge.rationale,
        "rest": _rest(edge),
    }


def changed_edge_row(edge: Edge) -> Row:
    """Return what an update of an open edge sets, with its record as `id`."""
    return {
        "id": record("edge", edge_id(edge.key)),
        "is_causal": edge.is_causal,
        "rationale": edge.rationale,
        "rest": _rest(edge),
    }


def closed_edge_rows(edges: Iterable[Edge]) -> list[Row]:
    """Return the records of edges that close.

    An edge that two deltas close at one microsecond is one closing: so is what is written again after a fault.

    Raises:
        ValueError: One has no `valid_to`.
    """
    rows: dict[str, Row] = {}
    for edge in edges:
        if edge.valid_to is None:
            raise ValueError(f"an edge that closes has no valid_to: {edge.key}")
        # Not the generation: a delta of several transactions that is written again is the same closing.
        name = f"{edge_id(edge.key)}{int(edge.valid_to.timestamp() * 1e6):014x}"
        while name in rows:  # opened and closed twice within one batch of events
            name += "+"
        rows[name] = {
            "id": name,
            "source": edge.key.source,
            "relation": edge.key.relation,
            "target": edge.key.target,
            "is_causal": edge.is_causal,
            "rationale": edge.rationale,
            "valid_from": instant(edge.valid_from),
            "valid_to": instant(edge.valid_to),
            "rest": _rest(edge),
        }
    return list(rows.values())


def edges_of(reply: object, names: dict[str, str] | None = None) -> list[Edge]:
    """Return the edges of a reply that selected `EDGE_COLUMNS` or `CLOSED_COLUMNS`.

    Args:
        reply: Rows.
        names: Node ids seen so far: each is kept once, whatever the number of its edges.

    Raises:
        msgspec.MsgspecError: A row does not hold what was written.
    """
    names = {} if names is None else names
    found = []
    for row in msgspec.convert(reply, list[EdgeRow]):
        rest = _rest_decoder.decode(row.rest)
        key = EdgeKey(
            names.setdefault(row.source, row.source),
            names.setdefault(row.relation, row.relation),
            names.setdefault(row.target, row.target),
        )
        found.append(
            Edge(
                key=key,
                rationale=row.rationale,
                extracted_from=names.setdefault(rest.extracted_from, rest.extracted_from),
                is_causal=row.is_causal,
                cost=names.setdefault(rest.cost, rest.cost),
                confidence=rest.confidence,
                valid_from=rest.valid_from,
                valid_to=row.valid_to,
                changes_before=rest.changes_before,
                learned=rest.learned,
                line=rest.line,
            )
        )
    return found


def event_row(event: Event) -> Row:
    """Return the record of an event."""
    return {
        "id": event.id,
        "kind": event.kind,
        "at": instant(event.at),
        "summary": event.summary,
        "importance": event.importance,
        "entities": event.entities,
        "paths": list(dict.fromkeys(parse_path(each)[0] for each in event.entities)),
        "actor": event.actor,
        "client": event.client,
        "session": event.session,
        "count": event.count,
        "rest": _event_rest(event),
    }


class EventRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`EVENT_COLUMNS` of one record of `event`."""

    id: str
    kind: str
    at: datetime
    summary: str
    importance: float
    entities: tuple[str, ...]
    actor: str
    client: str
    session: str
    count: int
    rest: bytes


def events_of(reply: object) -> list[Event]:
    """Return the events of a reply that selected `EVENT_COLUMNS`.

    Raises:
        msgspec.MsgspecError: A row does not hold what was written.
    """
    found = []
    for row in msgspec.convert(reply, list[EventRow]):
        rest = _event_rest_decoder.decode(row.rest) if row.rest else _PLAIN_EVENT
        found.append(
            Event(
                id=row.id,
                kind=row.kind,
                at=row.at,
                summary=row.summary,
                importance=row.importance,
                entities=row.entities,
                actor=row.actor,
                client=row.client,
                session=row.session,
                count=row.count,
                replaces=rest.replaces,
                outcome=rest.outcome,
                failed=rest.failed,
                duration_ms=rest.duration_ms,
                changes=rest.changes,
                looks=rest.looks,
            )
        )
    return found


def session_row(session: Session) -> Row:
    """Return the record of a session.

    Raises:
        ValueError: It has no event.
    """
    if session.started is None or session.last is None:
        raise ValueError(f"nothing happened in session {session.id}")
    return {
        "id": session.id,
        "client": session.client,
        "started": instant(session.started),
        "last": instant(session.last),
        "state": _pack(encode(session), _STATE_WORTH_PACKING),
    }


def sessions_of(reply: object) -> list[Session]:
    """Return the sessions of a reply that selected their `state`.

    Raises:
        msgspec.MsgspecError: A row does not hold what was written.
        zlib.error: Neither.
    """
    return [decode(_unpack(state)) for state in msgspec.convert(reply, list[bytes])]


def evidence_row(piece: Evidence) -> Row:
    """Return the record of a piece of evidence."""
    return {
        "id": piece.id,
        "kind": piece.kind,
        "source": piece.source,
        "relation": piece.relation,
        "target": piece.target,
        "at": instant(piece.at),
        "origin": piece.origin,
        "text": piece.text,
        "count": piece.count,
        "until": None if piece.until is None else instant(piece.until),
        "revision": piece.revision,
    }


class EvidenceRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`EVIDENCE_COLUMNS` of one record."""

    id: str
    kind: str
    source: str
    relation: str
    target: str
    at: datetime
    origin: str
    text: str
    count: int
    until: datetime | None
    revision: int


def evidence_of(reply: object) -> list[Evidence]:
    """Return the pieces of a reply that selected `EVIDENCE_COLUMNS`.

    Raises:
        msgspec.MsgspecError: A row does not hold what was written.
    """
    return [Evidence(**msgspec.structs.asdict(row)) for row in msgspec.convert(reply, list[EvidenceRow])]


def about_id(note: str, node: str) -> str:
    """Return the id of the record of one node that a note is about."""
    return hashlib.blake2b(f"{note}\0{node}".encode(), digest_size=10).hexdigest()


def about_row(one: Judgement) -> Row:
    """Return the record of what became of a node that a note is about."""
    since = None if one.since is None else instant(one.since)
    return {"id": about_id(one.note, one.node), **msgspec.structs.asdict(one), "since": since}


class AboutRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`ABOUT_COLUMNS` of one record."""

    note: str
    node: str
    of: str
    watch: str
    state: str
    now: str
    place: str
    since: datetime | None
    cause: str
    commit: str
    what: str


def judgements_of(reply: object) -> list[Judgement]:
    """Return what became of nodes, of a reply that selected `ABOUT_COLUMNS`.

    Raises:
        msgspec.MsgspecError: A row does not hold what was written.
    """
    return [Judgement(**msgspec.structs.asdict(row)) for row in msgspec.convert(reply, list[AboutRow])]


def texts_of(reply: object) -> list[str]:
    """Return the texts of a reply that selected one."""
    return msgspec.convert(reply, list[str])


def numbers_of(reply: object) -> list[int]:
    """Return the numbers of a reply that selected one."""
    return msgspec.convert(reply, list[int])


def access_rows(accesses: Mapping[str, int]) -> list[Row]:
    """Return what sets the access counts of files."""
    return [{"id": record("file", path), "accesses": count} for path, count in accesses.items()]


def records(table: str, keys: Iterable[str]) -> list[cbor2.CBORTag]:
    """Return the records with these keys."""
    return [record(table, key) for key in keys]


def _event_rest(event: Event) -> bytes:
    rest = EventRest(event.replaces, event.outcome, event.failed, event.duration_ms, event.changes, event.looks)
    return b"" if rest == _PLAIN_EVENT else _rest_encoder.encode(rest)


def _rest(edge: Edge) -> bytes:
    return _rest_encoder.encode(
        EdgeRest(
            edge.extracted_from,
            edge.cost,
            edge.confidence,
            edge.valid_from,
            edge.changes_before,
            edge.learned,
            edge.line,
        )
    )


def _pack(facts: bytes, worth: int = _WORTH_PACKING) -> bytes:
    if len(facts) >= worth:
        packed = zlib.compress(facts, 1)
        if len(packed) < 0.9 * len(facts):
            return _PACKED + packed
    return _PLAIN + facts


def _unpack(stored: bytes) -> bytes:
    if stored[:1] == _PLAIN:
        return stored[1:]
    return zlib.decompress(stored[1:])
