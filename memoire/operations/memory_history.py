"""Use it for what was held true of a subject (and attribute), of one note or by somebody, in order: when each value
held, when memory learned it, from whom. who alone: how they work. A miss answers with the nearest subjects."""  # noqa: D205, D209

import difflib
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import msgspec

from memoire.budget import Part, fit
from memoire.episodes.sessions import NODE
from memoire.errors import InvalidArgumentError
from memoire.memory import AsOf, Memory
from memoire.notes.model import Standing
from memoire.notes.writing import claim_of
from memoire.operations._habits import Habit, habits
from memoire.operations._note_wire import find
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, wire_time

_Name = Annotated[str, msgspec.Meta(max_length=512)]
_NEAR = 5


class Params(msgspec.Struct, frozen=True):
    """What `memory_history` takes: a subject or an id."""

    subject: _Name = ""
    attribute: _Name = ""
    id: Annotated[
        _Name, msgspec.Meta(description="A note's id, path or key: its versions, and what it superseded.")
    ] = ""
    who: Annotated[_Name, msgspec.Meta(description="Author, session, client; person or assistant.")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50


class Version(msgspec.Struct, frozen=True):
    """One thing that memory held to be so, over a time."""

    id: str
    version: int
    claim: str
    attribute: str | None
    status: str
    valid_from: datetime
    valid_to: datetime | None
    known_from: datetime
    known_to: datetime | None
    author: str | None
    session: str | None
    tx: str
    reason: str | None
    superseded_by: str | None


class Result(msgspec.Struct, frozen=True):
    """What `memory_history` gives, the oldest first."""

    versions: list[Version]
    count: int
    total_count: int
    has_more: bool
    nearest: Annotated[list[str], msgspec.Meta(description="Subjects near one that nothing is known of.")]
    habits: Annotated[list[Habit], msgspec.Meta(description="Of `who` alone: what they run, and how often.")]
    next: Annotated[list[str], msgspec.Meta(description="Calls that say more.")]
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Return the versions.

    Raises:
        InvalidArgumentError: Neither a subject nor an id is named.
        UnknownNoteError: No note is called so.
    """
    await memory.settle(SETTLE_S)
    book = await memory.notes.refresh()
    if params.id.strip():
        names = _line_of(memory, find(memory, params.id))
    elif params.subject.strip():
        names = [row.note.id for row in book.current() if _is_of(row, params)]
    elif params.who.strip():
        names = [row.note.id for row in book.current()]
    else:
        raise InvalidArgumentError("subject", "is missing: name a subject, the id of a note, or who")
    rows = [row for name in names for row in book.versions(name) if not params.who.strip() or _is_by(row, params.who)]
    rows.sort(key=lambda row: (row.note.valid_from, row.known_from, row.tx, row.note.id))
    # The last ones are what holds now: the first are left out where there is no room.
    page = [_version(memory, row) for row in rows[-params.limit :]]
    is_named = bool(params.id.strip() or params.subject.strip())
    nearest = [] if rows or not params.subject.strip() else _nearest(memory, params.subject)
    works = await habits(memory, params.who) if params.who.strip() and not is_named else []
    following, as_of = _next(params, rows, nearest), current(memory)

    def make(lengths: Sequence[int]) -> Result:
        count = lengths[0]
        is_cut = len(rows) > count
        return Result(page[len(page) - count :], count, len(rows), is_cut, nearest, works, following, as_of)

    return fit(make, [Part(len(page), len(page))], memory.settings.budget_tokens)


def _is_by(row: Standing, who: str) -> bool:
    """Return whether somebody wrote a version, or it was written in a session."""
    name = _folded(who.removeprefix(NODE))
    return name in {_folded(row.updated_by), _folded(row.note.author), _folded(row.note.session)}


def _next(params: Params, rows: Sequence[Standing], nearest: Sequence[str]) -> list[str]:
    """Return the calls that go on from here."""
    if nearest:
        return [f"memory_history(subject={nearest[0]!r})"]
    if not rows:
        return ["memory_list(of='types')"]
    calls = [f"memory_read(ids=[{rows[-1].note.id!r}])"]
    if rows[-1].note.session:
        calls.append(f"expand(path='session:{rows[-1].note.session}')")
    if len(rows) > params.limit:
        calls.append(f"memory_history(…, limit={min(200, len(rows))})")
    return calls


def _is_of(row: Standing, params: Params) -> bool:
    note = row.note
    is_subject = _folded(note.subject) == _folded(params.subject)
    return is_subject and (not params.attribute or _folded(note.attribute) == _folded(params.attribute))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _line_of(memory: Memory, name: str) -> list[str]:
    """Return a note, all that it superseded, and all that superseded it."""
    book = memory.notes.book
    before: dict[str, list[str]] = {}
    for row in book.current():
        if row.by:
            before.setdefault(row.by, []).append(row.note.id)
    last = book.resolve(name).id
    line, todo = [], [last]
    while todo:
        at = todo.pop()
        if at not in line:
            line.append(at)
            todo += before.get(at, [])
    return line


def _nearest(memory: Memory, subject: str) -> list[str]:
    known = {row.note.subject for row in memory.notes.book.current() if row.note.subject}
    folded = {_folded(name): name for name in sorted(known)}
    return [folded[name] for name in difflib.get_close_matches(_folded(subject), folded, n=_NEAR, cutoff=0.4)]


def _version(memory: Memory, row: Standing) -> Version:
    note = row.note
    withheld = memory.notes.withheld.get(note.id)
    return Version(
        id=note.id,
        version=note.version,
        claim=f"[withheld: {withheld}]" if withheld else claim_of(note.text),
        attribute=note.attribute or None,
        status=row.status,
        valid_from=wire_time(note.valid_from),
        valid_to=None if row.valid_to is None else wire_time(row.valid_to),
        known_from=wire_time(row.known_from),
        known_to=None if row.known_to is None else wire_time(row.known_to),
        author=row.updated_by or note.author or None,
        session=note.session or None,
        tx=row.tx,
        reason=row.reason or None,
        superseded_by=row.by or None,
    )


OPERATION = Operation(
    name="memory_history",
    title="History",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes history",
)
