"""The laws of the graph: what a sequence of deltas comes to, and what is counted on any graph."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.graph import Graph, change_path
from memoire.model import Edge, EdgeKey, FileRecord, GraphDelta
from memoire.reachability import components, reached

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
PATHS = ["a.py", "b.py", "c.py", "d.md"]

keys = st.builds(
    EdgeKey,
    st.sampled_from([*PATHS, "a.py::f"]),
    st.sampled_from(["DRIVES", "ASSERTS_ON", "IMPORTS", "CHANGES_WITH"]),
    st.sampled_from([*PATHS, "b.py::g", "pkg:x"]),
)
edges = st.builds(
    Edge,
    keys,
    st.sampled_from(["one", "two"]),
    st.sampled_from(PATHS),
    st.booleans(),
    st.sampled_from(["normal", "high"]),
    st.just(1.0),
    st.just(NOW),
    changes_before=st.integers(0, 3),
    learned=st.integers(0, 3),
)
records = st.builds(
    lambda path, changes, accesses, age: FileRecord(
        path, "file", "python", "0" * 64, 1, 0, NOW - timedelta(days=age), changes, accesses
    ),
    st.sampled_from(PATHS),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 40),
)
deltas = st.builds(
    lambda files, gone, opened, closed, updated, accesses: GraphDelta(
        files=files,
        gone=gone,
        opened=opened,
        closed=[msgspec.structs.replace(edge, valid_to=NOW) for edge in closed],
        updated=updated,
        accesses=accesses,
    ),
    st.lists(records, max_size=3),
    st.lists(st.sampled_from(PATHS), max_size=2),
    st.lists(edges, max_size=4),
    st.lists(edges, max_size=3),
    st.lists(edges, max_size=2),
    st.dictionaries(st.sampled_from(PATHS), st.integers(0, 9), max_size=2),
)
graphs = st.integers(1, 14).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=4), min_size=size, max_size=size)
)


def graph_of(sequence: Sequence[GraphDelta]) -> Graph:
    graph = Graph()
    for delta in sequence:
        graph.apply(delta)
    return graph


def content(graph: Graph) -> tuple[object, ...]:
    """Everything that can be asked, in an order that does not depend on how the graph came about."""
    nodes = sorted(graph.nodes(), key=lambda node: node.path)
    found = sorted(graph.edges(), key=lambda edge: edge.key)
    by_file = {path: sorted(edge.key for edge in graph.edges_from_file(path)) for path in PATHS}
    ends = {
        node: (sorted(edge.key for edge in graph.edges_out(node)), sorted(edge.key for edge in graph.edges_in(node)))
        for node in [*PATHS, "pkg:x", "a.py::f", "b.py::g"]
    }
    counts = [(path, graph.reachability(path), graph.causal_in(path)) for path in PATHS]
    return nodes, found, by_file, ends, counts, graph.cycles(), graph.ranked_edges(now=NOW)


def expected_edges(sequence: Sequence[GraphDelta]) -> dict[EdgeKey, Edge]:
    found: dict[EdgeKey, Edge] = {}
    for delta in sequence:
        for edge in delta.closed:
            found.pop(edge.key, None)
        found.update({edge.key: edge for edge in (*delta.opened, *delta.updated)})
    return found


def steps(successors: Sequence[Sequence[int]], start: int) -> set[int]:
    """Nodes reached from one node, found step by step."""
    seen: set[int] = set()
    todo = list(successors[start])
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += successors[node]
    return seen


@settings(deadline=None, max_examples=60)
@given(st.lists(deltas, max_size=5))
def test_the_open_edges_are_those_last_opened_and_not_closed_since(sequence: list[GraphDelta]) -> None:
    graph = graph_of(sequence)
    assert {edge.key: edge for edge in graph.edges()} == expected_edges(sequence)
    assert graph.edge_count == len(set(expected_edges(sequence)))
    assert graph.ranked_count == len(graph.ranked_edges(now=NOW))


@settings(deadline=None, max_examples=60)
@given(st.lists(deltas, max_size=4))
def test_every_index_finds_every_edge_once(sequence: list[GraphDelta]) -> None:
    graph = graph_of(sequence)
    for edge in graph.edges():
        assert graph.edge(edge.key) == edge
        for node, found in ((edge.key.source, graph.edges_out), (edge.key.target, graph.edges_in)):
            assert [other.key for other in found(node)].count(edge.key) == 1
            assert [other.key for other in graph.edges_of(node)].count(edge.key) == 1
        assert [other.key for other in graph.edges_from_file(edge.extracted_from)].count(edge.key) == 1
    assert sum(len(graph.edges_from_file(path)) for path in PATHS) == graph.edge_count


@settings(deadline=None, max_examples=60)
@given(st.lists(deltas, max_size=3), deltas)
def test_applying_a_delta_twice_is_applying_it_once(before: list[GraphDelta], delta: GraphDelta) -> None:
    assert content(graph_of([*before, delta, delta])) == content(graph_of([*before, delta]))


@settings(deadline=None, max_examples=60)
@given(st.lists(edges, unique_by=lambda edge: edge.key, max_size=8), st.lists(records, unique_by=lambda r: r.path))
def test_deltas_about_different_things_come_to_the_same_in_any_order(
    opened: list[Edge], files: list[FileRecord]
) -> None:
    parts = [GraphDelta(opened=[edge]) for edge in opened] + [GraphDelta(files=[record]) for record in files]
    whole = GraphDelta(files=files, opened=opened)
    assert content(graph_of(parts)) == content(graph_of(parts[::-1])) == content(graph_of([whole]))


@settings(deadline=None, max_examples=60)
@given(st.lists(deltas, max_size=4))
def test_what_was_asked_before_a_delta_changes_nothing_after_it(sequence: list[GraphDelta]) -> None:
    asked = Graph()
    for delta in sequence:
        asked.apply(delta)
        content(asked)
        asked.top_edges(now=NOW, limit=2)
    assert content(asked) == content(graph_of(sequence))
    assert asked.top_edges(now=NOW, limit=2) == asked.ranked_edges(now=NOW)[:2]


@settings(deadline=None, max_examples=60)
@given(st.lists(deltas, max_size=4), st.timedeltas(timedelta(0), timedelta(hours=3)), st.integers(1, 5))
def test_the_best_are_the_first_of_all_at_any_time(sequence: list[GraphDelta], passed: timedelta, limit: int) -> None:
    graph = graph_of(sequence)
    graph.top_edges(now=NOW, limit=limit)
    assert graph.top_edges(now=NOW + passed, limit=limit) == graph.ranked_edges(now=NOW + passed)[:limit]


@settings(deadline=None, max_examples=60)
@given(st.lists(deltas, max_size=4))
def test_reachability_is_what_walking_the_causal_edges_gives(sequence: list[GraphDelta]) -> None:
    graph = graph_of(sequence)
    known = sorted(node.path for node in graph.nodes())
    follow: list[set[int]] = [set() for _ in known]
    for edge in graph.edges():
        ends = change_path(edge)
        if edge.is_causal and ends is not None and ends[0] != ends[1] and set(ends) <= set(known):
            follow[known.index(ends[0])].add(known.index(ends[1]))
    successors = [sorted(after) for after in follow]
    for number, path in enumerate(known):
        assert graph.reachability(path) == len(steps(successors, number) - {number})
        assert graph.causal_in(path) == sum(number in after for after in follow)


@settings(deadline=None, max_examples=60)
@given(graphs, st.integers(1, 7))
def test_every_node_reaches_what_walking_from_it_reaches(successors: list[list[int]], chunk_bits: int) -> None:
    groups = components(successors)
    found = reached(successors, groups, chunk_bits=chunk_bits)
    assert found == [len(steps(successors, start) - {start}) for start in range(len(successors))]


@settings(deadline=None, max_examples=60)
@given(graphs)
def test_components_are_what_reaches_each_other_and_sinks_come_first(successors: list[list[int]]) -> None:
    groups = components(successors)
    place = {node: number for number, members in enumerate(groups) for node in members}
    assert sorted(place) == list(range(len(successors)))
    reach = [steps(successors, start) for start in range(len(successors))]
    for node in range(len(successors)):
        for other in range(len(successors)):
            together = node == other or (other in reach[node] and node in reach[other])
            assert (place[node] == place[other]) == together
            assert other not in reach[node] or place[other] <= place[node]
