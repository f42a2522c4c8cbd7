"""What all transactions about notes come to: every version with the time over which memory held it, and what is live.

A pure fold over the transactions in the order of their ids, whatever order they were read in: any two clones that have
the same lines have the same book. Two branches may have written the same statement: the first stays, the other leads to
it. They may have superseded one note twice: both successors live, and the fork is told. What is erased is as if it had
never been said.
"""

import unicodedata
from bisect import insort
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from hashlib import blake2b

import msgspec

from memoire.notes.model import (
    Anchor,
    Bind,
    Connect,
    Disconnect,
    Erase,
    Link,
    Note,
    Opened,
    Put,
    Rate,
    Restore,
    Retire,
    Signal,
    Standing,
    Transaction,
)

MAX_HOPS = 64
"""Steps from an old note to the live one; a longer chain is a mistake."""
SAME = "the same statement, made twice"
"""Reason of a note that leads to an earlier one with the same statement."""


class Resolved(msgspec.Struct, frozen=True):
    """Where an id leads."""

    requested: str
    id: str
    """The last note on the way."""
    steps: tuple[tuple[str, str], ...]
    """(how, id): superseded, same."""
    stop_reason: str
    """live, retired, erased, unknown, cycle, hop_limit."""


class Rating(msgspec.Struct, frozen=True):
    """What somebody said of a note's use."""

    at: datetime
    signal: Signal


