"""Measures what the store costs: CPU (user and system, the engine's threads included), wall time, memory, disk.

    python -m benchmarks.store_cost --files 600 --edges 5000

Figures of one run are only comparable with each other: on a shared machine CPU time doubles under load.
"""

import argparse
import asyncio
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from memoire.model import Definition, Edge, EdgeKey, Event, FileFacts, FileRecord, GraphDelta, Import, Use
from memoire.store.records import Store

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
SAVES = 30


def facts_of(number: int) -> bytes:
    """Return facts as large as those of a module of 300 lines: about 5.5 kB."""
    rng = random.Random(number)

    def print_of() -> str:
        return f"{rng.getrandbits(64):016x}"

    definitions = tuple(
        Definition(
            f"Class{rng.randrange(9)}.method_{rng.randrange(99)}",
            "method",
            line * 10 + 1,
            line * 10 + 9,
            body=print_of(),
            signature=print_of(),
            doc="Return the thing that was asked for.",
        )
        for line in range(30)
    )
    uses = tuple(
        Use(rng.randrange(30), rng.randrange(9), f"attribute{rng.randrange(50)}", 1, line) for line in range(150)
    )
    imports = tuple(Import(f"package.module{line}", f"name{line}", f"name{line}", line) for line in range(10))
    return msgspec.msgpack.encode(
        FileFacts("python", print_of() * 4, 10_000, 300, definitions=definitions, imports=imports, uses=uses)
    )


def project(files: int, edges: int) -> tuple[list[FileRecord], list[Edge]]:
    rng = random.Random(1)
    paths = [f"src/package{number % 20}/part{number % 7}/module_name_{number}.py" for number in range(files)]
    found: dict[EdgeKey, Edge] = {}
    while len(found) < edges:
        source, relation, target = (
            rng.choice(paths),
            rng.choice(("IMPORTS", "IMPORTS", "DRIVES", "ASSERTS_ON")),
            rng.choice(paths),
        )
        rationale = f"{source}:{rng.randrange(300)} imports {target} and uses Client, connect"
        key = EdgeKey(source, relation, target)
        found[key] = Edge(key, rationale, source, relation != "IMPORTS", "normal", 1.0, NOW, line=12)
    records = [
        FileRecord(path, "file", "python", "ab" * 32, 10_000, 10**18, NOW, facts=facts_of(number))
        for number, path in enumerate(paths)
    ]
    return records, list(found.values())


def resident() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 1e6


@contextmanager
def measured(what: str, times: int = 1) -> Iterator[None]:
    def cpu() -> float:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    before, wall, memory = cpu(), time.perf_counter(), resident()
    yield
    used, waited = (cpu() - before) / times * 1000, (time.perf_counter() - wall) / times * 1000
    print(f"{what:42} {used:8.1f} ms CPU {waited:8.1f} ms wall {resident() - memory:+6.0f} MB")


async def measure(folder: Path, files: list[FileRecord], edges: list[Edge]) -> None:
    with measured("open, new"):
        store = await Store.open(folder)
    with measured(f"first index: {len(files)} files, {len(edges)} edges"):
        await store.apply(GraphDelta(files=files, opened=edges))
    print(f"    {store.bytes_written / 1e6:.1f} MB of requests, {resident():.0f} MB resident")
    with measured("checkpoint"):
        await store.checkpoint()
    with measured("load"):
        await store.load()
    with measured("one save: 1 file, 20 edges opened, 1 event", SAVES):
        for number in range(SAVES):
            new = [
                msgspec.structs.replace(edge, key=EdgeKey(edge.key.source, f"N{number}", edge.key.target))
                for edge in edges[number * 20 : number * 20 + 20]
            ]
            event = Event(f"{number:012x}-{number:016x}", "file_edit", NOW, "Edited", 0.5, (files[number].path,))
            await store.apply(
                GraphDelta(files=[msgspec.structs.replace(files[number], changes=1)], opened=new, events=[event])
            )
    with measured("20 edges closed", SAVES):
        for number in range(SAVES):
            gone = [msgspec.structs.replace(edge, valid_to=NOW) for edge in edges[number * 20 : number * 20 + 20]]
            await store.apply(GraphDelta(closed=gone))
    with measured("access counts of 50 files"):
        await store.apply(GraphDelta(accesses={file.path: 5 for file in files[:50]}))
    with measured("last 10 events", SAVES):
        for _ in range(SAVES):
            await store.events(10)
    with measured("close"):
        await store.close()
    with measured("open, existing"):
        store = await Store.open(folder)
    await store.close()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"    {size / 1e6:.1f} MB on disk")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the store costs.")
    parser.add_argument("--files", type=int, default=600)
    parser.add_argument("--edges", type=int, default=5000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), *project(arguments.files, arguments.edges)))


if __name__ == "__main__":
    main()
