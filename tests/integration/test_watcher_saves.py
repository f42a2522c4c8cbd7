"""How editors and tools save: one change of the right path each, and no trace of the names they use meanwhile.

Each way of saving stops between its steps, so that a question asked in the middle is part of the test.
"""

import asyncio
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memoire.operations import recent_events, search
from memoire.project import Project
from tests.watching import BOUND_S, watching, write

Save = Callable[[Path, str], Iterator[None]]

MEANWHILE = (
    "4913",
    "___jb_",
    ".swp",
    "~",
    ".#",
    "#a.py#",
    ".vsctmp",
    ".tmp.",
    ".goutputstream",
    ".merge_file_",
    ".subl",
)


@pytest.fixture(autouse=True)
def home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "proj"
    write(folder, "src/a.py", text="def first():\n    return 0\n")
    return folder


def vim_renames(file: Path, text: str) -> Iterator[None]:
    """`backupcopy=no`, and `auto` where nothing speaks against it."""
    swap = file.with_name(f".{file.name}.swp")
    swap.write_bytes(b"b0VIM 9.0")
    yield
    (file.parent / "4913").touch()
    yield
    (file.parent / "4913").unlink()
    backup = file.with_name(f"{file.name}~")
    file.rename(backup)
    yield
    file.write_text(text)
    file.chmod(0o644)
    yield
    backup.unlink()
    swap.unlink()


def vim_copies(file: Path, text: str) -> Iterator[None]:
    """`backupcopy=yes`."""
    swap, probe = file.with_name(f".{file.name}.swp"), file.with_name(f".{file.name}.swx")
    probe.touch()
    probe.unlink()
    swap.write_bytes(b"b0VIM 9.0")
    backup = file.with_name(f"{file.name}~")
    shutil.copy2(file, backup)
    yield
    file.write_text(text)
    yield
    backup.unlink()
    swap.unlink()


def emacs(file: Path, text: str) -> Iterator[None]:
    lock, own = file.with_name(f".#{file.name}"), file.with_name(f"#{file.name}#")
    lock.symlink_to("me@host.1:2")
    own.write_text(text[:5])
    yield
    file.rename(file.with_name(f"{file.name}~"))
    file.write_text(text)
    yield
    lock.unlink()
    own.unlink()


def vs_code(file: Path, text: str) -> Iterator[None]:
    with file.open("r+") as stream:
        stream.truncate(0)
        stream.write(text)
    yield


def vs_code_in_one(file: Path, text: str) -> Iterator[None]:
    fresh = file.with_name(f"{file.name}.vsctmp")
    fresh.write_text(text)
    yield
    fresh.replace(file)


def jetbrains(file: Path, text: str) -> Iterator[None]:
    fresh, old = file.with_name(f"{file.name}___jb_tmp___"), file.with_name(f"{file.name}___jb_old___")
    fresh.write_text(text)
    yield
    file.rename(old)
    yield
    fresh.rename(file)
    yield
    old.unlink()


def assistant(file: Path, text: str) -> Iterator[None]:
    """What is named after process and time while it is written."""
    fresh = file.with_name(f"{file.name}.tmp.4242.1764547200123")
    fresh.write_text(text)
    yield
    fresh.replace(file)


def sublime(file: Path, text: str) -> Iterator[None]:
    fresh = file.with_name(".subl1a2.tmp")
    fresh.write_text(text)
    yield
    fresh.replace(file)


def in_pieces(file: Path, text: str) -> Iterator[None]:
    with file.open("w") as stream:
        for letter in text:
            stream.write(letter)
            stream.flush()
    yield


SAVES = [
    vim_renames, vim_copies, emacs, vs_code, vs_code_in_one, jetbrains, assistant, sublime, in_pieces,
]  # fmt: skip


@pytest.mark.parametrize("save", SAVES)
def test_a_save_is_one_modification(root: Path, save: Save) -> None:
    with watching(root) as watched:
        for _ in save(root / "src/a.py", "def second():\n    return 1\n"):
            pass
        assert watched.changes() == [("modified", "src/a.py")]
        assert watched.changes() == []


@pytest.mark.parametrize("save", SAVES)
def test_a_question_in_the_middle_of_a_save_brings_no_passing_name_to_light(root: Path, save: Save) -> None:
    with watching(root) as watched:
        seen = set()
        for _ in save(root / "src/a.py", "def second():\n    return 1\n"):
            seen |= {part for change in watched.changes() for part in change[1:]}
        seen |= {part for change in watched.changes() for part in change[1:]}
        assert seen == {"src/a.py"}


def sed(root: Path, number: int) -> None:
    subprocess.run(["sed", "-i", f"s/return .*/return {number}/", "src/a.py"], cwd=root, check=True)


def real_vim(setting: str) -> Callable[[Path, int], None]:
    def save(root: Path, number: int) -> None:
        command = ["vim", "-u", "NONE", "-N", "-es", "--cmd", f"set backupcopy={setting} directory=."]
        script = ["-c", f"%s/return .*/return {number}/", "-c", "wq", "src/a.py"]
        subprocess.run(command + script, cwd=root, check=True, stdin=subprocess.DEVNULL, capture_output=True)

    return save


