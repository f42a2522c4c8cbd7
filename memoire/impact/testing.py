"""Ranks the tests of a file: which are about it, of all those that run something of it.

    T = 1.0 ln(1 + uses) + 0.5 uses / (tests + 5) + 1.0 ln(1 + reach) + 1.0 share + 0.5 common + 2.0 named

Each term is divided by its largest value over the tests. `uses` counts how often the test names definitions of the
file, `tests` how many tests it holds, `reach` how many of its tests lead there (0.6 to the power of the steps each),
`share` which part of the file's functions it runs, `common` the commits that changed both, `named` whether it is
called after the file. Source: test-link study, `T rounded`; MAP .895 on projects it was not fitted to.
"""

from collections.abc import Callable, Iterable, Mapping
from math import log1p
from typing import NamedTuple

from memoire.exercise import Weight
from memoire.impact.likeness import stem_of
from memoire.impact.running import Running
from memoire.linker import Linked
from memoire.model import CALL, FUNCTION_KINDS, FileFacts

_WEIGHTS = {"uses": 1.0, "dense": 0.5, "reach": 1.0, "share": 1.0, "common": 0.5, "named": 2.0}


class TestOf(NamedTuple):
    """One test file of a file."""

    path: str
    score: float
    """Higher is better; comparable among the tests of one file."""
    uses: tuple[str, ...]
    """What it names of the file, the most used first."""
    line: int
    """Of the first such use; 0 = it names nothing."""
    is_named: bool
    """Whether it is called after the file."""
    common: int
    """Commits that changed both."""
    running: tuple[Running, ...] = ()
    """Its tests that run what changes, as far as runs of the tests were seen; empty = all of it, or not known."""


class Testing:
    """Answers for one state of the project.

    Args:
        facts: (path) -> the facts of a file.
        links: (path) -> its links.
        weights: (test) -> file -> how much its tests exercise it.
        common: (path, test) -> (commits that changed both, their weight against the file that shares most).
    """

    def __init__(
        self,
        facts: Callable[[str], FileFacts | None],
        links: Callable[[str], Linked],
        weights: Callable[[str], Mapping[str, Weight]],
        common: Callable[[str, str], tuple[int, float]],
    ) -> None:
        self._facts = facts
        self._links = links
        self._weights = weights
        self._common = common

    def rank(self, path: str, tests: Iterable[str]) -> list[TestOf]:
        """Return the tests of a file, the one that is most about it first; equal ones by path.

        Args:
            path: The file.
            tests: Those that exercise it.
        """
        found = [self._of(path, test) for test in sorted(set(tests) - {path})]
        highest = {name: max((terms[name] for _, terms in found), default=0.0) or 1.0 for name in _WEIGHTS}
        scored = [
            one._replace(score=sum(weight * terms[name] / highest[name] for name, weight in _WEIGHTS.items()))
            for one, terms in found
        ]
        return sorted(scored, key=lambda one: (-one.score, one.path))

    def _of(self, path: str, test: str) -> tuple[TestOf, dict[str, float]]:
        names: dict[str, int] = {}
        line = 0
        for item in self._links(test).references:
            if item.path == path and item.symbol:
                name = item.symbol + ("()" if item.how & CALL else "")
                names[name] = names.get(name, 0) + item.count
                line = min(line or item.line, item.line)
        facts, own = self._facts(test), self._facts(path)
        tests = sum(item.is_test for item in facts.definitions) if facts else 0
        functions = sum(item.kind in FUNCTION_KINDS for item in own.definitions) if own else 0
        weight = self._weights(test).get(path, Weight(0.0, 0))
        uses = sum(names.values())
        common, together = self._common(path, test)
        is_named = stem_of(test) == stem_of(path)
        terms = {
            "uses": log1p(uses),
            "dense": uses / (tests + 5),
            "reach": log1p(weight.reach),
            "share": weight.functions / functions if functions else 0.0,
            "common": together,
            "named": float(is_named),
        }
        told = tuple(sorted(names, key=lambda name: (-names[name], name)))
        return TestOf(test, 0.0, told, line, is_named, common), terms
