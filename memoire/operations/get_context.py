"""Overview of the whole project in a few thousand tokens: directory structure, the relationships that matter most with
their evidence (what drives, specifies and tests what), and what happened last. Call it once at the start of a session,
before you list directories or open files; then `expand` the paths it names."""  # noqa: D205, D209 - the tool's description

from collections.abc import Sequence
from posixpath import basename
from typing import Annotated

import msgspec

from memoire.budget import Part, clip, fit, size
from memoire.memory import AsOf, Memory
from memoire.model import Event, parse_path
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
from memoire.relations._spec import is_ranked

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


class Params(msgspec.Struct, frozen=True):
    """What `get_context` takes."""

    budget: (
        Annotated[
            int, msgspec.Meta(ge=MIN_BUDGET, le=MAX_BUDGET, description="Most tokens of the answer, default 5500.")
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `get_context` gives."""

    project_id: str
    structure: Annotated[
        dict[str, list[str]], msgspec.Meta(description="Parent -> children; `… 12 more` counts those not shown.")
    ]
    relationships: Annotated[list[Relationship], msgspec.Meta(description="The best edges, best first.")]
    recent_events: Annotated[list[EventSummary], msgspec.Meta(description="The last events, newest first.")]
    as_of: AsOf
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
    now = memory.now()
    found = folders(memory, now)
    top = memory.graph.top_edges(now=now, limit=RELATIONSHIPS)
    best = [_shortened(edge) for edge in relationships(memory, top, rationale_chars=_RATIONALE_CHARS)]
    candidates = memory.graph.derived("candidates", None, lambda: _candidates(memory))
    problems = memory.graph.derived("problems", None, lambda: _problems(memory))
    as_of = current(memory)
    maps: dict[int, Structure] = {}

    def make(lengths: Sequence[int]) -> Result:
        waiting, room, latest, edges = lengths
        structure = maps.setdefault(room, fold(found, room)) if room not in maps else maps[room]
        return Result(
            project_id=memory.project_id,
            structure=structure.children,
            relationships=best[:edges],
            recent_events=events[:latest],
            as_of=as_of,
            pending=pending[:waiting],
            problems=problems,
            cut=_cut(structure, (edges, candidates), (latest, len(events))),
        )

    parts = [Part(len(pending), len(pending)), Part(STRUCTURE_CHARS, STRUCTURE_CHARS)]
    parts += [Part(len(events), len(events)), Part(len(best), len(best))]
    return fit(make, parts, budget)


def _shortened(edge: Relationship) -> Relationship:
    """Return the edge in about 50 tokens: its rationale need not name in full what the edge has just named."""
    why = edge.rationale
    for path in sorted((parse_path(edge.source)[0], parse_path(edge.target)[0]), key=len, reverse=True):
        why = why.replace(path, basename(path)) if "/" in path else why
    room = _EDGE_CHARS - size(msgspec.structs.replace(edge, rationale=""))
    return msgspec.structs.replace(edge, rationale=clip(why, max(room, _LEAST_RATIONALE)))


def _event(event: Event) -> EventSummary:
    return EventSummary(clip(event.summary, _SUMMARY_CHARS), round(event.importance, 2), wire_time(event.at))


def _candidates(memory: Memory) -> int:
    return sum(is_ranked(edge.key.relation) for edge in memory.graph.edges())


def _problems(memory: Memory) -> int:
    return sum(is_troubled(node) for node in memory.graph.nodes())


def _cut(structure: Structure, edges: tuple[int, int], events: tuple[int, int]) -> dict[str, str]:
    found: dict[str, str] = {}
    if structure.files_shown < structure.files:
        found["structure"] = f"{structure.files_shown} of {structure.files} files; expand('dir/') lists one"
    if edges[0] < edges[1]:
        found["relationships"] = f"{edges[0]} of {edges[1]}; expand(path) has a path's own"
    if events[0] < events[1]:
        found["recent_events"] = f"{events[0]} of {events[1]}; recent_events() has them"
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
