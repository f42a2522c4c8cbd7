"""What happened lately, newest first: edits (with the definitions they changed), commands and whether they failed,
commits, sessions. Call it to see what was done or tried before, by whom, or what happened to one path."""  # noqa: D205, D209 - the tool's description

import difflib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple

import msgspec

from memoire.budget import Part, clip, fit
from memoire.episodes.sessions import NODE
from memoire.episodes.wanted import Wanted
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.memory import AsOf, Memory
from memoire.model import Event, parse_path
from memoire.operations._following import Likely, likely
from memoire.operations._lookup import find_session
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, newest_events, shown_pending, wire_time
from memoire.paths import to_rel

_SUMMARY_CHARS = 400
_ENTITIES = 10
_ENTITY_CHARS = 200
_SINCE = "~"
_ID = "[0-9a-f]{12}-[0-9a-f]{16}"
_NEXT = re.compile(rf"({_ID})(?:~({_ID}))?(?:~({_ID}))?")
_RETOLD = 500
"""Events since the last page among which those are looked for that tell an older one again."""
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


KINDS = (
    "access", "batch", "branch", "checkout", "clone", "command", "commit", "day", "file_create", "file_delete",
    "file_edit", "file_move", "ingest", "merge", "moved", "note", "prompt", "pull", "rebase", "reset", "session",
    "stash", "turn",
)  # fmt: skip
"""Kinds of events; others may come with other versions."""


class _Cursor(NamedTuple):
    """Where a page begins."""

    before: str
    """Id of the last event of the page before it."""
    known: str
    """Id of the newest event when that page was made, or of the last that it told again, where there are more."""
    whole: str
    """Id of the newest event when last all were told again; what replaced a later one may be unknown to the reader."""


