"""Finds the file that a Python import names: source roots, packages, namespace directories, relative levels.

Rules: an absolute name is looked for where the interpreter, pytest and packaging tools would put a root on the path,
nearest first; a regular package wins over a module, a module over a namespace directory (PEP 420), in each root.
Source: the import system chapter of the language reference; pytest's rootdir rule for `rootdir/conftest.py` layouts.
"""

import sys
from collections.abc import Iterable
from posixpath import basename, dirname

from memoire.model import FileFacts, Target
from memoire.tree import Tree

STDLIB = frozenset(sys.stdlib_module_names)
_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg")
_ROOT_NAMES = ("src", "lib", "python")
SUFFIXES = (".py", ".pyi")


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _is_package(tree: Tree, folder: str) -> bool:
    return bool(folder) and (tree.is_file(f"{folder}/__init__.py") or tree.is_file(f"{folder}/__init__.pyi"))


def source_roots(tree: Tree, path: str) -> list[str]:
    """Return the folders that hold top-level modules for a file, nearest first; empty string = the project root."""
    folder = dirname(path)
    while folder and _is_package(tree, folder):
        folder = dirname(folder)
    roots = [folder]
    above = folder
    while True:
        for name in _ROOT_NAMES:
            nested = _join(above, name)
            if tree.is_dir(nested) and not _is_package(tree, nested):
                roots.append(nested)
        if not above or any(tree.is_file(_join(above, marker)) for marker in _MARKERS):
            roots.append(above)
        if not above:
            break
        above = dirname(above)
    roots += _other_roots(tree)
    return list(dict.fromkeys(roots))


def _other_roots(tree: Tree) -> list[str]:
    """Return the roots of every other distribution of the repository: a monorepo's packages import each other."""
    roots: list[str] = []
    for marker in _MARKERS:
        for path in tree.named(marker):
            folder = dirname(path)
            roots += [_join(folder, name) for name in _ROOT_NAMES if tree.is_dir(_join(folder, name))]
            roots.append(folder)
    return [root for root in roots if not _is_package(tree, root)]


def start_module(tree: Tree, folders: Iterable[str], dotted: str, *, anywhere: bool) -> Target | None:
    """Return the file of a module that a program is started with: `python -m x`, an entry point.

    Unlike an import it says nothing of where it is looked for, so a guess among several is none.

    Args:
        tree: The project's files.
        folders: Where the program may be started, or where the distribution lies, the likeliest first.
        dotted: The module.
        anywhere: Whether it may also be that of another distribution: the only one that has it.
    """
    for folder in folders:
        for root in (folder, *(_join(folder, name) for name in _ROOT_NAMES)):
            found = module(tree, root, dotted)
            if found is not None and found.kind == "file":
                return found
    if not anywhere or dotted.partition(".")[0] in STDLIB:
        return None
    others = {
        found.path for root in _other_roots(tree) if (found := module(tree, root, dotted)) and found.kind == "file"
    }
    return Target("file", others.pop()) if len(others) == 1 else None


def module(tree: Tree, base: str, dotted: str) -> Target | None:
    """Return the module of a dotted name below a folder: package, module, or namespace directory."""
    place = _join(base, dotted.replace(".", "/"))
    for candidate in (f"{place}/__init__.py", f"{place}.py", f"{place}.pyi", f"{place}/__init__.pyi"):
        if place and tree.is_file(candidate):
            return Target("file", candidate)
    return Target("directory", place) if tree.is_dir(place) else None


def _relative(tree: Tree, path: str, specifier: str) -> Target:
    name = specifier.lstrip(".")
    base = dirname(path)
    for _ in range(len(specifier) - len(name) - 1):
        if not base:
            return Target("unresolved", specifier)
        base = dirname(base)
    return module(tree, base, name) or Target("unresolved", specifier)


FIXTURES = ":conftest"
"""The specifier of the nearest `conftest.py`: pytest gives its fixtures to the parameters of tests."""


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what `import specifier` names in the file at `path`."""
    if specifier == FIXTURES:
        shared = tree.above(dirname(path), ("conftest.py",))
        return Target("file", shared[0]) if shared else Target("unresolved", specifier)
    return _resolve(tree, path, specifier)


def _resolve(tree: Tree, path: str, specifier: str) -> Target:
    if specifier.startswith("."):
        return _relative(tree, path, specifier)
    top = specifier.partition(".")[0]
    fallback: Target | None = None
    for root in source_roots(tree, path):
        found = module(tree, root, top)
        if found is None:
            continue
        whole = module(tree, root, specifier) if top != specifier else found
        if whole is None:
            # A module has no submodules: where one stands in the way of the name, this is no root of the program.
            fallback = fallback or (Target("unresolved", specifier) if found.kind == "file" else None)
            if found.kind == "file" and basename(found.path).startswith("__init__."):
                break  # a regular package hides every other of its name: what it lacks is an attribute or missing
            continue
        if whole.kind == "file":
            if top in STDLIB and not _shadows(tree, path, root):
                continue
            return whole
        if top not in STDLIB:
            fallback = fallback or whole
    if fallback and (fallback.kind == "unresolved" or _holds_modules(tree, fallback.path)):
        return fallback
    return _external(top)


def _shadows(tree: Tree, path: str, root: str) -> bool:
    """Return whether a root's modules come before the standard library's for this file.

    They do for scripts beside them (`sys.path[0]`) and for tests whose folder pytest puts first; a package file that
    says `import types` means the standard library, even with a `types.py` in its own package.
    """
    folder = dirname(path)
    return folder == root and not _is_package(tree, folder)


def _holds_modules(tree: Tree, folder: str) -> bool:
    """A folder is a namespace package only where Python files lie somewhere in it."""
    return tree.is_dir(folder)


def _external(top: str) -> Target:
    return Target("builtin" if top in STDLIB else "package", top)


def member(tree: Tree, target: Target, name: str) -> Target | None:
    """Return the submodule `name` of a package or namespace directory."""
    if target.kind == "directory":
        return module(tree, target.path, name)
    if target.kind == "file" and basename(target.path).startswith("__init__."):
        return module(tree, dirname(target.path), name)
    return None


def is_test(path: str) -> bool:
    """Return whether pytest or unittest would collect the file, or it lies in a test folder."""
    name = basename(path)
    if name.startswith("test_") or name.rpartition(".")[0].endswith("_test") or name == "tests.py":
        return True
    return any(part in {"tests", "test", "testing_tests"} for part in path.split("/")[:-1]) and name != "__init__.py"


def holds_tests(facts: FileFacts) -> bool:
    """Return whether a file defines a test by the names that pytest and unittest look for."""
    return any(item.is_test for item in facts.definitions)


def is_barrel(path: str) -> bool:
    """Return whether the file passes on names for its folder."""
    return basename(path).startswith("__init__.")
