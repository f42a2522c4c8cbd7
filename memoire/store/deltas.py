"""A delta as SurrealQL: which transactions it takes, in which order, and the statements of one. Pure.

Invariant: each transaction by itself leaves what a delta about fewer files would have left. A file's record, which says
"these bytes are taken in", is written together with everything that closes and opens because of it, never before.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from memoire.model import Edge, EdgeKey, FileRecord, GraphDelta, Session
from memoire.store.rows import (
    Row,
    about_id,
    about_row,
    access_rows,
    changed_edge_row,
    closed_edge_rows,
    edge_id,
    edge_row,
    event_row,
    evidence_row,
    file_row,
    records,
    session_row,
)

ROWS_PER_TRANSACTION = 2000
"""A delta up to this size is one transaction."""

ROWS_PER_STATEMENT = 1000

_Item = TypeVar("_Item")

_FILES = """INSERT INTO file {rows} ON DUPLICATE KEY UPDATE kind = $input.kind, language = $input.language,
sha = $input.sha, size = $input.size, mtime_ns = $input.mtime_ns, changed_at = $input.changed_at,
changes = $input.changes, accesses = $input.accesses, facts = $input.facts RETURN NONE"""
_DELETE = "DELETE {rows} RETURN NONE"
_CLOSED = "INSERT IGNORE INTO closed_edge {rows} RETURN NONE"
_OPENED = "INSERT RELATION INTO edge {rows} RETURN NONE"
_OPENED_AGAIN = """INSERT RELATION INTO edge {rows} ON DUPLICATE KEY UPDATE relation = $input.relation,
is_causal = $input.is_causal, rationale = $input.rationale, rest = $input.rest RETURN NONE"""
# An insert over rows that exist costs three times this loop.
_UPDATED = """FOR $edge IN {rows} {{ UPDATE $edge.id SET is_causal = $edge.is_causal, rationale = $edge.rationale,
rest = $edge.rest RETURN NONE }}"""
_ACCESSES = "FOR $file IN {rows} {{ UPDATE $file.id SET accesses = $file.accesses RETURN NONE }}"
_EVENTS = "INSERT IGNORE INTO event {rows} RETURN NONE"
_SESSIONS = """INSERT INTO session {rows} ON DUPLICATE KEY UPDATE client = $input.client, started = $input.started,
last = $input.last, state = $input.state RETURN NONE"""
_EVIDENCE = """INSERT INTO evidence {rows} ON DUPLICATE KEY UPDATE kind = $input.kind, source = $input.source,
relation = $input.relation, target = $input.target, at = $input.at, origin = $input.origin, text = $input.text,
count = $input.count, until = $input.until, revision = $input.revision RETURN NONE"""
_ABOUT = """INSERT INTO about {rows} ON DUPLICATE KEY UPDATE of = $input.of, watch = $input.watch,
state = $input.state, now = $input.now, place = $input.place, since = $input.since, cause = $input.cause,
commit = $input.commit, what = $input.what RETURN NONE"""
_STATE = "UPDATE meta:state SET generation = $generation, unfinished = $unfinished RETURN NONE"


class Transaction(msgspec.Struct, frozen=True):
    """The statements of one transaction and the values bound to them."""

    statements: list[str]
    variables: dict[str, object]


class _Group:
    """What hangs together because one file's content supports it."""

    def __init__(self) -> None:
        self.files: list[FileRecord] = []
        self.gone: list[str] = []
        self.opened: list[Edge] = []
        self.closed: list[Edge] = []
        self.updated: list[Edge] = []

    def rows(self) -> int:
        return len(self.files) + len(self.gone) + len(self.opened) + 2 * len(self.closed) + len(self.updated)

    def extend(self, other: "_Group") -> None:
        self.files += other.files
        self.gone += other.gone
        self.opened += other.opened
        self.closed += other.closed
        self.updated += other.updated

    def delta(self) -> GraphDelta:
        return GraphDelta(
            files=self.files, gone=self.gone, opened=self.opened, closed=self.closed, updated=self.updated
        )


def rows_in(delta: GraphDelta) -> int:
    """Return how many rows the delta writes."""
    return (
        len(delta.files)
        + len(delta.gone)
        + len(delta.opened)
        + 2 * len(delta.closed)
        + len(delta.updated)
        + len(delta.events)
        + len(delta.accesses)
        + len(delta.sessions)
        + len(delta.forgotten)
        + len(delta.evidence)
        + len(delta.judged)
        + len(delta.unbound)
    )


