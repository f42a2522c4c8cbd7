"""Finds the source file behind a package's entry, a directory, or a built file that is not in the tree."""

from collections.abc import Iterator
from posixpath import basename, dirname, join

from memoire.languages.typescript.configs import Configs
from memoire.languages.typescript.files import (
    SOURCE_ORDER,
    Order,
    find_file,
    find_index,
    join_path,
    split_suffix,
)
from memoire.languages.typescript.manifest import Manifest, parse_manifest, targets
from memoire.languages.typescript.workspaces import manifest_of, package_directory
from memoire.tree import Tree

_BUILD = frozenset({"dist", "lib", "build", "out", "output", "es", "esm", "cjs", "umd", "types", "typings", "dts",
                    "compiled", "release", "dist-types", "dist-ts", "dist-cjs", "dist-esm", "dist-src", "build-types",
                    "bundle", "bundles", "pkg", "target", ".build", "npm"})  # fmt: skip
"""Directories that builds write to."""
_FORMATS = frozenset({"cjs", "esm", "es", "mjs", "umd", "commonjs", "module", "modern", "legacy", "types", "node",
                      "browser", "node-cjs", "node-esm", "esnext", "es2015", "es2020", "src", "dev", "prod",
                      "development", "production", "_esm", "_cjs", "_types", "esm5", "fesm2015"})  # fmt: skip
"""Directories that builds put one flavour of their output in."""
_FLAVOURS = frozenset({"min", "umd", "cjs", "esm", "es", "mjs", "iife", "prod", "production", "development", "dev",
                       "module", "common", "browser", "node", "bundle", "global", "modern", "legacy"})  # fmt: skip
"""What builds put between name and extension: `index.umd.js`."""
_ROOTS = ("src", "source", "lib", "")
"""Where sources live below a package's directory."""
_MAINS = ("src/index", "index", "src/main", "src/mod", "mod", "lib/index", "src/public-api", "src/public_api",
          "lib/main", "main")  # fmt: skip


class Entries:
    """Looks entries up in one tree for one importing file; made for one call, then dropped."""

    def __init__(self, tree: Tree, configs: Configs, order: Order = SOURCE_ORDER, *, require: bool = False) -> None:
        self._tree = tree
        self._configs = configs
        self._order = order
        self._require = require

    def module(self, path: str) -> str | None:
        """Return the file that a module path means: a file, or what its directory offers."""
        return find_file(self._tree, path, self._order) or self.directory(path)

    def directory(self, path: str) -> str | None:
        """Return the file that a directory offers: its manifest's entry or its index."""
        tree = self._tree
        if not tree.is_dir(path):
            return None
        manifest = manifest_of(tree, path)
        offered = self._offered(path, manifest, ".") if manifest else None
        return offered or find_index(tree, path, self._order)

    def package(self, manifest_path: str, subpath: str) -> str | None:
        """Return the file that the project's own package offers under a subpath (`.`, `./x`); None where it has none.

        What `exports` does not list is looked for as a plain path, as compilers without `exports` do; what it blocks
        is not.
        """
        tree = self._tree
        directory = dirname(manifest_path)
        manifest: Manifest | None = tree.config(manifest_path, parse_manifest)
        if manifest is None:
            return None
        if manifest.exports is not None and targets(manifest.exports, subpath) == []:
            return None
        offered = self._offered(directory, manifest, subpath)
        if offered:
            return offered
        if subpath == ".":
            named = (*_MAINS, f"src/{manifest.name.rpartition('/')[2]}")
            return self._first(directory, named) or self.directory(directory)
        path = join_path(directory, subpath)
        if path is None:
            return None
        return self.module(path) or self.source_of(path, directory) or self._first(directory, (f"src/{subpath[2:]}",))

    def source_of(self, path: str, directory: str | None = None) -> str | None:
        """Return the source of a built file that is not in the tree, through `outDir` and `rootDir` or by convention.

        Args:
            path: The built file or module, relative to the project root.
            directory: Of the package that builds it; None = the nearest one above it.
        """
        directory = package_directory(self._tree, path) if directory is None else directory
        if directory is None or not (not directory or path.startswith(directory + "/")):
            return None
        for source in self._sources(path, directory):
            found = self._unflavoured(source)
            if found:
                return found
        return None

    def _offered(self, directory: str, manifest: Manifest, subpath: str) -> str | None:
        """Return the first offered target that is a file, else the first whose source is one."""
        offered = targets(manifest.exports, subpath, require=self._require) if manifest.exports is not None else None
        if offered is None:
            offered = list(manifest.entries) if subpath == "." else []
        paths = [path for target in offered if (path := join_path(directory, target))]
        for path in paths:
            found = find_file(self._tree, path, self._order) or find_index(self._tree, path, self._order)
            if found:
                return found
        return next(filter(None, (self.source_of(path, directory) for path in paths)), None)

    def _first(self, directory: str, named: tuple[str, ...]) -> str | None:
        for name in named:
            path = join_path(directory, name)
            found = (find_file(self._tree, path) or find_index(self._tree, path)) if path else None
            if found:
                return found
        return None

    def _sources(self, path: str, directory: str) -> Iterator[str]:
        """Yield the paths, without extension, that a built file may have been made of."""
        stem = split_suffix(path)[0]
        for options in self._configs.of_directory(directory):
            for out in (options.declaration_dir, options.out_dir):
                rest = _below(stem, out) if out is not None and out != directory else None
                if rest is None:
                    continue
                roots = (options.root_dir,) if options.root_dir is not None else (join(directory, "src"), directory)
                for root in roots:
                    yield join(root, rest)
        parts = (stem[len(directory) + 1 :] if directory else stem).split("/")
        if parts[0] not in _BUILD:
            return
        parts = parts[1:]
        while True:
            for root in _ROOTS:
                yield join(directory, root, *parts) if parts else join(directory, root, "index")
            if not parts or parts[0] not in _FORMATS:
                break
            parts = parts[1:]
        if parts and not parts[1:] and parts[0].partition(".")[0] == basename(directory):
            # Bundlers name the whole package's output after it: `dist/reactivity.cjs.js`.
            yield join(directory, "src/index")

    def _unflavoured(self, path: str) -> str | None:
        """Return the source file of a module path, which may end in the flavour of a build: `index.cjs`."""
        while True:
            found = find_file(self._tree, path) or find_index(self._tree, path)
            stem, dot, flavour = path.rpartition(".")
            if found or not dot or flavour not in _FLAVOURS or not basename(stem):
                return found
            path = stem


def _below(path: str, directory: str) -> str | None:
    """Return a path as seen from a directory above it; None where the directory is not above it."""
    if not directory:
        return path
    if path == directory:
        return "index"
    return path[len(directory) + 1 :] if path.startswith(directory + "/") else None
