"""What changed files come to: the only place where edges are opened and closed.

`Processor.plan` takes the new facts of the files that changed and returns one `GraphDelta`. It keeps what is derived
from all files (how names resolve, who depends on whom) in memory, rebuilds it from the stored facts at start, and
touches with each change only the files that lean on it: `linker` and `relations.drives` say which.

Law: after any sequence of plans, the open edges equal those of one plan of the final files.
"""

import logging
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec

from memoire.citing import Citing
from memoire.effects import PUBLISHED
from memoire.exercise import Exercise
from memoire.graph import Graph
from memoire.languages import is_test, language_of
from memoire.linker import Linked, Linker
from memoire.model import (
    Claim,
    Edge,
    EdgeKey,
    Event,
    Evidence,
    FileChange,
    FileFacts,
    FileRecord,
    GraphDelta,
    Problem,
    parse_path,
)
from memoire.relations import asserts_on, imports
from memoire.relations.drives import EMPTY, Contribution, Drives, contribution
from memoire.relations.lessons import LEARNED, Lessons
from memoire.runs.observations import Observations
from memoire.symbol_graph import SymbolGraph
from memoire.tree import Tree

logger = logging.getLogger(__name__)

T = TypeVar("T")

_DECODER = msgspec.msgpack.Decoder(FileFacts)
_ENCODER = msgspec.msgpack.Encoder()
_LINKS = msgspec.msgpack.Decoder(Linked)
_UNLINKED = Problem("unlinked", "what its names lead to could not be found out; the log says why")
_KEPT_FACTS = 3_000
"""Decoded facts kept in memory; the encoded ones are all kept."""


def encode_facts(facts: FileFacts) -> bytes:
    """Return the facts as they are stored: without the words of the search index."""
    return _ENCODER.encode(msgspec.structs.replace(facts, words="") if facts.words else facts)


