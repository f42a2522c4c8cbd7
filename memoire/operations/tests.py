"""The tests to run for a change, the most telling first, and the command that runs them. Without paths: for what is not
committed."""  # noqa: D205, D209 - the command's description

from collections.abc import Sequence
from typing import Annotated

import msgspec

from memoire.budget import Part, fit
from memoire.episodes.git_lines import Which
from memoire.memory import AsOf, Memory
from memoire.operations._changes import find_changes
from memoire.operations._runners import commands
from memoire.operations._spec import Operation
from memoire.operations._tests import Checking, checking
from memoire.operations._wire import SETTLE_S, current, describe, shown_pending

_UNCOMMITTED: Which = "uncommitted"


class Params(msgspec.Struct, frozen=True):
    """What `tests` takes."""

    files: Annotated[list[str], msgspec.Meta(description="Files that change, or definitions: `path::Name`.")] = (
        msgspec.field(name="for", default_factory=list)
    )
    diff: Annotated[bool, msgspec.Meta(description="For what is not committed (of these files).")] = False
    limit: Annotated[int, msgspec.Meta(ge=1, le=500, description="Most test files.")] = 50


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `tests` gives."""

    tests: Annotated[list[Checking], msgspec.Meta(description="Test files, the most telling first.")]
    commands: Annotated[list[str], msgspec.Meta(description="Run them, from the root of the project.")]
    as_of: AsOf
    total: Annotated[int, msgspec.Meta(description="How many there are, where not all are named.")] = 0
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []


async def run(memory: Memory, params: Params) -> Result:
    """Return the tests to run, within the budget.

    Raises:
        UnknownPathError: A path names nothing of the project, or a directory.
        InvalidArgumentError: Git cannot say what differs.
    """
    pending = shown_pending(await memory.settle(SETTLE_S))
    which = _UNCOMMITTED if params.diff or not params.files else None
    changes = await find_changes(memory, params.files, which, "")
    found, total = checking(memory, changes, params.limit)
    as_of = current(memory)

    def make(lengths: Sequence[int]) -> Result:
        waiting, count = lengths
        lines = commands(memory, {item.path: item.tests for item in found[:count]})
        return Result(found[:count], lines, as_of, total if count < total else 0, pending[:waiting])

    parts = [Part(len(pending), min(3, len(pending))), Part(len(found), len(found))]
    return fit(make, parts, memory.settings.budget_tokens)


OPERATION = Operation(
    name="tests",
    title="Tests for a change",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    is_tool=False,
)
