"""Measures what answers cost on a project that is open: CPU time of the thread that gives them.

    python -m benchmarks.answer_speed FOLDER [--home DIR] [--asked 60] [--saves 20]

The folder is taken in first, unless it was before under the same home. Then `get_context`, `expand` of files drawn by a
fixed seed, `search` for the words of their names, and `impact` of them; `get_context` again after the content of one
file changed, and after one file became the effect of one that already drives many.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import msgspec

from memoire.impact import is_code
from memoire.impact.ranking import Change
from memoire.memory import Memory
from memoire.model import Edge, EdgeKey, GraphDelta
from memoire.operations import expand, get_context, search
from memoire.project import Project


async def measured(label: str, count: int, ask: Callable[[int], Awaitable[object]]) -> None:
    """Print the middle and the 95th percentile of the CPU time of so many answers, after one that warms up."""
    await ask(0)
    found = []
    for number in range(count):
        started = time.thread_time()
        await ask(number)
        found.append(1e3 * (time.thread_time() - started))
    found.sort()
    print(f"{label:34s} p50 {found[count // 2]:6.1f} ms   p95 {found[int(0.95 * (count - 1))]:6.1f} ms", flush=True)


async def settled(_timeout_s: float) -> list[str]:
    """Wait for nothing: what the daemon does beside the answer is not measured here."""
    return []


async def measure(project: Project, asked: int, saves: int) -> None:
    """Print what each answer costs."""
    memory: Memory = msgspec.structs.replace(project.memory, settle=settled)
    graph, records = memory.graph, project.intake.processor.records
    paths = random.Random(3).sample(sorted(filter(is_code, records)), max(asked, saves))
    words = [" ".join((PurePosixPath(path).stem.replace("_", " "), PurePosixPath(path).parent.name)) for path in paths]
    now = datetime.now(UTC)
    hub = max(graph.nodes(), key=lambda node: graph.reachability(node.path)).path

    async def context(_number: int) -> object:
        return await get_context.run(memory, get_context.Params())

    async def reached(number: int) -> object:
        return memory.impact.rank([Change(paths[number])])

    await measured("get_context", 20, context)
    await measured("expand", asked, lambda number: expand.run(memory, expand.Params(path=paths[number])))
    await measured("search", asked, lambda number: search.run(memory, search.Params(query=words[number])))
    await measured("impact", asked, reached)
    for label, is_caused in (("get_context after a save", False), ("get_context after a new cause", True)):
        found = []
        for path in paths[:saves]:
            edge = Edge(EdgeKey(hub, "DRIVES", path), "measured", path, True, "normal", 1.0, now)
            changed = msgspec.structs.replace(records[path], changed_at=now)
            graph.apply(GraphDelta(files=[changed], opened=[edge] if is_caused else []))
            started = time.thread_time()
            await context(0)
            found.append(1e3 * (time.thread_time() - started))
        found.sort()
        print(f"{label:34s} p50 {found[saves // 2]:6.1f} ms   p95 {found[int(0.95 * (saves - 1))]:6.1f} ms", flush=True)


async def run(folder: Path, asked: int, saves: int) -> None:
    """Open the project, take it in where it was not, and measure."""
    project = await Project.open(folder)
    try:
        if project.index.documents < len(project.intake.processor.records) or not project.intake.processor.records:
            await project.start()
            await project.ingest()
            await project.intake.idle.wait()
        print(f"{len(project.intake.processor.records)} files, {project.memory.graph.edge_count} edges", flush=True)
        await measure(project, asked, saves)
    finally:
        await project.close()


def main() -> None:
    """Measure one folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home", type=Path, help="where the state lies; a new folder where it is left out")
    parser.add_argument("--asked", type=int, default=60)
    parser.add_argument("--saves", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = str(arguments.home or home)
        asyncio.run(run(arguments.folder, arguments.asked, arguments.saves))


if __name__ == "__main__":
    main()
