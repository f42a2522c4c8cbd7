"""Lands what was planned: in the event log, in the store, then in the graph and the index, in this order.

A crash or a full disk may stop it anywhere: what waits is taken up where it broke off, and nothing is shown that could
still be lost.
"""

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from memoire.errors import StoreError, StoreUnavailableError
from memoire.graph import Graph
from memoire.model import GraphDelta, Session
from memoire.search import Entry, SearchIndex
from memoire.store.eventlog import Day, EventLog
from memoire.store.records import Store


class Commit(msgspec.Struct):
    """A planned delta on its way: what of it is done, so that a failure (no space) is taken up where it broke off."""

    delta: GraphDelta
    entries: Sequence[Entry]
    is_shown: bool = True
    """Whether the index takes it in: not one that is behind."""
    records: Sequence[str] = ()
    """Spool records that it was read from: they go once it is in the log."""
    day: Day | None = None
    """What its events are told by in the log, where they stand for those of a day."""
    is_logged: bool = False
    is_stored: bool = False

    def write(self, log: EventLog) -> None:
        """Bring its events into the log, once.

        Raises:
            StoreUnavailableError: No space, no permission: none of them is in the log.
        """
        if self.is_logged:
            return
        if self.day is not None:
            log.append_day(self.day)
        else:
            log.append(self.delta.events)
        log.append_evidence(self.delta.evidence)
        self.is_logged = True

    def show(self, index: SearchIndex, generation: int, sessions: Sequence[Session]) -> None:
        """Bring it into the index.

        Args:
            index: The search index.
            generation: Of the store that holds it.
            sessions: Those that its events belong to, as they are now.

        Raises:
            StoreUnavailableError: It could not be written.
        """
        delta = self.delta
        if delta.is_empty() and not self.entries:
            return  # a commit of the index forces a dozen files to disk
        index.apply(self.entries, delta.gone, delta.events, generation, forgotten=delta.forgotten, sessions=sessions)


class Landing:
    """Lands the deltas of one project, one after the other. Called by one task alone.

    Args:
        log: Its event log.
        store: Its store.
        index: Its search index.
        graph: Its open edges; changed here alone.
        discard: Removes spool records whose events are in the log. Blocks.
        lose_index: Called when the index is behind the store and has to be filled anew.
        checkpoint_bytes: Written to the store since the last checkpoint, from which on another is due.
    """

    def __init__(
        self,
        log: EventLog,
        store: Store,
        index: SearchIndex,
        graph: Graph,
        *,
        discard: Callable[[Sequence[str]], None],
        lose_index: Callable[[], None],
        checkpoint_bytes: int,
    ) -> None:
        self.owns_store: Callable[[], bool] = lambda: True
        """Whether this process may still write the store."""
        self.waiting: Commit | None = None
        """What is on its way."""
        self._log = log
        self._store = store
        self._index = index
        self._graph = graph
        self._discard = discard
        self._lose_index = lose_index
        self._checkpoint_bytes = checkpoint_bytes

    @property
    def is_index_level(self) -> bool:
        """Whether the index holds what the store does."""
        return self._index.generation == self._store.generation

    def check_lock(self) -> None:
        """Check that the store is still this process's own.

        Raises:
            StoreUnavailableError: It is not.
        """
        if not self.owns_store():
            raise StoreUnavailableError(str(self._store.folder), "its lock file is gone, so another process may use it")

    async def write(self, delta: GraphDelta, records: Sequence[str] = ()) -> None:
        """Land what is nothing of the tree; where that is nothing at all, do nothing.

        Args:
            delta: What was planned.
            records: Spool records that it was read from.

        Raises:
            StoreError: It could not be written yet: `finish` takes it up.
        """
        if delta.is_empty() and not records:
            return
        # An index that is behind is filled from the log by the next scan: with this alone it would pass for whole.
        await self.land(Commit(delta, (), records=records, is_shown=self.is_index_level))

    async def land(self, commit: Commit) -> None:
        """Land a planned delta.

        Raises:
            StoreError: It could not be written yet: `finish` takes it up.
        """
        self.waiting = commit
        await self.finish()

    async def finish(self) -> None:
        """Make what waits durable, then show it; nothing where nothing waits.

        Raises:
            StoreError: It could not be written yet.
        """
        commit = self.waiting
        if commit is None:
            return
        self.check_lock()
        delta = commit.delta
        await asyncio.to_thread(commit.write, self._log)
        if commit.records:
            await asyncio.to_thread(self._discard, commit.records)
            commit.records = ()
        if not commit.is_stored:
            await self._store.apply(delta)
            self._graph.apply(delta)
            commit.is_stored = True
        sessions = await self._store.sessions_of(delta.events)
        try:
            if commit.is_shown:
                await asyncio.to_thread(commit.show, self._index, self._store.generation, sessions)
        except StoreError:
            # What was added before it may be lost with it: the index stays behind the store, and is filled anew.
            self.waiting = None
            self._lose_index()
            raise
        self.waiting = None
        if self._store.bytes_written >= self._checkpoint_bytes:
            await self._store.checkpoint()
