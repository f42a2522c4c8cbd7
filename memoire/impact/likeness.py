"""How alike the paths of files are: names and folders are chosen by people who know what belongs together."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from posixpath import basename, dirname, splitext

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_TEST_MARK = re.compile(r"^(?:tests?[_.-])|(?:[_.-](?:tests?|specs?))$|(?:Tests?|Spec|TestCase|IT)$")


@lru_cache(maxsize=100_000)
def path_tokens(path: str) -> tuple[str, ...]:
    """Return the words of a path without its suffix, in lower case: folders and name, camel and snake case split."""
    return tuple(word.lower() for word in _PART.findall(splitext(path)[0]))


@lru_cache(maxsize=100_000)
def stem_of(path: str) -> str:
    """Return the name of a file without suffix and without what marks it as a test, in lower case."""
    stem = basename(path).split(".")[0] or basename(path)
    return _TEST_MARK.sub("", stem).lower() or stem.lower()


class Likeness:
    """The paths of a fixed list of files."""

    def __init__(self, files: Sequence[str]) -> None:
        words: dict[str, int] = {}
        found: Counter[tuple[int, int]] = Counter()
        for at, path in enumerate(files):
            found.update((at, words.setdefault(word, len(words))) for word in path_tokens(path))
        pairs = np.array(list(found), np.int64).reshape(-1, 2)
        self._files, self._words = len(files), len(words)
        self._at, self._word = pairs[:, 0], pairs[:, 1]
        holders = np.bincount(self._word, minlength=self._words)
        idf = np.log1p(len(files) / np.maximum(holders, 1))
        self._values = np.fromiter(found.values(), np.float64, len(found)) * idf[self._word]
        self._length = np.sqrt(np.bincount(self._at, np.square(self._values), minlength=self._files))
        self.stems = _numbered(map(stem_of, files))
        """The same number for each file of the same name but for what marks tests."""
        self.folders = _numbered(map(dirname, files))
        """The same number for each file of the same folder."""
        self.suffixes = _numbered(splitext(path)[1] for path in files)
        """The same number for each file of the same suffix."""

    def to(self, at: int) -> Floats:
        """Return how alike each path is to one of them: the cosine of their words, weighted by rarity; in [0, 1]."""
        mine = np.zeros(self._words)
        own = self._at == at
        mine[self._word[own]] = self._values[own]
        products = np.bincount(self._at, self._values * mine[self._word], minlength=self._files)
        return np.asarray(products / (np.maximum(self._length, 1e-9) * max(float(self._length[at]), 1e-9)))


def _numbered(values: Iterable[str]) -> npt.NDArray[np.int64]:
    """Return for each value a number that equal values share."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.int64)
