"""The history of a subject, of one note, and of somebody: what they noted, and how they work."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoire.errors import InvalidArgumentError
from memoire.model import Event
from memoire.operations import expand, memory_feedback, memory_history, memory_revise, memory_write, notes_tags
from tests.memories import NOW, Project, event


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.add("shop/queue.py", "x = 1\n")
    return made


def history(project: Project, **arguments: Any) -> dict[str, Any]:
    found: dict[str, Any] = project.ask(memory_history.OPERATION, **arguments)
    return found


def ran(number: int, line: str, **fields: Any) -> Event:
    given = {"actor": "person", **fields}
    return event(number, f"Ran `{line}`: 0", kind="command", at=NOW - timedelta(minutes=1000 - number), **given)


def committed(number: int, subject: str) -> Event:
    at = NOW - timedelta(minutes=1000 - number)
    return event(number, f'Committed 1234567 "{subject}" (a.py)', kind="commit", actor="git", at=at)


def test_versions_tell_who_and_in_which_session_and_what_to_ask_next(project: Project) -> None:
    notes = [
        {"text": "Use one queue.", "subject": "queue", "author": "Ann", "session": "s1"},
        {"text": "Never retry.", "author": "bob"},
    ]
    one, _ = (each["id"] for each in project.ask(memory_write.OPERATION, notes=notes)["results"])
    project.now += timedelta(days=1)
    project.ask(memory_revise.OPERATION, action="edit", ids=[one], set={"importance": 9}, author="bob")
    found = history(project, subject="queue")
    assert [(each["author"], each["session"]) for each in found["versions"]] == [("Ann", "s1"), ("bob", "s1")]
    assert found["next"] == [f"memory_read(ids=['{one}'])", "expand(path='session:s1')"]
    assert [each["claim"] for each in history(project, who="BOB")["versions"]] == ["Never retry.", "Use one queue."]
    assert history(project, who="session:s1", subject="queue")["count"] == 2
    assert history(project, who="eve")["versions"] == []
    assert history(project, subject="kueue")["next"] == ["memory_history(subject='queue')"]
    last = history(project, subject="queue", limit=1)
    assert ([each["author"] for each in last["versions"]], last["has_more"]) == (["bob"], True)
    assert last["next"][-1] == "memory_history(…, limit=2)"
    with pytest.raises(InvalidArgumentError, match="who"):
        history(project)


@pytest.mark.shows("T26")
def test_how_somebody_works_is_told_by_what_they_did(project: Project) -> None:
    project.events = [
        ran(100, "ruff check ."), ran(101, "pytest -q tests", outcome="passed"), ran(102, "git add -A"),
        ran(103, "git commit -m x"), committed(104, "feat: add the queue"),
        ran(300, "FOO=1 /usr/bin/ruff check ."), ran(301, "pytest -x", outcome="failed"), ran(302, "git add a.py"),
        committed(303, "fix(queue): bound it"),
        ran(500, "make lint", actor="assistant", client="claude-code"), committed(700, "Not theirs"),
    ]  # fmt: skip
    found = history(project, who="person")["habits"]
    assert [(each["what"], each["steps"], each["count"], each["of"]) for each in found] == [
        ("before a commit", ["ruff check", "pytest", "git add"], 2, 2),
        ("checks", ["pytest"], 2, 2),
        ("commit messages", ["feat: …"], 1, 2),
        ("commit messages", ["fix: …"], 1, 2),
        ("commit messages", ["20 characters"], 2, 2),
    ]
    assert history(project, who="claude-code")["habits"] == []
    assert history(project, who="eve")["habits"] == []


@pytest.mark.shows("H70")
def test_a_session_tells_its_notes_and_a_note_its_sessions(project: Project) -> None:
    (made,) = project.ask(memory_write.OPERATION, notes=[{"text": "Use one queue.", "session": "s1"}])["results"]
    project.ask(memory_feedback.OPERATION, ids=[made["id"]], signal="positive", session="s2")
    project.ask(
        memory_revise.OPERATION, action="edit", ids=[made["id"]], set={"importance": 9}, session="s2", author="bob"
    )
    project.events = [event(1, "Asked: fix it", kind="prompt", session=name) for name in ("s1",)]
    project.events += [event(2, "Asked: look at it", kind="prompt", session="s2")]

    def edges(path: str) -> list[tuple[str, str, str]]:
        found = project.ask(expand.OPERATION, path=path)["relationships"]
        return [(edge["source"], edge["relation"], edge["target"]) for edge in found]

    note = f"note:{made['id']}"
    assert edges("session:s1") == [("session:s1", "WROTE", note)]
    assert edges("session:s2") == [("session:s2", "RATED", note), ("session:s2", "CORRECTED", note)]
    assert {("session:s1", "WROTE", note), ("session:s2", "RATED", note)} <= set(edges(note))


@pytest.mark.shows("M29")
def test_tags_are_told_by_the_folders_and_files_that_notes_are_about(project: Project) -> None:
    notes = [
        {"text": "Use one queue.", "about": ["shop/queue.py"], "tags": ["area:queue", "load"]},
        {"text": "Never retry.", "about": ["shop/", "person:ann"], "tags": ["load"]},
        {"text": "It is simple.", "about": ["shop/queue.py"]},
    ]
    project.ask(memory_write.OPERATION, notes=notes)
    found = {each["path"]: each["tags"] for each in project.ask(notes_tags.OPERATION)["paths"]}
    assert found == {"shop/": {"load": 2, "area:queue": 1}, "shop/queue.py": {"area:queue": 1, "load": 1}}
    assert [each["path"] for each in project.ask(notes_tags.OPERATION, path="shop/q")["paths"]] == ["shop/queue.py"]
