"""CHANGES_WITH: what commits bind, kept equal to what the history says of the files that there are."""

import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire.companions import Companions
from memoire.episodes.history import History, mine
from memoire.graph import Graph
from memoire.relations.changes_with import ORIGIN

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Repository:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "-q")

    def git(self, *arguments: str) -> None:
        name = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *name, *arguments], cwd=self.root, check=True, capture_output=True)

    def commit(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work")

    def history(self, known: History | None = None) -> History:
        return mine(self.root, known)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def bound(graph: Graph) -> dict[tuple[str, str], str]:
    return {
        (edge.key.source, edge.key.target): edge.rationale for edge in graph.edges() if edge.extracted_from == ORIGIN
    }


def test_three_common_commits_bind_two_files_and_two_do_not(repository: Repository) -> None:
    for number in range(3):
        repository.commit(
            {"a.py": f"x = {number}", "b.py": f"y = {number}", **({"c.py": f"{number}"} if number else {})}
        )
    graph = Graph()
    companions = Companions(graph)
    graph.apply(companions.delta(repository.history(), {"a.py", "b.py", "c.py"}, NOW))
    (edge,) = graph.edges()
    assert (edge.key.source, edge.key.relation, edge.key.target) == ("a.py", "CHANGES_WITH", "b.py")
    assert graph.observations(edge) == 3
    assert not edge.is_causal
    assert edge.rationale.startswith(f"changed together in 3 commits, last {repository.history().commits[0].id[:9]}")


def test_what_changes_together_now_and_then_is_not_bound(repository: Repository) -> None:
    for number in range(3):
        repository.commit({"a.py": f"x = {number}", "b.py": f"y = {number}"})
    for number in range(20):
        repository.commit({"a.py": f"xx = {number}"})
        repository.commit({"b.py": f"yy = {number}"})
    graph = Graph()
    graph.apply(Companions(graph).delta(repository.history(), {"a.py", "b.py"}, NOW))
    assert not bound(graph)


def test_commits_of_everything_bind_nothing(repository: Repository) -> None:
    names = [f"m{number}.py" for number in range(40)]
    for number in range(4):
        repository.commit(dict.fromkeys(names, f"x = {number}"))
    graph = Graph()
    graph.apply(Companions(graph).delta(repository.history(), set(names), NOW))
    assert not bound(graph)


def test_a_rename_carries_the_edge_and_a_deletion_closes_it(repository: Repository) -> None:
    body = "".join(f"value_{number} = {number}\n" for number in range(30))
    for number in range(3):
        repository.commit({"a.py": f"x = {number}", "b.py": body + f"y = {number}\n"})
    graph = Graph()
    companions = Companions(graph)
    history = repository.history()
    graph.apply(companions.delta(history, {"a.py", "b.py"}, NOW))
    assert list(bound(graph)) == [("a.py", "b.py")]
    repository.git("mv", "b.py", "z.py")
    repository.git("commit", "-q", "-m", "rename")
    history = repository.history(history)
    graph.apply(companions.delta(history, {"a.py", "z.py"}, NOW))
    assert list(bound(graph)) == [("a.py", "z.py")]
    graph.apply(companions.delta(history, {"a.py"}, NOW))
    assert not bound(graph)


def test_what_is_kept_up_to_date_equals_what_is_made_anew(repository: Repository) -> None:
    graph = Graph()
    companions = Companions(graph)
    history, files = History(), set[str]()
    for number in range(8):
        changed = {
            f"{name}.py": f"{number}" for place, name in enumerate("abcd") if (number >> place) & 1 or place == 0
        }
        repository.commit(changed)
        files |= set(changed)
        history = repository.history(history)
        graph.apply(companions.delta(history, files, NOW))
    fresh = Graph()
    fresh.apply(Companions(fresh).delta(repository.history(), files, NOW))
    assert bound(graph) == bound(fresh)
    assert bound(fresh)
    assert companions.delta(history, files, NOW).is_empty()
