"""Measures how long a save takes until it is seen, and what a branch switch costs, with a real daemon.

    python -m benchmarks.watch_latency [--files 10000] [--saves 100] [--switched 500]

The project is generated, in a home of its own: packages of modules that import each other, tests and documents, under
git. A save is measured twice: asked for at once, as an assistant does, and left alone until the daemon has taken it in
by itself. Times are wall time and include the client's round trip; CPU is that of the daemon and its workers.
"""

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from memoire.sdk import Memoire

PER_FOLDER = 50
"""Files of one package."""
LOOK_S = 0.005
"""How often the daemon is asked whether it is done, seconds."""
LONGEST_S = 60.0
"""After so long without stillness something is wrong, however busy the machine."""
STILL_S = 3.0
"""A switch is over once nothing changed for so long: longer than the cap of the debounce, seconds."""
LATEST_S = 120.0
"""When something that does not happen is given up, seconds."""

_BRANCH = "other"


class Report(msgspec.Struct, frozen=True):
    """What was measured. All times are seconds."""

    files: int
    asked: tuple[float, ...]
    """From each save until `search` and `expand` both answered with it, asked at once."""
    alone: tuple[float, ...]
    """From each save until it was taken in without anybody asking."""
    save_cpu: float
    """CPU of the daemon for one save that is left alone, the median."""
    switch: float
    """From the start of `git checkout` until all was taken in."""
    switch_events: int
    switch_cpu: float
    idle_cpu: float
    """CPU of the daemon in one second in which nothing happens."""


def measure(root: Path, *, files: int, saves: int, switched: int, seed: int = 1) -> Report:
    """Return what saves and a branch switch take in a project generated at `root`, an empty directory.

    Raises:
        AssertionError: What was saved was not seen, or the graph is not that of the files.
    """
    rng = random.Random(seed)
    paths = generate(root, files, switched, rng)
    project = Memoire(root)
    try:
        project.ingest()
        pid = int(project.status()["pid"])
        _settle(project)
        asked = [_asked(project, root, rng.choice(paths), number) for number in range(saves)]
        alone, costs = [], []
        for number in range(saves):
            before = cpu(pid)
            alone.append(_alone(project, root, rng.choice(paths), saves + number))
            costs.append(cpu(pid) - before)
        # What was saved would keep git from switching.
        git(root, "checkout", "-q", "--", ".")
        _settle(project)
        before = cpu(pid)
        took, events = _switch(project, root, switched)
        switch_cpu = cpu(pid) - before
        before = cpu(pid)
        threading.Event().wait(1.0)
        idle = cpu(pid) - before
        _is_whole(project)
    finally:
        project.stop()
    return Report(files, tuple(asked), tuple(alone), statistics.median(costs), took, events, switch_cpu, idle)


def generate(root: Path, files: int, switched: int, rng: random.Random) -> list[str]:
    """Write a project with two branches that differ in `switched` files; return the paths of its modules."""
    modules = [f"src/p{number // PER_FOLDER}/m{number}.py" for number in range(files)]
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire/config.toml").write_text('project_id = "watched_00000001"\n', encoding="utf-8")
    for number, path in enumerate(modules):
        if number % PER_FOLDER == 0:
            _write(root, f"{Path(path).parent}/__init__.py", "")
            _write(root, f"docs/p{number // PER_FOLDER}.md", f"# Package\n\n`{path}` must hold `run_{number}()`.\n")
        _write(root, path, _module(number, files, rng))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    git(root, "checkout", "-q", "-b", _BRANCH)
    for path in rng.sample(modules, switched):
        with (root / path).open("a", encoding="utf-8") as stream:
            stream.write(f"\n\ndef on_{_BRANCH}_branch():\n    return {path!r}\n")
    git(root, "commit", "-qam", "some")
    git(root, "checkout", "-q", "main")
    return modules


def _module(number: int, files: int, rng: random.Random) -> str:
    """Return a module that imports a few of its package, and one of the few that many import."""
    first = number // PER_FOLDER * PER_FOLDER
    near = sorted({rng.randrange(first, min(first + PER_FOLDER, files)) for _ in range(3)} - {number})
    hub = rng.randrange(min(files, 20))
    lines = [
        f"from src.p{other // PER_FOLDER}.m{other} import run_{other}" for other in [*near, hub] if other != number
    ]
    for part in range(6):
        lines += ["", "", f"def part_{number}_{part}(value, limit):", f'    """Return part {part} of the sum."""']
        lines += [f"    total = value * {part} + limit", "    return total if total else limit"]
    lines += ["", "", f"def run_{number}():", "    return " + " + ".join(["1", *(f"run_{other}()" for other in near)])]
    return "\n".join(lines) + "\n"


