"""Decides what becomes of entries that are taken in: new, known, changed, or not to be had. Writes nothing.

What is known is left alone: a second import of the same files comes to nothing. An entry that its source says otherwise
than before supersedes what it said; one that says the same with other metadata is edited; what was retired or erased
here since is not brought back.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from memoire.errors import MemoryRefusedError
from memoire.memory import Memory
from memoire.notes import writing
from memoire.notes.anchors import baseline
from memoire.notes.book import Book
from memoire.notes.exchange import decisions, rules
from memoire.notes.exchange._entry import SOURCE, Entry
from memoire.notes.model import (
    Anchor,
    Connect,
    Link,
    Note,
    NoteType,
    Op,
    Opened,
    Put,
    Rate,
    Retire,
    Scope,
    Signal,
    Standing,
)
from memoire.operations._mentioned import mentioned
from memoire.operations._note_relations import Conflict, compare
from memoire.operations._note_wire import node_of

_ID = re.compile(r"n[0-9a-z]{9}")
_BREATHE = 25
"""Entries after which others may be answered."""
_SIGNALS: dict[str, Signal] = {"positive": "positive", "negative": "negative", "neutral": "neutral"}
_CUT = "\n\n(The rest is in {}.)"

_Statement = tuple[str, str, str, str]


class Decided(NamedTuple):
    """What is to become of one entry."""

    entry: Entry
    action: str
    """create, duplicate, edit, supersede, retire, refuse, skip."""
    note: Note | None = None
    existing: str = ""
    """The note that it is, changes or stands in the place of."""
    why: str = ""
    code: str = ""
    conflicts: tuple[Conflict, ...] = ()
    similar: tuple[str, ...] = ()
    ops: tuple[Op, ...] = ()


class Importer:
    """The entries of one import, each decided with those before it.

    Args:
        memory: The project.
        book: Its notes, which nobody changes meanwhile.
    """

    def __init__(self, memory: Memory, book: Book) -> None:
        self._memory = memory
        self._book = book
        self._world = memory.verdicts.world
        self._now = memory.now()
        self._ids: dict[str, str] = {}
        """What entries are called -> the ids of their notes."""
        self._paths = set(book.paths())
        self._keys: dict[tuple[str, str], str] = {}
        self._statements: dict[_Statement, str] = {}
        for row in sorted(book.current(), key=lambda row: (row.status == "active", row.tx)):
            self._statements[_statement(row.note)] = row.note.id
        self._has_notes = bool(self._statements)

    async def decide(self, entries: Sequence[Entry]) -> list[Decided]:
        """Return what becomes of each entry, in their order."""
        # What no longer holds comes first: so that it does not pass for the same as what does.
        order = sorted(range(len(entries)), key=lambda at: entries[at].status == "active")
        found: dict[int, Decided] = {}
        for count, at in enumerate(order, start=1):
            found[at] = self._decide(entries[at])
            if not count % _BREATHE:
                await asyncio.sleep(0)
        created = {
            one.note.id for one in found.values() if one.note is not None and one.action in {"create", "supersede"}
        }
        return [self._tied(found[at], created) for at in range(len(entries))]

    def _decide(self, entry: Entry) -> Decided:
        try:
            return self._decided(entry)
        except MemoryRefusedError as error:
            return Decided(entry, "refuse", why=error.why, code=error.err)

    def _decided(self, entry: Entry) -> Decided:
        if entry.is_ours and self._book.is_erased(entry.id):
            return Decided(entry, "skip", why="it was erased here")
        note = self._note(entry)
        known = self._known(entry, note)
        if known is not None:
            self._call(entry, known.note.id)
            return self._again(entry, note, known)
        twin = self._statements.get(_statement(note), "")
        if twin and not self._is_restored(entry, twin):
            self._call(entry, twin)
            return self._told(entry, twin)
        holder = self._book.with_key(note) or self._keys.get((note.scope, note.key), "")
        if note.key and holder and entry.status == "active":
            why = f"key {note.key!r} belongs to {holder}, which says something else"
            return Decided(entry, "refuse", why=why, code="ERR_KEY_TAKEN")
        return self._created(entry, note, None)

    def _is_restored(self, entry: Entry, twin: str) -> bool:
        """Return whether an entry is a retired note of an export beside whose statement none is live."""
        row = self._book.get(twin)
        return entry.is_ours and entry.status != "active" and (row is None or row.status != "active")

    def _known(self, entry: Entry, note: Note) -> Standing | None:
        """Return the note that an entry is one more telling of, whatever it says now."""
        if entry.is_ours:
            return self._book.get(entry.id)
        row = self._book.get(self._book.with_key(note))
        is_same_source = row is not None and row.note.facets.get(SOURCE) == note.facets.get(SOURCE)
        return row if is_same_source else None

    def _told(self, entry: Entry, twin: str) -> Decided:
        """Return what becomes of an entry whose statement is there: what its source retired since is retired."""
        row = self._book.get(twin)
        if row is None:
            return Decided(entry, "duplicate", existing=twin, why="it stands in these files twice")
        if row.status != "active":
            return Decided(entry, "duplicate", existing=twin, why=f"known, and {row.status} here")
        if entry.status != "active" and row.note.facets.get(SOURCE) == entry.facets.get(SOURCE):
            return Decided(entry, "retire", existing=twin, why=entry.status, ops=(self._retire(entry, twin),))
        return Decided(entry, "duplicate", existing=twin)

    def _again(self, entry: Entry, note: Note, row: Standing) -> Decided:
        """Return what becomes of an entry whose note is there by its id or key."""
        old = row.note
        if _plain(old.text) != _plain(note.text):
            return self._changed(entry, note, row)
        if row.status != "active":
            return Decided(
                entry, "duplicate", existing=old.id, why="" if entry.status == row.status else f"{row.status} here"
            )
        edited = msgspec.structs.replace(
            note,
            id=old.id,
            path=old.path,
            text=old.text,
            version=old.version + 1,
            about=_kept(old.about, note.about, entry),
            valid_from=old.valid_from if entry.since is None else note.valid_from,
            valid_to=old.valid_to,
            scope=old.scope,
            branch=old.branch,
        )
        is_same = msgspec.structs.replace(edited, version=old.version) == old
        ops: list[Op] = [] if is_same else [Put(edited)]
        if entry.status != "active":
            ops.append(self._retire(entry, old.id))
        if not ops:
            return Decided(entry, "duplicate", existing=old.id)
        action = "edit" if entry.status == "active" else "retire"
        return Decided(entry, action, edited, old.id, entry.status if action == "retire" else "", ops=tuple(ops))

    def _changed(self, entry: Entry, note: Note, row: Standing) -> Decided:
        live = self._book.get(self._book.resolve(row.note.id).id)
        if live is not None and live.note.id != row.note.id and _plain(live.note.text) == _plain(note.text):
            return Decided(entry, "duplicate", existing=live.note.id)
        if row.status != "active":
            return Decided(
                entry, "skip", existing=row.note.id, why=f"it says something else now, and is {row.status} here"
            )
        twin = self._statements.get(_statement(note), "")
        if twin:
            return Decided(entry, "skip", existing=twin, why=f"{twin} says that already")
        return self._created(entry, note, row)

    def _created(self, entry: Entry, note: Note, old: Standing | None) -> Decided:
        """Return a new note, in the place of an old one where its source says something else now."""
        is_free = entry.is_ours and old is None and _ID.fullmatch(entry.id) and self._book.get(entry.id) is None
        note = msgspec.structs.replace(note, id=entry.id if is_free else writing.new_id())
        wanted = note.path if is_free and note.path and note.path not in self._paths else ""
        note = msgspec.structs.replace(note, path=wanted or writing.place_of(note, self._paths.__contains__))
        self._paths.add(note.path)
        if entry.status == "active" or not entry.is_ours:
            self._statements[_statement(note)] = note.id
        if note.key and entry.status == "active":
            self._keys[note.scope, note.key] = note.id
        if old is None:
            self._call(entry, note.id)
        else:
            self._ids[old.note.id] = note.id
        ops = _superseding(entry, note, old) if old is not None else (Put(note),)
        is_compared = self._has_notes and entry.status == "active"
        found = compare(self._memory, note) if is_compared else None
        conflicts = [one for one in found.conflicts if old is None or one.id != old.note.id] if found else []
        similar = tuple(one.id for one in found.near_duplicates) if found else ()
        action = "create" if old is None else "supersede"
        existing = "" if old is None else old.note.id
        return Decided(entry, action, note, existing, conflicts=tuple(conflicts), similar=similar, ops=ops)

    def _tied(self, one: Decided, created: set[str]) -> Decided:
        """Return what becomes of an entry with its links, successor and ratings, now that all have their ids."""
        entry, ops = one.entry, list(one.ops)
        name = one.note.id if one.note is not None else one.existing
        is_new = one.note is not None and one.note.id in created
        if is_new and entry.status != "active":
            ops.append(self._retire(entry, name))
        for tie in entry.ties if one.action not in {"refuse", "skip"} else ():
            to = self._target(tie.to)
            if to and to != name and (is_new or to in created):
                ops.append(Connect(name, Link(tie.rel, to, tie.strength)))
                if tie.rel == "supersedes" and not entry.is_ours:
                    ops.append(Retire(to, "superseded", by=name, valid_to=entry.since))
        if is_new:
            ops += [Rate(name, signal) for each in entry.ratings if (signal := _SIGNALS.get(each)) is not None]
            ops += [Opened(name, entry.opens)] if entry.opens > 0 else []
        ops = [msgspec.structs.replace(op, by=self._target(entry.by)) if _waits(op, entry) else op for op in ops]
        return one._replace(ops=tuple(ops))

    def _retire(self, entry: Entry, name: str) -> Retire:
        status = entry.status if entry.status != "active" else "archived"
        by = self._target(entry.by) if entry.by else ""
        return Retire(name, status, by=by, valid_to=entry.until, reason=entry.reason)

    def _call(self, entry: Entry, note_id: str) -> None:
        for name in filter(None, (entry.name, entry.id, decisions.numbered(entry.source))):
            self._ids.setdefault(name, note_id)

    def _target(self, name: str) -> str:
        found = self._ids.get(name, "")
        return found or (name if self._book.get(name) is not None else "")

    # ---- the note of an entry

    def _note(self, entry: Entry) -> Note:
        """Return the note of an entry, without an id.

        Raises:
            MemoryRefusedError: It must not be one.
        """
        kind = _type(entry)
        text = writing.checked_text(entry.text) if entry.is_ours or entry.line else _fitted(entry, "text")
        why, details = _fitted(entry, "why"), _fitted(entry, "details")
        scope: Scope = entry.scope or "project"
        return Note(
            id="",
            version=entry.version if entry.is_ours else 1,
            path=entry.path,
            key=_key(entry),
            type=kind,
            text=text,
            title=_checked(entry.title, "title"),
            why=why,
            details=details,
            about=self._about(entry, kind, "\n".join((text, why, details))),
            tags=writing.tags_of(entry.tags, text),
            facets=writing.facets_of(dict(entry.facets)),
            subject=_checked(entry.subject, "subject"),
            attribute=_checked(entry.attribute, "attribute"),
            certainty=entry.certainty,
            importance=entry.importance,
            confidence=entry.confidence,
            scope=scope,
            branch=entry.branch if scope == "branch" else "",
            valid_from=entry.since or self._now,
            valid_to=entry.until if entry.status == "active" else None,
            expires=entry.expires,
            author=_checked(entry.author, "author"),
            role=_checked(entry.role, "role"),
            session=entry.session,
            prompt=entry.prompt,
            turn=entry.turn,
        )

    def _find(self, address: str) -> str:
        """Return the node that an address means; one that cannot be any is not looked for: that takes long."""
        tree, path = self._memory.tree, address.removeprefix("./").rstrip("/").partition("::")[0]
        is_there = path in tree or tree.is_dir(path) or address.startswith(("pkg:", "note:", "/"))
        return node_of(self._memory, address) if is_there else ""

    def _about(self, entry: Entry, kind: NoteType, texts: str) -> tuple[Anchor, ...]:
        """Return what a note is about: as it was exported; else what its source names, and what its texts do."""
        declared, unknown = writing.anchors_of(entry.about, None, kind, self._find)
        # Where a file lies, and which files it is for, says something only in the project that it lies in.
        passed = set(unknown) & {entry.source, *(entry.about if rules.is_rules(entry.source) else ())}
        found = {anchor.node: anchor for anchor in (*entry.anchors, *declared) if anchor.node not in passed}
        if not entry.is_ours:
            # The file that it comes from says something else once it changes; what is only named must be there.
            watched = {node: "body" if node == entry.source else "exists" for node in found}
            for node in mentioned(texts, self._find, self._world.named):
                watched.setdefault(node, "exists")
            found = {node: Anchor(node, watch) for node, watch in watched.items()}  # type: ignore[arg-type]  # of the two
        commit = self._memory.as_of().commit
        fresh = {anchor.node for anchor in entry.anchors}
        return tuple(
            anchor
            if anchor.node in fresh
            else msgspec.structs.replace(anchor, base=baseline(anchor.node, texts, self._world, commit))
            for anchor in found.values()
        )


def _superseding(entry: Entry, note: Note, old: Standing) -> tuple[Op, ...]:
    """Return what puts a note in the place of another, whose key is free then."""
    name, reason = old.note.id, entry.reason or f"{entry.source} says so now"
    retired = Retire(name, "superseded", by=note.id, valid_to=note.valid_from, reason=reason)
    return (retired, Put(note), Connect(note.id, Link("supersedes", name), reason))


def _statement(note: Note) -> _Statement:
    """Return what two notes that say the same to the same readers share; of tasks their state as well."""
    state = note.facets.get("state", "") if note.type == "status" else ""
    return _plain(note.text), note.type, f"{note.scope}:{note.branch}", state


def _plain(text: str) -> str:
    return " ".join(text.split())


def _kept(old: Sequence[Anchor], new: Sequence[Anchor], entry: Entry) -> tuple[Anchor, ...]:
    """Return what a note is about after its source was read again: baselines stay but that of the source itself."""
    known = {anchor.node: anchor for anchor in old}
    if entry.is_ours:
        return tuple(
            held if (held := known.get(anchor.node)) is not None and held.watch == anchor.watch else anchor
            for anchor in new
        )
    renewed = {anchor.node: anchor for anchor in new if anchor.node == entry.source}
    added = tuple(anchor for anchor in new if anchor.node not in known)
    return (*(renewed.get(anchor.node, anchor) for anchor in old), *added)


def _waits(op: Op, entry: Entry) -> bool:
    return isinstance(op, Retire) and not op.by and bool(entry.by)


def _type(entry: Entry) -> NoteType:
    if entry.is_ours and entry.type == "digest":
        return "digest"
    try:
        return writing.type_of(entry.type)
    except MemoryRefusedError:
        return "reference"  # a word of another system


def _key(entry: Entry) -> str:
    try:
        return writing.checked_key(entry.key)
    except MemoryRefusedError:
        return ""


def _checked(text: str, what: str) -> str:
    return writing.checked_text(text, what) if text.strip() else ""


def _fitted(entry: Entry, name: str) -> str:
    """Return a text of a file that is one note, cut at a paragraph where it is too long, and saying so."""
    text = str(getattr(entry, name)).strip()
    if len(text) > writing.MAX_TEXT and not entry.is_ours:
        mark = _CUT.format(entry.source)
        text = text[: writing.MAX_TEXT - len(mark)]
        text = text[: text.rfind("\n\n")] if "\n\n" in text else text
        text += mark
    return writing.checked_text(text, name) if text or name == "text" else ""
