"""Kotlin through extraction, linking and relations: functions of packages, extensions, companions, Java beside it."""

import pytest

from memoire.model import WRITE
from tests.support import Linked

USER = "package com.acme.model\n\nopen class Base\nclass User(val name: String) : Base() { fun save() {} }\n"
EXTENSIONS = (
    "package com.acme.text\n\nimport com.acme.model.Base\nimport com.acme.model.User\n\n"
    "fun User.greet() = name\nfun Base.close() {}\nfun String.shout() = this\n"
)


def calls(files: dict[str, str], path: str = "App.kt") -> set[str]:
    """What a file calls in others."""
    project = Linked({"model/User.kt": USER, "text/Extensions.kt": EXTENSIONS, **files})
    found = {target for source, target in project.symbols("CALLS") if source.startswith(path)}
    return {target for target in found if not target.startswith(path)}


def app(body: str, head: str = "") -> set[str]:
    return calls({"App.kt": f"package com.acme.app\n\nimport com.acme.model.User\n{head}\n\n{body}\n"})


GREET, CLOSE, SHOUT = (f"text/Extensions.kt::{name}" for name in ("User.greet", "Base.close", "String.shout"))


def test_an_extension_is_a_member_only_where_it_is_imported() -> None:
    body = "fun run(user: User) { user.greet(); user.close() }"
    assert app(body) == set()
    assert app(body, "import com.acme.text.greet") == {GREET}
    assert app(body, "import com.acme.text.close as greet") == {CLOSE}
    assert app(body, "import com.acme.text.*") == {GREET, CLOSE}
    assert app(body, "import com.other.greet") == set()
    same = f"package com.acme.text\nimport com.acme.model.User\n{body}\n"
    assert calls({"App.kt": same}) == {GREET, CLOSE}


def test_an_extension_of_another_type_is_no_member() -> None:
    body = "class Other\nfun run(other: Other) { other.greet() }"
    assert app(body, "import com.acme.text.*") == set()
    assert app("fun run() { greet(); close() }", "import com.acme.text.*") == set()


def test_an_extension_that_is_imported_by_name_is_called_on_what_is_not_known() -> None:
    body = "fun run(any: List<String>) { any.map { it.shout() } }\nfun other() {}"
    assert app(body, "import com.acme.text.shout") == {SHOUT}
    assert app(body, "import com.acme.text.*") == set()


def test_an_own_member_goes_before_an_extension() -> None:
    more = "package com.acme.text\nimport com.acme.model.User\nfun User.save() {}\n"
    head = "package com.acme.app\nimport com.acme.model.User\nimport com.acme.text.*\n"
    text = f"{head}fun run(user: User) {{ user.save() }}\n"
    assert calls({"text/More.kt": more, "App.kt": text}) == {"model/User.kt::User.save"}


def test_functions_and_properties_of_packages_are_found_by_package_import_and_alias() -> None:
    top = (
        "package com.acme.tools\nfun go() {}\nval tool = Tool()\nclass Tool { fun work() {} }\n"
        "private fun hidden() {}\n"
    )
    for head, body, expected in (
        ("import com.acme.tools.go", "fun run() { go() }", {"go"}),
        ("import com.acme.tools.go as start", "fun run() { start(); go() }", {"go"}),
        ("import com.acme.tools.*", "fun run() { go(); hidden() }", {"go"}),
        ("import com.acme.tools.tool", "fun run() { tool.work() }", {"Tool.work"}),
        ("", "fun run() { com.acme.tools.go() }", {"go"}),
        ("", "fun run() { go(); tool.work() }", set()),
        ("import com.acme.tools.*", "fun run(go: () -> Unit) { go() }", set()),
    ):
        text = f"package com.acme.app\n{head}\n{body}\n"
        found = calls({"tools/Tools.kt": top, "App.kt": text})
        assert found == {f"tools/Tools.kt::{name}" for name in expected}, (head, body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("val s = Store.create(); s.put()", {"create", "put"}),
        ("Store.create().put()", {"create", "put"}),
        ("Store.Companion.create().put()", {"create", "put"}),
        ("val s: Store? = null\n  s?.put()", {"put"}),
        ("val s: Store? = null\n  s!!.put()", {"put"}),
        ('println("${Store.create().put()}")', {"create", "put"}),
        ("if (x is Store) Store.create() else Store::put", {"create"}),
        ("run { Store.create() }", {"create"}),
        ("val s = make()\n  s.put()", set()),
    ],
)
def test_companions_and_nullable_values_are_followed(body: str, expected: set[str]) -> None:
    store = (
        "package com.acme.app\n\nclass Store {\n  fun put() {}\n"
        "  companion object {\n    fun create() = Store()\n  }\n}\n"
    )
    found = calls({"Store.kt": store, "App.kt": f"package com.acme.app\nfun run() {{\n  {body}\n}}\n"})
    assert found == {f"Store.kt::Store.{name}" for name in expected}


