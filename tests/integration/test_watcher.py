"""The watcher on real files. Nothing sleeps: `flush` reports what happened before it, or an event is waited for."""

import errno
import os
import random
import shutil
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from watchdog.observers import Observer
from watchdog.observers.inotify_c import InotifyFD
from watchdog.observers.polling import PollingObserver

from memoire.episodes import sources
from memoire.episodes.changes import Change
from memoire.episodes.sources import InotifySource, ObserverSource, Source
from memoire.episodes.watcher import Watcher
from memoire.ignore import Ignore
from memoire.scan import scan
from tests.watching import BOUND_S, Watched, apply, guarded, watched_folders, write


@pytest.fixture(autouse=True)
def home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "proj"
    folder.mkdir()
    return folder


@pytest.fixture
def watch(root: Path) -> Iterator[Callable[..., Watched]]:
    started: list[Watched] = []

    def start(**options: object) -> Watched:
        watched = Watched(root, **options)
        started.append(watched)
        watched.watcher.start()
        return watched

    yield start
    for watched in started:
        watched.watcher.stop()


def test_a_file_made_saved_and_removed_is_reported_each_time(root: Path, watch: Callable[..., Watched]) -> None:
    watched = watch()
    write(root, "a.py")
    assert watched.watcher.flush(BOUND_S)
    assert watched.changes() == [("created", "a.py")]
    write(root, "a.py", text="y")
    assert watched.changes() == [("modified", "a.py")]
    (root / "a.py").unlink()
    assert watched.changes() == [("deleted", "a.py")]
    assert watched.changes() == []


def test_what_was_there_at_the_start_is_not_news(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "a.py", "d/b.py")
    watched = watch()
    assert watched.changes() == []
    write(root, "d/b.py", text="y")
    assert watched.changes() == [("modified", "d/b.py")]


def test_a_save_is_reported_by_itself_after_a_moment(root: Path, watch: Callable[..., Watched]) -> None:
    watched = watch(debounce_ms=50, cap_ms=500)
    write(root, "a.py")
    assert watched.wait(bool) == [Change("created", "a.py")]


def test_a_query_sees_a_save_that_is_still_waiting(root: Path, watch: Callable[..., Watched]) -> None:
    watched = watch()
    for number in range(50):
        write(root, "a.py", text=str(number))
        assert watched.changes() == [("modified" if number else "created", "a.py")]


def test_what_waits_is_named(root: Path, watch: Callable[..., Watched]) -> None:
    watched = watch()
    write(root, "b.py", "a.py")
    assert watched.watcher._source.sync(BOUND_S)
    assert watched.watcher.pending_paths() == ["a.py", "b.py"]
    watched.changes()
    assert watched.watcher.pending_paths() == []


def save_by_replace(file: Path) -> None:
    fresh = file.with_name(f"{file.name}.tmp123")
    fresh.write_text("new")
    fresh.replace(file)


def save_as_vim(file: Path) -> None:
    (file.parent / "4913").touch()
    (file.parent / "4913").unlink()
    backup = file.with_name(f"{file.name}~")
    file.rename(backup)
    file.write_text("new")
    backup.unlink()


def save_as_jetbrains(file: Path) -> None:
    fresh, old = file.with_name(f"{file.name}___jb_tmp___"), file.with_name(f"{file.name}___jb_old___")
    fresh.write_text("new")
    file.rename(old)
    fresh.rename(file)
    old.unlink()


def save_as_emacs(file: Path) -> None:
    (file.parent / f".#{file.name}").symlink_to("me@host.1:2")
    shutil.copy(file, file.with_name(f"{file.name}~"))
    file.write_text("new")
    (file.parent / f".#{file.name}").unlink()


def save_as_gedit(file: Path) -> None:
    fresh = file.parent / ".goutputstream-X1"
    fresh.write_text("new")
    fresh.rename(file)


def save_in_place(file: Path) -> None:
    with file.open("r+") as stream:
        for number in range(100):
            stream.write(f"{number}\n")
            stream.flush()


@pytest.mark.parametrize(
    "save", [save_by_replace, save_as_vim, save_as_jetbrains, save_as_emacs, save_as_gedit, save_in_place]
)
def test_a_save_of_any_editor_is_one_modification(
    root: Path, watch: Callable[..., Watched], save: Callable[[Path], None]
) -> None:
    write(root, "src/a.py")
    watched = watch()
    save(root / "src" / "a.py")
    assert watched.changes() == [("modified", "src/a.py")]


