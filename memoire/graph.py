"""The in-memory graph: files, documents and the open edges between them, with their published scores.

It mirrors the store: `apply` takes the same delta after each commit. Everything that ranks or walks reads here.
What is derived (reachability, rankings) is computed when it is asked for and kept until a node or an edge changes.

Symbols stand for their file: an edge that ends at `path::Class` is indexed, scored and walked at `path`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from datetime import UTC, datetime
from sys import intern
from typing import TypeVar

import msgspec

from memoire.effects import PUBLISHED
from memoire.model import Edge, EdgeKey, Effect, FileRecord, GraphDelta
from memoire.propagation import Propagation
from memoire.relations._spec import PACKAGE, is_ranked, propagation
from memoire.scorer import (
    NO_SCORE,
    NodeScore,
    NodeStats,
    RankedEdge,
    node_score,
    rank_edge,
    rank_order,
)
from memoire.shortlist import Shortlist

T = TypeVar("T")


class Node(msgspec.Struct, frozen=True, gc=False):
    """A file or a document of the project."""

    path: str
    kind: str
    """file or document."""
    language: str
    changed_at: datetime
    changes: int
    """Content changes seen since first index."""
    accesses: int
    size: int
    summary: str = ""
    """First sentence of its docstring; a document's title."""
    effects: tuple[str, ...] = ()
    """The published side effects it has, in their published order."""
    uses: tuple[str, ...] = ()
    """Other categories of effect (env, clock …), sorted."""
    problems: tuple[str, ...] = ()
    """Codes of what kept it from being understood, each once."""
    is_read: bool = True
    """False where nothing of its content is known: no facts were made."""


class Cycle(msgspec.Struct, frozen=True, gc=False):
    """Files that all drive each other."""

    size: int
    members: tuple[str, ...]
    """The first of them in alphabetical order."""


