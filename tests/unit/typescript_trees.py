"""Trees written as literals for the tests of TypeScript's resolution."""

import json
from collections.abc import Mapping
from typing import Any

from memoire.languages.typescript.resolution import resolve
from memoire.tree import Tree


def tree_of(*paths: str) -> Tree:
    """Return a tree of empty files."""
    return tree_with({}, *paths)


def tree_with(contents: Mapping[str, Any], *paths: str) -> Tree:
    """Return a tree of files: `contents` by path (text, bytes, or a value written as JSON), the others empty."""
    data = {path: _bytes(content) for path, content in contents.items()}
    tree = Tree(data.get)
    tree.update([*contents, *paths])
    return tree


def _bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def answer(tree: Tree, path: str, specifier: str) -> str:
    """Return what a specifier names: the path of a file, else `kind:name`."""
    target = resolve(tree, path, specifier)
    return target.path if target.kind == "file" else f"{target.kind}:{target.path}"