class Book:
    """The notes of one project. Changed by one task alone."""

    def __init__(self, transactions: Iterable[Transaction] = ()) -> None:
        self.version = 0
        """Rises with every change."""
        self._transactions: dict[str, Transaction] = {}
        self._clear()
        self.extend(transactions)

    def _clear(self) -> None:
        self._rows: dict[str, list[Standing]] = {}
        self._same: dict[str, str] = {}
        self._erased: dict[str, Transaction] = {}
        self._by_hash: dict[str, str] = {}
        self._by_key: dict[tuple[str, str], str] = {}
        self._by_path: dict[str, list[str]] = {}
        self._about: dict[str, set[str]] = {}
        self._linking: dict[str, set[str]] = {}
        self._forks: dict[str, list[str]] = {}
        self._ratings: dict[str, list[Rating]] = {}
        self._opens: dict[str, int] = {}
        self._last = ""

    # ---- taking in

    def extend(self, transactions: Iterable[Transaction]) -> None:
        """Take transactions in; those that are known change nothing."""
        fresh = sorted(
            {each.tx: each for each in transactions if self._transactions.get(each.tx) != each}.values(),
            key=lambda each: each.tx,
        )
        if not fresh:
            return
        self.version += 1
        is_behind = fresh[0].tx <= self._last
        is_erasing = any(isinstance(op, Erase) for each in fresh for op in each.ops)
        self._transactions.update({each.tx: each for each in fresh})
        if is_behind or is_erasing:
            self._fold_all()
        else:
            for each in fresh:
                self._take(each)

    def replace(self, transactions: Iterable[Transaction]) -> None:
        """Hold these transactions and no other: the journals were rewritten."""
        now = {each.tx: each for each in transactions}
        if now != self._transactions:
            self._transactions = now
            self.version += 1
            self._fold_all()

    def _fold_all(self) -> None:
        self._clear()
        for each in self._transactions.values():
            for op in each.ops:
                if isinstance(op, Erase) and (op.id not in self._erased or each.tx < self._erased[op.id].tx):
                    self._erased[op.id] = each
        for _, each in sorted(self._transactions.items()):
            self._take(each)

    def _take(self, transaction: Transaction) -> None:
        self._last = transaction.tx
        for op in transaction.ops:
            match op:
                case Put():
                    if op.note.id not in self._erased:
                        self._put(op.note, transaction)
                case Erase():
                    pass  # known before: whatever order it came in
                case Rate():
                    known = self._row(op.id)
                    if known is not None:
                        self._ratings.setdefault(known.note.id, []).append(Rating(transaction.at, op.signal))
                case Opened():
                    known = self._row(op.id)
                    if known is not None:
                        self._opens[known.note.id] = self._opens.get(known.note.id, 0) + op.count
                case _:
                    self._change(op, transaction)

    def _put(self, note: Note, transaction: Transaction) -> None:
        known = self._row(note.id)
        if known is not None:
            # The statement of an id never changes, whatever a line says.
            merged = msgspec.structs.replace(
                note, id=known.note.id, text=known.note.text, version=known.note.version + 1
            )
            self._stand(known, transaction, note=merged, reason="")
            return
        twin = self._by_hash.get(live_hash(note))
        if twin is not None:
            self._same[note.id] = twin
            row = Standing(
                note, "superseded", note.valid_to, transaction.at, None, transaction.tx, by=twin, reason=SAME
            )
            self._rows[note.id] = [row]
            first = self._rows[twin][-1]
            both = _joined(first.note, note)
            if both != first.note:
                self._stand(first, transaction, note=both)
            return
        self._rows[note.id] = []
        by = note.author or transaction.by
        self._enter(Standing(note, "active", note.valid_to, transaction.at, None, transaction.tx, updated_by=by))

    def _change(self, op: Retire | Restore | Bind | Connect | Disconnect, transaction: Transaction) -> None:
        known = self._row(op.id)
        if known is None:
            return
        match op:
            case Retire():
                self._retire(op, known, transaction)
            case Restore():
                if known.status != "active" and live_hash(known.note) not in self._by_hash:
                    fields = {"status": "active", "by": "", "valid_to": known.note.valid_to, "reason": op.reason}
                    self._stand(known, transaction, **fields)
            case Bind():
                about = op.about if op.kind == "confirmed" else _carried(known.note.about, op.about)
                note = msgspec.structs.replace(known.note, about=about)
                self._stand(known, transaction, note=note, reason=op.reason)
            case Connect() | Disconnect():
                self._stand(known, transaction, links=self._links(op, known), reason=op.reason)

    def _retire(self, op: Retire, known: Standing, transaction: Transaction) -> None:
        by = "" if op.by in self._erased else op.by
        status, reason = op.status, op.reason
        if known.status == "superseded" and known.by and by and by != known.by:
            fork = self._forks.setdefault(known.note.id, [known.by])
            if by not in fork:
                insort(fork, by)
            by, status, reason = known.by, known.status, known.reason
        ends = min(filter(None, (op.valid_to, known.valid_to)), default=None)
        self._stand(known, transaction, status=status, by=by, valid_to=ends, reason=reason)

    def _links(self, op: Connect | Disconnect, known: Standing) -> tuple[Link, ...]:
        what = (op.link.rel, op.link.to) if isinstance(op, Connect) else (op.rel, op.to)
        kept = [link for link in known.links if (link.rel, link.to) != what]
        if isinstance(op, Connect) and op.link.to not in self._erased:
            kept.append(op.link)
        return tuple(sorted(kept, key=lambda link: (link.rel, link.to)))

    def _stand(self, known: Standing, transaction: Transaction, **fields: object) -> None:
        """Let a note stand otherwise from a transaction on."""
        old = msgspec.structs.replace(known, known_to=transaction.at)
        new = msgspec.structs.replace(
            known,
            known_from=transaction.at,
            tx=transaction.tx,
            updates=known.updates + 1,
            updated_by=transaction.by or known.updated_by,
            **fields,
        )
        self._leave(known)
        rows = self._rows[known.note.id]
        if known.tx == transaction.tx:
            rows.pop()  # what one transaction says several things of was never held in between
            new = msgspec.structs.replace(new, updates=known.updates)
        else:
            rows[-1] = old
        self._enter(new)

    def _enter(self, row: Standing) -> None:
        note = row.note
        self._rows[note.id].append(row)
        insort(self._by_path.setdefault(note.path, []), note.id)
        for anchor in note.about:
            self._about.setdefault(anchor.node, set()).add(note.id)
        for link in row.links:
            self._linking.setdefault(link.to, set()).add(note.id)
        if row.status != "active":
            return
        if found := live_hash(note):
            self._by_hash.setdefault(found, note.id)
        if note.key:
            self._by_key.setdefault((_place(note), note.key), note.id)

    def _leave(self, row: Standing) -> None:
        note = row.note
        self._by_path[note.path].remove(note.id)
        for anchor in note.about:
            self._about[anchor.node].discard(note.id)
        for link in row.links:
            self._linking[link.to].discard(note.id)
        if self._by_hash.get(live_hash(note)) == note.id:
            del self._by_hash[live_hash(note)]
        if self._by_key.get((_place(note), note.key)) == note.id:
            del self._by_key[_place(note), note.key]

    def _row(self, note_id: str) -> Standing | None:
        """Return how a note stands; of one that is the same as another, that one."""
        rows = self._rows.get(self._same.get(note_id, note_id))
        return rows[-1] if rows else None

    # ---- asking

    def __len__(self) -> int:
        """Return the number of notes that are live."""
        return sum(row.status == "active" for row in self.current())

    @property
    def transactions(self) -> Collection[Transaction]:
        """All transactions, in no order."""
        return self._transactions.values()

    def get(self, note_id: str) -> Standing | None:
        """Return how a note stands now, None where there is none of this id."""
        rows = self._rows.get(note_id)
        return rows[-1] if rows else None

    def current(self) -> Iterator[Standing]:
        """Yield how every note stands now, in no order."""
        return (rows[-1] for rows in self._rows.values())

    def active(self, now: datetime) -> Iterator[Standing]:
        """Yield the notes that are live and have not expired, in no order."""
        return (row for row in self.current() if row.status == "active" and not is_expired(row, now))

    def at(self, valid: datetime, known: datetime | None = None) -> Iterator[Standing]:
        """Yield the versions that were true of the project at a time, as memory knew at another (None = now)."""
        for rows in self._rows.values():
            for row in rows:
                is_known = (
                    (row.known_to is None)
                    if known is None
                    else row.known_from <= known and (row.known_to is None or known < row.known_to)
                )
                if is_known and row.note.valid_from <= valid and (row.valid_to is None or valid < row.valid_to):
                    yield row

    def versions(self, note_id: str) -> tuple[Standing, ...]:
        """Return all that memory ever held of a note, the first one first."""
        return tuple(self._rows.get(note_id, ()))

    def with_statement(self, note: Note) -> str:
        """Return the id of the live note with the same statement; empty where there is none."""
        return self._by_hash.get(live_hash(note), "")

    def with_key(self, note: Note) -> str:
        """Return the id of the live note with the same key, for the same readers; empty where there is none."""
        return self._by_key.get((_place(note), note.key), "") if note.key else ""

    def find(self, address: str) -> str:
        """Return the id that an id, a path or a key means; empty where it means none, or a key more than one."""
        bare = address.removeprefix("note:")
        if bare in self._rows or bare in self._erased:
            return bare
        if found := self._by_path.get(bare):
            live = [note_id for note_id in found if self._rows[note_id][-1].status == "active"]
            return (live or found)[0]
        keyed = {note_id for (_, key), note_id in self._by_key.items() if key == bare}
        return keyed.pop() if len(keyed) == 1 else ""

    def paths(self) -> Collection[str]:
        """Return the paths that notes have."""
        return [path for path, ids in self._by_path.items() if ids]

    def path_of(self, note_id: str) -> str:
        """Return the path of a note; of several that two branches put at one, all but the first have a number."""
        note = self._rows[note_id][-1].note
        place = self._by_path[note.path].index(note_id) if note_id in self._by_path.get(note.path, ()) else 0
        return f"{note.path}-{place + 1}" if place else note.path

    def about(self, node: str) -> set[str]:
        """Return the ids of the notes that are about a node itself, retired ones too."""
        return set(self._about.get(node, ()))

    def nodes(self) -> Iterator[str]:
        """Yield every node that a note is about, retired ones too."""
        return (node for node, ids in self._about.items() if ids)

    def linking(self, note_id: str) -> set[str]:
        """Return the ids of the notes that link to one."""
        return set(self._linking.get(note_id, ()))

    def ratings(self, note_id: str) -> tuple[Rating, ...]:
        """Return what was said of a note's use, the first one first."""
        return tuple(self._ratings.get(note_id, ()))

    def opens(self, note_id: str) -> int:
        """Return how often a note was opened."""
        return self._opens.get(note_id, 0)

    def forks(self) -> dict[str, tuple[str, ...]]:
        """Return the notes that were superseded by several, each with those."""
        return {note_id: tuple(by) for note_id, by in self._forks.items()}

    def is_erased(self, note_id: str) -> bool:
        """Return whether a note was erased."""
        return note_id in self._erased

    def resolve(self, note_id: str) -> Resolved:
        """Return where an id leads today, over what superseded it."""
        steps: list[tuple[str, str]] = []
        seen = {note_id}
        at = note_id
        while len(steps) < MAX_HOPS:
            if at in self._erased:
                return Resolved(note_id, at, tuple(steps), "erased")
            row = self.get(at)
            if row is None:
                return Resolved(note_id, at, tuple(steps), "unknown")
            if row.status == "active":
                return Resolved(note_id, at, tuple(steps), "live")
            if not row.by:
                return Resolved(note_id, at, tuple(steps), "retired")
            if row.by in seen:
                return Resolved(note_id, at, tuple(steps), "cycle")
            steps.append(("same" if row.reason == SAME else "superseded", row.by))
            at = row.by
            seen.add(at)
        return Resolved(note_id, at, tuple(steps), "hop_limit")


