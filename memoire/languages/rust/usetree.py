"""Reads the tree of names of a `use` declaration: `a::{b, c as d, self, e::*}`. Pure.

Source: the Rust reference, "Use declarations".
"""

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"r#(?=\w)|\w+|::|[{},*]")
MAX_DEPTH = 32
"""Braces within braces that are read."""


def use_tree(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (path, name, local name) of every name that a tree brings.

    The name is `*` for all names of the path; the local name is empty where none is bound: `as _`, `*`.
    """
    yield from _branches([found for found in _TOKEN.findall(_COMMENT.sub(" ", text)) if found != "r#"], [], 0)


def _branches(tokens: list[str], path: list[str], depth: int) -> Iterator[tuple[str, str, str]]:
    for branch in filter(None, _split(tokens)):
        yield from _branch(branch, path, depth)


def _split(tokens: list[str]) -> Iterator[list[str]]:
    """Yield what stands between the commas outside of braces."""
    part: list[str] = []
    depth = 0
    for word in tokens:
        depth += (word == "{") - (word == "}")
        if word == "," and not depth:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _branch(tokens: list[str], above: list[str], depth: int) -> Iterator[tuple[str, str, str]]:
    path = list(above)
    at = 0
    while at < len(tokens) and tokens[at] not in {"{", "*", "as"}:
        if tokens[at] != "::":
            path.append(tokens[at])
        at += 1
    following = tokens[at] if at < len(tokens) else ""
    if following == "{":
        if depth < MAX_DEPTH:
            yield from _branches(tokens[at + 1 : -1], path, depth + 1)
    elif following == "*":
        yield "::".join(path), "*", ""
    elif path:
        if path[-1] == "self" and len(path) > 1:
            path.pop()  # `a::{self}` brings a itself
        name = path.pop()
        local = tokens[at + 1] if following == "as" and at + 1 < len(tokens) else name
        yield "::".join(path), name, "" if local == "_" else local
