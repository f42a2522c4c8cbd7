"""A note as it leaves memoire and comes back: one JSON object that holds all of it, what became of it included. Pure.

Two journals that were written one from the other's export give the same records. What stays behind is transaction time:
when memory learned a thing is when that memory learned it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from memoire.notes.exchange._entry import Entry, Read, Tie, Trouble
from memoire.notes.model import Anchor, Certainty, Link, NoteType, Scope, Standing, Status

FORMAT = "memoire"
VERSION = 1
"""Of the form of a record."""


class Record(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One note as it stands. A field may only be added with a default, and keeps its name for ever."""

    memoire: int
    """`VERSION`: what tells it from the lines of other systems."""
    id: str
    version: int = 1
    path: str
    status: Status
    type: NoteType
    text: str
    title: str = ""
    why: str = ""
    details: str = ""
    about: tuple[Anchor, ...] = ()
    tags: tuple[str, ...] = ()
    facets: dict[str, str] = {}
    subject: str = ""
    attribute: str = ""
    certainty: Certainty = "inferred"
    importance: int = 5
    confidence: float | None = None
    scope: Scope = "project"
    branch: str = ""
    key: str = ""
    valid_from: datetime
    valid_to: datetime | None = None
    expires: datetime | None = None
    superseded_by: str = ""
    reason: str = ""
    links: tuple[Link, ...] = ()
    author: str = ""
    role: str = ""
    session: str = ""
    prompt: str = ""
    turn: str = ""
    ratings: tuple[str, ...] = ()
    """What was said of its use, the first one first."""
    opens: int = 0


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def record_of(row: Standing, path: str, ratings: Sequence[str] = (), opens: int = 0) -> Record:
    """Return a note as it stands, as a record.

    Args:
        row: The note.
        path: Its path, unique in the book.
        ratings: What was said of its use.
        opens: How often it was opened.
    """
    note = row.note
    shared = {name: getattr(note, name) for name in Record.__struct_fields__ if name in note.__struct_fields__}
    taken = {
        **shared,
        "memoire": VERSION,
        "path": path,
        "status": row.status,
        "valid_to": row.valid_to,
        "superseded_by": row.by,
        "reason": row.reason if row.status != "active" else "",
        "links": row.links,
        "ratings": tuple(ratings),
        "opens": opens,
    }
    return Record(**taken)


def line_of(record: Record) -> str:
    """Return the line of a record, without its end."""
    return _encoder.encode(record).decode()


def read_lines(text: str, source: str) -> Read:
    """Return the entries of JSON lines that memoire exported; a line that is none is told."""
    entries: list[Entry] = []
    troubles: list[Trouble] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entries.append(entry_of(_decoder.decode(line), source, number))
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            troubles.append(Trouble(source, number, f"it is no note: {error}"))
    return Read(FORMAT, tuple(entries), tuple(troubles))


def entry_of(record: Record, source: str, line: int = 0) -> Entry:
    """Return what a record says, as something to take in."""
    return Entry(
        text=record.text,
        source=source,
        line=line,
        name=record.id,
        id=record.id,
        version=record.version,
        path=record.path,
        key=record.key,
        type=record.type,
        title=record.title,
        why=record.why,
        details=record.details,
        anchors=record.about,
        tags=record.tags,
        facets=record.facets,
        subject=record.subject,
        attribute=record.attribute,
        certainty=record.certainty,
        importance=record.importance,
        confidence=record.confidence,
        scope=record.scope,
        branch=record.branch,
        since=_utc(record.valid_from),
        until=_utc(record.valid_to),
        expires=_utc(record.expires),
        author=record.author,
        role=record.role,
        session=record.session,
        prompt=record.prompt,
        turn=record.turn,
        status=record.status,
        by=record.superseded_by,
        reason=record.reason,
        ties=tuple(Tie(link.rel, link.to, link.strength) for link in record.links),
        ratings=record.ratings,
        opens=record.opens,
    )


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
