"""Files of every language come and go in any order: what is left is what a project of the rest would be."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire.dispatch import extract
from memoire.graph import Graph
from memoire.languages import language_of
from memoire.model import FileChange
from memoire.processor import Processor

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIXTURES = Path(__file__).parents[2] / "languages"
LANGUAGES = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir() and folder.name != "projects")


def changes_of(folder: str) -> list[FileChange]:
    found = []
    for file in sorted((FIXTURES / folder).rglob("*")):
        path = file.relative_to(FIXTURES).as_posix()
        if file.is_file() and language_of(path) is not None:
            found.append(FileChange(path, extract(path, file.read_bytes()), 0, NOW))
    return found


def edges_of(changes: list[FileChange]) -> set[tuple[str, str, str]]:
    graph = Graph()
    graph.apply(Processor(graph, lambda _path: None).plan(changes, [], now=NOW))
    return {(edge.key.source, edge.key.relation, edge.key.target) for edge in graph.edges()}


@pytest.mark.parametrize("folder", LANGUAGES)
def test_files_go_one_by_one_and_leave_nothing_behind(folder: str) -> None:
    changes = changes_of(folder)
    graph = Graph()
    processor = Processor(graph, lambda _path: None)
    graph.apply(processor.plan(changes, [], now=NOW))
    left = {change.path: change for change in changes}
    order = list(left)
    random.Random(folder).shuffle(order)
    for number, path in enumerate(order):
        del left[path]
        graph.apply(processor.plan([], [path], now=NOW))
        if number == len(order) // 2:
            assert {(e.key.source, e.key.relation, e.key.target) for e in graph.edges()} == edges_of([*left.values()])
    assert not list(graph.edges())
    assert not processor.records
