from pathlib import Path
from typing import Any

import pytest

from memoire.errors import InvalidArgumentError
from memoire.model import Effect, Problem
from memoire.operations.export import OPERATION
from tests.memories import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    effects = (Effect("database", "sqlite3.connect", 4), Effect("env", "os.environ.get", 5))
    project.add("src/store.py", "x", age_days=2, changes=3, accesses=4, summary="Keeps orders.", effects=effects)
    project.add("docs/store.md", "x", kind="document", language="markdown", problems=(Problem("syntax", "line 1"),))
    project.link("src/store.py", "IMPORTS", "pkg:sqlite3")
    project.link("docs/store.md", "SPECIFIES", "src/store.py", "docs/store.md:3 names it", causal=True, learned=2)
    return project


def pages(project: Project, limit: int) -> list[dict[str, Any]]:
    found = [project.ask(OPERATION, limit=limit)]
    while "next" in found[-1]:
        found.append(project.ask(OPERATION, limit=limit, after=found[-1]["next"]))
    return found


def test_every_node_and_edge_is_given_whole(project: Project) -> None:
    assert project.ask(OPERATION) == {
        "project_id": "shop_1a2b3c4d",
        "as_of": {"generation": 7, "commit": "8bc2e2e6f8df", "branch": "main"},
        "records": [
            {
                "type": "node",
                "path": "docs/store.md",
                "kind": "document",
                "language": "markdown",
                "problems": ["syntax"],
                "size": 1,
                "reachability": 1,
                "changed_at": "2026-05-18T10:23:00Z",
            },
            {
                "type": "node",
                "path": "src/store.py",
                "kind": "file",
                "language": "python",
                "summary": "Keeps orders.",
                "side_effects": ["database"],
                "uses": ["env"],
                "size": 1,
                "accesses": 4,
                "changed_at": "2026-05-16T10:23:00Z",
            },
            {
                "type": "edge",
                "source": "docs/store.md",
                "relation": "SPECIFIES",
                "target": "src/store.py",
                "rationale": "docs/store.md:3 names it",
                "extracted_from": "docs/store.md",
                "is_causal": True,
                "cost": "normal",
                "observations": 3,
                "confidence": 1.0,
                "valid_from": "2026-05-18T10:23:00Z",
            },
            {
                "type": "edge",
                "source": "src/store.py",
                "relation": "IMPORTS",
                "target": "pkg:sqlite3",
                "rationale": "src/store.py:1 says so",
                "extracted_from": "src/store.py",
                "cost": "normal",
                "observations": 4,
                "confidence": 1.0,
                "valid_from": "2026-05-18T10:23:00Z",
            },
        ],
    }


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_pages_of_any_size_give_each_record_once_in_one_order(limit: int, project: Project) -> None:
    whole = project.ask(OPERATION)["records"]
    found = pages(project, limit)
    assert [record for page in found for record in page["records"]] == whole
    assert all(len(page["records"]) == limit for page in found[:-1])


def test_a_page_goes_on_behind_a_record_that_has_left_meanwhile(project: Project) -> None:
    assert [record["path"] for record in project.ask(OPERATION, after="node:docs/sto", limit=1)["records"]] == [
        "docs/store.md"
    ]


def test_an_empty_project_has_no_record(tmp_path: Path) -> None:
    assert pages(Project(tmp_path), 5)[0]["records"] == []


@pytest.mark.parametrize("after", ["docs/store.md", "file:x"])
def test_a_cursor_of_no_answer_is_refused(after: str, project: Project) -> None:
    with pytest.raises(InvalidArgumentError, match="after: is the `next` of no answer"):
        project.ask(OPERATION, after=after)
