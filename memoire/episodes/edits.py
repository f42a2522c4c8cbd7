"""Says what an edit changed: `Edited memoire/processor.py: changed plan(), added _retract()`.

From the fingerprints of definitions before and after. The innermost definition that changed is named, not the class
around it; a save that changed no definition's syntax says so.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b

from memoire.model import Definition, Event, FileChange, FileFacts, FileRecord

MASS_CHANGE = 20
"""Files that change at once from which one summarising event stands for all of them."""

_MAX_NAMES = 4
_MAX_ENTITIES = 40
_COSMETIC = 0.2
_BODY = 0.5
_SIGNATURE = 0.7
_PRESENCE = 0.6
"""Importance in [0, 1]: cosmetic 0.2, text without definitions 0.4, a body 0.5, files that come or go 0.6, a changed
signature or a removed definition 0.7."""
_TEXT = 0.4


def event_id(kind: str, at: datetime, *parts: str) -> str:
    """Return an id that sorts by time and is the same for the same happening."""
    digest = blake2b("\0".join((kind, *parts)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{int(at.timestamp() * 1000):012x}-{digest}"


def moves(changes: Sequence[FileChange], gone: Sequence[str], records: Mapping[str, FileRecord]) -> dict[str, str]:
    """Return new path -> old path where a new file has the very content of one that is gone."""
    left: dict[str, list[str]] = {}
    for path in gone:
        record = records.get(path)
        if record is not None and record.sha:
            left.setdefault(record.sha, []).append(path)
    moved: dict[str, str] = {}
    for change in changes:
        olds = left.get(change.facts.sha)
        if olds and change.path not in records:
            moved[change.path] = olds.pop()
    return moved


def describe(
    changes: Sequence[FileChange],
    gone: Sequence[str],
    moved: Mapping[str, str],
    records: Mapping[str, FileRecord],
    facts: Callable[[str], FileFacts | None],
    at: datetime,
    *,
    is_first: bool,
) -> list[Event]:
    """Return the events of a batch: one for each file, or one for all where there are many.

    Args:
        changes: As they are now.
        gone: Files that are no more.
        moved: New path -> old path.
        records: As they were before.
        facts: As they were before.
        at: When.
        is_first: Whether the project is indexed for the first time.
    """
    if is_first:
        return [_indexed(len(changes), at)] if changes else []
    real = [
        change for change in changes if (record := records.get(change.path)) is None or record.sha != change.facts.sha
    ]
    if len(real) + len(gone) > MASS_CHANGE:
        return [batch("Many files changed at once", [change.path for change in real], gone, at)]
    events = []
    for change in real:
        if change.path in moved:
            events.append(relocated(moved[change.path], change.path, at))
        else:
            events.append(edited(change.path, facts(change.path), change.facts, at))
    return events + [deleted(path, at) for path in gone if path not in moved.values()]


def edited(path: str, before: FileFacts | None, after: FileFacts, at: datetime) -> Event:
    """Return the event of a file that was created or saved with other content."""
    if before is None:
        names = [_called(item) for item in after.definitions if item.parent < 0]
        detail = f": {_listed('defines', names)}" if names else ""
        entities = (path, *(f"{path}::{item.name}" for item in after.definitions[: _MAX_ENTITIES - 1]))
        return _event("file_create", path, f"Created {path}{detail}", _PRESENCE, entities, at, after.sha)
    old, new = _by_name(before), _by_name(after)
    added = [items[0] for name, items in new.items() if name not in old]
    removed = [items[0] for name, items in old.items() if name not in new]
    changed = [items[0] for name, items in new.items() if name in old and _bodies(old[name]) != _bodies(items)]
    around = _around(after, changed + added) | _around(before, removed)
    changed = [item for item in changed if item.name not in around]
    broken, mended = _is_partial(after) and not _is_partial(before), _is_partial(before) and not _is_partial(after)
    # What is not found in a file that cannot be read whole may be there all the same.
    added, removed = [] if mended else added, [] if broken else removed
    parts = [_listed("changed", [_called(item) for item in changed])] if changed else []
    parts += [_listed("added", [_called(item) for item in added])] if added else []
    parts += [_listed("removed", [_called(item) for item in removed])] if removed else []
    parts += ["part of it cannot be read now"] if broken else ["it can be read whole again"] if mended else []
    if removed or any(_signatures(old[item.name]) != _signatures(new[item.name]) for item in changed):
        importance = _SIGNATURE
    elif parts:
        importance = _BODY
    else:
        importance = _TEXT if not new else _COSMETIC
    if not parts and new:
        parts = ["no definition changed"]
    touched = [f"{path}::{item.name}" for item in changed + added + removed]
    summary = f"Edited {path}" + (f": {', '.join(parts)}" if parts else "")
    return _event("file_edit", path, summary, importance, (path, *touched[: _MAX_ENTITIES - 1]), at, after.sha)


def deleted(path: str, at: datetime) -> Event:
    """Return the event of a file that is gone."""
    return _event("file_delete", path, f"Deleted {path}", _PRESENCE, (path,), at, "")


def relocated(old: str, new: str, at: datetime) -> Event:
    """Return the event of a file that goes on under another path."""
    return _event("file_move", new, f"Moved {old} to {new}", _PRESENCE, (new, old), at, old)


def batch(what: str, changed: Sequence[str], gone: Sequence[str], at: datetime) -> Event:
    """Return one event for many files that changed at once: a branch switch, a rebuild, a time without the daemon."""
    folders = sorted({path.partition("/")[0] + "/" if "/" in path else path for path in (*changed, *gone)})
    where = f" in {', '.join(folders[:3])}" + (" and more" if len(folders) > 3 else "")
    counts = [f"{len(changed)} changed"] if changed else []
    counts += [f"{len(gone)} deleted"] if gone else []
    summary = f"{what}: {' and '.join(counts)}{where}"
    entities = tuple(sorted((*changed, *gone))[:_MAX_ENTITIES])
    return Event(
        id=event_id("batch", at, *entities),
        kind="batch",
        at=at,
        summary=summary,
        importance=_PRESENCE,
        entities=entities,
        count=len(changed) + len(gone),
    )


def _indexed(count: int, at: datetime) -> Event:
    summary = f"Indexed the project: {count} files"
    return Event(
        id=event_id("ingest", at, str(count)),
        kind="ingest",
        at=at,
        summary=summary,
        importance=_TEXT,
        actor="memoire",
        count=count,
    )


def _event(
    kind: str, path: str, summary: str, importance: float, entities: Sequence[str], at: datetime, state: str
) -> Event:
    return Event(
        id=event_id(kind, at, path, state),
        kind=kind,
        at=at,
        summary=summary,
        importance=importance,
        entities=tuple(dict.fromkeys(entities)),
    )


def _by_name(facts: FileFacts) -> dict[str, list[Definition]]:
    """Return name -> its definitions: an overload, a property's setter and a heading used twice share one."""
    found: dict[str, list[Definition]] = {}
    for item in facts.definitions:
        found.setdefault(item.name, []).append(item)
    return found


def _bodies(items: Sequence[Definition]) -> list[str]:
    return [item.body for item in items]


def _signatures(items: Sequence[Definition]) -> list[str]:
    return [item.signature for item in items]


def _is_partial(facts: FileFacts) -> bool:
    """Return whether definitions may be missing: the file could not be read whole."""
    return any(problem.code != "encoding" for problem in facts.problems)


def _around(facts: FileFacts, items: Sequence[Definition]) -> set[str]:
    """Return the names of all definitions that enclose some: they may only differ because of those."""
    names = {item.name for item in items}
    found: set[str] = set()
    for item in facts.definitions:
        parent = item.parent if item.name in names else -1
        while parent >= 0 and facts.definitions[parent].name not in found:
            found.add(facts.definitions[parent].name)
            parent = facts.definitions[parent].parent
    return found


def _called(item: Definition) -> str:
    return f"{item.name}()" if item.kind in {"function", "method"} else item.name


def _listed(verb: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return f"{verb} {', '.join(names[:_MAX_NAMES])}{more}"
