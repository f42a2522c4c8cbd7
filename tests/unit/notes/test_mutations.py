"""What a change of code does to a note about it: one mutation each, labelled by hand, in ten languages."""

import pytest

from memoire.dispatch import extract
from memoire.notes.anchors import World, baseline, compare
from memoire.notes.model import Anchor

SOURCES = {
    "python": (
        "queue.py",
        "Queue.run",
        "class Queue:\n"
        "    def run(self, jobs):\n"
        '        """Run them."""\n'
        "        most = 64\n"
        "        return jobs[: most + 1]\n",
    ),
    "typescript": (
        "queue.ts",
        "Queue.run",
        "export class Queue {\n"
        "  run(jobs: string[]): string[] {\n"
        "    const most = 64;\n"
        "    return jobs.slice(0, most + 1);\n"
        "  }\n"
        "}\n",
    ),
    "go": (
        "queue.go",
        "Queue.Run",
        "package shop\n"
        "\n"
        "type Queue struct{}\n"
        "\n"
        "func (q *Queue) Run(jobs []string) []string {\n"
        "\tmost := 64\n"
        "\treturn jobs[: most + 1]\n"
        "}\n",
    ),
    "rust": (
        "queue.rs",
        "Queue.run",
        "pub struct Queue;\n"
        "\n"
        "impl Queue {\n"
        "    pub fn run(&self, jobs: usize) -> usize {\n"
        "        let most = 64;\n"
        "        jobs + most + 1\n"
        "    }\n"
        "}\n",
    ),
    "java": (
        "Queue.java",
        "Queue.run",
        "package shop;\n"
        "\n"
        "class Queue {\n"
        "    int run(int jobs) {\n"
        "        int most = 64;\n"
        "        return jobs + most + 1;\n"
        "    }\n"
        "}\n",
    ),
    "kotlin": (
        "Queue.kt",
        "Queue.run",
        "package shop\n"
        "\n"
        "class Queue {\n"
        "    fun run(jobs: Int): Int {\n"
        "        val most = 64\n"
        "        return jobs + most + 1\n"
        "    }\n"
        "}\n",
    ),
    "csharp": (
        "Queue.cs",
        "Queue.Run",
        "namespace Shop;\n"
        "\n"
        "class Queue {\n"
        "    int Run(int jobs) {\n"
        "        int most = 64;\n"
        "        return jobs + most + 1;\n"
        "    }\n"
        "}\n",
    ),
    "ruby": ("queue.rb", "Queue.run", "class Queue\n  def run(jobs)\n    most = 64\n    jobs + most + 1\n  end\nend\n"),
    "php": (
        "Queue.php",
        "Queue.run",
        "<?php\n"
        "class Queue {\n"
        "    function run($jobs) {\n"
        "        $most = 64;\n"
        "        return $jobs + $most + 1;\n"
        "    }\n"
        "}\n",
    ),
    "c": ("queue.c", "run", "int run(int jobs) {\n    int most = 64;\n    return jobs + most + 1;\n}\n"),
}
"""Language -> file, the definition that is noted, its source."""

COMMENTS = {"python": "#", "ruby": "#"}


def world(files: dict[str, str]) -> World:
    facts = {path: extract(path, text.encode()) for path, text in files.items()}
    return World(facts.get, files.get, files.__contains__, lambda _: False, lambda _: False)


def became(language: str, changed: str, note: str = "It adds one.", path: str = "") -> str:
    """Return what a note about the definition finds after the change."""
    file, symbol, source = SOURCES[language]
    node = f"{file}::{symbol}"
    base = baseline(node, note, world({file: source}))
    assert base is not None, f"{node} is not found"
    return compare(Anchor(node, "body", base), world({path or file: changed})).state


@pytest.mark.parametrize("language", SOURCES)
def test_each_mutation_is_told_for_what_it_is(language: str) -> None:
    _, symbol, source = SOURCES[language]
    name = symbol.rpartition(".")[2]
    sign = COMMENTS.get(language, "//")
    header = next(line for line in source.splitlines() if f"{name}(" in line)
    first = source.splitlines()[source.splitlines().index(header) + 1]
    mutations = {
        "the same": (source, "fresh"),
        "elsewhere in the file": (f"{source}\n{sign} the end\n", "fresh"),
        "a comment in the body": (source.replace(first, f"{first}  {sign} a word"), "cosmetic"),
        "a comment behind the header": (source.replace(header, f"{header}  {sign} a word"), "cosmetic"),
        "white space": (source.replace("most + 1", "most  +  1"), "cosmetic"),
        "a constant": (source.replace("64", "65"), "changed"),
        "an operator": (source.replace("most + 1", "most - 1"), "changed"),
        "a local name": (source.replace("most", "limit"), "changed"),
        "a parameter": (source.replace("jobs", "tasks"), "signature"),
        "another name": (source.replace(f"{name}(", "walk("), "moved"),
        "nothing left": (source.replace(f"{name}(", "walk(").replace("64", "65"), "gone"),
    }
    found = {what: became(language, changed) for what, (changed, _) in mutations.items()}
    assert found == {what: expected for what, (_, expected) in mutations.items()}


@pytest.mark.parametrize("language", SOURCES)
def test_what_a_note_quotes_and_the_code_no_longer_says_contradicts_it(language: str) -> None:
    source = SOURCES[language][2]
    assert became(language, source.replace("64", "128"), "The limit is `64`.") == "contradicted"
    assert became(language, source.replace("+ 1", "+ 2"), "The limit is `64`.") == "changed"
    assert became(language, source.replace("64", "128"), "The limit is `32`.") == "changed"


