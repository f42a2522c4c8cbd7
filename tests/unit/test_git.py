"""What is read from git, checked against git itself."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire import gitrun
from memoire.episodes import git as asked
from memoire.episodes.git import Commit, FileChange, Head, head, tracked_ignored
from memoire.episodes.history import mine

AT = 1_700_000_000


@pytest.fixture(autouse=True)
def home(home: Path) -> Path:
    (home / ".gitconfig").write_text("[user]\n\tname = a\n\temail = a@b\n[init]\n\tdefaultBranch = main\n")
    return home


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    git(tmp_path, "init", "-q", str(root))
    return root


def git(root: Path, *arguments: str, at: int = AT) -> str:
    environ = {**os.environ, "GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"}
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environ).stdout.strip()


def commit(root: Path, files: dict[str, str], at: int = AT, message: str = "change") -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "--allow-empty", "-m", message, at=at)
    return git(root, "rev-parse", "HEAD")


def time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def last_commit_times(root: Path, limit: int = 2000) -> dict[str, datetime]:
    return {path: found.last_at for path, found in mine(root, limit=limit).activity().items()}


def commits(root: Path, limit: int = 2000, since: str = "") -> list[Commit]:
    return asked.details(root, asked.listed(root, head(root).commit, limit, since)) or []


def test_without_git_everything_is_empty(tmp_path: Path) -> None:
    assert head(tmp_path) == Head("", "")
    assert last_commit_times(tmp_path) == {}
    assert commits(tmp_path) == []
    assert tracked_ignored(tmp_path) == frozenset()


def test_without_a_git_program_everything_is_empty(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sha = commit(repo, {"a": "1"})
    monkeypatch.setenv("PATH", "/nowhere")
    assert head(repo) == Head(sha, "main")
    assert last_commit_times(repo) == {}


def test_before_the_first_commit_there_is_a_branch_only(repo: Path) -> None:
    assert head(repo) == Head("", "main")
    assert last_commit_times(repo) == {}


def test_the_head_is_that_of_git_wherever_the_reference_lies(repo: Path, tmp_path: Path) -> None:
    first = commit(repo, {"a": "1", "sub/b": "1"})
    assert head(repo) == head(repo / "sub") == Head(first, "main")
    git(repo, "pack-refs", "--all")
    assert not (repo / ".git/refs/heads/main").exists()
    assert head(repo) == Head(first, "main")
    second = commit(repo, {"a": "2"})
    assert head(repo) == Head(second, "main")
    git(repo, "pack-refs", "--all")
    assert head(repo) == Head(second, "main")
    git(repo, "checkout", "-q", "-b", "feature/x", first)
    assert head(repo) == Head(first, "feature/x")
    git(repo, "checkout", "-q", "--detach", second)
    assert head(repo) == Head(second, "")
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"), first)
    assert head(tmp_path / "wt") == Head(first, "side")
    git(repo, "pack-refs", "--all")
    assert head(tmp_path / "wt") == Head(first, "side")


def test_a_symbolic_branch_is_followed(repo: Path) -> None:
    sha = commit(repo, {"a": "1"})
    git(repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    (repo / ".git/HEAD").write_text("ref: refs/heads/alias\n")
    assert head(repo) == Head(sha, "alias")
    (repo / ".git/refs/heads/main").write_text("ref: refs/heads/alias\n")
    assert head(repo).commit == ""


@pytest.mark.parametrize(
    "text", ["ref: ../../../etc/passwd\n", "ref: refs/../../x\n", "ref: /etc/passwd\n", "garbage", "", "\xff\0"]
)
def test_a_broken_head_is_no_commit(repo: Path, text: str) -> None:
    (repo / ".git/HEAD").write_bytes(text.encode("latin-1"))
    assert head(repo) == Head("", "")


def test_references_in_a_table_are_asked_of_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sha = commit(repo, {"a": "1"})
    asked: list[tuple[str, ...]] = []
    answers = {"rev-parse": f"{sha}\n".encode(), "symbolic-ref": b"main\n"}

    def run(_root: object, *arguments: str) -> bytes:
        asked.append(arguments)
        return answers[arguments[0]]

    (repo / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    monkeypatch.setattr(gitrun, "run", run)  # the git of older systems has no such table
    assert head(repo) == Head(sha, "main")
    assert [each[0] for each in asked] == ["rev-parse", "symbolic-ref"]

    (repo / ".git/reftable").mkdir()
    (repo / ".git/reftable/tables.list").write_text("one\n")
    assert [head(repo) for _ in range(9)] == [Head(sha, "main")] * 9
    assert len(asked) == 4  # once for all nine: it is asked for at every answer
    answers["symbolic-ref"] = b"other\n"
    (repo / ".git/reftable/tables.list").write_text("one\ntwo\n")
    assert head(repo) == Head(sha, "other")


def test_a_file_is_as_old_as_the_last_commit_that_touched_it(repo: Path) -> None:
    commit(repo, {"a.py": "1", "sub/na\u00efve file.py": "1", "old.py": "1"}, at=AT)
    commit(repo, {"a.py": "2"}, at=AT + 100)
    git(repo, "mv", "old.py", "sub/new.py")
    commit(repo, {}, at=AT + 200)
    expected = {
        "a.py": time(AT + 100),
        "sub/na\u00efve file.py": time(AT),
        "sub/new.py": time(AT + 200),
    }
    assert last_commit_times(repo) == expected
    assert last_commit_times(repo / "sub") == {
        "na\u00efve file.py": time(AT),
        "new.py": time(AT + 200),
    }
    assert last_commit_times(repo, limit=1) == {"sub/new.py": time(AT + 200)}


def test_the_newest_time_counts_when_commits_are_out_of_order(repo: Path) -> None:
    commit(repo, {"a.py": "1"}, at=AT + 500)
    commit(repo, {"a.py": "2"}, at=AT)
    assert last_commit_times(repo) == {"a.py": time(AT + 500)}


def test_commits_come_newest_first_with_their_renames(repo: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    first = commit(repo, {"a.py": text, "b.py": "1"}, at=AT, message="first\n\nbody")
    git(repo, "mv", "a.py", "c.py")
    (repo / "b.py").unlink()
    second = commit(repo, {"\n\x01odd": "x"}, at=AT + 9, message="s\x02econd \u00e9")
    empty = commit(repo, {}, message="empty")
    moved = Commit(
        second,
        time(AT + 9),
        "s\x02econd \u00e9",
        (
            FileChange("added", "\n\x01odd"),
            FileChange("deleted", "b.py"),
            FileChange("moved", "c.py", "a.py"),
        ),
    )
    added = Commit(first, time(AT), "first", (FileChange("added", "a.py"), FileChange("added", "b.py")), "body")
    found = commits(repo)[1:]
    assert commits(repo)[0].changes == ()
    assert sorted(found[0].changes, key=lambda change: change.path) == list(moved.changes)
    assert (found[0].id, found[0].at, found[0].subject) == (moved.id, moved.at, moved.subject)
    assert found[1:] == [added]
    assert [each.id for each in commits(repo, since=first)] == [empty, second]
    assert [each.id for each in commits(repo, limit=1)] == [empty]


def test_commits_that_cannot_be_read_are_no_answer(repo: Path) -> None:
    sha = commit(repo, {"a": "1"})
    assert asked.details(repo, [sha, "0" * 40]) is None
    assert asked.details(repo, []) == []
    assert asked.listed(repo, "HEAD", 5) == []
    assert asked.changed_between(repo, "HEAD", sha) == []
    assert asked.changed_between(repo, "0" * 40, sha) == []
    assert asked.parent(repo, sha) == asked.parent(repo, "HEAD") == ""


def test_what_differs_between_two_commits_is_named_as_the_project_names_it(repo: Path) -> None:
    first = commit(repo, {"a": "1", "sub/b": "1"})
    second = commit(repo, {"a": "2", "sub/b": "2", "sub/c": "1"})
    assert asked.changed_between(repo, first, second) == ["a", "sub/b", "sub/c"]
    assert asked.changed_between(repo / "sub", first, second) == ["b", "c"]
    assert asked.files_at(repo, first) == {"a", "sub/b"}
    assert asked.files_at(repo / "sub", second) == {"b", "c"}
    assert asked.is_ancestor(repo, first, second)
    assert not asked.is_ancestor(repo, second, first)
    assert asked.parent(repo, second) == first


def test_merges_are_left_out(repo: Path) -> None:
    commit(repo, {"a": "1"})
    git(repo, "checkout", "-q", "-b", "side")
    commit(repo, {"b": "1"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"c": "1"})
    git(repo, "merge", "-q", "--no-edit", "side")
    assert sorted(change.path for each in commits(repo) for change in each.changes) == ["a", "b", "c"]


def test_a_time_beyond_the_calendar_is_held_inside(repo: Path) -> None:
    commit(repo, {"a": "1"}, at=AT)
    raw = git(repo, "cat-file", "commit", "HEAD").replace(str(AT), "99999999999999")
    sha = subprocess.run(
        ["git", "-C", str(repo), "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        input=f"{raw}\n", capture_output=True, check=True, text=True,
    ).stdout.strip()  # fmt: skip
    git(repo, "reset", "-q", "--hard", sha)
    assert last_commit_times(repo)["a"].year in range(1970, 10_000)


def test_files_tracked_although_ignored_are_listed(repo: Path) -> None:
    commit(repo, {".gitignore": "lib/\n*.log\n", "lib/a.py": "1", "x.log": "1", "b.py": "1"})
    (repo / "y.log").touch()
    assert tracked_ignored(repo) == {"lib/a.py", "x.log"}
    assert tracked_ignored(repo / "lib") == {"a.py"}


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"])
def test_inside_a_git_hook_the_project_is_still_the_one_asked_about(
    repo: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    commit(repo, {"a": "1"})
    monkeypatch.setenv(variable, "/nowhere")
    assert list(last_commit_times(repo)) == ["a"]


def test_nothing_of_a_hostile_repository_runs(repo: Path, tmp_path: Path) -> None:
    commit(repo, {"a.txt": "1", ".gitattributes": "* diff=evil filter=evil\n"})
    commit(repo, {"a.txt": "2"})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor", "core.pager", "pager.log", "diff.external", "diff.evil.textconv", "diff.evil.command",
        "filter.evil.clean", "filter.evil.process", "core.sshCommand", "gpg.program", "core.editor", "alias.log",
    ):  # fmt: skip
        git(repo, "config", key, str(trap))
    git(repo, "config", "log.showSignature", "true")
    git(repo, "config", "core.hooksPath", str(tmp_path))
    assert set(last_commit_times(repo)) == {"a.txt", ".gitattributes"}
    assert len(commits(repo)) == 2
    assert tracked_ignored(repo) == frozenset()
    assert head(repo).branch == "main"
    assert not (tmp_path / "sprung").exists()


def test_git_is_stopped_at_its_limits(repo: Path) -> None:
    commit(repo, {f"f{number}": "1" for number in range(50)})
    assert gitrun.run(repo, "ls-files", max_bytes=9) == b"f0\nf1\nf10"
    assert gitrun.run(repo, "cat-file", "--batch", timeout_s=5) == b""
    assert gitrun.run(repo, "no-such-command") is None
    assert gitrun.run(repo / "gone", "log") is None
    slow = ("-c", "alias.slow=!echo started; exec tail -f /dev/null", "slow")
    assert gitrun.run(repo, *slow, timeout_s=0.5) is None


def test_git_takes_no_lock(repo: Path) -> None:
    commit(repo, {"a": "1"})
    before = (repo / ".git/index").read_bytes()
    os.utime(repo / "a", ns=(1, 1))
    tracked_ignored(repo)
    last_commit_times(repo)
    assert (repo / ".git/index").read_bytes() == before
