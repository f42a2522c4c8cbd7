"""Finds notes by their words: BM25 over stems and the parts of identifiers, all in memory.

Ten thousand notes are a few megabytes, and are asked in about a millisecond, so nothing is written to disk. What is
stemmed finds `retries` for `retry`; an identifier is found whole and by its parts.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from math import log, log1p, sqrt

import snowballstemmer  # type: ignore[import-untyped]  # it brings no types

from memoire.tokens import body_terms

SATURATION = 1.2
LENGTH = 0.75
"""`k1` and `b`. Source: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009)."""
UNSEEN = 200
"""Texts without any of the terms that are compared, beside those that are there."""
_SAY_NOTHING = """
a an and are as at be by do does for from has have how i if in is it its of on or our that the their them then there
these they this to was we were what when where which who why will with you your
"""
_STOP = frozenset(_SAY_NOTHING.split())
_WORD = re.compile(r"[^\W_]+(?:[_.:\-][^\W_]+)*")
_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return what the grammatical forms of an English word share."""
    return str(_stemmer.stemWord(word))


def terms(text: str) -> list[str]:
    """Return the terms of a text: stems of its words and of the parts of its identifiers, those whole as well."""
    found = []
    for word in _WORD.findall(text):
        parts = body_terms(word)
        found += [stem(part) for part in parts if part not in _STOP]
        if len(parts) > 1:
            found.append("".join(parts))
    return found


class Words:
    """The terms of some texts, each under a name."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._lengths: dict[str, int] = {}
        self._holders: dict[str, set[str]] = {}
        self._total = 0

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self._counts)

    def put(self, name: str, text: str) -> None:
        """Hold a text under a name, in the place of what was there."""
        self.drop(name)
        counts = Counter(terms(text))
        self._counts[name] = counts
        self._lengths[name] = length = counts.total()
        self._total += length
        for term in counts:
            self._holders.setdefault(term, set()).add(name)

    def drop(self, name: str) -> None:
        """Forget the text of a name."""
        counts = self._counts.pop(name, None)
        if counts is None:
            return
        self._total -= self._lengths.pop(name)
        for term in counts:
            self._holders[term].discard(name)
            if not self._holders[term]:
                del self._holders[term]

    def weight(self, term: str) -> float:
        """Return how much a term tells: log(1 + (n - df + .5) / (df + .5))."""
        holders = len(self._holders.get(term, ()))
        return log1p((len(self._counts) - holders + 0.5) / (holders + 0.5))

    def rarity(self, term: str) -> float:
        """Return how much a term tells when two texts are held side by side, whatever the number of texts there are.

        Where there are few, that a term is in none of them tells next to nothing: it is as if `UNSEEN` more were known.
        """
        return log((len(self._counts) + UNSEEN + 1) / (len(self._holders.get(term, ())) + 1))

    def scores(self, query: str) -> dict[str, float]:
        """Return name -> BM25 score, of every text that has a term of the query."""
        found: dict[str, float] = {}
        mean = self._total / max(len(self._counts), 1)
        for term in dict.fromkeys(terms(query)):
            weight = self.weight(term)
            for name in self._holders.get(term, ()):
                count = self._counts[name][term]
                norm = SATURATION * (1 - LENGTH + LENGTH * self._lengths[name] / max(mean, 1))
                found[name] = found.get(name, 0.0) + weight * count * (SATURATION + 1) / (count + norm)
        return found

    def coverage(self, query: str, name: str) -> float:
        """Return which share of what a query's terms tell a text holds, in [0, 1]."""
        asked = {term: self.weight(term) for term in terms(query)}
        total = sum(asked.values())
        held = self._counts.get(name, Counter())
        return sum(weight for term, weight in asked.items() if term in held) / total if total else 0.0

    def cosine(self, text: str, name: str) -> float:
        """Return how alike two texts are: the cosine of their weighted terms, in [0, 1]."""
        other = self._counts.get(name)
        return alike(Counter(terms(text)), other, self.rarity) if other else 0.0


def alike(one: Counter[str], other: Counter[str], weight: Callable[[str], float]) -> float:
    """Return the cosine of two bags of terms, each count weighted."""

    def length(bag: Counter[str]) -> float:
        return sqrt(sum((weight(term) * log1p(count)) ** 2 for term, count in bag.items()))

    shared: Iterable[str] = one.keys() & other.keys()
    product = sum(weight(term) ** 2 * log1p(one[term]) * log1p(other[term]) for term in shared)
    size = length(one) * length(other)
    return product / size if size else 0.0
