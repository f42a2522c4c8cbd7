"""Says which sessions wrote, changed, confirmed or rated which notes, by the transactions of the journals."""

from collections.abc import Iterator

from memoire.episodes.sessions import NODE
from memoire.memory import Memory
from memoire.notes.book import Book
from memoire.notes.model import NOTE, Bind, Connect, Disconnect, Erase, Op, Opened, Put, Rate, Restore, Retire
from memoire.notes.writing import claim_of
from memoire.operations._wire import Relationship


def by_session(memory: Memory, session: str) -> list[Relationship]:
    """Return what a session did to notes, as edges, in the order in which it did."""
    found = dict.fromkeys((verb, name) for verb, name, by in _touches(memory.notes.book) if by == session)
    return [_edge(memory, session, verb, name) for verb, name in found]


def of_note(memory: Memory, note_id: str) -> list[Relationship]:
    """Return which sessions did what to a note, as edges, in the order in which they did."""
    found = dict.fromkeys((by, verb) for verb, name, by in _touches(memory.notes.book) if name == note_id)
    return [_edge(memory, session, verb, note_id) for session, verb in found]


def _touches(book: Book) -> Iterator[tuple[str, str, str]]:
    """Yield (what was done, note, session) for all that was done in a session."""
    written: set[str] = set()
    for transaction in sorted(book.transactions, key=lambda each: each.tx):
        for op in transaction.ops:
            name, session, verb = op.note.id if isinstance(op, Put) else op.id, transaction.session, _verb(op)
            if isinstance(op, Put) and name not in written:
                written.add(name)
                verb, session = "WROTE", op.note.session or session
            if session and verb and book.get(name) is not None:
                yield verb, name, session


def _verb(op: Op) -> str:
    match op:
        case Put() | Retire() | Restore() | Connect() | Disconnect():
            return "CORRECTED"
        case Bind():
            return "CONFIRMED" if op.kind == "confirmed" else ""
        case Rate():
            return "RATED"
        case Opened() | Erase():
            return ""


def _edge(memory: Memory, session: str, verb: str, name: str) -> Relationship:
    row = memory.notes.book.get(name)
    is_shown = row is not None and name not in memory.notes.withheld
    claim = claim_of(row.note.text) if row is not None and is_shown else ""
    return Relationship(
        f"{NODE}{session}", verb, f"{NOTE}{name}", claim, is_causal=False, cost="normal", observations=1
    )
