"""The store on the real engine: what goes in comes out, once, whatever the names look like."""

import asyncio
import random
import stat
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from memoire.episodes.sessions import fold
from memoire.errors import StoreUnavailableError
from memoire.model import Edge, EdgeKey, Event, FileRecord, GraphDelta
from memoire.store import records
from memoire.store.client import Database
from memoire.store.deltas import ROWS_PER_TRANSACTION
from memoire.store.records import Store
from memoire.store.state import Counts, generation_beside

NOW = datetime(2026, 5, 18, 10, 23, 0, 123456, tzinfo=UTC)

HOSTILE = [
    "a b.py",
    "ünïcode/日本語/🎈.py",
    'quote\'s "double" `tick`.py',
    "angle⟨x⟩⟩.py",
    "back\\slash\\.py",
    "line\nend\r\n.py",
    "tab\t.py",
    "; REMOVE TABLE file; --.py",
    "$path {x: 1} /* */ -- #.py",
    "percent%20%s{}.py",
    "a:b::Class.method",
    "123",
    "-",
    ".",
    "é.py",
    "e\u0301.py",
    "d/" * 998 + "x.py",
]


def file(path: str, **changes: object) -> FileRecord:
    whole = FileRecord(
        path, "file", "python", "ab" * 32, 1234, 1_700_000_000_123_456_789, NOW, 3, 7, b"\x93facts\x00\xff"
    )
    return msgspec.structs.replace(whole, **changes)


def edge(source: str, relation: str = "IMPORTS", target: str = "b.py", **changes: object) -> Edge:
    whole = Edge(
        key=EdgeKey(source, relation, target),
        rationale=f"{source}:12 imports it\nas “x”",
        extracted_from=source,
        is_causal=True,
        cost="high",
        confidence=0.75,
        valid_from=NOW,
        changes_before=2,
        learned=5,
        line=12,
    )
    return msgspec.structs.replace(whole, **changes)


def event(number: int, *entities: str, **changes: object) -> Event:
    at = NOW + timedelta(seconds=number)
    whole = Event(
        f"{int(at.timestamp() * 1000):012x}-{number:016x}",
        "file_edit",
        at,
        f"Edited: changed f{number}()",
        0.25,
        entities,
        actor="assistant",
        client="codex",
        session="s1",
        count=2,
    )
    return msgspec.structs.replace(whole, **changes)


def closed(of: Edge, at: datetime = NOW + timedelta(days=1)) -> Edge:
    return msgspec.structs.replace(of, valid_to=at)


