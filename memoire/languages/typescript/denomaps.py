"""Import maps of Deno: `imports` and `scopes` of `deno.json`, or of the file its `importMap` names.

Source: https://docs.deno.com/runtime/fundamentals/configuration/ and the import maps standard (exact key, else the
longest key that ends in `/`).
"""

from collections.abc import Iterator, Mapping
from posixpath import dirname

from memoire.languages.typescript.files import join_path
from memoire.languages.typescript.jsonc import JSON, object_of
from memoire.languages.typescript.manifest import Manifest, match_key, parse_manifest
from memoire.tree import Tree

_NAMES = ("deno.json", "deno.jsonc")
MAX_SCOPES = 1000


def mapped(tree: Tree, path: str, specifier: str) -> tuple[str, str] | None:
    """Return (directory, target) that the import maps above a file give for a specifier; None where they give none.

    The target is a path relative to the directory where it begins with a dot; else a specifier again.
    """
    for directory, table in _tables(tree, path):
        found = match_key(table, specifier)
        if found is None or "*" in found[0]:
            continue
        target = table[found[0]]
        if isinstance(target, str):
            return directory, target + found[1]
    return None


def _tables(tree: Tree, path: str) -> Iterator[tuple[str, Mapping[str, JSON]]]:
    """Yield (directory, table) of the import maps above a file, nearest first; its scopes before the rest."""
    for config in tree.above(dirname(path), _NAMES):
        manifest: Manifest | None = tree.config(config, parse_manifest)
        if manifest is None:
            continue
        directory = dirname(config)
        yield from _map(manifest, directory, path)
        target = join_path(directory, manifest.import_map) if manifest.import_map else None
        other: Manifest | None = tree.config(target, parse_manifest) if target else None
        if target and other:
            yield from _map(other, dirname(target), path)


def _map(manifest: Manifest, directory: str, path: str) -> Iterator[tuple[str, Mapping[str, JSON]]]:
    scopes = []
    for prefix, table in list(manifest.scopes.items())[:MAX_SCOPES]:
        scope = join_path(directory, prefix)
        if scope is not None and (not scope or path.startswith(scope.rstrip("/") + "/")):
            scopes.append((scope, object_of(table)))
    for _, scoped in sorted(scopes, key=lambda scope: -len(scope[0])):
        yield directory, scoped
    yield directory, manifest.imports
