"""What sessions, runs, commits and people teach: which edge each is evidence for, and which it is not."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from memoire.episodes.sessions import fold
from memoire.impact import is_code
from memoire.languages import is_test
from memoire.model import EdgeKey, Event, Evidence, Session
from memoire.relations import asserted, outcomes, session_order
from memoire.relations.changes_with import Together
from memoire.relations.drives import MAX_WRITERS
from memoire.relations.lessons import LEARNED, Lessons
from tests.support import Linked

START = datetime(2026, 5, 18, 10, 0, tzinfo=UTC)


def event(minute: float, kind: str, summary: str = "", session: str = "s1", **fields: object) -> Event:
    at = START + timedelta(minutes=minute)
    name = f"{int(at.timestamp() * 1000):012x}-{abs(hash((minute, kind))) % 16**16:016x}"
    return Event(name, kind, at, summary, 0.5, session=session, **fields)  # type: ignore[arg-type]


def edit(minute: float, path: str, session: str = "s1") -> Event:
    return event(minute, "file_edit", f"Edited {path}", session, entities=(path,))


def run(minute: float, line: str, *failed: str, files: tuple[str, ...] = (), session: str = "s1") -> Event:
    outcome = "failed" if failed else "passed"
    named = tuple(name for name in failed if name)
    return event(minute, "command", f"Ran `{line}`: {outcome}", session, entities=files, outcome=outcome, failed=named)


def session(*edits: tuple[float, str], name: str = "s1") -> Session:
    return fold([edit(minute, path, name) for minute, path in edits])[name]


def counts(pieces: Iterable[Evidence]) -> dict[tuple[str, str], int]:
    return {(piece.source, piece.target): piece.count for piece in pieces}


def learned(*events: Event) -> dict[tuple[str, str], str]:
    found = outcomes.pieces(events, fold(events).values(), is_test=is_test, is_code=is_code)
    return {(piece.source, piece.target): piece.text for piece in found}


# ---- session order


def test_what_is_edited_soon_after_counts_once_for_each_edit_that_it_follows() -> None:
    found = session((0, "a.py"), (1, "b.py"), (1.5, "b.py"), (3, "a.py"), (7, "b.py"), (20, "c.py"))
    assert counts(session_order.pieces(found)) == {("a.py", "b.py"): 2, ("b.py", "a.py"): 1}


def test_what_follows_later_than_five_minutes_or_in_a_crowd_says_nothing() -> None:
    assert counts(session_order.pieces(session((0, "a.py"), (5.1, "b.py")))) == {}
    crowd = [(0.0, "a.py"), *((0.1 + number / 100, f"m{number}.py") for number in range(session_order.CROWD + 1))]
    assert "a.py" not in {source for source, _ in counts(session_order.pieces(session(*crowd)))}


def test_the_same_session_gives_the_same_pieces() -> None:
    found = list(session_order.pieces(session((0, "a.py"), (1, "b.py"))))
    lessons = Lessons()
    lessons.apply(lessons.fresh(found))
    assert lessons.fresh(found) == []
    more = list(session_order.pieces(session((0, "a.py"), (1, "b.py"), (2, "a.py"), (3, "b.py"))))
    grown = lessons.fresh(more)
    assert counts(grown) == {("a.py", "b.py"): 2, ("b.py", "a.py"): 1}
    lessons.apply(grown)
    assert len(lessons) == 2


# ---- outcomes


def test_a_test_that_fails_and_passes_after_an_edit_is_about_what_was_edited() -> None:
    found = learned(
        edit(0, "src/cart.py"),
        run(1, "pytest tests/test_cart.py", "tests/test_cart.py::test_total", files=("tests/test_cart.py",)),
        edit(2, "src/price.py"),
        run(3, "pytest tests/test_cart.py", files=("tests/test_cart.py",)),
    )
    assert found == {("tests/test_cart.py", "src/price.py"): "pytest tests/test_cart.py"}


def test_what_broke_a_test_that_passed_before_is_evidence_too() -> None:
    found = learned(
        run(0, "pytest"),
        edit(1, "src/cart.py"),
        run(2, "pytest", "tests/test_cart.py::test_total", files=("tests/test_cart.py",)),
        edit(3, "src/price.py"),
        run(4, "pytest -q"),
    )
    assert set(found) == {("tests/test_cart.py", "src/cart.py"), ("tests/test_cart.py", "src/price.py")}


def test_edits_of_tests_documents_and_of_too_much_at_once_are_no_evidence() -> None:
    failed = run(1, "pytest", "tests/test_cart.py::test_total", files=("tests/test_cart.py",))
    passed = run(9, "pytest")
    assert learned(failed, edit(2, "tests/test_cart.py"), edit(3, "README.md"), passed) == {}
    many = [edit(2 + number, f"src/m{number}.py") for number in range(outcomes.MOST_EDITED + 1)]
    assert learned(failed, *many, passed) == {}
    assert len(learned(failed, *many[1:], passed)) == outcomes.MOST_EDITED


def test_a_run_that_may_not_have_run_the_test_again_is_no_evidence() -> None:
    failed = run(1, "pytest tests", "tests/test_cart.py::test_total", files=("tests/test_cart.py",))
    edited = edit(2, "src/cart.py")
    for line in ("pytest tests -k price", "pytest tests/test_price.py", "npm test", ""):
        assert learned(failed, edited, run(3, line)) == {}, line
    assert learned(failed, edited, run(3, "pytest", "tests/test_price.py::test_it")) == {}
    assert learned(failed, edited, run(3, "pytest tests -v")) != {}


def test_a_test_that_is_mended_without_an_edit_is_about_nothing() -> None:
    events = [run(0, "pytest"), edit(1, "src/cart.py")]
    events += [run(2, "pytest", "tests/test_cart.py::test_a", files=("tests/test_cart.py",)), run(3, "pytest")]
    assert learned(*events) == {}


def test_a_failure_without_names_is_of_the_test_that_the_command_names() -> None:
    found = learned(
        run(1, "python tests/test_cart.py", "", files=("tests/test_cart.py",)),
        edit(2, "src/cart.py"),
        run(3, "python tests/test_cart.py", files=("tests/test_cart.py",)),
    )
    assert set(found) == {("tests/test_cart.py", "src/cart.py")}
    assert learned(run(1, "make", ""), edit(2, "src/cart.py"), run(3, "make")) == {}


# ---- what it does to the edges

FILES = {
    "core.py": "def plan():\n    pass\n",
    "use.py": "from core import plan\n\nplan()\n",
    "far.py": "x = 1\n",
    "test_far.py": "def test_it():\n    pass\n",
}


def teach(project: Linked, *pieces: Evidence, moved: Mapping[str, str] | None = None) -> None:
    lessons = project.processor.lessons
    steps = project.processor.planning((), (), now=project.now, learned=lessons.fresh(pieces), moved=moved)
    _apply(project, steps)


def _apply(project: Linked, steps: object) -> None:
    while True:
        try:
            next(steps)  # type: ignore[call-overload]
        except StopIteration as end:
            project.graph.apply(end.value)
            return


def ordered(source: str, target: str, count: int = 2, name: str = "s1") -> Evidence:
    edits = [(number * 2 + place, path) for number in range(count) for place, path in enumerate((source, target))]
    return next(piece for piece in session_order.pieces(session(*edits, name=name)) if piece.source == source)


def test_session_order_drives_only_along_a_dependency_of_the_source() -> None:
    project = Linked(FILES)
    teach(project, ordered("core.py", "use.py", 1))
    assert project.edges("DRIVES") == set()
    teach(project, ordered("core.py", "use.py"), ordered("use.py", "core.py", name="s2"), ordered("far.py", "use.py"))
    assert project.edges("DRIVES") == {("core.py", "use.py")}
    edge = project.edge("core.py", "DRIVES", "use.py")
    assert edge.rationale == (
        "use.py:1 imports plan from core; use.py edited within 5 minutes after core.py 2 times in one session, "
        "last 2026-05-18"
    )
    assert (edge.is_causal, edge.learned, edge.confidence, edge.extracted_from) == (True, 2, 0.5, "use.py")
    project.save({"use.py": "y = 1\n"})
    assert project.edges("DRIVES") == set()
    project.save({"use.py": FILES["use.py"]})
    assert project.edges("DRIVES") == {("core.py", "use.py")}


def test_co_change_drives_only_along_a_dependency_and_where_the_dependent_follows() -> None:
    project = Linked(FILES)
    lessons = project.processor.lessons
    for forth, back, edges in ((0.4, 0.1, {("core.py", "use.py")}), (0.1, 0.4, set())):
        taught = lessons.know([Together("core.py", "use.py", 5, "ab" * 20, START, forth, back)])
        _apply(project, project.processor.planning((), (), now=project.now, taught=taught))
        assert project.edges("DRIVES") == edges
        if edges:
            edge = project.edge("core.py", "DRIVES", "use.py")
            said = "40% of the changes of core.py changed use.py: 5 commits, last ababababa of 2026-05-18"
            assert edge.rationale == f"use.py:1 imports plan from core; {said}"
            assert (edge.learned, edge.confidence) == (5, 0.4)


def test_learned_evidence_confirms_an_edge_that_the_source_shows() -> None:
    more = {f"use{number}.py": FILES["use.py"] for number in range(2)}
    project = Linked(FILES | more)
    before = project.edge("core.py", "DRIVES", "use.py")
    teach(project, ordered("core.py", "use.py"))
    edge = project.edge("core.py", "DRIVES", "use.py")
    assert edge.rationale.startswith(f"{before.rationale}; use.py edited within")
    assert (edge.learned, edge.confidence) == (2, 1.0)
    assert project.graph.observations(edge) == project.graph.observations(before) + 2


def outcome(test: str, path: str) -> Evidence:
    events = [run(1, "pytest", f"{test}::test_it", files=(test,)), edit(2, path), run(3, "pytest")]
    (found,) = outcomes.pieces(events, (), is_test=is_test, is_code=is_code)
    return found


def test_an_outcome_opens_an_edge_of_less_confidence_and_confirms_one_that_is_there() -> None:
    project = Linked(FILES | {"far.py": "def x():\n    pass\n"})
    teach(project, outcome("test_far.py", "far.py"))
    edge = project.edge("test_far.py", "ASSERTS_ON", "far.py")
    assert edge.rationale == "test_far.py failed and, after far.py was edited, passed: once, 2026-05-18 by `pytest`"
    assert (edge.confidence, edge.extracted_from, edge.learned) == (outcomes.CONFIDENCE, LEARNED, 0)
    project.save({"test_far.py": "import far\n\ndef test_it():\n    far.x()\n"})
    edge = project.edge("test_far.py", "ASSERTS_ON", "far.py")
    assert edge.rationale == "test_far.py:4 uses x() of far.py"
    assert (edge.confidence, edge.extracted_from, edge.learned) == (1.0, "test_far.py", 1)
    project.save({"test_far.py": FILES["test_far.py"]})
    assert project.edge("test_far.py", "ASSERTS_ON", "far.py").extracted_from == LEARNED


def say(project: Linked, *key: str, is_denied: bool = False, minute: int = 0) -> list[Evidence]:
    at = START + timedelta(minutes=minute)
    said = asserted.statement(EdgeKey(*key), is_denied=is_denied, author="ann", reason="by the protocol", at=at)
    pieces = project.processor.lessons.stated(said)
    _apply(project, project.processor.planning((), (), now=project.now, learned=pieces))
    return pieces


def test_what_is_stated_is_an_edge_until_it_is_denied() -> None:
    project = Linked(FILES)
    say(project, "far.py", "DRIVES", "use.py")
    edge = project.edge("far.py", "DRIVES", "use.py")
    assert edge.rationale == "ann said so on 2026-05-18: by the protocol"
    assert (edge.is_causal, edge.extracted_from) == (True, LEARNED)
    project.save({"use.py": FILES["use.py"] + "\nplan()\n"})
    assert ("far.py", "use.py") in project.edges("DRIVES")
    denial, taken_back = say(project, "far.py", "DRIVES", "use.py", is_denied=True, minute=5)
    assert project.edges("DRIVES") == set()
    assert (denial.until, taken_back.until) == (None, denial.at)
    say(project, "far.py", "DRIVES", "use.py", minute=6)
    assert project.edges("DRIVES") == {("far.py", "use.py")}


def test_what_is_stated_stays_when_the_source_shows_it_no_more() -> None:
    writers = {f"w{number}.py": "import core\n\n\ndef go():\n    core.LIMIT = 2\n" for number in range(MAX_WRITERS)}
    project = Linked({"core.py": "LIMIT = 1\n", "reader.py": "import core\n\nprint(core.LIMIT)\n", **writers})
    say(project, "w0.py", "DRIVES", "reader.py")
    assert project.edge("w0.py", "DRIVES", "reader.py").extracted_from == "reader.py"
    project.save({"w99.py": writers["w0.py"]})
    assert ("w1.py", "reader.py") not in project.edges("DRIVES")
    assert project.edge("w0.py", "DRIVES", "reader.py").extracted_from == LEARNED


def test_a_denial_ends_what_was_learned_but_not_what_the_source_shows() -> None:
    project = Linked(FILES)
    teach(project, ordered("core.py", "use.py"))
    say(project, "core.py", "DRIVES", "use.py", is_denied=True, minute=60)
    assert project.edges("DRIVES") == set()
    say(project, "use.py", "IMPORTS", "core.py", is_denied=True, minute=60)
    assert ("use.py", "core.py") in project.edges("IMPORTS")


def test_evidence_follows_a_file_to_its_new_name_and_waits_for_one_that_is_gone() -> None:
    project = Linked(FILES)
    say(project, "far.py", "DRIVES", "use.py")
    delta = project.save({}, gone=("far.py",))
    assert [edge.key.source for edge in delta.closed if edge.key.relation == "DRIVES"] == ["far.py"]
    project.save({"far.py": FILES["far.py"]})
    assert project.edges("DRIVES") == {("far.py", "use.py")}
    delta = project.save({"near.py": FILES["far.py"]}, gone=("far.py",), moved={"near.py": "far.py"})
    assert [(piece.source, piece.revision) for piece in delta.evidence] == [("near.py", 1)]
    assert project.edges("DRIVES") == {("near.py", "use.py")}
    assert project.processor.lessons.between("use.py", "near.py") == list(delta.evidence)


def test_what_is_too_much_is_taken_back_the_oldest_first_but_no_statement() -> None:
    lessons = Lessons()
    pieces = [ordered("a.py", f"b{number}.py", name=f"s{number}") for number in range(5)]
    said = asserted.statement(EdgeKey("a.py", "DRIVES", "c.py"), is_denied=False, author="a", reason="b", at=START)
    lessons.apply([*pieces, said])
    assert lessons.excess(START) == []
    over = lessons.excess(START, most=4)
    assert len(over) == 2
    assert {piece.kind for piece in over} == {"session"}
    lessons.apply(over)
    assert lessons.excess(START, most=4) == []
