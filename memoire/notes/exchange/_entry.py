"""What a file says that is to become a note, before anything is known of the project that takes it in."""

from datetime import UTC, date, datetime, time
from typing import TypeAlias

import msgspec

from memoire.notes.model import Anchor, Certainty, Relation, Scope, Status

SOURCE = "source"
"""Facet of a note that came from a file of somebody else: that file."""
SOURCE_ID = "source_id"
"""Facet of a note that came from another system: what it is called there."""


class Tie(msgspec.Struct, frozen=True):
    """A link to another note of the same import, or of the project."""

    rel: Relation
    to: str
    """`Entry.name` of the other, or the id of a note."""
    strength: float = 1.0


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One note to be."""

    text: str
    source: str
    """The file that it stands in."""
    line: int = 0
    """Where it begins; 0 = the file as a whole."""
    name: str = ""
    """What other entries of the same import call it."""
    id: str = ""
    """Of a note that was exported by memoire: its own."""
    version: int = 1
    path: str = ""
    key: str = ""
    type: str = "reference"
    """As its source calls it."""
    title: str = ""
    why: str = ""
    details: str = ""
    anchors: tuple[Anchor, ...] = ()
    """What it is about, with the baselines that it had; of a note that was exported by memoire."""
    about: tuple[str, ...] = ()
    """What it is about, as its source names it."""
    tags: tuple[str, ...] = ()
    facets: dict[str, str] = {}
    subject: str = ""
    attribute: str = ""
    certainty: Certainty = "inferred"
    importance: int = 5
    confidence: float | None = None
    scope: Scope | None = None
    """None: as its type says."""
    branch: str = ""
    since: datetime | None = None
    until: datetime | None = None
    expires: datetime | None = None
    author: str = ""
    role: str = ""
    session: str = ""
    prompt: str = ""
    turn: str = ""
    status: Status = "active"
    by: str = ""
    """Of what was superseded: the name or id of what stands in its place."""
    reason: str = ""
    ties: tuple[Tie, ...] = ()
    ratings: tuple[str, ...] = ()
    opens: int = 0

    @property
    def is_ours(self) -> bool:
        """Return whether memoire exported it: it is taken back as it was."""
        return bool(self.id)


class Trouble(msgspec.Struct, frozen=True):
    """Something that could not be read as a note."""

    source: str
    line: int
    """0 = the file as a whole."""
    why: str


class Read(msgspec.Struct, frozen=True):
    """What a file says."""

    format: str
    """What it was taken for."""
    entries: tuple[Entry, ...] = ()
    troubles: tuple[Trouble, ...] = ()


Json: TypeAlias = dict[str, object]


def moment_of(given: object) -> datetime | None:
    """Return the moment that a date, a time or seconds since the epoch mean, UTC; None where they mean none."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        try:
            return datetime.fromtimestamp(given / (1000 if given > 1e11 else 1), UTC)
        except (ValueError, OverflowError, OSError):
            return None
    text = str(given or "").strip()
    for made in (text, text[:10]):
        try:
            found = datetime.fromisoformat(made)
        except ValueError:
            continue
        try:
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        except OverflowError:
            return None
    try:
        return datetime.combine(date.fromisoformat(text.replace("/", "-")), time(), UTC)
    except ValueError:
        return None


def text_of(given: object) -> str:
    """Return a value of JSON as text; empty for what is none."""
    if given is None or isinstance(given, dict | list):
        return ""
    return str(given).lower() if isinstance(given, bool) else str(given).strip()


def texts_of(given: object) -> tuple[str, ...]:
    """Return a list of texts, of a list or of a text with commas."""
    if isinstance(given, str):
        given = given.split(",")
    if not isinstance(given, list):
        return ()
    return tuple(dict.fromkeys(text for each in given if (text := text_of(each))))