class Processor:
    """The derived state of one project.

    Args:
        graph: The open edges; the caller applies each delta to it after the store took it.
        read: Returns the bytes of a small configuration file of the project, or None.
        document_kinds: Pattern -> kind of document, from the settings.
    """

    def __init__(
        self, graph: Graph, read: Callable[[str], bytes | None], document_kinds: Mapping[str, str] | None = None
    ) -> None:
        self._graph = graph
        self.tree = Tree(read)
        self.records: dict[str, FileRecord] = {}
        self.learned: dict[str, tuple[int, int]] = {}
        """Path -> (changes, accesses) of files whose record was lost: what the event log still knew."""
        self.lessons = Lessons()
        """What was learned beside what the files say; changed here alone, but before `loading`."""
        self._decoded: dict[str, FileFacts] = {}
        self._links: dict[str, bytes] = {}
        self._linker = Linker(self.tree, language_of, self.facts)
        self.citing = Citing(self.tree, document_kinds or {})
        self._drives = Drives(is_test, _is_barrel)
        self.exercise = Exercise(self.facts, self.links, is_test, language_of)
        """What each test may run."""
        self.observations = Observations(self.facts, self.links)
        """What each test was seen to run."""
        self._behind: set[str] = set()
        """Tests whose reach may differ by now, and who are looked at when there is time."""
        self._knows_tests = True
        self._voided: set[str] = set()
        """Files to whose facts linking added something in this plan."""
        self._unlinked: set[str] = set()
        """Files that could not be linked: they are tried again with every plan."""
        self._referrers: dict[str, set[str]] = {}
        """File -> files with a reference into it."""
        self.symbols = SymbolGraph(self.facts, self.links, self.users, self._links.get)

    # ---- reading

    def facts(self, path: str) -> FileFacts | None:
        """Return the facts of a file, None where it has none."""
        known = self._decoded.get(path)
        if known is None:
            record = self.records.get(path)
            if record is None or not record.facts:
                return None
            if len(self._decoded) >= _KEPT_FACTS:
                self._decoded.clear()
            known = self._decoded[path] = _DECODER.decode(record.facts)
        return known

    def kind_of(self, path: str) -> str:
        """Return what kind of node a path is: file or document."""
        language = language_of(path)
        return language.kind if language else "file"

    def links(self, path: str) -> Linked:
        """Return the links of a file."""
        data = self._links.get(path)
        return _LINKS.decode(data) if data else Linked()

    def depends(self, one: str, other: str) -> bool:
        """Return whether one of two files imports the other or uses its definitions, for more than types."""
        return one in self._drives.dependents(other) or other in self._drives.dependents(one)

    def users(self, path: str) -> Iterable[str]:
        """Return the files with a reference to something in this one."""
        return sorted(self._referrers.get(path, ()))

    # ---- starting

    def loading(self, records: Iterable[FileRecord], *, are_tests_behind: bool = False) -> Generator[None]:
        """Take in what the store holds, before anything is planned; open edges stay. Yields between files.

        Args:
            records: All files.
            are_tests_behind: Whether what tests claim may be older than the files.
        """
        for record in records:
            self.records[record.path] = record
            self.tree.add(record.path)
        for path in self.records:
            facts = self.facts(path)
            self.citing.enter(path, facts)
            self._declare(path, facts)
            if facts is not None and _UNLINKED in facts.problems:
                self._unlinked.add(path)  # the store lacks edges of it
            yield
        for path in sorted(self.records):
            self._relink(path)
            self._flag(path)
            yield
        self._knows_tests = are_tests_behind
        if are_tests_behind:
            self._behind = {path for path in self.records if self._holds_tests(path)}

    # ---- planning

    def plan(
        self,
        changes: Sequence[FileChange],
        gone: Sequence[str],
        *,
        now: datetime,
        events: Sequence[Event] = (),
        moved: Mapping[str, str] | None = None,
    ) -> GraphDelta:
        """Return what `planning` returns, without a pause."""
        steps = self.planning(changes, gone, now=now, events=events, moved=moved)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                delta: GraphDelta = end.value
                return delta

    def planning(
        self,
        changes: Sequence[FileChange],
        gone: Sequence[str],
        *,
        now: datetime,
        events: Sequence[Event] = (),
        moved: Mapping[str, str] | None = None,
        most_tests: int | None = None,
        learned: Iterable[Evidence] = (),
        taught: Iterable[EdgeKey] = (),
    ) -> Generator[None, None, GraphDelta]:
        """Return what a batch of changes does to the stored files and the open edges. Yields between files.

        Args:
            changes: Files that are new or whose content changed.
            gone: Files that are no more.
            now: When the edges that open or close do so.
            events: What happened, stored in the same transaction.
            moved: New path -> old path of files whose history goes on under another name.
            most_tests: How many tests beside those that changed themselves are looked at now; None = all that a
                change may matter to. The others are `behind`, until a later plan.
            learned: Pieces of evidence that are new or revised.
            taught: Keys of edges of which other learned evidence differs.
        """
        dirty: set[str] = set()
        questions: set[str] = set()
        left: dict[str, FileRecord] = {}
        for path in gone:
            questions |= self.tree.discard(path) | self.citing.enter(path, None) | self.tree.declare(path, None)
            dirty |= self._leave(path)
            record = self.records.pop(path, None)
            if record is not None:
                left[path] = record
        self._behind |= self.observations.rename(moved or {})
        files = []
        again, self._unlinked = (self._unlinked, set[str]()) if changes or gone else (set[str](), self._unlinked)
        for change in changes:
            path = change.path
            questions |= self.tree.add(path) or self.tree.changed(path)
            questions |= self.citing.enter(path, change.facts)
            questions |= self._declare(path, change.facts)
            old_path = (moved or {}).get(path, path)
            files.append(self._enter(change, self.records.get(old_path) or left.get(old_path), dirty))
            yield
        for path in sorted({*self._linker.grouping.moved(questions), *again}):
            questions |= self._declare(path, self.facts(path))
        dirty |= self._linker.affected_by_tree(questions) | self.citing.affected(questions) | again
        claims, pairs = yield from self._linking(dirty)
        tests = yield from self._testing(dirty, claims, most_tests)
        for path in again | self._unlinked:
            self._flag(path)
        # Linking may have marked effects of files that did not change themselves.
        written = {record.path for record in files} | self._voided
        files = [self.records[path] for path in sorted(written) if path in self.records]
        self._voided.clear()
        # Edges under the old names and under the new ones.
        asked = {*taught, *self.lessons.touching(dirty | tests)}
        pieces = [*self.lessons.carried(moved or {}), *learned]
        asked |= self.lessons.apply(pieces) | self.lessons.touching(dirty | tests)
        delta = self._difference((dirty, tests, pairs), claims, (files, gone, now, events), asked)
        return msgspec.structs.replace(delta, evidence=pieces) if pieces else delta

    def expect(self, tests: Iterable[str]) -> None:
        """Let tests be looked at again, of which a run was taken in."""
        self._behind |= {path for path in tests if path in self.records and self._holds_tests(path)}

    @property
    def behind(self) -> str:
        """Not empty while what some tests claim may be older than the files."""
        return "tests" if self._behind else ""

    def _testing(
        self, dirty: set[str], claims: dict[EdgeKey, Claim], most: int | None
    ) -> Generator[None, None, set[str]]:
        """Add what the tests claim whose reach may differ; return those tests, and the dirty files that hold none."""
        tests = {path for path in dirty if path in self.records and self._holds_tests(path)}
        for path in dirty - tests:
            self.exercise.forget(path)
        self._behind |= self.exercise.affected(dirty) | self.observations.touched(dirty)
        self._behind &= self.records.keys()
        if dirty and not self._knows_tests:
            # Since the start nobody asked what the tests rest on.
            all_tests = {path for path in self.records if self._holds_tests(path)}
            self._behind |= {path for path in all_tests if not self.exercise.is_known(path)}
            self._knows_tests = True
        self._behind -= dirty
        # With a save that many tests may feel none of them is looked at: they wait for a quiet moment.
        now = set(sorted(self._behind)[:most]) if not dirty or most is None or len(self._behind) <= most else set[str]()
        affected = tests | now
        self._behind -= affected
        for path in sorted(affected):
            claims |= {claim.key: claim for claim in self._attempt(path, self._asserted, list[Claim]())}
            yield
        return affected | dirty

    def _holds_tests(self, path: str) -> bool:
        language, facts = language_of(path), self.facts(path)
        if language is None or facts is None:
            return False
        if language.is_test(path):
            return language.holds_tests(facts)
        return language.has_inner_tests and any(item.is_test for item in facts.definitions)

    def _leave(self, path: str) -> set[str]:
        """Forget a file that is gone; return the files that leaned on it, and itself."""
        affected = self._linker.affected_by_facts(path, self.facts(path), None)
        self._decoded.pop(path, None)
        self._linker.drop(path)
        return affected | {path}

    def _enter(self, change: FileChange, old: FileRecord | None, dirty: set[str]) -> FileRecord:
        path = change.path
        before = self.facts(path)
        learned = self.learned.get(path, (0, 0))
        record = FileRecord(
            path=path,
            kind=self.kind_of(path),
            language=change.facts.language,
            sha=change.facts.sha,
            size=change.facts.size,
            mtime_ns=change.mtime_ns,
            changed_at=change.changed_at,
            changes=old.changes + (old.sha != change.facts.sha) if old else learned[0],
            accesses=old.accesses if old else learned[1],
            facts=encode_facts(change.facts),
        )
        self.records[path] = record
        self._decoded[path] = change.facts
        dirty.add(path)
        dirty |= self._linker.affected_by_facts(path, before, change.facts)
        self._linker.forget(path)
        return record

    def _linking(self, dirty: set[str]) -> Generator[None, None, tuple[dict[EdgeKey, Claim], set[tuple[str, str]]]]:
        """Link what is dirty again; return what it claims and the promoted edges that may differ."""
        claims: dict[EdgeKey, Claim] = {}
        pairs: set[tuple[str, str]] = set()
        for path in sorted(dirty):
            derived, changed = self._relink(path)
            pairs |= changed
            claims |= {claim.key: claim for claim in derived}
            yield
        return claims, pairs

    def _difference(
        self,
        what: tuple[set[str], set[str], set[tuple[str, str]]],
        claims: dict[EdgeKey, Claim],
        rest: tuple[list[FileRecord], Sequence[str], datetime, Sequence[Event]],
        asked: set[EdgeKey],
    ) -> GraphDelta:
        """Return the delta between what is claimed now and the open edges of the dirty files, the tests and pairs.

        Of the edges that are asked for, what was learned is looked at as well.
        """
        dirty, tests, pairs = what
        pairs |= {(key.source, key.target) for key in asked if key.relation == "DRIVES"}
        files, gone, now, events = rest
        stale = {
            edge.key: edge
            for path in dirty | tests
            for edge in self._graph.edges_from_file(path)
            if edge.key.relation == "ASSERTS_ON" or (path in dirty and edge.key.relation != "DRIVES")
        }
        for core, dependent in pairs:
            key = EdgeKey(core, "DRIVES", dependent)
            edge = self._graph.edge(key)
            if edge is not None:
                stale[key] = edge
            lesson = self.lessons.lesson(key)
            promoted = self._drives.claim(core, dependent, lesson) if core in self.records else None
            if promoted is not None:
                claims[key] = promoted
            elif lesson.count:
                asked.add(key)
        self._ask_lessons(asked, claims, stale)
        opened, updated = [], []
        for key, claim in sorted(claims.items()):
            old = stale.pop(key, None) or self._graph.edge(key)
            if old is None:
                opened.append(self._edge(claim, now))
            elif not _same(old, claim) or old.learned != self._learned(claim):
                updated.append(self._edge(claim, old.valid_from, old))
        old_edges = [edge for _, edge in sorted(stale.items())]
        closed = [msgspec.structs.replace(edge, valid_to=max(now, edge.valid_from)) for edge in old_edges]
        return GraphDelta(
            files=files, gone=tuple(gone), opened=opened, closed=closed, updated=updated, events=tuple(events)
        )

    def _ask_lessons(self, keys: Iterable[EdgeKey], claims: dict[EdgeKey, Claim], stale: dict[EdgeKey, Edge]) -> None:
        """Add what learned evidence alone supports to the claims, and what it no longer does to what is stale."""
        for key in keys:
            if key in claims or key.relation == "CHANGES_WITH":  # those are looked at all at once: `companions`
                continue
            edge = self._graph.edge(key)
            if edge is not None and key not in stale and edge.extracted_from != LEARNED:
                claims[key] = _claim_of(edge)  # as the tree says; it may have been seen more often
            elif self._is_there(key.source) and self._is_there(key.target) and (found := self.lessons.claim(key)):
                claims[key] = found
            elif edge is not None:
                stale[key] = edge

    def _is_there(self, node: str) -> bool:
        return parse_path(node)[0] in self.records

    def _learned(self, claim: Claim) -> int:
        """Return how often learned evidence confirmed an edge, beside the sighting that made it."""
        count = self.lessons.count(claim.key)
        return max(count - 1, 0) if claim.extracted_from == LEARNED else count

    def _edge(self, claim: Claim, since: datetime, old: Edge | None = None) -> Edge:
        record = self.records.get(claim.extracted_from)
        return Edge(
            key=claim.key,
            rationale=claim.rationale,
            extracted_from=claim.extracted_from,
            is_causal=claim.is_causal,
            cost=claim.cost,
            confidence=claim.confidence,
            valid_from=since,
            changes_before=old.changes_before if old else record.changes if record else 0,
            learned=self._learned(claim),
            line=claim.line,
        )

    # ---- one file

    def _attempt(self, path: str, work: Callable[[str], T], otherwise: T) -> T:
        """Return what is made of a file; `otherwise` where that failed: then it is the file's problem."""
        try:
            return work(path)
        except Exception:  # boundary: links of a file
            logger.exception("file not linked path=%s", path)
            self._unlinked.add(path)
            return otherwise

    def _declare(self, path: str, facts: FileFacts | None) -> set[str]:
        """Note what a file declares to all others; return the questions whose answers may differ now."""
        return self.tree.declare(path, self._attempt(path, lambda each: self._linker.declared(each, facts), None))

    def _relink(self, path: str) -> tuple[list[Claim], set[tuple[str, str]]]:
        """Link one file again; return what it claims and the promoted edges that may differ."""
        old = self.links(path)
        linked = self._attempt(path, self._linker.link, Linked()) if path in self.records else Linked()
        claims = self._attempt(path, lambda each: list(self._derive(each, linked)), list[Claim]())
        self._mark_effects(path, linked)
        for reference in old.references:
            self._referrers.get(reference.path, set()).discard(path)
        for reference in linked.references:
            self._referrers.setdefault(reference.path, set()).add(path)
        if linked.references or linked.imports:
            self._links[path] = _ENCODER.encode(linked)
        else:
            self._links.pop(path, None)
        return claims, self._drives.replace(path, self._contribution(path, linked))

    def _mark_effects(self, path: str, linked: Linked) -> None:
        """Make the effects of a file those of its own text, the void ones marked, and those that linking found."""
        facts = self.facts(path) if path in self.records else None
        if facts is None:
            return
        void = set(linked.void_effects)
        own = (item for item in facts.effects if not item.is_linked)
        effects = tuple(
            item if item.is_void == (index in void) else msgspec.structs.replace(item, is_void=index in void)
            for index, item in enumerate(own)
        )
        if effects + linked.effects != facts.effects:
            self._renew(path, msgspec.structs.replace(facts, effects=effects + linked.effects))

    def _flag(self, path: str) -> None:
        """Name it as a problem of a file that it could not be linked, or no longer."""
        facts = self.facts(path)
        if facts is not None and (_UNLINKED in facts.problems) != (path in self._unlinked):
            others = tuple(problem for problem in facts.problems if problem != _UNLINKED)
            self._renew(path, msgspec.structs.replace(facts, problems=others + (_UNLINKED,) * (path in self._unlinked)))

    def _renew(self, path: str, facts: FileFacts) -> None:
        """Keep facts to which linking added something; they are written with the plan."""
        self._decoded[path] = facts
        self.records[path] = msgspec.structs.replace(self.records[path], facts=encode_facts(facts))
        self._voided.add(path)

    def _contribution(self, path: str, linked: Linked) -> Contribution:
        facts = self.facts(path) if path in self.records else None
        language = language_of(path)
        if facts is None or language is None or language.is_setting:
            return EMPTY
        has_effects = any(item.category in PUBLISHED and not item.is_void for item in facts.effects)
        return contribution(path, linked, has_effects=has_effects, is_barrel=_is_barrel(path))

    def _asserted(self, path: str) -> list[Claim]:
        """Return what a test claims to exercise."""
        seen, reached = self.observations.of(path), self.exercise.reached(path)
        return list(asserts_on.claims(path, self.links(path), reached, is_test, self.exercise.exercises, seen))

    def _derive(self, path: str, linked: Linked) -> Iterable[Claim]:
        """Yield what the facts of one file support by themselves; nothing for a file that is gone."""
        facts = self.facts(path) if path in self.records else None
        yield from self.citing.claims(path, facts)
        if facts is None:
            return
        yield from imports.claims(path, linked, _is_barrel)


def _is_barrel(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.is_barrel(path)


def _claim_of(edge: Edge) -> Claim:
    return Claim(edge.key, edge.rationale, edge.extracted_from, edge.is_causal, edge.cost, edge.line, edge.confidence)


def _same(edge: Edge, claim: Claim) -> bool:
    return (
        edge.rationale == claim.rationale
        and edge.is_causal == claim.is_causal
        and edge.cost == claim.cost
        and edge.confidence == claim.confidence
        and edge.extracted_from == claim.extracted_from
    )
