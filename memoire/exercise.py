"""What running a test exercises: the definitions that can be reached from it, by static reach and rapid type analysis.

From everything that a test file runs, breadth first over resolved references: a reference to a function reaches its
body; a class that is reached brings its bases, its special methods, and those of its methods whose names are selected
(`x.run`) by anything reached, for the receiver of such a call may be an instance of it. Source of the method: "Fast
static analysis of C++ virtual function calls" (OOPSLA 1996). Of 1,035 (test file, source file) pairs of four
projects that a tracer saw run, this finds nearly all, see THEORY.md; claims beyond `MAX_DEPTH` are wrong too often.

Each test remembers the definitions that it looked at, so a change is felt by exactly the tests that it may matter to.
"""

from array import array
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from memoire.extract.spec import Language
from memoire.linker import Linked
from memoire.model import BASE, CLASS_KINDS, Definition, FileFacts

MAX_DEPTH = 6
"""Steps from the test. Measured on four projects: F1 .845 at 3, .875 at 4, .884 at 6, .872 at 9."""
MAX_FILES = 60
"""Files that one test file is said to exercise, the nearest ones: a test of everything is evidence for nothing."""
TESTS_AT_ONCE = 20
"""Tests that are looked at together with a save that they may feel from afar; the others wait for a quiet moment."""
TESTS_IN_QUIET = 200
"""Tests that are looked at in one transaction then."""
KEPT_FILES = 1_500
"""Files whose part of the reach is kept in memory; the others are read again from their facts."""

STEP = 0.6
"""What one step takes from the weight of a test. Source: test-link study, `sum over test functions of 0.6^depth`."""
MOST_SINGLE = 200
"""Tests of one file that are looked at one by one: more are a table of cases, alike in what they run."""

_FUNCTIONS = frozenset({"function", "method"})
WHOLE = "*"
"""Stands for what concerns a file and none of its definitions."""
Node = tuple[str, str]
"""(path, qualified name of a definition; empty = what runs when the module is loaded)."""


class Reached(NamedTuple):
    """How a test reaches a file."""

    depth: int
    """Steps from the test to the nearest function of the file."""
    symbol: str
    """That function."""
    through: Node
    """What the test itself names on the way there."""
    functions: int
    """How many functions of the file are reached."""


class Weight(NamedTuple):
    """How much the single tests of a file exercise another one."""

    reach: float
    """Sum over the tests that run a function of it of `STEP` to the power of the steps to the nearest."""
    functions: int
    """Functions of it that the test which runs most of them runs."""


class _File(NamedTuple):
    """What one file adds to the graph."""

    kinds: dict[str, str]
    references: dict[str, tuple[int, ...]]
    """Definition -> the numbers of what it names."""
    bases: dict[str, tuple[int, ...]]
    members: dict[str, dict[str, str]]
    """Class -> name of a member -> its qualified name."""
    inner: dict[str, tuple[str, ...]]
    """Function -> the definitions written inside it."""
    selectors: dict[str, tuple[str, ...]]
    tests: tuple[str, ...]
    shared: tuple[str, ...]
    """Files whose fixtures a test runner gives to this one."""
    unnamed: tuple[str, ...]
    """Functions that run when the module itself is used as a value, without being named: `__getattr__` of Python."""

    def digests(self) -> dict[str, int]:
        """Return definition -> a hash of all that a search finds there; `WHOLE` -> of what concerns the file."""
        names = {"", *self.kinds}
        found = {
            name: hash((
                self.kinds.get(name),
                self.references.get(name),
                self.bases.get(name),
                tuple(self.members.get(name, {}).items()),
                self.inner.get(name),
                self.selectors.get(name),
                () if name else self.unnamed,
            ))
            for name in names
        }  # fmt: skip
        found[WHOLE] = hash((self.tests, self.shared, tuple(self.kinds.items())))
        return found


_NOTHING = _File({}, {}, {}, {}, {}, {}, (), (), ())


