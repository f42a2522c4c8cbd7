"""The store: loads the graph once, applies deltas, answers about what happened and what held before.

It is the record, not the place where the graph is walked: that is done in memory, on what `load` returned and with the
same deltas. One process has it open at a time; the engine's own lock sees to that.
"""

import asyncio
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from memoire import heap
from memoire.episodes.sessions import session_of
from memoire.episodes.wanted import Wanted
from memoire.errors import StoreDamagedError
from memoire.model import Edge, Event, Evidence, FileRecord, GraphDelta, Judgement, Session
from memoire.store.client import EMBEDDED, Database, RecordExistsError, instant, span
from memoire.store.deltas import split, transaction
from memoire.store.newest import KEPT, Newest, sources_of
from memoire.store.rows import (
    ABOUT_COLUMNS,
    CLOSED_COLUMNS,
    EDGE_COLUMNS,
    EVENT_COLUMNS,
    EVIDENCE_COLUMNS,
    FILE_COLUMNS,
    edges_of,
    events_of,
    evidence_of,
    files_of,
    judgements_of,
    numbers_of,
    records,
    sessions_of,
    texts_of,
)
from memoire.store.sessions import Sessions
from memoire.store.state import (
    Counts,
    Snapshot,
    State,
    damage_noted,
    note_damage,
    prepare,
    private,
    read_state,
    write_generation,
)

CHECKPOINT_BYTES = 32_000_000
"""Written since the last checkpoint, above which another is due: so that it takes about a tenth of a second."""

_Value = TypeVar("_Value")

_ENDED = "until != NONE AND until != NULL AND until < $before"
_FILES_PER_READ = 250
_EDGES_PER_READ = 2500
_COUNT = {
    "file": "(SELECT count() FROM file GROUP ALL)",
    "edge": "(SELECT count() FROM edge GROUP ALL)",
    "closed_edge": "(SELECT count() FROM closed_edge GROUP ALL)",
    "event": "(SELECT count() FROM event GROUP ALL)",
}


