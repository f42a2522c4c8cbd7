"""What runs saw, as files change after them: claims, the tests of a definition, renames, and what is kept."""

from array import array
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.episodes.history import History
from memoire.graph import Graph
from memoire.impact.ranking import Change, Impact
from memoire.impact.running import RunningTests
from memoire.model import FileChange
from memoire.processor import Processor
from memoire.pytest_plugin import fingerprint
from memoire.runs import kept
from memoire.runs.observations import MOST_TESTS, Observations
from memoire.runs.run import Part, Ran, Run
from memoire.runs.sightings import sightings
from memoire.runs.taking import Files, Taken, take

NOW = datetime(2026, 1, 1, tzinfo=UTC)
AT = int(datetime(2026, 1, 1, 9, 30, tzinfo=UTC).timestamp())

FILES = {
    "core.py": (
        "from far import helper\n\n\ndef price(item):\n    return helper(item)\n\n\n"
        "def other():\n    return 2\n\n\ndef third():\n    return 3\n"
    ),
    "far.py": (
        "from farther import deep\n\n\ndef helper(item):\n    if item:\n        return deep(item)\n    return 0\n"
    ),
    "farther.py": "def deep(item):\n    return item\n",
    "tests/test_core.py": (
        "import core\n\n\ndef test_price():\n    assert core.price(0) == 0\n\n\n"
        "def test_other():\n    assert core.other()\n"
    ),
}
EXECUTED = {
    "test_price": {"core.py": ["price"], "far.py": ["helper"]},
    "test_other": {"core.py": ["other"]},
}
"""What a run of these tests executes: `deep` is reached by no value that the tests give."""


class World:
    """Files as they are saved one after another, and runs of their tests."""

    def __init__(self, files: Mapping[str, str] = FILES) -> None:
        self.graph = Graph()
        self.processor = Processor(self.graph, lambda _path: None)
        self.files: dict[str, str] = {}
        self.save(files)
        processor = self.processor
        self.running = RunningTests(
            processor.observations, processor.exercise, processor.facts, processor.links, processor.users
        )

    def save(self, files: Mapping[str, str], gone: Sequence[str] = (), moved: Mapping[str, str] | None = None) -> None:
        self.files = {path: text for path, text in self.files.items() if path not in gone} | dict(files)
        changes = [FileChange(path, extract(path, text.encode()), 0, NOW) for path, text in files.items()]
        self.graph.apply(self.processor.plan(changes, gone, now=NOW, moved=moved))

    def run(
        self, executed: Mapping[str, Mapping[str, list[str]]] = EXECUTED, *, at: int = AT, left: Sequence[str] = ()
    ) -> Taken:
        """Take in what the plug-in leaves of a run of some tests over the files as they are."""
        pairs = {}
        for test, found in executed.items():
            own = test.partition("[")[0].replace("::", ".")
            pairs[test] = [("tests/test_core.py", own), *((path, name) for path in found for name in found[path])]
        flat = dict.fromkeys(pair for each in pairs.values() for pair in each)
        parts = {pair: number for number, pair in enumerate(flat)}
        paths = {path: number for number, path in enumerate(dict.fromkeys(path for path, _ in parts))}
        run = Run(
            "pytest 9.2.0",
            at,
            files=tuple((path, sha256(self.files[path].encode()).hexdigest()) for path in paths),
            parts=tuple(self.part(paths[path], path, name) for path, name in parts),
            sets=tuple(tuple(sorted(parts[pair] for pair in pairs[test])) for test in executed),
            tests=tuple(
                Ran("tests/test_core.py", test, "passed", 1, test in left, number)
                for number, test in enumerate(executed)
            ),
        )
        return self.take(run)

    def part(self, file: int, path: str, name: str) -> Part:
        facts = self.processor.facts(path)
        assert facts is not None
        (item,) = (item for item in facts.definitions if item.name == name)
        lines = self.files[path].encode().split(b"\n")[item.line - 1 : item.end_line]
        return Part(file, name, item.line, len(lines), fingerprint(lines))

    def take(self, run: Run, source: str = "", *, written: float = 0.0) -> Taken:
        processor = self.processor
        files = Files(
            "/p", processor.records, processor.facts, lambda path: self.files[path].encode(), lambda _: written,
            lambda text: text.replace("hunter2", "***"),
        )  # fmt: skip
        taken = take(processor.observations, run, source, AT, files)
        processor.expect(taken.affected)
        self.graph.apply(processor.plan((), (), now=NOW))
        return taken

    def claims(self, test: str = "tests/test_core.py") -> dict[str, float]:
        edges = (edge for edge in self.graph.edges_out(test) if edge.key.relation == "ASSERTS_ON")
        return {edge.key.target: edge.confidence for edge in edges}

    def tests_of(self, path: str, *symbols: str) -> dict[str, str]:
        candidates = {edge.key.source for edge in self.graph.edges_in(path) if edge.key.relation == "ASSERTS_ON"}
        return {test.name: test.how for test in self.running.observed_tests(path, symbols, candidates)}


