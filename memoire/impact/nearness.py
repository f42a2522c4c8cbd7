"""How near files are in the code: who uses whose definitions, which tests exercise what, and what lies two steps off.

Only what stands in the code counts here, in the direction in which a change travels where it has one: a user of a
definition is reached by its change; what the file itself uses is not, and has a feature of its own, with a weight of
its own (it changes for the sake of its user now and then, which history knows and impact on users does not).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import log1p
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memoire.graph import Graph
from memoire.linker import Reference

Floats = npt.NDArray[np.float64]

MOST_NEIGHBOURS = 60
"""Files that are followed to the second step. None of them a hub: behind one lies everything, which says nothing."""


MOST_EDGES = 120
"""A file with more edges is a hub."""


class Near(NamedTuple):
    """How near each file is to the one asked for; one number for each file."""

    users: Floats
    """log(1 + uses of the file's definitions in it); of the changed definitions, where these are known."""
    used: Floats
    """log(1 + uses of its definitions in the file)."""
    imports: Floats
    """1 where it imports the file."""
    imported: Floats
    """1 where the file imports it."""
    tests: Floats
    """Confidence that it is a test that exercises the file."""
    tested: Floats
    """Confidence that the file is a test that exercises it."""
    second: Floats
    """Share of the neighbours' neighbours, so that a file between both counts by how few it lies between."""


class Nearness:
    """Answers for one state of the graph.

    Args:
        graph: The open edges.
        references: (path) -> the uses of other files' definitions in this one.
        users: (path) -> files with a use of its definitions.
        index: Path -> its place in the results.
    """

    def __init__(
        self,
        graph: Graph,
        references: Callable[[str], Iterable[Reference]],
        users: Callable[[str], Iterable[str]],
        index: Mapping[str, int],
    ) -> None:
        self._graph = graph
        self._references = references
        self._users = users
        self._index = index

    def of(self, path: str, symbols: frozenset[str] = frozenset()) -> Near:
        """Return how near the files are to one of them.

        Args:
            path: The file.
            symbols: Those of its definitions that change, by qualified name; empty = any may.
        """
        users, used = self._uses(path, symbols)
        imports, imported = dict[str, float](), dict[str, float]()
        tests, tested = dict[str, float](), dict[str, float]()
        for edge in self._graph.edges_of(path):
            source, relation, target = edge.key.source, edge.key.relation, edge.key.target
            if relation == "IMPORTS":
                (imports if target == path else imported)[source if target == path else target] = 1
            elif relation == "ASSERTS_ON" and target == path:
                tests[source] = edge.confidence
            elif relation == "ASSERTS_ON":
                tested[target] = edge.confidence
        around = set(users) | set(used) | set(imports) | set(imported) | set(tests) | set(tested)
        vector = self._vector
        return Near(
            users=vector({other: log1p(count) for other, count in users.items()}),
            used=vector({other: log1p(count) for other, count in used.items()}),
            imports=vector(imports),
            imported=vector(imported),
            tests=vector(tests),
            tested=vector(tested),
            second=self._second(path, sorted(around & self._index.keys())),
        )

    def _uses(self, path: str, symbols: frozenset[str]) -> tuple[Counter[str], Counter[str]]:
        users, used = Counter[str](), Counter[str]()
        for other in self._users(path):
            if other == path:
                continue
            for reference in self._references(other):
                if reference.path == path and reference.symbol and is_changed(reference.symbol, symbols):
                    users[other] += reference.count
        for reference in self._references(path):
            if reference.path != path and reference.symbol:
                used[reference.path] += reference.count
        return users, used

    def _second(self, path: str, around: list[str]) -> Floats:
        found: dict[str, float] = {}
        middles = [path for path in around if self._graph.degree(path) <= MOST_EDGES]
        for middle in middles[:MOST_NEIGHBOURS]:
            ends = {end for edge in self._graph.edges_of(middle) for end in (edge.key.source, edge.key.target)}
            ends = {end for end in ends if end in self._index} - {middle, path}
            for end in ends:
                found[end] = found.get(end, 0.0) + 1.0 / len(ends) / len(around)
        return self._vector(found)

    def _vector(self, values: Mapping[str, float]) -> Floats:
        result = np.zeros(len(self._index))
        for path, value in values.items():
            at = self._index.get(path)
            if at is not None:
                result[at] = value
        return result


def is_changed(symbol: str, symbols: frozenset[str]) -> bool:
    """Return whether a use of a definition is one of those that change, of a member of one, or of what holds one."""
    return not symbols or any(
        symbol == name or symbol.startswith(name + ".") or name.startswith(symbol + ".") for name in symbols
    )