def is_expired(row: Standing, now: datetime) -> bool:
    """Return whether a note was to last no longer."""
    return row.note.expires is not None and row.note.expires <= now


def live_hash(note: Note) -> str:
    """Return what two notes with the same statement for the same readers share; empty for a task: it may recur."""
    if note.type == "status" and "state" in note.facets:
        return ""
    text = " ".join(unicodedata.normalize("NFC", note.text).split())
    return blake2b("\0".join((text, note.type, _place(note))).encode(), digest_size=16).hexdigest()


def _place(note: Note) -> str:
    """Return who reads a note, as one word."""
    return f"branch:{note.branch}" if note.scope == "branch" else note.scope


def _carried(known: tuple[Anchor, ...], told: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
    """Return what a note is about, with what a rename or move carried along under its new name.

    Whoever found the move may not have known all that the note is about: that stays, and so does what was confirmed.
    """

    def along(anchor: Anchor) -> Anchor:
        for other in told:
            if other.node != anchor.node and (anchor.node in other.was or other.node in anchor.was):
                is_renamed = _last(other.node) != _last(anchor.node)
                base = other.base if is_renamed else anchor.base
                return msgspec.structs.replace(anchor, node=other.node, was=other.was, base=base)
        return anchor

    about = tuple(along(anchor) for anchor in known)
    return about if len({anchor.node for anchor in about}) == len(about) else known


def _last(node: str) -> str:
    return node.partition("::")[2].rpartition(".")[2]


def _joined(first: Note, other: Note) -> Note:
    """Return a note with what another of the same statement adds."""
    nodes = {anchor.node for anchor in first.about}
    about: list[Anchor] = [*first.about, *(anchor for anchor in other.about if anchor.node not in nodes)]
    return msgspec.structs.replace(
        first,
        about=tuple(about),
        tags=tuple(dict.fromkeys((*first.tags, *other.tags))),
        facets={**other.facets, **first.facets},
    )
