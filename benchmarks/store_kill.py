"""Kills a writing process with SIGKILL, again and again, and compares the store with what a dict says it must hold.

    python -m benchmarks.store_kill --rounds 100 --seed 1

A child applies an endless sequence of deltas (files, edges that open, close and change, events; every so often a large
one that takes several transactions, and a checkpoint, so that kills land in flush and compaction) and says each
generation it was told. The parent kills it after a random time, opens the store and checks that

- nothing acknowledged is lost, and nothing is there in part: the tables equal the model at the generation they state;
- the generation beside the database never exceeds the one in it;
- every event acknowledged by the event log is in it, and at most one record a kill is cut short.

The next child goes on from there.
"""

import argparse
import asyncio
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from memoire.model import Edge, EdgeKey, Event, FileRecord, GraphDelta
from memoire.store import deltas
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from memoire.store.recovery import open_or_rebuild
from memoire.store.state import generation_beside

START = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
PATHS = [f"src/pkg{number % 7}/módule {number}.py" for number in range(40)]
RELATIONS = ("IMPORTS", "DRIVES", "ASSERTS_ON")


class Model:
    """What a store that took in the deltas must hold."""

    def __init__(self) -> None:
        self.files: dict[str, FileRecord] = {}
        self.edges: dict[EdgeKey, Edge] = {}
        self.closed: list[Edge] = []
        self.events: dict[str, Event] = {}

    def apply(self, delta: GraphDelta) -> None:
        for path in delta.gone:
            self.files.pop(path, None)
        for file in delta.files:
            self.files[file.path] = file
        for edge in delta.closed:
            self.edges.pop(edge.key, None)
            self.closed.append(edge)
        for edge in delta.opened:
            self.edges[edge.key] = edge
        for edge in delta.updated:
            if edge.key in self.edges:
                self.edges[edge.key] = edge
        for path, count in delta.accesses.items():
            if path in self.files:
                self.files[path] = msgspec.structs.replace(self.files[path], accesses=count)
        for event in delta.events:
            self.events.setdefault(event.id, event)


def next_delta(model: Model, seed: int, step: int) -> GraphDelta:
    """Return the delta of one step, the same whenever it is asked for with the same model."""
    rng = random.Random(f"{seed}:{step}")
    at = START + timedelta(seconds=step)
    changed = rng.sample(PATHS, rng.choice((1, 1, 2, 12)))
    files = [
        FileRecord(
            path,
            "file",
            "python",
            f"{rng.getrandbits(256):064x}",
            rng.randrange(10**6),
            rng.randrange(2**60),
            at,
            changes=step,
            facts=rng.randbytes(rng.choice((0, 300, 4000))),
        )
        for path in changed
    ]
    gone = [path for path in rng.sample(PATHS, 2) if rng.random() < 0.2 and path not in changed]
    mine = [edge for edge in model.edges.values() if edge.extracted_from in {*changed, *gone}]
    closed = [msgspec.structs.replace(edge, valid_to=at) for edge in mine if rng.random() < 0.4]
    shut = {edge.key for edge in closed}
    updated = [
        msgspec.structs.replace(edge, rationale=f"again at {step}", learned=edge.learned + 1)
        for edge in mine
        if edge.key not in shut and rng.random() < 0.3
    ]
    opened = {}
    for path in changed:
        for _ in range(rng.randrange(6)):
            key = EdgeKey(path, rng.choice(RELATIONS), rng.choice(PATHS))
            if key not in model.edges or key in shut:
                opened[key] = Edge(key, f"line {step}", path, key.relation != "IMPORTS", "normal", 0.5, at, line=step)
    event = Event(
        f"{int(at.timestamp() * 1000):012x}-{step:016x}",
        "file_edit",
        at,
        f"step {step}",
        rng.random(),
        tuple(changed),
        session=f"s{step // 50}",
    )
    return GraphDelta(
        files=files,
        gone=gone,
        opened=list(opened.values()),
        closed=closed,
        updated=updated,
        events=[event],
        accesses={path: step for path in changed if rng.random() < 0.3},
    )


