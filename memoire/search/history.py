"""Finds the newest events that touch a path, belong to a session or are of some kinds, among any number of them."""

from tantivy import FieldType, Occur, Query

from memoire.episodes.wanted import Wanted
from memoire.search.questions import Questions, Shelf, any_of
from memoire.search.schema import clean, decode

_SPARE = 20
"""More documents than asked for: events of one millisecond come in no order."""
_LAST_MS = 1 << 62


def newest_ids(shelf: Shelf, limit: int, wanted: Wanted) -> list[str]:
    """Return the ids of the newest events that may be wanted, the newest first: `limit` or more, else all there are.

    Which they are is for the caller to look at again: the index cuts no time finer than a millisecond.
    """
    query = Query.boolean_query([*((Occur.Must, one) for one in _conditions(shelf, wanted)), *_left_out(shelf, wanted)])
    most = limit + _SPARE
    while True:
        hits = shelf.searcher.search(query, most, count=False, order_by_field="at").hits
        found = [(at_ms, decode(shelf.searcher.doc(address)).id) for at_ms, address in hits]
        # Of the last millisecond there may be others: all of it is asked for, or none of it taken.
        is_all = len(found) < most
        whole = found if is_all else [one for one in found if one[0] > found[-1][0]]
        ids = sorted((name for _, name in whole if not wanted.before or name < wanted.before), reverse=True)
        if is_all or len(ids) >= limit:
            return ids
        most *= 4


def _conditions(shelf: Shelf, wanted: Wanted) -> list[Query]:
    ask = Questions(shelf, 0)
    found = [ask.exact("kind", "event")]
    if wanted.kinds:
        found.append(any_of([ask.exact("what", clean(kind)) for kind in wanted.kinds]))
    if wanted.session:
        found.append(ask.exact("session", clean(wanted.session)))
    if wanted.path:
        path = clean(wanted.path)
        found.append(ask.begins("touches", path) if path.endswith("/") else ask.exact("touches", path))
    low, high = wanted.bounds()
    if low or high:
        first = int(low[:12], 16) if low else 0
        last = int(high[:12], 16) if high else _LAST_MS
        found.append(Query.range_query(shelf.schema, "at", FieldType.Integer, first, last))
    return found


def _left_out(shelf: Shelf, wanted: Wanted) -> list[tuple[Occur, Query]]:
    ask = Questions(shelf, 0)
    return [(Occur.MustNot, ask.exact("what", clean(kind))) for kind in wanted.without]
