"""The table of sessions: read, joined with what events say, and the last ones kept in memory."""

from collections.abc import Awaitable, Callable, Iterable

from memoire.episodes.sessions import fold, session_of
from memoire.model import GraphDelta, Session
from memoire.store.client import span
from memoire.store.rows import records

_KEPT = 50
"""Sessions in memory: more than are ever open at once."""


class Sessions:
    """The sessions of one store.

    Args:
        select: Selects values from a source, with variables and clauses, and returns them as sessions.
    """

    def __init__(self, select: Callable[..., Awaitable[list[Session]]]) -> None:
        self._select = select
        self._last: dict[str, Session] = {}

    async def find(self, ids: Iterable[str]) -> list[Session]:
        """Return those of the sessions that are known."""
        wanted = list(ids)
        missing = [name for name in wanted if name not in self._last]
        read: dict[str, Session] = {}
        if missing:
            found = await self._select("state", "$ids", {"ids": records("session", missing)})
            read = {session.id: session for session in found}
        # A write that ended meanwhile knows more than what was read before it.
        known = read | {name: self._last[name] for name in wanted if name in self._last}
        return [known[name] for name in wanted if name in known]

    async def listed(self, limit: int, after: str) -> list[Session]:
        """Return sessions, the last active first; those behind an id by id."""
        most = f" LIMIT {int(limit)}" if limit > 0 else ""
        if after:
            behind = {"span": span("session", after + "\0", "")}
            return await self._select("state", "$span", behind, order=f"ORDER BY id{most}")
        return await self._select("state", "session", order=f"ORDER BY last DESC{most}")

    async def after(self, delta: GraphDelta) -> list[Session]:
        """Return the sessions that a delta touches, as they are after it."""
        names = dict.fromkeys([session_of(event) for event in delta.events] + [each.id for each in delta.sessions])
        names.pop("", None)
        if not names:
            return []
        known = await self.find(names)
        return list(fold(delta.events, [*known, *delta.sessions]).values())

    def keep(self, sessions: Iterable[Session]) -> None:
        """Remember what was committed."""
        for session in sessions:
            self._last.pop(session.id, None)
            self._last[session.id] = session
        while len(self._last) > _KEPT:
            del self._last[next(iter(self._last))]
