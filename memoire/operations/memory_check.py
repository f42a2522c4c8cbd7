"""Use it before memory_write, and to look after the notes. text: its size, and which notes say the same or contradict
it (or only the note `id`, with the terms that differ). audit: what is wrong with the whole memory; findings are
suggestions."""  # noqa: D205, D209 - the tool's description

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from itertools import combinations
from typing import Annotated, Literal, get_args

import msgspec

from memoire.budget import Part, fit
from memoire.errors import InvalidArgumentError, MemoryRefusedError
from memoire.memory import AsOf, Memory
from memoire.notes import writing
from memoire.notes.book import is_expired
from memoire.notes.model import NOTE, Anchor, Note, Standing
from memoire.notes.stems import terms
from memoire.operations._note_relations import CANDIDATES, Conflict, NearDuplicate, compare, judge, likeness
from memoire.operations._note_wire import ALIASES, find, freshness, node_of
from memoire.operations._spec import Operation
from memoire.operations._structure import folders
from memoire.operations._wire import SETTLE_S, current, describe
from memoire.operations.notes_sweep import last_sweep

_Name = Annotated[str, msgspec.Meta(max_length=512)]
Audit = Literal[
    "health",
    "stats",
    "duplicates",
    "conflicts",
    "stale",
    "expired",
    "orphans",
    "tags",
    "refs",
    "types",
    "coverage",
]
AUDITS: tuple[Audit, ...] = get_args(Audit)
OLD = timedelta(days=90)
_DIFFERING = 12
"""Terms named of each side."""


class Params(msgspec.Struct, frozen=True):
    """What `memory_check` takes: a text, or audits."""

    text: str = ""
    id: Annotated[_Name, msgspec.Meta(description="Compare with this note alone.")] = ""
    about: Annotated[list[_Name], msgspec.Meta(max_length=20)] = []
    subject: _Name = ""
    attribute: _Name = ""
    similar_at: Annotated[float, msgspec.Meta(ge=0, le=1)] | msgspec.UnsetType = msgspec.UNSET
    audit: list[Audit] = []
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100


class Size(msgspec.Struct, frozen=True):
    """How long a text is."""

    chars: int
    tokens: int
    max: int
    within: bool
    over_by: int


class Compared(msgspec.Struct, frozen=True):
    """How a text stands to one note."""

    id: str
    verdict: Annotated[str, msgspec.Meta(description="consistent or conflict.")]
    reason: str | None
    similarity: float
    added: list[str]
    removed: list[str]


class Checked(msgspec.Struct, frozen=True):
    """What is to be said of a text before it is written."""

    size: Size
    refused: Annotated[str | None, msgspec.Meta(description="Why it could not be written.")]
    identical: str | None
    conflicts: list[Conflict]
    near_duplicates: list[NearDuplicate]
    compared: Compared | None


class Finding(msgspec.Struct, frozen=True):
    """One thing that an audit found."""

    audit: str
    kind: str
    ids: list[str]
    text: str
    suggestion: str | None


