"""Files of the past commits whose messages are nearest to the query: who asked for the like before touched these.

Source: nearest neighbours over messages as bug localisation does it (BugLocator's SimiScore, Zhou et al. 2012): the
square of the similarity over the root of the commit's size, summed over the 50 nearest.
"""

import heapq
import math
from collections.abc import Iterable

from memoire.search.features.messages import COMMON, FEW, K1, B
from memoire.search.features.past import Past

NEAREST = 50


def similar(past: Past, words: Iterable[str]) -> dict[int, float]:
    """Return file -> how much the nearest commits say for it."""
    scores: dict[int, float] = {}
    for word in words:
        said = past.said(word)
        if len(said) > max(COMMON * len(past), FEW):
            continue
        weight = past.rarity(word) * (K1 + 1)
        for commit, times in said:
            norm = K1 * (1 - B + B * past.lengths[commit] / past.mean_length)
            scores[commit] = scores.get(commit, 0.0) + weight * times / (times + norm)
    found: dict[int, float] = {}
    for commit, score in heapq.nsmallest(NEAREST, scores.items(), key=lambda one: (-one[1], one[0])):
        files = past.files[commit]
        for file in files:
            found[file] = found.get(file, 0.0) + score * score / math.sqrt(len(files))
    return found
