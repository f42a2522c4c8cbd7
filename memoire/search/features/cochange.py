"""Files that commits touched together with the best answers so far.

Source: association of two files by their commits, normalised by how often each changes (Ying et al. 2004; Zimmermann
et al. 2005); a commit of many files counts less, one of more than 15 not at all.
"""

import math
from collections.abc import Mapping

from memoire.search.features.past import Past

MOST_FILES = 15


def weights(past: Past) -> list[float]:
    """Return for each file how much its commits weigh together."""
    return [sum(past.share[each] for each in mine if is_counted(past, each)) for mine in past.touching]


def is_counted(past: Past, commit: int) -> bool:
    """Return whether a commit says which files belong together."""
    return 2 <= len(past.files[commit]) <= MOST_FILES


def together(past: Past, totals: list[float], seeds: Mapping[int, float]) -> dict[int, float]:
    """Return file -> how closely commits bind it to the seeds, themselves included by others.

    Args:
        past: The commits.
        totals: `weights` of it.
        seeds: File -> how good an answer it is.
    """
    found: dict[int, float] = {}
    for seed, worth in seeds.items():
        counts: dict[int, float] = {}
        for commit in past.touching[seed]:
            if is_counted(past, commit):
                share = past.share[commit]
                for file in past.files[commit]:
                    counts[file] = counts.get(file, 0.0) + share
        counts.pop(seed, None)
        for file, count in counts.items():
            found[file] = found.get(file, 0.0) + worth * count / math.sqrt(totals[seed] * totals[file])
    return found
