"""Finds the module of a Swift file and what an import names: by the targets of packages, else by Xcode projects.

Every file of a module sees the names of all its files. Modules are the targets of a `Package.swift`: where it declares
them with literals they are read from it, else its folders tell, as the package manager lays them out. Outside of
packages, all files below the folder of an Xcode project are taken for one module: which of them belong to which of its
targets changes nothing for names, as targets that share a name are rare.
"""

import re
from posixpath import dirname, join, normpath
from typing import NamedTuple

from memoire.languages.swift.frameworks import FRAMEWORKS
from memoire.model import Target
from memoire.tree import Tree

MANIFEST = "Package.swift"
PROJECT = "project.pbxproj"
OWN = "."
"""Specifier of the names of the file's own module."""

_FOLDERS = {
    "test": ("Tests", "Sources", "Source", "src", "srcs"),
    "plugin": ("Plugins",),
    "": ("Sources", "Source", "src", "srcs"),
}
"""Kind of a target -> where it is looked for. Source: PackageBuilder.swift of the Swift package manager 5.9."""
_CONVENTIONAL = re.compile(r"(?:^|(.*?)/)((?:Sources|Source|Tests|Plugins|src|srcs)/[^/]+)/")
_TESTS = re.compile(r"(?:^|/)(?:\w*Tests?|\w*Specs?)/|(?:Tests?|Spec|TestCase)\.swift$")
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TARGET = re.compile(r"\.(target|executableTarget|testTarget|macro|plugin)\s*\(")
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|[()\[\]]')
_NAME = re.compile(r'^\s*name\s*:\s*"([^"\\]+)"')
_PATH = re.compile(r'[,(]\s*path\s*:\s*"([^"\\]*)"')
_LOCAL = re.compile(r'\.package\s*\((?:\s*name\s*:\s*"[^"]*"\s*,)?\s*path\s*:\s*"([^"\\]+)"')
_NATIVE = re.compile(
    r"isa = PBX(?:Native|Aggregate)Target;(?:[^{}]|\{[^{}]*\})*?\bname = \"?([^\";]+)\"?;"
    r"(?:(?:[^{}]|\{[^{}]*\})*?\bproductName = \"?([^\";]+)\"?;)?"
)
_ODD = re.compile(r"\W")


class _Target(NamedTuple):
    name: str
    kind: str
    """test, plugin, or empty."""
    path: str | None
    """Relative to the manifest; None = by convention."""


class _Package(NamedTuple):
    targets: tuple[_Target, ...]
    local: tuple[str, ...]
    """Folders of the packages it depends on by path, relative to the manifest."""


def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else " ", text)


def read_package(data: bytes) -> _Package:
    """Return the targets that a manifest declares with literals, and the packages it names by path."""
    text = _without_comments(data.decode("utf-8", "replace"))
    targets = []
    end = 0
    for found in _TARGET.finditer(text):
        if found.start() < end:
            continue  # a target that another depends on
        end, flat = _arguments(text, found.end())
        name = _NAME.search(flat)
        if name:
            path = _PATH.search(flat)
            kind = {"testTarget": "test", "plugin": "plugin"}.get(found[1], "")
            targets.append(_Target(name[1], kind, normpath(path[1] or ".") if path else None))
    return _Package(tuple(targets), tuple(_LOCAL.findall(text)))


def _arguments(text: str, start: int) -> tuple[int, str]:
    """Return the end of an argument list and its text without what lies in inner brackets."""
    depth, cursor, pieces = 1, start, []
    for found in _BRACKET.finditer(text, start):
        bracket = found[0]
        if bracket in "([":
            if depth == 1:
                pieces.append(text[cursor : found.start()])
            depth += 1
        elif bracket in ")]":
            depth -= 1
            if depth == 1:
                cursor = found.end()
            elif not depth:
                return found.end(), "".join((*pieces, text[cursor : found.start()]))
    return len(text), "".join(pieces)


def read_project(data: bytes) -> tuple[str, ...]:
    """Return the modules that the targets of an Xcode project are built as."""
    text = data.decode("utf-8", "replace")
    names = {name for found in _NATIVE.findall(text) for name in found if name and "$" not in name}
    return tuple(sorted(_ODD.sub("_", name) for name in names))


def _key(folder: str, name: str) -> str:
    """Return the namespace of a module: a name that none in a source is, without a dot."""
    return f"{folder or '.'}//{name}".replace(".", ":")


