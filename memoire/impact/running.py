"""Which tests run a definition: those that a run saw execute it, and those that may execute it by now.

1. A test that was seen to execute the definition runs it, whatever changed since: where the test itself changed, with
   all the parameters it may have by now.
2. A test that no run saw (it is new, or its runner tells nothing), or that changed itself since, runs what its static
   reach says; a new one also what most tests beside it were seen to execute.
3. A definition that changed since and names something anew may lead where its tests did not come before. From the
   asked definition back over what names it, as far as definitions that no test executed (they are new, or were never
   reached): a changed one that is come by, with tests, and that did not name the last step when they ran, brings them.

A test that was seen, has not changed, and is brought by nothing does not run the definition: its reach is not asked.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

from memoire.exercise import Exercise
from memoire.linker import Linked
from memoire.model import FileFacts
from memoire.runs.observations import Key, Observations, Observed, definition_of, hashes, tests_in

MOST_STEPS = 4
"""Steps back from the definition that is asked about."""
MOST_PLACES = 400
"""Definitions that are looked at on the way."""
MOST_SINGLE = 400
"""Tests that no run saw, of one question, whose reach is looked for one by one: of more the whole file counts."""

LEAST_BESIDE = 3
"""Tests that have to be seen beside a new one before they say what it runs."""

Node = tuple[str, str]


class Running(NamedTuple):
    """One test that runs, or may run, a definition."""

    path: str
    name: str
    """What follows the file in its id: `TestThing::test_it[a]`."""
    how: str
    """observed: a run saw it. changed: what it executes names the definition anew. beside: it is new, and most tests
    beside it execute the definition. reach: no run saw this test as it is now, and it may come by."""
    at: int
    """When a run last saw the test, seconds since the epoch; 0 = never."""
    is_current: bool
    """Whether neither it nor anything it executed has changed since."""
    outcome: str = ""
    """How it ended then: passed, failed, skipped; empty = not known."""
    ms: int = -1
    """How long it took then; -1 = not known."""

    @property
    def node(self) -> str:
        """Its id, as the runner takes it."""
        return f"{self.path}::{self.name}"


class RunningTests:
    """Answers for one project.

    Args:
        observations: What runs saw.
        exercise: What each test may run.
        facts: Path -> its facts.
        links: Path -> its links.
        users: Path -> the files with a reference into it.
    """

    def __init__(
        self,
        observations: Observations,
        exercise: Exercise,
        facts: Callable[[str], FileFacts | None],
        links: Callable[[str], Linked],
        users: Callable[[str], Iterable[str]],
    ) -> None:
        self._seen = observations
        self._exercise = exercise
        self._facts = facts
        self._links = links
        self._users = users

    def observed_tests(self, path: str, symbols: Collection[str], candidates: Iterable[str] = ()) -> list[Running]:
        """Return the tests that run a file, or some definitions of it, as far as runs were seen; by their ids.

        Args:
            path: The file.
            symbols: Definitions of it, those inside them included; empty = the whole file.
            candidates: Files of tests whose static reach leads to the file: of their tests, those that no run saw as
                they are now are asked one by one.
        """
        seen = self._seen
        observed = set(seen.executing(path, symbols or None))
        found = {key: self._running(key, seen.tests[key], "observed") for key in observed}
        if symbols:
            for key in self._brought(path, symbols) - observed:
                found[key] = self._running(key, seen.tests[key], "changed")
        running = frozenset(found)
        self._widen(found)
        for key, how in self._unseen_tests(path, symbols, candidates, running):
            if key not in found:
                known = seen.tests.get(key)
                new = Running(key[0], key[1], how, 0, is_current=False)
                found[key] = new if known is None else self._running(key, known, how)
        return [found[key] for key in sorted(found)]

    def _widen(self, found: dict[Key, Running]) -> None:
        """Let a test that changed itself stand for all its parameters: it may have others by now."""
        for (test, name), one in list(found.items()):
            function = name.partition("[")[0]
            members = self._seen.tests[test, name].members
            if function != name and self._has_changed_itself(test, definition_of(name), members):
                del found[test, name]
                found[test, function] = one._replace(name=function)

    def is_silent(self, test: str) -> bool:
        """Return whether nobody can say which tests a file holds: no run saw one, and its language marks none."""
        return not self._seen.index.of_file(test) and not tests_in(self._facts(test))

    def _running(self, key: Key, one: Observed, how: str) -> Running:
        is_current = one.members >= 0 and not self._seen.index.has_changed([one.members])
        return Running(*key, how, self._seen.runs[one.run].at, is_current, one.outcome, one.ms)

    # ---- tests that no run saw as they are now

    def _unseen_tests(
        self, path: str, symbols: Collection[str], candidates: Iterable[str], running: Collection[Key]
    ) -> Iterator[tuple[Key, str]]:
        """Yield the tests that no run saw as they are now and that may run one of some definitions, and how."""
        asked = 0
        exercise = self._exercise
        for test in sorted({*candidates, *(key[0] for key in running)}):
            new, changed = self._unseen(test)
            for key in new:
                if self._is_beside(key, running):
                    yield key, "beside"
            unseen = [*new, *changed]
            if unseen and not exercise.is_known(test):
                exercise.reached(test)
            if not unseen or (symbols and not exercise.runs(test, path, symbols)):
                continue
            asked += len(unseen)
            for key in unseen:
                if asked > MOST_SINGLE or exercise.may_run(test, definition_of(key[1]), path, symbols):
                    yield key, "reach"

    def _unseen(self, test: str) -> tuple[list[Key], list[Key]]:
        """Return the tests of a file that no run saw, and those that it saw otherwise; parameters aside."""
        known: dict[str, Observed] = {}
        for name, one in self._seen.index.of_file(test):
            if one.members >= 0:
                known.setdefault(definition_of(name), one)
        new, changed = [], []
        for name in sorted(tests_in(self._facts(test))):
            seen = known.get(name)
            key = (test, name.replace(".", "::"))
            if seen is None:
                new.append(key)
            elif seen.has_left or self._names_more(test, name, seen.members):
                changed.append(key)
        return new, changed

    def _is_beside(self, key: Key, running: Collection[Key]) -> bool:
        """Return whether most tests of the same class, or else of the same file, run what is asked."""
        test, name = key
        seen = [other for other, one in self._seen.index.of_file(test) if one.members >= 0]
        owner = _class_of(name)
        near = [other for other in seen if _class_of(other) == owner]
        group = near if len(near) >= LEAST_BESIDE else seen
        count = sum((test, other) in running for other in group)
        return len(group) >= LEAST_BESIDE and 2 * count > len(group)

    def _has_changed_itself(self, test: str, name: str, members: int) -> bool:
        return any(self._seen.is_changed(number) for number in self._own(test, name, members))

    def _names_more(self, test: str, name: str, members: int) -> bool:
        """Return whether a test changed and names something that it did not: with other values it runs the same."""
        for number in self._own(test, name, members):
            item = self._seen.seen[number]
            if self._seen.is_changed(number):
                return not item.knows_named or not hashes(self._seen.named(test, name)) <= hashes(item.named)
        return False

    def _own(self, test: str, name: str, members: int) -> set[int]:
        """Return the places in `seen` of the definition that a test is, as it was when it was seen."""
        known = self._seen.sets[members] if members >= 0 else ()
        return set(self._seen.index.numbers(test, [name])).intersection(known)

    # ---- tests that a change brings

    def _brought(self, path: str, symbols: Collection[str]) -> set[Key]:
        """Return the tests that executed a definition which changed since and now leads to one of these."""
        found: set[Key] = set()
        start = [(path, symbol) for symbol in symbols]
        known = set(start)
        level: list[Node] = start
        for _ in range(MOST_STEPS):
            before: list[Node] = []
            for node in level:
                for caller in self._callers(node):
                    if caller in known or len(known) > MOST_PLACES:
                        continue
                    numbers = self._seen.index.numbers(caller[0], [caller[1]])
                    if not numbers:
                        known.add(caller)
                        before.append(caller)
                        continue
                    fresh = [number for number in numbers if self._is_new(number, node)]
                    found.update(self._seen.index.tests_of(fresh))
            level = before
        return found

    def _callers(self, node: Node) -> list[Node]:
        """Return the definitions that name this one, or its class where it runs without being named."""
        path, name = node
        wanted = self._names(node)
        found = [
            (user, item.scope)
            for user in sorted(set(self._users(path)) | {path})
            for item in self._links(user).references
            if item.path == path and item.symbol in wanted and item.scope
        ]
        if "." in name:
            found += self._selectors(name.rpartition(".")[2])
        return list(dict.fromkeys(found))

    def _names(self, node: Node) -> set[str]:
        """Return what a definition is named by: itself, and its class or module where it runs without being named."""
        path, name = node
        owner, _, last = name.rpartition(".")
        return {name, owner} if self._exercise.runs_unnamed(path, last, owner) else {name}

    def _selectors(self, name: str) -> list[Node]:
        """Return the changed definitions that select a member of this name of anything."""
        changed = self._seen.index.changed()
        nodes = {(item.path, item.name) for item, is_so in zip(self._seen.seen, changed, strict=True) if is_so}
        return [node for node in sorted(nodes) if name in self._seen.selected(*node)]

    def _is_new(self, number: int, node: Node) -> bool:
        """Return whether a definition that was executed changed since, and did not name this one then."""
        item = self._seen.seen[number]
        if not self._seen.is_changed(number):
            return False
        if not item.knows_named:
            return True
        path, name = node
        last = name.rpartition(".")[2]
        asked = {crc32(f"{path}\0{symbol}".encode("utf-8", "surrogatepass")) for symbol in self._names(node)}
        asked.add(crc32(b"." + last.encode("utf-8", "surrogatepass")))
        return asked.isdisjoint(hashes(item.named))


def _class_of(name: str) -> str:
    """Return the class of a test, of what follows the file in its id; empty for a function of the file."""
    return name.partition("[")[0].rpartition("::")[0]
