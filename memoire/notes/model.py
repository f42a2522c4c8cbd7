"""The values of the project's memory: notes, what they are about, and the transactions that tell of them. Knows nobody.

A transaction is one line of JSON in a journal that git merges line by line. A field may therefore only be added with a
default and keeps its name for ever; what is new to a reader is passed over, and stays in the file.
"""

from datetime import datetime
from typing import Literal, TypeAlias

import msgspec

NoteType: TypeAlias = Literal[
    "decision", "convention", "gotcha", "constraint", "reference", "status", "preference", "digest"
]
"""What a note is; it decides what change makes it stale (`WATCH`). A digest is made by `notes sweep`, never written."""

Watch: TypeAlias = Literal["body", "signature", "exists", "none"]
"""What change of a node makes a note about it stale: of its code, of its header, its end, or none."""

Certainty: TypeAlias = Literal["verified", "inferred", "speculative"]

Scope: TypeAlias = Literal["project", "branch", "personal"]
"""Who sees a note: all of the project, those on its branch, or only who wrote it (in a journal outside the tree)."""

Status: TypeAlias = Literal["active", "superseded", "deprecated", "archived"]

Relation: TypeAlias = Literal[
    "supersedes",
    "contradicts",
    "caused_by",
    "leads_to",
    "part_of",
    "relates_to",
    "example_of",
    "supports",
    "laterally_related",
]
"""How one note bears on another."""

Signal: TypeAlias = Literal["positive", "negative", "neutral"]

NOTE = "note:"
"""What the node id of a note begins with."""

WATCH: dict[NoteType, Watch] = {
    "constraint": "body",
    "gotcha": "body",
    "convention": "signature",
    "decision": "exists",
    "reference": "body",
    "status": "none",
    "preference": "none",
    "digest": "none",
}
"""What makes a note of each type stale unless it says so itself. A convention about a directory watches `exists`."""


class Baseline(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a node was when the note about it was written or confirmed: hashes as in `model.Definition`."""

    kind: str
    """file, directory, document, section, or the kind of the definition."""
    span: str = ""
    """Of its text, byte for byte."""
    body: str = ""
    """Of its syntax without comments, docstrings and format."""
    signature: str = ""
    """Of its header."""
    quoted: tuple[str, ...] = ()
    """Literals and identifiers that the note quotes and that its text held: without one the note is contradicted."""
    commit: str = ""
    """What was checked out; empty without git."""
    nameless: str = ""
    """Of its text without its own name and white space: what tells it when it is called otherwise or stands elsewhere.
    Empty where another definition was the same then: nothing told the two from each other."""
    upstream: dict[str, str] = {}
    """Definition that it calls -> fingerprint of its header: of at most a dozen, in the order of their names."""


class Anchor(msgspec.Struct, frozen=True, omit_defaults=True):
    """One node that a note is about."""

    node: str
    """A path, `path::symbol`, `dir/`, `pkg:name`, `note:ID`, `session:ID`, `type:name` (`person:ann`) or a URL."""
    watch: Watch = "none"
    base: Baseline | None = None
    """None where there is nothing to compare: no node of the project, or none that was there yet."""
    was: tuple[str, ...] = ()
    """Names it had before, the oldest first: the anchor was carried along."""


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """One note bears on another."""

    rel: Relation
    to: str
    """The other note's id."""
    strength: float = 1.0


class Note(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One version of a note: never changed, only followed by another.

    Versions with one `id` are one note whose statement is the same; a note with another statement has another id, and
    supersedes it.
    """

    id: str
    """`n` and nine letters and digits."""
    version: int = 1
    path: str
    """Readable, unique among the live: `notes/<type>/<area>/<slug>`."""
    key: str = ""
    """The writer's own id of the statement."""
    type: NoteType = "reference"
    text: str
    """Markdown, as written; its first sentence is the claim."""
    title: str = ""
    why: str = ""
    details: str = ""
    """Kept, read with the note, never quoted by recall."""
    about: tuple[Anchor, ...] = ()
    tags: tuple[str, ...] = ()
    facets: dict[str, str] = {}
    subject: str = ""
    attribute: str = ""
    certainty: Certainty = "inferred"
    importance: int = 5
    """From 1 to 10."""
    confidence: float | None = None
    """From 0 to 1, where the writer gave one."""
    scope: Scope = "project"
    branch: str = ""
    """Where the scope is branch: which."""
    valid_from: datetime
    """Since when it is true of the project."""
    valid_to: datetime | None = None
    """Until when; None = still."""
    expires: datetime | None = None
    author: str = ""
    role: str = ""
    session: str = ""
    prompt: str = ""
    turn: str = ""


class Put(msgspec.Struct, frozen=True, tag_field="op", tag="put"):
    """A new note, or the next version of one: metadata may differ, the statement does not."""

    note: Note


class Retire(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="retire"):
    """A note is no longer active."""

    id: str
    status: Literal["superseded", "deprecated", "archived"]
    by: str = ""
    """The note that stands in its place."""
    valid_to: datetime | None = None
    """Since when it is no longer true; the earliest that anybody said counts. None: it may still be true."""
    reason: str = ""


class Restore(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="restore"):
    """A note that was retired is active again."""

    id: str
    reason: str = ""


class Bind(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="bind"):
    """What a note is about, as of now: confirmed by somebody, or carried along by a rename or move."""

    id: str
    about: tuple[Anchor, ...]
    kind: Literal["confirmed", "carried"] = "confirmed"
    reason: str = ""


class Connect(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="link"):
    """One note bears on another from now on; said twice, it is the last."""

    id: str
    link: Link
    reason: str = ""


class Disconnect(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="unlink"):
    """One note bears on another no longer."""

    id: str
    rel: Relation
    to: str
    reason: str = ""


class Rate(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="rate"):
    """A note helped, misled or was seen. In the personal journal only, whatever the scope of the note."""

    id: str
    signal: Signal
    reason: str = ""


class Opened(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="open"):
    """A note was opened so often since the last such line. In the personal journal only."""

    id: str
    count: int = 1


class Erase(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="op", tag="erase"):
    """The tombstone of a note that was taken out of the journal: what a merge brings back of it does not count."""

    id: str
    reason: str = ""


Op: TypeAlias = Put | Retire | Restore | Bind | Connect | Disconnect | Rate | Opened | Erase


class Transaction(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was written at once: all of it counts, or nothing."""

    tx: str
    """Sorts by time: 12 hex digits of milliseconds since the epoch, `-`, then 16 random hex digits."""
    at: datetime
    """When memory learned it: transaction time, UTC."""
    by: str = ""
    client: str = ""
    session: str = ""
    commit: str = ""
    """What was checked out."""
    ops: tuple[Op, ...]
    """In order."""


class Standing(msgspec.Struct, frozen=True):
    """One version of a note as memory knew it over a span of transaction time: a row of the bi-temporal table.

    It held of the project in [note.valid_from, valid_to), and memory held it to be so in [known_from, known_to).
    """

    note: Note
    status: Status
    valid_to: datetime | None
    known_from: datetime
    known_to: datetime | None
    tx: str
    """The transaction that brought it."""
    by: str = ""
    """Of what is no longer active: the note that stands in its place."""
    reason: str = ""
    links: tuple[Link, ...] = ()
    updates: int = 0
    """How many transactions told of it before."""
    updated_by: str = ""
