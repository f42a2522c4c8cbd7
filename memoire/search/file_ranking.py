"""What speaks for each file that a query may mean: features of its text, of its past, and of the files around it.

The index is asked field by field, then the past: what was said of files, and which commits the query is like. The sum
of that is a first order. Its best files are the seeds: what commits, imports and tests bind to them takes part too, and
every candidate is judged by its folder and by its partner. Text counts by how much a word tells: what every commit
message says (`fix`, `the`, the name of the project) is no word to find a file by.

Source: measured by finding the files of commits from their messages; `benchmarks/search` says on which repositories
the weights were fitted, and what each feature is worth. Sums of features divided by their maximum beat sums of plain
scores, rank fusion and learned trees.
"""

import heapq
from collections.abc import Mapping, Sequence
from itertools import islice

import msgspec
from tantivy import Query

from memoire.languages import is_test
from memoire.search.candidates import Candidates
from memoire.search.features import cochange, messages, neighbours, places, similar_commits, spoken
from memoire.search.questions import Address, Questions, constant
from memoire.search.surroundings import Surroundings

WEIGHTS: Mapping[str, float] = {
    "text": 2.2,
    "path": 1.25,
    "names": 0.5,
    "wholes": 0.5,
    "pairs": 0.6,
    "told": 0.6,
    "similar": 0.8,
    "spoken": 0.8,
    "meaning": 0.9,
    "churn": 1.0,
    "recency": 0.7,
    "together": 0.8,
    "bound": 0.2,
    "folder": 0.25,
    "partner": 0.1,
    "tests": 0.9,
}
"""What each feature weighs; round on purpose, as neighbours score nearly the same."""
SEEDS = 8
"""Best files of the first order that others are judged by; each by the third power of its score."""
FROM_PAST, FROM_SEEDS = 100, 50
"""Most files that one feature of the past, or of the seeds, brings in beside those that the index finds."""
FROM_MEANING = 50
"""Most files that come by what they mean alone."""
FROM_PARTS, PARTS = 50, 12
"""Most files that the parts of paths bring in that the query is spoken of, and how many parts are looked for."""
TESTING = frozenset(("test", "tests", "testing", "spec", "specs"))
"""Who says one of these looks for a test."""

Scores = dict[Address, float]


class Asked(msgspec.Struct, frozen=True):
    """A query, as the index of files is asked it."""

    terms: Mapping[str, float]
    """Term -> the part of its score that it has: less than 1 where it stands for another."""
    rarity: Mapping[str, float]
    """Term -> its inverse document frequency among files and documents."""
    wholes: Sequence[str]
    pairs: Sequence[tuple[str, str]]
    meant: Mapping[str, float]
    """Path -> how near what its file says is to what the query means; empty without embeddings."""


