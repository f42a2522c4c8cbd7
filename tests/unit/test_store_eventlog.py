"""The event log keeps what it acknowledged, whole records only, whatever interrupted it."""

import os
import random
import resource
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.episodes.days import first_id
from memoire.errors import StoreUnavailableError
from memoire.model import Event, Evidence
from memoire.store.eventlog import Day, EventLog

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


def event(number: int, summary: str = "Edited a.py") -> Event:
    at = NOW + timedelta(days=number)
    return Event(
        f"{int(at.timestamp() * 1000):012x}-{number:016x}",
        "file_edit",
        at,
        summary,
        0.5,
        ("a.py", "a.py::f"),
        actor="assistant",
        client="codex",
        session="s1",
        count=2,
    )


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Make writes fall short as on a full disk: Python ignores the signal, the call fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def last_segment(log: EventLog) -> Path:
    return max(log.folder.iterdir())


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events")
    assert list(log.read()) == []
    log.append([event(2), event(1)])
    log.append([])
    log.append([event(3, "quotes \" ' line\nend, NUL \0, ünïcode ⟩ 🎈")])
    again = EventLog(tmp_path / "events")
    assert list(again.read()) == [event(2), event(1), event(3, "quotes \" ' line\nend, NUL \0, ünïcode ⟩ 🎈")]
    assert again.skipped == 0
    log.close()


