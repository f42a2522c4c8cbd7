"""What each relation of code rests on, and that it goes with what it rested on."""

from tests.support import Linked

CORE = {"core.py": "LIMIT = 3\n\ndef plan():\n    pass\n\ndef set_limit():\n    global LIMIT\n    LIMIT = 4\n"}


DEPENDENTS = ("boot", "call", "model")


def users(count: int) -> dict[str, str]:
    return {f"use{number}.py": "from core import plan\n\nplan()\n" for number in range(count)}


def test_a_file_that_two_import_drives_nobody_and_one_that_three_import_drives_all() -> None:
    project = Linked(CORE | users(2))
    assert project.edges("DRIVES") == set()
    project.save({"use2.py": "import core\n"})
    assert project.edges("DRIVES") == {("core.py", f"use{number}.py") for number in range(3)}
    edge = project.edge("core.py", "DRIVES", "use0.py")
    assert edge.rationale == "use0.py:1 imports plan from core, a file that at least 3 files depend on"
    assert (edge.is_causal, edge.cost, edge.extracted_from) == (True, "normal", "use0.py")
    project.save({}, gone=("use1.py",))
    assert project.edges("DRIVES") == set()


def test_a_dependent_with_side_effects_is_costly_to_drive() -> None:
    project = Linked(CORE | users(2) | {"job.py": "from core import plan\n\nopen('x')\nplan()\n"})
    assert project.edge("core.py", "DRIVES", "job.py").cost == "high"
    assert project.edge("core.py", "DRIVES", "use0.py").cost == "normal"


def test_imports_for_types_drive_nobody() -> None:
    typed = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from core import plan\n"
    project = Linked(CORE | users(2) | {"typed.py": typed})
    assert project.edges("DRIVES") == set()
    assert ("typed.py", "core.py") in project.edges("IMPORTS")


def test_a_test_counts_as_a_dependent_and_is_not_driven() -> None:
    project = Linked(CORE | users(2) | {"test_core.py": "from core import plan\n\ndef test_plan():\n    plan()\n"})
    assert project.edges("DRIVES") == {("core.py", "use0.py"), ("core.py", "use1.py")}
    edge = project.edge("test_core.py", "ASSERTS_ON", "core.py")
    assert edge.rationale == "test_core.py:4 uses plan() of core.py"
    assert (edge.is_causal, edge.cost) == (True, "high")


def test_a_barrel_that_only_passes_names_on_is_not_driven() -> None:
    project = Linked(
        {
            "pkg/core.py": "def plan():\n    pass\n",
            "pkg/__init__.py": "from pkg.core import plan\n",
            **{f"use{number}.py": "from pkg import plan\n\nplan()\n" for number in range(3)},
        }
    )
    assert project.edges("DRIVES") >= {("pkg/core.py", f"use{number}.py") for number in range(3)}
    assert ("pkg/core.py", "pkg/__init__.py") not in project.edges("DRIVES")
    project.save({"pkg/__init__.py": "from pkg.core import plan\n\nplan()\n"})
    assert ("pkg/core.py", "pkg/__init__.py") in project.edges("DRIVES")


def test_who_assigns_a_global_drives_who_reads_it() -> None:
    project = Linked(CORE | {"reader.py": "import core\n\nprint(core.LIMIT)\n"})
    edge = project.edge("core.py", "DRIVES", "reader.py")
    assert edge.rationale == "reader.py:3 reads LIMIT, which core.py assigns in set_limit"
    project.save({"core.py": "LIMIT = 3\n"})
    assert project.edges("DRIVES") == set()


def test_a_test_that_sets_something_drives_no_code() -> None:
    setter = "import core\n\n\ndef test_limit():\n    core.LIMIT = 4\n"
    project = Linked({"core.py": "LIMIT = 3\n", "reader.py": "import core\n\nprint(core.LIMIT)\n", "setter.py": setter})
    assert ("setter.py", "reader.py") in project.edges("DRIVES")
    project.save({"tests/test_core.py": setter}, gone=("setter.py",))
    assert project.edges("DRIVES") == set()


def test_who_assigns_an_attribute_from_outside_drives_who_reads_it() -> None:
    project = Linked(
        {
            "conf.py": "class Conf:\n    def __init__(self):\n        self.debug = False\n\nconf = Conf()\n",
            "boot.py": "from conf import conf\n\ndef boot():\n    conf.debug = True\n",
            "view.py": "from conf import conf\n\ndef view():\n    return conf.debug\n",
        }
    )
    assert ("boot.py", "view.py") in project.edges("DRIVES")
    assert ("conf.py", "view.py") in project.edges("DRIVES")
    assert ("view.py", "boot.py") not in project.edges("DRIVES")


def test_an_attribute_of_two_objects_is_no_state_that_they_share() -> None:
    box = "class Box:\n    def __init__(self):\n        self.size = 0\n\n    def grow(self):\n        pass\n"
    project = Linked(
        {
            "box.py": box,
            "packer.py": "from box import Box\n\ndef pack():\n    box = Box()\n    box.size = 3\n    return box\n",
            "shelf.py": "from box import Box\n\ndef fits(box: Box):\n    return box.size < 4\n",
        }
    )
    assert ("packer.py", "shelf.py") not in project.edges("DRIVES")
    user = (
        "from packer import pack\nfrom box import Box\n\ndef fits():\n    box: Box = pack()\n    return box.size < 4\n"
    )
    project.save({"shelf.py": user})
    edge = project.edge("packer.py", "DRIVES", "shelf.py")
    assert edge.rationale.endswith("reads Box.size, which packer.py assigns in pack")