class Result(msgspec.Struct, frozen=True):
    """What `memory_check` gives."""

    checked: Checked | None
    findings: list[Finding]
    count: int
    total_count: int
    has_more: bool
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Return what there is to say.

    Raises:
        InvalidArgumentError: Neither a text nor an audit is named.
        UnknownNoteError: No note is called so.
    """
    if not params.text.strip() and not params.audit:
        raise InvalidArgumentError("text", f"is missing: give a text, or audit=[{', '.join(AUDITS)}]")
    await memory.settle(SETTLE_S)
    await memory.notes.refresh()
    checked = _checked(memory, params) if params.text.strip() else None
    findings = [finding for name in dict.fromkeys(params.audit) for finding in _AUDITS[name](memory)]
    page = findings[: params.limit]
    as_of = current(memory)

    def make(lengths: Sequence[int]) -> Result:
        return Result(checked, page[: lengths[0]], lengths[0], len(findings), len(findings) > lengths[0], as_of)

    return fit(make, [Part(len(page), len(page))], memory.settings.budget_tokens)


def _checked(memory: Memory, params: Params) -> Checked:
    length = len(params.text.strip())
    size = Size(
        length, -(-length // 4), writing.MAX_TEXT, length <= writing.MAX_TEXT, max(0, length - writing.MAX_TEXT)
    )
    refused: str | None = None
    try:
        writing.checked_text(params.text)
    except MemoryRefusedError as error:
        refused = f"{error.err}: {error.why}"
    about = tuple(Anchor(node_of(memory, name) or name.strip()) for name in params.about)
    note = Note(
        id="",
        path="",
        text=params.text.strip(),
        about=about,
        subject=params.subject,
        attribute=params.attribute,
        valid_from=memory.now(),
    )
    found = compare(memory, note, likeness(params.similar_at))
    compared = (
        _compared(memory, note, find(memory, params.id), likeness(params.similar_at)) if params.id.strip() else None
    )
    return Checked(size, refused, found.identical, found.conflicts, found.near_duplicates, compared)


def _compared(memory: Memory, note: Note, name: str, similar_at: float | None) -> Compared:
    row = memory.notes.book.get(name)
    assert row is not None  # it was found
    found = judge(memory, note, row.note, similar_at)
    here, there = Counter(terms(note.text)), Counter(terms(row.note.text))
    return Compared(
        id=name,
        verdict="conflict" if found.verdict == "contradicts" else "consistent",
        reason=found.why or None,
        similarity=round(found.similarity, 3),
        added=sorted(here - there)[:_DIFFERING],
        removed=sorted(there - here)[:_DIFFERING],
    )


# ---- audits


def _active(memory: Memory) -> list[Standing]:
    return sorted(memory.notes.book.active(memory.now()), key=lambda row: row.note.id)


def _health(memory: Memory) -> Iterable[Finding]:
    notes = memory.notes
    for journal, lines in sorted(notes.bad.items()):
        for bad in lines:
            yield Finding(
                "health", "unreadable", [], f"{journal} journal, line {bad.line}: {bad.why}", "mend the line by hand"
            )
    for name, why in sorted(notes.withheld.items()):
        yield Finding("health", "withheld", [name], f"not shown: {why}", f"memory_forget(ids=[{name!r}])")
    for name, successors in sorted(notes.book.forks().items()):
        text = f"superseded on two branches, by {' and '.join(successors)}"
        yield Finding("health", "fork", [name, *successors], text, "deprecate one of them with superseded_by")
    for row in notes.book.current():
        if row.by and notes.book.resolve(row.note.id).stop_reason in {"cycle", "hop_limit"}:
            yield Finding("health", "cycle", [row.note.id], "its successors lead in a circle", "restore one of them")


def _stats(memory: Memory) -> Iterable[Finding]:
    rows = list(memory.notes.book.current())
    now = memory.now()
    for name, counts in (
        ("status", Counter(row.status for row in rows)),
        ("type", Counter(row.note.type for row in rows)),
        ("certainty", Counter(row.note.certainty for row in rows)),
        ("scope", Counter(row.note.scope for row in rows)),
    ):
        yield Finding(
            "stats", name, [], ", ".join(f"{key} {count}" for key, count in sorted(counts.items())) or "none", None
        )
    old = [row.note.id for row in rows if row.status == "active" and now - row.known_from > OLD]
    yield Finding("stats", "old", old, f"{len(old)} not touched for 90 days", None)
    swept, advice = last_sweep(memory)
    yield Finding("stats", "sweep", [], swept, advice or None)


def _pairs(memory: Memory) -> Iterable[tuple[Standing, Standing]]:
    """Yield the pairs of live notes that may say the same or contradict each other."""
    rows = {row.note.id: row for row in _active(memory)}
    words = memory.notes.words()
    seen = set()
    for name, row in rows.items():
        scores = words.scores(writing.claim_of(row.note.text))
        near = sorted((other for other in scores if other in rows), key=lambda other: (-scores[other], other))
        same = [other for other in rows if row.note.subject and rows[other].note.subject == row.note.subject]
        for other in (*near[:CANDIDATES], *same):
            pair = (min(name, other), max(name, other))
            if name != other and pair not in seen:
                seen.add(pair)
                yield rows[pair[0]], rows[pair[1]]


def _related(audit: str, verdict: str, advice: str) -> Callable[[Memory], Iterable[Finding]]:
    def found(memory: Memory) -> Iterable[Finding]:
        for one, other in _pairs(memory):
            relation = judge(memory, one.note, other.note)
            if relation.verdict == verdict:
                claims = f"{writing.claim_of(one.note.text)} | {writing.claim_of(other.note.text)}"
                text = f"{relation.why}: {claims}" if relation.why else claims
                yield Finding(audit, verdict, [one.note.id, other.note.id], text, advice)

    return found


def _stale(memory: Memory) -> Iterable[Finding]:
    for row in _active(memory):
        state = freshness(memory, row)
        if state.state in {"stale", "suspect"}:
            what = (
                ", ".join(f"{anchor.entity} is {anchor.state}" for anchor in state.anchors)
                or "what it supports is stale"
            )
            advice = f"memory_feedback(signal=confirm, ids=[{row.note.id!r}]) if it still holds, else supersede it"
            yield Finding("stale", state.state, [row.note.id], f"{writing.claim_of(row.note.text)} ({what})", advice)


def _expired(memory: Memory) -> Iterable[Finding]:
    for row in memory.notes.book.current():
        if row.status == "active" and is_expired(row, memory.now()):
            yield Finding(
                "expired", "expired", [row.note.id], writing.claim_of(row.note.text), "archive it, or set expires"
            )


def _orphans(memory: Memory) -> Iterable[Finding]:
    for row in _active(memory):
        note = row.note
        if not note.about and note.type in {"constraint", "gotcha", "convention", "decision"}:
            text = writing.claim_of(note.text)
            yield Finding("orphans", "no-anchor", [note.id], text, "edit it with set={about: [path]}")


def _tags(memory: Memory) -> Iterable[Finding]:
    tags = Counter(tag for row in _active(memory) for tag in row.note.tags)
    for one, other in combinations(sorted(tags), 2):
        if one.casefold().rstrip("s") == other.casefold().rstrip("s"):
            yield Finding("tags", "alike", [], f"{one} ({tags[one]}) and {other} ({tags[other]})", "use one of them")


def _refs(memory: Memory) -> Iterable[Finding]:
    for row in _active(memory):
        for anchor in row.note.about:
            if anchor.base is None and not anchor.node.startswith(("http://", "https://", "person:", "session:", NOTE)):
                text = f"{anchor.node} was nothing of the project when it was written"
                yield Finding("refs", "unknown", [row.note.id], text, "edit it with set={about: [path]}")
        for link in row.links:
            if memory.notes.book.get(link.to) is None:
                yield Finding("refs", "dangling", [row.note.id], f"{link.rel} {link.to}: no such note", "unlink it")


def _types(memory: Memory) -> Iterable[Finding]:
    for row in _active(memory):
        if row.note.type == "reference" and row.note.about and set(terms(row.note.text)) & {"must", "never", "alway"}:
            text = writing.claim_of(row.note.text)
            yield Finding("types", "rule", [row.note.id], text, "edit it with set={type: constraint} if it binds")


def _coverage(memory: Memory) -> Iterable[Finding]:
    """Name the directories with most in them that no note is about."""
    nodes = {node.partition("::")[0] for node in memory.notes.book.nodes()}
    found = sorted(folders(memory, memory.now()).values(), key=lambda folder: (-folder.weight, folder.path))
    for folder in found:
        if folder.path != "." and folder.own and not any(node.startswith(folder.path) for node in nodes):
            yield Finding("coverage", "no-notes", [], f"{folder.path} ({folder.files} files)", None)


_AUDITS: dict[str, Callable[[Memory], Iterable[Finding]]] = {
    "health": _health,
    "stats": _stats,
    "duplicates": _related("duplicates", "restates", "deprecate one with superseded_by"),
    "conflicts": _related("conflicts", "contradicts", "supersede the one that no longer holds"),
    "stale": _stale,
    "expired": _expired,
    "orphans": _orphans,
    "tags": _tags,
    "refs": _refs,
    "types": _types,
    "coverage": _coverage,
}


OPERATION = Operation(
    name="memory_check",
    title="Check notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes check",
    aliases=ALIASES,
)