def test_a_file_that_came_and_went_is_no_news(root: Path, watch: Callable[..., Watched]) -> None:
    watched = watch()
    write(root, "a.py")
    (root / "a.py").rename(root / "b.py")
    (root / "b.py").unlink()
    assert watched.changes() == []


def test_a_rename_is_one_move(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "a.py", "d/b.py")
    watched = watch()
    (root / "a.py").rename(root / "d" / "c.py")
    assert watched.changes() == [("moved", "d/c.py", "a.py")]
    (root / "d" / "c.py").rename(root / "e.py")
    (root / "e.py").rename(root / "f.py")
    write(root, "f.py", text="edited")
    assert watched.changes() == [("moved", "f.py", "d/c.py")]
    (root / "f.py").rename(root / "d" / "b.py")
    assert watched.changes() == [("modified", "d/b.py"), ("deleted", "f.py")]


def test_a_swap_is_two_modifications(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "a.py", "b.py")
    watched = watch()
    (root / "a.py").rename(root / "t.py")
    (root / "b.py").rename(root / "a.py")
    (root / "t.py").rename(root / "b.py")
    assert watched.changes() == [("modified", "a.py"), ("modified", "b.py")]


def test_a_renamed_directory_moves_its_files_and_is_still_watched(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "old/a.py", "old/deep/b.py", "older.py")
    watched = watch()
    (root / "old").rename(root / "new")
    assert watched.changes() == [("moved", "new/a.py", "old/a.py"), ("moved", "new/deep/b.py", "old/deep/b.py")]
    write(root, "new/deep/b.py", "new/deep/c.py", text="y")
    assert watched.changes() == [("modified", "new/deep/b.py"), ("created", "new/deep/c.py")]
    assert watched_folders(watched) == {b"", b"new/", b"new/deep/"}
    write(root, "old/a.py")
    assert watched.changes() == [("created", "old/a.py")]


def test_a_directory_that_leaves_or_enters_takes_its_files_along(
    root: Path, tmp_path: Path, watch: Callable[..., Watched]
) -> None:
    write(root, "d/a.py", "d/e/b.py", "keep.py")
    watched = watch()
    (root / "d").rename(tmp_path / "away")
    assert watched.changes() == [("deleted", "d/a.py"), ("deleted", "d/e/b.py")]
    write(tmp_path, "away/unseen.py")
    assert watched.changes() == []
    (tmp_path / "away").rename(root / "back")
    assert watched.changes() == [("created", "back/a.py"), ("created", "back/e/b.py"), ("created", "back/unseen.py")]
    write(root, "back/e/b.py", text="y")
    assert watched.changes() == [("modified", "back/e/b.py")]


def test_a_removed_directory_takes_its_files_along(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "d/a.py", "d/e/f/b.py", "c.py")
    watched = watch()
    shutil.rmtree(root / "d")
    assert watched.changes() == [("deleted", "d/a.py"), ("deleted", "d/e/f/b.py")]
    assert watched_folders(watched) == {b""}


def test_a_file_becomes_a_directory_and_back(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "a")
    watched = watch()
    (root / "a").unlink()
    write(root, "a/b.py")
    assert watched.changes() == [("deleted", "a"), ("created", "a/b.py")]
    shutil.rmtree(root / "a")
    write(root, "a")
    assert watched.changes() == [("created", "a"), ("deleted", "a/b.py")]


def test_files_of_directories_made_in_a_hurry_are_not_missed(root: Path, watch: Callable[..., Watched]) -> None:
    watched = watch()
    names = [f"p{a}/q{b}/r{c}/x.py" for a in range(4) for b in range(4) for c in range(4)]
    write(root, *names)
    assert watched.changes() == [("created", name) for name in sorted(names)]
    write(root, *names, text="y")
    assert watched.changes() == [("modified", name) for name in sorted(names)]


def test_ignored_trees_are_neither_watched_nor_reported(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "nested/.gitignore", text="gen/\n*.log\n")
    write(root, "nested/gen/old.py", "node_modules/x/y/index.js", ".venv/lib/a.py", "env/pyvenv.cfg", "env/lib/b.py")
    write(root, "clone/.git/HEAD", "clone/c.py", "src/a.py", ".git/objects/00/x")
    watched = watch()
    assert watched_folders(watched) - guarded(watched) == {b"", b"nested/", b"src/"}
    assert guarded(watched) == {b"clone/", b"env/"}
    write(root, "nested/gen/junk.py", "nested/x.log", "node_modules/z.js", "env/lib/c.py", "clone/d.py", ".git/index")
    write(root, "src/b.py")
    assert watched.changes() == [("created", "src/b.py")]


