"""What hooks leave in the spool of an open project becomes events, once each, whatever ends when."""

import asyncio
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from memoire import paths
from memoire.episodes.inbox import END
from memoire.model import Event
from memoire.operations import recent_events
from memoire.project import Project
from tests.integration.test_project import FILES, opened, write


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    assert home.is_dir()
    folder = tmp_path / "shop"
    write(folder, FILES)
    return folder


def spool(root: Path) -> Path:
    folder = Path(paths.state_dir(root)) / "spool"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def typed(root: Path, command: str, *, status: int = 0, cwd: Path | None = None, number: int = 0) -> Path:
    """Leave the record of one command, as a shell's hook does."""
    now_us = int(time.time() * 1e6) + 2000 * number  # events within one millisecond have no order
    file = spool(root) / f"{now_us}-7-{number}.bash"
    fields = ["1", str(now_us), "2000", str(status), str(cwd or root), command]
    file.write_bytes("\x1f".join(fields).encode() + END)
    return file


async def commands(project: Project) -> list[Event]:
    await project.settle(5)
    return list(await project.memory.events(100, kinds=["command"]))


async def test_a_typed_command_is_in_the_next_answer_and_its_record_gone(root: Path) -> None:
    async with opened(root) as project:
        file = typed(root, "git status")
        found = await recent_events.run(project.memory, recent_events.Params())
        assert found.events[0].summary == "Ran `git status`"
        assert found.events[0].kind == "command"
        assert not file.exists()


async def test_commands_typed_while_nothing_ran_are_there_after_the_start(root: Path) -> None:
    async with opened(root):
        pass
    for number in range(30):
        typed(root, f"step {number}", number=number)
    async with opened(root) as project:
        found = await commands(project)
        assert [event.summary for event in found] == [f"Ran `step {number}`" for number in reversed(range(30))]


async def test_more_records_than_are_taken_at_once_are_all_in_the_next_answer(root: Path) -> None:
    async with opened(root) as project:
        for number in range(1100):
            typed(root, f"step {number}", number=number)
        await project.settle(20)
        assert len(await project.memory.events(2000, kinds=["command"])) == 1100


async def test_a_record_that_a_crash_left_behind_is_not_told_twice(root: Path) -> None:
    async with opened(root) as project:
        data = typed(root, "frob").read_bytes()
        name = next(spool(root).iterdir()).name
        assert len(await commands(project)) == 1
    (spool(root) / name).write_bytes(data)  # the log had it, the record was not removed yet
    async with opened(root) as project:
        assert len(await commands(project)) == 1
        assert not list(spool(root).iterdir())


@pytest.mark.parametrize("lost", ["index", "db"])
async def test_what_waits_at_a_start_does_not_keep_a_lost_index_from_being_filled(root: Path, lost: str) -> None:
    async with opened(root) as project:
        typed(root, "early")
        await project.settle(5)
    shutil.rmtree(Path(paths.state_dir(root)) / lost)
    typed(root, "late")
    async with opened(root) as project:
        await project.settle(20)

        def found(words: str, kind: str) -> int:
            hits = project.memory.search(words, limit=10, offset=0, kinds=[kind], prefix="", language="")
            return len(hits)

        assert found("early", "event") == found("late", "event") == 1
        assert found("total", "symbol") > 0
        assert found("core", "file") > 0


async def test_what_is_typed_outside_the_project_is_nobodys_business(root: Path, tmp_path: Path) -> None:
    async with opened(root) as project:
        typed(root, "cat ~/diary", cwd=tmp_path)
        typed(root, "frob", number=1)
        assert [event.summary for event in await commands(project)] == ["Ran `frob`"]


async def test_a_record_that_tells_nothing_of_the_project_writes_nothing(root: Path, tmp_path: Path) -> None:
    async with opened(root) as project:
        await project.settle(5)
        index = Path(paths.state_dir(root)) / "index"
        before = {file: file.stat().st_mtime_ns for file in index.rglob("*")}
        typed(root, "cat ~/diary", cwd=tmp_path)
        await project.settle(5)
        assert not list(spool(root).iterdir())
        assert {file: file.stat().st_mtime_ns for file in index.rglob("*")} == before


