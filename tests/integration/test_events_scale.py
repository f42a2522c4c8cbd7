"""Some weeks of heavy use in small: what is kept stays small, and every question is answered from it."""

import asyncio
from pathlib import Path

from benchmarks.events_scale import simulate

STORE_BYTES_PER_EVENT = 1_500
"""Of an event that stands, its share of sessions and of what a checkpoint leaves behind included."""


def test_what_is_kept_is_bounded_by_the_retention_and_not_by_what_happened(tmp_path: Path) -> None:
    async def run() -> None:
        report = await simulate(tmp_path, events=9_000, days=60, retention_days=14, asked=2)
        assert report.standing < 9_000 / 60 * 15 + 60 * 30
        assert report.store_mb * 1e6 < STORE_BYTES_PER_EVENT * report.standing
        assert report.log_mb < 9 + 2
        assert report.index_mb < 5
        assert set(report.times_ms) >= {"default", "by path", "by session", "by kind", "since"}

    asyncio.run(run())
