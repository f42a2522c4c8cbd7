"""The file that is the source of truth of notes: one line of JSON for each transaction, appended and forced to disk.

It lies in the tree (or, for what is personal, in the state folder), and git joins two branches of it line by line. So
lines may come twice, in any order, with the marks of a conflict between them, cut short, or written by a newer memoire.
What can be read is read; what cannot is named with its line, and stays in the file.
"""

import os
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from memoire.errors import StoreUnavailableError
from memoire.notes.model import Op, Transaction

MAX_BYTES = 64_000_000
"""A longer journal is not read whole: 10,000 notes take about 10 MB."""
MARKS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
"""What lines begin with that git leaves where it could not join two sides."""
_TRIES = 5
"""Times that a line is appended anew because somebody replaced the file meanwhile."""


class BadLine(msgspec.Struct, frozen=True):
    """A line, or a part of one, that could not be understood."""

    line: int
    """1-based."""
    why: str


class Reading(msgspec.Struct, frozen=True):
    """What a journal says."""

    transactions: tuple[Transaction, ...] = ()
    """Each once, the first one first."""
    bad: tuple[BadLine, ...] = ()
    bytes: int = 0


class _Loose(msgspec.Struct):
    """A line whose operations are still to be decoded, one by one: some may be of a newer memoire."""

    tx: str
    at: msgspec.Raw
    ops: list[msgspec.Raw]


class _About(msgspec.Struct):
    """Of an operation, which note it is about."""

    id: str = ""
    note: "_About | None" = None


_encoder = msgspec.json.Encoder()
_loose = msgspec.json.Decoder(_Loose)
_op = msgspec.json.Decoder(Op)
_about = msgspec.json.Decoder(_About)
_whole = msgspec.json.Decoder(Transaction)


class Journal:
    """One journal. Every call blocks on the disk. Only one process appends; others may replace the file.

    Args:
        path: Where it lies, or is made with the first note.
        is_private: Whether only its owner may read it.
    """

    def __init__(self, path: Path, *, is_private: bool = False) -> None:
        self.path = path
        self._mode = 0o600 if is_private else 0o644
        self._stamp: tuple[int, int, int] | None = None
        self._known = Reading()

    def read(self) -> Reading:
        """Return what it says now; read anew only where the file is another one than before.

        Raises:
            StoreUnavailableError: It cannot be read, is no regular file, or too large.
        """
        try:
            found = self._look()
            if found is None:
                self._stamp, self._known = None, Reading()
            elif found != self._stamp:
                self._known, self._stamp = parse(self.path.read_bytes()), found
        except OSError as error:
            raise self._unavailable(error) from error
        return self._known

    def is_as_read(self) -> bool:
        """Return whether the file is the one that was read last."""
        with suppress(OSError, StoreUnavailableError):
            return self._look() == self._stamp
        return False

    def append(self, transaction: Transaction) -> None:
        """Add a transaction; when this returns it survives a crash and a power cut.

        Raises:
            StoreUnavailableError: No space, no permission: nothing was added.
        """
        line = _encoder.encode(transaction) + b"\n"
        try:
            for _ in range(_TRIES):
                is_known = self._look() == self._stamp
                if self._append(line):
                    if is_known:
                        self._follow(transaction, len(line))
                    return
        except OSError as error:
            raise self._unavailable(error) from error
        raise StoreUnavailableError(str(self.path), "another program keeps replacing it")

    def erase(self, ids: Collection[str], tombstone: Transaction) -> None:
        """Take all that is said of some notes out of the file, and say so in it; all other bytes stay.

        Args:
            ids: The notes.
            tombstone: What says so; appended.

        Raises:
            StoreUnavailableError: No space, no permission: nothing was taken out.
        """
        try:
            for _ in range(_TRIES):
                before = self._look()
                data = self.path.read_bytes() if before is not None else b""
                kept = [rest for line in data.split(b"\n") if (rest := _without(line, ids)).strip()]
                kept.append(_encoder.encode(tombstone))
                if self._replace(b"\n".join(kept) + b"\n", before):
                    return
        except OSError as error:
            raise self._unavailable(error) from error
        raise StoreUnavailableError(str(self.path), "another program keeps replacing it")

    def rewrite(self, make: Callable[[bytes], bytes]) -> bool:
        """Put something else in the place of all bytes, in one step; return whether there was anything else to put.

        Args:
            make: Returns what is to stand there, for what does; asked again where somebody wrote meanwhile.

        Raises:
            StoreUnavailableError: No space, no permission: nothing was changed.
        """
        try:
            for _ in range(_TRIES):
                before = self._look()
                data = self.path.read_bytes() if before is not None else b""
                made = make(data)
                if made == data:
                    return False
                if self._replace(made, before):
                    return True
        except OSError as error:
            raise self._unavailable(error) from error
        raise StoreUnavailableError(str(self.path), "another program keeps replacing it")

    def mentions(self, ids: Collection[str]) -> bool:
        """Return whether any line names one of some notes."""
        data = self.path.read_bytes() if self._look() is not None else b""
        return any(name.encode() in data for name in ids)

    # ---- the file

    def _follow(self, transaction: Transaction, size: int) -> None:
        """Know what was appended without reading all again."""
        known, found = self._known, self._look()
        if found is None or found[1] != known.bytes + size:
            return  # somebody else wrote too: it is read again
        last = known.transactions[-1].tx if known.transactions else ""
        if transaction.tx > last:
            self._known = Reading((*known.transactions, transaction), known.bad, found[1])
            self._stamp = found

    def _look(self) -> tuple[int, int, int] | None:
        """Return what tells this state of the file from another; None where there is none."""
        for folder in (self.path.parent, self.path):
            if folder.is_symlink():
                raise StoreUnavailableError(str(folder), "it is a link; notes are kept in the project itself")
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found.st_mode):
            raise StoreUnavailableError(str(self.path), "it is no regular file")
        if found.st_size > MAX_BYTES:
            raise StoreUnavailableError(str(self.path), f"it is larger than {MAX_BYTES // 1_000_000} MB")
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _append(self, line: bytes) -> bool:
        """Write a line; return False where the file was replaced meanwhile, so that the line is in none that counts."""
        self._look()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(self.path, flags, self._mode)
        try:
            size = os.fstat(fd).st_size
            # A line that was cut short by a crash, or by an editor that ends none, must not swallow this one.
            torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
            try:
                _write(fd, b"\n" + line if torn else line)
                os.fsync(fd)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(fd, size)
                raise
            if not size:
                _sync_folder(self.path.parent)
            try:
                return self.path.stat().st_ino == os.fstat(fd).st_ino
            except FileNotFoundError:
                return False
        finally:
            os.close(fd)

    def _replace(self, data: bytes, before: tuple[int, int, int] | None) -> bool:
        fresh = self.path.with_name(f".{self.path.name}.memoire-{os.getpid()}")
        fresh.unlink(missing_ok=True)
        try:
            fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, self._mode)
            try:
                if before is not None:
                    os.fchmod(fd, stat.S_IMODE(self.path.stat().st_mode))
                _write(fd, data)
                os.fsync(fd)
            finally:
                os.close(fd)
            if self._look() != before:
                return False
            fresh.replace(self.path)
            _sync_folder(self.path.parent)
        finally:
            fresh.unlink(missing_ok=True)
        return True

    def _unavailable(self, error: OSError) -> StoreUnavailableError:
        return StoreUnavailableError(str(self.path), (error.strerror or str(error)).lower())