PROGRAMS = {
    "sed -i": ("sed", sed),
    "vim, backupcopy=yes": ("vim", real_vim("yes")),
    "vim, backupcopy=no": ("vim", real_vim("no")),
    "vim, backupcopy=auto": ("vim", real_vim("auto")),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_save_of_a_real_program_is_one_modification(root: Path, name: str) -> None:
    program, save = PROGRAMS[name]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    with watching(root) as watched:
        save(root, 7)
        assert (root / "src/a.py").read_text() == "def first():\n    return 7\n"
        assert watched.changes() == [("modified", "src/a.py")]


def test_a_file_that_is_written_without_a_pause_is_reported_all_the_same(root: Path) -> None:
    with watching(root, debounce_ms=200, cap_ms=400) as watched:
        pause = threading.Event()
        for number in range(1000):
            write(root, "src/a.py", text=f"A = {number}\n")
            if watched.batches:
                break
            pause.wait(0.005)
        assert number < 999
        assert [change.path for change in watched.batches[0]] == ["src/a.py"]


def test_many_files_that_change_at_once_are_one_batch(root: Path) -> None:
    with watching(root, debounce_ms=200, cap_ms=5000) as watched:
        write(root, *[f"p{number % 20}/m{number}.py" for number in range(500)])
        watched.wait(lambda found: len(found) >= 500)
        assert len(watched.batches) == 1


def test_what_git_takes_long_to_write_is_one_batch(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    with watching(root, debounce_ms=50, cap_ms=100) as watched:
        # As `git checkout` does: the lock lies there for as long as it writes.
        write(root, *[f"p/m{number}.py" for number in range(25)], ".git/index.lock")
        pause = threading.Event()
        for number in range(25, 60):
            write(root, f"p/m{number}.py")
            pause.wait(0.01)
        (root / ".git/index.lock").unlink()
        watched.wait(lambda found: len(found) >= 60)
        assert len(watched.batches) == 1


async def test_saves_leave_one_event_each_and_no_other_name_in_events_graph_and_index(root: Path) -> None:
    project = await Project.open(root)
    try:
        await project.start()
        assert await project.memory.settle(20) == []
        ways: list[Callable[[int], object]] = [
            lambda number, save=save: list(save(root / "src/a.py", f"def saved_{number}():\n    return {number}\n"))  # type: ignore[misc]
            for save in SAVES
        ]
        ways += [
            lambda number, save=save: save(root, 100 + number)  # type: ignore[misc]
            for program, save in PROGRAMS.values()
            if shutil.which(program)
        ]
        for number, way in enumerate(ways):
            await asyncio.to_thread(way, number)
            assert await project.memory.settle(20) == []
            newest = await recent_events.run(project.memory, recent_events.Params(limit=200))
            edits = [event for event in newest.events if event.kind != "ingest"]
            # Quick saves of one file are told as one, with how many there were.
            assert sum(event.count for event in edits) == number + 1, number
            assert edits[0].summary.startswith("Edited src/a.py: "), number
        assert set(project.intake.processor.records) == {"src/a.py"}
        told = " ".join(event.summary + " ".join(event.entities) for event in newest.events)
        assert not [name for name in MEANWHILE if name in told]
        for name in ("4913", "vsctmp", "jb_tmp", "goutputstream"):
            found = await search.run(project.memory, search.Params(query=name))
            assert not [hit for hit in found.results if hit.path != "src/a.py"]
    finally:
        await project.close()


def two_branches(root: Path) -> list[str]:
    """Commit two branches that differ in 51 files, and return how to call git."""
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    write(root, *[f"p{number % 7}/f{number}.py" for number in range(60)], text="A = 1\n")
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    for branch in ("main", "other"):
        if branch == "other":
            subprocess.run([*git, "checkout", "-q", "-b", branch], check=True)
            write(root, *[f"p{number % 7}/f{number}.py" for number in range(50)], text="B = 2\n")
            (root / "src/a.py").unlink()
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", branch], check=True)
    return git


async def test_a_checkout_of_many_files_is_one_event(root: Path) -> None:
    git = two_branches(root)
    project = await Project.open(root)
    try:
        await project.start()
        assert await project.memory.settle(20) == []
        await asyncio.to_thread(subprocess.run, [*git, "checkout", "-q", "main"], check=True)
        assert await project.memory.settle(20) == []
        found = await recent_events.run(project.memory, recent_events.Params())
        assert [event.count for event in found.events if event.kind != "ingest"] == [51]
        assert "src/a.py" in project.intake.processor.records
    finally:
        await project.close()


def test_a_save_is_told_of_within_the_bound_even_where_nothing_asks(root: Path) -> None:
    with watching(root, debounce_ms=200, cap_ms=2000) as watched:
        os.utime(root / "src/a.py")
        write(root, "src/a.py", text="A = 1\n")
        assert [change.path for change in watched.wait(bool)] == ["src/a.py"]
        assert watched.watcher.flush(BOUND_S)
        assert len(watched.batches) == 1
