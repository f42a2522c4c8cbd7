"""Runs of tests in an open project: recorded or left by other tools, taken in, kept, and answered from."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memoire import intake, paths
from memoire.operations import tests as tests_operation
from memoire.operations import why
from memoire.project import Project
from memoire.run_files import RunFiles

FILES = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "shop/__init__.py": "",
    "shop/core.py": (
        "from shop.far import helper\n\n\ndef price(item):\n    return helper(item)\n\n\ndef other():\n    return 2\n"
    ),
    "shop/far.py": "from shop.deep import deep\n\n\ndef helper(item):\n    return deep(item) if item else 0\n",
    "shop/deep.py": "def deep(item):\n    return item\n",
    "tests/test_core.py": (
        "import pytest\n\nfrom shop import core\n\n\n@pytest.mark.parametrize('item', [0, None])\n"
        "def test_price(item):\n    assert core.price(item) == 0\n\n\ndef test_other():\n    assert core.other()\n"
    ),
}


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    folder = tmp_path / "shop"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / ".memoire").mkdir()
    (folder / ".memoire/config.toml").write_text("")
    return folder


@asynccontextmanager
async def opened(root: Path) -> AsyncIterator[Project]:
    project = await Project.open(root)
    try:
        await project.start()
        async with asyncio.timeout(60):
            await project.intake.idle.wait()
        yield project
    finally:
        await project.close()


async def until(project: Project, is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            project.intake.notice_reports()
            await asyncio.sleep(0.02)


def run_tests(root: Path, *arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    environment["PYTHONPATH"] = os.pathsep.join([str(root), str(Path(__file__).parents[2])])
    command = [sys.executable, "-m", *arguments, "-q", "-p", "no:cacheprovider"]
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, timeout=120)


def claims(project: Project) -> dict[str, str]:
    edges = project.memory.graph.edges_out("tests/test_core.py")
    return {edge.key.target: edge.rationale for edge in edges if edge.key.relation == "ASSERTS_ON"}


async def test_a_recorded_run_is_taken_in_at_once_and_outlives_the_daemon(root: Path) -> None:
    async with opened(root) as project:
        assert "shop/deep.py" in claims(project)
        await asyncio.to_thread(run_tests, root, "pytest", "--memoire-all", "-p", "memoire.pytest_plugin")
        await until(project, lambda: "shop/deep.py" not in claims(project))
        assert claims(project)["shop/far.py"].startswith("observed: 2 tests of tests/test_core.py executed helper() of")
        assert not list((Path(paths.state_dir(root)) / "runs").iterdir())
    async with opened(root) as project:
        assert set(claims(project)) == {"shop/core.py", "shop/far.py"}
        asked = tests_operation.Params(files=["shop/core.py::other"])
        found = await tests_operation.run(project.memory, asked)
        (test,) = found.tests
        assert test.tests == ["tests/test_core.py::test_other"]
        assert test.why.startswith("1 test of it seen to run it, last ")
        assert found.commands == ["python -m pytest tests/test_core.py::test_other"]
        asked = tests_operation.Params(files=["shop/far.py::helper"])
        (test,) = (await tests_operation.run(project.memory, asked)).tests
        assert test.tests == ["tests/test_core.py::test_price[0]", "tests/test_core.py::test_price[None]"]
        told = await why.run(project.memory, why.Params(source="tests/test_core.py", target="shop/far.py"))
        (run,) = told.runs
        assert run.run.startswith("pytest ")
        assert run.tests == ["tests/test_core.py::test_price[0]", "tests/test_core.py::test_price[None]"]
        assert (run.definitions, run.changed, run.failed) == (["shop/far.py::helper"], [], 0)
        assert told.verdict.endswith("1 observed run.")
        (root / "shop/far.py").write_text(FILES["shop/far.py"].replace("else 0", "else 1 - 1"))
        await until(project, lambda: "shop/deep.py" in claims(project))
        told = await why.run(project.memory, why.Params(source="shop/far.py::helper", target="tests/test_core.py"))
        assert [run.changed for run in told.runs] == [["shop/far.py::helper"]]


async def test_what_coverage_left_is_taken_in_though_git_ignores_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "QUIET_S", 0.05)
    (root / ".gitignore").write_text(".coverage\n")
    (root / ".coveragerc").write_text("[run]\ndynamic_context = test_function\n")
    await asyncio.to_thread(run_tests, root, "coverage", "run", "--source=shop", "-m", "pytest")
    async with opened(root) as project:
        await until(project, lambda: claims(project).get("shop/far.py", "").startswith("observed: "))
        assert ".coverage" not in project.memory.tree
        asked = tests_operation.Params(files=["shop/core.py::other"])
        (test,) = (await tests_operation.run(project.memory, asked)).tests
        assert test.tests == ["tests/test_core.py::test_other"]


async def test_an_artefact_that_ends_its_reader_is_left_out(root: Path) -> None:
    (root / ".coverage").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    state = Path(paths.state_dir(root))
    (state / "runs").mkdir()
    (state / "runs/1-1.run").write_bytes(b"junk")
    async with opened(root) as project:
        runs = RunFiles(root, state, project.intake.processor, program="import os; os.abort()")
        await runs.look()
        assert not project.intake.processor.observations
        await until(project, lambda: not list((state / "runs").iterdir()))
        assert claims(project)
