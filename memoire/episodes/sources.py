"""Where events about files come from: inotify, FSEvents, or nowhere. The only importer of watchdog.

A source tells one callback, from its own thread, what happened; it decides nothing. Names are those on disk, as bytes,
relative to the root; a directory ends in a slash.
"""

import errno
import itertools
import os
import sys
import threading
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from memoire.episodes.mounts import network_mounts

if sys.platform == "linux":
    from watchdog.observers.inotify_c import (
        CallbackId,
        InotifyConstants,
        InotifyEvent,
        InotifyFD,
        Mask,
        WatchDescriptor,
    )


class Signal(NamedTuple):
    """One thing that a source tells."""

    kind: Literal["file", "folder", "emptied", "gone", "moved", "lost", "outside", "root-gone"]
    """file: written, made or removed. folder: appeared. emptied: a directory went whose files were told to have gone.

    gone: a directory went, with what was in it. moved: `old`, told gone before, is `rel`, told before. lost: events
    were. outside: something outside the tree that decides what is ignored may have changed. root-gone: the project may
    have vanished, or have been replaced by another.
    """
    rel: bytes = b""
    old: bytes = b""


class Source:
    """Tells nothing, so that every directory is polled; base of those that do tell."""

    trouble = "the system offers no way to watch them"
    """Why a directory could not be watched, and what to do about it."""

    def start(self) -> None:
        """Begin to tell what happens."""

    def stop(self) -> None:
        """Tell nothing any more."""

    def watch(self, folder: bytes) -> bool:
        """Watch one directory, not what is below; return whether its events will be told."""
        return False

    def unwatch(self, folder: bytes, but: Collection[bytes] = ()) -> None:
        """Stop watching a directory and all below, but those given."""

    def attend(self, outside: Mapping[bytes, Collection[bytes]]) -> None:
        """Tell of these names in these folders outside the project from now on; asking again does no harm."""

    def is_alive(self) -> bool:
        """Return whether what was promised by `watch` is still kept."""
        return True

    def sync(self, timeout_s: float) -> bool:
        """Wait until everything that happened before the call was told; return whether it was."""
        return True


