"""The benchmark of saves and branch switches works, on a tree small enough for the suite."""

from pathlib import Path

import pytest

from benchmarks.watch_latency import measure


def test_every_save_is_seen_and_a_branch_switch_is_one_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("reads CPU times from /proc")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = measure(tmp_path / "p", files=120, saves=2, switched=60)
    assert len(found.asked) == len(found.alone) == 2
    assert found.switch_events == 1
