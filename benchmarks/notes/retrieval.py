"""Asks changelogs the questions of commits, through memoire's ranking of notes and through its rivals'.

    python -m benchmarks.notes.retrieval MIRRORS [--half held|tune] [--most 150]

The interval is of the difference to memoire, question by question, drawn again within each repository.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.notes.changelogs import REPOSITORIES, Case, case_of
from benchmarks.notes.rankers import RANKERS

DRAWS = 10_000
METRICS = ("R@1", "R@5", "R@10", "MRR")
Scores = NDArray[np.float64]


def measure(case: Case, name: str) -> tuple[Scores, float]:
    """Return (question x metric, CPU seconds of the questions) of a ranker over one repository."""
    ask = RANKERS[name](case.notes)
    started = time.process_time()
    rows = []
    for question in case.questions:
        ranked = ask(question.text)
        place = next((number for number, one in enumerate(ranked, start=1) if one in question.answers), 0)
        rows.append([0 < place <= 1, 0 < place <= 5, 0 < place <= 10, 1 / place if place else 0.0])
    return np.array(rows, dtype=np.float64).reshape(-1, len(METRICS)), time.process_time() - started


def interval(parts: Sequence[Scores]) -> tuple[Scores, Scores]:
    """Return (low, high) of the mean of differences at 95 %: questions drawn again within each part."""
    rng = np.random.default_rng(7)
    total = sum(len(part) for part in parts)
    sums = np.zeros((DRAWS, len(METRICS)))
    for part in parts:
        for start in range(0, DRAWS, 500):
            sums[start : start + 500] += part[rng.integers(0, len(part), size=(500, len(part)))].sum(axis=1)
    low, high = np.percentile(sums / total, [2.5, 97.5], axis=0)
    return low, high


def report(cases: Sequence[Case], found: Mapping[str, Sequence[tuple[Scores, float]]]) -> None:
    """Print what each ranker reaches, and by how much memoire is ahead."""
    total = sum(len(case.questions) for case in cases)
    print(f"{len(cases)} repositories, {sum(len(case.notes) for case in cases)} notes, {total} questions")
    for name, parts in found.items():
        means = np.concatenate([scores for scores, _ in parts]).mean(axis=0)
        ms = sum(seconds for _, seconds in parts) / total * 1000
        shown = "  ".join(f"{metric} {value:.3f}" for metric, value in zip(METRICS, means, strict=True))
        print(f"{name:15s} {shown}  {ms:.2f} ms")
    ours = [scores for scores, _ in found["memoire"]]
    for name, parts in found.items():
        if name == "memoire":
            continue
        differences = [one - other for one, (other, _) in zip(ours, parts, strict=True)]
        low, high = interval(differences)
        mean = np.concatenate(differences).mean(axis=0)
        shown = "  ".join(
            f"{metric} {value:+.3f} [{start:+.3f}, {end:+.3f}]"
            for metric, value, start, end in zip(METRICS, mean, low, high, strict=True)
        )
        print(f"memoire - {name:15s} {shown}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--half", choices=("held", "tune"), default="tune")
    parser.add_argument("--most", type=int, default=150)
    parser.add_argument("--each", action="store_true", help="print every repository too")
    given = parser.parse_args()
    cases = [case_of(given.mirrors, name, given.most) for name in REPOSITORIES[given.half]]
    cases = [case for case in cases if case.questions]
    found = {name: [measure(case, name) for case in cases] for name in RANKERS}
    if given.each:
        for place, case in enumerate(cases):
            firsts = "  ".join(f"{name} {parts[place][0][:, 0].mean():.3f}" for name, parts in found.items())
            print(f"{case.name:32s} {len(case.notes):5d} {len(case.questions):4d}  R@1 {firsts}")
    report(cases, found)


if __name__ == "__main__":
    main()
