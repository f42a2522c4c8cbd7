"""An open project on a real folder: what is saved is seen, what is closed comes back, what is damaged is rebuilt."""

import asyncio
import os
import random
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from memoire import paths
from memoire.citing import Citing
from memoire.linker import Linked as LinkedFile
from memoire.linker import Linker
from memoire.operations import get_context, recent_events, search
from memoire.project import Project
from memoire.relations import asserts_on, imports
from tests.support import Linked

FILES = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "README.md": "# Shop\n\nThe code is in [core](src/shop/core.py).\n",
    "docs/spec.md": "# Specification\n\n`src/shop/core.py` must add up orders.\n",
    "src/shop/__init__.py": "from .core import total\n",
    "src/shop/core.py": "LIMIT = 3\n\ndef total(orders):\n    return sum(orders)\n",
    "src/shop/web.py": "import shop\n\ndef page():\n    return shop.total([1])\n",
    "src/shop/job.py": "from shop.core import LIMIT, total\n\nprint(total([LIMIT]))\n",
    "tests/test_core.py": "from shop import total\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project in a home of its own."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    folder = tmp_path / "shop"
    write(folder, FILES)
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


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


def edges(project: Project) -> set[tuple[str, str, str]]:
    return {(edge.key.source, edge.key.relation, edge.key.target) for edge in project.memory.graph.edges()}


def rebuilt(root: Path) -> set[tuple[str, str, str]]:
    """The edges of one fresh ingest of what lies in the folder."""
    found = {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not {".git", ".memoire"} & set(path.relative_to(root).parts)
    }
    linked = Linked(found)
    return {(edge.key.source, edge.key.relation, edge.key.target) for edge in linked.graph.edges()}


async def test_the_first_index_holds_what_the_files_say(root: Path) -> None:
    async with opened(root) as project:
        assert edges(project) == rebuilt(root)
        assert ("docs/spec.md", "SPECIFIES", "src/shop/core.py") in edges(project)
        assert ("tests/test_core.py", "ASSERTS_ON", "src/shop/core.py") in edges(project)
        assert ("src/shop/core.py", "DRIVES", "src/shop/job.py") in edges(project)
        context = await get_context.run(project.memory, get_context.Params())
        assert context.pending == []
        assert context.as_of.generation == 1


async def test_a_save_is_in_the_next_answer(root: Path) -> None:
    async with opened(root) as project:
        write(
            root, {"src/shop/tax.py": "from shop.core import total\n\ndef add_tax(orders):\n    return total(orders)\n"}
        )
        found = await search.run(project.memory, search.Params(query="add_tax"))
        # On a machine that is slow now, the answer says that it does not know the file yet.
        assert found.pending == ["src/shop/tax.py"] or found.results[0].path == "src/shop/tax.py"
        assert await project.memory.settle(20) == []
        found = await search.run(project.memory, search.Params(query="add_tax"))
        assert found.results[0].path == "src/shop/tax.py"
        assert found.pending == []
        (root / "src/shop/tax.py").unlink()
        assert await project.memory.settle(20) == []
        events = await recent_events.run(project.memory, recent_events.Params(limit=2))
        assert [event.summary for event in events.events] == [
            "Deleted src/shop/tax.py",
            "Created src/shop/tax.py: defines add_tax()",
        ]
        assert edges(project) == rebuilt(root)


async def test_the_first_answer_after_a_start_knows_what_changed_while_nothing_ran(root: Path) -> None:
    async with opened(root):
        pass
    write(root, {"src/shop/tax.py": "from shop.core import total\n\ndef add_tax(orders):\n    return total(orders)\n"})
    (root / "src/shop/job.py").unlink()
    project = await Project.open(root)
    try:
        await project.start()
        assert await project.memory.settle(0) == []
        assert edges(project) == rebuilt(root)
        found = await search.run(project.memory, search.Params(query="add_tax"))
        assert found.results[0].path == "src/shop/tax.py"
    finally:
        await project.close()


async def test_an_atomic_rename_is_an_edit_that_names_what_changed(root: Path) -> None:
    async with opened(root) as project:
        fresh = root / "src/shop/.core.py.swp"
        fresh.write_text(
            "LIMIT = 3\n\ndef total(orders, tax=0):\n    return sum(orders) + tax\n\ndef _round():\n    pass\n"
        )
        fresh.replace(root / "src/shop/core.py")
        assert await project.memory.settle(20) == []
        events = await recent_events.run(project.memory, recent_events.Params(limit=1))
        assert events.events[0].summary == "Edited src/shop/core.py: changed total(), added _round()"
        assert events.events[0].importance == 0.7
        assert edges(project) == rebuilt(root)


