"""`recent_events` gives what a list filtered by hand gives, page by page, and misses nothing that changes meanwhile."""

import asyncio
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memoire.episodes.edits import event_id
from memoire.episodes.wanted import Wanted
from memoire.memory import Memory
from memoire.model import Event, GraphDelta
from memoire.operations import recent_events
from memoire.search import SearchIndex
from memoire.store.newest import KEPT
from memoire.store.records import Store
from memoire.timeline import Timeline
from tests.memories import NOW, Project

KINDS = ("file_edit", "file_create", "access", "command", "prompt", "turn", "commit")
PATHS = ("src/a.py", "src/b.py", "src/db/rows.py", "docs/x.md", "src/ä.py", "odd [name] (1).py", "src/a.pyc")
SESSIONS = ("", "s1", "s2", "6f1c-long-ago")
COUNT = 2 * KEPT + 500
STEP = timedelta(minutes=7)


def made(number: int, rng: random.Random) -> Event:
    """The newest event is of now; several are of one millisecond."""
    at = NOW - (COUNT - number) // 3 * STEP
    kind = rng.choice(KINDS)
    path = rng.choice(PATHS) if rng.random() < 0.9 else "rare.py"
    return Event(
        id=event_id(kind, at, str(number)),
        kind=kind,
        at=at,
        summary=f"Event {number}",
        importance=0.5,
        entities=(path, f"{path}::f") if rng.random() < 0.8 else (),
        session=rng.choice(SESSIONS) if number > COUNT // 3 or rng.random() < 0.9 else "6f1c-long-ago",
    )


class History:
    """Events in a store and its index, and in a list."""

    def __init__(self, folder: Path) -> None:
        rng = random.Random(7)
        self.runner = asyncio.Runner()
        self.project = Project(folder)
        for path in PATHS:
            self.project.add(path)
        events = [made(number, rng) for number in range(COUNT)]
        self.store = self.runner.run(Store.open(folder / "store"))
        self.runner.run(self.store.apply(GraphDelta(events=events)))
        self.index = SearchIndex.open(folder / "state", version="1")
        self.index.apply(events=events, generation=self.store.generation)
        self.events = sorted(events, key=lambda event: event.id, reverse=True)
        self.timeline = Timeline(self.store, self.index)

    @property
    def memory(self) -> Memory:
        return msgspec.structs.replace(self.project.memory(self.store), events=self.timeline.events)

    def close(self) -> None:
        self.index.close()
        self.runner.run(self.store.close())
        self.runner.close()


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    found = History(tmp_path_factory.mktemp("history"))
    yield found
    found.close()


