"""Asks what binds the files that a commit is about to touch: with the notes' anchors, with words, and with both.

    python -m benchmarks.notes.anchored MIRRORS [--half held|tune]

A note is about the files of the first commit that cites its issue, as whoever wrote it then would have said. The
question is a later commit that cites it too: the files that it touches, its subject, or both. Without anchors there
are words alone.
"""

import argparse
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.notes.changelogs import REPOSITORIES, commits, entries, plain, refs
from benchmarks.notes.rankers import NEWEST
from benchmarks.notes.retrieval import METRICS, Scores, interval
from memoire.notes.model import Anchor, Note, Standing
from memoire.notes.recall import Question, rank
from memoire.notes.words import Words

MOST_FILES = 12
"""A commit that touches more is about no file in particular."""
_NO_CODE = (".md", ".rst", ".txt", ".lock", ".json", ".yml", ".yaml", ".toml")


class Asked(NamedTuple):
    """A commit, and which notes are about the same change."""

    subject: str
    files: tuple[str, ...]
    answers: frozenset[int]


def cases(repository: Path, most: int) -> tuple[list[Standing], list[Asked]]:
    """Return the notes of a repository with what they are about, and what is asked."""
    notes, citing = entries(repository)
    about: dict[int, tuple[str, ...]] = {}
    asked: list[Asked] = []
    for subject, files in reversed(commits(repository)):  # the oldest first
        code = tuple(file for file in files if not file.endswith(_NO_CODE))
        answers = frozenset(place for ref in refs(subject) for place in citing.get(ref, ()))
        if not 0 < len(answers) <= 3 or not 0 < len(code) <= MOST_FILES:
            continue
        known = frozenset(place for place in answers if place in about)
        if known:
            asked.append(Asked(plain(subject), code, known))
        for place in answers - known:
            about[place] = code
    rows = []
    for place, text in enumerate(notes):
        at = NEWEST - timedelta(days=place)
        anchors = tuple(Anchor(node) for node in about.get(place, ()))
        note = Note(id=str(place), path=str(place), text=text, about=anchors, valid_from=at)
        rows.append(Standing(note, "active", None, at, None, str(place)))
    return rows, asked[-most:]


def distances(files: Sequence[str]) -> Mapping[str, int]:
    """Return the files, each at no distance, as recall has them where it knows nothing of the code."""
    return dict.fromkeys(files, 0)


def measure(rows: Sequence[Standing], asked: Sequence[Asked]) -> dict[str, Scores]:
    """Return (question x metric) of each way to ask."""
    words = Words()
    for row in rows:
        words.put(row.note.id, row.note.text)
    found: dict[str, list[list[float]]] = {"words": [], "files": [], "both": []}
    for one in asked:
        for name, query, files in (
            ("words", one.subject, ()),
            ("files", "", one.files),
            ("both", one.subject, one.files),
        ):
            question = Question(query.replace('"', " "), distances(files), NEWEST)
            ranked = rank(rows, words, question, state=lambda _: "fresh", ratings=lambda _: (), opens=lambda _: 0)
            places = (at for at, hit in enumerate(ranked, start=1) if int(hit.row.note.id) in one.answers)
            place = next(places, 0)
            found[name].append([0 < place <= 1, 0 < place <= 5, 0 < place <= 10, 1 / place if place else 0.0])
    return {name: np.array(values, dtype=np.float64).reshape(-1, len(METRICS)) for name, values in found.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--half", choices=("held", "tune"), default="tune")
    parser.add_argument("--most", type=int, default=60)
    given = parser.parse_args()
    parts: list[dict[str, Scores]] = []
    for name in REPOSITORIES[given.half]:
        rows, asked = cases(given.mirrors / name.replace("/", "+") / "repo", given.most)
        if asked:
            parts.append(measure(rows, asked))
            print(f"{name}: {len(asked)} questions", flush=True)
    for way in ("words", "files", "both"):
        means = np.concatenate([part[way] for part in parts]).mean(axis=0)
        print(f"{way:6s}", "  ".join(f"{metric} {value:.3f}" for metric, value in zip(METRICS, means, strict=True)))
    differences = [part["both"] - part["words"] for part in parts]
    low, high = interval(differences)
    mean = np.concatenate(differences).mean(axis=0)
    ahead = zip(METRICS, mean, low, high, strict=True)
    print("both - words ", "  ".join(f"{metric} {value:+.3f} [{a:+.3f}, {b:+.3f}]" for metric, value, a, b in ahead))


if __name__ == "__main__":
    main()
