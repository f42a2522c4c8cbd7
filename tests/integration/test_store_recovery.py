"""What breaks a database, and what memoire makes of it: rebuild what is damaged, wait for what is not."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from memoire.episodes.sessions import fold
from memoire.errors import SchemaMismatchError, StoreDamagedError, StoreUnavailableError
from memoire.model import Edge, EdgeKey, Event, Evidence, FileRecord, GraphDelta
from memoire.store.client import Database, instant, record
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from memoire.store.recovery import KEPT_DAMAGED, open_or_rebuild
from memoire.store.schema import SCHEMA_VERSION
from memoire.store.state import Counts, generation_beside

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
ROOT = Path(__file__).parent.parent.parent


def event(number: int) -> Event:
    at = NOW + timedelta(seconds=number)
    return Event(
        f"{int(at.timestamp() * 1000):012x}-{number:016x}", "file_edit", at, f"Edited {number}", 0.5, ("a.py",)
    )


def file(path: str, facts: bytes = b"facts") -> FileRecord:
    return FileRecord(path, "file", "python", "ab" * 32, 1, 2, NOW, 3, 4, facts)


def edge(source: str, target: str = "b.py") -> Edge:
    return Edge(EdgeKey(source, "IMPORTS", target), "line 1", source, False, "normal", 1.0, NOW)


def logged(folder: Path, numbers: range) -> list[Event]:
    """Append events to the log and return them, the newest first."""
    log = EventLog(folder / "events")
    events = [event(number) for number in numbers]
    log.append(events)
    log.close()
    return events[::-1]


def filled(folder: Path, events: list[Event], deltas: int = 5) -> None:
    """Make a store with some of everything, closed in order: all of it in tables."""

    async def run() -> None:
        store = await Store.open(folder)
        for number in range(deltas):
            await store.apply(GraphDelta(files=[file(f"{number}.py")], opened=[edge(f"{number}.py")]))
        await store.apply(GraphDelta(events=events))
        await store.close()

    asyncio.run(run())


def killed(folder: Path, applies: int) -> None:
    """Make a store whose process died before it closed: all of it in the engine's log."""
    program = (
        "import asyncio, os, sys\nfrom pathlib import Path\n"
        "from memoire.store.records import Store\nfrom memoire.model import GraphDelta\n"
        "from tests.integration.test_store_recovery import file, edge\n"
        "async def run():\n    store = await Store.open(Path(sys.argv[1]))\n"
        "    for number in range(int(sys.argv[2])):\n"
        "        await store.apply(GraphDelta(files=[file(f'{number}.py')], opened=[edge(f'{number}.py')]))\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(run())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder), str(applies)],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -9, done.stderr


def rebuilt(folder: Path) -> tuple[str, int, Counts, list[Event]]:
    """Open whatever is there; return why it was rebuilt, its generation, its counts, its events."""

    async def run() -> tuple[str, int, Counts, list[Event]]:
        log = EventLog(folder / "events")
        store, why = await open_or_rebuild(folder, log)
        try:
            await store.load()
            return why, store.generation, await store.counts(), await store.events(1000)
        finally:
            await store.close()

    return asyncio.run(run())


def only(folder: Path, pattern: str) -> Path:
    (path,) = [path for path in (folder / "db").glob(pattern) if path.stat().st_size]
    return path


def cut_to(size: int, pattern: str) -> Callable[[Path], None]:
    return lambda folder: os.truncate(only(folder, pattern), size)


def flip(at: int, pattern: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = only(folder, pattern)
        content = bytearray(path.read_bytes())
        content[at] ^= 0xFF
        path.write_bytes(content)

    return damage


def garbage(pattern: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        only(folder, pattern).write_bytes(b"garbage" * 50)

    return damage


def remove(pattern: str) -> Callable[[Path], None]:
    return lambda folder: only(folder, pattern).unlink()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(cut_to(0, "manifest/*"), id="manifest emptied"),
        pytest.param(cut_to(10, "manifest/*"), id="manifest cut short"),
        pytest.param(flip(20, "manifest/*"), id="manifest with a wrong byte"),
        pytest.param(garbage("manifest/*"), id="manifest overwritten"),
        pytest.param(remove("manifest/*"), id="manifest deleted"),
        pytest.param(cut_to(0, "sstables/*"), id="table emptied"),
        pytest.param(cut_to(500, "sstables/*"), id="table cut short"),
        pytest.param(flip(20, "sstables/*"), id="table with a wrong byte"),
        pytest.param(flip(-5, "sstables/*"), id="table with a wrong end"),
        pytest.param(remove("sstables/*"), id="table deleted"),
        pytest.param(lambda folder: shutil.rmtree(folder / "db"), id="database deleted"),
    ],
)
def test_a_damaged_database_is_put_aside_and_rebuilt_from_the_event_log(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    events = logged(tmp_path, range(7))
    filled(tmp_path, events)
    before = generation_beside(tmp_path)
    damage(tmp_path)
    with pytest.raises(StoreDamagedError):
        asyncio.run(Store.open(tmp_path))
    why, generation, counts, found = rebuilt(tmp_path)
    assert why
    assert generation > before
    assert counts == Counts(0, 0, 0, 7)
    assert found == events
    assert len(list(tmp_path.glob("db.damaged-*"))) == 1
    assert rebuilt(tmp_path) == ("", generation, counts, events)


@pytest.mark.parametrize(
    ("damage", "why_not"),
    [
        pytest.param(flip(-12_000, "wal/*"), "it holds generation", id="a wrong byte near the end"),
        pytest.param(flip(3000, "wal/*"), "it is empty", id="a wrong byte near the beginning"),
        pytest.param(cut_to(2000, "wal/*"), "it is empty", id="cut short"),
        pytest.param(cut_to(0, "wal/*"), "it is empty", id="emptied"),
        pytest.param(remove("wal/*"), "it is empty", id="deleted"),
    ],
)
def test_a_log_that_opens_as_a_shorter_database_is_noticed(
    tmp_path: Path, damage: Callable[[Path], None], why_not: str
) -> None:
    events = logged(tmp_path, range(3))
    killed(tmp_path, 20)
    assert generation_beside(tmp_path) == 20
    damage(tmp_path)
    why, generation, counts, found = rebuilt(tmp_path)
    assert why.startswith(why_not)
    assert why.endswith("20 was acknowledged")
    assert generation > 20
    assert (counts.files, found) == (0, events)


def test_a_process_killed_before_it_closed_lost_nothing(tmp_path: Path) -> None:
    killed(tmp_path, 20)
    events = logged(tmp_path, range(3))
    why, _, counts, found = rebuilt(tmp_path)
    assert (why, counts, found) == ("", Counts(20, 20, 0, 3), events)


def test_damage_deep_in_a_table_is_found_when_the_store_is_opened(tmp_path: Path) -> None:
    events = logged(tmp_path, range(3))

    async def fill() -> None:
        store = await Store.open(tmp_path)
        for part in range(4):
            files = [file(f"{part}/{number}.py", os.urandom(3000)) for number in range(60)]
            await store.apply(GraphDelta(files=files))
        await store.close()

    asyncio.run(fill())
    size = only(tmp_path, "sstables/*").stat().st_size
    flip(size // 2, "sstables/*")(tmp_path)
    why, _, counts, found = rebuilt(tmp_path)
    assert "checksum" in why
    assert (counts.files, found) == (0, events)


def test_damage_met_by_a_read_is_remembered_until_the_next_open(tmp_path: Path) -> None:
    async def meet() -> None:
        store = await Store.open(tmp_path)
        try:
            with pytest.raises(StoreDamagedError):
                await store.load()
        finally:
            await store.close()

    async def fill() -> None:
        store = await Store.open(tmp_path)
        await store.apply(GraphDelta(files=[file(f"{number}.py", os.urandom(3000)) for number in range(300)]))
        await store.close()

    asyncio.run(fill())
    size = only(tmp_path, "sstables/*").stat().st_size
    flip(size // 2, "sstables/*")(tmp_path)
    asyncio.run(meet())
    with pytest.raises(StoreDamagedError, match="checksum"):
        asyncio.run(Store.open(tmp_path))
    why, _, _, _ = rebuilt(tmp_path)
    assert "checksum" in why
    assert not (tmp_path / "damaged").exists()


def test_a_row_that_is_not_what_was_written_is_damage(tmp_path: Path) -> None:
    filled(tmp_path, [])

    async def spoil() -> None:
        database = await Database.open(f"surrealkv://{tmp_path / 'db'}")
        await database.write(["UPDATE edge SET rest = $rest RETURN NONE"], {"rest": b"\x91\x01"})
        await database.close()

    asyncio.run(spoil())
    why, _, _, _ = rebuilt(tmp_path)
    assert why


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE meta",
        "REMOVE TABLE meta",
        "UPDATE meta:state SET generation = -1",
        "UPDATE meta:state SET project = {a: 1}",
    ],
)
def test_a_database_without_a_state_that_can_be_understood_is_damage(tmp_path: Path, statement: str) -> None:
    events = logged(tmp_path, range(3))
    filled(tmp_path, events)

    async def spoil() -> None:
        database = await Database.open(f"surrealkv://{tmp_path / 'db'}")
        await database.write([statement])
        await database.close()

    asyncio.run(spoil())
    why, _, counts, _ = rebuilt(tmp_path)
    assert why
    assert counts == Counts(0, 0, 0, 3)


def test_a_checkpoint_after_which_less_is_there_is_damage(tmp_path: Path) -> None:
    async def run() -> None:
        store = await Store.open(tmp_path)
        try:
            assert await store.apply(GraphDelta(files=[file("new.py")])) == 1
            database = store._database
            await database.write(["UPDATE meta:state SET generation = 0 RETURN NONE"])
            with pytest.raises(StoreDamagedError, match="after a checkpoint less"):
                await store.checkpoint()
        finally:
            await store.close()

    asyncio.run(run())
    assert "after a checkpoint less" in rebuilt(tmp_path)[0]


def test_only_the_last_damaged_databases_are_kept(tmp_path: Path) -> None:
    logged(tmp_path, range(1))
    for _ in range(KEPT_DAMAGED + 2):
        filled(tmp_path, [], deltas=1)
        garbage("manifest/*")(tmp_path)
        assert rebuilt(tmp_path)[0]
    assert len(list(tmp_path.glob("db.damaged-*"))) == KEPT_DAMAGED


def test_a_crash_in_the_middle_of_a_rebuild_is_made_good_by_the_next(tmp_path: Path) -> None:
    events = logged(tmp_path, range(3))
    filled(tmp_path, events)
    before = generation_beside(tmp_path)
    (tmp_path / "db").rename(tmp_path / "db.damaged-20260518T102300Z")  # as far as the first one came
    why, generation, counts, found = rebuilt(tmp_path)
    assert "acknowledged" in why
    assert generation > before
    assert (counts.events, found) == (3, events)


def test_events_that_only_the_log_has_are_taken_in_once(tmp_path: Path) -> None:
    events = logged(tmp_path, range(5))
    filled(tmp_path, events[3:])
    why, generation, counts, found = rebuilt(tmp_path)
    assert (why, counts.events, found) == ("", 5, events)
    assert rebuilt(tmp_path) == ("", generation, counts, events)


def test_a_log_that_was_replaced_by_a_shorter_one_is_read_from_its_start(tmp_path: Path) -> None:
    old = logged(tmp_path, range(20))
    assert rebuilt(tmp_path)[3] == old
    shutil.rmtree(tmp_path / "events")
    new = logged(tmp_path, range(30, 32))
    assert rebuilt(tmp_path)[3] == new + old


def test_a_large_log_is_taken_in_whole(tmp_path: Path) -> None:
    events = logged(tmp_path, range(2500))
    _, _, counts, found = rebuilt(tmp_path)
    assert counts.events == 2500
    assert found == events[:1000]


def test_a_store_that_a_newer_memoire_wrote_is_left_alone(tmp_path: Path) -> None:
    filled(tmp_path, [])

    async def raise_schema() -> None:
        database = await Database.open(f"surrealkv://{tmp_path / 'db'}")
        await database.write(["UPDATE meta:state SET schema = 99 RETURN NONE"])
        await database.close()

    asyncio.run(raise_schema())
    for _ in range(2):
        with pytest.raises(SchemaMismatchError) as caught:
            rebuilt(tmp_path)
        assert (caught.value.found, caught.value.expected) == (99, SCHEMA_VERSION)
    assert not list(tmp_path.glob("db.damaged-*"))


def test_what_is_in_the_way_is_reported_and_never_moved(tmp_path: Path) -> None:
    (tmp_path / "db").write_text("not a folder")
    with pytest.raises(StoreUnavailableError):
        rebuilt(tmp_path)
    assert (tmp_path / "db").read_text() == "not a folder"


def test_a_folder_without_permission_is_reported_and_never_moved() -> None:
    program = (
        "import asyncio, concurrent.futures.thread, os, sys\nfrom pathlib import Path\n"
        "from memoire.errors import StoreUnavailableError\n"
        "from memoire.store.eventlog import EventLog\nfrom memoire.store.recovery import open_or_rebuild\n"
        "folder = Path(sys.argv[1])\n"
        "if os.geteuid() == 0:\n    os.setgroups([])\n    os.setgid(65534)\n    os.setuid(65534)\n"
        "try:\n    asyncio.run(open_or_rebuild(folder, EventLog(folder / 'events')))\n"
        "except StoreUnavailableError as error:\n    print(error.why)\n"
    )
    with tempfile.TemporaryDirectory() as name:  # not tmp_path: nobody else may enter that
        folder = Path(name)
        folder.chmod(0o755)
        filled(folder / "state", [])
        state = folder / "state"
        state.chmod(0o755)
        (state / "events").mkdir()
        if os.geteuid() == 0:
            for path in (state, state / "db", *(state / "db").iterdir()):
                os.chown(path, 65534, 65534)
            os.chown(state / "db" / "manifest", 0, 0)
        (state / "db" / "manifest").chmod(0)
        told = subprocess.run(
            [sys.executable, "-c", program, str(state)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        (state / "db" / "manifest").chmod(0o700)
        assert (told.returncode, told.stdout) == (0, "permission denied\n"), told.stderr
        assert not list(state.glob("db.damaged-*"))
        assert rebuilt(state)[0] == ""


VERSION_1 = """
DEFINE TABLE meta SCHEMAFULL;
DEFINE FIELD schema ON meta TYPE int; DEFINE FIELD generation ON meta TYPE int;
DEFINE TABLE file SCHEMAFULL;
DEFINE FIELD kind ON file TYPE string; DEFINE FIELD language ON file TYPE string; DEFINE FIELD sha ON file TYPE string;
DEFINE FIELD size ON file TYPE int; DEFINE FIELD mtime_ns ON file TYPE int;
DEFINE FIELD changed_at ON file TYPE datetime;
DEFINE FIELD changes ON file TYPE int; DEFINE FIELD accesses ON file TYPE int; DEFINE FIELD facts ON file TYPE bytes;
DEFINE TABLE node SCHEMAFULL;
DEFINE TABLE edge TYPE RELATION IN node OUT node SCHEMAFULL;
DEFINE FIELD relation ON edge TYPE string; DEFINE FIELD rationale ON edge TYPE string;
DEFINE FIELD extracted_from ON edge TYPE string; DEFINE FIELD is_causal ON edge TYPE bool;
DEFINE FIELD cost ON edge TYPE string; DEFINE FIELD confidence ON edge TYPE float;
DEFINE FIELD valid_from ON edge TYPE datetime; DEFINE FIELD changes_before ON edge TYPE int;
DEFINE FIELD line ON edge TYPE int;
DEFINE TABLE closed_edge SCHEMALESS;
DEFINE TABLE event SCHEMAFULL;
DEFINE FIELD kind ON event TYPE string; DEFINE FIELD at ON event TYPE datetime;
DEFINE FIELD summary ON event TYPE string;
DEFINE FIELD importance ON event TYPE float; DEFINE FIELD entities ON event TYPE array<string>;
DEFINE FIELD actor ON event TYPE string; DEFINE FIELD client ON event TYPE string;
DEFINE FIELD session ON event TYPE string;
DEFINE INDEX event_session ON event FIELDS session;
"""


def edge_of_version_1(of: Edge) -> dict[str, object]:
    return {
        "relation": of.key.relation,
        "rationale": of.rationale,
        "extracted_from": of.extracted_from,
        "is_causal": of.is_causal,
        "cost": of.cost,
        "confidence": of.confidence,
        "valid_from": instant(of.valid_from),
        "changes_before": of.changes_before,
        "line": of.line,
    }


def store_of_version_1(
    folder: Path, edges: list[Edge], past: list[Edge], events: list[Event], *, schema: int = 1
) -> None:
    async def run() -> None:
        database = await Database.open(f"surrealkv://{folder / 'db'}")
        rows = [
            {
                "id": f"e{number}",
                "in": record("node", each.key.source),
                "out": record("node", each.key.target),
                **edge_of_version_1(each),
            }
            for number, each in enumerate(edges)
        ]
        closed = [
            {
                "id": f"c{number}",
                "source": each.key.source,
                "target": each.key.target,
                "valid_to": each.valid_to and instant(each.valid_to),
                **edge_of_version_1(each),
            }
            for number, each in enumerate(past)
        ]
        happened = [
            {
                "id": each.id,
                "kind": each.kind,
                "at": instant(each.at),
                "summary": each.summary,
                "importance": each.importance,
                "entities": each.entities,
                "actor": each.actor,
                "client": each.client,
                "session": each.session,
            }
            for each in events
        ]
        files = [
            {
                "id": path,
                "kind": "file",
                "language": "python",
                "sha": "ab" * 32,
                "size": 1,
                "mtime_ns": 2,
                "changed_at": instant(NOW),
                "changes": 3,
                "accesses": 4,
                "facts": b"facts",
            }
            for path in ("a.py", "ü ⟩.py")
        ]
        await database.write(
            [
                VERSION_1,
                "CREATE meta:state SET schema = $schema, generation = 41",
                "INSERT INTO file $files",
                "INSERT RELATION INTO edge $edges",
                "INSERT INTO closed_edge $closed",
                "INSERT INTO event $events",
            ],
            {"schema": schema, "files": files, "edges": rows, "closed": closed, "events": happened},
        )
        await database.close()

    folder.mkdir(exist_ok=True)
    asyncio.run(run())
    (folder / "generation").write_text("41\n")


def learned(source: str) -> Edge:
    return Edge(EdgeKey(source, "CHANGES_WITH", "b.py"), "5 of 7 commits", "", False, "normal", 0.7, NOW)


def test_a_store_of_version_1_keeps_events_and_learned_evidence(tmp_path: Path) -> None:
    edges = [edge("a.py"), edge("ü ⟩.py"), learned("a.py")]
    past = [
        Edge(EdgeKey("x", "DRIVES", "y"), "r", "x", True, "high", 0.5, NOW, valid_to=NOW + timedelta(days=1), line=3)
    ]
    events = [event(number) for number in range(5)]
    store_of_version_1(tmp_path, edges, past, events)

    async def look() -> None:
        store = await Store.open(tmp_path)
        try:
            assert store.generation == 41
            snapshot = await store.load()
            assert sorted(snapshot.files, key=lambda each: each.path) == [file("a.py"), file("ü ⟩.py")]
            found = {each.key: each for each in snapshot.edges}
            evidence = learned("a.py")
            assert found == {
                edges[0].key: edges[0],
                edges[1].key: edges[1],
                evidence.key: Edge(evidence.key, "5 of 7 commits", "", False, "normal", 0.7, NOW, learned=1),
            }
            assert await store.closed_edges() == past
            assert await store.events(10) == events[::-1]
            assert await store.apply(GraphDelta(updated=[edge("a.py")], opened=[edge("n.py")])) == 42
            assert await store.counts() == Counts(2, 4, 1, 5)
        finally:
            await store.close()

    asyncio.run(look())
    asyncio.run(_reopened(tmp_path))
    assert rebuilt(tmp_path)[0] == ""


async def _reopened(folder: Path) -> None:
    store = await Store.open(folder)
    assert await store.counts() == Counts(2, 4, 1, 5)
    await store.close()


def test_a_store_of_version_2_keeps_everything(tmp_path: Path) -> None:
    files, edges = [file("a.py"), file("ü ⟩.py")], [edge("a.py"), learned("a.py")]
    past = [Edge(EdgeKey("x", "DRIVES", "y"), "r", "x", True, "high", 0.5, NOW, valid_to=NOW + timedelta(days=1))]
    events = [msgspec.structs.replace(event(number), session="s1") for number in range(5)]

    async def make() -> None:
        store = await Store.open(tmp_path)
        await store.apply(GraphDelta(files=files, opened=[*edges, *past], events=events))
        await store.apply(GraphDelta(closed=past))
        await store.close()
        database = await Database.open(f"surrealkv://{tmp_path / 'db'}")
        await database.write(
            [
                "REMOVE FIELD rest ON event",
                "UPDATE event UNSET rest",
                "REMOVE TABLE session",
                "UPDATE meta:state SET schema = 2",
            ]
        )
        await database.close()

    async def look() -> None:
        store = await Store.open(tmp_path)
        try:
            snapshot = await store.load()
            assert sorted(snapshot.files, key=lambda each: each.path) == files
            assert {each.key: each for each in snapshot.edges} == {each.key: each for each in edges}
            assert await store.closed_edges() == past
            assert await store.events(10) == events[::-1]
            assert await store.sessions() == list(fold(events).values())
            assert store.generation == 2
        finally:
            await store.close()

    asyncio.run(make())
    asyncio.run(look())


def test_an_upgrade_that_fails_leaves_the_old_store_as_it_was(tmp_path: Path) -> None:
    store_of_version_1(tmp_path, [edge("a.py"), edge("a.py")], [], [event(1)])  # one key twice: no version wrote that

    async def version() -> object:
        database = await Database.open(f"surrealkv://{tmp_path / 'db'}")
        try:
            return await database.read("RETURN meta:state.schema; RETURN count((SELECT * FROM edge))")
        finally:
            await database.close()

    with pytest.raises(StoreDamagedError):
        asyncio.run(Store.open(tmp_path))
    assert asyncio.run(version()) == [1, 2]


def test_a_store_of_version_3_gets_a_table_for_evidence_and_keeps_everything(tmp_path: Path) -> None:
    files, edges, events = [file("a.py")], [edge("a.py")], [event(number) for number in range(3)]
    piece = Evidence("0" * 16, "asserted", "a.py", "DRIVES", "b.py", NOW, "ann", "so")
    ended = msgspec.structs.replace(piece, until=NOW + timedelta(days=1), revision=1)

    async def make() -> None:
        store = await Store.open(tmp_path)
        await store.apply(GraphDelta(files=files, opened=edges, events=events))
        await store.close()
        database = await Database.open(f"surrealkv://{tmp_path / 'db'}")
        await database.write(["REMOVE TABLE evidence", "REMOVE TABLE about", "UPDATE meta:state SET schema = 3"])
        await database.close()

    async def look() -> None:
        store = await Store.open(tmp_path)
        try:
            snapshot = await store.load()
            assert (snapshot.files, snapshot.edges, await store.events(9)) == (files, edges, events[::-1])
            assert await store.evidence() == []
            assert await store.apply(GraphDelta(evidence=[piece])) == 2
            assert await store.evidence() == [piece]
            await store.apply(GraphDelta(evidence=[ended]))
            await store.prune(NOW)
            assert await store.evidence() == [ended]
            await store.prune(NOW + timedelta(days=2))
            assert await store.evidence() == []
        finally:
            await store.close()

    asyncio.run(make())
    asyncio.run(look())


def test_the_store_keeps_a_later_revision_than_the_log_tells(tmp_path: Path) -> None:
    piece = Evidence("0" * 16, "asserted", "a.py", "DRIVES", "b.py", NOW, "ann", "so")
    later, other = msgspec.structs.replace(piece, revision=2), msgspec.structs.replace(piece, id="1" * 16)
    log = EventLog(tmp_path / "events")
    log.append_evidence([piece, other])
    log.close()

    async def look() -> None:
        store = await Store.open(tmp_path)
        await store.apply(GraphDelta(evidence=[later]))
        await store.close()
        store, _ = await open_or_rebuild(tmp_path, EventLog(tmp_path / "events"))
        assert sorted(await store.evidence(), key=lambda each: each.id) == [later, other]
        await store.close()

    asyncio.run(look())


def test_a_version_that_never_was_is_damage(tmp_path: Path) -> None:
    store_of_version_1(tmp_path, [], [], [], schema=0)
    with pytest.raises(StoreDamagedError, match="never was"):
        asyncio.run(Store.open(tmp_path))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill_up(path: Path) -> None:
    with path.open("wb", buffering=0) as ballast, suppress(OSError):
        for size in (100_000, 1000, 1):
            with suppress(OSError):
                while ballast.write(b"x" * size) == size:
                    pass


def test_a_full_disk_is_reported_reads_go_on_and_writes_resume(small_disk: Path) -> None:
    folder, ballast = small_disk / "state", small_disk / "ballast"

    async def run() -> None:
        log = EventLog(folder / "events")
        store, _ = await open_or_rebuild(folder, log)
        try:
            await store.apply(GraphDelta(files=[file(f"{number}.py", os.urandom(1000)) for number in range(500)]))
            fill_up(ballast)
            with pytest.raises(StoreUnavailableError, match="no space left"):
                await store.apply(GraphDelta(files=[file(f"x{number}.py", os.urandom(1000)) for number in range(500)]))
            with pytest.raises(StoreUnavailableError, match="no space left"):
                await store.apply(GraphDelta(events=[event(1)]))
            with pytest.raises(StoreUnavailableError, match="no space left"):
                log.append([event(number) for number in range(100)])
            assert list(log.read()) == []
            assert not await store.checkpoint()
            assert (await store.counts()).files == 500
            ballast.unlink()
            assert await store.apply(GraphDelta(events=[event(2)])) == 2
            assert await store.counts() == Counts(500, 0, 0, 1)
        finally:
            await store.close()

    asyncio.run(run())
    assert rebuilt(folder)[2] == Counts(500, 0, 0, 1)


def test_what_is_acknowledged_after_a_full_disk_survives_a_kill(small_disk: Path) -> None:
    """The engine leaves half a record in its log, and drops at the next start all that follows it."""
    program = (
        "import asyncio, os, sys\nfrom pathlib import Path\n"
        "from memoire.errors import StoreUnavailableError\n"
        "from memoire.store.records import Store\nfrom memoire.model import GraphDelta\n"
        "from tests.integration.test_store_recovery import file, fill_up\n"
        "async def run():\n"
        "    disk = Path(sys.argv[1])\n    store = await Store.open(disk / 'state')\n"
        "    delta = lambda name: GraphDelta(files=[file(f'{name}{n}.py', os.urandom(1000)) for n in range(300)])\n"
        "    await store.apply(delta('before'))\n    fill_up(disk / 'ballast')\n"
        "    try:\n        await store.apply(delta('full'))\n"
        "    except StoreUnavailableError:\n        (disk / 'ballast').unlink()\n"
        "        await store.apply(delta('after'))\n"
        "        os.kill(os.getpid(), 9)\n"
        "asyncio.run(run())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(small_disk)], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == -9, done.stderr
    why, _, counts, _ = rebuilt(small_disk / "state")
    assert (why, counts.files) == ("", 600)


def test_killed_in_the_middle_of_anything_nothing_is_lost_or_there_in_part() -> None:
    """A few rounds of what `benchmarks/store_kill.py` does for as long as one likes."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.store_kill", "--rounds", "4", "--seed", "11"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "nothing lost, nothing in part" in done.stdout


def test_a_disk_full_at_the_start_is_waited_out_in_one_process(small_disk: Path) -> None:
    """The engine, let in on a full disk, fails at its first write and keeps its lock for the life of the process."""
    folder, ballast = small_disk / "state", small_disk / "ballast"
    filled(folder, [event(1)])
    fill_up(ballast)
    for _ in range(2):
        with pytest.raises(StoreUnavailableError, match="no space left"):
            rebuilt(folder)
    ballast.unlink()
    assert rebuilt(folder)[:1] == ("",)
    assert not list(folder.glob("db.damaged-*"))
