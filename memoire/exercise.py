"""What running a test exercises: the definitions that can be reached from it, by static reach and rapid type analysis.

From everything that a test file runs, breadth first over resolved references: a reference to a function reaches its
body; a class that is reached brings its bases, its special methods, and those of its methods whose names are selected
(`x.run`) by anything reached, for the receiver of such a call may be an instance of it. Source of the method: "Fast
static analysis of C++ virtual function calls" (OOPSLA 1996). Of 1,035 (test file, source file) pairs of four
projects that a tracer saw run, this finds nearly all, see THEORY.md; claims beyond `MAX_DEPTH` are wrong too often.

Each test remembers the definitions that it looked at, so a change is felt by exactly the tests that it may matter to.
"""

import time
from array import array
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from memoire.extract.spec import Language
from memoire.linker import Linked, Reference
from memoire.model import BASE, BEHIND, CALL, CLASS_KINDS, FUNCTION_KINDS, READ, TYPE, Definition, FileFacts

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
LOOK_S = 0.5
"""CPU time that one question may take to look for the reach of tests."""

MOST_SINGLE = 200
"""Tests of one file that are looked at one by one: more are a table of cases, alike in what they run."""

_DECLARING = frozenset({"interface", "trait"})
_SHOWN = frozenset({"__str__", "__repr__"})
"""Methods that run without being named to show an object to people: nothing that a test checks, as a rule."""
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
    """Definition -> twice the numbers of what it names, and one more where a class may be constructed there."""
    bases: dict[str, tuple[int, ...]]
    members: dict[str, dict[str, str]]
    """Class -> name of a member -> its qualified name."""
    inner: dict[str, tuple[str, ...]]
    """Function -> the definitions written inside it."""
    selectors: dict[str, tuple[str, ...]]
    tests: tuple[str, ...]
    shared: tuple[str, ...]
    """Files whose fixtures a test runner gives to this one."""
    mocked: frozenset[str]
    """Files that are replaced while the tests of this one run."""
    idle: frozenset[str]
    """Functions without code: those that an interface declares."""
    unnamed: tuple[str, ...]
    """Functions that run when the module itself is used as a value, without being named: `__getattr__` of Python."""

    def has_code(self, name: str) -> bool:
        """Return whether a definition is a function with a body, or a class that has some."""
        kind = self.kinds.get(name)
        if kind in CLASS_KINDS:
            return any(self.has_code(member) for member in self.members.get(name, {}).values())
        return kind in FUNCTION_KINDS and name not in self.idle

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
                self.has_code(name),
                self.selectors.get(name),
                () if name else self.unnamed,
            ))
            for name in names
        }  # fmt: skip
        found[WHOLE] = hash((self.tests, self.shared, tuple(sorted(self.mocked)), tuple(self.kinds.items())))
        return found


_NOTHING = _File({}, {}, {}, {}, {}, {}, (), (), frozenset(), frozenset(), ())


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
        wide, search = _Search(self), _Search(self, is_strict=True)
        wide.run(test)
        search.run(test)
        search.found.pop(test, None)
        self._looked_at[test] = array("I", sorted(wide.seen | search.seen))
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

    def coming_by(self, path: str, symbols: Iterable[str], tests: Iterable[str]) -> list[str]:
        """Return those of some tests that come by one of these definitions of a file, by however long a way.

        The reach of a test is looked for once after each start, and for `LOOK_S` a question at most: in a project where
        that takes longer the first questions know fewer of them.
        """
        end = time.process_time() + LOOK_S
        found = []
        for test in tests:
            if not self.is_known(test) and time.process_time() < end:
                self.reached(test)
            if self.runs(test, path, symbols):
                found.append(test)
        return found

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

    def exercises(self, test: str, reference: Reference) -> bool:
        """Return whether a use of a definition by a test runs code of its file, and does not only name it."""
        file = self.file(reference.path)
        if not file.has_code(reference.symbol) or self.replaces(test, reference.path):
            return False
        # A class that is only named is expected, compared or replaced.
        return file.kinds[reference.symbol] in FUNCTION_KINDS or reference.how & (CALL | BEHIND) > 0

    def replaces(self, test: str, path: str) -> bool:
        """Return whether the tests of a file run without another one: something else is in its place.

        What stands for a folder stands for all in it.
        """
        return any(
            path == mocked or (_is_index(mocked) and path.startswith(mocked[: mocked.rfind("/") + 1]))
            for mocked in self.file(test).mocked
        )

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
            elif above is not None and above.kind in FUNCTION_KINDS:
                inner[above.name].append(item.name)
            elif above is None and owner and item.kind in FUNCTION_KINDS:
                members.setdefault(owner, {})[last] = item.name
        references: dict[str, list[int]] = defaultdict(list)
        bases: dict[str, list[int]] = defaultdict(list)
        for reference in links.references:
            node = self.number(reference.path, reference.symbol)
            references[reference.scope].append(2 * node + (reference.how & (CALL | READ) > 0))
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
            frozenset(item.target for item in links.imports if item.kind == "mocked"),
            _idle(facts),
            tuple(item.name for item in facts.definitions if item.parent < 0 and self._runs_with_module(path, item)),
        )


def _is_index(path: str) -> bool:
    return path.rpartition("/")[2].partition(".")[0] == "index"


