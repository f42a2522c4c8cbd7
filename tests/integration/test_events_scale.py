"""Some weeks of heavy use in small: what is kept stays small, and every question is answered from it."""

import asyncio
from pathlib import Path

from benchmarks.events_scale import simulate

STORE_BYTES, STORE_BYTES_PER_EVENT = 8_000_000, 2_000
"""What a store takes at most: for each event that stands so much, its share of sessions and of rows that were written
again included, and as much as is written between two compactions. A year of 500,000 events: 116 MB of 264 allowed."""


def test_what_is_kept_is_bounded_by_the_retention_and_not_by_what_happened(tmp_path: Path) -> None:
    async def run() -> None:
        report = await simulate(tmp_path, events=4_500, days=45, retention_days=14, asked=2)
        assert report.standing < 4_500 / 45 * 16 + 45 * 30
        assert report.store_mb * 1e6 < STORE_BYTES + STORE_BYTES_PER_EVENT * report.standing
        assert report.log_mb < 9 + 2
        assert report.memory_after_mb < 1.3 * report.memory_before_mb
        assert report.index_mb < 5
        assert set(report.times_ms) >= {"default", "by path", "by session", "by kind", "since"}

    asyncio.run(run())
