"""`get_context`: the published shape, ranked, within any budget, honest about what it left out."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from memoire.config import Settings
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.memory import AsOf
from memoire.model import Problem
from memoire.operations._hubs import fold
from memoire.operations.get_context import OPERATION
from tests.memories import NOW, Project, event
from tests.requirements import covers


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.add("README.md", kind="document", language="markdown", age_days=7)
    project.add("shop/cart.py")
    project.add("shop/prices.py", age_days=14)
    project.add("tests/test_cart.py", age_days=7)
    project.link(
        "shop/prices.py", "DRIVES", "shop/cart.py", "cart.py:3 reads RATE, which prices.py:9 writes", causal=True
    )
    project.link("tests/test_cart.py", "ASSERTS_ON", "shop/cart.py", causal=True, cost="high", learned=11)
    project.link("shop/cart.py", "IMPORTS", "shop/prices.py")
    project.link("shop/cart.py", "IMPORTS", "pkg:requests")
    project.link("shop/cart.py", "CHANGES_WITH", "shop/prices.py", learned=40)
    return project


def large(tmp_path: Path, *, files: int = 3000, edges: int = 2500) -> Project:
    """A project with long paths and rationales, more than any budget takes."""
    project = Project(tmp_path)
    paths = [f"packages/component_{number % 40}/source/module_{number}.py" for number in range(files)]
    for path in paths:
        project.put(path, "file", "python", 3, 0, 0)
    for number in range(edges):
        source, target = paths[number % files], paths[number * 7 % files]
        project.link(source, "DRIVES", target, f"module_{number} reads what it writes; " * 20, causal=True)
    project.events = [event(number, "Edited everything, and said so at length. " * 30) for number in range(30)]
    return project


def chars(value: Any) -> int:
    return len(msgspec.json.encode(value).decode())


@covers("context.fields", "context.structure", "context.relationships", "context.best-first", "context.events", "time")
def test_the_whole_answer_of_a_small_project(project: Project) -> None:
    project.events = [
        event(1, "Ran: pytest", kind="command", importance=0.5),
        event(2, "Read shop/cart.py", kind="access"),
        event(3, "Edited shop/cart.py: changed total()", importance=0.8123, at=NOW - timedelta(seconds=1.5)),
    ]
    assert project.ask(OPERATION) == {
        "project_id": "shop_1a2b3c4d",
        "structure": {
            ".": ["shop/", "tests/", "README.md"],
            "shop/": ["shop/cart.py", "shop/prices.py"],
            "tests/": ["tests/test_cart.py"],
        },
        "relationships": [
            {
                "source": "tests/test_cart.py",
                "relation": "ASSERTS_ON",
                "target": "shop/cart.py",
                "rationale": "test_cart.py:1 says so",
                "is_causal": True,
                "cost": "high",
                "observations": 12,
            },
            {
                "source": "shop/prices.py",
                "relation": "DRIVES",
                "target": "shop/cart.py",
                "rationale": "cart.py:3 reads RATE, which prices.py:9 writes",
                "is_causal": True,
                "cost": "normal",
                "observations": 1,
            },
            {
                "source": "shop/cart.py",
                "relation": "IMPORTS",
                "target": "shop/prices.py",
                "rationale": "cart.py:1 says so",
                "is_causal": False,
                "cost": "normal",
                "observations": 1,
            },
            {
                "source": "shop/cart.py",
                "relation": "IMPORTS",
                "target": "requests",
                "rationale": "cart.py:1 says so",
                "is_causal": False,
                "cost": "normal",
                "observations": 1,
            },
        ],
        "recent_events": [
            {
                "summary": "Edited shop/cart.py: changed total()",
                "importance": 0.81,
                "created_at": "2026-05-18T10:22:58Z",
            },
            {"summary": "Ran: pytest", "importance": 0.5, "created_at": "2026-05-17T17:44:00Z"},
        ],
        "as_of": {"generation": 7, "commit": "8bc2e2e6f8df", "branch": "main"},
    }


def test_an_empty_project_has_every_published_field(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.as_of = AsOf(0)
    assert project.raw(OPERATION) == (
        '{"project_id":"shop_1a2b3c4d","structure":{".":[]},"relationships":[],"recent_events":[],'
        '"as_of":{"generation":0}}'
    )


def test_the_answer_says_what_is_pending_and_what_could_not_be_read(project: Project) -> None:
    project.pending = tuple(f"new{number:02}.py" for number in range(12))
    project.add("broken.py", problems=(Problem("syntax", "line 3", 3),))
    project.add("logo.png", language="", problems=(Problem("binary", "no text"),))  # nobody expects it to be parsed
    project.put("unparsed.py", "file", "python", 0, 0, 0)
    answer = project.ask(OPERATION)
    assert answer["pending"] == [*(f"new{number:02}.py" for number in range(10)), "… 2 more"]
    assert answer["problems"] == 2


@covers("context.structure-size", "context.relationship-size")
def test_a_large_project_costs_no_more_than_a_small_one(tmp_path: Path) -> None:
    answer = large(tmp_path).ask(OPERATION)
    assert chars(answer) <= 5500 * 4
    assert chars(answer["structure"]) <= 250 * 4
    assert 80 <= len(answer["relationships"]) <= 100
    assert max(chars(edge) for edge in answer["relationships"]) <= 65 * 4  # two paths of 48 characters
    assert len(answer["recent_events"]) == 10
    assert re.fullmatch(r"\d+ of 2500; expand\(path\) has a path's own", answer["cut"]["relationships"])
    assert re.fullmatch(r"\d+ of 3000 files; expand\('dir/'\) lists one", answer["cut"]["structure"])


def test_the_published_example_of_an_edge_costs_fifty_tokens(project: Project) -> None:
    project.add("THEORY.md", kind="document", language="markdown")
    why = "Theory defines the causal model the SDK must implement"
    project.link("THEORY.md", "SPECIFIES", "memoire/sdk.py", why, causal=True, learned=11)
    edges = project.ask(OPERATION)["relationships"]
    assert [chars(edge) / 4 for edge in edges if edge["source"] == "THEORY.md"] == [47.75]


@pytest.mark.parametrize("budget", [200, 201, 250, 333, 500, 1000, 2000, 5500, 20_000, 100_000])
def test_no_budget_is_exceeded(tmp_path: Path, budget: int) -> None:
    project = large(tmp_path, files=600, edges=600)
    project.pending = tuple(f"src/a_rather_long_name_of_a_file_{number}.py" for number in range(50))
    raw = project.raw(OPERATION, budget=budget)
    assert len(raw) <= budget * 4
    answer = msgspec.json.decode(raw)
    assert {"project_id", "structure", "relationships", "recent_events", "as_of"} <= answer.keys()
    assert len(answer["relationships"]) in {0, 100} or len(raw) > budget * 4 - 600  # what is there is used


def test_relationships_are_cut_first_then_events_then_the_structure(tmp_path: Path) -> None:
    project = large(tmp_path, files=600, edges=600)

    def counts(budget: int) -> tuple[int, int, int]:
        answer = project.ask(OPERATION, budget=budget)
        return len(answer["relationships"]), len(answer["recent_events"]), chars(answer["structure"])

    found = [counts(budget) for budget in (200, 300, 500, 800, 1200, 3000)]
    assert found == sorted(found)
    full = found[-1][2]
    for edges, events, structure in found:
        assert not edges or events == 10
        assert not events or structure == full
    assert [bool(edges) for edges, _, _ in found] == [False, False, False, False, True, True]


def test_the_setting_is_the_budget_where_the_caller_names_none(tmp_path: Path) -> None:
    project = large(tmp_path, files=600, edges=600)
    project.settings = Settings(budget_tokens=900)
    assert len(project.raw(OPERATION)) <= 3600
    assert len(project.raw(OPERATION, budget=2000)) > 7000


def test_an_answer_is_the_same_while_nothing_changes(tmp_path: Path) -> None:
    project = large(tmp_path, files=300, edges=300)
    first = project.raw(OPERATION)
    project.now = NOW + timedelta(minutes=7)
    assert project.raw(OPERATION) == first


@pytest.mark.parametrize(
    ("argument", "value"), [("budget", 199), ("budget", 100_001), ("budget", "many"), ("max_tokens", 500)]
)
def test_arguments_that_make_no_sense_are_refused(project: Project, argument: str, value: object) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        project.ask(OPERATION, **{argument: value})
    assert raised.value.argument in {argument, "get_context"}


def test_a_budget_written_as_text_is_a_number(project: Project) -> None:
    assert project.ask(OPERATION, budget="300")["project_id"] == "shop_1a2b3c4d"


def test_names_with_quotes_and_controls_are_within_the_budget_too(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for number in range(300):
        project.put(f'a"\\\x01\x02\x03{number}/b"\\\x01\x02\x03.py', "file", "python", 0, 0, 0)
    for budget in (200, 400, 5500):
        raw = project.raw(OPERATION, budget=budget)
        assert len(raw) <= budget * 4
        assert len(msgspec.json.encode(msgspec.json.decode(raw)["structure"]).decode()) <= 1000


def test_events_are_the_last_ten_and_accesses_are_none(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.events = [event(number, kind="access" if number > 20 else "file_edit") for number in range(100)]
    shown = [item["summary"] for item in project.ask(OPERATION)["recent_events"]]
    assert shown == [f"Event {number}" for number in range(20, 10, -1)]


class TestHubs:
    def test_every_hub_is_told_and_what_it_repeats_is_folded_into_its_best_edge(self, tmp_path: Path) -> None:
        project = Project(tmp_path)
        for hub in range(60):
            project.add(f"h{hub:02}.py", age_days=hub)
            for number in range(5):
                project.add(f"u{hub:02}_{number}.py", age_days=30 + number)
                project.link(f"h{hub:02}.py", "DRIVES", f"u{hub:02}_{number}.py", causal=True)
        shown = project.ask(OPERATION)["relationships"]
        assert {edge["source"] for edge in shown} == {f"h{hub:02}.py" for hub in range(60)}
        first = shown[0]
        assert (first["source"], first["target"]) == ("h00.py", "u00_0.py")
        assert first["also"] == [f"u00_{number}.py" for number in range(1, 5)]
        assert first["count"] == 4
        assert "of" not in first

    def test_a_hub_keeps_entries_of_its_own_while_there_is_room_for_the_others(self, tmp_path: Path) -> None:
        project = Project(tmp_path)
        project.add("core.py")
        for number in range(150):
            project.add(f"user_{number:03}.py", age_days=30 + number)
            project.link("core.py", "DRIVES", f"user_{number:03}.py", causal=True)
        for name in ("a", "b"):
            project.add(f"{name}.py", age_days=60)
        project.link("a.py", "IMPORTS", "b.py")
        *own, last = project.ask(OPERATION)["relationships"]
        assert [edge["target"] for edge in own] == [f"user_{number:03}.py" for number in range(32)]
        assert own[0]["count"] == 150 - 32
        assert own[0]["also"][0] == "user_032.py"
        assert (last["source"], last["target"]) == ("a.py", "b.py")

    def test_what_shares_its_target_is_folded_too_and_says_so(self, tmp_path: Path) -> None:
        project = Project(tmp_path)
        project.add("core.py")
        for number in range(150):
            project.add(f"test_{number:03}.py", age_days=number)
            project.link(f"test_{number:03}.py", "ASSERTS_ON", "core.py", causal=True, cost="high")
        first = project.ask(OPERATION)["relationships"][0]
        assert first["source"] == "test_000.py"
        assert first["also"][0] == "test_032.py"
        assert (first["count"], first["of"]) == (150 - 32, "sources")

    @pytest.mark.parametrize("most", [40, 150, 10_000])
    def test_no_edge_is_told_twice(self, tmp_path: Path, most: int) -> None:
        project = Project(tmp_path)
        for number in range(40):
            project.add(f"m{number}.py", age_days=number)
        keys = {(f"m{a}.py", "DRIVES", f"m{b}.py") for a in range(40) for b in range(40) if a != b and (a * b) % 7 < 2}
        for source, relation, target in sorted(keys):
            project.link(source, relation, target, causal=True)
        folded = fold(project.graph.ranked_edges(now=project.now), most)
        told = []
        for item in folded:
            key = item.first.edge.key
            told.append((key.source, key.relation, key.target))
            told += [
                (key.source, key.relation, other) if item.is_target else (other, key.relation, key.target)
                for other in item.others
            ]
        assert len(told) == len(set(told))
        assert set(told) <= keys
        assert len(folded) <= most
        assert most < 10_000 or set(told) == keys


class TestFocus:
    def test_what_touches_the_files_in_focus_comes_first(self, tmp_path: Path) -> None:
        project = large(tmp_path)
        path = "packages/component_9/source/module_2009.py"
        assert path not in str(project.ask(OPERATION)["relationships"])
        first = project.ask(OPERATION, focus=[path])["relationships"][0]
        assert path in {first["source"], first["target"]}

    def test_a_directory_puts_all_below_it_in_focus(self, tmp_path: Path) -> None:
        project = large(tmp_path)
        first = project.ask(OPERATION, focus=["packages/component_33/"])["relationships"][0]
        assert "component_33/" in first["source"] + first["target"]

    def test_a_path_that_is_not_known_is_refused_with_its_nearest(self, project: Project) -> None:
        with pytest.raises(UnknownPathError) as failure:
            project.ask(OPERATION, focus=["shop/card.py"])
        assert "shop/cart.py" in str(failure.value)


class TestAttention:
    def test_tests_that_failed_when_they_ran_last_and_open_work_are_named(self, project: Project) -> None:
        ran = {"kind": "command", "importance": 0.8}
        project.events = [
            event(1, "Ran `pytest -q`: failed", **ran, outcome="failed", failed=("tests/test_cart.py::test_total",)),
            event(2, "Ran `npm test`: failed", **ran, outcome="failed", failed=("web",)),
            event(3, "Ran `npm test`: passed", **ran, outcome="passed"),
        ]
        project.uncommitted = ["shop/prices.py", "shop/cart.py"]
        attention = project.ask(OPERATION)["attention"]
        (failing,) = attention["failing"]
        assert (failing["command"], failing["tests"]) == ("pytest -q", ["tests/test_cart.py::test_total"])
        assert attention["uncommitted"] == ["shop/cart.py", "shop/prices.py"]

    def test_nothing_is_said_where_nothing_calls_for_it(self, project: Project) -> None:
        assert "attention" not in project.ask(OPERATION)

    def test_it_is_cut_before_the_budget_is_broken(self, project: Project) -> None:
        project.uncommitted = [f"shop/module_{number}.py" for number in range(500)]
        answer = project.ask(OPERATION, budget=400)
        assert chars(answer) <= 400 * 4
        assert "of 500 uncommitted" in answer["cut"]["attention"]
