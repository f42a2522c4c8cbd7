"""Small projects for the tests of operations: real graph, tree, store and index, with facts written out by hand."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from memoire.config import Settings
from memoire.episodes.history import History
from memoire.episodes.sessions import fold
from memoire.exercise import Exercise
from memoire.graph import Graph
from memoire.impact.ranking import Impact
from memoire.languages import is_test, language_of
from memoire.linker import Linked
from memoire.memory import AsOf, EventsFunction, Found, Memory, SessionsFunction, Source, SymbolRelation
from memoire.model import Edge, EdgeKey, Event, Evidence, FileFacts, FileRecord, GraphDelta, Session
from memoire.notes.anchors import World
from memoire.notes.keeper import Keeper
from memoire.notes.verdicts import Verdicts
from memoire.operations._spec import Operation
from memoire.relations.lessons import Lessons
from memoire.search import Entry, Scope, SearchIndex
from memoire.store.records import Store
from memoire.tree import Tree

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def event(number: int, summary: str = "", **fields: Any) -> Event:
    """The event of minute `number`, so many minutes before `NOW` as it is below 1,000."""
    values = {"kind": "file_edit", "importance": 0.5, "at": NOW - timedelta(minutes=1000 - number), **fields}
    ms = int(values["at"].timestamp() * 1000)
    return Event(id=f"{ms:012x}-{number:016x}", summary=summary or f"Event {number}", **values)


class Project:
    """A project in a temporary folder, asked as a client asks it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.root.mkdir()
        self.state = folder / "state"
        self.graph = Graph()
        self.tree = Tree(lambda _: None)
        self.facts: dict[str, FileFacts] = {}
        self.texts: dict[str, str] = {}
        self.relations: list[SymbolRelation] = []
        self.events: list[Event] = []
        self.pending: tuple[str, ...] = ()
        self.absent: dict[str, str] = {}
        self.uncommitted: list[str] = []
        self.accessed: list[str] = []
        self.settings = Settings()
        self.as_of = AsOf(7, "8bc2e2e6f8df00aa", "main")
        self.now = NOW
        self.lessons = Lessons()
        self.renamed: dict[str, str] = {}
        self.knows_meaning = True
        self.project_id = "shop_1a2b3c4d"
        self.notes = Keeper(self.root, self.state, lambda: self.now, lambda: self.as_of.commit)

    def add(
        self,
        path: str,
        text: str = "",
        *,
        kind: str = "file",
        language: str = "python",
        age_days: float = 0,
        changes: int = 0,
        accesses: int = 0,
        **facts: Any,
    ) -> None:
        """Add a file with the facts it is said to have; `facts` are the fields of `FileFacts`."""
        self.texts[path] = text
        self.tree.add(path)
        lines = text.count("\n") + (not text.endswith("\n"))
        self.facts[path] = FileFacts(language, sha(text), len(text), lines, **facts)
        self.put(path, kind, language, age_days, changes, accesses)

    def put(self, path: str, kind: str, language: str, age_days: float, changes: int, accesses: int) -> None:
        """Add a file's record to the graph, with its facts where it has any."""
        facts = self.facts.get(path)
        encoded = b"" if facts is None else msgspec.msgpack.encode(facts)
        changed_at = NOW - timedelta(days=age_days)
        record = FileRecord(path, kind, language, "0" * 64, 1, 0, changed_at, changes, accesses, encoded)
        self.tree.add(path)
        self.graph.apply(GraphDelta(files=[record]))

    def link(
        self,
        source: str,
        relation: str,
        target: str,
        rationale: str = "",
        *,
        causal: bool = False,
        cost: str = "normal",
        learned: int = 0,
    ) -> None:
        """Open one edge."""
        key = EdgeKey(source, relation, target)
        edge = Edge(key, rationale or f"{source}:1 says so", source, causal, cost, 1.0, NOW, learned=learned)
        self.graph.apply(GraphDelta(opened=[edge]))

    def ask(self, operation: Operation[Any, Any, Any], **arguments: Any) -> Any:
        """Return the answer as it goes out, decoded from its JSON."""
        return msgspec.json.decode(self.raw(operation, **arguments))

    def raw(self, operation: Operation[Any, Any, Any], **arguments: Any) -> str:
        """Return the compact JSON of the answer."""
        return asyncio.run(self._raw(operation, arguments))

    async def _raw(self, operation: Operation[Any, Any, Any], arguments: Mapping[str, Any]) -> str:
        store = await Store.open(self.state / "store") if self.events else None
        try:
            if store is not None:
                await store.apply(GraphDelta(events=self.events))
            result = await operation.run(self.memory(store), operation.parse(arguments))
        finally:
            if store is not None:
                await store.close()
        return msgspec.json.encode(result).decode()

    def memory(self, store: Store | None = None) -> Memory:
        """Return the project as operations see it; without a store it has no events."""
        events: EventsFunction = _no_events
        sessions: SessionsFunction = _no_sessions
        if store is not None:
            events, sessions = store.events, store.sessions
        return Memory(
            notes=self.notes,
            verdicts=Verdicts(self.notes.book, self.world()),
            renamed=lambda path: self.renamed.get(path, ""),
            root=str(self.root),
            project_id=self.project_id,
            settings=self.settings,
            graph=self.graph,
            tree=self.tree,
            facts=self.facts.get,
            symbol_relations=self._symbol_relations,
            relations_from=self._relations_from,
            search=self._search,
            knows_meaning=lambda: self.knows_meaning,
            events=events,
            sessions=sessions,
            impact=Impact(
                self.graph,
                records={},
                facts=self.facts.get,
                links=lambda _path: Linked(),
                users=lambda _path: (),
                exercise=Exercise(self.facts.get, lambda _path: Linked(), is_test, language_of),
                history=History,
            ),
            uncommitted=self._uncommitted,
            changed_lines=lambda _which, _commit: None,
            closed_edges=_no_closed if store is None else store.closed_edges,
            evidence=self.lessons.between,
            state=self._state,
            as_of=lambda: self.as_of,
            settle=self._settle,
            read_text=self._read_text,
            redact=lambda text: text.replace("hunter2", "[secret]"),
            absence=lambda path: self.absent.get(path, ""),
            record_access=self.accessed.append,
            now=lambda: self.now,
        )

    def world(self) -> World:
        """Return the project as notes see it."""

        def named(name: str) -> list[str]:
            nodes = [f"{path}::{item.name}" for path, facts in self.facts.items() for item in facts.definitions]
            symbols = [node for node in sorted(nodes) if node.partition("::")[2].rpartition(".")[2] == name]
            return list(self.tree.named(name)) or symbols

        return World(
            facts=self.facts.get,
            text=self.texts.get,
            is_file=self.tree.__contains__,
            is_dir=self.tree.is_dir,
            is_package=lambda name: bool(self.graph.edges_in(f"pkg:{name}")),
            named=named,
            callees=lambda node: [item.target for item in self._relations_from(node) if item.relation == "CALLS"],
            renamed=lambda path: self.renamed.get(path, ""),
        )

    async def _state(self, said: Evidence) -> None:
        self.lessons.apply(self.lessons.stated(said))

    async def _uncommitted(self) -> frozenset[str]:
        return frozenset(self.uncommitted)

    def _search(
        self, query: str, *, limit: int, offset: int, kinds: Sequence[str], prefix: str, language: str
    ) -> Sequence[Found]:
        entries = [
            Entry.of(path, node.kind, self.facts[path], text=self.texts.get(path, ""))
            for path in sorted(self.facts)
            if (node := self.graph.node(path)) is not None
        ]
        scope = Scope(kinds=frozenset(kinds), prefix=prefix, language=language)
        index = SearchIndex.open(self.state, version="1")
        try:
            index.apply(entries, events=self.events, generation=1, sessions=fold(self.events).values())
            return index.search(query, read=self.texts.get, limit=limit, offset=offset, scope=scope)
        finally:
            index.close()

    def _symbol_relations(self, node: str) -> list[SymbolRelation]:
        def touches(end: str) -> bool:
            return end == node or end.startswith((f"{node}.", f"{node}::"))

        return [relation for relation in self.relations if touches(relation.source) or touches(relation.target)]

    def _relations_from(self, node: str) -> list[SymbolRelation]:
        return [
            item for item in self.relations if item.source == node or item.source.startswith((f"{node}.", f"{node}::"))
        ]

    async def _settle(self, timeout_s: float) -> Sequence[str]:
        assert timeout_s <= 0.3
        return self.pending

    def _read_text(self, path: str) -> Source | None:
        text = self.texts.get(path)
        return None if text is None else Source(text, sha(text))


async def _no_events(limit: int, **_filters: Any) -> Sequence[Event]:
    assert limit
    return ()


async def _no_closed(limit: int = 0, *, source: str = "", target: str = "") -> Sequence[Edge]:
    del limit, source, target
    return ()


async def _no_sessions(ids: Sequence[str] = (), *, limit: int = 0, after: str = "") -> Sequence[Session]:
    del ids, limit, after
    return ()
