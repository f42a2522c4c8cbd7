"""What a change reaches: the files that will likely have to change with it and the tests to run, each with a
probability and its reasons. Without paths: what is not committed."""  # noqa: D205, D209 - the tool's description

from collections.abc import Sequence
from typing import Annotated

import msgspec

from memoire.budget import Part, fit
from memoire.episodes.git_lines import Which
from memoire.errors import InvalidArgumentError
from memoire.memory import AsOf, Memory
from memoire.operations._changes import find_changes
from memoire.operations._detail import Reached
from memoire.operations._reach import LEAST, explained
from memoire.operations._spec import Operation
from memoire.operations._tests import Checking, checking
from memoire.operations._wire import MAX_BUDGET, MIN_BUDGET, SETTLE_S, current, describe, shown_pending

_SYMBOLS = 20


class Params(msgspec.Struct, frozen=True):
    """What `impact` takes."""

    paths: Annotated[list[str], msgspec.Meta(description="Files that change, or definitions: `path::Name`.")] = []
    diff: Annotated[bool, msgspec.Meta(description="What is not committed (of these files).")] = False
    staged: Annotated[bool, msgspec.Meta(description="What is staged.")] = False
    commit: Annotated[str, msgspec.Meta(description="What this commit did.")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=200, description="Most files and most tests.")] = 20
    budget: (
        Annotated[int, msgspec.Meta(ge=MIN_BUDGET, le=MAX_BUDGET, description="Most tokens of the answer.")]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class Changing(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file that changes."""

    path: str
    symbols: list[str] = []
    """Its definitions that change, where these are known."""
    signatures: list[str] = []
    """Those whose signature changes."""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `impact` gives."""

    changes: Annotated[list[Changing], msgspec.Meta(description="What was asked about.")]
    files: Annotated[list[Reached], msgspec.Meta(description="Files likely to change too, the likeliest first.")]
    tests: Annotated[list[Checking], msgspec.Meta(description="Tests to run, the most telling first.")]
    as_of: AsOf
    upstream: Annotated[
        list[Reached], msgspec.Meta(description="What the changed files use: not reached, now and then changed first.")
    ] = []
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []
    cut: Annotated[dict[str, str], msgspec.Meta(description="What was left out, and how to get it.")] = {}


async def run(memory: Memory, params: Params) -> Result:
    """Return what the change reaches, within the budget.

    Raises:
        UnknownPathError: A path names nothing of the project, or a directory.
        InvalidArgumentError: Git knows no such commit, or several ways to say what changes are mixed.
    """
    pending = shown_pending(await memory.settle(SETTLE_S))
    changes = await find_changes(memory, params.paths, _which(params), params.commit)
    ranked = [item for item in memory.impact.rank(changes) if item.probability >= LEAST]
    reached = [item for item in ranked if not item.is_upstream]
    upstream = [item for item in ranked if item.is_upstream]
    used = [Reached(item.path, round(item.probability, 2)) for item in upstream[: params.limit]]
    shown = explained(memory, changes, reached[: params.limit])
    tests, all_tests = checking(memory, changes, params.limit)
    told = [
        Changing(change.path, sorted(change.symbols)[:_SYMBOLS], sorted(change.resigned)[:_SYMBOLS])
        for change in changes
    ]
    as_of = current(memory)

    def make(lengths: Sequence[int]) -> Result:
        asked, waiting, above, checks, files = lengths
        cut = {}
        for name, count, of in (
            ("changes", asked, len(told)), ("tests", checks, all_tests), ("files", files, len(reached))
        ):  # fmt: skip
            if count < of:
                cut[name] = f"{count} of {of}" + ("; raise limit" if name != "changes" else "")
        return Result(
            changes=told[:asked],
            files=shown[:files],
            tests=tests[:checks],
            as_of=as_of,
            upstream=used[:above],
            pending=pending[:waiting],
            cut=cut,
        )

    parts = [Part(len(told), min(3, len(told))), Part(len(pending), min(3, len(pending)))]
    parts += [Part(len(used), 0), Part(len(tests), min(5, len(tests))), Part(len(shown), min(5, len(shown)))]
    return fit(make, parts, memory.settings.budget_tokens if params.budget is msgspec.UNSET else params.budget)


def _which(params: Params) -> Which | None:
    asked = [name for name, is_asked in (("diff", params.diff), ("staged", params.staged)) if is_asked]
    asked += ["commit"] if params.commit else []
    if len(asked) > 1:
        raise InvalidArgumentError(asked[1], f"it cannot be asked together with `{asked[0]}`")
    if params.commit:
        return "commit"
    if params.staged:
        return "staged"
    return "uncommitted" if params.diff or not params.paths else None


OPERATION = Operation(
    name="impact",
    title="What a change reaches",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    is_tool=False,
)