def test_a_run_makes_claims_certain_and_refutes_what_only_a_long_reach_told() -> None:
    world = World()
    assert world.claims() == {"core.py": 1.0, "far.py": 0.9, "farther.py": 0.8}
    assert world.run() == Taken(2, 0, frozenset({"tests/test_core.py"}))
    assert world.claims() == {"core.py": 1.0, "far.py": 1.0}
    (edge,) = (edge for edge in world.graph.edges_in("core.py") if edge.key.relation == "ASSERTS_ON")
    assert edge.rationale == (
        "observed: 2 tests of tests/test_core.py executed other(), price() of core.py, pytest 9.2.0, "
        "run of 2026-01-01 09:30 UTC"
    )


def test_a_change_of_what_was_executed_brings_the_long_reach_back_and_keeps_what_was_seen() -> None:
    world = World()
    world.run()
    world.save({"far.py": FILES["far.py"].replace("if item", "if not item")})
    assert world.claims() == {"core.py": 1.0, "far.py": 1.0, "farther.py": 0.8}
    world.save({"far.py": FILES["far.py"]})
    assert world.claims() == {"core.py": 1.0, "far.py": 1.0}


def test_format_and_comments_change_nothing() -> None:
    world = World()
    world.run()
    world.save({"far.py": "# far\n" + FILES["far.py"].replace("return deep(item)", "return deep( item )  # why")})
    assert world.claims() == {"core.py": 1.0, "far.py": 1.0}


def test_a_test_that_left_its_process_refutes_nothing() -> None:
    world = World()
    world.run(left=["test_price"])
    assert "farther.py" in world.claims()


def test_a_test_that_no_run_saw_refutes_nothing() -> None:
    world = World()
    world.run({"test_price": EXECUTED["test_price"]})
    assert "farther.py" in world.claims()


def test_the_tests_of_a_definition_are_those_that_executed_it() -> None:
    world = World()
    world.run()
    assert world.tests_of("core.py", "price") == {"test_price": "observed"}
    assert world.tests_of("core.py", "other") == {"test_other": "observed"}
    assert world.tests_of("core.py", "third") == {}
    assert world.tests_of("core.py") == {"test_price": "observed", "test_other": "observed"}
    assert world.tests_of("farther.py", "deep") == {}
    world.save({"core.py": FILES["core.py"].replace("helper(item)", "helper(item) + 1")})
    (test,) = world.running.observed_tests("core.py", {"price"})
    assert (test.node, test.how, test.at, test.is_current) == (
        "tests/test_core.py::test_price", "observed", AT, False,
    )  # fmt: skip


