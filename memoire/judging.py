"""Judges what notes are about with each change of the tree, lets them go along with what moved, and tells of both.

It stands between what a change was planned to do and its landing: what became of a note is stored in the transaction
that takes in the save.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import msgspec

from memoire.episodes.edits import event_id
from memoire.errors import StoreError
from memoire.graph import Graph
from memoire.model import Event, GraphDelta
from memoire.notes.anchors import World
from memoire.notes.keeper import Keeper
from memoire.notes.model import NOTE
from memoire.notes.verdicts import Along, Moment, Touched, Turn, Verdicts, is_stale
from memoire.progress import Progress, in_slices
from memoire.relations._spec import PACKAGE

logger = logging.getLogger(__name__)

KIND = "note"
"""Of the events."""
MOST_TOLD = 8
"""Notes of one change that have an event each; more are told as one: a branch switch may touch hundreds."""
_STALE, _MENDED, _CARRIED = 0.6, 0.4, 0.3
"""Importance of their events."""


class Judging:
    """What becomes of the notes of one project.

    Args:
        keeper: Its notes.
        verdicts: What is kept of what they are about.
        graph: The open edges.
        commit: Returns what is checked out; empty without git.
    """

    def __init__(self, keeper: Keeper, verdicts: Verdicts, graph: Graph, commit: Callable[[], str]) -> None:
        self._keeper = keeper
        self._verdicts = verdicts
        self._graph = graph
        self._commit = commit

    async def completed(
        self,
        delta: GraphDelta,
        now: datetime,
        *,
        moved: Mapping[str, str] | None = None,
        is_renamed: bool = False,
    ) -> GraphDelta:
        """Return a delta that was planned together with what it does to the notes.

        Args:
            delta: As planned, not yet landed.
            now: When.
            moved: New path -> old path of files that go on under another name.
            is_renamed: Whether the history knows other names than before.
        """
        try:
            await self._keeper.refresh()
        except StoreError as error:
            logger.warning("notes not read why=%s", error)  # a save is taken in all the same
        paths = {record.path for record in delta.files} | set(delta.gone)
        packages = {edge.key.target for edge in (*delta.opened, *delta.closed) if edge.key.target.startswith(PACKAGE)}
        if not (paths or packages or is_renamed):
            return delta
        world = self._after(delta, moved or {})
        told = {path: event.id for event in delta.events for path in event.entities}
        moment = Moment(now, self._commit(), told)
        touched = Touched(paths, bool(packages), is_renamed)
        turns: list[Turn] = await in_slices(self._verdicts.judging(touched, moment, world), Progress())
        along = self._verdicts.moved(world)
        if along and await self._carry(along):
            turns += await in_slices(self._verdicts.judging(Touched(), moment, world), Progress())
        self._verdicts.retold(delta.events)
        judged, unbound = self._verdicts.take()
        events = [*delta.events, *_events(turns, along, now)]
        return msgspec.structs.replace(delta, judged=judged, unbound=unbound, events=events)

    async def _carry(self, along: list[Along]) -> bool:
        """Let notes go along; return whether that could be written down. If not, it is tried with the next change."""
        try:
            await self._keeper.carry([each.bind for each in along])
        except StoreError as error:
            logger.warning("notes not carried along why=%s", error)
            along.clear()
        return bool(along)

    def waiting(self) -> GraphDelta:
        """Return what is known of notes and not stored yet."""
        judged, unbound = self._verdicts.take()
        return GraphDelta(judged=judged, unbound=unbound)

    def _after(self, delta: GraphDelta, moved: Mapping[str, str]) -> World:
        """Return the project as it is once a delta has landed."""
        world = self._verdicts.world
        renamed = {old: new for new, old in moved.items()}
        closed = {edge.key for edge in delta.closed}
        opened = {edge.key.target for edge in delta.opened}

        def is_package(name: str) -> bool:
            node = f"{PACKAGE}{name}"
            return node in opened or any(edge.key not in closed for edge in self._graph.edges_in(node))

        return world._replace(
            renamed=lambda path: renamed.get(path) or world.renamed(path),
            is_package=is_package,
        )


def _events(turns: Sequence[Turn], along: Sequence[Along], now: datetime) -> list[Event]:
    """Return what is told of notes: which became stale or are so no longer, and which went along with their code."""
    last = {(turn.now.note, turn.now.node): turn for turn in turns if turn.matters}
    found = [_turned(turn, now) for turn in last.values()] + [_went(each, now) for each in along]
    if len(found) <= MOST_TOLD:
        return found
    entities = tuple(dict.fromkeys(each for event in found for each in event.entities if each.startswith(NOTE)))
    stale = len({turn.now.note for turn in last.values() if is_stale(turn.now)})
    summary = f"{len(entities)} notes: {stale} became stale, {len(along)} went along with their code"
    return [_event(summary, entities[:MOST_TOLD], now, max(event.importance for event in found))]


def _turned(turn: Turn, now: datetime) -> Event:
    one = turn.now
    if is_stale(one):
        summary, importance = f"Note {one.note} became {one.state}: {one.what}", _STALE
    else:
        what = one.what or f"{one.node} is again what it was"
        summary, importance = f"Note {one.note} is no longer {turn.before.state}: {what}", _MENDED
    return _event(summary, (one.node, f"{NOTE}{one.note}"), now, importance)


def _went(along: Along, now: datetime) -> Event:
    went = ", ".join(f"{old} is {new} now" for old, new in along.names)
    entities = (*(new for _, new in along.names), f"{NOTE}{along.bind.id}")
    return _event(f"Note {along.bind.id} went along: {went}", entities, now, _CARRIED)


def _event(summary: str, entities: Sequence[str], now: datetime, importance: float) -> Event:
    return Event(
        id=event_id(KIND, now, summary, *entities),
        kind=KIND,
        at=now,
        summary=summary,
        importance=importance,
        entities=tuple(entities),
        actor="memoire",
    )
