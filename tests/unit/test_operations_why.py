"""`why` and `cycles`: what binds two paths, all of it, and what goes in a circle."""

from pathlib import Path

import msgspec
import pytest

from memoire.errors import UnknownPathError
from memoire.memory import SymbolRelation
from memoire.model import Definition, EdgeKey
from memoire.operations.cycles import OPERATION as CYCLES
from memoire.operations.why import OPERATION
from memoire.relations import asserted
from tests.memories import NOW, Project, event


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    definitions = (Definition("Cart", "class", 1, 9), Definition("Cart.total", "method", 3, 5, parent=0))
    project.add("shop/cart.py", definitions=definitions)
    project.add("shop/view.py", definitions=(Definition("show", "function", 1, 4),))
    project.add("shop/far.py")
    project.add("alone.py")
    project.link("shop/cart.py", "DRIVES", "shop/view.py", "view.py:2 reads total", causal=True, cost="high")
    project.link("shop/view.py", "IMPORTS", "shop/cart.py", "view.py:1 imports Cart")
    project.link("shop/view.py", "DRIVES", "shop/far.py", causal=True)
    project.relations = [SymbolRelation("shop/view.py::show", "CALLS", "shop/cart.py::Cart.total", 3)]
    return project


def test_edges_of_both_directions_and_uses_are_told_with_their_lines(project: Project) -> None:
    answer = project.ask(OPERATION, source="shop/cart.py", target="shop/view.py")
    assert [(edge["relation"], edge["rationale"]) for edge in answer["edges"]] == [
        ("DRIVES", "view.py:2 reads total"),
        ("IMPORTS", "view.py:1 imports Cart"),
    ]
    assert answer["edges"][0]["extracted_from"] == "shop/cart.py"
    assert answer["edges"][0]["since"] == NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert answer["uses"] == [
        {"source": "shop/view.py::show", "relation": "CALLS", "target": "shop/cart.py::Cart.total", "line": 3}
    ]
    assert answer["verdict"] == "shop/cart.py and shop/view.py are bound by 2 edges, 1 use."
    assert answer["way"] == []


def test_all_lines_of_a_use_are_told_as_long_as_the_text_is_the_one_that_was_read(tmp_path: Path) -> None:
    text = "from cart import total\n\ndef show():\n    total()\n    subtotal()\n    return total()\n\ntotal()\n"
    project = Project(tmp_path)
    project.add("cart.py", definitions=(Definition("total", "function", 1, 2),))
    project.add("view.py", text, definitions=(Definition("show", "function", 3, 6),))
    project.relations = [
        SymbolRelation("view.py::show", "CALLS", "cart.py::total", 4),
        SymbolRelation("view.py", "CALLS", "cart.py::total", 8),
    ]
    uses = project.ask(OPERATION, source="cart.py", target="view.py")["uses"]
    assert [(use["line"], use.get("lines")) for use in uses] == [(4, [4, 6]), (8, None)]
    project.texts["view.py"] = f"\n{text}"
    assert not any("lines" in use for use in project.ask(OPERATION, source="cart.py", target="view.py")["uses"])


def test_what_was_learned_is_told_with_where_it_comes_from_and_when_it_ended(project: Project) -> None:
    said = asserted.statement(
        EdgeKey("alone.py", "DRIVES", "shop/cart.py::Cart"), is_denied=False, author="ann", reason="hunter2", at=NOW
    )
    project.lessons.apply([said])
    project.lessons.apply([msgspec.structs.replace(said, until=NOW, revision=1)])
    answer = project.ask(OPERATION, source="shop/cart.py", target="alone.py")
    (piece,) = answer["learned"]
    when = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert piece == {
        "kind": "asserted",
        "source": "alone.py",
        "relation": "DRIVES",
        "target": "shop/cart.py::Cart",
        "created_at": when,
        "origin": "ann",
        "text": "[secret]",
        "until": when,
    }
    assert answer["verdict"] == "shop/cart.py and alone.py are bound by 1 learned piece of evidence."
    assert project.ask(OPERATION, source="shop/cart.py::Cart", target="alone.py")["learned"] == [piece]
    assert project.ask(OPERATION, source="shop/cart.py::Cart.total", target="alone.py")["learned"] == []


def test_a_definition_is_asked_for_by_its_name(project: Project) -> None:
    answer = project.ask(OPERATION, source="shop/view.py", target="shop/cart.py::Cart")
    assert len(answer["uses"]) == 1
    assert project.ask(OPERATION, source="shop/far.py", target="shop/cart.py::Cart")["uses"] == []


def test_the_way_of_a_change_is_told_where_no_edge_is_direct(project: Project) -> None:
    answer = project.ask(OPERATION, source="shop/far.py", target="shop/cart.py")
    assert answer["way"] == ["shop/cart.py -DRIVES-> shop/view.py", "shop/view.py -DRIVES-> shop/far.py"]
    assert answer["verdict"].endswith("a change travels in 2 steps.")


def test_nothing_is_said_plainly(project: Project) -> None:
    answer = project.ask(OPERATION, source="alone.py", target="shop/cart.py")
    assert answer["verdict"] == "Nothing is known that binds alone.py and shop/cart.py."
    assert not any(answer[part] for part in ("edges", "uses", "commits", "sessions", "way"))


def test_sessions_that_edited_both_are_named(project: Project) -> None:
    project.events = [
        event(1, kind="file_edit", entities=("shop/cart.py",), session="s1", actor="assistant", client="claude-code"),
        event(2, kind="file_edit", entities=("shop/view.py",), session="s1", actor="assistant", client="claude-code"),
        event(3, kind="file_edit", entities=("shop/cart.py",), session="s2", actor="assistant", client="claude-code"),
    ]
    (worked,) = project.ask(OPERATION, source="shop/cart.py", target="shop/view.py")["sessions"]
    assert worked["session"] == "s1"


def test_a_directory_and_an_unknown_path_are_refused(project: Project) -> None:
    with pytest.raises(UnknownPathError):
        project.ask(OPERATION, source="shop/", target="shop/cart.py")
    with pytest.raises(UnknownPathError):
        project.ask(OPERATION, source="shop/cart.py", target="shop/none.py")


def test_a_circle_is_told_with_its_shortest_way(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for name in "abcd":
        project.add(f"{name}.py")
    for source, target in ("ab", "bc", "ca", "cb", "cd"):
        project.link(f"{source}.py", "DRIVES", f"{target}.py", causal=True)
    (circle,) = project.ask(CYCLES)["cycles"]
    assert (circle["size"], circle["members"]) == (3, ["a.py", "b.py", "c.py"])
    assert circle["example"] == ["a.py -DRIVES-> b.py", "b.py -DRIVES-> c.py", "c.py -DRIVES-> a.py"]


def test_no_circle_is_an_empty_list(project: Project) -> None:
    assert project.ask(CYCLES)["cycles"] == []
