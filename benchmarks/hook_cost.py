"""Measures what a hook costs an assistant: `memoire hook claude-code` against the bare start of an interpreter.

    python -m benchmarks.hook_cost [--runs 60] [--answers 100]

CPU time of the children as the kernel counts it, the median of many runs taken in turn, so that a busy machine matters
little. Then, with a real daemon on a small project, how many of so many reports got their context within 300 ms, the
start of Python included.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memoire import launch, paths

DEADLINE_S = 0.3
START = "import sys; from memoire.__main__ import main; sys.exit(main())"
HOOK = [sys.executable, "-c", START, "hook", "claude-code"]
SCRIPT = Path(sys.executable).with_name("memoire")
BARE = {
    "bare, python -I -S": [sys.executable, "-I", "-S", "-c", "pass"],
    "bare, python": [sys.executable, "-c", "pass"],
}


def run(command: list[str], stdin: bytes, cwd: str) -> tuple[float, float, bytes]:
    """Return (CPU seconds, wall seconds, what it printed)."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, cwd=cwd, check=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout


def report(root: str, event: str, **fields: object) -> bytes:
    common = {"session_id": f"s{time.time_ns()}", "transcript_path": "/t", "cwd": root, "hook_event_name": event}
    return json.dumps({**common, **fields}).encode()


def make(root: Path) -> None:
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire" / "config.toml").touch()
    for number in range(40):
        lines = [f"from mod_{other} import f{other}\n" for other in range(number % 7)]
        (root / f"mod_{number}.py").write_text("".join(lines) + f"def f{number}():\n    return {number}\n")
    (root / "test_mods.py").write_text("from mod_1 import f1\n\ndef test_it():\n    assert f1() == 1\n")


def compare(root: str, runs: int) -> None:
    """Print the cost of reports that only leave a record, and of those that are of no interest."""
    long = report(root, "PostToolUse", tool_name="Bash", tool_response={"stdout": "x" * 100_000, "stderr": ""})
    reports = {"record": report(root, "Stop"), "record, 100 kB": long, "no interest": report(root, "Notification")}
    cases = {name: (command, b"") for name, command in BARE.items()}
    cases |= {f"hook, {name}": (HOOK, stdin) for name, stdin in reports.items()}
    cases["hook, elsewhere"] = (HOOK, report("/", "Stop"))
    if SCRIPT.exists():
        cases["memoire script, record"] = ([str(SCRIPT), "hook", "claude-code"], reports["record"])
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for _ in range(runs):
        for name, (command, stdin) in cases.items():
            taken[name].append(run(command, stdin, "/")[:2])
    cpu = {name: statistics.median(cost for cost, _ in costs) for name, costs in taken.items()}
    for name, costs in taken.items():
        wall = statistics.median(seconds for _, seconds in costs)
        ratios = ", ".join(f"{cpu[name] / cpu[bare]:.2f} x {bare}" for bare in BARE)
        print(f"{name:24} CPU {cpu[name] * 1000:5.1f} ms, wall {wall * 1000:5.1f} ms, {ratios}")


def deliver(root: str, count: int) -> None:
    """Print how many of the reports before a read, and at the start of a session, were answered in time."""
    launch.ensure_daemon(root)
    launch.ask(launch.reach_daemon(root), "POST", "/ingest")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": f"{root}/mod_1.py"}, "tool_use_id": "t"}
    for event, fields in (("PreToolUse", edit), ("SessionStart", {"source": "startup"})):
        costs = [run(HOOK, report(root, event, **fields), "/") for _ in range(count)]
        walls = sorted(wall for _, wall, _ in costs)
        told = sum(b"additionalContext" in printed and wall <= DEADLINE_S for _, wall, printed in costs)
        cpu = statistics.median(cost for cost, _, _ in costs)
        print(
            f"{event:12} {told} of {count} delivered within {DEADLINE_S * 1000:.0f} ms; CPU {cpu * 1000:.1f} ms, "
            f"wall {walls[count // 2] * 1000:.1f} ms, p95 {walls[count * 95 // 100] * 1000:.1f} ms, "
            f"{len(costs[-1][2])} bytes"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--answers", type=int, default=100)
    options = parser.parse_args()
    top = Path(tempfile.mkdtemp(prefix="mm-", dir="/tmp"))
    os.environ["HOME"] = str(top / "home")
    (top / "home").mkdir()
    root = paths.real(top / "proj")
    try:
        make(Path(root))
        paths.state_dir(root)
        compare(root, options.runs)
        deliver(root, options.answers)
    finally:
        launch.stop_daemon(root)
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    main()
