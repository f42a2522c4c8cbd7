"""Which texts hold which terms, in arrays: ten thousand notes take some megabytes, and are ranked in milliseconds."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import log1p

import numpy as np
from numpy.typing import NDArray

LENGTH = 0.75
"""`b` of BM25. Source: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009)."""
_MOST = (1 << 16) - 1

Scores = NDArray[np.float32]


class Postings:
    """Terms of texts, each text known by its number; numbers rise by one and are never given twice.

    Args:
        saturation: `k1` of BM25: the smaller, the less another occurrence of a term counts.
    """

    def __init__(self, saturation: float) -> None:
        self._saturation = saturation
        self._holders: dict[str, tuple[array[int], array[int]]] = {}
        """Term -> numbers of the texts that hold it, and how often."""
        self._gone: Counter[str] = Counter()
        """Term -> how many of those texts were dropped."""
        self._lengths = array("f")
        self._live = array("f")
        """1 for a text that counts, 0 for one that was dropped."""
        self._total = 0.0
        self._count = 0

    def add(self, counts: Mapping[str, int]) -> None:
        """Hold the next text."""
        number, length = len(self._lengths), float(sum(counts.values()))
        self._lengths.append(length)
        self._live.append(1.0)
        self._total += length
        self._count += 1
        for term, count in counts.items():
            held = self._holders.get(term)
            if held is None:
                held = self._holders[term] = (array("i"), array("H"))
            held[0].append(number)
            held[1].append(min(count, _MOST))

    def drop(self, number: int, terms: Iterable[str]) -> None:
        """Count a text no more; it keeps its number.

        Args:
            number: Its number.
            terms: Its terms, each once.
        """
        self._live[number] = 0.0
        self._total -= self._lengths[number]
        self._count -= 1
        self._gone.update(terms)

    def held_by(self, term: str) -> int:
        """Return how many texts hold a term."""
        held = self._holders.get(term)
        return len(held[0]) - self._gone[term] if held is not None else 0

    def weight(self, term: str) -> float:
        """Return how much a term tells: log(1 + (n - df + .5) / (df + .5))."""
        holders = self.held_by(term)
        return log1p((self._count - holders + 0.5) / (holders + 0.5))

    def scores(self, terms: Collection[str]) -> Scores:
        """Return the BM25 score of every text for some terms; 0 for one that was dropped."""
        found = np.zeros(len(self._lengths), np.float32)
        if not found.size:
            return found
        mean = max(self._total / max(self._count, 1), 1.0)
        norms = self._saturation * (1 - LENGTH + LENGTH * np.frombuffer(self._lengths, np.float32) / mean)
        for term in terms:
            held = self._holders.get(term)
            if held is not None:
                numbers, counts = np.frombuffer(held[0], np.int32), np.frombuffer(held[1], np.uint16)
                gain = self.weight(term) * (self._saturation + 1)
                found[numbers] += gain * counts / (counts + norms[numbers])
        return found * np.frombuffer(self._live, np.float32)

    def shares(self, terms: Collection[str]) -> Scores:
        """Return for every text which share of what some terms tell it holds, in [0, 1]."""
        found = np.zeros(len(self._lengths), np.float32)
        weights = {term: self.weight(term) for term in terms}
        total = sum(weights.values())
        for term, weight in weights.items():
            held = self._holders.get(term)
            if held is not None:
                found[np.frombuffer(held[0], np.int32)] += weight / total
        return found