class Params(msgspec.Struct, frozen=True):
    """What `recent_events` takes."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    kinds: Annotated[list[str], msgspec.Meta(description="e.g. file_edit, command, commit.")] = []
    path: Annotated[str, msgspec.Meta(description="Only events that touch this file or directory.")] = ""
    session: str = ""
    since: Annotated[str, msgspec.Meta(description="ISO time, or an age: 90m, 24h, 7d.")] = ""
    until: str = ""
    before: Annotated[str, msgspec.Meta(description="An answer's `next`.")] = ""
    likely: Annotated[int, msgspec.Meta(ge=0, le=10, description="Guesses at what follows.")] = 0


class EventDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event."""

    summary: str
    importance: float
    entities: Annotated[list[str], msgspec.Meta(description="Paths and symbols it touches.")]
    created_at: datetime
    kind: str
    actor: str = ""
    client: str = ""
    session: str = ""
    count: Annotated[int, msgspec.Meta(description="How many like it are told as one.")] = 1


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `recent_events` gives."""

    events: Annotated[list[EventDetail], msgspec.Meta(description="Newest first.")]
    as_of: AsOf
    next: Annotated[str, msgspec.Meta(description="There are older ones: ask again with this as `before`.")] = ""
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []
    likely: Annotated[list[Likely], msgspec.Meta(description="What probably comes next, the likeliest first.")] = []


async def run(memory: Memory, params: Params) -> Result:
    """Return the newest events that the parameters let through.

    Raises:
        InvalidArgumentError: A time cannot be read, or `before` or a kind is none.
        UnknownPathError: The path is outside the project (one that is gone is no error), or there is no such session.
    """
    cursor, wanted = _cursor(params.before), _wanted(memory, params)
    pending = shown_pending(await memory.settle(SETTLE_S))
    newest = await memory.events(1)
    retold = await _retold(memory, wanted, cursor)
    late = retold[: params.limit]
    room = params.limit - len(late)
    # One more says whether there are older ones.
    found = await _newest(memory, room + 1, msgspec.structs.replace(wanted, before=cursor.before))
    if not (found or late or params.before):
        await _check_names(memory, params)
    heads = [_detail(event) for event in late]
    events = [_detail(event) for event in found[:room]]
    known = max((event.id for event in (*newest, *found[:1])), default="")
    as_of = current(memory)
    guesses = await likely(memory, params.likely) if params.likely else []

    def make(lengths: Sequence[int]) -> Result:
        waiting, first, shown = lengths
        # One that has no room at all is passed over, or the next page would be this one for ever.
        passed = max(shown, 0 if heads else 1)
        before = found[passed - 1].id if passed and found else cursor.before
        is_whole = first == len(retold)
        upto = max(known, cursor.known) if is_whole else retold[max(first, 1) - 1].id
        partly = "" if is_whole else f"{_SINCE}{cursor.whole}"
        more = f"{before}{_SINCE}{upto}{partly}" if shown < len(found) or not is_whole else ""
        shown_first = heads[:first][::-1]
        told = [*shown_first, *events[:shown]]
        return Result(events=told, as_of=as_of, next=more, pending=pending[:waiting], likely=guesses)

    parts = [Part(len(pending), min(3, len(pending))), Part(len(heads), len(heads)), Part(len(events), len(events))]
    return fit(make, parts, memory.settings.budget_tokens)


def _wanted(memory: Memory, params: Params) -> Wanted:
    now = memory.now()
    since, until = _time("since", params.since, now), _time("until", params.until, now)
    if since is not None and until is not None and until <= since:
        raise InvalidArgumentError("until", f"{params.until!r} is not after since, {params.since!r}")
    return Wanted(
        kinds=tuple(kind.strip().lower() for kind in params.kinds),
        path=_path(memory, params.path),
        session=params.session.strip().removeprefix(NODE),
        since=since,
        until=until,
    )


def _cursor(given: str) -> _Cursor:
    match = _NEXT.fullmatch(given.strip())
    if match is None and given.strip():
        raise InvalidArgumentError("before", "is the `next` of no answer")
    return _Cursor(match[1], match[2] or "", match[3] or match[2] or "") if match else _Cursor("", "", "")


async def _retold(memory: Memory, wanted: Wanted, cursor: _Cursor) -> list[Event]:
    """Return, the oldest first, events that tell since the last page again what the reader has not come to yet.

    An edit that goes on is told by a new event in the place of the old one. Where the old one stood further back than
    the reader is, neither would be met.
    """
    if not cursor.known:
        return []
    at = datetime.fromtimestamp(int(cursor.known[:12], 16) / 1000, UTC)
    since = max(at, wanted.since) if wanted.since else at
    recent = await _newest(memory, _RETOLD, msgspec.structs.replace(wanted, since=since))
    return [
        event
        for event in reversed(recent)
        if event.id > cursor.known
        and event.replaces
        and (event.replaces < cursor.before or event.replaces > cursor.whole)
    ]


async def _newest(memory: Memory, limit: int, wanted: Wanted) -> list[Event]:
    return await newest_events(
        memory,
        limit,
        before=wanted.before,
        kinds=wanted.kinds,
        path=wanted.path,
        session=wanted.session,
        since=wanted.since,
        until=wanted.until,
    )


async def _check_names(memory: Memory, params: Params) -> None:
    """Say where nothing was found because there is no such session or kind.

    Raises:
        UnknownPathError: No session has the id.
        InvalidArgumentError: No event is of such a kind.
    """
    if params.session.strip():
        await find_session(memory, params.session)
    for kind in params.kinds:
        if kind.strip().lower() not in KINDS and not await memory.events(1, kinds=[kind.strip().lower()]):
            near = difflib.get_close_matches(kind, KINDS, n=3, cutoff=0.4)
            raise InvalidArgumentError("kinds", f"no event is of kind {kind!r}", near or list(KINDS))


def _detail(event: Event) -> EventDetail:
    entities = [clip(entity, _ENTITY_CHARS) for entity in event.entities[:_ENTITIES]]
    if len(event.entities) > _ENTITIES:
        entities.append(f"… {len(event.entities) - _ENTITIES} more")
    return EventDetail(
        summary=clip(event.summary, _SUMMARY_CHARS),
        importance=round(event.importance, 2),
        entities=entities,
        created_at=wire_time(event.at),
        kind=event.kind,
        actor=event.actor,
        client=event.client,
        session=event.session,
        count=event.count,
    )


def _path(memory: Memory, given: str) -> str:
    """Return the path as events name it, of a symbol its file; it may be gone, so it need not exist."""
    if not given.strip():
        return ""
    path, _ = parse_path(given.strip())
    rel = to_rel(memory.root, path)
    if rel is None:
        raise UnknownPathError(given, why="it is outside the project")
    is_folder = rel and rel not in memory.tree and (memory.tree.is_dir(rel) or path.endswith("/"))
    return f"{rel}/" if is_folder else rel


def _time(name: str, given: str, now: datetime) -> datetime | None:
    """Return the time that a caller means: ISO 8601 (UTC where it has no zone), or an age before now."""
    text = given.strip()
    if not text:
        return None
    age = re.fullmatch(r"(\d{1,6})\s*([mhdw])", text.lower())
    try:
        if age:
            return now - timedelta(**{_UNITS[age[2]]: int(age[1])})
        time = datetime.fromisoformat(text)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidArgumentError(name, f"{given!r} is no ISO time and no age such as 90m, 24h or 7d") from error


OPERATION = Operation(
    name="recent_events",
    title="Recent events",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="events",
)