def test_who_assigns_a_global_for_itself_drives_no_other_that_reads_it() -> None:
    command = "import shared\n\ndef run():\n    shared.config = load()\n    return shared.config\n"
    project = Linked(
        {
            "shared.py": "config = None\n",
            "reset.py": command,
            "show.py": "import shared\n\ndef run():\n    return shared.config\n",
        }
    )
    assert project.edges("DRIVES") == set()
    project.save({"reset.py": command.replace("    return shared.config\n", "")})
    assert project.edges("DRIVES") == {("reset.py", "show.py")}
    used = "import shared\nfrom reset import run\n\ndef show():\n    run()\n    return shared.config\n"
    project.save({"reset.py": command, "show.py": used})
    assert project.edges("DRIVES") == {("reset.py", "show.py")}


def test_what_is_set_up_around_tests_drives_no_program() -> None:
    base = "from conf import conf\n\nclass Base(unittest.TestCase):\n    def {}(self):\n        conf.debug = 1\n"
    project = Linked(
        {
            "conf.py": "class Conf:\n    pass\n\nconf = Conf()\n",
            "testing.py": "import unittest\n" + base.format("setUp"),
            "view.py": "from conf import conf\n\ndef view():\n    return conf.debug\n",
        }
    )
    assert project.edges("DRIVES") == set()
    project.save({"testing.py": "import unittest\n" + base.format("boot")})
    assert project.edges("DRIVES") == {("testing.py", "view.py")}


def test_an_example_sets_state_for_its_own_program_alone() -> None:
    project = Linked(
        {
            "lib/conf.py": "class Conf:\n    pass\n\nconf = Conf()\n",
            "lib/view.py": "from lib.conf import conf\n\ndef view():\n    return conf.debug\n",
            "lib/boot.py": "from lib.conf import conf\n\ndef boot():\n    conf.debug = True\n",
            "examples/shop/auth.py": "from lib.conf import conf\n\ndef boot():\n    conf.debug = True\n",
            "examples/shop/page.py": "from lib.conf import conf\n\ndef page():\n    return conf.debug\n",
        }
    )
    page, view = "examples/shop/page.py", "lib/view.py"
    by_state = {pair for pair in project.edges("DRIVES") if pair[0] != "lib/conf.py"}
    assert by_state == {("examples/shop/auth.py", page), ("lib/boot.py", page), ("lib/boot.py", view)}


def test_what_lies_behind_an_attribute_is_a_state_of_its_own() -> None:
    setter = "from lazy import lib\n\ndef boot():\n    lib.module.client = 1\n"
    project = Linked(
        {
            "lazy.py": "class Lazy:\n    pass\n\nlib = Lazy()\n",
            "boot.py": setter,
            "model.py": "from lazy import lib\n\ndef costs():\n    return lib.costs.keys()\n",
            "call.py": "from lazy import lib\n\ndef call():\n    return lib.module.client\n",
        }
    )
    assert project.edges("DRIVES") == {("boot.py", "call.py"), *(("lazy.py", f"{name}.py") for name in DEPENDENTS)}
    assert "reads lib.module.client" in project.edge("boot.py", "DRIVES", "call.py").rationale


def test_a_barrel_that_names_what_it_exports_reads_no_state() -> None:
    files = {"pkg/core.py": CORE["core.py"], "pkg/__init__.py": "from pkg.core import LIMIT\n\n__all__ = [LIMIT]\n"}
    project = Linked(files)
    assert project.edges("DRIVES") == set()
    project.save({"pkg/__init__.py": "from pkg.core import LIMIT\n\n\ndef limit():\n    return LIMIT\n"})
    assert project.edges("DRIVES") == {("pkg/core.py", "pkg/__init__.py")}


def test_an_import_alone_asserts_on_nothing_and_neither_do_fixtures() -> None:
    project = Linked(
        CORE
        | {
            "tests/conftest.py": "import core\n\ncore.plan()\n",
            "tests/test_a.py": "import core\n",
            "tests/test_b.py": "from tests.conftest import thing\n\nthing()\n",
        }
    )
    assert project.edges("ASSERTS_ON") == set()


def test_classes_inherit_across_files_and_members_are_found_through_bases() -> None:
    project = Linked(
        {
            "base.py": "class Base:\n    def save(self):\n        pass\n",
            "thing.py": "from base import Base\n\nclass Thing(Base):\n    pass\n",
            "use.py": "from thing import Thing\n\ndef run():\n    Thing().save()\n",
        }
    )
    assert project.symbols("INHERITS") == {("thing.py::Thing", "base.py::Base")}
    assert ("use.py::run", "base.py::Base.save") in project.symbols("CALLS")


def test_what_a_function_says_it_returns_is_followed() -> None:
    project = Linked(
        {
            "db.py": "class Db:\n    def get(self):\n        pass\n\ndef connect() -> Db:\n    return Db()\n",
            "use.py": "from db import connect\n\ndef run():\n    db = connect()\n    db.get()\n",
        }
    )
    assert ("use.py::run", "db.py::Db.get") in project.symbols("CALLS")


def test_documents_specify_describe_and_are_carried_out() -> None:
    project = Linked(
        {
            "src/parser.py": '"""Implements docs/spec.md."""\n\ndef parse():\n    pass\n',
            "docs/spec.md": "# Specification\n\nThe parser in `src/parser.py` must reject tabs.\n",
            "README.md": "# Tool\n\nCall `src/parser.py` first.\n",
        }
    )
    assert project.edges("SPECIFIES") == {("docs/spec.md", "src/parser.py")}
    assert project.edges("DOCUMENTS") == {("README.md", "src/parser.py")}
    assert project.edges("IMPLEMENTS") == {("src/parser.py", "docs/spec.md")}
    rationale = project.edge("docs/spec.md", "SPECIFIES", "src/parser.py").rationale
    assert rationale.startswith('docs/spec.md:3 "The parser in `src/parser.py` must reject tabs."')
