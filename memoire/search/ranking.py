"""Ranks what a query finds: several small questions to the index, their answers put on one scale and added.

Files: each feature's scores are divided by the best of them over this query, then summed with the weights below. They
were chosen on three repositories, checked on six others and are round on purpose: neighbours score nearly the
same. Symbols, sections and events are ranked in their own index in the same way; a symbol or section has part of the
score of its file. To make one list, each kind is scaled by how much of the query its hits cover.

Source: measured by finding the files of commits from their messages. Sums of features divided by their maximum beat
sums of plain scores, rank fusion and learned trees.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches

import msgspec
from tantivy import DocAddress, Query, Searcher

from memoire.search.entry import Scope
from memoire.search.file_ranking import WEIGHTS, Asked, FileRanking, added
from memoire.search.query import Query as Parsed
from memoire.search.questions import Address, Questions, Shelf, all_of, any_of, constant
from memoire.search.schema import Stored, clean, decode, to_ms
from memoire.search.surroundings import Surroundings
from memoire.tokens import body_terms, is_form

CANDIDATES = 200
"""Best answers of each question that take part."""
DEEPEST = 5000
"""The same for an answer that is asked for from far down; its order may differ from that of the first hundred."""

PART_NAME, PART_TEXT, PART_FILE = 1.0, 0.5, 0.5
"""Weights of a part's features: its name, its text, the score of its file."""
KIND_WEIGHT = {"file": 1.0, "symbol": 0.9, "section": 0.8, "event": 0.6, "session": 0.6}
"""A file (or document) is the safer answer to an equal match: it holds the others."""
COVERED = 0.7
"""Share of a score that depends on how much of the query the hit covers."""
NAMED = 2.0
"""Added to what the query names outright, times the share of the query that the name makes up."""
AGAIN = 0.8
"""Factor on each further hit of one path: a list of ten should not be one file."""

RARE, FORMS, FORM = 3, 3, 0.5
"""A term in so many documents or fewer is searched for with so many of its other forms, at that share."""
ALIKE_FROM, ALIKE_OF, ALIKE_RATIO = 4, 5000, 0.8
"""From how many characters on a term may mean another, out of how many that begin alike, and how alike (Ratcliff and
Obershelp) where it has no form and begins no other."""

FILE_KINDS = frozenset(("file", "document"))


class Ranked(msgspec.Struct, frozen=True, gc=False):
    """One result: what the index keeps of it, its score, and the line the query asked for (0 for none)."""

    stored: Stored
    score: float
    line: int


class _Found(msgspec.Struct, gc=False):
    """A candidate: where it lies, what it is, how good it is."""

    searcher: Searcher
    address: DocAddress
    key: Address
    kind: str
    place: int
    at_ms: int
    score: float
    named: float
    line: int


