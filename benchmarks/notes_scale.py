"""Ten thousand notes: how long a question, a write and the first start take, and how much memory.

    python -m benchmarks.notes_scale [--notes 10000] [--mirrors DIR]

Texts are entries of changelogs where mirrors are given, else sentences made up from a vocabulary. Times are CPU time of
this process, the best of several.
"""

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.notes.changelogs import REPOSITORIES, case_of
from memoire.model import Definition
from memoire.notes.keeper import Keeper
from memoire.operations import memory_check, memory_list, memory_read, memory_recall, memory_write
from tests.memories import Project

FILES = 400
TRIES = 7
BATCH = 500


def texts_of(count: int, mirrors: Path | None) -> list[str]:
    """Return so many different statements."""
    if mirrors is not None:
        found = [note for name in REPOSITORIES["tune"] for note in case_of(mirrors, name).notes if len(note) < 2000]
        return list(dict.fromkeys(found))[:count]
    drawing = random.Random(5)
    words = ["".join(drawing.choices("abcdefghijklmnoprstuvwz", k=drawing.randint(3, 10))) for _ in range(6000)]
    weights = [1 / place for place in range(1, len(words) + 1)]
    return [
        f"{' '.join(drawing.choices(words, weights, k=drawing.randint(6, 40)))} {number}." for number in range(count)
    ]


def project_of(folder: Path) -> Project:
    """Return a project of many files with one function each."""
    project = Project(folder)
    for number in range(FILES):
        run = Definition(f"run{number}", "function", 1, 2, body=f"b{number}", signature="s")
        project.add(f"src/part{number % 20}/file{number}.py", f"def run{number}():\n    pass\n", definitions=(run,))
    return project


def cost(call: Callable[[], Any], tries: int = TRIES) -> float:
    """Return the CPU milliseconds of a call, the best of some."""
    found = []
    for _ in range(tries):
        started = time.process_time()
        call()
        found.append((time.process_time() - started) * 1000)
    return min(found)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--mirrors", type=Path)
    given = parser.parse_args()
    texts = texts_of(given.notes + BATCH, given.mirrors)
    drawing = random.Random(3)

    def note(text: str) -> dict[str, Any]:
        number = drawing.randrange(FILES)
        node = f"src/part{number % 20}/file{number}.py"
        about = [node if drawing.random() < 0.5 else f"{node}::run{number}"] if drawing.random() < 0.7 else []
        return {"text": text, "type": drawing.choice(["gotcha", "decision", "reference"]), "about": about}

    with tempfile.TemporaryDirectory() as folder:
        project = project_of(Path(folder))
        for start in range(0, given.notes, BATCH):
            batch = [note(text) for text in texts[start : min(start + BATCH, given.notes)]]
            project.ask(memory_write.OPERATION, notes=batch, on_conflict="off")
        ids = [row.note.id for row in project.notes.book.current()]
        print(f"{len(ids)} notes, journal {(project.root / '.memoire/notes.jsonl').stat().st_size / 1e6:.1f} MB")
        last = [note(text) for text in texts[given.notes : given.notes + BATCH]]
        plan = {"notes": last, "dry_run": True}
        show(f"write of {BATCH}, dry run", cost(lambda: project.raw(memory_write.OPERATION, **plan), 2))
        show(f"write of {BATCH}", cost(lambda: project.raw(memory_write.OPERATION, notes=last), 1))
        one = iter(range(100))
        show(
            "write of 1", cost(lambda: project.raw(memory_write.OPERATION, notes=[{"text": f"One more {next(one)}."}]))
        )
        query = " ".join(texts[17].split()[:12])
        for name, arguments in (
            ("query", {"query": query}),
            ("files", {"files": ["src/part3/file3.py"]}),
            ("query and files", {"query": query, "files": ["src/part3/file3.py"]}),
            ("query, fresh", {"query": query, "fresh": True}),
            ("query, pack", {"query": query, "budget": 2000}),
            ("nothing found", {"query": "qqqqqq"}),
        ):
            show(f"recall: {name}", cost(partial(project.raw, memory_recall.OPERATION, **arguments)))
        show("list", cost(lambda: project.raw(memory_list.OPERATION, order="newest")))
        show("read", cost(lambda: project.raw(memory_read.OPERATION, ids=[ids[7]])))
        show("check of a text", cost(lambda: project.raw(memory_check.OPERATION, text=texts[3])))

        def begin() -> None:
            project.notes = Keeper(project.root, project.state, lambda: project.now, lambda: "")
            project.raw(memory_recall.OPERATION, query=query)

        show("first question after a start", cost(begin, 1))
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


def show(name: str, ms: float) -> None:
    """Print one figure."""
    print(f"{name:32s} {ms:9.1f} ms", flush=True)


if __name__ == "__main__":
    main()
