"""The benchmarks of notes make what they say of a repository, and count rightly."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from benchmarks.notes import anchored, stale_answers
from benchmarks.notes.changelogs import REPOSITORIES, Case, Question, case_of
from benchmarks.notes.hygiene import caught, refused
from benchmarks.notes.rankers import RANKERS
from benchmarks.notes.retrieval import interval, measure

CHANGELOG = """# Changes

## 2.0

- Redirects keep the method of the request
  unless the status is 303. ([#12](https://example.org/issues/12))
- Dropped support for old interpreters. (#13, by @ann)
- Timeouts are seconds. [#14]

## 1.0

* First release.
"""


@pytest.fixture
def mirrors(tmp_path: Path) -> Path:
    root = tmp_path / "ann+shop" / "repo"
    root.mkdir(parents=True)

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    (root / "CHANGES.md").write_text(CHANGELOG)
    (root / "shop.py").write_text("")
    git("add", "-A")
    for subject in (
        "Preserve POST when a 307 is followed (#12)",
        "Redirects keep the method of the request unless it is 303 (#12)",
        "Remove compatibility code for Python 2 #13",
        "Fix #14",
        "Bump the version of everything there is (#14)",
    ):
        (root / "shop.py").write_text(subject)
        git("add", "-A")
        git("commit", "-q", "-m", subject)
    return tmp_path


def test_entries_are_notes_and_commits_that_cite_the_same_issue_are_questions(mirrors: Path) -> None:
    case = case_of(mirrors, "ann/shop")
    assert case.notes == [
        "Redirects keep the method of the request unless the status is 303",
        "Dropped support for old interpreters",
    ]
    assert {question.text: set(question.answers) for question in case.questions} == {
        "Preserve POST when a 307 is followed": {0},
        "Remove compatibility code for Python 2": {1},
    }


def test_every_ranker_finds_a_note_by_its_words() -> None:
    notes = ["The queue takes few jobs", "Payments are never retried", "Logs go to a file"]
    questions = [Question("payments are never retried", frozenset({1}), "")]
    for name, make in RANKERS.items():
        place = 2 if name == "memhtml" else 1
        assert make(notes)(questions[0].text).index(1) < place, name
        scores, _ = measure(Case("a/b", notes, questions), name)
        assert scores.shape == (1, 4)
        assert scores[0, 1] == 1.0


def test_no_held_repository_is_one_to_tune_on_and_the_interval_holds_the_mean() -> None:
    assert not set(REPOSITORIES["held"]) & set(REPOSITORIES["tune"])
    rng = np.random.default_rng(1)
    part = np.repeat(rng.choice([0.0, 1.0, -0.5], size=(400, 1)), 4, axis=1)
    low, high = interval([part])
    assert (low < part.mean(axis=0)).all()
    assert (high > part.mean(axis=0)).all()
    assert (high - low < 0.2).all()


def test_a_later_commit_asks_for_the_note_about_the_files_of_the_first(mirrors: Path) -> None:
    rows, asked = anchored.cases(mirrors / "ann+shop" / "repo", 10)
    assert [[anchor.node for anchor in row.note.about] for row in rows] == [["shop.py"], ["shop.py"]]
    assert [(one.files, set(one.answers)) for one in asked] == [(("shop.py",), {0})]
    found = anchored.measure(rows, asked)
    assert found["words"].shape == found["both"].shape == (1, 4)
    assert found["both"][0, 1] == 1.0


@pytest.mark.shows("H36")
@pytest.mark.parametrize("seed", [1, 2])
def test_no_answer_is_stale_after_updates_of_which_the_last_wins(tmp_path: Path, seed: int) -> None:
    found = stale_answers.measure(tmp_path, facts=8, rounds=5, seed=seed)
    assert found.asked > 20
    assert (found.stale, found.missing, found.wrong_then) == (0, 0, 0)
    assert found.live == found.facts


def test_made_up_secrets_are_refused_and_so_are_nearly_all_orders() -> None:
    found = caught(seed=3, rounds=2)
    taken = {kind: codes[""] for kind, codes in found.items() if codes[""]}
    assert taken in ({}, {"order": 1})
    assert found["junk"].keys() == {"ERR_INVALID_MEMORY", "ERR_TOO_LARGE"}
    for text in (
        "Send the same credentials to several domains only where the user asks for it.",
        "Errors of the notifier could leak secrets to the log.",
        "Remove the `--password` option of the command line.",
    ):
        assert refused(text) == ""