def test_a_function_is_called_though_a_property_has_its_name() -> None:
    builder = "class Builder(private val url: Url) { fun url(text: String): Builder = this }\nclass Url\n"
    both = f"package com.acme.app\n{builder}"
    text = 'package com.acme.app\nfun run(builder: Builder) { builder.url("x").url("y") }\n'
    project = Linked({"Builder.kt": both, "App.kt": text})
    assert project.symbols("CALLS") == {("App.kt::run", "Builder.kt::Builder.url")}
    assert {target for _, target in project.edges("IMPORTS")} == {"Builder.kt"}


def test_java_and_kotlin_see_each_other() -> None:
    java = "package com.acme.app;\nclass Legacy { Legacy again() { return this; } void use(Modern m) { m.go(); } }\n"
    kotlin = "package com.acme.app\nclass Modern(private val old: Legacy) { fun go() { old.again().again() } }\n"
    project = Linked({"Legacy.java": java, "Modern.kt": kotlin})
    assert project.symbols("CALLS") == {
        ("Legacy.java::Legacy.use", "Modern.kt::Modern.go"),
        ("Modern.kt::Modern.go", "Legacy.java::Legacy.again"),
    }


def test_tests_assert_on_what_they_reach_whatever_their_framework() -> None:
    names = {}
    for name, body in (
        ("UserTest", 'class UserTest {\n  @Test\n  fun `saves it`() { User("x").save() }\n}\n'),
        ("UserSpec", 'class UserSpec : FunSpec({\n  test("saves") { User("x").save() }\n})\n'),
    ):
        path = f"src/test/kotlin/{name}.kt"
        head = "package com.acme.app\nimport com.acme.model.User\nimport kotlin.test.Test\n"
        project = Linked({"src/main/kotlin/User.kt": USER, path: head + body})
        assert project.edges("ASSERTS_ON") == {(path, "src/main/kotlin/User.kt")}
        facts = project.processor.facts(path)
        assert facts is not None
        names[name] = [item.name for item in facts.definitions if item.is_test]
    assert names == {"UserTest": ["UserTest.`saves it`"], "UserSpec": ["UserSpec"]}


def test_what_the_grammar_lacks_is_read_all_the_same() -> None:
    text = "@Serializable\nenum class Kind { A, B }\n\n@Api\nconst val LIMIT = 3\nclass One { fun go() = 1 }\n"
    facts = Linked({"A.kt": text}).processor.facts("A.kt")
    assert facts is not None
    assert not facts.problems
    assert [(item.kind, item.name) for item in facts.definitions] == [
        ("enum", "Kind"),
        ("variable", "Kind.A"),
        ("variable", "Kind.B"),
        ("variable", "LIMIT"),
        ("class", "One"),
        ("method", "One.go"),
    ]