def module_by_path(path: str) -> str:
    """Return the module of a file as its folders tell it."""
    found = _CONVENTIONAL.match(path)
    if not found:
        return _key("", "")
    return _key(found[1] or "", found[2].rpartition("/")[2])


def module_of(tree: Tree, path: str, _package: str = "") -> str:
    """Return the module of a file as the manifest above it tells it, else the Xcode project, else the folders."""
    for manifest in tree.above(dirname(path), (MANIFEST,)):
        folder = dirname(manifest)
        if manifest == path:
            return _key(folder, MANIFEST)
        name = _target_of(tree.config(manifest, read_package), path[len(folder) + 1 if folder else 0 :])
        if name:
            return _key(folder, name)
    project = _project_of(tree, path)
    return _key(project, "") if project is not None else module_by_path(path)


def _target_of(package: _Package | None, path: str) -> str:
    """Return the target that a file of a package belongs to: that of the longest folder; empty where there is none."""
    best, length = "", -1
    targets = package.targets if package is not None else ()
    for target in targets:
        for folder in _places(target):
            inside = folder in {"", "."} or path.startswith(folder + "/")
            if inside and len(folder) > length:
                best, length = target.name, len(folder)
    if best:
        return best
    # A package of one target may do without the folder of its name. Source: SE-0355 of the package manager, 5.9.
    top = path.partition("/")[0]
    alone = [item.name for item in targets if item.path is None and top == _FOLDERS[item.kind][0]]
    if len(alone) == 1 and not _CONVENTIONAL.match(path):
        return alone[0]
    found = _CONVENTIONAL.match(path)
    return found[2].rpartition("/")[2] if found and not found[1] else ""


def _places(target: _Target) -> tuple[str, ...]:
    if target.path is not None:
        return (target.path,)
    return tuple(f"{folder}/{target.name}" for folder in _FOLDERS[target.kind])


def _project_of(tree: Tree, path: str) -> str | None:
    """Return the folder of the nearest Xcode project above a file; None where there is none."""
    best: str | None = None
    for project in tree.named(PROJECT):
        folder = dirname(dirname(project))
        if (not folder or path.startswith(folder + "/")) and (best is None or len(folder) > len(best)):
            best = folder
    return best


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the module that an import names."""
    if specifier == OWN:
        return Target("namespace", module_of(tree, path))
    name = specifier.partition(".")[0]
    found = _in_packages(tree, path, name) or _in_project(tree, path, name)
    if found:
        return Target("namespace", found)
    return Target("builtin" if name in FRAMEWORKS else "package", name)


def _in_packages(tree: Tree, path: str, name: str) -> str:
    """Return the module of a target: of the packages around a file, or of those that they depend on by path."""
    for manifest in tree.above(dirname(path), (MANIFEST,)):
        seen = {manifest}
        queue = [manifest]
        for at in queue:
            package = tree.config(at, read_package)
            folder = dirname(at)
            if package is None:
                continue
            if _has(tree, package, folder, name):
                return _key(folder, name)
            for local in package.local:
                other = normpath(join(folder, local, MANIFEST))
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
    return ""


def _has(tree: Tree, package: _Package, folder: str, name: str) -> bool:
    """Return whether a package has a target of this name, by its folder where the manifest computes them."""
    if any(_ODD.sub("_", target.name) == name for target in package.targets):
        return True
    return not package.targets and any(tree.is_dir(join(folder, top, name)) for top in _FOLDERS["test"])


def _in_project(tree: Tree, path: str, name: str) -> str:
    """Return the module of an import in a file of an Xcode project: one of its targets, or of a package beside it."""
    folder = _project_of(tree, path)
    if folder is None and tree.above(dirname(path), (MANIFEST,)):
        return ""
    around = folder or ""
    names: set[str] = set()
    for project in tree.named(PROJECT):
        if dirname(dirname(project)) == around:
            names.update(tree.config(project, read_project) or ())
    if name in names or tree.is_dir(join(around, name)):
        return module_of(tree, path)
    found = [
        _key(dirname(manifest), name)
        for manifest in tree.named(MANIFEST)
        if (package := tree.config(manifest, read_package)) is not None and _has(tree, package, dirname(manifest), name)
    ]
    return found[0] if len(found) == 1 else ""


def is_test(path: str) -> bool:
    """Return whether a file of this path holds tests or helps them."""
    return bool(_TESTS.search(path))
