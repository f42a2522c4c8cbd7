"""Java through extraction, linking and relations: packages by declaration, members by type, and what is never bound."""

import pytest

from memoire.languages import is_test
from tests.support import Linked

MAIN = "src/main/java"
TEST = "src/test/java"
STORE = {
    f"{MAIN}/com/acme/store/Store.java": (
        "package com.acme.store;\n\npublic class Store {\n  public static final int MAX = 1;\n"
        "  public static Store open() { return new Store(); }\n  public Entry load(String key) { return null; }\n"
        "  public static class Entry {\n    public void touch() {}\n  }\n}\n"
    ),
}


def java(body: str, head: str = "") -> str:
    return f"package com.acme.app;\n{head}\nclass App {{\n{body}\n}}\n"


def calls(project: Linked, path: str) -> set[str]:
    return {target for source, target in project.symbols("CALLS") if source.startswith(f"{path}::")}


def app(body: str, head: str = "", **more: str) -> set[str]:
    """The short names of what `App` calls beside itself."""
    path = f"{MAIN}/com/acme/app/App.java"
    files = {f"{MAIN}/{name.replace('__', '/')}.java": text for name, text in more.items()}
    found = calls(Linked({**STORE, **files, path: java(body, head)}), path)
    return {target.rpartition("/")[2] for target in found if not target.startswith(path)}


def test_a_package_is_what_files_declare_wherever_they_lie() -> None:
    project = Linked(
        {
            "anywhere/Store.java": STORE[f"{MAIN}/com/acme/store/Store.java"],
            "App.java": java("Store s; void run() { s.load(null); }", "import com.acme.store.Store;"),
        }
    )
    assert project.edges("IMPORTS") == {("App.java", "anywhere/Store.java")}
    assert calls(project, "App.java") == {"anywhere/Store.java::Store.load"}


def test_every_form_of_import_leads_to_the_file_that_declares_the_name() -> None:
    expected = {"Store.java::Store.open", "Store.java::Store.load"}
    body = "void run() { Store.open().load(null); }"
    assert app(body, "import com.acme.store.Store;") == expected
    assert app(body, "import com.acme.store.*;") == expected
    assert app("void run() { com.acme.store.Store.open().load(null); }") == expected
    assert app("void run() { open().load(null); }", "import static com.acme.store.Store.open;") == expected
    assert app("void run() { open().load(null); }", "import static com.acme.store.Store.*;") == expected
    touch = "void run(Entry e) { e.touch(); }"
    assert app(touch, "import com.acme.store.Store.Entry;") == {"Store.java::Store.Entry.touch"}
    assert app(touch, "import com.acme.store.Store.*;") == {"Store.java::Store.Entry.touch"}
    touch = "void run(Store.Entry e) { e.touch(); }"
    assert app(touch, "import com.acme.store.Store;") == {"Store.java::Store.Entry.touch"}


def test_a_type_of_the_own_package_goes_before_a_star_import_and_an_import_before_both() -> None:
    mine = "package com.acme.app;\nclass Store { static Store open() { return null; } }\n"
    body = "void run() { Store.open(); }"
    own = f"{MAIN}/com/acme/app/Store.java::Store.open"
    for head, expected in (
        ("import com.acme.store.*;", own),
        ("", own),
        ("import com.acme.store.Store;", f"{MAIN}/com/acme/store/Store.java::Store.open"),
    ):
        files = {**STORE, f"{MAIN}/com/acme/app/Store.java": mine, f"{MAIN}/com/acme/app/App.java": java(body, head)}
        assert calls(Linked(files), f"{MAIN}/com/acme/app/App.java") == {expected}


def test_a_name_that_is_not_imported_is_never_bound() -> None:
    for body in (
        "void run() { Store.open(); }",
        "void run(Store store) { store.load(null); }",
        "void run() { open(); load(null); }",
        "Store store; void run() { store.load(null); this.store.load(null); }",
    ):
        assert app(body) == set()
        assert app(body, "import com.other.Store;") == set()
        assert app(body, "import com.other.*;") == set()


