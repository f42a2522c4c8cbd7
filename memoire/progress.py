"""How far the work on a change is, and what it came to."""

import asyncio
import time
from collections.abc import Callable, Container, Generator, Iterable
from typing import TypeVar

import msgspec

from memoire.graph import Node
from memoire.model import FileFacts, FileRecord, Problem

SLICE_S = 0.02
"""How long the task plans before it lets answers through."""

T = TypeVar("T")


class Progress(msgspec.Struct):
    """How far the work on a large change is."""

    phase: str = "idle"
    """idle, scanning, history, reading, linking, storing."""
    done: int = 0
    total: int = 0


class Ingested(msgspec.Struct, frozen=True):
    """What taking in the whole tree did."""

    files: int
    """Files of the project."""
    changed: int
    deleted: int
    edges: int
    problems: tuple[tuple[str, str, str], ...]
    """(path, code, message)."""


class Problems(dict[str, tuple[Problem, ...]]):
    """Path -> what kept the file from being understood."""

    def note(self, path: str, problems: tuple[Problem, ...]) -> None:
        """Put those of a file in the place of what was known."""
        if problems:
            self[path] = problems
        else:
            self.pop(path, None)

    def restore(self, nodes: Iterable[Node], facts: Callable[[str], FileFacts | None]) -> None:
        """Put in what is known of files since an earlier time."""
        for node in nodes:
            if node.problems and (found := facts(node.path)) is not None:
                self.note(node.path, found.problems)

    def renew(self, records: Iterable[FileRecord], facts: Callable[[str], FileFacts | None]) -> None:
        """Put in what is known of files that were taken in."""
        for record in records:
            if (found := facts(record.path)) is not None:
                self.note(record.path, found.problems)

    def keep(self, paths: Container[str]) -> None:
        """Forget those of all other files."""
        for path in [path for path in self if path not in paths]:
            del self[path]

    def listed(self) -> tuple[tuple[str, str, str], ...]:
        """Return (path, code, message) of each, sorted by path."""
        return tuple((path, one.code, one.message) for path, problems in sorted(self.items()) for one in problems)


async def in_slices(steps: Generator[None, None, T], progress: Progress) -> T:
    """Run a generator to its end, letting answers through in between and counting its steps; return what it returns."""
    until = time.perf_counter() + SLICE_S
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        progress.done += 1
        if time.perf_counter() > until:
            await asyncio.sleep(0)
            until = time.perf_counter() + SLICE_S
