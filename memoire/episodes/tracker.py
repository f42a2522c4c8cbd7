"""The files of a watched project as last seen, and what a touched path means. Asks the disk, knows no event source.

Directories are named as on disk (bytes, trailing slash, empty for the root), files by their path (text, NFC).
"""

import os
import stat
import unicodedata
from collections.abc import Callable, Iterable

from memoire import paths
from memoire.builtin_ignores import FOLDERS
from memoire.episodes.changes import Change, origin
from memoire.ignore import Ignore
from memoire.scan import look


class Tracker:
    """What is known of the tree. Not locked: `Watcher` holds its lock around every call.

    Args:
        root: The project, its real path.
        ignore: Its rules.
        watch: Called with each directory before its entries are listed, and with each that is left alone for what is
            inside: a repository, an environment. When that goes, the directory is entered.
    """

    def __init__(self, root: str, ignore: Ignore, watch: Callable[[bytes], None]) -> None:
        self.root = root
        self.ignore = ignore
        self.known: set[str] = set()
        self.folders: set[bytes] = set()
        self.guarded: set[bytes] = set()
        """Directories that are left alone for what is inside."""
        self._top = os.fsencode(root)
        self._watch = watch

    def disk(self, folder: bytes) -> bytes:
        """Return the path on disk of a directory."""
        return os.path.join(self._top, folder)

    def folder_of(self, path: str) -> bytes:
        """Return the name on disk of a directory given by its path without a trailing slash."""
        disk = paths.to_disk(self.root, path)[len(self._top) :].strip(b"/")
        return disk + b"/" if disk else b""

    def visit(self, folder: bytes) -> tuple[set[bytes], list[str]]:
        """Return the directories and files at and below one, unless ignored; each is watched before it is listed.

        In that order nothing that appears meanwhile is missed; some of it is seen twice.
        """
        folders: set[bytes] = set()
        files: list[str] = []
        stack = [folder]
        while stack:
            rel = stack.pop()
            rules = self.ignore.folder(shown(rel.rstrip(b"/")))
            if to_path(rel) is None:
                continue
            if rules is None:
                if self.ignore.is_left_by_content(shown(rel[:-1])):
                    self._watch(rel)
                    self.guarded.add(rel)
                continue
            self._watch(rel)
            self.guarded.discard(rel)
            folders.add(rel)
            self.folders.add(rel)
            for name, is_dir, is_file in _entries(self.disk(rel)):
                if is_dir and name not in FOLDERS:
                    stack.append(rel + name + b"/")
                elif is_file and not rules.skips(name, is_dir=False):
                    path = to_path(rel + name)
                    if path is not None:
                        files.append(path)
        return folders, files

    def known_below(self, folder: bytes) -> list[str]:
        """Return the known files below a directory."""
        prefix = to_path(folder)
        return [] if prefix is None else [path for path in self.known if path.startswith(prefix)]

    def leave(self, folder: bytes) -> None:
        """Forget a directory and those below; their files stay known until they are judged."""
        self.folders = {known for known in self.folders if not known.startswith(folder)}
        self.guarded = {known for known in self.guarded if not known.startswith(folder)}

    def look_again(self, folder: bytes) -> set[bytes]:
        """Learn a directory and all below anew; return the directories there that are to be watched."""
        self.leave(folder)
        folders, files = self.visit(folder)
        self.known.difference_update(self.known_below(folder))
        self.known.update(files)
        return folders | {known for known in self.guarded if known.startswith(folder)}

    def is_left(self, folder: bytes) -> bool:
        """Return whether a directory that was entered is ignored now: its content told that it is generated."""
        return folder in self.folders and self.ignore.folder(shown(folder[:-1])) is None

    def judge(self, touched: Iterable[str], origins: dict[str, str]) -> list[Change]:
        """Return what became of the paths, in their order, and remember it.

        Args:
            touched: Paths about which there was an event.
            origins: New path -> old path of what was renamed.
        """
        created: list[str] = []
        gone: set[str] = set()
        changes: list[Change] = []
        for path in touched:
            is_there = self._is_there(path)
            if is_there and path in self.known:
                changes.append(Change("modified", path))
            elif is_there:
                created.append(path)
            elif path in self.known:
                gone.add(path)
        for path in created:
            old = origin(path, origins, self.known)
            if old in gone:
                gone.discard(old)
                self.known.discard(old)
                changes.append(Change("moved", path, old))
            else:
                changes.append(Change("created", path))
        changes.extend(Change("deleted", path) for path in gone)
        self.known.update(created)
        self.known.difference_update(gone)
        return sorted(changes, key=lambda change: change.path)

    def _is_there(self, path: str) -> bool:
        return look(self.root, path) is not None and not self.ignore.is_ignored(shown(self.folder_of(path)[:-1]))


def to_path(rel: bytes) -> str | None:
    """Return the path of a name on disk, a directory's slash kept; None where it is no text."""
    try:
        return unicodedata.normalize("NFC", rel.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def shown(rel: bytes) -> str:
    """Return a name on disk as `Ignore` takes it."""
    return rel.decode("utf-8", "surrogateescape")


def snapshot(folder: bytes) -> dict[bytes, tuple[int, int, int]]:
    """Return name -> (time, size, inode) of what is directly in a directory; a subdirectory: (mode, -1, inode)."""
    found = {}
    try:
        with os.scandir(folder) as listed:
            for entry in listed:
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    found[entry.name] = (stat.S_IMODE(status.st_mode), -1, status.st_ino)
                else:
                    found[entry.name] = (max(status.st_mtime_ns, status.st_ctime_ns), status.st_size, status.st_ino)
    except OSError:
        pass
    return found


def _entries(folder: bytes) -> list[tuple[bytes, bool, bool]]:
    """Return (name, is a directory, is a plain file) of what is in a directory; nothing where it cannot be listed."""
    try:
        with os.scandir(folder) as listed:
            return [
                (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False))
                for entry in listed
            ]
    except OSError:
        return []