class Store:
    """The database of one project, in `folder/db`. Made by `open`."""

    def __init__(self, folder: Path, database: Database, state: State) -> None:
        self.folder = folder
        self.was_interrupted = state.unfinished
        """Whether a delta of several transactions broke off (until `settle`): every file it wrote is complete with what
        its content supports, but files, and what rests on counts over many of them, may be missing."""
        self.is_damaged = False
        """Whether a part could not be read: the next open rebuilds it."""
        self._database = database
        self._state = state
        self._applying = asyncio.Lock()
        self._running: set[asyncio.Task[int]] = set()
        self._snapshot: Snapshot | None = None
        self._release: asyncio.TimerHandle | None = None
        self.newest = Newest(is_all=False)
        """The newest events, in memory."""
        self._sessions = Sessions(partial(self._read, sessions_of))

    @classmethod
    async def open(cls, folder: Path, *, first_generation: int = 0) -> "Store":
        """Return the store of a state folder, made if it is not there, brought to this schema if it is older.

        Args:
            folder: The project's state folder; it becomes 0700.
            first_generation: Where a new store starts to count: behind everything that an index may hold.

        Raises:
            StoreUnavailableError: Held by another process, no space, no permission: wait, never reset.
            SchemaMismatchError: A newer memoire wrote it.
            StoreDamagedError: It cannot be read, or holds less than was acknowledged.
        """
        private(folder)
        private(folder / "db")
        if why := damage_noted(folder):
            raise StoreDamagedError(str(folder / "db"), why)
        try:
            database = await Database.open(f"{EMBEDDED}{(folder / 'db').absolute()}")
        except StoreDamagedError as error:
            note_damage(folder, error.why)
            raise
        try:
            state = await prepare(database, folder, first_generation)
            write_generation(folder, state.generation)
        except BaseException:
            await database.close()
            raise
        store = cls(folder, database, state)
        try:
            newest = await store.find_events(KEPT, Wanted())
        except BaseException:
            await database.close()
            raise
        store.newest = Newest(newest, is_all=len(newest) < KEPT)
        return store

    @property
    def generation(self) -> int:
        """Number of graph transactions committed; it never repeats, not even after a rebuild."""
        return self._state.generation

    @property
    def projected(self) -> str:
        """Position in the event log up to which every event is in the store."""
        return self._state.projected

    @property
    def project(self) -> dict[str, str]:
        """What is remembered about the project as a whole: name -> text."""
        return dict(self._state.project)

    @property
    def bytes_written(self) -> int:
        """Bytes written since the last checkpoint."""
        return self._database.bytes_written

    @property
    def needs_checkpoint(self) -> bool:
        """Whether `checkpoint` is due."""
        return self.bytes_written >= CHECKPOINT_BYTES

    @property
    def is_degraded(self) -> bool:
        """Whether the database did not open again after a checkpoint; the next use tries once more."""
        return self._database.is_degraded

    async def load(self) -> Snapshot:
        """Return all files and open edges. Call it before the first `apply`, which it does not wait for.

        Raises:
            StoreDamagedError: A part cannot be read; the next open says so too.
            StoreUnavailableError: It cannot be read now.
        """
        if self._snapshot is not None:
            snapshot, self._snapshot = self._snapshot, None
            return snapshot
        return Snapshot(await self._load_files(), await self._load_edges())

    async def verify(self) -> None:
        """Read the whole graph, so that damage shows now; the next `load` returns what was read.

        Raises:
            StoreDamagedError: A part cannot be read.
        """
        self._snapshot = await self.load()

    async def apply(self, delta: GraphDelta) -> int:
        """Write the delta and return the generation it ends in; an empty one writes nothing and keeps it.

        Up to about 2000 rows it is one transaction. A larger one is several, cut between files, each of which leaves a
        state to resume from: a file's record is never there without what its content supports. Once begun it ends,
        even if the caller is cancelled.

        Raises:
            StoreUnavailableError: No space, or the store cannot be opened again. What was committed stays committed.
            StoreConflictError: Another writer was in the way every time.
        """
        if delta.is_empty():
            return self.generation
        task = asyncio.ensure_future(self._apply(delta))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def events(
        self,
        limit: int,
        *,
        before: str = "",
        kinds: Sequence[str] = (),
        without: Sequence[str] = (),
        path: str = "",
        session: str = "",
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[Event]:
        """Return at most `limit` events, the newest first; the filters are those of `Wanted`.

        Raises:
            StoreError: It cannot be read.
        """
        return await self.find_events(limit, Wanted(before, kinds, without, path, session, since, until))

    async def find_events(self, limit: int, wanted: Wanted) -> list[Event]:
        """Return at most `limit` events that are wanted, the newest first.

        Raises:
            StoreError: It cannot be read.
        """
        found, is_more = self.newest.find(limit, wanted)
        if not is_more:
            return found
        floor = self.newest.floor
        older = msgspec.structs.replace(wanted, before=min(wanted.before or floor, floor))
        for source, variables, conditions in sources_of(older):
            variables["limit"] = limit - len(found)
            order = "ORDER BY id DESC LIMIT $limit"
            found += await self._read(events_of, f"[{EVENT_COLUMNS}]", source, variables, where=conditions, order=order)
            if len(found) >= limit:
                break
        return found

    async def events_with(self, ids: Sequence[str]) -> list[Event]:
        """Return the events with these ids that the store holds, the newest first.

        Raises:
            StoreError: They cannot be read.
        """
        if not ids:
            return []
        found = await self._read(events_of, f"[{EVENT_COLUMNS}]", "$ids", {"ids": records("event", ids)})
        return sorted(found, key=lambda event: event.id, reverse=True)

    async def events_between(self, low: str, high: str) -> list[Event]:
        """Return the events with `low <= id < high`, the oldest first.

        Raises:
            StoreError: They cannot be read.
        """
        between = {"span": span("event", low, high)}
        return await self._read(events_of, f"[{EVENT_COLUMNS}]", "$span", between)

    async def oldest_event(self, high: str, *, without: Sequence[str] = ()) -> str:
        """Return the id of the oldest event with an id below `high` that is of none of these kinds; "" for none.

        Raises:
            StoreError: It cannot be read.
        """
        # Of the table, not of a span: that is read to its end whatever the limit.
        variables, where = {"without": list(without)}, ["kind NOT IN $without"]
        order = "ORDER BY id LIMIT 1"
        found = await self._read(texts_of, "record::id(id)", "event", variables, where=where, order=order)
        return found[0] if found and found[0] < high else ""

    async def sessions(self, ids: Sequence[str] = (), *, limit: int = 0, after: str = "") -> list[Session]:
        """Return what is known of sessions.

        Args:
            ids: Only these, as far as there are any such.
            limit: Without `ids`, at most so many: the last active, the last first; with `after`, by id. 0 = all.
            after: Only those whose id sorts behind it.

        Raises:
            StoreError: They cannot be read.
        """
        if ids:
            return await self._sessions.find(dict.fromkeys(ids))
        return await self._sessions.listed(limit, after)

    async def sessions_of(self, events: Sequence[Event]) -> list[Session]:
        """Return what is known of the sessions that events belong to. Raises `StoreError`: they cannot be read."""
        ids = dict.fromkeys(name for event in events if (name := session_of(event)))
        return await self.sessions(list(ids)) if ids else []

    async def evidence(self) -> list[Evidence]:
        """Return every piece of learned evidence, by id. Raises `StoreError`: it cannot be read."""
        return await self._read(evidence_of, f"[{EVIDENCE_COLUMNS}]", "evidence")

    async def judgements(self) -> list[Judgement]:
        """Return what became of all that notes are about. Raises `StoreError`: it cannot be read."""
        return await self._read(judgements_of, f"[{ABOUT_COLUMNS}]", "about")

    async def closed_edges(
        self, limit: int = 0, *, source: str = "", target: str = "", path: str = "", since: datetime | None = None
    ) -> list[Edge]:
        """Return edges that no longer hold, the last closed first; all of them where `limit` is 0.

        Args:
            limit: Most edges returned; 0 is no limit.
            source: Only those that left this node.
            target: Only those that reached this node.
            path: Only those that left or reached this node.
            since: Only those that closed at or after this time.

        Raises:
            StoreError: They cannot be read.
        """
        conditions: list[str] = []
        variables: dict[str, object] = {}
        for is_set, condition, name, value in (
            (source, "source = $source", "source", source),
            (target, "target = $target", "target", target),
            (path, "(source = $path OR target = $path)", "path", path),
            (since, "valid_to >= $since", "since", since and instant(since)),
        ):
            if is_set:
                conditions.append(condition)
                variables[name] = value
        edges = await self._read(edges_of, f"[{CLOSED_COLUMNS}]", "closed_edge", variables, where=conditions)
        edges.sort(key=_closing, reverse=True)
        return edges[:limit] if limit > 0 else edges

    async def known_events(self, ids: Sequence[str]) -> set[str]:
        """Return which of the event ids the store holds.

        Raises:
            StoreError: They cannot be read.
        """
        if not ids:
            return set()
        found = await self._read(texts_of, "record::id(id)", "$ids", {"ids": records("event", ids)})
        return set(found)

    async def counts(self) -> Counts:
        """Return how many records each table holds.

        Raises:
            StoreError: They cannot be read.
        """
        return Counts(*[await self._count(table) for table in _COUNT])

    async def prune(self, before: datetime, *, limit: int = 1000) -> int:
        """Remove at most `limit` edges that closed before a time, and evidence that ended; return how many edges.

        Raises:
            StoreUnavailableError: No space, or the store cannot be opened again.
        """
        variables = {"before": instant(before), "limit": limit}
        where = ["valid_to < $before"]
        ids = await self._read(texts_of, "record::id(id)", "closed_edge", variables, where=where, order="LIMIT $limit")
        if ids:
            await self._database.write(["DELETE $ids RETURN NONE"], {"ids": records("closed_edge", ids)})
        if len(ids) < limit and await self._read(texts_of, "record::id(id)", "evidence", variables, where=[_ENDED]):
            await self._database.write([f"DELETE evidence WHERE {_ENDED} RETURN NONE"], {"before": instant(before)})
        return len(ids)

    async def remember(self, facts: Mapping[str, str]) -> None:
        """Keep facts about the project as a whole beside those that are there; an empty text forgets one.

        Raises:
            StoreUnavailableError: No space, or the store cannot be opened again.
        """
        project = {name: text for name, text in {**self._state.project, **facts}.items() if text}
        if project != self._state.project:
            await self._database.write(["UPDATE meta:state SET project = $project RETURN NONE"], {"project": project})
            self._state.project = project

    async def set_projected(self, position: str) -> None:
        """Note that every event of the log before a position is in the store.

        Raises:
            StoreUnavailableError: No space, or the store cannot be opened again.
        """
        if position != self._state.projected:
            statement = "UPDATE meta:state SET projected = $projected RETURN NONE"
            await self._database.write([statement], {"projected": position})
            self._state.projected = position

    async def settle(self) -> None:
        """Note that what an interrupted delta left out has been made good: `was_interrupted` is over.

        Raises:
            StoreUnavailableError: No space, or the store cannot be opened again.
        """
        if self.was_interrupted:
            await self._database.write(["UPDATE meta:state SET unfinished = false RETURN NONE"])
            self.was_interrupted = False

    async def checkpoint(self) -> bool:
        """Move the log into tables and return its memory: closes and opens the database, reads and writes wait.

        Returns whether it was done. It is put off where space is short. Where the database does not open again the
        store `is_degraded`, and each later use tries to open it.

        Raises:
            StoreUnavailableError: It has been closed.
            StoreDamagedError: After it the store holds less than before.
        """
        done = await self._database.reopen()
        await asyncio.to_thread(heap.release)
        if self._release is not None:
            self._release.cancel()
        self._release = heap.release_later()
        if done:
            state = await read_state(self._database)
            if state is None or state.generation < self.generation:
                why = f"it held generation {self.generation}, and after a checkpoint less"
                raise self._damaged(StoreDamagedError(str(self.folder / "db"), why))
        return done

    async def close(self) -> None:
        """Let go of the database, after what is being written. May be called twice."""
        if self._release is not None:
            self._release.cancel()
        if self._running:
            await asyncio.wait(self._running)
        await self._database.close()

    async def _apply(self, delta: GraphDelta) -> int:
        async with self._applying:
            self._snapshot = None
            parts = split(delta)
            for number, part in enumerate(parts, 1):
                generation = self._state.generation + 1
                unfinished = number < len(parts) or self.was_interrupted
                try:
                    await self._write(part, generation, unfinished=unfinished)
                except BaseException:
                    self.was_interrupted = self.was_interrupted or number > 1
                    raise
                self._state.generation = generation
                write_generation(self.folder, generation)
                if number < len(parts) and self.needs_checkpoint:
                    await self.checkpoint()  # else the engine keeps all of a large project's first index in memory
            return self._state.generation

    async def _write(self, delta: GraphDelta, generation: int, *, unfinished: bool) -> None:
        sessions = await self._sessions.after(delta)
        try:
            work = transaction(delta, generation, unfinished=unfinished, sessions=sessions)
            await self._database.write(work.statements, work.variables)
        except RecordExistsError:
            work = transaction(delta, generation, unfinished=unfinished, again=True, sessions=sessions)
            await self._database.write(work.statements, work.variables)
        except StoreDamagedError as error:
            raise self._damaged(error) from error
        self._sessions.keep(sessions)
        self.newest.apply(delta)

    async def _load_files(self) -> list[FileRecord]:
        paths = await self._read(texts_of, "record::id(id)", "file")
        files: list[FileRecord] = []
        for start in range(0, len(paths), _FILES_PER_READ):
            chunk = paths[start : start + _FILES_PER_READ]
            between = {"span": span("file", chunk[0], chunk[-1], closed=True)}
            files += await self._read(files_of, f"[{FILE_COLUMNS}]", "$span", between)
        return files

    async def _load_edges(self) -> list[Edge]:
        """Read by slices of the id space: ids are hashes, so the slices are of one size."""
        slices = 1 + await self._count("edge") // _EDGES_PER_READ
        bounds = [*(f"{0x100000 * number // slices:05x}" for number in range(slices)), ""]
        edges: list[Edge] = []
        names: dict[str, str] = {}
        for low, high in pairwise(bounds):
            convert = partial(edges_of, names=names)
            edges += await self._read(convert, f"[{EDGE_COLUMNS}]", "$span", {"span": span("edge", low, high)})
        return edges

    async def _count(self, table: str) -> int:
        return sum(await self._read(numbers_of, "count", _COUNT[table]))

    async def _read(
        self,
        convert: Callable[[object], list[_Value]],
        what: str,
        source: str,
        variables: Mapping[str, object] | None = None,
        **clauses: Any,
    ) -> list[_Value]:
        """Return what a select found, as values."""
        try:
            return convert(await self._database.select(what, source, variables, **clauses))
        except (StoreDamagedError, msgspec.MsgspecError, zlib.error) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> StoreDamagedError:
        """Note the damage for the next open and return it as our error."""
        self.is_damaged = True
        why = error.why if isinstance(error, StoreDamagedError) else str(error)
        note_damage(self.folder, why)
        return StoreDamagedError(str(self.folder / "db"), why)


def _closing(edge: Edge) -> tuple[float, str]:
    return (edge.valid_to.timestamp() if edge.valid_to else 0.0, edge.key.source)
