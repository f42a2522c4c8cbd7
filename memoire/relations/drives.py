"""DRIVES: a core file decides how its dependents behave. Promoted from counts over what several files say.

Three kinds of evidence, each resolved, none a guess:

* *fan-in*: the file is imported, or its definitions are used through re-exports, by at least `FAN_IN` files of the
  project; then it drives each of them that is no test (a test's edge is ASSERTS_ON) and does more than pass its names
  on.
* *state*: the file assigns an attribute or a global that the other reads through an import or a call. Two files that
  use an attribute of a class may mean two objects, and who assigns a global and reads it itself may do so for itself:
  then the other must run definitions of the file as well. What an example, a benchmark or a helper of tests assigns is
  seen by it alone: the library that it shows is not driven by it;
* *learned*: the other depends on the file, and commits or sessions show that it changes with it: see
  `relations.changes_with` and `relations.session_order`.

Imports for types alone do not count: they do nothing when the program runs. Nor do those of pictures, which are shown
and decide nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec

from memoire.extract.suffixes import IMAGE_SUFFIXES, suffix_of, word_set
from memoire.linker import Linked
from memoire.model import BASE, BEHIND, CALL, MEMBER, READ, WRITE, Claim, EdgeKey
from memoire.relations.lessons import Lesson

_IDLE = frozenset(("type_only", "injected", "mocked"))
"""Kinds of imports that do nothing when the program runs, or that a test runner does."""
FAN_IN = 3
"""Importers from which a file counts as a core. Source: the published theory page's promotion rule."""


MAX_WRITERS = 8
"""Files that assign one state beyond which only the file that defines it counts as driving its readers: what everyone
assigns is nobody's, and the pairs would grow with the square of the files."""


_HOOKS = word_set("""
    setUp setUpClass setUpTestData asyncSetUp setUpBeforeClass setUpWithError setup_method
    tearDown tearDownClass asyncTearDown tearDownAfterClass tearDownWithError teardown_method
""")
"""Methods that a test runner calls around each test: what they assign is seen by tests alone, wherever they stand.
Source: the manuals of unittest, Django, pytest, PHPUnit and XCTest."""
_SHOWS = word_set("""
    example examples sample samples demo demos docs docs_src bench benches benchmarks testing testutil testutils
    testhelpers testsupport test-utils test-support test_utils mocks mock fakes test tests e2e fuzz
""")
"""Folders of programs that show, measure or set up what stands beside them."""
_SHOWS_DEPTH = 3
"""How deep such a folder may lie: further down the name is a part of a package's, as in `src/main/java/com/example`."""


class Dependence(msgspec.Struct, frozen=True, gc=False):
    """Why one file depends on another."""

    line: int
    what: str
    """`imports plan from core.engine`, `uses Plan.run`."""
    is_used: bool = False
    """Whether anything of it is used, not only imported."""


class Contribution(msgspec.Struct, frozen=True, gc=False):
    """What one file adds to the counts."""

    depends: dict[str, Dependence] = {}
    """File -> why this one depends on it."""
    writes: dict[str, str] = {}
    """State (`path::Class.attribute`) -> the definition that first assigns it; empty at module level.

    Not its line: that moves with every save, and the edge would be written again for each reader.
    """
    reads: dict[str, int] = {}
    """State of other files -> line of the first read."""
    has_effects: bool = False
    runs: frozenset[str] = frozenset()
    """Other files whose definitions it does not only name in types."""
    members: frozenset[str] = frozenset()
    """Those of its states that belong to instances of a class, or to a class."""


EMPTY = Contribution()


def contribution(path: str, linked: Linked, *, has_effects: bool, is_barrel: bool = False) -> Contribution:
    """Return what a file adds to the counts.

    Args:
        path: The file.
        linked: Its links.
        has_effects: Whether it acts on the world.
        is_barrel: Whether it stands for its folder. What such a file only names at its top it passes on, as in
            `export default { run, stop }`: it neither uses nor reads it.
    """
    references = [
        item
        for item in linked.references
        if not (is_barrel and item.how & ~(MEMBER | BEHIND) == READ and not item.scope)
    ]
    used = {item.path for item in references if item.symbol}
    depends: dict[str, Dependence] = {}
    for item in linked.imports:
        if item.target_kind != "file" or item.kind in _IDLE or suffix_of(item.target) in IMAGE_SUFFIXES:
            continue
        for target in (item.target, item.origin):
            if target and target != path:
                named = item.name if item.name and item.name != "*" else ""
                name = " from ".join(filter(None, (named, item.specifier))) or item.name
                depends.setdefault(target, Dependence(item.line, f"imports {name}", is_used=target in used))
    writes: dict[str, str] = {}
    reads: dict[str, int] = {}
    members: set[str] = set()
    types = {item.target for item in linked.imports if item.kind == "type_only"} - depends.keys()
    for reference in references:
        other = reference.path != path
        if other and reference.symbol and reference.path not in types:
            depends.setdefault(reference.path, Dependence(reference.line, f"uses {reference.symbol}", is_used=True))
        state = f"{reference.path}::{reference.symbol}" + (f".{reference.state}" if reference.state else "")
        if reference.how & WRITE and reference.symbol and reference.scope.rpartition(".")[2] not in _HOOKS:
            writes.setdefault(state, reference.scope)
        if reference.how & READ and other and reference.symbol:
            reads.setdefault(state, reference.line)
        if reference.how & MEMBER and reference.how & (READ | WRITE):
            members.add(state)
    runs = {item.path for item in references if item.how & (CALL | READ | WRITE | BASE) and item.symbol} - {path}
    kept = members & (writes.keys() | reads.keys())
    return Contribution(depends, writes, reads, has_effects, frozenset(runs), frozenset(kept))


