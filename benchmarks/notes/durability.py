"""Kills the daemon while notes are written, and lets many write at once; then reads the journal.

    python -m benchmarks.notes.durability [--kills 6] [--clients 2] [--at-once 20] [--seed 1]

Each call writes three notes and names them when it is acknowledged. Nothing acknowledged may be lost, no call may be
there in part, and of what everybody writes alike one note may be there.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memoire.errors import MemoireError
from memoire.notes.book import Book
from memoire.notes.journal import Journal
from memoire.sdk import Memoire

CLIENT = """
import sys
from concurrent.futures import ThreadPoolExecutor
from memoire.errors import MemoireError
from memoire.sdk import Memoire

root, name, at_once = sys.argv[1], sys.argv[2], int(sys.argv[3])

def write(number):
    call = f"{name} {number}"
    texts = [f"Call {call} says part {part}." for part in range(3)] + [f"Common fact {number}."]
    Memoire(root).call("memory_write", notes=[{"text": text} for text in texts], on_conflict="off")
    return call

with ThreadPoolExecutor(at_once) as pool:
    for future in [pool.submit(write, number) for number in range(at_once)]:
        try:
            print(future.result(), flush=True)
        except MemoireError:
            pass
"""


class Found(NamedTuple):
    """What was counted."""

    acknowledged: int
    lost: int
    torn: int
    doubled: int
    unreadable: int


def killed(root: Path, kills: int, seed: int) -> list[str]:
    """Write on and on while the daemon is killed again and again; return the calls that were acknowledged."""
    drawing = random.Random(seed)
    project = Memoire(root)
    acknowledged = []
    for number in range(kills):
        project.call("memory_list", limit=1)  # answered once the project is open
        pid = int(project.status()["pid"])
        killer = threading.Timer(drawing.uniform(0.05, 1.0), os.kill, (pid, signal.SIGKILL))
        killer.start()
        written = 0
        while killer.is_alive():
            call = f"killed {number} {written}"
            notes = [{"text": f"Call {call} says part {part}."} for part in range(3)]
            try:
                project.call("memory_write", notes=notes, on_conflict="off")
            except MemoireError:
                break  # it may be there or not: nobody was told
            acknowledged.append(call)
            written += 1
        killer.join()
    return acknowledged


def at_once(root: Path, clients: int, each: int) -> list[str]:
    """Let several processes write, each so many calls at once; return the calls that were acknowledged."""
    Memoire(root).status()
    commands = [[sys.executable, "-c", CLIENT, str(root), f"client{number}", str(each)] for number in range(clients)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    return [line for client in running for line in client.communicate()[0].splitlines()]


def judged(root: Path, acknowledged: list[str]) -> Found:
    """Return what the journal says of the calls."""
    reading = Journal(root / ".memoire" / "notes.jsonl").read()
    texts = [row.note.text for row in Book(reading.transactions).current() if row.status == "active"]
    parts: dict[str, set[str]] = {}
    for text in texts:
        if text.startswith("Call "):
            call, _, part = text.removeprefix("Call ").partition(" says part ")
            parts.setdefault(call, set()).add(part)
    return Found(
        acknowledged=len(acknowledged),
        lost=sum(call not in parts for call in acknowledged),
        torn=sum(len(found) != 3 for found in parts.values()),
        doubled=len(texts) - len(set(texts)),
        unreadable=len(reading.bad),
    )


@contextmanager
def project(folder: Path) -> Iterator[Path]:
    """Give an empty project with a home of its own; its daemon is stopped at the end."""
    os.environ["HOME"] = str(folder)
    root = folder / "project"
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire" / "config.toml").write_text('project_id = "killed_00000001"\n', encoding="utf-8")
    try:
        yield root
    finally:
        Memoire(root).stop()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, project(Path(folder)) as root:
        show(f"{given.kills} kills", judged(root, killed(root, given.kills, given.seed)))
        show(f"{given.clients} x {given.at_once} at once", judged(root, at_once(root, given.clients, given.at_once)))


def show(name: str, found: Found) -> None:
    """Print what was counted."""
    print(f"{name}: {', '.join(f'{value} {field}' for field, value in found._asdict().items())}")


if __name__ == "__main__":
    main()