async def test_whatever_happens_to_the_tree_the_graph_equals_a_rebuild(root: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments], cwd=root, check=True, capture_output=True
        )

    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    git("checkout", "-q", "-b", "other")
    shutil.move(root / "src/shop/core.py", root / "src/shop/engine.py")
    write(root, {"src/shop/__init__.py": "from .engine import *\n"})
    git("add", "-A")
    git("commit", "-q", "-m", "second")
    git("checkout", "-q", "main")
    steps: list[Callable[[], object]] = [
        lambda: write(root, {"src/shop/web.py": "from shop.core import total as add\n\nadd([])\n"}),
        lambda: git("checkout", "-q", "-f", "other"),
        lambda: shutil.move(root / "src/shop", root / "src/store"),
        lambda: write(root, {"src/store/web.py": "import store\nfrom store.engine import LIMIT\n"}),
        lambda: shutil.move(root / "src/store", root / "src/shop"),
        lambda: git("checkout", "-q", "-f", "main"),
        lambda: git("clean", "-fdxq"),
        (root / "src/shop/__init__.py").unlink,
        lambda: write(root, {"setup.py": "", "src/total.py": "X = 1\n", "src/shop/job.py": "import total\n"}),
        lambda: write(root, {"docs/spec.md": "# Guide\n\nUse `src/total.py`.\n"}),
    ]
    random.Random(7).shuffle(steps[2:5])
    async with opened(root) as project:
        for number, step in enumerate(steps):
            step()
            assert await project.memory.settle(20) == []
            assert edges(project) == rebuilt(root), f"step {number}"
    async with opened(root) as project:
        assert edges(project) == rebuilt(root)


async def test_what_changed_while_nobody_watched_is_taken_in_at_the_next_start(root: Path) -> None:
    async with opened(root):
        pass
    write(root, {"src/shop/late.py": "from shop import total\n"})
    (root / "src/shop/job.py").unlink()
    async with opened(root) as project:
        assert edges(project) == rebuilt(root)
        assert project.memory.as_of().generation == 2


async def test_an_unchanged_tree_is_taken_in_without_writing(root: Path) -> None:
    async with opened(root) as project:
        before = project.memory.as_of().generation
        done = await project.ingest()
        assert (done["changed"], done["deleted"]) == (0, 0)
        assert project.memory.as_of().generation == before
    async with opened(root) as project:
        assert project.memory.as_of().generation == before


async def test_looks_at_files_are_counted_and_survive_a_lost_store(root: Path) -> None:
    async with opened(root) as project:
        project.memory.record_access("src/shop/core.py")
        project.memory.record_access("src/shop/core.py")
        write(root, {"src/shop/core.py": "def total(orders):\n    return 0\n"})
        assert await project.memory.settle(20) == []
    state = Path(paths.state_dir(root))
    for manifest in (state / "db").rglob("*"):
        if manifest.is_file():
            os.truncate(manifest, 0)
    async with opened(root) as project:
        assert project.rebuilt != ""
        node = project.memory.graph.node("src/shop/core.py")
        assert node is not None
        assert (node.accesses, node.changes) == (2, 1)
        assert edges(project) == rebuilt(root)
        events = await recent_events.run(project.memory, recent_events.Params())
        assert "Edited src/shop/core.py: changed total(), removed LIMIT" in [event.summary for event in events.events]


async def test_files_that_cannot_be_read_are_named_and_lose_nothing_else(root: Path) -> None:
    (root / "src/shop/broken.py").write_bytes(b"def ok():\n    pass\n\nclass (:\n")
    (root / "src/shop/blob.py").write_bytes(bytes(range(256)) * 40)
    (root / ".env").write_text("TOKEN=abc\n")
    os.mkfifo(root / "src/shop/pipe.py")
    (root / "loop").symlink_to(".")
    (root / "src/shop/latin.py").write_bytes(b"# caf\xe9\ndef latin():\n    pass\n")
    async with opened(root) as project:
        done = await project.ingest()
        problems = {(path, code) for path, code, _ in done["problems"]}
        assert problems == {
            ("src/shop/broken.py", "syntax"),
            ("src/shop/blob.py", "binary"),
            (".env", "secret"),
            ("src/shop/latin.py", "encoding"),
            ("src/shop/pipe.py", "not-a-file"),
        }
        facts = project.memory.facts("src/shop/broken.py")
        assert facts is not None
        assert [item.name for item in facts.definitions][:1] == ["ok"]


