"""Faults that users of such tools report: the small input of each kind, and the right answer."""

from tests.support import Linked


def test_a_call_never_leaves_for_a_namesake_in_another_app() -> None:
    project = Linked(
        {
            "app_a/server.py": "def navigate(where):\n    return where\n",
            "app_b/crawler.py": (
                "def navigate(where):\n    return where\n\ndef crawl():\n    navigate('x')\n    close()\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {("app_b/crawler.py::crawl", "app_b/crawler.py::navigate")}
    assert project.edges("IMPORTS") == set()


def test_a_method_of_a_value_is_no_call_of_a_function_of_that_name() -> None:
    project = Linked(
        {
            "api.py": "def append(item):\n    return item\n",
            "use.py": (
                "import api\n\ndef run(d):\n    d.setdefault('k', []).append(1)\n"
                "    x = []\n    x.append(2)\n    api.append(3)\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {("use.py::run", "api.py::append")}


def test_names_passed_on_by_a_package_lead_to_the_file_that_defines_them() -> None:
    project = Linked(
        {
            "src/mypkg/__init__.py": "from .impl import target_fn\n",
            "src/mypkg/impl.py": "def target_fn():\n    return 1\n",
            "tests/test_it.py": "from mypkg import target_fn\n\ndef test_it():\n    assert target_fn() == 1\n",
        }
    )
    assert project.edges("ASSERTS_ON") == {("tests/test_it.py", "src/mypkg/impl.py")}
    assert ("tests/test_it.py", "src/mypkg/__init__.py") in project.edges("IMPORTS")
    assert project.symbols("CALLS") == {("tests/test_it.py::test_it", "src/mypkg/impl.py::target_fn")}


def test_a_namespace_package_needs_no_init_file() -> None:
    project = Linked(
        {"ns/sub/brain.py": "def think():\n    pass\n", "ns/sub/run.py": "from . import brain\n\nbrain.think()\n"}
    )
    assert project.edges("IMPORTS") == {("ns/sub/run.py", "ns/sub/brain.py")}
    assert project.symbols("CALLS") == {("ns/sub/run.py", "ns/sub/brain.py::think")}


def test_what_a_file_imports_is_not_reached_by_changing_it() -> None:
    project = Linked({"b.py": "X = 1\n", **{f"a{n}.py": "import b\nprint(b.X)\n" for n in range(3)}})
    assert project.edges("DRIVES") == {("b.py", f"a{n}.py") for n in range(3)}
    assert project.graph.reachability("a0.py") == 0
    assert project.graph.reachability("b.py") == 3


def test_an_edit_that_is_taken_back_leaves_nothing() -> None:
    project = Linked({"a.py": "import b\n", "b.py": "X = 1\n"})
    project.save({"a.py": "import b\n\ndef tmp():\n    b.X = 2\n"})
    assert "a.py::tmp" in {source for source, _ in project.symbols("REFERENCES")}
    project.save({"a.py": "import b\n"})
    assert project.symbols("REFERENCES") == set()
    assert project.edges("IMPORTS") == {("a.py", "b.py")}


def test_after_a_rename_nothing_is_left_under_the_old_path() -> None:
    project = Linked({"a.py": "def run():\n    pass\n", "use.py": "import a\nimport b\n\na.run()\n"})
    assert ("use.py", "a.py") in project.edges("IMPORTS")
    project.save({"b.py": "def run():\n    pass\n"}, gone=("a.py",))
    assert project.edges("IMPORTS") == {("use.py", "b.py"), ("use.py", "pkg:a")}
    assert {node.path for node in project.graph.nodes()} == {"b.py", "use.py"}


def test_reindexing_one_file_keeps_the_edges_into_it() -> None:
    files = {"core.py": "def run():\n    pass\n", **{f"u{n}.py": "from core import run\nrun()\n" for n in range(4)}}
    project = Linked(files)
    before = {relation: project.edges(relation) for relation in ("IMPORTS", "DRIVES")}
    project.save({"core.py": files["core.py"] + "# touched\n"})
    assert {relation: project.edges(relation) for relation in ("IMPORTS", "DRIVES")} == before


def test_a_function_deleted_from_a_file_that_stays_is_gone() -> None:
    project = Linked(
        {"a.py": "def keep():\n    pass\n\ndef drop():\n    pass\n", "t.py": "from a import drop\n\ndrop()\n"}
    )
    assert ("t.py", "a.py::drop") in project.symbols("CALLS")
    project.save({"a.py": "def keep():\n    pass\n"})
    assert project.symbols("CALLS") == set()
    facts = project.processor.facts("a.py")
    assert facts is not None
    assert [item.name for item in facts.definitions] == ["keep"]


def test_the_standard_library_is_meant_where_a_package_has_a_module_of_that_name() -> None:
    project = Linked(
        {"pkg/__init__.py": "", "pkg/types.py": "X = 1\n", "pkg/use.py": "import types\nfrom . import types as mine\n"}
    )
    assert project.edges("IMPORTS") == {("pkg/use.py", "pkg:types"), ("pkg/use.py", "pkg/types.py")}


def test_a_module_that_is_called_like_a_library_has_none_of_its_effects() -> None:
    project = Linked({"use.py": "import requests\n\nrequests.get('x')\n"})
    node = project.graph.node("use.py")
    assert node is not None
    assert node.effects == ("network",)
    project.save({"requests.py": "def get(x):\n    pass\n"})
    node = project.graph.node("use.py")
    assert node is not None
    assert node.effects == ()
    project.save({}, gone=("requests.py",))
    node = project.graph.node("use.py")
    assert node is not None
    assert node.effects == ("network",)
