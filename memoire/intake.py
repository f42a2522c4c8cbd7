"""Takes changes of the tree in: the one task that reads, plans, makes durable and shows.

The path of a saved file: the watcher (or a scan) names it, `_take` reads it, `Processor.planning` says what that
changes, the event log and the store make it durable, then the graph and the index show it. There is one such task, so
nothing here is locked.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from memoire import scan
from memoire.config import Settings
from memoire.episodes import edits
from memoire.episodes.repository import Repository
from memoire.errors import MemoireError
from memoire.exercise import TESTS_AT_ONCE, TESTS_IN_QUIET
from memoire.feed import Feed, Told
from memoire.fingerprint import version
from memoire.graph import Graph
from memoire.ignore import Ignore
from memoire.judging import Judging
from memoire.landing import Commit, Landing
from memoire.learning import Learning
from memoire.model import EdgeKey, Event, Evidence, FileChange, GraphDelta
from memoire.processor import Processor
from memoire.progress import Ingested, Problems, Progress, in_slices
from memoire.reading import Reading, read_config
from memoire.retention import Retention
from memoire.run_files import RunFiles
from memoire.search import Entry, SearchIndex
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from memoire.store.recovery import recount
from memoire.workers import Readers

logger = logging.getLogger(__name__)

WHOLE = "./"
"""Stands among pending paths for the whole project."""
PULSE_S = 1.0
"""How often the spool is looked at; an answer looks at once."""
QUIET_S = 30.0
"""Accesses are counted in memory, and written together after so long without a change."""
LONGEST_RETRY_S = 60.0
"""Longest wait before what failed (no space, a lock) is tried again."""
CHUNK = 200
"""Files whose words are handed to the index at once during a first index."""


class Intake:
    """The task of one open project.

    Args:
        root: Real path of the project.
        settings: Its settings.
        log: Its event log.
        store: Its store.
        index: Its search index.
        graph: Its open edges; changed here alone.
        ignore: Its ignore rules.
        now: The clock.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        *,
        log: EventLog,
        store: Store,
        index: SearchIndex,
        graph: Graph,
        ignore: Ignore,
        now: Callable[[], datetime],
    ) -> None:
        self.progress = Progress()
        self.failure = ""
        """Why the last change could not be taken in yet; empty where it could."""
        self.problems = Problems()
        self.idle = asyncio.Event()
        """Set while nothing waits."""
        self.processor = Processor(graph, partial(read_config, root, settings.max_file_kb * 1024), settings.documents)
        self.readers = Readers(root, settings)
        self._root = root
        self._identity = scan.identity(root)
        self._settings = settings
        self._log = log
        self._store = store
        self._index = index
        self._graph = graph
        self._ignore = ignore
        self._now = now
        self._waiting: dict[str, None] = {}
        self._taking: frozenset[str] = frozenset()
        self._wants_scan = True
        self._wake = asyncio.Event()
        self._is_closing = False
        self._must_reread = False
        self._version = version(settings)
        self._feed = Feed(root, store.folder, log, self.processor.tree, ignore, store.newest)
        self.landing = Landing(
            log,
            store,
            index,
            graph,
            discard=self._feed.inbox.discard,
            lose_index=self.notice_everything,
            checkpoint_bytes=settings.checkpoint_mb * 1_000_000,
        )
        self._restamped: set[str] = set()
        """Files that were written anew with the same bytes: their times are stored in the next quiet moment."""
        self.repository = Repository(root, store.folder)
        self._retention = Retention(settings.retention_days, log, store, now)
        self.learning = Learning(store, self.processor, graph, wake=lambda: self.notice(()))
        self._runs = RunFiles(root, store.folder, self.processor)
        self.judging: Judging | None = None
        """What becomes of the notes; none where nobody asks."""
        self._last: Ingested | None = None
        self._last_work = time.monotonic()

    async def load(self, *, is_rebuilt: bool) -> None:
        """Take in what the store holds, before `run`."""
        snapshot = await self._store.load()
        if is_rebuilt:
            self.processor.learned = await asyncio.to_thread(recount, self._log)
        await asyncio.to_thread(self.repository.load, self._store.project.get("git", ""))
        await asyncio.to_thread(self._index.remember, self.repository.history)
        await self.learning.load(self.repository.history, [record.path for record in snapshot.files])
        await asyncio.to_thread(self._runs.load)
        self._graph.apply(GraphDelta(files=snapshot.files, opened=snapshot.edges))
        behind = self._store.was_interrupted or self._store.project.get("tests") is not None
        await in_slices(self.processor.loading(snapshot.files, are_tests_behind=behind), self.progress)
        self.problems.restore(self._graph.nodes(), self.processor.facts)
        if self._store.project.get("facts") == self._version:
            self.readers.remember(self.processor.records, self.problems)

    def notice(self, changed: Iterable[str]) -> None:
        """Let the task take these paths in. From the event loop's thread only."""
        self._waiting.update(dict.fromkeys(changed))
        self.idle.clear()
        self._wake.set()

    def notice_everything(self) -> None:
        """Let the task compare the whole tree. From the event loop's thread only."""
        self._wants_scan = True
        self.notice(())

    def stop(self) -> None:
        """Let `run` end once the change it takes in is done."""
        self._is_closing = True
        self._wake.set()

    def pending(self) -> set[str]:
        """Return the paths that are named and not yet taken in."""
        planned = self.landing.waiting.delta if self.landing.waiting is not None else GraphDelta()
        # While the tree is compared nobody knows which files differ: any may.
        whole = {WHOLE} if self._wants_scan or self.progress.phase == "scanning" else set[str]()
        return {*whole, *self._waiting, *self._taking, *planned.gone, *(record.path for record in planned.files)}

    @property
    def has_compared(self) -> bool:
        """Whether the whole tree was compared with what is known since the project was opened."""
        return self._last is not None

    @property
    def lost_reports(self) -> int:
        """How many reports of hooks could not be taken in since the project was opened."""
        return self._feed.lost

    def last_activity(self) -> float:
        """Return when there was last something to take in, on the monotonic clock."""
        return self._last_work if self.idle.is_set() else time.monotonic()

    def record_access(self, path: str) -> None:
        """Count one look at a file; it is written with the next quiet moment."""
        self._feed.record_look(path)

    def notice_reports(self) -> None:
        """Let the task take in what hooks and git have left, if anything. From the event loop's thread only."""
        if self._has_news():
            self.notice(())

    async def ingest(self) -> Ingested:
        """Compare the whole tree with the store, take in what differs, and return what that did."""
        self.notice_everything()
        await self.idle.wait()
        return self._last or Ingested(0, 0, 0, 0, ())

    async def run(self) -> None:
        """Take in what waits, for as long as the project is open."""
        failures = 0
        while not self._is_closing:
            try:
                if not self._has_work():
                    self.idle.set()
                    await self._pause()
                self._wake.clear()
                if self._has_work():
                    await self._work()
                    self._last_work = time.monotonic()
                failures, self.failure = 0, ""
            except Exception as error:  # boundary: queue task
                logger.exception("change not taken in")
                # Any other error may quote what was being read, and `status` shows this.
                is_plain = isinstance(error, MemoireError | OSError)
                failures, self.failure = failures + 1, (is_plain and str(error)) or type(error).__name__
                self._wants_scan = self._wants_scan or self._must_reread
            finally:
                self._taking = frozenset()
                self.progress = Progress()
            if failures:
                self.idle.set()
                await self._wait(min(2.0**failures, LONGEST_RETRY_S))

    def _has_work(self) -> bool:
        waits = self._wants_scan or self._waiting or self.landing.waiting or self.repository.is_behind
        return bool(waits) or self._has_news() or self.learning.has_news()

    async def _work(self) -> None:
        """Do one piece of what waits."""
        self.landing.check_lock()
        scan.require(self._root, self._identity)
        if self.landing.waiting is not None:
            await self.landing.finish()
        elif self._feed.has_news():
            # Before the changes: they say whose those are.
            await self._tell(await asyncio.to_thread(self._feed.take, self._now()))
        elif self.repository.feed.has_news():
            await self._take_git()
        elif self._wants_scan:
            self._wants_scan = False
            try:
                await self._take_tree()
            except BaseException:
                self._wants_scan = True
                raise
        elif self._waiting and not await self.repository.rest():
            batch, self._waiting = list(self._waiting), {}
            self._taking = frozenset(batch)
            try:
                await self._take(batch)
            except BaseException:
                self._waiting = dict.fromkeys(batch) | self._waiting
                raise
        elif not await self._take_stated() and self.repository.is_behind:
            await self._mine()

    async def _take_stated(self) -> bool:
        """Take in what somebody stated, or a run of tests; return whether there was either."""
        if self.learning.has_news():
            with self.learning.stated() as pieces:
                await self._learn(pieces)
        elif self._runs.has_news():
            await self._runs.take()
            await self._test(TESTS_AT_ONCE)
        else:
            return False
        return True

    async def _test(self, most: int) -> None:
        """Look at some tests whose reach, or what was seen of them, may differ."""
        await self.landing.write(await self._plan((), (), now=self._now(), most_tests=most))

    def _has_news(self) -> bool:
        return self._feed.has_news() or self.repository.feed.has_news() or self._runs.has_news()

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    async def _pause(self) -> None:
        """Sleep until something changes; use the quiet for what can wait."""
        until = time.monotonic() + QUIET_S
        while time.monotonic() < until:
            await self._wait(min(PULSE_S, QUIET_S))
            if self._wake.is_set() or self._has_news():
                return
        self.landing.check_lock()
        await self.flush()
        await self._runs.look()
        while self.processor.behind and not (self._wake.is_set() or self._feed.has_news()):
            await self._test(TESTS_IN_QUIET)
        await self._store.remember({"tests": self.processor.behind})
        await self._learn(*await self.learning.look(self.repository.history, self._now()))
        while not (self._wake.is_set() or self._feed.has_news()) and (commit := await self._retention.step()):
            await self.landing.land(commit)
        if self._store.bytes_written:
            await self._store.checkpoint()

    async def _learn(self, learned: Sequence[Evidence], taught: Collection[EdgeKey] = ()) -> None:
        """Take in evidence, and show what it does to the edges."""
        now, delta = self._now(), GraphDelta()
        if learned or taught:
            delta = await self._plan((), (), now=now, learned=learned, taught=taught)
        await self.landing.write(self.learning.completed(delta, now))

    async def _take_tree(self) -> None:
        """Compare every file of the tree with what is known, by size and time, and take in those that differ."""
        self.progress = Progress("scanning")
        started = self._now()
        found = await asyncio.to_thread(scan.scan, self._root, self._ignore, self._settings)
        records = self.processor.records
        again = self._is_outdated()
        if self._index.generation not in {-1, self._store.generation}:
            await asyncio.to_thread(self._index.clear)
        differing = [
            entry.path
            for entry in found.files
            if again or (record := records.get(entry.path)) is None or not scan.is_as_known(record, entry)
        ]
        present = {entry.path for entry in found.files}
        gone = [path for path in records if path not in present]
        self.problems.keep(present)
        self.problems |= {path: (problem,) for path, problem in found.problems if path not in present}
        self._taking = frozenset((*differing, *gone))
        is_first = not records
        times = {}
        if is_first:
            await self._mine()
            times = await asyncio.to_thread(self.repository.ages, started)
        changed, deleted = await self._take_files(differing, gone, started, times=times, is_first=is_first)
        if again:
            await self._store.remember({"facts": self._version})
        await self._store.settle()
        self._last = Ingested(len(present), changed, deleted, self._graph.edge_count, self.problems.listed())
        self.progress = Progress()

    def _is_outdated(self) -> bool:
        """Return whether every file is to be read again: what is kept is of another version, or a part is missing."""
        return (
            self._must_reread
            or self._store.project.get("facts") != self._version
            or not self.landing.is_index_level
            or self._store.was_interrupted
        )

    async def _take(self, changed: Sequence[str]) -> None:
        """Take in some paths: those that are files, those that are gone, and directories that moved."""
        files, gone = list[str](), list[str]()
        records = self.processor.records
        for path in changed:
            entry = scan.look(self._root, path)
            if entry is not None and not self._ignore.is_ignored(path):
                # Read whatever its size and time say: the watcher saw it change, and both can be set back.
                files.append(path)
            elif path in records:
                gone.append(path)
        if files or gone:
            await self._take_files(files, gone, self._now())

    async def _take_files(
        self,
        files: Sequence[str],
        gone: Sequence[str],
        now: datetime,
        *,
        times: Mapping[str, datetime] | None = None,
        is_first: bool = False,
    ) -> tuple[int, int]:
        """Read and apply; return how many files changed and how many are gone."""
        is_new_index = self._index.generation < 0
        self.progress = Progress("reading", 0, len(files))
        changes, entries, vanished = list[FileChange](), list[Entry](), list[str]()
        async for reading in self.readers.read(files):
            self.progress.done += 1
            if reading.is_gone:
                vanished.append(reading.path)
                continue
            change = self._change(reading, now, times or {})
            if change is None and not is_new_index:
                continue
            entries.append(self._entry(reading, change.changed_at if change else now))
            if change is not None:
                changes.append(change)
            if is_new_index and len(entries) >= CHUNK:
                await asyncio.to_thread(self._index.add, entries)
                entries = []
        if is_new_index:
            # An index that is made anew gets its events back from the log.
            sessions = await self._store.sessions()
            await asyncio.to_thread(lambda: self._index.add(events=self._log.standing(), sessions=sessions))
        gone = [*gone, *(path for path in vanished if path in self.processor.records)]
        if changes or gone or entries:
            await self._apply(changes, gone, entries, now, is_first=is_first)
        elif self._index.generation != self._store.generation:
            await asyncio.to_thread(self._index.commit, self._store.generation)
        return len(changes), len(gone)

    def _change(self, reading: Reading, now: datetime, times: Mapping[str, datetime]) -> FileChange | None:
        """Return the change that a reading is; None where the content is what it was."""
        path, facts = reading.path, reading.facts
        record = self.processor.records.get(path)
        known = record if record is not None and record.sha == facts.sha and facts.sha else None
        if known is not None and not self._is_outdated():
            if known.mtime_ns != reading.stamp_ns:
                self.processor.records[path] = msgspec.structs.replace(known, mtime_ns=reading.stamp_ns)
                self._restamped.add(path)
            return None
        seen = min(now, scan.as_time(reading.mtime_ns)) if reading.mtime_ns else now
        changed_at = known.changed_at if known is not None else times.get(path) or seen
        return FileChange(path, msgspec.structs.replace(facts, words=""), reading.stamp_ns, changed_at)

    def _entry(self, reading: Reading, changed_at: datetime) -> Entry:
        kind = self.processor.kind_of(reading.path)
        return Entry.of(reading.path, kind, reading.facts, text=reading.text, changed_at=changed_at)

    async def _apply(
        self,
        changes: Sequence[FileChange],
        gone: Sequence[str],
        entries: Sequence[Entry],
        now: datetime,
        *,
        is_first: bool,
    ) -> None:
        """Plan, then make it durable, then show it."""
        self.progress = Progress("linking", 0, len(changes))
        records = self.processor.records
        moved = edits.moves(changes, gone, records)
        before = self.processor.facts
        by_git, told = list[Event](), set[str]()
        if not is_first:
            by_git, told = await asyncio.to_thread(self.repository.explain, changes, gone, records)
        mine = ([change for change in changes if change.path not in told], [path for path in gone if path not in told])
        events = edits.describe(*mine, moved, records, before, now, is_first=is_first) + by_git
        events = self._feed.changed(events, before, changes, gone)
        most = None if is_first else TESTS_AT_ONCE
        delta = await self._plan(changes, gone, now=now, events=events, moved=moved, most_tests=most)
        delta = await self._judge(delta, now, moved=moved)
        self.progress = Progress("storing", 0, len(changes))
        for path in gone:
            self.problems.pop(path, None)
        self.problems.renew(delta.files, before)
        is_shown = self._index.generation < 0 or self.landing.is_index_level
        await self.landing.land(Commit(delta, entries, is_shown=is_shown))
        await self._store.remember({"tests": self.processor.behind})

    async def _plan(self, changes: Sequence[FileChange], gone: Sequence[str], **rest: Any) -> GraphDelta:
        """Return what changes come to. That is in memory before it is in the store: if it breaks off, all is reread."""
        self._must_reread = True
        delta = await in_slices(self.processor.planning(changes, gone, **rest), self.progress)
        self._must_reread = False
        return delta

    async def _judge(self, delta: GraphDelta, now: datetime, **rest: Any) -> GraphDelta:
        """Return a delta with what it does to the notes."""
        return delta if self.judging is None else await self.judging.completed(delta, now, **rest)

    async def flush(self) -> None:
        """Write what can wait: the accesses counted since the last time, as one event, and times of files."""
        await self.landing.finish()
        if self.judging is not None:
            await self.landing.write(self.judging.waiting())
        restamped, self._restamped = self._restamped, set()
        known = self.processor.records
        await self.landing.write(GraphDelta(files=[known[path] for path in restamped if path in known]))
        await self._tell(self._feed.looks(self._now()))

    async def _tell(self, told: Told) -> None:
        """Take in what was reported; the records it was read from go once it is in the log."""
        totals: dict[str, int] = {}
        for path, count in told.accesses.items():
            record = self.processor.records.get(path)
            if record is not None:
                totals[path] = record.accesses + count
                self.processor.records[path] = msgspec.structs.replace(record, accesses=totals[path])
        if told.events or told.records:
            await self.landing.write(GraphDelta(events=told.events, accesses=totals), told.records)

    async def _take_git(self) -> None:
        """Take in what was done with git; it counts as seen when its events are safe."""
        if (news := await asyncio.to_thread(self.repository.feed.poll, self._now())) is None:
            return
        known = await self._store.known_events([event.id for event in news.events])
        await self._tell(Told((), tuple(event for event in news.events if event.id not in known), {}))
        self._feed.interrupt()
        self.repository.accept(news)
        await self._store.remember({"git": self.repository.feed.positions, "churn": ""})

    async def _mine(self) -> None:
        """Bring the history to what is checked out, for search to read too."""

        def show(done: int, total: int) -> None:
            self.progress = Progress("history", done, total)

        if await asyncio.to_thread(self.repository.catch_up, show):
            await asyncio.to_thread(self._index.remember, self.repository.history)
            if self.has_compared:
                await self.landing.write(await self._judge(GraphDelta(), self._now(), is_renamed=True))