def test_links_add_no_watch_and_no_file(root: Path, tmp_path: Path, watch: Callable[..., Watched]) -> None:
    write(root, "roles/docker/molecule/a.py")
    write(tmp_path, "outside/b.py")
    (root / "loop").symlink_to(".")
    (root / "roles/docker/molecule/docker").symlink_to("../../docker")
    watched = watch()
    assert len(watched_folders(watched)) == 4
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out.py").symlink_to(tmp_path / "outside" / "b.py")
    write(tmp_path, "outside/b.py", text="y")
    assert watched.changes() == []
    # A directory that becomes a link: its files are gone, not behind it.
    (root / "roles").rename(tmp_path / "roles")
    (root / "roles").symlink_to(tmp_path / "roles")
    assert watched.changes() == [("deleted", "roles/docker/molecule/a.py")]


def test_an_edited_ignore_file_takes_effect(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "nested/gen/a.py", "nested/b.py")
    watched = watch()
    write(root, "nested/.gitignore", text="gen/\n")
    assert watched.changes() == [("created", "nested/.gitignore"), ("rescan", "nested")]
    write(root, "nested/gen/a.py", "nested/gen/new.py", text="y")
    assert watched.changes() == []
    assert watched_folders(watched) == {b"", b"nested/"}
    (root / "nested/.gitignore").unlink()
    assert watched.changes() == [("deleted", "nested/.gitignore"), ("rescan", "nested")]
    write(root, "nested/gen/new.py", text="z")
    assert watched.changes() == [("modified", "nested/gen/new.py")]


def test_an_ignore_file_outside_the_tree_takes_effect(root: Path, watch: Callable[..., Watched]) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    write(root, "a.py", "b.py")
    watched = watch(debounce_ms=50, cap_ms=500)
    write(root, ".git/info/exclude", text="a.py\n")
    assert watched.wait(bool)[0] == Change("rescan", "")
    watched.changes()
    write(root, "a.py", "b.py", text="y")
    assert watched.changes() == [("modified", "b.py")]


def test_a_folder_that_becomes_an_environment_or_a_repository_falls_silent(
    root: Path, watch: Callable[..., Watched]
) -> None:
    write(root, "env/early.py", "sub/s.py")
    watched = watch()
    write(root, "env/lib/x.py", "env/pyvenv.cfg", "env/lib/y.py")
    assert watched.changes() == [("deleted", "env/early.py"), ("rescan", "env")] or watched.batches == []
    write(root, "env/lib/z.py", "env/early.py", text="y")
    assert watched.changes() == []
    subprocess.run(["git", "init", "-q", str(root / "sub")], check=True)
    assert ("rescan", "sub") in watched.changes()
    write(root, "sub/s.py", "sub/t.py", text="y")
    assert watched.changes() == []
    assert watched_folders(watched) == {b"", b"env/", b"sub/"}
    shutil.rmtree(root / "sub" / ".git")
    (root / "env" / "pyvenv.cfg").unlink()
    assert watched.changes() == [("rescan", "env"), ("rescan", "sub")]
    write(root, "sub/s.py", "env/lib/x.py", text="z")
    assert watched.changes() == [("modified", "env/lib/x.py"), ("modified", "sub/s.py")]


def test_a_build_folder_that_fills_is_left(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "dist/a.py", "src/b.py")
    watched = watch()
    write(root, "dist/app.whl")
    write(root, "dist/a.py", text="y")
    assert watched.changes() == [("rescan", "dist")]
    write(root, "dist/b.py", text="y")
    assert watched.changes() == []


def test_own_state_inside_the_project_is_no_news(
    root: Path, watch: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root))
    watched = watch()
    write(root, ".local/state/memoire/p-1/db/f", ".memoire/notes.jsonl", "a.py")
    assert watched.changes() == [("created", "a.py")]
    assert watched.changes() == []


def test_odd_names_are_reported_as_text_or_not_at_all(root: Path, watch: Callable[..., Watched]) -> None:
    decomposed = unicodedata.normalize("NFD", "n\u00e4me")
    watched = watch()
    (root / os.fsdecode(b"bad\xff")).mkdir()
    (root / os.fsdecode(b"bad\xff") / "a.py").touch()
    (root / os.fsdecode(b"b\xff.py")).touch()
    write(root, f"{decomposed}/{decomposed}.py", "new\nline.py")
    assert watched.changes() == [("created", "new\nline.py"), ("created", "n\u00e4me/n\u00e4me.py")]
    write(root, f"{decomposed}/{decomposed}.py", text="y")
    assert watched.changes() == [("modified", "n\u00e4me/n\u00e4me.py")]
    os.mkfifo(root / "pipe")
    assert watched.changes() == []


