"""Ignore rules that git does not know, and how they follow a changing tree. Git's own: tests/property."""

import os
import subprocess
from pathlib import Path

import pytest

from memoire.ignore import Ignore
from memoire.scan import scan


@pytest.fixture(autouse=True)
def home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "proj"
    folder.mkdir()
    return folder


def write(root: Path, *names: str, text: str = "x") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def found(root: Path, *patterns: str) -> list[str]:
    """Return the files of a walk, having checked that asking for each path alone gives the same."""
    ignore = Ignore(root, patterns)
    files = [entry.path for entry in scan(root, ignore).files]
    cold = Ignore(root, patterns)
    everything = [str(file.relative_to(root)) for file in root.rglob("*") if file.is_file() and not file.is_symlink()]
    assert sorted(path for path in everything if not cold.is_ignored(path)) == files
    return files


def test_dependencies_are_left_alone_without_git_and_without_any_ignore_file(root: Path) -> None:
    write(root, "node_modules/x/index.js", "web/node_modules/y/z.js", "app.js", "pkg/__pycache__/a.pyc", "a.pyc")
    write(root, ".tox/py/x.py", ".mypy_cache/x.json", ".venv/lib/x.py", "lib/site-packages/y.py", ".git/HEAD")
    assert found(root) == ["app.js"]


def test_an_environment_of_any_name_is_known_by_its_marker(root: Path) -> None:
    write(root, "my-env/pyvenv.cfg", "my-env/lib/x.py", "conda/conda-meta/history", "conda/bin/x.py", "env/source.py")
    assert found(root) == ["env/source.py"]


def test_a_tagged_cache_is_left_alone_and_a_false_tag_is_not(root: Path) -> None:
    write(root, "c/CACHEDIR.TAG", text="Signature: 8a477f597d28d172789f06886806bc55\n# cache")
    write(root, "d/CACHEDIR.TAG", "c/x.py", "d/x.py")
    assert found(root) == ["d/CACHEDIR.TAG", "d/x.py"]


@pytest.mark.parametrize(
    ("generated", "source"),
    [
        ("dist/app-1.0-py3-none-any.whl", "dist/readme.py"),
        ("build/CMakeCache.txt", "build/tasks.py"),
        ("build/classes/A.txt", "build/gulpfile.js"),
        ("dist/main.3f2a1b9c.js", "dist/main.js"),
        ("dist/index.d.ts", "dist/index.ts"),
        ("target/.rustc_info.json", "target/select.py"),
        ("_build/doctrees/x", "_build/conf.py"),
        ("obj/project.assets.json", "obj/mesh.py"),
        ("bin/Debug/x.cs", "bin/tool.py"),
        ("vendor/modules.txt", "vendor/own.go"),
        ("out/x.class", "out/put.py"),
        ("bin/run.py", "bin/run.jar"),
    ],
)
def test_a_build_folder_is_generated_only_where_its_content_says_so(root: Path, generated: str, source: str) -> None:
    folder = generated.partition("/")[0]
    write(root, source)
    assert found(root) == [source]
    if folder == "bin" and source.endswith(".jar"):
        write(root, generated)
        assert found(root) == sorted([generated, source])
        return
    write(root, generated, f"{folder}/index.js")
    assert found(root) == []


def test_another_repository_inside_is_another_project(root: Path) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    write(root, "a.py")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "a.py"], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(root / ".claude/worktrees/wt1")], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(root / "elsewhere")], check=True)
    write(root, "sub/.git", text="gitdir: ../.git/modules/sub\n")
    write(root, "sub/b.py", "clone/.git/HEAD", "clone/c.py", ".claude/settings.json", ".claude/worktrees/left/d.py")
    assert found(root) == [".claude/settings.json", "a.py"]


def test_own_state_is_left_alone_wherever_the_project_is(home: Path) -> None:
    write(home, ".local/state/memoire/x/db/f", ".local/state/other/f", ".memoire/config.toml", "a.py")
    assert found(home) == [".local/state/other/f", "a.py"]


def test_files_of_editors_and_compilers_are_left_alone(root: Path) -> None:
    write(
        root, "a.py~", ".a.py.swp", "4913", "a.py___jb_tmp___", ".#a.py", ".goutputstream-X", "a.o", ".DS_Store", "a.py"
    )
    assert found(root) == ["a.py"]


def test_memoireignore_and_settings_are_layers_that_cannot_bring_back_what_git_ignores(root: Path) -> None:
    write(root, "gen/a.py", "gen/b.py", "src/c.py", "src/d.py", "src/e.py")
    write(root, ".gitignore", text="gen/\n")
    write(root, ".memoireignore", text="!gen/\nd.py\ne.py\n")
    write(root, "src/.memoireignore", text="!d.py\nc.py\n")
    assert found(root, "!e.py", "*ignore") == ["src/d.py", "src/e.py"]


def test_ignore_files_of_the_folders_above_the_root_hold(tmp_path: Path) -> None:
    top = tmp_path / "mono"
    write(top, "apps/web/src/a.py", "apps/web/tmp/b.py", "apps/web/c.log", "apps/web/d.txt", "apps/web/e.md")
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    write(top, ".gitignore", text="*.log\n/apps/web/tmp\n")
    write(top, "apps/.gitignore", text="web/d.txt\n")
    write(top, ".git/info/exclude", text="apps/*/e.md\n")
    assert found(top / "apps" / "web") == ["src/a.py"]


