"""The law of the history: kept up to date through anything that is done with git, it equals one mined anew."""

from pathlib import Path

import pytest

from memoire.episodes import history_file
from memoire.episodes.history import History, mine
from tests.repositories import RandomWork, Repository


def same(one: History, other: History) -> bool:
    if [len(each.messages) for each in (one, other)] != [len(each.commits) for each in (one, other)]:
        return False
    shown = [(each.head, each.commits, each.messages, each.activity()) for each in (one, other)]
    return shown[0] == shown[1]


@pytest.mark.parametrize("seed", range(6))
def test_a_history_that_is_kept_up_to_date_equals_one_mined_anew(seed: int, tmp_path: Path, home: Path) -> None:
    repository = Repository(tmp_path / "repo", home)
    work = RandomWork(repository, seed)
    kept, rare, short = History(), History(), History()
    file = tmp_path / "history"
    for number in range(30):
        what = work.step()
        fresh = mine(repository.root)
        kept = mine(repository.root, kept)
        assert same(kept, fresh), (number, what)
        short = mine(repository.root, short, limit=5)
        assert same(short, mine(repository.root, limit=5)), (number, what)
        history_file.save(file, kept)
        loaded = history_file.load(file)
        assert loaded is not None
        assert same(loaded, kept)
        if number % 7 == 6:
            rare = mine(repository.root, rare)
            assert same(rare, fresh), (number, what)
            kept = loaded
    assert len(kept.commits) > 3


@pytest.mark.parametrize("seed", range(3))
def test_a_history_of_a_folder_of_the_repository_obeys_the_same_law(seed: int, tmp_path: Path, home: Path) -> None:
    repository = Repository(tmp_path / "repo", home)
    work = RandomWork(repository, 100 + seed)
    repository.commit({"d/always.txt": "1"})
    kept = History()
    for number in range(15):
        what = work.step()
        folder = repository.root / "d"
        folder.mkdir(exist_ok=True)
        kept = mine(folder, kept)
        assert same(kept, mine(folder)), (number, what)
        assert not any(path.startswith("d/") for each in kept.commits for path in each.paths if path != "d/")


@pytest.mark.parametrize("seed", range(3))
def test_every_commit_that_is_no_merge_is_listed_once_and_every_file_of_today_has_been_touched(
    seed: int, tmp_path: Path, home: Path
) -> None:
    repository = Repository(tmp_path / "repo", home)
    work = RandomWork(repository, 200 + seed)
    for _ in range(25):
        work.step()
    history = mine(repository.root)
    listed = repository.git("log", "--no-merges", "--format=%H").splitlines()
    assert [each.id for each in history.commits] == [sha for sha in listed if sha in {c.id for c in history.commits}]
    empty = set(listed) - {each.id for each in history.commits}
    assert not [sha for sha in empty if repository.git("show", "--format=", "--name-only", sha)]
    # What a merge resolved is nobody's commit.
    merged = repository.git("log", "--merges", "--format=", "--name-only", "-m").splitlines()
    assert set(repository.git("ls-files").splitlines()) - set(merged) <= set(history.activity())
