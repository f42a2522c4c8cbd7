"""Finds the file that the head of a Rust path names: crates, the modules around, modules that a file declares.

A file belongs to the target of its package whose root leads to it: the library, a program, a test, an example. Only the
first part of a path is found here, for the rest are names: see `ModulePaths`.
Source: the Rust reference, "Modules", "Paths"; the Cargo book, "Cargo targets", "Package layout".
"""

import re
from collections.abc import Iterator
from posixpath import basename, dirname, join, normpath

from memoire.languages.rust.cargo import Manifest, crate_name, library_name, parse
from memoire.model import Target
from memoire.tree import Tree

STANDARD = frozenset({"std", "core", "alloc", "proc_macro", "test"})
DECLARED = "mod "
"""What the specifier of a declared module begins with: `mod disk`, `mod inner/disk`."""
AT_PATH = "path "
"""What the specifier of a module begins with that says its own path."""
_MODULE = re.compile(rb"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?(\w+)\s*;", re.MULTILINE)
_TARGET_FOLDERS = ("src/bin", "tests", "benches", "examples")
_ROOT_NAMES = frozenset({"lib.rs", "main.rs", "build.rs"})


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the file, or the crate outside of the project, that the head of a path names in the file at `path`."""
    if specifier.startswith((DECLARED, AT_PATH)):
        found = _declared(tree, path, specifier)
    elif specifier == "self":
        found = path
    elif specifier == "super":
        found = parent_of(tree, path)
    elif specifier == "crate":
        found = root_of(tree, path)
    else:
        return _crate(tree, path, specifier)
    return Target("file", found) if found else Target("unresolved", specifier)


def _join(folder: str, relative: str) -> str:
    """Return the path of a file as seen from a folder, empty where it lies outside of the project."""
    place = normpath(join(folder, relative))
    return "" if place.startswith(("..", "/")) else place


def _is_root(tree: Tree, path: str) -> bool:
    """Return whether a file is the root of a crate."""
    return root_of(tree, path) == path


def _declared(tree: Tree, path: str, specifier: str) -> str:
    """Return the file of a module that a file declares."""
    if specifier.startswith(AT_PATH):
        place = _join(dirname(path), specifier.removeprefix(AT_PATH))
        return place if place and tree.is_file(place) else ""
    name = specifier.removeprefix(DECLARED)
    folder = dirname(path)
    if basename(path) != "mod.rs" and not _is_root(tree, path):
        folder = path.removesuffix(".rs")
    for place in (join(folder, f"{name}.rs"), join(folder, name, "mod.rs")):
        if tree.is_file(place) and place != path:
            return place
    return ""


def parent_of(tree: Tree, path: str) -> str:
    """Return the file of the module around the module that a file is; empty for the root of a crate."""
    if _is_root(tree, path):
        return ""
    folder = dirname(path)
    if basename(path) == "mod.rs":
        folder = dirname(folder)
    for place in (join(folder, "mod.rs"), f"{folder}.rs"):
        if place != path and folder and tree.is_file(place):
            return place
    root = root_of(tree, path)
    return root if root and dirname(root) == folder else ""


def root_of(tree: Tree, path: str) -> str:
    """Return the root of the crate that a file belongs to, which may be itself; empty where none is known."""
    manifests = tree.above(dirname(path), ("Cargo.toml",))
    for place in manifests:
        manifest: Manifest | None = tree.config(place, parse)
        if manifest is not None and manifest.package:
            return _root_in(tree, path, dirname(place), manifest)
    return path if basename(path) in _ROOT_NAMES else _root_without(tree, path)


def _root_in(tree: Tree, path: str, package: str, manifest: Manifest) -> str:
    library = _join(package, manifest.library_path)
    named = [_join(package, target) for target in manifest.targets]
    if path in {library, join(package, "src/main.rs"), join(package, "build.rs"), *named}:
        return path
    inner = path[len(package) + 1 :] if package else path
    for folder in _TARGET_FOLDERS:
        if inner.startswith(folder + "/"):
            place = join(package, folder)
            top, is_inside, _ = path[len(place) + 1 :].partition("/")
            for root in named:
                is_module = top.removesuffix(".rs") in (tree.config(root, declared_modules) or ())
                # Right in `tests` every file is a test of its own, unless the manifest says otherwise.
                is_own = folder == "tests" and manifest.finds_tests and not is_inside
                if dirname(root) == place and is_module and not is_own:
                    return root
            return _root_of_target(tree, place, path)
    roots = [root for root in dict.fromkeys((library, join(package, "src/main.rs"), *named)) if tree.is_file(root)]
    inside = [root for root in roots if path.startswith(dirname(root) + "/") or not dirname(root)]
    if not inside:
        return ""
    # The root in the nearest folder; of two there the one that declares the module in which the file lies.
    nearest = max(len(dirname(root)) for root in inside)
    inside = [root for root in inside if len(dirname(root)) == nearest]
    folder = dirname(inside[0])
    top = path[len(folder) + 1 if folder else 0 :].partition("/")[0].removesuffix(".rs")
    declaring = [root for root in inside if top in (tree.config(root, declared_modules) or ())]
    return (declaring or inside)[0]


def _root_of_target(tree: Tree, folder: str, path: str) -> str:
    """Return the root of the program, test or example that a file below a folder of those belongs to."""
    inner = path[len(folder) + 1 :]
    first, slash, _ = inner.partition("/")
    if not slash:
        return path
    for root in (join(folder, first, "main.rs"), join(folder, f"{first}.rs")):
        if tree.is_file(root):
            return root  # the second where it says the path of the module
    # A module that the tests beside it share: it is part of each of them.
    return ""


def _root_without(tree: Tree, path: str) -> str:
    """Return the root above a file that no manifest speaks of."""
    folder = dirname(path)
    while True:
        for name in ("lib.rs", "main.rs"):
            if tree.is_file(join(folder, name)):
                return join(folder, name)
        if not folder:
            return ""
        folder = dirname(folder)


def declared_modules(data: bytes) -> frozenset[str]:
    """Return the names of the modules that a root declares in files of their own."""
    return frozenset(name.decode() for name in _MODULE.findall(data))


def _crate(tree: Tree, path: str, name: str) -> Target:
    """Return the library of the project, or the crate outside of it, that a file calls so."""
    if not re.fullmatch(r"\w+", name):
        return Target("unresolved", name)
    manifests = tree.above(dirname(path), ("Cargo.toml",))
    manifest: Manifest | None = None
    for place in manifests:
        manifest = tree.config(place, parse)
        if manifest is None or not manifest.package:
            continue
        library = _join(dirname(place), manifest.library_path)
        if name == manifest.library and tree.is_file(library):
            return Target("file", library)
        found = _dependency(tree, dirname(place), manifest, name)
        if found is not None:
            return found
        break
    if name in STANDARD:
        return Target("builtin", name)
    return Target("package", name) if manifest is None and not manifests else Target("unresolved", name)


def _dependency(tree: Tree, folder: str, manifest: Manifest, name: str) -> Target | None:
    """Return what a name stands for among the dependencies of a package."""
    found = manifest.dependencies.get(name)
    if found is None:
        # A library may be called unlike its package, as a rule by the first words of it: `elasticlunr-rs`.
        longer = [item for key, item in manifest.dependencies.items() if key.startswith(f"{name}_")]
        return Target("package", longer[0].package) if len(longer) == 1 and not longer[0].path else None
    if found.is_inherited:
        for place in tree.above(folder, ("Cargo.toml",)):
            workspace: Manifest | None = tree.config(place, parse)
            if workspace is not None and workspace.is_workspace:
                found = workspace.shared.get(name, found)
                folder = dirname(place)
                break
    for library in _libraries(tree, folder, found.path, found.package):
        return Target("file", library)
    return Target("package", found.package)


def _libraries(tree: Tree, folder: str, path: str, package: str) -> Iterator[str]:
    """Yield the library of a package of the project: in the folder that is said, else the only one of that name."""
    if path:
        place = _join(folder, join(path, "Cargo.toml"))
        places: tuple[str, ...] = (place,) if place else ()
    else:
        places = tree.keyed(("Cargo.toml",), library_name, crate_name(package))
        places = places if len(places) == 1 else ()
    for place in places:
        manifest: Manifest | None = tree.config(place, parse)
        if manifest is not None:
            library = _join(dirname(place), manifest.library_path)
            if library and tree.is_file(library):
                yield library