def test_the_users_own_excludes_file_holds(root: Path, home: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    write(root, "a.scratch", "b.tmpx", "c.py")
    write(home, ".config/git/ignore", text="*.scratch\n")
    assert found(root) == ["b.tmpx", "c.py"]
    write(home, ".gitconfig", text="[core]\n\texcludesFile = ~/my-ignores\n")
    write(home, "my-ignores", text="*.tmpx\n")
    assert found(root) == ["a.scratch", "c.py"]


def test_what_git_tracks_is_kept_although_it_is_ignored(root: Path) -> None:
    write(root, "lib/core.py", "lib/junk.py", "lib/deep/x.py", "debug.log", "other.log")
    write(root, ".gitignore", text="lib/\n*.log\n")
    ignore = Ignore(root, tracked=["lib/core.py", "debug.log"])
    assert [entry.path for entry in scan(root, ignore).files] == [".gitignore", "debug.log", "lib/core.py"]
    assert not ignore.is_ignored("lib", is_dir=True)
    assert ignore.is_ignored("lib/deep", is_dir=True)
    assert ignore.is_ignored("lib/junk.py")
    assert ignore.set_tracked(["lib/junk.py"])
    assert not ignore.set_tracked(["lib/junk.py"])
    assert [entry.path for entry in scan(root, ignore).files] == [".gitignore", "lib/junk.py"]


def test_an_edited_ignore_file_takes_effect_when_invalidated(root: Path) -> None:
    write(root, "pkg/gen/a.py", "pkg/b.py")
    ignore = Ignore(root)
    assert not ignore.is_ignored("pkg/gen/a.py")
    write(root, "pkg/.gitignore", text="gen/\n")
    assert ignore.invalidate("pkg/.gitignore") == "pkg"
    assert ignore.is_ignored("pkg/gen/a.py")
    (root / "pkg/.gitignore").unlink()
    assert ignore.invalidate("pkg/.gitignore") == "pkg"
    assert not ignore.is_ignored("pkg/gen/a.py")
    write(root, ".memoireignore", text="b.py\n")
    assert ignore.invalidate(".memoireignore") == ""
    assert ignore.is_ignored("pkg/b.py")
    assert ignore.invalidate("pkg/b.py") is None


def test_a_folder_that_becomes_an_environment_or_a_repository_is_left_alone(root: Path) -> None:
    write(root, "env/a.py", "sub/b.py")
    ignore = Ignore(root)
    assert not ignore.is_ignored("env/a.py")
    assert not ignore.is_ignored("sub/b.py")
    write(root, "env/pyvenv.cfg", "sub/.git")
    assert ignore.invalidate("env/pyvenv.cfg") == "env"
    assert ignore.invalidate("sub/.git") == "sub"
    assert ignore.is_ignored("env/a.py")
    assert ignore.is_ignored("sub/b.py")


def test_a_build_folder_that_fills_is_noticed_without_being_told(root: Path) -> None:
    write(root, "dist/a.py")
    ignore = Ignore(root)
    assert not ignore.is_ignored("dist/a.py")
    os.utime(root / "dist", ns=(1, 1))
    ignore.forget("dist")
    assert not ignore.is_ignored("dist/a.py")
    write(root, "dist/app.whl")
    assert ignore.is_ignored("dist/a.py")


def test_a_change_of_an_ignore_file_outside_the_tree_is_noticed(root: Path, home: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    write(root, "a.py", "b.py")
    ignore = Ignore(root)
    assert not ignore.has_changed_outside()
    write(root, ".git/info/exclude", text="a.py\n")
    assert ignore.has_changed_outside()
    assert not ignore.has_changed_outside()
    assert ignore.is_ignored("a.py")
    write(home, ".config/git/ignore", text="b.py\n")
    assert ignore.has_changed_outside()
    assert ignore.is_ignored("b.py")


def test_a_folder_made_again_is_looked_at_again(root: Path) -> None:
    write(root, "x/pyvenv.cfg", "x/a.py")
    ignore = Ignore(root)
    assert ignore.is_ignored("x/a.py")
    (root / "x/pyvenv.cfg").unlink()
    assert ignore.is_ignored("x/a.py")
    ignore.forget("x")
    assert not ignore.is_ignored("x/a.py")


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_an_ignore_file_that_is_no_plain_file_is_not_read(root: Path, tmp_path: Path, kind: str) -> None:
    write(root, "a.py")
    if kind == "link":
        write(tmp_path, "rules", text="a.py\n")
        (root / ".gitignore").symlink_to(tmp_path / "rules")
    elif kind == "pipe":
        os.mkfifo(root / ".gitignore")
    else:
        write(root, ".gitignore/b.py")
    assert "a.py" in found(root)


def test_names_that_are_not_text_are_matched_as_bytes(root: Path) -> None:
    (root / os.fsdecode(b"d\xff")).mkdir()
    write(root, ".gitignore", text="a*\n")
    ignore = Ignore(root)
    assert ignore.is_ignored(os.fsdecode(b"d\xff/a\xfe"))
    assert not ignore.is_ignored(os.fsdecode(b"d\xff/b\xfe"))
    assert not ignore.is_ignored("")
