"""The names that imports bind where no statement says them: of modules called unlike their paths, of heads of paths."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from memoire.extract.regions import outermost, span_at
from memoire.extract.rows import Rows
from memoire.model import Import

OR = "|"
"""Joins the names of which an import binds one, in the alias that `Syntax.read_import` gives: it is taken to be the
first that the file uses, else the last."""


_USED = re.compile(rb"(?<![\w./\x80-\xff-])([\w\x80-\xff]++)\s*+\.")


def with_one_alias(items: Iterable[Import], src: bytes) -> Iterator[Import]:
    """Yield imports that bind one name: the first of those each may bind that the source uses, else the last."""
    used: set[bytes] | None = None
    for item in items:
        if OR not in item.alias:
            yield item
            continue
        used = set(_USED.findall(src)) if used is None else used
        names = item.alias.split(OR)
        alias = next((name for name in names if name.encode() in used), names[-1])
        yield msgspec.structs.replace(item, alias=alias)


def head_imports(
    rows: Rows, imports: Iterable[Import], names: Iterable[bytes], reserved: frozenset[str]
) -> Iterator[Import]:
    """Yield an import of each module that a path begins with and nothing in the file is called like.

    Args:
        rows: What the file holds.
        imports: Its imports.
        names: The names of its definitions.
        reserved: See `Syntax.reserved`.
    """
    known = reserved | {item.alias for item in imports} | {name.decode("utf-8", "replace") for name in names}
    hidden = outermost(rows.hidden)
    for text, nodes in rows.heads.items():
        name = text.decode("utf-8", "replace")
        free = (node for node in nodes if span_at(hidden, node.start_byte) is None)
        first = next(free, None) if name not in known else None
        if first is not None:
            yield Import(name, "", name, first.start_point[0] + 1, "implicit")


def expanded(imports: Iterable[Import]) -> list[Import]:
    """Return imports with the first name of each module replaced by what an import before it binds to that name."""
    known: dict[str, str] = {}
    found: list[Import] = []
    for item in imports:
        head, dot, rest = item.specifier.partition(".")
        full = known.get(head)
        if full is not None and full != item.specifier:
            item = msgspec.structs.replace(item, specifier=f"{full}{dot}{rest}")  # noqa: PLW2901 - said in full
        if item.alias and not item.name:
            known[item.alias] = item.specifier
        found.append(item)
    return found
