"""Finds notes by their words, all in memory: BM25 over stems, over what they are called otherwise, and over pieces.

What is stemmed finds `retries` for `retry`; an identifier is found whole and by its parts; a note that says `folder` is
found by `directory`, for less; pieces of words tell those that are nearly the same. Nothing is written to disk.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from math import log, log1p, sqrt

import numpy as np

from memoire.notes.postings import Postings, Scores
from memoire.notes.senses import SENSES
from memoire.notes.stems import pieces, terms

STEMS, PIECES, OTHERWISE = 1.0, 0.7, 0.3
"""What the best match by stems, by pieces of words and by other words for the same weighs.

Source: `benchmarks/notes`, on the repositories that are there to tune.
"""
STEM_SATURATION, PIECE_SATURATION = 0.6, 1.2
"""`k1`: a note says a thing once; its second mention tells little. Source: as above."""
UNSEEN = 200
"""Texts without any of the terms that are compared, beside those that are there."""
_SPARE = 1000
"""Dropped texts that may stay before all is made anew."""


class Words:
    """The terms of some texts, each under a name."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self._texts: list[str] = []
        self._stems = Postings(STEM_SATURATION)
        self._pieces = Postings(PIECE_SATURATION)
        self._asked: tuple[str, Scores] | None = None

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self._numbers)

    def put(self, name: str, text: str) -> None:
        """Hold a text under a name, in the place of what was there."""
        self.drop(name)
        self._asked = None
        self._numbers[name] = len(self._names)
        self._names.append(name)
        self._texts.append(text)
        self._stems.add(Counter(terms(text)))
        self._pieces.add(Counter(pieces(text)))

    def drop(self, name: str) -> None:
        """Forget the text of a name."""
        number = self._numbers.pop(name, None)
        if number is None:
            return
        self._asked = None
        self._stems.drop(number, set(terms(self._texts[number])))
        self._pieces.drop(number, set(pieces(self._texts[number])))
        self._texts[number] = ""
        if len(self._names) > 2 * len(self._numbers) + _SPARE:
            kept = {name: self._texts[number] for name, number in self._numbers.items()}
            self._clear()
            for each, text in kept.items():
                self.put(each, text)

    def weight(self, term: str) -> float:
        """Return how much a term tells."""
        return self._stems.weight(term)

    def rarity(self, term: str) -> float:
        """Return how much a term tells when two texts are held side by side, whatever the number of texts there are.

        Where there are few, that a term is in none of them tells next to nothing: it is as if `UNSEEN` more were known.
        """
        return log((len(self) + UNSEEN + 1) / (self._stems.held_by(term) + 1))

    def scores(self, query: str) -> dict[str, float]:
        """Return name -> score in (0, 1], of every text that has a word of the query, or another word for one."""
        asked = dict.fromkeys(terms(query))
        others = {other for term in asked for other in SENSES.get(term, ())} - asked.keys()
        by_stems, otherwise = self._stems.scores(asked), self._stems.scores(sorted(others))
        by_pieces = self._pieces.scores(dict.fromkeys(pieces(query)))
        total = (
            STEMS * self._scaled(by_stems) + PIECES * self._scaled(by_pieces) + OTHERWISE * self._scaled(otherwise)
        ) / (STEMS + PIECES + OTHERWISE)
        found = np.flatnonzero(by_stems + otherwise).tolist()
        values = total.tolist()
        names, numbers = self._names, self._numbers
        return {names[at]: values[at] for at in found if numbers.get(names[at]) == at}

    def _scaled(self, scores: Scores) -> Scores:
        best = float(scores.max(initial=0.0))
        return scores / np.float32(best) if best else scores

    def coverage(self, query: str, name: str) -> float:
        """Return which share of what a query's terms tell a text holds, in [0, 1]."""
        number = self._numbers.get(name)
        if number is None:
            return 0.0
        if self._asked is None or self._asked[0] != query:
            self._asked = (query, self._stems.shares(dict.fromkeys(terms(query))))
        return float(self._asked[1][number])

    def cosine(self, text: str, name: str) -> float:
        """Return how alike two texts are: the cosine of their weighted terms, in [0, 1]."""
        number = self._numbers.get(name)
        return (
            alike(Counter(terms(text)), Counter(terms(self._texts[number])), self.rarity) if number is not None else 0.0
        )


def alike(one: Counter[str], other: Counter[str], weight: Callable[[str], float]) -> float:
    """Return the cosine of two bags of terms, each count weighted."""

    def length(bag: Counter[str]) -> float:
        return sqrt(sum((weight(term) * log1p(count)) ** 2 for term, count in bag.items()))

    shared: Iterable[str] = one.keys() & other.keys()
    product = sum(weight(term) ** 2 * log1p(one[term]) * log1p(other[term]) for term in shared)
    size = length(one) * length(other)
    return product / size if size else 0.0
