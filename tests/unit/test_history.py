"""What is mined from a history: renames followed to today, odd repositories, limits, and how it is kept."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire.episodes import git, history, history_file
from memoire.episodes.history import History, mine
from tests.repositories import AT, Repository

TEXT = "".join(f"line {number}\n" for number in range(30))


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> Repository:
    return Repository(tmp_path / "repo", home)


def paths_of(found: History) -> list[tuple[str, ...]]:
    return [each.paths for each in found.commits]


def test_without_git_or_commits_the_history_is_empty(tmp_path: Path, repo: Repository) -> None:
    for root in (tmp_path, repo.root):
        found = mine(root)
        assert (found.head, found.commits, found.activity(), found.touching("a")) == ("", (), {}, [])
        assert found.is_complete


def test_a_file_keeps_its_commits_under_its_name_of_today(repo: Repository) -> None:
    first = repo.commit({"a.py": TEXT, "b.py": "1"})
    second = repo.commit({"a.py": f"{TEXT}more\n"})
    repo.git("mv", "a.py", "c.py")
    third = repo.commit()
    (repo.root / "sub").mkdir()
    repo.git("mv", "c.py", "sub/d.py")
    repo.commit({"sub/d.py": f"{TEXT}more\nand more\n"})
    found = mine(repo.root)
    assert paths_of(found) == [("sub/d.py",), ("sub/d.py",), ("sub/d.py",), ("b.py", "sub/d.py")]
    assert [each.id for each in found.touching("sub/d.py")][1:] == [third, second, first]
    assert found.activity()["sub/d.py"].commits == 4
    assert [each.id for each in found.touching("b.py")] == [first]
    assert len(found.touching("sub/")) == 4
    assert "a.py" not in found.activity()


def test_a_name_that_is_used_again_is_another_file(repo: Repository) -> None:
    first = repo.commit({"a.py": TEXT})
    repo.git("mv", "a.py", "b.py")
    repo.commit()
    again = repo.commit({"a.py": "".join(f"other {number}\n" for number in range(30))})
    found = mine(repo.root)
    assert [each.id for each in found.touching("a.py")] == [again]
    assert first in [each.id for each in found.touching("b.py")]


def test_names_passed_on_in_a_chain_each_keep_their_own_history(repo: Repository) -> None:
    repo.commit({"a": TEXT, "b": TEXT.replace("line", "word")})
    repo.git("mv", "b", "c")
    repo.commit()
    repo.git("mv", "a", "b")
    repo.commit()
    edited = repo.commit({"c": TEXT.replace("line", "word") + "x\n"})
    found = mine(repo.root)
    assert found.touching("c")[0].id == edited
    assert found.activity()["b"].commits == 2
    assert found.activity()["c"].commits == 3


def test_an_edit_on_one_branch_follows_the_rename_on_another(repo: Repository) -> None:
    repo.commit({"a.py": TEXT, "z": "1"})
    repo.git("checkout", "-q", "-b", "side")
    repo.git("mv", "a.py", "b.py")
    repo.commit()
    repo.git("checkout", "-q", "main")
    edited = repo.commit({"a.py": f"{TEXT}more\n"})
    repo.git("merge", "-q", "--no-edit", "side")
    assert (repo.root / "b.py").read_text() == f"{TEXT}more\n"
    found = mine(repo.root)
    assert edited in [each.id for each in found.touching("b.py")]
    assert "a.py" not in found.activity()


def test_a_rename_of_case_alone_is_followed(repo: Repository) -> None:
    repo.commit({"readme.md": TEXT})
    repo.git("mv", "readme.md", "README.md")
    repo.commit()
    assert {path: found.commits for path, found in mine(repo.root).activity().items()} == {"README.md": 2}


def test_names_that_are_no_text_are_left_out_and_nothing_else(repo: Repository) -> None:
    (repo.root / "a").write_text("1")
    try:
        Path(repr(repo.root)[11:-2] + "/\udcff\udcfe").write_text("2")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    repo.commit()
    assert paths_of(mine(repo.root)) == [("a",)]


def test_an_octopus_merge_brings_every_side(repo: Repository) -> None:
    repo.commit({"a": "1"})
    for side in ("one", "two", "three"):
        repo.git("checkout", "-q", "-b", side, "main")
        repo.commit({side: "1"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "one", "two", "three")
    assert len(repo.git("rev-list", "--parents", "-1", "HEAD").split()) == 4
    assert sorted(paths_of(mine(repo.root))) == [("a",), ("one",), ("three",), ("two",)]


def test_a_submodule_is_no_file_of_the_project(repo: Repository, tmp_path: Path, home: Path) -> None:
    inner = Repository(tmp_path / "inner", home)
    inner.commit({"x": "1"})
    repo.git("submodule", "--quiet", "add", str(inner.root), "sub")
    repo.commit({"a": "1"})
    assert paths_of(mine(repo.root)) == [(".gitmodules", "a")]
    assert git.own_dir(repo.root / "sub") != git.own_dir(repo.root)
    assert paths_of(mine(repo.root / "sub")) == [("x",)]


def test_commits_of_1970_and_of_the_future_are_taken_at_their_word(repo: Repository) -> None:
    repo.at = -1
    repo.git("--version")
    repo.at = 0
    repo.write({"old": "1"})
    repo.git("add", "-A")
    stamp = "GIT_COMMITTER_DATE=@0 +0000"
    subprocess.run(["env", stamp, "git", "-C", str(repo.root), "commit", "-q", "-m", "x"], check=True)
    repo.at = 4_000_000_000
    repo.commit({"new": "1"})
    found = mine(repo.root).activity()
    assert found["old"].last_at == datetime(1970, 1, 1, tzinfo=UTC)
    assert found["new"].last_at > datetime(2096, 1, 1, tzinfo=UTC)


def test_where_a_shallow_clone_ends_files_get_an_age_and_no_commit(
    repo: Repository, tmp_path: Path, home: Path
) -> None:
    for number in range(4):
        repo.commit({"a": f"{number}", f"f{number}": "1"})
    root = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=2", f"file://{repo.root}", str(root)], check=True)
    found = mine(root)
    assert [(each.paths, each.is_boundary) for each in found.commits] == [
        (("a", "f3"), False),
        (("a", "f0", "f1", "f2"), True),
    ]
    assert {path: item.commits for path, item in found.activity().items()} == {
        "a": 1, "f3": 1, "f0": 0, "f1": 0, "f2": 0,
    }  # fmt: skip
    clone = Repository(root, home, init=False)
    clone.git("fetch", "-q", "--unshallow")
    deeper = mine(root, found)
    assert deeper.commits == mine(root).commits == mine(repo.root).commits
    assert not any(each.is_boundary for each in deeper.commits)


def test_a_clone_without_old_blobs_is_mined_as_far_as_it_goes(repo: Repository, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit({"a": TEXT})
    repo.git("mv", "a", "b")
    repo.commit({"c": "1"})
    repo.commit({"b": f"{TEXT}more\n"})
    root = tmp_path / "partial"
    subprocess.run(["git", "clone", "-q", "--filter=blob:none", f"file://{repo.root}", str(root)], check=True)
    assert git.is_partial_clone(root)
    assert paths_of(mine(root)) == [("b",), ("b", "c"), ("b",)]


def test_a_commit_that_cannot_be_read_costs_only_itself(repo: Repository) -> None:
    shas = [repo.commit({f"d{number}/f": f"{number}"}) for number in range(6)]
    tree = repo.git("rev-parse", f"{shas[2]}^{{tree}}")
    (repo.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    found = mine(repo.root)
    # The commit after it cannot be compared with it.
    assert [each.id for each in found.commits] == [shas[5], shas[4], shas[1], shas[0]]
    assert found.unreadable == {shas[2], shas[3]}
    assert found.is_complete


def test_only_what_is_new_is_asked_of_git(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    kept = mine(repo.root)
    new = repo.commit({"a": "2"})
    asked: list[str] = []
    real = git.details

    def details(root: Path, ids: list[str], **options: bool) -> list[git.Commit] | None:
        asked.extend(ids)
        return real(root, ids, timeout_s=20.0, is_partial=options["is_partial"])

    monkeypatch.setattr(git, "details", details)
    kept = mine(repo.root, kept)
    assert asked == [new]
    assert mine(repo.root, kept) is kept


def test_mining_stops_in_time_and_goes_on_the_next_time(repo: Repository) -> None:
    repo.commit({"a": "1"})
    repo.commit({"a": "2"})
    late = mine(repo.root, seconds=0.0)
    assert (late.commits, late.is_complete) == ((), False)
    assert mine(repo.root, late).commits == mine(repo.root).commits


def test_progress_is_told_for_every_chunk(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "CHUNK", 2)
    for number in range(5):
        repo.commit({"a": f"{number}"})
    told: list[tuple[int, int]] = []
    found = mine(repo.root, report=lambda done, total: told.append((done, total)))
    assert told == [(0, 5), (2, 5), (4, 5)]
    assert len(found.commits) == 5


def test_memory_is_bounded_by_what_commits_touched(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        repo.commit({f"{name}": f"{number}" for name in "abc"})
    monkeypatch.setattr(history, "MOST_CHANGES", 7)
    monkeypatch.setattr(history, "CHUNK", 1)
    found = mine(repo.root)
    assert len(found.commits) == 2
    repo.commit({"a": "new"})
    assert mine(repo.root, found).commits == mine(repo.root).commits
    assert len(mine(repo.root).commits) == 3


def test_a_user_s_own_settings_of_git_change_nothing(repo: Repository, home: Path) -> None:
    repo.commit({"a": TEXT, "sub/b": "1"})
    repo.git("mv", "a", "c")
    repo.commit()
    expected = mine(repo.root)
    with (home / ".gitconfig").open("a") as config:
        config.write(
            "[log]\n\tshowRoot = false\n\tdate = relative\n\tdecorate = full\n\tfollow = true\n\tshowSignature = true\n"
            "[diff]\n\trenames = false\n\tnoprefix = true\n\torderFile = /nowhere\n\trelative = true\n"
            "[color]\n\tui = always\n[core]\n\tquotePath = true\n[format]\n\tpretty = oneline\n"
        )
    assert mine(repo.root).commits == expected.commits


SECRETS = ("ghp_" + "a1B2" * 9, "AKIA" + "Q3" * 8, "postgres://admin:hunter2hunter2@db/x")


def test_messages_are_kept_beside_the_commits_without_secrets_and_names_of_people(repo: Repository) -> None:
    repo.commit({"a": "1"}, "Begin\n\nWhy it begins.\nA second line.\n\nSigned-off-by: A B <a@b.example>")
    repo.commit({"a": "2"}, f"Use {SECRETS[0]}\n\nkey = {SECRETS[1]}\nat {SECRETS[2]}")
    repo.git("commit", "-q", "--allow-empty", "-m", "Nothing")
    found = mine(repo.root)
    assert len(found.messages) == len(found.commits) == 2
    assert found.messages[1] == "Begin\nWhy it begins.\nA second line."
    assert found.messages[0].startswith("Use ***\nkey = ")
    assert not [secret for secret in SECRETS if secret in found.messages[0] or "hunter2" in found.messages[0]]


@pytest.mark.parametrize("before", [0, 350, 380, 390, 399])
def test_a_secret_that_is_cut_off_is_taken_out_whole(before: int, repo: Repository) -> None:
    key = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", *["QUJDREVGR0hJSktM" * 4] * 100, "-----END RSA PRIVATE KEY-----"]
    )
    for number, secret in enumerate((*SECRETS, key)):
        repo.commit({"a": str(number)}, f"Subject\n\n{'word ' * (before // 5)}{secret}")
        (message, *_) = mine(repo.root).messages
        assert len(message) <= 2 * history.MESSAGE_LIMIT + 1
        assert "ghp_a" not in message
        assert "AKIA" not in message
        assert "hunter" not in message
        assert "QUJD" not in message


def test_a_message_of_any_bytes_is_text_and_costs_no_other_commit(repo: Repository) -> None:
    repo.commit({"a": "1"}, "First")
    repo.write({"a": "2"})
    repo.git("add", "-A")
    odd = b"\x01\x02 odd \x02 subject \xff\n\n\x02body\x01 " + b"x" * 50_000
    repo.git("commit", "-q", "-F", "-", stdin=odd)
    repo.commit({"a": "3"}, "Last")
    found = mine(repo.root)
    assert [len(each.paths) for each in found.commits] == [1, 1, 1]
    assert [found.messages[0], found.messages[2]] == ["Last", "First"]
    assert "odd" in found.messages[1]
    assert "subject" in found.messages[1]
    assert len(found.messages[1]) <= 2 * history.MESSAGE_LIMIT + 1


def test_a_history_that_was_kept_is_read_again_or_not_at_all(repo: Repository, tmp_path: Path) -> None:
    repo.commit({"a": TEXT, "n\u00e4me": "1"})
    repo.git("mv", "a", "b")
    repo.commit()
    file = tmp_path / "history"
    assert history_file.load(file) is None
    found = mine(repo.root)
    history_file.save(file, found)
    assert file.stat().st_mode & 0o777 == 0o600
    loaded = history_file.load(file)
    assert loaded is not None
    assert (loaded.head, loaded.commits, loaded.messages) == (found.head, found.commits, found.messages)
    assert mine(repo.root, loaded) is loaded
    data = file.read_bytes()
    for broken in (b"", b"junk", data[: len(data) // 2], data[:-9] + b"\0" * 9):
        file.write_bytes(broken)
        assert history_file.load(file) is None
    assert found.commits[0].at.timestamp() > AT
