"""Use it to change notes without losing history: supersede (new text, the old one kept), edit metadata (set),
archive, deprecate, restore, link, unlink. Never edits a statement in place."""  # noqa: D205, D209

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

import msgspec

from memoire.errors import InvalidArgumentError, MemoryRefusedError, UnknownNoteError
from memoire.memory import Memory
from memoire.notes import writing
from memoire.notes.anchors import baseline
from memoire.notes.keeper import Author
from memoire.notes.model import Anchor, Connect, Disconnect, Link, Note, Op, Put, Relation, Restore, Retire, Standing
from memoire.operations._note_wire import ALIASES, check_project, find, node_of
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, describe
from memoire.operations.memory_write import Draft
from memoire.validation import problem_of

_Name = Annotated[str, msgspec.Meta(max_length=512)]
_SETTABLE = (
    "type", "title", "why", "details", "about", "watch", "tags", "facets", "certainty", "importance", "confidence",
    "expires", "subject", "attribute", "key",
)  # fmt: skip


class Params(msgspec.Struct, frozen=True):
    """What `memory_revise` takes."""

    action: Literal["supersede", "edit", "archive", "deprecate", "restore", "link", "unlink"]
    ids: Annotated[list[_Name], msgspec.Meta(max_length=100, description="Ids, paths or keys.")] = []
    match: Annotated[str, msgspec.Meta(max_length=2000, description="Instead of ids: the best note for this.")] = ""
    text: Annotated[str, msgspec.Meta(description="Of the note that supersedes.")] = ""
    reason: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    superseded_by: Annotated[_Name, msgspec.Meta(description="Of deprecate: the note in its place.")] = ""
    set: Annotated[dict[str, Any], msgspec.Meta(description=f"Of edit: {', '.join(_SETTABLE)}.")] = {}
    rel: Relation | msgspec.UnsetType = msgspec.UNSET
    to: _Name = ""
    strength: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0
    at: Annotated[str, msgspec.Meta(max_length=40, description="When it changed.")] = ""
    author: _Name = ""
    session: _Name = ""
    project: _Name = ""


class Revised(msgspec.Struct, frozen=True):
    """What became of one note."""

    id: str
    path: str
    status: str
    changed: bool
    new_id: str | None
    new_path: str | None


class Result(msgspec.Struct, frozen=True):
    """What `memory_revise` gives."""

    results: list[Revised]
    matched: Annotated[str | None, msgspec.Meta(description="The note that `match` found.")]
    tx: str | None
    written_to: str


async def run(memory: Memory, params: Params) -> Result:
    """Change the notes as one transaction.

    Raises:
        WrongProjectError: Another project is named.
        UnknownNoteError: No note is called so.
        InvalidArgumentError: What the action needs is missing.
        MemoryRefusedError: The text is refused; a note would supersede itself.
        StoreUnavailableError: The journal cannot be written.
    """
    check_project(memory, params.project)
    await memory.settle(SETTLE_S)
    async with memory.notes.turn() as turn:
        names = _named(memory, params)
        rows = [row for name in names if (row := turn.book.get(name)) is not None]
        if len(rows) < len(names):
            gone = next(name for name in names if turn.book.get(name) is None)
            raise MemoryRefusedError(f"{gone} was erased")
        made: dict[str, Note] = {}
        ops: list[Op] = []
        touched: set[str] = set()
        for row in rows:
            found = _ops(memory, params, row, made)
            ops += found
            if found:
                touched.add(row.note.id)
        transaction = await turn.write(ops, Author(by=params.author, session=params.session))
        results = [_revised(memory, name, made.get(name), changed=name in touched) for name in names]
    matched = names[0] if params.match.strip() else None
    return Result(results, matched, None if transaction is None else transaction.tx, memory.project_id)


def _named(memory: Memory, params: Params) -> list[str]:
    """Return the ids of the notes that are meant; of a match, the live note that answers it best.

    Raises:
        InvalidArgumentError: Both ids and a match are given, or neither.
        UnknownNoteError: No note is called so, or has a word of the match.
    """
    if bool(params.ids) == bool(params.match.strip()):
        raise InvalidArgumentError("ids", "give either ids or match")
    if params.ids:
        return list(dict.fromkeys(find(memory, address) for address in params.ids))
    live = {row.note.id for row in memory.notes.book.active(memory.now())}
    scores = memory.notes.words().scores(params.match)
    best = max(live & scores.keys(), key=lambda name: (scores[name], name), default="")
    if not best:
        raise UnknownNoteError(params.match)
    return [best]


def _ops(memory: Memory, params: Params, row: Standing, made: dict[str, Note]) -> list[Op]:
    name = row.note.id
    match params.action:
        case "supersede":
            made[name] = _successor(memory, params, row)
            return _superseding(row, made[name], params.reason)
        case "edit":
            return _edited(memory, params, row)
        case "archive" | "deprecate":
            return _retired(memory, params, row)
        case "restore":
            return [] if row.status == "active" else [Restore(name, params.reason)]
        case "link":
            return _linked(memory, params, row)
        case _:
            rel, to = _target(memory, params)
            is_there = any((link.rel, link.to) == (rel, to) for link in row.links)
            return [Disconnect(name, rel, to, params.reason)] if is_there else []


