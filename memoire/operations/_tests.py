"""Finds the tests to run for a change."""

from collections.abc import Sequence
from posixpath import basename

import msgspec

from memoire.budget import clip
from memoire.impact.ranking import Change
from memoire.impact.testing import TestOf
from memoire.languages import is_test
from memoire.memory import Memory

_WHY_CHARS = 160
_NAMES = 3


class Checking(msgspec.Struct, frozen=True, omit_defaults=True):
    """One test file to run."""

    path: str
    why: str = ""


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
                found.setdefault(one.path, Checking(one.path, clip(_why(path, one), _WHY_CHARS)))
    return list(found.values())[:limit], len(found)


def _why(path: str, one: TestOf) -> str:
    if one.uses:
        more = f" and {len(one.uses) - _NAMES} more" if len(one.uses) > _NAMES else ""
        return f"line {one.line} uses {', '.join(one.uses[:_NAMES])}{more} of {basename(path)}"
    if one.is_named:
        return f"is called after {basename(path)}, which it reaches"
    return f"reaches {basename(path)} through what it calls"
