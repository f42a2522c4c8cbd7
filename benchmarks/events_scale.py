"""Measures what a year of heavy use costs: a stream of events through log, store and index, retention day by day.

    python -m benchmarks.events_scale --events 500000

The events are written as the daemon writes them (log, one transaction, index, checkpoints), but several to a batch, so
that a year takes minutes. Sizes are those of the folders at the end; the times are those of one answer.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from benchmarks.store_cost import resident
from memoire.episodes.edits import event_id
from memoire.episodes.wanted import Wanted
from memoire.heap import keep_small, release
from memoire.landing import Commit
from memoire.model import Event, GraphDelta
from memoire.retention import Retention
from memoire.search import SearchIndex
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from memoire.timeline import Timeline

START = datetime(2026, 1, 1, tzinfo=UTC)
FILES = 1500
SESSION_EVENTS = 120
BATCH = 200
CHECKPOINT_BYTES = 32_000_000
_SETTLE_S = 0.5
KINDS = {
    "file_edit": 42, "access": 25, "command": 16, "prompt": 5, "turn": 5, "file_create": 3, "commit": 3, "batch": 1,
}  # fmt: skip
"""Share of each kind, per cent; of the edits half go on with the one before."""
WORDS = (
    "total",
    "order",
    "cart",
    "payment",
    "retry",
    "cache",
    "parser",
    "session",
    "index",
    "query",
    "token",
    "budget",
)


class Report(msgspec.Struct):
    """What was measured."""

    events: int
    standing: int
    """Events that the store holds at the end."""
    seconds: float
    store_mb: float
    log_mb: float
    index_mb: float
    memory_before_mb: float
    memory_after_mb: float
    """Before and after the events of the second half of the run, 100,000 at most."""
    times_ms: dict[str, tuple[float, float]]
    """Question -> p50 and p95."""


class Year:
    """Events as a person and an assistant make them in a project.

    Args:
        events: How many in all.
        days: Over how many days.
        seed: Of the random numbers.
    """

    def __init__(self, events: int, days: int, seed: int = 1) -> None:
        self.days = days
        self.paths = [f"src/part{number % 25}/unit{number % 7}/module_{number}.py" for number in range(FILES)]
        self.sessions: list[str] = []
        self._rng = random.Random(seed)
        self._per_day = events // days
        self._last_edit: Event | None = None

    def day(self, number: int) -> Iterator[Event]:
        """Yield the events of one day, in order: between 8 and 20 o'clock."""
        begin = START + timedelta(days=number, hours=8)
        step = timedelta(hours=12) / max(self._per_day, 1)
        for place in range(self._per_day):
            if place % SESSION_EVENTS == 0:
                self.sessions.append(f"{self._rng.getrandbits(64):016x}-{number}-{place}")
            yield self._event(begin + place * step)

    def _event(self, at: datetime) -> Event:
        rng = self._rng
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        last, self._last_edit = self._last_edit, None
        path = self.paths[min(int(rng.paretovariate(0.6)) - 1, FILES - 1)]
        says = " ".join(rng.choices(WORDS, k=6))
        entities: tuple[str, ...] = ()
        if kind in {"file_edit", "file_create", "access"}:
            entities = (path, *(f"{path}::{name}" for name in rng.sample(WORDS, 2))) if kind != "access" else (path,)
        elif kind in {"commit", "batch"}:
            entities = tuple(dict.fromkeys(rng.choices(self.paths, k=6)))
        is_failed = kind == "command" and rng.random() < 0.2
        event = Event(
            id=event_id(kind, at, path, says),
            kind=kind,
            at=at,
            summary=f"{'Asked: ' if kind == 'prompt' else kind} {says} {path}",
            importance=rng.choice((0.1, 0.3, 0.5, 0.8)),
            entities=entities,
            actor="git" if kind == "commit" else "assistant",
            client="claude-code",
            session=self.sessions[-1] if kind not in {"commit", "batch"} else "",
            outcome="failed" if is_failed else "passed" if kind == "command" else "",
            failed=(f"tests/test_{says.split()[0]}.py::test_it",) if is_failed else (),
        )
        if kind == "file_edit":
            if last is not None and rng.random() < 0.5 and last.session == event.session:
                event = msgspec.structs.replace(event, entities=last.entities, count=last.count + 1, replaces=last.id)
            self._last_edit = event
        elif last is not None and kind in {"access", "turn"}:
            self._last_edit = last
        return event


class Daemon:
    """What the daemon's one task does with events."""

    def __init__(self, log: EventLog, store: Store, index: SearchIndex, retention_days: int) -> None:
        self.now = START
        self.store = store
        self._log = log
        self._index = index
        self._retention = Retention(retention_days, log, store, lambda: self.now)

    async def take(self, events: Sequence[Event]) -> None:
        """Make a batch durable and show it."""
        await self._finish(Commit(GraphDelta(events=events), ()))

    async def retire(self) -> None:
        """Run the retention of a day."""
        while (commit := await self._retention.step()) is not None:
            await self._finish(commit)

    async def _finish(self, commit: Commit) -> None:
        await asyncio.to_thread(commit.write, self._log)
        await self.store.apply(commit.delta)
        sessions = await self.store.sessions_of(commit.delta.events)
        await asyncio.to_thread(commit.show, self._index, self.store.generation, sessions)
        if self.store.bytes_written >= CHECKPOINT_BYTES:
            await self.store.checkpoint()


