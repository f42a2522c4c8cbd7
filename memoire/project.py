"""One project, open: its store, its graph, its index, what watches its tree and the task that takes changes in."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from memoire import config, paths
from memoire.answers import Answers
from memoire.clock import Clock, utc_now
from memoire.episodes import git
from memoire.episodes.changes import Change
from memoire.episodes.watcher import Watcher
from memoire.errors import StoreError
from memoire.fingerprint import fingerprint
from memoire.graph import Graph
from memoire.ignore import Ignore
from memoire.impact.ranking import Impact
from memoire.intake import Intake
from memoire.judging import Judging
from memoire.model import parse_path
from memoire.notes.keeper import Keeper
from memoire.notes.verdicts import Verdicts
from memoire.relations._spec import PACKAGE
from memoire.search import SearchIndex, Surroundings, meaning
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from memoire.store.recovery import open_or_rebuild

logger = logging.getLogger(__name__)

FIRST_INDEX_S = 20.0
"""How long a question waits for the first index of a project, which then answers with what is there."""
CATCH_UP_S = 5.0
"""How long a question waits after a start for what changed meanwhile: the first answer is the one most trusted."""
READER_S = 2.0
"""How long a question waits for what was just saved while nothing is there yet to read it: a start takes 0.2 s."""
CLOSE_S = 20.0
"""How long closing waits for a change that is being taken in."""

BINDING = frozenset(("IMPORTS", "ASSERTS_ON"))
"""Relations along which search looks for files that it was not asked for."""


class Project:
    """One open project. Made by `open`; `start` begins to follow the tree; `close` ends everything cleanly."""

    def __init__(self, root: Path, settings: config.Settings, log: EventLog, store: Store, clock: Clock) -> None:
        self.root = root
        self.settings = settings
        self.rebuilt = ""
        """Why the store had to be rebuilt; empty where it had not."""
        self._log = log
        self._store = store
        self._graph = Graph()
        self._ignore = Ignore(root, settings.ignore, tracked=git.tracked_ignored(root))
        self.index = SearchIndex.open(store.folder, version=fingerprint(), embedded=meaning.source())
        self.intake = Intake(
            root,
            settings,
            log=log,
            store=store,
            index=self.index,
            graph=self._graph,
            ignore=self._ignore,
            now=clock.next,
        )
        tree = self.intake.processor.tree
        self.index.surround(Surroundings(neighbours=self._neighbours, is_present=tree.__contains__))
        self._task: asyncio.Task[None] | None = None
        self._watcher: Watcher | None = None
        processor = self.intake.processor
        impact = Impact(
            self._graph,
            records=processor.records,
            facts=processor.facts,
            links=processor.links,
            users=processor.users,
            exercise=processor.exercise,
            history=lambda: self.intake.repository.history,
            observations=processor.observations,
        )
        self.notes = Keeper(root, store.folder, clock.now, lambda: git.head(root).commit)
        answers = Answers(root, settings, processor, self.index, self._ignore, impact)

        def renamed(path: str) -> str:
            return self.intake.repository.history.renamed.get(path, "")

        world = answers.world(self._graph, renamed)
        self.verdicts = Verdicts(self.notes.book, world, is_level=lambda: self.intake.has_compared)
        self.intake.judging = Judging(self.notes, self.verdicts, self._graph, lambda: git.head(root).commit)
        self.memory = answers.memory(
            graph=self._graph,
            store=store,
            settle=self.settle,
            record_access=self.intake.record_access,
            state=self.intake.learning.state,
            notes=self.notes,
            verdicts=self.verdicts,
            now=clock.now,
        )

    @classmethod
    async def open(cls, root: Path, *, now: Callable[[], datetime] = utc_now) -> "Project":
        """Return the project at `root` with what its store holds; nothing of the tree is read yet.

        Args:
            root: Its folder.
            now: The wall clock, with its zone.

        Raises:
            StoreUnavailableError: The store is locked, or there is no space or permission.
            SchemaMismatchError: A newer memoire wrote it.
        """
        real = Path(paths.real(root))
        settings, warnings = config.load(real)
        for warning in warnings:
            logger.warning("setting ignored %s", warning)
        folder = Path(paths.state_dir(real))
        log = EventLog(folder / "events")
        store, reason = await open_or_rebuild(folder, log)
        clock = Clock(now)
        try:
            for event in await store.events(1):
                clock.seen(event.at)
            # Reads ignore files and the whole index: not on the event loop, which answers `status` meanwhile.
            project = await asyncio.to_thread(cls, real, settings, log, store, clock)
        except BaseException:
            await store.close()
            raise
        project.rebuilt = reason
        try:
            await project.intake.load(is_rebuilt=bool(reason))
            await project._load_notes()  # noqa: SLF001 - its own
        except BaseException:
            await project.close()
            raise
        return project

    async def _load_notes(self) -> None:
        """Take in the notes, and what was known of what they are about."""
        try:
            await self.notes.refresh()
        except StoreError as error:
            logger.warning("notes not read why=%s", error)
        self.verdicts.restore(await self._store.judgements())

    async def start(self) -> None:
        """Begin to follow the tree: compare it with the store in the background, then take in what changes."""
        self.intake.readers.warm()
        with suppress(OSError):
            if paths.is_initialized(self.root):
                paths.write_local(self.root)
        loop = asyncio.get_running_loop()

        def notice(changes: list[Change]) -> None:
            loop.call_soon_threadsafe(self._notice_changes, changes)

        self._watcher = Watcher(
            self.root,
            self._ignore,
            notice,
            debounce_ms=self.settings.debounce_ms,
            cap_ms=self.settings.debounce_cap_ms,
        )
        # It watches before the tree is scanned, so nothing falls between the two.
        await asyncio.to_thread(self._watcher.start)
        self._task = asyncio.create_task(self.intake.run(), name="processor")

    async def close(self) -> None:
        """Stop following, write what is only in memory, and close the store and the index."""
        if self._watcher is not None:
            await asyncio.to_thread(self._watcher.stop)
        try:
            if self._task is not None:
                self.intake.stop()
                # A change half taken in is finished, so that the next start need not look at everything.
                await asyncio.wait({self._task}, timeout=CLOSE_S)
                self._task.cancel()
                await asyncio.wait({self._task})
            await self.intake.flush()
            await self.notes.flush()
        except StoreError as error:
            logger.warning("closing without the last accesses why=%s", error)
        finally:
            await self.intake.readers.close()
            try:
                await asyncio.to_thread(self.index.close)
            finally:
                await self._store.close()
                self._log.close()

    async def ingest(self) -> Mapping[str, Any]:
        """Compare the whole tree with the store, take in what differs, and return what that did."""
        done = await self.intake.ingest()
        if self.intake.failure:
            logger.warning("ingest incomplete why=%s", self.intake.failure)
        return {**msgspec.to_builtins(done), "failure": self.intake.failure}

    def _neighbours(self, path: str) -> frozenset[str]:
        """Return the files that this one imports or tests, and those that import or test it."""
        known: dict[str, frozenset[str]] = self._graph.derived("binding", None, dict)
        if path not in known:
            around = {edge.key.target for edge in self._graph.edges_out(path) if edge.key.relation in BINDING}
            around |= {edge.key.source for edge in self._graph.edges_in(path) if edge.key.relation in BINDING}
            known[path] = frozenset(parse_path(node)[0] for node in around if not node.startswith(PACKAGE)) - {path}
        return known[path]

    def _notice_changes(self, changes: list[Change]) -> None:
        if any(change.kind == "rescan" for change in changes):
            self.intake.notice_everything()
        self.intake.notice(path for change in changes for path in (change.path, change.old_path) if path)

    # ---- answers

    def status(self) -> dict[str, Any]:
        """Return the state of the project, for `memoire status`."""
        waiting = {*self.intake.pending(), *(self._watcher.pending_paths() if self._watcher else ())}
        return {
            "project_id": paths.project_id(self.root),
            "root": str(self.root),
            "files": len(self.intake.processor.records),
            "edges": self._graph.edge_count,
            "generation": self._store.generation,
            "pending": len(waiting) + (not self.intake.idle.is_set()),
            "progress": msgspec.to_builtins(self.intake.progress),
            "problems": len(self.intake.problems),
            "lost_reports": self.intake.lost_reports,
            "failure": self.intake.failure,
            "rebuilt": self.rebuilt,
            "warnings": self._watcher.warnings() if self._watcher else [],
            "state": str(self._store.folder),
        }

    @property
    def is_root_gone(self) -> bool:
        """Whether the folder of the project was removed or moved away, whatever is in its place by now."""
        return self._watcher is not None and self._watcher.is_root_gone

    @property
    def is_damaged(self) -> bool:
        """Whether a part of the store could not be read: it is rebuilt when it is opened again."""
        return self._store.is_damaged

    def look_again(self) -> None:
        """Compare the whole tree in the background: something may have changed that nobody told of."""
        self.intake.notice_everything()
        if self._watcher is not None:
            self._watcher.look_again()

    def last_activity(self) -> float:
        """Return when there was last something to take in, on the monotonic clock."""
        return self.intake.last_activity()

    async def settle(self, timeout_s: float) -> list[str]:
        """Wait until what was saved before this call is taken in, at most so long; return what is not yet."""
        if not len(self._graph):
            # Nothing is known yet, so there is no answer to hurry for.
            timeout_s = max(timeout_s, FIRST_INDEX_S)
        elif not self.intake.has_compared:
            timeout_s = max(timeout_s, CATCH_UP_S)
        elif self.intake.readers.is_cold:
            timeout_s = max(timeout_s, READER_S)
        self.intake.notice_reports()
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                if self._watcher is not None:
                    await asyncio.to_thread(self._watcher.flush, timeout_s)
                await self.intake.idle.wait()
        pending = self._watcher.pending_paths() if self._watcher else ()
        return sorted({*self.intake.pending(), *pending})
