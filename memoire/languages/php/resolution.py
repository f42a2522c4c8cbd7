"""Finds what a PHP name means: namespaces of the project, Composer's autoloading, files that are required.

Sources: https://www.php.net/manual/en/language.namespaces.rules.php, https://www.php-fig.org/psr/psr-4/,
https://getcomposer.org/doc/04-schema.md#autoload.
"""

from posixpath import basename, dirname, join, normpath

from memoire.languages.php.composer import LOCKS, MANIFESTS, Manifest, package_name, parse_lock, parse_manifest
from memoire.model import Target
from memoire.tree import Tree

FAMILY = "php"
ROOT = "\\"
"""The specifier of the root of all namespaces."""
MAX_PACKAGES = 200
"""How many packages of the project one is followed to that it requires, directly or through others."""
FALLBACK = "\\\\"
"""The root, for what a namespace has none of its own of: functions and constants alone."""


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a namespace, a class of the root, or a required path means in the file at `path`."""
    if specifier in {ROOT, FALLBACK}:
        return Target("namespace", "")
    if specifier.startswith("./") or "/" in specifier or specifier.endswith((".php", ".inc", ".phtml")):
        return _required(tree, path, specifier)
    if not specifier.replace("\\", "").replace("_", "a").isalnum():
        return Target("unresolved", specifier)
    name = tree.spelled(FAMILY, specifier.lstrip(ROOT).replace(ROOT, "."))
    if tree.is_namespace(FAMILY, name) or tree.declared(FAMILY, name):
        return Target("namespace", name)
    if specifier.startswith(ROOT) and "." not in name:
        # A class of the root that the project does not define: PHP's own or that of an extension.
        return Target("builtin", name)
    return _external(tree, path, name)


def _required(tree: Tree, path: str, specifier: str) -> Target:
    """Return the file of a `require`: by the file's own folder, else by the include path from where PHP runs."""
    places = [normpath(join(dirname(path), specifier))]
    if not specifier.startswith("./") and not specifier.startswith("/"):
        places += [join(dirname(manifest), specifier) for manifest in tree.above(dirname(path), MANIFESTS)]
        places.append(normpath(specifier))
    for place in places:
        if not place.startswith("../") and tree.is_file(place):
            return Target("file", place)
    return Target("unresolved", specifier)


def _external(tree: Tree, path: str, name: str) -> Target:
    """Return the package that gives a name from outside the project, by what Composer installed."""
    first = name.partition(".")[0]
    for lock in tree.above(dirname(path), LOCKS):
        for prefix, package in tree.config(lock, parse_lock) or ():
            if name == prefix or name.startswith(f"{prefix}."):
                return Target("package", package)
    return Target("package", _required_package(tree, path, name) or first)


def _required_package(tree: Tree, path: str, name: str) -> str:
    """Return the required package that is called like a namespace; empty where none or several are."""
    parts = [part.lower() for part in name.split(".")]
    for manifest in tree.above(dirname(path), MANIFESTS):
        config = tree.config(manifest, parse_manifest)
        requires: tuple[str, ...] = config.requires if config else ()
        packages = [each for each in requires if _plain(each.partition("/")[0]) == parts[0]]
        named = [each for each in packages if _plain(each.partition("/")[2]) in parts[1:]]
        if len(named or packages) == 1:
            return (named or packages)[0]
    return ""


def _plain(text: str) -> str:
    return text.replace("-", "").replace("_", "").lower()


def brings(specifier: str, kind: str) -> bool:
    """Return whether the root gives such a thing to files of a namespace: functions and constants, no classes."""
    return specifier != FALLBACK or kind in {"function", "variable"}


def sees(tree: Tree, path: str, name: str, files: tuple[str, ...]) -> tuple[str, ...]:
    """Return, of the files that declare a name, those that a file may mean: the one that Composer's autoloader gives.

    A package sees no other beside it, but for those that it requires, and what a manifest around both loads.
    """
    near = tree.above(dirname(path), MANIFESTS)
    if near:
        files = tuple(file for file in files if _is_seen(tree, near, file))
    if len(files) < 2:
        return files
    for place in dict.fromkeys((*near, *tree.named(MANIFESTS[0]))):
        config = tree.config(place, parse_manifest)
        found = _autoloaded(config, dirname(place), name, files) if config else None
        if found:
            return (found,)
    return files


def _is_seen(tree: Tree, near: tuple[str, ...], file: str) -> bool:
    """Return whether the code of a package sees a file.

    Args:
        tree: The files of the project.
        near: The manifests above that code, the nearest first.
        file: The other file.
    """
    found = tree.above(dirname(file), MANIFESTS)
    if not found or found[0] in near:
        return True
    own = dirname(near[0])
    if not own or file.startswith(f"{own}/") or any(_covers(tree, manifest, file) for manifest in near):
        return True
    needed = [near[0]]
    for manifest in needed:
        config = tree.config(manifest, parse_manifest)
        for name in config.requires if config else ():
            needed += [other for other in tree.keyed(MANIFESTS, package_name, name) if other not in needed]
        if len(needed) > MAX_PACKAGES:
            break
    return any(manifest == found[0] or _covers(tree, manifest, file) for manifest in needed)


def _covers(tree: Tree, manifest: str, file: str) -> bool:
    config = tree.config(manifest, parse_manifest)
    return config is not None and config.covers(dirname(manifest), file)


def _autoloaded(config: Manifest, folder: str, name: str, files: tuple[str, ...]) -> str | None:
    for prefix, place in config.psr4:
        if name.startswith(f"{prefix}.") or not prefix:
            inner = name[len(prefix) + 1 :] if prefix else name
            found = normpath(join(folder, place, inner.replace(".", "/") + ".php"))
            if found in files:
                return found
    for prefix, place in config.psr0:
        if name.startswith(prefix):
            space, _, last = name.rpartition(".")
            found = normpath(join(folder, place, space.replace(".", "/"), last.replace("_", "/") + ".php"))
            if found in files:
                return found
    for place in config.listed:
        whole = normpath(join(folder, place))
        for file in files:
            if file == whole or file.startswith(f"{whole}/") or (whole == "." and basename(file)):
                return file
    return None
