"""Guesses what is done next, by what followed before: files that change together, commands that came one after another.

A guess from too few cases is the base rate, and says so (`backed_off`). Counts of what was seen; no model.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Annotated

import msgspec

from memoire.impact.ranking import Change
from memoire.memory import Memory
from memoire.model import Event, parse_path
from memoire.operations._habits import head
from memoire.operations._wire import newest_events

LOOKED_AT = 1_000
LEAST_CASES = 3
"""Fewer cases of the same step say less than how often something is done at all."""
TOGETHER = timedelta(minutes=30)
"""What came later followed nothing."""
LEAST = 0.05
"""A file that is edited next in fewer than one of twenty such cases is no guess."""
_EDITS = ("file_edit", "file_create")
_EDIT = "an edit"


class Likely(msgspec.Struct, frozen=True):
    """One thing that may be done next."""

    what: Annotated[str, msgspec.Meta(description="A file to edit, or a command to run.")]
    kind: str
    """edit or command."""
    probability: float
    backed_off: Annotated[bool, msgspec.Meta(description="Only how often it is done at all.")]


async def likely(memory: Memory, most: int) -> list[Likely]:
    """Return what probably comes next, the likeliest first, at most so many."""
    events = await newest_events(memory, LOOKED_AT, kinds=("command", *_EDITS))
    ordered = sorted(events, key=lambda event: (event.at, event.id))
    if not ordered:
        return []
    found = [*_commands(ordered), *_edits(memory, ordered)]
    return sorted(found, key=lambda one: (one.backed_off, -one.probability, one.what))[:most]


def _commands(ordered: Sequence[Event]) -> list[Likely]:
    """Return the commands that followed the last step before, else those that are run most."""
    steps = [(event, head(event) if event.kind == "command" else _EDIT) for event in ordered]
    steps = [(event, step) for event, step in steps if step]
    if not steps:
        return []
    last = steps[-1][1]
    after: Counter[str] = Counter()
    for (event, step), (later, following) in pairwise(steps):
        if step == last and following != _EDIT and later.at - event.at <= TOGETHER:
            after[following] += 1
    is_base = after.total() < LEAST_CASES
    counts = Counter(step for _, step in steps if step != _EDIT) if is_base else after
    total = counts.total()
    return [Likely(what, "command", round(count / total, 2), is_base) for what, count in counts.items()]


def _edits(memory: Memory, ordered: Sequence[Event]) -> list[Likely]:
    """Return the files that change with the one edited last, less those that just were; else the most edited."""
    edits = [(event, path) for event in ordered if event.kind in _EDITS for path in _paths(event)]
    if not edits:
        return []
    event, path = edits[-1]
    just = {other for earlier, other in edits if event.at - earlier.at <= TOGETHER}
    found = [item for item in memory.impact.rank([Change(path)]) if item.path not in just and not item.is_upstream]
    if found := [item for item in found if item.probability >= LEAST]:
        return [Likely(item.path, "edit", round(item.probability, 2), backed_off=False) for item in found]
    counts = Counter(other for _, other in edits if other not in just and other in memory.tree)
    total = counts.total()
    return [Likely(other, "edit", round(count / total, 2), backed_off=True) for other, count in counts.items()]


def _paths(event: Event) -> list[str]:
    return list(dict.fromkeys(parse_path(entity)[0] for entity in event.entities))