class ObserverSource(Source, FileSystemEventHandler):
    """Events of one recursive watch of watchdog: right where the system watches a whole tree at one cost."""

    def __init__(self, root: str, tell: Callable[[Signal], None], observer: BaseObserver | None = None) -> None:
        self._root = root
        self._top = os.fsencode(root)
        self._tell = tell
        self._observer: BaseObserver = observer or Observer()

    def start(self) -> None:
        """Begin to tell what happens."""
        self._observer.schedule(self, self._root, recursive=True)
        self._observer.start()

    def stop(self) -> None:
        """Tell nothing any more."""
        self._observer.stop()
        self._observer.join()

    def watch(self, folder: bytes) -> bool:
        """Return whether the one watch lives: it covers every directory."""
        return self._observer.is_alive()

    def sync(self, timeout_s: float) -> bool:
        """Wait for the latency of the stream, 10 ms by default: it offers nothing better."""
        threading.Event().wait(min(timeout_s, 0.03))
        return True

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Translate an event of watchdog."""
        kind = event.event_type
        source, target = self._rel(event.src_path), self._rel(event.dest_path)
        if not event.is_directory:
            if kind in {"created", "modified", "closed", "deleted", "moved"}:
                self._tell_file(source, target)
        elif source == b"":
            if kind in {"deleted", "moved"}:
                self._tell(Signal("root-gone"))
        elif kind in {"created", "deleted", "moved"}:
            self._tell_folder(kind, source, target)

    def _tell_file(self, source: bytes | None, target: bytes | None) -> None:
        for rel in (source, target):
            if rel:
                self._tell(Signal("file", rel))
        if source and target:
            self._tell(Signal("moved", target, source))

    def _tell_folder(self, kind: str, source: bytes | None, target: bytes | None) -> None:
        if source:
            self._tell(Signal("folder" if kind == "created" else "gone", source + b"/"))
        if target:
            self._tell(Signal("folder", target + b"/"))
        if source and target:
            self._tell(Signal("moved", target + b"/", source + b"/"))

    def _rel(self, path: bytes | str) -> bytes | None:
        raw = os.fsencode(path)
        if raw == self._top:
            return b""
        return raw[len(self._top) + 1 :] if raw.startswith(self._top + b"/") else None


if sys.platform == "linux":
    _CREATE, _DELETE = InotifyConstants.IN_CREATE, InotifyConstants.IN_DELETE
    _FROM, _TO = InotifyConstants.IN_MOVED_FROM, InotifyConstants.IN_MOVED_TO
    _SELF = InotifyConstants.IN_DELETE_SELF | InotifyConstants.IN_MOVE_SELF | InotifyConstants.IN_UNMOUNT
    _WRITE = InotifyConstants.IN_MODIFY | InotifyConstants.IN_CLOSE_WRITE
    _KIND = InotifyConstants.IN_ONLYDIR | InotifyConstants.IN_DONT_FOLLOW | InotifyConstants.IN_EXCL_UNLINK
    _TREE_MASK = Mask(
        _CREATE
        | _DELETE
        | _FROM
        | _TO
        | _WRITE
        | _KIND
        | InotifyConstants.IN_ATTRIB
        | InotifyConstants.IN_DELETE_SELF
        | InotifyConstants.IN_MOVE_SELF
        | InotifyConstants.IN_MASK_ADD
    )
    # One directory has one mask: what is outside for one purpose may be of the tree as well.
    _BESIDE_MASK = Mask(
        _CREATE | _DELETE | _FROM | _TO | InotifyConstants.IN_CLOSE_WRITE | InotifyConstants.IN_MASK_ADD
    )
    _NOTHING_TO_TELL = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ELOOP))
    _REFUSED = -1  # what watchdog returns for a folder that may not be read
    _ADVICE: Mapping[int, str] = {
        errno.ENOSPC: "the limit of watches is reached: raise it with `sudo sysctl fs.inotify.max_user_watches=524288`,"
        " and for good in /etc/sysctl.d, or leave more out in `.memoireignore`",
        errno.EMFILE: "too many programs watch files: raise the limit with"
        " `sudo sysctl fs.inotify.max_user_instances=512`, and for good in /etc/sysctl.d",
    }

    def _explain(error: OSError) -> str:
        return _ADVICE.get(error.errno or 0) or error.strerror or str(error)

    class _Beside:
        """Events of a folder that is not of the project: only the name of what happened to matters."""

        def __init__(self, hear: Callable[[bytes], None]) -> None:
            self.hear = hear
            self.is_watched = True

        def on_event(self, event: InotifyEvent) -> None:
            self.hear(event.name)

        def on_watch_deleted(self, wd: WatchDescriptor) -> None:
            """Remember it: the folder may be made again."""
            self.is_watched = False

        def on_queue_overflow(self) -> None:
            """The source itself tells."""

    class InotifySource(Source):
        """One inotify instance, one watch per directory.

        Args:
            root: The project.
            tell: Called with what happens.
            private: A folder of memoire's own, for `sync`.
            remote: What of the project lies on a network file system (`mounts.network_mounts`); it is not watched.
        """

        def __init__(
            self,
            root: str,
            tell: Callable[[Signal], None],
            private: str = "",
            remote: Mapping[bytes, str] | None = None,
        ) -> None:
            self._top = os.fsencode(root)
            self._tell = tell
            self._private = Path(private) if private else None
            self._remote = remote or {}
            self._beside: dict[bytes, _Beside] = {}
            self._inotify: InotifyFD | None = None
            self._lock = threading.Lock()
            self._folders: dict[WatchDescriptor, tuple[bytes, CallbackId]] = {}
            self._watches: dict[bytes, WatchDescriptor] = {}
            self._moves: dict[int, bytes] = {}
            self._numbers = itertools.count()
            self._cookies: dict[bytes, threading.Event] = {}

        def start(self) -> None:
            """Begin to tell what happens."""
            try:
                self._inotify = InotifyFD()
            except OSError as error:
                self.trouble = _explain(error)
                return
            self._inotify.start()
            self._attend_private()

        def stop(self) -> None:
            """Tell nothing any more."""
            if self._inotify is not None:
                self._inotify.stop()
                self._inotify.join()

        def watch(self, folder: bytes) -> bool:
            """Watch one directory; one that vanished or may not be read counts as watched: it has nothing to tell."""
            if self._inotify is None:
                return False
            if why := self._obstacle(folder):
                self.trouble = why
                return False
            disk = os.path.join(self._top, folder)  # noqa: PTH118 - bytes
            with self._lock:
                if folder in self._watches:
                    return True
                name = CallbackId(next(self._numbers))
                try:
                    watch = self._inotify.add_callback(disk, _TREE_MASK, self, name)
                except OSError as error:
                    if error.errno in _NOTHING_TO_TELL:
                        return True
                    self.trouble = _explain(error)
                    return False
                if watch == _REFUSED:
                    self._inotify.remove_callbacks([(watch, name)])
                    return True
                # A watch is of the directory, not of its name: it may still be known under one that it lost meanwhile.
                before = self._folders.get(watch)
                if before is not None:
                    self._watches.pop(before[0], None)
                self._folders[watch] = folder, name
                self._watches[folder] = watch
            if before is not None:
                self._inotify.remove_callbacks([(watch, before[1])])
            return True

        def _obstacle(self, folder: bytes) -> str:
            """Return why watching a directory would be of no use, empty where it is."""
            if not self.is_alive():
                return "the system stopped telling of changes; `memoire restart` may help"
            kind = next((kind for place, kind in self._remote.items() if folder.startswith(place)), "")
            return f"they lie on a network file system, {kind}: nobody tells what others change there" if kind else ""

        def unwatch(self, folder: bytes, but: Collection[bytes] = ()) -> None:
            """Stop watching a directory and all below, but those given."""
            if self._inotify is None:
                return
            with self._lock:
                gone = [known for known in self._watches if known.startswith(folder) and known not in but]
                watches = [self._watches.pop(known) for known in gone]
                names = [self._folders.pop(watch)[1] for watch in watches]
            self._inotify.remove_callbacks(list(zip(watches, names, strict=True)))

        def attend(self, outside: Mapping[bytes, Collection[bytes]]) -> None:
            """Watch these folders outside the project for these names; one that is absent is tried again next time."""
            for folder, names in outside.items():

                def hear(name: bytes, names: Collection[bytes] = names) -> None:
                    if name in names:
                        self._tell(Signal("outside"))

                if folder in self._beside and self._beside[folder].is_watched:
                    self._beside[folder].hear = hear
                else:
                    self._watch_beside(folder, hear)

        def is_alive(self) -> bool:
            """Return whether events are still read."""
            return self._inotify is None or self._inotify.is_alive()

        def sync(self, timeout_s: float) -> bool:
            """Make a file beside the project and wait for its event: one queue, so every earlier one was told."""
            if self._inotify is None:
                return True  # all is polled
            if self._private is None or not self._inotify.is_alive():
                return False
            self._attend_private()
            if os.fsencode(self._private) not in self._beside:
                return not self._watches  # no watch is left for it, and so for nothing else: all is polled
            name = f"{os.getpid()}-{next(self._numbers)}"
            arrived = self._cookies[name.encode()] = threading.Event()
            file = self._private / name
            try:
                file.touch(mode=0o600)
                file.unlink()
            except OSError:
                return False
            else:
                return arrived.wait(timeout_s)
            finally:
                self._cookies.pop(name.encode(), None)

        def on_event(self, event: InotifyEvent) -> None:
            """Translate an event of a directory of the project."""
            with self._lock:
                found = self._folders.get(event.wd)
            if found is None:
                return  # of a directory that is watched no more
            folder = found[0]
            if not event.name:
                if not folder and event.mask & _SELF:
                    self._tell(Signal("root-gone"))
                return
            is_dir = bool(event.mask & InotifyConstants.IN_ISDIR)
            rel = folder + event.name + (b"/" if is_dir else b"")
            if not is_dir:
                self._tell(Signal("file", rel))
            elif event.mask & (_CREATE | _TO):
                self._tell(Signal("folder", rel))
            elif event.mask & (_DELETE | _FROM):
                self._tell(Signal("gone" if event.mask & _FROM else "emptied", rel))
            elif event.mask & InotifyConstants.IN_ATTRIB and rel not in self._watches:
                self._tell(Signal("folder", rel))  # it may be readable now
            self._pair(event, rel)

        def on_watch_deleted(self, wd: WatchDescriptor) -> None:
            """Forget a watch that the system removed."""
            with self._lock:
                found = self._folders.pop(wd, None)
                if found is not None and self._watches.get(found[0]) == wd:
                    del self._watches[found[0]]

        def on_queue_overflow(self) -> None:
            """Tell that events were lost."""
            self._tell(Signal("lost"))

        def _pair(self, event: InotifyEvent, rel: bytes) -> None:
            """Tell of a rename once both of its events were seen; they follow each other."""
            if event.mask & _FROM:
                if len(self._moves) > 64:  # moved out of the project: their other half never comes
                    self._moves.clear()
                self._moves[event.cookie] = rel
            elif event.mask & _TO:
                old = self._moves.pop(event.cookie, None)
                if old is not None:
                    self._tell(Signal("moved", rel, old))

        def _attend_private(self) -> None:
            if self._private is not None and os.fsencode(self._private) not in self._beside:
                self._private.mkdir(mode=0o700, exist_ok=True)
                self._watch_beside(os.fsencode(self._private), self._hear_cookie)

        def _watch_beside(self, folder: bytes, hear: Callable[[bytes], None]) -> None:
            if self._inotify is None or not self._inotify.is_alive():
                return
            beside = _Beside(hear)
            try:
                watch = self._inotify.add_callback(folder, _BESIDE_MASK, beside, CallbackId(id(beside)))
            except OSError:
                return  # absent, or no watch is left for it: the next change of any file has it looked at
            if watch == _REFUSED:
                self._inotify.remove_callbacks([(watch, CallbackId(id(beside)))])
                return
            self._beside[folder] = beside

        def _hear_cookie(self, name: bytes) -> None:
            arrived = self._cookies.get(name)
            if arrived is not None:
                arrived.set()


def best_source(root: str, tell: Callable[[Signal], None], private: str = "") -> Source:
    """Return the best source of the system; see `InotifySource` for the arguments."""
    if sys.platform == "linux":
        return InotifySource(root, tell, private, network_mounts(os.fsencode(root)))
    else:  # noqa: RET505 - mypy would call what follows unreachable
        return ObserverSource(root, tell)
