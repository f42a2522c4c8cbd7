"""Finds the `tsconfig.json` that holds a file and what it says with all it extends.

Nothing is kept between calls but what `Tree.config` keeps: an answer is only as old as the files it was made of.
"""

import functools
from collections.abc import Iterable, Iterator
from posixpath import dirname, join, relpath

import msgspec

from memoire.languages.typescript.files import join_path
from memoire.languages.typescript.manifest import targets
from memoire.languages.typescript.tsconfig import (
    HERE,
    Alias,
    Glob,
    TsConfig,
    best_alias,
    excludes,
    includes,
    parse_tsconfig,
)
from memoire.languages.typescript.workspaces import find_package, manifest_of
from memoire.tree import Tree

_NAMES = ("tsconfig.json", "jsconfig.json")
_EVERYTHING: tuple[Glob, ...] = (("**", "*"),)
_NEVER = frozenset({"node_modules", "bower_components", "jspm_packages"})
Selection = tuple[str, tuple[Glob, ...]]
"""A directory and patterns relative to it."""

MAX_CONFIGS = 100
"""Configurations read for one answer."""


class Options(msgspec.Struct, frozen=True, cache_hash=True):
    """What a configuration says with all it extends; paths are relative to the project root. None = it does not say."""

    path: str
    base_url: str | None = None
    aliases: tuple[Alias, ...] | None = None
    aliases_base: str | None = None
    """The directory of the file that says `aliases`: where their targets start without a `base_url`."""
    root_dirs: tuple[str, ...] | None = None
    root_dir: str | None = None
    out_dir: str | None = None
    declaration_dir: str | None = None
    module_suffixes: tuple[str, ...] | None = None
    files: tuple[str, ...] | None = None
    include: tuple[Selection, ...] | None = None
    exclude: tuple[Selection, ...] | None = None

    def targets(self, specifier: str) -> list[str]:
        """Return the paths that `paths` maps a specifier to, best first; empty where it maps none."""
        found = []
        base = self.base_url if self.base_url is not None else self.aliases_base
        for target in best_alias(self.aliases or (), specifier):
            path = _placed(target, base or "", dirname(self.path))
            if path:
                found.append(path)
        return found


@functools.lru_cache(maxsize=8192)
def is_held(options: Options, path: str) -> bool:
    """Return whether a configuration is one for the file at a path."""
    if options.files is not None and path in options.files:
        return True
    if options.include is not None:
        selected = any(includes(globs, _relative(path, directory)) for directory, globs in options.include)
    else:
        selected = options.files is None and includes(_EVERYTHING, _relative(path, dirname(options.path)))
    if not selected or not _NEVER.isdisjoint(path.split("/")):
        return False
    if options.exclude is not None:
        return not any(excludes(globs, _relative(path, directory)) for directory, globs in options.exclude)
    return not any(out and path.startswith(out + "/") for out in (options.out_dir, options.declaration_dir))


def _relative(path: str, directory: str) -> Glob:
    if not directory:
        return tuple(path.split("/"))
    if path.startswith(directory + "/"):
        return tuple(path[len(directory) + 1 :].split("/"))
    return tuple(relpath(path, directory).split("/"))


def _placed(value: str, directory: str, leaf: str) -> str | None:
    """Return the path a configuration names, as seen from the project root; None outside the project."""
    if value.startswith(HERE):
        return join_path(leaf, value.removeprefix(HERE).lstrip("/"))
    return join_path(directory, value)


def _selection(globs: tuple[Glob, ...], directory: str, leaf: str) -> tuple[Selection, ...]:
    here = tuple(glob[1:] for glob in globs if glob[:1] == (HERE,))
    rest = tuple(glob for glob in globs if glob[:1] != (HERE,))
    return ((directory, rest), (leaf, here)) if here else ((directory, rest),)


@functools.lru_cache(maxsize=1024)
def _own(config: TsConfig, path: str, leaf: str) -> Options:
    """Return what one file says itself; `leaf` is the directory of the configuration that extends it."""
    directory = dirname(path)

    def place(value: str | None) -> str | None:
        return None if value is None else _placed(value, directory, leaf)

    def place_all(values: Iterable[str] | None) -> tuple[str, ...] | None:
        return None if values is None else tuple(placed for value in values if (placed := place(value)) is not None)

    return Options(
        path,
        base_url=place(config.base_url),
        aliases=config.aliases,
        aliases_base=None if config.aliases is None else directory,
        root_dirs=place_all(config.root_dirs),
        root_dir=place(config.root_dir),
        out_dir=place(config.out_dir),
        declaration_dir=place(config.declaration_dir),
        module_suffixes=config.module_suffixes,
        files=None if config.files is None else place_all("/".join(glob) for glob in config.files),
        include=None if config.include is None else _selection(config.include, directory, leaf),
        exclude=None if config.exclude is None else _selection(config.exclude, directory, leaf),
    )


