"""The event log: JSON lines in numbered files, forced to disk before anything is made of them.

What happened cannot be computed again, so it rests here first; the database is its projection. An event is in the log
when `append` has returned, and a reader sees whole records only: a record cut short by a crash or a full disk is
counted and passed over, and the next one starts on a line of its own.
"""

import logging
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from memoire.errors import StoreUnavailableError
from memoire.model import Event

logger = logging.getLogger(__name__)

SEGMENT_BYTES = 8_000_000
"""A segment that has reached this size is followed by the next."""

_NAME = re.compile(r"(\d{8})\.jsonl")
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)


class EventLog:
    """The log in one folder, made if it is not there. Only one process may append.

    Every call blocks on the disk, `append` for one fsync: call it from a thread where an event loop must not wait.

    Raises:
        StoreUnavailableError: The folder cannot be made or read.
    """

    def __init__(self, folder: Path, *, segment_bytes: int = SEGMENT_BYTES) -> None:
        self.folder = folder
        self.skipped = 0
        """Records that could not be read, in the reads since this object was made."""
        self._segment_bytes = segment_bytes
        self._fd = -1
        self._size = 0
        self._number = 0
        self._ends_in_line = True
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            numbers = self._segments()
            self._number = numbers[-1] if numbers else 0
            if numbers:
                self._look_at_end(self._path(self._number))
        except OSError as error:
            raise self._unavailable(error) from error

    @property
    def position(self) -> str:
        """Where the next event will stand: what `read` takes as `after`. Sorts by age; "" is the beginning."""
        return f"{self._number:08}:{self._size:010}" if self._number else ""

    def append(self, events: Sequence[Event]) -> None:
        """Add the events; when this returns they survive a crash and a power cut. None adds nothing.

        Raises:
            StoreUnavailableError: No space, no permission: none of them is in the log.
        """
        if not events:
            return
        lines = b"".join(_encoder.encode(event) + b"\n" for event in events)
        try:
            if self._number == 0 or self._size >= self._segment_bytes:
                self._start_segment()
            elif self._fd < 0:
                self._fd = os.open(self._path(self._number), os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            self._write(lines if self._ends_in_line else b"\n" + lines)
        except OSError as error:
            raise self._unavailable(error) from error

    def read(self, after: str = "") -> Iterator[Event]:
        """Yield the events that stand at or behind a `position`, in the order they were added, each id once.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        first, _, offset = after.partition(":")
        start = int(first) if first else 0
        seen: set[str] = set()
        for number in self._segments():
            if number < start:
                continue
            for line in self._lines(number, int(offset or 0) if number == start else 0):
                try:
                    event = _decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    self.skipped += 1
                    continue
                if event.id not in seen:
                    seen.add(event.id)
                    yield event

    def standing(self, after: str = "") -> Iterator[Event]:
        """Yield what `read` does, without the events that a later one of them replaces.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        replaced = {event.replaces for event in self.read(after) if event.replaces}
        return (event for event in self.read(after) if event.id not in replaced)

    def prune(self, before: datetime) -> int:
        """Remove whole segments in which every event is older; return how many. The last one always stays."""
        removed = 0
        for number in self._segments()[:-1]:
            newest = max((event.at for event in self._events(number)), default=None)
            if newest is not None and newest >= before:
                break
            with suppress(FileNotFoundError):
                self._path(number).unlink()
            removed += 1
        return removed

    def close(self) -> None:
        """Let go of the open segment; a later `append` opens it again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _events(self, number: int) -> Iterator[Event]:
        for line in self._lines(number, 0):
            with suppress(msgspec.DecodeError, UnicodeDecodeError):
                yield _decoder.decode(line)

    def _lines(self, number: int, offset: int) -> Iterator[bytes]:
        try:
            with self._path(number).open("rb") as segment:
                segment.seek(offset)
                yield from (line for line in segment if line.strip())
        except FileNotFoundError:
            return  # pruned meanwhile
        except OSError as error:
            raise self._unavailable(error) from error

    def _segments(self) -> list[int]:
        return sorted(int(match[1]) for path in self.folder.iterdir() if (match := _NAME.fullmatch(path.name)))

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:08}.jsonl"

    def _look_at_end(self, path: Path) -> None:
        with path.open("rb") as segment:
            self._size = segment.seek(0, os.SEEK_END)
            if self._size:
                segment.seek(-1, os.SEEK_END)
                self._ends_in_line = segment.read(1) == b"\n"

    def _start_segment(self) -> None:
        number = self._number + 1
        fd = os.open(self._path(number), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self.close()
        self._fd, self._number, self._size, self._ends_in_line = fd, number, 0, True
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)  # else the power may fail between the file's content and its name
        finally:
            os.close(folder)

    def _write(self, data: bytes) -> None:
        """Write and force out all of it, or take back what was written."""
        try:
            done = 0
            while done < len(data):
                done += os.write(self._fd, data[done:])
            os.fsync(self._fd)
        except OSError:
            self._take_back()
            raise
        self._size += len(data)
        self._ends_in_line = True

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._fd, self._size)
        except OSError:
            # The half record stays; a reader passes over it, and the next record begins behind a line end.
            logger.warning("event log keeps half a record segment=%s", self._number)
            with suppress(OSError):
                self._size = os.fstat(self._fd).st_size
            self._ends_in_line = False

    def _unavailable(self, error: OSError) -> StoreUnavailableError:
        return StoreUnavailableError(str(self.folder), (error.strerror or str(error)).lower())
