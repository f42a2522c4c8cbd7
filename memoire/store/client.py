"""The one door to SurrealDB: queries as CBOR over one handle, a single writer, every error translated.

The handle is the engine's own asynchronous one, spoken to in the RPC that a SurrealDB server speaks over a socket
(`use`, `query`, parameters bound): nothing here is special to the embedded engine but `_connect` and `_has_room`, so a
`ws://` address needs only another object with `execute` and `close`.

What the engine does not do by itself, and this module does:

- a transaction is one call, `BEGIN` to `COMMIT`; across two calls it would silently commit each by itself;
- the status of *every* statement is looked at, and the first cause is reported, not "not executed";
- a write that failed for want of space leaves half a record in the engine's log, and whatever is acknowledged after it
  is lost at the next kill: so the next write reopens the database first, which repairs the log;
- memory and log grow until the database is closed: `reopen` is the checkpoint.
"""

import asyncio
import errno
import logging
import os
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import cbor2
from surrealdb_embedded import AsyncEmbeddedDB

from memoire.errors import (
    ConfigError,
    StoreConflictError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
)

logger = logging.getLogger(__name__)

EMBEDDED = "surrealkv://"
"""The scheme that is served today: an embedded database in a folder."""

NAMESPACE, DATABASE = "memoire", "project"

_Result = TypeVar("_Result")

READ_TIMEOUT_S = 30
"""Bound of one read, seconds; the engine itself has none."""

CLOSE_WAIT_S = 5
"""How long a close waits for reads that are under way, seconds."""

CONFLICT_RETRIES = 6
"""Attempts of one transaction; the waits between them double from 10 ms."""

