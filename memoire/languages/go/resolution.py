"""Finds the package that a Go import names. A package is a folder: its files share their names.

Rules: a path below the path of the module around the file is a folder of that module; `replace` and `go.work` lead to
other modules of the project, and so does the path of a module that the project holds. A folder below another `go.mod`
belongs to that module alone. Where there is no module, a path lies below the folder `src` around the file (GOPATH).
Source: the Go modules reference; `go help packages`, `go help gopath`, `go help importpath`.
"""

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath

from memoire.languages.go.gomod import Mod, module_path, parse
from memoire.model import Target
from memoire.tree import Tree

FAMILY = "go"
OWN = "."
"""The specifier by which a file imports the names of its own package."""
_APART = {"main": ":main", "documentation": ":documentation"}
"""Packages that may lie in a folder beside the one that can be imported, and what their namespace ends with."""
_TEST = ":test"
"""What the namespace of tests ends with that lie beside a package and only import it."""
_DEEP_HOSTS = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "golang.org", "google.golang.org", "codeberg.org"}
)
"""Hosts whose modules have, as a rule, two more parts in their path; others have one."""
_VERSION = re.compile(r"^v\d+$")


def package_of(_tree: Tree, path: str, declared: str) -> str:
    """Return the namespace of the names of a file: its folder, and what keeps other packages there apart.

    Args:
        _tree: Not asked: a folder says it.
        path: The file.
        declared: The name behind `package`.
    """
    folder = dirname(path) or OWN
    if declared.endswith("_test") and path.endswith("_test.go"):
        return folder + _TEST
    return folder + _APART.get(declared, "")


