"""Watches the files of a project and says what changed, a moment after it did.

What an event says is not trusted beyond "look here": when a path is due, the disk is asked what is there now, and the
set of known files tells what that means. So a save by rename, a file that came and went, and a lost event all end in
the truth. Where more may have happened than was seen (queue overflow, an edited ignore file), a `rescan` says so.

Directories are watched one by one, those that are not ignored: watchdog's recursive watch would enter `node_modules`.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from memoire import paths
from memoire.builtin_ignores import MARKERS
from memoire.episodes.changes import Change, Pending
from memoire.episodes.sources import Signal, Source, best_source
from memoire.episodes.tracker import Tracker, shown, snapshot, to_path
from memoire.ignore import Ignore

logger = logging.getLogger(__name__)

POLL_S = 2.0
"""How often directories that cannot be watched are looked at, seconds; less often where a look takes long."""

_POLL_SHARE = 0.02
"""Share of one core that looking may take."""


class Watcher:
    """Watches one project.

    Args:
        root: The project.
        ignore: Its rules: told of edited ignore files, asked about every path.
        on_batch: Called with what changed, never with an empty list, always from the watcher's own thread.
        debounce_ms: A path is reported once it was left alone for so long, ms.
        cap_ms: And at the latest so long after it was first touched, ms.
        source: Makes what events come from, given what to tell; by default the best of the system.
    """

    def __init__(
        self,
        root: paths.AnyPath,
        ignore: Ignore,
        on_batch: Callable[[list[Change]], None],
        *,
        debounce_ms: int = 200,
        cap_ms: int = 2000,
        source: Callable[[Callable[[Signal], None]], Source] | None = None,
    ) -> None:
        self._root = paths.real(root)
        self._ignore = ignore
        self._on_batch = on_batch
        self._lock = threading.Condition(threading.RLock())
        self._pending = Pending(debounce_ms / 1000, cap_ms / 1000)
        self._tracker = Tracker(self._root, ignore, self._watch)
        self._polled: dict[bytes, dict[bytes, tuple[int, int, int]]] = {}
        self._next_poll = 0.0
        self._rescans: set[str] = set()
        self._is_lost = False
        self.is_root_gone = False
        """Whether the root was removed or moved away: what is there now under its name is not what is watched."""
        self._asked = self._answered = 0
        self._is_running = False
        self._thread = threading.Thread(target=self._run, name="memoire-watcher", daemon=True)
        self._source = source(self.hear) if source else self._best_source()

    def start(self) -> None:
        """Watch. Whatever happens after this returns is reported, so scan after it, not before."""
        self._source.start()
        with self._lock:
            _, files = self._tracker.visit(b"")
            self._tracker.known.update(files)
            self._is_running = True
        self._thread.start()
        for warning in self.warnings():
            logger.warning("%s root=%s", warning, self._root)

    def stop(self) -> None:
        """Stop watching and wait for the batch being delivered; what is pending is dropped."""
        with self._lock:
            was_running, self._is_running = self._is_running, False
            self._lock.notify_all()
        self._source.stop()
        if was_running and threading.current_thread() is not self._thread:
            self._thread.join()

    def warnings(self) -> list[str]:
        """Return what keeps changes from being seen at once, one sentence each."""
        with self._lock:
            if not self._polled:
                return []
            return [
                f"{len(self._polled)} directories cannot be watched ({self._source.trouble}) and are looked at every "
                "few seconds. Raise the limit (Linux: sysctl fs.inotify), or leave more out in `.memoireignore`."
            ]

    def pending_paths(self) -> list[str]:
        """Return the paths that were touched and are not yet reported, sorted."""
        with self._lock:
            return [path for path in self._pending.paths() if path]

    def flush(self, timeout_s: float = 0.3) -> bool:
        """Report what is pending now; return whether everything that happened before the call has been reported.

        Args:
            timeout_s: How long to wait at most, seconds.
        """
        end = time.monotonic() + timeout_s
        is_synced = self._source.sync(timeout_s)
        with self._lock:
            if not self._source.is_alive() and not self._polled:
                self._on_lost()
            self._next_poll = 0.0
            self._asked += 1
            ticket = self._asked
            self._lock.notify_all()
            while self._answered < ticket and self._is_running:
                left = end - time.monotonic()
                if left <= 0 or not self._lock.wait(left):
                    break
            return is_synced and self._answered >= ticket

    def hear(self, signal: Signal) -> None:
        """Take in what a source tells, from any thread."""
        match signal.kind:
            case "file":
                self._on_file(signal.rel)
            case "folder":
                self._on_folder(signal.rel)
            case "gone" | "emptied":
                self._on_folder_gone(signal.rel, is_emptied=signal.kind == "emptied")
            case "moved":
                self._on_moved(signal.old, signal.rel)
            case "outside":
                self._on_outside()
            case "lost":
                self._on_lost()
            case "root-gone":
                self.is_root_gone = True
                self._touch([""])

    def _on_file(self, rel: bytes) -> None:
        path = to_path(rel)
        if path is None:
            return
        if _is_marker(rel) or not self._ignore.is_ignored(shown(rel)):
            self._touch([path])
            return
        with self._lock:
            parent = rel[: len(rel) - len(rel.rpartition(b"/")[2])]
            if self._tracker.is_left(parent):
                self._rescans.add(path.rpartition("/")[0])
                self._lock.notify_all()

    def _on_folder(self, folder: bytes) -> None:
        """Watch a directory that appeared, and report what is already inside."""
        with self._lock:
            self._ignore.forget(shown(folder[:-1]))
            _, files = self._tracker.visit(folder)
            self._touch([*files, *_marker(folder[:-1])])

    def _on_folder_gone(self, folder: bytes, *, is_emptied: bool) -> None:
        with self._lock:
            was_polled = [known for known in self._polled if known.startswith(folder)]
            for known in was_polled:
                del self._polled[known]
            self._source.unwatch(folder)
            self._tracker.leave(folder)
            self._ignore.forget(shown(folder[:-1]))
            below = [] if is_emptied and not was_polled else self._tracker.known_below(folder)
            self._touch([*below, *_marker(folder[:-1])])

    def _on_moved(self, old: bytes, new: bytes) -> None:
        old_path, new_path = to_path(old), to_path(new)
        if old_path is None or new_path is None:
            return
        with self._lock:
            is_first = not self._pending
            now = time.monotonic()
            for path in self._tracker.known_below(old) if old.endswith(b"/") else [old_path]:
                self._pending.move(path, new_path + path[len(old_path) :], now)
            if is_first:
                self._lock.notify_all()

    def _on_outside(self) -> None:
        if self._ignore.has_changed_outside():
            with self._lock:
                self._rescans.add("")
                self._lock.notify_all()

    def _on_lost(self) -> None:
        logger.warning("events lost, everything is looked at again root=%s", self._root)
        self.look_again()

    def look_again(self) -> None:
        """Watch everything anew and report a rescan: events may have been lost, as while the machine slept."""
        with self._lock:
            self._is_lost = True
            self._rescans.add("")
            self._lock.notify_all()

    def _touch(self, touched: Iterable[str]) -> None:
        with self._lock:
            is_first = not self._pending
            now = time.monotonic()
            for path in touched:
                self._pending.touch(path, now)
            if is_first:  # else the thread wakes in time anyway: waking it for each of many events costs more than they
                self._lock.notify_all()

    def _best_source(self) -> Source:
        private = f"{paths.state_dir(self._root)}/sync"
        return best_source(self._root, self.hear, self._ignore.outside_folders(), private)

    def _watch(self, folder: bytes) -> None:
        if folder not in self._polled and not self._source.watch(folder):
            self._polled[folder] = snapshot(self._tracker.disk(folder))

    def _run(self) -> None:
        while True:
            with self._lock:
                while self._is_running and not self._is_due():
                    self._lock.wait(self._wait_s())
                if not self._is_running:
                    return
                ticket = self._asked
                self._poll()
                changes = self._collect(everything=ticket > self._answered)
            if changes:
                self._on_batch(changes)
            with self._lock:
                self._answered = ticket
                self._lock.notify_all()

    def _is_due(self) -> bool:
        wait_s = self._wait_s()
        return self._asked > self._answered or bool(self._rescans) or (wait_s is not None and wait_s <= 0)

    def _wait_s(self) -> float | None:
        """Return for how long there is nothing to do; None = until something happens."""
        now = time.monotonic()
        waits = [self._pending.wait_s(now), max(0.0, self._next_poll - now) if self._polled else None]
        return min((wait for wait in waits if wait is not None), default=None)

    def _collect(self, *, everything: bool) -> list[Change]:
        """Return what is due, judged by ignore rules that are brought up to date first."""
        touched, origins = self._pending.take(time.monotonic(), everything=everything)
        if "" in touched and not Path(self._root).is_dir():
            return [Change("deleted", "")]
        for path in touched:
            folder = self._ignore.invalidate(path)
            if folder is not None:
                self._rescans.add(folder)
        if touched and self._ignore.has_changed_outside():
            self._rescans.add("")
        changes = self._tracker.judge([path for path in touched if path], origins)
        for folder in _outermost(self._rescans):
            self._rescan(self._tracker.folder_of(folder))
            changes.append(Change("rescan", folder))
        self._rescans.clear()
        return changes

    def _rescan(self, folder: bytes) -> None:
        """Watch what is to be watched at and below a directory now, and nothing else; learn its files anew."""
        if self._is_lost:
            # A directory made again under its old name would keep the watch of the old one.
            self._source.unwatch(b"")
            self._is_lost = False
        folders, files = self._tracker.visit(folder)
        self._source.unwatch(folder, but=folders)
        for known in [known for known in self._polled if known.startswith(folder) and known not in folders]:
            del self._polled[known]
        self._tracker.learn(folder, folders, files)

    def _poll(self) -> None:
        """Look at the directories that cannot be watched, when it is time."""
        began = time.monotonic()
        if not self._polled or began < self._next_poll:
            return
        for folder, before in list(self._polled.items()):
            is_watched = self._source.watch(folder)
            after = snapshot(self._tracker.disk(folder))
            if is_watched:
                self._polled.pop(folder, None)
            elif folder in self._polled:
                self._polled[folder] = after
            for name in sorted({name for name, _ in before.items() ^ after.items()}):
                self._compare(folder + name, before.get(name), after.get(name))
        self._next_poll = began + max(POLL_S, (time.monotonic() - began) / _POLL_SHARE)

    def _compare(self, rel: bytes, before: tuple[int, int, int] | None, after: tuple[int, int, int] | None) -> None:
        was_dir, is_dir = before is not None and before[1] < 0, after is not None and after[1] < 0
        if was_dir:
            self._on_folder_gone(rel + b"/", is_emptied=False)
        if is_dir:
            self._on_folder(rel + b"/")
        if not was_dir or not is_dir:
            self._on_file(rel)


def _is_marker(rel: bytes) -> bool:
    return rel.rpartition(b"/")[2] in MARKERS


def _marker(rel: bytes) -> list[str]:
    """Return the path where it is a marker: a `.git` that came or went makes its folder another project."""
    path = to_path(rel)
    return [path] if path is not None and _is_marker(rel) else []


def _outermost(folders: Iterable[str]) -> list[str]:
    """Return the directories that lie in none of the others."""
    found: list[str] = []
    for folder in sorted(folders):
        if not any(not other or folder.startswith(f"{other}/") or folder == other for other in found):
            found.append(folder)
    return found
