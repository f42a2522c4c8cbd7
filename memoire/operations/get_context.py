"""Overview of the whole project in a few thousand tokens: directory structure, the relationships that matter most with
their evidence (what drives, specifies and tests what), and what happened last. Call it once at the start of a session,
before you list directories or open files; then `expand` the paths it names."""  # noqa: D205, D209 - the tool's description

from collections.abc import Sequence, Set
from datetime import datetime
from functools import partial
from posixpath import basename
from typing import Annotated

import msgspec

from memoire.budget import Part, clip, fit, size
from memoire.memory import AsOf, Memory
from memoire.model import Event, parse_path
from memoire.operations._binding_notes import MOST, binding
from memoire.operations._binding_notes import told as told_of
from memoire.operations._hubs import Folded, around, focused, named
from memoire.operations._hubs import fold as fold_hubs
from memoire.operations._lookup import locate
from memoire.operations._spec import Operation
from memoire.operations._structure import STRUCTURE_CHARS, Structure, fold, folders
from memoire.operations._wire import (
    MAX_BUDGET,
    MIN_BUDGET,
    SETTLE_S,
    EventSummary,
    Relationship,
    current,
    describe,
    is_troubled,
    newest_events,
    relationships,
    shown_pending,
    wire_time,
)

RELATIONSHIPS = 100
"""Most edges of an answer. Source: "top 100 edges", the published tools page."""
EVENTS = 10
"""Source: "last 10 episodic events", the published tools page."""

_EDGE_CHARS = 200
"""Source: "each edge is ~50 tokens", the published tools page. A longer rationale is for `expand`."""
_RATIONALE_CHARS = 400
"""Of the rationale before the paths in it are shortened."""
_LEAST_RATIONALE = 40
"""Characters of a rationale where the paths alone take so much."""
_SUMMARY_CHARS = 160
_LOOKED_AT = 1_500
"""Best edges that are folded into the entries."""
_FOCUSED = 200
"""Files in focus."""
_COMMANDS = 30
"""Last commands among which those are that failed."""
_FAILING, _TESTS, _TEST_CHARS = 3, 10, 160
_UNCOMMITTED = 20


