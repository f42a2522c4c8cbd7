"""A language is added by its folder, its fixtures and one line: shown with one that memoire does not know."""

import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import memoire

HOME = Path(memoire.__file__).parent
TESTS = Path(__file__).parents[2]

LANGUAGE = '''
"""Moonlet: modules of one folder."""

from collections.abc import Mapping
from pathlib import Path
from posixpath import dirname, join

from memoire.extract.spec import Language, Syntax
from memoire.model import Import, Target
from memoire.tree import Tree

_FOLDER = str(Path(__file__).parent)


def read_import(role: str, got: Mapping[str, str]) -> Import | None:
    return Import(got["from"], "", got.get("alias", ""), 0)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    file = join(dirname(path), f"{specifier}.moonlet")
    return Target("file", file) if tree.is_file(file) else Target("package", specifier)


LANGUAGE = Language(
    name="moonlet",
    suffixes=(".moonlet",),
    resolve=resolve,
    syntax=Syntax(
        grammars={".moonlet": "tree_sitter_lua:language"},
        queries={".moonlet": ("queries.scm",)},
        folder=_FOLDER,
        read_import=read_import,
        qualify=lambda item: item.specifier,
        effect_tables=(_FOLDER,),
        reserved=frozenset({"local", "function", "end", "return"}),
    ),
)
'''
QUERIES = """
(function_declaration name: (identifier) @name body: (_)? @body) @def.function
(comment) @comment
(string) @skip
(variable_declaration (assignment_statement (variable_list . name: (identifier) @imp.alias .)
  (expression_list . value: (function_call name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @imp.from) .)) .))
  (#eq? @_require "require")) @imp
"""
EFFECTS = """
[network]
calls = ["gopher.fetch"]
"""
MAIN = """
local words = require("words") -- => import words
local gopher = require("gopher") -- => import gopher
function greet() -- => def function greet
  gopher.fetch(words.hello()) -- => call gopher.fetch; call words.hello; effect network gopher.fetch
end
"""
WORDS = """
function hello() -- => def function hello
  return "hello"
end
"""
LINKING = """
from datetime import UTC, datetime
from pathlib import Path
from memoire.dispatch import extract
from memoire.graph import Graph
from memoire.model import FileChange
from memoire.processor import Processor

folder = Path("tests/languages/moonlet")
graph = Graph()
processor = Processor(graph, lambda path: None)
at = datetime(2026, 1, 1, tzinfo=UTC)
changes = [FileChange(file.name, extract(file.name, file.read_bytes()), 0, at) for file in sorted(folder.iterdir())]
graph.apply(processor.plan(changes, [], now=at))
print(*sorted(f"{edge.key.source} {edge.key.relation} {edge.key.target}" for edge in graph.edges()), sep="\\n")
print(*(f"{use.source} {use.relation} {use.target}" for use in processor.symbol_relations("main.moonlet")), sep="\\n")
"""


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_language_is_one_folder_one_folder_of_fixtures_and_one_line(tmp_path: Path) -> None:
    shutil.copytree(HOME, tmp_path / "memoire", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").mkdir()
    shutil.copy(TESTS / "test_languages.py", tmp_path / "tests")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")

    language = tmp_path / "memoire" / "languages" / "moonlet"
    fixtures = tmp_path / "tests" / "languages" / "moonlet"
    for folder, files in (
        (language, {"__init__.py": "", "language.py": LANGUAGE, "queries.scm": QUERIES, "effects.toml": EFFECTS}),
        (fixtures, {"main.moonlet": MAIN, "words.moonlet": WORDS}),
    ):
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(dedent(text).lstrip())
    names = tmp_path / "memoire" / "languages" / "__init__.py"
    names.write_text(names.read_text().replace('    "make",\n', '    "make",\n    "moonlet",\n'))

    run(tmp_path, "-m", "memoire.daemon.bake")
    told = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_languages.py", "-k", "moonlet")
    assert "2 passed" in told
    edges = run(tmp_path, "-c", LINKING).splitlines()
    assert "main.moonlet IMPORTS words.moonlet" in edges
    assert "main.moonlet IMPORTS pkg:gopher" in edges
    assert "main.moonlet::greet CALLS words.moonlet::hello" in edges
