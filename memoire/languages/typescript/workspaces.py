"""Finds the package of the project that a bare specifier names: by name, as workspaces link it.

Source: npm and yarn `workspaces`, `pnpm-workspace.yaml`, `lerna.json`, Deno `workspace`. Membership only decides
between packages of one name: a project that imports the name of one of its own packages means that package.
"""

from posixpath import basename, commonprefix, dirname, join

from memoire.languages.typescript.files import ancestors, join_path
from memoire.languages.typescript.globs import matches_glob, split_glob
from memoire.languages.typescript.manifest import (
    NAMES,
    Manifest,
    manifest_name,
    parse_lerna,
    parse_manifest,
    parse_pnpm,
)
from memoire.tree import Tree

_NOT_REAL = frozenset(
    {"fixtures", "fixture", "__fixtures__", "__testfixtures__", "testdata", "test-data", "__mocks__", "node_modules"}
)
"""A package below such a directory exists only for the files beside it."""
_LOCAL_PROTOCOLS = ("file:", "link:", "portal:")


def manifest_of(tree: Tree, directory: str) -> Manifest | None:
    """Return the manifest of the npm package whose root is this directory."""
    found: Manifest | None = tree.config(join(directory, "package.json"), parse_manifest)
    return found


def package_directory(tree: Tree, path: str) -> str | None:
    """Return the directory of the nearest `package.json` above a file."""
    return next(map(dirname, tree.above(dirname(path), ("package.json",))), None)


def find_package(tree: Tree, path: str, name: str) -> str | None:
    """Return the path of the manifest of the project's own package of this name, as the file at `path` sees it."""
    found = [manifest for manifest in tree.keyed(NAMES, manifest_name, name) if _is_visible(manifest, path)]
    if len(found) <= 1:
        return found[0] if found else None
    own = [manifest for manifest in found if _is_below(path, dirname(manifest))]
    if own:
        return max(own, key=lambda manifest: (len(dirname(manifest)), -NAMES.index(basename(manifest))))
    linked = _linked(tree, path, name)
    package = package_directory(tree, path)
    home = None if package is None else _workspace(tree, package)

    def rank(manifest: str) -> tuple[bool, bool, int, int, str]:
        directory = dirname(manifest)
        return (
            directory != linked,
            home is None or _workspace(tree, directory) != home,
            -len(commonprefix([directory.split("/"), path.split("/")])),
            NAMES.index(basename(manifest)),
            directory,
        )

    return min(found, key=rank)


def _is_visible(manifest: str, path: str) -> bool:
    parts = dirname(manifest).split("/")
    for i, part in enumerate(parts):
        if part in _NOT_REAL:
            return _is_below(path, "/".join(parts[: i + 1]))
    return True


def _is_below(path: str, directory: str) -> bool:
    return not directory or path.startswith(directory + "/")


def _linked(tree: Tree, path: str, name: str) -> str | None:
    """Return the directory that the importing package's manifest links the name to by path."""
    directory = package_directory(tree, path)
    manifest = None if directory is None else manifest_of(tree, directory)
    if directory is None or manifest is None:
        return None
    version = manifest.dependencies.get(name, "")
    for protocol in _LOCAL_PROTOCOLS:
        if version.startswith(protocol):
            return join_path(directory, version.removeprefix(protocol))
    return None


def _workspace(tree: Tree, directory: str) -> str | None:
    """Return the root of the workspace that the package in a directory is a member of."""
    for root in [directory, *ancestors(directory)]:
        globs = _globs(tree, root)
        if globs and _is_member(globs, root, directory):
            return root
    return None


def _globs(tree: Tree, root: str) -> tuple[str, ...]:
    pnpm: tuple[str, ...] | None = tree.config(join(root, "pnpm-workspace.yaml"), parse_pnpm)
    if pnpm:
        return pnpm
    for name in NAMES[:3]:
        manifest: Manifest | None = tree.config(join(root, name), parse_manifest)
        if manifest and manifest.workspaces:
            return manifest.workspaces
    lerna: tuple[str, ...] | None = tree.config(join(root, "lerna.json"), parse_lerna)
    return lerna or ()


def _is_member(globs: tuple[str, ...], root: str, member: str) -> bool:
    if member == root:
        return True
    relative = tuple((member[len(root) + 1 :] if root else member).split("/"))
    is_in = False
    for glob in globs[:500]:
        if matches_glob(split_glob(glob.removeprefix("!")), relative):
            is_in = not glob.startswith("!")
    return is_in
