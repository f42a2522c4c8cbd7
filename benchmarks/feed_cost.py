"""Measures what events cost: CPU to take reports in, and the memory of a project that takes in ever more of them.

    python -m benchmarks.feed_cost FOLDER --events 100000

Works on the project in place, with state in a home of its own. Memory is what is resident: busy, right after a share of
the reports was taken in, and settled, some seconds later, when the store has been compacted.
"""

import argparse
import asyncio
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from memoire import heap, intake, paths
from memoire.episodes.inbox import END
from memoire.project import Project

SHARES = 10
QUIET_S = 3.0
"""After so long without work what can wait is done; the daemon waits longer."""


def resident_mb() -> float:
    """Return what is resident now; on systems without /proc the most that ever was."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1024)
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def report(spool: Path, root: Path, number: int) -> None:
    """Leave one record, as a shell's hook does."""
    now_us = int(time.time() * 1e6)
    fields = ("1", str(now_us), "1000", "0", str(root), f"pytest -k step{number} tests/x{number % 50}.py")
    (spool / f"{now_us}-1-{number}.bash").write_bytes("\x1f".join(fields).encode() + END)


async def run(root: Path, events: int, rest_s: float) -> tuple[float, float, float, float]:
    """Return (CPU ms for each event, MB at the start, MB settled at the end, MB at most)."""
    project = await Project.open(root)
    await project.start()
    await project.ingest()
    await asyncio.sleep(rest_s)
    first = most = resident_mb()
    spool = Path(paths.state_dir(root)) / "spool"
    spool.mkdir(mode=0o700, exist_ok=True)
    cost = 0.0
    for share in range(SHARES):
        for number in range(events // SHARES):
            report(spool, root, share * events + number)
        before = time.process_time()
        project.intake.notice_reports()
        await project.intake.idle.wait()
        cost += time.process_time() - before
        most = max(most, resident_mb())
        await asyncio.sleep(rest_s)
    last = resident_mb()
    await project.close()
    return cost / events * 1e3, first, last, max(most, last)


def main() -> None:
    """Measure in a home of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--events", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, patch.object(intake, "QUIET_S", QUIET_S):
        os.environ["HOME"] = home
        heap.keep_small()
        cost, first, last, most = asyncio.run(run(options.folder.resolve(), options.events, 2.5 * QUIET_S))
    print(f"{options.events} events: {cost:.2f} ms of CPU each")
    print(
        f"resident: {first:.0f} MB at the start, {last:.0f} MB at the end ({last / first:.2f}), {most:.0f} MB at most"
    )


if __name__ == "__main__":
    main()
