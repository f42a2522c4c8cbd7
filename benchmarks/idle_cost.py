"""Measures what the daemon of a project costs while nothing happens: CPU, wake-ups and memory over a while.

    python -m benchmarks.idle_cost [PROJECT] [--files 10000] [--seconds 60] [--client] [--dead-client]

Works on a copy of the project, or on a tree of so many files that it makes itself, in a home of its own. `--client`
keeps an assistant connected meanwhile; `--dead-client` lets some leave while large answers are written to them, which
has made daemons spin. Reads /proc, so it needs Linux. Ends with status 1 where the daemon takes more than `LIMIT` of
one core.
"""

import argparse
import json
import os
import shutil
import socket
import sys
import tempfile
import threading
from pathlib import Path

from memoire import launch, paths
from memoire.sdk import Memoire

LIMIT = 0.005
"""Share of one core that a daemon at rest may take."""

SETTLE_S = 35.0
"""Between the last work and the first look, seconds: after 30 of them the daemon compacts what it wrote."""


class Usage:
    """What a process has used since it began."""

    def __init__(self, pid: int) -> None:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        # Source: proc(5), fields 14 and 15, utime and stime; counted here from the third.
        self.cpu_s = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.rss_mb = int(status["VmRSS"].split()[0]) / 1024
        tasks = Path(f"/proc/{pid}/task").glob("*/status")
        self.switches = sum(_switches(task) for task in tasks)


def _switches(task: Path) -> int:
    lines = task.read_text().splitlines()
    return sum(int(line.split(":")[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def measure(pid: int, seconds: float) -> dict[str, float]:
    """Return what the process takes while that time passes."""
    before = Usage(pid)
    threading.Event().wait(seconds)
    after = Usage(pid)
    used_s = after.cpu_s - before.cpu_s
    return {
        "cpu_s": round(used_s, 3),
        "share": round(used_s / seconds, 5),
        "wakeups_per_s": round((after.switches - before.switches) / seconds, 1),
        "rss_mb": round(after.rss_mb, 1),
    }


def make_tree(root: Path, files: int) -> None:
    """Write a package of so many small modules, in folders of a hundred, each of which imports its neighbours."""
    for number in range(files):
        folder = root / f"part_{number // 100:04}"
        folder.mkdir(parents=True, exist_ok=True)
        other = (number * 7 + 1) % files
        text = (
            f"from part_{other // 100:04}.mod_{other:05} import run_{other:05}\n\n\n"
            f"def run_{number:05}(value):\n    return run_{other:05}(value) + {number}\n"
        )
        (folder / f"mod_{number:05}.py").write_text(text, encoding="utf-8")


def connect(root: str) -> socket.socket:
    """Return a connection as an assistant has it, greeted and idle."""
    link = launch.reach_daemon(root)
    link.sendall(b"MEMOIRE-MCP benchmark\n")
    link.recv(4096)
    return link


def leave_in_the_middle(root: str, times: int) -> None:
    """Ask for much, so many times, read a little of each answer and close."""
    body = json.dumps({"query": "run", "limit": 50}).encode()
    head = f"POST /op/search HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    for _ in range(times):
        link = launch.reach_daemon(root)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.sendall((head + body) * 50)
        link.recv(1)
        link.close()


def run(root: Path, *, seconds: float, client: bool, dead_client: bool) -> dict[str, float]:
    """Return what the daemon of the project costs at rest, its first index done."""
    (root / ".memoire").mkdir(exist_ok=True)
    (root / ".memoire/config.toml").write_text('project_id = "idle_00000001"\n', encoding="utf-8")
    project = Memoire(str(root))
    done = project.ingest()
    pid = int(project.status()["pid"])
    link = connect(paths.real(root)) if client else None
    try:
        if dead_client:
            leave_in_the_middle(paths.real(root), 10)
        threading.Event().wait(SETTLE_S)
        return {"files": done["files"], **measure(pid, seconds)}
    finally:
        if link is not None:
            link.close()
        project.stop()


def main() -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", nargs="?", type=Path)
    parser.add_argument("--files", type=int, default=10_000, help="size of the tree that is made where none is named")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--client", action="store_true", help="with an assistant connected")
    parser.add_argument("--dead-client", action="store_true", help="after assistants that left in the middle")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mm-", dir="/tmp") as folder:
        os.environ["HOME"] = str(Path(folder, "home"))
        Path(folder, "home").mkdir()
        root = Path(folder, "project")
        if options.project is None:
            make_tree(root, options.files)
        else:
            shutil.copytree(options.project, root, symlinks=True, ignore=shutil.ignore_patterns(".memoire"))
        found = run(root, seconds=options.seconds, client=options.client, dead_client=options.dead_client)
    print(json.dumps(found))
    return int(found["share"] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
