"""Takes in notes that were exported, and what others wrote down before: rules for assistants, records of decisions,
the exports of other memories. Shows what it would write, what is known already and what is at odds with it; writes only
with `apply`. A second import of the same files writes nothing."""  # noqa: D205, D209

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from memoire.memory import AsOf, Memory
from memoire.notes.exchange import Entry, Trouble, read
from memoire.notes.keeper import Author, Turn
from memoire.notes.model import Op, Opened, Put, Rate, Retire
from memoire.notes.writing import claim_of
from memoire.operations._importing import Decided, Importer
from memoire.operations._note_wire import check_project
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe

MAX_FILES = 5_000
MAX_ROWS = 5_000
TOGETHER = 500
"""Notes of one transaction: as many as of one call of `memory_write`."""
_CLAIM = 160
_LAST = {"duplicate": 2, "skip": 1}
"""Actions that are shown last."""


class Given(msgspec.Struct, frozen=True):
    """One file."""

    path: Annotated[str, msgspec.Meta(max_length=4096, description="Relative to the project where it lies in it.")]
    text: str


class Params(msgspec.Struct, frozen=True):
    """What `notes_import` takes."""

    files: Annotated[list[Given], msgspec.Meta(min_length=1, max_length=MAX_FILES)]
    form: Literal["", "memoire", "decisions", "rules", "memory-pages", "json"] = ""
    apply: bool = False
    conflicts: Annotated[
        Literal["write", "skip"], msgspec.Meta(description="What becomes of what is at odds with a note.")
    ] = "write"
    author: Annotated[str, msgspec.Meta(max_length=200)] = ""
    project: Annotated[str, msgspec.Meta(max_length=512)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROWS)] = MAX_ROWS


class Row(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What becomes of one entry."""

    action: str
    """create, supersede, edit, retire, duplicate, skip, refuse."""
    type: str
    claim: str
    """Empty of what is refused: it may hold a secret."""
    about: list[str] = []
    """What the note is bound to."""
    why: str = ""
    conflict: str = ""
    """The note that it is at odds with, and in what."""
    similar: str = ""
    """Notes that say the same in other words."""
    id: str = ""
    existing: str = ""
    code: str = ""
    source: str
    line: int = 0


class Result(msgspec.Struct, frozen=True):
    """What `notes_import` gives."""

    rows: list[Row]
    count: int
    total_count: int
    summary: dict[str, int]
    """Action -> how many."""
    conflicts: int
    unread: list[Trouble]
    forms: dict[str, int]
    """What files were taken for -> how many."""
    tx: list[str]
    written_to: str
    dry_run: bool
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Decide what becomes of each entry, and write it where that is asked for.

    Raises:
        WrongProjectError: Another project is named.
        StoreUnavailableError: The journal cannot be written; notes before that are written.
    """
    check_project(memory, params.project)
    await memory.settle(SETTLE_S)
    found = [read(file.text, file.path, params.form) for file in params.files]
    entries: list[Entry] = [entry for one in found for entry in one.entries]
    async with memory.notes.turn() as turn:
        decided = await Importer(memory, turn.book).decide(entries)
        if params.conflicts == "skip":
            decided = [_without_conflict(one) for one in decided]
        written = await _write(turn, decided, Author(by=params.author, client="import")) if params.apply else []
    rows = [_row(one) for one in decided]
    shown = sorted(rows, key=lambda row: _LAST.get(row.action, 0))
    page = shown[: params.limit]
    return Result(
        rows=page,
        count=len(page),
        total_count=len(rows),
        summary=dict(sorted(Counter(row.action for row in rows).items())),
        conflicts=sum(bool(row.conflict) for row in rows),
        unread=[trouble for one in found for trouble in one.troubles],
        forms=dict(sorted(Counter(one.format or "unknown" for one in found).items())),
        tx=written,
        written_to=memory.project_id,
        dry_run=not params.apply,
        as_of=current(memory),
    )


def _without_conflict(one: Decided) -> Decided:
    if not one.conflicts or one.action not in {"create", "supersede"}:
        return one
    return one._replace(action="skip", ops=(), why=f"at odds with {one.conflicts[0].id}")


async def _write(turn: Turn, decided: Sequence[Decided], author: Author) -> list[str]:
    """Write the operations, what is personal and how notes were rated in its own journal; return the transactions."""
    private = {op.note.id for one in decided for op in one.ops if isinstance(op, Put) and op.note.scope == "personal"}
    private |= {
        row.note.id
        for one in decided
        if one.existing and (row := turn.book.get(one.existing)) is not None and row.note.scope == "personal"
    }
    # What no longer holds goes first, so that it does not pass for the same as what does; links go last.
    ordered = sorted(decided, key=lambda one: one.entry.status == "active")
    early = [op for one in ordered for op in one.ops if isinstance(op, Put | Retire)]
    late = [op for one in ordered for op in one.ops if not isinstance(op, Put | Retire)]
    transactions: list[str] = []
    for home in (False, True):
        for stage in (early, late):
            ops = [op for op in stage if _is_private(op, private) is home]
            for batch in _batches(ops, private):
                done = await turn.write(batch, author)
                transactions += [done.tx] if done is not None else []
    return transactions


def _is_private(op: Op, private: set[str]) -> bool:
    if isinstance(op, Rate | Opened):
        return True
    return (op.note.id if isinstance(op, Put) else op.id) in private


def _batches(ops: Sequence[Op], private: set[str]) -> list[list[Op]]:
    """Return the operations of each transaction; a personal note has to be there before more is said of it."""
    found: list[list[Op]] = [[]]
    made: set[str] = set()
    for op in ops:
        name = op.note.id if isinstance(op, Put) else op.id
        if name in made or (isinstance(op, Put) and sum(isinstance(one, Put) for one in found[-1]) >= TOGETHER):
            found.append([])
            made.clear()
        if isinstance(op, Put) and name in private:
            made.add(name)
        found[-1].append(op)
    return [batch for batch in found if batch]


def _row(one: Decided) -> Row:
    entry, note = one.entry, one.note
    claim = "" if one.action == "refuse" else claim_of(entry.text)
    return Row(
        action=one.action,
        type=note.type if note is not None else entry.type,
        claim=claim if len(claim) <= _CLAIM else f"{claim[: _CLAIM - 1]}…",
        about=[anchor.node for anchor in note.about] if note is not None else [],
        why=one.why,
        conflict=f"{one.conflicts[0].id}: {one.conflicts[0].kind}" if one.conflicts else "",
        similar=", ".join(one.similar),
        id=note.id if note is not None else "",
        existing=one.existing,
        code=one.code,
        source=entry.source,
        line=entry.line,
    )


OPERATION = Operation(
    name="notes_import",
    title="Import notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes import",
    is_tool=False,
    read_only=False,
)
