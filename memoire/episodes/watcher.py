"""Watches the files of a project and says what changed, a moment after it did.

What an event says is not trusted beyond "look here": when a path is due, the disk is asked what is there now, and the
set of known files tells what that means. So a save by rename, a file that came and went, and a lost event all end in
the truth. Where more may have happened than was seen (queue overflow, an edited ignore file), a `rescan` says so.

Directories are watched one by one, those that are not ignored: watchdog's recursive watch would enter `node_modules`.
"""

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memoire import paths
from memoire.builtin_ignores import MARKERS
from memoire.episodes import git
from memoire.episodes.changes import BURST, Change, Pending
from memoire.episodes.sources import Signal, Source, best_source
from memoire.episodes.tracker import Tracker, shown, snapshot, to_path
from memoire.ignore import Ignore

logger = logging.getLogger(__name__)

POLL_S = 2.0
"""How often directories that cannot be watched are looked at, seconds; less often where a look takes long."""

_POLL_SHARE = 0.02
"""Share of one core that looking may take."""

CHECK_S = 30.0
"""How often it is looked whether the source still lives and the root is still the same directory, seconds."""

LONGEST_REST_S = 60.0
"""Longest rest after a failure, before everything is looked at again."""

HOLD_S = 10.0
"""How long a mass change waits for git to be done, seconds: a git that takes longer is stuck, or edits a message."""

_HELD_LOOK_S = 0.1
"""How often it is looked whether git is done."""

_RULES = "/"
"""Waits among the paths while what decides from outside the tree may have changed. No path ends in a slash."""


