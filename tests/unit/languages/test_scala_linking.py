"""Scala through extraction, linking and relations: nested packages, relative imports, companions, both syntaxes."""

import pytest

from tests.support import Linked

STORE = (
    "package com.acme\npackage store\n\ntrait Closing { def close: Unit = () }\n"
    "class Store(val name: String) extends Closing {\n  def load(key: String): Entry = null\n  def count = 1\n}\n"
    'object Store {\n  def open: Store = new Store("x")\n  val Limit = 3\n}\n'
    "class Entry { def touch(): Unit = () }\n"
)


def calls(files: dict[str, str], path: str = "App.scala") -> set[str]:
    """What a file calls in others."""
    project = Linked({"store/Store.scala": STORE, **files})
    found = {target for source, target in project.symbols("CALLS") if source.startswith(path)}
    return {target for target in found if not target.startswith(path)}


def app(head: str, body: str) -> set[str]:
    """The members of `Store.scala` that an object calls in its `run`."""
    text = f"{head}\nobject App {{\n  def run(): Unit = {{\n    {body}\n  }}\n}}\n"
    return {target.rpartition("::")[2] for target in calls({"App.scala": text})}


@pytest.mark.parametrize(
    "head",
    [
        "package com.acme.app\nimport com.acme.store.Store",
        "package com.acme.app\nimport com.acme.store._",
        "package com.acme.app\nimport com.acme.store.*",
        "package com.acme.app\nimport com.acme.store.{Entry, Store}",
        "package com.acme.app\nimport _root_.com.acme.store.Store",
        "package com.acme\npackage app\nimport store.Store",
        "package com.acme\nimport store._",
        "package com.acme.store",
        "package com.acme\npackage store\npackage app",
    ],
)
def test_every_form_of_import_leads_to_the_file_that_declares_the_name(head: str) -> None:
    assert app(head, 'Store.open.load("x").touch()') == {"Store.open", "Store.load", "Entry.touch"}


def test_a_name_that_is_not_imported_is_never_bound() -> None:
    for head in ("package com.acme.app", "package com.acme.app\nimport com.other.Store", "import com.other._", ""):
        assert app(head, "Store.open") == set()
        assert app(head, "def go(store: Store) = store.load(null)") == set()
    assert app("package com.acme.store.inner", "Store.open") == set()
    assert app("package com.acme.app\nimport com.acme.store.{Store => _, _}", "val e: Entry = make; e.touch()") == {
        "Entry.touch"
    }


def test_a_name_that_is_renamed_goes_by_its_new_name_alone() -> None:
    head = "package com.acme.app\nimport com.acme.store.{Store => Kept}"
    assert app(head, "Kept.open") == {"Store.open"}
    assert app(head, "Store.open") == set()
    assert app("package com.acme.app\nimport com.acme.store.Store as Kept", "Kept.open") == {"Store.open"}


def test_members_are_called_without_parentheses_and_through_what_expressions_give() -> None:
    head = "package com.acme.app\nimport com.acme.store._"
    for body, expected in (
        ("val s = Store.open; s.count", {"Store.open", "Store.count"}),
        ('val s = new Store("x"); s.close', {"Store", "Closing.close"}),
        ("any match { case s: Store => s.count }", {"Store.count"}),
        ("any match { case Some(s) => s.count; case Store => 1 }", set()),
        ("for (s <- all) s.count", set()),
        ("all.map(s => s.count)", set()),
        ('s"${Store.open} $count"', {"Store.open"}),
        ('s"Store.open"', set()),
        ("def go[Store](s: Store) = s.count", set()),
        ("def go(s: Option[Store]) = s.count", set()),
        ("def go(implicit s: Store) = s.count", {"Store.count"}),
        ("other open Store", set()),
    ):
        assert app(head, body) == expected, body


def test_parameters_of_classes_are_seen_in_their_methods() -> None:
    text = (
        "package com.acme.app\nimport com.acme.store.Store\n\n"
        "class App(store: Store)(using entry: com.acme.store.Entry):\n"
        '  def run =\n    store.load("x")\n    entry.touch()\n'
    )
    assert calls({"App.scala": text}) == {"store/Store.scala::Store.load", "store/Store.scala::Entry.touch"}


def test_members_of_package_objects_belong_to_the_package() -> None:
    tools = "package com.acme\n\npackage object tools {\n  def help(): Unit = ()\n}\n"
    for head in ("package com.acme.app\nimport com.acme.tools._", "package com.acme.tools", "package com.acme.tools\n"):
        text = f"{head}\nobject App {{ def run() = help() }}\n"
        assert calls({"tools/package.scala": tools, "App.scala": text}) == {"tools/package.scala::tools.help"}
    assert calls({"tools/package.scala": tools, "App.scala": "package x\nobject App { def run() = help() }\n"}) == set()


def test_an_extension_is_a_member_only_where_it_is_imported() -> None:
    more = (
        "package com.acme.more\nimport com.acme.store.Store\n\nextension (store: Store)\n  def twice = store.count\n"
        "  def thrice(by: Int): Int = by\n"
    )
    body = "\n\nobject App:\n  def run(store: Store) =\n    store.twice\n    store.thrice(1)\n"
    head = "package com.acme.app\nimport com.acme.store.Store\n"
    expected = {"more/More.scala::Store.twice", "more/More.scala::Store.thrice"}
    assert calls({"more/More.scala": more, "App.scala": f"{head}import com.acme.more.*{body}"}) == expected
    assert (
        calls({"more/More.scala": more, "App.scala": f"{head}import com.acme.more.{{thrice, twice}}{body}"}) == expected
    )
    assert calls({"more/More.scala": more, "App.scala": f"{head}{body}"}) == set()


def test_a_spec_asserts_on_what_it_reaches() -> None:
    main = "src/main/scala/com/acme/store/Store.scala"
    for base, import_ in (
        ("AnyFlatSpec", "org.scalatest.flatspec.AnyFlatSpec"),
        ("munit.FunSuite", "org.scalatest.matchers.should.Matchers"),
        ("mutable.Specification", "org.specs2.mutable"),
    ):
        path = "src/test/scala/com/acme/store/StoreSpec.scala"
        test = (
            f"package com.acme.store\nimport {import_}\n\nclass StoreSpec extends {base} {{\n"
            '  "a store" should "load" in {\n    Store.open.load("x")\n  }\n}\n\nclass Helper\n'
        )
        project = Linked({main: STORE, path: test})
        assert project.edges("ASSERTS_ON") == {(path, main)}
        facts = project.processor.facts(path)
        assert facts is not None
        assert [item.name for item in facts.definitions if item.is_test] == ["StoreSpec"]


def test_java_kotlin_and_scala_see_each_other() -> None:
    files = {
        "J.java": "package com.acme.app;\nclass J { static void go(S s) { s.go(); } }\n",
        "K.kt": "package com.acme.app\nfun top() { J.go(null) }\nclass K { fun go() {} }\n",
        "App.scala": "package com.acme.app\nclass S { def go() = { new K().go(); J.go(this) } }\n",
    }
    assert Linked(files).symbols("CALLS") == {
        ("J.java::J.go", "App.scala::S.go"),
        ("K.kt::top", "J.java::J.go"),
        ("App.scala::S.go", "K.kt::K"),
        ("App.scala::S.go", "K.kt::K.go"),
        ("App.scala::S.go", "J.java::J.go"),
    }
