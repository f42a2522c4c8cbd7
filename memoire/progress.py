"""How far the work on a change is, and what it came to."""

from collections.abc import Sequence

import msgspec

from memoire.model import GraphDelta
from memoire.search import Entry


class Progress(msgspec.Struct):
    """How far the work on a large change is."""

    phase: str = "idle"
    """idle, scanning, reading, linking, storing."""
    done: int = 0
    total: int = 0


class Ingested(msgspec.Struct, frozen=True):
    """What taking in the whole tree did."""

    files: int
    """Files of the project."""
    changed: int
    deleted: int
    edges: int
    problems: tuple[tuple[str, str, str], ...]
    """(path, code, message)."""


class Commit(msgspec.Struct):
    """A planned delta on its way: what of it is done, so that a failure (no space) is taken up where it broke off."""

    delta: GraphDelta
    entries: Sequence[Entry]
    records: Sequence[str] = ()
    """Spool records that it was read from: they go once it is in the log."""
    is_logged: bool = False
    is_stored: bool = False