class Drives:
    """The counts of a whole project, kept current file by file.

    Args:
        is_test: Whether a path belongs to the tests.
        is_barrel: Whether a file stands for its folder and passes names on.
    """

    def __init__(self, is_test: Callable[[str], bool], is_barrel: Callable[[str], bool]) -> None:
        self._is_test = is_test
        self._is_barrel = is_barrel
        self._of: dict[str, Contribution] = {}
        self._dependents: dict[str, set[str]] = defaultdict(set)
        self._writers: dict[str, set[str]] = defaultdict(set)
        self._readers: dict[str, set[str]] = defaultdict(set)

    def of(self, path: str) -> Contribution:
        """Return what a file adds."""
        return self._of.get(path, EMPTY)

    def dependents(self, path: str) -> set[str]:
        """Return the files that import a file or use its definitions, for more than types."""
        return self._dependents.get(path, set())

    def replace(self, path: str, new: Contribution) -> set[tuple[str, str]]:
        """Take in what a file adds now; return the pairs (core, dependent) whose edge may differ."""
        old = self._of.get(path, EMPTY)
        pairs: set[tuple[str, str]] = set()
        for target in old.depends.keys() | new.depends.keys():
            dependents = self._dependents[target]
            was_core = len(dependents) >= FAN_IN
            (dependents.add if target in new.depends else dependents.discard)(path)
            pairs.add((target, path))
            if was_core != (len(dependents) >= FAN_IN):
                pairs.update((target, dependent) for dependent in dependents)
            if not dependents:
                del self._dependents[target]
        written = old.writes.keys() | new.writes.keys()
        read = old.reads.keys() | new.reads.keys()
        before = {state: self._drivers(state) for state in written | read}
        _move(self._writers, path, old.writes, new.writes)
        _move(self._readers, path, old.reads, new.reads)
        for state, drivers in before.items():
            after = self._drivers(state)
            if state in written:
                changed = (drivers ^ after) | ({path} & after)
                pairs.update((writer, reader) for writer in changed for reader in self._readers.get(state, ()))
            if state in read:
                pairs.update((writer, path) for writer in drivers | after)
        if new == EMPTY:
            self._of.pop(path, None)
        else:
            self._of[path] = new
        return {(core, dependent) for core, dependent in pairs if core != dependent}

    def _drivers(self, state: str) -> set[str]:
        """Return the files that drive the readers of a state."""
        writers = self._writers.get(state, set())
        return set(writers) if len(writers) <= MAX_WRITERS else {state.partition("::")[0]} & writers

    def claim(self, core: str, dependent: str, lesson: Lesson | None = None) -> Claim | None:
        """Return the edge that the counts support between two files, None where they support none.

        Args:
            core: The file that would drive the other.
            dependent: The other.
            lesson: What was learned of the two. It counts where the dependent depends on the core in the source.
        """
        # A test sets what it needs on what it tests: that drives nothing but itself.
        if core == dependent or self._is_test(dependent) or self._is_test(core):
            return None
        why: list[str] = []
        line = 0
        after = self._of.get(dependent, EMPTY)
        before = self._of.get(core, EMPTY)
        dependence = after.depends.get(core)
        if dependence is not None and not dependence.is_used and self._is_barrel(dependent):
            dependence = None  # it only passes the name on: who takes it from there is driven
        if dependence is not None and len(self._dependents[core]) >= FAN_IN:
            line = dependence.line
            why.append(f"{dependent}:{line} {dependence.what}, a file that at least {FAN_IN} files depend on")
        shared = self._shared(core, dependent)
        if shared:
            state = shared[0]
            line = line or after.reads[state]
            name = state.partition("::")[2]
            more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
            where = f" in {before.writes[state]}" if before.writes[state] else ""
            why.append(f"{dependent}:{after.reads[state]} reads {name}{more}, which {core} assigns{where}")
        confidence = 1.0
        if lesson is not None and lesson.said and (why or dependence is not None):
            if not why and dependence is not None:
                line, confidence = dependence.line, lesson.confidence
                why.append(f"{dependent}:{line} {dependence.what}")
            why += lesson.said
        if not why:
            return None
        return Claim(
            EdgeKey(core, "DRIVES", dependent),
            "; ".join(why),
            extracted_from=dependent,
            is_causal=True,
            cost="high" if after.has_effects else "normal",
            line=line,
            confidence=confidence,
        )

    def _shared(self, core: str, dependent: str) -> list[str]:
        """Return the states that one file assigns and another reads, sorted."""
        before, after = self._of.get(core, EMPTY), self._of.get(dependent, EMPTY)
        if not dependent.startswith(_shown_in(core)):
            return []
        both = before.writes.keys() & after.reads.keys()
        return sorted(state for state in both if core in self._drivers(state) and _is_seen(state, core, before, after))


def _is_seen(state: str, core: str, before: Contribution, after: Contribution) -> bool:
    """Return whether what one file assigns is, as far as the code shows, the very thing that another reads."""
    if core in after.runs:
        return True
    if state in before.members or state in after.members:
        return False
    return state.startswith(f"{core}::") or state not in before.reads


def _shown_in(path: str) -> str:
    """Return the folder of examples or benchmarks that a file is a part of, with its `/`; empty for one of none."""
    folders = path.split("/")[:-1][:_SHOWS_DEPTH]
    at = next((at for at, name in enumerate(folders, 1) if name in _SHOWS), 0)
    return "".join(f"{name}/" for name in folders[:at])


def _move(index: dict[str, set[str]], path: str, old: Mapping[str, object], new: Mapping[str, object]) -> None:
    """Make an index of who has which state hold for a file's new states."""
    for state in old.keys() - new.keys():
        index[state].discard(path)
        if not index[state]:
            del index[state]
    for state in new.keys() - old.keys():
        index[state].add(path)
