"""Candidates beside other good ones: in the same folder, or of the same name once the marks of a test are off.

Source: the study that `ranking` cites: the mean of a folder's three best candidates; the best of the same stem.
"""

import posixpath
import re
from collections.abc import Mapping
from functools import lru_cache

BEST = 3
REMEMBERED = 1 << 15
"""Paths whose folder and stem are remembered: the same come with every question."""
_MARKS = re.compile(r"(?:^|[._-])(?:tests?|specs?)(?:$|[._-])|(?<=[a-z0-9])(?:Tests?|Specs?|IT)$|^Test(?=[A-Z])")


def folders(scores: Mapping[str, float]) -> dict[str, float]:
    """Return path -> how good its folder is: the mean of the three best files directly in it."""
    inside: dict[str, list[float]] = {}
    for path, score in scores.items():
        inside.setdefault(folder_of(path), []).append(score)
    worth = {folder: sum(sorted(found, reverse=True)[:BEST]) / BEST for folder, found in inside.items()}
    return {path: worth[folder_of(path)] for path in scores}


def partners(scores: Mapping[str, float]) -> dict[str, float]:
    """Return path -> how good the best other file of its stem is; without one it is left out."""
    named: dict[str, list[tuple[float, str]]] = {}
    for path, score in scores.items():
        named.setdefault(stem_of(path), []).append((score, path))
    found = {}
    for alike in named.values():
        best = sorted(alike, key=lambda one: (-one[0], one[1]))[:2]
        if len(best) > 1:
            for _, path in alike:
                found[path] = best[1][0] if path == best[0][1] else best[0][0]
    return found


@lru_cache(REMEMBERED)
def folder_of(path: str) -> str:
    """Return the folder that a file lies in."""
    return posixpath.dirname(path)


@lru_cache(REMEMBERED)
def stem_of(path: str) -> str:
    """Return what a file is called without its suffixes and without what marks a test: `client` of `test_client.py`."""
    stem = posixpath.basename(path).partition(".")[0] or posixpath.basename(path)
    return (_MARKS.sub("", stem) or stem).lower()
