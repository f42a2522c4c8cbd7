"""Full-text search over everything indexed: code, definitions, documents and their sections, events, sessions, notes.
Finds identifiers by their parts (`parseConfig` by config). Use it before grepping or reading files, to find where
something is; then `expand` a result."""  # noqa: D205, D209 - the tool's description

import difflib
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, get_args

import msgspec

from memoire.budget import Part, clip, fit
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.memory import AsOf, Found, Memory
from memoire.notes.model import NOTE
from memoire.notes.recall import ENOUGH
from memoire.operations._binding_notes import BindingNote, answering
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, shown_pending, wire_time
from memoire.paths import to_rel

_SNIPPET_CHARS = 240
_NAME_CHARS = 160

Kind = Literal["file", "document", "symbol", "section", "event", "session", "note"]
_INDEXED = tuple(kind for kind in get_args(Kind) if kind != "note")
"""What the search index holds; notes are found in memory."""
_NOTES = 3
"""Notes told beside what was found."""


class Params(msgspec.Struct, frozen=True):
    """What `search` takes."""

    query: Annotated[str, msgspec.Meta(min_length=1, max_length=1000, description="Search terms.")]
    kinds: Annotated[list[Kind], msgspec.Meta(description="Only these.")] = []
    prefix: Annotated[str, msgspec.Meta(description="Only below this directory.")] = ""
    language: Annotated[str, msgspec.Meta(description="e.g. python.")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20
    offset: Annotated[int, msgspec.Meta(ge=0, le=10_000, description="An answer's `next`.")] = 0


class SearchHit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One result."""

    path: str
    """The file it is or lies in; of an event the first path it touches, which may be empty; `session:<id>`."""
    kind: str
    score: Annotated[float, msgspec.Meta(description="Comparable within one answer only.")]
    name: str = ""
    line: int = 0
    snippet: str = ""
    symbol_kind: str = ""
    id: str = ""
    created_at: datetime | msgspec.UnsetType = msgspec.UNSET


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `search` gives."""

    results: Annotated[list[SearchHit], msgspec.Meta(description="Best first.")]
    as_of: AsOf
    notes: Annotated[list[BindingNote], msgspec.Meta(description="Notes that hold most of the query.")] = []
    next: Annotated[int, msgspec.Meta(description="There are more: ask again with this `offset`.")] = 0
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []
    degraded: Annotated[bool, msgspec.Meta(description="Words alone were compared: no embeddings are installed.")] = (
        False
    )


async def run(memory: Memory, params: Params) -> Result:
    """Return the hits of one page.

    Raises:
        InvalidQueryError: The query holds no letter and no digit.
        InvalidArgumentError: No file is of that language.
        UnknownPathError: The prefix names nothing of the project.
    """
    pending = shown_pending(await memory.settle(SETTLE_S))
    await memory.notes.refresh()
    hits = _found(memory, params)
    total = len(hits)
    hits = hits[: params.limit]
    is_first = not params.offset and not params.kinds
    noted = [told for told, _ in answering(memory, params.query, least=ENOUGH)][:_NOTES] if is_first else []
    as_of, is_degraded = current(memory), not memory.knows_meaning()

    def make(lengths: Sequence[int]) -> Result:
        waiting, shown, bound = lengths
        # One that has no room at all is passed over, or the next page would be this one for ever.
        more = params.offset + max(shown, 1) if shown < total else 0
        return Result(
            results=hits[:shown],
            as_of=as_of,
            notes=noted[:bound],
            next=more,
            pending=pending[:waiting],
            degraded=is_degraded,
        )

    parts = [Part(len(pending), min(3, len(pending))), Part(len(hits), min(5, len(hits))), Part(len(noted), len(noted))]
    return fit(make, parts, memory.settings.budget_tokens)


def _found(memory: Memory, params: Params) -> list[SearchHit]:
    """Return a page of hits, and one more that says whether there is a next one; notes behind all else."""
    kinds = [kind for kind in params.kinds or _INDEXED if kind != "note"]
    wanted = params.limit + 1
    prefix, language = _prefix(memory, params.prefix), _language(memory, params.language)
    found: Sequence[Found] = ()
    if kinds:
        found = memory.search(
            params.query, limit=wanted, offset=params.offset, kinds=kinds, prefix=prefix, language=language
        )
    hits = [_hit(memory, hit) for hit in found]
    if "note" in params.kinds and len(hits) < wanted:
        noted = answering(memory, params.query)
        start = 0 if kinds else params.offset
        hits += [
            SearchHit(path=f"{NOTE}{note.id}", kind="note", score=round(score, 3), name=note.claim, id=note.id)
            for note, score in noted[start : start + wanted - len(hits)]
        ]
    return hits


def _hit(memory: Memory, found: Found) -> SearchHit:
    name, snippet = clip(found.name, _NAME_CHARS), clip(memory.redact(found.snippet), _SNIPPET_CHARS)
    return SearchHit(
        path=found.path,
        kind=found.kind,
        score=round(found.score, 3),
        # The name of a file is its summary, which may be the best line about it too: it is not sent twice.
        name="" if found.kind in {"file", "document"} and snippet.startswith(name.rstrip("…")) else name,
        line=found.line,
        snippet=snippet,
        symbol_kind=found.symbol_kind,
        id=found.id,
        created_at=wire_time(found.at) if found.id and found.at is not None else msgspec.UNSET,
    )


def _prefix(memory: Memory, given: str) -> str:
    """Return a prefix as the index knows it: a file's path, or a directory's with its slash."""
    if not given.strip():
        return ""
    path = to_rel(memory.root, given.strip())
    if path is None:
        raise UnknownPathError(given, why="it is outside the project")
    if not path or path in memory.tree:
        return path
    if memory.tree.is_dir(path):
        return f"{path}/"
    raise UnknownPathError(given, why=memory.absence(path))


def _language(memory: Memory, given: str) -> str:
    name = given.strip().lower()
    known = memory.graph.derived("languages", None, lambda: sorted({node.language for node in memory.graph.nodes()}))
    if name and name not in known:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5) or [language for language in known if language]
        raise InvalidArgumentError("language", f"no file of this project is {name}", near[:10])
    return name


OPERATION = Operation(
    name="search",
    title="Search the project",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
)
