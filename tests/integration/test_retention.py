"""What is past its retention is told by day and file: nothing is lost or doubled, whatever is killed when."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import msgspec
import pytest

from benchmarks.events_scale import START, Daemon, Year
from memoire.episodes.days import KIND
from memoire.episodes.edits import event_id
from memoire.landing import Commit
from memoire.model import Edge, EdgeKey, Event, GraphDelta, Session
from memoire.retention import DAYS_PER_RUN, Retention
from memoire.search import SearchIndex
from memoire.store.eventlog import EventLog
from memoire.store.recovery import open_or_rebuild, recount

ROOT = Path(__file__).parents[2]
DAYS, KEPT_DAYS = 24, 14
DUE = DAYS - KEPT_DAYS
"""Days that are due after the last one."""
SEGMENT = 12_000


class State(NamedTuple):
    """What a project holds, as far as it may be compared."""

    events: list[Event]
    sessions: dict[str, Session]
    counts: dict[str, tuple[int, int]]
    standing: set[str]


def on(folder: Path, work: Callable[[Daemon, EventLog], Awaitable[None]], *, days: int = KEPT_DAYS) -> State:
    """Open what is there as the daemon does, do the work, and return what is there then."""

    async def run() -> State:
        log = EventLog(folder / "events", segment_bytes=SEGMENT)
        store, _ = await open_or_rebuild(folder, log)
        index = SearchIndex.open(folder, version="1")
        try:
            await work(Daemon(log, store, index, days), log)
            events = await store.events(10_000)
            sessions = {session.id: session for session in await store.sessions()}
            return State(events, sessions, recount(log), {event.id for event in log.standing()})
        finally:
            index.close()
            await store.close()
            log.close()

    return asyncio.run(run())


async def nothing(_daemon: Daemon, _log: EventLog) -> None:
    pass


async def run_twice(daemon: Daemon, _log: EventLog) -> None:
    """Run the retention on two days: more than one run takes is due."""
    for day in (DAYS, DAYS + 1):
        daemon.now = START + timedelta(days=day)
        await daemon.retire()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with some weeks of events and no retention yet."""
    folder = tmp_path_factory.mktemp("filled")

    async def fill(daemon: Daemon, _log: EventLog) -> None:
        year = Year(DAYS * 40, DAYS)
        for number in range(DAYS):
            found = list(year.day(number))
            for start in range(0, len(found), 10):
                await daemon.take(found[start : start + 10])

    on(folder, fill)
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    return Path(copytree(filled, tmp_path / "state"))


def happenings(state: State) -> int:
    return sum(event.count for event in state.events)


def test_days_past_the_retention_are_told_by_day_and_file(folder: Path) -> None:
    before = on(folder, nothing)
    after = on(folder, run_twice)
    cut = START + timedelta(days=DUE)
    assert [event for event in after.events if event.at >= cut] == [event for event in before.events if event.at >= cut]
    old = [event for event in after.events if event.at < cut]
    assert {event.kind for event in old} == {KIND}
    assert {event.at for event in old} == {START + timedelta(days=number) for number in range(DUE)}
    assert len(old) < len([event for event in before.events if event.at < cut])
    assert happenings(after) == happenings(before)
    assert after.sessions == before.sessions
    assert after.counts == before.counts
    assert after.standing == {event.id for event in after.events}


def test_segments_of_the_log_leave_and_what_stands_for_them_stays(folder: Path) -> None:
    before = len(list((folder / "events").iterdir()))
    after = on(folder, run_twice)
    assert len(list((folder / "events").iterdir())) < before - 2
    assert on(folder, nothing) == after


def test_a_lost_store_comes_back_from_the_log_as_it_was(folder: Path) -> None:
    after = on(folder, run_twice)
    (folder / "generation").write_text("99999\n")
    again = on(folder, nothing)
    assert list(folder.glob("db.damaged-*"))
    assert again == after


KILLER = """
import asyncio, os, sys
from datetime import timedelta
from pathlib import Path
from memoire.landing import Commit
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from tests.integration.test_retention import on, run_twice

place, times = sys.argv[2], int(sys.argv[3])
kind, name = {"log": (Commit, "write"), "store": (Store, "apply"), "index": (Commit, "show"), "edges": (Store, "prune"),
    "segments": (EventLog, "prune"), "moving": (EventLog, "_append"), "remember": (Store, "remember")}[place]
whole = getattr(kind, name)

def count_down():
    global times
    times -= 1
    if not times:
        os.kill(os.getpid(), 9)

if asyncio.iscoroutinefunction(whole):
    async def cut(*args, **kwargs):
        result = await whole(*args, **kwargs)
        count_down()
        return result
else:
    def cut(*args, **kwargs):
        result = whole(*args, **kwargs)
        count_down()
        return result

async def work(daemon, log):
    setattr(kind, name, cut)
    await run_twice(daemon, log)

on(Path(sys.argv[1]), work)
"""


