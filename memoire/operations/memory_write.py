"""Save what later sessions need: decisions and why, conventions, gotchas, constraints, preferences, status. Call it
when one was made or found. One fact per note; many in one call. Never save secrets, or guesses as fact. Atomic: the
first bad note aborts and is named notes[N], unless on_error=continue. An exact duplicate returns the existing
note."""  # noqa: D205, D209 - the tool's description

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from memoire.errors import (
    InvalidArgumentError,
    KeyTakenError,
    MemoryConflictError,
    MemoryRefusedError,
    UsageError,
    WeakMatchError,
)
from memoire.memory import Memory
from memoire.notes import writing
from memoire.notes.anchors import baseline
from memoire.notes.book import Book
from memoire.notes.keeper import Author
from memoire.notes.model import (
    Anchor,
    Certainty,
    Connect,
    Link,
    Note,
    Op,
    Put,
    Relation,
    Retire,
    Scope,
    Standing,
    Transaction,
)
from memoire.operations._note_relations import Conflict, Found, NearDuplicate, compare, likeness
from memoire.operations._note_wire import ALIASES, check_project, find, node_of
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, describe

MATCH_AT = 0.62
"""Likeness from which a match is the note that is meant. Source: the published rule of upserts."""
_MOST_ENDED = 20
_Name = Annotated[str, msgspec.Meta(max_length=512)]
_Long = Annotated[str, msgspec.Meta(max_length=2000)]


class LinkDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link to another note."""

    rel: Relation
    to: _Name
    strength: float = 1.0


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One note as it is given."""

    text: Annotated[str, msgspec.Meta(description="Markdown. First sentence = the claim.")]
    type: Annotated[
        str,
        msgspec.Meta(description="decision, convention, gotcha, constraint, reference, status, preference"),
    ] = "reference"
    about: Annotated[
        list[_Name],
        msgspec.Meta(max_length=20, description="path, path::symbol, dir/, pkg:name, person:name, note:id, URL"),
    ] = []
    watch: Annotated[
        Literal["body", "signature", "exists", "none", ""],
        msgspec.Meta(description="What change makes it stale; default by type."),
    ] = ""
    why: _Long = ""
    details: Annotated[str, msgspec.Meta(description="Kept, never quoted by recall.")] = ""
    title: _Name = ""
    tags: Annotated[list[_Name], msgspec.Meta(max_length=32)] = []
    facets: dict[str, Any] = {}
    certainty: Certainty = "inferred"
    importance: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5
    confidence: Annotated[float, msgspec.Meta(ge=0, le=1)] | msgspec.UnsetType = msgspec.UNSET
    at: Annotated[str, msgspec.Meta(max_length=40, description="When it became true.")] = ""
    expires: Annotated[str, msgspec.Meta(max_length=40, description="Date or days, e.g. 30d.")] = ""
    subject: _Name = ""
    attribute: _Name = ""
    key: Annotated[_Name, msgspec.Meta(description="Your own id; resending edits the same statement.")] = ""
    supersedes: _Name = ""
    reason: _Long = ""
    links: Annotated[list[LinkDraft], msgspec.Meta(max_length=20)] = []
    author: _Name = ""
    role: _Name = ""
    session: _Name = ""
    prompt: _Name = ""
    turn: _Name = ""
    scope: Literal["project", "branch", "personal", ""] = ""


