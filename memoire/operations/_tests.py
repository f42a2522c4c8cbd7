"""Finds the tests to run for a change."""

from collections.abc import Sequence
from datetime import UTC, datetime
from posixpath import basename

import msgspec

from memoire.budget import clip
from memoire.impact.ranking import Change
from memoire.impact.testing import TestOf
from memoire.languages import is_test
from memoire.memory import Memory
from memoire.runs.observations import tests_in

_WHY_CHARS = 160
_NAMES = 3
MOST_IDS = 20
"""Tests of one file that are named one by one."""


class Checking(msgspec.Struct, frozen=True, omit_defaults=True):
    """One test file to run."""

    path: str
    why: str = ""
    tests: list[str] = []
    """Ids of those of its tests that run what changes; empty = all of them, or not known."""


def checking(memory: Memory, changes: Sequence[Change], limit: int) -> tuple[list[Checking], int]:
    """Return the tests to run for some changes, the most telling first, and how many there are in all.

    A test that changes itself comes first. Of several changed files each gives its best tests in turn.
    """
    found: dict[str, Checking] = {
        change.path: Checking(change.path, "it changes itself") for change in changes if is_test(change.path)
    }
    ranked = [(change.path, memory.impact.tests(change)) for change in changes if change.path not in found]
    for place in range(max((len(tests) for _, tests in ranked), default=0)):
        for path, tests in ranked:
            if place < len(tests):
                one = tests[place]
                known = found.setdefault(one.path, Checking(one.path, clip(_why(path, one), _WHY_CHARS)))
                ids = {*known.tests, *(test.node for test in one.running)}
                found[one.path] = msgspec.structs.replace(known, tests=sorted(ids))
    whole = {change.path for change in changes}
    whole |= {one.path for _, tests in ranked for one in tests if not one.running}
    told = [
        msgspec.structs.replace(one, tests=[]) if one.path in whole else _folded(memory, one) for one in found.values()
    ]
    return told[:limit], len(found)


def _folded(memory: Memory, one: Checking) -> Checking:
    """Return a file of tests with ids only where these are less than all of it, and few enough to be read."""
    functions = sorted({test.partition("[")[0] for test in one.tests})
    ids = one.tests if len(one.tests) <= MOST_IDS else functions
    is_all = len(functions) >= len(tests_in(memory.facts(one.path)))
    return msgspec.structs.replace(one, tests=[] if is_all or len(ids) > MOST_IDS else ids)


def _why(path: str, one: TestOf) -> str:
    seen = [test for test in one.running if test.how == "observed"]
    if seen:
        when = datetime.fromtimestamp(max(test.at for test in seen), UTC)
        count = f"{len(seen)} test{'s' if len(seen) != 1 else ''}"
        return f"{count} of it seen to run it, last {when:%Y-%m-%d %H:%M} UTC"
    if one.uses:
        more = f" and {len(one.uses) - _NAMES} more" if len(one.uses) > _NAMES else ""
        return f"line {one.line} uses {', '.join(one.uses[:_NAMES])}{more} of {basename(path)}"
    if one.is_named:
        return f"is called after {basename(path)}, which it reaches"
    return f"reaches {basename(path)} through what it calls"
