"""Parts of paths that the words of a query are spoken of: `dark mode` where commits that say so touch `theme/`.

What was said of a file (`messages`) knows that file alone. Here the words of all messages are read as another language
for the names in paths, so that a file which never changed is found by what its folder or its namesakes are called.

Source: translation models for locating what a text is about (Berger and Lafferty, Information Retrieval as Statistical
Translation, 1999), with the ratio of a part's share of commits that say a word to its share of all commits.
"""

import math
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from memoire.search.features.messages import COMMON, FEW
from memoire.search.features.past import Past

DOUBT = 2
"""Commits that say a word and touch nothing in particular, added to those that there are."""
LEAST = 0.002
"""Share of all commits that even a part has which none touched."""


def spoken(past: Past, words: Iterable[str]) -> dict[str, float]:
    """Return part of a path -> how much more the commits touch it that say the words, above 0."""
    usual = np.frombuffer(past.commits_of_part, np.uint32) / max(len(past), 1) + LEAST if past.parts else np.zeros(0)
    total = np.zeros(len(past.parts))
    for word in words:
        said = [commit for commit, _ in past.said(word) if past.files[commit]]
        if not said or len(said) > max(COMMON * len(past), FEW):
            continue
        touched = [part for commit in said for part in past.touched_parts[commit]]
        share = np.bincount(touched, minlength=len(total)) / (len(said) + DOUBT)
        # A part that is touched no more often than ever is not what the word is spoken of.
        total += np.log(np.maximum(share / usual, 1.0)) * share * past.rarity(word)
    return {past.parts[part]: float(total[part]) for part in np.flatnonzero(total).tolist()}


def heard(lifts: Mapping[str, float], parts: Collection[str]) -> float:
    """Return how much a path of these distinct parts is spoken of; long paths gain nothing by their length."""
    found = [lifts[part] for part in parts if part in lifts]
    return sum(found) / math.sqrt(len(parts)) if found else 0.0
