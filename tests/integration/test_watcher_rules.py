"""The watcher follows ignore rules as they change, in both directions, and agrees with a fresh scan at any time."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memoire.episodes import git
from memoire.episodes.sources import InotifySource
from memoire.ignore import Ignore
from memoire.operations import search
from memoire.project import Project
from memoire.scan import scan
from tests.watching import Watched, apply, watching, write


@pytest.fixture(autouse=True)
def home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "proj"
    folder.mkdir()
    return folder


def run_git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
    found = subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)
    return found.stdout.decode()


def fresh(root: Path) -> set[str]:
    """Return the files that an ingest of now would take."""
    return {entry.path for entry in scan(root, Ignore(root, tracked=git.tracked_ignored(root))).files}


def known(watched: Watched) -> set[str]:
    return set(watched.watcher._tracker.known)


def listed(root: Path) -> set[str]:
    """Return the files that git sees: those it tracks and those it does not ignore, without links to submodules."""
    names = run_git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    return {name for name in names if name and (root / name).is_file()}


# ---- the law

CONTENTS = st.sampled_from(
    [
        "",
        "*.log\n",
        "a/\n",
        "*\n!.gitignore\n!x.py\n",
        "/x.py\n",
        "!x.py\n",
        "b\n!b/keep.py\n",
        "**/y.log\n",
        "a/b/*.py\n",
    ]
)
PLACES = st.sampled_from(["", "a/", "a/b/", "c/"])
NAMES = st.sampled_from(["x.py", "y.log", "keep.py", "z.txt"])
STEPS = st.one_of(
    st.tuples(st.just("write"), PLACES, NAMES),
    st.tuples(st.just("remove"), PLACES, NAMES),
    st.tuples(st.just("rules"), st.builds("{}.gitignore".format, PLACES), CONTENTS),
    st.tuples(st.just("rules"), st.builds("{}.memoireignore".format, PLACES), CONTENTS),
    st.tuples(st.just("rules"), st.just(".git/info/exclude"), CONTENTS),
    st.tuples(st.just("rules"), st.just("~/.config/git/ignore"), CONTENTS),
    st.tuples(st.just("no rules"), st.builds("{}.gitignore".format, PLACES), st.just("")),
    st.tuples(st.just("no rules"), st.just(".git/info/exclude"), st.just("")),
    st.tuples(st.just("move"), st.sampled_from(["a", "a/b", "c", "d"]), st.sampled_from(["c", "d", "a/b", "e"])),
    st.tuples(st.just("remove folder"), st.sampled_from(["a", "a/b", "c"]), st.just("")),
    st.tuples(st.just("repository"), st.sampled_from(["a", "c"]), st.just("")),
    st.tuples(st.just("no repository"), st.sampled_from(["a", "c"]), st.just("")),
    st.tuples(st.just("environment"), st.sampled_from(["a/b", "c"]), st.just("")),
    st.tuples(st.just("track"), PLACES, NAMES),
    st.tuples(st.just("untrack"), PLACES, NAMES),
    st.tuples(st.just("commit"), st.just(""), st.just("")),
    st.tuples(st.just("ask"), st.just(""), st.just("")),
)


def place(root: Path, name: str) -> Path:
    return Path(os.environ["HOME"]) / name[2:] if name.startswith("~/") else root / name


def make(file: Path, text: str) -> None:
    if any(parent.is_file() for parent in file.parents) or file.is_dir():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def try_git(root: Path, *arguments: str) -> None:
    """Run git, which may well refuse."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=False, capture_output=True)


def init(root: Path, folder: str) -> None:
    if (root / folder).is_dir():
        try_git(root / folder, "init", "-q")


def move(root: Path, old: str, new: str) -> None:
    source, target = root / old, root / new
    if source.is_dir() and target.parent.is_dir() and not target.exists() and source not in target.parents:
        source.rename(target)


DEEDS: dict[str, Callable[[Path, str, str], object]] = {
    "write": lambda root, folder, name: make(root / folder / name, f"{folder}{name}"),
    "remove": lambda root, folder, name: (root / folder / name).unlink(missing_ok=True),
    "rules": lambda root, name, text: make(place(root, name), text),
    "no rules": lambda root, name, _: place(root, name).unlink(missing_ok=True),
    "move": move,
    "remove folder": lambda root, folder, _: shutil.rmtree(root / folder, ignore_errors=True),
    "repository": lambda root, folder, _: init(root, folder),
    "no repository": lambda root, folder, _: shutil.rmtree(root / folder / ".git", ignore_errors=True),
    "environment": lambda root, folder, _: make(root / folder / "pyvenv.cfg", "home = /usr\n"),
    "track": lambda root, folder, name: try_git(root, "add", "-f", "--", folder + name),
    "untrack": lambda root, folder, name: try_git(root, "rm", "-q", "--cached", "--", folder + name),
    "commit": lambda root, _folder, _name: try_git(root, "commit", "-qm", "x"),
}  # fmt: skip


