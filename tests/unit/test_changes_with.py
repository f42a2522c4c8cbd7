"""CHANGES_WITH: what commits bind, kept equal to what the history says of the files that there are."""

import subprocess
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire.companions import Companions
from memoire.episodes.history import History, mine
from memoire.graph import Graph
from memoire.impact import is_code
from memoire.model import GraphDelta
from memoire.relations.changes_with import ORIGIN, together
from memoire.relations.lessons import Lessons

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


class Kept:
    """A graph whose edges are kept equal to what a history says of some files."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.lessons = Lessons()
        self.companions = Companions(self.graph, self.lessons, lambda _one, _other: False)

    def take(self, history: History, files: Collection[str]) -> GraphDelta:
        self.lessons.know(together(history.commits, files, is_code))
        delta = self.companions.delta(files, NOW)
        self.graph.apply(delta)
        return delta


def bound(graph: Graph) -> dict[tuple[str, str], str]:
    return {
        (edge.key.source, edge.key.target): edge.rationale for edge in graph.edges() if edge.extracted_from == ORIGIN
    }


def test_three_common_commits_bind_two_files_and_two_do_not(repository: Repository) -> None:
    for number in range(3):
        repository.commit(
            {"a.py": f"x = {number}", "b.py": f"y = {number}", **({"c.py": f"{number}"} if number else {})}
        )
    kept = Kept()
    kept.take(repository.history(), {"a.py", "b.py", "c.py"})
    (edge,) = kept.graph.edges()
    assert (edge.key.source, edge.key.relation, edge.key.target) == ("a.py", "CHANGES_WITH", "b.py")
    assert kept.graph.observations(edge) == 3
    assert not edge.is_causal
    assert edge.rationale.startswith(f"changed together in 3 commits, last {repository.history().commits[0].id[:9]}")


def test_what_changes_together_now_and_then_is_not_bound(repository: Repository) -> None:
    for number in range(3):
        repository.commit({"a.py": f"x = {number}", "b.py": f"y = {number}"})
    for number in range(20):
        repository.commit({"a.py": f"xx = {number}"})
        repository.commit({"b.py": f"yy = {number}"})
    kept = Kept()
    kept.take(repository.history(), {"a.py", "b.py"})
    assert not bound(kept.graph)


def test_commits_of_everything_bind_nothing(repository: Repository) -> None:
    names = [f"m{number}.py" for number in range(40)]
    for number in range(4):
        repository.commit(dict.fromkeys(names, f"x = {number}"))
    kept = Kept()
    kept.take(repository.history(), set(names))
    assert not bound(kept.graph)


def test_a_rename_carries_the_edge_and_a_deletion_closes_it(repository: Repository) -> None:
    body = "".join(f"value_{number} = {number}\n" for number in range(30))
    for number in range(3):
        repository.commit({"a.py": f"x = {number}", "b.py": body + f"y = {number}\n"})
    kept = Kept()
    history = repository.history()
    kept.take(history, {"a.py", "b.py"})
    assert list(bound(kept.graph)) == [("a.py", "b.py")]
    repository.git("mv", "b.py", "z.py")
    repository.git("commit", "-q", "-m", "rename")
    history = repository.history(history)
    kept.take(history, {"a.py", "z.py"})
    assert list(bound(kept.graph)) == [("a.py", "z.py")]
    kept.take(history, {"a.py"})
    assert not bound(kept.graph)


def test_what_is_kept_up_to_date_equals_what_is_made_anew(repository: Repository) -> None:
    kept = Kept()
    history, files = History(), set[str]()
    for number in range(8):
        changed = {
            f"{name}.py": f"{number}" for place, name in enumerate("abcd") if (number >> place) & 1 or place == 0
        }
        repository.commit(changed)
        files |= set(changed)
        history = repository.history(history)
        kept.take(history, files)
    fresh = Kept()
    fresh.take(repository.history(), files)
    assert bound(kept.graph) == bound(fresh.graph)
    assert bound(fresh.graph)
    assert kept.take(history, files).is_empty()
