"""What can be drawn: files around a path, or those of the best edges, and the edges between them."""

from pathlib import Path

import pytest

from memoire.errors import UnknownPathError
from memoire.operations.subgraph import OPERATION
from tests.memories import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    for name in ("core.py", "a.py", "pkg/b.py", "far.py", "alone.py"):
        project.add(name)
    project.add("docs/spec.md", kind="document", language="markdown")
    project.link("core.py", "DRIVES", "a.py", causal=True)
    project.link("core.py", "DRIVES", "pkg/b.py", causal=True, cost="high")
    project.link("core.py::total", "DRIVES", "pkg/b.py::show", causal=True)
    project.link("pkg/b.py", "DRIVES", "far.py", causal=True)
    project.link("a.py", "IMPORTS", "core.py")
    project.link("a.py", "IMPORTS", "pkg:requests")
    project.link("docs/spec.md", "SPECIFIES", "core.py", causal=True)
    return project


def paths(found: dict[str, list[dict[str, str]]]) -> list[str]:
    return [node["path"] for node in found["nodes"]]


def test_the_files_around_a_path_the_nearest_first(project: Project) -> None:
    found = project.ask(OPERATION, paths=["core.py"])
    assert paths(found) == ["core.py", "a.py", "docs/spec.md", "pkg/b.py"]
    assert [node["path"] for node in found["nodes"] if node.get("is_start")] == ["core.py"]
    assert found["nodes"][2]["kind"] == "document"
    assert paths(project.ask(OPERATION, paths=["core.py"], depth=2))[-1] == "far.py"
    assert paths(project.ask(OPERATION, paths=["core.py"], depth=0)) == ["core.py"]


def test_edges_of_one_relation_between_two_files_are_one_line(project: Project) -> None:
    found = project.ask(OPERATION, paths=["core.py"])
    assert [(edge["source"], edge["relation"], edge["target"], edge.get("count", 1)) for edge in found["edges"]] == [
        ("core.py", "DRIVES", "a.py", 1),
        ("core.py", "DRIVES", "pkg/b.py", 2),
        ("docs/spec.md", "SPECIFIES", "core.py", 1),
    ]
    assert found["edges"][1]["is_costly"]


def test_relations_that_are_named_are_drawn_alone_and_packages_never(project: Project) -> None:
    found = project.ask(OPERATION, paths=["a.py"], relations=["imports"])
    assert paths(found) == ["a.py", "core.py"]
    assert [edge["relation"] for edge in found["edges"]] == ["IMPORTS"]


def test_without_a_path_the_files_of_the_best_edges_are_drawn(project: Project) -> None:
    found = project.ask(OPERATION)
    assert set(paths(found)) == {"core.py", "a.py", "pkg/b.py", "far.py", "docs/spec.md"}


def test_a_limit_says_how_many_there_are(project: Project) -> None:
    found = project.ask(OPERATION, paths=["core.py"], limit=2)
    assert (len(found["nodes"]), found["files"]) == (2, 4)
    assert [(edge["source"], edge["target"]) for edge in found["edges"]] == [("core.py", "a.py")]


def test_a_directory_is_all_of_its_files_and_an_unknown_path_an_error(project: Project) -> None:
    assert paths(project.ask(OPERATION, paths=["pkg"], depth=0)) == ["pkg/b.py"]
    with pytest.raises(UnknownPathError):
        project.ask(OPERATION, paths=["gone.py"])