def test_a_project_that_is_removed_says_so(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "a.py")
    watched = watch(debounce_ms=50, cap_ms=500)
    shutil.rmtree(root)
    changes = watched.wait(lambda found: Change("deleted", "") in found)
    assert changes[-1] == Change("deleted", "")


def test_lost_events_end_in_a_rescan_and_nothing_stays_unwatched(root: Path, watch: Callable[..., Watched]) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    write(root, "a/x.py", "b/x.py")
    watched = watch()
    with watched.watcher._lock:  # the reader waits for it, so that the queue of the kernel runs over
        for _ in range(limit // 4 + 100):
            (root / "a" / "x.py").rename(root / "a" / "t.py")
            (root / "a" / "t.py").rename(root / "a" / "x.py")
        shutil.rmtree(root / "a")
        write(root, "a/y.py", "c/d/z.py")
    watched.wait(lambda found: Change("rescan", "") in found)
    watched.changes()
    write(root, "a/y.py", "c/d/z.py", "b/x.py", text="after")
    assert watched.changes() == [("modified", "a/y.py"), ("modified", "b/x.py"), ("modified", "c/d/z.py")]


def test_directories_beyond_the_limit_are_looked_at(
    root: Path, watch: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "a/x.py", "b/x.py", "c/d/x.py")
    limit = [3]

    class Full(InotifyFD):
        """As if the system allowed so many watches only."""

        def add_callback(self, *arguments: Any) -> Any:
            if len(self._watch_for_wd) >= limit[0]:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return super().add_callback(*arguments)

    monkeypatch.setattr(sources, "InotifyFD", Full)
    watched = watch()
    (warning,) = watched.watcher.warnings()
    assert warning.startswith("3 directories cannot be watched, only looked at every few seconds: the limit of watches")
    assert "sudo sysctl fs.inotify.max_user_watches=" in warning
    for name in ("a/x.py", "b/x.py", "c/d/x.py"):
        write(root, name, text="longer than before")
        assert watched.changes() == [("modified", name)]
    write(root, "c/e/f/new.py")
    assert watched.changes() == [("created", "c/e/f/new.py")]
    shutil.rmtree(root / "c" / "d")
    assert watched.changes() == [("deleted", "c/d/x.py")]
    limit[0] = 100
    write(root, "c/e/f/new.py", text="longer")
    assert watched.changes() == [("modified", "c/e/f/new.py")]
    assert watched.watcher.warnings() == []


def test_without_a_free_instance_everything_is_looked_at(
    root: Path, watch: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(sources, "InotifyFD", refuse)
    watched = watch()
    assert "sudo sysctl fs.inotify.max_user_instances=" in watched.watcher.warnings()[0]
    write(root, "a/x.py")
    assert watched.changes() == [("created", "a/x.py")]


def test_when_the_source_dies_everything_is_looked_at(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "a/x.py")
    watched = watch()
    source = watched.watcher._source
    assert isinstance(source, InotifySource)
    assert source._inotify is not None
    source._inotify.stop()
    source._inotify.join()
    assert not watched.watcher.flush(BOUND_S)
    assert "`memoire restart`" in watched.watcher.warnings()[0]
    write(root, "a/x.py", "b/y.py", text="longer")
    watched.batches.clear()
    watched.watcher.flush(BOUND_S)
    assert [change for batch in watched.batches for change in batch] == [
        Change("modified", "a/x.py"),
        Change("created", "b/y.py"),
    ]


def test_without_any_source_everything_is_looked_at(root: Path, watch: Callable[..., Watched]) -> None:
    write(root, "a/x.py", "node_modules/y.js")
    watched = watch(source=lambda _tell: Source())
    write(root, "a/x.py", "a/b/new.py", "node_modules/y.js", text="longer")
    assert watched.changes() == [("created", "a/b/new.py"), ("modified", "a/x.py")]
    (root / "a" / "x.py").rename(root / "a" / "z.py")
    shutil.rmtree(root / "a" / "b")
    assert watched.changes() == [("deleted", "a/b/new.py"), ("deleted", "a/x.py"), ("created", "a/z.py")]


# On Linux watchdog may watch a new folder twice, and warns in its own thread, which that would end here.
@pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
@pytest.mark.parametrize("kind", ["native", "polling"])
def test_a_recursive_observer_serves_as_well(root: Path, watch: Callable[..., Watched], kind: str) -> None:
    write(root, "a.py", "d/b.py", "node_modules/x.js")
    watched = watch(
        debounce_ms=100,
        cap_ms=500,
        source=lambda tell: ObserverSource(
            str(root), tell, Observer() if kind == "native" else PollingObserver(timeout=0.05)
        ),
    )
    write(root, "a.py", "e/f/c.py", "node_modules/y.js", text="longer")
    watched.wait(lambda found: {change.path for change in found} == {"a.py", "e/f/c.py"})
    (root / "d").rename(root / "g")
    (root / "a.py").unlink()
    found = watched.wait(lambda found: {"g/b.py", "a.py"} <= {change.path for change in found[2:]})
    assert Change("deleted", "a.py") in found
    assert Change("moved", "g/b.py", "d/b.py") in found or {
        Change("deleted", "d/b.py"),
        Change("created", "g/b.py"),
    } <= set(found)
    assert watched.watcher.flush(BOUND_S)


def test_a_branch_switch_comes_in_one_batch(root: Path, watch: Callable[..., Watched]) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    for branch, text in (("main", "1"), ("other", "2")):
        if branch == "other":
            subprocess.run([*git, "checkout", "-q", "-b", branch], check=True)
            shutil.rmtree(root / "only")
        write(root, *[f"p{number % 7}/f{number}.py" for number in range(300)], text=text)
        write(root, f"only/{branch}/x.py")
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", branch], check=True)
    watched = watch(debounce_ms=200, cap_ms=2000)
    subprocess.run([*git, "checkout", "-q", "main"], check=True)
    found = watched.wait(lambda found: len(found) >= 302)
    assert len(watched.batches) <= 2
    kinds = {kind: sum(change.kind == kind for change in found) for kind in ("modified", "created", "deleted")}
    assert kinds == {"modified": 300, "created": 1, "deleted": 1}


def operate(root: Path, chance: random.Random, name: str, folder: Path) -> None:
    """Do one thing to the tree, or nothing where it cannot be done."""
    choice = chance.randrange(8)
    target = root / chance.choice(["m", "n", "a/m", "c/n"])
    if choice < 3:
        if (root / name).parent.is_dir() or not (root / name).parent.is_file():
            write(root, name, text=str(chance.random()))
    elif choice == 3 and (root / name).is_file():
        (root / name).unlink()
    elif not folder.is_dir():
        return
    elif choice == 4:
        shutil.rmtree(folder)
    elif choice == 5 and target.parent.is_dir() and not target.exists() and folder not in target.parents:
        folder.rename(target)
    elif choice == 6:
        write(folder, ".gitignore", text=chance.choice(["*.log\n", "b/\nm/\n", "\n"]))
    elif (root / name).is_file():
        (root / name).replace(folder / chance.choice(["x.py", "v.py"]))


@pytest.mark.parametrize("seed", range(6))
def test_after_any_sequence_of_operations_the_reports_add_up_to_the_tree(
    root: Path, watch: Callable[..., Watched], seed: int
) -> None:
    chance = random.Random(seed)
    folders = ["", "a", "a/b", "c", "c/node_modules", "dist"]
    write(root, "a/x.py", "a/b/y.py", "c/z.py")
    watched = watch(debounce_ms=20, cap_ms=100)
    files = {entry.path for entry in scan(root, Ignore(root)).files}
    for _ in range(150):
        name = str(Path(chance.choice(folders)) / chance.choice(["x.py", "y.py", "z.txt", "w.log"]))
        folder = root / chance.choice(folders[1:])
        operate(root, chance, name, folder)
        if chance.random() < 0.2:
            apply(files, watched.changes(), watched)
    apply(files, watched.changes(), watched)
    assert files == {entry.path for entry in scan(root, Ignore(root)).files}
    expected = {os.fsencode(f"{folder}/" if folder else "") for folder in scan(root, Ignore(root)).folders}
    assert watched_folders(watched) - guarded(watched) == expected


def test_it_stops_from_its_own_callback_and_twice(root: Path) -> None:
    done = threading.Event()

    def stop(_batch: list[Change]) -> None:
        watcher.stop()
        done.set()

    watcher = Watcher(root, Ignore(root), stop, debounce_ms=10, cap_ms=20)
    watcher.start()
    write(root, "a.py")
    assert done.wait(BOUND_S)
    watcher.stop()
    assert not watcher.flush(0.01)


def test_a_watcher_that_never_started_stops(root: Path) -> None:
    Watcher(root, Ignore(root), lambda _batch: None).stop()


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at the watches of inotify")