class Params(msgspec.Struct, frozen=True):
    """What `get_context` takes."""

    focus: Annotated[list[str], msgspec.Meta(description="Paths you work on: what is near them comes first.")] = []
    budget: (
        Annotated[
            int, msgspec.Meta(ge=MIN_BUDGET, le=MAX_BUDGET, description="Most tokens of the answer, default 5500.")
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class Failing(msgspec.Struct, frozen=True):
    """A command in which tests failed when it ran last."""

    command: str
    tests: list[str]
    """Ids of the tests, the first of them."""
    created_at: datetime


class Attention(msgspec.Struct, frozen=True, omit_defaults=True):
    """What calls for attention now."""

    failing: list[Failing] = []
    uncommitted: Annotated[list[str], msgspec.Meta(description="Files that differ from the last commit.")] = []
    notes: Annotated[list[str], msgspec.Meta(description="Notes that bind.")] = []


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `get_context` gives."""

    project_id: str
    structure: Annotated[
        dict[str, list[str]], msgspec.Meta(description="Parent -> children; `… 12 more` counts those not shown.")
    ]
    relationships: Annotated[list[Relationship], msgspec.Meta(description="The best edges, best first.")]
    recent_events: Annotated[list[EventSummary], msgspec.Meta(description="The last events, newest first.")]
    as_of: AsOf
    attention: Annotated[
        Attention | msgspec.UnsetType, msgspec.Meta(description="Failing tests and open work; absent: none.")
    ] = msgspec.UNSET
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []
    problems: Annotated[
        int, msgspec.Meta(description="Files that could not be fully read; `expand('.')` has them.")
    ] = 0
    cut: Annotated[dict[str, str], msgspec.Meta(description="What was left out, and how to get it.")] = {}


async def run(memory: Memory, params: Params) -> Result:
    """Return the overview, within the budget: relationships are cut first, then events, then the structure."""
    budget = memory.settings.budget_tokens if params.budget is msgspec.UNSET else params.budget
    pending = shown_pending(await memory.settle(SETTLE_S))
    events = [_event(event) for event in await newest_events(memory, EVENTS)]
    await memory.notes.refresh()
    binds = [told_of(note) for note in binding(memory, ".")]
    noted = binds[:MOST] + ([f"- and {len(binds) - MOST} more: memory_recall has them"] if len(binds) > MOST else [])
    now = memory.now()
    found = folders(memory, now)
    folded = _folded(memory, _focus(memory, params.focus), now)
    wires = relationships(memory, [item.first for item in folded], rationale_chars=_RATIONALE_CHARS)
    best = [_shortened(_with_others(wire, item)) for wire, item in zip(wires, folded, strict=True)]
    told = [1 + len(item.others) for item in folded]
    failing, uncommitted = await _failing(memory), sorted(await memory.uncommitted())
    candidates = memory.graph.ranked_count
    problems = len(memory.graph.followed("problems", None, lambda: _troubled(memory), partial(_see_trouble, memory)))
    as_of = current(memory)
    maps: dict[int, Structure] = {}

    def make(lengths: Sequence[int]) -> Result:
        waiting, failed, open_work, bound, room, latest, edges = lengths
        structure = maps.setdefault(room, fold(found, room)) if room not in maps else maps[room]
        return Result(
            project_id=memory.project_id,
            structure=structure.children,
            relationships=best[:edges],
            recent_events=events[:latest],
            as_of=as_of,
            pending=pending[:waiting],
            attention=_attention(failing[:failed], uncommitted[:open_work], noted[:bound]),
            problems=problems,
            cut=_cut(structure, (sum(told[:edges]), candidates), (latest, len(events)), (open_work, len(uncommitted))),
        )

    parts = [Part(len(pending), len(pending)), Part(len(failing), len(failing))]
    shown = min(_UNCOMMITTED, len(uncommitted))
    parts += [Part(shown, min(5, shown)), Part(len(noted), min(3, len(noted)))]
    parts += [Part(STRUCTURE_CHARS, STRUCTURE_CHARS)]
    parts += [Part(len(events), len(events)), Part(len(best), len(best))]
    return fit(make, parts, budget)


def _focus(memory: Memory, given: Sequence[str]) -> frozenset[str]:
    """Return the files that some paths name; all of a directory.

    Raises:
        UnknownPathError: One names nothing of the project.
    """
    files: set[str] = set()
    for path in given:
        place = locate(memory, path)
        if place.kind == "directory":
            below = "" if place.path == "." else place.path
            files.update(node.path for node in memory.graph.nodes() if node.path.startswith(below))
        else:
            files.add(place.path)
    return frozenset(sorted(files)[:_FOCUSED])


def _folded(memory: Memory, focus: frozenset[str], now: datetime) -> list[Folded]:
    """Return the entries of `relationships`, the best first."""
    graph = memory.graph
    ranked = graph.top_edges(now=now, limit=_LOOKED_AT)
    if focus:
        ranked = focused(graph, ranked, focus, graph.rank(around(graph, focus), now=now))
    if len(ranked) <= RELATIONSHIPS:  # there is room for all: each is told with its own evidence
        return [Folded(item) for item in ranked]
    return fold_hubs(ranked, RELATIONSHIPS)


async def _failing(memory: Memory) -> list[Failing]:
    """Return the commands whose tests failed when they ran last, the newest first."""
    found: dict[str, Failing | None] = {}
    for event in await newest_events(memory, _COMMANDS, kinds=("command",)):
        command = event.summary.partition("`")[2].partition("`")[0] or event.summary
        if event.outcome and command not in found:
            failed = [clip(memory.redact(name), _TEST_CHARS) for name in event.failed[:_TESTS]]
            is_failing = event.outcome == "failed" and bool(failed)
            line = clip(memory.redact(command), _SUMMARY_CHARS)
            found[command] = Failing(line, failed, wire_time(event.at)) if is_failing else None
    return [item for item in found.values() if item is not None][:_FAILING]


def _attention(
    failing: Sequence[Failing], uncommitted: Sequence[str], notes: Sequence[str]
) -> Attention | msgspec.UnsetType:
    found = Attention(list(failing), list(uncommitted), list(notes))
    return found if found != Attention() else msgspec.UNSET


def _with_others(wire: Relationship, item: Folded) -> Relationship:
    """Return an edge with what is folded into it."""
    if not item.others:
        return wire
    of = "" if item.is_target else "sources"
    return msgspec.structs.replace(wire, also=named(item), count=len(item.others), of=of)


def _shortened(edge: Relationship) -> Relationship:
    """Return the edge in about 50 tokens: its rationale need not name in full what the edge has just named."""
    why = edge.rationale
    for path in sorted((parse_path(edge.source)[0], parse_path(edge.target)[0]), key=len, reverse=True):
        why = why.replace(path, basename(path)) if "/" in path else why
    room = _EDGE_CHARS - size(msgspec.structs.replace(edge, rationale=""))
    return msgspec.structs.replace(edge, rationale=clip(why, max(room, _LEAST_RATIONALE)))


def _event(event: Event) -> EventSummary:
    return EventSummary(clip(event.summary, _SUMMARY_CHARS), round(event.importance, 2), wire_time(event.at))


def _troubled(memory: Memory) -> set[str]:
    return {node.path for node in memory.graph.nodes() if is_troubled(node)}


def _see_trouble(memory: Memory, known: set[str], paths: Set[str]) -> bool:
    """Bring the files that could not be fully read up to date for some of them."""
    known -= paths
    known |= {path for path in paths if (node := memory.graph.node(path)) is not None and is_troubled(node)}
    return True


def _cut(
    structure: Structure, edges: tuple[int, int], events: tuple[int, int], uncommitted: tuple[int, int]
) -> dict[str, str]:
    found: dict[str, str] = {}
    if structure.files_shown < structure.files:
        found["structure"] = f"{structure.files_shown} of {structure.files} files; expand('dir/') lists one"
    if edges[0] < edges[1]:
        found["relationships"] = f"{edges[0]} of {edges[1]}; expand(path) has a path's own"
    if events[0] < events[1]:
        found["recent_events"] = f"{events[0]} of {events[1]}; recent_events() has them"
    if uncommitted[0] < uncommitted[1]:
        found["attention"] = f"{uncommitted[0]} of {uncommitted[1]} uncommitted files; git status has them"
    return found


OPERATION = Operation(
    name="get_context",
    title="Project overview",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="context",
)
