"""The kinds of faults behind `test_field_cases`, in the languages that have them: what is bound, and what never is."""

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tests.support import Linked


class Case(NamedTuple):
    """A small project, and what must be said of it."""

    name: str
    files: Mapping[str, str]
    calls: frozenset[tuple[str, str]] = frozenset()
    """All calls that cross files or reach a definition: (source, target)."""
    imports: frozenset[tuple[str, str]] = frozenset()
    """Among the imports of files."""
    has_calls: bool = True
    """Whether `calls` is all there is; else only that none is missing."""


def case(name: str, files: Mapping[str, str], calls: str = "", imports: str = "", *, exactly: bool = True) -> Case:
    """Return a case of pairs that are written `source -> target`, one a line."""

    def pairs(text: str) -> frozenset[tuple[str, str]]:
        lines = (line.split(" -> ") for line in text.strip().splitlines())
        return frozenset((source.strip(), target.strip()) for source, target in lines)

    return Case(name, files, pairs(calls), pairs(imports), exactly)


CASES = (
    case(
        "an import of all names brings those that the module lists, where it lists them in so many words",
        {
            "listed.py": '__all__ = [\n    "shown",  # this one\n]\ndef shown(): pass\ndef other(): pass\n',
            "built.py": '__all__ = ["first"]\n__all__ += ["second"]\ndef first(): pass\ndef second(): pass\n',
            "plain.py": "def usual(): pass\ndef _own(): pass\n",
            "hidden.py": '__all__ = ("_given",)\ndef _given(): pass\n',
            "a.py": "from listed import *\ndef run():\n    shown()\n    other()\n",
            "b.py": "from built import *\ndef run():\n    first()\n    second()\n",
            "c.py": "from plain import *\nfrom hidden import *\ndef run():\n    usual()\n    _own()\n    _given()\n",
        },
        """
        a.py::run -> listed.py::shown
        b.py::run -> built.py::first
        b.py::run -> built.py::second
        c.py::run -> plain.py::usual
        c.py::run -> hidden.py::_given
        """,
    ),
    case(
        "a builtin's namesake is not called by its calls elsewhere",
        {"a.py": "def print(x): pass\ndef open(x): pass\n", "b.py": "def run():\n    print(1)\n    open('x').read()\n"},
    ),
    case(
        "a method of a class is no function of that name",
        {
            "a.py": "class A:\n    def get(self): pass\n\nclass B:\n    def get(self): pass\n",
            "b.py": "from a import A, B\n\ndef run(x):\n    B().get()\n    x.get()\n",
        },
        "b.py::run -> a.py::B\nb.py::run -> a.py::B.get",
    ),
    case(
        "a name that is shadowed by a parameter is not the one that is imported",
        {"a.py": "def load(): pass\n", "b.py": "from a import load\n\ndef run(load):\n    load()\n"},
    ),
    case(
        "a local function goes before an imported one",
        {
            "a.py": "def load(): pass\n",
            "b.py": "from a import load\n\ndef run():\n    def load(): pass\n    load()\n",
        },
        "b.py::run -> b.py::run.load",
    ),
    case(
        "an inherited method is that of the base, and super calls the one above",
        {
            "a.py": "class A:\n    def go(self): pass\n    def stop(self): pass\n",
            "b.py": "from a import A\n\nclass B(A):\n    def go(self):\n        super().go()\n        self.stop()\n",
        },
        "b.py::B.go -> a.py::A.go\nb.py::B.go -> a.py::A.stop",
    ),
    case(
        "a conditional import leads to both, and its calls to the first",
        {
            "fast.py": "def dump(): pass\n",
            "use.py": "try:\n    from fast import dump\nexcept ImportError:\n    from slow import dump\n\ndump()\n",
            "slow.py": "def dump(): pass\n",
        },
        "use.py -> fast.py::dump",
        "use.py -> fast.py\nuse.py -> slow.py",
    ),
    case(
        "a name goes through two packages under other names",
        {
            "p/__init__.py": "from .q import second as first\n",
            "p/q/__init__.py": "from .r import third as second\n",
            "p/q/r.py": "def third(): pass\n",
            "use.py": "from p import first\n\nfirst()\n",
        },
        "use.py -> p/q/r.py::third",
    ),
    case(
        "a default export and an alias go through two barrels",
        {
            "src/impl.ts": "export default function make() {}\nexport function other() {}\n",
            "src/one.ts": "export { default as build } from './impl'\nexport * from './impl'\n",
            "src/index.ts": "export { build as start } from './one'\nexport * from './one'\n",
            "use.ts": "import { start, other } from './src'\n\nexport function run() {\n  start()\n  other()\n}\n",
        },
        "use.ts::run -> src/impl.ts::make\nuse.ts::run -> src/impl.ts::other",
    ),
    case(
        "CommonJS and ES modules of one project meet",
        {
            "lib.js": "function go() {}\nmodule.exports = { go }\n",
            "use.mjs": "import { go } from './lib.js'\n\ngo()\n",
            "old.cjs": "const { go } = require('./lib.js')\n\ngo()\n",
        },
        "use.mjs -> lib.js::go\nold.cjs -> lib.js::go",
        "use.mjs -> lib.js\nold.cjs -> lib.js",
    ),
    case(
        "a package of the workspace is found by its name, a namesake of npm is not",
        {
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/a/package.json": '{"name": "@acme/a", "main": "index.ts"}',
            "packages/a/index.ts": "export function go() {}\n",
            "packages/b/package.json": '{"name": "@acme/b"}',
            "packages/b/use.ts": "import { go } from '@acme/a'\nimport { no } from '@acme/none'\n\ngo()\nno()\n",
        },
        "packages/b/use.ts -> packages/a/index.ts::go",
        "packages/b/use.ts -> packages/a/index.ts\npackages/b/use.ts -> pkg:@acme/none",
    ),
    case(
        "a path of tsconfig with comments and commas leads to the file, a package under its pattern stays one",
        {
            "tsconfig.base.json": (
                '{\n  // paths\n  "compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/*"],},},\n}'
            ),
            "tsconfig.json": '{"extends": "./tsconfig.base.json",}',
            "lib/math.ts": "export function addOne() {}\n",
            "use.test.ts": (
                "import { addOne } from '@lib/math'\nimport { ext } from '@lib/external-pkg'\n\naddOne()\next()\n"
            ),
        },
        "use.test.ts -> lib/math.ts::addOne",
        "use.test.ts -> lib/math.ts\nuse.test.ts -> pkg:@lib/external-pkg",
    ),
    case(
        "a namespace package lies under several roots",
        {
            "one/src/ns/a.py": "def go(): pass\n",
            "one/pyproject.toml": "[project]\nname = 'one'\n",
            "two/src/ns/b.py": "def stop(): pass\n",
            "two/pyproject.toml": "[project]\nname = 'two'\n",
            "two/tests/test_b.py": (
                "from ns.a import go\nfrom ns.b import stop\n\ndef test_it():\n    go()\n    stop()\n"
            ),
        },
        "two/tests/test_b.py::test_it -> one/src/ns/a.py::go\ntwo/tests/test_b.py::test_it -> two/src/ns/b.py::stop",
    ),
    case(
        "a module of Go that is replaced is a folder of the project",
        {
            "go.mod": "module example.com/app\n\nrequire example.com/lib v1.0.0\n\nreplace example.com/lib => ./lib\n",
            "main.go": 'package main\n\nimport "example.com/lib/text"\n\nfunc main() { text.Pad() }\n',
            "lib/go.mod": "module example.com/lib\n",
            "lib/text/pad.go": "package text\n\nfunc Pad() {}\n",
        },
        "main.go::main -> lib/text/pad.go::Pad",
    ),
    case(
        "a static nested class of Java is reached through the one around",
        {
            "src/main/java/a/Out.java": (
                "package a;\npublic class Out {\n  public static class In {\n    public static void go() {}\n  }\n}\n"
            ),
            "src/main/java/b/Use.java": (
                "package b;\nimport a.Out;\nclass Use {\n  void run() {\n    Out.In.go();\n  }\n}\n"
            ),
            "src/main/java/c/In.java": "package c;\nclass In {\n  static void go() {}\n}\n",
        },
        "src/main/java/b/Use.java::Use.run -> src/main/java/a/Out.java::Out.In.go",
    ),
    case(
        "a function at the top of a file of Kotlin is found by its package, not by its file",
        {
            "src/a/Tools.kt": "package a\n\nfun go() {}\n",
            "src/b/Other.kt": "package b\n\nfun go() {}\n",
            "src/c/Use.kt": "package c\n\nimport a.go\n\nfun run() {\n  go()\n}\n",
        },
        "src/c/Use.kt::run -> src/a/Tools.kt::go",
    ),
    case(
        "a class of Ruby that is opened again has the methods of both files",
        {
            "lib/a.rb": "class A\n  def one; end\nend\n",
            "lib/b.rb": "require_relative 'a'\nclass A\n  def two\n    one\n  end\nend\n",
        },
        "lib/b.rb::A.two -> lib/a.rb::A.one",
    ),
    case(
        "a method of a trait of PHP is one of the class that uses it",
        {
            "composer.json": '{"autoload": {"psr-4": {"App\\\\": "src/"}}}',
            "src/Logs.php": "<?php\nnamespace App;\ntrait Logs {\n  function log() {}\n}\n",
            "src/Shop.php": (
                "<?php\nnamespace App;\nclass Shop {\n  use Logs;\n  function run() {\n    $this->log();\n  }\n}\n"
            ),
            "src/Other.php": "<?php\nnamespace App;\nclass Other {\n  function log() {}\n}\n",
        },
        "src/Shop.php::Shop.run -> src/Logs.php::Logs.log",
    ),
    case(
        "a function that a header declares is called where it is defined",
        {
            "src/pool.h": "void pool_go(int a);\n",
            "src/pool.c": '#include "pool.h"\nvoid pool_go(int a) {\n}\n',
            "src/main.c": '#include "pool.h"\nint main(void) {\n  pool_go(1);\n  return 0;\n}\n',
        },
        "src/main.c::main -> src/pool.c::pool_go",
    ),
    case(
        "overloads are told from a function of that name elsewhere",
        {
            "src/main/java/a/A.java": (
                "package a;\nclass A {\n  void go(int x) {}\n  void go(String x) {}\n"
                "  void run() {\n    go(1);\n  }\n}\n"
            ),
            "src/main/java/b/B.java": "package b;\nclass B {\n  void go(int x) {}\n}\n",
        },
        "src/main/java/a/A.java::A.run -> src/main/java/a/A.java::A.go",
    ),
    case(
        "what is imported by a name that is computed is not guessed",
        {
            "plugins/a.py": "def go(): pass\n",
            "use.py": (
                "import importlib\n\ndef run(name):\n    importlib.import_module(name).go()\n"
                "    __import__('plugins.' + name).go()\n"
            ),
        },
    ),
    case(
        "a property is used, and a decorated function stays itself",
        {
            "a.py": (
                "import functools\n\nclass A:\n    @property\n    def size(self): return 1\n\n"
                "    @functools.cache\n    def load(self): pass\n"
            ),
            "b.py": "from a import A\n\ndef run():\n    A().load()\n",
        },
        "b.py::run -> a.py::A\nb.py::run -> a.py::A.load",
    ),
)


@pytest.mark.parametrize("each", CASES, ids=[each.name for each in CASES])
def test_what_the_language_binds_is_bound_and_nothing_else(each: Case) -> None:
    project = Linked(each.files)
    calls = project.symbols("CALLS")
    assert each.calls <= calls
    if each.has_calls:
        assert calls == each.calls
    assert each.imports <= project.edges("IMPORTS")


def test_a_list_of_names_that_changes_changes_what_it_brings() -> None:
    files = {"m.py": "def f(): pass\n", "a.py": "from m import *\ndef run():\n    f()\n"}
    project = Linked(files)
    assert ("a.py::run", "m.py::f") in project.symbols("CALLS")
    project.save({"m.py": "__all__ = []\ndef f(): pass\n"})
    assert not project.symbols("CALLS")
    project.save({"m.py": "__all__ = ['f']\ndef f(): pass\n"})
    assert ("a.py::run", "m.py::f") in project.symbols("CALLS")
