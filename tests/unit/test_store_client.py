"""The access layer: errors are told apart, transactions are whole, the handle is always given back."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from memoire.errors import (
    ConfigError,
    StoreConflictError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
)
from memoire.store.client import Database, RecordExistsError, record, span, translate


def on_database(folder: Path, work: Callable[[Database], Awaitable[None]]) -> None:
    async def run() -> None:
        database = await Database.open(f"surrealkv://{folder / 'db'}")
        try:
            await work(database)
        finally:
            await database.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("message", "opening", "kind", "why"),
    [
        (
            "Other error: Database at /x/LOCK is already locked by another process",
            True,
            StoreUnavailableError,
            "another process",
        ),
        ("IO error: Permission denied (os error 13)", True, StoreUnavailableError, "permission denied"),
        ("IO error: Read-only file system (os error 30)", True, StoreUnavailableError, "read-only"),
        (
            "WAL segment 0 is corrupted and could not be repaired. WAL error: IO error: kind=no storage space, "
            "message=No space left on device (os error 28)",
            True,
            StoreUnavailableError,
            "no space left",
        ),
        (
            "Cannot COMMIT: WAL error: IO error: No space left on device (os error 28)",
            False,
            StoreUnavailableError,
            "no space",
        ),
        ("IO error: Input/output error (os error 5)", False, StoreUnavailableError, "input/output"),
        ("Database connection is closed", False, StoreUnavailableError, "closed"),
        ("The query was not executed because it exceeded the timeout: 30s", False, StoreUnavailableError, "timeout"),
        (
            "Failed to load manifest: IO error: No such file or directory (os error 2)",
            True,
            StoreDamagedError,
            "manifest",
        ),
        ("IO error: failed to fill whole buffer", True, StoreDamagedError, "whole buffer"),
        ("SSTable error: invalid table (bad magic number: [57, fb])", True, StoreDamagedError, "bad magic"),
        (
            "There was a problem with the key-value store: There was a problem with a transaction: "
            "SSTable error: checksum verification failed for block at 0",
            False,
            StoreDamagedError,
            "checksum",
        ),
        (
            "Found NONE for field `sha`, with record `file:corrupt SSTable manifest.py`",
            False,
            StoreError,
            "manifest.py",
        ),
        ("something that nobody has seen yet", True, StoreDamagedError, "nobody"),
    ],
)
def test_only_what_cannot_be_understood_counts_as_damage(
    message: str, opening: bool, kind: type[StoreError], why: str
) -> None:
    error = translate("surrealkv:///x", message, opening=opening)
    assert type(error) is kind
    assert why in str(error).lower()


def test_a_conflict_and_a_wrong_statement_are_told_apart() -> None:
    assert (
        type(translate("", "Transaction conflict: Write conflict. This transaction can be retried"))
        is StoreConflictError
    )
    assert type(translate("", "Database record `file:a` already exists")) is RecordExistsError
    assert type(translate("", "The table 'x' does not exist")) is StoreError


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"store\.url"):
        asyncio.run(Database.open("ftp://example.org"))


def test_a_path_that_the_engine_would_cut_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="question mark"):
        asyncio.run(Database.open(f"surrealkv://{tmp_path}/a?b"))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_transaction_reports_its_cause_and_leaves_nothing(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        await database.write(["DEFINE TABLE t SCHEMALESS", "CREATE t:kept SET n = 1"])
        with pytest.raises(StoreError, match="on purpose"):
            await database.write(["CREATE t:gone SET n = 2", "THROW 'on purpose'", "CREATE t:more"])
        with pytest.raises(RecordExistsError):
            await database.write(["CREATE t:gone SET n = 2", "INSERT INTO t {id: 'kept'}"])
        assert await database.select("record::id(id)", "t") == ["kept"]

    on_database(tmp_path, work)


def test_the_failure_of_a_later_statement_is_not_overlooked(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        with pytest.raises(StoreError, match="does not exist"):
            await database.read("RETURN 1; SELECT * FROM nowhere; RETURN 2")
        with pytest.raises(StoreError, match="Parse error"):
            await database.read("SELEKT 1")

    on_database(tmp_path, work)


def test_a_conflict_is_tried_again_and_then_reported(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        with pytest.raises(StoreConflictError):
            await database.write(["THROW 'This transaction can be retried'"])

    on_database(tmp_path, work)


@pytest.mark.parametrize(
    "key",
    ["a b", "ünï⟩⟨`", "quote ' \" \\", "line\nend", "; REMOVE TABLE t; --", "NUL\0", "123", "🎈" * 500, "a:b", "$x"],
)
def test_any_text_is_a_key_when_it_is_bound(tmp_path: Path, key: str) -> None:
    async def work(database: Database) -> None:
        await database.write(["DEFINE TABLE t SCHEMALESS", "INSERT INTO t $rows"], {"rows": [{"id": key, "n": 1}]})
        assert await database.select("record::id(id)", "$key", {"key": record("t", key)}) == [key]
        assert await database.select("record::id(id)", "$all", {"all": span("t", key, key, closed=True)}) == [key]
        assert await database.select("record::id(id)", "$all", {"all": span("t", "", key)}) == []

    on_database(tmp_path, work)


def test_every_kind_of_value_comes_back(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        values: list[object] = [None, True, 2**63 - 1, -(2**63), 0.1, "", b"\0\xff", [1, [2]], {"a": {"b": []}}]
        for value in values:
            assert await database.read("RETURN $value", {"value": value}) == [value]

    on_database(tmp_path, work)


def test_use_after_close_says_so_and_close_may_be_repeated(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        await database.close()
        await database.close()
        assert not database.is_degraded
        for use in (database.read("RETURN 1"), database.write(["RETURN 1"]), database.reopen()):
            with pytest.raises(StoreUnavailableError, match="closed"):
                await use

    on_database(tmp_path, work)


def test_reads_and_writes_wait_while_a_checkpoint_runs(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        await database.write(["DEFINE TABLE t SCHEMALESS", "CREATE t:1 SET n = 0"])
        tasks: list[asyncio.Future[object]] = []
        for number in range(40):
            tasks.append(asyncio.ensure_future(database.write(["UPDATE t:1 SET n += 1"])))
            tasks.append(asyncio.ensure_future(database.read("SELECT * FROM t")))
            if number % 10 == 5:
                tasks.append(asyncio.ensure_future(database.reopen()))
        await asyncio.gather(*tasks)
        assert await database.read("RETURN t:1.n") == [40]

    on_database(tmp_path, work)


def test_a_caller_cancelled_while_it_opens_leaves_no_lock_behind(tmp_path: Path) -> None:
    async def run() -> None:
        for _ in range(5):
            opening = asyncio.ensure_future(Database.open(f"surrealkv://{tmp_path / 'db'}"))
            await asyncio.sleep(0)
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
        await (await Database.open(f"surrealkv://{tmp_path / 'db'}")).close()

    asyncio.run(run())


def test_a_checkpoint_cancelled_half_way_is_finished_by_whoever_comes_next(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        await database.write(["DEFINE TABLE t SCHEMALESS", "CREATE t:1"])
        for turns in range(12):
            reopening = asyncio.ensure_future(database.reopen())
            for _ in range(turns):
                await asyncio.sleep(0)
            reopening.cancel()
            assert await database.select("record::id(id)", "t") == [1]
            await database.write(["UPDATE t:1 SET n += 1"])
        assert await database.read("RETURN t:1.n") == [12]

    on_database(tmp_path, work)


def test_opening_and_closing_in_turn_never_finds_the_lock_held(tmp_path: Path) -> None:
    """The node binding of the engine once left the lock behind, and the next open waited for ever."""

    async def run() -> None:
        async with asyncio.timeout(30):
            for _ in range(10):
                await (await Database.open(f"surrealkv://{tmp_path / 'db'}")).close()

    asyncio.run(run())


def test_a_database_that_does_not_open_again_is_degraded_and_recovers(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        await database.write(["DEFINE TABLE t SCHEMALESS", "CREATE t:kept"])
        (tmp_path / "db").rename(tmp_path / "away")
        (tmp_path / "db").write_text("in the way")
        assert not await database.reopen()
        assert database.is_degraded
        with pytest.raises(StoreUnavailableError):
            await database.read("SELECT * FROM t")
        with pytest.raises(StoreUnavailableError):
            await database.write(["CREATE t:other"])
        (tmp_path / "db").unlink()
        (tmp_path / "away").rename(tmp_path / "db")
        assert await database.select("record::id(id)", "t") == ["kept"]
        assert not database.is_degraded

    on_database(tmp_path, work)


def test_written_bytes_count_up_to_the_next_checkpoint(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        before = database.bytes_written
        await database.write(["DEFINE TABLE t SCHEMALESS", "CREATE t:1 SET v = $v"], {"v": b"x" * 5000})
        assert database.bytes_written - before > 5000
        assert await database.reopen()
        assert database.bytes_written == 0

    on_database(tmp_path, work)


def test_a_lock_that_the_engine_keeps_after_it_failed_is_told_from_another_process(tmp_path: Path) -> None:
    """It opens the files, meets a damaged table in its first transaction, and gives back no handle to close."""

    async def work(database: Database) -> None:
        await database.write(["DEFINE TABLE t SCHEMALESS"])

    on_database(tmp_path, work)
    (table,) = (tmp_path / "db" / "sstables").iterdir()
    content = table.read_bytes()
    table.write_bytes(content[:20] + bytes([content[20] ^ 0xFF]) + content[21:])
    with pytest.raises(StoreDamagedError, match="checksum"):
        on_database(tmp_path, work)
    with pytest.raises(StoreUnavailableError, match="restart memoire"):
        on_database(tmp_path, work)
    (tmp_path / "db").rename(tmp_path / "aside")
    on_database(tmp_path, work)
