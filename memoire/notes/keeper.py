"""Keeps the notes of one open project: its two journals, the book that they come to, and the order in which is written.

The daemon is the only writer, and it writes one transaction at a time. Others may replace the journal under it (git, an
editor): before each answer it is looked at, and read again where it is another one.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from memoire import paths
from memoire.errors import MemoryRefusedError
from memoire.notes.book import Book
from memoire.notes.journal import BadLine, Journal
from memoire.notes.model import Bind, Erase, Op, Opened, Put, Rate, Transaction
from memoire.notes.screen import refusal
from memoire.notes.words import Words
from memoire.notes.writing import new_transaction_id

PERSONAL_FILE = "notes.jsonl"
"""In the state folder."""
SWEEP_FILE = "sweep.json"
"""In the state folder: what the last `notes sweep` proposed, until the next."""
_STEP = timedelta(milliseconds=1)


class Author(msgspec.Struct, frozen=True):
    """Who writes, and where it comes from."""

    by: str = ""
    client: str = ""
    session: str = ""


class Keeper:
    """The notes of one project.

    Args:
        root: Its folder.
        state: Its state folder.
        now: The clock.
        commit: Returns what is checked out, in full; empty without git.
    """

    def __init__(self, root: Path, state: Path, now: Callable[[], datetime], commit: Callable[[], str]) -> None:
        self.book = Book()
        self.bad: Mapping[str, tuple[BadLine, ...]] = {}
        """Journal -> its lines that could not be understood."""
        self.withheld: dict[str, str] = {}
        """Note -> why its texts are not shown: they came by a merge, and would have been refused."""
        self.folder = state
        """Where what is no note is kept: the state folder."""
        self._project = Journal(root / paths.NOTES_FILE)
        self._personal = Journal(state / PERSONAL_FILE, is_private=True)
        self._now = now
        self._commit = commit
        self._turn = asyncio.Lock()
        self._screened: dict[tuple[str, str], str] = {}
        self._opened: Counter[str] = Counter()
        self._words = Words()
        self._in_words: dict[str, tuple[int, str]] = {}
        self._worded = -1
        self._is_read = False
        self._last: Transaction | None = None
        self._carried: set[str] = set()
        """Notes that were carried along, as the personal journal alone knows."""

    async def refresh(self) -> Book:
        """Return what the journals come to now.

        Raises:
            StoreUnavailableError: One cannot be read.
        """
        journals = (self._project, self._personal)
        if not self._is_read or not all(journal.is_as_read() for journal in journals):
            await asyncio.to_thread(self._read)
        return self.book

    @asynccontextmanager
    async def turn(self) -> AsyncIterator["Turn"]:
        """Let nobody else write while what is to be written is decided."""
        async with self._turn:
            await self.refresh()
            yield Turn(self)

    async def write(self, ops: Sequence[Op], author: Author) -> Transaction | None:
        """Make operations durable, as one transaction; None where there are none. Only within a turn.

        Raises:
            MemoryRefusedError: Some are for the project and some for one person alone.
            StoreUnavailableError: No space, no permission: nothing was written.
        """
        if not ops:
            return None
        homes = {self._is_personal(op) for op in ops}
        if len(homes) > 1:
            raise MemoryRefusedError("Personal notes have a journal of their own: write them in a call of their own")
        if homes.pop():
            return await self._append(self._personal, ops, author)
        # What was carried along since somebody wrote last goes with it: others need not find it again.
        return await self._append(self._project, [*self._to_tell(ops), *ops], author)

    async def carry(self, binds: Sequence[Bind]) -> None:
        """Let notes be about what their nodes are called today; the tracked journal hears of it with the next note.

        Raises:
            StoreUnavailableError: No space, no permission: nothing was written.
        """
        async with self.turn() as turn:
            live = [bind for bind in binds if (row := turn.book.get(bind.id)) is not None and row.status == "active"]
            if live:
                await self._append(self._personal, live, Author())

    def opened(self, note_id: str) -> None:
        """Count that a note was opened; it is written with the next quiet moment."""
        self._opened[note_id] += 1

    def opens(self, note_id: str) -> int:
        """Return how often a note was opened, up to now."""
        return self.book.opens(note_id) + self._opened[note_id]

    async def flush(self) -> None:
        """Write what can wait.

        Raises:
            StoreUnavailableError: It cannot be written now; it is kept.
        """
        async with self.turn() as turn:
            counts = dict(self._opened)
            await turn.write([Opened(name, count) for name, count in sorted(counts.items())], Author())
            self._opened.subtract(counts)
            self._opened += Counter()  # those at zero leave

    async def erase(self, ids: Sequence[str], reason: str, author: Author) -> Transaction:
        """Take notes out of the journals for good. Only within a turn.

        Raises:
            StoreUnavailableError: No space, no permission.
        """
        tombstone = self._next([Erase(name, reason) for name in ids], author)
        private = {name for name in ids if (row := self.book.get(name)) is not None and row.note.scope == "personal"}

        def take_out() -> None:
            # What was rated is in the personal journal, whatever the note.
            for journal, own in ((self._personal, private), (self._project, set(ids) - private)):
                if own or journal.mentions(ids):
                    journal.erase(ids, tombstone)
            sweep = self.folder / SWEEP_FILE
            if sweep.exists() and any(name.encode() in sweep.read_bytes() for name in ids):
                sweep.unlink()  # proposals quote the notes that they are about

        await asyncio.to_thread(take_out)
        await asyncio.to_thread(self._read)
        return tombstone

    def journals(self) -> dict[str, Journal]:
        """Return the journals by their names."""
        return {"project": self._project, "personal": self._personal}

    async def compact(self, name: str, make: Callable[[bytes], bytes]) -> bool:
        """Put something that says the same in the place of a journal; return whether that was other bytes.

        Only within a turn.

        Raises:
            StoreUnavailableError: No space, no permission.
        """
        is_changed = await asyncio.to_thread(self.journals()[name].rewrite, make)
        if is_changed:
            await asyncio.to_thread(self._read)
        return is_changed

    def words(self) -> Words:
        """Return the terms of all notes that may be shown, as they are now."""
        if self._worded != self.book.version:
            now = {
                row.note.id: (row.note.version, row.tx)
                for row in self.book.current()
                if row.note.id not in self.withheld
            }
            for name in self._in_words.keys() - now.keys():
                self._words.drop(name)
            for name, state in now.items():
                row = self.book.get(name)
                if self._in_words.get(name) != state and row is not None:
                    note = row.note
                    self._words.put(name, "\n".join((note.title, note.text, note.why, note.subject, *note.tags)))
            self._in_words, self._worded = now, self.book.version
        return self._words

    # ---- journals

    async def _append(self, journal: Journal, ops: Sequence[Op], author: Author) -> Transaction:
        transaction = self._next(ops, author)
        await asyncio.to_thread(journal.append, transaction)
        self._taken(transaction)
        self._carried = _carried(self._carried, [transaction], is_personal=journal is self._personal)
        return transaction

    def _to_tell(self, ops: Sequence[Op]) -> list[Op]:
        """Return what was carried along of notes that some operations do not tell of anyway."""
        told = {op.note.id if isinstance(op, Put) else op.id for op in ops}
        rows = (row for name in sorted(self._carried - told) if (row := self.book.get(name)) is not None)
        return [
            Bind(row.note.id, row.note.about, "carried")
            for row in rows
            if row.status == "active" and row.note.scope != "personal"
        ]

    def _read(self) -> None:
        found = {"project": self._project.read(), "personal": self._personal.read()}
        transactions = {each.tx: each for reading in found.values() for each in reading.transactions}
        self.bad = {name: reading.bad for name, reading in found.items() if reading.bad}
        self.book.replace(transactions.values())
        self._last = max(transactions.values(), key=lambda each: each.tx, default=None)
        both = [(each, name == "personal") for name, reading in found.items() for each in reading.transactions]
        carried = set[str]()
        for each, is_personal in sorted(both, key=lambda pair: pair[0].tx):
            carried = _carried(carried, [each], is_personal=is_personal)
        self._carried = carried
        self._is_read = True
        self._screen()

    def _taken(self, transaction: Transaction) -> None:
        if self._project.is_as_read() and self._personal.is_as_read():
            self._last = transaction
            self.book.extend([transaction])
        else:
            self._read()

    def _screen(self) -> None:
        withheld = {}
        screened: dict[tuple[str, str], str] = {}
        for row in self.book.current():
            note, key = row.note, (row.note.id, row.tx)
            why = self._screened.get(key)
            if why is None:
                found = refusal("\n".join((note.text, note.title, note.why, note.details, *note.facets.values())), "it")
                why = found.why if found is not None else ""
            screened[key] = why
            if why:
                withheld[note.id] = why
        self._screened, self.withheld = screened, withheld

    def _next(self, ops: Sequence[Op], author: Author) -> Transaction:
        """Return the transaction that comes behind all others, whatever the clocks of other machines said."""
        at, last = self._now(), self._last
        if last is not None:
            at = max(at, last.at + _STEP)
        name = new_transaction_id(at)
        while last is not None and name <= last.tx:
            at += _STEP
            name = new_transaction_id(at)
        return Transaction(
            tx=name,
            at=at,
            by=author.by,
            client=author.client,
            session=author.session,
            commit=self._commit(),
            ops=tuple(ops),
        )

    def _is_personal(self, op: Op) -> bool:
        if isinstance(op, Rate | Opened):
            return True
        if isinstance(op, Put):
            return op.note.scope == "personal"
        row = self.book.get(op.id)
        return row is not None and row.note.scope == "personal"


def _carried(known: Collection[str], told: Iterable[Transaction], *, is_personal: bool) -> set[str]:
    """Return the notes that were carried along as the personal journal alone knows, after some transactions of one."""
    found = set(known)
    for op in (op for transaction in told for op in transaction.ops):
        if isinstance(op, Bind):
            (found.add if is_personal and op.kind == "carried" else found.discard)(op.id)
        elif isinstance(op, Put):
            found.discard(op.note.id)
    return found


class Turn:
    """The right to write."""

    def __init__(self, keeper: Keeper) -> None:
        self.book = keeper.book
        self.write = keeper.write
        self.erase = keeper.erase
        self.compact = keeper.compact
