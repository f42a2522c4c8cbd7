"""Tells saves of one file in quick succession as one event: what they changed together, and how many there were.

An event is shown at once, so it is not held back for what may follow: the next save is told together with it, by an
event that replaces it. The log keeps both.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from memoire.episodes import edits
from memoire.model import Event, FileFacts

QUICK = timedelta(minutes=2)
"""A save that follows within this time is told together with the one before."""
LONGEST = timedelta(minutes=15)
"""What is told as one took at most so long: a morning's work is more than one event."""
_OF_ONE = frozenset({"file_edit", "file_create"})
"""Kinds of events that tell of one file, and may be gone on with."""
_KEPT = 200
"""Files whose last edit is remembered, with what they were before it."""

Facts = Callable[[str], FileFacts | None]
"""Path -> what is known of a file."""


class _Open(NamedTuple):
    """An edit that the next save may be told together with."""

    event: Event
    before: FileFacts | None
    """As the file was before the first of the saves; None where it was not there."""
    since: datetime


class Folding:
    """The last edits of one project. Kept in memory: after a restart a save is told by itself."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    def fold(self, events: Sequence[Event], before: Facts, after: Facts, touched: Iterable[str] = ()) -> list[Event]:
        """Return the events of one batch, those that go on with an edit in its place.

        Args:
            events: What the batch says by itself.
            before: What was known of a file before the batch.
            after: What is known of it now.
            touched: Every file that the batch changed: an event of many names only some, and what a checkout wrote is
                no part of the edits around it.
        """
        folded = []
        alone = {event.entities[0] for event in events if event.kind in _OF_ONE and event.entities}
        for path in touched:
            if path not in alone:
                self._open.pop(path, None)
        for event in events:
            found = self._fold(event, after) if event.kind == "file_edit" else event
            folded.append(found)
            self._remember(found, event, before)
        return folded

    def end(self) -> None:
        """Tell every next save by itself: something was done to the whole in between, such as a commit."""
        self._open.clear()

    def _fold(self, event: Event, after: Facts) -> Event:
        path = event.entities[0]
        last, facts = self._open.get(path), after(path)
        if last is None or facts is None or not _goes_on(last, event):
            return event
        told = edits.edited(path, last.before, facts, event.at)
        if last.before is not None and last.before.sha == facts.sha:
            told = msgspec.structs.replace(told, summary=f"Edited {path} and took it back", entities=(path,))
        return msgspec.structs.replace(
            told,
            id=event.id,
            actor=event.actor,
            client=event.client,
            session=event.session,
            count=last.event.count + event.count,
            replaces=last.event.id,
        )

    def _remember(self, told: Event, event: Event, before: Facts) -> None:
        if event.kind not in _OF_ONE:
            for entity in event.entities:
                self._open.pop(entity, None)
            return
        path = event.entities[0]
        last = self._open.pop(path, None)  # the newest stands last
        if told.replaces and last is not None:
            self._open[path] = last._replace(event=told)
        else:
            self._open[path] = _Open(told, before(path) if event.kind == "file_edit" else None, event.at)
        if len(self._open) > _KEPT:
            del self._open[next(iter(self._open))]


def _goes_on(last: _Open, event: Event) -> bool:
    """Return whether an edit belongs to the one before: same hands, little later (a clock set back ends it)."""
    is_same = (last.event.actor, last.event.session) == (event.actor, event.session)
    return is_same and timedelta(0) <= event.at - last.event.at <= QUICK and event.at - last.since <= LONGEST
