"""The scorer is finite, never below zero, and moves the right way with each input."""

from datetime import UTC, datetime, timedelta
from math import isfinite

from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.model import Edge, EdgeKey
from memoire.scorer import NodeScore, NodeStats, node_score, rank_edge

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
counts = st.integers(0, 10**9)
times = st.timedeltas(timedelta(days=-20_000), timedelta(days=60_000)).map(lambda age: NOW - age)
stats = st.builds(NodeStats, times, counts, counts, counts, st.integers(0, 5))
later = st.timedeltas(timedelta(0), timedelta(days=365))
terms = st.floats(0, 100)
scores = st.builds(NodeScore, terms, terms, terms, terms)
edges = st.builds(
    lambda causal, cost: Edge(EdgeKey("a", "DRIVES", "b"), "", "a", causal, cost, 1.0, NOW),
    st.booleans(),
    st.sampled_from(["normal", "high"]),
)


@settings(deadline=None)
@given(stats, later)
def test_a_node_left_alone_never_rises(node: NodeStats, passed: timedelta) -> None:
    assert node_score(node, now=NOW + passed).total <= node_score(node, now=NOW).total


@settings(deadline=None)
@given(stats)
def test_every_term_of_a_node_is_finite_and_not_below_zero(node: NodeStats) -> None:
    score = node_score(node, now=NOW)
    found = (score.recency, score.frequency, score.centrality, score.side_effect_cost, score.total)
    assert all(isfinite(term) and term >= 0 for term in found)
    assert score.recency <= 1


@settings(deadline=None)
@given(stats, counts)
def test_more_of_any_input_never_lowers_a_node(node: NodeStats, more: int) -> None:
    base = node_score(node, now=NOW).total
    for raised in (
        NodeStats(node.changed_at, node.accesses + more, node.reachability, node.causal_in, node.side_effects),
        NodeStats(node.changed_at, node.accesses, node.reachability + more, node.causal_in, node.side_effects),
        NodeStats(node.changed_at, node.accesses, node.reachability, node.causal_in + more, node.side_effects),
        NodeStats(node.changed_at, node.accesses, node.reachability, node.causal_in, 5),
    ):
        assert node_score(raised, now=NOW).total >= base


@settings(deadline=None)
@given(edges, counts, counts, scores, scores)
def test_more_observations_never_lower_an_edge(
    edge: Edge, observations: int, more: int, source: NodeScore, target: NodeScore
) -> None:
    few = rank_edge(edge, observations, source, target).total
    assert isfinite(few)
    assert rank_edge(edge, observations + more, source, target).total >= few >= source.total + target.total
