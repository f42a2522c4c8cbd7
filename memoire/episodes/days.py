"""Tells the events of a day past its retention as a few: one for each file that changed, one for all that was done.

Pure, and the same for the same events: an event that stands for others has an id made of theirs. It stands at the
beginning of its day, so that whoever reads backwards page by page comes to it after those it stands for.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time

from memoire.episodes.edits import event_id
from memoire.model import Event, parse_path

KIND = "day"

_EDITS = frozenset({"file_edit", "file_create", "file_delete", "file_move"})
_NAMED = 4
_SYMBOLS = 10
_PATHS = 20
_FAILING = 20


def day_of(event: Event) -> date:
    """Return the UTC day of an event, by its id: that is what a day's events are found by."""
    try:
        return datetime.fromtimestamp(int(event.id[:12], 16) / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return event.at.astimezone(UTC).date()


def first_id(day: date) -> str:
    """Return an id that sorts before those of all events of a day and behind those of the days before."""
    return f"{int(_begin(day).timestamp() * 1000):012x}"


def changes_of(event: Event) -> int:
    """Return how many changes of its file's content an event tells; it may stand for those it replaces."""
    if event.kind == "file_edit":
        return event.count
    return max(event.count - 1, 0) if event.kind == "file_create" else event.changes


def looks_of(event: Event) -> Counter[str]:
    """Return path -> how often an event says that it was looked at."""
    return Counter(event.entities) if event.kind == "access" else Counter(event.looks)


def summarise(day: date, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return what stands for events of one day, none of them of kind `day`; a file's event names it first."""
    files: dict[str, list[Event]] = {}
    rest: list[Event] = []
    for event in events:
        if event.kind in _EDITS and event.entities:
            files.setdefault(parse_path(event.entities[0])[0], []).append(event)
        else:
            rest.append(event)
    told = [_of_file(day, path, found) for path, found in sorted(files.items())]
    return (*told, _of_rest(day, rest)) if rest else tuple(told)


def _of_file(day: date, path: str, events: Sequence[Event]) -> Event:
    kinds = Counter(event.kind for event in events)
    changes = sum(map(changes_of, events))
    symbols = Counter(entity for event in events for entity in event.entities if entity.startswith(f"{path}::"))
    others = dict.fromkeys(entity for event in events for entity in event.entities if "::" not in entity)
    top = symbols.most_common(_SYMBOLS)
    done = [word for kind, word in (("file_create", "created"), ("file_move", "moved here")) if kinds[kind]]
    done += [f"edited {_times(changes)}"] if changes else []
    done += ["deleted"] if kinds["file_delete"] else []
    mostly = ", ".join(f"{parse_path(name)[1]} {count}" for name, count in top[:_NAMED])
    summary = f"{path} was {', '.join(done) or 'changed'} {_by(events)}" + (f"; mostly {mostly}" if mostly else "")
    return _event(
        day,
        events,
        path,
        summary,
        entities=(path, *(name for name, _ in top), *(name for name in others if name != path))[:_PATHS],
        changes=changes,
    )


def _of_rest(day: date, events: Sequence[Event]) -> Event:
    commands = [event for event in events if event.kind == "command"]
    failures = sum(event.outcome == "failed" for event in commands)
    prompts = sum(event.count for event in events if event.kind == "prompt")
    commits = sum(event.count for event in events if event.kind == "commit")
    sessions = len({event.session for event in events if event.session})
    looks: Counter[str] = sum((looks_of(event) for event in events), Counter())
    ran = sum(event.count for event in commands)
    told = [f"{_count(ran, 'command')}{f' ({failures} failed)' if failures else ''}"] if ran else []
    told += [_count(prompts, "prompt")] if prompts else []
    told += [_count(commits, "commit")] if commits else []
    told += [f"{_count(looks.total(), 'look')} at {_count(len(looks), 'file')}"] if looks else []
    told += [f"in {_count(sessions, 'session')}"] if sessions else []
    touched = Counter(
        parse_path(entity)[0] for event in events if event.kind != "access" for entity in event.entities
    ).most_common(_PATHS)
    failing = Counter(name for event in commands for name in event.failed).most_common(_FAILING)
    return _event(
        day,
        events,
        "",
        ", ".join(told) or _count(len(events), "event"),
        entities=tuple(path for path, _ in touched),
        outcome="failed" if failures else "",
        failed=tuple(name for name, _ in failing),
        looks=dict(looks),
    )


def _event(day: date, events: Sequence[Event], path: str, summary: str, **fields: object) -> Event:
    at = _begin(day)
    clients = {event.client for event in events if event.client}
    values = {
        "id": event_id(KIND, at, path, *sorted(event.id for event in events)),
        "kind": KIND,
        "at": at,
        "summary": f"On {day.isoformat()}: {summary}",
        "importance": max(event.importance for event in events),
        "actor": Counter(event.actor for event in events).most_common(1)[0][0],
        "client": clients.pop() if len(clients) == 1 else "",
        "count": sum(event.count for event in events),
        **fields,
    }
    return Event(**values)  # type: ignore[arg-type]  # each is of its field's type


def _by(events: Iterable[Event]) -> str:
    """Return who did it: `by assistant 9, person 3`."""
    actors: Counter[str] = Counter()
    for event in events:
        actors[event.actor] += event.count
    names = [f"{actor} {count}" for actor, count in actors.most_common()]
    return f"by {actors.most_common(1)[0][0]}" if len(names) == 1 else f"by {', '.join(names)}"


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