def _successor(memory: Memory, params: Params, row: Standing) -> Note:
    """Return the note that stands in the place of one, with all but its statement taken over."""
    if len(params.ids) > 1:  # a match is one
        raise InvalidArgumentError("ids", "one note is superseded at a time: each needs a text of its own")
    if row.status == "superseded":
        raise MemoryRefusedError(f"{row.note.id} was superseded by {row.by}; supersede that one")
    old = row.note
    text = writing.checked_text(params.text)
    since = writing.moment(params.at, "at") if params.at.strip() else memory.now()
    note = msgspec.structs.replace(
        old,
        id=writing.new_id(),
        version=1,
        text=text,
        title="",
        about=_based(memory, old.about, text),
        valid_from=since,
        valid_to=None,
        author=params.author or old.author,
        session=params.session,
    )
    book = memory.notes.book
    if twin := book.with_statement(note):
        raise MemoryRefusedError(f"{twin} says that already; use deprecate with superseded_by={twin!r}")
    taken = set(book.paths())
    return msgspec.structs.replace(note, path=writing.place_of(note, taken.__contains__))


def _superseding(row: Standing, note: Note, reason: str) -> list[Op]:
    old = row.note.id
    retired = Retire(old, "superseded", by=note.id, valid_to=note.valid_from, reason=reason)
    # Its key and place are free only once the old one is retired.
    return [retired, Put(note), Connect(note.id, Link("supersedes", old), reason)]


def _edited(memory: Memory, params: Params, row: Standing) -> list[Op]:
    unknown = [name for name in params.set if name not in _SETTABLE]
    if unknown or not params.set:
        what = f"{unknown[0]!r} cannot be set" if unknown else "is empty"
        hint = "; supersede changes the text" if "text" in unknown else ""
        raise InvalidArgumentError("set", f"{what}{hint}", _SETTABLE)
    try:
        draft = msgspec.convert({"text": row.note.text, **params.set}, Draft, strict=False)
    except msgspec.ValidationError as error:
        where, problem = problem_of(error, msgspec.json.schema(Draft))
        raise InvalidArgumentError(f"set.{where}" if where else "set", problem) from error
    note = row.note
    changes = {**_new_texts(draft, params.set), **_new_bindings(memory, draft, params.set, note)}
    edited = msgspec.structs.replace(note, version=note.version + 1, **changes)
    is_same = msgspec.structs.replace(edited, version=note.version) == note
    return [] if is_same else [Put(edited)]


def _new_texts(draft: Draft, given: Collection[str]) -> dict[str, Any]:
    """Return the fields that stand for themselves."""
    changes: dict[str, Any] = {}
    for name in ("title", "why", "details", "subject", "attribute"):
        if name in given:
            value = str(getattr(draft, name))
            changes[name] = writing.checked_text(value, name) if value.strip() else ""
    changes |= {name: getattr(draft, name) for name in ("certainty", "importance", "confidence") if name in given}
    if "facets" in given:
        changes["facets"] = writing.facets_of(draft.facets)
    if "key" in given:
        changes["key"] = writing.checked_key(draft.key)
    return changes


def _new_bindings(memory: Memory, draft: Draft, given: Collection[str], note: Note) -> dict[str, Any]:
    """Return the fields that depend on others of the note, or on the project."""
    kind = writing.type_of(draft.type) if "type" in given else note.type
    changes: dict[str, Any] = {"type": kind}
    if "about" in given or "watch" in given:
        named = draft.about if "about" in given else [anchor.node for anchor in note.about]
        about, _ = writing.anchors_of(named, draft.watch or None, kind, lambda address: node_of(memory, address))
        changes["about"] = _based(memory, about, note.text)
    if "tags" in given:
        changes["tags"] = writing.tags_of(draft.tags, note.text)
    if "expires" in given:
        changes["expires"] = writing.expiry_of(draft.expires, kind, memory.now())
    return changes


def _retired(memory: Memory, params: Params, row: Standing) -> list[Op]:
    by = find(memory, params.superseded_by) if params.superseded_by.strip() else ""
    if by == row.note.id:
        raise MemoryRefusedError(f"{by} cannot supersede itself")
    status: Literal["superseded", "deprecated", "archived"]
    status = "archived" if params.action == "archive" else "superseded" if by else "deprecated"
    if row.status == status and row.by == by:
        return []
    end = writing.moment(params.at, "at") if params.at.strip() else None
    return [Retire(row.note.id, status, by=by, valid_to=end, reason=params.reason)]


def _linked(memory: Memory, params: Params, row: Standing) -> list[Op]:
    rel, to = _target(memory, params)
    if to == row.note.id:
        raise MemoryRefusedError(f"{to} cannot be linked to itself")
    link = Link(rel, to, params.strength)
    return [] if link in row.links else [Connect(row.note.id, link, params.reason)]


def _target(memory: Memory, params: Params) -> tuple[Relation, str]:
    if params.rel is msgspec.UNSET or not params.to.strip():
        raise InvalidArgumentError(
            "rel" if params.rel is msgspec.UNSET else "to", f"is missing: {params.action} needs rel and to"
        )
    return params.rel, find(memory, params.to)


def _based(memory: Memory, about: Sequence[Anchor], text: str) -> tuple[Anchor, ...]:
    """Return anchors with what their nodes are now."""
    world, commit = memory.verdicts.world, memory.as_of().commit
    return tuple(
        msgspec.structs.replace(anchor, base=baseline(anchor.node, text, world, commit) or anchor.base)
        for anchor in about
    )


def _revised(memory: Memory, name: str, new: Note | None, *, changed: bool) -> Revised:
    book = memory.notes.book
    row = book.get(name)
    return Revised(
        id=name,
        path=book.path_of(name),
        status=row.status if row is not None else "erased",
        changed=changed,
        new_id=None if new is None else new.id,
        new_path=None if new is None else new.path,
    )


OPERATION = Operation(
    name="memory_revise",
    title="Revise notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes revise",
    read_only=False,
    aliases=ALIASES,
)