async def simulate(folder: Path, *, events: int, days: int = 365, retention_days: int = 90, asked: int = 200) -> Report:
    """Return what the events cost, written into a new folder; `asked` is how often each question is."""
    year, begun = Year(events, days), time.perf_counter()
    log = EventLog(folder / "events")
    store = await Store.open(folder)
    index = await asyncio.to_thread(SearchIndex.open, folder, version="1")
    daemon = Daemon(log, store, index, retention_days)
    memory: list[float] = []
    from_day = days - max(1, min(days // 2, 100_000 * days // events))
    for number in range(days):
        if number == from_day:
            await store.checkpoint()
            memory.append(await _at_rest())
        found = list(year.day(number))
        for start in range(0, len(found), BATCH):
            await daemon.take(found[start : start + BATCH])
        daemon.now = START + timedelta(days=number + 1)
        await daemon.retire()
    await store.checkpoint()
    memory.append(await _at_rest())
    seconds = time.perf_counter() - begun
    times = await _times(Timeline(store, index), year, daemon.now, asked)
    standing = (await store.counts()).events
    index.close()
    await store.close()
    log.close()
    return Report(
        events=events,
        standing=standing,
        seconds=seconds,
        store_mb=_size(folder / "db"),
        log_mb=_size(folder / "events"),
        index_mb=_size(folder / "index"),
        memory_before_mb=memory[0],
        memory_after_mb=memory[-1],
        times_ms=times,
    )


async def _at_rest() -> float:
    """Return the memory once the engine has merged its tables, which it does after a checkpoint."""
    held = [resident()]
    while len(held) < 60 and (len(held) < 4 or held[-1] < 0.98 * held[-2] or held[-1] > 1.02 * held[-2]):
        await asyncio.sleep(_SETTLE_S)
        await asyncio.to_thread(release)
        held.append(resident())
    return held[-1]


async def _times(timeline: Timeline, year: Year, now: datetime, asked: int) -> dict[str, tuple[float, float]]:
    rng = random.Random(2)
    news = ("access", "turn")
    recent = year.sessions[-len(year.sessions) // 4 :]

    def wanted(question: str) -> tuple[int, Wanted]:
        since = now - timedelta(days=rng.random() * 30)
        return {
            "default": (21, Wanted(without=news)),
            "last ten of get_context": (10, Wanted(without=news)),
            "by path": (21, Wanted(path=rng.choice(year.paths), without=news)),
            "by folder": (21, Wanted(path=f"src/part{rng.randrange(25)}/", without=news)),
            "by session": (21, Wanted(session=rng.choice(recent), without=news)),
            "by kind": (21, Wanted(kinds=(rng.choice([*KINDS, "day", "ingest"]),))),
            "since": (21, Wanted(since=since, without=news)),
            "since, by path": (21, Wanted(since=since, path=rng.choice(year.paths), without=news)),
            "until": (21, Wanted(until=since, without=news)),
            "until, by kind": (21, Wanted(until=since, kinds=("command",))),
        }[question]

    found: dict[str, tuple[float, float]] = {}
    for question in (
        "default", "last ten of get_context", "by path", "by folder", "by session", "by kind", "since",
        "since, by path", "until", "until, by kind",
    ):  # fmt: skip
        taken = []
        for _ in range(asked):
            limit, what = wanted(question)
            begun = time.perf_counter()
            await timeline.events(limit, **msgspec.structs.asdict(what))
            taken.append((time.perf_counter() - begun) * 1000)
        taken.sort()
        found[question] = (taken[len(taken) // 2], taken[min(int(len(taken) * 0.95), len(taken) - 1)])
    return found


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a year of heavy use costs.")
    parser.add_argument("--events", type=int, default=500_000)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--retention-days", type=int, default=90)
    arguments = parser.parse_args()
    keep_small()
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(
            simulate(
                Path(folder),
                events=arguments.events,
                days=arguments.days,
                retention_days=arguments.retention_days,
            )
        )
    print(f"{report.events} events in {report.seconds:.0f} s, {report.standing} stand")
    print(f"store {report.store_mb:.1f} MB, log {report.log_mb:.1f} MB, index {report.index_mb:.1f} MB")
    ratio = report.memory_after_mb / report.memory_before_mb
    print(f"memory {report.memory_before_mb:.0f} -> {report.memory_after_mb:.0f} MB, ratio {ratio:.2f}")
    for question, (half, most) in report.times_ms.items():
        print(f"{question:26} p50 {half:6.2f} ms  p95 {most:6.2f} ms")


if __name__ == "__main__":
    main()
