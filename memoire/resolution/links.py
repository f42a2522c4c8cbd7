"""Finds the file that a link or path in a document names: relative to the document, then to the root."""

from collections.abc import Iterator
from posixpath import dirname, join, normpath
from unicodedata import normalize

from memoire.model import Target
from memoire.tree import Tree

_PAGES = (
    ".md", ".rst", ".mdx", ".markdown", ".txt", ".adoc", "/index.md", "/README.md", "/index.rst", "/index.mdx",
    "/index.adoc", "/README.adoc",
)  # fmt: skip
"""What a link of a documentation site leaves out: `guide`, `guide/` and `guide.html` are `guide.md`."""


def find_path(tree: Tree, document: str, text: str) -> Target | None:
    """Return the file or directory of exactly this path, relative to the document's folder, else to the root.

    Args:
        tree: The project's files.
        document: Path of the file that names it.
        text: As written, without fragment and query. One that begins with a slash is relative to the root.
    """
    for path in _places(document, text):
        if tree.is_file(path):
            return Target("file", path)
        if tree.is_dir(path):
            return Target("directory", path)
    return None


def resolve_link(tree: Tree, document: str, text: str) -> Target:
    """Return what a link names; like `find_path`, and also a page by the address it has on a documentation site."""
    found = find_path(tree, document, text)
    if found is not None:
        return found
    stem = text.rstrip("/").removesuffix(".html").removesuffix(".htm")
    for path in _places(document, stem, above=text.startswith("/")):
        for page in _PAGES:
            if path and tree.is_file(path + page):
                return Target("file", path + page)
    return Target("unresolved", text)


def _places(document: str, text: str, *, above: bool = False) -> Iterator[str]:
    """Yield the paths that a text may stand for, none outside the root.

    Args:
        document: The file that names it.
        text: As written.
        above: Whether a text with a leading slash is also tried in each folder above the document: the root of a
            documentation site is one of them.
    """
    text = normalize("NFC", text)
    folder = dirname(document)
    if text.startswith("/"):
        yield from _inside("", text.lstrip("/"))
        while above and folder:
            yield from _inside(folder, text.lstrip("/"))
            folder = dirname(folder)
        return
    yield from _inside(folder, text)
    if folder and not text.startswith("."):
        yield from _inside("", text)


def _inside(folder: str, text: str) -> Iterator[str]:
    path = normpath(join(folder, text))
    if text.strip("/") and path != "." and not path.startswith(("../", "/")) and path != "..":
        yield path
