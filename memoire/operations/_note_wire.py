"""The published shapes of notes, and how they are filled; what all memory tools have in common."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import msgspec

from memoire.errors import InvalidArgumentError, UnknownNoteError, UnknownPathError, WrongProjectError
from memoire.memory import Memory
from memoire.notes.book import Book, is_expired
from memoire.notes.model import NOTE, Anchor, Note, Standing
from memoire.notes.verdicts import is_stale
from memoire.notes.writing import claim_of
from memoire.operations._lookup import locate
from memoire.operations._wire import wire_time

NEAR = 3
_RESTS_ON = frozenset(("supports", "part_of"))
"""Relations over which doubt about one note reaches another."""
ALIASES = {
    "content": "text",
    "body": "text",
    "q": "query",
    "search": "query",
    "file": "files",
    "paths": "files",
    "id": "ids",
    "note_id": "ids",
    "memory_type": "type",
    "kind": "type",
    "entities": "about",
    "topk": "limit",
    "k": "limit",
}
"""Names that other systems give to arguments -> ours."""


class Cause(msgspec.Struct, frozen=True):
    """What made something that a note is about what it is now."""

    event: str | None
    commit: str | None
    what: str | None
    since: datetime


class AnchorState(msgspec.Struct, frozen=True):
    """What became of one thing that a note is about."""

    entity: str
    state: str
    was: str | None
    """Its name before, where it was carried along."""
    now: str | None
    """Where it stands, if it moved; what is missing, if the note is contradicted."""
    cause: Cause | None
    """Null where it was so when it was first looked at."""


class Freshness(msgspec.Struct, frozen=True):
    """Whether a note is still true, as far as the code it is about tells."""

    state: Annotated[str, msgspec.Meta(description="fresh, stale, suspect, unknown.")]
    since: datetime | None
    anchors: list[AnchorState]


class Valid(msgspec.Struct, frozen=True, rename={"since": "from", "until": "to"}):
    """When a note was true of the project."""

    since: datetime
    until: datetime | None


class NoteHit(msgspec.Struct, frozen=True):
    """One note, as every answer shows it."""

    id: str
    path: str
    claim: str
    type: str
    certainty: str
    status: str
    about: list[str]
    freshness: Freshness
    valid: Valid
    superseded_by: str | None
    why_matched: list[str]


def hit(memory: Memory, row: Standing, why: Sequence[str] = ()) -> NoteHit:
    """Return the wire form of a note."""
    note, book = row.note, memory.notes.book
    withheld = memory.notes.withheld.get(note.id)
    return NoteHit(
        id=note.id,
        path=book.path_of(note.id) if book.get(note.id) is not None else note.path,
        claim=f"[withheld: {withheld}]" if withheld else claim_of(note.text),
        type=note.type,
        certainty=note.certainty,
        status="expired" if row.status == "active" and is_expired(row, memory.now()) else row.status,
        about=[anchor.node for anchor in note.about],
        freshness=freshness(memory, row),
        valid=Valid(wire_time(note.valid_from), None if row.valid_to is None else wire_time(row.valid_to)),
        superseded_by=row.by or None,
        why_matched=list(why),
    )


def freshness(memory: Memory, row: Standing) -> Freshness:
    """Return what became of what a note is about."""
    judged = {one.node: one for one in memory.verdicts.of(row)}
    states, is_stale_one, is_known, since = [], False, False, None
    for anchor in row.note.about:
        one = judged.get(anchor.node)
        if one is None:
            states.append(AnchorState(anchor.node, _of_note(memory, anchor), None, None, None))
            continue
        was = anchor.was[-1] if anchor.was else None
        cause = None
        if one.since is not None:
            cause = Cause(one.cause or None, one.commit[:12] or None, one.what or None, wire_time(one.since))
        state = "carried" if was and one.state in {"fresh", "cosmetic"} else one.state
        states.append(AnchorState(anchor.node, state, was, one.now or None, cause))
        is_known |= one.state not in {"unknown", "unparsed"}
        if is_stale(one):
            is_stale_one = True
            node = memory.graph.node(anchor.node.partition("::")[0])
            at = one.since or (node.changed_at if node is not None else None)
            since = max(filter(None, (since, at)), default=None)
    state = "stale" if is_stale_one else "fresh" if is_known else "unknown"
    if state != "stale" and _rests_on_stale(memory, row):
        state = "suspect"
    return Freshness(state, None if since is None else wire_time(since), states)


def _of_note(memory: Memory, anchor: Anchor) -> str:
    row = memory.notes.book.get(anchor.node.removeprefix(NOTE))
    return "gone" if row is None else "fresh" if row.status == "active" else "changed"


def _rests_on_stale(memory: Memory, row: Standing) -> bool:
    """Return whether a note that this one supports or is part of, directly or through others, is stale."""
    seen, todo = {row.note.id}, [row]
    while todo:
        names = {link.to for link in todo.pop().links if link.rel in _RESTS_ON} - seen
        seen |= names
        for other in filter(None, map(memory.notes.book.get, sorted(names))):
            if other.status != "active":
                continue
            if any(map(is_stale, memory.verdicts.of(other))):
                return True
            todo.append(other)
    return False


def node_of(memory: Memory, address: str) -> str:
    """Return the node id that an address means: of the project, or a note; empty where it means none."""
    bare = address.strip()
    if bare.startswith(NOTE):
        found = memory.notes.book.find(bare)
        return f"{NOTE}{found}" if found else ""
    try:
        place = locate(memory, bare)
    except UnknownPathError:
        return ""
    return f"{place.path}::{place.symbol}" if place.symbol else place.path


def about_of(memory: Memory, address: str) -> str:
    """Return what notes are to be about: the node that an address means, else the address itself; empty = anything."""
    bare = address.strip()
    return node_of(memory, bare) or bare if bare else ""


def find(memory: Memory, address: str) -> str:
    """Return the id of the note that an id, path or key means.

    Raises:
        UnknownNoteError: There is none; names its siblings.
    """
    book = memory.notes.book
    found = book.find(address.strip())
    if found:
        return found
    raise UnknownNoteError(address, siblings(book, address))


def siblings(book: Book, address: str) -> list[str]:
    """Return paths of notes near an address that means none."""
    folder = address.strip().removeprefix(NOTE).rpartition("/")[0]
    near = sorted(path for path in book.paths() if folder and path.startswith(f"{folder}/"))
    return near[:NEAR]


def check_project(memory: Memory, named: str, *, is_required: bool = False) -> None:
    """Check that the project that a caller names is this one.

    Raises:
        WrongProjectError: It is another, or none was named where one must be.
    """
    if named == memory.project_id or (not named and not is_required):
        return
    what = f"{named!r} is not the open project" if named else "Name the project"
    raise WrongProjectError(f"{what}; it is {memory.project_id!r}")


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which notes a caller wants to see."""

    types: Sequence[str] = ()
    tags: Sequence[str] = ()
    facets: Sequence[str] = ()
    about: str = ""
    certainty: Sequence[str] = ()
    status: str = "active"
    scope: str = ""
    since: datetime | None = None
    until: datetime | None = None


