"""Files that import, test or are imported and tested by the best answers so far.

Each neighbour gets of a seed's worth 1 / sqrt(neighbours of the seed x neighbours of its own), so that a module which
everything imports is no answer to everything.

Source: symmetric normalisation of a graph, one step of it (Zhou et al., Learning with Local and Global Consistency,
2004).
"""

import math
from collections.abc import Callable, Collection, Mapping

MOST = 200
"""Neighbours of a seed that are looked at: with more, each gets next to nothing."""

Neighbours = Callable[[str], Collection[str]]
"""Path -> the paths that it is bound to by what it imports or tests, in either direction."""


def bound(neighbours: Neighbours, seeds: Mapping[str, float]) -> dict[str, float]:
    """Return path -> how closely the graph binds it to the seeds."""
    found: dict[str, float] = {}
    for seed, worth in seeds.items():
        around = neighbours(seed)
        if len(around) > MOST:
            continue
        for path in sorted(around):
            degrees = len(around) * max(len(neighbours(path)), 1)
            found[path] = found.get(path, 0.0) + worth / math.sqrt(degrees)
    return found
