"""A small project with notes, for the tests of the memory tools: asked as a client asks it."""

from pathlib import Path
from typing import Any

from memoire.model import Definition
from memoire.operations import memory_read, memory_write
from tests.memories import Project

QUEUE = "def run(jobs):\n    # at most 64\n    return jobs[:64]\n"


def shop(folder: Path) -> Project:
    """Return a project of two files, one of them with a function."""
    made = Project(folder)
    run = Definition("run", "function", 1, 3, body="b1", signature="s1")
    made.add("shop/queue.py", QUEUE, definitions=(run,))
    made.add("shop/web.py", "import shop\n")
    return made


def write(of: Project, *texts: str | dict[str, Any], **arguments: Any) -> list[dict[str, Any]]:
    """Write notes in one call; return what became of each."""
    notes = [{"text": text} if isinstance(text, str) else text for text in texts]
    results: list[dict[str, Any]] = of.ask(memory_write.OPERATION, notes=notes, **arguments)["results"]
    return results


def read(project: Project, *ids: str, **arguments: Any) -> list[dict[str, Any]]:
    """Return notes as `memory_read` shows them."""
    notes: list[dict[str, Any]] = project.ask(memory_read.OPERATION, ids=list(ids), **arguments)["notes"]
    return notes


def journal(project: Project) -> str:
    """Return the text of the project's journal; empty where there is none."""
    path = project.root / ".memoire" / "notes.jsonl"
    return path.read_text() if path.exists() else ""
