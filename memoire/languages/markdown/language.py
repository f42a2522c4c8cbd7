"""Markdown: documents. What they name is found by `memoire.extract.documents`."""

from collections.abc import Iterator

from memoire.extract.documents import extract_document
from memoire.extract.markdown import read_markdown
from memoire.extract.sections import Outline
from memoire.extract.spec import Language
from memoire.model import FileFacts, Problem
from memoire.resolution.links import resolve_link


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one page."""
    return extract_document("markdown", path, data, _read_lines)


def _read_lines(path: str, lines: list[str], outline: Outline) -> Iterator[Problem]:
    too_deep = read_markdown(lines, outline, is_mdx=path.lower().endswith(".mdx"))
    if too_deep:
        yield Problem("too-deep", "Quotes and lists nested deeper than 32 levels are read as text.", too_deep)


LANGUAGE = Language(
    name="markdown", suffixes=(".md", ".markdown", ".mdx"), resolve=resolve_link, kind="document", read=read
)
