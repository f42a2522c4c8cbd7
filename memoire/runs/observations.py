"""Which test was seen to execute which definition, and what of that has changed since.

A definition is remembered as it was when a test executed it (`Seen`): its fingerprint tells later whether it still is,
the hashes of what it named tell what it names anew. A later run of a test takes the place of the earlier one; tests
that it leaves out keep what was seen of them. Nothing here is of the tree: a rebuild of the graph leaves it alone.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple
from zlib import crc32

import msgspec
import numpy as np
import numpy.typing as npt

from memoire.linker import Linked, Reference
from memoire.model import CLASS_KINDS, FileFacts

MOST_EXECUTED = 4_000_000
"""Pairs of a test and a definition that are kept, 4 bytes each; beyond, the tests of the oldest runs go."""
MOST_TESTS = 100_000
MOST_RUNS = 1_000

UNKNOWN = "?"
"""Stands for the fingerprint of a definition that is not the one of today: it never equals another."""

Key = tuple[str, str]
"""(file of a test, what follows it in the test's id)."""


class Seen(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One definition as tests executed it."""

    path: str
    name: str
    print: str
    """Its fingerprint then; `UNKNOWN` = not the one of today, when the run was taken in."""
    named: bytes = b""
    """Hashes of what it named then, four bytes each, ascending."""
    knows_named: bool = False


class Observed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One test as it was last seen to run."""

    run: int
    """Place in `Observations.runs`."""
    outcome: str = ""
    ms: int = -1
    has_left: bool = False
    """Whether it started another process, which may have executed more."""
    members: int = -1
    """Place in `Observations.sets`; -1 = what it executed is not known."""


class RunOf(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One run that was taken in."""

    tool: str
    at: int
    """Seconds since the epoch."""


class Exercised(NamedTuple):
    """What runs saw of one file of tests."""

    targets: Mapping[str, Mapping[str, int]]
    """File -> definition of it -> how many tests executed it."""
    tests: Mapping[str, int]
    """File -> how many tests executed something of it."""
    run: RunOf
    """The newest run of one of its tests."""
    is_whole: bool
    """Whether every test it holds now was seen, and neither it nor anything it executed has changed since."""


class Observations:
    """What is known of the tests of one project.

    Args:
        facts: Path -> its facts now, None where there are none.
        links: Path -> its links now.
    """

    def __init__(self, facts: Callable[[str], FileFacts | None], links: Callable[[str], Linked]) -> None:
        self.runs: list[RunOf] = []
        self.seen: list[Seen] = []
        self.sets: list[array[int]] = []
        """Places in `seen`, ascending."""
        self.tests: dict[Key, Observed] = {}
        self.shapes: dict[str, dict[str, str]] = {}
        """File -> each of its definitions with its fingerprint, when a run last executed something of it; under the
        empty name the file's own hash."""
        self._facts = facts
        self._links = links
        self._prints: dict[str, dict[str, str]] = {}
        self._index: _Index | None = None
        self._wholes: dict[str, bool] = {}

    def __bool__(self) -> bool:
        """Return whether any test was seen to execute anything."""
        return bool(self.sets)

    # ---- the files as they are now

    def prints(self, path: str) -> dict[str, str]:
        """Return definition -> its fingerprint now, for a file; nothing for one that is gone."""
        known = self._prints.get(path)
        if known is None:
            facts = self._facts(path)
            known = {}
            for item in facts.definitions if facts else ():
                # Of a name that is defined twice (a getter and its setter) all definitions count.
                known[item.name] = known.get(item.name, "") + item.body
            self._prints[path] = known
        return known

    def named(self, path: str, name: str) -> bytes:
        """Return the hashes of what a definition names now, as `Seen.named` has them."""
        found = {
            crc32(f"{item.path}\0{item.symbol}".encode("utf-8", "surrogatepass")) for item in self._uses(path, name)
        }
        found |= {crc32(b"." + selected.encode("utf-8", "surrogatepass")) for selected in self.selected(path, name)}
        return array("I", sorted(found)).tobytes()

    def selected(self, path: str, name: str) -> set[str]:
        """Return the names of members that a definition selects of anything."""
        facts = self._facts(path)
        found: set[str] = set()
        if facts is not None:
            for scope, text in facts.selectors.items():
                if (facts.definitions[scope].name if scope >= 0 else "") == name:
                    found.update(text.split())
        return found

    def _uses(self, path: str, name: str) -> list[Reference]:
        return [item for item in self._links(path).references if item.scope == name]

    def touched(self, paths: Iterable[str]) -> set[str]:
        """Take note that files changed, came or went; return the tests of which `of` may say something else now."""
        changed = set(paths)
        for path in changed:
            self._prints.pop(path, None)
        if not self.sets:
            return set()
        self.index.look_again(changed)
        before = self._wholes
        # Of one that nobody asked about since the start it is not known what was said of it.
        about = {test for test in self.index.files() if test in changed or self.index.paths_of(test) & changed}
        self._wholes = {test: is_whole for test, is_whole in before.items() if test not in about}
        return {test for test in about if self.is_whole(test) != before.get(test)}

    def rename(self, moved: Mapping[str, str]) -> set[str]:
        """Carry what was seen of files that go on under another name; return the tests it is about.

        Args:
            moved: New path -> old path.
        """
        today = {old: new for new, old in moved.items()}
        if not today or not self.tests:
            return set()
        self.seen = [
            msgspec.structs.replace(item, path=today[item.path]) if item.path in today else item for item in self.seen
        ]
        self.tests = {(today.get(path, path), name): test for (path, name), test in self.tests.items()}
        self.shapes = {today.get(path, path): shape for path, shape in self.shapes.items()}
        self._index = None
        self._wholes.clear()
        # Only what was asked about may have been told under the old names.
        new = set(today.values())
        return {test for test in self.index.files() if test in new or self.index.paths_of(test) & new}

    # ---- asking

    @property
    def index(self) -> "_Index":
        """What is derived from all tests, made when it is asked for."""
        if self._index is None:
            self._index = _Index(self)
        return self._index

    def is_changed(self, number: int) -> bool:
        """Return whether a definition (its place in `seen`) is not what it was."""
        item = self.seen[number]
        return self.prints(item.path).get(item.name) != item.print

    def is_whole(self, test: str) -> bool:
        """Return whether every test of a file was seen, and nothing that matters to them has changed since."""
        known = self._wholes.get(test)
        if known is None:
            known = self._wholes[test] = self._look(test)
        return known

    def _look(self, test: str) -> bool:
        now = tests_in(self._facts(test))
        seen = self.index.of_file(test)
        if not now or any(one.has_left or one.members < 0 for _, one in seen):
            return False
        if not now <= {definition_of(name) for name, _ in seen}:
            return False
        return not self.index.has_changed(one.members for _, one in seen)

    def of(self, test: str) -> Exercised | None:
        """Return what was seen of a file of tests; None where nothing was."""
        seen = [one for _, one in self.index.of_file(test) if one.members >= 0]
        if not seen:
            return None
        targets: dict[str, Counter[str]] = {}
        tests: Counter[str] = Counter()
        for place, times in Counter(one.members for one in seen).items():
            found = [self.seen[number] for number in self.sets[place]]
            tests.update(dict.fromkeys({item.path for item in found}, times))
            for item in found:
                targets.setdefault(item.path, Counter())[item.name] += times
        newest = max((self.runs[one.run] for one in seen), key=lambda run: run.at)
        return Exercised(targets, tests, newest, self.is_whole(test))

    def executing(self, path: str, names: Iterable[str] | None) -> list[Key]:
        """Return the tests that executed one of some definitions of a file; any of it where names is None. Sorted."""
        return self.index.tests_of(self.index.numbers(path, names))

    # ---- taking in

    def restore(
        self, runs: list[RunOf], seen: list[Seen], sets: list["array[int]"], tests: dict[Key, Observed]
    ) -> None:
        """Take up what was known before; `shapes` are the caller's."""
        self.runs, self.seen, self.sets, self.tests = runs, seen, sets, tests
        self._index = None
        self._wholes.clear()

    def refresh(self) -> None:
        """Make the fingerprints anew that another version of the extraction made: of files that are what they were."""
        fresh = []
        for item in self.seen:
            shape, facts = self.shapes.get(item.path, {}), self._facts(item.path)
            now = self.prints(item.path).get(item.name)
            is_same = facts is not None and shape.get("") == facts.sha and shape.get(item.name) == item.print
            if is_same and now is not None:
                fresh.append(Seen(item.path, item.name, now, self.named(item.path, item.name), knows_named=True))
            else:
                fresh.append(msgspec.structs.replace(item, print=UNKNOWN, named=b"", knows_named=False))
        self.seen = fresh
        self._index = None
        self._wholes.clear()

    def settle(self) -> None:
        """Keep within bounds and forget what no test refers to any more; to be called after tests were changed."""
        newest_first = sorted(self.tests.items(), key=lambda pair: (-self.runs[pair[1].run].at, pair[0]))
        sizes: dict[int, int] = {}
        kept: dict[Key, Observed] = {}
        executed = 0
        for key, one in newest_first[:MOST_TESTS]:
            if one.members >= 0 and one.members not in sizes:
                sizes[one.members] = len(self.sets[one.members])
                executed += sizes[one.members]
                if executed > MOST_EXECUTED:
                    break
            kept[key] = one
        runs = _renumbered(one.run for one in kept.values())
        sets = _renumbered(one.members for one in kept.values() if one.members >= 0)
        seen = _renumbered(number for place in sets for number in self.sets[place])
        self.runs = [self.runs[number] for number in runs]
        self.sets = [array("I", sorted(seen[number] for number in self.sets[place])) for place in sets]
        self.seen = [self.seen[number] for number in seen]
        self.tests = {
            key: msgspec.structs.replace(one, run=runs[one.run], members=sets.get(one.members, -1))
            for key, one in kept.items()
        }
        files = {item.path for item in self.seen}
        self.shapes = {path: shape for path, shape in self.shapes.items() if path in files}
        self._index = None
        self._wholes.clear()


FUNCTIONS = frozenset({"function", "method"})


def tests_in(facts: FileFacts | None) -> set[str]:
    """Return the definitions of a file that a runner of tests calls: not those inside other functions."""
    if facts is None:
        return set()
    known = facts.definitions
    return {
        item.name
        for item in known
        if item.is_test and item.kind in FUNCTIONS and (item.parent < 0 or known[item.parent].kind in CLASS_KINDS)
    }


def definition_of(name: str) -> str:
    """Return the definition that a test's id stands for: `TestThing::test_it[a]` -> `TestThing.test_it`."""
    return name.partition("[")[0].replace("::", ".")


def hashes(named: bytes) -> set[int]:
    """Return the hashes that `Seen.named` holds."""
    return set(memoryview(named).cast("I"))


def _renumbered(numbers: Iterable[int]) -> dict[int, int]:
    """Return old number -> new number, dense and in the order of the old ones."""
    return {old: new for new, old in enumerate(sorted(set(numbers)))}


class _Index:
    """What is derived from the tests that were seen."""

    def __init__(self, of: Observations) -> None:
        self._of = of
        self._members = np.concatenate([np.frombuffer(one, np.uint32) for one in of.sets] or [np.zeros(0, np.uint32)])
        self._ends = np.cumsum([len(one) for one in of.sets], dtype=np.int64)
        self._numbers: dict[str, dict[str, list[int]]] = {}
        for number, item in enumerate(of.seen):
            self._numbers.setdefault(item.path, {}).setdefault(item.name, []).append(number)
        self._tests: dict[int, list[Key]] = {}
        self._files: dict[str, list[tuple[str, Observed]]] = {}
        for key, one in of.tests.items():
            self._files.setdefault(key[0], []).append((key[1], one))
            if one.members >= 0:
                self._tests.setdefault(one.members, []).append(key)
        self._paths: dict[str, frozenset[str]] = {}
        self._changed: npt.NDArray[np.bool_] = np.zeros(len(of.seen), np.bool_)
        self._stale = set(self._numbers)

    def look_again(self, paths: Iterable[str]) -> None:
        """Take note that some files may hold other definitions now."""
        self._stale.update(path for path in paths if path in self._numbers)

    def changed(self) -> npt.NDArray[np.bool_]:
        """Return of each of `seen` whether it is not what it was."""
        for path in self._stale:
            now = self._of.prints(path)
            for name, numbers in self._numbers[path].items():
                for number in numbers:
                    self._changed[number] = now.get(name) != self._of.seen[number].print
        self._stale.clear()
        return self._changed

    def has_changed(self, places: Iterable[int]) -> bool:
        """Return whether one of some sets holds a definition that is not what it was."""
        changed = self.changed()
        return any(bool(changed[self._span(place)].any()) for place in set(places))

    def _span(self, place: int) -> npt.NDArray[np.uint32]:
        start = int(self._ends[place - 1]) if place else 0
        return self._members[start : int(self._ends[place])]

    def numbers(self, path: str, names: Iterable[str] | None) -> list[int]:
        """Return the places in `seen` of some definitions of a file, in every state that was seen."""
        known = self._numbers.get(path, {})
        wanted = known if names is None else [name for name in names if name in known]
        return [number for name in wanted for number in known[name]]

    def tests_of(self, numbers: Iterable[int]) -> list[Key]:
        """Return the tests that executed one of some of `seen`."""
        wanted = np.zeros(len(self._of.seen), np.bool_)
        wanted[list(numbers)] = True
        places = np.unique(np.searchsorted(self._ends, np.flatnonzero(wanted[self._members]), side="right"))
        return sorted(key for place in places.tolist() for key in self._tests.get(place, ()))

    def files(self) -> Iterable[str]:
        """Return the files that hold the tests."""
        return self._files.keys()

    def of_file(self, test: str) -> list[tuple[str, Observed]]:
        """Return (rest of the id, what was seen) of the tests of a file."""
        return self._files.get(test, [])

    def paths_of(self, test: str) -> frozenset[str]:
        """Return the files of which the tests of a file executed something."""
        known = self._paths.get(test)
        if known is None:
            places = {one.members for _, one in self.of_file(test) if one.members >= 0}
            numbers = {number for place in places for number in self._of.sets[place]}
            known = self._paths[test] = frozenset(self._of.seen[number].path for number in numbers)
        return known
