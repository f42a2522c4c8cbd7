"""Fits the weights of a sum of features to what `collect` wrote, and says what each feature is worth.

    python -m benchmarks.search.fit DIR [--features a,b,c] [--each-out] [--without]

One weight at a time is moved along a grid for as long as MRR and a smooth recall grow, as the mean over repositories:
both are made of ranks, so there is no slope to follow. `--each-out` fits anew without each repository and scores that
one; `--without` leaves out each feature in turn.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import msgspec

from benchmarks.search.collect import Row
from memoire.search.file_ranking import WEIGHTS

STEPS = (-1.0, -0.5, -0.25, -0.1, 0.1, 0.25, 0.5, 1.0)
FIRST = 10
KEPT = 120
"""Candidates of a question that are ranked, beside the answers: the best by the weights in use."""
GAIN = 0.0002
"""Less is no gain: it is noise of a few questions."""

Weights = dict[str, float]


class Measure(NamedTuple):
    """How good an order is."""

    reciprocal: float
    """1 / rank of the first answer."""
    recall: float
    """Share of the answers among the first ten."""
    near: float
    """The same with soft edges: 1 / (1 + (rank / 10.5)^4) for each answer."""

    @property
    def worth(self) -> float:
        """What fitting makes the most of."""
        return (self.reciprocal + self.near) / 2


class Question:
    """One question, with the scores of its candidates under the weights of the moment."""

    def __init__(self, row: Row) -> None:
        totals = [
            sum(weight * row.features[name][place] for name, weight in WEIGHTS.items() if name in row.features)
            for place in range(len(row.paths))
        ]
        best = sorted(range(len(totals)), key=lambda place: (-totals[place], place))[:KEPT]
        kept = sorted({*best, *(place for place, path in enumerate(row.paths) if path in row.answers)})
        self.features = {name: [values[place] for place in kept] for name, values in row.features.items()}
        self.scores = [0.0] * len(kept)
        self.answers = [at for at, place in enumerate(kept) if row.paths[place] in row.answers]
        self.wanted = len(row.answers)

    def move(self, feature: str, by: float) -> None:
        """Change one weight."""
        self.scores = self._moved(feature, by)

    def measure(self, feature: str = "", by: float = 0.0) -> Measure:
        """Return how good the order is, with one weight changed."""
        scores = self._moved(feature, by)
        ranks = []
        for place in self.answers:
            own = scores[place]
            ranks.append(1 + sum([score > own for score in scores]) + scores[:place].count(own))
        near = sum(1 / (1 + (rank / (FIRST + 0.5)) ** 4) for rank in ranks)
        recall = sum(rank <= FIRST for rank in ranks)
        return Measure(1 / min(ranks) if ranks else 0.0, recall / self.wanted, near / self.wanted)

    def _moved(self, feature: str, by: float) -> list[float]:
        values = self.features.get(feature)
        if not values or not by:
            return self.scores
        return [score + by * value for score, value in zip(self.scores, values, strict=True)]


Asked = Mapping[str, Sequence[Question]]


def measured(asked: Asked, feature: str = "", by: float = 0.0) -> Measure:
    """Return the mean of the repositories' means."""
    found = [[one.measure(feature, by) for one in questions] for questions in asked.values()]
    return Measure(*(mean(mean(one[at] for one in part) for part in found) for at in range(3)))


def put(asked: Asked, weights: Mapping[str, float]) -> None:
    """Set all weights."""
    for questions in asked.values():
        for one in questions:
            one.scores = [0.0] * len(one.scores)
            for feature, weight in weights.items():
                one.move(feature, weight)


def fitted(asked: Asked, begin: Mapping[str, float], rounds: int = 4) -> Weights:
    """Return the weights at which no step of one of them gains anything."""
    weights = dict(begin)
    put(asked, weights)
    best = measured(asked).worth
    for _ in range(rounds):
        before = best
        for feature in list(weights):
            best = _climb(asked, weights, feature, best)
        if best - before <= GAIN:
            break
    return weights


def _climb(asked: Asked, weights: Weights, feature: str, best: float) -> float:
    """Take the step of one weight that gains most; return the best value."""
    steps = [step for step in STEPS if weights[feature] + step >= 0]
    value, step = max((measured(asked, feature, step).worth, step) for step in steps)
    if value <= best + GAIN:
        return best
    weights[feature] = round(weights[feature] + step, 3)
    for questions in asked.values():
        for one in questions:
            one.move(feature, step)
    return value


def read(folder: Path) -> dict[str, list[Question]]:
    """Return the questions of every repository."""
    decode = msgspec.msgpack.Decoder(list[Row]).decode
    found = {file.stem: list(map(Question, decode(file.read_bytes()))) for file in sorted(folder.glob("*.msgpack"))}
    return {name: questions for name, questions in found.items() if questions}


def tell(label: str, asked: Asked, weights: Mapping[str, float]) -> None:
    """Print the measures under some weights."""
    put(asked, weights)
    found = measured(asked)
    print(f"{label:30s} MRR {found.reciprocal:.3f}  recall@10 {found.recall:.3f}  worth {found.worth:.4f}", flush=True)


def main() -> None:
    """Print the measures of the weights in use, of the fitted ones, and of what was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--features", default="", help="comma-separated; else those in use")
    parser.add_argument("--each-out", action="store_true")
    parser.add_argument("--without", action="store_true")
    arguments = parser.parse_args()
    asked = read(arguments.folder)
    print(sum(map(len, asked.values())), "questions of", len(asked), "repositories")
    tell("in use", asked, WEIGHTS)
    begin = {name: WEIGHTS.get(name, 0.0) for name in arguments.features.split(",") if name} or dict(WEIGHTS)
    weights = fitted(asked, begin)
    tell("fitted", asked, weights)
    print(weights)
    for name, questions in asked.items():
        tell(f"  {name}", {name: questions}, weights)
    if arguments.each_out:
        found = []
        for name, questions in asked.items():
            others = {other: rest for other, rest in asked.items() if other != name}
            put({name: questions}, fitted(others, weights, rounds=1))
            found.append(measured({name: questions}))
        mrr, recall = (mean(one[at] for one in found) for at in range(2))
        print(f"{'each left out':30s} MRR {mrr:.3f}  recall@10 {recall:.3f}")
    if arguments.without:
        for feature in weights:
            tell(f"without {feature}", asked, {name: value for name, value in weights.items() if name != feature})


if __name__ == "__main__":
    main()