@pytest.mark.parametrize(
    ("place", "times"),
    [
        ("log", 1),
        ("log", 3),
        ("store", 1),
        ("store", 4),
        ("index", 2),
        ("edges", 1),
        ("segments", 1),
        ("moving", DAYS_PER_RUN + 1),
        ("remember", 1),
        ("log", DAYS_PER_RUN + 2),
    ],
)
def test_a_kill_after_any_step_loses_nothing_and_doubles_nothing(folder: Path, place: str, times: int) -> None:
    before, reference = on(folder, nothing), Path(copytree(folder, folder.parent / "reference"))
    command = [sys.executable, "-c", KILLER, str(folder), place, str(times)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == -9, done.stderr.decode()
    found = on(folder, nothing)
    assert happenings(found) == happenings(before)
    assert (found.sessions, found.counts) == (before.sessions, before.counts)
    assert found.standing == {event.id for event in found.events}
    assert on(folder, run_twice) == on(reference, run_twice)


def test_a_run_takes_a_week_and_there_is_one_a_day(folder: Path) -> None:
    """So a clock that jumps a year forward costs a week's detail a day, not everything."""

    async def jump(daemon: Daemon, _log: EventLog) -> None:
        daemon.now = START + timedelta(days=DAYS + 365)
        await daemon.take([event_at(DAYS + 365, "with the wrong clock")])
        for _ in range(5):
            daemon.now += timedelta(minutes=1)
            await daemon.retire()

    after = on(folder, jump)
    assert len({event.at for event in after.events if event.kind == KIND}) == DAYS_PER_RUN
    assert len([event for event in after.events if event.kind != KIND]) > 100


def test_a_project_left_alone_keeps_its_last_season(folder: Path) -> None:
    async def later(daemon: Daemon, _log: EventLog) -> None:
        for day in range(5):
            daemon.now = START + timedelta(days=DAYS + 400 + day)
            await daemon.retire()

    after = on(folder, later)
    assert {event.at.date() for event in after.events if event.kind != KIND} == {
        (START + timedelta(days=number)).date() for number in range(DUE, DAYS)
    }


def test_a_clock_set_back_costs_a_day_and_no_more(folder: Path) -> None:
    async def back(daemon: Daemon, _log: EventLog) -> None:
        for day in (DAYS + 300, DAYS, DAYS + 1):
            daemon.now = START + timedelta(days=day)
            if day > DAYS + 1:
                await daemon.store.remember({"retained": daemon.now.date().isoformat()})
            await daemon.retire()

    assert len({event.at for event in on(folder, back).events if event.kind == KIND}) == DAYS_PER_RUN


def event_at(day: float, summary: str) -> Event:
    at = START + timedelta(days=day)
    return Event(event_id("commit", at, summary), "commit", at, summary, 0.5, ("a.py",), actor="git")


def test_what_comes_late_is_told_beside_its_day(folder: Path) -> None:
    async def late(daemon: Daemon, log: EventLog) -> None:
        await run_twice(daemon, log)
        await daemon.take([event_at(1.5, "pulled a month later")])

    before = on(folder, late)
    assert before.events[-1].kind == KIND
    assert "pulled a month later" in {event.summary for event in before.events}
    (folder / "generation").write_text("99999\n")
    assert on(folder, nothing) == before

    async def next_day(daemon: Daemon, _log: EventLog) -> None:
        daemon.now = START + timedelta(days=DAYS + 2)
        await daemon.retire()

    after = on(folder, next_day)
    assert happenings(after) == happenings(before)
    assert "On 2026-01-02: 1 commit" in {event.summary for event in after.events}
    (folder / "generation").write_text("199999\n")
    assert on(folder, nothing) == after


def test_edges_that_closed_before_leave_too(tmp_path: Path) -> None:
    def closed(day: int) -> Edge:
        at = START + timedelta(days=day)
        return Edge(EdgeKey(f"{day}.py", "IMPORTS", "b.py"), "line 1", "a.py", False, "normal", 1.0, START, at)

    async def work(daemon: Daemon, log: EventLog) -> None:
        edges = [closed(1), closed(DUE - 1), closed(DUE + 1)]
        await daemon.store.apply(GraphDelta(closed=edges, events=[event_at(DAYS - 0.1, "lately")]))
        log.append([event_at(DAYS - 0.1, "lately")])
        await run_twice(daemon, log)
        assert await daemon.store.closed_edges() == edges[2:]

    on(tmp_path, work)


async def test_a_step_that_fails_is_taken_up_again_and_not_made_twice(folder: Path) -> None:
    """The caller holds on to the commit; until it is done no other is asked for."""
    log = EventLog(folder / "events", segment_bytes=SEGMENT)
    store, _ = await open_or_rebuild(folder, log)
    retention = Retention(KEPT_DAYS, log, store, lambda: START + timedelta(days=DAYS))
    try:
        count = sum(event.count for event in await store.events(10_000))
        first = await retention.step()
        assert isinstance(first, Commit)
        first.write(log)
        first.write(log)
        await store.apply(first.delta)
        await store.apply(first.delta)
        assert sum(event.count for event in await store.events(10_000)) == count
        second = await retention.step()
        assert second is not None
        assert second.day is not None
        assert first.day is not None
        assert second.day.day == first.day.day + timedelta(days=1)
        assert msgspec.json.decode(msgspec.json.encode(first.day), type=type(first.day)) == first.day
    finally:
        await store.close()
        log.close()


def test_nothing_is_due_in_a_new_project(tmp_path: Path) -> None:
    assert on(tmp_path, run_twice).events == []
