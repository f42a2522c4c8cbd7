"""HTML: elements with an id, the scripts, styles and pictures that a page loads.

A URL that begins with a slash starts at the root of the site: the nearest folder at or above the page that has the
file, itself or in the folder that development servers serve as the root.
"""

import re
from posixpath import dirname

from memoire.extract.markup import Tag, tags
from memoire.extract.spec import Language
from memoire.extract.structured import Found, structured
from memoire.model import Target
from memoire.resolution.paths import resolve_path
from memoire.tree import Tree

_LOADED = {
    "script": ("src",), "link": ("href",), "img": ("src",), "iframe": ("src",), "source": ("src",),
    "video": ("src", "poster"), "audio": ("src",), "embed": ("src",), "object": ("data",), "track": ("src",),
    "image": ("href", "xlink:href"),
}  # fmt: skip
_RELATIONS = frozenset(
    {
        "stylesheet",
        "icon",
        "shortcut",
        "apple-touch-icon",
        "manifest",
        "modulepreload",
        "preload",
        "mask-icon",
        "import",
    }
)
_FOREIGN = re.compile(r"^(?:[a-z][\w+.-]*:|//|#)|[{}<>$%\s]")
_MODULE = re.compile(r"\bimport\s*\(?\s*(?:[\w*{}\s,$]{1,500}?\bfrom\s*)?[\"'](\.{0,2}/[^\"'\n]+)[\"']")
_SERVED = ("", "public/", "static/")
MAX_ELEMENTS = 200
"""Ids that are defined: a page with more was generated."""


def read(found: Found) -> None:
    """Fill in what one page says."""
    elements: list[tuple[str, int]] = []
    for tag in tags(found.text):
        name = tag.name.lower()
        if name == "title" and not found.summary and "{" not in (title := found.text[tag.start : tag.end].strip()):
            found.summary = " ".join(title.split())
        for attribute in _LOADED.get(name, ()):
            _load(found, tag, name, tag.attributes.get(attribute, ""))
        if name == "script" and "src" not in tag.attributes:
            _inline(found, tag)
        ident = tag.attributes.get("id", "")
        if ident and not _FOREIGN.search(ident):
            elements.append((ident, tag.line))
    if len(elements) <= MAX_ELEMENTS:
        for ident, line in elements:
            found.define(ident, "element", line)


def _load(found: Found, tag: Tag, name: str, url: str) -> None:
    path = url.partition("?")[0].partition("#")[0].strip()
    if name == "link" and _RELATIONS.isdisjoint(tag.attributes.get("rel", "").lower().split()):
        return
    if path and not _FOREIGN.search(path):
        found.link(path if path[0] in "/." else f"./{path}", tag.line)


def _inline(found: Found, tag: Tag) -> None:
    """Take in what a module in the page itself imports by path."""
    text = found.text[tag.start : tag.end]
    for each in _MODULE.finditer(text) if "import" in text else ():
        found.link(each[1].partition("?")[0], tag.line + text.count("\n", 0, each.start(1)))


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the file that a URL of a page names."""
    if not specifier.startswith("/"):
        return resolve_path(tree, path, specifier)
    folder = dirname(path)
    while True:
        for served in _SERVED:
            file = "/".join(filter(None, (folder, served + specifier.lstrip("/"))))
            if tree.is_file(file):
                return Target("file", file)
        if not folder:
            return Target("unresolved", specifier)
        folder = dirname(folder)


LANGUAGE = Language(
    name="html",
    suffixes=(".html", ".htm", ".xhtml"),
    resolve=resolve,
    read=structured("html", read),
)
