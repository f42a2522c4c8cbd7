"""Tidies up the notes, never by itself: `run` proposes what to merge, archive, doubt or sum up, each with its notes and
its reason; `review` shows that, and takes what is accepted or rejected; `apply` does what was accepted, all of it or
nothing, and refuses where a note is another by then."""  # noqa: D205, D209

import asyncio
import os
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from memoire.errors import InvalidArgumentError, MemoryConflictError, StoreUnavailableError
from memoire.memory import AsOf, Memory
from memoire.notes import writing
from memoire.notes.book import Book
from memoire.notes.keeper import SWEEP_FILE, Author
from memoire.notes.model import Note
from memoire.notes.sweeping import KINDS, Gate, Kind, Known, Proposal, Sweep, changed, gate, propose
from memoire.operations._note_relations import judge
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, wire_time

_BREATHE = 20
"""Notes after which others may be answered."""
_REMEMBERED = 2_000
"""Rejected proposals that are not made again."""


class Params(msgspec.Struct, frozen=True):
    """What `notes_sweep` takes."""

    action: Annotated[Literal["run", "review", "apply"], msgspec.Meta(description="run, review or apply.")]
    kinds: Annotated[list[Kind], msgspec.Meta(description=f"Of run: {', '.join(KINDS)}; all unless given.")] = []
    accept: Annotated[list[str], msgspec.Meta(description="Of review: proposals to apply; `all` for all.")] = []
    reject: Annotated[list[str], msgspec.Meta(description="Of review: proposals not to be made again.")] = []
    force: Annotated[bool, msgspec.Meta(description="Of apply: even where notes get harder to find.")] = False
    author: Annotated[str, msgspec.Meta(max_length=200)] = ""


class Proposed(msgspec.Struct, frozen=True):
    """One proposal as it is shown."""

    proposal: str
    kind: str
    state: Annotated[str, msgspec.Meta(description="open, accepted, rejected, applied or outdated.")]
    ids: list[str]
    reason: str
    change: str


class Found(msgspec.Struct, frozen=True):
    """How well notes are found by their own claims: mean reciprocal rank, now and with all proposals applied."""

    before: float
    after: float
    probes: int
    passed: bool


