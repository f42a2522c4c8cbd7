"""What becomes of notes while the tree changes: kept with the save, told as an event, carried along with the code."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from memoire.notes.anchors import compare
from memoire.operations import memory_read, memory_write, recent_events
from memoire.project import Project
from tests.integration.test_project import opened, write

RUN = "def run(jobs):\n    return jobs + 1\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project in a home of its own."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    folder = tmp_path / "shop"
    write(folder, {"a.py": RUN, "b.py": "import a\n\na.run(1)\n"})
    return folder


async def noted(project: Project, *about: str, text: str = "Jobs are counted from one.") -> str:
    operation = memory_write.OPERATION
    draft = {"text": text, "type": "gotcha", "about": list(about)}
    return str((await operation.run(project.memory, operation.parse({"notes": [draft]}))).results[0].id)


async def state(project: Project, name: str) -> dict[str, Any]:
    operation = memory_read.OPERATION
    found = await operation.run(project.memory, operation.parse({"ids": [name]}))
    freshness: dict[str, Any] = msgspec.to_builtins(found.notes[0].hit.freshness)
    return freshness


async def told(project: Project) -> list[str]:
    found = await recent_events.run(project.memory, recent_events.Params(kinds=["note"]))
    return [event.summary for event in found.events]


def is_as_judged_from_scratch(project: Project) -> bool:
    """Whether what is kept of every live note is what its anchors say when they are looked at now."""
    kept = {key: (one.state, one.now) for key, one in project.verdicts.kept().items()}
    world = project.verdicts.world
    found = {
        (row.note.id, anchor.node): compare(anchor, world)[:2]
        for row in project.notes.book.current()
        for anchor in row.note.about
        if row.status == "active"
    }
    return kept == found


async def test_a_save_makes_a_note_stale_and_says_what_changed_by_which_event(root: Path) -> None:
    async with opened(root) as project:
        name = await noted(project, "a.py::run")
        assert (await state(project, name))["state"] == "fresh"
        write(root, {"a.py": RUN.replace("+ 1", "+ 2")})
        await project.memory.settle(20)
        assert is_as_judged_from_scratch(project)
        first = await state(project, name)
        cause = first["anchors"][0]["cause"]
        assert (first["state"], first["anchors"][0]["state"]) == ("stale", "changed")
        assert cause["what"] == "`run` changed its body in a.py"
        assert await told(project) == [f"Note {name} became changed: `run` changed its body in a.py"]
        (edit,) = await project.memory.events(1, kinds=["file_edit"])
        assert cause["event"] == edit.id
    async with opened(root) as project:
        assert await state(project, name) == first, "it is kept over a restart"
        write(root, {"a.py": RUN})
        await project.memory.settle(20)
        assert (await state(project, name))["state"] == "fresh"
        assert (await told(project))[0].startswith(f"Note {name} is no longer changed")
        assert is_as_judged_from_scratch(project)


async def test_what_changes_while_nothing_runs_is_judged_at_the_next_start(root: Path) -> None:
    async with opened(root) as project:
        name = await noted(project, "a.py::run")
        await state(project, name)
    (root / "a.py").unlink()
    async with opened(root) as project:
        assert (await state(project, name))["anchors"][0]["state"] == "gone"
        assert is_as_judged_from_scratch(project)
        assert await told(project) == [f"Note {name} became gone: a.py::run is gone"]


async def test_a_note_goes_along_with_a_renamed_file_and_comes_back_with_it(root: Path) -> None:
    async with opened(root) as project:
        name = await noted(project, "a.py::run", "a.py")
        (root / "a.py").rename(root / "core.py")
        await project.memory.settle(20)
        found = await state(project, name)
        assert found["state"] == "fresh"
        assert [(each["entity"], each["state"], each["was"]) for each in found["anchors"]] == [
            ("core.py::run", "carried", "a.py::run"),
            ("core.py", "carried", "a.py"),
        ]
        assert not (root / ".memoire/notes.jsonl").read_text().count("core.py"), "the tracked file is left alone"
        await noted(project, "b.py", text="Nothing runs at import.")
        assert (root / ".memoire/notes.jsonl").read_text().count("carried") == 1, "it is told with the next note"
        (root / "core.py").rename(root / "a.py")
        await project.memory.settle(20)
        back = await state(project, name)
        assert [(each["entity"], each["state"], each["was"]) for each in back["anchors"]] == [
            ("a.py::run", "fresh", None),
            ("a.py", "fresh", None),
        ]
        assert is_as_judged_from_scratch(project)


async def test_a_note_goes_along_with_a_definition_but_never_to_one_of_two(root: Path) -> None:
    async with opened(root) as project:
        name = await noted(project, "a.py::run")
        write(root, {"core.py": f"LIMIT = 2\n\n\n{RUN}", "a.py": "from core import run\n"})
        await project.memory.settle(20)
        assert (await state(project, name))["anchors"][0]["entity"] == "core.py::run"
        write(root, {"core.py": "LIMIT = 2\n", "x.py": RUN, "y.py": RUN})
        await project.memory.settle(20)
        found = (await state(project, name))["anchors"][0]
        assert (found["entity"], found["state"]) == ("core.py::run", "ambiguous")
        assert is_as_judged_from_scratch(project)