class Search:
    """One query against one state of the two indexes.

    Args:
        files: The index of files and documents.
        parts: The index of symbols, sections and events.
        query: What is asked.
        scope: What may be found.
        around: What is known beside the text.
        meant: Path -> how near what its file says is to what the query means, above 0.
        wanted: How many hits are wanted.
    """

    def __init__(
        self,
        files: Shelf,
        parts: Shelf,
        query: Parsed,
        scope: Scope,
        *,
        around: Surroundings,
        meant: Mapping[str, float],
        wanted: int,
    ) -> None:
        self._scope = scope
        self._around = around
        limit = DEEPEST if wanted > CANDIDATES // 2 else CANDIDATES
        self._files = Questions(files, limit)
        self._parts = Questions(parts, limit)
        self._phrases = [terms for phrase in query.phrases if (terms := body_terms(phrase))]
        self.weights, self._shares = self._weights(query.terms)
        """Term -> how rare it is in the project: its inverse document frequency among files and documents."""
        self._terms = tuple(self.weights)
        self._words = self._terms + query.wholes
        self._query = query
        self.asked = Asked(self._shares, self.weights, query.wholes, query.pairs, meant)

    def ranked(self) -> Iterator[Ranked]:
        """Return all candidates, best first; each is read from the index when its turn comes."""
        found = self._candidates()
        return (Ranked(decode(one.searcher.doc(one.address)), score, one.line) for one, score in _mixed(found))

    def _candidates(self) -> list[_Found]:
        kinds = self._scope.kinds & FILE_KINDS
        parts = self._scope.kinds - FILE_KINDS
        found = self._rank_files(kinds) if kinds else []
        around = found if kinds == FILE_KINDS or not parts else self._rank_files(FILE_KINDS)
        scores = {one.place: one.score for one in around}
        for kind in sorted(parts):
            found = found + self._rank_parts(kind, scores)
        return found

    def features(
        self, kinds: frozenset[str] = FILE_KINDS
    ) -> tuple[dict[str, dict[Address, float]], Mapping[Address, str]]:
        """Return what speaks for each file or document, by feature, and the paths of all that take part."""
        ask = self._files
        filters = self._file_filters(kinds)
        ranking = FileRanking(ask, filters, self.asked, self._around)
        return ranking.features(), ranking.candidates.paths

    def _file_filters(self, kinds: frozenset[str]) -> list[Query]:
        ask = self._files
        filters = self._filters(ask, ["path"])
        if kinds != FILE_KINDS:
            filters += [ask.exact("kind", kind) for kind in kinds]
        return filters + [
            any_of([ask.phrase("body", terms), all_of(ask.terms("where", terms))]) for terms in self._phrases
        ]

    def _rank_files(self, kinds: frozenset[str]) -> list[_Found]:
        ask, filters = self._files, self._file_filters(kinds)
        features, paths = self.features(kinds)
        named = self._named(ask, filters)
        places = _places(ask, [paths, named])
        covered = self._covered(ask, ["body", "where"], filters)
        return self._weigh("file", ask, added(features, WEIGHTS), covered, named, places)

    def _rank_parts(self, kind: str, files: Mapping[int, float]) -> list[_Found]:
        """Rank the hits of one kind; `files` has the score of the file at each place."""
        ask = self._parts
        filters = [*self._filters(ask, ["path", "touches"]), ask.exact("kind", kind)]
        filters += [any_of([ask.phrase("body", terms), all_of(ask.terms("names", terms))]) for terms in self._phrases]
        features = [
            (PART_NAME, ask.scores(ask.terms("names", self._words, self._shares), filters)),
            (PART_TEXT, ask.scores(ask.terms("body", self._terms, self._shares), filters)),
        ]
        named = self._named(ask, filters)
        places = _places(ask, [scores for _, scores in features] + [named])
        features.append((PART_FILE, {key: files.get(place, 0.0) for key, place in places.items()}))
        return self._weigh(kind, ask, _sum(features), self._covered(ask, ["names", "body"], filters), named, places)

    def _weights(self, terms: Sequence[str]) -> tuple[dict[str, float], dict[str, float]]:
        """Return the terms to search for with their rarity, and the share of those that stand for another.

        A rare term comes with its other forms. One that is nowhere and has no form stands for what it begins, else
        for the one nearest to it.
        """
        fields = [(self._files, "body"), (self._files, "where"), (self._parts, "names"), (self._parts, "body")]
        shares: dict[str, float] = {}
        for term in terms:
            count = max(ask.count(field, term) for ask, field in fields)
            others = self._like(term, is_known=count > 0) if count <= RARE else []
            if count or not others:
                shares[term] = 1.0
            for other in others:
                shares.setdefault(other, FORM)
        return {term: self._files.rarity("body", term) * share for term, share in shares.items()}, shares

    def _like(self, term: str, *, is_known: bool) -> list[str]:
        """Return other terms of the project that this one may mean, the most frequent first."""
        if len(term) < ALIKE_FROM and term.isascii():
            return []
        known = self._beginning(term[: max(3, min(len(term) - 3, 6))], term)
        forms = [one for one in known if is_form(term, one)][:FORMS]
        if forms or is_known:
            return forms
        longer = [one for one in known if one.startswith(term)][:FORMS]
        slips = [one for one in self._beginning(term[:2], term) if abs(len(one) - len(term)) <= 2]
        return longer or get_close_matches(term, slips, 1, ALIKE_RATIO)

    def _beginning(self, begin: str, term: str) -> list[str]:
        counts = self._files.beginning("body", begin, ALIKE_OF) | self._parts.beginning("names", begin, ALIKE_OF)
        return sorted(counts.keys() - {term}, key=lambda one: (-counts[one], one))

    def _filters(self, ask: Questions, paths: Sequence[str]) -> list[Query]:
        scope, filters = self._scope, []
        if scope.prefix:
            filters.append(any_of([ask.begins(field, clean(scope.prefix)) for field in paths]))
        if scope.language:
            filters.append(ask.exact("language", clean(scope.language)))
        if scope.since:
            filters.append(ask.since("at", to_ms(scope.since)))
        return filters

    def _covered(self, ask: Questions, fields: Sequence[str], filters: Sequence[Query]) -> defaultdict[Address, float]:
        """Return how much of the query documents hold, in [0, 1]: terms count by their rarity."""
        mass = sum(self.weights.values()) or 1.0
        queries = [
            constant(any_of([ask.term(field, term) for field in fields]), weight / mass)
            for term, weight in self.weights.items()
        ]
        covered = ask.scores(queries, filters)
        # What is not among the best of very many may be as good as the last of them: `cache` is in all of 500 names.
        least = min(covered.values(), default=0.0) if len(covered) >= ask.limit else 0.0
        return defaultdict(lambda: least, covered)

    def _named(self, ask: Questions, filters: Sequence[Query]) -> dict[Address, tuple[float, int]]:
        """Return what the query names outright, with what that adds to the score and the line asked for."""
        named: dict[Address, tuple[float, int]] = {}
        for key in self._query.keys:
            for address in ask.scores([ask.exact("key", key.text)], filters):
                added, line = named.get(address, (0.0, 0))
                named[address] = (added + NAMED * key.share, line or key.line)
        return named

    def _weigh(
        self,
        kind: str,
        ask: Questions,
        scores: Mapping[Address, float],
        covered: defaultdict[Address, float],
        named: Mapping[Address, tuple[float, int]],
        places: Mapping[Address, int],
    ) -> list[_Found]:
        first = max(scores, key=lambda key: scores[key], default=None)
        best = scores[first] if first and scores[first] else 1.0
        # A file holds so many words that its share of the query says little about it: the best one's counts for all.
        whole = covered[first] if kind == "file" and first else None
        times = ask.numbers("at", places)
        found = []
        for (key, place), at_ms in zip(places.items(), times, strict=True):
            added, line = named.get(key, (0.0, 0))
            share = 1.0 - COVERED + COVERED * (covered[key] if whole is None else whole)
            score = KIND_WEIGHT[kind] * scores.get(key, 0.0) / best * share
            found.append(_Found(ask.searcher, ask.address(key), key, kind, place, at_ms, score, added, line))
        return found