def test_locals_and_type_parameters_shadow_types_and_fields() -> None:
    head = "import com.acme.store.*;"
    for body in (
        "<Store> void run(Store s) { s.load(null); }",
        "<Store> void run() { Store s = make(); s.load(null); }",
        "Store s; void run(Object s) { s.load(null); }",
        "Store s; void run() { list.forEach(s -> s.load(null)); list.forEach((s, t) -> s.load(null)); }",
        "Store s; void run() { for (var s : list) { s.load(null); } }",
        "Store s; void run() { try { go(); } catch (Oops s) { s.load(null); } }",
    ):
        assert app(body, head) == set(), body
    generic = "package com.acme.app;\nclass Box<Store> { Store held; Store get() { return held; } }\n"
    assert app("void run(Box b) { b.held.load(null); b.get().load(null); }", head, com__acme__app__Box=generic) == {
        "Box.java::Box.get"
    }


def test_a_variable_never_hides_the_method_of_its_name() -> None:
    head = "import com.acme.store.Store;"
    assert app("Store open; void run(int open) { Store.open(); open(); }", head) == {"Store.java::Store.open"}
    both = "package com.acme.app;\nclass Base { void load() {} }\n"
    child = "class App extends Base { void run(int load) { load(); } }"
    path = f"{MAIN}/com/acme/app/App.java"
    project = Linked({path: f"package com.acme.app;\n{child}\n", f"{MAIN}/com/acme/app/Base.java": both})
    assert calls(project, path) == {f"{MAIN}/com/acme/app/Base.java::Base.load"}


def test_members_are_followed_through_fields_bases_and_what_methods_return() -> None:
    base = (
        "package com.acme.app;\nimport com.acme.store.Store;\n"
        "abstract class Base<T> implements Runs { protected Store store; Store kept() { return store; } }\n"
    )
    runs = "package com.acme.app;\ninterface Runs { default Runs again() { return this; } void stop(); }\n"
    files = {
        **STORE,
        f"{MAIN}/com/acme/app/Base.java": base,
        f"{MAIN}/com/acme/app/Runs.java": runs,
        f"{MAIN}/com/acme/app/App.java": (
            "package com.acme.app;\nclass App extends Base<String> {\n  void run() {\n    store.load(null).touch();\n"
            "    kept().load(null);\n    again().again().stop();\n    var held = super.kept();\n    held.load(null);\n"
            "    Runnable r = this::run;\n  }\n}\n"
        ),
    }
    project = Linked(files)
    assert {target.rpartition("/")[2] for target in calls(project, f"{MAIN}/com/acme/app/App.java")} == {
        "Base.java::Base.kept",
        "Store.java::Store.load",
        "Store.java::Store.Entry.touch",
        "Runs.java::Runs.again",
        "Runs.java::Runs.stop",
    }
    assert (f"{MAIN}/com/acme/app/App.java", f"{MAIN}/com/acme/app/Base.java") in project.edges("IMPORTS")


def test_a_class_without_a_name_has_its_own_members_and_those_of_what_it_extends() -> None:
    task = "package com.acme.app;\nclass Task { void advance() {} void close() {} }\n"
    body = (
        "void close() {}\nObject run() { return new Task() { void step() { advance(); close(); this.advance(); "
        "mine(); }\nvoid mine() {} }; }"
    )
    assert app(body, com__acme__app__Task=task) == {"Task.java::Task.advance", "Task.java::Task.close"}


def test_of_files_that_declare_the_same_name_the_nearest_is_meant() -> None:
    util = "package com.acme.app;\nclass Util { static void go() {} }\n"
    user = java("void run() { Util.go(); }")
    for module, source, expected in (
        ("a", "main", "a/src/main"),
        ("b", "main", "b/src/main"),
        ("b", "test", "b/src/test"),
    ):
        path = f"{module}/src/{source}/java/com/acme/app/App.java"
        places = ("a/src/main", "b/src/main", "b/src/test")
        project = Linked({**{f"{at}/java/com/acme/app/Util.java": util for at in places}, path: user})
        assert calls(project, path) == {f"{expected}/java/com/acme/app/Util.java::Util.go"}


