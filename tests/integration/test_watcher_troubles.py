"""What goes wrong around a watcher: faults of its own, remote folders, locked ones, a root that is replaced."""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoire.episodes import sources
from memoire.episodes.changes import Change
from memoire.episodes.sources import InotifySource
from memoire.operations import recent_events, search
from memoire.project import Project
from memoire.scan import scan
from memoire.terminal.doctor import _store
from tests.watching import BOUND_S, watched_folders, watching, write

NOBODY = 65534
"""The user without rights. Source: the kernel's overflow uid, /proc/sys/kernel/overflowuid."""


@pytest.fixture(autouse=True)
def home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "proj"
    folder.mkdir()
    return folder


# ---- faults


def test_a_fault_where_changes_are_taken_is_counted_and_nothing_is_missed(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with watching(root) as watched:
        take = watched.take
        refused: list[list[Change]] = []

        def refuse(batch: list[Change]) -> None:
            refused.append(batch)
            watched.watcher._on_batch = take
            raise RuntimeError("no room")

        watched.watcher._on_batch = refuse
        write(root, "a.py")
        with caplog.at_level(logging.ERROR):
            assert watched.changes() == [("rescan", "")]
        assert refused == [[Change("created", "a.py")]]
        assert "watching failed" in caplog.text
        assert "no room" in caplog.text
        assert watched.watcher.warnings() == [
            "Watching failed once since the start (last: RuntimeError: no room); everything was looked at again, so "
            "nothing is missing. `memoire logs` has the details: please report them."
        ]
        write(root, "d/b.py")
        assert watched.changes() == [("created", "d/b.py")]


def test_a_fault_in_the_thread_that_hears_of_events_ends_neither_it_nor_the_watching(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "d/a.py")
    with watching(root) as watched:
        is_ignored = watched.ignore.is_ignored

        def fail(path: str, **options: Any) -> bool:
            monkeypatch.setattr(watched.ignore, "is_ignored", is_ignored)
            raise ValueError(path)

        monkeypatch.setattr(watched.ignore, "is_ignored", fail)
        write(root, "d/b.py")
        assert ("rescan", "") in watched.changes()
        assert watched.watcher.warnings()[0].startswith("Watching failed once since the start (last: ValueError: d/")
        write(root, "d/b.py", "d/e/c.py", text="again")
        assert watched.changes() == [("modified", "d/b.py"), ("created", "d/e/c.py")]


def test_a_fault_that_stays_does_not_keep_the_machine_busy(root: Path) -> None:
    with watching(root) as watched:
        tries: list[int] = []

        def fail(_batch: list[Change]) -> None:
            tries.append(1)
            raise RuntimeError("always")

        watched.watcher._on_batch = fail
        write(root, "a.py")
        assert not watched.watcher.flush(0.7)
        assert 1 <= len(tries) <= 4


# ---- what lies elsewhere


def test_a_folder_on_a_network_file_system_is_looked_at_and_said_so(root: Path, tmp_path: Path) -> None:
    write(root, "local/a.py", "share/deep/b.py")

    def half_remote(tell: Callable[[sources.Signal], None]) -> InotifySource:
        return InotifySource(str(root), tell, str(tmp_path / "sync"), {b"share/": "nfs4"})

    with watching(root, source=half_remote) as watched:
        assert watched_folders(watched) == {b"", b"local/"}
        assert watched.watcher.warnings() == [
            "2 directories cannot be watched, only looked at every few seconds: they lie on a network file system, "
            "nfs4: nobody tells what others change there."
        ]
        write(root, "share/deep/b.py", "share/new/c.py", "local/a.py", text="longer")
        assert watched.changes() == [
            ("modified", "local/a.py"), ("modified", "share/deep/b.py"), ("created", "share/new/c.py"),
        ]  # fmt: skip
        finding = [each for each in _store(status(watched.watcher.warnings())) if each.check == "watcher"]
        assert [each.state for each in finding] == ["warning"]
        assert "network file system" in finding[0].found


def status(warnings: list[str]) -> dict[str, Any]:
    return {"project": {"files": 1, "edges": 0, "generation": 1, "warnings": warnings}}


def test_a_polled_file_swapped_for_one_of_the_same_size_and_time_is_seen(root: Path) -> None:
    write(root, "a.py", text="old")
    with watching(root, source=lambda _tell: sources.Source()) as watched:
        before = (root / "a.py").stat()
        write(root, "a.py", text="new")
        os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert watched.changes() == [("modified", "a.py")]


LIMITED = """
import sys
from pathlib import Path
from tests.watching import watching, write

root = Path(sys.argv[1])
names = [f"d{number}/x.py" for number in range(6)]
with watching(root) as watched:
    print(*watched.watcher.warnings(), sep="\\n")
    for name in names:
        write(root, name, text="longer")
        assert watched.changes() == [("modified", name)], name
    write(root, "d1/new/y.py")
    assert watched.changes() == [("created", "d1/new/y.py")]
"""


@pytest.mark.parametrize(
    ("limit", "count", "advice"),
    [
        ("watches=5", "3 directories", "fs.inotify.max_user_watches="),
        ("watches=0", "7 directories", "fs.inotify.max_user_watches="),
        ("instances=0", "7 directories", "fs.inotify.max_user_instances="),
    ],
)
def test_where_the_system_grants_no_more_watches_the_rest_is_looked_at(
    root: Path, tmp_path: Path, limit: str, count: str, advice: str
) -> None:
    """In a user namespace of its own, whose limits are nobody else's. Source: namespaces(7), /proc/sys/user."""
    unshare = ["unshare", "--user", "--map-root-user"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*unshare, "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("no user namespace can be made here")
    write(root, *[f"d{number}/x.py" for number in range(6)])
    (tmp_path / "limited.py").write_text(LIMITED)
    kind, number = limit.split("=")
    shell = f'echo {number} > /proc/sys/user/max_inotify_{kind} && exec "$0" "$@"'
    command = [*unshare, "sh", "-c", shell, sys.executable, str(tmp_path / "limited.py"), str(root)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, check=False, capture_output=True, env=environment, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{count} cannot be watched")
    assert advice in done.stdout


# ---- the root


@pytest.mark.parametrize("way", ["moved away", "removed"])
def test_another_directory_in_the_place_of_the_root_is_looked_at_whole_and_watched(
    root: Path, tmp_path: Path, way: str
) -> None:
    write(root, "a.py", "d/b.py")
    write(tmp_path, "fresh/d/b.py", "fresh/e/c.py", text="other")
    with watching(root) as watched:
        if way == "removed":
            shutil.rmtree(root)
        else:
            root.rename(tmp_path / "away")
        (tmp_path / "fresh").rename(root)
        assert ("rescan", "") in watched.changes()
        assert watched_folders(watched) == {b"", b"d/", b"e/"}
        assert watched.watcher._tracker.known == {"d/b.py", "e/c.py"}
        write(root, "d/b.py", "e/new.py", text="edited")
        assert watched.changes() == [("modified", "d/b.py"), ("created", "e/new.py")]


def test_a_parent_of_the_root_that_is_replaced_is_noticed_with_the_next_question(tmp_path: Path) -> None:
    root = tmp_path / "outer/proj"
    write(root, "a.py")
    write(tmp_path, "other/proj/b.py")
    with watching(root) as watched:
        (tmp_path / "outer").rename(tmp_path / "away")
        (tmp_path / "other").rename(tmp_path / "outer")
        assert ("rescan", "") in watched.changes()
        write(root, "b.py", text="edited")
        assert watched.changes() == [("modified", "b.py")]


# ---- rights, links, copies


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder in which this process has no more rights than anybody: root may enter what is locked."""
    with tempfile.TemporaryDirectory(prefix="mm-") as folder:
        top = Path(os.path.realpath(folder))
        if os.geteuid() != 0:
            yield top
            return
        os.chown(top, NOBODY, NOBODY)
        before = os.environ["HOME"]
        (top / "home").mkdir()
        os.chown(top / "home", NOBODY, NOBODY)
        os.environ["HOME"] = str(top / "home")
        os.seteuid(NOBODY)
        try:
            yield top
        finally:
            os.seteuid(0)
            os.environ["HOME"] = before


def test_a_locked_folder_harms_no_other_and_enters_once_it_is_opened(as_nobody: Path) -> None:
    root = as_nobody / "proj"
    write(root, "locked/deep/a.py", "open/b.py")
    (root / "locked").chmod(0)
    with watching(root) as watched:
        assert watched.watcher.warnings() == []
        write(root, "open/b.py", text="edited")
        assert watched.changes() == [("modified", "open/b.py")]
        assert "locked" in [path for path, _ in scan(root, watched.ignore).problems]
        (root / "locked").chmod(0o755)
        assert watched.changes() == [("created", "locked/deep/a.py")]
        write(root, "locked/deep/a.py", text="edited")
        assert watched.changes() == [("modified", "locked/deep/a.py")]


def test_a_file_that_becomes_readable_is_looked_at(root: Path) -> None:
    write(root, "a.py")
    (root / "a.py").chmod(0)
    with watching(root) as watched:
        (root / "a.py").chmod(0o644)
        assert watched.changes() == [("modified", "a.py")]


def test_a_tree_that_is_copied_in_at_one_go_is_known_whole(root: Path, tmp_path: Path) -> None:
    names = [f"big/p{number % 30}/q{number % 7}/m{number}.py" for number in range(400)]
    write(tmp_path, *names)
    (tmp_path / "big/p1/loop").symlink_to("..")
    with watching(root) as watched:
        subprocess.run(["cp", "-r", str(tmp_path / "big"), str(root / "big")], check=True)
        assert {change[1] for change in watched.changes()} == set(names)
        assert watched.watcher._tracker.known == set(names)
        write(root, *names[:40], text="edited")
        assert watched.changes() == [("modified", name) for name in sorted(names[:40])]


# ---- while nothing ran


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


async def opened(root: Path) -> Project:
    project = await Project.open(root)
    await project.start()
    assert await project.memory.settle(20) == []
    return project


async def found(project: Project, name: str) -> list[str]:
    hits = await search.run(project.memory, search.Params(query=name))
    return [hit.path for hit in hits.results if hit.kind == "symbol" and hit.name == name]


async def summaries(project: Project) -> list[str]:
    return [event.summary for event in (await recent_events.run(project.memory, recent_events.Params())).events]


async def test_edits_deletions_and_moves_while_nothing_ran_are_taken_in_at_the_start(root: Path) -> None:
    write(root, "core.py", text="def total():\n    return 1\n")
    write(root, "web.py", text="import core\n\ndef page():\n    return core.total()\n")
    write(root, "old/job.py", text="import core\n\ndef job():\n    return core.total()\n")
    write(root, "gone.py", text="def lost():\n    return 1\n")
    await (await opened(root)).close()
    write(root, "web.py", text="import core\n\ndef other_page():\n    return core.total()\n")
    (root / "old").rename(root / "new")
    (root / "gone.py").unlink()
    project = await opened(root)
    try:
        assert set(project.intake.processor.records) == {"core.py", "new/job.py", "web.py"}
        assert await found(project, "other_page") == ["web.py"]
        assert await found(project, "page") == []
        told = await summaries(project)
        assert "Moved old/job.py to new/job.py" in told
        assert "Deleted gone.py" in told
        assert {edge.key.source for edge in project.memory.graph.edges()} == {"new/job.py", "web.py"}
    finally:
        await project.close()


async def test_a_branch_switch_while_nothing_ran_is_taken_in_at_the_start(root: Path) -> None:
    write(root, "a.py", text="def on_main():\n    return 1\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "1")
    git(root, "checkout", "-q", "-b", "other")
    write(root, "a.py", text="def on_side():\n    return 1\n")
    git(root, "commit", "-qam", "2")
    await (await opened(root)).close()
    git(root, "checkout", "-q", "main")
    project = await opened(root)
    try:
        assert await found(project, "on_main") == ["a.py"]
        assert await found(project, "on_side") == []
    finally:
        await project.close()


@pytest.mark.parametrize("way", ["written in place", "another file in its place"])
async def test_a_file_of_the_same_size_and_time_is_seen_to_be_another(root: Path, tmp_path: Path, way: str) -> None:
    write(root, "a.py", text="def first_one():\n    return 1\n")
    await (await opened(root)).close()
    times = (root / "a.py").stat()
    file = root / "a.py" if way == "written in place" else tmp_path / "prepared"
    file.write_text("def other_one():\n    return 1\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    file.replace(root / "a.py")
    after = (root / "a.py").stat()
    assert (after.st_size, after.st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    project = await opened(root)
    try:
        assert await found(project, "other_one") == ["a.py"]
        assert await found(project, "first_one") == []
    finally:
        await project.close()


async def test_files_that_were_only_touched_are_read_once_and_then_known(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "a.py", "b.py", text="def first_one():\n    return 1\n")
    await (await opened(root)).close()
    os.utime(root / "a.py")
    project = await opened(root)
    stamp = project.intake.processor.records["a.py"].mtime_ns
    assert stamp >= (root / "a.py").stat().st_mtime_ns
    assert [each for each in await summaries(project) if "a.py" in each] == []
    await project.close()
    again = await Project.open(root)
    assert again.intake.processor.records["a.py"].mtime_ns == stamp
    await again.close()


async def test_events_that_were_lost_end_in_what_the_files_hold(root: Path) -> None:
    write(root, "a.py", text="def first_one():\n    return 1\n")
    project = await opened(root)
    try:
        assert project._watcher is not None
        source = project._watcher._source
        assert isinstance(source, InotifySource)
        times = (root / "a.py").stat()
        # As if the kernel's queue had run over: what happens is told to nobody.
        source._tell = lambda _signal: None
        write(root, "a.py", text="def other_one():\n    return 1\n")
        os.utime(root / "a.py", ns=(times.st_atime_ns, times.st_mtime_ns))
        assert source.sync(BOUND_S)
        source._tell = project._watcher.hear
        source.on_queue_overflow()
        assert await project.memory.settle(20) == []
        assert await found(project, "other_one") == ["a.py"]
    finally:
        await project.close()
