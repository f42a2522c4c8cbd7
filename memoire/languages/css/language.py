"""Style sheets (CSS, SCSS, Less): selectors, mixins, functions and variables; the sheets and files they load.

Source: https://www.w3.org/TR/css-syntax-3/, https://sass-lang.com/documentation/at-rules/ (partials and index files),
https://lesscss.org/features/#import-atrules-feature.
"""

import re
from posixpath import basename, dirname, join

from memoire.extract.braces import QUOTED, SINGLE, Piece, pieces, style
from memoire.extract.guards import MINIFIED_BYTES, MINIFIED_LINE
from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.model import Target
from memoire.resolution.paths import resolve_path
from memoire.tree import Tree

_URL = r"url\(\s*[^\"')\s][^)\n]*\)"
_INTERPOLATION = r"[#@]\{[^{}]*\}"
_CSS = style(line_comments=(), strings=f"{QUOTED}|{SINGLE}|{_URL}", ends=";")
_SASS = style(line_comments=("//",), strings=f"{QUOTED}|{SINGLE}|{_URL}|{_INTERPOLATION}", ends=";")
_IMPORT = re.compile(r"@(?:import|use|forward|reference|plugin|config|source)\b\s*(?:\([^)]*\)\s*)?(.*)\Z", re.DOTALL)
_NAME = re.compile(r"(?:url\(\s*)?[\"']?([^\"'\s),;]+)[\"']?\s*\)?")
_LOADED = re.compile(r"url\(\s*[\"']?([^\"')\s]+)[\"']?\s*\)")
_FOREIGN = re.compile(r"^(?:[a-z][\w+.-]*:|//|#)|[{}$*]")
_HOLDERS = ("@media", "@supports", "@layer", "@container", "@scope", "@include", "@at-root", "@each", "@if", "@else")
_NAMED = re.compile(r"@(mixin|function)\s+([\w-]+)")
_VARIABLE = re.compile(r"(--[\w-]+|[$@][\w-]+)\s*:")
_STYLES = (".scss", ".sass", ".less", ".css")
MAX_RULES = 250
"""Rules that are defined: the selectors of more say nothing by name."""


def read(found: Found) -> None:
    """Fill in what one sheet says."""
    text = found.text
    if len(text) > MINIFIED_BYTES and len(text) // (text.count("\n") + 1) > MINIFIED_LINE:
        found.problem("minified", "its lines are too long to have been written by hand; known by name only")
        return
    is_css = found.path.endswith(".css")
    parts = pieces(text, _CSS if is_css else _SASS)
    found.summary = _summary(text)
    held = _held(parts)
    names = [(part, *_definition(parts, part, held)) for part in parts]
    kinds = [kind for _, kind, _ in names]
    has_rules = kinds.count("rule") <= MAX_RULES
    seen: set[tuple[str, str]] = set()
    for part, kind, name in names:
        if part.text.startswith("@") and not part.is_block:
            _imports(found, part, is_css=is_css)
        elif not part.is_block and "url(" in part.text:
            _loads(found, part)
        if kind and (kind, name) not in seen and (has_rules or kind != "rule"):
            seen.add((kind, name))
            found.define(name, kind, part.line, part.end_line)


def _summary(text: str) -> str:
    head = text.lstrip()
    if head.startswith("//"):
        return leading_comment(head, "//")
    if not head.startswith("/*"):
        return ""
    words = " ".join(head[2 : head.find("*/")].replace("*", " ").replace("=", " ").split())
    return words if " " in words and "{" not in words else ""


def _held(parts: list[Piece]) -> list[bool]:
    """Return of each piece whether it, and all around it, only hold rules for some conditions."""
    held: list[bool] = []
    for part in parts:
        held.append(part.text.startswith(_HOLDERS) and (part.parent < 0 or held[part.parent]))
    return held


def _definition(parts: list[Piece], part: Piece, held: list[bool]) -> tuple[str, str]:
    """Return (kind, name) of what a piece defines; empty where it defines nothing."""
    named = _NAMED.match(part.text)
    if named is not None:
        return ("mixin" if named[1] == "mixin" else "function"), named[2]
    parent = parts[part.parent] if part.parent >= 0 else None
    if not part.is_block:
        variable = _VARIABLE.match(part.text)
        is_outer = parent is None or parent.text in {":root", "@theme", "html"}
        return ("variable", variable[1]) if variable is not None and is_outer else ("", "")
    is_inner = parent is not None and not held[part.parent]
    if is_inner or part.text.startswith((*_HOLDERS, "@font-face", "@page", "@theme")) or part.text == ":root":
        return "", ""
    return "rule", part.text


def _imports(found: Found, part: Piece, *, is_css: bool) -> None:
    imported = _IMPORT.match(part.text)
    if imported is None:
        return
    for name in imported[1].split(",") if "@import" in part.text and not is_css else [imported[1]]:
        match = _NAME.match(name.strip())
        if match is None or _FOREIGN.search(match[1]):
            continue
        text = match[1]
        is_module = is_css and "." not in basename(text) and text[0] not in "./" and "url(" not in name
        found.link(f"npm:{text.lstrip('~')}" if is_module else text, part.line)


def _loads(found: Found, part: Piece) -> None:
    for each in _LOADED.finditer(part.text):
        path = each[1].partition("?")[0].partition("#")[0]
        if path and not _FOREIGN.search(path) and not path.startswith(("/", "~")):
            found.link(path if path.startswith(".") else f"./{path}", part.line)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a sheet loads: a file, a partial (`_name.scss`), the index of a folder, or a package."""
    if specifier.startswith("npm:"):
        return Target("package", _package(specifier[4:]))
    if specifier.startswith("~"):
        return Target("package", _package(specifier[1:]))
    places = [specifier] if specifier[0] in "./" else [f"./{specifier}"]
    if not path.endswith(".css") and places[0] != specifier:
        places.append(f"/{specifier}")  # a load path: the root is the one that most builds give
    for place in places:
        folder, name = dirname(place), basename(place)
        for each in (name, f"_{name}", f"{name}/_index", f"{name}/index"):
            for suffix in ("", *_STYLES):
                found = resolve_path(tree, path, join(folder, each) + suffix)
                if found.kind == "file":
                    return found
    return Target("unresolved", specifier)


def _package(name: str) -> str:
    parts = name.split("/")
    return "/".join(parts[: 2 if name.startswith("@") else 1])


LANGUAGE = Language(
    name="css",
    titles={".scss": "scss", ".less": "less"},
    suffixes=(".css", ".scss", ".less", ".pcss", ".postcss"),
    resolve=resolve,
    resolves_by_file=True,
    read=structured("css", read),
)
