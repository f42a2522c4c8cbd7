"""Finds the variables of a module: the first assignment to each name outside of functions and classes."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from memoire.extract.regions import Raw, apart, outermost
from memoire.extract.rows import Rows
from memoire.extract.spec import Syntax
from memoire.extract.stretches import Part
from memoire.model import CLASS_KINDS

_BOUNDS = CLASS_KINDS | {"function", "method", "namespace", "signature"}


class Found(NamedTuple):
    """The variables of a module."""

    raw: list[Raw]
    held: dict[int, tuple[Part | None, Part | None]]
    """Start of a variable -> its annotation and its value."""


def variables(rows: Rows, syntax: Syntax, src: bytes, raw: Iterable[Raw], taken: Iterable[bytes]) -> Found:
    """Return the variables of a module as definitions.

    Args:
        rows: What its tree holds.
        syntax: Its language.
        src: Its source.
        raw: Its other definitions.
        taken: Names that are bound to something else.
    """
    bounds = [(item[0], item[1]) for item in raw if item[2] in _BOUNDS]
    bounds = outermost(bounds + [(region.start, region.end) for region in rows.regions])
    is_uncaptured = re.compile(syntax.uncaptured.encode()).match if syntax.uncaptured else None
    mark = syntax.variable_mark.encode() or None
    found: dict[bytes, Raw] = {}
    held: dict[int, tuple[Part | None, Part | None]] = {}
    used = set(taken)
    position = 0
    end = 0
    for left, annotation, right in sorted(rows.binds, key=lambda bind: bind[0].start_byte):
        start = left.start_byte
        while position < len(bounds) and bounds[position][0] <= start:
            end = max(end, bounds[position][1])
            position += 1
        if start < end or left.type not in syntax.name_nodes or left.is_missing or start in rows.items:
            continue
        name = src[start : left.end_byte]
        if name in used or (is_uncaptured and is_uncaptured(name) and not (mark and name.startswith(mark))):
            continue  # the latter is known to its own file alone
        used.add(name)
        last = right or annotation or left
        held[start] = (annotation, right)
        found[name] = (start, last.end_byte, "variable", name, [], None, None, start)
    return Found(apart(list(found.values())), held)