def _write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def git(root: Path, *arguments: str) -> None:
    """Run git in the project, as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True)


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process and of its children, those included that ended. Source: proc(5)."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended meanwhile
            fields = file.read_text().rpartition(")")[2].split()
            if str(pid) in {file.parent.name, fields[1]}:
                ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _save(root: Path, path: str, number: int) -> str:
    name = f"saved_{number}_now"
    text = (root / path).read_text(encoding="utf-8")
    (root / path).write_text(f"{text}\n\ndef {name}():\n    return {number}\n", encoding="utf-8")
    return name


def _asked(project: Memoire, root: Path, path: str, number: int) -> float:
    began = time.perf_counter()
    name = _save(root, path, number)
    _until(lambda: any(hit.get("name") == name for hit in project.search(name)["results"]), 0)
    _until(lambda: name in str(project.expand(path)), 0)
    return time.perf_counter() - began


def _alone(project: Memoire, root: Path, path: str, number: int) -> float:
    generation = project.status()["project"]["generation"]
    began = time.perf_counter()
    name = _save(root, path, number)

    def is_taken() -> bool:
        status = project.status()["project"]
        return bool(status["generation"] > generation and not status["pending"])

    _until(is_taken, LOOK_S)
    took = time.perf_counter() - began
    assert project.search(name)["results"][0].get("name") == name
    assert name in str(project.expand(path))
    return took


def _switch(project: Memoire, root: Path, switched: int) -> tuple[float, int]:
    """Return how long a branch switch took until the last of it was taken in, and the events that it made."""
    known = _events(project)
    began = time.perf_counter()
    git(root, "checkout", "-q", _BRANCH)
    took = _settle(project) - began
    events = _events(project) - known
    assert sum(count for _, _, count in events) == switched, events
    assert project.search(f"on_{_BRANCH}_branch")["results"]
    return took, len(events)


def _events(project: Memoire) -> set[tuple[str, str, int]]:
    found = project.recent_events(50)["events"]
    return {(event["created_at"], event["summary"], event.get("count", 1)) for event in found}


def _settle(project: Memoire) -> float:
    """Wait until nothing happens any more; return when the last thing did, on the performance counter."""
    last, since = None, time.perf_counter()
    until = since + LONGEST_S
    while last is None or last[1] or time.perf_counter() - since < STILL_S:
        assert time.perf_counter() < until, "it never ends"
        status = project.status()["project"]
        now = status["generation"], status["pending"]
        if now != last:
            last, since = now, time.perf_counter()
        threading.Event().wait(LOOK_S)
    return since


def _is_whole(project: Memoire) -> None:
    """Check that one comparison of the whole tree finds nothing that was missed."""
    done = project.ingest()
    assert not done["changed"], done
    assert not done["deleted"], done


def _until(is_so: Callable[[], bool], wait_s: float) -> None:
    end = time.perf_counter() + LATEST_S
    while not is_so():
        assert time.perf_counter() < end, "it was never seen"
        threading.Event().wait(wait_s)


@contextmanager
def home() -> Iterator[Path]:
    """Make a home of its own for as long as the block lasts."""
    before = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        try:
            yield Path(folder)
        finally:
            if before is not None:
                os.environ["HOME"] = before


def _line(values: Sequence[float]) -> str:
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"p50 {p50:.3f} s, p95 {p95:.3f} s, max {ordered[-1]:.3f} s ({len(ordered)} saves)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--saves", type=int, default=100)
    parser.add_argument("--switched", type=int, default=500)
    options = parser.parse_args()
    with home() as folder:
        found = measure(folder / "p", files=options.files, saves=options.saves, switched=options.switched)
    print(f"{found.files} files")
    print(f"save, asked at once  {_line(found.asked)}")
    print(f"save, left alone     {_line(found.alone)}, CPU {found.save_cpu * 1e3:.0f} ms")
    print(
        f"switch of {options.switched:5} files {found.switch:.2f} s, {found.switch_events} events, "
        f"CPU {found.switch_cpu:.2f} s"
    )
    print(f"idle                 {found.idle_cpu * 1e3:.0f} ms of CPU a second")


if __name__ == "__main__":
    main()