def own(declared: str) -> str:
    """Return the specifier of the package that a file declares to be in, for `resolve`."""
    return OWN + (_TEST if declared.endswith("_test") else _APART.get(declared, ""))


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the package that an import in the file at `path` names."""
    folder = dirname(path)
    if specifier.startswith(OWN):
        if not specifier.startswith(("./", "../")):
            return Target("namespace", (folder or OWN) + specifier[1:])
        local = _join(folder, specifier)
        return (_package(tree, folder, local) if local is not None else None) or Target("unresolved", specifier)
    if specifier == "C":
        return Target("builtin", "C")
    mods = tree.above(folder, ("go.mod",))
    mod: Mod = (tree.config(mods[0], parse) if mods else None) or Mod()
    is_ours = False
    for place in _places(tree, folder, specifier):
        is_ours = True
        found = _package(tree, folder, place)
        if found is not None:
            return found
    if is_ours or (mod.module and _below(specifier, mod.module) and not _needed(specifier, mod)):
        return Target("unresolved", specifier)
    return _external(specifier, mod)


def _package(tree: Tree, folder: str, place: str) -> Target | None:
    """Return the package in a folder, None where there is none that a file of `folder` may import."""
    above, internal, _ = f"/{place}/".rpartition("/internal/")
    if internal and not f"/{folder}/".startswith(above + "/"):
        return None
    name = place or OWN
    if tree.members(FAMILY, name):
        return Target("namespace", name)
    main = name + _APART["main"]
    return Target("namespace", main) if place == folder and tree.members(FAMILY, main) else None


def _places(tree: Tree, folder: str, specifier: str) -> Iterator[str]:
    """Yield the folders of the project that an import path may mean, in the order in which they go before another."""
    mods = tree.above(folder, ("go.mod",))
    if not mods:
        yield from _gopath(tree, folder, specifier)
    for config in (*mods[:1], *tree.above(folder, ("go.work",))[:1]):
        mod: Mod = tree.config(config, parse) or Mod()
        at = dirname(config)
        modules = [(mod.module, at)] if mod.module else []
        modules += [(_module_at(tree, place), place) for use in mod.uses if (place := _join(at, use)) is not None]
        for name, target in mod.replaces:
            if target.startswith(("./", "../")):
                place = _join(at, target)
                modules += [(name, place)] if place is not None else []
            elif _below(specifier, name):
                yield from _by_path(tree, target + specifier[len(name) :])
        for name, place in sorted(modules, key=lambda item: -len(item[0])):
            if name and _below(specifier, name):
                yield from _in_module(tree, place, specifier[len(name) + 1 :])
    yield from _by_path(tree, specifier)


def _by_path(tree: Tree, specifier: str) -> Iterator[str]:
    """Yield the folder of the one module of the project with the longest path that an import path lies below."""
    name = specifier
    while name:
        found = tree.keyed(("go.mod",), module_path, name)
        if found:
            if len(found) == 1:
                yield from _in_module(tree, dirname(found[0]), specifier[len(name) + 1 :])
            return
        name = name.rpartition("/")[0]


def _in_module(tree: Tree, root: str, rest: str) -> Iterator[str]:
    """Yield a folder of a module, unless it belongs to another module inside of it."""
    place = "/".join(part for part in (root, rest) if part)
    if dirname(next(iter(tree.above(place, ("go.mod",))), "")) == root:
        yield place


def _gopath(tree: Tree, folder: str, specifier: str) -> Iterator[str]:
    parts = folder.split("/")
    for index in range(len(parts), 0, -1):
        if parts[index - 1] == "src":
            place = "/".join((*parts[:index], specifier))
            if tree.is_dir(place):
                yield place
    if tree.is_dir(f"src/{specifier}"):
        yield f"src/{specifier}"


def _module_at(tree: Tree, folder: str) -> str:
    mod: Mod | None = tree.config(join(folder, "go.mod"), parse)
    return mod.module if mod is not None else ""


def _join(folder: str, relative: str) -> str | None:
    """Return a folder as seen from another, None where it lies outside of the project."""
    place = normpath(join(folder, relative))
    return None if place.startswith(("..", "/")) else place.removeprefix(".").removeprefix("/")


def _below(specifier: str, name: str) -> bool:
    return specifier == name or specifier.startswith(name + "/")


def _needed(specifier: str, mod: Mod) -> str:
    """Return the module that an import path lies in, of those that a module requires; empty where it is in none."""
    return max((name for name in mod.requires if _below(specifier, name)), key=len, default="")


def _external(specifier: str, mod: Mod) -> Target:
    """Return the module outside of the project that an import path belongs to, or the package of the standard library.

    The first part of a path outside of the standard library has a dot.
    """
    needed = _needed(specifier, mod)
    if needed:
        return Target("package", needed)
    parts = specifier.split("/")
    if "." not in parts[0]:
        return Target("builtin", specifier)
    count = 3 if parts[0] in _DEEP_HOSTS else 2
    if len(parts) > count and _VERSION.match(parts[count]):
        count += 1
    return Target("package", "/".join(parts[:count]))


def names_of(specifier: str) -> tuple[str, ...]:
    """Return the names that a package may have by its path, the most likely one last: its files alone say it.

    The last part that is no version of a module, without what no name may hold: `gopkg.in/yaml.v3`, `x/go-redis/v9`.
    """
    parts = [part for part in specifier.split("/") if part]
    if not parts:
        return ()
    before: tuple[str, ...] = ()
    if len(parts) > 1 and _VERSION.match(parts[-1]):
        # A module's second version and later may be in a folder of that name, and in a package called so.
        before = (parts.pop(),)
        if before[0] in {"v0", "v1"}:
            return before
    last = re.sub(r"\.v\d+(?:-unstable)?$", "", parts[-1])
    if not re.search(r"[-.]", last):
        return (*before, last)
    words = re.split(r"[-.]", last)
    short = [word for word in words if word not in {"go", "golang", "lib", "sdk", "api"}] or words
    names = ("".join(words), "_".join(words), "".join(short), words[0], short[-1])
    return (*before, *dict.fromkeys(name for name in names if name.isidentifier()))
