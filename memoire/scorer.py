"""The published score of nodes and edges: arithmetic only. Time is an argument.

```
node = exp(-age_days / 7) + log1p(accesses) + log1p(2 · reachability + causal_in) + 0.5 · log1p(side_effects)
edge = node(source) + node(target) + 1.0 · is_causal + 0.5 · (cost = high) + 0.3 · log1p(observations)
```

Source: memoire's published MCP tools reference, section Scoring.
"""

from datetime import datetime, timedelta
from math import exp, log1p

import msgspec

from memoire.model import Edge

RECENCY_DAYS = 7.0
"""e-folding time of recency, days: a file left alone keeps 37 % of it after a week. Source: `exp(-age_days / 7)`."""

REACH_WEIGHT = 2.0
"""What one reached node counts against one cause. Source: `log1p(reachability * 2 + causal_in)`."""

SIDE_EFFECT_WEIGHT = 0.5
"""Source: `side_effect_cost = log1p(len(side_effects)) * 0.5`."""

CAUSAL_BONUS = 1.0
"""Source: `causal_bonus`, +1.0 where the edge is causal."""

COST_BONUS = 0.5
"""Source: `cost_bonus`, +0.5 where the edge's cost is high."""

CONFIDENCE_WEIGHT = 0.3
"""Source: `confidence_boost`, +log1p(observations) * 0.3."""

DAY = timedelta(days=1)


class NodeStats(msgspec.Struct, frozen=True, gc=False):
    """What one file or document brings to its score."""

    changed_at: datetime
    """When its content last changed; UTC-aware."""
    accesses: int = 0
    """Recorded reads and edits by an assistant or a person, >= 0."""
    reachability: int = 0
    """Other files and documents that a change here reaches along open causal edges, >= 0."""
    causal_in: int = 0
    """Distinct files and documents whose causal edges propagate into it, >= 0."""
    side_effects: int = 0
    """Distinct published categories of side effect, 0 to 5."""


class NodeScore(msgspec.Struct, frozen=True, gc=False):
    """A node's score, its four terms kept apart."""

    recency: float = 0.0
    frequency: float = 0.0
    centrality: float = 0.0
    side_effect_cost: float = 0.0

    @property
    def total(self) -> float:
        """The score: the sum of the four."""
        return self.recency + self.frequency + self.centrality + self.side_effect_cost


NO_SCORE = NodeScore()
"""Of a package, and of a path that is no file of the project."""


class RankedEdge(msgspec.Struct, frozen=True, gc=False):
    """An edge with what its rank is made of."""

    edge: Edge
    observations: int
    source: NodeScore
    target: NodeScore
    causal_bonus: float
    cost_bonus: float
    confidence_boost: float

    @property
    def total(self) -> float:
        """The score: both nodes and the three bonuses."""
        return self.source.total + self.target.total + self.causal_bonus + self.cost_bonus + self.confidence_boost


def recency(changed_at: datetime, now: datetime) -> float:
    """Return a number in [0, 1]: 1 for a change now (or dated in the future), falling by 1/e a week."""
    return exp(-max(now - changed_at, timedelta(0)) / DAY / RECENCY_DAYS)


def centrality(reachability: int, causal_in: int) -> float:
    """Return how much hangs on a node: `log1p(2 · reachability + causal_in)`."""
    return log1p(REACH_WEIGHT * reachability + causal_in)


def node_score(stats: NodeStats, *, now: datetime) -> NodeScore:
    """Return the four terms of a file's or document's score; all finite and >= 0."""
    return NodeScore(
        recency=recency(stats.changed_at, now),
        frequency=log1p(max(stats.accesses, 0)),
        centrality=centrality(stats.reachability, stats.causal_in),
        side_effect_cost=SIDE_EFFECT_WEIGHT * log1p(stats.side_effects),
    )


def edge_bonus(edge: Edge, observations: int) -> tuple[float, float, float]:
    """Return (causal_bonus, cost_bonus, confidence_boost) of an edge that was observed so often."""
    return (
        CAUSAL_BONUS if edge.is_causal else 0.0,
        COST_BONUS if edge.cost == "high" else 0.0,
        CONFIDENCE_WEIGHT * log1p(max(observations, 0)),
    )


def rank_edge(edge: Edge, observations: int, source: NodeScore, target: NodeScore) -> RankedEdge:
    """Return the edge with its score; `NO_SCORE` stands for an end that is a package."""
    causal, cost, confidence = edge_bonus(edge, observations)
    return RankedEdge(
        edge=edge,
        observations=observations,
        source=source,
        target=target,
        causal_bonus=causal,
        cost_bonus=cost,
        confidence_boost=confidence,
    )


def rank_order(ranked: RankedEdge) -> tuple[float, str, str, str]:
    """Return the sort key of a ranking: best score first, equal scores by source, relation and target."""
    key = ranked.edge.key
    return (-ranked.total, key.source, key.relation, key.target)
