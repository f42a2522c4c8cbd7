"""A daemon that is killed at any moment loses nothing that it acknowledged, and its graph is right afterwards."""

from pathlib import Path

import pytest

from benchmarks import episode_kill
from benchmarks.kill_daemon import run


def test_the_graph_is_that_of_a_rebuild_after_kills_at_random_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = tmp_path / "project"
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire/config.toml").write_text('project_id = "killed_00000001"\n', encoding="utf-8")
    done = run(root, rounds=4, seed=5)
    assert done["kills"] == 4
    assert done["edges"] > 60


def test_every_report_is_one_event_after_kills_and_damage_at_random_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEMOIRE_CHECKPOINT_MB", "1")
    root = tmp_path / "project"
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire/config.toml").write_text('project_id = "killed_00000001"\n', encoding="utf-8")
    done = episode_kill.run(root, rounds=6, seed=3, damage_every=3)
    assert done["kills"] == 6
    assert done["acknowledged"] > 50
