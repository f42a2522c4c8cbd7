"""The weights of the evidence, and what a score comes to as a probability.

    score(B) = sum of weight x feature
    logit P(B changes) = a (s - L) + b L + c log(1 + files) + d log(1 + mean size of the file's commits) + e
    L = log sum exp s, over all files

One set of weights for each state of knowledge: with a past of the file or without (`cold`), with the lines that change
known or not (`diff`). They are fixed: fitted once over many projects (`benchmarks/impact/README.md`), for a fit to
the project itself gains nothing that can be told from noise. Source: impact study, `Where the training is`.
"""

import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memoire.impact.features import NAMES

Floats = npt.NDArray[np.float64]


class Model(NamedTuple):
    """One set of weights."""

    weights: Floats
    """One for each of `NAMES`, of the features as they are."""
    calibration: tuple[float, float, float, float, float]
    """a to e of the formula above."""

    def score(self, rows: Floats) -> Floats:
        """Return the score of each row of features."""
        return rows @ self.weights

    def probability(self, scores: Floats, mean_size: float) -> Floats:
        """Return for each file the probability that it has to change too; in (0, 1).

        Args:
            scores: Of all files but the one that changes.
            mean_size: Code files of the commits of that one, on average.
        """
        if not len(scores):
            return scores
        top = float(scores.max())
        level = top + float(np.log(np.exp(scores - top).sum()))
        a, b, c, d, e = self.calibration
        logit = a * (scores - level) + b * level + c * np.log1p(len(scores)) + d * np.log1p(mean_size) + e
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logit, -30.0, 30.0))))


@cache
def models() -> dict[str, Model]:
    """Return the sets of weights: `warm`, `cold`, `warm_diff`, `cold_diff`."""
    text = resources.files("memoire.impact").joinpath("weights.toml").read_text("utf-8")
    found = tomllib.loads(text)
    return {
        name: Model(
            np.array([float(values["weights"].get(feature, 0.0)) for feature in NAMES]),
            tuple(float(number) for number in values["calibration"]),  # type: ignore[arg-type]
        )
        for name, values in found.items()
    }
