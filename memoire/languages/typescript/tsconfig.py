"""Reads `tsconfig.json` and `jsconfig.json`: what one file says. Pure; `configs` follows `extends` and `references`.

Source: https://www.typescriptlang.org/tsconfig (baseUrl, paths, rootDirs, outDir, files, include, exclude, references)
and TypeScript's `matchPatternOrExact`.
"""

from collections.abc import Mapping, Sequence

import msgspec

from memoire.languages.typescript.globs import matches_glob, split_glob
from memoire.languages.typescript.jsonc import JSON, object_of, parse_object, strings, text_of

HERE = "${configDir}"
"""Stands for the directory of the configuration that extends, not of the one that says it (TypeScript 5.5)."""
MAX_PATTERNS = 5_000

Glob = tuple[str, ...]
"""A path or pattern, split at the slashes."""


class Alias(msgspec.Struct, frozen=True, cache_hash=True):
    """One entry of `paths`."""

    before: str
    """What precedes the `*`; the whole key without one."""
    after: str = ""
    is_exact: bool = False
    targets: tuple[str, ...] = ()

    def rest(self, specifier: str) -> str | None:
        """Return what the `*` stands for in a specifier; None where it does not match."""
        if self.is_exact:
            return "" if specifier == self.before else None
        if len(specifier) < len(self.before) + len(self.after):
            return None
        if specifier.startswith(self.before) and specifier.endswith(self.after):
            return specifier[len(self.before) : len(specifier) - len(self.after)]
        return None


class TsConfig(msgspec.Struct, frozen=True, cache_hash=True):
    """What one configuration file says itself; None = it says nothing of that."""

    extends: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    base_url: str | None = None
    aliases: tuple[Alias, ...] | None = None
    """Exact ones first, then by the length of what precedes the `*`, longest first: the first match is the best."""
    root_dirs: tuple[str, ...] | None = None
    root_dir: str | None = None
    out_dir: str | None = None
    declaration_dir: str | None = None
    module_suffixes: tuple[str, ...] | None = None
    files: tuple[Glob, ...] | None = None
    include: tuple[Glob, ...] | None = None
    exclude: tuple[Glob, ...] | None = None


def parse_tsconfig(data: bytes) -> TsConfig:
    """Return what a configuration file says.

    Raises:
        ValueError: It holds no JSON object.
    """
    raw = parse_object(data)
    options = object_of(raw.get("compilerOptions"))
    references = raw.get("references")
    paths = options.get("paths")
    return TsConfig(
        extends=strings(raw.get("extends")),
        references=tuple(
            text_of(object_of(item).get("path")) for item in (references if isinstance(references, list) else ())
        ),
        base_url=_text(options, "baseUrl"),
        aliases=_aliases(paths) if isinstance(paths, dict) else None,
        root_dirs=_list(options, "rootDirs"),
        root_dir=_text(options, "rootDir"),
        out_dir=_text(options, "outDir"),
        declaration_dir=_text(options, "declarationDir"),
        module_suffixes=_list(options, "moduleSuffixes"),
        files=_globs(raw, "files"),
        include=_globs(raw, "include"),
        exclude=_globs(raw, "exclude"),
    )


def _text(raw: Mapping[str, JSON], key: str) -> str | None:
    value = raw.get(key)
    return value if isinstance(value, str) else None


def _list(raw: Mapping[str, JSON], key: str) -> tuple[str, ...] | None:
    value = raw.get(key)
    return strings(value) if isinstance(value, list) else None


def _globs(raw: Mapping[str, JSON], key: str) -> tuple[Glob, ...] | None:
    patterns = _list(raw, key)
    if patterns is None:
        return None
    return tuple(split_glob(pattern) for pattern in patterns[:MAX_PATTERNS])


def _aliases(paths: Mapping[str, JSON]) -> tuple[Alias, ...]:
    found = []
    for key, value in list(paths.items())[:MAX_PATTERNS]:
        before, star, after = key.partition("*")
        if "*" not in after:
            found.append(Alias(before, after, not star, strings(value)))
    return tuple(sorted(found, key=lambda alias: (not alias.is_exact, -len(alias.before))))


def best_alias(aliases: tuple[Alias, ...], specifier: str) -> tuple[str, ...]:
    """Return the targets of the best match for a specifier, `*` filled in; empty without a match."""
    for alias in aliases:
        rest = alias.rest(specifier)
        if rest is not None:
            return tuple(target.replace("*", rest, 1) for target in alias.targets)
    return ()


def includes(patterns: Sequence[Glob], path: Glob) -> bool:
    """Return whether `include` patterns cover a path, both relative to the configuration's directory.

    A pattern that ends in a plain name covers all below that directory.
    """
    return any(
        _covers(pattern, path) or (_is_directory(pattern) and _covers((*pattern, "**"), path)) for pattern in patterns
    )


def excludes(patterns: Sequence[Glob], path: Glob) -> bool:
    """Return whether `exclude` patterns cover a path or a directory above it."""
    return any(_covers(pattern, path) or _covers((*pattern, "**"), path) for pattern in patterns)


def _is_directory(pattern: Glob) -> bool:
    return not pattern or not any(char in ".*?" for char in pattern[-1])


def _covers(pattern: Glob, path: Glob) -> bool:
    up = 0
    while path[up] == "..":
        if pattern[up : up + 1] != ("..",):
            return False
        up += 1
    return pattern[up : up + 1] != ("..",) and matches_glob(pattern[up:], path[up:])
