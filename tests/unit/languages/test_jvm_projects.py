"""Which file of a project imports which, beside what the compilers say: `tests/languages/projects/jvm`."""

import json
from pathlib import Path

import pytest

from memoire.languages import language_of
from tests.support import Linked

PROJECTS = Path(__file__).parents[2] / "languages" / "projects" / "jvm"


NAMES = sorted(path.parent.name for path in PROJECTS.glob("*/truth.json"))


def sources(name: str) -> dict[str, str]:
    """The files of a project that memoire reads as one of the family."""
    root = PROJECTS / name
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file() and (language := language_of(path.name)) is not None and language.family == "jvm"
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_file_imports_exactly_the_files_that_declare_what_it_names(name: str) -> None:
    truth = json.loads((PROJECTS / name / "truth.json").read_text())
    found: dict[str, set[str]] = {}
    for source, target in Linked(sources(name)).edges("IMPORTS"):
        if not target.startswith("pkg:"):
            found.setdefault(source, set()).add(target)
    assert found == {source: set(targets) for source, targets in truth.items()}


@pytest.mark.parametrize("name", NAMES)
def test_files_that_come_one_by_one_and_go_and_come_again_end_in_the_same_edges(name: str) -> None:
    files = sources(name)
    whole = Linked(files)
    project = Linked({})
    for path in sorted(files, reverse=True):
        project.save({path: files[path]})
    for path in sorted(files)[::2]:
        project.save({}, gone=(path,))
    for path in sorted(files)[::2]:
        project.save({path: files[path]})
    for relation in ("IMPORTS", "DRIVES"):
        assert project.edges(relation) == whole.edges(relation)
    assert project.symbols("CALLS") == whole.symbols("CALLS")


STORE = (
    "package com.acme;\npublic class Store {\n  public java.util.List<Item> all() { return null; }\n"
    "  Item[] array;\n  java.util.Map<String, Item> map;\n}\n"
    "class Item {\n  void touch() {}\n  boolean ok() { return true; }\n}\n"
)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("App.java", "class App { void run(Store s) { for (var i : s.all()) { i.touch(); } } }"),
        ("App.java", "class App { void run(Store s) { s.all().forEach(i -> i.touch()); } }"),
        (
            "App.java",
            "class App { void run(Store s) { s.all().stream().filter(i -> i.ok()).forEach(i -> i.touch()); } }",
        ),
        ("App.java", "class App { void run(Store s) { s.all().get(0).touch(); } }"),
        ("App.java", "class App { void run(java.util.Optional<Item> o) { o.ifPresent(i -> i.touch()); } }"),
        ("App.java", "class App { void run(Store s) { for (Item i : s.array) i.touch(); } }"),
        ("App.kt", "fun run(s: Store) { for (i in s.all()) { i.touch() } }"),
        ("App.kt", "fun run(s: Store) { s.all().filter { it.ok() }.forEach { i -> i.touch() } }"),
        ("App.kt", "fun run(items: List<Item>) { items.first().touch() }"),
        ("App.scala", "object App { def run(s: Seq[Item]) = for (i <- s) i.touch() }"),
        ("App.scala", "object App { def run(s: Option[Item]) = s.map(i => i.touch()) }"),
        ("App.scala", "object App { def run(s: List[Item]) = s.filter(i => i.ok()).foreach { i => i.touch() } }"),
    ],
)
def test_items_of_collections_are_followed(path: str, body: str) -> None:
    head = "package com.acme;\n" if path.endswith(".java") else "package com.acme\n"
    project = Linked({"Store.java": STORE, path: f"{head}{body}\n"})
    assert "Store.java::Item.touch" in {target for _, target in project.symbols("CALLS")}


@pytest.mark.parametrize(
    "body",
    [
        "void run(Store s) { s.map.forEach((k, i) -> i.touch()); }",
        "void run(Store s) { s.all().map(i -> i.name()).forEach(i -> i.touch()); }",
        "void run(Box<Item> b) { b.forEach(i -> i.touch()); }",
        "void run(Store s) { s.all().touch(); }",
    ],
)
def test_what_is_no_item_is_not_followed(body: str) -> None:
    project = Linked({"Store.java": STORE, "App.java": f"package com.acme;\nclass App {{ {body} }}\n"})
    assert "Store.java::Item.touch" not in {target for _, target in project.symbols("CALLS")}


def test_taking_an_item_out_of_a_collection_calls_nothing_of_its_class() -> None:
    body = "class App { void run(Store s) { s.all().get(0); keep(s.all().getFirst()); } void keep(Object o) {} }"
    project = Linked({"Store.java": STORE, "App.java": f"package com.acme;\n{body}\n"})
    called = {target for source, target in project.symbols("CALLS") if source == "App.java::App.run"}
    assert called == {"Store.java::Store.all", "App.java::App.keep"}
