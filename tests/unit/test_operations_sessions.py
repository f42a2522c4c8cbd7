"""Sessions are nodes: `search` finds them by what was asked, `expand` tells them, `export` and `recent_events` too."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoire.errors import UnknownPathError
from memoire.model import Event
from memoire.operations import expand, export, recent_events, search
from memoire.terminal.views import show_result
from tests.memories import NOW, Project, event

ID = "6f1c2a4e-0c7d-4d5e-9b7a-2f1d3c5b7a90"
OTHER = "6f1c2a4e-0c7d-4d5e-9b7a-000000000000"


def told(number: int, kind: str, summary: str = "", **fields: Any) -> Event:
    values = {"session": ID, "client": "claude-code", "actor": "assistant", **fields}
    return event(number, summary or f"{kind} {number}", kind=kind, **values)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.add("shop/cart.py")
    project.events = [
        told(1, "session", "Session started: claude-code (startup)"),
        told(2, "prompt", "Asked: make the cart round half-cent discounts", actor="person"),
        told(3, "access", entities=("shop/cart.py", "shop/tax.py")),
        told(4, "file_edit", entities=("shop/cart.py", "shop/cart.py::total")),
        told(5, "file_edit", entities=("shop/cart.py",), replaces=event(4).id, count=2),
        told(6, "file_create", entities=("shop/rounding.py",)),
        told(
            7,
            "command",
            "Ran `pytest -q`: 1 failed, 3 passed",
            outcome="failed",
            failed=("tests/test_cart.py::test_total",),
            importance=0.8,
        ),
        told(8, "command", "Ran `pytest -q`: 4 passed", outcome="passed"),
        told(9, "prompt", "Asked: now document the hunter2 rounding rule", actor="person"),
        told(10, "session", "Session ended: claude-code (logout)"),
        told(500, "prompt", "Asked: why is the login slow", session=OTHER, actor="person"),
        event(501, "Edited shop/cart.py", entities=("shop/cart.py",)),
    ]
    return project


@pytest.mark.shows("H68")
def test_a_session_is_found_by_what_was_asked_in_it(project: Project) -> None:
    (found,) = project.ask(search.OPERATION, query="document rounding rule", kinds=["session"])["results"]
    assert found["path"] == f"session:{ID}"
    assert found["kind"] == "session"
    assert found["name"] == "make the cart round half-cent discounts"
    assert found["snippet"] == "now document the [secret] rounding rule"
    assert found["created_at"] == "2026-05-17T17:53:00Z"
    (found,) = project.ask(search.OPERATION, query='"half-cent discounts"', kinds=["session"])["results"]
    assert found["snippet"] == "make the cart round half-cent discounts"


def test_sessions_are_among_all_kinds_and_below_the_directories_they_edited(project: Project) -> None:
    paths = [hit["path"] for hit in project.ask(search.OPERATION, query="slow login")["results"]]
    assert f"session:{OTHER}" in paths
    assert project.ask(search.OPERATION, query=ID, kinds=["session"])["results"][0]["path"] == f"session:{ID}"
    (project.root / "shop").mkdir()
    found = project.ask(search.OPERATION, query="discounts", kinds=["session"], prefix="shop/")["results"]
    assert [hit["path"] for hit in found] == [f"session:{ID}"]
    assert project.ask(search.OPERATION, query="login", kinds=["session"], prefix="shop/")["results"] == []


def test_the_whole_detail_of_a_session(project: Project) -> None:
    assert project.ask(expand.OPERATION, path=f"session:{ID}") == {
        "path": f"session:{ID}",
        "type": "session",
        "summary": "claude-code session | make the cart round half-cent discounts | 2 prompts, 3 edits of 2 files | "
        "2 commands, 1 failed",
        "client": "claude-code",
        "started": "2026-05-17T17:44:00Z",
        "last": "2026-05-17T17:53:00Z",
        "ended": "2026-05-17T17:53:00Z",
        "prompts": [
            {"at": "2026-05-17T17:45:00Z", "prompt": "make the cart round half-cent discounts"},
            {"at": "2026-05-17T17:52:00Z", "prompt": "now document the [secret] rounding rule"},
        ],
        "edited": [{"path": "shop/cart.py", "edits": 2}, {"path": "shop/rounding.py", "edits": 1}],
        "looked_at": ["shop/tax.py", "shop/cart.py"],
        "commands": [
            {"at": "2026-05-17T17:51:00Z", "command": "Ran `pytest -q`: 4 passed", "outcome": "passed"},
            {"at": "2026-05-17T17:50:00Z", "command": "Ran `pytest -q`: 1 failed, 3 passed", "outcome": "failed"},
        ],
        "failing": ["tests/test_cart.py::test_total"],
        "as_of": {"generation": 7, "commit": "8bc2e2e6f8df", "branch": "main"},
    }


def test_a_session_that_goes_on_has_no_end(project: Project) -> None:
    assert "ended" not in project.ask(expand.OPERATION, path=f"session:{OTHER}")


@pytest.mark.parametrize("budget", [200, 300, 700, 2000])
def test_the_detail_stays_within_its_budget_and_says_what_was_cut(project: Project, budget: int) -> None:
    project.events += [
        told(number, kind, f"Asked: {number} {'please ' * 40}", entities=(f"some/directory/file_{number}.py",))
        for number in range(20, 400)
        for kind in ("prompt", "file_edit", "command")
    ]
    raw = project.raw(expand.OPERATION, path=f"session:{ID}", budget=budget)
    assert len(raw) <= 4 * budget
    assert "cut" in raw


@pytest.mark.parametrize("ask", [
    lambda project, name: project.ask(expand.OPERATION, path=f"session:{name}"),
    lambda project, name: project.ask(recent_events.OPERATION, session=name),
])  # fmt: skip
def test_an_unknown_session_is_refused_with_those_that_are_near(project: Project, ask: Any) -> None:
    with pytest.raises(UnknownPathError) as raised:
        ask(project, ID[:8])
    assert set(raised.value.near) == {f"session:{ID}", f"session:{OTHER}"}
    assert "no session has this id" in str(raised.value)
    with pytest.raises(UnknownPathError) as raised:
        ask(project, "zzz")
    assert raised.value.near == ()


def test_the_events_of_a_session_by_its_id_or_its_node(project: Project) -> None:
    plain = project.ask(recent_events.OPERATION, session=ID)["events"]
    assert [item["kind"] for item in plain] == [
        "session", "prompt", "command", "command", "file_create", "file_edit", "prompt", "session",
    ]  # fmt: skip
    assert project.ask(recent_events.OPERATION, session=f"session:{ID}")["events"] == plain
    found = project.ask(
        recent_events.OPERATION, session=ID, since=(NOW - timedelta(days=300)).isoformat(), kinds=["batch"]
    )
    assert found["events"] == []


def test_a_session_that_is_known_and_has_no_events_any_more_is_no_error(project: Project) -> None:
    assert project.ask(recent_events.OPERATION, session=OTHER, until="2020-01-01")["events"] == []


def test_export_has_the_sessions_after_the_edges_page_by_page(project: Project) -> None:
    project.link("shop/cart.py", "IMPORTS", "shop/tax.py")
    records: list[dict[str, Any]] = []
    after = ""
    while True:
        page = project.ask(export.OPERATION, limit=1, **({"after": after} if after else {}))
        records += page["records"]
        if "next" not in page:
            break
        after = page["next"]
    assert records == project.ask(export.OPERATION)["records"]
    assert [record.get("path", "edge") for record in records] == [
        "shop/cart.py", "edge", f"session:{OTHER}", f"session:{ID}",
    ]  # fmt: skip
    assert records[-1]["type"] == "node"
    assert records[-1]["kind"] == "session"
    assert records[-1]["edited"] == {"shop/cart.py": 2, "shop/rounding.py": 1}
    assert (records[-1]["commands"], records[-1]["failures"]) == (2, 1)
    assert "hunter2" not in str(records)


def test_the_command_line_shows_a_session(project: Project) -> None:
    blocks = str(show_result(project.ask(expand.OPERATION, path=f"session:{ID}")))
    for text in ("make the cart round half-cent discounts", "shop/rounding.py", "pytest -q", "tests/test_cart.py"):
        assert text in blocks
    blocks = str(show_result(project.ask(search.OPERATION, query="discounts", kinds=["session"])))
    assert f"session:{ID}" in blocks