@functools.lru_cache(maxsize=1024)
def _over(base: Options, own: Options) -> Options:
    """Return what `own` says, and what it does not say as `base` says it."""
    said = msgspec.structs.asdict(own)
    return msgspec.structs.replace(base, **{field: value for field, value in said.items() if value is not None})


class Configs:
    """The configurations one answer looks at: each is read and merged once. Made for one call, then dropped."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._merged: dict[tuple[str, str], Options | None] = {}

    def for_file(self, path: str) -> Iterator[Options]:
        """Yield the configurations that may speak for a file: those that hold it, nearest first, then the others.

        A file that no configuration holds (a test that the build leaves out) is still written with an alias in mind:
        its test runner or bundler reads the nearest configuration.
        """
        others: list[Options] = []
        for config in self._tree.above(dirname(path), _NAMES):
            options = self._options(config)
            if options is None:
                continue
            if is_held(options, path):
                yield options
                continue
            referenced = self._referenced(options.path)
            holder = next((candidate for candidate in referenced if is_held(candidate, path)), None)
            if holder:
                yield holder
            others += [options, *(candidate for candidate in referenced if candidate is not holder)]
        yield from others

    def of_directory(self, directory: str) -> Iterator[Options]:
        """Yield the configurations of the package in a directory: they say where what is built came from."""
        for name in (*_NAMES, "tsconfig.build.json", "tsconfig.lib.json", "tsconfig.prod.json"):
            options = self._options(join(directory, name))
            if options:
                yield options
                yield from self._referenced(options.path)

    def _referenced(self, path: str) -> list[Options]:
        """Return the configurations that a solution-style configuration refers to, and those that they refer to."""
        found: list[Options] = []
        seen = {path}
        todo = [path]
        while todo and len(self._merged) < MAX_CONFIGS:
            current = todo.pop()
            config = self._read(current)
            for reference in config.references if config else ():
                target = join_path(dirname(current), reference)
                if target is None:
                    continue
                target = target if target.endswith(".json") else join(target, "tsconfig.json")
                options = None if target in seen else self._options(target)
                seen.add(target)
                if options:
                    found.append(options)
                    todo.append(target)
        return found

    def _read(self, path: str) -> TsConfig | None:
        config: TsConfig | None = self._tree.config(path, parse_tsconfig)
        return config

    def _options(self, path: str) -> Options | None:
        return self._merge(path, dirname(path))

    def _merge(self, path: str, leaf: str) -> Options | None:
        """Return what one file says over what it extends, for the configuration in the directory `leaf`."""
        key = (path, leaf)
        if key in self._merged:
            return self._merged[key]
        config = self._read(path) if len(self._merged) < MAX_CONFIGS else None
        if config is None:
            return None
        # Written before its bases are read: a configuration that extends itself extends nothing.
        self._merged[key] = None
        own = _own(config, path, leaf)
        options = None
        for extended in config.extends[:MAX_CONFIGS]:
            base = self._extended(path, extended)
            merged = self._merge(base, leaf) if base else None
            if merged:
                options = _over(options, merged) if options else merged
        self._merged[key] = options = _over(options, own) if options else own
        return options

    def _extended(self, path: str, specifier: str) -> str | None:
        """Return the configuration that `extends` names: a path, or a file of one of the project's own packages."""
        tree = self._tree
        if specifier.startswith("."):
            target = join_path(dirname(path), specifier)
            return None if target is None else next(filter(tree.is_file, (target, target + ".json")), None)
        parts = specifier.split("/")
        length = 2 if specifier.startswith("@") else 1
        manifest_path = find_package(tree, path, "/".join(parts[:length]))
        if manifest_path is None:
            return None
        directory, sub = dirname(manifest_path), "/".join(parts[length:])
        manifest = manifest_of(tree, directory)
        offered = targets(manifest.exports, f"./{sub}" if sub else ".") if manifest and manifest.exports else None
        named = [sub, f"{sub}.json", f"{sub}/tsconfig.json"] if sub else [manifest.tsconfig if manifest else ""]
        paths = [
            join_path(directory, name) for name in (*(offered or ()), *named, "" if sub else "tsconfig.json") if name
        ]
        return next((target for target in paths if target and tree.is_file(target)), None)
