"""Names are followed to what they mean, whatever passes them on; and no further."""

from tests.support import Linked


def test_a_submodule_that_a_package_imports_of_itself_is_that_submodule() -> None:
    project = Linked(
        {
            "pkg/__init__.py": "from . import x\n",
            "pkg/x.py": "def z():\n    pass\n",
            "tests/test_x.py": "from pkg import x\n\ndef test_z():\n    x.z()\n",
            "use.py": "import pkg\n\ndef run():\n    pkg.x.z()\n",
        }
    )
    assert project.symbols("CALLS") == {
        ("tests/test_x.py::test_z", "pkg/x.py::z"),
        ("use.py::run", "pkg/x.py::z"),
    }
    assert project.edges("ASSERTS_ON") == {("tests/test_x.py", "pkg/x.py")}


def test_star_imports_in_circles_end_and_find_what_is_there() -> None:
    count = 14
    project = Linked(
        {
            "pkg/__init__.py": "".join(f"from .m{number} import *\n" for number in range(count)),
            **{f"pkg/m{number}.py": "from pkg import *\n" for number in range(count - 1)},
            f"pkg/m{count - 1}.py": "from pkg import *\n\ndef found():\n    pass\n",
            "use.py": "import pkg\n\ndef run():\n    pkg.missing()\n    pkg.found()\n",
        }
    )
    assert project.symbols("CALLS") == {("use.py::run", f"pkg/m{count - 1}.py::found")}


def test_layers_of_barrels_cost_one_look_at_each() -> None:
    layers = {
        f"l{layer}/f{file}.ts": "".join(f"export * from '../l{layer + 1}/f{other}'\n" for other in range(3))
        for layer in range(12)
        for file in range(3)
    }
    project = Linked(layers | {"use.ts": "import { missing } from './l0/f0'\n\nmissing()\n"})
    assert project.symbols("CALLS") == set()


def test_the_last_binding_of_a_name_counts_but_for_a_fallback() -> None:
    project = Linked(
        {
            "lib.py": "def run():\n    pass\n",
            "last.py": "from lib import run\n\ndef run():\n    pass\n",
            "fallback.py": "try:\n    from lib import run\nexcept ImportError:\n    def run():\n        pass\n",
            "use.py": "import last, fallback\n\ndef a():\n    last.run()\n\ndef b():\n    fallback.run()\n",
        }
    )
    assert {("use.py::a", "last.py::run"), ("use.py::b", "lib.py::run")} == project.symbols("CALLS")


def test_an_attribute_of_a_package_goes_before_a_submodule_of_that_name() -> None:
    project = Linked(
        {
            "pkg/__init__.py": "def util():\n    pass\n",
            "pkg/util.py": "",
            "use.py": "from pkg import util\n\nutil()\n",
        }
    )
    assert project.edges("IMPORTS") == {("use.py", "pkg/__init__.py")}
    assert project.symbols("CALLS") == {("use.py", "pkg/__init__.py::util")}


def test_members_are_no_bare_names_where_the_instance_has_a_keyword() -> None:
    project = Linked(
        {
            "a.ts": "export function load() {}\n",
            "store.ts": "import { load } from './a'\n\nclass Store {\n  data = load()\n  load() {}\n}\n",
        }
    )
    assert {target for _, target in project.symbols("CALLS")} == {"a.ts::load"}


def test_names_beyond_ascii_are_names() -> None:
    project = Linked(
        {
            "a.py": "class Käse:\n    def réserver(self):\n        pass\n\ndef naïve():\n    pass\n",
            "use.py": "from a import Käse, naïve\n\ndef f():\n    naïve()\n    Käse().réserver()\n",
        }
    )
    assert {("use.py::f", "a.py::naïve"), ("use.py::f", "a.py::Käse.réserver")} <= project.symbols("CALLS")


def test_what_everyone_assigns_is_driven_by_the_file_that_defines_it_alone() -> None:
    files = {f"f{number}.py": "import s\n\ndef g():\n    s.X = 2\n" for number in range(30)}
    reader = {"r.py": "import s\n\ndef g():\n    return s.X\n"}
    owner = {"s.py": "X = 1\n\ndef set_x():\n    global X\n    X = 3\n"}
    project = Linked(files | owner | reader)
    owned = {("s.py", path) for path in (*files, "r.py")}
    assert project.edges("DRIVES") == owned
    project.save({}, gone=tuple(f"f{number}.py" for number in range(23)))
    left = [f"f{number}.py" for number in range(23, 30)]
    assert project.edges("DRIVES") == {(path, "r.py") for path in left} | {("s.py", path) for path in (*left, "r.py")}


def test_a_star_import_brings_the_names_of_its_module_and_no_others() -> None:
    project = Linked(
        {
            "a.py": "def first():\n    pass\n\ndef both():\n    pass\n",
            "b.py": "def both():\n    pass\n",
            "tests/test_a.py": (
                "from a import *\nfrom b import *\n\n"
                "def test_a():\n    first()\n    both()\n    len([])\n    unknown()\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("tests/test_a.py::test_a", "a.py::first"),
        ("tests/test_a.py::test_a", "b.py::both"),
    }
    assert project.edges("ASSERTS_ON") == {("tests/test_a.py", "a.py"), ("tests/test_a.py", "b.py")}


def test_a_member_on_a_line_of_its_own_is_no_function_of_that_name() -> None:
    project = Linked(
        {
            "a.ts": (
                "import { x } from './b'\nfunction build() {\n  return 1\n}\nfunction run() {\n"
                "  x()\n    .build()\n    .then(1)\n  y(z)\n    .build()\n}\n"
            ),
            "b.ts": "export function x(): any {\n  return 1\n}\n",
        }
    )
    assert project.symbols("CALLS") == {("a.ts::run", "b.ts::x")}


def test_an_import_of_all_names_brings_none_that_a_module_keeps_to_itself() -> None:
    project = Linked(
        {
            "a.ts": "import { text } from './q'\nfunction helper() {}\nexport function a() { helper(); text() }\n",
            "q.ts": "export function text() {}\n",
            "r.ts": "export function helper() {}\nexport function text() {}\n",
            "b.ts": "export * from './a'\nexport * from './r'\n",
            "use.ts": "import { text, helper, a } from './b'\n\nfunction use() { text(); helper(); a() }\n",
        }
    )
    used = {edge for edge in project.symbols("CALLS") if edge[0] == "use.ts::use"}
    assert {target for _, target in used} == {"a.ts::a", "r.ts::helper", "r.ts::text"}
    project.save({"a.ts": "function helper() {}\nexport function a() {}\nexport { helper }\n"})
    assert ("use.ts::use", "a.ts::helper") in project.symbols("CALLS")


def test_modules_that_pass_all_names_on_in_circles_and_keep_one_are_looked_at_once() -> None:
    count = 14
    others = {
        f"m{at}.ts": "function kept() {}\nexport const x = 1\n"
        + "".join(f"export * from './m{other}'\n" for other in range(count) if other != at)
        for at in range(count)
    }
    barrel = "".join(f"export * from './m{at}'\n" for at in range(count))
    project = Linked(others | {"b.ts": barrel, "use.ts": "import { kept } from './b'\n\nkept()\n"})
    assert project.symbols("CALLS") == set()


def test_a_method_whose_class_is_not_written_yet_may_be_imported_by_its_name() -> None:
    use = "package shop\n\nimport shop.grow\n\nfun use() { grow() }\n"
    project = Linked({"Pool.java": "package shop;\nvoid grow() {}\n", "Use.kt": use})
    assert project.symbols("CALLS") == {("Use.kt::use", "Pool.java::grow")}
