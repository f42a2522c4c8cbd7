"""The spool: records that hooks leave behind, one file each, until what they tell is in the event log.

A hook writes its file once and never again; it is complete when it ends in `END`. So reading and removing one never
races its writer, and a torn record is one whose writer was killed or found no space: it is counted and removed.
"""

import logging
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

logger = logging.getLogger(__name__)

END = b"\x1e\n"
"""What a whole record ends in."""
FOLDER = "spool"
"""Name of the spool in a project's state folder."""
MAX_BYTES = 32 << 20
"""A larger record is not read: a client that quotes so much of a file has its head in no event."""
TORN_AFTER_S = 30.0
"""A record that is not whole after so long never will be."""
STALE_AFTER_S = 7 * 86_400.0
"""A record that was never taken in is removed unread after a week: it is raw, and may hold secrets."""
RIPENS_S = 0.2
"""How long a record that is not whole yet is left alone."""
_PER_TAKE = 500
_BYTES_PER_TAKE = 64 << 20


class Record(msgspec.Struct, frozen=True):
    """One whole record as its hook wrote it."""

    name: str
    """Name of its file."""
    client: str
    """Which client's hook wrote it: the file's suffix."""
    data: bytes
    """Without `END`."""


class Inbox:
    """The spool of one project.

    Args:
        state: The project's state folder.
        clock: Seconds since the epoch.
    """

    def __init__(self, state: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.folder = state / FOLDER
        self.lost = 0
        """Records that could not be taken in since this object was made: torn, too large, too old."""
        self._clock = clock
        self._unripe: dict[str, float] = {}
        """Records that were not whole -> when to look again, on the monotonic clock."""
        self._taken: set[str] = set()
        """Names whose file is still there although what it tells is safe: it could not be removed."""

    def has_news(self) -> bool:
        """Return whether there is something to take. Costs one look at the folder."""
        with suppress(OSError), os.scandir(self.folder) as entries:
            return any(self._is_wanted(entry.name) for entry in entries)
        return False

    def take(self) -> list[Record]:
        """Return the whole records that wait, oldest first, some hundred at most; they stay until `discard`.

        What will never be whole, is too large or too old is removed and counted.
        """
        found: list[Record] = []
        size = 0
        for name in self._names():
            data = self._read(name)
            if data is not None:
                found.append(Record(name, name.rpartition(".")[2], data))
                size += len(data)
            if len(found) >= _PER_TAKE or size >= _BYTES_PER_TAKE:
                break
        return found

    def names(self) -> set[str]:
        """Return the names of all records that are there, whole or not."""
        with suppress(OSError):
            return {path.name for path in self.folder.iterdir() if path.name not in self._taken}
        return set()

    def discard(self, names: Iterable[str]) -> None:
        """Remove records whose events are safe."""
        for name in names:
            self._unripe.pop(name, None)
            try:
                (self.folder / name).unlink(missing_ok=True)
                self._taken.discard(name)
            except OSError as error:
                self._taken.add(name)
                logger.warning("spool record stays name=%s why=%s", name, error.strerror)

    def _names(self) -> list[str]:
        with suppress(OSError):
            return sorted(path.name for path in self.folder.iterdir() if self._is_wanted(path.name))
        return []

    def _is_wanted(self, name: str) -> bool:
        if name.startswith(".") or "." not in name or name in self._taken:
            return False
        return name not in self._unripe or self._unripe[name] <= time.monotonic()

    def _read(self, name: str) -> bytes | None:
        """Return a whole record; None for one that is not, or not yet."""
        try:
            fd = os.open(self.folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                status = os.fstat(fd)
                why = self._refusal(status)
                data = b"" if why else b"".join(_chunks(fd, status.st_size))
            finally:
                os.close(fd)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._drop(name, error.strerror or str(error))
            return None
        if data.endswith(END):
            return data[: -len(END)]
        if not why and abs(self._clock() - status.st_mtime) < TORN_AFTER_S:
            self._unripe[name] = time.monotonic() + RIPENS_S
            return None
        self._drop(name, why or "torn")
        return None

    def _refusal(self, status: os.stat_result) -> str:
        """Return why a file is not to be read; empty where it is."""
        if not stat.S_ISREG(status.st_mode):
            return "no file"
        if self._clock() - status.st_mtime > STALE_AFTER_S:
            return "older than a week"
        return "too large" if status.st_size > MAX_BYTES else ""

    def _drop(self, name: str, why: str) -> None:
        self.lost += 1
        logger.warning("spool record not taken in name=%s why=%s", name, why)
        self.discard([name])


def _chunks(fd: int, size: int) -> Iterator[bytes]:
    """Yield what is there now: a file that still grows is read as far as it was."""
    while size > 0 and (chunk := os.read(fd, size)):
        size -= len(chunk)
        yield chunk
