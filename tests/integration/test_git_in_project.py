"""What is done with git in an open project: it is among the recent events, once, and the history follows it."""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memoire import paths
from memoire.episodes import git
from memoire.episodes.history import mine
from memoire.operations import recent_events
from memoire.operations.recent_events import EventDetail
from memoire.project import Project
from memoire.store.records import Store
from tests.repositories import Repository

MANY = 30


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> Repository:
    found = Repository(tmp_path / "shop", home)
    found.commit({f"src/m{number}.py": f"def f{number}():\n    return 1\n" for number in range(MANY)}, "first")
    return found


@asynccontextmanager
async def opened(repo: Repository) -> AsyncIterator[Project]:
    project = await Project.open(repo.root)
    try:
        await project.start()
        async with asyncio.timeout(60):
            await project.intake.idle.wait()
        yield project
    finally:
        await project.close()


async def events(project: Project, *kinds: str) -> list[EventDetail]:
    return (await recent_events.run(project.memory, recent_events.Params(limit=100, kinds=list(kinds)))).events


async def test_a_commit_is_in_the_next_answer(repo: Repository) -> None:
    async with opened(repo) as project:
        assert await events(project, "commit") == []
        sha = repo.commit({"src/m1.py": "def f1():\n    return 2\n"}, "Return two")
        (event,) = await events(project, "commit")
        assert event.summary == f'Committed {sha[:7]} "Return two": 1 file (src/m1.py)'
        assert event.entities == ["src/m1.py"]
        assert event.actor == "git"
        assert [each.kind for each in await events(project)].count("commit") == 1


async def test_a_switch_that_changes_many_files_is_one_event_that_says_so(repo: Repository) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({f"src/m{number}.py": f"def g{number}():\n    return 1\n" for number in range(25)})
    async with opened(repo) as project:
        before = {event.id for event in await project.memory.events(100)}
        repo.git("checkout", "-q", "main")
        await project.settle(20)
        fresh = [event for event in await project.memory.events(100) if event.id not in before]
        assert [(event.kind, event.summary, event.count) for event in fresh] == [
            ("checkout", "Switched from side to main: 25 changed in src/", 25)
        ]


async def test_a_switch_that_changes_few_files_is_no_edit_of_a_person(repo: Repository) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"src/m1.py": "def g():\n    return 1\n", "src/new.py": "x = 1\n"})
    async with opened(repo) as project:
        before = {event.id for event in await project.memory.events(100)}
        repo.git("checkout", "-q", "main")
        (repo.root / "src/m2.py").write_text("def mine():\n    return 1\n")
        await project.settle(20)
        fresh = {event.kind: event for event in await project.memory.events(100) if event.id not in before}
        assert sorted(fresh) == ["checkout", "file_edit"]
        assert fresh["checkout"].summary == "Switched from side to main: 1 changed and 1 deleted in src/"
        assert fresh["file_edit"].entities[0] == "src/m2.py"


async def test_a_commit_that_git_writes_itself_makes_no_edits_of_a_person(repo: Repository) -> None:
    repo.commit({"src/m1.py": "def g():\n    return 1\n"}, "to take back")
    async with opened(repo) as project:
        before = {event.id for event in await project.memory.events(100)}
        repo.git("revert", "--no-edit", "HEAD")
        await project.settle(20)
        fresh = [event for event in await project.memory.events(100) if event.id not in before]
        assert [(event.kind, event.entities) for event in fresh] == [("commit", ("src/m1.py",))]
        facts = project.intake.processor.facts("src/m1.py")
        assert facts is not None
        assert [item.name for item in facts.definitions] == ["f1"]


async def test_what_was_done_while_nothing_ran_is_told_at_the_start_and_not_again(repo: Repository) -> None:
    async with opened(repo):
        pass
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({f"src/m{number}.py": f"def g{number}():\n    return 1\n" for number in range(25)}, "all")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "side")
    kinds = ("commit", "checkout", "merge", "batch")
    async with opened(repo) as project:
        told = [(event.kind, event.summary) for event in await events(project, *kinds)]
        assert len([summary for kind, summary in told if kind == "commit" and summary.startswith("Committed")]) == 1
        assert ("merge", "Merged side: 1 commit: 25 changed in src/") in told
        assert "batch" not in [kind for kind, _ in told]
    async with opened(repo) as project:
        assert [(event.kind, event.summary) for event in await events(project, *kinds)] == told


