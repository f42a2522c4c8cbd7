"""Opens the store whatever state it is in: puts a damaged one aside, takes in what the event log holds beyond it."""

import asyncio
import logging
import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TypeVar

from memoire.episodes.days import KIND, changes_of, first_id, looks_of
from memoire.errors import StoreDamagedError, StoreUnavailableError
from memoire.model import Evidence, GraphDelta
from memoire.store.eventlog import Day, EventLog
from memoire.store.records import Store
from memoire.store.state import forget_damage, generation_beside

logger = logging.getLogger(__name__)

KEPT_DAMAGED = 2
"""Damaged databases that stay beside the store for whoever wants to look."""

_EVENTS_PER_DELTA = 1000
_SESSIONS_PER_DELTA = 200

_Item = TypeVar("_Item")


async def open_or_rebuild(folder: Path, log: EventLog) -> tuple[Store, str]:
    """Return the store of a state folder, and why it had to be rebuilt ("" where nothing was wrong).

    A damaged database is moved to `db.damaged-<UTC time>`, a new one takes its place, and the event log is projected
    into it; the graph is for the caller to index again, as it is for any new store. Events that are in the log but not
    in the store (a crash fell between the two) are always taken in, each once. Everything is read once, so that damage
    shows here and not later; the next `load` costs nothing.

    Raises:
        StoreUnavailableError: Held by another process, no space, no permission. Nothing was moved.
        SchemaMismatchError: A newer memoire wrote it.
    """
    try:
        return await _open(folder, log, 0), ""
    except StoreDamagedError as error:
        reason = error.why
    kept = _set_aside(folder)
    logger.warning("store damaged, rebuilt why=%s kept=%s", reason, kept)
    forget_damage(folder)
    # The count goes on: whatever holds a generation of the lost database, the search index above all, is behind.
    return await _open(folder, log, generation_beside(folder) + 1), reason


def recount(log: EventLog) -> dict[str, tuple[int, int]]:
    """Return path -> (changes, accesses) as the events of the log tell them: what a rebuilt store cannot know."""
    changes, accesses = Counter[str](), Counter[str]()
    for event in log.standing():
        if event.entities and (count := changes_of(event)):
            changes[event.entities[0]] += count
        accesses.update(looks_of(event))
    return {path: (changes[path], accesses[path]) for path in changes | accesses}


async def project(store: Store, log: EventLog) -> int:
    """Take in the events that the log holds and the store does not; return how many.

    Raises:
        StoreError: They cannot be read or written.
    """
    end = log.position
    start = store.projected if store.projected <= end else ""  # else the log was replaced by a shorter one
    missing = 0
    for events in _chunks(log.standing(start), _EVENTS_PER_DELTA):
        known = await store.known_events([event.id for event in events])
        fresh = [event for event in events if event.id not in known]
        await store.apply(GraphDelta(events=fresh))
        missing += len(fresh)
    for day, late in await asyncio.to_thread(lambda: list(log.days(start))):
        await _forget(store, day, late)
    told = await asyncio.to_thread(log.sessions, start)
    for states in _chunks(iter(told.values()), _SESSIONS_PER_DELTA):
        await store.apply(GraphDelta(sessions=states))
    await _learn(store, await asyncio.to_thread(log.evidence, start))
    await store.set_projected(end)
    return missing


async def _learn(store: Store, told: dict[str, Evidence]) -> None:
    """Take in the evidence that the log tells, unless the store has a later revision."""
    if not told:
        return
    known = {piece.id: piece.revision for piece in await store.evidence()}
    fresh = [piece for piece in told.values() if piece.revision > known.get(piece.id, -1)]
    for pieces in _chunks(iter(fresh), _EVENTS_PER_DELTA):
        await store.apply(GraphDelta(evidence=pieces))


async def _forget(store: Store, day: Day, late: set[str]) -> None:
    """Remove the events that a day's record stands for: it was written, and then the process ended."""
    found = await store.events_between(first_id(day.day), first_id(day.day + timedelta(days=1)))
    ids = [event.id for event in found if event.kind != KIND and event.id not in late]
    if ids:
        await store.apply(GraphDelta(forgotten=ids))


async def _open(folder: Path, log: EventLog, first_generation: int) -> Store:
    store = await Store.open(folder, first_generation=first_generation)
    try:
        missing = await project(store, log)
        await store.verify()
    except BaseException:
        await store.close()
        raise
    if missing:
        logger.info("events taken in from the log count=%s", missing)
    return store


def _set_aside(folder: Path) -> Path:
    """Move the database away and return where it is; of those moved earlier only the last ones stay."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = folder / f"db.damaged-{stamp}"
    number = 1
    while aside.exists():
        number += 1
        aside = folder / f"db.damaged-{stamp}-{number}"
    try:
        (folder / "db").rename(aside)
    except OSError as error:
        raise StoreUnavailableError(str(folder / "db"), (error.strerror or str(error)).lower()) from error
    older = sorted(folder.glob("db.damaged-*"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    for path in older[:-KEPT_DAMAGED]:
        shutil.rmtree(path, ignore_errors=True)
    return aside


def _chunks(items: Iterator[_Item], most: int) -> Iterator[list[_Item]]:
    while chunk := list(islice(items, most)):
        yield chunk
