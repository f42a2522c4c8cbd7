"""Use it to page, browse or grep notes; ordered, never ranked. of=tags|facets|types|children|projects lists those
with counts. pattern is an exact substring, whatever its case."""  # noqa: D205, D209 - the tool's description

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Literal

import msgspec

from memoire.budget import Part, fit
from memoire.errors import InvalidArgumentError
from memoire.memory import AsOf, Memory
from memoire.notes import writing
from memoire.notes.model import Certainty, Standing
from memoire.operations._note_wire import ALIASES, Filter, NoteHit, about_of, hit, passes
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe

_Name = Annotated[str, msgspec.Meta(max_length=512)]
_Date = Annotated[str, msgspec.Meta(max_length=40)]


class Params(msgspec.Struct, frozen=True):
    """What `memory_list` takes."""

    of: Literal["notes", "children", "tags", "facets", "types", "projects"] = "notes"
    pattern: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    types: list[_Name] = []
    tags: Annotated[list[_Name], msgspec.Meta(description="Any of.")] = []
    facets: Annotated[list[_Name], msgspec.Meta(description="name=value; same name or, different names and.")] = []
    about: _Name = ""
    certainty: list[Certainty] = []
    status: Literal["active", "superseded", "deprecated", "archived", "any"] = "active"
    scope: Annotated[_Name, msgspec.Meta(description="Path prefix, of the note or of what it is about.")] = ""
    since: _Date = ""
    until: _Date = ""
    order: Literal["path", "newest", "oldest", "importance"] = "path"
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 50
    cursor: str = ""
    offset: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class Counted(msgspec.Struct, frozen=True):
    """One tag, facet, type, folder or project."""

    name: str
    count: int


class Result(msgspec.Struct, frozen=True):
    """What `memory_list` gives."""

    notes: list[NoteHit]
    items: list[Counted]
    count: int
    total_count: int
    next_cursor: str | None
    has_more: bool
    scopes: Annotated[
        list[str], msgspec.Meta(description="Folders of notes that exist, where the one asked for has none.")
    ]
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Return a page of notes, or of what they are sorted by.

    Raises:
        InvalidArgumentError: The cursor is none that was given out, or a facet is not of the form name=value.
    """
    await memory.settle(SETTLE_S)
    await memory.notes.refresh()
    rows = _wanted(memory, params)
    if params.of != "notes":
        return _counted(memory, params, rows)
    keyed = sorted(((_key(params.order)(memory, row), row) for row in rows), key=lambda pair: pair[0])
    total = len(keyed)
    if params.cursor:
        behind = _decode(params.cursor)
        keyed = [pair for pair in keyed if list(pair[0]) > behind]
    elif params.offset:
        keyed = keyed[params.offset :]
    page = keyed[: params.limit]
    hits = [hit(memory, row) for _, row in page]
    scopes = _folders(memory) if not total and params.scope else []
    as_of = current(memory)

    def make(lengths: Sequence[int]) -> Result:
        count = max(lengths[0], min(1, len(page)))  # one at least, or the next page would be this one for ever
        has_more = len(keyed) > count
        return Result(
            notes=hits[:count],
            items=[],
            count=count,
            total_count=total,
            next_cursor=_encode(page[count - 1][0]) if has_more and count else None,
            has_more=has_more,
            scopes=scopes,
            as_of=as_of,
        )

    return fit(make, [Part(len(page), len(page))], memory.settings.budget_tokens)


def _wanted(memory: Memory, params: Params) -> list[Standing]:
    wanted = Filter(
        types=[writing.type_of(name) if name != "digest" else name for name in params.types],
        tags=params.tags,
        facets=params.facets,
        about=about_of(memory, params.about),
        certainty=params.certainty,
        status=params.status,
        scope=params.scope,
        since=writing.moment(params.since, "since") if params.since.strip() else None,
        until=writing.moment(params.until, "until") if params.until.strip() else None,
    )
    needle = params.pattern.casefold()
    return [
        row
        for row in memory.notes.book.current()
        if passes(memory, row, wanted) and (not needle or needle in _text(memory, row).casefold())
    ]


def _text(memory: Memory, row: Standing) -> str:
    note = row.note
    if note.id in memory.notes.withheld:
        return ""
    return "\n".join((note.text, note.title, note.why, note.details, note.path, *note.tags))


_SortKey = tuple[str | int, ...]


def _key(order: str) -> Callable[[Memory, Standing], _SortKey]:
    """Return what orders notes; each key is of one note alone, so that a page goes on where the last one ended."""

    def born(memory: Memory, row: Standing) -> int:
        return int(memory.notes.book.versions(row.note.id)[0].known_from.timestamp() * 1_000_000)

    def key(memory: Memory, row: Standing) -> _SortKey:
        match order:
            case "newest":
                return (-born(memory, row), row.note.id)
            case "oldest":
                return (born(memory, row), row.note.id)
            case "importance":
                return (-row.note.importance, -born(memory, row), row.note.id)
            case _:
                return (memory.notes.book.path_of(row.note.id), row.note.id)

    return key


def _counted(memory: Memory, params: Params, rows: Iterable[Standing]) -> Result:
    counts: Counter[str] = Counter()
    for row in rows:
        note = row.note
        match params.of:
            case "tags":
                counts.update(note.tags)
            case "facets":
                counts.update(f"{name}={value}" for name, value in note.facets.items())
            case "types":
                counts[note.type] += 1
            case "projects":
                counts[memory.project_id] += 1
            case _:
                counts[_child(memory.notes.book.path_of(note.id), params.scope)] += 1
    if params.of == "projects":
        counts.setdefault(memory.project_id, 0)
    listed = sorted((name, count) for name, count in counts.items() if name)
    page = listed[params.offset : params.offset + params.limit]
    has_more = len(listed) > params.offset + len(page)
    return Result(
        notes=[],
        items=[Counted(name, count) for name, count in page],
        count=len(page),
        total_count=len(listed),
        next_cursor=None,
        has_more=has_more,
        scopes=_folders(memory) if not listed and params.scope else [],
        as_of=current(memory),
    )


def _child(path: str, scope: str) -> str:
    """Return the child of a folder of notes that a path lies in; a folder ends in a slash."""
    top = scope.strip().strip("/") or "notes"
    if not path.startswith(f"{top}/"):
        return ""
    first, separator, _ = path.removeprefix(f"{top}/").partition("/")
    return f"{top}/{first}{separator}"


def _folders(memory: Memory) -> list[str]:
    return sorted({path.rpartition("/")[0] + "/" for path in memory.notes.book.paths()})[:20]


def _encode(key: _SortKey) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def _decode(cursor: str) -> list[str | int]:
    try:
        data = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return msgspec.json.decode(data, type=list[str | int])
    except (ValueError, msgspec.DecodeError) as error:
        raise InvalidArgumentError("cursor", "is none that an answer gave") from error


OPERATION = Operation(
    name="memory_list",
    title="List notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes list",
    aliases=ALIASES,
)