def _places(ask: Questions, answers: Sequence[Iterable[Address]]) -> dict[Address, int]:
    """Return each document of any of the answers with the number of its path."""
    keys = list(dict.fromkeys(key for answer in answers for key in answer))
    return dict(zip(keys, ask.numbers("place", keys), strict=True))


def _sum(features: Iterable[tuple[float, Mapping[Address, float]]]) -> dict[Address, float]:
    """Return the weighted sum of the features, each divided by its maximum."""
    total: dict[Address, float] = {}
    for weight, scores in features:
        factor = weight / (max(scores.values(), default=0.0) or 1.0)
        for key, score in scores.items():
            total[key] = total.get(key, 0.0) + factor * score
    return total


def _mixed(found: Sequence[_Found]) -> Iterator[tuple[_Found, float]]:
    """Yield the candidates with their scores, best first; each further one of a path counts for less."""
    order = sorted(found, key=lambda one: (-one.at_ms, one.place, one.kind, one.key))
    seen: Counter[int] = Counter()
    # The number in the middle settles ties: what is newer, else what stands first.
    heap = [(-one.named - one.score, rank, 0) for rank, one in enumerate(order)]
    heapq.heapify(heap)
    while heap:
        negative, rank, times = heapq.heappop(heap)
        one = order[rank]
        if one.place and times < seen[one.place]:
            times = seen[one.place]
            heapq.heappush(heap, (-one.named - one.score * AGAIN**times, rank, times))
        else:
            seen[one.place] += 1
            yield one, -negative
