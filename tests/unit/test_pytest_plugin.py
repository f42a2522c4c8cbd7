"""The plug-in of pytest: what it records of a small project, in a process of its own, and when it is silent."""

import json
import os
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from memoire.pytest_plugin import TURNS
from memoire.runs import read
from memoire.runs.run import Run

CORE = """
import functools

def loud(function):
    @functools.wraps(function)
    def inner(*given):
        return function(*given)
    return inner

class Shop:
    def __init__(self):
        self.items = []

    @loud
    def add(self, item):
        self.items.append(price(item))

    async def send(self):
        return [item for item in self.items]

def price(item):
    return sorted([item], key=lambda one: one)[0]

def unused():
    yield 1
"""
TESTS = """
import asyncio, subprocess, sys, threading
import pytest
from core import Shop, price, unused

@pytest.fixture(scope="module")
def shop():
    shop = Shop()
    shop.add(1)
    return shop

def test_first(shop):
    assert shop.items

def test_second(shop):
    assert shop.items

@pytest.mark.parametrize("number", [1, 2])
def test_price(number):
    assert price(number)

class TestShop:
    def test_send(self, shop):
        asyncio.run(shop.send())

    def test_thread(self):
        thread = threading.Thread(target=price, args=(1,))
        thread.start()
        thread.join()

def test_fails():
    assert price(0)

def test_leaves():
    subprocess.run([sys.executable, "-c", ""])

@pytest.mark.skip
def test_skipped():
    pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "tests").mkdir(parents=True)
    (root / ".memoire").mkdir()
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    (root / ".memoire/local").write_text(f"{state}\n")
    (root / "core.py").write_text(CORE)
    (root / "tests/test_core.py").write_text(TESTS)
    return root


def run_tests(root: Path, *arguments: str, plugin: bool = True) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    environment["PYTHONPATH"] = os.pathsep.join([str(root), str(Path(__file__).parents[2])])
    asked = ["-p", "memoire.pytest_plugin", "--memoire-all"] if plugin else []
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *asked, *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr


def recorded(root: Path) -> list[Run]:
    folder = root.parent / "state" / "runs"
    files = sorted(folder.glob("*.run"))
    return [read(file.name, file.read_bytes(), is_own=True) for file in files]


def executed(runs: list[Run], path: str = "core.py") -> dict[str, set[str]]:
    """Return test -> the functions of a file that it executed."""
    found: dict[str, set[str]] = {}
    for run in runs:
        for test in run.tests:
            parts = [run.parts[number] for number in run.sets[test.members]]
            found[test.name] = {part.name for part in parts if run.files[part.file][0] == path}
    return found


def test_each_test_is_recorded_with_the_functions_it_executes(project: Path) -> None:
    said = run_tests(project)
    assert "memoire: recording" in said, said
    runs = recorded(project)
    assert len(runs) == 1
    made = {"Shop.__init__", "Shop.add", "loud.inner", "price"}
    assert executed(runs) == {
        "test_first": made,
        "test_second": made,  # what the fixture executed is its own too, though another test had it made
        "test_price[1]": {"price"},
        "test_price[2]": {"price"},
        "TestShop::test_send": made | {"Shop.send"},
        "TestShop::test_thread": {"price"},
        "test_fails": {"price"},
        "test_leaves": set(),
        "test_skipped": set(),
    }
    tests = {test.name: test for test in runs[0].tests}
    assert {name for name, test in tests.items() if test.outcome == "failed"} == {"test_fails"}
    assert {name for name, test in tests.items() if test.outcome == "skipped"} == {"test_skipped"}
    assert {name for name, test in tests.items() if test.has_left} == {"test_leaves"}
    assert {test.path for test in runs[0].tests} == {"tests/test_core.py"}
    assert {runs[0].parts[number].name for number in runs[0].early} == {"loud"}
    assert "TestShop.test_send" in executed(runs, "tests/test_core.py")["TestShop::test_send"]


def test_every_worker_of_xdist_leaves_a_file(project: Path) -> None:
    run_tests(project, "-n", "2", "--dist", "each", "-k", "price")
    assert [executed([run]) for run in recorded(project)] == [
        {"test_price[1]": {"price"}, "test_price[2]": {"price"}}
    ] * 2
    assert not list((project.parent / "state/runs").glob("*.new"))


def test_it_is_silent_until_a_setting_of_pytest_turns_it_on(project: Path) -> None:
    # As an entry point brings it: its hooks are registered, and no option names it.
    hooks = "from memoire.pytest_plugin import pytest_addoption, pytest_configure, pytest_report_header\n"
    (project / "conftest.py").write_text(hooks)
    alone = ("-p", "no:memoire.pytest_plugin")  # where memoire is installed, its own entry point brings the hooks too
    assert "memoire" not in run_tests(project, *alone, plugin=False)
    assert recorded(project) == []
    (project / "pytest.ini").write_text("[pytest]\nmemoire = true\n")
    assert "memoire: recording" in run_tests(project, *alone, plugin=False)
    assert len(recorded(project)) == 1


def test_a_state_folder_that_others_may_enter_is_not_believed(project: Path) -> None:
    (project.parent / "state").chmod(0o755)
    said = run_tests(project)
    assert "memoire: not recording" in said
    assert recorded(project) == []


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="all tests are traced at once from Python 3.12 on")
def test_where_tracing_is_dear_every_test_has_its_turn(project: Path) -> None:
    seen: dict[str, set[str]] = {}
    for _ in range(TURNS):
        run_tests(project, "-p", "memoire.pytest_plugin", plugin=False)
    for run in recorded(project):
        assert len(run.tests) == 9
        traced = executed([msgspec.structs.replace(run, tests=tuple(t for t in run.tests if t.members >= 0))])
        assert not traced.keys() & seen.keys()
        seen |= traced
    assert seen["test_second"] == {"Shop.__init__", "Shop.add", "loud.inner", "price"}
    assert len(seen) == 9


def test_a_fixture_that_asks_for_another_while_it_is_made_is_recorded_whole(project: Path) -> None:
    (project / "tests/test_core.py").write_text(
        "import pytest\nfrom core import Shop, price, loud\n\n"
        "@pytest.fixture(scope='module')\ndef inner():\n    return Shop()\n\n"
        "@pytest.fixture(scope='session')\ndef outer(request):\n"
        "    price(1)\n    request.getfixturevalue('deep')\n    return loud(price)\n\n"
        "@pytest.fixture(scope='session')\ndef deep():\n    return Shop()\n\n"
        "def test_one(outer):\n    pass\n\ndef test_two(outer):\n    pass\n"
    )
    run_tests(project)
    made = {"price", "Shop.__init__", "loud"}
    assert executed(recorded(project)) == {"test_one": made, "test_two": made}


def test_the_tracer_of_another_tool_goes_on_and_nothing_is_said_of_what_it_hides(project: Path) -> None:
    (project / "tests/conftest.py").write_text(
        "import sys, threading\n\ndef spy(frame, event, argument):\n    return None\n\n"
        "def is_spied():\n    return sys.gettrace() is spy and threading.gettrace() is spy\n\n"
        "sys.settrace(spy)\nthreading.settrace(spy)\n"
        "if sys.version_info >= (3, 12):\n"
        "    for tool in range(6):\n"
        "        if sys.monitoring.get_tool(tool) is None:\n"
        "            sys.monitoring.use_tool_id(tool, 'another')\n"
    )
    (project / "tests/test_core.py").write_text(
        "import pytest\nfrom conftest import is_spied\nfrom core import price\n\n"
        "@pytest.fixture(scope='module')\ndef shared():\n    return price(1)\n\n"
        "def test_one(shared):\n    assert is_spied()\n\ndef test_two(shared):\n    assert is_spied()\n"
    )
    for plugin in (True, False):
        said = run_tests(
            project, "tests", *([] if plugin else ["--memoire", "-p", "memoire.pytest_plugin"]), plugin=plugin
        )
        assert "2 passed" in said, said
        assert "another tool traces" in said, said
    assert all(test.members < 0 for run in recorded(project) for test in run.tests)


def test_a_file_written_while_the_tests_run_is_not_said_to_be_what_ran(project: Path) -> None:
    with (project / "tests/test_core.py").open("a") as file:
        file.write("\ndef test_writes():\n    import core\n    open(core.__file__, 'a').write('# later\\n')\n")
    run_tests(project)
    (run,) = recorded(project)
    assert dict(run.files)["core.py"] == ""
    assert {part.text for part in run.parts if run.files[part.file][0] == "core.py"} == {""}


def test_what_is_recorded_says_nothing_of_values(project: Path) -> None:
    run_tests(project)
    (file,) = (project.parent / "state/runs").iterdir()
    told: dict[str, Any] = json.loads(zlib.decompress(file.read_bytes()))
    assert set(told) == {"version", "tool", "at", "files", "definitions", "early", "sets", "tests"}
    assert file.stat().st_mode & 0o777 == 0o600
