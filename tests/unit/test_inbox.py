"""The spool: whole records are read once, and whatever else lies there loses nothing else."""

import os
import time
from pathlib import Path

import pytest

from memoire.episodes import inbox
from memoire.episodes.inbox import END, Inbox, Record


class Clock:
    def __init__(self) -> None:
        self.offset = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def spool(tmp_path: Path, clock: Clock) -> Inbox:
    box = Inbox(tmp_path, clock=clock)
    box.folder.mkdir()
    return box


def put(box: Inbox, name: str, data: bytes) -> None:
    (box.folder / name).write_bytes(data)


def test_whole_records_come_oldest_first_and_stay_until_they_are_discarded(spool: Inbox) -> None:
    put(spool, "17-2.bash", b"1\x1fb" + END)
    put(spool, "16-9.claude-code", b"1\x1fa" + END)
    assert spool.has_news()
    found = spool.take()
    assert found == [
        Record("16-9.claude-code", "claude-code", b"1\x1fa"),
        Record("17-2.bash", "bash", b"1\x1fb"),
    ]
    assert spool.take() == found
    spool.discard(record.name for record in found)
    assert not spool.has_news()
    assert not list(spool.folder.iterdir())


def test_there_need_be_no_spool(tmp_path: Path) -> None:
    box = Inbox(tmp_path)
    assert not box.has_news()
    assert box.take() == []
    box.discard(["x.bash"])


def test_a_record_that_is_being_written_is_waited_for(spool: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "RIPENS_S", 0.0)
    put(spool, "1.bash", b"1\x1fhalf")
    assert spool.take() == []
    put(spool, "1.bash", b"1\x1fhalf and half" + END)
    assert [record.data for record in spool.take()] == [b"1\x1fhalf and half"]
    assert spool.lost == 0


def test_a_record_that_is_not_whole_does_not_keep_the_reader_busy(spool: Inbox) -> None:
    put(spool, "1.bash", b"1\x1fhalf")
    assert spool.has_news()
    assert spool.take() == []
    assert not spool.has_news()


def test_a_torn_record_is_counted_and_removed_and_the_others_are_read(spool: Inbox, clock: Clock) -> None:
    put(spool, "1.bash", b"1\x1fto")
    put(spool, "2.bash", b"")
    put(spool, "3.bash", b"1\x1fwhole" + END)
    clock.offset = inbox.TORN_AFTER_S + 5
    assert [record.name for record in spool.take()] == ["3.bash"]
    assert spool.lost == 2
    assert [path.name for path in spool.folder.iterdir()] == ["3.bash"]


def test_a_record_of_ten_megabytes_is_read(spool: Inbox) -> None:
    put(spool, "1.claude-code", b"1\x1f" + b"x" * 10_000_000 + END)
    (record,) = spool.take()
    assert len(record.data) == 10_000_002


def test_what_is_too_large_or_too_old_is_removed_unread(
    spool: Inbox, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MAX_BYTES", 100)
    put(spool, "1.bash", b"x" * 101 + END)
    assert spool.take() == []
    put(spool, "2.bash", b"1\x1fsecret" + END)
    clock.offset = inbox.STALE_AFTER_S + 5
    assert spool.take() == []
    assert spool.lost == 2
    assert not list(spool.folder.iterdir())


def test_what_is_no_record_harms_nothing(spool: Inbox, tmp_path: Path) -> None:
    target = tmp_path / "private"
    target.write_bytes(b"1\x1fnot to be read" + END)
    (spool.folder / "1.bash").symlink_to(target)
    os.mkfifo(spool.folder / "2.bash")
    (spool.folder / "3.bash").mkdir()
    put(spool, ".4.bash", b"1\x1fhidden" + END)
    put(spool, "noclient", b"1\x1fx" + END)
    put(spool, "5.bash", b"1\x1fwhole" + END)
    assert [record.name for record in spool.take()] == ["5.bash"]
    assert target.exists()
    assert not spool.take()[1:]


def test_a_record_that_cannot_be_removed_is_not_taken_twice(spool: Inbox) -> None:
    (spool.folder / "3.bash").mkdir()
    assert spool.take() == []
    assert not spool.has_news()


def test_many_records_come_in_shares(spool: Inbox) -> None:
    for number in range(700):
        put(spool, f"{number:04}.bash", b"1\x1fx" + END)
    first = spool.take()
    assert len(first) == 500
    spool.discard(record.name for record in first)
    assert [record.name for record in spool.take()] == [f"{number:04}.bash" for number in range(500, 700)]
