"""Documents whose bytes are not their text, in an open project: found, shown, without secrets, and read apart."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memoire import workers
from memoire.config import Settings
from memoire.operations import expand, search
from memoire.operations._detail import Document
from memoire.project import Project
from memoire.reading import Reading, read_one
from memoire.workers import Readers
from tests.pdf_files import endless, pdf

KEY = "ghp_" + "a1B2" * 9
PAGES = [
    "Order specification\nsrc/shop/core.py must add up whatever an order holds.",
    f"Later\nA zeppelin is paid by token={KEY} in advance, as every customer knows.",
]
DRAWING = "<svg>\n<title>Flow</title>\n<text>Marmalade queue</text>\n<path d='M1 2 zigzag'/>\n</svg>\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with documents of all kinds, in a home of its own."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "shop"
    for name in ("docs/img", "src/shop"):
        (folder / name).mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (folder / "src/shop/core.py").write_text("def total(orders):\n    return sum(orders)\n")
    (folder / "docs/spec.pdf").write_bytes(pdf(PAGES, [(1, 1, "Order specification"), (1, 2, "Later")], title="Orders"))
    (folder / "docs/guide.adoc").write_text("= Guide\n\nUse `src/shop/core.py`.\n\nimage::img/flow.svg[]\n")
    (folder / "docs/img/flow.svg").write_text(DRAWING)
    (folder / "docs/img/photo.png").write_bytes(b"\x89PNG\r\n\x1a\nplain words of an orangutan")
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


async def shown(project: Project, query: str) -> list[tuple[str, int, str]]:
    found = await search.run(project.memory, search.Params(query=query))
    return [(hit.path, hit.line, hit.snippet) for hit in found.results]


async def test_they_are_found_by_their_text_and_shown_with_their_page(root: Path) -> None:
    async with opened(root) as project:
        path, line, snippet = (await shown(project, "zeppelin customer"))[0]
        assert (path, line) == ("docs/spec.pdf", 2)
        assert "A zeppelin is paid by" in snippet
        assert (await shown(project, '"add up whatever"'))[0][:2] == ("docs/spec.pdf", 1)
        assert (await shown(project, "marmalade"))[0] == ("docs/img/flow.svg", 3, "Marmalade queue")
        for nothing in ("zigzag", "orangutan", "endobj"):
            assert await shown(project, nothing) == []
        edges = {(edge.key.source, edge.key.relation, edge.key.target) for edge in project.memory.graph.edges()}
        assert {
            ("docs/spec.pdf", "SPECIFIES", "src/shop/core.py"),
            ("docs/guide.adoc", "DOCUMENTS", "src/shop/core.py"),
            ("docs/guide.adoc", "REFERENCES", "docs/img/flow.svg"),
        } <= edges


async def test_expand_shows_their_text_without_secrets(root: Path) -> None:
    async with opened(root) as project:
        document = await document_of(project)
        assert (document.title, KEY in document.content) == ("Orders", False)
        assert document.content.startswith("Order specification src/shop/core.py must add up")
        picture = await expand.run(project.memory, expand.Params(path="docs/img/photo.png"))
        assert (picture.summary, picture.problems) == ("Image file: docs/img/photo.png | PNG image", [])
        # Taken in again, it is shown as it is then.
        (root / "docs/spec.pdf").write_bytes(pdf(["Another text by src/shop/core.py"]))
        assert await project.memory.settle(20) == []
        assert (await document_of(project)).content == "Another text by src/shop/core.py"


async def document_of(project: Project) -> Document:
    detail = await expand.run(project.memory, expand.Params(path="docs/spec.pdf"))
    assert isinstance(detail.document, Document)
    assert detail.problems == []
    return detail.document


async def read(root: Path, *files: str) -> list[Reading]:
    source = Readers(root, Settings(workers=1))
    try:
        return [reading async for reading in source.read(files)]
    finally:
        await source.close()


async def test_a_pdf_is_read_in_a_worker_however_small(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = root.resolve()
    (apart,) = await read(root, "docs/spec.pdf")
    assert apart == read_one(root, "docs/spec.pdf", 1_000_000)
    # Where no process can be started, everything else is read here.
    monkeypatch.setattr(sys, "executable", "/bin/false")
    found = {reading.path: reading for reading in await read(root, "docs/spec.pdf", "docs/guide.adoc")}
    assert [problem.code for problem in found["docs/spec.pdf"].facts.problems] == ["crashed"]
    assert found["docs/guide.adoc"].facts.summary == "Guide — Use `src/shop/core.py`."


async def test_a_pdf_that_takes_too_long_is_known_by_name_and_loses_no_other(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "docs/endless.pdf").write_bytes(endless())
    monkeypatch.setattr(workers, "FILE_SECONDS", 4.0)
    found = {reading.path: reading.facts for reading in await read(root.resolve(), "docs/endless.pdf", "docs/spec.pdf")}
    assert [problem.code for problem in found["docs/endless.pdf"].problems] == ["crashed"]
    assert found["docs/spec.pdf"].lines == 2