def passes(memory: Memory, row: Standing, wanted: Filter) -> bool:
    """Return whether a note is one that is wanted. Tasks and other states of things only where they are asked for."""
    note = row.note
    is_status = wanted.status in {"any", row.status}
    if not is_status or (wanted.status == "active" and is_expired(row, memory.now())):
        return False
    if note.scope == "branch" and note.branch != memory.as_of().branch and wanted.status != "any":
        return False
    if is_task(note) and not (wanted.types or wanted.facets or wanted.status == "any"):
        return False
    return (
        (note.type in wanted.types if wanted.types else True)
        and (not wanted.tags or bool(set(wanted.tags) & set(note.tags)))
        and _has_facets(note, wanted.facets)
        and (not wanted.certainty or note.certainty in wanted.certainty)
        and (not wanted.about or any(_is_about(anchor.node, wanted.about) for anchor in note.about))
        and (not wanted.scope or _is_below(note, wanted.scope))
        and (wanted.since is None or note.valid_from >= wanted.since)
        and (wanted.until is None or note.valid_from < wanted.until)
    )


def is_task(note: Note) -> bool:
    """Return whether a note is something to be done: a state of things whose own state is told."""
    return note.type == "status" and "state" in note.facets


def _has_facets(note: Note, wanted: Sequence[str]) -> bool:
    """Same name: one of the values; different names: each."""
    by_name: dict[str, set[str]] = {}
    for each in wanted:
        name, separator, value = each.partition("=")
        if not separator:
            raise InvalidArgumentError("facets", f"{each!r} is not of the form name=value")
        by_name.setdefault(" ".join(name.split()), set()).add(" ".join(value.split()))
    return all(note.facets.get(name) in values for name, values in by_name.items())


def _is_about(node: str, wanted: str) -> bool:
    """Return whether a note about a node is one about what is asked: the node, or one inside it."""
    return (
        node == wanted
        or node.startswith((f"{wanted}::", f"{wanted}."))
        or (wanted.endswith("/") and node.startswith(wanted))
    )


def _is_below(note: Note, prefix: str) -> bool:
    bare = prefix.strip().lstrip("/")
    return note.path.startswith(bare) or any(anchor.node.startswith(bare) for anchor in note.about)