class Exercise:
    """The reach of every test of a project.

    Args:
        facts: Path -> its facts, None where there are none.
        links: Path -> its links.
        is_test: Whether a path belongs to the tests.
        language_of: Path -> its language.
    """

    def __init__(
        self,
        facts: Callable[[str], FileFacts | None],
        links: Callable[[str], Linked],
        is_test: Callable[[str], bool],
        language_of: Callable[[str], Language | None],
    ) -> None:
        self._facts = facts
        self._links = links
        self.is_test = is_test
        self._language_of = language_of
        self._files: dict[str, _File] = {}
        self._digests: dict[str, dict[str, int]] = {}
        """Of each file that some test looked at."""
        self._looked_at: dict[str, array[int]] = {}
        """Test -> the sorted numbers of the definitions it looked at."""
        self._numbers: dict[Node, int] = {}
        self._nodes: list[Node] = []

    def affected(self, changed: Iterable[str]) -> set[str]:
        """Return the tests whose reach may differ, after the links of some files were made again."""
        differing: set[int] = set()
        for path in changed:
            before = self._digests.pop(path, None)
            self._files.pop(path, None)
            if before is None:
                continue
            self.file(path)
            after = self._digests[path]
            names = (name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
            differing |= {number for name in names if (number := self._numbers.get((path, name), -1)) >= 0}
        if not differing:
            return set()
        return {test for test, seen in self._looked_at.items() if any(_has(seen, number) for number in differing)}

    def is_known(self, test: str) -> bool:
        """Return whether the reach of a test was looked for since the start: only then is it told what affects it."""
        return test in self._looked_at

    def forget(self, test: str) -> None:
        """Forget a file that is no test any more."""
        self._looked_at.pop(test, None)

    def reached(self, test: str) -> dict[str, Reached]:
        """Return the files whose functions a test reaches, the nearest first; and remember what that rests on."""
        search = _Search(self)
        search.run(test)
        search.found.pop(test, None)
        self._looked_at[test] = array("I", sorted(search.seen))
        nearest = sorted(search.found.items(), key=lambda item: (item[1].depth, -item[1].functions, item[0]))
        return dict(nearest[:MAX_FILES])

    def weights(self, test: str) -> dict[str, Weight]:
        """Return the files whose functions the tests of a file reach, each test looked at by itself."""
        found: dict[str, Weight] = {}
        for name in self.file(test).tests[:MOST_SINGLE]:
            search = _Search(self, only=name)
            search.run(test)
            for path, how in search.found.items():
                known = found.get(path, Weight(0.0, 0))
                found[path] = Weight(known.reach + STEP**how.depth, max(known.functions, how.functions))
        return found

    def runs(self, test: str, path: str, symbols: Iterable[str]) -> bool:
        """Return whether a test, when its reach was last looked for, came by one of these definitions of a file."""
        seen = self._looked_at.get(test, array("I"))
        numbers = (self._numbers.get((path, name), -1) for name in symbols)
        return any(number >= 0 and _has(seen, number) for number in numbers)

    def may_run(self, test: str, name: str, path: str, symbols: Iterable[str]) -> bool:
        """Return whether one test of a file, with what runs beside each, may come by one of some definitions.

        Args:
            test: The file of the test.
            name: The definition that the test is.
            path: The file of the definitions.
            symbols: The definitions; empty = any function of the file.
        """
        search = _Search(self, only=name)
        search.run(test)
        numbers = [self.number(path, symbol) for symbol in symbols]
        return any(number in search.depths for number in numbers) if numbers else path in search.found

    def number(self, path: str, name: str) -> int:
        """Return the number that stands for a definition."""
        node = (path, name)
        known = self._numbers.get(node)
        if known is None:
            known = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return known

    def node(self, number: int) -> Node:
        """Return the definition that a number stands for."""
        return self._nodes[number]

    def runs_unnamed(self, path: str, name: str, owner: str) -> bool:
        """Return whether a method of a class of a file runs without being named."""
        language = self._language_of(path)
        return language is not None and language.is_constructor(name, owner.rpartition(".")[2])

    def _runs_with_module(self, path: str, item: Definition) -> bool:
        is_plain = item.kind == "function" and "." not in item.name
        return is_plain and self.runs_unnamed(path, item.name, "")

    def file(self, path: str) -> _File:
        """Return what a file adds to the graph."""
        known = self._files.get(path)
        if known is None:
            if len(self._files) >= KEPT_FILES:
                self._files.clear()
            facts = self._facts(path)
            known = self._files[path] = _NOTHING if facts is None else self._read(path, facts, self._links(path))
            if path not in self._digests:
                self._digests[path] = known.digests()
        return known

    def _read(self, path: str, facts: FileFacts, links: Linked) -> _File:
        kinds: dict[str, str] = {}
        members: dict[str, dict[str, str]] = {}
        inner: dict[str, list[str]] = defaultdict(list)
        for item in facts.definitions:
            kinds[item.name] = item.kind
            above = facts.definitions[item.parent] if item.parent >= 0 else None
            owner, _, last = item.name.rpartition(".")
            if above is not None and above.kind in CLASS_KINDS:
                members.setdefault(above.name, {})[last] = item.name
            elif above is not None and above.kind in _FUNCTIONS:
                inner[above.name].append(item.name)
            elif above is None and owner and item.kind in _FUNCTIONS:
                members.setdefault(owner, {})[last] = item.name
        references: dict[str, list[int]] = defaultdict(list)
        bases: dict[str, list[int]] = defaultdict(list)
        for reference in links.references:
            node = self.number(reference.path, reference.symbol)
            references[reference.scope].append(node)
            if reference.how & BASE and kinds.get(reference.scope) in CLASS_KINDS:
                bases[reference.scope].append(node)
        names = {scope: facts.definitions[scope].name if scope >= 0 else "" for scope in facts.selectors}
        return _File(
            kinds,
            {scope: tuple(dict.fromkeys(nodes)) for scope, nodes in references.items()},
            {scope: tuple(nodes) for scope, nodes in bases.items()},
            members,
            {scope: tuple(found) for scope, found in inner.items()},
            {names[scope]: tuple(text.split()) for scope, text in facts.selectors.items()},
            tuple(item.name for item in facts.definitions if item.is_test),
            tuple(item.target for item in links.imports if item.kind == "injected"),
            tuple(item.name for item in facts.definitions if item.parent < 0 and self._runs_with_module(path, item)),
        )


class _Search:
    """One search from one test file, or from one test of it and what runs with each."""

    def __init__(self, graph: Exercise, only: str = "") -> None:
        self._graph = graph
        self._only = only
        self.seen: set[int] = set()
        """Numbers of the definitions that were looked at."""
        self.found: dict[str, Reached] = {}
        self.depths: dict[int, int] = {}
        """Number of a definition that is reached -> steps from the test."""
        self._through: dict[int, int] = {}
        self._queue: deque[int] = deque()
        self._selected: set[str] = set()
        self._waiting: dict[str, list[int]] = defaultdict(list)
        """Name -> methods of classes that are reached, to be reached when anything selects the name."""

    def run(self, test: str) -> None:
        """Search breadth first, level by level, until enough files are found."""
        for node in self._seeds(test):
            self._push(node, 0, node)
        while self._queue:
            node = self._queue.popleft()
            depth = self.depths[node]
            if len(self.found) >= MAX_FILES and depth > max(item.depth for item in self.found.values()):
                return
            self._expand(node, depth)

    def _seeds(self, test: str) -> list[int]:
        """Return what runs when the tests of a file do: all of it, or its tests alone where it is more than tests."""
        graph, number = self._graph, self._graph.number
        file = graph.file(test)
        self.seen.add(number(test, WHOLE))
        if not graph.is_test(test):
            return [number(test, name) for name in file.tests if self._only in {"", name}]
        others = frozenset(file.tests) - {self._only} if self._only else frozenset()
        names = (name for name, kind in file.kinds.items() if kind in _FUNCTIONS and name not in others)
        seeds = [number(test, ""), *(number(test, name) for name in names)]
        at, known = test, {test}
        while shared := [path for path in graph.file(at).shared if path not in known]:
            at = shared[0]
            known.add(at)
            self.seen.add(number(at, WHOLE))
            seeds.append(number(at, ""))
        return seeds

    def _push(self, node: int, depth: int, through: int) -> None:
        if node in self.depths or depth > MAX_DEPTH:
            return
        path, name = self._graph.node(node)
        self.depths[node] = depth
        self._through[node] = through
        self._queue.append(node)
        self.seen.add(node)
        if self._graph.file(path).kinds.get(name) in _FUNCTIONS and not self._graph.is_test(path):
            known = self.found.get(path)
            if known is None:
                self.found[path] = Reached(depth, name, self._graph.node(through), 1)
            else:
                self.found[path] = known._replace(functions=known.functions + 1)

    def _expand(self, node: int, depth: int) -> None:
        graph = self._graph
        path, name = graph.node(node)
        file = graph.file(path)
        through = self._through[node]
        is_inside = graph.is_test(path) or not depth
        if file.kinds.get(name) in CLASS_KINDS:
            self._expand_class(node, file, depth)
        for target in file.references.get(name, ()):
            to, symbol = graph.node(target)
            kinds = graph.file(to).kinds
            self._push(target, depth + (kinds.get(symbol) != "variable"), target if is_inside else through)
            owner = symbol.rpartition(".")[0]
            if owner and kinds.get(owner) in CLASS_KINDS:
                self._push(graph.number(to, owner), depth + 1, target if is_inside else through)
        for inside in file.inner.get(name, ()):
            self._push(graph.number(path, inside), depth, through)
        for unnamed in file.unnamed if not name else ():
            self._push(graph.number(path, unnamed), depth + 1, through)
        for selected in file.selectors.get(name, ()):
            if selected not in self._selected:
                self._selected.add(selected)
                for method in self._waiting.pop(selected, ()):
                    self._push(method, depth + 1, through)

    def _expand_class(self, node: int, file: _File, depth: int) -> None:
        path, name = self._graph.node(node)
        for base in file.bases.get(name, ()):
            self._push(base, depth, self._through[node])
        for last, qualified in file.members.get(name, {}).items():
            number = self._graph.number(path, qualified)
            if last in self._selected or self._graph.runs_unnamed(path, last, name):
                self._push(number, depth + 1, self._through[node])
            else:
                self._waiting[last].append(number)


def _has(numbers: "array[int]", number: int) -> bool:
    at = bisect_left(numbers, number)
    return at < len(numbers) and numbers[at] == number