class FileRanking:
    """The features of one search among files and documents.

    Args:
        ask: The index of files and documents.
        filters: What every candidate answers.
        asked: The query.
        around: What is known beside the text.
    """

    def __init__(self, ask: Questions, filters: Sequence[Query], asked: Asked, around: Surroundings) -> None:
        self._ask = ask
        self._filters = filters
        self._asked = asked
        self._around = around
        self._past = around.past
        self._lifts: dict[str, float] = {}
        self.candidates = Candidates(ask, filters, around.known)

    def features(self) -> dict[str, Scores]:
        """Return every feature, each divided by its maximum."""
        found = self._of_text()
        self.candidates.take(key for scores in found.values() for key in scores)
        self.candidates.look_for(_highest(self._asked.meant, FROM_MEANING))
        found |= self._of_past() | {"meaning": self.candidates.addressed(self._asked.meant)}
        found = {name: self.candidates.relative(scores) for name, scores in found.items()}
        later = self._of_seeds(self._seeds(added(found | self._of_activity(), WEIGHTS)))
        # No more candidates come from here on.
        activity = self._of_activity()
        later |= self._of_places(added(found | activity, WEIGHTS))
        later["spoken"] = self._of_parts()
        found |= {name: self.candidates.relative(scores) for name, scores in later.items()}
        return found | activity | {"tests": self._of_tests()}

    def _of_text(self) -> dict[str, Scores]:
        ask, asked, filters, telling = self._ask, self._asked, self._filters, self._past.telling
        terms = {term: share * telling(term) for term, share in asked.terms.items()}
        words = terms | {whole: telling(whole) for whole in asked.wholes}
        pairs = [
            constant(ask.phrase("body", (one, two)), asked.rarity.get(one, 1.0) + asked.rarity.get(two, 1.0))
            for one, two in asked.pairs
        ]
        return {
            "text": ask.scores(ask.terms("body", terms, terms) + ask.terms("wholes", asked.wholes), filters),
            "path": ask.scores(ask.terms("where", words, words), filters),
            "names": ask.scores(ask.terms("names", words, words), filters),
            "wholes": ask.scores(ask.terms("wholes", asked.wholes), filters),
            "pairs": ask.scores(pairs, filters),
        }

    def _of_past(self) -> dict[str, Scores]:
        words = (*self._asked.terms, *self._asked.wholes)
        self._lifts = spoken.spoken(self._past, words)
        most = heapq.nsmallest(PARTS, self._lifts, key=lambda part: (-self._lifts[part], part))
        parts = [constant(self._ask.term("where", part), self._lifts[part]) for part in most]
        self.candidates.take(islice(self._ask.scores(parts, self._filters), FROM_PARTS))
        found = {"told": messages.told(self._past, words), "similar": similar_commits.similar(self._past, words)}
        return {name: self._placed(scores, FROM_PAST) for name, scores in found.items()}

    def _of_activity(self) -> dict[str, Scores]:
        """Return what is to be expected of the candidates of the moment."""
        numbers = self._past.numbers
        known = {key: numbers[path] for key, path in self.candidates.paths.items() if path in numbers}
        return {
            name: self.candidates.relative({key: values[one] for key, one in known.items() if one in values})
            for name, values in (("churn", self._around.churn), ("recency", self._around.recency))
        }

    def _of_parts(self) -> Scores:
        parts = self._around.parts
        scores = {key: spoken.heard(self._lifts, parts(path)) for key, path in self.candidates.paths.items()}
        return {key: score for key, score in scores.items() if score}

    def _of_tests(self) -> Scores:
        """Return the tests among the candidates, where the query asks for one."""
        if TESTING.isdisjoint(self._asked.terms):
            return {}
        return {key: 1.0 for key, path in self.candidates.paths.items() if is_test(path)}

    def _seeds(self, first: Scores) -> dict[str, float]:
        """Return path -> worth of the best files of an order."""
        paths = self.candidates.paths
        best = heapq.nsmallest(SEEDS, first, key=lambda key: (-first[key], paths[key]))
        return {paths[key]: first[key] ** 3 for key in best}

    def _of_seeds(self, seeds: Mapping[str, float]) -> dict[str, Scores]:
        known = {self._past.numbers[path]: worth for path, worth in seeds.items() if path in self._past.numbers}
        together = self._placed(cochange.together(self._past, self._around.totals, known), FROM_SEEDS)
        bound = neighbours.bound(self._around.neighbours, seeds)
        self.candidates.look_for(_highest(bound, FROM_SEEDS))
        return {"together": together, "bound": self.candidates.addressed(bound)}

    def _of_places(self, first: Scores) -> dict[str, Scores]:
        scores = {path: first.get(key, 0.0) for path, key in self.candidates.keys.items()}
        found = {"folder": places.folders(scores), "partner": places.partners(scores)}
        return {name: self.candidates.addressed(one) for name, one in found.items()}

    def _placed(self, scores: Mapping[int, float], most: int) -> Scores:
        """Return what the past says of its files as what it says of candidates; the best files become some."""
        paths, is_present = self._past.paths, self._around.is_present
        by_path = {path: score for number, score in scores.items() if is_present(path := paths[number])}
        self.candidates.look_for(_highest(by_path, most))
        return self.candidates.addressed(by_path)


def added(features: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    """Return the weighted sum of features."""
    total: Scores = {}
    for name, weight in weights.items():
        for key, score in features.get(name, {}).items():
            total[key] = total.get(key, 0.0) + weight * score
    return total


def _highest(scores: Mapping[str, float], most: int) -> list[str]:
    return heapq.nsmallest(most, scores, key=lambda path: (-scores[path], path))