def test_an_extension_of_the_file_itself_is_seen_though_no_other_file_sees_it() -> None:
    head = "package com.acme.app\nimport com.acme.model.User\n"
    text = f"{head}private fun User.mine() = 1\nfun run(user: User) {{ user.mine() }}\n"
    project = Linked({"model/User.kt": USER, "App.kt": text})
    assert project.symbols("CALLS") == {("App.kt::run", "App.kt::User.mine")}
    other = "package com.acme.app\nimport com.acme.model.User\nfun other(user: User) { user.mine() }\n"
    assert calls({"App.kt": text, "Other.kt": other}, "Other.kt") == set()


@pytest.mark.parametrize(
    "body",
    ["User().apply { go() }.save()", "val user = User().also {\n    it.go()\n  }\n  user.save()", "made().save()"],
)
def test_what_gives_back_what_it_is_called_on_is_followed(body: str) -> None:
    made = "class Maker {\n  fun made() = User().apply { save() }\n}\n"
    text = f"package com.acme.app\nimport com.acme.model.User\n{made}fun Maker.run() {{\n  {body}\n}}\n"
    text = text.replace("made().save", "Maker().made().save")
    project = Linked({"User.kt": USER, "App.kt": text})
    found = {target for source, target in project.symbols("CALLS") if source == "App.kt::Maker.run"}
    assert "User.kt::User.save" in found


def test_many_arguments_are_no_single_one() -> None:
    assert app("fun run(vararg users: User) { users.save() }") == set()


def test_properties_and_getters_are_one_between_java_and_kotlin() -> None:
    java = (
        "package com.acme.app;\nclass Legacy {\n  String getName() { return null; }\n"
        "  void use(Modern m) { m.getTitle(); m.setTitle(null); m.getOther(); }\n}\n"
    )
    kotlin = (
        "package com.acme.app\nclass Modern(var title: String) {\n"
        "  fun go(old: Legacy) { use(old.name); old.other }\n"
        "  fun own() { this.getTitle() }\n}\n"
    )
    project = Linked({"Legacy.java": java, "Modern.kt": kotlin})
    found = project.symbols("REFERENCES") | project.symbols("CALLS")
    assert {pair for pair in found if pair[1].rpartition(".")[2] in {"title", "getName"}} == {
        ("Legacy.java::Legacy.use", "Modern.kt::Modern.title"),
        ("Modern.kt::Modern.go", "Legacy.java::Legacy.getName"),
    }


def test_what_a_block_of_another_object_assigns_is_no_state_of_the_class_around() -> None:
    text = (
        "class Own(var name: String) {\n  fun a(o: Other) { o.apply { name = 1 } }\n"
        "  fun b(o: Other) { with(o) { name = 1 } }\n  fun c() { launch { name = 1 } }\n}\n"
    )
    facts = Linked({"Own.kt": text}).processor.facts("Own.kt")
    assert facts is not None
    assert [facts.definitions[use.scope].name for use in facts.uses if use.how & WRITE] == ["Own.c"]


@pytest.mark.parametrize(
    ("body", "calls_it"),
    [
        ("user?.let { it.save() }", 1),
        ("users.forEach { it.save() }", 1),
        ("users.filter { it.name == null }.map { it.save() }", 1),
        ("user.also { other { it.save() } }", 0),
        ("user.also { x -> it.save() }", 0),
        ("other { it.save() }", 0),
    ],
)
def test_the_parameter_that_a_block_does_not_name_is_what_it_is_given(body: str, calls_it: int) -> None:
    found = app(f"fun run(user: User?, users: List<User>) {{ {body} }}")
    assert found == ({"model/User.kt::User.save"} if calls_it else set())


def test_a_class_has_what_its_companion_inherits() -> None:
    base = "package com.acme.app\n\nopen class Maker<T> { fun make(): T = TODO() }\n"
    board = "package com.acme.app\n\nclass Board {\n  fun own() {}\n  companion object : Maker<Board>()\n}\n"
    text = "package com.acme.app\nfun run() { Board.make() }\n"
    assert calls({"Maker.kt": base, "Board.kt": board, "App.kt": text}) == {"Maker.kt::Maker.make"}
