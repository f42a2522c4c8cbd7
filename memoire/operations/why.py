"""Every piece of evidence for what binds two paths: edges with their reasons, and those that held before; uses with
their lines; commits and sessions that changed both; runs that failed and passed between edits, and runs of tests that
saw one execute the other; who stated or denied what; how likely one changes with the other; and the way from one to
the other where no edge is direct."""  # noqa: D205, D209 - the command's description

import re
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec

from memoire.budget import Part, clip, fit
from memoire.errors import UnknownPathError
from memoire.graph import Graph, change_path
from memoire.impact.ranking import Change
from memoire.memory import AsOf, Memory, SymbolRelation
from memoire.model import Edge, parse_path
from memoire.operations._lookup import Place, locate
from memoire.operations._spec import Operation
from memoire.operations._wire import (
    MAX_BUDGET,
    MIN_BUDGET,
    SETTLE_S,
    Relationship,
    current,
    describe,
    relationships,
    shown_pending,
    wire_time,
)

STEPS = 4
"""Edges of a way that is told: a longer one says nothing about its ends."""
_SEEN = 3_000
"""Files that are looked at for a way."""
_SESSIONS = 300
"""Last sessions that are looked through."""
_NAMED = 10
"""Tests and definitions that are named of one run."""
_LINES = 20
"""Lines that are named of one use."""
_REASON_CHARS = 600
_LISTED = 200


class Binding(Relationship, frozen=True, omit_defaults=True):
    """One edge between the two, with where it comes from."""

    since: datetime | msgspec.UnsetType = msgspec.UNSET
    """When it was first seen to hold."""
    extracted_from: str = ""
    """The file whose content it rests on."""
    confidence: float = 1.0
    until: datetime | msgspec.UnsetType = msgspec.UNSET
    """When it ceased to hold."""


class Learned(msgspec.Struct, frozen=True, omit_defaults=True):
    """One piece of evidence beside what the source says."""

    kind: str
    """session: the target was edited soon after the source; outcome: the source failed, and passed once the target was
    edited; asserted, denied: somebody said so."""
    source: str
    relation: str
    target: str
    created_at: datetime
    """When it happened last."""
    origin: str
    """The session, the event of the run that passed, or who said so."""
    text: str = ""
    """What was run, or the reason that was given."""
    count: int = 1
    until: datetime | msgspec.UnsetType = msgspec.UNSET
    """When it was taken back."""


class Used(msgspec.Struct, frozen=True, omit_defaults=True):
    """One definition's use of another."""

    source: str
    relation: str
    target: str
    line: int
    """In the source's file; 0 = not known."""
    lines: list[int] = []
    """All lines of the source that name it, where there are several."""


class Shared(msgspec.Struct, frozen=True):
    """One commit that changed both."""

    id: str
    created_at: datetime
    files: int
    """How many it changed in all."""


class Worked(msgspec.Struct, frozen=True):
    """One session in which both were edited."""

    session: str
    client: str
    created_at: datetime | msgspec.UnsetType = msgspec.UNSET