async def test_files_are_told_when_git_has_written_them_all_but_an_old_lock_holds_nothing_up(repo: Repository) -> None:
    lock = repo.root / ".git/index.lock"
    async with opened(repo) as project:
        lock.touch()
        os.utime(lock, (far := time.time() + 3600, far))
        repo.write({"src/m1.py": "def f1():\n    return 2\n"})
        assert await project.settle(0.5) == ["src/m1.py"]
        lock.unlink()
        assert await project.settle(5) == []
        lock.touch()
        os.utime(lock, (0, 0))
        repo.write({"src/m1.py": "def f1():\n    return 3\n"})
        assert await project.settle(5) == []
        lock.unlink()


async def test_events_whose_position_was_lost_are_not_told_twice(repo: Repository) -> None:
    async with opened(repo) as project:
        seen = project.intake.repository.feed.positions
        repo.commit({"src/m1.py": "def f1():\n    return 2\n"}, "two")
        repo.git("checkout", "-q", "-b", "x")
        told = await events(project, "commit", "checkout")
        assert len(told) == 2
    store = await Store.open(Path(paths.state_dir(repo.root)))
    await store.remember({"git": seen})
    await store.close()
    async with opened(repo) as project:
        assert await events(project, "commit", "checkout") == told


async def test_the_history_follows_head_and_survives_a_restart(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(repo) as project:
        assert project.intake.repository.history.head == repo.head()
        repo.commit({"src/m1.py": "def f1():\n    return 2\n"})
        await project.settle(20)
        assert project.intake.repository.history.commits == mine(repo.root).commits
        repo.git("reset", "-q", "--hard", "HEAD~1")
        await project.settle(20)
        assert project.intake.repository.history.commits == mine(repo.root).commits
    asked: list[str] = []

    def listed(_root: Path, tip: str, *_arguments: object, **_options: object) -> list[str]:
        asked.append(tip)
        return []

    monkeypatch.setattr(git, "listed", listed)
    async with opened(repo) as project:
        assert len(project.intake.repository.history.commits) == 1
        assert asked == []


async def test_files_are_as_old_as_their_last_commit_under_any_name(repo: Repository) -> None:
    repo.git("mv", "src/m3.py", "src/moved.py")
    repo.commit()
    (repo.root / "src/m4.py").write_text("edited = 1\n")
    async with opened(repo) as project:
        records = project.intake.processor.records
        history = project.intake.repository.history
        assert history.activity()["src/moved.py"].commits == 2
        assert records["src/moved.py"].changed_at == history.activity()["src/moved.py"].last_at
        assert records["src/m5.py"].changed_at == history.activity()["src/m5.py"].last_at
        assert records["src/m4.py"].changed_at > history.activity()["src/m4.py"].last_at


async def test_a_repository_that_begins_or_ends_meanwhile_is_no_failure(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "plain"
    (root / ".memoire").mkdir(parents=True)
    (root / "a.py").write_text("x = 1\n")
    (home / ".gitconfig").write_text("")
    project = await Project.open(root)
    try:
        await project.start()
        async with asyncio.timeout(60):
            await project.intake.idle.wait()
        repo = Repository(root, home)
        repo.commit()
        await project.settle(20)
        assert [event.kind for event in await events(project, "commit")] == ["commit"]
        shutil.rmtree(root / ".git")
        await project.settle(20)
        assert project.intake.failure == ""
        assert project.intake.repository.history.commits == ()
    finally:
        await project.close()


async def test_an_edit_that_is_taken_back_after_a_switch_says_so(repo: Repository) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"src/m1.py": "def g():\n    return 1\n"})
    async with opened(repo) as project:
        repo.git("checkout", "-q", "main")
        await project.settle(20)
        (repo.root / "src/m1.py").write_text("def f1():\n    return 5\n")
        await project.settle(20)
        repo.git("checkout", "-q", "--", "src/m1.py")
        await project.settle(20)
        assert [event.summary for event in await events(project, "file_edit")] == ["Edited src/m1.py and took it back"]


async def test_an_edit_after_a_stash_was_taken_back_is_the_persons(repo: Repository) -> None:
    (repo.root / "src/m1.py").write_text("def f1():\n    return 5\n")
    repo.git("stash", "-q")
    async with opened(repo) as project:
        repo.git("stash", "pop", "-q")
        await project.settle(20)
        (repo.root / "src/m1.py").write_text("def f1():\n    return 5\n\n\ndef more():\n    return 1\n")
        await project.settle(20)
        assert [event.summary for event in await events(project, "file_edit")] == ["Edited src/m1.py: added more()"]