async def test_a_file_that_cannot_be_linked_is_named_and_fails_no_other(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = Linker.link

    def failing(linker: Linker, path: str) -> LinkedFile:
        if path == "src/shop/web.py" and "bug" in (root / path).read_text(encoding="utf-8"):
            raise IndexError("tuple index out of range")
        return link(linker, path)

    def problems(project: Project) -> list[tuple[str, str]]:
        return [(path, code) for path, code, _ in project.intake.problems.listed()]

    monkeypatch.setattr(Linker, "link", failing)  # stands for a fault of ours that nobody has found yet
    async with opened(root) as project:
        assert any(source == "src/shop/web.py" for source, _, _ in edges(project))
        write(root, {"src/shop/web.py": "import shop  # bug\n", "src/shop/job.py": "import json\nimport shop.core\n"})
        assert await project.memory.settle(20) == []
        assert ("src/shop/job.py", "IMPORTS", "src/shop/core.py") in edges(project)
        assert not any(source == "src/shop/web.py" for source, _, _ in edges(project))
        assert problems(project) == [("src/shop/web.py", "unlinked")]
        node = project.memory.graph.node("src/shop/web.py")
        assert node is not None
        assert node.problems == ("unlinked",)
    async with opened(root) as project:
        assert problems(project) == [("src/shop/web.py", "unlinked")]
        write(root, {"src/shop/web.py": "import shop\n\ndef page():\n    return shop.total([1])\n"})
        assert await project.memory.settle(20) == []
        assert problems(project) == []
        assert any(source == "src/shop/web.py" for source, _, _ in edges(project))


@pytest.mark.parametrize(
    ("where", "path"),
    [
        ((imports, "claims"), "src/shop/web.py"),
        ((asserts_on, "claims"), "tests/test_web.py"),
        ((Citing, "claims"), "docs/web.md"),
        ((Linker, "declared"), "src/shop/web.py"),
    ],
)
async def test_a_file_whose_edges_cannot_be_derived_is_named_and_fails_no_other(
    where: tuple[object, str], path: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    derive = getattr(*where)
    is_faulty = True

    def failing(*given: Any) -> Any:
        if is_faulty and path in given[:2]:
            raise IndexError("tuple index out of range")
        return derive(*given)

    def problems(project: Project) -> list[tuple[str, str]]:
        return [(path, code) for path, code, _ in project.intake.problems.listed()]

    more = {
        "src/shop/web.py": "import shop.core\n",
        "tests/test_web.py": "from shop.core import total\n\n\ndef test_it():\n    assert total([]) == 0\n",
        "docs/web.md": "# Pages\n\n`src/shop/web.py` shows them.\n",
    }
    monkeypatch.setattr(*where, failing)  # stands for a fault of ours that nobody has found yet
    write(root, more)
    async with opened(root) as project:
        assert problems(project) == [(path, "unlinked")]
        assert ("src/shop/web.py", "IMPORTS", "src/shop/core.py") in edges(project) or path == "src/shop/web.py"
        before = edges(project)
    async with opened(root) as project:
        assert edges(project) == before
        assert problems(project) == [(path, "unlinked")]
        is_faulty = False
        write(root, {"src/shop/job.py": "import json\n"})
        assert await project.memory.settle(20) == []
        assert problems(project) == []
        mended = edges(project)
    monkeypatch.undo()
    assert mended == rebuilt(root)


async def test_a_lost_index_is_made_again_with_its_events(root: Path) -> None:
    async with opened(root) as project:
        write(root, {"src/shop/core.py": "def total(orders):\n    return 0\n\ndef refund(order):\n    pass\n"})
        assert await project.memory.settle(20) == []
        generation = project.memory.as_of().generation
    shutil.rmtree(Path(paths.state_dir(root)) / "index")
    async with opened(root) as project:
        found = await search.run(project.memory, search.Params(query="refund"))
        assert {hit.kind for hit in found.results} >= {"symbol", "event"}
        assert project.memory.as_of().generation >= generation


async def test_what_belongs_to_another_repository_is_said_to(root: Path) -> None:
    write(
        root, {"vendor/lib/.git": "gitdir: ../../.git/modules/lib\n", "vendor/lib/src/a.py": "", ".gitignore": "out/\n"}
    )
    write(root, {"out/b.py": ""})
    async with opened(root) as project:
        for path in ("vendor/lib/src/a.py", "vendor/lib/src", "vendor/lib"):
            assert project.memory.absence(path) == "vendor/lib/ is a repository of its own"
        assert project.memory.absence("out/b.py") == "it is left out by an ignore rule"


async def test_a_state_folder_inside_the_project_is_no_reason_to_take_it_in_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root))
    async with opened(root) as project:
        generation = project.memory.as_of().generation
        for name in ("tax", "toll"):  # taking in the first writes the state before the second is there
            write(root, {f"src/shop/{name}.py": f"def add_{name}(orders):\n    pass\n"})
            assert await project.memory.settle(20) == []
        assert project.memory.as_of().generation == generation + 2
        assert (root / ".local/state/memoire").is_dir()
        assert not [path for path in project.memory.tree if path.startswith(".local")]