class Witnessed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run that saw tests execute definitions."""

    run: str
    """What ran the tests, or what it left."""
    created_at: datetime
    tests: list[str]
    """Ids of the tests, some of them."""
    count: int
    """How many there are."""
    definitions: list[str]
    """What they executed, what most of them did first; some of it."""
    changed: list[str] = []
    """Those of them that changed since: the tests run them still, but the run does not say what they do now."""
    failed: int = 0
    """How many of the tests failed."""


class Likely(msgspec.Struct, frozen=True):
    """What a change of one says of the other."""

    source: str
    target: str
    probability: float
    """That the target has to change when the source does."""
    reasons: list[str]


class Params(msgspec.Struct, frozen=True):
    """What `why` takes."""

    source: Annotated[str, msgspec.Meta(min_length=1, max_length=4096, description="A path, or `path::Name`.")]
    target: Annotated[str, msgspec.Meta(min_length=1, max_length=4096, description="The other one.")]
    budget: (
        Annotated[int, msgspec.Meta(ge=MIN_BUDGET, le=MAX_BUDGET, description="Most tokens of the answer.")]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `why` gives."""

    source: str
    target: str
    verdict: Annotated[str, msgspec.Meta(description="In one sentence, what there is.")]
    edges: Annotated[list[Binding], msgspec.Meta(description="Between the two, in either direction.")]
    uses: list[Used]
    commits: Annotated[list[Shared], msgspec.Meta(description="That changed both, newest first.")]
    sessions: Annotated[list[Worked], msgspec.Meta(description="In which both were edited.")]
    learned: Annotated[list[Learned], msgspec.Meta(description="From sessions, runs and statements, newest first.")]
    runs: Annotated[list[Witnessed], msgspec.Meta(description="That saw one execute the other, newest first.")]
    impact: list[Likely]
    way: Annotated[list[str], msgspec.Meta(description="How a change travels where no edge is direct.")]
    as_of: AsOf
    closed: Annotated[list[Binding], msgspec.Meta(description="Edges that held before, the last closed first.")] = []
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []
    cut: Annotated[dict[str, str], msgspec.Meta(description="What was left out.")] = {}


async def run(memory: Memory, params: Params) -> Result:
    """Return the evidence, within the budget.

    Raises:
        UnknownPathError: One of them names nothing of the project, or a directory.
    """
    pending = shown_pending(await memory.settle(SETTLE_S))
    one, other = _place(memory, params.source), _place(memory, params.target)
    edges = _edges(memory, one, other)
    uses = _uses(memory, one, other)
    shared = memory.impact.shared_commits(one.path, other.path)
    commits = [Shared(commit.id[:12], wire_time(commit.at), commit.size) for commit in shared]
    worked = await _sessions(memory, one.path, other.path)
    learned = _learned(memory, one, other)
    runs = _runs(memory, one, other)
    closed = await _closed(memory, one, other)
    likely = [*_likely(memory, one, other), *_likely(memory, other, one)]
    way = [] if edges or uses or runs else _way(memory.graph, one.path, other.path)
    names = _name(one), _name(other)
    verdict = _verdict(names, [len(found) for found in (edges, uses, commits, worked, learned, runs)], way)
    as_of = current(memory)

    def make(lengths: Sequence[int]) -> Result:
        bound, used, told, sat, taught, ran, was, waiting = lengths
        whole = {
            "edges": (bound, len(edges)),
            "uses": (used, len(uses)),
            "commits": (told, len(commits)),
            "sessions": (sat, len(worked)),
            "learned": (taught, len(learned)),
            "runs": (ran, len(runs)),
            "closed": (was, len(closed)),
        }
        return Result(
            source=names[0],
            target=names[1],
            verdict=verdict,
            edges=edges[:bound],
            uses=uses[:used],
            commits=commits[:told],
            sessions=worked[:sat],
            learned=learned[:taught],
            runs=runs[:ran],
            impact=likely,
            way=way,
            as_of=as_of,
            closed=closed[:was],
            pending=pending[:waiting],
            cut={name: f"{count} of {of}; raise budget" for name, (count, of) in whole.items() if count < of},
        )

    items: list[Sequence[object]] = [edges, uses, commits, worked, learned, runs, closed, pending]
    parts = [Part(min(len(found), _LISTED), min(len(found), 10)) for found in items]
    return fit(make, parts, memory.settings.budget_tokens if params.budget is msgspec.UNSET else params.budget)


def _place(memory: Memory, given: str) -> Place:
    place = locate(memory, given)
    if place.kind == "directory":
        raise UnknownPathError(given, why="it is a directory: name a file, a definition or a package")
    return place


def _name(place: Place) -> str:
    return f"{place.path}::{place.symbol}" if place.symbol else place.path