def test_programs_without_a_package_do_not_see_each_other() -> None:
    main = "class Main { void run() { Helper.go(); } }\n"
    helper = "class Helper { static void go() {} }\n"
    project = Linked({"one/Main.java": main, "two/Helper.java": helper, "two/Main.java": main})
    assert project.symbols("CALLS") == {("two/Main.java::Main.run", "two/Helper.java::Helper.go")}


def test_a_test_class_asserts_on_what_its_tests_reach() -> None:
    test = (
        "package com.acme.store;\nimport org.junit.jupiter.api.Test;\nclass StoreTest {\n  private final Store store = "
        "Store.open();\n  @Test\n  void loads() { store.load(null); }\n  void helper() {}\n}\n"
    )
    helper = "package com.acme.store;\nclass Fixtures { static Store store() { return Store.open(); } }\n"
    project = Linked(
        {
            **STORE,
            f"{TEST}/com/acme/store/StoreTest.java": test,
            f"{TEST}/com/acme/store/Fixtures.java": helper,
        }
    )
    store = f"{MAIN}/com/acme/store/Store.java"
    assert project.edges("ASSERTS_ON") == {(f"{TEST}/com/acme/store/StoreTest.java", store)}
    facts = project.processor.facts(f"{TEST}/com/acme/store/StoreTest.java")
    assert facts is not None
    assert [item.name for item in facts.definitions if item.is_test] == ["StoreTest.loads"]


def test_a_repository_of_spring_data_acts_where_it_is_called() -> None:
    users = (
        "package com.acme.store;\nimport org.springframework.data.jpa.repository.JpaRepository;\n"
        "public interface Users extends JpaRepository<User, Long> {\n  User findByName(String name);\n"
        "  default User none() { return null; }\n}\n"
    )
    path = f"{MAIN}/com/acme/app/App.java"
    body = "Users users;\nvoid run() {\n  users.save(null);\n  users.findByName(null);\n  users.none();\n}"
    files = {path: java(body, "import com.acme.store.Users;"), f"{MAIN}/com/acme/store/Users.java": users}
    facts = Linked(files).processor.facts(path)
    assert facts is not None
    base = "org.springframework.data.jpa.repository.JpaRepository"
    assert {(item.category, item.callee) for item in facts.effects} == {
        ("database", f"{base}.save"),
        ("database", f"{base}.findByName"),
    }


def test_a_class_of_the_project_is_none_of_the_library() -> None:
    path = f"{MAIN}/com/acme/app/App.java"
    mine = "package com.acme.app;\nclass Files { static void readString() {} }\n"
    files = {path: java("void run() { Files.readString(); }", "import java.nio.file.*;")}
    for more, expected in (({}, 1), ({f"{MAIN}/com/acme/app/Files.java": mine}, 0)):
        facts = Linked({**files, **more}).processor.facts(path)
        assert facts is not None
        assert len([item for item in facts.effects if not item.is_void]) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("app/src/test/java/com/acme/Store.java", True),
        ("src/integrationTest/kotlin/Store.kt", True),
        ("src/commonTest/kotlin/Store.kt", True),
        ("src/main/java/com/acme/test/StoreTest.java", False),
        ("src/commonMain/kotlin/ConnectionSpec.kt", False),
        ("src/StoreTest.java", True),
        ("store/StoreIT.java", True),
        ("store/StoreSpec.scala", True),
        ("store/test/src/Store.scala", True),
        ("store/Testimonial.java", False),
        ("store/Store.kt", False),
    ],
)
def test_tests_are_told_by_source_set_folder_or_name(path: str, expected: bool) -> None:
    assert is_test(path) is expected
