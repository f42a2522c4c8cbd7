"""What probably follows is told by what followed before; where that says too little, by how often a thing is done."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoire.model import Event
from memoire.operations import recent_events
from tests.memories import NOW, Project, event


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    for path in ("a.py", "b.py"):
        made.add(path)
    return made


def likely(project: Project, most: int = 3) -> list[tuple[str, str, float, bool]]:
    found = project.ask(recent_events.OPERATION, likely=most).get("likely", [])
    return [(each["kind"], each["what"], each["probability"], each["backed_off"]) for each in found]


def step(number: int, what: str, **fields: Any) -> Event:
    at = NOW - timedelta(minutes=10_000 - number)
    if what.endswith(".py"):
        return event(number, f"Edited {what}", entities=(what,), at=at, **fields)
    return event(number, f"Ran `{what}`: 0", kind="command", at=at, **fields)


@pytest.mark.shows("T27")
def test_a_step_that_was_followed_by_the_same_is_likely_followed_by_it_again(project: Project) -> None:
    assert likely(project) == []
    for begin in (100, 200, 300, 400):
        project.events += [step(begin, "a.py"), step(begin + 1, "pytest -q"), step(begin + 2, "git commit -m x")]
    project.events += [step(500, "a.py"), step(501, "make lint"), step(600, "a.py")]
    commands = [each for each in likely(project) if each[0] == "command"]
    assert commands == [("command", "pytest", 0.8, False), ("command", "make lint", 0.2, False)]
    project.events.append(step(601, "pytest -q"))
    assert likely(project, 1) == [("command", "git commit", 1.0, False)]


@pytest.mark.shows("T27")
def test_where_too_little_was_seen_it_is_the_base_rate_and_says_so(project: Project) -> None:
    project.events = [
        step(100, "b.py"),
        step(101, "pytest -q"),
        step(300, "pytest -q"),
        step(500, "make lint"),
        step(700, "a.py"),
    ]
    assert likely(project) == [
        ("edit", "b.py", 1.0, True), ("command", "pytest", 0.67, True), ("command", "make lint", 0.33, True),
    ]  # fmt: skip
    assert "likely" not in project.ask(recent_events.OPERATION)
