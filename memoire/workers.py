"""Reads files in supervised worker processes: a grammar may hang, crash or take all memory, and parsing holds the lock.

Each worker is a fresh interpreter that speaks length-prefixed MessagePack over its pipes and works on one file at a
time. It ends itself when a file takes too much CPU time or memory (`memoire.worker`); the parent ends it when a file
takes too much wall time. It is replaced then, and the file is tried once more: what ended the worker may have been the
machine. If it ends the second one as well, its content is quarantined: the file gets a `Problem`, is known by name
only until it changes, and nothing else is lost. A plain process pool cannot do that: it cannot evict a worker that
hangs.

The process of the daemon parses nothing itself, however small: of four kilobytes a grammar can make a gigabyte.
"""

import asyncio
import logging
import sys
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from memoire import scan
from memoire.config import Settings
from memoire.languages import language_of, suffix_of, title_of
from memoire.model import FileFacts, FileRecord, Problem
from memoire.reading import Reading, crashed, read_one
from memoire.worker import HEADER

logger = logging.getLogger(__name__)

FILE_SECONDS = 60.0
"""Wall-clock time one file may take, on a machine however busy; the worker keeps a limit of CPU time itself."""
STOP_SECONDS = 1.0
"""How long a worker may take to end when its input ends, before it is killed."""
KEPT_SECONDS = 1_800.0
"""How long a worker waits for the next file: the save that starts one costs 0.2 s of CPU time more than the others."""
HERE_BYTES = 200_000
"""A file of no known language is read in this process up to this size: its words are taken, nothing is parsed."""
BULK_FILES = 40
"""Files to read from which all are read by workers."""
FILES_PER_WORKER = 1_500
"""Each further process costs its start: so many files to read make it worth that."""
QUEUED = 24
"""Files a worker is given at once, so that it never waits for the parent."""
MAX_STILLBORN = 3
"""Workers that end before they are ready after which none is started any more for these files."""
PROGRAM = "from memoire.worker import serve; serve()"

_ENCODER = msgspec.msgpack.Encoder()
_READING = msgspec.msgpack.Decoder(Reading)


class _Died(Exception):  # noqa: N818 - a signal between two functions of this module, never seen outside
    """The worker ended or missed its deadline."""


class _Retired(Exception):  # noqa: N818 - likewise
    """The worker ends because it has grown; what it was given goes to another."""