async def test_a_record_that_nobody_understands_loses_nothing_else(root: Path) -> None:
    async with opened(root) as project:
        (spool(root) / "1-1-1.bash").write_bytes(b"2\x1ffrom the future" + END)
        (spool(root) / "1-1-2.nobody").write_bytes(b"1\x1f17\x1f{}" + END)
        (spool(root) / "1-1-3.bash").write_bytes(b"\xff\x00" + END)
        typed(root, "frob")
        assert [event.summary for event in await commands(project)] == ["Ran `frob`"]
        assert not list(spool(root).iterdir())
        assert project.status()["lost_reports"] == 3


async def test_quick_saves_are_one_event_in_the_answer_and_in_the_index(root: Path) -> None:
    core = FILES["src/shop/core.py"]
    async with opened(root) as project:
        write(root, {"src/shop/core.py": core + "\ndef discount():\n    return 1\n"})
        await project.settle(5)
        write(root, {"src/shop/core.py": core + "\ndef discount():\n    return 1\n\ndef refund():\n    return 2\n"})
        await project.settle(5)
        found = await recent_events.run(project.memory, recent_events.Params(path="src/shop/core.py"))
        edited = [event for event in found.events if event.kind == "file_edit"]
        assert [(event.summary, event.count) for event in edited] == [
            ("Edited src/shop/core.py: added discount(), refund()", 2)
        ]
        hits = project.memory.search("discount", limit=10, offset=0, kinds=["event"], prefix="", language="")
        assert len(hits) == 1
    async with opened(root) as project:
        assert len(await project.memory.events(100, kinds=["file_edit"])) == 1
        assert project.intake.processor.records["src/shop/core.py"].changes == 2


async def test_a_lost_store_gets_back_what_was_told_and_no_more(root: Path) -> None:
    core = FILES["src/shop/core.py"]
    async with opened(root) as project:
        typed(root, "frob")
        for number in range(3):
            write(root, {"src/shop/core.py": core + f"\nX = {number}\n"})
            await project.settle(5)
        before = list(await project.memory.events(100))
    (Path(paths.state_dir(root)) / "generation").write_text("999\n")  # the store is behind: it lost something
    async with opened(root) as project:
        assert project.rebuilt
        after = [event for event in await project.memory.events(100) if event.kind != "ingest"]
        assert after == [event for event in before if event.kind != "ingest"]
        assert project.intake.processor.records["src/shop/core.py"].changes == 3


async def test_a_command_that_names_no_possible_file_is_told_with_all_others(root: Path) -> None:
    async with opened(root) as project:
        typed(root, "first")
        typed(root, f"cat {root}/{'a' * 300}", number=1)  # longer than any file's name may be
        typed(root, "last", number=2)
        found = [event.summary for event in await commands(project)]
        assert (found[0], found[1][:9], found[2]) == ("Ran `last`", "Ran `cat ", "Ran `first`")
        assert not list(spool(root).iterdir())


@pytest.mark.parametrize("claimed_us", [999_999_999_999_999_999, 0])
async def test_a_report_of_an_impossible_time_is_told_once_and_holds_nothing_up(root: Path, claimed_us: int) -> None:
    payload = msgspec.json.encode(
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_use_id": "t1",
            "session_id": "s1",
            "cwd": str(root),
            "tool_input": {"command": "frob"},
            "duration_ms": 5000,
        }
    )
    record = b"1\x1f%d\x1f" % claimed_us + payload + END
    file = spool_of_new(root) / "1-1-1.claude-code"
    for _ in range(2):  # the second time as after a crash, when the log had it and the record was not removed yet
        file.write_bytes(record)
        async with opened(root) as project:
            (event,) = await commands(project)
            assert event.at <= project.memory.now()
            assert re.fullmatch(r"[0-9a-f]{12}-[0-9a-f]{16}", event.id)
            write(root, {"src/shop/core.py": f"LIMIT = {time.time_ns()}\n"})
            await project.settle(5)
            assert "src/shop/core.py" in (await project.memory.events(1))[0].entities
            assert not project.intake.failure


