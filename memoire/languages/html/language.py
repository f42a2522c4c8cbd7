"""HTML: elements with an id, the scripts, styles and pictures that a page loads.

A page may be a template of Django, Jinja, Twig or Thymeleaf: what it extends, includes and fills in is found below the
folders for templates and static files, its own first, else the only one of that path.

A URL that begins with a slash starts at the root of the site: the nearest folder at or above the page that has the
file, itself or in the folder that development servers serve as the root.
"""

import re
from posixpath import basename, dirname

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
_TEMPLATE = re.compile(r"\{%[-+]?\s*(?:extends|include|import|from|embed)\s+[\"']([^\"'{}]+)[\"']")
_STATIC = re.compile(
    r"\{%\s*static\s+[\"']([^\"'{}]+)[\"']|\burl_for\(\s*[\"']static[\"']\s*,\s*(?:filename|path)\s*=\s*[\"']([^\"'{}]+)[\"']"
    r"|\bth:(?:href|src)=\"@\{/([^{}\"?]+)\}\""
)
_FRAGMENT = re.compile(r"\bth:(?:replace|insert|include)=\"~?\{?\s*([\w/.-]+)\s*(?:::|\})")
_TEMPLATES = ("templates", "jinja2", "views")
_STATICS = ("static", "public", "assets")
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
    if "{%" in found.text or "{{" in found.text or "th:" in found.text:
        _template(found)
    if len(elements) <= MAX_ELEMENTS:
        for ident, line in elements:
            found.define(ident, "element", line)


def _template(found: Found) -> None:
    """Take in what a template extends, includes and fills in."""
    links: list[tuple[int, str]] = [(each.start(), f"template:{each[1]}") for each in _TEMPLATE.finditer(found.text)]
    links += [(each.start(), f"template:{each[1]}.html") for each in _FRAGMENT.finditer(found.text)]
    links += [
        (each.start(), f"static:{next(filter(None, each.groups()), '')}") for each in _STATIC.finditer(found.text)
    ]
    line, at = 1, 0
    for start, specifier in sorted(links):
        line, at = line + found.text.count("\n", at, start), start
        found.link(specifier, line)


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
    kind, colon, name = specifier.partition(":")
    if colon and kind in {"template", "static"}:
        return _below(tree, path, _TEMPLATES if kind == "template" else _STATICS, name) or Target(
            "unresolved", specifier
        )
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


def _below(tree: Tree, path: str, folders: tuple[str, ...], name: str) -> Target | None:
    """Return the file of this path below a folder of one of these names: beside the page, else the only one."""
    if name.startswith("."):
        found = resolve_path(tree, path, name)
        return found if found.kind == "file" else None
    ends = tuple(f"{folder}/{name}" for folder in folders)
    files = [file for file in tree.named(basename(name)) if f"/{file}".endswith(tuple(f"/{end}" for end in ends))]
    parts = path.split("/")[:-1]
    for size in range(len(parts), 0, -1):
        above = "/".join(parts[:size])
        own = [file for file in files if file == f"{above}/{name}" or file in {f"{above}/{end}" for end in ends}]
        if own:
            return Target("file", own[0])
    return Target("file", files[0]) if len(files) == 1 else None


LANGUAGE = Language(
    name="html",
    suffixes=(".html", ".htm", ".xhtml"),
    resolve=resolve,
    read=structured("html", read),
)
