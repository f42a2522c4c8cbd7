"""Any sequence of deltas, restarts and checkpoints ends in what a dict says."""

import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.store_kill import Model
from memoire.model import Edge, EdgeKey, Event, FileRecord, GraphDelta
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from memoire.store.recovery import open_or_rebuild

# Few names, so that they meet; any text but what UTF-8 cannot say.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.one_of(st.sampled_from(["a.py", "b.py", "pkg:x", "a.py::f"]), texts.filter(bool))
times = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - made aware
keys = st.builds(EdgeKey, names, st.sampled_from(["IMPORTS", "DRIVES"]), names)
edges = st.builds(
    Edge,
    key=keys,
    rationale=texts,
    extracted_from=names | st.just(""),
    is_causal=st.booleans(),
    cost=st.sampled_from(["normal", "high"]),
    confidence=st.floats(0, 1),
    valid_from=times,
    valid_to=st.none(),
    changes_before=st.integers(0, 10**6),
    learned=st.integers(0, 10**6),
    line=st.integers(0, 10**6),
)
shut = st.builds(lambda edge, at: msgspec.structs.replace(edge, valid_to=at), edges, times)
files = st.builds(
    FileRecord,
    path=names,
    kind=st.sampled_from(["file", "document"]),
    language=texts,
    sha=texts,
    size=st.integers(0, 2**63 - 1),
    mtime_ns=st.integers(-(2**63), 2**63 - 1),
    changed_at=times,
    changes=st.integers(0, 10**6),
    accesses=st.integers(0, 10**6),
    facts=st.binary(max_size=300),
)
events = st.builds(
    Event,
    id=st.integers(0, 30).map(lambda number: f"{number:012x}-{number:016x}"),
    kind=texts,
    at=times,
    summary=texts,
    importance=st.floats(0, 1),
    entities=st.lists(names, max_size=3).map(tuple),
    actor=texts,
    client=texts,
    session=texts,
    count=st.integers(1, 1000),
)
deltas = st.builds(
    GraphDelta,
    files=st.lists(files, max_size=3, unique_by=lambda file: file.path),
    gone=st.lists(names, max_size=2),
    opened=st.lists(edges, max_size=4),
    closed=st.lists(shut, max_size=3),
    updated=st.lists(edges, max_size=2),
    events=st.lists(events, max_size=3),
    accesses=st.dictionaries(names, st.integers(0, 10**6), max_size=2),
)
steps = st.lists(st.one_of(deltas, deltas, st.sampled_from(["restart", "checkpoint"])), max_size=10)


def at_its_own_time(delta: GraphDelta, number: int) -> GraphDelta:
    """Return the delta with closings at microseconds that no other delta has: each is of another moment."""
    closed = []
    for edge in delta.closed:
        assert edge.valid_to is not None
        closed.append(msgspec.structs.replace(edge, valid_to=edge.valid_to.replace(microsecond=number)))
    return msgspec.structs.replace(delta, closed=closed)


async def holds(store: Store, model: Model) -> None:
    snapshot = await store.load()
    assert {file.path: file for file in snapshot.files} == model.files
    assert len(snapshot.files) == len(model.files)
    assert {edge.key: edge for edge in snapshot.edges} == model.edges
    assert len(snapshot.edges) == len(model.edges)
    in_order = msgspec.structs.astuple
    assert sorted(await store.closed_edges(), key=in_order) == sorted(model.closed, key=in_order)
    assert await store.events(100) == sorted(model.events.values(), key=lambda event: event.id, reverse=True)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_any_sequence_of_deltas_ends_in_what_a_dict_says(sequence: list[GraphDelta | str]) -> None:
    async def run(folder: Path) -> None:
        model = Model()
        store = await Store.open(folder)
        written = 0
        try:
            for number, step in enumerate(sequence):
                if step == "restart":
                    await store.close()
                    store = await Store.open(folder)
                elif isinstance(step, GraphDelta):
                    delta = at_its_own_time(step, number)
                    written += not delta.is_empty()
                    assert await store.apply(delta) == written
                    model.apply(delta)
                else:
                    assert await store.checkpoint()
            assert store.generation == written
            await holds(store, model)
        finally:
            await store.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


@settings(max_examples=12, deadline=None)
@given(st.lists(events, max_size=30), st.lists(st.integers(0, 3), max_size=30))
def test_whatever_of_the_log_the_store_missed_it_has_after_the_next_open(logged: list[Event], fates: list[int]) -> None:
    """A fate of 0 is a crash between log and store, 1 an event applied, 2 a restart, 3 one applied twice."""

    async def run(folder: Path) -> None:
        log = EventLog(folder / "events", segment_bytes=500)
        store, _ = await open_or_rebuild(folder, log)
        first: dict[str, Event] = {}
        for event, fate in zip(logged, fates, strict=False):
            if fate == 2:
                await store.close()
                store, why = await open_or_rebuild(folder, log)
                assert why == ""
            log.append([event])
            recorded = first.setdefault(event.id, event)
            for _ in range((0, 1, 1, 2)[fate]):
                await store.apply(GraphDelta(events=[recorded]))
        await store.close()
        store, why = await open_or_rebuild(folder, log)
        assert why == ""
        assert await store.events(100) == sorted(first.values(), key=lambda event: event.id, reverse=True)
        await store.close()
        log.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