def spool_of_new(root: Path) -> Path:
    """Return the spool of a project that was never open."""
    folder = Path(paths.state_dir(root)) / "spool"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


async def test_an_edit_that_a_crash_left_in_the_log_alone_is_told_once(root: Path) -> None:
    state = Path(paths.state_dir(root))
    async with opened(root):
        pass
    kept = root.parent / "kept"
    shutil.copytree(state / "db", kept)
    generation = (state / "generation").read_bytes()
    async with opened(root) as project:
        write(root, {"src/shop/core.py": FILES["src/shop/core.py"] + "\nX = 1\n", "src/shop/new.py": "Y = 2\n"})
        await project.settle(5)
        before = await project.memory.events(100, kinds=["file_edit", "file_create"])
        assert len(before) == 2
    # The log has them, the store has not: the process ended in between.
    shutil.rmtree(state / "db")
    shutil.copytree(kept, state / "db")
    (state / "generation").write_bytes(generation)
    async with opened(root) as project:
        assert await project.memory.events(100, kinds=["file_edit", "file_create"]) == before
        assert "src/shop/new.py" in project.memory.tree
        write(root, {"src/shop/core.py": FILES["src/shop/core.py"]})
        await project.settle(5)
        write(root, {"src/shop/core.py": FILES["src/shop/core.py"] + "\nX = 1\n"})
        await project.settle(5)
        assert len(await project.memory.events(100, kinds=["file_edit", "file_create"])) == 3


def repository(root: Path) -> Callable[..., None]:
    """Make a repository of the project; return what runs git in it."""

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    return git


async def test_what_git_does_in_the_second_of_a_save_is_told_after_it_in_its_order(root: Path) -> None:
    git = repository(root)
    async with opened(root) as project:
        await asyncio.sleep(1 - time.time() % 1)  # all of it in one second, which is all that git notes
        write(root, {"src/shop/core.py": FILES["src/shop/core.py"] + "\nX = 1\n"})
        await project.settle(5)
        git("commit", "-qam", "one")
        git("checkout", "-qb", "feature")
        git("commit", "-q", "--allow-empty", "-m", "two")
        await project.settle(5)
        told = [event.summary for event in await project.memory.events(4)]
        kinds = [event.kind for event in await project.memory.events(4)]
        assert kinds.index("checkout") < kinds.index("file_edit"), told
        assert [kind for kind in kinds if kind != "checkout"] == ["commit", "commit", "file_edit"], told


async def test_a_commit_between_two_saves_keeps_them_apart(root: Path) -> None:
    git = repository(root)
    core = FILES["src/shop/core.py"]
    async with opened(root) as project:
        write(root, {"src/shop/core.py": core + "\ndef one():\n    return 1\n"})
        await project.settle(5)
        git("commit", "-qam", "one")
        await project.settle(5)
        write(root, {"src/shop/core.py": core + "\ndef one():\n    return 1\n\ndef two():\n    return 2\n"})
        await project.settle(5)
        told = [event.summary for event in await project.memory.events(10, kinds=["file_edit"])]
        assert told == ["Edited src/shop/core.py: added two()", "Edited src/shop/core.py: added one()"]


async def test_what_kept_files_from_being_understood_is_known_after_a_restart(root: Path) -> None:
    write(root, {"src/shop/broken.py": "def broken(:\n"})
    async with opened(root) as project:
        before = (await project.ingest())["problems"]
        assert [(path, code) for path, code, _ in before] == [("src/shop/broken.py", "syntax")]
    async with opened(root) as project:
        assert project.status()["problems"] == 1
        assert (await project.ingest())["problems"] == before