def split(delta: GraphDelta) -> list[GraphDelta]:
    """Return the deltas to apply one after the other, one transaction each; one alone unless it is large.

    Large ones are cut between files. What no file of the delta owns (promotions, learned edges) follows, then
    evidence, access counts, events, sessions, and what is forgotten because others stand for it: these last are in the
    event log already.
    """
    if rows_in(delta) <= ROWS_PER_TRANSACTION:
        return [delta]
    parts = list(_packed(_groups(delta)))
    parts += (GraphDelta(evidence=pieces) for pieces in _cut(delta.evidence))
    parts += (GraphDelta(accesses=dict(accesses)) for accesses in _cut(list(delta.accesses.items())))
    parts += (GraphDelta(events=events) for events in _cut(delta.events))
    parts += (GraphDelta(sessions=sessions) for sessions in _cut(delta.sessions))
    parts += (GraphDelta(forgotten=ids) for ids in _cut(delta.forgotten))
    parts += (GraphDelta(unbound=pairs) for pairs in _cut(delta.unbound))
    parts += (GraphDelta(judged=judged) for judged in _cut(delta.judged))
    return parts


def transaction(
    delta: GraphDelta,
    generation: int,
    *,
    unfinished: bool,
    again: bool = False,
    sessions: Iterable[Session] = (),
) -> Transaction:
    """Return the delta as one transaction that ends in this generation.

    The order within it: files that are gone, files, edges that close, open, change, access counts, events, sessions,
    evidence, what became of notes. A key may close and open in one delta; of two edges that open with one key the last
    stays.

    Args:
        delta: Not empty.
        generation: The one it ends in.
        unfinished: Whether more transactions belong to the same change.
        again: Whether an edge that opens may be open already; the insert that allows for it costs an eighth more.
        sessions: Those that the delta touches, as they are after it.
    """
    opened = {edge.key: edge for edge in delta.opened}
    result = Transaction([], {"generation": generation, "unfinished": unfinished})
    for template, rows in (
        (_DELETE, records("file", delta.gone)),
        (_FILES, [file_row(file) for file in delta.files]),
        (_DELETE, records("edge", [edge_id(edge.key) for edge in delta.closed])),
        (_CLOSED, closed_edge_rows(delta.closed)),
        (_OPENED_AGAIN if again else _OPENED, [edge_row(edge) for edge in opened.values()]),
        (_UPDATED, [changed_edge_row(edge) for edge in delta.updated]),
        (_ACCESSES, access_rows(delta.accesses)),
        (_EVENTS, [event_row(event) for event in delta.events]),
        (_DELETE, records("event", [event.replaces for event in delta.events if event.replaces])),
        (_DELETE, records("event", delta.forgotten)),
        (_SESSIONS, [session_row(session) for session in sessions]),
        (_EVIDENCE, [evidence_row(piece) for piece in delta.evidence]),
        (_DELETE, records("about", [about_id(*pair) for pair in delta.unbound])),
        (_ABOUT, [about_row(one) for one in delta.judged]),
    ):
        add(result, template, rows)
    result.statements.append(_STATE)
    return result


def add(to: Transaction, template: str, rows: Sequence[object]) -> None:
    """Append a statement about the rows, or several where they are many; none where there are none."""
    for start in range(0, len(rows), ROWS_PER_STATEMENT):
        name = f"rows{len(to.variables)}"
        to.variables[name] = rows[start : start + ROWS_PER_STATEMENT]
        to.statements.append(template.format(rows=f"${name}"))


def inserts(
    files: Sequence[Row], edges: Sequence[Row], closed: Sequence[Row], events: Sequence[Row], sessions: Sequence[Row]
) -> Transaction:
    """Return what fills empty tables with these rows."""
    result = Transaction([], {})
    filled = ((_FILES, files), (_OPENED, edges), (_CLOSED, closed), (_EVENTS, events), (_SESSIONS, sessions))
    for template, rows in filled:
        add(result, template, rows)
    return result


def _groups(delta: GraphDelta) -> Iterator[_Group]:
    """Yield what each file owns, then what none does."""
    owners: dict[str, _Group] = {}
    for file in delta.files:
        owners.setdefault(file.path, _Group()).files.append(file)
    for path in delta.gone:
        owners.setdefault(path, _Group()).gone.append(path)
    rest: dict[str, _Group] = {}

    def of(owner: str) -> _Group:
        group = owners.get(owner)
        if group is None:
            group = rest.get(owner)
        if group is None:
            group = rest[owner] = _Group()
        return group

    # A key that closes for one file and opens for another stays in one transaction, or the order would matter.
    opens: Mapping[EdgeKey, str] = {edge.key: edge.extracted_from for edge in delta.opened}
    for edge in delta.opened:
        of(opens[edge.key]).opened.append(edge)
    for edge in delta.closed:
        of(opens.get(edge.key, edge.extracted_from)).closed.append(edge)
    for edge in delta.updated:
        of(opens.get(edge.key, edge.extracted_from)).updated.append(edge)
    yield from owners.values()
    yield from rest.values()


def _packed(groups: Iterator[_Group]) -> Iterator[GraphDelta]:
    full = _Group()
    for group in groups:
        if full.rows() and full.rows() + group.rows() > ROWS_PER_TRANSACTION:
            yield full.delta()
            full = _Group()
        full.extend(group)
    if full.rows():
        yield full.delta()


def _cut(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), ROWS_PER_TRANSACTION):
        yield items[start : start + ROWS_PER_TRANSACTION]