def test_a_docstring_is_no_code() -> None:
    source = SOURCES["python"][2]
    assert became("python", source.replace("Run them.", "Run all of them.")) == "cosmetic"


def test_a_decorator_and_a_default_are_of_the_signature() -> None:
    source = SOURCES["python"][2]
    assert became("python", source.replace("    def run", "    @cached\n    def run")) == "signature"
    assert became("python", source.replace("jobs)", "jobs, most=1)")) == "signature"


def test_a_file_that_is_gone_or_not_understood_is_never_fresh() -> None:
    source = SOURCES["python"][2]
    assert became("python", source, path="other.py") == "gone"
    assert became("python", source.replace("def run(self, jobs):", "def (((")) in {"unparsed", "gone"}
    assert became("python", "\0" * 5000) in {"unparsed", "gone"}


@pytest.mark.parametrize("language", SOURCES)
def test_what_moved_to_another_file_is_found_there_and_two_of_it_are_ambiguous(language: str) -> None:
    file, symbol, source = SOURCES[language]
    base = baseline(f"{file}::{symbol}", "", world({file: source}))
    anchor = Anchor(f"{file}::{symbol}", "exists", base)
    suffix = file.rpartition(".")[2]

    def found_in(*files: str) -> tuple[str, str]:
        places = [f"{path}::{symbol}" for path in files]
        there = world(dict.fromkeys(files, source))._replace(named=lambda _: places)
        found = compare(anchor, there)
        return found.state, found.now

    assert found_in(f"other.{suffix}") == ("moved", f"other.{suffix}::{symbol}")
    assert found_in(f"a.{suffix}", f"b.{suffix}")[0] == "ambiguous"
    assert found_in()[0] == "gone"


def became_of_renamed(changed: str, note: str = "") -> tuple[str, str, bool]:
    """Return the state, the new node, and whether a note about the body is stale, where a file was renamed."""
    file, symbol, source = SOURCES["python"]
    base = baseline(f"{file}::{symbol}", note, world({file: source}))
    there = world({"jobs.py": changed})._replace(renamed=lambda path: "jobs.py" if path == file else "")
    found = compare(Anchor(f"{file}::{symbol}", "body", base), there)
    return found.state, found.node, found.is_stale("body")


def test_a_renamed_file_is_followed_and_what_was_changed_in_it_is_told() -> None:
    source = SOURCES["python"][2]
    node = "jobs.py::Queue.run"
    assert became_of_renamed(source) == ("moved", node, False)
    assert became_of_renamed(source.replace("Run them.", "Run all.")) == ("moved", node, False)
    assert became_of_renamed(source.replace("64", "65")) == ("changed", node, True)
    assert became_of_renamed(source.replace("jobs", "tasks")) == ("signature", node, True)
    assert became_of_renamed(source.replace("64", "65"), "At most `64`.") == ("contradicted", node, True)
    assert became_of_renamed(source.replace("def run", "def walk")) == ("moved", "jobs.py::Queue.walk", False)
    assert became_of_renamed("most = 1\n") == ("gone", "", True)


@pytest.mark.parametrize("language", SOURCES)
def test_a_twin_that_was_there_before_does_not_pass_for_what_was_deleted(language: str) -> None:
    file, symbol, source = SOURCES[language]
    node, copy = f"{file}::{symbol}", f"twin.{file.rpartition('.')[2]}"

    def project(*paths: str) -> World:
        places = [f"{path}::{symbol}" for path in paths]
        return world(dict.fromkeys(paths, source))._replace(named=lambda _: places)

    base = baseline(node, "", project(file, copy))
    assert compare(Anchor(node, "body", base), project(file, copy)).state == "fresh"
    assert compare(Anchor(node, "body", base), project(copy)).state == "gone"
    alone = baseline(node, "", project(file))
    assert compare(Anchor(node, "body", alone), project(copy)).state == "moved"


def test_a_twin_in_the_same_file_does_not_pass_for_what_was_deleted() -> None:
    one, other = "def close(self):\n    pass\n", "def open(self):\n    pass\n"
    base = baseline("a.py::close", "", world({"a.py": one + other}))
    assert compare(Anchor("a.py::close", "body", base), world({"a.py": other})).state == "gone"


def test_a_header_that_what_is_noted_calls_is_told_and_makes_nothing_stale() -> None:
    files = {
        "a.py": "from b import price\n\n\ndef total(x):\n    return price(x)\n",
        "b.py": "def price(x):\n    return x\n",
    }
    callees = {"a.py::total": ["b.py::price"]}

    def there(**changed: str) -> World:
        return world({**files, **changed})._replace(callees=lambda node: callees.get(node, []))

    anchor = Anchor("a.py::total", "body", baseline("a.py::total", "", there()))
    assert compare(anchor, there()).state == "fresh"
    assert compare(anchor, there(**{"b.py": "def price(x):\n    return x + 1\n"})).state == "fresh"
    found = compare(anchor, there(**{"b.py": "def price(x, tax):\n    return x\n"}))
    assert (found.state, found.now, found.is_stale("body")) == ("upstream_changed", "b.py::price", False)
    assert compare(anchor, there(**{"b.py": "pass\n"})).state == "fresh"
