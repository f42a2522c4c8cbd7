"""The newest events, in memory: nearly every question is about those; and how the table is asked for others.

The engine reads a page of the newest rows in a millisecond, but tests a filter at up to 10 microseconds a row: a file
that was edited once a month ago costs a second. So the last `KEPT` events are tested here, and what lies behind them is
found by the search index (`timeline`).
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence

from memoire.episodes.wanted import Wanted
from memoire.model import Event, GraphDelta
from memoire.store.client import instant, record, span

_FIRST_SPAN_MS = 6 * 3_600_000
KEPT = 1000
"""Events in memory: about 1 MB."""

_OF_FILES = frozenset({"file_create", "file_edit", "file_delete", "file_move"})
_END = "~"
"""Sorts behind every id."""


class Newest:
    """The newest events of a store.

    Args:
        events: The newest ones, the newest first.
        is_all: Whether there are no others.
    """

    def __init__(self, events: Sequence[Event] = (), *, is_all: bool = True) -> None:
        self._events = {event.id: event for event in events}
        self._ids = sorted(self._events)
        self.floor = "" if is_all else self._ids[0] if self._ids else _END
        """Every event with this id or a later one is here; empty: all are."""

    def find(self, limit: int, wanted: Wanted) -> tuple[list[Event], bool]:
        """Return at most `limit` events, the newest first, and whether there may be others behind them."""
        found: list[Event] = []
        low, high = wanted.bounds()
        for place in range(bisect_left(self._ids, high) if high else len(self._ids), 0, -1):
            if len(found) >= limit:
                return found, False
            event = self._events[self._ids[place - 1]]
            if wanted.takes(event):
                found.append(event)
        is_behind = bool(self.floor) and (not low or low < self.floor)
        return found, is_behind and len(found) < limit

    def last_state(self, path: str) -> str:
        """Return the id of the last event here that told of a file's content, without its time; "" for none.

        Of a file's event that is what happened to it and what it was then.
        """
        for name in reversed(self._ids):
            event = self._events[name]
            if event.kind in _OF_FILES and path in event.entities[:1]:
                return name.partition("-")[2]
        return ""

    def apply(self, delta: GraphDelta) -> None:
        """Take in what was committed."""
        for event in delta.events:
            if event.id >= self.floor and event.id not in self._events:
                insort(self._ids, event.id)
                self._events[event.id] = event
        self._remove(event.replaces for event in delta.events)
        self._remove(delta.forgotten)
        if len(self._ids) > KEPT:
            for name in self._ids[:-KEPT]:
                del self._events[name]
            self._ids = self._ids[-KEPT:]
            self.floor = self._ids[0]

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            if self._events.pop(name, None) is not None:
                del self._ids[bisect_left(self._ids, name)]


def sources_of(wanted: Wanted) -> Iterator[tuple[str, dict[str, object], list[str]]]:
    """Yield what selects read from, one after the other, the values bound to each, and its conditions.

    The engine reads a span of ids to its end, whatever the limit: so the spans begin short, and each is longer than
    the one before. A condition is tested five times faster on the whole table than on a span: so what may be rare is
    looked for there.
    """
    values, conditions = _conditions(wanted)
    low, high = wanted.bounds()
    if wanted.is_narrow or not re.match(r"[0-9a-f]{12}", high):
        if wanted.before:
            conditions.append("id < $before")
            values["before"] = record("event", wanted.before)
        yield "event", values, conditions
        return
    length_ms, bottom = _FIRST_SPAN_MS, int(low or "0", 16)
    while True:
        begin = max(int(high[:12], 16) - length_ms, bottom)
        yield "$span", {**values, "span": span("event", f"{begin:012x}", high)}, conditions
        if begin == bottom:
            return
        high, length_ms = f"{begin:012x}", length_ms * 4


def _conditions(wanted: Wanted) -> tuple[dict[str, object], list[str]]:
    values: dict[str, object] = {}
    conditions: list[str] = []
    for is_set, condition, name, value in (
        (wanted.kinds, "kind IN $kinds", "kinds", list(wanted.kinds)),
        (wanted.without, "kind NOT IN $without", "without", list(wanted.without)),
        (wanted.path and not wanted.path.endswith("/"), "paths CONTAINSANY $paths", "paths", [wanted.path]),
        (
            wanted.path.endswith("/"),
            "array::any(paths, |$each| string::starts_with($each, $under))",
            "under",
            wanted.path,
        ),
        (wanted.session, "session = $in_session", "in_session", wanted.session),  # $session is the engine's own
        (wanted.since, "at >= $since", "since", wanted.since and instant(wanted.since)),
        (wanted.until, "at < $until", "until", wanted.until and instant(wanted.until)),
    ):
        if is_set:
            conditions.append(condition)
            values[name] = value
    return values, conditions
