"""What is done with git is told from git's own files: once, in plain words, without secrets or names."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire.episodes.git_events import Cause, fold
from memoire.episodes.git_feed import GitFeed, News
from memoire.model import Event, FileChange, FileFacts
from tests.repositories import Repository

NOW = datetime(2030, 1, 1, tzinfo=UTC)
TEXT = "".join(f"line {number}\n" for number in range(30))


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> Repository:
    return Repository(tmp_path / "repo", home)


@pytest.fixture
def feed(repo: Repository) -> GitFeed:
    repo.commit({"a.py": "1", "b.py": "1"}, message="first")
    found = GitFeed(repo.root)
    assert look(found) == []
    return found


def news(feed: GitFeed) -> News:
    found = feed.poll(NOW)
    assert found is not None
    feed.accept(found)
    return found


def look(feed: GitFeed) -> list[Event]:
    return list(news(feed).events)


def said(feed: GitFeed) -> list[tuple[str, str]]:
    return [(each.kind, each.summary) for each in look(feed)]


def causes(feed: GitFeed) -> list[Cause]:
    return list(news(feed).causes)


def saved(*names: str) -> list[FileChange]:
    return [FileChange(name, FileFacts("python", "new", 1, 1), 0, NOW) for name in names]


def test_nothing_of_the_past_is_told_at_the_first_look(feed: GitFeed) -> None:
    assert not feed.has_news()
    assert feed.poll(NOW) is None


def test_a_commit_is_told_with_its_subject_and_files(repo: Repository, feed: GitFeed) -> None:
    sha = repo.commit({f"{name}.py": "2" for name in "abcde"}, message="Mend it\n\nat length")
    assert feed.has_news()
    (event,) = look(feed)
    assert event.summary == f'Committed {sha[:7]} "Mend it": 5 files (a.py, b.py, c.py, …)'
    assert event.kind == "commit"
    assert event.entities == ("a.py", "b.py", "c.py", "d.py", "e.py")
    assert event.actor == "git"
    assert event.at.replace(microsecond=0) == datetime.fromtimestamp(repo.at - 1, UTC)
    assert 0.0 <= event.importance <= 1.0
    assert not feed.has_news()


class Unforeseen(GitFeed):
    """A feed whose repository is as nobody foresaw."""

    def _read(self, now: datetime) -> News:
        raise RuntimeError(f"unforeseen at {now}")


def test_what_cannot_be_read_is_left_alone_for_a_while(repo: Repository) -> None:
    feed = Unforeseen(repo.root)
    assert feed.has_news()
    with pytest.raises(RuntimeError):
        feed.poll(NOW)
    assert not feed.has_news()
    assert feed.poll(NOW) is None


def test_the_first_commit_of_all_is_told(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    feed = GitFeed(root)
    assert look(feed) == []
    repo = Repository(root, home)
    assert look(feed) == []
    sha = repo.commit({"a": "1"})
    assert said(feed) == [("commit", f'Committed {sha[:7]} "change": 1 file (a)')]


def test_secrets_are_masked_and_control_characters_taken_out(repo: Repository, feed: GitFeed) -> None:
    secret = "ghp_" + "x1Y2z3A4b5" * 4
    repo.commit({"a.py": "2"}, message=f"use {secret}\x1b[31m now")
    repo.git("checkout", "-q", "-b", f"try-{secret}")
    repo.git("branch", "-m", f"other-{secret}")
    text = "\n".join(summary for _, summary in said(feed))
    assert secret not in text
    assert "\x1b" not in text
    assert "***" in text


def test_nobody_s_name_is_in_an_event(repo: Repository, feed: GitFeed) -> None:
    repo.git("config", "user.name", "Somebody Particular")
    repo.commit({"a.py": "2"})
    assert "Particular" not in repr(news(feed))


def test_an_amended_commit_says_which_it_replaces(repo: Repository, feed: GitFeed) -> None:
    old = repo.commit({"a.py": "2"}, message="one")
    look(feed)
    repo.write({"b.py": "2"})
    repo.git("commit", "-q", "-a", "--amend", "-m", "two")
    assert said(feed) == [("commit", f'Amended {old[:7]} to {repo.head()[:7]} "two": 2 files (a.py, b.py)')]


def test_a_switch_of_branches_explains_the_files_it_changed(repo: Repository, feed: GitFeed) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "2", "c.py": "1"})
    look(feed)
    repo.git("checkout", "-q", "main")
    (cause,) = causes(feed)
    assert cause.event.kind == "checkout"
    assert cause.event.summary == "Switched from side to main: 2 files (a.py, c.py)"
    assert cause.headline == "Switched from side to main"
    assert cause.paths == {"a.py", "c.py"}
    repo.git("checkout", "-q", "--detach", "side")
    assert said(feed)[0][1].startswith("Switched from main to side")


def test_a_merge_is_told_with_the_commits_it_brings(repo: Repository, feed: GitFeed) -> None:
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit({"c.py": "1"}, message="aside")
    known = {event.id for event in look(feed)}
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "2"})
    look(feed)
    repo.git("merge", "-q", "--no-edit", "side")
    commit, merge = look(feed)
    assert (merge.kind, merge.summary) == ("merge", "Merged side: 1 commit: 1 file (c.py)")
    assert commit.id in known, "the same commit has the same id wherever it comes from"
    assert side[:7] in commit.summary


def test_many_commits_at_once_are_one_event(repo: Repository, feed: GitFeed, tmp_path: Path, home: Path) -> None:
    other = tmp_path / "other"
    repo.git("clone", "-q", str(repo.root), str(other))
    there = Repository(other, home, init=False)
    shas = [there.commit({f"f{number}.py": "1"}, message=f"n{number}") for number in range(25)]
    repo.git("remote", "add", "origin", str(other))
    repo.git("pull", "-q", "--ff-only", "origin", "main")
    commits, pull = look(feed)
    assert commits.kind == "commit"
    assert commits.count == 25
    assert commits.summary.startswith(f'25 commits came by a pull, the last {shas[-1][:7]} "n24": 25 files (')
    assert pull.kind == "pull"
    assert pull.summary.startswith(f"Pulled to {shas[-1][:7]}: 25 commits: 25 files (")


def test_a_rebase_is_one_event_and_says_what_it_replaces(repo: Repository, feed: GitFeed) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"c.py": "1"})
    old = repo.commit({"c.py": "2"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "2"})
    repo.git("checkout", "-q", "side")
    look(feed)
    repo.git("rebase", "-q", "main")
    said_now = said(feed)
    assert said_now == [
        (
            "rebase",
            f"Rebased side onto main: 2 commits replaced, {old[:7]} became {repo.head()[:7]}: 1 file (a.py)",
        )
    ]


def test_a_rebase_that_stops_is_told_when_it_ends(repo: Repository, feed: GitFeed) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "side"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "main"})
    repo.git("checkout", "-q", "side")
    look(feed)
    repo.git("rebase", "-q", "main", check=False)
    assert look(feed) == []
    assert not feed.has_news()
    again = GitFeed(repo.root, feed.positions)
    repo.git("rebase", "--abort")
    assert said(feed) == [("rebase", "Aborted a rebase of side onto main")]
    assert said(again) == [("rebase", "Aborted a rebase of side onto main")]


def test_a_rebase_that_is_left_behind_is_told_without_a_further_line(repo: Repository, feed: GitFeed) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "side"})
    repo.git("checkout", "-q", "main")
    main = repo.commit({"a.py": "main"})
    repo.git("checkout", "-q", "side")
    look(feed)
    repo.git("rebase", "-q", "main", check=False)
    look(feed)
    repo.git("rebase", "--quit")
    assert feed.has_news()
    assert said(feed)[0][1].startswith(f"Left a rebase onto main unfinished at {main[:7]}")
    assert not feed.has_news()


def test_a_reset_says_how_much_it_left(repo: Repository, feed: GitFeed) -> None:
    old = repo.commit({"a.py": "2"})
    look(feed)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert said(feed) == [("reset", f"Reset from {old[:7]} to {repo.head()[:7]}, which left 1 commit: 1 file (a.py)")]


def test_picked_and_reverted_commits_are_commits_that_write_files(repo: Repository, feed: GitFeed) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"c.py": "1"}, message="pick me")
    repo.git("checkout", "-q", "main")
    repo.commit({"d.py": "1"})
    look(feed)
    repo.git("cherry-pick", "side")
    picked = repo.head()
    repo.git("revert", "--no-edit", "HEAD")
    found = news(feed)
    assert [event.kind for event in found.events] == ["commit", "commit"]
    assert found.events[0].summary == f'Cherry-picked {picked[:7]} "pick me": 1 file (c.py)'
    assert found.events[1].summary.startswith(f'Reverted with {repo.head()[:7]} "Revert "pick me""')
    assert [(set(cause.paths), cause.is_told) for cause in found.causes] == [({"c.py"}, True)] * 2


def test_the_stash_is_told_as_far_as_the_files_tell(repo: Repository, feed: GitFeed) -> None:
    repo.write({"a.py": "dirty"})
    repo.git("stash", "push", "-q", "-m", "later")
    (cause,) = causes(feed)
    assert (cause.event.kind, cause.event.summary) == ("stash", 'Stashed "On main: later": 1 file (a.py)')
    repo.git("stash", "pop", "-q")
    (cause,) = causes(feed)
    assert cause.event.summary == 'Took back or dropped the stash "On main: later": 1 file (a.py)'
    assert (set(cause.paths), cause.leaves_edits) == ({"a.py"}, True)


def test_a_renamed_branch_is_told(repo: Repository, feed: GitFeed) -> None:
    repo.git("branch", "-m", "main", "trunk")
    assert said(feed) == [("branch", "Renamed the branch main to trunk")]


def test_what_happened_while_nobody_looked_is_told_later(repo: Repository, feed: GitFeed) -> None:
    shas = [repo.commit({"a.py": f"{number}"}) for number in range(30, 33)]
    later = GitFeed(repo.root, feed.positions)
    assert [event.summary[10:17] for event in look(later)] == [sha[:7] for sha in shas]
    assert GitFeed(repo.root, later.positions).poll(NOW) is not None
    assert look(GitFeed(repo.root, later.positions)) == []


def test_news_that_were_not_accepted_are_told_again_with_the_same_ids(repo: Repository, feed: GitFeed) -> None:
    repo.commit({"a.py": "2"})
    repo.git("checkout", "-q", "-b", "x")
    first = feed.poll(NOW)
    second = feed.poll(NOW)
    assert first is not None
    assert second is not None
    assert [event.id for event in first.events] == [event.id for event in second.events]
    assert len({event.id for event in first.events}) == 2


def test_an_expired_reflog_repeats_nothing(repo: Repository, feed: GitFeed) -> None:
    for number in range(3):
        repo.commit({"a.py": f"x{number}"})
    look(feed)
    repo.git("reflog", "expire", "--expire=all", "--all")
    assert look(feed) == []
    sha = repo.commit({"a.py": "new"})
    assert [summary[10:17] for _, summary in said(feed)] == [sha[:7]]


def test_without_a_reflog_head_is_compared(repo: Repository) -> None:
    repo.git("config", "core.logAllRefUpdates", "false")
    old = repo.commit({"a.py": "1"})
    assert not (repo.root / ".git/logs/HEAD").exists()
    feed = GitFeed(repo.root)
    assert look(feed) == []
    new = repo.commit({"a.py": "2"}, message="two")
    assert said(feed) == [("commit", f'Committed {new[:7]} "two": 1 file (a.py)')]
    repo.git("checkout", "-q", "-b", "x")
    assert said(feed) == [("checkout", "Switched from main to x")]
    repo.git("reset", "-q", "--hard", old)
    assert said(feed) == [("moved", f"HEAD moved from {new[:7]} to {old[:7]}: 1 file (a.py)")]
    assert not feed.has_news()


def test_a_head_that_was_moved_by_hand_is_told(repo: Repository, feed: GitFeed) -> None:
    old = repo.commit({"a.py": "2"})
    look(feed)
    first = repo.git("rev-parse", "HEAD~1")
    (repo.root / ".git/refs/heads/main").write_text(f"{first}\n")
    assert said(GitFeed(repo.root, feed.positions)) == [
        ("moved", f"HEAD moved from {old[:7]} to {first[:7]}: 1 file (a.py)")
    ]


def test_other_work_trees_and_submodules_are_not_told(
    repo: Repository, feed: GitFeed, tmp_path: Path, home: Path
) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
    inner = Repository(repo.root / "nested", home)
    beside = Repository(tmp_path / "wt", home, init=False)
    own = GitFeed(beside.root)
    assert look(own) == []
    inner.commit({"x": "1"})
    sha = beside.commit({"a.py": "2"})
    beside.write({"a.py": "3"})
    beside.git("stash", "-q")
    assert feed.poll(NOW) is None or look(feed) == []
    assert [event.summary[:17] for event in look(own)] == [f"Committed {sha[:7]}", 'Stashed "WIP on s']


def test_a_project_in_a_folder_of_the_repository_is_told_its_own_files(repo: Repository, feed: GitFeed) -> None:
    repo.write({"sub/x.py": "1"})
    part = GitFeed(repo.root / "sub")
    assert look(part) == []
    repo.commit({"a.py": "2"}, message="m")
    (event,) = look(part)
    assert event.entities == ("x.py",)
    assert look(feed)[0].entities == ("a.py", "sub/x.py")


def test_a_long_time_away_is_bounded(repo: Repository, feed: GitFeed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoire.episodes.git_feed.MOST_OPERATIONS", 2)
    for number in range(5):
        repo.commit({"a.py": f"n{number}"})
    found = look(feed)
    assert [event.count for event in found] == [3, 1, 1]
    assert found[0].summary == "3 earlier operations of git"


def test_a_commit_that_claims_the_future_is_held_to_be_of_now(repo: Repository, feed: GitFeed) -> None:
    repo.at = 4_000_000_000
    repo.commit({"a.py": "2"})
    assert look(feed)[0].at == NOW


@pytest.mark.parametrize("positions", ["junk", "{}", '{"head": 1}', "null"])
def test_positions_that_cannot_be_read_begin_anew(repo: Repository, positions: str) -> None:
    repo.commit({"a": "1"})
    assert look(GitFeed(repo.root, positions)) == []


def test_a_broken_reflog_loses_only_its_broken_lines(repo: Repository, feed: GitFeed) -> None:
    with (repo.root / ".git/logs/HEAD").open("ab") as log:
        log.write(b"junk\n\0\0\0\n")
    sha = repo.commit({"a.py": "2"})
    assert [summary[10:17] for _, summary in said(feed)] == [sha[:7]]


def test_files_that_come_bit_by_bit_are_told_together_each_event_in_place_of_the_one_before(
    repo: Repository, feed: GitFeed
) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({f"{name}.py": "2" for name in "abcd"})
    look(feed)
    repo.git("checkout", "-q", "main")
    first = causes(feed)
    second, told = fold(first, saved("a.py"), [], {}, frozenset())
    assert told == {"a.py"}
    third, told = fold(second, saved("b.py", "mine.py"), ["c.py", "d.py"], {}, frozenset())
    assert told == {"b.py", "c.py", "d.py"}
    assert third[0].event.summary == "Switched from side to main: 2 changed and 2 deleted in a.py, b.py, c.py and more"
    assert [each[0].event.replaces for each in (second, third)] == [first[0].event.id, second[0].event.id]
    assert fold(third, saved("a.py"), [], {}, frozenset()) == (third, set())
    fourth, told = fold(third, saved("c.py"), [], {}, frozenset())
    assert told == {"c.py"}
    assert fourth[0].event.summary.startswith("Switched from side to main: 3 changed and 1 deleted")


def test_what_someone_edited_or_committed_after_a_switch_is_not_its_doing(repo: Repository, feed: GitFeed) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "2", "b.py": "2"})
    look(feed)
    repo.git("checkout", "-q", "main")
    switched = causes(feed)
    assert fold(switched, saved("a.py", "b.py"), [], {}, frozenset({"a.py"}))[1] == {"b.py"}
    repo.commit({"b.py": "3"})
    assert fold([*switched, *causes(feed)], saved("a.py", "b.py"), [], {}, frozenset())[1] == {"a.py"}
