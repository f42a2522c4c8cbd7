"""Learns from what happened: in a quiet moment from sessions, runs and commits, at once from what somebody states.

What is learned is derived again from the last sessions and events each time, and each happening gives the same piece of
evidence: so nothing is lost with a crash and nothing counted twice.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime

import msgspec

from memoire.companions import Companions
from memoire.episodes.history import History
from memoire.episodes.wanted import Wanted
from memoire.errors import MemoireError
from memoire.graph import Graph
from memoire.impact import is_code
from memoire.languages import is_test
from memoire.model import EdgeKey, Evidence, GraphDelta
from memoire.processor import Processor
from memoire.relations import outcomes, session_order
from memoire.relations.changes_with import together
from memoire.store.newest import KEPT
from memoire.store.records import Store

SESSIONS = 20
"""Sessions that are looked at: those that were active last. More are not active between two quiet moments."""

_Waiting = tuple[Evidence, asyncio.Future[None]]


class Learning:
    """What one project learns.

    Args:
        store: Holds its events, sessions and evidence.
        processor: Plans what evidence does to the edges.
        graph: The open edges.
        wake: Lets the project's task look for news.
    """

    def __init__(self, store: Store, processor: Processor, graph: Graph, wake: Callable[[], None]) -> None:
        self._store = store
        self._wake = wake
        self._processor = processor
        self._companions = Companions(graph, processor.lessons, processor.depends)
        self._seen: dict[str, object] = {}
        """Session -> its edits when they were looked at."""
        self._known: tuple[History, frozenset[str]] | None = None
        self._looked: tuple[int, History] | None = None
        """The state in which was looked last: where it is the same nothing happened since."""
        self._waiting: list[_Waiting] = []

    async def load(self, history: History, files: Collection[str]) -> None:
        """Take in what is known, before anything is planned.

        Args:
            history: As it was mined last.
            files: Those of the project.

        Raises:
            StoreError: The evidence cannot be read.
        """
        self._processor.lessons.apply(await self._store.evidence())
        await self._know(history, frozenset(files))

    async def look(self, history: History, now: datetime) -> tuple[list[Evidence], set[EdgeKey]]:
        """Return the pieces that the last sessions, runs and commits give, and the edges that commits alone may change.

        Args:
            history: As it is mined.
            now: When what is too much is taken back.

        Raises:
            StoreError: What happened cannot be read.
        """
        if self._looked == (self._store.generation, history):
            return [], set()
        self._looked = (self._store.generation, history)
        records, lessons = self._processor.records, self._processor.lessons
        sessions = await self._store.sessions(limit=SESSIONS)
        events, _ = self._store.newest.find(KEPT, Wanted())
        found = outcomes.pieces(events, sessions, is_test=is_test, is_code=is_code)
        for session in sessions:
            if self._seen.get(session.id) != session.edits:
                found += session_order.pieces(session)
        self._seen = {session.id: session.edits for session in sessions}
        gone = (path for path in lessons.paths() if path not in records)
        moved = {new: path for path in gone if (new := history.renamed.get(path, "")) in records}
        keys = await self._know(history, frozenset(records))
        return [*lessons.fresh(found), *lessons.carried(moved), *lessons.excess(now)], keys

    def completed(self, delta: GraphDelta, now: datetime) -> GraphDelta:
        """Return a delta that was planned together with what it does to the edges of files that change together."""
        more = self._companions.delta(self._processor.records, now)
        return msgspec.structs.replace(
            delta,
            opened=[*delta.opened, *more.opened],
            updated=[*delta.updated, *more.updated],
            closed=[*delta.closed, *more.closed],
        )

    # ---- what is stated

    async def state(self, said: Evidence) -> None:
        """Wait until a statement is durable and its edge shown: the task of the project takes it in.

        Raises:
            MemoireError: It could not be written; it may be later.
        """
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((said, written))
        self._wake()
        await written

    def has_news(self) -> bool:
        """Return whether a statement waits."""
        return bool(self._waiting)

    @contextmanager
    def stated(self) -> Iterator[list[Evidence]]:
        """Give the oldest statement that waits, with what it takes back; who made it hears how writing it ended."""
        said, written = self._waiting.pop(0)
        try:
            yield self._processor.lessons.stated(said)
        except MemoireError as error:
            if not written.done():  # who made it may have gone away
                written.set_exception(error)
            raise
        except BaseException:
            written.cancel()
            raise
        if not written.done():
            written.set_result(None)

    async def _know(self, history: History, files: frozenset[str]) -> set[EdgeKey]:
        if self._known is not None and self._known[0] is history and self._known[1] == files:
            return set()
        pairs = await asyncio.to_thread(together, history.commits, files, is_code)
        self._known = (history, files)
        return self._processor.lessons.know(pairs)
