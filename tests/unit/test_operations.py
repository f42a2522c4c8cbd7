"""What the operations declare: few tokens, plain schemas, and answers that their schemas describe."""

from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types
import msgspec
import pytest

from memoire.budget import CHARS_PER_TOKEN
from memoire.memory import SymbolRelation
from memoire.model import Definition, Effect, Problem
from memoire.operations import INSTRUCTIONS, OPERATIONS
from memoire.operations._spec import Operation
from tests.memories import Project, event
from tests.requirements import covers

AnyOperation = Operation[Any, Any, Any]
TOOLS = [operation for operation in OPERATIONS if operation.is_tool]


def declared(operation: AnyOperation) -> str:
    tool = {"name": operation.name, "description": operation.description, "inputSchema": operation.input_schema()}
    return msgspec.json.encode(tool).decode()


GRAPH_TOOLS = ["get_context", "expand", "search", "recent_events"]
MEMORY_TOOLS = ["recall", "list", "read", "history", "check", "write", "revise", "feedback", "forget"]


@covers("tools")
@pytest.mark.shows("H1")
def test_the_tools_are_offered_the_one_to_call_first_first() -> None:
    assert [operation.name for operation in TOOLS] == [*GRAPH_TOOLS, *(f"memory_{name}" for name in MEMORY_TOOLS)]
    assert [operation.command or operation.name for operation in TOOLS] == [
        "context", "expand", "search", "events", *(f"notes {name}" for name in MEMORY_TOOLS),
    ]  # fmt: skip
    writing = [operation.name for operation in TOOLS if not operation.read_only]
    assert writing == ["memory_write", "memory_revise", "memory_feedback", "memory_forget"]


def test_the_four_tools_cost_less_than_a_thousand_tokens_and_all_less_than_3800() -> None:
    assert len(INSTRUCTIONS) + sum(len(declared(operation)) for operation in TOOLS[:4]) <= 1000 * CHARS_PER_TOKEN
    assert sum(len(declared(operation)) for operation in TOOLS) <= 3800 * CHARS_PER_TOKEN


@pytest.mark.parametrize("operation", TOOLS, ids=lambda operation: operation.name)
@pytest.mark.shows("T29")
def test_a_description_says_when_to_call_it_in_one_short_paragraph(operation: AnyOperation) -> None:
    assert len(operation.description) <= 550
    assert "\n" not in operation.description
    assert any(word in operation.description for word in ("Call it", "Use it"))


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_schema_is_one_flat_object_without_references(operation: AnyOperation) -> None:
    for schema in (operation.input_schema(), operation.output_schema()):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf", "$ref", "$defs"} & schema.keys()
    text = msgspec.json.encode(operation.input_schema()).decode()
    assert "$ref" not in text
    assert "anyOf" not in text


def full(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    text = "def f():\n    open('x')\n"
    project.add(
        "src/a.py",
        text,
        summary="Makes things.",
        definitions=(Definition("f", "function", 1, 2, doc="Does it."),),
        effects=(Effect("file_io", "open", 2, 0), Effect("clock", "time.time", 2, 0)),
        problems=(Problem("encoding", "latin-1", 1),),
    )
    project.add("docs/a.md", "# A\n\nIt makes things.\n", kind="document", language="markdown", summary="A")
    project.link("docs/a.md", "SPECIFIES", "src/a.py", causal=True)
    project.link("src/a.py", "IMPORTS", "pkg:os")
    project.relations = [SymbolRelation("src/b.py::g", "CALLS", "src/a.py::f", 4)]
    project.events = [event(1, "Edited things", entities=("src/a.py",)), event(2, "Ran: make", kind="command")]
    project.pending = ("src/new.py",)
    return project


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (0, {}),
        (0, {"budget": 300}),
        (1, {"path": "src/a.py"}),
        (1, {"path": "src/a.py", "budget": 250}),
        (1, {"path": "docs/a.md"}),
        (1, {"path": "src"}),
        (1, {"path": "."}),
        (1, {"path": "src/a.py::f"}),
        (1, {"path": "pkg:os"}),
        (2, {"query": "things"}),
        (3, {}),
        (3, {"limit": 1}),
    ],
)
def test_every_answer_is_what_its_schema_describes(tmp_path: Path, number: int, arguments: dict[str, Any]) -> None:
    operation = TOOLS[number]
    answer = full(tmp_path).ask(operation, **arguments)
    schema = operation.output_schema()
    jsonschema.validate(answer, schema, cls=jsonschema.Draft202012Validator)
    assert answer.keys() <= schema["properties"].keys()
    assert answer["as_of"]
    assert answer["pending"] == ["src/new.py"]
