"""What is to be expected of files before anything is asked: those that change often, and those that changed of late.

Age is counted in commits, not in days, so that a project that rests stays as it was.

Source: the same study as `ranking`: half-life 100 commits for how often, 1 / log2(2 + age) for how lately.
"""

import math

from memoire.search.features.past import Past

HALF_LIFE = 100
"""Commits of the project after which a change counts half."""


def churn(past: Past) -> dict[int, float]:
    """Return file -> how often it changed, old changes counting less."""
    return {
        file: math.log1p(sum(0.5 ** (age / HALF_LIFE) for age in commits))
        for file, commits in enumerate(past.touching)
        if commits
    }


def recency(past: Past) -> dict[int, float]:
    """Return file -> how lately it changed."""
    return {file: 1 / math.log2(2 + commits[0]) for file, commits in enumerate(past.touching) if commits}
