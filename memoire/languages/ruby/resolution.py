"""Finds what Ruby code requires, and which file a constant is meant to be in.

Sources: https://docs.ruby-lang.org/en/3.3/Kernel.html#method-i-require, https://github.com/fxn/zeitwerk,
https://bundler.io/guides/creating_gem.html.
"""

import re
from posixpath import basename, dirname, join, normpath

from memoire.languages.ruby.conventions import is_test
from memoire.languages.ruby.words import CORE, STANDARD
from memoire.model import Target
from memoire.tree import Tree, shared_folders

FAMILY = "ruby"
ROOT = "::"
"""The specifier of the root of all constants."""
_LOCKS = ("Gemfile.lock", "gems.locked")
_ROOTS = ("Gemfile", "gems.rb", "Gemfile.lock", "gems.locked")
_LOADED = ("lib", "", "spec", "test", "app", "features", "ext")
"""The folders of a gem that its tools put on the load path."""
_GEM = re.compile(r"^ {4}([\w.-]+) \(", re.MULTILINE)
_LOCAL = re.compile(r"^[^#\n]*\bpath:?\s*(?:=>\s*)?['\"]([^'\"\n]+)['\"]", re.MULTILINE)


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a file requires: a file of the project, a gem, a library of Ruby."""
    if specifier == ROOT:
        return Target("namespace", "")
    file = f"{specifier}.rb" if not specifier.endswith((".rb", ".rake", ".so")) else specifier
    if specifier.startswith(("./", "../")):
        place = normpath(join(dirname(path), file))
        return Target("file", place) if not place.startswith("../") and tree.is_file(place) else _unknown(specifier)
    if specifier.startswith("/"):
        return _unknown(specifier)
    return _on_load_path(tree, path, file) or _external(tree, path, specifier)


def _unknown(specifier: str) -> Target:
    return Target("unresolved", specifier)


def _on_load_path(tree: Tree, path: str, file: str) -> Target | None:
    """Return the file that lies on the load path of the gem around, or of another of the repository."""
    folder = dirname(path)
    if file.startswith("."):
        return None
    while True:
        for name in _LOADED:
            place = normpath(join(folder, name, file))
            if place != path and tree.is_file(place):
                return Target("file", place)
        if not folder:
            break
        folder = dirname(folder)
    tail = f"/lib/{file}"
    found = [place for place in tree.named(basename(file)) if place.endswith(tail)]
    return Target("file", max(found, key=lambda place: (shared_folders(path, place), place))) if found else None


def _external(tree: Tree, path: str, specifier: str) -> Target:
    """Return the library or gem that gives what is required, by what Bundler locked."""
    first = specifier.partition("/")[0]
    wanted = [_plain(specifier), *(_plain(part) for part in (first, specifier.rpartition("/")[0]) if part)]
    for lock in tree.above(dirname(path), _LOCKS):
        gems: tuple[str, ...] = tree.config(lock, parse_lock) or ()
        known = {_plain(gem): gem for gem in gems}
        for name in wanted:
            if name in known:
                return Target("package", known[name])
    return Target("builtin", first) if first in STANDARD else Target("package", first)


def _plain(text: str) -> str:
    return text.replace("-", "").replace("_", "").replace("/", "").lower()


def parse_lock(data: bytes) -> tuple[str, ...]:
    """Return the names of the gems that a `Gemfile.lock` locks."""
    return tuple(_GEM.findall(data.decode("utf-8", "replace")))


def parse_local(data: bytes) -> tuple[str, ...]:
    """Return the folders, relative to its own, from which a `Gemfile` takes gems."""
    return tuple(_LOCAL.findall(data.decode("utf-8", "replace")))


def _app(tree: Tree, path: str) -> str:
    """Return the folder of the application or gem that a file belongs to; empty = the project itself."""
    found = tree.above(dirname(path), _ROOTS)
    return dirname(found[0]) if found else ""


def sees(tree: Tree, path: str, name: str, files: tuple[str, ...]) -> tuple[str, ...]:
    """Return, of the files that declare a name, those that the application of a file loads.

    Code does not see what only tests define, and an application sees no other beside it, but for those that its
    `Gemfile` names.
    """
    if name in CORE:
        return ()
    own = _app(tree, path)
    gemfile = f"{own}/Gemfile" if own else "Gemfile"
    local = [normpath(join(own, place)) for place in tree.config(gemfile, parse_local) or ()]
    in_tests = is_test(path)
    seen = tuple(file for file in files if (in_tests or not is_test(file)) and _is_near(_app(tree, file), own, local))
    first = prefers(tree, name, seen)
    return (first, *(file for file in seen if file != first)) if first else seen


def _is_near(other: str, own: str, local: list[str]) -> bool:
    """Return whether an application is another one, lies in it or around it, or is a gem that it names."""
    return _holds(own, other) or _holds(other, own) or any(_holds(place, other) for place in local)


def _holds(folder: str, other: str) -> bool:
    return not folder or other == folder or other.startswith(f"{folder}/")


def prefers(tree: Tree, name: str, files: tuple[str, ...]) -> str:
    """Return the file whose path spells a constant, as autoloading wants it: `Admin::User` in `admin/user.rb`."""
    del tree
    wanted = name.lower().split(".")
    spelled = [file for file in files if _spells(file, wanted)]
    return min(spelled, key=lambda file: (is_test(file), file.count("/"), file)) if spelled else ""


def _spells(file: str, wanted: list[str]) -> bool:
    parts = file.removesuffix(".rb").replace("_", "").lower().split("/")
    return parts[-len(wanted) :] == wanted


def brings(_specifier: str, _kind: str) -> bool:
    """Return whether the root of all constants gives such a thing: it gives all that a file can see."""
    return True
