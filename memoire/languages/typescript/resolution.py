"""Resolves what a JavaScript or TypeScript file imports, as compilers, Node, Deno and bundlers do.

Truth is TypeScript's own answer, widened where TypeScript needs an installed or built project: a workspace package is
found by its name, a built file by its source, an alias that only a bundler knows by convention. Each widening ends in
a file that is in the tree, never in a guess.
"""

from collections.abc import Iterable
from posixpath import dirname, join

from memoire.languages.typescript.configs import Configs, Options
from memoire.languages.typescript.denomaps import mapped
from memoire.languages.typescript.entries import Entries
from memoire.languages.typescript.externals import builtin, external, scheme_of, schemed, split_package
from memoire.languages.typescript.files import find_file, join_path, order_of
from memoire.languages.typescript.manifest import targets
from memoire.languages.typescript.workspaces import find_package, manifest_of, package_directory
from memoire.model import Target
from memoire.tree import Tree

MAX_LENGTH = 1000
"""A longer specifier names nothing."""
MAX_HOPS = 8
"""`imports` and import maps may name a bare specifier again: more hops than this are a cycle."""

_CONVENTIONS: dict[str, tuple[str, ...]] = {
    "@/": ("src", "app", "", "resources/js"),
    "~/": ("src", "app", ""),
    "@@/": ("",),
    "~~/": ("",),
    "$lib/": ("src/lib",),
    "src/": ("src",),
}
"""Prefix -> directories of the package it stands for where no configuration says: Vite, Nuxt, Laravel, SvelteKit."""


def resolve(tree: Tree, path: str, specifier: str) -> Target:
    """Return what a specifier names in the file at a path.

    `file` with a path of the tree; `builtin` with `node:fs`; `package` with its name, subpath and version dropped;
    `unresolved` with the specifier.
    """
    written = specifier.rpartition("!")[2]  # loaders of old bundlers: `raw-loader!./x.txt`
    written = written[:1] + written[1:].partition("?")[0]
    if not written or len(written) > MAX_LENGTH or "\0" in written:
        return Target("unresolved", specifier)
    found = _Resolution(tree, path).target(written, 0)
    return Target("unresolved", specifier) if found is None else found


class _Resolution:
    """One importing file's view of the tree; made for one call, then dropped."""

    def __init__(self, tree: Tree, path: str) -> None:
        self._tree = tree
        self._path = path
        self._configs = Configs(tree)
        self._entries = Entries(tree, self._configs, order_of(path), require=path.endswith((".cjs", ".cts")))

    def target(self, specifier: str, hops: int) -> Target | None:
        if specifier.startswith(("./", "../")) or specifier in {".", ".."}:
            return self._file(self._relative(specifier))
        if specifier.startswith("/"):
            return self._file(self._rooted(specifier))
        scheme = scheme_of(specifier)
        if scheme in {"npm", "jsr"}:
            name = specifier[len(scheme) + 1 :].lstrip("/")
            return self._own_package(name) or external(name)
        if scheme:
            return schemed(scheme, specifier)
        return self._bare(specifier, hops)

    def _file(self, path: str | None) -> Target | None:
        return Target("file", path) if path else None

    def _relative(self, specifier: str) -> str | None:
        base = join_path(dirname(self._path), specifier)
        if base is None:
            return None
        is_directory = specifier.endswith(("/", "/.", "/..")) or specifier in {".", ".."}
        found = self._entries.directory(base) if is_directory else self._entries.module(base)
        return found or self._through_options(base) or self._entries.source_of(base)

    def _through_options(self, base: str) -> str | None:
        """Return the file that `rootDirs` or `moduleSuffixes` put in place of one that is not there."""
        options = next(self._configs.for_file(self._path), None)
        if options is None:
            return None
        for suffix in (options.module_suffixes or ())[:MAX_LENGTH]:
            found = find_file(self._tree, base + suffix) if base and "/" not in suffix else None
            if found:
                return found
        roots = options.root_dirs or ()
        for root in roots:
            if root and not base.startswith(root + "/"):
                continue
            rest = base[len(root) + 1 :] if root else base
            for other in roots:
                found = self._entries.module(join(other, rest)) if other != root else None
                if found:
                    return found
        return None

    def _rooted(self, specifier: str) -> str | None:
        """Return the file below a served root: a package's directory or its `public`."""
        rest = specifier.lstrip("/")
        for directory in self._packages():
            for base in (directory, join(directory, "public")):
                path = join_path(base, rest)
                found = self._entries.module(path) if path else None
                if found:
                    return found
        return None

    def _packages(self) -> list[str]:
        """Return the directories of the packages around the file, nearest first, then the root."""
        found = map(dirname, self._tree.above(dirname(self._path), ("package.json",)))
        return list(dict.fromkeys([*found, ""]))

    def _bare(self, specifier: str, hops: int) -> Target | None:
        options = self._configs.for_file(self._path)
        return (
            self._aliased([first] if (first := next(options, None)) else (), specifier)
            or self._mapped(specifier, hops)
            or builtin(specifier)
            or self._own_package(specifier)
            or self._aliased(options, specifier)
            or self._file(self._by_convention(specifier))
            or external(specifier)
        )

    def _aliased(self, configs: Iterable[Options], specifier: str) -> Target | None:
        for options in configs:
            paths = options.targets(specifier)
            found = next(filter(None, map(self._entries.module, paths)), None)
            found = found or next(filter(None, map(self._entries.source_of, paths)), None)
            if not found and options.base_url is not None:
                path = join_path(options.base_url, specifier)
                found = self._entries.module(path) if path else None
            if found:
                return Target("file", found)
        return None

    def _mapped(self, specifier: str, hops: int) -> Target | None:
        """Return what the package's `imports` or an import map make of a specifier."""
        if hops >= MAX_HOPS:
            return None
        if specifier.startswith("#"):
            directory = package_directory(self._tree, self._path)
            manifest = None if directory is None else manifest_of(self._tree, directory)
            if directory is not None and manifest is not None:
                for target in targets(manifest.imports, specifier) or ():
                    found = self._step(directory, target, hops)
                    if found:
                        return found
        step = mapped(self._tree, self._path, specifier)
        return self._step(*step, hops) if step and step[1] != specifier else None

    def _step(self, directory: str, target: str, hops: int) -> Target | None:
        if not target.startswith("."):
            return self.target(target, hops + 1)
        path = join_path(directory, target)
        if path is None:
            return None
        return self._file(self._entries.module(path) or self._entries.source_of(path))

    def _own_package(self, specifier: str) -> Target | None:
        """Return what one of the project's own packages offers; the package itself where that is no file here."""
        package = split_package(specifier)
        manifest = find_package(self._tree, self._path, package[0]) if package else None
        if package is None or manifest is None:
            return None
        found = self._entries.package(manifest, package[1])
        return Target("file", found) if found else Target("package", package[0])

    def _by_convention(self, specifier: str) -> str | None:
        for prefix, directories in _CONVENTIONS.items():
            if not specifier.startswith(prefix):
                continue
            for package in self._packages():
                for directory in directories:
                    path = join_path(join(package, directory), specifier.removeprefix(prefix))
                    found = self._entries.module(path) if path else None
                    if found:
                        return found
        return None
