"""What running a test exercises: the definitions that can be reached from it, by static reach and rapid type analysis.

From everything that a test file runs, breadth first over resolved references: a reference to a function reaches its
body; a class that is reached brings its bases, its special methods, and those of its methods whose names are selected
(`x.run`) by anything reached, for the receiver of such a call may be an instance of it. Source of the method: "Fast
static analysis of C++ virtual function calls" (OOPSLA 1996). Of 1,035 (test file, source file) pairs of four
projects that a tracer saw run, this finds nearly all, see THEORY.md; claims beyond `MAX_DEPTH` are wrong too often.

Each test remembers the files whose definitions it looked at, so a change is felt by exactly the tests that it may
matter to.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from memoire.linker import Linked
from memoire.model import BASE, CLASS_KINDS, FileFacts

MAX_DEPTH = 6
"""Steps from the test. Measured on four projects: F1 .845 at 3, .875 at 4, .884 at 6, .872 at 9."""
MAX_FILES = 60
"""Files that one test file is said to exercise, the nearest ones: a test of everything is evidence for nothing."""
KEPT_FILES = 4_000
"""Files whose part of the reach is kept in memory; the others are read again from their facts."""

_FUNCTIONS = frozenset({"function", "method"})
_CONSTRUCTORS = frozenset({"constructor", "init", "initialize", "__construct"})
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


class _File(NamedTuple):
    """What one file adds to the graph. Values that are equal lead to the same reach."""

    kinds: dict[str, str]
    references: dict[str, tuple[Node, ...]]
    """Definition -> what it names."""
    bases: dict[str, tuple[Node, ...]]
    members: dict[str, dict[str, str]]
    """Class -> name of a member -> its qualified name."""
    inner: dict[str, tuple[str, ...]]
    """Function or module -> the functions written inside it."""
    selectors: dict[str, tuple[str, ...]]
    tests: tuple[str, ...]
    shared: tuple[str, ...]
    """Files whose fixtures a test runner gives to this one."""


_NOTHING = _File({}, {}, {}, {}, {}, {}, (), ())


class Exercise:
    """The reach of every test of a project.

    Args:
        facts: Path -> its facts, None where there are none.
        links: Path -> its links.
        is_test: Whether a path belongs to the tests.
    """

    def __init__(
        self,
        facts: Callable[[str], FileFacts | None],
        links: Callable[[str], Linked],
        is_test: Callable[[str], bool],
    ) -> None:
        self._facts = facts
        self._links = links
        self._is_test = is_test
        self._files: dict[str, _File] = {}
        self._digests: dict[str, int] = {}
        """Of each file that some test looked at."""
        self._looked_at: dict[str, frozenset[str]] = {}
        """Test -> the files whose definitions it looked at."""

    def affected(self, changed: Iterable[str]) -> set[str]:
        """Return the tests whose reach may differ, after the links of some files were made again."""
        differing = set()
        for path in changed:
            before = self._digests.get(path)
            if before is None:
                continue
            self._files.pop(path, None)
            self._digests.pop(path)
            self._file(path)
            if self._digests[path] != before:
                differing.add(path)
        if not differing:
            return set()
        return {test for test, files in self._looked_at.items() if not differing.isdisjoint(files)}

    def forget(self, test: str) -> None:
        """Forget a file that is no test any more."""
        self._looked_at.pop(test, None)

    def reached(self, test: str) -> dict[str, Reached]:
        """Return the files whose functions a test reaches, the nearest first; and remember what that rests on."""
        search = _Search(self._file, self._is_test)
        search.run(test)
        search.found.pop(test, None)
        self._looked_at[test] = frozenset(search.files)
        nearest = sorted(search.found.items(), key=lambda item: (item[1].depth, -item[1].functions, item[0]))
        return dict(nearest[:MAX_FILES])

    def _file(self, path: str) -> _File:
        known = self._files.get(path)
        if known is None:
            if len(self._files) >= KEPT_FILES:
                self._files.clear()
            facts = self._facts(path)
            known = self._files[path] = _NOTHING if facts is None else _read(facts, self._links(path))
            self._digests[path] = hash(repr(known))
        return known


def _read(facts: FileFacts, links: Linked) -> _File:
    """Return what a file adds to the graph."""
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
    references: dict[str, list[Node]] = defaultdict(list)
    bases: dict[str, list[Node]] = defaultdict(list)
    for reference in links.references:
        node = (reference.path, reference.symbol)
        references[reference.scope].append(node)
        if reference.how & BASE and kinds.get(reference.scope) in CLASS_KINDS:
            bases[reference.scope].append(node)
    names = {scope: facts.definitions[scope].name if scope >= 0 else "" for scope in facts.selectors}
    return _File(
        kinds,
        {scope: tuple(nodes) for scope, nodes in references.items()},
        {scope: tuple(nodes) for scope, nodes in bases.items()},
        members,
        {scope: tuple(found) for scope, found in inner.items()},
        {names[scope]: tuple(text.split()) for scope, text in facts.selectors.items()},
        tuple(item.name for item in facts.definitions if item.is_test),
        tuple(item.target for item in links.imports if item.kind == "injected"),
    )


class _Search:
    """One search from one test file."""

    def __init__(self, file: Callable[[str], _File], is_test: Callable[[str], bool]) -> None:
        self._file = file
        self._is_test = is_test
        self.files: set[str] = set()
        """Files whose definitions were looked at."""
        self.found: dict[str, Reached] = {}
        self._depths: dict[Node, int] = {}
        self._through: dict[Node, Node] = {}
        self._queue: deque[Node] = deque()
        self._selected: set[str] = set()
        self._waiting: dict[str, list[Node]] = defaultdict(list)
        """Name -> methods of classes that are reached, to be reached when anything selects the name."""

    def run(self, test: str) -> None:
        """Search breadth first, level by level, until enough files are found."""
        for node in self._seeds(test):
            self._push(node, 0, node)
        while self._queue:
            node = self._queue.popleft()
            depth = self._depths[node]
            if len(self.found) >= MAX_FILES and depth > max(item.depth for item in self.found.values()):
                return
            self._expand(node, depth)

    def _seeds(self, test: str) -> list[Node]:
        """Return what runs when the tests of a file do: all of it, or its tests alone where it is more than tests."""
        file = self._file(test)
        if not self._is_test(test):
            return [(test, name) for name in file.tests]
        seeds = [(test, ""), *((test, name) for name, kind in file.kinds.items() if kind in _FUNCTIONS)]
        at, seen = test, {test}
        while shared := [path for path in self._file(at).shared if path not in seen]:
            at = shared[0]
            seen.add(at)
            seeds.append((at, ""))
        return seeds

    def _push(self, node: Node, depth: int, through: Node) -> None:
        if node in self._depths or depth > MAX_DEPTH:
            return
        path, name = node
        self._depths[node] = depth
        self._through[node] = through
        self._queue.append(node)
        self.files.add(path)
        if self._file(path).kinds.get(name) in _FUNCTIONS and not self._is_test(path):
            known = self.found.get(path)
            if known is None:
                self.found[path] = Reached(depth, name, through, 1)
            else:
                self.found[path] = known._replace(functions=known.functions + 1)

    def _expand(self, node: Node, depth: int) -> None:
        path, name = node
        file = self._file(path)
        through = self._through[node]
        is_inside = self._is_test(path) or not depth
        if file.kinds.get(name) in CLASS_KINDS:
            self._expand_class(node, file, depth)
        for target in file.references.get(name, ()):
            kind = self._file(target[0]).kinds.get(target[1])
            self._push(target, depth + (kind != "variable"), target if is_inside else through)
            owner = (target[0], target[1].rpartition(".")[0])
            if owner[1] and self._file(owner[0]).kinds.get(owner[1]) in CLASS_KINDS:
                self._push(owner, depth + 1, target if is_inside else through)
        for inside in file.inner.get(name, ()):
            self._push((path, inside), depth, through)
        for selected in file.selectors.get(name, ()):
            if selected not in self._selected:
                self._selected.add(selected)
                for method in self._waiting.pop(selected, ()):
                    self._push(method, depth + 1, through)

    def _expand_class(self, node: Node, file: _File, depth: int) -> None:
        path, name = node
        for base in file.bases.get(name, ()):
            self._push(base, depth, self._through[node])
        for last, qualified in file.members.get(name, {}).items():
            if last in self._selected or _runs_unnamed(last, name):
                self._push((path, qualified), depth + 1, self._through[node])
            else:
                self._waiting[last].append((path, qualified))


def _runs_unnamed(name: str, owner: str) -> bool:
    """Return whether a method of a class runs without being named: a constructor, a special method."""
    is_special = name.startswith("__") and name.endswith("__")
    return is_special or name in _CONSTRUCTORS or name == owner.rpartition(".")[2]