def _edges(memory: Memory, one: Place, other: Place) -> list[Binding]:
    """Return the open edges between two nodes, those of the files that hold them among them."""
    ends = {one.path, other.path}
    found = [
        edge for edge in memory.graph.edges_of(one.path) if _files(edge) == ends and edge.key.relation != "CONTAINS"
    ]
    ranked = memory.graph.rank(found, now=memory.now())
    told = relationships(memory, ranked, rationale_chars=_REASON_CHARS)
    return [_binding(item.edge, wire) for item, wire in zip(ranked, told, strict=True)]


def _binding(edge: Edge, wire: Relationship) -> Binding:
    return Binding(
        **msgspec.structs.asdict(wire),
        since=wire_time(edge.valid_from),
        extracted_from=edge.extracted_from,
        confidence=round(edge.confidence, 2),
        until=msgspec.UNSET if edge.valid_to is None else wire_time(edge.valid_to),
    )


async def _closed(memory: Memory, one: Place, other: Place) -> list[Binding]:
    """Return the edges that held between two nodes before, as long as they are kept."""
    ends = _name(one), _name(other)
    found = [
        edge
        for source, target in (ends, ends[::-1])
        for edge in await memory.closed_edges(_LISTED, source=source, target=target)
        if edge.key.relation != "CONTAINS"
    ]
    found.sort(key=lambda edge: (edge.valid_to or edge.valid_from, edge.key), reverse=True)
    ranked = {id(item.edge): item for item in memory.graph.rank(found, now=memory.now())}
    told = relationships(memory, [ranked[id(edge)] for edge in found], rationale_chars=_REASON_CHARS)
    return [_binding(edge, wire) for edge, wire in zip(found, told, strict=True)]


def _learned(memory: Memory, one: Place, other: Place) -> list[Learned]:
    """Return what was learned that binds two nodes; of a file what was learned of its definitions too."""
    first, second = _name(one), _name(other)
    return [
        Learned(
            kind=piece.kind,
            source=piece.source,
            relation=piece.relation,
            target=piece.target,
            created_at=wire_time(piece.at),
            origin=piece.origin,
            text=clip(memory.redact(piece.text), _REASON_CHARS),
            count=piece.count,
            until=msgspec.UNSET if piece.until is None else wire_time(piece.until),
        )
        for piece in memory.evidence(one.path, other.path)
        if any(
            _is_at(piece.source, ends[0]) and _is_at(piece.target, ends[1])
            for ends in ((first, second), (second, first))
        )
    ]


def _runs(memory: Memory, one: Place, other: Place) -> list[Witnessed]:
    """Return the runs that saw tests of one of two places execute the other, the newest first."""
    ends = (one.path, one.symbol), (other.path, other.symbol)
    return [
        Witnessed(
            run=seen.run.tool,
            created_at=wire_time(datetime.fromtimestamp(seen.run.at, UTC)),
            tests=[f"{test[0]}::{name}" for name in seen.tests[:_NAMED]],
            count=len(seen.tests),
            definitions=[f"{target[0]}::{name}" for name in seen.definitions[:_NAMED]],
            changed=[f"{target[0]}::{name}" for name in seen.changed[:_NAMED]],
            failed=seen.failed,
        )
        for test, target in (ends, ends[::-1])
        for seen in memory.impact.sightings(test, target)
        if test != target
    ]


def _files(edge: Edge) -> set[str]:
    return {parse_path(edge.key.source)[0], parse_path(edge.key.target)[0]}


def _uses(memory: Memory, one: Place, other: Place) -> list[Used]:
    """Return the uses of definitions between the two, by file and line."""
    first, second = _name(one), _name(other)
    texts: dict[str, list[str]] = {}
    found = [
        Used(use.source, use.relation, use.target, use.line, _lines(memory, use, texts))
        for use in memory.symbol_relations(first)
        if _binds(use, first, second)
    ]
    return sorted(found, key=lambda use: (use.source.partition("::")[0], use.line, use.source, use.target))


