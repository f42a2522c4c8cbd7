"""Answers which events are wanted, however many there are: the newest from memory, older ones found by the index.

The index follows the store by one change; what it does not know yet is among the newest. Where it is behind for any
other reason (it is made anew) the store is read instead, which is slow and right.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import msgspec

from memoire.episodes.wanted import Wanted
from memoire.model import Event
from memoire.search import SearchIndex
from memoire.store.records import Store


class Timeline:
    """The events of one project.

    Args:
        store: Holds them.
        index: Finds them.
    """

    def __init__(self, store: Store, index: SearchIndex) -> None:
        self._store = store
        self._index = index

    async def events(
        self,
        limit: int,
        *,
        before: str = "",
        kinds: Sequence[str] = (),
        without: Sequence[str] = (),
        path: str = "",
        session: str = "",
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[Event]:
        """Return at most `limit` events, the newest first; the filters are those of `Wanted`.

        Raises:
            StoreError: They cannot be read.
        """
        wanted = Wanted(before, kinds, without, path, session, since, until)
        found, is_more = self._store.newest.find(limit, wanted)
        if not is_more:
            return found
        if not (wanted.is_narrow and self._is_followed()):
            return await self._store.find_events(limit, wanted)
        floor = self._store.newest.floor
        older = msgspec.structs.replace(wanted, before=min(before or floor, floor))
        return found + await self._older(limit - len(found), older)

    async def _older(self, limit: int, wanted: Wanted) -> list[Event]:
        """Return what the index finds and the store still holds."""
        found: list[Event] = []
        while len(found) < limit:
            more = limit - len(found)
            ids = (await asyncio.to_thread(self._index.events, more, wanted))[:more]
            found += [event for event in await self._store.events_with(ids) if wanted.takes(event)]
            if len(ids) < more:
                break
            wanted = msgspec.structs.replace(wanted, before=ids[-1])
        return found

    def _is_followed(self) -> bool:
        """Return whether the index knows all but the last change."""
        return 0 <= self._store.generation - 1 <= self._index.generation
