"""What one record is made of must not cost the others."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoire.episodes.inbox import END
from memoire.feed import Feed
from memoire.ignore import Ignore
from memoire.store.eventlog import EventLog
from memoire.store.newest import Newest
from memoire.tree import Tree


class OddTree(Tree):
    """Files of which one cannot be asked for."""

    def __contains__(self, path: str) -> bool:
        if path == "odd":
            raise RuntimeError("a secret: hunter2")
        return False


def test_a_record_that_cannot_be_made_an_event_of_is_counted_and_costs_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root, state = tmp_path / "root", tmp_path / "state"
    root.mkdir()
    (state / "spool").mkdir(parents=True)
    for number, command in enumerate(("first", "cat odd", "last"), 1):
        data = f"1\x1f{number}000000\x1f5\x1f0\x1f{root}\x1f{command}".encode() + END
        (state / "spool" / f"{number}-1-1.bash").write_bytes(data)
    feed = Feed(root, state, EventLog(state / "events"), OddTree(lambda _: None), Ignore(root), Newest())
    with caplog.at_level(logging.WARNING):
        told = feed.take(datetime.now(UTC))
    assert [event.summary for event in told.events] == ["Ran `first`", "Ran `last`"]
    assert len(told.records) == 3
    assert feed.lost == 1
    assert "2-1-1.bash" in caplog.text
    assert "hunter2" not in caplog.text
