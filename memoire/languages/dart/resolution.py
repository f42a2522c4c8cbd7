"""Finds the library of a Dart file and the file that a URI names: relative, of a package, or of the SDK.

A library is a file and its parts: they see each other's names, private ones too, and the parts see what it imports.
A package is the folder of a `pubspec.yaml`; `package:name/x.dart` is the file `lib/x.dart` of the one of that name,
wherever in the project it lies: workspaces, path dependencies and melos link packages that way.
"""

import re
from posixpath import basename, dirname, join, normpath

from memoire.model import Target
from memoire.tree import Tree, shared_folders

PUBSPEC = "pubspec.yaml"
OWN = "."
"""Specifier of the names of the file's own library."""

_NAME = re.compile(rb"^name[ \t]*:[ \t]*['\"]?([A-Za-z_]\w*)", re.MULTILINE)
_PART_OF = re.compile(rb"^[ \t]*part[ \t]+of[ \t]+(?:(['\"])([^'\"\n]+)\1|([A-Za-z_$][\w$.]*))[ \t]*;", re.MULTILINE)
_PART = re.compile(rb"^[ \t]*part[ \t]+(['\"])([^'\"\n]+)\1[ \t]*;", re.MULTILINE)
_TESTS = re.compile(r"(?:^|/)(?:test|integration_test|test_driver)/|_test\.dart$")
MAX_HEAD = 100_000
"""How many bytes of a file its directives are looked for in."""


def name_of(data: bytes) -> str:
    """Return the name of the package that a `pubspec.yaml` describes; empty where it says none."""
    found = _NAME.search(data)
    return found[1].decode() if found else ""


def read_part_of(data: bytes) -> tuple[str, str]:
    """Return (URI, name) of the library that a file says it is a part of; one of them or both are empty."""
    found = _PART_OF.search(data[:MAX_HEAD])
    if not found:
        return "", ""
    return (found[2] or b"").decode("utf-8", "replace"), (found[3] or b"").decode("utf-8", "replace")


def read_parts(data: bytes) -> frozenset[str]:
    """Return the URIs of the parts that a library names."""
    return frozenset(found[1].decode("utf-8", "replace") for found in _PART.findall(data[:MAX_HEAD]))


def library_by_path(path: str) -> str:
    """Return the library that a file is by itself: a name that none in a source is, without a dot."""
    return path.replace(".", ":")


def library_of(tree: Tree, path: str, package: str) -> str:
    """Return the library that a file belongs to: its own, or the one that it is a part of."""
    return library_by_path((_whole(tree, path) if package else None) or path)


def _whole(tree: Tree, path: str) -> str | None:
    """Return the file that a part belongs to."""
    uri, name = tree.config(path, read_part_of) or ("", "")
    if uri:
        target = resolve(tree, path, uri)
        return target.path if target.kind == "file" else None
    # `part of some.library;` does not say where: the file of that name that lists this one as its part.
    last = name.rpartition(".")[2]
    folder = dirname(path)
    for place in (folder, dirname(folder)) if last else ():
        for stem in (last, name):
            found = join(place, f"{stem}.dart")
            parts = tree.config(found, read_parts) or ()
            if any(normpath(join(place, part)) == path for part in parts):
                return found
    return None


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return the file that a URI names in a file."""
    if specifier == OWN:
        known = tree.declares(path)
        return Target("namespace", known.package if known is not None else library_by_path(path))
    scheme, colon, rest = specifier.partition(":")
    if not colon:
        found = normpath(join(dirname(path), specifier))
        return Target("file", found) if tree.is_file(found) else Target("unresolved", specifier)
    if scheme == "dart":
        return Target("builtin", specifier)
    if scheme != "package":
        return Target("unresolved", specifier)
    name, _, inner = rest.partition("/")
    pubspec = _package(tree, path, name)
    if pubspec is None:
        return Target("package", name)
    found = normpath(join(dirname(pubspec), "lib", inner))
    return Target("file", found) if tree.is_file(found) else Target("unresolved", specifier)


def _package(tree: Tree, path: str, name: str) -> str | None:
    """Return the `pubspec.yaml` of a package: of one around a file, else the one nearest to it."""
    found = tree.keyed((PUBSPEC,), name_of, name)
    if not found:
        return None
    around = [pubspec for pubspec in tree.above(dirname(path), (PUBSPEC,)) if pubspec in found]
    if around:
        return around[0]
    return min(found, key=lambda pubspec: (-shared_folders(path, pubspec), pubspec.count("/"), pubspec))


def is_test(path: str) -> bool:
    """Return whether a file of this path holds tests or helps them."""
    return bool(_TESTS.search(path))


def is_barrel(path: str) -> bool:
    """Return whether a file stands for its package: `lib/name.dart` passes on what lies in `lib/src`."""
    parts = path.split("/")
    return len(parts) > 2 and parts[-2] == "lib" and parts[-3] == basename(path).removesuffix(".dart")