class _Coded(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The first field of a `Problem`: its code."""

    code: str


class _FactsView(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The few fields of `FileFacts` that a node needs: the rest is skipped, not decoded."""

    language: msgspec.Raw
    sha: msgspec.Raw
    size: msgspec.Raw
    lines: msgspec.Raw
    summary: str = ""
    definitions: msgspec.Raw = msgspec.Raw()
    imports: msgspec.Raw = msgspec.Raw()
    uses: msgspec.Raw = msgspec.Raw()
    effects: tuple[Effect, ...] = ()
    exports: msgspec.Raw = msgspec.Raw()
    mentions: msgspec.Raw = msgspec.Raw()
    problems: tuple[_Coded, ...] = ()


class _Followed(msgspec.Struct):
    """What is kept of all nodes, and which of them are news to it."""

    key: object
    value: object
    news: set[str]


_view = msgspec.msgpack.Decoder(_FactsView)


class Graph:
    """The nodes and open edges of one project. Not safe for threads: one task applies, the same loop reads."""

    def __init__(self) -> None:
        self.version = 0
        """Rises with every delta that changes a node or an edge."""
        self.shape = 0
        """As `version`, but not with access counts."""
        self._nodes: dict[str, Node] = {}
        self._edges: dict[EdgeKey, Edge] = {}
        # Keys, not edges, by file: the very objects that the edges hold, so that they can be told by identity.
        self._out: dict[str, list[EdgeKey]] = {}
        self._in: dict[str, list[EdgeKey]] = {}
        self._from: dict[str, list[EdgeKey]] = {}
        self._of_relation: Counter[str] = Counter()
        self._times: dict[datetime, datetime] = {}
        self._propagation = Propagation(self._nodes)
        self._shortlist = Shortlist(
            self._edges,
            around=self._around,
            totals=lambda at: {path: score.total for path, score in self.scores(now=at).items()},
            total=lambda path, at: self.score(path, now=at).total,
            file_of=_file,
            observations=self.observations,
        )
        self._derived: dict[str, tuple[object, object]] = {}
        self._followed: dict[str, _Followed] = {}

    # ---- taking in ----

    def apply(self, delta: GraphDelta) -> None:
        """Take in one delta: files gone, files changed, access counts, edges closed, edges opened and updated.

        In this order, so that what one batch deletes and makes again is there at the end. Applying a delta twice is
        applying it once. A closed edge that is not open is passed over; an opened one that is open is replaced.
        """
        touched = bool(delta.files or delta.gone or delta.closed or delta.opened or delta.updated)
        if not touched and not delta.accesses:
            return
        self.version += 1
        self.shape += touched
        self._touch({*delta.gone, *(record.path for record in delta.files)})
        self._shortlist.touch(delta.accesses)
        for edges in (delta.closed, delta.opened, delta.updated):
            self._shortlist.touch(keys=(edge.key for edge in edges))
        for path in delta.gone:
            if self._nodes.pop(path, None) is not None:
                self._propagation.went(path)
        for record in delta.files:
            self._put(record)
        for path, accesses in delta.accesses.items():
            node = self._nodes.get(path)
            if node is not None:
                self._nodes[path] = msgspec.structs.replace(node, accesses=accesses)
        self._close(delta.closed)
        for edges in (delta.opened, delta.updated):
            for edge in edges:
                self._open(edge)

    def _put(self, record: FileRecord) -> None:
        path = intern(record.path)
        is_new = path not in self._nodes
        self._nodes[path] = _node(path, record)
        if is_new:
            self._propagation.came(path)

    def _open(self, edge: Edge) -> None:
        old = self._edges.get(edge.key)
        new = self._lean(edge, edge.key if old is None else old.key)
        self._edges[new.key] = new
        if old is None or edge.is_causal != old.is_causal:
            self._follow(new, is_open=new.is_causal, was_open=old is not None and old.is_causal)
        if old is None:
            self._of_relation[new.key.relation] += 1
            self._out.setdefault(_file(new.key.source), []).append(new.key)
            self._in.setdefault(_file(new.key.target), []).append(new.key)
        elif old.extracted_from == new.extracted_from:
            return
        else:
            _drop(self._from, [(old.extracted_from, old.key)])
        self._from.setdefault(new.extracted_from, []).append(new.key)

    def _close(self, edges: Sequence[Edge]) -> None:
        closed = [old for edge in edges if (old := self._edges.pop(edge.key, None)) is not None]
        if not closed:
            return
        self._of_relation.subtract(edge.key.relation for edge in closed)
        _drop(self._out, [(_file(edge.key.source), edge.key) for edge in closed])
        _drop(self._in, [(_file(edge.key.target), edge.key) for edge in closed])
        _drop(self._from, [(edge.extracted_from, edge.key) for edge in closed])
        for edge in closed:
            self._follow(edge, is_open=False, was_open=edge.is_causal)

    def _follow(self, edge: Edge, *, is_open: bool, was_open: bool) -> None:
        """Let the propagation know of an edge that begins or ceases to cause something."""
        ends = change_path(edge) if is_open != was_open else None
        if ends is not None and ends[0] != ends[1]:
            (self._propagation.add if is_open else self._propagation.drop)(*ends)

    def _settle(self) -> None:
        """Bring up to date what follows from the causal edges, and tell of it."""
        changed = self._propagation.settle()
        if changed is None:
            self._shortlist.move()
            self._followed.clear()
        elif changed:
            self._touch(changed)

    def _touch(self, paths: Set[str]) -> None:
        """Note files that are new, changed, gone, or scored otherwise."""
        self._shortlist.touch(paths)
        for followed in self._followed.values():
            followed.news |= paths

    def _lean(self, edge: Edge, key: EdgeKey) -> Edge:
        """Return the edge with every string, time and number that others have too taken from them.

        What is decoded from the store comes with its own copy of each path: at 300,000 edges that is 100 MB.
        """
        if len(self._times) > 10_000:
            self._times.clear()
        return Edge(
            key=EdgeKey(intern(key.source), intern(key.relation), intern(key.target)) if key is edge.key else key,
            rationale=edge.rationale,
            extracted_from=intern(edge.extracted_from),
            is_causal=edge.is_causal,
            cost=intern(edge.cost),
            confidence=1.0 if edge.confidence == 1.0 else edge.confidence,
            valid_from=self._times.setdefault(edge.valid_from, edge.valid_from),
            valid_to=edge.valid_to,
            changes_before=edge.changes_before,
            learned=edge.learned,
            line=edge.line,
        )

    # ---- nodes and edges ----

    def __len__(self) -> int:
        """Return the number of files and documents."""
        return len(self._nodes)

    def node(self, path: str) -> Node | None:
        """Return the file or document of this path; None for packages, directories and unknown paths."""
        return self._nodes.get(path)

    def nodes(self) -> Iterable[Node]:
        """Return all files and documents, in no order."""
        return self._nodes.values()

    def edge(self, key: EdgeKey) -> Edge | None:
        """Return the open edge of this key."""
        return self._edges.get(key)

    def edges(self) -> Iterable[Edge]:
        """Return all open edges, in no order."""
        return self._edges.values()

    @property
    def edge_count(self) -> int:
        """The number of open edges."""
        return len(self._edges)

    @property
    def ranked_count(self) -> int:
        """The number of candidates for `relationships`."""
        return sum(count for relation, count in self._of_relation.items() if is_ranked(relation))

    def edges_out(self, node: str) -> list[Edge]:
        """Return the open edges that start at a node; for a file also those that start at its symbols."""
        keys = self._out.get(_file(node), ())
        return [self._edges[key] for key in keys if "::" not in node or key.source == node]

    def edges_in(self, node: str) -> list[Edge]:
        """Return the open edges that end at a node; for a file also those that end at its symbols."""
        keys = self._in.get(_file(node), ())
        return [self._edges[key] for key in keys if "::" not in node or key.target == node]

    def edges_of(self, node: str) -> list[Edge]:
        """Return the open edges that start or end at a node, each once; for a file its symbols' too."""
        out = self.edges_out(node)
        seen = {id(edge) for edge in out}
        return out + [edge for edge in self.edges_in(node) if id(edge) not in seen]

    def degree(self, path: str) -> int:
        """Return how many open edges start or end at a file or one of its symbols; those within it count twice."""
        return len(self._out.get(path, ())) + len(self._in.get(path, ()))

    def edges_from_file(self, path: str) -> list[Edge]:
        """Return the open edges that rest on the content of this file."""
        return [self._edges[key] for key in self._from.get(path, ())]

    def packages(self) -> Iterator[str]:
        """Yield the names of the external packages that something imports, without `pkg:`, in no order."""
        return (node.removeprefix(PACKAGE) for node in self._in if node.startswith(PACKAGE))

    def observations(self, edge: Edge) -> int:
        """Return how often an edge was seen: once, plus each later change of its file, plus what was learned."""
        node = self._nodes.get(edge.extracted_from)
        changes = 0 if node is None else node.changes - edge.changes_before
        # A count cannot fall below the one sighting that made the edge, whatever a damaged store says.
        return 1 + max(0, changes) + max(0, edge.learned)

    def _around(self, path: str) -> Iterator[EdgeKey]:
        """Yield the keys of the open edges that start, end or rest at a file; some twice."""
        for index in (self._out, self._in, self._from):
            yield from index.get(path, ())

    # ---- propagation ----

    def reachability(self, path: str) -> int:
        """Return how many other files and documents a change of this one reaches along open causal edges."""
        self._settle()
        return self._propagation.reachability(path)

    def causal_in(self, path: str) -> int:
        """Return how many other files and documents have a causal edge that propagates into this one."""
        self._settle()
        return self._propagation.causal_in(path)

    def cycles(self, *, limit: int = 20, members: int = 20) -> list[Cycle]:
        """Return the groups of files that drive each other in a circle, the largest first, at most `limit`.

        Args:
            limit: Groups returned.
            members: Paths named of each group.
        """
        groups = sorted(self._propagation.cycles(), key=lambda group: (-len(group), group))
        return [Cycle(size=len(group), members=group[:members]) for group in groups[:limit]]

    # ---- scores ----

    def stats(self, path: str) -> NodeStats | None:
        """Return the scorer's input for a file or document; None for anything else."""
        node = self._nodes.get(path)
        self._settle()
        return None if node is None else self._stats(node)

    def score(self, node: str, *, now: datetime) -> NodeScore:
        """Return a node's score: a symbol has its file's, a package and an unknown path have none."""
        stats = self.stats(_file(node))
        return NO_SCORE if stats is None else node_score(stats, now=now)

    def scores(self, *, now: datetime) -> dict[str, NodeScore]:
        """Return the score of every file and document."""
        self._settle()
        return {path: node_score(self._stats(node), now=now) for path, node in self._nodes.items()}

    def rank(self, edges: Iterable[Edge], *, now: datetime) -> list[RankedEdge]:
        """Return these edges with their scores, the best first; equal ones by source, relation and target."""
        scores: dict[str, NodeScore] = {}  # of the ends met: the edges of one node share it

        def score(node: str) -> NodeScore:
            found = scores.get(node)
            if found is None:
                found = scores[node] = self.score(node, now=now)
            return found

        ranked = [
            rank_edge(edge, self.observations(edge), score(edge.key.source), score(edge.key.target)) for edge in edges
        ]
        ranked.sort(key=rank_order)
        return ranked

    def ranked_edges(self, *, now: datetime) -> list[RankedEdge]:
        """Return every candidate for `relationships`, the best first."""
        return self.rank((edge for edge in self._edges.values() if is_ranked(edge.key.relation)), now=now)

    def top_edges(self, *, now: datetime, limit: int = 100) -> list[RankedEdge]:
        """Return the first `limit` of `ranked_edges`, without ranking the others each time."""
        self._settle()
        return self.rank(self._shortlist.best(now, limit), now=now)[:limit]

    def _stats(self, node: Node) -> NodeStats:
        return NodeStats(
            changed_at=node.changed_at,
            accesses=node.accesses,
            reachability=self._propagation.reachability(node.path),
            causal_in=self._propagation.causal_in(node.path),
            side_effects=len(node.effects),
        )

    # ---- what others derive ----

    def derived(self, name: str, key: object, compute: Callable[[], T]) -> T:
        """Return `compute()`, kept under `name` until the shape of the graph or `key` changes.

        Args:
            name: One per use; it always stands for the same type.
            key: What the value depends on beside the graph.
            compute: Makes the value.
        """
        key = (self.shape, key)
        kept = self._derived.get(name)
        if kept is None or kept[0] != key:
            kept = self._derived[name] = (key, compute())
        return kept[1]  # type: ignore[return-value]  # one name, one type

    def followed(self, name: str, key: object, make: Callable[[], T], mend: Callable[[T, Set[str]], bool]) -> T:
        """Return `make()`, kept under `name` and mended where files changed, as long as `key` is the same.

        Args:
            name: One for each kind of thing.
            key: What it hangs on beside the files.
            make: Makes it of all files.
            mend: Is given it and the files that are new, changed, gone or scored otherwise since; returns False where
                it has to be made anew.
        """
        self._settle()
        kept = self._followed.get(name)
        if kept is not None and kept.key == key:
            value: T = kept.value  # type: ignore[assignment]  # one name, one type
            if not kept.news or mend(value, kept.news):
                kept.news = set()
                return value
        value = make()
        self._followed[name] = _Followed(key, value, set())
        return value


def change_path(edge: Edge) -> tuple[str, str] | None:
    """Return (file that changes, file that the change reaches) of an edge; None where it passes nothing on."""
    key = edge.key
    way = propagation(key.relation)
    if way == "none":
        return None
    source, target = key.source, key.target
    if "::" in source:
        source = _file(source)
    if "::" in target:
        target = _file(target)
    return (source, target) if way == "source_to_target" else (target, source)


def _file(node: str) -> str:
    """Return the file of a symbol; any other node is returned as it is."""
    return node.partition("::")[0] if "::" in node else node


def _drop(index: dict[str, list[EdgeKey]], pairs: Iterable[tuple[str, EdgeKey]]) -> None:
    """Take keys out of an index, each list rewritten once: a hub may lose thousands in one delta."""
    gone: dict[str, set[int]] = {}
    for name, key in pairs:
        gone.setdefault(name, set()).add(id(key))
    for name, ids in gone.items():
        kept = [key for key in index[name] if id(key) not in ids]
        if kept:
            index[name] = kept
        else:
            del index[name]


def _facts_view(facts: bytes) -> _FactsView | None:
    """Return what a node needs of some facts; None where there are none, or they cannot be read."""
    try:
        return _view.decode(facts) if facts else None
    except msgspec.MsgspecError:
        return None


def _node(path: str, record: FileRecord) -> Node:
    view = _facts_view(record.facts)
    found = set() if view is None else {effect.category for effect in view.effects if not effect.is_void}
    return Node(
        path=path,
        kind=intern(record.kind),
        language=intern(record.language),
        changed_at=record.changed_at.astimezone(UTC),
        changes=record.changes,
        accesses=record.accesses,
        size=record.size,
        summary="" if view is None else view.summary,
        effects=tuple(intern(name) for name in PUBLISHED if name in found),
        uses=tuple(intern(name) for name in sorted(found.difference(PUBLISHED))),
        problems=() if view is None else tuple(sorted({intern(problem.code) for problem in view.problems})),
        is_read=view is not None,
    )
