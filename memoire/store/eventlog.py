"""The event log: JSON lines in numbered files, forced to disk before anything is made of them.

What happened cannot be computed again, so it rests here first; the database is its projection. An event is in the log
when `append` has returned, and a reader sees whole records only: a record cut short by a crash or a full disk is
counted and passed over, and the next one starts on a line of its own. Events past their retention are told by the
record of their day (`Day`), and leave by whole segments (`prune`).
"""

import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

import msgspec

from memoire.episodes.days import day_of
from memoire.episodes.sessions import Joining, decode
from memoire.errors import StoreUnavailableError
from memoire.model import Event, Evidence, Session

logger = logging.getLogger(__name__)

SEGMENT_BYTES = 8_000_000
"""A segment that has reached this size is followed by the next."""

_NAME = re.compile(r"(\d{8})\.jsonl")
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)

_Place = tuple[int, int]
"""Segment and line."""


class Day(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands for the events of one day: one record of the log, so that it is there as a whole or not at all."""

    day: date
    """In UTC. The first field: by it the record is told from an event."""
    events: tuple[Event, ...]
    """Of kind `day`."""
    sessions: tuple[bytes, ...] = ()
    """States, at least, of the sessions that those events belong to, as `episodes.sessions.encode` writes them."""
    upto: int = 0
    """0: it stands for all events of its day before it. Else it is a copy, and they lay before this segment."""


class Learned(msgspec.Struct, frozen=True):
    """Pieces of evidence that were learned or revised at once. They stay, whatever becomes of the events around."""

    evidence: tuple[Evidence, ...]
    """The first field: by it the record is told from an event."""


class _Days:
    """Which events the records of days stand for."""

    def __init__(self) -> None:
        self._places: dict[date, list[_Place]] = {}

    def add(self, place: _Place, day: Day) -> None:
        self._places.setdefault(day.day, []).append((day.upto, -1) if day.upto else place)

    def cover(self, place: _Place, event: Event) -> bool:
        places = self._places.get(day_of(event)) if event.kind != "day" else None
        return places is not None and any(place < other for other in places)


_day_decoder = msgspec.json.Decoder(Day)
_learned_decoder = msgspec.json.Decoder(Learned)


def _is_day(line: bytes) -> bool:
    return line.startswith(b'{"day":')


def _is_learned(line: bytes) -> bool:
    return line.startswith(b'{"evidence":')


def _is_happening(line: bytes) -> bool:
    return not _is_learned(line)


def _tells_of_others(line: bytes) -> bool:
    return _is_day(line) or (b'"replaces":' in line and not _is_learned(line))


def _session(data: bytes) -> Session | None:
    with suppress(msgspec.MsgspecError):
        return decode(data)
    return None


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
        self._append(b"".join(_encoder.encode(event) + b"\n" for event in events))

    def append_evidence(self, pieces: Sequence[Evidence]) -> None:
        """Add pieces of evidence; when this returns they survive a crash and a power cut. None adds nothing.

        Raises:
            StoreUnavailableError: No space, no permission: none of them is in the log.
        """
        if pieces:
            self._append(_encoder.encode(Learned(tuple(pieces))) + b"\n")

    def evidence(self, after: str = "") -> dict[str, Evidence]:
        """Return id -> the latest revision of each piece of evidence that stands at or behind a position.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        found: dict[str, Evidence] = {}
        for _, line in self._placed(after):
            for piece in self._decode_learned(line) if _is_learned(line) else ():
                if piece.id not in found or found[piece.id].revision <= piece.revision:
                    found[piece.id] = piece
        return found

    def append_day(self, day: Day) -> None:
        """Add what stands for a day, as one record: the events of that day before it are told by it from now on.

        Raises:
            StoreUnavailableError: No space, no permission: it is not in the log.
        """
        self._append(_encoder.encode(day) + b"\n")

    def read(self, after: str = "") -> Iterator[Event]:
        """Yield the events that stand at or behind a `position`, in the order they were added, each id once.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        seen: set[str] = set()
        for _, found in self._records(after):
            for event in found.events if isinstance(found, Day) else (found,):
                if event.id not in seen:
                    seen.add(event.id)
                    yield event

    def newest_ids(self, most: int) -> frozenset[str]:
        """Return the ids of the last `most` events that were added, and of those in the same segments.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        found = frozenset[str]()
        for number in reversed(self._segments()):
            found = frozenset(event.id for event in self.read(f"{number:08}:{0:010}"))
            if len(found) >= most:
                break
        return found

    def standing(self, after: str = "") -> Iterator[Event]:
        """Yield what `read` does, without the events that a later one replaces or the record of their day stands for.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        replaced, days = set[str](), _Days()
        for place, found in self._records(after):
            if isinstance(found, Day):
                days.add(place, found)
            elif found.replaces:
                replaced.add(found.replaces)
        seen: set[str] = set()
        for place, found in self._records(after):
            if isinstance(found, Event) and (found.id in replaced or days.cover(place, found)):
                continue
            for event in found.events if isinstance(found, Day) else (found,):
                if event.id not in seen:
                    seen.add(event.id)
                    yield event

    def days(self, after: str = "") -> Iterator[tuple[Day, set[str]]]:
        """Yield each day's record that stands at or behind a position, with the ids of that day's later events.

        Copies that `prune` made are left out: the store knew their day before.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        days = _Days()
        late: dict[date, set[str]] = {}
        found: dict[date, Day] = {}
        for place, one in self._records(after):
            if isinstance(one, Day):
                days.add(place, one)
                if not one.upto:
                    found[one.day], late[one.day] = one, set()
            elif day_of(one) in late:
                late[day_of(one)].add(one.id)
        yield from ((day, late[name]) for name, day in found.items())

    def sessions(self, after: str = "") -> dict[str, Session]:
        """Return id -> session, as all events at or behind a position and the records of days tell of them.

        Raises:
            StoreUnavailableError: A segment cannot be read.
        """
        joining = Joining()
        for _, one in self._records(after):
            if isinstance(one, Event):
                joining.add_event(one)
                continue
            for data in one.sessions:
                if (state := _session(data)) is not None:
                    joining.add(state)
        return joining.joined()

    def prune(self, before: date) -> int:
        """Remove segments that hold little but events which the record of their day stands for; return how many.

        An event that another replaced has no such record where it was the last of its day: it leaves too, two days
        before a day up to which all have theirs.

        The last one always stays. The records of days in them go to the end of the log first.

        Raises:
            StoreUnavailableError: A segment cannot be read, or no space.
        """
        numbers = self._segments()
        if len(numbers) < 2:
            return 0
        days, replaced, settled = _Days(), set[str](), before - timedelta(days=1)
        for place, found in self._records("", is_wanted=_tells_of_others):
            if isinstance(found, Day):
                days.add(place, found)
            else:
                replaced.add(found.replaces)

        def is_told(place: _Place, event: Event) -> bool:
            return days.cover(place, event) or (event.id in replaced and day_of(event) < settled)

        removed = 0
        for number in numbers[:-1]:
            kept = self._kept(number, is_told)
            if kept is None:
                continue
            self._move(number, kept)
            removed += 1
        return removed

    def _kept(self, number: int, is_told: Callable[[_Place, Event], bool]) -> list[Day] | None:
        """Return the records of days in a segment; None where it must stay, or too little would be gained."""
        kept: list[Day] = []
        kept_bytes = gone_bytes = 0
        for line_number, line in enumerate(self._lines(number, 0)):
            if _is_learned(line):
                kept_bytes += len(line)
                continue
            found = self._decode(line)
            if isinstance(found, Day):
                kept.append(found)
                kept_bytes += len(line)
            elif found is None or is_told((number, line_number), found):
                gone_bytes += len(line)
            else:
                return None
        return kept if gone_bytes >= kept_bytes else None

    def _move(self, number: int, days: Sequence[Day]) -> None:
        """Remove a segment whose days' records are written again: as copies, they stand for what lay before it.

        Evidence goes with them, as it is.
        """
        copies = (msgspec.structs.replace(day, upto=day.upto or number) for day in days)
        learned = (line.rstrip(b"\n") for line in self._lines(number, 0) if _is_learned(line))
        self._append(b"".join(line + b"\n" for line in (*map(_encoder.encode, copies), *learned)))
        with suppress(FileNotFoundError):
            self._path(number).unlink()

    def close(self) -> None:
        """Let go of the open segment; a later `append` opens it again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _append(self, lines: bytes) -> None:
        if not lines:
            return
        try:
            if self._number == 0 or self._size >= self._segment_bytes:
                self._start_segment()
            elif self._fd < 0:
                self._fd = os.open(self._path(self._number), os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            self._write(lines if self._ends_in_line else b"\n" + lines)
        except OSError as error:
            raise self._unavailable(error) from error

    def _records(
        self, after: str, is_wanted: Callable[[bytes], bool] | None = None
    ) -> Iterator[tuple[_Place, Event | Day]]:
        """Yield all events and days at or behind a position with their places; what cannot be read is counted."""
        for place, line in self._placed(after):
            if _is_happening(line) and (is_wanted is None or is_wanted(line)):
                found = self._decode(line)
                if found is not None:
                    yield place, found

    def _placed(self, after: str) -> Iterator[tuple[_Place, bytes]]:
        """Yield the lines at or behind a position with their places, in order."""
        first, _, offset = after.partition(":")
        start = int(first) if first else 0
        for number in self._segments():
            if number >= start:
                lines = self._lines(number, int(offset or 0) if number == start else 0)
                yield from (((number, line_number), line) for line_number, line in enumerate(lines))

    def _decode_learned(self, line: bytes) -> tuple[Evidence, ...]:
        try:
            return _learned_decoder.decode(line).evidence
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.skipped += 1
            return ()

    def _decode(self, line: bytes) -> Event | Day | None:
        try:
            return _day_decoder.decode(line) if _is_day(line) else _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.skipped += 1
            return None

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