class Params(msgspec.Struct, frozen=True):
    """What `memory_write` takes."""

    notes: Annotated[list[Draft], msgspec.Meta(min_length=1, max_length=500)]
    on_error: Literal["abort", "continue"] = "abort"
    on_conflict: Annotated[
        Literal["report", "last_wins", "refuse", "off"],
        msgspec.Meta(description="last_wins supersedes what a note contradicts."),
    ] = "report"
    similar_at: (
        Annotated[float, msgspec.Meta(ge=0, le=1, description="Likeness of a near duplicate.")] | msgspec.UnsetType
    ) = msgspec.UNSET
    match: Annotated[_Long, msgspec.Meta(description="Supersede the note this finds (one note only).")] = ""
    match_at: Annotated[float, msgspec.Meta(ge=0, le=1)] = MATCH_AT
    force: Annotated[bool, msgspec.Meta(description="Add even on a weak match.")] = False
    strict: Annotated[bool, msgspec.Meta(description="Refuse an unknown anchor instead of keeping it.")] = False
    dry_run: bool = False
    project: Annotated[_Name, msgspec.Meta(description="Must equal the open project.")] = ""
    author: Annotated[_Name, msgspec.Meta(description="Of all notes, as the next four.")] = ""
    role: _Name = ""
    session: _Name = ""
    prompt: _Name = ""
    turn: _Name = ""


