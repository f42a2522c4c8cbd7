"""Which runs saw tests of one place execute definitions of another: what a person asks for who wants to know why."""

from collections import Counter
from typing import NamedTuple

from memoire.runs.observations import Observations, Observed, RunOf, definition_of

Node = tuple[str, str]
"""(file, definition of it; empty = all of it)."""


class Sighting(NamedTuple):
    """What one run saw."""

    run: RunOf
    tests: tuple[str, ...]
    """What follows the file in the ids of the tests, sorted."""
    definitions: tuple[str, ...]
    """What they executed, what most of them did first."""
    changed: tuple[str, ...]
    """Those of the definitions that are not now what this run saw."""
    failed: int
    """How many of the tests failed."""


def sightings(known: Observations, test: Node, target: Node) -> list[Sighting]:
    """Return what runs saw, the newest first; of each test only its last run is known.

    Args:
        known: What runs saw.
        test: A file of tests, or one test or class of it.
        target: The file or definition that they executed; definitions inside it count.
    """
    wanted = {
        number
        for number, item in enumerate(known.seen)
        if item.path == target[0] and _is_inside(item.name, target[1])
    }  # fmt: skip
    by_run: dict[int, dict[str, tuple[Observed, set[int]]]] = {}
    for name, one in known.index.of_file(test[0]) if wanted else ():
        if one.members >= 0 and _is_inside(definition_of(name), test[1]):
            executed = wanted.intersection(known.sets[one.members])
            if executed:
                by_run.setdefault(one.run, {})[name] = one, executed
    found = [_sighting(known, known.runs[run], tests) for run, tests in by_run.items()]
    return sorted(found, key=lambda seen: (-seen.run.at, seen.run.tool, seen.tests))


def _sighting(known: Observations, run: RunOf, tests: dict[str, tuple[Observed, set[int]]]) -> Sighting:
    times = Counter(number for _, executed in tests.values() for number in executed)
    counted: Counter[str] = Counter()
    for number, count in times.items():
        counted[known.seen[number].name] += count
    ranked = sorted(counted, key=lambda name: (-counted[name], name))
    changed = {known.seen[number].name for number in times if known.is_changed(number)}
    return Sighting(
        run,
        tuple(sorted(tests)),
        tuple(ranked),
        tuple(name for name in ranked if name in changed),
        sum(one.outcome == "failed" for one, _ in tests.values()),
    )


def _is_inside(name: str, whole: str) -> bool:
    return not whole or name == whole or name.startswith(f"{whole}.")