def _lines(memory: Memory, use: SymbolRelation, texts: dict[str, list[str]]) -> list[int]:
    """Return the lines that name what is used, from the first use to the end of who uses it; none for a single one.

    The facts keep the first line of a use alone. Another name for it (`import a as b`) is not found.
    """
    path, scope = parse_path(use.source)
    facts = memory.facts(path)
    if facts is None or not use.line:
        return []
    if path not in texts:
        source = memory.read_text(path)
        # Lines of a text that was changed since would be others.
        texts[path] = source.text.split("\n") if source is not None and source.sha == facts.sha else []
    ends = [item.end_line for item in facts.definitions if item.name == scope and item.line <= use.line]
    last = parse_path(use.target)[1].rpartition(".")[2]
    word = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)")
    upto = max(ends, default=use.line) if scope else len(texts[path])
    found = [number for number in range(use.line, upto + 1) if word.search("".join(texts[path][number - 1 : number]))]
    return found[:_LINES] if len(found) > 1 else []


def _binds(use: SymbolRelation, first: str, second: str) -> bool:
    pairs = ((first, second), (second, first))
    return any(_is_at(use.source, one) and _is_at(use.target, other) for one, other in pairs)


def _is_at(node: str, name: str) -> bool:
    """Return whether a node is what a name means, or lies in it."""
    return node == name or node.startswith((f"{name}.", f"{name}::"))


async def _sessions(memory: Memory, one: str, other: str) -> list[Worked]:
    return [
        Worked(session.id, session.client, wire_time(session.last) if session.last else msgspec.UNSET)
        for session in await memory.sessions(limit=_SESSIONS)
        if one in session.edits and other in session.edits
    ]


def _likely(memory: Memory, one: Place, other: Place) -> list[Likely]:
    """Return how likely the second changes with the first; nothing where neither can be said to."""
    if one.path == other.path:
        return []
    change = Change(one.path, frozenset({one.symbol} - {""}))
    ranked = {item.path: item for item in memory.impact.rank([change])}
    found = ranked.get(other.path)
    if found is None:
        return []
    reasons = memory.impact.reasons(change, [other.path]).get(other.path, [])
    return [Likely(_name(one), other.path, round(found.probability, 3), [clip(item.text, 200) for item in reasons])]


def _way(graph: Graph, one: str, other: str) -> list[str]:
    """Return the shortest way of a change between two files, from whichever it leads: `a -DRIVES-> b`; or nothing."""
    return _walk(graph, one, other) or _walk(graph, other, one)


def _walk(graph: Graph, start: str, end: str) -> list[str]:
    before: dict[str, tuple[str, str]] = {start: ("", "")}
    queue = deque([(start, 0)])
    while queue and len(before) < _SEEN:
        at, steps = queue.popleft()
        if at == end:
            break
        if steps == STEPS:
            continue
        for edge in sorted(graph.edges_of(at), key=lambda edge: edge.key):
            ends = change_path(edge)
            if ends is not None and ends[0] == at and ends[1] not in before:
                before[ends[1]] = (at, edge.key.relation)
                queue.append((ends[1], steps + 1))
    if end not in before or start == end:
        return []
    steps_told: list[str] = []
    at = end
    while at != start:
        previous, relation = before[at]
        steps_told.append(f"{previous} -{relation}-> {at}")
        at = previous
    return steps_told[::-1]


def _verdict(names: tuple[str, str], counts: Sequence[int], way: Sequence[str]) -> str:
    kinds = ("edge", "use", "shared commit", "shared session", "learned piece of evidence", "observed run")
    parts = [_counted(count, what) for count, what in zip(counts, kinds, strict=True) if count]
    if parts:
        return f"{names[0]} and {names[1]} are bound by {', '.join(parts)}."
    if way:
        return f"Nothing binds {names[0]} and {names[1]} directly; a change travels in {len(way)} steps."
    return f"Nothing is known that binds {names[0]} and {names[1]}."


def _counted(count: int, what: str) -> str:
    if count == 1:
        return f"1 {what}"
    return f"{count} {what.replace('piece of', 'pieces of')}{'' if ' of ' in what else 's'}"


OPERATION = Operation(
    name="why",
    title="Evidence between two paths",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    is_tool=False,
)