def on_store(folder: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await Store.open(folder)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_everything_comes_back_after_a_restart_as_it_went_in(tmp_path: Path) -> None:
    files = [file(path) for path in HOSTILE]
    edges = [
        edge(source, relation, target)
        for source in HOSTILE
        for relation in ("IMPORTS", "DRIVES")
        for target in HOSTILE[:4]
    ]
    edges += [
        edge("a.py", "IMPORTS", "pkg:requests"),
        edge("a.py::C.m", "CALLS", "b.py::f"),
        edge("", "CONTAINS", "src/"),
    ]
    past = [closed(edge(path, "ASSERTS_ON")) for path in HOSTILE]
    events = [event(number, path, f"{path}::f") for number, path in enumerate(HOSTILE)]

    async def write(store: Store) -> None:
        assert await store.apply(GraphDelta(files=files, opened=edges, closed=past, events=events)) == 1

    async def read(store: Store) -> None:
        assert store.generation == 1
        snapshot = await store.load()
        assert {each.path: each for each in snapshot.files} == {each.path: each for each in files}
        assert sorted(snapshot.edges, key=lambda each: each.key) == sorted(edges, key=lambda each: each.key)
        assert sorted(await store.closed_edges(), key=lambda each: each.key) == sorted(past, key=lambda each: each.key)
        assert await store.events(1000) == events[::-1]
        assert await store.counts() == Counts(len(files), len(edges), len(past), len(events))

    on_store(tmp_path, write)
    on_store(tmp_path, read)


def test_the_defaults_of_the_values_come_back_too(tmp_path: Path) -> None:
    plain = Edge(EdgeKey("a", "IMPORTS", "b"), "", "", False, "normal", 1.0, NOW)
    bare = FileRecord("a", "document", "", "", 0, 0, NOW)
    happened = Event("0-0", "ingest", NOW, "", 0.0)

    async def work(store: Store) -> None:
        await store.apply(GraphDelta(files=[bare], opened=[plain], events=[happened]))
        snapshot = await store.load()
        assert (snapshot.files, snapshot.edges) == ([bare], [plain])
        assert await store.events(1) == [happened]

    on_store(tmp_path, work)


def test_an_empty_delta_writes_nothing_and_keeps_the_generation(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.apply(GraphDelta(files=[file("a.py")]))
        written = store.bytes_written
        assert await store.apply(GraphDelta()) == 1
        assert store.generation == 1
        assert store.bytes_written == written

    on_store(tmp_path, work)


def test_a_file_is_written_changed_and_removed(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.apply(GraphDelta(files=[file("a.py"), file("b.py")]))
        changed = file("a.py", sha="cd" * 32, changes=4, facts=b"", accesses=0)
        await store.apply(GraphDelta(files=[changed], gone=["b.py", "never.py"]))
        assert (await store.load()).files == [changed]
        await store.apply(GraphDelta(accesses={"a.py": 9, "never.py": 4}))
        assert (await store.load()).files == [file("a.py", sha="cd" * 32, changes=4, facts=b"", accesses=9)]

    on_store(tmp_path, work)


def test_removing_a_file_removes_no_edge_that_nobody_closed(tmp_path: Path) -> None:
    edges = [edge("a.py"), edge("b.py", target="a.py")]

    async def work(store: Store) -> None:
        await store.apply(GraphDelta(files=[file("a.py"), file("b.py")], opened=edges))
        await store.apply(GraphDelta(gone=["a.py"]))
        assert sorted((await store.load()).edges, key=lambda each: each.key) == edges

    on_store(tmp_path, work)


def test_at_most_one_edge_is_open_for_a_key(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for number in range(3):
            await store.apply(GraphDelta(opened=[edge("a.py", learned=number), edge(f"{number}.py")]))
        found = [each for each in (await store.load()).edges if each.key.source == "a.py"]
        assert found == [edge("a.py", learned=2)]
        await store.apply(GraphDelta(opened=[edge("b.py", line=1), edge("b.py", line=2)]))
        assert (await store.counts()).edges == 5

    on_store(tmp_path, work)


def test_an_edge_closes_opens_again_and_each_time_it_held_is_kept(tmp_path: Path) -> None:
    first, second = edge("a.py"), edge("a.py", valid_from=NOW + timedelta(days=2), rationale="again")

    async def work(store: Store) -> None:
        await store.apply(GraphDelta(opened=[first]))
        await store.apply(GraphDelta(closed=[closed(first)]))
        assert (await store.load()).edges == []
        await store.apply(GraphDelta(opened=[second]))
        gone = closed(second, NOW + timedelta(days=3))
        third = edge("a.py", valid_from=NOW + timedelta(days=3))
        await store.apply(GraphDelta(closed=[gone], opened=[third]))
        assert (await store.load()).edges == [third]
        assert await store.closed_edges() == [gone, closed(first)]

    on_store(tmp_path, work)


def test_an_update_changes_an_open_edge_and_opens_none(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.apply(GraphDelta(opened=[edge("a.py")]))
        changed = edge("a.py", rationale="better", is_causal=False, cost="normal", learned=6, confidence=0.5)
        await store.apply(GraphDelta(updated=[changed, edge("never.py")]))
        assert (await store.load()).edges == [changed]

    on_store(tmp_path, work)


def test_an_event_is_recorded_once_and_never_changed(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.apply(GraphDelta(events=[event(1)]))
        await store.apply(GraphDelta(events=[event(1, summary="other"), event(2), event(2, summary="third")]))
        assert await store.events(10) == [event(2), event(1)]

    on_store(tmp_path, work)


def test_events_are_filtered_and_come_newest_first(tmp_path: Path) -> None:
    events = [
        event(1, "src/a.py", "src/a.py::f", session="s1"),
        event(2, "src/a.py::C.m", kind="access", session="s2"),
        event(3, "src/ab.py", kind="command", session="s2"),
        event(4, "lib/a.py", "src/a.py", session="s1"),
        event(5, session="", kind="prompt"),
    ]

    async def work(store: Store) -> None:
        await store.apply(GraphDelta(events=events[::-1]))

        async def found(limit: int = 100, **filters: object) -> list[int]:
            return [int(each.id[-1]) for each in await store.events(limit, **filters)]  # type: ignore[arg-type]

        assert await found() == [5, 4, 3, 2, 1]
        assert await found(2) == [5, 4]
        assert await found(0) == []
        assert await found(-3) == []
        assert await found(before=events[3].id) == [3, 2, 1]
        assert await found(1, before=events[3].id) == [3]
        assert await found(before="0") == []
        assert await found(kinds=["access", "command"]) == [3, 2]
        assert await found(kinds=["nothing"]) == []
        assert await found(path="src/a.py") == [4, 2, 1]
        assert await found(path="src/") == [4, 3, 2, 1]
        assert await found(path="lib/") == [4]
        assert await found(path="src/a") == []
        assert await found(session="s2") == [3, 2]
        assert await found(since=events[1].at, until=events[3].at) == [3, 2]
        assert await found(path="src/a.py", session="s1", kinds=["file_edit"], before=events[3].id) == [1]
        assert await found(session="' OR true --") == []

    on_store(tmp_path, work)


def test_closed_edges_are_filtered_and_come_last_closed_first(tmp_path: Path) -> None:
    days = [NOW + timedelta(days=number) for number in range(4)]
    past = [
        closed(edge("a.py", target="b.py"), days[1]),
        closed(edge("b.py", target="c.py"), days[3]),
        closed(edge("c.py", target="a.py"), days[2]),
    ]

    async def work(store: Store) -> None:
        await store.apply(GraphDelta(closed=past))
        assert await store.closed_edges() == [past[1], past[2], past[0]]
        assert await store.closed_edges(1) == [past[1]]
        assert await store.closed_edges(source="a.py") == [past[0]]
        assert await store.closed_edges(source="a.py", target="c.py") == []
        assert await store.closed_edges(target="a.py") == [past[2]]
        assert await store.closed_edges(path="a.py") == [past[2], past[0]]
        assert await store.closed_edges(since=days[2]) == [past[1], past[2]]

    on_store(tmp_path, work)


def test_pruning_removes_what_ended_before_a_time_and_nothing_open(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        old, recent = closed(edge("a.py"), NOW), closed(edge("b.py"), NOW + timedelta(days=9))
        await store.apply(GraphDelta(opened=[edge("c.py")], closed=[old, recent], events=[event(1), event(86_400 * 5)]))
        assert await store.prune(NOW + timedelta(days=1)) == 1
        assert await store.closed_edges() == [recent]
        assert await store.events(9) == [event(86_400 * 5), event(1)]
        assert await store.prune(NOW + timedelta(days=1)) == 0
        assert (await store.counts()).edges == 1

    on_store(tmp_path, work)


def test_a_session_is_written_with_its_events_and_counts_each_once(tmp_path: Path) -> None:
    events = [event(1, kind="prompt", summary="Asked: fix it", session=name) for name in ("s1", *HOSTILE[:-1])]
    events = [msgspec.structs.replace(each, id=f"{each.id[:-4]}{number:04}") for number, each in enumerate(events)]
    edits = [event(number, "a.py") for number in range(2, 12)]

    async def write(store: Store) -> None:
        for delta in (events, edits[:5], edits[3:], events, edits):
            await store.apply(GraphDelta(events=delta))

    async def read(store: Store) -> None:
        expected = fold([*events, *edits])
        assert {session.id: session for session in await store.sessions()} == expected
        assert await store.sessions(["s1", "nobody"]) == [expected["s1"]]
        assert {path: len(marks) for path, marks in expected["s1"].edits.items()} == {"a.py": 10}
        assert [session.id for session in await store.sessions(limit=1)] == ["s1"]
        by_id = sorted(expected)
        assert [session.id for session in await store.sessions(after="\0")] == by_id
        assert [session.id for session in await store.sessions(after=by_id[3], limit=2)] == by_id[4:6]

    on_store(tmp_path, write)
    on_store(tmp_path, read)


def test_a_session_stays_when_its_events_leave_in_several_transactions(tmp_path: Path) -> None:
    events = [event(number, "a.py") for number in range(ROWS_PER_TRANSACTION + 50)]

    async def work(store: Store) -> None:
        await store.apply(GraphDelta(events=events))
        before = await store.sessions()
        day = event(9999, kind="day", session="")
        await store.apply(GraphDelta(events=[day], forgotten=[one.id for one in events]))
        assert await store.events(10) == [day]
        assert (await store.counts()).events == 1
        assert await store.sessions() == before

    on_store(tmp_path, work)


def test_a_large_delta_takes_several_transactions_and_ends_the_same(tmp_path: Path) -> None:
    paths = [f"src/f{number}.py" for number in range(400)]
    edges = [edge(path, target=f"src/f{number}.py") for path in paths for number in range(8)]
    events = [event(number) for number in range(2100)]
    delta = GraphDelta(files=[file(path) for path in paths], opened=edges, events=events, accesses={paths[0]: 70})

    async def work(store: Store) -> None:
        generation = await store.apply(delta)
        assert generation > len(edges) // ROWS_PER_TRANSACTION
        assert store.generation == generation == generation_beside(tmp_path)
        assert not store.was_interrupted
        snapshot = await store.load()
        assert {each.path: each for each in snapshot.files} == {
            path: file(path, accesses=70) if path == paths[0] else file(path) for path in paths
        }
        assert sorted(snapshot.edges, key=lambda each: each.key) == sorted(edges, key=lambda each: each.key)
        assert await store.events(5000) == events[::-1]

    on_store(tmp_path, work)


def test_a_large_delta_that_breaks_off_says_so_until_it_is_settled(tmp_path: Path) -> None:
    whole = [file(f"{number}.py") for number in range(ROWS_PER_TRANSACTION)]

    async def write(store: Store) -> None:
        with pytest.raises(UnicodeEncodeError):
            await store.apply(GraphDelta(files=[*whole, file("lone \ud800 surrogate")]))
        assert store.was_interrupted
        assert store.generation == 1
        await store.apply(GraphDelta(events=[event(1)]))

    async def settle(store: Store) -> None:
        assert store.was_interrupted
        assert await store.counts() == Counts(ROWS_PER_TRANSACTION, 0, 0, 1)
        await store.settle()
        assert [store.was_interrupted] == [False]

    async def look(store: Store) -> None:
        assert not store.was_interrupted

    on_store(tmp_path, write)
    on_store(tmp_path, settle)
    on_store(tmp_path, look)


def test_facts_about_the_project_are_kept_and_forgotten(tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        assert store.project == {}
        await store.remember({"commit": "abc", "facts_version": "1"})
        await store.remember({"commit": "def ⟩'", "facts_version": ""})
        await store.set_projected("00000001:0000000042")
        assert store.generation == 0

    async def read(store: Store) -> None:
        assert store.project == {"commit": "def ⟩'"}
        assert store.projected == "00000001:0000000042"

    on_store(tmp_path, write)
    on_store(tmp_path, read)


def test_a_checkpoint_keeps_everything_while_deltas_queue(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        tasks: list[asyncio.Future[object]] = []
        for number in range(30):
            tasks.append(asyncio.ensure_future(store.apply(GraphDelta(files=[file(f"{number}.py")]))))
            if number % 10 == 0:
                tasks.append(asyncio.ensure_future(store.checkpoint()))
            tasks.append(asyncio.ensure_future(store.events(5)))
        await asyncio.gather(*tasks)
        assert store.generation == 30
        assert len((await store.load()).files) == 30
        assert await store.checkpoint()
        assert store.bytes_written == 0

    on_store(tmp_path, work)


def test_a_checkpoint_is_due_after_so_many_bytes(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert store.bytes_written < records.CHECKPOINT_BYTES
        large = random.Random(1).randbytes(1_000_000)
        await store.apply(GraphDelta(files=[file(f"{number}.py", facts=large) for number in range(33)]))
        assert store.needs_checkpoint
        await store.checkpoint()
        assert store.bytes_written == 0

    on_store(tmp_path, work)


def test_a_delta_whose_caller_is_cancelled_is_applied_whole(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        applying = asyncio.ensure_future(store.apply(GraphDelta(files=[file("a.py")], opened=[edge("a.py")])))
        await asyncio.sleep(0)
        applying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await applying
        await store.close()

    async def look(store: Store) -> None:
        assert store.generation == 1
        assert await store.counts() == Counts(1, 1, 0, 0)

    on_store(tmp_path, work)
    on_store(tmp_path, look)


def test_a_delta_that_cannot_be_written_leaves_nothing_of_itself(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(ValueError, match="no valid_to"):
            await store.apply(GraphDelta(files=[file("a.py")], closed=[edge("a.py")]))
        with pytest.raises(UnicodeEncodeError):
            await store.apply(GraphDelta(files=[file("a.py"), file("lone \ud800 surrogate")]))
        assert store.generation == 0
        assert await store.counts() == Counts(0, 0, 0, 0)
        await store.apply(GraphDelta(files=[file("a.py")]))
        assert store.generation == 1

    on_store(tmp_path, work)


def test_folders_are_private_and_the_generation_stands_beside(tmp_path: Path) -> None:
    folder = tmp_path / "state of a project"
    folder.mkdir(mode=0o755)

    async def work(store: Store) -> None:
        assert generation_beside(folder) == 0
        await store.apply(GraphDelta(events=[event(1)]))
        assert (folder / "generation").read_text() == "1\n"

    on_store(folder, work)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "db").stat().st_mode) == 0o700


def test_a_store_ahead_of_its_side_file_opens_and_mends_it(tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        for number in range(3):
            await store.apply(GraphDelta(events=[event(number)]))

    async def look(store: Store) -> None:
        assert store.generation == 3

    on_store(tmp_path, write)
    for content in (b"1\n", b"", b"garbage\xff"):
        (tmp_path / "generation").write_bytes(content)
        on_store(tmp_path, look)
        assert generation_beside(tmp_path) == 3
    (tmp_path / "generation").unlink()
    on_store(tmp_path, look)
    assert generation_beside(tmp_path) == 3


def test_open_close_and_open_again_in_one_process_is_bounded(tmp_path: Path) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            for number in range(8):
                store = await Store.open(tmp_path)
                assert await store.apply(GraphDelta(events=[event(number)])) == number + 1
                await store.close()
                await store.close()

    asyncio.run(run())


def test_a_second_opener_is_told_that_another_process_has_it(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys\nfrom pathlib import Path\nfrom memoire.errors import StoreUnavailableError\n"
        "from memoire.store.records import Store\n"
        "try:\n    asyncio.run(Store.open(Path(sys.argv[1])))\n"
        "except StoreUnavailableError as error:\n    print(error.why)\n"
    )

    async def work(store: Store) -> None:
        await store.apply(GraphDelta(events=[event(1)]))
        other = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", program, str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (other.returncode, other.stdout, other.stderr) == (0, "another process has it open\n", "")
        with pytest.raises(StoreUnavailableError, match="another process has it open"):
            await Store.open(tmp_path)
        assert await store.events(1) == [event(1)]

    on_store(tmp_path, work)


def test_a_person_sees_the_graph_with_plain_queries(tmp_path: Path) -> None:
    async def run() -> None:
        store = await Store.open(tmp_path)
        await store.apply(
            GraphDelta(
                files=[file("src/a.py")],
                opened=[edge("src/a.py", "DRIVES", "src/b.py"), edge("c.py", target="src/a.py")],
            )
        )
        await store.close()
        database = await Database.open(f"surrealkv://{tmp_path / 'db'}")
        try:
            assert await database.read(
                "SELECT path, node->edge.{relation, is_causal, to: out} AS leaves FROM file"
            ) == [
                [
                    {
                        "path": "src/a.py",
                        "leaves": [{"relation": "DRIVES", "is_causal": True, "to": ("node", "src/b.py")}],
                    }
                ]
            ]
            assert await database.read("RETURN node:`src/a.py`<-edge<-node") == [[("node", "c.py")]]
            assert await database.select("rationale", "edge", where=["relation = 'DRIVES'"]) == [
                "src/a.py:12 imports it\nas “x”"
            ]
        finally:
            await database.close()

    asyncio.run(run())
