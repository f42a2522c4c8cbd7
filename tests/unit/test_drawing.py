"""Parts of the graph in the formats of other programs: each is read again by what reads such files."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.terminal import picture
from memoire.terminal.drawing import FORMATS

ODD = 'a "b" <c> & d\\e\u0007.py'
DRAWING: dict[str, Any] = {
    "nodes": [
        {"path": "core.py", "kind": "file", "language": "python", "side_effects": ["network"], "is_start": True},
        {"path": ODD, "kind": "file", "language": "python"},
        {"path": "docs/spec.md", "kind": "document"},
    ],
    "edges": [
        {
            "source": "core.py", "relation": "DRIVES", "target": ODD, "rationale": "it imports <core>",
            "is_causal": True, "is_costly": True, "count": 2,
        },
        {
            "source": "docs/spec.md", "relation": "SPECIFIES", "target": "core.py", "rationale": "says so",
            "is_causal": True,
        },
        {"source": ODD, "relation": "IMPORTS", "target": "core.py", "rationale": "line 1"},
    ],
}  # fmt: skip
EMPTY: dict[str, Any] = {"nodes": [], "edges": []}


def test_mermaid_names_nodes_by_numbers_and_keeps_quotes_out_of_labels() -> None:
    assert FORMATS["mermaid"](DRAWING) == (
        "flowchart LR\n"
        '  n0["core.py"]\n'
        '  n1["a #quot;b#quot; <c> & d\\\\e\u0007.py"]\n'
        '  n2(["docs/spec.md"])\n'
        "  n0 ==>|DRIVES| n1\n"
        "  n2 -->|SPECIFIES| n0\n"
        "  n1 -.->|IMPORTS| n0\n"
        "  classDef start stroke-width:3px\n"
        "  class n0 start\n"
    )


def test_dot_quotes_every_name() -> None:
    text = FORMATS["dot"](DRAWING)
    assert text.startswith("digraph memoire {\n")
    assert text.endswith("}\n")
    odd = '"a \\"b\\" <c> & d\\\\e .py"'
    assert f'"core.py" -> {odd} [label="DRIVES", tooltip="it imports <core>", penwidth=2];' in text
    assert f'{odd} -> "core.py" [label="IMPORTS", tooltip="line 1", style=dashed];' in text


def test_graphml_is_read_again_with_every_field() -> None:
    space = "{http://graphml.graphdrawing.org/xmlns}"
    graph = ElementTree.fromstring(FORMATS["graphml"](DRAWING)).find(f"{space}graph")
    assert graph is not None
    shown = ["core.py", ODD.replace("\u0007", " "), "docs/spec.md"]
    assert [node.get("id") for node in graph.findall(f"{space}node")] == shown
    edges = [
        {data.get("key"): data.text for data in edge.findall(f"{space}data")} for edge in graph.findall(f"{space}edge")
    ]
    assert edges[0] == {"relation": "DRIVES", "rationale": "it imports <core>", "is_causal": "true", "count": "2"}
    assert edges[2] == {"relation": "IMPORTS", "rationale": "line 1", "is_causal": "false", "count": "1"}


def test_a_picture_is_svg_with_a_box_for_each_file_and_a_line_for_each_edge() -> None:
    root = ElementTree.fromstring(FORMATS["svg"](DRAWING).replace("\u0007", " "))
    space = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in root.iter(f"{space}text")] == ["core.py", ODD.replace("\u0007", " "), "docs/spec.md"]
    titles = [title.text for title in root.iter(f"{space}title")]
    assert titles[1] == "docs/spec.md SPECIFIES core.py: says so"
    lefts = {str(box[1].text): float(box[0].get("x", "")) for box in root.iter(f"{space}g")}
    assert lefts["docs/spec.md"] < lefts["core.py"] < lefts[ODD.replace("\u0007", " ")]


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_is_drawn_too(form: str) -> None:
    assert re.search(r"\w", FORMATS[form](EMPTY))


names = st.integers(0, 8).map(lambda number: f"f{number}.py")


@given(st.lists(names, unique=True), st.lists(st.tuples(names, names), max_size=20))
def test_each_path_stands_once_and_right_of_all_that_lead_to_it_unless_in_a_circle(
    paths: list[str], arrows: list[tuple[str, str]]
) -> None:
    arrows = [(source, target) for source, target in arrows if {source, target} <= {*paths} and source != target]
    columns = picture.ordered(picture.layers(paths, arrows), arrows)
    assert sorted(path for column in columns for path in column) == sorted(paths)
    column_of = {path: number for number, column in enumerate(columns) for path in column}
    after: dict[str, set[str]] = {path: {target for source, target in arrows if source == path} for path in paths}
    for source, target in arrows:
        reached, waiting = set[str](), [target]
        while waiting:
            at = waiting.pop()
            if at not in reached:
                reached.add(at)
                waiting += after[at]
        assert source in reached or column_of[source] < column_of[target]
