"""Changes facts again and again, later ones winning, and asks for them: now, and as of a time.

    python -m benchmarks.notes.stale_answers [--facts 60] [--rounds 12] [--seed 1]

An oracle of two dictionaries knows what holds. Of the values that one call gives a fact only the last is ever held.
"""

import argparse
import random
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from memoire.operations import memory_list, memory_recall, memory_write
from tests.memories import Project

START = datetime(2026, 1, 1, tzinfo=UTC)
SUBJECTS = ("pool ceiling", "retry limit", "request timeout", "cache size", "log level", "default branch")
THINGS = (
    "billing worker",
    "search index",
    "mail sender",
    "image proxy",
    "login page",
    "report builder",
    "payment client",
)
VALUES = ("16", "32", "64", "128", "256", "1024", "5 seconds", "off", "main", "debug")


class Found(NamedTuple):
    """What was counted."""

    asked: int
    stale: int
    """First hits with a value that no longer held."""
    missing: int
    """Questions that the fact itself did not answer first."""
    asked_then: int
    wrong_then: int
    """Answers as of a time that the oracle gives otherwise."""
    live: int
    facts: int


def measure(folder: Path, facts: int, rounds: int, seed: int) -> Found:
    """Return what came of changing so many facts in so many rounds."""
    drawing = random.Random(seed)
    project = Project(folder)
    names = [f"{subject} of the {thing}" for thing in THINGS for subject in SUBJECTS][:facts]
    now: dict[str, str] = {}
    history: dict[str, list[tuple[datetime, str]]] = {name: [] for name in names}
    asked = stale = missing = 0
    for number in range(rounds):
        project.now = START + timedelta(days=10 * (number + 1))
        notes, last = [], {}
        for step in range(drawing.randint(1, max(2, facts))):
            name, value = drawing.choice(names), drawing.choice(VALUES)
            at = project.now - timedelta(days=9) + timedelta(minutes=step)
            notes.append({"text": f"The {name} is {value}.", "at": at.isoformat()})
            last[name] = (at, value)
        project.ask(memory_write.OPERATION, notes=notes, on_conflict="last_wins")
        for name, (at, value) in last.items():
            if now.get(name) != value:
                history[name].append((at, value))
            now[name] = value
        for name in drawing.sample(sorted(now), min(10, len(now))):
            asked += 1
            claim = first(project, name)
            stale += claim.startswith(f"The {name} is ") and claim != f"The {name} is {now[name]}."
            missing += not claim.startswith(f"The {name} is ")
    wrong = then = 0
    for _ in range(100):
        name = drawing.choice(sorted(now))
        moment = START + timedelta(days=drawing.uniform(0, 10 * rounds))
        held = [value for at, value in history[name] if at <= moment]
        then += 1
        claim = first(project, name, as_of=moment.isoformat())
        wrong += (claim == f"The {name} is {held[-1]}.") != bool(held) if held else claim.startswith(f"The {name} is ")
    live = project.ask(memory_list.OPERATION)["total_count"]
    return Found(asked, stale, missing, then, wrong, live, len(now))


def first(project: Project, name: str, **arguments: str) -> str:
    """Return the claim that answers first; empty where none does."""
    notes = project.ask(memory_recall.OPERATION, query=f"what is the {name}", limit=1, **arguments)["notes"]
    return str(notes[0]["hit"]["claim"]) if notes else ""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), given.facts, given.rounds, given.seed)
    print(f"{found.asked} questions after updates: {found.stale} stale, {found.missing} not answered first")
    print(f"{found.asked_then} questions as of a time: {found.wrong_then} otherwise than the oracle")
    print(f"{found.live} live notes of {found.facts} facts")


if __name__ == "__main__":
    main()
