"""Files that drive each other in a circle: each group once, the largest first, with one shortest circle of edges."""

from collections import deque
from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec

from memoire.budget import Part, fit
from memoire.graph import Graph, change_path
from memoire.memory import AsOf, Memory
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe, shown_pending

_GROUPS = 50
_MEMBERS = 200


class Circle(msgspec.Struct, frozen=True):
    """One group of files each of which a change of any other reaches."""

    size: int
    members: list[str]
    """The first of them, in alphabetical order."""
    example: list[str]
    """The shortest circle through the first member: `a -DRIVES-> b`."""


class Params(msgspec.Struct, frozen=True):
    """What `cycles` takes."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=_GROUPS, description="Most groups.")] = 20


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `cycles` gives."""

    cycles: Annotated[list[Circle], msgspec.Meta(description="The largest first.")]
    as_of: AsOf
    total: Annotated[int, msgspec.Meta(description="How many there are, where not all are told.")] = 0
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []


async def run(memory: Memory, params: Params) -> Result:
    """Return the groups, within the budget."""
    pending = shown_pending(await memory.settle(SETTLE_S))
    groups = memory.graph.cycles(limit=10_000, members=_MEMBERS)
    found = [
        Circle(group.size, list(group.members), _example(memory.graph, group.members))
        for group in groups[: params.limit]
    ]
    as_of = current(memory)

    def make(lengths: Sequence[int]) -> Result:
        waiting, count = lengths
        total = len(groups) if count < len(groups) else 0
        return Result(found[:count], as_of, total, pending[:waiting])

    return fit(make, [Part(len(pending), 3), Part(len(found), len(found))], memory.settings.budget_tokens)


def _example(graph: Graph, members: Collection[str]) -> list[str]:
    """Return a shortest circle of causal edges from the first member back to it."""
    start = next(iter(members))
    before: dict[str, tuple[str, str]] = {}
    queue = deque([start])
    while queue and start not in before:
        at = queue.popleft()
        for edge in sorted(graph.edges_of(at), key=lambda edge: edge.key):
            ends = change_path(edge) if edge.is_causal else None
            if ends is not None and ends[0] == at != ends[1] and ends[1] not in before:
                before[ends[1]] = (at, edge.key.relation)
                queue.append(ends[1])
    told: list[str] = []
    at = start
    while at in before and (not told or at != start):
        previous, relation = before[at]
        told.append(f"{previous} -{relation}-> {at}")
        at = previous
    return told[::-1]


OPERATION = Operation(
    name="cycles",
    title="Files that drive each other",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="graph cycles",
    is_tool=False,
)