def test_a_definition_that_what_was_executed_names_anew_is_run_by_its_tests() -> None:
    world = World()
    world.run()
    # `other` leads to `third` through a function that is new.
    core = FILES["core.py"].replace("return 2", "return between()") + "\n\ndef between():\n    return third()\n"
    world.save({"core.py": core})
    assert world.tests_of("core.py", "third") == {"test_other": "changed"}
    assert world.tests_of("core.py", "between") == {"test_other": "changed"}
    # What `price` named all along, it does not execute now either, though it changed.
    world.save({"core.py": core.replace("helper(item)", "helper(item) + 1")})
    assert world.tests_of("farther.py", "deep") == {}


def test_a_new_test_is_known_by_its_reach_and_by_the_tests_beside_it() -> None:
    world = World()
    more = {f"test_more{number}": EXECUTED["test_price"] for number in range(3)}
    tests = FILES["tests/test_core.py"] + "".join(f"\n\ndef {name}():\n    core.price(0)\n" for name in more)
    world.save({"tests/test_core.py": tests})
    world.run(EXECUTED | more)
    world.save({"tests/test_core.py": tests + "\n\ndef test_new():\n    assert core.third()\n"})
    assert world.tests_of("core.py", "third") == {"test_new": "reach"}
    assert world.tests_of("core.py", "price")["test_new"] == "beside"
    assert "test_new" not in world.tests_of("core.py", "other")


def test_a_changed_test_stands_for_all_its_parameters() -> None:
    world = World()
    world.run({"test_price[1]": EXECUTED["test_price"], "test_price[2]": {}})
    assert world.tests_of("core.py", "price") == {"test_price[1]": "observed"}
    world.save({"tests/test_core.py": FILES["tests/test_core.py"].replace("price(0)", "price(None)")})
    assert world.tests_of("core.py", "price") == {"test_price": "observed"}


def test_a_later_run_takes_the_place_of_an_earlier_one_and_not_the_reverse() -> None:
    world = World()
    world.run()
    world.run({"test_price": {"core.py": ["third"]}}, at=AT + 60)
    world.run({"test_price": {"core.py": ["price"]}}, at=AT + 30)
    assert world.tests_of("core.py", "third") == {"test_price": "observed"}
    assert world.tests_of("core.py", "price") == {}
    assert world.tests_of("core.py", "other") == {"test_other": "observed"}
    assert len(world.processor.observations.runs) == 2


def test_what_was_seen_goes_on_under_the_new_name_of_a_file() -> None:
    world = World()
    world.run()
    tests = FILES["tests/test_core.py"].replace("core", "basis")
    world.save(
        {"basis.py": FILES["core.py"], "tests/test_basis.py": tests},
        gone=["core.py", "tests/test_core.py"],
        moved={"basis.py": "core.py", "tests/test_basis.py": "tests/test_core.py"},
    )
    assert world.claims("tests/test_basis.py")["basis.py"] == 1.0
    (edge,) = (edge for edge in world.graph.edges_in("basis.py") if edge.key.relation == "ASSERTS_ON")
    assert edge.rationale.startswith("observed: 2 tests of tests/test_basis.py executed other(), price() of basis.py")
    assert world.tests_of("basis.py", "other") == {"test_other": "observed"}


def test_a_run_of_other_bytes_counts_for_definitions_that_read_the_same() -> None:
    world = World()
    run_files = dict(FILES)
    world.save({"core.py": FILES["core.py"].replace("return 2", "return 4")})
    # The run was over the files as they are in `run_files`.
    older = World(run_files)
    older.run()
    parts = tuple(older.part(0, "core.py", name) for name in ("price", "other"))
    world.take(
        Run(
            "pytest 9.2.0", AT, files=(("core.py", sha256(run_files["core.py"].encode()).hexdigest()),), parts=parts,
            sets=((0,), (1,)), tests=(Ran("tests/test_core.py", "test_price", members=0),
                                      Ran("tests/test_core.py", "test_other", members=1)),
        )
    )  # fmt: skip
    current = {test.name: test.is_current for test in world.running.observed_tests("core.py", ())}
    assert current == {"test_price": True, "test_other": False}


