"""What is known of one path, instead of reading the file: summary, side effects, state it writes, definitions with
signatures, tests that check it, files that depend on it, edges with their evidence, and its text where that is short.
Call it before you open or edit a file. Takes a file, a directory, a document, one definition (`path::Class.method`:
its source, callers and callees), an imported package, `session:<id>` or `note:<id>`."""  # noqa: D205, D209 - the tool's description

from typing import Annotated

import msgspec

from memoire.episodes.sessions import NODE
from memoire.memory import Memory
from memoire.notes.model import NOTE
from memoire.operations._detail import Detail
from memoire.operations._file_detail import file_detail
from memoire.operations._folder_detail import folder_detail, package_detail
from memoire.operations._lookup import find_session, locate
from memoire.operations._note_detail import note_detail
from memoire.operations._session_detail import session_detail
from memoire.operations._spec import Operation
from memoire.operations._symbol_detail import symbol_detail
from memoire.operations._wire import MAX_BUDGET, MIN_BUDGET, SETTLE_S, describe

DEFAULT_BUDGET = 3000
"""Tokens: a path's whole neighbourhood, and the text of a file of up to about 200 lines."""


class Params(msgspec.Struct, frozen=True):
    """What `expand` takes."""

    path: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=4096,
            description="Relative path from project root, e.g. memoire/sdk.py or memoire/sdk.py::Memoire.expand",
        ),
    ]
    budget: (
        Annotated[
            int, msgspec.Meta(ge=MIN_BUDGET, le=MAX_BUDGET, description="Most tokens of the answer, default 3000.")
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


async def run(memory: Memory, params: Params) -> Detail:
    """Return the detail of a path, within the budget.

    Raises:
        UnknownPathError: No node of this project has the path.
    """
    pending = await memory.settle(SETTLE_S)
    await memory.notes.refresh()
    budget = params.budget
    if budget is msgspec.UNSET:
        budget = min(DEFAULT_BUDGET, memory.settings.budget_tokens)
    if params.path.strip().startswith(NODE) and params.path.strip() not in memory.tree:
        return session_detail(memory, await find_session(memory, params.path), budget=budget, pending=pending)
    if params.path.strip().startswith(NOTE) and params.path.strip() not in memory.tree:
        return note_detail(memory, params.path, budget=budget, pending=pending)
    place = locate(memory, params.path)
    if place.kind == "directory":
        return folder_detail(memory, place.path, budget=budget, pending=pending)
    if place.kind == "package":
        return package_detail(memory, place.path, budget=budget, pending=pending)
    memory.record_access(place.path)
    if place.kind == "symbol":
        return symbol_detail(memory, place.path, place.symbol, budget=budget, pending=pending)
    return file_detail(memory, place.path, budget=budget, pending=pending)


OPERATION = Operation(
    name="expand",
    title="Detail of one path",
    description=describe(__doc__),
    params=Params,
    result=Detail,
    run=run,
)
