"""A watcher on a real folder, and what follows its reports."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memoire.episodes.changes import Change
from memoire.episodes.sources import InotifySource
from memoire.episodes.watcher import Watcher
from memoire.ignore import Ignore
from memoire.scan import scan

BOUND_S = 5.0
NEVER_MS = 60_000
"""A debounce that no test lives to see: what is reported was flushed."""


class Watched:
    """A watcher and what it reported."""

    def __init__(self, root: Path, **options: object) -> None:
        self.root = root
        self.batches: list[list[Change]] = []
        self.ignore = Ignore(root)
        self._news = threading.Condition()
        settings = {"debounce_ms": NEVER_MS, "cap_ms": NEVER_MS, **options}
        self.watcher = Watcher(root, self.ignore, self.take, **settings)  # type: ignore[arg-type]

    def take(self, batch: list[Change]) -> None:
        with self._news:
            self.batches.append(batch)
            self._news.notify_all()

    def changes(self) -> list[tuple[str, ...]]:
        """Return what was reported since the last call, all that happened before this one included."""
        assert self.watcher.flush(BOUND_S)
        with self._news:
            found = [change for batch in self.batches for change in batch]
            self.batches.clear()
        return [(change.kind, change.path, change.old_path)[: 3 if change.old_path else 2] for change in found]

    def wait(self, is_done: Callable[[list[Change]], bool]) -> list[Change]:
        """Return everything reported, once it is enough, without flushing."""
        with self._news:
            assert self._news.wait_for(lambda: is_done([each for batch in self.batches for each in batch]), BOUND_S)
            return [each for batch in self.batches for each in batch]


@contextmanager
def watching(root: Path, **options: object) -> Iterator[Watched]:
    """Watch a folder for as long as the block lasts."""
    watched = Watched(root, **options)
    watched.watcher.start()
    try:
        yield watched
    finally:
        watched.watcher.stop()


def write(root: Path, *names: str, text: str = "x") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def watched_folders(watched: Watched) -> set[bytes]:
    source = watched.watcher._source
    assert isinstance(source, InotifySource)
    return set(source._watches)


def guarded(watched: Watched) -> set[bytes]:
    """Return the directories that are watched for the marker inside alone."""
    return set(watched.watcher._tracker.guarded)


def apply(files: set[str], changes: list[tuple[str, ...]], watched: Watched) -> None:
    """Follow the reports as a consumer would."""
    for kind, path, *old in changes:
        if kind == "rescan":
            prefix = f"{path}/" if path else ""
            files -= {file for file in files if file.startswith(prefix)}
            files |= {entry.path for entry in scan(watched.root, watched.ignore, under=path).files}
        elif kind == "deleted":
            files.discard(path)
        else:
            files.difference_update(old)
            files.add(path)
