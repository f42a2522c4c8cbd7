"""`expand`: one path in full, whatever it is, within any budget; unknown is said, never shown as empty."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.memory import SymbolRelation
from memoire.model import CALL, READ, WRITE, Definition, Effect, Import, Problem, Use
from memoire.operations.expand import OPERATION
from memoire.operations.get_context import OPERATION as CONTEXT
from tests.memories import Project, sha
from tests.requirements import covers

SDK = '''"""Talks to the daemon."""
import os, sqlite3

LIMIT = 10


@dataclass(
    frozen=True,
)
class Client:
    """One connection."""

    async def send(
        self, text: str, *, retries: int = 3
    ) -> bool:
        self.token = os.environ["TOKEN"]
        self.session = sqlite3.connect(text)
        return bool(retries)


def helper(): return LIMIT
'''
DEFINITIONS = (
    Definition("LIMIT", "variable", 4, 4),
    Definition("Client", "class", 7, 18, doc="One connection."),
    Definition("Client.send", "method", 13, 18, parent=1),
    Definition("helper", "function", 21, 21),
)
AS_OF = {"generation": 7, "commit": "8bc2e2e6f8df", "branch": "main"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.add(
        "memoire/sdk.py",
        SDK,
        summary="Talks to the daemon.",
        definitions=DEFINITIONS,
        imports=(Import("os", "", "os", 2), Import("sqlite3", "", "sqlite3", 2)),
        uses=(
            Use(2, -2, "token", WRITE, 16),
            Use(2, -2, "session", WRITE, 17),
            Use(-1, -1, "", WRITE, 4),  # LIMIT = 10: its definition
            Use(3, -1, "", READ, 21),
            Use(2, 0, "environ", READ, 16),
            Use(2, 1, "connect", CALL, 17),
        ),
        effects=(
            Effect("env", "os.environ", 16, 2),
            Effect("database", "sqlite3.connect", 17, 2),
            Effect("database", "sqlite3.connect", 19, 2),
        ),
    )
    project.add("memoire/cli.py", "import memoire.sdk\n", summary="The commands.", age_days=7)
    project.add("tests/test_sdk.py", "def test_send(): ...\n", definitions=(Definition("test_send", "function", 1, 1),))
    project.link("memoire/cli.py", "IMPORTS", "memoire/sdk.py", "memoire/cli.py:1 import memoire.sdk")
    project.link("memoire/sdk.py", "IMPORTS", "pkg:sqlite3", "memoire/sdk.py:2 import sqlite3")
    project.link("tests/test_sdk.py", "ASSERTS_ON", "memoire/sdk.py", causal=True, cost="high")
    return project


def ask(project: Project, path: str, **arguments: Any) -> Any:
    return project.ask(OPERATION, path=path, **arguments)


@covers(
    "expand.file", "expand.summary", "expand.side-effects", "expand.state", "expand.relationships", "expand.document"
)
def test_the_whole_answer_for_a_file(project: Project) -> None:
    assert ask(project, "memoire/sdk.py") == {
        "path": "memoire/sdk.py",
        "type": "file",
        "summary": "Python file: memoire/sdk.py | side-effects: database | Talks to the daemon.",
        "side_effects": ["database"],
        "writes_state": ["token", "session"],
        "document": None,
        "relationships": [
            {
                "source": "tests/test_sdk.py",
                "relation": "ASSERTS_ON",
                "target": "memoire/sdk.py",
                "rationale": "tests/test_sdk.py:1 says so",
                "is_causal": True,
                "cost": "high",
                "observations": 1,
            },
            {
                "source": "memoire/cli.py",
                "relation": "IMPORTS",
                "target": "memoire/sdk.py",
                "rationale": "memoire/cli.py:1 import memoire.sdk",
                "is_causal": False,
                "cost": "normal",
                "observations": 1,
            },
            {
                "source": "memoire/sdk.py",
                "relation": "IMPORTS",
                "target": "sqlite3",
                "rationale": "memoire/sdk.py:2 import sqlite3",
                "is_causal": False,
                "cost": "normal",
                "observations": 1,
            },
        ],
        "lines": "21",
        "uses": ["env"],
        "effects": [
            {"effect": "env", "call": "os.environ", "line": 16},
            {"effect": "database", "call": "sqlite3.connect", "line": 17},
        ],
        "definitions": [  # without signatures, which the content already has
            {"name": "LIMIT", "kind": "variable", "lines": "4-4"},
            {"name": "Client", "kind": "class", "lines": "7-18", "doc": "One connection."},
            {"name": "Client.send", "kind": "method", "lines": "13-18"},
            {"name": "helper", "kind": "function", "lines": "21-21"},
        ],
        "tests": ["tests/test_sdk.py"],
        "dependents": ["memoire/cli.py"],
        "content": SDK,
        "as_of": AS_OF,
    }
    assert project.accessed == ["memoire/sdk.py"]


def test_a_file_that_is_too_long_has_its_signatures_instead(project: Project) -> None:
    text = SDK + "# and so on\n" * 200
    project.texts["memoire/sdk.py"] = text
    project.facts["memoire/sdk.py"] = msgspec.structs.replace(project.facts["memoire/sdk.py"], sha=sha(text))
    answer = ask(project, "memoire/sdk.py", budget=600)
    assert "content" not in answer
    assert answer["definitions"] == [
        {"name": "LIMIT", "kind": "variable", "lines": "4-4", "signature": "LIMIT = 10"},
        {
            "name": "Client",
            "kind": "class",
            "lines": "7-18",
            "signature": "class Client:",
            "doc": "One connection.",
        },
        {
            "name": "Client.send",
            "kind": "method",
            "lines": "13-18",
            "signature": "async def send(self, text: str, *, retries: int = 3) -> bool:",
        },
        {"name": "helper", "kind": "function", "lines": "21-21", "signature": "def helper(): return LIMIT"},
    ]
    assert answer["cut"] == {
        "content": "221 lines, 2756 characters",
        "more": "raise budget; expand('path::Name') has one definition",
    }


@covers("expand.path")
def test_one_path_may_be_written_in_many_ways(project: Project) -> None:
    project.root.joinpath("memoire").mkdir()
    expected = ask(project, "memoire/sdk.py")
    for path in ("./memoire/sdk.py", "memoire/sdk.py/", "memoire/../memoire/sdk.py", f"{project.root}/memoire/sdk.py"):
        assert ask(project, path) == expected
    for path in ("memoire", "memoire/", "./memoire", f"{project.root}/memoire/", " memoire "):
        assert ask(project, path)["path"] == "memoire/"
    for path in (".", "./", "", " ", str(project.root)):
        if path:
            assert ask(project, path)["path"] == "."


@covers("expand.directory")
def test_the_whole_answer_for_a_directory(project: Project) -> None:
    project.add("memoire/__init__.py", "", summary="A causal memory.")
    project.add("memoire/daemon/server.py", "", summary="The server.")
    project.add("memoire/bad.py", "(", problems=(Problem("syntax", "line 1", 1),))
    assert ask(project, "memoire/") == {
        "path": "memoire/",
        "type": "directory",
        "summary": "5 files | A causal memory.",
        "children": [
            {
                "name": "memoire/sdk.py",
                "type": "file",
                "summary": "Python file | side-effects: database | Talks to the daemon.",
            },
            {"name": "memoire/__init__.py", "type": "file", "summary": "Python file | A causal memory."},
            {"name": "memoire/bad.py", "type": "file", "summary": "Python file | not fully read: syntax"},
            {"name": "memoire/daemon/", "type": "directory", "summary": "1 file (Python 1)"},
            {"name": "memoire/cli.py", "type": "file", "summary": "Python file | The commands."},
        ],
        "problems": [{"code": "syntax", "message": "memoire/bad.py"}],
        "as_of": AS_OF,
    }
    assert project.accessed == []


def test_the_root_is_a_directory_and_lists_what_is_wrong_anywhere(project: Project) -> None:
    project.add("deep/down/bad.py", "(", problems=(Problem("syntax", "line 1", 1),))
    project.tree.add("new.py")
    answer = ask(project, ".")
    assert (answer["path"], answer["type"], answer["summary"]) == (".", "directory", "5 files")
    assert sorted(child["name"] for child in answer["children"]) == ["deep/", "memoire/", "new.py", "tests/"]
    assert {"name": "new.py", "type": "file", "summary": "File | nothing is known of its content"} in answer["children"]
    assert answer["problems"] == [{"code": "syntax", "message": "deep/down/bad.py"}]


def test_a_document_comes_with_its_text_title_summary_and_tags(project: Project) -> None:
    text = (
        "---\ntitle: x\ntags: [design, 'store']\n---\n# The store\n\n![logo](a.png)\n\nOne file\nper project.\n\n"
        "## Schema\n\nThe password is hunter2.\n"
    )
    sections = (Definition("The store", "section", 5, 14), Definition("Schema", "section", 12, 14, parent=0))
    project.add("docs/store.md", text, kind="document", language="markdown", summary="The store", definitions=sections)
    project.link("docs/store.md", "SPECIFIES", "memoire/sdk.py", causal=True)
    answer = ask(project, "docs/store.md")
    assert answer["type"] == "document"
    assert answer["summary"] == "Markdown document: docs/store.md | The store"
    assert answer["document"] == {
        "title": "The store",
        "summary": "One file per project.",
        "content": text.replace("hunter2", "[secret]"),
        "tags": ["design", "store"],
    }
    assert [section["name"] for section in answer["definitions"]] == ["The store", "Schema"]
    assert answer["dependents"] == ["memoire/sdk.py"]
    assert (answer["side_effects"], answer["writes_state"]) == ([], [])
    assert "content" not in answer


def test_a_long_document_is_cut_at_a_line_and_says_so(project: Project) -> None:
    text = "".join(f"Line {number} of the document.\n" for number in range(4000))
    project.add("docs/long.md", text, kind="document", language="markdown", summary="Long")
    raw = project.raw(OPERATION, path="docs/long.md", budget=1000)
    answer = msgspec.json.decode(raw)
    shown = answer["document"]["content"]
    assert 3870 <= len(raw) <= 4000
    assert text.startswith(f"{shown}\n")
    assert answer["cut"]["document"] == f"{len(shown)} of {len(text)} characters"


def test_the_whole_answer_for_a_method(project: Project) -> None:
    project.relations = [
        SymbolRelation("memoire/cli.py::main", "CALLS", "memoire/sdk.py::Client.send", 12),
        SymbolRelation("memoire/cli.py::main", "CALLS", "memoire/sdk.py::Client.send", 30),
        SymbolRelation("tests/test_sdk.py::test_send", "CALLS", "memoire/sdk.py::Client.send", 1),
        SymbolRelation("memoire/sdk.py::Client.send", "CALLS", "memoire/sdk.py::helper", 18),
        SymbolRelation("memoire/sdk.py::Client.send", "REFERENCES", "memoire/cli.py::VERSION", 18),
        SymbolRelation("memoire/cli.py::Sub", "INHERITS", "memoire/sdk.py::Client", 3),
    ]
    assert ask(project, "memoire/sdk.py::Client.send") == {
        "path": "memoire/sdk.py::Client.send",
        "type": "symbol",
        "summary": "Python method: memoire/sdk.py::Client.send | side-effects: database",
        "side_effects": ["database"],
        "writes_state": ["token", "session"],
        "document": None,
        "relationships": [
            {
                "source": "memoire/sdk.py::Client.send",
                "relation": "REFERENCES",
                "target": "memoire/cli.py::VERSION",
                "rationale": "line 18",
                "is_causal": False,
                "cost": "normal",
                "observations": 1,
            }
        ],
        "lines": "13-18",
        "uses": ["env"],
        "effects": [
            {"effect": "env", "call": "os.environ", "line": 16},
            {"effect": "database", "call": "sqlite3.connect", "line": 17},
        ],
        "callers": [{"symbol": "memoire/cli.py::main", "line": 12}],
        "callees": [{"symbol": "memoire/sdk.py::helper", "line": 18}],
        "tests": ["tests/test_sdk.py::test_send"],
        "content": "\n".join(SDK.split("\n")[12:18]),
        "as_of": AS_OF,
    }
    assert project.accessed == ["memoire/sdk.py"]


def test_a_class_has_its_members_its_subclasses_and_the_callers_of_its_methods(project: Project) -> None:
    project.relations = [
        SymbolRelation("memoire/cli.py::main", "CALLS", "memoire/sdk.py::Client.send", 12),
        SymbolRelation("memoire/cli.py::Sub", "INHERITS", "memoire/sdk.py::Client", 3),
        SymbolRelation("memoire/sdk.py::Client.send", "CALLS", "memoire/sdk.py::Client.close", 3),
    ]
    answer = ask(project, "memoire/sdk.py::Client")
    assert [item["name"] for item in answer["definitions"]] == ["Client.send"]
    assert [(item["source"], item["relation"]) for item in answer["relationships"]] == [
        ("memoire/cli.py::Sub", "INHERITS")
    ]
    assert answer["callers"] == [{"symbol": "memoire/cli.py::main", "line": 12}]
    assert "callees" not in answer  # it calls only itself
    assert answer["tests"] == ["tests/test_sdk.py"]  # no test calls it by name: those of its file
    assert answer["content"].startswith("@dataclass(")


def test_the_end_of_a_qualified_name_is_enough_where_only_one_ends_so(project: Project) -> None:
    assert ask(project, "memoire/sdk.py::send")["path"] == "memoire/sdk.py::Client.send"
    project.facts["memoire/sdk.py"] = msgspec.structs.replace(
        project.facts["memoire/sdk.py"], definitions=(*DEFINITIONS, Definition("Other.send", "method", 21, 21))
    )
    with pytest.raises(UnknownPathError) as raised:
        ask(project, "memoire/sdk.py::send")
    assert raised.value.near == ("memoire/sdk.py::Client.send", "memoire/sdk.py::Other.send")


def test_a_package_is_answered_with_who_imports_it(project: Project) -> None:
    for path in ("pkg:sqlite3", "sqlite3"):
        answer = ask(project, path)
        assert (answer["path"], answer["type"]) == ("pkg:sqlite3", "package")
        assert answer["summary"] == "External package: sqlite3, used by 1 file"
        assert answer["dependents"] == ["memoire/sdk.py"]
        assert [edge["relation"] for edge in answer["relationships"]] == ["IMPORTS"]


def test_a_file_s_own_imports_are_no_dependents(project: Project) -> None:
    answer = ask(project, "memoire/cli.py")
    assert "dependents" not in answer
    assert [edge["target"] for edge in answer["relationships"]] == ["memoire/sdk.py"]


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("sdk.py", ("memoire/sdk.py",)),
        ("memoire/skd.py", ("memoire/sdk.py",)),
        ("src/memoire/sdk.ts", ("memoire/sdk.py", "tests/test_sdk.py")),
        ("memoire/sdk.py::Cleint", ("memoire/sdk.py::Client", "memoire/sdk.py::Client.send")),
        ("memoire/sdk.py::nothing_like_it", ("memoire/sdk.py",)),
        ("sdk.py::helper", ("memoire/sdk.py::helper",)),
        ("Client.send", ("memoire/sdk.py::Client.send",)),
        ("???", ()),
    ],
)
def test_an_unknown_path_is_said_to_be_unknown_with_what_is_near(
    project: Project, path: str, near: tuple[str, ...]
) -> None:
    with pytest.raises(UnknownPathError) as raised:
        ask(project, path)
    assert raised.value.near == near
    assert project.accessed == []


@pytest.mark.parametrize("path", ["../other/secret.py", "/etc/passwd", "a\0b", "/"])
def test_what_is_outside_the_project_is_not_answered_for(project: Project, path: str) -> None:
    with pytest.raises(UnknownPathError, match="outside the project"):
        ask(project, path)


def test_a_link_that_leads_outside_is_not_followed(project: Project, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("token = 1")
    (project.root / "link.py").symlink_to(tmp_path / "secret.py")
    with pytest.raises(UnknownPathError, match="outside the project"):
        ask(project, "link.py")


def test_an_ignored_file_is_said_to_be_ignored(project: Project) -> None:
    project.absent["build/gen.py"] = "ignored by .gitignore"
    with pytest.raises(UnknownPathError, match=r"ignored by \.gitignore"):
        ask(project, "build/gen.py")


def test_a_secrets_file_is_never_quoted(project: Project) -> None:
    project.texts[".env"] = "TOKEN=hunter3"
    project.put(".env", "file", "", 0, 0, 0)
    answer = ask(project, ".env")
    assert "hunter3" not in str(answer)
    assert [problem["code"] for problem in answer["problems"]] == ["secret"]
    assert answer["summary"] == "File: .env | not fully read: nothing is known of its content"


def test_a_file_that_was_not_parsed_says_so(project: Project) -> None:
    project.put("Makefile", "file", "", 0, 0, 0)
    project.texts["Makefile"] = "all:\n\tbuild\n"
    answer = ask(project, "Makefile")
    assert answer["problems"] == [
        {"code": "not-parsed", "message": "no language is known for it: what it defines and uses is not known"}
    ]
    assert answer["content"] == "all:\n\tbuild\n"
    project.tree.add("new.py")
    answer = ask(project, "new.py")
    assert answer["summary"] == "File: new.py | nothing is known of its content"
    assert answer["problems"][0]["code"] == "not-parsed"
    with pytest.raises(UnknownPathError, match=r"the definitions of new\.py are not known"):
        ask(project, "new.py::f")


def test_a_file_whose_text_or_facts_cannot_be_had_says_so(project: Project) -> None:
    del project.texts["memoire/sdk.py"]
    assert ask(project, "memoire/sdk.py")["problems"] == [
        {"code": "unreadable", "message": "its text cannot be read now"}
    ]
    del project.facts["memoire/cli.py"]
    assert [problem["code"] for problem in ask(project, "memoire/cli.py")["problems"]] == ["not-parsed"]


def test_globals_that_functions_assign_are_state_and_those_of_the_module_itself_are_not(project: Project) -> None:
    text = "COUNT = 0\ndef f():\n    global COUNT\n    COUNT += 1\n    other.settings.DEBUG = 1\n"
    definitions = (Definition("COUNT", "variable", 1, 1), Definition("f", "function", 2, 5))
    uses = (
        Use(-1, -1, "", WRITE, 1),
        Use(1, -1, "", WRITE, 4),
        Use(1, 0, "settings.DEBUG", WRITE, 5),
        Use(1, 0, "", WRITE, 6),  # a name bound by an import, bound anew: nothing outside changes
    )
    project.add("count.py", text, definitions=definitions, uses=uses, imports=(Import("other", "", "other", 1),))
    assert ask(project, "count.py")["writes_state"] == ["COUNT", "DEBUG"]
    assert ask(project, "count.py::f")["writes_state"] == ["COUNT", "DEBUG"]


def test_problems_of_a_file_are_told_with_their_lines(project: Project) -> None:
    project.add("bad.py", "def (", problems=(Problem("syntax", "cannot be parsed", 1),))
    answer = ask(project, "bad.py")
    assert answer["problems"] == [{"code": "syntax", "message": "cannot be parsed", "line": 1}]
    assert answer["summary"] == "Python file: bad.py | not fully read: syntax"


def test_a_file_changed_since_it_was_read_is_pending_and_its_old_lines_are_not_quoted(project: Project) -> None:
    project.texts["memoire/sdk.py"] = f"# new first line\n{SDK}"
    answer = ask(project, "memoire/sdk.py")
    assert answer["pending"] == ["memoire/sdk.py"]
    assert answer["content"].startswith("# new first line")  # the text itself is what is on disk now
    assert not any("signature" in item for item in answer["definitions"])
    symbol = ask(project, "memoire/sdk.py::helper")
    assert symbol["pending"] == ["memoire/sdk.py"]
    assert "content" not in symbol
    assert symbol["cut"]["content"] == "its text is not the one that was read"


def test_secrets_in_code_are_redacted_in_text_signatures_and_slices(project: Project) -> None:
    text = 'PASSWORD = "hunter2"\n'
    project.add("conf.py", text, definitions=(Definition("PASSWORD", "variable", 1, 1),))
    for path, budget in (("conf.py", 3000), ("conf.py", 200), ("conf.py::PASSWORD", 3000)):
        assert "hunter2" not in project.raw(OPERATION, path=path, budget=budget)
    assert ask(project, "conf.py::PASSWORD")["content"] == 'PASSWORD = "[secret]"'


def test_secrets_in_docstrings_headings_rationales_and_summaries_are_redacted(project: Project) -> None:
    project.add(
        "deep/conf.py",
        "x = 1\n",
        summary="The password is hunter2.",
        definitions=(Definition("x", "variable", 1, 1, doc="It is hunter2."),),
    )
    project.add("deep/notes.md", "hunter2\n", kind="document", language="markdown", summary="hunter2 — hunter2")
    project.link("deep/notes.md", "DOCUMENTS", "deep/conf.py", 'deep/notes.md:1 "hunter2" names x', causal=True)
    for path in ("deep/conf.py", "deep/conf.py::x", "deep/notes.md", "deep", "."):
        assert "hunter2" not in project.raw(OPERATION, path=path)
    assert "hunter2" not in project.raw(CONTEXT)


def hub(tmp_path: Path) -> Project:
    """A file with thousands of everything, and long names."""
    project = Project(tmp_path)
    name = f"src/{'very_long_directory/' * 6}hub.py"
    definitions = tuple(
        Definition(f"function_with_a_long_name_{number}", "function", number + 1, number + 1, doc="It does. " * 20)
        for number in range(2000)
    )
    text = "".join(f"def function_with_a_long_name_{number}(argument): ...\n" for number in range(2000))
    uses = tuple(Use(0, -1, f"state_{number}", WRITE, 1) for number in range(200))
    effects = tuple(Effect("network", f"requests.get_{number}", 1, 0) for number in range(200))
    problems = tuple(Problem("syntax", "cannot be parsed " * 30, number) for number in range(50))
    project.add(
        name, text, definitions=definitions, uses=uses, effects=effects, problems=problems, summary="Hub. " * 99
    )
    for number in range(1500):
        user = f"users/{'directory/' * 5}user_{number}.py"
        project.add(user)
        project.link(user, "IMPORTS", name, "because it does so " * 20)
        project.link(f"tests/test_{number}.py", "ASSERTS_ON", name, causal=True, cost="high")
        project.relations.append(SymbolRelation(f"{user}::f", "CALLS", f"{name}::function_with_a_long_name_0", 1))
        project.relations.append(SymbolRelation(f"{name}::function_with_a_long_name_0", "CALLS", f"{user}::g", 1))
    project.pending = tuple(f"pending/{number}.py" for number in range(50))
    return project


def test_no_budget_is_exceeded_by_any_kind_of_path(tmp_path: Path) -> None:
    project = hub(tmp_path)
    name = next(path for path in project.facts if path.endswith("hub.py"))
    folder = f"users/{'directory/' * 5}"
    for path in (name, f"{name}::function_with_a_long_name_0", folder, ".", "pkg:x"):
        if path == "pkg:x":
            project.link(name, "IMPORTS", "pkg:x")
        for budget in (200, 230, 300, 500, 1000, 3000, 20_000):
            raw = project.raw(OPERATION, path=path, budget=budget)
            assert len(raw) <= budget * 4, (path, budget)
            answer = msgspec.json.decode(raw)
            assert answer["path"] == path
            assert "summary" in answer
        assert len(project.raw(OPERATION, path=path)) <= 12_000


def test_every_part_of_a_file_gets_its_share_before_one_gets_all(tmp_path: Path) -> None:
    project = hub(tmp_path)
    answer = ask(project, next(path for path in project.facts if path.endswith("hub.py")))
    for part in (
        "problems",
        "pending",
        "writes_state",
        "definitions",
        "tests",
        "dependents",
        "relationships",
        "effects",
    ):
        assert answer[part], part
    assert answer["cut"]["relationships"].endswith(" of 3000")
    assert answer["cut"]["tests"].endswith(" of 1500")
    assert answer["cut"]["definitions"].endswith(" of 2000")


def test_variables_then_private_names_then_what_is_inside_others_are_cut_first(tmp_path: Path) -> None:
    project = Project(tmp_path)
    kinds = [("LIMIT", "variable", -1), ("_private", "function", -1), ("Outer", "class", -1)]
    kinds += [("Outer.run", "method", 2), ("Outer._hide", "method", 2), ("last", "function", -1)]
    definitions = tuple(
        Definition(name, kind, number, number, parent=parent, doc="It says what it does. " * 5)
        for number, (name, kind, parent) in enumerate(kinds, 1)
    )
    project.add("a.py", "x = 1\n" * 400, definitions=definitions)
    by_number = {}
    for budget in range(200, 450, 10):
        names = [item["name"] for item in ask(project, "a.py", budget=budget).get("definitions", [])]
        by_number[len(names)] = names
    assert by_number[2] == ["Outer", "last"]
    assert by_number[3] == ["Outer", "Outer.run", "last"]
    assert by_number[4] == ["_private", "Outer", "Outer.run", "last"]
    assert by_number[5] == ["_private", "Outer", "Outer.run", "Outer._hide", "last"]


def test_a_path_longer_than_the_budget_is_shown_by_its_ends(tmp_path: Path) -> None:
    project = Project(tmp_path)
    path = "/".join(["d" * 100] * 20) + "/end.py"
    project.add(path, "x = 1\n")
    raw = project.raw(OPERATION, path=path, budget=200)
    assert len(raw) <= 800
    assert msgspec.json.decode(raw)["path"].endswith("d/end.py")


@pytest.mark.parametrize(("argument", "value"), [("path", ""), ("path", "x" * 5000), ("budget", 5), ("file", "a.py")])
def test_arguments_that_make_no_sense_are_refused(project: Project, argument: str, value: object) -> None:
    with pytest.raises(InvalidArgumentError):
        project.ask(OPERATION, **{"path": "memoire/sdk.py", argument: value})


def test_a_file_whose_name_holds_two_colons_is_a_file(project: Project) -> None:
    project.add("odd::name.py", "x = 1\n")
    assert ask(project, "odd::name.py")["type"] == "file"
