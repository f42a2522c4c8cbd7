"""`recent_events`: the real store's events, newest first, filtered, bounded, page by page."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from memoire.config import Settings
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.operations.recent_events import OPERATION
from tests.memories import NOW, Project, event
from tests.requirements import covers


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.add("shop/cart.py")
    project.add("shop/db/rows.py")
    project.events = [
        event(1, "Created shop/cart.py", kind="file_create", entities=("shop/cart.py",)),
        event(2, "Ran: pytest", kind="command", session="s1", actor="assistant", client="claude-code", count=3),
        event(3, "Edited shop/db/rows.py", entities=("shop/db/rows.py", "shop/db/rows.py::save")),
        event(4, "Read shop/cart.py", kind="access", entities=("shop/cart.py",)),
        event(5, "Edited shop/cart.py: changed total()", importance=0.8, entities=("shop/cart.py",), session="s1"),
    ]
    return project


def summaries(project: Project, **arguments: Any) -> list[str]:
    return [item["summary"] for item in project.ask(OPERATION, **arguments)["events"]]


@covers("events.fields", "events.newest-first", "time")
def test_the_whole_answer(project: Project) -> None:
    assert project.ask(OPERATION, limit=2) == {
        "events": [
            {
                "summary": "Edited shop/cart.py: changed total()",
                "importance": 0.8,
                "entities": ["shop/cart.py"],
                "created_at": "2026-05-17T17:48:00Z",
                "kind": "file_edit",
                "actor": "person",
                "session": "s1",
            },
            {
                "summary": "Edited shop/db/rows.py",
                "importance": 0.5,
                "entities": ["shop/db/rows.py", "shop/db/rows.py::save"],
                "created_at": "2026-05-17T17:46:00Z",
                "kind": "file_edit",
                "actor": "person",
            },
        ],
        "as_of": {"generation": 7, "commit": "8bc2e2e6f8df", "branch": "main"},
        "next": f"{project.events[2].id}~{project.events[4].id}",
    }


@covers("events.limit")
def test_twenty_are_given_where_no_number_is(project: Project) -> None:
    project.events = [event(number) for number in range(30)]
    assert summaries(project) == [f"Event {number}" for number in range(29, 9, -1)]


def test_a_project_without_events_says_so_with_its_state(tmp_path: Path) -> None:
    assert Project(tmp_path).ask(OPERATION) == {
        "events": [],
        "as_of": {"generation": 7, "commit": "8bc2e2e6f8df", "branch": "main"},
    }


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({}, [5, 3, 2, 1]),
        ({"kinds": ["access"]}, [4]),
        ({"kinds": ["command", "file_create"]}, [2, 1]),
        ({"path": "shop/cart.py"}, [5, 1]),
        ({"path": "./shop/"}, [5, 3, 1]),
        ({"path": "shop"}, [5, 3, 1]),
        ({"path": "shop/db/rows.py::save"}, [3]),
        ({"path": "gone.py"}, []),
        ({"session": "s1"}, [5, 2]),
        ({"since": (NOW - timedelta(minutes=997)).isoformat()}, [5, 3]),
        ({"until": "2026-05-17T17:46:00Z"}, [2, 1]),
        ({"until": "2026-05-17T19:46:00+02:00"}, [2, 1]),
        ({"until": "2026-05-17T17:46:00"}, [2, 1]),
        ({"since": "997m"}, [5, 3]),
        ({"since": "1d"}, [5, 3, 2, 1]),
        ({"since": "2026-05-18"}, []),
    ],
)
def test_filters_choose_events(project: Project, filters: dict[str, Any], numbers: list[int]) -> None:
    (project.root / "shop").mkdir()
    assert summaries(project, **filters) == [project.events[number - 1].summary for number in numbers]


def test_pages_follow_each_other_without_a_gap(project: Project) -> None:
    project.events = [event(number, kind="access" if number % 3 else "command") for number in range(100)]
    seen: list[str] = []
    before = ""
    while True:
        answer = project.ask(OPERATION, limit=10, before=before)
        seen += [item["summary"] for item in answer["events"]]
        if "next" not in answer:
            break
        before = answer["next"]
    assert seen == [f"Event {number}" for number in range(99, -1, -1) if number % 3 == 0]


def test_news_behind_very_many_accesses_is_found(project: Project) -> None:
    old = event(1, "Edited long ago")
    project.events = [old, *(event(number, kind="access") for number in range(2, 4600))]
    assert summaries(project, limit=1) == ["Edited long ago"]


def test_an_answer_stays_within_the_setting_and_the_next_page_begins_where_it_was_cut(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.settings = Settings(budget_tokens=700)
    entities = tuple(f"src/directory/file_{number}.py" for number in range(30))
    project.events = [event(number, f"{number}: " + "it said more " * 60, entities=entities) for number in range(40)]
    raw = project.raw(OPERATION, limit=40)
    assert len(raw) <= 2800
    answer = msgspec.json.decode(raw)
    shown = answer["events"]
    assert 2 < len(shown) < 40
    assert answer["next"].partition("~")[0] == project.events[40 - len(shown)].id
    assert shown[0]["entities"][-1] == "… 20 more"
    assert len(shown[0]["summary"]) <= 400


def test_the_largest_answer_of_all_is_bounded(tmp_path: Path) -> None:
    project = Project(tmp_path)
    entities = tuple(f"{'directory/' * 30}file_{number}.py" for number in range(10))
    project.events = [event(number, "It said more. " * 100, entities=entities) for number in range(250)]
    assert len(project.raw(OPERATION, limit=200)) <= 5500 * 4


@pytest.mark.parametrize(
    "time",
    [
        "yesterday",
        "99999999d",
        "999999w",
        "12",
        "2026-13-01",
        "-5m",
        "0001-01-01T00:00+01:00",
        "9999-12-31T23:59-01:00",
    ],
)
def test_a_time_that_cannot_be_read_is_refused(project: Project, time: str) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        project.ask(OPERATION, since=time)
    assert raised.value.argument == "since"


def test_a_path_outside_the_project_is_refused(project: Project) -> None:
    with pytest.raises(UnknownPathError, match="outside the project"):
        project.ask(OPERATION, path="../elsewhere.py")


@pytest.mark.parametrize(("argument", "value"), [("limit", 0), ("limit", -1), ("limit", 201), ("kinds", "command")])
def test_arguments_that_make_no_sense_are_refused(project: Project, argument: str, value: object) -> None:
    with pytest.raises(InvalidArgumentError):
        project.ask(OPERATION, **{argument: value})
