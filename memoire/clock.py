"""Tells the time of what happens, in an order that holds although the wall clock is set back; and how long was slept.

Durations are taken with `time.monotonic` everywhere: it does not know of clocks that are set.
"""

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

STEP = timedelta(milliseconds=1)
"""What lies between two happenings while the wall clock is behind: ids of events sort by milliseconds."""

LONGEST_WAIT = timedelta(days=1, hours=2)
"""A clock that was set back by no more is waited for; one that was further ahead was wrong then, and is right now.

A day and the hours of a wrong time zone: what people and their machines set clocks back by.
"""


def utc_now() -> datetime:
    """Return the wall clock's time, with its zone."""
    return datetime.now(UTC)


def slept_s() -> float:
    """Return how long the machine was suspended since it was started, seconds; 0 where the system does not tell.

    Source: clock_gettime(2): on Linux CLOCK_MONOTONIC stands still meanwhile and CLOCK_BOOTTIME does not; on macOS
    CLOCK_UPTIME_RAW stands still and CLOCK_MONOTONIC does not.
    """
    running, standing = {
        "linux": ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"),
        "darwin": ("CLOCK_MONOTONIC", "CLOCK_UPTIME_RAW"),
    }.get(sys.platform, ("", ""))
    if not (hasattr(time, running) and hasattr(time, standing)):
        return 0.0
    return time.clock_gettime(getattr(time, running)) - time.clock_gettime(getattr(time, standing))


class Clock:
    """The wall clock, but for this: what happened later never has the earlier time, unless the clock was far off.

    Args:
        wall: The wall clock.
    """

    def __init__(self, wall: Callable[[], datetime] = utc_now) -> None:
        self._wall = wall
        self._last = datetime.min.replace(tzinfo=UTC)

    def seen(self, at: datetime) -> None:
        """Take note of the time of something that happened before, in another life of the process."""
        self._last = max(self._last, at)

    def now(self) -> datetime:
        """Return the time to compare others with: never before the last thing that happened."""
        now = self._wall()
        return self._last if timedelta(0) < self._last - now <= LONGEST_WAIT else now

    def next(self) -> datetime:
        """Return the time of something that happens now."""
        now = self._wall()
        behind = self._last - now
        self._last = self._last + STEP if timedelta(0) <= behind <= LONGEST_WAIT else now
        return self._last
