"""Small questions to one Tantivy index. Queries are built as objects, never from syntax, so no input is an error."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from tantivy import DocAddress, FieldType, Occur, Query, Schema, Searcher

Address = tuple[int, int]
"""Segment and document: the engine's own address objects cannot be compared."""

_MAX_MS = 1 << 62
_SPECIAL = frozenset("\\.+*?()|[]{}^$")


class Shelf(Protocol):
    """One index to be asked."""

    schema: Schema
    searcher: Searcher


class Questions:
    """Asks one state of one index.

    Args:
        shelf: The index.
        limit: How many answers each question has at most, best first.
    """

    def __init__(self, shelf: Shelf, limit: int) -> None:
        self._schema = shelf.schema
        self.searcher = shelf.searcher
        self.limit = limit
        self._addresses: dict[Address, DocAddress] = {}

    def scores(self, wanted: Sequence[Query], filters: Sequence[Query] = ()) -> dict[Address, float]:
        """Return the documents that answer any of `wanted` and all of `filters`, each with the sum of its scores."""
        if not wanted:
            return {}
        query = any_of(wanted)
        if filters:
            query = Query.boolean_query([(Occur.Must, query), *((Occur.Must, unscored(one)) for one in filters)])
        scores: dict[Address, float] = {}
        for score, address in self.searcher.search(query, self.limit, count=False).hits:
            key = (address.segment_ord, address.doc)
            scores[key] = score
            self._addresses[key] = address
        return scores

    def address(self, key: Address) -> DocAddress:
        """Return the address of a document that answered before."""
        return self._addresses[key]

    def numbers(self, field: str, keys: Iterable[Address]) -> list[int]:
        """Return the value of a number field for each document; 0 where it has none."""
        values = self.searcher.fast_field_values(field, [self._addresses[key] for key in keys])
        return [int(value or 0) for value in values]

    def count(self, field: str, term: str) -> int:
        """Return how many documents hold a term."""
        return int(self.searcher.doc_freq(field, term))

    def beginning(self, field: str, prefix: str, limit: int) -> dict[str, int]:
        """Return terms that begin so, with how many documents hold each."""
        return dict(self.searcher.terms_with_prefix(field, prefix, limit=limit))

    def rarity(self, field: str, term: str) -> float:
        """Return the inverse document frequency of a term, above 0."""
        having = self.count(field, term)
        return math.log1p((max(self.searcher.num_docs - having, 0) + 0.5) / (having + 0.5))

    def terms(self, field: str, terms: Iterable[str], shares: Mapping[str, float] | None = None) -> list[Query]:
        """Return a query for each term; `shares` says what part of its score a term has, where it is not all."""
        queries = [(self.term(field, term), shares.get(term, 1.0) if shares else 1.0) for term in terms]
        return [query if share == 1.0 else Query.boost_query(query, share) for query, share in queries]

    def term(self, field: str, term: str) -> Query:
        """Return the query for a term of a text field."""
        return Query.term_query(self._schema, field, term, "freq")

    def exact(self, field: str, value: str) -> Query:
        """Return the query for the whole value of a field that is not split."""
        return Query.term_query(self._schema, field, value, "basic")

    def phrase(self, field: str, terms: Sequence[str]) -> Query:
        """Return the query for terms that follow one another."""
        if len(terms) < 2:
            return any_of(self.terms(field, terms))
        return Query.phrase_query(self._schema, field, list(terms))

    def begins(self, field: str, prefix: str) -> Query:
        """Return the query for values that begin so, of a field that is not split."""
        escaped = "".join(f"\\{char}" if char in _SPECIAL else char for char in prefix)
        return Query.regex_query(self._schema, field, f"{escaped}(.|\n)*")

    def since(self, field: str, at_ms: int) -> Query:
        """Return the query for a number that is at least this."""
        return Query.range_query(self._schema, field, FieldType.Integer, at_ms, _MAX_MS)


def any_of(queries: Iterable[Query]) -> Query:
    """Return the query that any of these answers, with the sum of their scores."""
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def all_of(queries: Iterable[Query]) -> Query:
    """Return the query that all of these answer."""
    return Query.boolean_query([(Occur.Must, query) for query in queries])


def unscored(query: Query) -> Query:
    """Return the query with a score of 0 for whatever answers it."""
    return Query.const_score_query(query, 0.0)


def constant(query: Query, score: float) -> Query:
    """Return the query with the same score for whatever answers it."""
    return Query.const_score_query(query, score)