def test_the_newest_ids_are_found_at_the_end_of_the_log(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events", segment_bytes=1)  # a segment each
    assert log.newest_ids(5) == frozenset()
    for number in range(6):
        log.append([event(number)])
    assert log.newest_ids(2) == {event(4).id, event(5).id}
    assert log.newest_ids(99) == {event(number).id for number in range(6)}
    log.close()


def test_folder_and_files_are_private(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "state" / "events")
    log.append([event(1)])
    assert stat.S_IMODE(log.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(last_segment(log).stat().st_mode) == 0o600
    log.close()


def test_each_id_is_read_once(tmp_path: Path) -> None:
    log = EventLog(tmp_path, segment_bytes=100)
    for _ in range(3):
        log.append([event(1), event(2)])
    assert list(log.read()) == [event(1), event(2)]
    log.close()


def test_segments_rotate_by_size_and_read_as_one(tmp_path: Path) -> None:
    log = EventLog(tmp_path, segment_bytes=1000)
    events = [event(number) for number in range(50)]
    for each in events:
        log.append([each])
    log.close()
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) > 5
    assert max(sizes) < 1500
    assert list(EventLog(tmp_path).read()) == events


def test_a_position_reads_only_what_came_after_it(tmp_path: Path) -> None:
    log = EventLog(tmp_path, segment_bytes=600)
    assert log.position == ""
    positions = []
    for number in range(9):
        positions.append(log.position)
        log.append([event(number)])
    for number, position in enumerate(positions):
        assert [each.id for each in log.read(position)] == [event(each).id for each in range(number, 9)]
    assert list(log.read(log.position)) == []
    assert sorted(positions) == positions
    assert EventLog(tmp_path).position == log.position
    log.close()


def test_a_record_cut_short_is_passed_over_and_the_next_stands_alone(tmp_path: Path) -> None:
    log = EventLog(tmp_path)
    log.append([event(1), event(2)])
    log.close()
    segment = last_segment(log)
    whole = segment.read_bytes()
    for cut in range(1, 40):
        segment.write_bytes(whole[:-cut])
        log = EventLog(tmp_path)
        read = list(log.read())
        # Without its line end alone the record is whole.
        assert read == ([event(1), event(2)] if cut == 1 else [event(1)])
        assert log.skipped == (0 if cut == 1 else 1)
        log.append([event(3)])
        log.close()
        assert list(EventLog(tmp_path).read()) == [*read, event(3)]


@pytest.mark.parametrize(
    "garbage",
    [
        b"\n",
        b"not json\n",
        b"{}\n",
        b'{"id": 5}\n',
        b"\xff\xfe\x00\n",
        b"[" * 100_000 + b"\n",
        b"\0" * 5000 + b"\n",
        b'{"id":"\\ud800"}\n',
        b'{"id":"x","kind":"k","at":"yesterday","summary":"","importance":0.1}\n',
    ],
)
def test_a_line_that_is_no_event_is_counted_and_passed_over(tmp_path: Path, garbage: bytes) -> None:
    log = EventLog(tmp_path)
    log.append([event(1)])
    log.close()
    with last_segment(log).open("ab") as segment:
        segment.write(garbage)
    log = EventLog(tmp_path)
    log.append([event(2)])
    assert list(log.read()) == [event(1), event(2)]
    assert log.skipped == (0 if garbage == b"\n" else 1)
    log.close()


def test_a_full_disk_leaves_no_half_record_and_nothing_of_the_append(tmp_path: Path) -> None:
    log = EventLog(tmp_path)
    log.append([event(1)])
    size = last_segment(log).stat().st_size
    with files_no_larger_than(size + 150), pytest.raises(StoreUnavailableError) as caught:
        log.append([event(number) for number in range(2, 9)])
    assert caught.value.where == str(tmp_path)
    assert last_segment(log).stat().st_size == size
    assert list(log.read()) == [event(1)]
    log.append([event(9)])
    assert list(EventLog(tmp_path).read()) == [event(1), event(9)]
    assert log.skipped == 0
    log.close()


def test_a_disk_full_at_the_first_record_leaves_a_log_that_goes_on(tmp_path: Path) -> None:
    log = EventLog(tmp_path)
    with files_no_larger_than(10), pytest.raises(StoreUnavailableError):
        log.append([event(1)])
    assert list(log.read()) == []
    log.append([event(1)])
    assert list(EventLog(tmp_path).read()) == [event(1)]
    log.close()


def test_a_folder_that_cannot_be_is_reported(tmp_path: Path) -> None:
    (tmp_path / "events").write_text("a file")
    with pytest.raises(StoreUnavailableError):
        EventLog(tmp_path / "events")


def test_a_log_removed_under_a_running_process_is_reported_or_begun_anew(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events", segment_bytes=10)
    log.append([event(1)])
    shutil.rmtree(tmp_path / "events")
    with pytest.raises(StoreUnavailableError):
        log.append([event(2)])
    (tmp_path / "events").mkdir()
    log.append([event(3)])
    assert list(log.read()) == [event(3)]
    log.close()


def told(number: int) -> Day:
    """The record of the day `number` days after `NOW`, which one event of kind `day` stands for."""
    day = (NOW + timedelta(days=number)).date()
    summary = msgspec.structs.replace(event(number), id=f"{first_id(day)}-{number:016x}", kind="day")
    return Day(day, (summary,))


def filled(folder: Path, days: range) -> EventLog:
    log = EventLog(folder, segment_bytes=600)
    for number in days:
        log.append([event(number)])
    return log


def test_segments_leave_when_all_their_events_are_told_by_their_day_and_the_last_stays(tmp_path: Path) -> None:
    log = filled(tmp_path, range(12))
    before = len(list(tmp_path.iterdir()))
    assert log.prune(NOW.date()) == 0
    for number in range(6):
        log.append_day(told(number))
    everything = list(log.standing())
    assert 0 < log.prune((NOW + timedelta(days=6)).date()) < before
    assert sorted(log.standing(), key=lambda each: each.id) == sorted(everything, key=lambda each: each.id)
    assert [each.id for each in log.read()].count(told(3).events[0].id) == 1
    for number in range(6, 12):
        log.append_day(told(number))
    log.prune((NOW + timedelta(days=99)).date())
    assert {each.id for each in log.standing()} == {told(number).events[0].id for number in range(12)}
    log.append([event(12)])
    assert list(log.read())[-1] == event(12)
    assert list(log.read("00000001:0000000300"))[-1] == event(12)
    log.close()


def piece(number: int, revision: int = 0) -> Evidence:
    return Evidence(f"{number:016x}", "asserted", "a.py", "DRIVES", "b.py", NOW, "ann", "so", revision=revision)


def test_evidence_is_no_event_and_its_last_revision_is_told(tmp_path: Path) -> None:
    log = EventLog(tmp_path)
    log.append([event(1)])
    log.append_evidence([piece(1, 1), piece(2)])
    position = log.position
    log.append_evidence([piece(1), piece(3)])
    log.append_evidence([])
    assert log.evidence() == {each.id: each for each in (piece(1, 1), piece(2), piece(3))}
    assert log.evidence(position) == {each.id: each for each in (piece(1), piece(3))}
    assert list(log.read()) == list(log.standing()) == [event(1)]
    with last_segment(log).open("ab") as segment:
        segment.write(b'{"evidence":[{"id":1}]}\n')
    assert len(EventLog(tmp_path).evidence()) == 3
    log.close()


def test_evidence_stays_when_the_events_around_it_leave(tmp_path: Path) -> None:
    log = EventLog(tmp_path, segment_bytes=600)
    for number in range(12):
        log.append([event(number)])
        if number % 4 == 0:
            log.append_evidence([piece(number)])
    for number in range(12):
        log.append_day(told(number))
    known = log.evidence()
    assert log.prune((NOW + timedelta(days=99)).date()) > 0
    assert log.evidence() == known
    assert len(known) == 3
    log.close()


def test_what_comes_after_the_record_of_its_day_stands_beside_it(tmp_path: Path) -> None:
    log = filled(tmp_path, range(3))
    log.append_day(told(1))
    late = msgspec.structs.replace(event(1), id=f"{event(1).id[:12]}-{77:016x}")
    log.append([late])
    assert list(log.standing()) == [event(0), event(2), *told(1).events, late]
    assert list(log.days()) == [(told(1), {late.id})]
    log.close()


def test_the_record_of_a_day_that_was_torn_stands_for_nothing(tmp_path: Path) -> None:
    log = filled(tmp_path, range(1))
    log.append_day(told(0))
    log.close()
    (segment,) = tmp_path.iterdir()
    os.truncate(segment, segment.stat().st_size - 20)
    assert list(EventLog(tmp_path).standing()) == [event(0)]


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.sampled_from(["save", "tell", "prune"]), max_size=40), seed=st.randoms(use_true_random=False))
def test_whatever_is_pruned_when_what_stands_stays(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], seed: random.Random
) -> None:
    """A day is told once or more; an event that comes later stands beside that, and none stands twice."""
    folder = tmp_path_factory.mktemp("log")
    standing: set[str] = set()
    raw: dict[int, set[str]] = {}
    for number, step in enumerate(steps):
        log = EventLog(folder, segment_bytes=500)
        day = seed.randrange(5)
        if step == "save":
            each = event(day)
            each = msgspec.structs.replace(each, id=f"{each.id[:12]}-{number:016x}")
            log.append([each])
            raw.setdefault(day, set()).add(each.id)
            standing.add(each.id)
        elif step == "tell" and raw.get(day):
            summary = msgspec.structs.replace(told(day).events[0], id=f"{first_id(told(day).day)}-{number:016x}")
            log.append_day(Day(told(day).day, (summary,)))
            standing = standing - raw.pop(day) | {summary.id}
        else:
            log.prune(NOW.date())
        found = [each.id for each in log.standing()]
        log.close()
        assert len(found) == len(set(found))
        assert set(found) == standing


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.lists(st.integers(0, 40), max_size=4),
            st.binary(min_size=1, max_size=30).filter(lambda raw: not raw.strip().startswith(b"{")),
        ),
        max_size=12,
    )
)
def test_any_mix_of_appends_and_garbage_yields_every_event_appended(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[int] | bytes]
) -> None:
    folder = tmp_path_factory.mktemp("log")
    expected: dict[str, Event] = {}
    for step in steps:
        log = EventLog(folder, segment_bytes=400)
        if isinstance(step, bytes):
            with (max(folder.iterdir(), default=folder / "00000001.jsonl")).open("ab") as segment:
                segment.write(step)
            continue
        log.append([event(number) for number in step])
        log.close()
        for number in step:
            expected.setdefault(event(number).id, event(number))
    assert list(EventLog(folder).read()) == list(expected.values())
