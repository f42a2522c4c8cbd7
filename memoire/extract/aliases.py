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


def with_one_alias(item: Import, src: bytes) -> Import:
    """Return an import that binds one name: the first of those it may bind that the source uses, else the last."""
    if OR not in item.alias:
        return item
    names = item.alias.split(OR)
    used = (name for name in names if re.search(rb"(?<![\w./-])%s\s*\." % re.escape(name.encode()), src))
    return msgspec.structs.replace(item, alias=next(used, names[-1]))


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