def parts(seed: int) -> Iterator[tuple[Model, int, GraphDelta]]:
    """Yield every transaction in turn: the model before it, its step, its delta."""
    model = Model()
    step = 0
    while True:
        for part in deltas.split(next_delta(model, seed, step)):
            yield model, step, part
            model.apply(part)
        step += 1


def model_at(seed: int, generation: int) -> Model:
    for done, (model, _, _) in enumerate(parts(seed)):
        if done == generation:
            return model
    raise AssertionError


async def write_for_ever(folder: Path, seed: int) -> None:
    """What the child does."""
    log = EventLog(folder / "events", segment_bytes=20_000)
    store = await Store.open(folder)
    for done, (_, step, part) in enumerate(parts(seed)):
        if done < store.generation:
            continue
        if part.events:
            log.append(part.events)
        print(f"logged {step if part.events else step - 1}")
        generation = await store.apply(part)
        print(f"applied {generation}", flush=True)
        if generation % 17 == 0:
            await store.checkpoint()


def check(folder: Path, seed: int, acknowledged: int, logged: int) -> int:
    """Compare store and model; return the generation."""

    async def look() -> int:
        store = await Store.open(folder)
        try:
            assert store.generation >= acknowledged, f"{acknowledged} acknowledged, {store.generation} there"
            snapshot = await store.load()
            closed = await store.closed_edges()
            events = await store.events(10**6)
        finally:
            await store.close()
        model = model_at(seed, store.generation)
        assert {file.path: file for file in snapshot.files} == model.files, "files"
        assert len(snapshot.files) == len(model.files), "files twice"
        assert {edge.key: edge for edge in snapshot.edges} == model.edges, "edges"
        assert len(snapshot.edges) == len(model.edges), "edges twice"
        assert sorted(closed, key=repr) == sorted(model.closed, key=repr), "closed edges"
        assert events == sorted(model.events.values(), key=lambda event: event.id, reverse=True), "events"
        return store.generation

    beside = generation_beside(folder)
    generation = asyncio.run(look())
    assert beside <= generation, f"{beside} beside a store at {generation}"
    log = EventLog(folder / "events", segment_bytes=20_000)
    steps = [int(event.id.rpartition("-")[2], 16) for event in log.read()]
    assert sorted(steps) == list(range(len(steps))), "event log has holes"
    assert len(steps) > logged, f"event {logged} acknowledged, {len(steps)} there"
    log.close()
    return generation


def round_of(folder: Path, seed: int, rng: random.Random) -> tuple[int, int]:
    """Start a child, kill it, check; return (generation acknowledged, generation found)."""
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.store_kill", "--child", str(folder), "--seed", str(seed)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert child.stdout is not None
    lines: list[str] = []
    started = threading.Event()

    def listen() -> None:
        assert child.stdout is not None
        for line in child.stdout:
            lines.append(line)
            started.set()

    listener = threading.Thread(target=listen)
    listener.start()
    started.wait(60)
    time.sleep(rng.uniform(0, 0.6))  # when it dies is the one thing that must be left to chance
    child.send_signal(signal.SIGKILL)
    child.wait()
    listener.join()
    child.stdout.close()
    said = [line.split() for line in lines if line.endswith("\n")]
    acknowledged = max((int(number) for what, number in said if what == "applied"), default=0)
    logged = max((int(number) for what, number in said if what == "logged"), default=-1)
    return acknowledged, check(folder, seed, acknowledged, logged)


def campaign(folder: Path, rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(1, rounds + 1):
        acknowledged, found = round_of(folder, seed, rng)
        print(f"round {number}: {acknowledged} acknowledged, {found} found", flush=True)

    async def last() -> None:
        log = EventLog(folder / "events")
        store, why = await open_or_rebuild(folder, log)
        assert not why, why
        assert {event.id for event in log.read()} == {event.id for event in await store.events(10**6)}
        await store.close()

    asyncio.run(last())
    print(f"{rounds} kills, {found} transactions: nothing lost, nothing in part")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the store is kept (default: a temporary folder)")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    deltas.ROWS_PER_TRANSACTION = 40  # so that a delta of 12 files takes several, and kills fall between them
    if arguments.child:
        asyncio.run(write_for_ever(arguments.child, arguments.seed))
        return
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="store-kill-"))
    campaign(folder, arguments.rounds, arguments.seed)
    if not arguments.folder:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