@given(steps=st.lists(STEPS, min_size=1, max_size=14))
@example(steps=[("write", "a/", "x.py"), ("rules", ".gitignore", "a/\n"), ("track", "a/", "x.py")])
@example(steps=[("write", "a/", "x.py"), ("track", "a/", "x.py"), ("commit", "", ""), ("rules", ".gitignore", "a/\n")])
@example(steps=[("write", "c/", "x.py"), ("repository", "c", ""), ("ask", "", ""), ("no repository", "c", "")])
@example(steps=[("write", "c/", "x.py"), ("environment", "c", ""), ("ask", "", ""), ("remove folder", "c", "")])
@example(steps=[("rules", "~/.config/git/ignore", "*.log\n"), ("write", "", "y.log"), ("ask", "", "")])
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_after_any_sequence_of_edits_of_files_and_rules_the_known_paths_are_those_of_a_fresh_scan(
    steps: list[tuple[str, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(os.path.realpath(folder))
        (top / "home/.config/git").mkdir(parents=True)
        monkeypatch.setenv("HOME", str(top / "home"))
        root = top / "proj"
        write(root, "a/b/x.py", "a/x.py", "c/x.py", "x.py", "a/y.log")
        run_git(root, "init", "-q")
        with watching(root, debounce_ms=20, cap_ms=100) as watched:
            files = fresh(root)
            for deed, first, second in steps:
                if deed == "ask":
                    apply(files, watched.changes(), watched)
                    assert files == known(watched) == fresh(root)
                else:
                    DEEDS[deed](root, first, second)
            apply(files, watched.changes(), watched)
            # What happened in git's folder may be told of one turn later than what it means.
            apply(files, watched.changes(), watched)
            assert files == known(watched) == fresh(root)
            assert watched.watcher.warnings() == []


# ---- single rules


def test_a_file_that_git_tracks_stays_when_an_ignore_file_comes_to_name_it(root: Path) -> None:
    write(root, "gen/kept.py", "gen/made.py")
    run_git(root, "init", "-q")
    run_git(root, "add", "gen/kept.py")
    with watching(root) as watched:
        write(root, ".gitignore", text="gen/\n")
        watched.changes()
        assert known(watched) == {".gitignore", "gen/kept.py"} == listed(root)
        run_git(root, "add", "-f", "gen/made.py")
        watched.changes()
        assert known(watched) == {".gitignore", "gen/kept.py", "gen/made.py"} == listed(root)
        run_git(root, "rm", "-q", "--cached", "gen/kept.py")
        watched.changes()
        assert known(watched) == {".gitignore", "gen/made.py"} == listed(root)


def test_another_file_of_global_excludes_takes_effect(root: Path, tmp_path: Path) -> None:
    write(root, "a.py", "b.py")
    write(tmp_path, "mine", text="a.py\n")
    run_git(root, "init", "-q")
    with watching(root) as watched:
        run_git(root, "config", "core.excludesFile", str(tmp_path / "mine"))
        watched.changes()
        assert known(watched) == {"b.py"}
        write(tmp_path, "mine", text="b.py\n")
        watched.changes()
        assert known(watched) == {"a.py"}
        run_git(root, "config", "--unset", "core.excludesFile")
        watched.changes()
        assert known(watched) == {"a.py", "b.py"}


def test_a_repository_that_is_made_of_the_project_brings_its_rules(root: Path) -> None:
    write(root, "a.py", "b.py")
    with watching(root) as watched:
        run_git(root, "init", "-q")
        watched.changes()
        write(root, ".git/info/exclude", text="a.py\n")
        watched.changes()
        assert known(watched) == {"b.py"}
        shutil.rmtree(root / ".git/info")
        watched.changes()
        assert known(watched) == {"a.py", "b.py"}
        write(root, ".git/info/exclude", text="b.py\n")
        watched.changes()
        assert known(watched) == {"a.py"}


def test_files_move_out_of_ignored_folders_and_into_them(root: Path) -> None:
    write(root, ".gitignore", text="gen/\n")
    write(root, "gen/a.py", "src/b.py", "src/deep/c.py")
    with watching(root) as watched:
        (root / "gen/a.py").rename(root / "src/a.py")
        assert watched.changes() == [("created", "src/a.py")]
        (root / "src/a.py").rename(root / "gen/a.py")
        assert watched.changes() == [("deleted", "src/a.py")]
        (root / "src/deep").rename(root / "gen/deep")
        assert watched.changes() == [("deleted", "src/deep/c.py")]
        write(root, "gen/deep/d.py")
        (root / "gen/deep").rename(root / "src/back")
        assert watched.changes() == [("created", "src/back/c.py"), ("created", "src/back/d.py")]


def test_submodules_worktrees_and_clones_inside_are_not_part_just_as_git_lists_files(
    root: Path, tmp_path: Path
) -> None:
    write(tmp_path, "library/lib.py")
    for folder in (tmp_path / "library", root):
        if folder == root:
            write(root, "a.py")
        run_git(folder, "init", "-q")
        run_git(folder, "add", "-A")
        run_git(folder, "commit", "-qm", "all")
    with watching(root) as watched:
        run_git(root, "submodule", "--quiet", "add", str(tmp_path / "library"), "sub")
        run_git(root, "worktree", "add", "-q", ".claude/worktrees/wt1")
        run_git(root, "worktree", "add", "-q", "elsewhere")
        run_git(root, "clone", "-q", str(tmp_path / "library"), "clone")
        shutil.copytree(tmp_path / "library", root / "copied")
        watched.changes()
        assert known(watched) == fresh(root) == listed(root) == {".gitmodules", "a.py"}
        write(root, "sub/more.py", "clone/more.py", "elsewhere/more.py", ".claude/worktrees/wt1/more.py")
        assert watched.changes() == []
        # What stops being another repository is part of this one from then on, without a restart.
        shutil.rmtree(root / "clone/.git")
        (root / "sub/.git").unlink()
        watched.changes()
        assert known(watched) == {".gitmodules", "a.py", "clone/lib.py", "clone/more.py", "sub/lib.py", "sub/more.py"}
        write(root, "clone/lib.py", text="edited")
        assert watched.changes() == [("modified", "clone/lib.py")]
        run_git(root, "worktree", "remove", "--force", "elsewhere")
        assert watched.changes() == []
        assert known(watched) == fresh(root)


def test_no_directory_below_an_ignored_one_holds_a_watch_of_the_system(root: Path) -> None:
    write(root, ".gitignore", text="gen/\n")
    write(root, "nested/.gitignore", text="out/\n")
    ignored = [f"{top}/p{number}/q/x.js" for top in ("gen", "nested/out", "node_modules") for number in range(30)]
    write(root, *ignored, "src/a.py", "venv/pyvenv.cfg", *[f"venv/lib/p{number}/x.py" for number in range(30)])
    with watching(root) as watched:
        source = watched.watcher._source
        assert isinstance(source, InotifySource)
        assert source._inotify is not None
        lines = Path(f"/proc/self/fdinfo/{source._inotify._inotify_fd}").read_text().splitlines()
        watches = {int(line.split("ino:")[1].split()[0], 16) for line in lines if line.startswith("inotify ")}
        inside = {folder.stat().st_ino: str(folder.relative_to(root)) for folder in root.rglob("*") if folder.is_dir()}
        # `venv` itself is watched for its marker.
        assert {inside[each] for each in watches & set(inside)} == {"nested", "src", "venv"}
        assert (
            len(watches) <= 3 + 1 + 3
        )  # the root; what lies outside: git's own file of the user, and a private folder


async def test_files_leave_the_graph_and_enter_it_again_as_rules_change(root: Path) -> None:
    write(root, "pkg/core.py", text="def total():\n    return 1\n")
    write(root, "pkg/gen/made.py", text="from pkg.core import total\n\ndef generated_total():\n    return total()\n")
    run_git(root, "init", "-q")
    project = await Project.open(root)
    try:
        await project.start()
        for number, (rules, text, is_there) in enumerate(
            [
                ("pkg/.gitignore", "gen/\n", False),
                ("pkg/.gitignore", "gen/*\n!gen/made.py\n", True),
                (".memoireignore", "made.py\n", False),
                (".memoireignore", "", True),
                ("pkg/.gitignore", "", True),
                (".git/info/exclude", "made.py\n", False),
                (".git/info/exclude", "\n", True),
            ]
        ):
            write(root, rules, text=text)
            assert await project.memory.settle(20) == [], number
            found = await search.run(project.memory, search.Params(query="generated_total"))
            hits = [hit for hit in found.results if hit.path == "pkg/gen/made.py" and hit.kind != "event"]
            assert bool(hits) == is_there, number
            edges = {(edge.key.source, edge.key.target) for edge in project.memory.graph.edges()}
            assert (("pkg/gen/made.py", "pkg/core.py") in edges) == is_there, number
    finally:
        await project.close()