class Result(msgspec.Struct, frozen=True):
    """What `notes_sweep` gives."""

    run: str | None
    at: datetime | None
    proposals: list[Proposed]
    summary: dict[str, int]
    """State -> how many."""
    gate: Found | None
    tx: str | None
    next: list[str]
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Propose, take what is said of proposals, or apply those that were accepted.

    Raises:
        InvalidArgumentError: There is no such proposal, or nothing was proposed yet.
        MemoryConflictError: A note was changed since, or notes would get harder to find: nothing was applied.
        StoreUnavailableError: The journal or the state folder cannot be written.
    """
    await memory.settle(SETTLE_S)
    file = memory.notes.folder / SWEEP_FILE
    async with memory.notes.turn() as turn:
        sweep = await asyncio.to_thread(_load, file)
        tx = None
        if params.action == "run":
            sweep = await _run(memory, turn.book, sweep, params)
        elif sweep is None:
            raise InvalidArgumentError("action", "nothing is proposed yet: `memoire notes sweep run`")
        elif params.action == "review":
            sweep = _decide(sweep, params)
        else:
            chosen = _chosen(turn.book, sweep, params)
            ops = [op for proposal in chosen for op in proposal.ops]
            done = await turn.write(ops, Author(by=params.author or "sweep", client="sweep"))
            tx = None if done is None else done.tx
            applied = {proposal.id: "applied" for proposal in chosen}
            sweep = msgspec.structs.replace(sweep, decided={**sweep.decided, **applied})
        await asyncio.to_thread(_save, file, sweep)
        return _result(memory, turn.book, sweep, tx)


async def _run(memory: Memory, book: Book, before: Sweep | None, params: Params) -> Sweep:
    """Return what could be done now; what was rejected before, of the same versions, is not proposed again."""
    notes, as_of = memory.notes, memory.as_of()
    rows = [
        row
        for row in book.current()
        if row.status == "active"
        and row.note.scope != "personal"
        and row.note.id not in notes.withheld
        and (row.note.scope != "branch" or row.note.branch == as_of.branch)
    ]

    def verdict(one: Note, other: Note) -> str:
        return judge(memory, one, other).verdict

    known = Known(rows, notes.words(), verdict, book.ratings, notes.opens, writing.new_id, memory.now())
    rejected = dict.fromkeys(before.rejected) if before is not None else {}
    rejected |= {name: None for name, said in (before.decided if before else {}).items() if said == "rejected"}
    proposals: list[Proposal] = []
    for number, one in enumerate(propose(known, params.kinds or KINDS)):
        if one is not None and one.id not in rejected:
            proposals.append(one)
        if not number % _BREATHE:
            await asyncio.sleep(0)
    kept = {name: said for name, said in (before.decided if before else {}).items() if said == "accepted"}
    return Sweep(
        run=writing.new_transaction_id(memory.now()),
        at=memory.now(),
        proposals=tuple(proposals),
        gate=gate(known, proposals),
        decided={one.id: kept[one.id] for one in proposals if one.id in kept},
        rejected=tuple(rejected)[-_REMEMBERED:],
    )


def _decide(sweep: Sweep, params: Params) -> Sweep:
    """Return a run with what is said of its proposals.

    Raises:
        InvalidArgumentError: It has no such proposal.
    """
    known = {proposal.id for proposal in sweep.proposals}
    decided = dict(sweep.decided)
    for given, said in ((params.accept, "accepted"), (params.reject, "rejected")):
        for name in known if "all" in given else given:
            if name not in known:
                raise InvalidArgumentError(said[:6], f"there is no proposal {name!r}", sorted(known)[:3])
            if decided.get(name) != "applied":
                decided[name] = said  # type: ignore[assignment]  # one of the two
    return msgspec.structs.replace(sweep, decided=decided)


def _chosen(book: Book, sweep: Sweep, params: Params) -> list[Proposal]:
    """Return what was accepted and is not done yet.

    Raises:
        InvalidArgumentError: Nothing was accepted.
        MemoryConflictError: One is of versions that are no more, or notes would get harder to find.
    """
    chosen = [proposal for proposal in sweep.proposals if sweep.decided.get(proposal.id) == "accepted"]
    if not chosen:
        raise InvalidArgumentError("action", "nothing is accepted: `memoire notes sweep review --accept ID` (or `all`)")
    stands = _stands(book)
    for proposal in chosen:
        if other := changed(proposal, stands):
            raise MemoryConflictError(
                f"{', '.join(other)} changed since proposal {proposal.id} was made; run the sweep again"
            )
    if not sweep.gate.is_passed and not params.force:
        told = f"{sweep.gate.before} before, {sweep.gate.after} after"
        raise MemoryConflictError(f"notes would get harder to find ({told}); reject some proposals, or add force")
    return chosen


def _stands(book: Book) -> dict[str, str]:
    return {row.note.id: row.tx for row in book.current()}


def _result(memory: Memory, book: Book, sweep: Sweep, tx: str | None) -> Result:
    stands = _stands(book)
    shown = [_shown(proposal, sweep, stands) for proposal in sweep.proposals]
    counts = Counter(one.state for one in shown)
    return Result(
        run=sweep.run,
        at=wire_time(sweep.at),
        proposals=shown,
        summary=dict(sorted(counts.items())),
        gate=_found(sweep.gate),
        tx=tx,
        next=_next(counts),
        as_of=current(memory),
    )


def _shown(proposal: Proposal, sweep: Sweep, stands: dict[str, str]) -> Proposed:
    state: str = sweep.decided.get(proposal.id, "open")
    if state in {"open", "accepted"} and changed(proposal, stands):
        state = "outdated"
    return Proposed(proposal.id, proposal.kind, state, list(proposal.ids), proposal.reason, proposal.change)


def _found(found: Gate) -> Found:
    return Found(found.before, found.after, found.probes, found.is_passed)


def _next(counts: Counter[str]) -> list[str]:
    told = []
    if counts["open"]:
        told.append("memoire notes sweep review --accept ID --reject ID")
    if counts["accepted"]:
        told.append("memoire notes sweep apply")
    if counts["outdated"]:
        told.append("memoire notes sweep run")
    return told


def last_sweep(memory: Memory) -> tuple[str, str]:
    """Return when notes were last looked through and how many proposals wait, in words; and what to do about those."""
    sweep = _load(memory.notes.folder / SWEEP_FILE)
    if sweep is None:
        return "never swept", "memoire notes sweep run"
    stands = _stands(memory.notes.book)
    counts = Counter(_shown(proposal, sweep, stands).state for proposal in sweep.proposals)
    waiting = ", ".join(f"{count} {state}" for state, count in sorted(counts.items())) or "nothing proposed"
    return f"last swept {wire_time(sweep.at):%Y-%m-%d}: {waiting}", next(iter(_next(counts)), "")


def _load(file: Path) -> Sweep | None:
    """Return the last run; None where there is none, or none that can be read: it is only a proposal."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Sweep)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _save(file: Path, sweep: Sweep) -> None:
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "wb") as stream:
            stream.write(msgspec.json.encode(sweep))
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(file)
    except OSError as error:
        raise StoreUnavailableError(str(file), (error.strerror or str(error)).lower()) from error
    finally:
        fresh.unlink(missing_ok=True)


OPERATION = Operation(
    name="notes_sweep",
    title="Tidy up notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes sweep",
    is_tool=False,
    read_only=False,
)
