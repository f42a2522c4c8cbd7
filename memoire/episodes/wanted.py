"""Which events a caller wants. Pure."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from memoire.model import Event, parse_path

_LAST_MS = 0xFFFF_FFFF_FFFF


class Wanted(msgspec.Struct, frozen=True):
    """What events are asked for; what is empty filters nothing."""

    before: str = ""
    """Id of an event: only older ones."""
    kinds: Sequence[str] = ()
    without: Sequence[str] = ()
    """Kinds that are left out."""
    path: str = ""
    """Only those that touch this path or a symbol in it; one that ends in `/` stands for all below it."""
    session: str = ""
    since: datetime | None = None
    """Only those at or after this time."""
    until: datetime | None = None
    """Only those before this time."""

    @property
    def is_narrow(self) -> bool:
        """Whether what it lets through may be rare among the events of its time."""
        return bool(self.kinds or self.path or self.session)

    def takes(self, event: Event) -> bool:
        """Return whether it lets an event through."""
        return (
            (not self.before or event.id < self.before)
            and (not self.kinds or event.kind in self.kinds)
            and event.kind not in self.without
            and (not self.session or event.session == self.session)
            and (self.since is None or event.at >= self.since)
            and (self.until is None or event.at < self.until)
            and (not self.path or any(map(self._is_touched, event.entities)))
        )

    def bounds(self) -> tuple[str, str]:
        """Return ids between which everything it lets through lies, the second not included; empty = no bound."""
        low = f"{_ms(self.since) - 1:012x}" if self.since and _ms(self.since) > 0 else ""
        high = f"{min(_ms(self.until) + 2, _LAST_MS):012x}" if self.until else ""
        return low, min(self.before or high, high or self.before)

    def _is_touched(self, entity: str) -> bool:
        path = parse_path(entity)[0]
        return path.startswith(self.path) if self.path.endswith("/") else path == self.path


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
