"""Keeps what became of the nodes that live notes are about, and judges anew what a change may have touched. Pure.

Law: after any sequence of changes, what is kept equals what judging all from scratch gives. An anchor rests on the file
of its node and on those of the definitions that this calls. One whose node is not where it was rests on the whole
project, as the node may turn up anywhere.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

import msgspec

from memoire.model import Event, Judgement, parse_path
from memoire.notes.anchors import STALE, World, carried, compare, fingerprint, told
from memoire.notes.book import Book
from memoire.notes.model import NOTE, Anchor, Bind, Standing

_SETTLED = frozenset(
    ("fresh", "cosmetic", "typed", "changed", "signature", "contradicted", "upstream_changed", "unknown")
)
"""States of a node that is where it was: only its own files can change them."""
_PACKAGE = "pkg:"


class Touched(NamedTuple):
    """What a change may have touched."""

    paths: Collection[str] = ()
    """Files that are new, changed or gone."""
    packages: bool = False
    """Whether an import of an external package came or went."""
    names: bool = False
    """Whether files are known under other names: what is not where it was may be found."""


class Moment(NamedTuple):
    """When a change was taken in, and what tells of it."""

    at: datetime
    commit: str = ""
    events: Mapping[str, str] = {}
    """Path -> id of the event that tells of its change."""


class Turn(NamedTuple):
    """One node of a note of which something else is said now."""

    before: Judgement
    now: Judgement

    @property
    def matters(self) -> bool:
        """Whether the note became stale, is so for another reason, or is so no longer."""
        was, is_now = is_stale(self.before), is_stale(self.now)
        return was != is_now or (is_now and self.before.state != self.now.state)


class Along(NamedTuple):
    """A note that goes along with what it is about."""

    bind: Bind
    names: tuple[tuple[str, str], ...]
    """(before, now) of the nodes that are called otherwise."""


def is_stale(judged: Judgement) -> bool:
    """Return whether a note is stale by what became of one node."""
    return any(judged.watch == watch and judged.state in states for watch, states in STALE.items())


class Verdicts:
    """What is kept of the notes of one project.

    Args:
        book: Its notes.
        world: The project.
        is_level: Whether the tree was compared with what is known of it: before, files are only not yet seen.
    """

    def __init__(self, book: Book, world: World, is_level: Callable[[], bool] = lambda: True) -> None:
        self.world = world
        self._is_level = is_level
        self._book = book
        self._version = -1
        self._rows: dict[str, Standing] = {}
        self._kept: dict[str, dict[str, Judgement]] = {}
        self._unjudged: set[str] = set()
        self._loose: set[str] = set()
        self._folders: set[str] = set()
        self._packages: set[str] = set()
        self._resting: dict[str, set[str]] = {}
        self._news: dict[tuple[str, str], Judgement | None] = {}
        """(note, node) -> what is not stored yet; None = it is about that no longer."""

    # ---- asking

    def of(self, row: Standing) -> tuple[Judgement, ...]:
        """Return what became of each node that a note is about, other notes aside, in their order."""
        self._follow()
        note = row.note.id
        if self._rows.get(note) is not row:
            return tuple(self._judged(note, anchor, self.world) for anchor in _anchors(row))
        if note in self._unjudged:
            if not self._is_level():
                return tuple(self._judged(note, anchor, self.world) for anchor in _anchors(row))
            self._judge(row, self.world, None)
        kept = self._kept.get(note, {})
        return tuple(kept[anchor.node] for anchor in _anchors(row))

    def kept(self) -> dict[tuple[str, str], Judgement]:
        """Return (note, node) -> what is kept."""
        self._follow()
        return {(note, node): one for note, judged in self._kept.items() for node, one in judged.items()}

    # ---- storing

    def restore(self, judged: Iterable[Judgement]) -> None:
        """Take in what was stored; what is of another anchor than the note has today leaves the store."""
        self._follow()
        for one in judged:
            row = self._rows.get(one.note)
            anchor = next((each for each in _anchors(row) if each.node == one.node), None) if row is not None else None
            if anchor is None:
                self._news[one.note, one.node] = None
            elif fingerprint(anchor) == one.of:
                self._keep(one)
        for note, row in self._rows.items():
            if len(self._kept.get(note, ())) == len(_anchors(row)):
                self._unjudged.discard(note)
            self._loosen(note)

    def take(self) -> tuple[list[Judgement], list[tuple[str, str]]]:
        """Return what is not stored yet, and what is to leave the store: whoever asks writes it."""
        self._follow()
        news, self._news = self._news, {}
        return [one for one in news.values() if one], [key for key, one in news.items() if one is None]

    # ---- judging

    def judging(self, touched: Touched, moment: Moment, world: World) -> Generator[None, None, list[Turn]]:
        """Judge what a change may have touched; return what turned. Yields between notes.

        Args:
            touched: What changed.
            moment: When, and what tells of it.
            world: The project as the change leaves it.
        """
        self._follow()
        names = {note for path in touched.paths for note in self._resting.get(path, ())} | self._unjudged
        if touched.paths:
            names |= self._folders
        if touched.paths or touched.names:
            names |= self._loose
        if touched.packages:
            names |= self._packages
        turns: list[Turn] = []
        for note in sorted(names):
            if (row := self._rows.get(note)) is not None:
                turns += self._judge(row, world, moment)
            yield
        return turns

    def moved(self, world: World) -> list[Along]:
        """Return the notes that go along: what they are about stands elsewhere, and in one place only."""
        self._follow()
        found = []
        for note in sorted(self._loose):
            old = self._rows[note].note.about
            taken = {anchor.node for anchor in old}
            places = {one.node: one.place for one in self._kept.get(note, {}).values() if one.place not in taken}
            about = tuple(
                carried(anchor, places[anchor.node], world) if places.get(anchor.node) else anchor for anchor in old
            )
            names = tuple((one.node, other.node) for one, other in zip(old, about, strict=True) if one != other)
            if names and len({anchor.node for anchor in about}) == len(about):
                found.append(Along(Bind(note, about, "carried"), names))
        return found

    def retold(self, events: Iterable[Event]) -> None:
        """Let what is told by an event be told by the one that replaces it."""
        by = {event.replaces: event.id for event in events if event.replaces}
        if not by:
            return
        for one in [one for judged in self._kept.values() for one in judged.values() if one.cause in by]:
            self._learn(msgspec.structs.replace(one, cause=by[one.cause]))

    def _judge(self, row: Standing, world: World, moment: Moment | None) -> list[Turn]:
        note, turns = row.note.id, []
        kept = self._kept.get(note, {})
        for anchor in _anchors(row):
            old = kept.get(anchor.node)
            new = self._judged(note, anchor, world, moment, old)
            if new != old:
                self._learn(new)
            if old is not None and (old.state, old.now) != (new.state, new.now):
                turns.append(Turn(old, new))
        self._unjudged.discard(note)
        self._loosen(note)
        return turns

    def _judged(
        self, note: str, anchor: Anchor, world: World, moment: Moment | None = None, old: Judgement | None = None
    ) -> Judgement:
        found, of = compare(anchor, world), fingerprint(anchor)
        new = Judgement(
            note, anchor.node, of, anchor.watch, found.state, found.now, found.node, what=told(found, anchor.node)
        )
        if old is not None and (old.state, old.now, old.place) == (new.state, new.now, new.place):
            if old.of == of:
                return old
            return msgspec.structs.replace(old, of=of, watch=anchor.watch)
        if old is None or moment is None:
            return new
        path = parse_path(anchor.node)[0]
        cause = moment.events.get(path) or moment.events.get(parse_path(found.node)[0], "")
        return msgspec.structs.replace(new, since=moment.at, cause=cause, commit=moment.commit)

    # ---- following the book

    def _follow(self) -> None:
        """Know the notes as they are now: what is new is to be judged, what left is to leave the store."""
        if self._version == self._book.version:
            return
        now = {row.note.id: row for row in self._book.current() if row.status == "active"}
        for note in [note for note, row in self._rows.items() if now.get(note) is not row]:
            self._unindex(note)
        for note, row in now.items():
            if self._rows.get(note) is not row:
                self._index(note, row)
        for note in self._kept.keys() - now.keys():
            self._news |= dict.fromkeys(((note, node) for node in self._kept.pop(note)), None)
            self._unjudged.discard(note)
            self._loose.discard(note)
        self._rows, self._version = now, self._book.version

    def _index(self, note: str, row: Standing) -> None:
        anchors = _anchors(row)
        for path in {path for anchor in anchors for path in _paths(anchor)}:
            self._resting.setdefault(path, set()).add(note)
        if any(anchor.node.endswith("/") for anchor in anchors):
            self._folders.add(note)
        if any(anchor.node.startswith(_PACKAGE) for anchor in anchors):
            self._packages.add(note)
        nodes = {anchor.node: fingerprint(anchor) for anchor in anchors}
        kept = self._kept.get(note, {})
        left = [kept.pop(node) for node in [node for node in kept if node not in nodes]]
        for one in left:
            self._news[note, one.node] = None
        for anchor in anchors:
            before = next((one for one in left if one.node in anchor.was or one.place == anchor.node), None)
            if before is not None and anchor.node not in kept:  # carried along, with what is known of it
                kept[anchor.node] = msgspec.structs.replace(before, node=anchor.node, of="", now="", place="")
        if any(node not in kept or kept[node].of != of for node, of in nodes.items()):
            self._unjudged.add(note)

    def _unindex(self, note: str) -> None:
        for path in {path for anchor in _anchors(self._rows[note]) for path in _paths(anchor)}:
            resting = self._resting.get(path, set())
            resting.discard(note)
            if not resting:
                self._resting.pop(path, None)
        self._folders.discard(note)
        self._packages.discard(note)
        self._unjudged.discard(note)

    def _learn(self, one: Judgement) -> None:
        self._keep(one)
        self._news[one.note, one.node] = one

    def _keep(self, one: Judgement) -> None:
        self._kept.setdefault(one.note, {})[one.node] = one

    def _loosen(self, note: str) -> None:
        is_loose = any(one.state not in _SETTLED or one.place for one in self._kept.get(note, {}).values())
        (self._loose.add if is_loose else self._loose.discard)(note)


def _anchors(row: Standing) -> Collection[Anchor]:
    """Return what a note is about beside other notes, each once: those stand in the book."""
    return {anchor.node: anchor for anchor in row.note.about if not anchor.node.startswith(NOTE)}.values()


def _paths(anchor: Anchor) -> Iterable[str]:
    """Yield the files that an anchor rests on."""
    yield parse_path(anchor.node)[0]
    if anchor.base is not None:
        for name in anchor.base.upstream:
            yield parse_path(name)[0]
