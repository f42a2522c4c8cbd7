"""Finds what runs of tests leave behind, in the project and in the state folder, and takes it in.

A run that `memoire.pytest_plugin` recorded is taken in within seconds and removed then; artefacts of other
tools are looked for in quiet moments, at the places where those tools write them, and read where they are new.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from memoire import paths, scan
from memoire.episodes.redact import redact
from memoire.fingerprint import fingerprint
from memoire.model import Problem
from memoire.processor import Processor
from memoire.pytest_plugin import FOLDER, SUFFIX
from memoire.run_worker import Answer, Request
from memoire.runs import kept, readers_of
from memoire.runs.taking import Files, take

logger = logging.getLogger(__name__)

SECONDS = 90.0
"""Wall-clock time that reading one artefact may take."""
MOST_AT_ONCE = 50
"""Artefacts that are read in one quiet moment; the newest first."""
MOST_NAMES = 2_000
"""Entries of one folder that are looked at."""
MOST_HOMES = 40
"""Folders with a manifest in which artefacts are looked for."""
TEXT_BYTES = 8_000_000
PROGRAM = "from memoire.run_worker import serve; serve()"

_PLACES = (
    "", "coverage", "reports", "report", "test-results", "test-reports", "test_results", "build/test-results/test",
    "target/surefire-reports", "target/failsafe-reports", "build/reports/jacoco", "junit", ".reports",
)  # fmt: skip
"""Where tools write, below a folder with a manifest. Sources: the defaults of coverage.py, pytest-cov, istanbul, jest,
vitest, Gradle, Maven, Playwright, PHPUnit, and of the services that collect reports."""
_MANIFESTS = frozenset(
    ("Cargo.toml", "build.gradle", "build.gradle.kts", "composer.json", "go.mod", "package.json", "pom.xml",
     "pyproject.toml", "setup.cfg", "setup.py", "tox.ini")
)  # fmt: skip

Stamp = tuple[int, int]
"""(time of writing, ns; size, bytes)."""


class RunFiles:
    """The artefacts of one project.

    Args:
        root: Its real path.
        state: Its state folder.
        processor: Its derived state: what is known of its tests is filled here alone, and it is told of which tests.
        program: What the reading process runs.
    """

    def __init__(self, root: Path, state: Path, processor: Processor, *, program: str = PROGRAM) -> None:
        self._root = str(root)
        self._state = state
        self._processor = processor
        self._known = processor.observations
        self._extraction = fingerprint()
        self._records: Mapping[str, object] = processor.records
        self._program = program
        self._files = Files(self._root, self._records, processor.facts, self._text, self._written, redact)
        self._read: dict[str, Stamp] = {}
        self._is_foreign = False
        self._failed: set[str] = set()

    def load(self) -> None:
        """Take up what the last run of the daemon knew."""
        self._read, self._is_foreign = kept.load(self._state / "observed", self._known, self._extraction)

    def has_news(self) -> bool:
        """Return whether a recorded run waits. Costs one look at a folder."""
        with suppress(OSError), os.scandir(self._state / FOLDER) as entries:
            return any(entry.name.endswith(SUFFIX) and entry.name not in self._failed for entry in entries)
        return False

    async def take(self) -> None:
        """Take recorded runs in."""
        names = await asyncio.to_thread(self._waiting)
        affected: set[str] = set()
        for name in names:
            answer = await self._ask(Request(str(self._state), f"{FOLDER}/{name}", is_own=True))
            affected |= await self._enter(answer, "", self._state / FOLDER / name)
        self._save(is_due=bool(names))
        for name in names:
            self._failed.add(name)  # it may be that it cannot be removed
            with suppress(OSError):
                await asyncio.to_thread(os.unlink, self._state / FOLDER / name)
        self._processor.expect(affected)

    async def look(self) -> None:
        """Take in what other tools wrote since the last time."""
        affected: set[str] = set()
        if self._is_foreign:
            self._known.refresh()
            self._is_foreign = False
            affected |= {path for path, _ in self._known.tests}
        fresh = await asyncio.to_thread(self._fresh)
        for path, stamp in fresh:
            answer = await self._ask(Request(self._root, path, is_own=False))
            affected |= await self._enter(answer, path, Path(self._root) / path)
            self._read[path] = stamp
        self._save(is_due=bool(fresh or affected))
        self._processor.expect(affected)

    async def _enter(self, answer: Answer, source: str, file: Path) -> frozenset[str]:
        if answer.run is None:
            logger.warning("run of tests not taken in file=%s why=%s", file, answer.why)
            return frozenset()
        with suppress(OSError):
            at = (await asyncio.to_thread(file.stat)).st_mtime
            taken = take(self._known, answer.run, source, at, self._files)
            logger.info(
                "run of tests taken in file=%s tool=%s tests=%s unknown=%s",
                source or file.name, answer.run.tool, taken.tests, taken.unknown,
            )  # fmt: skip
            return taken.affected
        return frozenset()

    def _save(self, *, is_due: bool) -> None:
        if is_due:
            kept.save(self._state / "observed", self._known, self._read, self._extraction)

    # ---- looking

    def _waiting(self) -> list[str]:
        with suppress(OSError):
            found = sorted(file.name for file in (self._state / FOLDER).iterdir() if file.suffix == SUFFIX)
            return [name for name in found if name not in self._failed][:MOST_AT_ONCE]
        return []

    def _fresh(self) -> list[tuple[str, Stamp]]:
        """Return the artefacts that were not read as they are, the oldest first: later ones say more of now."""
        found = {path: stamp for path, stamp in self._artefacts() if self._read.get(path) != stamp}
        newest = sorted(found.items(), key=lambda pair: (pair[1], pair[0]))[-MOST_AT_ONCE:]
        # Those that are left out are older than what is read.
        self._read.update({path: stamp for path, stamp in found.items() if (path, stamp) not in newest})
        return newest

    def _artefacts(self) -> Iterator[tuple[str, Stamp]]:
        homes = {path.rpartition("/")[0] for path in list(self._records) if path.rpartition("/")[2] in _MANIFESTS}
        for home in sorted(homes | {""}, key=lambda folder: (folder.count("/"), folder))[:MOST_HOMES]:
            for place in _PLACES:
                folder = "/".join(part for part in (home, place) if part)
                for name in self._names(folder):
                    path = f"{folder}/{name}" if folder else name
                    if readers_of(path) and (entry := scan.look(self._root, path)) is not None:
                        yield path, (entry.stamp_ns, entry.size)

    def _names(self, folder: str) -> list[str]:
        try:
            with os.scandir(paths.to_disk(self._root, folder)) as entries:
                return [os.fsdecode(entry.name) for entry, _ in zip(entries, range(MOST_NAMES), strict=False)]
        except (OSError, ValueError):
            return []

    # ---- reading

    async def _ask(self, request: Request) -> Answer:
        """Return what a process of its own reads of an artefact."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # nothing is imported from the folder it happens to stand in
                "-c",
                self._program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                # A traceback may quote what a file holds; that it failed is said without it.
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as error:
            return Answer(None, f"no process to read it in could be started: {error.strerror}")
        try:
            async with asyncio.timeout(SECONDS):
                data, _ = await process.communicate(msgspec.msgpack.encode(request))
            return msgspec.msgpack.decode(data, type=Answer)
        except (TimeoutError, ConnectionError, msgspec.DecodeError):
            return Answer(None, "its reader ended or took too long")
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    def _text(self, path: str) -> bytes | None:
        data = scan.read_file(self._root, path, TEXT_BYTES)
        return None if isinstance(data, Problem) else data

    def _written(self, path: str) -> float:
        entry = scan.look(self._root, path)
        return entry.mtime_ns / 1e9 if entry is not None else float("inf")
