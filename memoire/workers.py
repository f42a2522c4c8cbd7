"""Reads many files in supervised worker processes: parsing holds the interpreter's lock, and a grammar may hang.

Each worker is a fresh interpreter that speaks length-prefixed MessagePack over its pipes and works on one file at a
time. The parent gives each file a deadline; a worker that misses it, or dies, is replaced, the file gets a `Problem`,
and nothing else is lost. A plain process pool cannot do that: it has no way to evict a worker that hangs.
"""

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import msgspec

from memoire import scan
from memoire.config import Settings
from memoire.languages import language_of, title_of
from memoire.model import FileFacts, Problem
from memoire.reading import INLINE_BYTES, Reading, read_one
from memoire.worker import HEADER

FILE_SECONDS = 20.0
"""Wall-clock time one file may take in a worker, on a machine however busy; a parse ends itself after 1 s of CPU."""
STOP_SECONDS = 1.0
"""How long a worker may take to end when its input ends, before it is killed."""
BULK_FILES = 40
"""Files to read from which worker processes are started for them: a start costs what 40 files do."""
FILES_PER_WORKER = 1_500
"""Each further process costs its start: so many files to read make it worth that."""
QUEUED = 24
"""Files a worker is given at once, so that it never waits for the parent."""

_ENCODER = msgspec.msgpack.Encoder()
_READING = msgspec.msgpack.Decoder(Reading)


MAX_STILLBORN = 3
"""Workers that end before they have read one file after which none is started any more."""


class _Died(Exception):  # noqa: N818 - a signal between two functions of this module, never seen outside
    """The worker ended or missed its deadline."""


class _Worker:
    """One process and the files it was given."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.given: deque[str] = deque()
        self.has_read = False

    @classmethod
    async def start(cls) -> "_Worker":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # nothing is imported from the folder it happens to stand in
            "-c",
            "from memoire.worker import serve; serve()",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # A traceback may quote what a file holds; that the worker died is said without it.
            stderr=asyncio.subprocess.DEVNULL,
            limit=64 * 1024 * 1024,
        )
        return cls(process)

    def give(self, root: str, path: str, max_bytes: int) -> None:
        assert self.process.stdin is not None
        data = _ENCODER.encode((root, path, max_bytes))
        self.process.stdin.write(HEADER.pack(len(data)) + data)
        self.given.append(path)

    async def take(self) -> Reading:
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(FILE_SECONDS):
                (size,) = HEADER.unpack(await self.process.stdout.readexactly(HEADER.size))
                data = await self.process.stdout.readexactly(size)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError) as error:
            raise _Died from error
        self.given.popleft()
        self.has_read = True
        return _READING.decode(data)

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


async def read_many(root: str, paths: Sequence[str], *, max_bytes: int, workers: int) -> AsyncIterator[Reading]:
    """Yield the reading of every file, in no order.

    Args:
        root: Real path of the project.
        paths: Relative to it.
        max_bytes: Larger files are not read.
        workers: Processes to use, at least 1.
    """
    waiting = deque(paths)
    done: asyncio.Queue[Reading | None] = asyncio.Queue(maxsize=4 * QUEUED)
    tasks = [asyncio.create_task(_run(root, waiting, done, max_bytes)) for _ in range(max(1, workers))]
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


async def _run(root: str, waiting: deque[str], done: asyncio.Queue[Reading | None], max_bytes: int) -> None:
    """Feed one worker after another until nothing waits."""
    stillborn = 0
    try:
        while waiting and stillborn < MAX_STILLBORN:
            worker = await _Worker.start()
            try:
                await _feed(worker, root, waiting, done, max_bytes)
            except _Died:
                # The first file it still had is the one it died on; the others go back.
                crashed = worker.given.popleft() if worker.given else None
                waiting.extendleft(reversed(worker.given))
                if crashed is not None:
                    await done.put(_crashed(root, crashed))
                stillborn = 0 if worker.has_read else stillborn + 1
            finally:
                await worker.stop()
        while waiting:
            # No interpreter can be started here (or none that works): slower, but nothing is left out that may be
            # read here. Not in a thread: a parser may not be used by two at once.
            path = waiting.popleft()
            await done.put(_crashed(root, path) if _is_isolated(path) else read_one(root, path, max_bytes))
    finally:
        await done.put(None)


async def _feed(
    worker: _Worker, root: str, waiting: deque[str], done: asyncio.Queue[Reading | None], max_bytes: int
) -> None:
    while waiting or worker.given:
        while waiting and len(worker.given) < QUEUED:
            worker.give(root, waiting.popleft(), max_bytes)
        await done.put(await worker.take())


def _crashed(root: str, path: str) -> Reading:
    """Return the reading of a file whose worker died: by name alone, until its content changes."""
    problem = Problem("crashed", f"its reader ended or took longer than {FILE_SECONDS:g} s; known by name only")
    entry = scan.look(root, path)
    facts = FileFacts(title_of(path), "", entry.size if entry else 0, 0, problems=(problem,))
    if entry is None:
        return Reading(path, facts, is_gone=True)
    return Reading(path, facts, entry.mtime_ns, stamp_ns=entry.stamp_ns)


def _is_isolated(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.is_isolated


def _size(root: Path, path: str) -> int:
    """Return bytes; 0 for what is no plain file."""
    entry = scan.look(root, path)
    return entry.size if entry else 0


async def readings(root: Path, files: Sequence[str], settings: Settings) -> AsyncIterator[Reading]:
    """Yield the reading of every file: large ones, many, and those that are read nowhere else in worker processes."""
    limit = settings.max_file_kb * 1024
    small: list[str] = []
    large = list(files)
    if len(files) < BULK_FILES:
        apart = {path for path in files if _is_isolated(path) or _size(root, path) > INLINE_BYTES}
        small = [path for path in files if path not in apart]
        large = [path for path in files if path in apart]
    for path in small:
        yield read_one(root, path, limit)
        await asyncio.sleep(0)
    if large:
        workers = min(settings.workers, 1 + len(large) // FILES_PER_WORKER)
        async for reading in read_many(str(root), large, max_bytes=limit, workers=workers):
            yield reading