def test_lines_of_a_coverage_database_are_taken_for_the_functions_around_them() -> None:
    world = World()

    def bits(*lines: int) -> bytes:
        return bytes(sum(1 << line % 8 for line in lines if line // 8 == at) for at in range(max(lines) // 8 + 1))

    run = Run(
        "coverage.py", 0, files=(("/p/core.py", ""), ("/p/far.py", "")),
        parts=(Part(0, lines=bits(4, 5, 8)), Part(1, lines=bits(5, 7))), sets=((0, 1), (0,)),
        tests=(Ran("tests/test_core.py", "test_price", members=0), Ran("", "test_core.test_other", members=1)),
    )  # fmt: skip
    assert world.take(run, ".coverage", written=AT - 5.0).tests == 2
    # `def` lines run when the module is loaded; those of a body do not.
    assert world.tests_of("core.py", "price") == {"test_price": "observed", "test_other": "observed"}
    assert world.tests_of("core.py", "other") == {}
    assert world.tests_of("far.py", "helper") == {"test_price": "observed"}
    later = World()
    later.take(run, ".coverage", written=AT + 5.0)
    assert not later.processor.observations.executing("core.py", None)


def test_a_report_adds_how_a_test_ended_and_takes_nothing() -> None:
    world = World()
    world.run()
    taken = world.take(
        Run("JUnit report", 0, tests=(Ran("", "tests.test_core::test_price", "failed", 12), Ran("", "x.y::z")))
    )
    assert (taken.tests, taken.unknown) == (1, 1)
    (test,) = world.running.observed_tests("core.py", {"price"})
    assert (test.outcome, test.ms, test.at) == ("failed", 12, AT)


def test_odd_and_secret_parameters_are_not_kept() -> None:
    world = World()
    world.run({"test_price[hunter2]": EXECUTED["test_price"], "test_other[a\nb]": EXECUTED["test_other"]})
    assert {name for _, name in world.processor.observations.tests} == {"test_price", "test_other"}


def test_impact_names_the_tests_that_run_a_definition() -> None:
    world = World()
    world.run()
    processor = world.processor
    impact = Impact(
        world.graph, records=processor.records, facts=processor.facts, links=processor.links, users=processor.users,
        exercise=processor.exercise, history=History,
        observations=processor.observations,
    )  # fmt: skip
    (found,) = impact.tests(Change("core.py", frozenset({"price"})))
    assert [test.node for test in found.running] == ["tests/test_core.py::test_price"]
    assert impact.tests(Change("core.py", frozenset({"third"}))) == []


def test_the_runs_that_saw_a_test_execute_a_definition_are_told_newest_first_and_what_changed_since() -> None:
    world = World()
    world.run()
    world.run({"test_other": EXECUTED["test_other"]}, at=AT + 3600)
    seen = world.processor.observations
    test = "tests/test_core.py"
    newer, older = sightings(seen, (test, ""), ("core.py", ""))
    assert (newer.run.at, newer.tests, newer.definitions, newer.changed) == (AT + 3600, ("test_other",), ("other",), ())
    assert (older.run.at, older.tests, older.definitions) == (AT, ("test_price",), ("price",))
    assert sightings(seen, (test, "test_price"), ("core.py", "")) == [older]
    assert sightings(seen, (test, ""), ("core.py", "other")) == [newer]
    assert sightings(seen, (test, "test_price"), ("core.py", "other")) == []
    assert sightings(seen, ("core.py", ""), (test, "")) == []
    world.save({"core.py": FILES["core.py"].replace("return 2", "return 4")})
    newer, older = sightings(seen, (test, ""), ("core.py", ""))
    assert (newer.changed, older.changed) == (("other",), ())


def test_what_was_seen_is_kept_and_a_damaged_file_is_left_out(tmp_path: Path) -> None:
    world = World()
    world.run()
    file = tmp_path / "observed"
    seen = world.processor.observations
    kept.save(file, seen, {".coverage": (1, 2)}, "v1")
    again = World()
    assert kept.load(file, again.processor.observations, "v1") == ({".coverage": (1, 2)}, False)
    again.processor.expect(["tests/test_core.py"])
    again.graph.apply(again.processor.plan((), (), now=NOW))
    assert again.claims() == world.claims()
    for data in (b"", b"x", file.read_bytes()[:-20]):
        file.write_bytes(data)
        other = World()
        assert kept.load(file, other.processor.observations, "v1") == ({}, False)
        assert not other.processor.observations
    assert kept.load(tmp_path / "none", again.processor.observations, "v1") == ({}, False)


def test_fingerprints_of_another_extraction_are_made_anew_where_the_file_is_the_same(tmp_path: Path) -> None:
    world = World()
    world.run()
    kept.save(tmp_path / "observed", world.processor.observations, {}, "v1")
    again = World({**FILES, "far.py": FILES["far.py"] + "\n\ndef more():\n    pass\n"})
    seen = again.processor.observations
    assert kept.load(tmp_path / "observed", seen, "v2") == ({}, True)
    seen.refresh()
    changed = {(item.path, item.name) for number, item in enumerate(seen.seen) if seen.is_changed(number)}
    assert changed == {("far.py", "helper")}


def test_what_is_kept_is_bounded() -> None:
    seen = Observations(lambda _path: None, lambda _path: World().processor.links("core.py"))
    world = World()
    world.run()
    known = world.processor.observations
    seen.runs, seen.seen, seen.sets = list(known.runs), list(known.seen), [array("I", [0])]
    seen.tests = {("tests/test_core.py", f"test_{n}"): next(iter(known.tests.values())) for n in range(MOST_TESTS + 9)}
    seen.tests = {key: type(one)(0, members=0) for key, one in seen.tests.items()}
    seen.settle()
    assert (len(seen.tests), len(seen.seen), len(seen.sets)) == (MOST_TESTS, 1, 1)


BODIES = st.sampled_from(["return helper(item)", "return other()", "return third() or helper(item)", "return 1"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("core"), BODIES),
        st.tuples(st.just("far"), st.sampled_from(["deep(item)", "0", "deep(deep(item))"])),
        st.tuples(st.just("test"), st.sampled_from(["core.price(0)", "core.other()", "core.third()"])),
        st.tuples(st.just("run"), st.sampled_from(["price", "other", "third"])),
        st.tuples(st.just("gone"), st.sampled_from(["far.py", "farther.py", "core.py"])),
    ),
    max_size=7,
)


@settings(max_examples=60)
@given(STEPS)
def test_claims_after_any_changes_are_those_of_the_last_files_and_what_was_seen(steps: list[tuple[str, str]]) -> None:
    world = World()
    for kind, value in steps:
        if kind == "core":
            world.save({"core.py": FILES["core.py"].replace("return helper(item)", value)})
        elif kind == "far":
            world.save({"far.py": FILES["far.py"].replace("deep(item)", value)})
        elif kind == "test":
            world.save({"tests/test_core.py": FILES["tests/test_core.py"].replace("core.price(0)", value)})
        elif kind == "gone" and value in world.files:
            world.save({}, gone=[value])
        elif kind == "run" and "core.py" in world.files:
            world.run({"test_price": {"core.py": [value]}, "test_other": {"core.py": ["other"]}})
    fresh = World({})
    seen, again = world.processor.observations, fresh.processor.observations
    again.restore(seen.runs, seen.seen, seen.sets, seen.tests)
    again.shapes = seen.shapes
    fresh.save(world.files)
    shown = [{edge.key: (edge.rationale, edge.confidence) for edge in each.graph.edges()} for each in (world, fresh)]
    assert shown[0] == shown[1]
