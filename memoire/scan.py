"""Walks a project, and reads one file of it, without ever leaving it.

Works on bytes where it meets the disk: a name there need not be text, and under `LC_ALL=C` Python could not write it.
No link is followed, and nothing but a plain file is opened for reading.
"""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from memoire import paths
from memoire.config import Settings
from memoire.ignore import Folder, Ignore
from memoire.labels import is_secret, label
from memoire.model import FileRecord, Problem

GONE = Problem("unreadable", "does not exist")
"""What `read_file` returns for a file that is no more, the same object every time."""

MTIME_NS = (-(2**62), 2**62)
"""Earliest and latest time of a file that is believed, ns: 1823 and 2116. A file system may hold any of 64 bits of
seconds, and no integer of the store does; a time that is not believed is one of these two."""

_O_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_O_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One plain file of the project."""

    path: str
    size: int
    """Bytes."""
    mtime_ns: int
    label: str = ""
    """secret, lock, minified, generated, vendored by its name; empty for an ordinary file."""
    stamp_ns: int = 0
    """The later of the times at which its content and its inode changed: nobody can set the second one back, so a file
    that was swapped for another of the same size and time has another stamp. Source: inode(7), ctime."""


class Scan(msgspec.Struct, frozen=True, gc=False):
    """What a walk found."""

    files: list[Entry]
    """Sorted by path."""
    folders: list[str]
    """The directories entered, the root as the empty string: what is to be watched."""
    problems: list[tuple[str, Problem]]
    """(path, what kept it out); a name that is not text is written with backslashes."""


def scan(root: paths.AnyPath, ignore: Ignore, settings: Settings | None = None, under: str = "") -> Scan:
    """Return every file of the project that is not ignored, by name, size and time; nothing is read.

    Args:
        root: The project.
        ignore: Its rules; read again first where the whole project is walked.
        settings: Gives the size above which a file is listed with a problem.
        under: Walk this directory only. Nothing is returned for one that is ignored or absent.
    """
    found = Scan([], [], [])
    if under:
        top = os.fsencode(root)
        # Rules are matched with the name on disk, which need not be in NFC.
        on_disk = paths.to_disk(root, under)[len(top) :].strip(b"/")
        folder = ignore.folder(on_disk.decode("utf-8", "surrogateescape"))
    else:
        ignore.reload()
        folder = ignore.top()
    if folder is not None:
        _walk(os.fsencode(paths.real(root)), ignore, folder, found)
    limit = (settings or Settings()).max_file_kb * 1024
    found.files.sort(key=_path_of)
    found.folders.sort()
    found.problems.extend(
        (entry.path, Problem("too-large", f"{entry.size} bytes")) for entry in found.files if entry.size > limit
    )
    return found


def look(root: paths.AnyPath, path: str) -> Entry | None:
    """Return name, size and time of one file now; None for anything but a plain file, and for one behind a link.

    Args:
        root: The project, its real path.
        path: Of the file.
    """
    try:
        file = paths.to_disk(root, path)
        status = os.lstat(file)
    except (OSError, ValueError):
        return None
    parent = os.path.dirname(file)
    if not stat.S_ISREG(status.st_mode) or os.path.realpath(parent) != parent:
        return None
    return _entry(path, status)


def identity(root: paths.AnyPath) -> tuple[int, int] | None:
    """Return what tells the folder from another one of the same name, None where there is none."""
    try:
        found = os.stat(root)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def require(root: paths.AnyPath, expected: tuple[int, int] | None) -> None:
    """Check that the project's folder is the one it was.

    Raises:
        FileNotFoundError: It is not: it was moved, or its disk is gone. That says nothing of its files.
    """
    if identity(root) != expected:
        raise FileNotFoundError(errno.ENOENT, "the project's folder is not there", os.fsdecode(root))


def as_time(mtime_ns: int) -> datetime:
    """Return the time of a file that was listed here."""
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC)


def read_file(root: paths.AnyPath, path: str, max_bytes: int) -> bytes | Problem:
    """Return the content of one file, or why it is not to be had: secret, not-a-file, too-large, unreadable, `GONE`.

    Every directory on the way is opened without following a link, so that no swap in between leads outside.
    """
    if is_secret(path):
        return Problem("secret", "holds secrets by its name and is never read")
    try:
        descriptor = _open(root, path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return GONE
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO, errno.EISDIR}:
            return Problem("not-a-file", "is a link, a directory or a socket")
        return Problem("unreadable", error.strerror or "cannot be read")
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Problem("not-a-file", "is a directory, pipe, socket or device")
        if status.st_size > max_bytes:
            return Problem("too-large", f"{status.st_size} bytes")
        data = _read_all(descriptor, max_bytes)
    except OSError as error:
        return Problem("unreadable", error.strerror or "cannot be read")
    finally:
        os.close(descriptor)
    return data if len(data) <= max_bytes else Problem("too-large", f"more than {max_bytes} bytes")


def _open(root: paths.AnyPath, path: str) -> int:
    top = os.fsencode(root)
    *folders, name = paths.to_disk(root, path)[len(top) :].strip(b"/").split(b"/")
    if b".." in folders or name == b"..":
        raise FileNotFoundError(path)
    at = os.open(top, os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY))
    try:
        for folder in folders:
            below = os.open(folder, _O_FOLDER, dir_fd=at)
            os.close(at)
            at = below
        return os.open(name, _O_FILE, dir_fd=at)
    finally:
        os.close(at)


def _read_all(descriptor: int, max_bytes: int) -> bytes:
    """Return what can be read, at most one byte more than the limit: the file may grow meanwhile."""
    chunks = []
    left = max_bytes + 1
    while left > 0 and (chunk := os.read(descriptor, min(left, 1 << 16))):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def _walk(root: bytes, ignore: Ignore, start: Folder, found: Scan) -> None:
    """Add everything below the directory, which is not ignored itself."""
    stack: list[tuple[Folder, str, list[os.DirEntry[bytes]]]] = []
    shown = start.rel.decode("utf-8", "backslashreplace")
    entries = _entries(os.path.join(root, start.rel), shown.rstrip("/"), found)
    if entries is not None:
        stack.append((start, unicodedata.normalize("NFC", shown), entries))
    seen: set[str] = set()
    while stack:
        folder, prefix, entries = stack.pop()
        found.folders.append(prefix.rstrip("/"))
        for entry, name in _named(entries, prefix, seen, found):
            if not entry.is_dir(follow_symlinks=False):
                if not folder.skips(entry.name, is_dir=False):
                    _add_file(entry, prefix + name, found)
            elif not folder.skips(entry.name, is_dir=True):
                inside = _entries(entry.path, prefix + name, found)
                if inside is None:
                    continue
                child = folder.child(entry.name, [each.name for each in inside])
                if child is not None:
                    ignore.remember(child)
                    stack.append((child, f"{prefix}{name}/", inside))


def _entries(folder: bytes, shown: str, found: Scan) -> list[os.DirEntry[bytes]] | None:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return None
    except OSError as error:
        found.problems.append((shown, Problem("unreadable", error.strerror or "cannot be listed")))
        return None


def _named(
    entries: list[os.DirEntry[bytes]], prefix: str, seen: set[str], found: Scan
) -> Iterator[tuple[os.DirEntry[bytes], str]]:
    """Yield each entry with its name as text in NFC; two that become one, and names that are no text, are problems."""
    odd = []
    for entry in entries:
        if entry.name.isascii():
            yield entry, entry.name.decode("ascii")
        else:
            odd.append(entry)
    for entry in sorted(odd, key=_is_not_normal):
        try:
            name = unicodedata.normalize("NFC", entry.name.decode("utf-8"))
        except UnicodeDecodeError:
            shown = prefix + entry.name.decode("utf-8", "backslashreplace")
            found.problems.append((shown, Problem("encoding", "its name is not UTF-8")))
            continue
        if prefix + name in seen:
            found.problems.append(
                (prefix + name, Problem("encoding", "two names differ in Unicode normalisation only"))
            )
            continue
        seen.add(prefix + name)
        yield entry, name


def _is_not_normal(entry: os.DirEntry[bytes]) -> tuple[bool, bytes]:
    return not unicodedata.is_normalized("NFC", entry.name.decode("utf-8", "replace")), entry.name


def _add_file(entry: os.DirEntry[bytes], path: str, found: Scan) -> None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return  # vanished since it was listed
    if stat.S_ISREG(status.st_mode):
        found.files.append(_entry(path, status))
    elif not stat.S_ISLNK(status.st_mode):
        found.problems.append((path, Problem("not-a-file", "is a pipe, socket or device")))


def _held(time_ns: int) -> int:
    first, last = MTIME_NS
    return min(max(time_ns, first), last)


def _entry(path: str, status: os.stat_result) -> Entry:
    mtime_ns, ctime_ns = (_held(time_ns) for time_ns in (status.st_mtime_ns, status.st_ctime_ns))
    return Entry(path, status.st_size, mtime_ns, label(path), max(mtime_ns, ctime_ns))


def _path_of(entry: Entry) -> str:
    return entry.path


def is_as_known(record: FileRecord, entry: Entry) -> bool:
    """Return whether a file has the size and the times that it had when it was read."""
    return record.size == entry.size and record.mtime_ns == entry.stamp_ns