DECODE_IN_THREAD = 200_000
"""Bytes of a reply above which it is decoded beside the event loop."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NONE, _RECORD, _DATETIME, _RANGE, _INCLUDED, _EXCLUDED = 6, 8, 12, 49, 50, 51
_SPACE_MARGIN = 1_000_000

# Anchored: what follows the engine's own words may quote a path or a value of ours.
_DAMAGE = re.compile(
    r"^(?:Cannot COMMIT: )?There was a problem with .*"
    r"(?:SSTable|WAL error|checksum|corrupt|fill whole buffer|revision|deserializ|os error 2\))",
    re.IGNORECASE | re.DOTALL,
)
_EXISTS = re.compile(r"^Database record .* already exists$", re.DOTALL)
_BROKEN_LOG = re.compile(r"WAL error|IO error|os error")


def record(table: str, key: str) -> cbor2.CBORTag:
    """Return the record `table:key`, to be bound: any text is a valid key, none is ever pasted into a query."""
    return cbor2.CBORTag(_RECORD, [table, key])


def span(table: str, low: str, high: str, *, closed: bool = False) -> cbor2.CBORTag:
    """Return the records of a table with `low <= key < high` (`<= high` if closed); an empty `high` has no bound."""
    top = cbor2.CBORTag(_INCLUDED if closed else _EXCLUDED, high) if high else None
    return cbor2.CBORTag(_RECORD, [table, cbor2.CBORTag(_RANGE, [cbor2.CBORTag(_INCLUDED, low), top])])


def instant(at: datetime) -> cbor2.CBORTag:
    """Return a UTC-aware time as the engine holds it, exact to the microsecond.

    Raises:
        TypeError: The time is naive.
    """
    since = at - _EPOCH
    return cbor2.CBORTag(_DATETIME, [since.days * 86_400 + since.seconds, since.microseconds * 1_000])


_STRANDED: set[tuple[int, int]] = set()
"""Lock files that the engine keeps for the life of this process: it had opened the files, and then failed at its first
transaction (no space, or a damaged table), without a handle that could be closed."""


class RecordExistsError(StoreError):
    """A plain insert met a record that is there."""


class Database:
    """One open database. Made by `open`, ended by `close`; used from one event loop."""

    def __init__(self, url: str) -> None:
        if not url.startswith(EMBEDDED):
            raise ConfigError("store.url", f"{url!r} is no address of a store; one is {EMBEDDED}/absolute/folder")
        self.url = url
        self.bytes_written = 0
        """Bytes of the write requests since the last checkpoint."""
        self._where = url.removeprefix(EMBEDDED)
        self._handle: AsyncEmbeddedDB | None = None
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._broken = False
        self._writing = asyncio.Lock()
        self._ready = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._active = 0

    @classmethod
    async def open(cls, url: str) -> "Database":
        """Return the database at the URL, made if it does not exist.

        Raises:
            ConfigError: The URL has a scheme that is not served.
            StoreUnavailableError: Another process has it open, or there is no space or permission.
            StoreDamagedError: What is there cannot be read.
        """
        database = cls(url)
        try:
            await database._to_the_end(database._start())
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def folder(self) -> Path:
        """Folder of the embedded database."""
        return Path(self._where)

    @property
    def is_degraded(self) -> bool:
        """Whether a checkpoint could not reopen it: the next use tries again."""
        return self._handle is None and not self._closed

    async def read(self, sql: str, variables: Mapping[str, object] | None = None) -> list[Any]:
        """Return the result of each statement, in order. Waits while a checkpoint runs.

        Raises:
            StoreError: One of them failed, or took longer than `READ_TIMEOUT_S`.
        """
        await self._ready.wait()
        if self._handle is None:
            await self._to_the_end(self._start())
        handle = self._use()
        self._active += 1
        self._idle.clear()
        try:
            async with asyncio.timeout(READ_TIMEOUT_S):
                return await self._query(handle, sql, variables or {})
        except TimeoutError as error:
            raise StoreUnavailableError(self._where, f"a read took longer than {READ_TIMEOUT_S} s") from error
        finally:
            self._active -= 1
            if not self._active:
                self._idle.set()

    async def select(
        self,
        what: str,
        source: str,
        variables: Mapping[str, object] | None = None,
        *,
        where: Sequence[str] = (),
        order: str = "",
    ) -> list[Any]:
        """Return one value for each record: `what` of those in a table or a bound range that meet every condition.

        Raises:
            StoreError: It failed, or took longer than `READ_TIMEOUT_S`.
        """
        conditions = f"WHERE {' AND '.join(where)} " if where else ""
        # S608: the words are ours, every value is bound.
        sql = f"SELECT VALUE {what} FROM {source} {conditions}{order} TIMEOUT {READ_TIMEOUT_S}s"  # noqa: S608
        found: list[Any] = (await self.read(sql, variables))[0]
        return found

    async def write(self, statements: Sequence[str], variables: Mapping[str, object] | None = None) -> None:
        """Run the statements as one transaction: when this returns they are on disk, when it raises none holds.

        Raises:
            RecordExistsError: A plain insert met a record that is there.
            StoreConflictError: Another writer was in the way `CONFLICT_RETRIES` times.
            StoreUnavailableError: No space, or the database could not be reopened.
            StoreError: A statement is wrong.
        """
        sql = "BEGIN;\n" + ";\n".join(statements) + ";\nCOMMIT;"
        await self._to_the_end(self._write(sql, variables or {}))

    async def reopen(self) -> bool:
        """Checkpoint: close and open again, which moves the log into tables and returns its memory.

        Reads and writes wait meanwhile. Returns whether it was done: not where space is short, and not where the
        database did not open again, which leaves it degraded.

        Raises:
            StoreUnavailableError: It has been closed.
        """
        return await self._to_the_end(self._reopen())

    async def close(self) -> None:
        """Give the handle back, however it stands. May be called twice; what is used afterwards raises."""
        self._closed = True
        await self._to_the_end(self._close())

    async def _to_the_end(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Wait for what must not stop half-way, even where the caller is cancelled.

        A call that is cancelled inside the engine leaves nobody knowing whether it committed; an open or a close that
        is cancelled leaves a handle that nobody holds, and the database locked for the life of the process.
        """
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _start(self) -> None:
        async with self._writing:
            await self._revive()
            self._ready.set()

    async def _write(self, sql: str, variables: Mapping[str, object]) -> None:
        async with self._writing:
            await self._revive()
            if self._broken:
                await self._mend()
            for attempt in range(CONFLICT_RETRIES):
                try:
                    await self._query(self._use(), sql, variables, is_write=True)
                except StoreConflictError:
                    if attempt == CONFLICT_RETRIES - 1:
                        raise
                    await asyncio.sleep(0.01 * 2**attempt)
                else:
                    return

    async def _reopen(self) -> bool:
        async with self._writing:
            self._check_open()
            if not self._has_room():
                logger.warning("checkpoint put off: little space left where=%s", self._where)
                return False
            try:
                await self._swap()
            except StoreError as error:
                logger.warning("checkpoint could not open the store again where=%s why=%s", self._where, error)
                return False
            return True

    async def _close(self) -> None:
        async with self._writing:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_WAIT_S):
                    await self._drain()
            await self._release()
            self._ready.set()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailableError(self._where, "it has been closed")

    def _use(self) -> AsyncEmbeddedDB:
        self._check_open()
        if self._handle is None:
            raise StoreUnavailableError(self._where, "it could not be opened again")
        return self._handle

    async def _revive(self) -> None:
        self._check_open()
        if self._handle is None:
            await self._connect()

    async def _mend(self) -> None:
        """Reopen after a write that failed half-way; where space is still short, leave the reads what they have."""
        self._check_room()
        await self._swap()

    async def _swap(self) -> None:
        self._ready.clear()
        try:
            await self._drain()
            await self._release()
            await self._connect()
        finally:
            self._ready.set()

    async def _connect(self) -> None:
        handle = await asyncio.to_thread(self._open_handle)
        try:
            await self._call(handle, "use", [NAMESPACE, DATABASE])
        except BaseException:
            await handle.close()
            raise
        self._handle = handle
        self._broken = False
        self.bytes_written = 0

    def _open_handle(self) -> AsyncEmbeddedDB:
        if "?" in self.url:
            raise StoreUnavailableError(self._where, "the engine takes no path that holds a question mark")
        if _identity(self.folder / "LOCK") in _STRANDED:
            raise StoreUnavailableError(
                self._where, "the engine failed while it opened, and keeps the lock: restart memoire"
            )
        self._check_room()
        try:
            return AsyncEmbeddedDB(self.url)
        except (RuntimeError, ValueError) as error:
            lock = _identity(self.folder / "LOCK")
            if lock is not None and "Failed to bootstrap" in str(error):
                _STRANDED.add(lock)
            raise translate(self._where, str(error), opening=True) from error

    async def _drain(self) -> None:
        while self._active:
            await self._idle.wait()

    async def _release(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            try:
                await handle.close()
            except RuntimeError as error:
                logger.warning("store did not close cleanly where=%s why=%s", self._where, error)
            # The engine's thread lets go of the call only after it has answered; a process that ends in between aborts.
            await asyncio.sleep(0.001)

    def _has_room(self) -> bool:
        """Return whether the log fits once more: flushing and repairing it both write about its size."""
        try:
            log = sum(entry.stat().st_size for entry in os.scandir(self.folder / "wal"))
            disk = os.statvfs(self.folder)
        except OSError:
            return True
        return disk.f_bavail * disk.f_frsize > log + _SPACE_MARGIN

    def _check_room(self) -> None:
        if not self._has_room():
            raise StoreUnavailableError(self._where, os.strerror(errno.ENOSPC).lower())

    async def _query(
        self, handle: AsyncEmbeddedDB, sql: str, variables: Mapping[str, object], *, is_write: bool = False
    ) -> list[Any]:
        results = await self._call(handle, "query", [sql, variables], is_write=is_write)
        failures = [str(each["result"]) for each in results if each["status"] != "OK"]
        if failures:
            error = translate(self._where, _first_cause(failures))
            self._broken = self._broken or (is_write and _BROKEN_LOG.search(" ".join(failures)) is not None)
            raise error
        return [each["result"] for each in results]

    async def _call(
        self, handle: AsyncEmbeddedDB, method: str, params: Sequence[object], *, is_write: bool = False
    ) -> Any:
        request = cbor2.dumps({"id": 1, "method": method, "params": params})
        if is_write:
            self.bytes_written += len(request)
        try:
            raw = await handle.execute(request)
        except RuntimeError as error:
            raise translate(self._where, str(error)) from error
        reply = await asyncio.to_thread(_decode, raw) if len(raw) > DECODE_IN_THREAD else _decode(raw)
        if failure := reply.get("error"):
            raise translate(self._where, str(failure.get("message", failure)))
        return reply["result"]


def translate(where: str, message: str, *, opening: bool = False) -> StoreError:
    """Return the engine's message as one of our errors.

    Nothing but a file that cannot be understood counts as damage: a lack of space, of permission or of the lock is
    never a reason to reset, even where the engine calls its log "corrupted and could not be repaired" for want of it.
    """
    number = re.search(r"os error (\d+)", message)
    if "already locked" in message:
        return StoreUnavailableError(where, "another process has it open")
    if _EXISTS.search(message):
        return RecordExistsError(message)
    if "can be retried" in message or "write conflict" in message:
        return StoreConflictError(message)
    if number is not None and int(number[1]) != errno.ENOENT:
        return StoreUnavailableError(where, os.strerror(int(number[1])).lower())
    if "connection is closed" in message or "exceeded the timeout" in message or "timed out" in message:
        return StoreUnavailableError(where, message)
    if opening or _DAMAGE.search(message):
        return StoreDamagedError(where, message)
    return StoreError(message)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _first_cause(failures: Sequence[str]) -> str:
    causes = [each for each in failures if "not executed" not in each and "aborted due to a prior error" not in each]
    return (causes or failures)[0]


def _decode(raw: bytes) -> dict[str, Any]:
    reply: dict[str, Any] = cbor2.loads(raw, tag_hook=_untag)
    return reply


def _untag(tag: cbor2.CBORTag, _immutable: bool = False) -> object:  # noqa: FBT001, FBT002 - the codec's signature
    convert = _CONVERT.get(tag.tag)
    return tag if convert is None else convert(tag.value)


_CONVERT: dict[int, Callable[[Any], object]] = {
    _NONE: lambda _: None,
    _RECORD: tuple,
    _DATETIME: lambda value: _EPOCH + timedelta(seconds=value[0], microseconds=value[1] // 1_000),
}