class _Worker:
    """One process and the files it was given."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.given: deque[str] = deque()

    @classmethod
    async def start(cls, program: str, quarantined: Iterable[str]) -> "_Worker | None":
        """Return a worker that is ready, None where none can be started."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # nothing is imported from the folder it happens to stand in
                "-c",
                program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                # A traceback may quote what a file holds; that the worker died is said without it.
                stderr=asyncio.subprocess.DEVNULL,
                limit=64 * 1024 * 1024,
            )
        except OSError:
            return None
        worker = cls(process)
        try:
            worker._send(sorted(quarantined))
            await worker._receive()
        except BaseException as error:
            await worker.stop()
            if isinstance(error, _Died):
                return None
            raise
        return worker

    def give(self, root: str, path: str, max_bytes: int) -> None:
        self.given.append(path)
        self._send((root, path, max_bytes))

    async def take(self) -> Reading:
        data = await self._receive()
        if not data:
            raise _Retired
        reading = _READING.decode(data)
        self.given.popleft()
        return reading

    def _send(self, message: object) -> None:
        assert self.process.stdin is not None
        data = _ENCODER.encode(message)
        self.process.stdin.write(HEADER.pack(len(data)) + data)

    async def _receive(self) -> bytes:
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(FILE_SECONDS):
                (size,) = HEADER.unpack(await self.process.stdout.readexactly(HEADER.size))
                return await self.process.stdout.readexactly(size)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError) as error:
            raise _Died from error

    async def stop(self) -> None:
        """End it: by the end of its input, which it waits for unless it hangs."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


class Readers:
    """The workers of one project. One of them is kept for a while, for the next save.

    Args:
        root: Real path of the project.
        settings: Its settings.
        program: What a worker runs.
    """

    def __init__(self, root: Path, settings: Settings, program: str = PROGRAM) -> None:
        self.quarantined: set[str] = set()
        """SHA-256 of the contents that ended their reader."""
        self._root = str(root)
        self._settings = settings
        self._max_bytes = settings.max_file_kb * 1024
        self._program = program
        self._suspects: dict[str, str] = {}
        """Path -> SHA-256 of the content on which one worker died."""
        self._kept: _Worker | None = None
        self._ready = 0
        """Workers that are at work or kept."""
        self._timer: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None

    def remember(self, records: Mapping[str, FileRecord], problems: Mapping[str, Sequence[Problem]]) -> None:
        """Quarantine what is known, from an earlier time, to end its reader."""
        self.quarantined |= {
            records[path].sha
            for path, found in problems.items()
            if path in records and any(problem.code == "crashed" for problem in found)
        }
        self.quarantined.discard("")

    def warm(self) -> None:
        """Start the worker for the next files, in the background, unless there is one: the first save need not wait."""
        if self._kept is None and self._warming is None:
            self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        worker = await self._start()
        if worker is not None:
            await self._release(worker, is_sound=True)

    async def _start(self) -> _Worker | None:
        worker = await _Worker.start(self._program, self.quarantined)
        self._ready += worker is not None
        return worker

    async def _stop(self, worker: _Worker) -> None:
        self._ready -= 1
        await worker.stop()

    async def read(self, files: Sequence[str]) -> AsyncIterator[Reading]:
        """Yield the reading of every file, in no order."""
        here = {path for path in files if self._is_plain(path)} if len(files) < BULK_FILES else set()
        for path in sorted(here):
            yield read_one(self._root, path, self._max_bytes)
            await asyncio.sleep(0)
        if len(here) == len(files):
            return
        # Compiling the query of a language costs up to a second: of one with few files, in one worker alone.
        waiting = deque(sorted((path for path in files if path not in here), key=suffix_of))
        done: asyncio.Queue[Reading | None] = asyncio.Queue(maxsize=4 * QUEUED)
        count = min(self._settings.workers, 1 + len(waiting) // FILES_PER_WORKER)
        tasks = [asyncio.create_task(self._run(waiting, done)) for _ in range(count)]
        left = len(tasks)
        try:
            while left:
                reading = await done.get()
                if reading is None:
                    left -= 1
                else:
                    yield reading
            for task in tasks:
                await task
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def is_cold(self) -> bool:
        """Whether the next file has to wait for a worker to start."""
        return self._ready == 0

    @property
    def process_id(self) -> int | None:
        """The worker that is kept for the next files, None where there is none."""
        return self._kept.process.pid if self._kept is not None else None

    async def close(self) -> None:
        """End the worker that is kept."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait({self._warming})
        if self._timer is not None:
            self._timer.cancel()
        self._end_kept()
        if self._ending is not None:
            await self._ending

    def _is_plain(self, path: str) -> bool:
        """Return whether a file is small and nothing of it is parsed."""
        if language_of(path) is not None:
            return False
        entry = scan.look(self._root, path)
        return entry is None or entry.size <= HERE_BYTES

    async def _run(self, waiting: deque[str], done: asyncio.Queue[Reading | None]) -> None:
        """Feed one worker after another until nothing waits."""
        stillborn = 0
        try:
            while waiting and stillborn < MAX_STILLBORN:
                worker = await self._hire()
                if worker is None:
                    stillborn += 1
                    continue
                stillborn, is_sound = 0, False
                try:
                    await self._feed(worker, waiting, done)
                    is_sound = True
                except _Died:
                    # The first file it still had is the one it died on; the others go back.
                    culprit = worker.given.popleft()
                    waiting.extendleft(reversed(worker.given))
                    await self._blame(culprit, waiting, done)
                except _Retired:
                    waiting.extendleft(reversed(worker.given))
                finally:
                    await self._release(worker, is_sound=is_sound)
            while waiting:
                # Slower, and answers wait; but nothing is left out that may be read here. Not in a thread: a parser may
                # not be used by two at once.
                path = waiting.popleft()
                if _is_risky(path):
                    await done.put(self._unread(path, "no process to read it in could be started"))
                else:
                    await done.put(read_one(self._root, path, self._max_bytes, frozenset(self.quarantined)))
        finally:
            await done.put(None)

    async def _hire(self) -> _Worker | None:
        """Return a worker that waits for files, None where none can be started."""
        if self._warming is not None:
            await asyncio.wait({self._warming})
            self._warming = None
        worker, self._kept = self._kept, None
        if self._timer is not None:
            self._timer.cancel()
        if worker is not None and worker.process.returncode is not None:
            await self._stop(worker)
            worker = None
        return worker or await self._start()

    async def _release(self, worker: _Worker, *, is_sound: bool) -> None:
        """Keep a worker for the next files, or end it."""
        if self._kept is not None or not is_sound:
            await self._stop(worker)
            return
        self._kept = worker
        logger.debug("worker kept pid=%s", self.process_id)
        self._timer = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._end_kept)

    def _end_kept(self) -> None:
        worker, self._kept = self._kept, None
        if worker is not None:
            self._ending = asyncio.create_task(self._stop(worker))

    async def _feed(self, worker: _Worker, waiting: deque[str], done: asyncio.Queue[Reading | None]) -> None:
        while waiting or worker.given:
            while waiting and len(worker.given) < QUEUED:
                worker.give(self._root, waiting.popleft(), self._max_bytes)
            reading = await worker.take()
            self._suspects.pop(reading.path, None)
            await done.put(reading)

    async def _blame(self, path: str, waiting: deque[str], done: asyncio.Queue[Reading | None]) -> None:
        """Let a file on which a worker died be tried once more; the second time, quarantine its content."""
        data = await asyncio.to_thread(scan.read_file, self._root, path, self._max_bytes)
        sha = sha256(data).hexdigest() if isinstance(data, bytes) else ""
        if path not in self._suspects:
            self._suspects[path] = sha
            waiting.appendleft(path)
            return
        logger.warning("file ended its reader path=%s", path)
        if isinstance(data, bytes) and self._suspects.pop(path) == sha:
            self.quarantined.add(sha)
            entry = scan.look(self._root, path)
            mtime_ns, stamp_ns = (entry.mtime_ns, entry.stamp_ns) if entry else (0, 0)
            await done.put(Reading(path, crashed(path, data), mtime_ns, stamp_ns=stamp_ns))
        else:
            await done.put(self._unread(path, "its reader ended while it was written"))

    def _unread(self, path: str, why: str) -> Reading:
        """Return the reading of a file whose content is not known: without a hash, so that it is tried again."""
        entry = scan.look(self._root, path)
        problem = Problem("crashed", f"{why}; known by name only")
        facts = FileFacts(title_of(path), "", entry.size if entry else 0, 0, problems=(problem,))
        if entry is None:
            return Reading(path, facts, is_gone=True)
        # Without its times as well: they would say that it is as known.
        return Reading(path, facts, entry.mtime_ns)


def _is_risky(path: str) -> bool:
    """Return whether what reads a file may hang or fill the memory: a grammar, or a reader that says so."""
    language = language_of(path)
    return language is not None and (language.is_isolated or language.syntax is not None or language.script is not None)
