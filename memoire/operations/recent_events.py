"""What happened lately, newest first: edits (with the definitions they changed), commands and whether they failed,
commits, sessions. Call it to see what was done or tried before, by whom, or what happened to one path."""  # noqa: D205, D209 - the tool's description

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

import msgspec

from memoire.budget import Part, clip, fit
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.memory import AsOf, Memory
from memoire.model import Event, parse_path
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, newest_events, shown_pending, wire_time
from memoire.paths import to_rel

_SUMMARY_CHARS = 400
_ENTITIES = 10
_ENTITY_CHARS = 200
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Params(msgspec.Struct, frozen=True):
    """What `recent_events` takes."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    kinds: Annotated[list[str], msgspec.Meta(description="e.g. file_edit, command, commit.")] = []
    path: Annotated[str, msgspec.Meta(description="Only events that touch this file or directory.")] = ""
    session: str = ""
    since: Annotated[str, msgspec.Meta(description="ISO time, or an age: 90m, 24h, 7d.")] = ""
    until: str = ""
    before: Annotated[str, msgspec.Meta(description="An answer's `next`.")] = ""


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


async def run(memory: Memory, params: Params) -> Result:
    """Return the newest events that the parameters let through.

    Raises:
        InvalidArgumentError: A time cannot be read.
        UnknownPathError: The path is outside the project; one that is gone is not an error.
    """
    now = memory.now()
    path, since, until = (
        _path(memory, params.path),
        _time("since", params.since, now),
        _time("until", params.until, now),
    )
    pending = shown_pending(await memory.settle(SETTLE_S))
    found = await newest_events(
        memory,
        params.limit + 1,  # one more says whether there are older ones
        before=params.before,
        kinds=params.kinds,
        path=path,
        session=params.session,
        since=since,
        until=until,
    )
    events = [_detail(event) for event in found[: params.limit]]
    as_of = current(memory)

    def make(lengths: Sequence[int]) -> Result:
        waiting, shown = lengths
        more = found[max(shown, 1) - 1].id if shown < len(found) else ""
        return Result(events=events[:shown], as_of=as_of, next=more, pending=pending[:waiting])

    parts = [Part(len(pending), min(3, len(pending))), Part(len(events), len(events))]
    return fit(make, parts, memory.settings.budget_tokens)


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
