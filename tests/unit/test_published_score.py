"""The published formula against values worked out by hand, to the last digit that a double holds."""

from datetime import UTC, datetime, timedelta
from math import isclose, log

import pytest

from memoire import scorer
from memoire.model import Edge, EdgeKey
from memoire.relations._spec import RELATIONS
from memoire.scorer import NO_SCORE, NodeScore, NodeStats, node_score, rank_edge
from tests.requirements import covers

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


def score(**stats: int) -> NodeScore:
    age = timedelta(days=stats.pop("age_days", 0))
    return node_score(NodeStats(changed_at=NOW - age, **stats), now=NOW)


def edge(*, is_causal: bool = False, cost: str = "normal") -> Edge:
    return Edge(EdgeKey("a.py", "DRIVES", "b.py"), "", "a.py", is_causal, cost, 1.0, NOW)


@covers("score.recency")
@pytest.mark.parametrize(("age_days", "recency"), [(0, 1.0), (7, 0.36787944117144233), (14, 0.1353352832366127)])
def test_recency_falls_by_e_in_a_week(age_days: int, recency: float) -> None:
    assert isclose(score(age_days=age_days).recency, recency)


@covers("score.frequency")
@pytest.mark.parametrize(("accesses", "frequency"), [(0, 0.0), (1, log(2)), (9, log(10))])
def test_frequency_is_the_logarithm_of_the_accesses(accesses: int, frequency: float) -> None:
    assert isclose(score(accesses=accesses).frequency, frequency)


@covers("score.centrality")
@pytest.mark.parametrize(("reached", "causes", "centrality"), [(0, 0, 0.0), (3, 0, log(7)), (3, 2, log(9))])
def test_centrality_counts_a_reached_node_twice_and_a_cause_once(reached: int, causes: int, centrality: float) -> None:
    assert isclose(score(reachability=reached, causal_in=causes).centrality, centrality)


@covers("score.side-effects")
@pytest.mark.parametrize(("effects", "cost"), [(0, 0.0), (1, log(2) / 2), (3, log(4) / 2)])
def test_side_effects_cost_half_the_logarithm_of_their_number(effects: int, cost: float) -> None:
    assert isclose(score(side_effects=effects).side_effect_cost, cost)


@covers("score.node")
def test_a_node_scores_the_sum_of_its_four_terms() -> None:
    total = score(age_days=7, accesses=1, reachability=3, causal_in=2, side_effects=3).total
    assert isclose(total, 0.36787944117144233 + log(2) + log(9) + log(4) / 2)


@covers("score.causal", "score.cost", "score.confidence", "score.edge")
def test_an_edge_scores_the_sum_of_its_nodes_and_three_bonuses() -> None:
    source, target = score(age_days=7), score(accesses=1)
    plain = rank_edge(edge(), 1, source, target)
    assert isclose(plain.total, 0.36787944117144233 + (1 + log(2)) + 0.3 * log(2))
    best = rank_edge(edge(is_causal=True, cost="high"), 12, source, target)
    assert isclose(best.total, 0.36787944117144233 + (1 + log(2)) + 1.0 + 0.5 + 0.3 * log(13))
    assert rank_edge(edge(), 0, NO_SCORE, NO_SCORE).total == 0


@covers("score.causal", "score.cost")
def test_the_causal_relations_and_their_costs_are_the_published_ones() -> None:
    causal = {name: relation.cost for name, relation in RELATIONS.items() if relation.causal}
    assert causal == {
        "DRIVES": "effects",
        "ASSERTS_ON": "high",
        "SPECIFIES": "normal",
        "IMPLEMENTS": "normal",
        "DOCUMENTS": "normal",
    }


def test_the_constants_are_the_published_ones() -> None:
    weights = (scorer.REACH_WEIGHT, scorer.SIDE_EFFECT_WEIGHT, scorer.CAUSAL_BONUS, scorer.COST_BONUS)
    assert (scorer.RECENCY_DAYS, *weights, scorer.CONFIDENCE_WEIGHT) == (7.0, 2.0, 0.5, 1.0, 0.5, 0.3)
