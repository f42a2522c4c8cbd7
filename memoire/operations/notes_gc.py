"""Takes out of the journals of notes what says nothing: lines that a merge doubled, the marks of a conflict, empty
lines, single counts of openings. Every version, retired note and tombstone stays. Shows what it would do; does it only
with `apply`, and only where the notes come to the same before and after."""  # noqa: D205, D209

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec

from memoire.memory import AsOf, Memory
from memoire.notes.compacting import Compacted, compact
from memoire.notes.journal import parse
from memoire.notes.model import Erase, Put
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe


class Params(msgspec.Struct, frozen=True):
    """What `notes_gc` takes."""

    apply: Annotated[bool, msgspec.Meta(description="Do it.")] = False


class Swept(msgspec.Struct, frozen=True, kw_only=True):
    """One journal."""

    journal: str
    path: str
    lines: int
    left_out: int
    doubled: int
    marks: Annotated[int, msgspec.Meta(description="Lines that a conflict of git left.")]
    empty: int
    opened: Annotated[int, msgspec.Meta(description="Counts of openings that were added up.")]
    torn: Annotated[bool, msgspec.Meta(description="Its last line had no end.")]
    bytes_before: int
    bytes_after: int
    unread: Annotated[list[str], msgspec.Meta(description="Lines that cannot be read: they stay, mend them by hand.")]
    versions: Annotated[int, msgspec.Meta(description="Versions of notes, retired ones too: all stay.")]
    tombstones: Annotated[int, msgspec.Meta(description="Erased notes, that no merge brings back: all stay.")]


class Result(msgspec.Struct, frozen=True):
    """What `notes_gc` gives."""

    journals: list[Swept]
    files: Annotated[list[str], msgspec.Meta(description="Left by writers that were killed.")]
    is_clean: bool
    applied: bool
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Say what can be left out, and leave it out where that is asked for.

    Raises:
        StoreUnavailableError: A journal cannot be read or written.
    """
    await memory.settle(SETTLE_S)
    async with memory.notes.turn() as turn:
        found: list[Swept] = []
        for name, journal in memory.notes.journals().items():
            data = await asyncio.to_thread(_bytes, journal.path)
            made = await asyncio.to_thread(compact, data)
            if data:
                found.append(_swept(memory, name, journal.path, data, made))
            if params.apply and made.data != data:
                await turn.compact(name, lambda given: compact(given).data)
        files = [file for journal in memory.notes.journals().values() for file in _left(journal.path)]
        if params.apply:
            for file in files:
                file.unlink(missing_ok=True)
    return Result(
        journals=found,
        files=[file.name for file in files],
        is_clean=not files and all(not one.left_out and not one.torn for one in found),
        applied=params.apply,
        as_of=current(memory),
    )


def _swept(memory: Memory, name: str, path: Path, data: bytes, made: Compacted) -> Swept:
    root = Path(memory.root)
    said = parse(data)
    ids = {op.note.id for each in said.transactions for op in each.ops if isinstance(op, Put)}
    return Swept(
        journal=name,
        path=path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path),
        lines=made.lines,
        left_out=made.left_out,
        doubled=made.doubled,
        marks=made.marks,
        empty=made.empty,
        opened=made.opened,
        torn=made.is_torn,
        bytes_before=len(data),
        bytes_after=len(made.data),
        unread=[f"line {bad.line}: {bad.why}" for bad in said.bad if "a merge left" not in bad.why],
        versions=sum(len(memory.notes.book.versions(one)) for one in ids),
        tombstones=sum(isinstance(op, Erase) for each in said.transactions for op in each.ops),
    )


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _left(path: Path) -> list[Path]:
    """Return what a rewriting that was killed left beside a journal: only the daemon writes, and not at this moment."""
    return sorted(path.parent.glob(f".{path.name}.memoire-*"))


OPERATION = Operation(
    name="notes_gc",
    title="Compact the journals of notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes gc",
    is_tool=False,
    read_only=False,
)