def _idle(facts: FileFacts) -> frozenset[str]:
    """Return the functions that an interface declares without a body: nothing in them names or selects anything."""
    busy = {use.scope for use in facts.uses if use.how & ~TYPE}.union(facts.selectors)
    return frozenset(
        item.name
        for number, item in enumerate(facts.definitions)
        if item.kind in FUNCTION_KINDS
        and item.parent >= 0
        and facts.definitions[item.parent].kind in _DECLARING
        and number not in busy
    )


class _Search:
    """One search from one test file, or from one test of it and what runs with each.

    Args:
        graph: What is searched.
        only: The one test; empty = all of them.
        is_strict: Whether a class must be constructed for its constructors to run. Elsewhere it is enough that it is
            named: what may run must not be missed.
    """

    def __init__(self, graph: Exercise, only: str = "", *, is_strict: bool = False) -> None:
        self._graph = graph
        self._only = only
        self._is_strict = is_strict
        self._loose: dict[int, int] = {}
        """Definition -> steps on the way to it from a class to a member that nothing shows to be run of this class."""
        self._at = -1
        self._test = ""
        self._unmade: dict[int, int] = {}
        """Class that is reached and not constructed so far -> the definition through which it was reached."""
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
        self._test = test
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
        names = (name for name, kind in file.kinds.items() if kind in FUNCTION_KINDS and name not in others)
        seeds = [number(test, ""), *(number(test, name) for name in names)]
        at, known = test, {test}
        while shared := [path for path in graph.file(at).shared if path not in known]:
            at = shared[0]
            known.add(at)
            self.seen.add(number(at, WHOLE))
            seeds.append(number(at, ""))
        return seeds

    def _push(self, node: int, depth: int, through: int, *, is_made: bool = True, by_class: bool = False) -> None:
        if node in self.depths:
            if is_made and node in self._unmade:
                self._construct(node, self.depths[node])
            return
        loose = self._loose.get(self._at, 0) + by_class
        if depth + (loose if self._is_strict else 0) > MAX_DEPTH:
            return
        path, name = self._graph.node(node)
        if self._is_strict and self._graph.replaces(self._test, path):
            return
        self._loose[node] = loose
        if self._is_strict and not is_made:
            self._unmade[node] = through
        self.depths[node] = depth
        self._through[node] = through
        self._queue.append(node)
        self.seen.add(node)
        file = self._graph.file(path)
        is_code = file.kinds.get(name) in FUNCTION_KINDS and name not in file.idle
        if is_code and not self._graph.is_test(path):
            known = self.found.get(path)
            if known is None:
                self.found[path] = Reached(depth, name, self._graph.node(through), 1)
            else:
                self.found[path] = known._replace(functions=known.functions + 1)

    def _expand(self, node: int, depth: int) -> None:
        graph = self._graph
        self._at = node
        path, name = graph.node(node)
        file = graph.file(path)
        through = self._through[node]
        is_inside = graph.is_test(path) or not depth
        # What stands in the body of a class or a module runs when it is loaded, whatever is tested.
        is_loaded = self._is_strict and not graph.is_test(path) and (not name or file.kinds.get(name) in CLASS_KINDS)
        if file.kinds.get(name) in CLASS_KINDS:
            self._expand_class(node, file, depth)
        for marked in file.references.get(name, ()):
            target, is_made = divmod(marked, 2)
            if is_loaded and not self._hands_on(target):
                continue
            is_made = is_made and not is_loaded
            to, symbol = graph.node(target)
            kinds = graph.file(to).kinds
            way = target if is_inside else through
            self._push(target, depth + (kinds.get(symbol) != "variable"), way, is_made=is_made > 0)
            owner = symbol.rpartition(".")[0]
            if owner and kinds.get(owner) in CLASS_KINDS:
                self._push(graph.number(to, owner), depth + 1, way, is_made=is_made > 0)
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
        is_made = node not in self._unmade
        for base in file.bases.get(name, ()):
            self._push(base, depth, self._through[node], is_made=is_made, by_class=True)
        for last, qualified in file.members.get(name, {}).items():
            number = self._graph.number(path, qualified)
            if last in self._selected or (is_made and self._runs_unnamed(path, last, name)):
                self._push(number, depth + 1, self._through[node], by_class=True)
            else:
                self._waiting[last].append(number)

    def _runs_unnamed(self, path: str, name: str, owner: str) -> bool:
        return not (self._is_strict and name in _SHOWN) and self._graph.runs_unnamed(path, name, owner)

    def _hands_on(self, node: int) -> bool:
        """Return whether a definition that the body of a class names may run later: a class that is made of it."""
        path, name = self._graph.node(node)
        return self._graph.file(path).kinds.get(name) in CLASS_KINDS

    def _construct(self, node: int, depth: int) -> None:
        """Take in that a class which is reached is constructed after all, and its bases with it."""
        through = self._unmade.pop(node)
        path, name = self._graph.node(node)
        file = self._graph.file(path)
        for base in file.bases.get(name, ()):
            self._push(base, depth, through, by_class=True)
        for last, qualified in file.members.get(name, {}).items():
            if self._runs_unnamed(path, last, name):
                self._push(self._graph.number(path, qualified), depth + 1, through, by_class=True)


def _has(numbers: "array[int]", number: int) -> bool:
    at = bisect_left(numbers, number)
    return at < len(numbers) and numbers[at] == number
