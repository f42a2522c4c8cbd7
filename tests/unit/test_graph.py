"""The in-memory graph, against a golden graph whose every input and score was worked out by hand."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import msgspec
import pytest

from memoire.graph import Cycle, Graph, change_path
from memoire.model import Edge, EdgeKey, Effect, FileFacts, FileRecord, GraphDelta, Problem
from memoire.scorer import NO_SCORE, NodeStats
from tests.requirements import covers

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


def record(
    path: str, *, age_days: float = 0, accesses: int = 0, changes: int = 0, effects: tuple[str, ...] = ()
) -> FileRecord:
    kind, language = ("document", "markdown") if path.endswith(".md") else ("file", "python")
    calls = tuple(Effect(category, f"{category}.call", 1) for category in effects)
    facts = FileFacts(language, "0" * 64, 10, 1, summary=f"About {path}.", effects=calls)
    changed_at = NOW - timedelta(days=age_days)
    encoded = msgspec.msgpack.encode(facts)
    return FileRecord(path, kind, language, facts.sha, 10, 0, changed_at, changes, accesses, encoded)


def edge(
    source: str,
    relation: str,
    target: str,
    *,
    causal: bool = False,
    cost: str = "normal",
    of: str = "",
    before: int = 0,
    learned: int = 0,
) -> Edge:
    key = EdgeKey(source, relation, target)
    rationale = f"{source} {relation} {target}"
    return Edge(key, rationale, of or source, causal, cost, 1.0, NOW, changes_before=before, learned=learned)


def closed(open_edge: Edge) -> Edge:
    return msgspec.structs.replace(open_edge, valid_to=NOW)


def golden() -> Graph:
    """Four modules, two of them a cycle; a test, a specification, a guide, a package.

    A change travels: SPEC.md -> core.py, cli.py; core.py -> api.py, cli.py, test_core.py, GUIDE.md; api.py <-> util.py.
    """
    graph = Graph()
    files = [
        # Two published categories, each once; env does not count.
        record("core.py", age_days=7, accesses=3, changes=5, effects=("database", "network", "network", "env")),
        record("api.py", changes=4),
        record("cli.py", age_days=14, accesses=1, effects=("file_io",)),
        record("util.py", age_days=3.5, changes=1),
        record("tests/test_core.py", age_days=1, changes=2, effects=("subprocess", "clock")),
        record("SPEC.md", age_days=70, accesses=10, changes=11),
        record("GUIDE.md", age_days=2),
    ]
    edges = [
        edge("core.py", "DRIVES", "api.py", causal=True, cost="high", of="api.py", before=3, learned=2),
        edge("core.py", "DRIVES", "cli.py", causal=True, cost="high", of="cli.py"),
        edge("api.py", "DRIVES", "util.py", causal=True, of="util.py", before=1),
        edge("util.py", "DRIVES", "api.py", causal=True, of="api.py", before=3),
        edge("tests/test_core.py", "ASSERTS_ON", "core.py", causal=True, cost="high", learned=4),
        edge("SPEC.md", "SPECIFIES", "core.py", causal=True),
        edge("GUIDE.md", "DOCUMENTS", "core.py", causal=True),
        edge("cli.py", "IMPLEMENTS", "SPEC.md", causal=True),
        edge("api.py", "IMPORTS", "core.py", before=4),
        edge("core.py", "IMPORTS", "pkg:requests"),
        edge("api.py::Handler", "INHERITS", "core.py::Base", of="api.py", before=4),
        edge("core.py", "CHANGES_WITH", "cli.py", learned=50),
        edge(".", "CONTAINS", "core.py"),
    ]
    graph.apply(GraphDelta(files=files, opened=edges))
    return graph


# path: reachability, causal_in and the score's four terms.
NODES = {
    # core.py reaches api, util (through api), cli, the test and the guide; SPEC.md alone drives it.
    # The terms are exp(-7/7), log1p(3), log1p(2*5 + 1), 0.5*log1p(2)
    "core.py": (5, 1, 0.367879441171, 1.386294361120, 2.484906649788, 0.549306144334),
    # In a cycle it reaches the other, never itself; core and util drive it.
    # The terms are exp(0), log1p(0), log1p(2*1 + 2), 0
    "api.py": (1, 2, 1.0, 0.0, 1.609437912434, 0.0),
    # Driven by core, and by SPEC.md, which it implements.
    # The terms are exp(-14/7), log1p(1), log1p(2*0 + 2), 0.5*log1p(1)
    "cli.py": (0, 2, 0.135335283237, 0.693147180560, 1.098612288668, 0.346573590280),
    # The terms are exp(-3.5/7), log1p(0), log1p(2*1 + 1), 0
    "util.py": (1, 1, 0.606530659713, 0.0, 1.386294361120, 0.0),
    # The terms are exp(-1/7), log1p(0), log1p(2*0 + 1), 0.5*log1p(1)
    "tests/test_core.py": (0, 1, 0.866877899751, 0.0, 0.693147180560, 0.346573590280),
    # All the others but itself: core, api, util, cli, test, guide.
    # The terms are exp(-70/7), log1p(10), log1p(2*6 + 0), 0
    "SPEC.md": (6, 0, 0.000045399930, 2.397895272798, 2.564949357462, 0.0),
    # The terms are exp(-2/7), log1p(0), log1p(2*0 + 1), 0
    "GUIDE.md": (0, 1, 0.751477293076, 0.0, 0.693147180560, 0.0),
}
# Their totals: 4.788386596414, 2.609437912434, 2.273668342745, 1.992825020833, 1.906598670591, 4.962890030190 and
# 1.444624473636.

# Best first: key, observations, score.
RANKING = [
    # The sum is 4.962890030190 + 4.788386596414 + 1 + 0 + 0.3*log1p(1 + (11-0) + 0 = 12)
    (("SPEC.md", "SPECIFIES", "core.py"), 12, 11.520761433842),
    # The sum is 4.788386596414 + 2.609437912434 + 1 + 0.5 + 0.3*log1p(1 + (4-3) + 2 = 4)
    (("core.py", "DRIVES", "api.py"), 4, 9.380655882578),
    # The sum is 1.906598670591 + 4.788386596414 + 1 + 0.5 + 0.3*log1p(1 + (2-0) + 4 = 7)
    (("tests/test_core.py", "ASSERTS_ON", "core.py"), 7, 8.818817729507),
    # The sum is 4.788386596414 + 2.273668342745 + 1 + 0.5 + 0.3*log1p(1)
    (("core.py", "DRIVES", "cli.py"), 1, 8.769999093326),
    # The sum is 2.273668342745 + 4.962890030190 + 1 + 0 + 0.3*log1p(1)
    (("cli.py", "IMPLEMENTS", "SPEC.md"), 1, 8.444502527103),
    # The sum is 2.609437912434 + 4.788386596414 + 0 + 0 + 0.3*log1p(1 + (4-4) + 0 = 1); symbols score as their files,
    # and the tie of these two is broken by the source's name.
    (("api.py", "IMPORTS", "core.py"), 1, 7.605768663016),
    (("api.py::Handler", "INHERITS", "core.py::Base"), 1, 7.605768663016),
    # The sum is 1.444624473636 + 4.788386596414 + 1 + 0 + 0.3*log1p(1)
    (("GUIDE.md", "DOCUMENTS", "core.py"), 1, 7.440955224217),
    # The sum is 1.992825020833 + 2.609437912434 + 1 + 0 + 0.3*log1p(1 + (4-3) + 0 = 2)
    (("util.py", "DRIVES", "api.py"), 2, 5.931846619868),
    # The sum is 2.609437912434 + 1.992825020833 + 1 + 0 + 0.3*log1p(1 + (1-1) + 0 = 1)
    (("api.py", "DRIVES", "util.py"), 1, 5.810207087435),
    # The sum is 4.788386596414 + 0 (a package) + 0 + 0 + 0.3*log1p(1 + (5-0) + 0 = 6)
    (("core.py", "IMPORTS", "pkg:requests"), 6, 5.372159641130),
]


@covers("score.node")
def test_every_node_of_the_golden_graph_scores_what_was_worked_out_by_hand() -> None:
    graph = golden()
    scores = graph.scores(now=NOW)
    assert scores.keys() == NODES.keys()
    for path, (reachability, causal_in, *terms) in NODES.items():
        score = scores[path]
        assert (graph.reachability(path), graph.causal_in(path)) == (reachability, causal_in), path
        found = (score.recency, score.frequency, score.centrality, score.side_effect_cost)
        assert found == pytest.approx(terms, abs=1e-9), path
        assert graph.score(path, now=NOW) == score


@covers("score.edge", "context.best-first")
def test_every_edge_of_the_golden_graph_ranks_where_it_was_worked_out_by_hand() -> None:
    ranked = golden().ranked_edges(now=NOW)
    assert [(item.edge.key, item.observations) for item in ranked] == [
        (EdgeKey(*key), observations) for key, observations, _ in RANKING
    ]
    assert [item.total for item in ranked] == pytest.approx([score for _, _, score in RANKING], abs=1e-9)


def test_the_terms_of_a_ranked_edge_add_up_and_say_where_they_come_from() -> None:
    best = golden().ranked_edges(now=NOW)[1]
    assert best.source.total == pytest.approx(4.788386596414, abs=1e-9)
    assert best.target.total == pytest.approx(2.609437912434, abs=1e-9)
    assert (best.causal_bonus, best.cost_bonus) == (1.0, 0.5)
    assert best.confidence_boost == pytest.approx(0.482831373730, abs=1e-9)  # 0.3*log1p(4)


def test_packages_directories_and_unknown_paths_have_no_score() -> None:
    graph = golden()
    assert [graph.score(node, now=NOW) for node in ("pkg:requests", ".", "gone.py", "gone.py::f")] == [NO_SCORE] * 4
    assert graph.stats("pkg:requests") is None


def test_a_symbol_scores_as_its_file() -> None:
    graph = golden()
    assert graph.score("core.py::Base.run", now=NOW) == graph.score("core.py", now=NOW)


def test_a_node_says_what_its_facts_and_record_say() -> None:
    graph = golden()
    core = graph.node("core.py")
    assert core is not None
    assert (core.kind, core.effects, core.uses) == ("file", ("network", "database"), ("env",))
    assert (core.summary, core.changes, core.accesses, core.is_read) == ("About core.py.", 5, 3, True)
    assert graph.stats("core.py") == NodeStats(NOW - timedelta(days=7), 3, 5, 1, 2)
    assert graph.node("pkg:requests") is None
    assert len(graph) == 7


def test_a_file_whose_facts_are_missing_or_damaged_is_known_as_not_read() -> None:
    graph = Graph()
    whole = record("a.py")
    graph.apply(
        GraphDelta(
            files=[
                msgspec.structs.replace(whole, facts=b""),
                msgspec.structs.replace(whole, path="b.py", facts=whole.facts[:20]),
                msgspec.structs.replace(whole, path="c.py", facts=msgspec.msgpack.encode({"no": "facts"})),
            ]
        )
    )
    assert [(node.path, node.is_read, node.effects) for node in graph.nodes()] == [
        ("a.py", False, ()),
        ("b.py", False, ()),
        ("c.py", False, ()),
    ]


def test_problems_of_a_file_are_kept_by_code_each_once() -> None:
    problems = (Problem("syntax", "line 3", 3), Problem("syntax", "line 9", 9), Problem("encoding", "latin-1"))
    facts = FileFacts("python", "0", 1, 1, problems=problems)
    graph = Graph()
    graph.apply(GraphDelta(files=[msgspec.structs.replace(record("a.py"), facts=msgspec.msgpack.encode(facts))]))
    assert [node.problems for node in graph.nodes()] == [("encoding", "syntax")]


def test_a_change_travels_the_way_its_relation_says() -> None:
    ways = {
        relation: change_path(edge("a.py", relation, "b.py::f"))
        for relation in ("DRIVES", "SPECIFIES", "ASSERTS_ON", "IMPLEMENTS", "DOCUMENTS", "IMPORTS", "CALLS", "INHERITS")
    }
    assert ways == {
        "DRIVES": ("a.py", "b.py"),
        "SPECIFIES": ("a.py", "b.py"),
        "ASSERTS_ON": ("b.py", "a.py"),
        "IMPLEMENTS": ("b.py", "a.py"),
        "DOCUMENTS": ("b.py", "a.py"),
        "IMPORTS": ("b.py", "a.py"),
        "CALLS": ("b.py", "a.py"),
        "INHERITS": ("b.py", "a.py"),
    }
    assert [change_path(edge("a.py", name, "b.py")) for name in ("CHANGES_WITH", "CONTAINS", "INVENTED")] == [None] * 3


def test_a_file_s_own_imports_are_not_reached_by_its_change() -> None:
    graph = Graph()
    graph.apply(
        GraphDelta(files=[record("a.py"), record("b.py")], opened=[edge("b.py", "DRIVES", "a.py", causal=True)])
    )
    assert (graph.reachability("a.py"), graph.reachability("b.py")) == (0, 1)


def test_packages_and_paths_that_are_no_more_are_neither_causes_nor_reached() -> None:
    graph = Graph()
    edges = [
        edge("pkg:os", "DRIVES", "a.py", causal=True),
        edge("a.py", "DRIVES", "gone.py", causal=True),
        edge("gone.py", "DRIVES", "b.py", causal=True),
        edge("a.py", "DRIVES", "a.py::f", causal=True),
        edge("a.py", "INVENTED", "b.py", causal=True),
        edge("a.py", "IMPORTS", "b.py"),
    ]
    graph.apply(GraphDelta(files=[record("a.py"), record("b.py")], opened=edges))
    assert [(graph.reachability(path), graph.causal_in(path)) for path in ("a.py", "b.py")] == [(0, 0), (0, 0)]
    graph.apply(GraphDelta(files=[record("gone.py")]))
    assert [(graph.reachability(path), graph.causal_in(path)) for path in ("a.py", "b.py")] == [(2, 0), (0, 1)]
    graph.apply(GraphDelta(gone=["gone.py"]))
    assert graph.reachability("a.py") == 0


def test_two_edges_from_one_cause_count_once() -> None:
    graph = Graph()
    edges = [edge("b.py", "ASSERTS_ON", "a.py", causal=True), edge("a.py", "DRIVES", "b.py", causal=True)]
    graph.apply(GraphDelta(files=[record("a.py"), record("b.py")], opened=edges))
    assert (graph.reachability("a.py"), graph.causal_in("b.py")) == (1, 1)


def test_a_chain_longer_than_one_chunk_and_any_recursion_limit_is_counted() -> None:
    paths = [f"f{number:05}.py" for number in range(9001)]
    graph = Graph()
    edges = [edge(a, "DRIVES", b, causal=True) for a, b in pairwise(paths)]
    graph.apply(GraphDelta(files=[record(path) for path in paths], opened=edges))
    assert [graph.reachability(paths[number]) for number in (0, 4500, 8999, 9000)] == [9000, 4500, 1, 0]
    graph.apply(GraphDelta(opened=[edge(paths[-1], "DRIVES", paths[0], causal=True)]))
    assert {graph.reachability(path) for path in paths} == {9000}
    assert [(cycle.size, len(cycle.members)) for cycle in graph.cycles()] == [(9001, 20)]


def test_cycles_are_reported_once_the_largest_first_and_bounded() -> None:
    assert golden().cycles() == [Cycle(2, ("api.py", "util.py"))]
    graph = Graph()
    rings = [[f"{ring}{number}.py" for number in range(2 + ring)] for ring in range(5)]
    edges = [
        edge(ring[place], "DRIVES", ring[(place + 1) % len(ring)], causal=True)
        for ring in rings
        for place in range(len(ring))
    ]
    graph.apply(GraphDelta(files=[record(path) for ring in rings for path in ring], opened=edges))
    assert graph.cycles(limit=2, members=3) == [
        Cycle(6, ("40.py", "41.py", "42.py")),
        Cycle(5, ("30.py", "31.py", "32.py")),
    ]


def test_edges_are_found_by_either_end_and_by_the_file_they_rest_on() -> None:
    graph = golden()

    def keys(edges: list[Edge]) -> set[tuple[str, str]]:
        return {(found.key.source, found.key.target) for found in edges}

    assert keys(graph.edges_out("api.py")) == {
        ("api.py", "util.py"),
        ("api.py", "core.py"),
        ("api.py::Handler", "core.py::Base"),
    }
    assert keys(graph.edges_in("pkg:requests")) == {("core.py", "pkg:requests")}
    assert len(graph.edges_of("core.py")) == 10
    assert keys(graph.edges_of("core.py::Base")) == {("api.py::Handler", "core.py::Base")}
    assert graph.edges_of("core.py::Other") == []
    assert keys(graph.edges_from_file("api.py")) == {
        ("core.py", "api.py"),
        ("util.py", "api.py"),
        ("api.py", "core.py"),
        ("api.py::Handler", "core.py::Base"),
    }
    assert graph.edges_from_file("gone.py") == []
    assert list(graph.packages()) == ["requests"]
    assert graph.edge_count == len(list(graph.edges())) == 13


def test_an_edge_from_a_node_to_itself_is_found_once() -> None:
    graph = Graph()
    graph.apply(GraphDelta(files=[record("a.py")], opened=[edge("a.py::f", "CALLS", "a.py::g")]))
    assert len(graph.edges_of("a.py")) == 1


def test_a_closed_edge_is_nowhere_any_more() -> None:
    graph = golden()
    specifies = edge("SPEC.md", "SPECIFIES", "core.py", causal=True)
    graph.apply(GraphDelta(closed=[closed(specifies)]))
    assert graph.edge(specifies.key) is None
    assert specifies.key not in {found.key for found in graph.edges_of("SPEC.md") + graph.edges_of("core.py")}
    assert graph.edges_from_file("SPEC.md") == []
    assert (graph.reachability("SPEC.md"), graph.causal_in("core.py")) == (1, 0)  # cli.py is left


def test_closing_what_is_not_open_changes_no_edge() -> None:
    graph = golden()
    graph.apply(GraphDelta(closed=[closed(edge("a.py", "IMPORTS", "b.py"))]))
    assert graph.edge_count == 13


def test_what_one_delta_closes_and_opens_again_is_open() -> None:
    graph = golden()
    old = edge("api.py", "IMPORTS", "core.py", before=4)
    new = msgspec.structs.replace(old, rationale="again", line=7)
    graph.apply(GraphDelta(closed=[closed(old)], opened=[new]))
    assert graph.edge(old.key) == new
    assert [found for found in graph.edges_out("api.py") if found.key == old.key] == [new]


def test_what_one_delta_deletes_and_makes_again_is_there() -> None:
    graph = golden()
    graph.apply(GraphDelta(gone=["core.py"], files=[record("core.py")], accesses={"core.py": 8, "gone.py": 1}))
    core = graph.node("core.py")
    assert core is not None
    assert (core.changes, core.accesses) == (0, 8)
    assert graph.node("gone.py") is None


def test_an_updated_edge_replaces_the_open_one_and_may_rest_on_another_file() -> None:
    graph = golden()
    moved = edge("core.py", "DRIVES", "api.py", causal=False, of="core.py", before=5, learned=7)
    graph.apply(GraphDelta(updated=[moved]))
    assert graph.edge(moved.key) == moved
    assert graph.observations(moved) == 8
    assert moved in graph.edges_from_file("core.py")
    assert moved not in graph.edges_from_file("api.py")
    assert graph.reachability("core.py") == 3  # no longer api.py and, through it, util.py


def test_observations_grow_with_each_change_of_the_file_that_the_edge_rests_on() -> None:
    graph = golden()
    drives = graph.edge(EdgeKey("core.py", "DRIVES", "api.py"))
    assert drives is not None
    assert graph.observations(drives) == 4
    graph.apply(GraphDelta(files=[record("api.py", changes=6)]))
    assert graph.observations(drives) == 6
    # A file that begins again at 0, or is not known, takes none away.
    graph.apply(GraphDelta(files=[record("api.py", changes=0)]))
    assert graph.observations(drives) == 3
    graph.apply(GraphDelta(gone=["api.py"]))
    assert graph.observations(drives) == 3


def test_an_empty_delta_and_one_of_events_change_no_version() -> None:
    graph = golden()
    versions = (graph.version, graph.shape)
    graph.apply(GraphDelta())
    assert (graph.version, graph.shape) == versions
    graph.apply(GraphDelta(accesses={"core.py": 4}))
    assert (graph.version, graph.shape) == (versions[0] + 1, versions[1])


def test_the_best_edges_are_those_of_the_whole_ranking_whenever_they_are_asked_for() -> None:
    graph = golden()
    moments = [timedelta(0), timedelta(minutes=59), timedelta(hours=2), timedelta(days=30), timedelta(days=-3)]
    for moment in moments:
        for limit in (1, 3, 100):
            expected = graph.ranked_edges(now=NOW + moment)[:limit]
            assert graph.top_edges(now=NOW + moment, limit=limit) == expected
    graph.apply(GraphDelta(accesses={"util.py": 1000}))
    assert graph.top_edges(now=NOW, limit=2) == graph.ranked_edges(now=NOW)[:2]


def test_an_order_that_time_turns_around_is_found() -> None:
    graph = Graph()
    files = [record("fresh.py"), record("old.py", age_days=200, accesses=1), record("to.py", age_days=200)]
    edges = [edge("fresh.py", "IMPORTS", "to.py"), edge("old.py", "IMPORTS", "to.py")]
    graph.apply(GraphDelta(files=files, opened=edges))

    def best(at: datetime) -> str:
        return graph.top_edges(now=at, limit=1)[0].edge.key.source

    # The terms are exp(-age/7) falls below log1p(1) = 0.693 after 2.57 days.
    assert best(NOW) == "fresh.py"
    assert best(NOW + timedelta(days=2.56)) == "fresh.py"
    assert best(NOW + timedelta(days=2.57)) == "old.py"


def test_what_is_derived_is_kept_until_the_shape_or_its_key_changes() -> None:
    graph = golden()
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [graph.derived("count", "a", make), graph.derived("count", "a", make)] == [1, 1]
    graph.apply(GraphDelta(accesses={"core.py": 9}))
    assert graph.derived("count", "a", make) == 1
    assert graph.derived("count", "b", make) == 2
    graph.apply(GraphDelta(gone=["util.py"]))
    assert graph.derived("count", "b", make) == 3


def test_edges_opened_at_very_many_moments_keep_their_own() -> None:
    graph = Graph()
    edges = [
        msgspec.structs.replace(edge(f"{number}.py", "IMPORTS", "pkg:x"), valid_from=NOW + timedelta(seconds=number))
        for number in range(10_050)
    ]
    graph.apply(GraphDelta(opened=edges))
    assert [graph.edge(item.key) for item in edges] == edges