class Anchors(msgspec.Struct, frozen=True):
    """What became of what a note is said to be about."""

    resolved: list[str]
    unknown: list[str]
    suggested: list[str]


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one note."""

    index: int
    action: Annotated[str, msgspec.Meta(description="created, deduped, edited, superseded, failed, skipped.")]
    id: str | None = None
    path: str | None = None
    deduped: bool = False
    existing_id: str | None = None
    superseded_id: str | None = None
    code: str | None = None
    error: str | None = None
    conflict: Annotated[Conflict | None, msgspec.Meta(description="The first note that says something else.")] = None
    conflicts: list[Conflict] = []
    near_duplicates: list[NearDuplicate] = []
    near_duplicates_degraded: Annotated[bool, msgspec.Meta(description="Compared by words alone, not by meaning.")] = (
        True
    )
    consolidated_into: Annotated[int | None, msgspec.Meta(description="Index of the note that replaced it.")] = None
    matched: Annotated[str | None, msgspec.Meta(description="The note that `match` found.")] = None
    anchors: Anchors | None = None
    size: Annotated[int | None, msgspec.Meta(description="Characters of the text; 8000 are allowed.")] = None


class Summary(msgspec.Struct, frozen=True):
    """How many of what."""

    total: int
    written: int
    deduped: int
    failed: int
    skipped: int
    consolidated: int


class Cascade(msgspec.Struct, frozen=True):
    """Older notes on the state of things that new ones may have ended."""

    ids: list[str]
    call: Annotated[str, msgspec.Meta(description="What retires them.")]


class Result(msgspec.Struct, frozen=True):
    """What `memory_write` gives."""

    results: list[Written]
    summary: Summary
    status_cascade: Cascade | None
    tx: str | None
    written_to: str
    dry_run: bool


class _Planned(NamedTuple):
    """One note that is to be written."""

    ops: tuple[Op, ...]
    written: Written


async def run(memory: Memory, params: Params) -> Result:
    """Write the notes as one transaction; return what became of each.

    Raises:
        WrongProjectError: Another project is named.
        MemoryRefusedError: A note is refused, and errors abort.
        StoreUnavailableError: The journal cannot be written.
    """
    check_project(memory, params.project)
    await memory.settle(SETTLE_S)
    async with memory.notes.turn() as turn:
        batch = _Batch(memory, turn.book, params)
        planned = batch.consolidated([batch.plan(index, draft) for index, draft in enumerate(params.notes)])
        ops = [op for each in planned for op in each.ops]
        transaction = None
        if not params.dry_run:
            first = params.notes[0]
            author = Author(by=params.author or first.author, session=params.session or first.session)
            transaction = await turn.write(ops, author)
    results = [each.written for each in planned]
    counts = [result.action for result in results]
    return Result(
        results=results,
        summary=Summary(
            total=len(results),
            written=sum(action in {"created", "edited", "superseded"} for action in counts),
            deduped=counts.count("deduped"),
            failed=counts.count("failed"),
            skipped=counts.count("skipped"),
            consolidated=sum(result.consolidated_into is not None for result in results),
        ),
        status_cascade=_cascade(memory, [op.note for op in ops if isinstance(op, Put)]),
        tx=None if transaction is None else transaction.tx,
        written_to=memory.project_id,
        dry_run=params.dry_run,
    )


def _cascade(memory: Memory, made: Sequence[Note]) -> Cascade | None:
    """Return the other live notes on the state of what new ones are about; None where there are none."""
    new = [note for note in made if note.type == "status" and "state" not in note.facets]
    ids = {note.id for note in made}
    found = sorted(
        row.note.id
        for row in memory.notes.book.active(memory.now())
        if row.note.id not in ids and any(_is_same_state(row.note, note) for note in new)
    )[:_MOST_ENDED]
    return Cascade(found, f"memory_revise(action=archive, ids={found})") if found else None


def _is_same_state(old: Note, new: Note) -> bool:
    """Return whether two notes tell the state of the same thing. Tasks end by their own state."""
    if old.type != "status" or "state" in old.facets or (old.scope, old.branch) != (new.scope, new.branch):
        return False
    nodes = {anchor.node for anchor in old.about} & {anchor.node for anchor in new.about}
    is_subject = bool(new.subject) and old.subject.casefold() == new.subject.casefold()
    return bool(nodes) or is_subject or bool(set(old.tags) & set(new.tags))


class _Batch:
    """The notes of one call, each checked with those before it."""

    def __init__(self, memory: Memory, book: Book, params: Params) -> None:
        self._memory = memory
        self._book = book
        self._params = params
        self._now = memory.now()
        self._paths: set[str] = set()
        self._world = memory.verdicts.world
        self._extra = Book()
        """What this call has made so far."""
        self._ended: dict[str, str] = {}
        """Note that a later one of this call stands in the place of -> that one."""

    def plan(self, index: int, draft: Draft) -> _Planned:
        """Return what is to be written of one note.

        Raises:
            UsageError: It is refused, and errors abort.
        """
        try:
            return self._plan(index, draft)
        except UsageError as error:
            if self._params.on_error == "abort":
                raise _named(error, index) from error
            return _Planned((), Written(index=index, action="failed", code=error.err, error=str(error)))

    def _plan(self, index: int, draft: Draft) -> _Planned:
        note, anchors = self._note(draft)
        twin = self._book.with_statement(note)
        if twin in self._ended:
            twin = ""  # it was true before, was not, and is again
        twin = twin or self._extra.with_statement(note)
        row = self._book.get(twin) or self._extra.get(twin)
        if row is not None:
            return self._again(index, draft, note, row)
        superseded = find(self._memory, draft.supersedes) if draft.supersedes else self._matched(draft)
        found = self._compared(note)
        if found.conflicts and self._params.on_conflict == "refuse":
            first = found.conflicts[0]
            raise MemoryConflictError(f"{first.id} says something else ({first.kind}): {first.claim}")
        ended = [superseded] if superseded else []
        if self._params.on_conflict == "last_wins":
            ended += [each.id for each in found.conflicts if each.id in found.slots - set(ended) - self._ended.keys()]
        superseded = next((name for name in ended if self._book.get(name) is not None), "")
        holder = self._book.with_key(note) or self._extra.with_key(note)
        if draft.key and holder and holder not in ended:
            raise KeyTakenError(
                f"key {draft.key!r} belongs to {holder}, which says something else; "
                f"change it with memory_revise(action=supersede, ids=[{holder!r}])"
            )
        # What is ended first, so that its key is free.
        ops: list[Op] = [
            Retire(name, "superseded", by=note.id, valid_to=note.valid_from, reason=draft.reason) for name in ended
        ]
        ops.append(Put(note))
        ops += [Connect(note.id, Link("supersedes", name)) for name in ended]
        for link in draft.links:
            to = find(self._memory, link.to)
            ops.append(Connect(note.id, Link(link.rel, to, link.strength)))
        self._extra.extend([_preview(ops, note, len(self._paths))])
        self._paths.add(note.path)
        self._ended |= dict.fromkeys(ended, note.id)
        written = Written(
            index=index,
            action="superseded" if superseded else "created",
            id=note.id,
            path=note.path,
            superseded_id=superseded or None,
            conflict=found.conflicts[0] if found.conflicts else None,
            conflicts=found.conflicts,
            near_duplicates=found.near_duplicates,
            matched=superseded if self._params.match.strip() and superseded else None,
            anchors=anchors,
            size=len(note.text),
        )
        return _Planned(tuple(ops), written)

    def consolidated(self, planned: list[_Planned]) -> list[_Planned]:
        """Return what is to be written where later notes of the call win over those they contradict."""
        if self._params.on_conflict != "last_wins":
            return planned
        place = {each.written.id: index for index, each in enumerate(planned) if each.ops}
        # What a note ended that is not written after all was ended by the one that stands in its place.
        inherited: dict[str, list[Retire]] = {}
        for each in planned:
            if each.written.id in self._ended and each.written.id in place:
                ended = [op for op in each.ops if isinstance(op, Retire) and not self._is_spare(op)]
                inherited.setdefault(self._last(each.written.id or ""), []).extend(ended)
        kept = []
        for each in planned:
            name = each.written.id or ""
            if name in self._ended and name in place:
                kept.append(_Planned((), _consolidated(each.written, place[self._last(name)])))
                continue
            ops = [op for op in each.ops if not self._is_spare(op)]
            more = inherited.get(name, [])
            since = next((op.note.valid_from for op in ops if isinstance(op, Put)), None)
            ops[:0] = [msgspec.structs.replace(op, by=name, valid_to=since) for op in more]
            ops += [Connect(name, Link("supersedes", op.id)) for op in more]
            written = each.written
            if more and written.superseded_id is None:
                written = msgspec.structs.replace(written, action="superseded", superseded_id=more[0].id)
            kept.append(_Planned(tuple(ops), written))
        return kept

    def _last(self, name: str) -> str:
        """Return the note of this call that stands in the place of one in the end."""
        while name in self._ended:
            name = self._ended[name]
        return name

    def _is_spare(self, op: Op) -> bool:
        """Return whether an operation is about a note of this call that is not written: another stands in its place."""
        match op:
            case Retire():
                return self._book.get(op.id) is None
            case Connect():
                return op.link.to in self._ended and self._book.get(op.link.to) is None
            case _:
                return False

    def _compared(self, note: Note) -> Found:
        if self._params.on_conflict == "off":
            return Found(None, [], [])
        return compare(self._memory, note, likeness(self._params.similar_at), tuple(self._extra.current()))

    def _matched(self, draft: Draft) -> str:
        """Return the note that a match means; empty where there is none like it, and the note is new.

        Raises:
            InvalidArgumentError: A match is given for several notes.
            WeakMatchError: What it finds is not like enough, and nothing is forced.
        """
        wanted = self._params.match.strip()
        if not wanted:
            return ""
        if len(self._params.notes) > 1:
            raise InvalidArgumentError("match", "is for one note alone")
        words = self._memory.notes.words()
        live = {row.note.id: row.note for row in self._book.active(self._now)}
        scores = {name: score for name, score in words.scores(wanted).items() if name in live}
        if not scores:
            return ""
        best = max(scores, key=lambda name: (scores[name], name))
        likeness = max(words.coverage(wanted, best), words.cosine(draft.text, best))
        if likeness >= self._params.match_at:
            return best
        if self._params.force:
            return ""
        raise WeakMatchError(
            f"match finds {best} ({writing.claim_of(live[best].text)!r}), of likeness {likeness:.2f} < "
            f"{self._params.match_at:.2f}; name it with supersedes={best!r}, or add force=true"
        )

    def _again(self, index: int, draft: Draft, note: Note, row: Standing) -> _Planned:
        """Return what becomes of a statement that is there: with its own key it is edited, else nothing."""
        old = row.note
        edited = msgspec.structs.replace(
            note, id=old.id, path=old.path, version=old.version + 1, text=old.text, valid_from=old.valid_from
        )
        is_other = msgspec.structs.replace(edited, version=old.version, about=old.about, expires=old.expires) != old
        if draft.key and draft.key == old.key and is_other:
            written = Written(index=index, action="edited", id=old.id, path=old.path, existing_id=old.id)
            return _Planned((Put(edited),), written)
        written = Written(index=index, action="deduped", id=old.id, path=old.path, deduped=True, existing_id=old.id)
        return _Planned((), written)

    def _note(self, draft: Draft) -> tuple[Note, Anchors]:
        memory, given = self._memory, self._params
        text = writing.checked_text(draft.text)
        kind = writing.type_of(draft.type)
        scope: Scope = writing.scope_of(draft.scope, kind)
        about, unknown = writing.anchors_of(draft.about, draft.watch or None, kind, lambda name: node_of(memory, name))
        if unknown and self._params.strict:
            raise MemoryRefusedError(f"about: {', '.join(unknown)} is nothing of this project")
        note = Note(
            id=writing.new_id(),
            path="",
            key=writing.checked_key(draft.key),
            type=kind,
            text=text,
            title=_checked(draft.title, "title"),
            why=_checked(draft.why, "why"),
            details=_checked(draft.details, "details"),
            about=self._based(about, "\n".join((text, draft.why, draft.details))),
            tags=writing.tags_of(draft.tags, text),
            facets=writing.facets_of(draft.facets),
            subject=_checked(draft.subject, "subject"),
            attribute=_checked(draft.attribute, "attribute"),
            certainty=draft.certainty,
            importance=draft.importance,
            confidence=None if draft.confidence is msgspec.UNSET else draft.confidence,
            scope=scope,
            branch=memory.as_of().branch if scope == "branch" else "",
            valid_from=writing.moment(draft.at, "at") if draft.at.strip() else self._now,
            expires=writing.expiry_of(draft.expires, kind, self._now),
            author=_checked(draft.author or given.author, "author"),
            role=draft.role or given.role,
            session=draft.session or given.session,
            prompt=draft.prompt or given.prompt,
            turn=draft.turn or given.turn,
        )
        taken = {*self._book.paths(), *self._paths}
        note = msgspec.structs.replace(note, path=writing.place_of(note, taken.__contains__))
        resolved = [anchor.node for anchor in about if anchor.node not in unknown]
        more = writing.suggested(text, about, lambda name: node_of(memory, name))
        return note, Anchors(resolved, list(unknown), more)

    def _based(self, about: Sequence[Anchor], note: str) -> tuple[Anchor, ...]:
        commit = self._memory.as_of().commit
        return tuple(
            msgspec.structs.replace(anchor, base=baseline(anchor.node, note, self._world, commit)) for anchor in about
        )


def _consolidated(written: Written, into: int) -> Written:
    """Return what became of a note that a later one of the call stands in the place of."""
    return msgspec.structs.replace(
        written, action="skipped", id=None, path=None, superseded_id=None, consolidated_into=into
    )


def _preview(ops: Sequence[Op], note: Note, number: int) -> Transaction:
    """Return the transaction of one note of the call, for those behind it to be compared with."""
    return Transaction(tx=f"{number:012x}", at=note.valid_from, ops=tuple(ops))


def _checked(text: str, what: str) -> str:
    return writing.checked_text(text, what) if text.strip() else ""


def _named(error: UsageError, index: int) -> UsageError:
    """Return an error that says which note of the call it is about."""
    if isinstance(error, MemoryRefusedError):
        error.why = f"notes[{index}]: {error.why}"
    return error


OPERATION = Operation(
    name="memory_write",
    title="Write notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes write",
    read_only=False,
    aliases=ALIASES,
)
