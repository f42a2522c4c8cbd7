"""The scorer at the edges of its inputs; `test_published_score.py` has the formula's values."""

from datetime import UTC, datetime, timedelta

import pytest

from memoire.model import Edge, EdgeKey
from memoire.scorer import NO_SCORE, NodeScore, NodeStats, node_score, rank_edge, rank_order

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


def edge(source: str, relation: str = "IMPORTS", target: str = "t.py") -> Edge:
    return Edge(EdgeKey(source, relation, target), "", source, False, "normal", 1.0, NOW)


def test_a_change_dated_in_the_future_counts_as_one_now() -> None:
    assert node_score(NodeStats(NOW + timedelta(days=400)), now=NOW).recency == 1.0


def test_a_file_as_old_as_time_has_no_recency_left() -> None:
    assert node_score(NodeStats(datetime.min.replace(tzinfo=UTC)), now=NOW).recency == 0.0


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(TypeError):
        node_score(NodeStats(NOW.replace(tzinfo=None)), now=NOW)


def test_the_same_moment_in_another_zone_scores_the_same() -> None:
    elsewhere = NOW.astimezone(tz=datetime.fromisoformat("2026-01-01T00:00:00+09:30").tzinfo)
    assert node_score(NodeStats(elsewhere), now=NOW) == node_score(NodeStats(NOW), now=NOW)


def test_counts_below_zero_count_as_none() -> None:
    assert node_score(NodeStats(NOW, accesses=-5), now=NOW).frequency == 0.0
    assert rank_edge(edge("a.py"), -5, NO_SCORE, NO_SCORE).total == 0.0


def test_a_cost_that_is_not_high_gives_no_bonus() -> None:
    odd = Edge(EdgeKey("a", "DRIVES", "b"), "", "a", True, "HIGH", 1.0, NOW)
    assert rank_edge(odd, 0, NO_SCORE, NO_SCORE).total == 1.0


def test_equal_scores_are_ordered_by_source_then_relation_then_target() -> None:
    score = NodeScore(recency=1.0)
    edges = [edge("b.py"), edge("a.py", "IMPORTS"), edge("a.py", "CALLS", "z.py"), edge("a.py", "CALLS", "y.py")]
    ranked = sorted((rank_edge(item, 1, score, score) for item in edges), key=rank_order)
    assert [item.edge.key for item in ranked] == [
        EdgeKey("a.py", "CALLS", "y.py"),
        EdgeKey("a.py", "CALLS", "z.py"),
        EdgeKey("a.py", "IMPORTS", "t.py"),
        EdgeKey("b.py", "IMPORTS", "t.py"),
    ]
