"""Lets what is past its retention go: events are told by day and file, edges that closed long ago leave.

In this order, so that a crash anywhere loses nothing and doubles nothing: the record of the day goes into the event
log; one transaction brings its events into the store and takes those they stand for out of it; the index follows; at
last whole segments of the log go. Whatever of it was not done is done at the next start (`store.recovery`).

Two guards against a clock that is wrong: days are counted back from the newest event at most, so that a project left
alone for a year keeps its last season; and of what is due one run takes `DAYS_PER_RUN` days, so that a clock that
jumps a year forward costs a week's detail for each day that nobody notices it. What comes late (a hook's record is
taken in for a week, a pulled commit is as old as it is) is told beside what is told of its day already.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from memoire.episodes.days import KIND, day_of, first_id, summarise
from memoire.episodes.sessions import encode
from memoire.episodes.wanted import Wanted
from memoire.landing import Commit
from memoire.model import GraphDelta
from memoire.store.eventlog import Day, EventLog
from memoire.store.records import Store

logger = logging.getLogger(__name__)

DAYS_PER_RUN = 7
"""Days with events that one run takes; there is one run a day."""

_EDGES_PER_STEP, _EDGE_STEPS = 1000, 50
"""Closed edges of one transaction, and transactions of one run."""
_LAST_RUN = "retained"


class Retention:
    """The retention of one project. Used by the one task that changes the store.

    Args:
        days: How long events are kept.
        log: The event log.
        store: The store.
        now: The clock.
    """

    def __init__(self, days: int, log: EventLog, store: Store, now: Callable[[], datetime]) -> None:
        self._days = days
        self._log = log
        self._store = store
        self._now = now
        self._taken = 0
        """Days that this run has taken."""

    async def step(self) -> Commit | None:
        """Return the next day to be taken in, None where nothing is left to do today.

        The caller makes it durable as it does every change, and asks again.
        """
        if not await self._is_due():
            return None
        until = await self._until()
        if until is not None:
            oldest = await self._store.oldest_event(first_id(until), without=[KIND])
            if oldest and self._taken < DAYS_PER_RUN:
                self._taken += 1
                return await self._day(oldest)
            for _ in range(_EDGE_STEPS):
                if await self._store.prune(_begin(until), limit=_EDGES_PER_STEP) < _EDGES_PER_STEP:
                    break
            removed = await asyncio.to_thread(self._log.prune, until)
            logger.info("retention done days=%s segments=%s", self._taken, removed)
        self._taken = 0
        await self._store.remember({_LAST_RUN: self._today().isoformat()})
        return None

    async def _is_due(self) -> bool:
        last, today = self._store.project.get(_LAST_RUN, ""), self._today().isoformat()
        if last > today:  # the clock was set back
            await self._store.remember({_LAST_RUN: today})
            return False
        return last < today

    async def _until(self) -> date | None:
        """Return the first day that is kept; None where nothing happened yet."""
        newest = await self._store.find_events(1, Wanted())
        if not newest:
            return None
        present = min(self._now(), newest[0].at + timedelta(days=1))
        return (present - timedelta(days=self._days)).astimezone(UTC).date()

    async def _day(self, oldest: str) -> Commit:
        """Return what brings in the summary of the day of an event."""
        (first,) = await self._store.events_with([oldest])
        day = day_of(first)
        found = await self._store.events_between(first_id(day), first_id(day + timedelta(days=1)))
        originals = [event for event in found if event.kind != KIND]
        told = await asyncio.to_thread(summarise, day, originals)
        sessions = [encode(session) for session in await self._store.sessions_of(originals)]
        delta = GraphDelta(events=told, forgotten=[event.id for event in originals])
        return Commit(delta, (), day=Day(day, told, tuple(sessions)))

    def _today(self) -> date:
        return self._now().astimezone(UTC).date()


def _begin(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
