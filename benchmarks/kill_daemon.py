"""Kills the daemon at random moments while files change, and compares its graph with a rebuild at the end.

    python -m benchmarks.kill_daemon --rounds 100 --seed 1

Each round starts the daemon (as a client does), changes files, and ends it with SIGKILL after a random time: in the
first index, between two transactions, inside a checkpoint. After each round a new daemon must start, and at the end
its edges must be those of one ingest of the files as they lie there.
"""

import argparse
import os
import random
import signal
import tempfile
import threading
from pathlib import Path

from memoire.errors import DaemonError
from memoire.sdk import Memoire
from tests.support import Linked

_NAMES = ("core", "util", "web", "job", "pkg/__init__", "pkg/part", "tests/test_core")
_LINES = (
    "import core\ncore.run()\n",
    "from core import run\nrun()\n",
    "from pkg import part\npart.run()\n",
    "from util import *\n",
    "def run():\n    return 1\n",
    "LIMIT = 3\ndef set_limit():\n    global LIMIT\n    LIMIT = 4\n",
    "class Thing:\n    def run(self):\n        self.state = 1\n",
    "import requests\nrequests.get('x')\n",
)


def run(root: Path, *, rounds: int, seed: int) -> dict[str, int]:
    """Return what happened: kills, changes and edges compared; raises AssertionError where the graph is wrong."""
    rng = random.Random(seed)
    kills = changes = 0
    for number in range(60):
        _write(root, f"lib/mod{number}.py", rng)
    project = Memoire(root)
    for _ in range(rounds):
        project.status()
        pid = int(project.status()["pid"])
        killer = threading.Timer(rng.random() * 1.5, os.kill, (pid, signal.SIGKILL))
        killer.start()
        for _ in range(rng.randrange(1, 8)):
            changes += 1
            _change(root, rng)
            try:
                project.search("run")
            except DaemonError:
                break  # it was killed while it answered: what the caller must be told
        killer.join()
        kills += 1
    done = project.ingest()
    assert not done["failure"], done["failure"]
    found = _edges(project)
    project.stop()
    expected = Linked({str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.py")})
    wanted = {(edge.key.source, edge.key.relation, edge.key.target) for edge in expected.graph.edges()}
    assert found == wanted, sorted(found ^ wanted)[:10]
    return {"kills": kills, "changes": changes, "edges": len(found)}


def _write(root: Path, path: str, rng: random.Random) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(rng.sample(_LINES, rng.randrange(1, 4))), encoding="utf-8")


def _change(root: Path, rng: random.Random) -> None:
    path = f"{rng.choice(_NAMES)}.py"
    if rng.random() < 0.3 and (root / path).exists():
        (root / path).unlink()
    elif rng.random() < 0.2 and (root / path).exists():
        (root / path).replace(root / f"moved{rng.randrange(3)}.py")
    else:
        _write(root, path, rng)


def _edges(project: Memoire) -> set[tuple[str, str, str]]:
    found: set[tuple[str, str, str]] = set()
    after: str | None = None
    while after != "":
        page = project.call("export", after=after)
        found |= {
            (item["source"], item["relation"], item["target"]) for item in page["records"] if item["type"] == "edge"
        }
        after = page.get("next", "")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        root = Path(folder) / "project"
        (root / ".memoire").mkdir(parents=True)
        (root / ".memoire/config.toml").write_text('project_id = "killed_00000001"\n', encoding="utf-8")
        print(run(root, rounds=options.rounds, seed=options.seed))


if __name__ == "__main__":
    main()