def parse(data: bytes) -> Reading:
    """Return what the bytes of a journal say. Never raises."""
    found: dict[str, tuple[bytes, Transaction]] = {}
    bad: list[BadLine] = []
    for number, whole in enumerate(data.split(b"\n"), start=1):
        line = whole.strip(b"\r \t")
        if not line:
            continue
        if line.startswith(MARKS):
            bad.append(BadLine(number, "a merge left a conflict here; the lines of both sides are read"))
            continue
        transaction, problems = _decode(line)
        bad += [BadLine(number, why) for why in problems]
        if transaction is None:
            continue
        known = found.get(transaction.tx)
        if known is None or known[0] == line:
            found[transaction.tx] = (line, transaction)
        else:
            bad.append(BadLine(number, f"another line has the id {transaction.tx} too, and says something else"))
            # Which comes first differs from one clone to the other; what it says does not.
            found[transaction.tx] = max(known, (line, transaction), key=lambda pair: pair[0])
    transactions = tuple(transaction for _, (_, transaction) in sorted(found.items()))
    return Reading(transactions, tuple(bad), len(data))


def _decode(line: bytes) -> tuple[Transaction | None, list[str]]:
    """Return the transaction of a line, without the operations that cannot be read, and what is wrong."""
    try:
        return _whole.decode(line), []
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        loose = _loose.decode(line)
        ops: list[Any] = []
        problems = []
        for place, raw in enumerate(loose.ops):
            try:
                ops.append(_op.decode(raw))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                problems.append(f"its operation {place} cannot be read, a newer memoire may have written it: {error}")
        bare = msgspec.json.decode(line)
        rest = {key: value for key, value in bare.items() if key != "ops"}
        whole = msgspec.convert({**rest, "ops": []}, Transaction, strict=False)
        return msgspec.structs.replace(whole, ops=tuple(ops)), problems
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return None, [f"it cannot be read: {error}"]


def _without(line: bytes, ids: Collection[str]) -> bytes:
    """Return a line without the operations about some notes; empty where nothing is left of it."""
    if not any(name.encode() in line for name in ids):
        return line
    try:
        loose = _loose.decode(line)
        bare = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return b""  # it names the note, and cannot be read: it may quote it
    kept = [raw for raw in loose.ops if not _names(raw, ids)]
    if len(kept) == len(loose.ops):
        return line
    return _encoder.encode({**bare, "ops": kept}) if kept else b""


def _names(raw: msgspec.Raw, ids: Collection[str]) -> bool:
    """Return whether an operation is about one of some notes; one that links to them is, too."""
    try:
        about = _about.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return True
    return (about.note.id if about.note is not None else about.id) in ids


def operations(transactions: Collection[Transaction]) -> Iterator[tuple[Transaction, Op]]:
    """Yield every operation with its transaction, in order."""
    for transaction in transactions:
        for op in transaction.ops:
            yield transaction, op


def _write(fd: int, data: bytes) -> None:
    done = 0
    while done < len(data):
        done += os.write(fd, data[done:])


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