class _Polled(NamedTuple):
    """A directory that cannot be watched."""

    seen: dict[bytes, tuple[int, int, int]]
    why: str


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
        self._polled: dict[bytes, _Polled] = {}
        self._next_poll = 0.0
        self._next_check = 0.0
        self._rescans: set[str] = set()
        self._is_lost = False
        self.is_root_gone = False
        """Whether the root was removed or moved away: what is there now under its name is not what is watched."""
        self._is_unruly = False
        self._root_identity = _identity(self._root)
        self._failures = 0
        self._last_failure = ""
        self._asked = self._answered = 0
        self._is_running = False
        self._thread = threading.Thread(target=self._run, name="memoire-watcher", daemon=True)
        self._source = source(self.hear) if source else self._best_source()

    def start(self) -> None:
        """Watch. Whatever happens after this returns is reported, so scan after it, not before."""
        self._source.start()
        self._source.attend(self._ignore.outside_files())
        with self._lock:
            self._tracker.look_again(b"")
            self._next_check = time.monotonic() + CHECK_S
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
            counts = Counter(polled.why for polled in self._polled.values())
            failures, why = self._failures, self._last_failure
        found = [
            f"{count} {'directory' if count == 1 else 'directories'} cannot be watched, only looked at every few "
            f"seconds: {reason}."
            for reason, count in sorted(counts.items())
        ]
        if failures:
            found.append(
                f"Watching failed {'once' if failures == 1 else f'{failures} times'} since the start (last: {why}); "
                "everything was looked at again, so nothing is missing. `memoire logs` has the details: please report "
                "them."
            )
        return found

    def pending_paths(self) -> list[str]:
        """Return the paths that were touched and are not yet reported, sorted."""
        with self._lock:
            return [path for path in self._pending.paths() if path and not path.endswith("/")]

    def flush(self, timeout_s: float = 0.3) -> bool:
        """Report what is pending now; return whether everything that happened before the call has been reported.

        Args:
            timeout_s: How long to wait at most, seconds.
        """
        end = time.monotonic() + timeout_s
        is_synced = self._source.sync(timeout_s)
        with self._lock:
            self._next_poll = self._next_check = 0.0
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
        with self._bounded():
            self._hear(signal)

    def _hear(self, signal: Signal) -> None:
        if self._is_guarded(signal.rel):
            return
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
                self._touch([_RULES])
            case "lost":
                self._on_lost()
            case "root-gone":
                self.is_root_gone = True
                self._touch([""])

    def _is_guarded(self, rel: bytes) -> bool:
        """Return whether what happened did so in a directory that is left alone for its content, which is noted."""
        parent = rel[: rel.rstrip(b"/").rfind(b"/") + 1]
        with self._lock:
            is_guarded = parent in self._tracker.guarded
        if is_guarded and (path := to_path(parent)) is not None:
            self._touch([path])
        return is_guarded

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

    def _on_lost(self) -> None:
        logger.warning("events lost, everything is looked at again root=%s", self._root)
        self.look_again()

    def look_again(self) -> None:
        """Watch everything anew and report a rescan: events may have been lost, as while the machine slept."""
        with self._lock:
            self._is_lost = self._is_unruly = True
            self._rescans.add("")
            self._lock.notify_all()

    def _touch(self, touched: Iterable[str]) -> None:
        with self._lock:
            is_first = not self._pending
            now = time.monotonic()
            for path in touched:
                self._pending.touch(path, now)
                self._is_unruly = self._is_unruly or path == _RULES or path.endswith((".git", ".gitignore"))
            if is_first:  # else the thread wakes in time anyway: waking it for each of many events costs more than they
                self._lock.notify_all()

    def _best_source(self) -> Source:
        private = f"{paths.state_dir(self._root)}/sync"
        return best_source(self._root, self.hear, private)

    def _watch(self, folder: bytes) -> None:
        if folder not in self._polled and not self._source.watch(folder):
            self._polled[folder] = _Polled(snapshot(self._tracker.disk(folder)), self._source.trouble)

    def _run(self) -> None:
        resting = 0
        while self._wait():
            with self._bounded() as failed:
                self._turn()
            resting = resting + 1 if failed else 0
            if resting:
                with self._lock:
                    self._lock.wait_for(lambda: not self._is_running, min(2.0**resting / 10, LONGEST_REST_S))

    @contextmanager
    def _bounded(self) -> Iterator[list[Exception]]:
        """Let a fault end what was being done and nothing else: everything is looked at again.

        Yields:
            What was raised, for who asks afterwards.
        """
        raised: list[Exception] = []
        try:
            yield raised
        except Exception as error:  # boundary: watcher
            logger.exception("watching failed root=%s", self._root)
            raised.append(error)
            with self._lock:
                self._failures += 1
                self._last_failure = f"{type(error).__name__}: {error}"[:200]
            self._on_lost()

    def _wait(self) -> bool:
        """Wait until there is something to do; return whether to go on."""
        with self._lock:
            while self._is_running and not self._is_due():
                self._lock.wait(self._wait_s())
            return self._is_running

    def _turn(self) -> None:
        """Report what is due."""
        with self._lock:
            ticket = self._asked
            self._check()
            is_unruly, self._is_unruly = self._is_unruly, False
        # Asked outside the lock: git takes its time, and whoever tells of events must not wait for it.
        tracked = git.ask_tracked_ignored(self._root) if is_unruly else None
        is_other = tracked is not None and self._ignore.set_tracked(tracked)
        with self._lock:
            if is_other:
                self._rescans.add("")
            self._poll()
            changes = self._collect(everything=ticket > self._answered)
        if is_unruly or any(change.kind == "rescan" for change in changes):
            self._source.attend(self._ignore.outside_files())
        if changes:
            self._on_batch(changes)
        with self._lock:
            self._answered = ticket
            self._lock.notify_all()

    def _check(self) -> None:
        """Look whether the source lives and the root is the directory that it was, when it is time."""
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + CHECK_S
        is_dead = not self._source.is_alive() and len(self._polled) < len(self._tracker.folders)
        if is_dead or _identity(self._root) not in {self._root_identity, None}:
            self._on_lost()

    def _is_due(self) -> bool:
        return self._asked > self._answered or bool(self._rescans) or self._wait_s() <= 0

    def _wait_s(self) -> float:
        """Return for how long there is nothing to do, seconds."""
        now = time.monotonic()
        pending_s = self._pending.wait_s(now)
        if pending_s is not None and pending_s < _HELD_LOOK_S and self._is_held(now):
            pending_s = _HELD_LOOK_S
        waits = [pending_s, self._next_poll - now if self._polled else None, self._next_check - now]
        return max(0.0, min(wait for wait in waits if wait is not None))

    def _is_held(self, now: float) -> bool:
        """Return whether git is in the middle of a mass change, which is to be one batch however long it takes."""
        if len(self._pending) <= BURST or self._pending.age_s(now) > HOLD_S:
            return False
        lock = self._ignore.index_lock()
        return bool(lock) and Path(os.fsdecode(lock)).exists()

    def _collect(self, *, everything: bool) -> list[Change]:
        """Return what is due, judged by ignore rules that are brought up to date first."""
        now = time.monotonic()
        is_held = not everything and self._is_held(now)
        touched, origins = ([], {}) if is_held else self._pending.take(now, everything=everything)
        if "" in touched:
            if _identity(self._root) is None:
                return [Change("deleted", "")]
            self._on_lost()  # another directory has taken its place
            self._touch([_RULES])
        for path in touched:
            folder = self._renew(path)
            if folder is not None:
                self._rescans.add(folder)
        if touched and self._ignore.has_changed_outside():
            self._rescans.add("")
        changes = self._tracker.judge([path for path in touched if path and not path.endswith("/")], origins)
        for folder in _outermost(self._rescans):
            self._rescan(self._tracker.folder_of(folder))
            changes.append(Change("rescan", folder))
        self._rescans.clear()
        return changes

    def _renew(self, path: str) -> str | None:
        """Bring the rules up to date for what was touched; return the directory that is to be looked at again."""
        if not path.endswith("/"):
            return self._ignore.invalidate(path)
        if path == _RULES:
            return None
        folder = self._tracker.folder_of(path[:-1])
        name = shown(folder[:-1])
        self._ignore.forget(name)
        if self._ignore.folder(name) is None or not Path(self._root, path).is_dir():
            return None  # still left alone, or gone with all that was in it
        return path[:-1]

    def _rescan(self, folder: bytes) -> None:
        """Watch what is to be watched at and below a directory now, and nothing else; learn its files anew."""
        if self._is_lost:
            # A directory made again under its old name would keep the watch of the old one.
            self._source.unwatch(b"")
            self._polled.clear()
            self._root_identity = _identity(self._root)
            self._is_lost = False
        folders = self._tracker.look_again(folder)
        self._source.unwatch(folder, but=folders)
        for known in [known for known in self._polled if known.startswith(folder) and known not in folders]:
            del self._polled[known]

    def _poll(self) -> None:
        """Look at the directories that cannot be watched, when it is time."""
        began = time.monotonic()
        if not self._polled or began < self._next_poll:
            return
        for folder, (before, _) in list(self._polled.items()):
            is_watched = self._source.watch(folder)
            after = snapshot(self._tracker.disk(folder))
            if is_watched:
                self._polled.pop(folder, None)
            elif folder in self._polled:
                self._polled[folder] = _Polled(after, self._source.trouble)
            for name in sorted({name for name, _ in before.items() ^ after.items()}):
                self._compare(folder + name, before.get(name), after.get(name))
        self._next_poll = began + max(POLL_S, (time.monotonic() - began) / _POLL_SHARE)

    def _compare(self, rel: bytes, before: tuple[int, int, int] | None, after: tuple[int, int, int] | None) -> None:
        if self._is_guarded(rel):
            return
        was_dir, is_dir = before is not None and before[1] < 0, after is not None and after[1] < 0
        if was_dir:
            self._on_folder_gone(rel + b"/", is_emptied=False)
        if is_dir:
            self._on_folder(rel + b"/")
        if not was_dir or not is_dir:
            self._on_file(rel)


def _identity(folder: str) -> tuple[int, int] | None:
    """Return what tells a directory from another of the same name, None where there is none."""
    try:
        found = Path(folder).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
