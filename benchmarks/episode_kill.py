"""Kills daemon, ingest and hooks at random moments under a stream of events, and counts what came through.

    python -m benchmarks.episode_kill --rounds 300 --seed 1

Eight writers leave records in the spool all the time, as the hooks of shells do; each notes what it has acknowledged.
One in five is a real `memoire hook claude-code`, and one in four of those is killed while it runs. Each round starts
the daemon (as a client does) and ends it with SIGKILL after a random time; its store is checkpointed after every
megabyte, so some kills fall into that; some rounds kill an ingest as well; between some the store, the index or both
are deleted or cut short. At the end every acknowledged record must be one event, no other more than one, and no start
may have failed.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memoire import paths
from memoire.episodes.inbox import END
from memoire.errors import DaemonError
from memoire.sdk import Memoire

WRITERS = 8
_PAUSE_S = 0.2
_HOOK = [sys.executable, "-m", "memoire", "hook", "claude-code"]


class Writer(threading.Thread):
    """One shell or assistant that reports until it is told to stop."""

    def __init__(self, root: Path, number: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.acknowledged: list[str] = []
        self.attempted: list[str] = []
        self._root = root
        self._spool = Path(paths.state_dir(root)) / "spool"
        self._number = number
        self._rng = random.Random(f"{seed}-{number}")
        self._end = threading.Event()

    def run(self) -> None:
        """Report, one record after another."""
        count = 0
        while not self._end.wait(self._rng.random() * 2 * _PAUSE_S):
            count += 1
            name = f"step {self._number}.{count}"
            self.attempted.append(name)
            is_whole = self._hook(name) if self._rng.random() < 0.02 else self._shell(name, count)
            if is_whole:
                self.acknowledged.append(name)

    def stop(self) -> None:
        """Report no more."""
        self._end.set()
        self.join()

    def _shell(self, name: str, count: int) -> bool:
        self._spool.mkdir(mode=0o700, exist_ok=True)
        now_us = int(time.time() * 1e6)
        fields = ("1", str(now_us), "1000", "0", str(self._root), name)
        with (self._spool / f"{now_us}-{self._number}-{count}.bash").open("xb") as file:
            file.write("\x1f".join(fields).encode() + END)
        return True

    def _hook(self, name: str) -> bool:
        payload = {
            "session_id": f"s{self._number}",
            "cwd": str(self._root),
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_use_id": name,
            "tool_input": {"command": name},
            "tool_response": {"stdout": "", "stderr": "", "interrupted": False},
        }
        hook = subprocess.Popen(_HOOK, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=self._root)
        killer = threading.Timer(self._rng.random() * 0.1, hook.kill) if self._rng.random() < 0.25 else None
        if killer:
            killer.start()
        with suppress(BrokenPipeError):
            hook.communicate(json.dumps(payload).encode())
        if killer:
            killer.cancel()
        return hook.wait() == 0


def run(root: Path, *, rounds: int, seed: int, damage_every: int = 10) -> dict[str, int]:
    """Return what happened; raises AssertionError where a record is lost or doubled, or a start failed."""
    rng = random.Random(seed)
    for number in range(30):
        _save(root, number, rng)
    project = Memoire(root)
    project.status()
    writers = [Writer(root, number, seed) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    broken = 0
    try:
        for number in range(rounds):
            _round(project, root, rng)
            if number % damage_every == damage_every - 1:
                broken += 1
                _damage(Path(paths.state_dir(root)), rng)
    finally:
        for writer in writers:
            writer.stop()
    _drain(project, Path(paths.state_dir(root)) / "spool")
    found = Counter(name for name in _commands(project) if name.startswith("step "))
    project.stop()
    acknowledged = {name for writer in writers for name in writer.acknowledged}
    attempted = {name for writer in writers for name in writer.attempted}
    lost = acknowledged - set(found)
    doubled = {name for name, count in found.items() if count > 1}
    assert not lost, f"{len(lost)} of {len(acknowledged)} lost: {sorted(lost)[:10]}"
    assert not doubled, f"{len(doubled)} doubled: {sorted(doubled)[:10]}"
    assert set(found) <= attempted
    return {"kills": rounds, "damages": broken, "acknowledged": len(acknowledged), "events": len(found)}


def _round(project: Memoire, root: Path, rng: random.Random) -> None:
    """Start the daemon, give it work, kill it."""
    pid = int(project.status()["pid"])  # raises where it does not start
    killer = threading.Timer(rng.random() * 1.5, _kill, (pid,))
    killer.start()
    ingest: subprocess.Popen[bytes] | None = None
    if rng.random() < 0.2:
        command = [sys.executable, "-m", "memoire", "ingest", "--json"]
        ingest = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(rng.randrange(1, 5)):
        _save(root, rng.randrange(30), rng)
        try:
            project.call("recent_events")
        except DaemonError:
            break  # it was killed while it answered: what the caller must be told
    killer.join()
    if ingest is not None:
        ingest.kill()
        ingest.wait()


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _damage(state: Path, rng: random.Random) -> None:
    """Delete the store or the index, or cut a file of it short. No daemon runs."""
    what = rng.choice(("db", "index", "both", "cut"))
    if what == "cut":
        files = sorted(path for path in (state / "db").rglob("*") if path.is_file())
        with rng.choice(files).open("r+b") as file:
            file.truncate(file.seek(0, os.SEEK_END) // 2)
        return
    for name in ("db", "index") if what == "both" else (what,):
        shutil.rmtree(state / name, ignore_errors=True)


def _drain(project: Memoire, spool: Path) -> None:
    """Wait until what was left in the spool is taken in; torn records stay."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        project.call("recent_events")
        if not any(path.read_bytes().endswith(END) for path in spool.iterdir()):
            return
        time.sleep(0.2)
    raise AssertionError("the spool is not taken in")


def _commands(project: Memoire) -> Iterator[str]:
    before = ""
    while True:
        page = project.call("recent_events", kinds=["command"], limit=200, before=before)
        for event in page["events"]:
            yield event["summary"].removeprefix("Ran `").partition("`")[0]
        before = page.get("next", "")
        if not before:
            return


def _save(root: Path, number: int, rng: random.Random) -> None:
    file = root / "lib" / f"mod{number}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    body = "".join(f"def run_{index}():\n    return {rng.random()}\n\n\n" for index in range(rng.randrange(1, 40)))
    file.write_text(body, encoding="utf-8")


def main() -> None:
    """Run the campaign in a home of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        os.environ["MEMOIRE_CHECKPOINT_MB"] = "1"
        root = Path(folder) / "project"
        (root / ".memoire").mkdir(parents=True)
        (root / ".memoire/config.toml").write_text('project_id = "killed_00000001"\n', encoding="utf-8")
        print(run(root, rounds=options.rounds, seed=options.seed))


if __name__ == "__main__":
    main()