times = st.one_of(st.none(), st.integers(-10, COUNT // 3 + 10).map(lambda steps: NOW - steps * STEP))
filters = st.builds(
    Wanted,
    before=st.one_of(st.just(""), st.integers(0, COUNT - 1).map(lambda number: made(number, random.Random(number)).id)),
    kinds=st.lists(st.sampled_from((*KINDS, "day")), max_size=2).map(tuple),
    without=st.lists(st.sampled_from(KINDS), max_size=2).map(tuple),
    path=st.sampled_from(("", *PATHS, "rare.py", "src/", "src/db/", "gone.py", "s", "src/a.py::f")),
    session=st.sampled_from((*SESSIONS, "nobody")),
    since=times,
    until=times,
)


def by_hand(wanted: Wanted, event: Event) -> bool:
    """Written out again, so that it is not the code it is compared with."""
    paths = {entity.split("::")[0] for entity in event.entities}
    is_below = wanted.path.endswith("/") and any(path.startswith(wanted.path) for path in paths)
    return all(
        (
            event.id < (wanted.before or "~"),
            event.kind in (wanted.kinds or KINDS),
            event.kind not in wanted.without,
            not wanted.path or wanted.path in paths or is_below,
            wanted.session in {"", event.session},
            wanted.since is None or event.at >= wanted.since,
            wanted.until is None or event.at < wanted.until,
        )
    )


@settings(max_examples=150, deadline=None)
@given(wanted=filters, limit=st.sampled_from([0, 1, 7, 40]))
def test_every_combination_of_filters_gives_what_a_list_gives(history: History, wanted: Wanted, limit: int) -> None:
    expected = [event for event in history.events if by_hand(wanted, event)][:limit]
    arguments: dict[str, Any] = msgspec.structs.asdict(wanted)
    assert history.runner.run(history.timeline.events(limit, **arguments)) == expected
    assert history.runner.run(history.store.events(limit, **arguments)) == expected


@settings(max_examples=40, deadline=None)
@given(wanted=filters, limit=st.integers(20, 200))
def test_the_pages_of_every_filter_are_the_list(history: History, wanted: Wanted, limit: int) -> None:
    if wanted.session == "nobody" or (wanted.since and wanted.until and wanted.until <= wanted.since):
        return  # refused: see below
    path = wanted.path.partition("::")[0] if wanted.path != "s" else ""
    wanted = msgspec.structs.replace(wanted, before="", path=path, kinds=tuple(set(wanted.kinds) - {"day"}))
    arguments = {
        "kinds": list(wanted.kinds),
        "path": wanted.path,
        "session": wanted.session,
        "since": _iso(wanted.since),
        "until": _iso(wanted.until),
        "limit": limit,
    }
    seen: list[str] = []
    before = ""
    while True:
        params = recent_events.OPERATION.parse({**arguments, "before": before})
        page = history.runner.run(recent_events.run(history.memory, params))
        seen += [event.summary for event in page.events]
        before = page.next
        if not before:
            break
    news = () if wanted.kinds else ("access", "turn")
    wanted = msgspec.structs.replace(wanted, without=news)
    assert seen == [event.summary for event in history.events if by_hand(wanted, event)]


def _iso(at: datetime | None) -> str:
    return at.isoformat() if at else ""


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    moves=st.lists(st.tuples(st.sampled_from(["add", "fold", "read"]), st.integers(0, 29)), max_size=40),
    limit=st.integers(1, 6),
)
@example(moves=[("read", 0), ("fold", 1), ("fold", 0), ("fold", 1)], limit=1)
def test_what_is_told_again_between_two_pages_is_met_all_the_same(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, int]], limit: int
) -> None:
    """Each edit has a name; whatever is told again meanwhile, every name that was there is read, no event twice."""
    project = Project(tmp_path_factory.mktemp("paging"))

    async def run() -> None:
        store = await Store.open(project.state / "store")
        memory = project.memory(store)
        newest = {name: _edit(name, NOW + timedelta(seconds=name)) for name in range(30)}
        await store.apply(GraphDelta(events=list(newest.values())))
        clock = NOW + timedelta(minutes=5)
        seen: list[str] = []
        before, is_done = "", False

        async def read() -> None:
            nonlocal before, is_done
            page = await recent_events.run(memory, recent_events.Params(limit=limit, before=before))
            assert len(page.events) <= limit
            seen.extend(event.summary for event in page.events)
            before, is_done = page.next, not page.next

        try:
            for what, name in moves:
                clock += timedelta(seconds=1)
                if what == "add":
                    await store.apply(GraphDelta(events=[_edit(100 + len(seen) + name, clock)]))
                elif what == "fold":
                    again = msgspec.structs.replace(_edit(name, clock), replaces=newest[name].id)
                    newest[name] = again
                    await store.apply(GraphDelta(events=[again]))
                elif not is_done:
                    await read()
            while not is_done:
                await read()
        finally:
            await store.close()
        names = {summary.partition(" ")[0] for summary in seen}
        assert {str(name) for name in range(30)} <= names
        assert len(seen) == len(set(seen))

    asyncio.run(run())


def _edit(name: int, at: datetime) -> Event:
    identity = event_id("file_edit", at, str(name))
    return Event(identity, "file_edit", at, f"{name} of {identity}", 0.5, (f"{name}.py",))


def test_while_the_index_is_made_anew_the_store_answers(tmp_path: Path) -> None:
    found = History(tmp_path)
    try:
        found.index.clear()
        wanted = Wanted(path="rare.py")
        expected = [event for event in found.events if by_hand(wanted, event)][:50]
        assert found.runner.run(found.timeline.events(50, path="rare.py")) == expected
    finally:
        found.close()
