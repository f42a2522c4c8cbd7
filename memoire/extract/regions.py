"""Lays out the scopes of one file: its definitions, and the functions and blocks without a name between them."""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tree_sitter import Node

from memoire.extract.stretches import Part

FUNCTIONS = frozenset({"function", "method"})
_SHELTERS = frozenset({"function", "method", "class"})
_SETTLED = frozenset({"signature", "member", "taken", "declaration", "table"})


class Region(NamedTuple):
    """A stretch of source that binds names of its own and has none."""

    start: int
    end: int
    is_function: bool
    """False for a block: what is hoisted passes it by."""


Raw = tuple[int, int, str, bytes, list[Part], Part | None, Node | None, int]
"""One definition as matched: (start, end, kind, name, bases, returns, body, start without its decorators)."""


class Layout(NamedTuple):
    """Where the innermost scope changes. A scope is the index of a definition, or one beyond them for a region."""

    starts: list[int]
    scopes: list[int]
    """The innermost scope from each start on; -1 = module."""
    parents: list[int]
    """Scope -> the scope around it."""
    holders: list[int]
    """Scope -> the definition that it is or lies in; the last entry is -1, for the module."""
    blocks: frozenset[int]
    """Scopes that hoisted names pass by."""
    region_count: int
    """How many scopes, the last ones, are regions; each comes behind the region around it."""
    passed: dict[int, int]
    """Block -> the innermost scope around it that is none, as far as it was asked for."""

    def at(self, offset: int) -> int:
        """Return the innermost scope at an offset; -1 = module."""
        return self.scopes[bisect_right(self.starts, offset) - 1]

    def hoisted(self, offset: int) -> int:
        """Return the innermost scope at an offset that is no block."""
        scope = inner = self.at(offset)
        while scope in self.blocks:
            scope = self.passed[scope] if scope in self.passed else self.parents[scope]
        if inner != scope:
            self.passed[inner] = scope
        return scope


def lay_out(spans: Sequence[tuple[int, int]], kinds: Sequence[str], found: Iterable[Region]) -> Layout:
    """Return the layout of definitions and regions. Variables are no scopes.

    A region that ends where the function around it ends is that function's own body: its names are the function's.
    """
    regions = sorted(found, key=lambda region: (region.start, -region.end))
    items = [(start, -end, scope) for scope, (start, end) in enumerate(spans) if kinds[scope] != "variable"]
    count = len(spans)
    items += [(region.start, -region.end, count + index) for index, region in enumerate(regions)]
    items.sort()
    parents = [-1] * (count + len(regions))
    holders = [*range(count), *([-1] * (len(regions) + 1))]
    layout = Layout([0], [-1], parents, holders, _blocks(count, regions), len(regions), {})
    stack: list[tuple[int, int]] = []
    for start, negative_end, scope in items:
        end = -negative_end
        while stack and stack[-1][0] <= start:
            _close(layout, stack)
        around = stack[-1][1] if stack else -1
        if scope >= count and stack and stack[-1][0] == end and _is_function(around, kinds, regions):
            continue
        parents[scope] = around
        if scope >= count:
            holders[scope] = holders[around]
        layout.starts.append(start)
        layout.scopes.append(scope)
        stack.append((end, scope))
    while stack:
        _close(layout, stack)
    return layout


def _close(layout: Layout, stack: list[tuple[int, int]]) -> None:
    end, _ = stack.pop()
    layout.starts.append(end)
    layout.scopes.append(stack[-1][1] if stack else -1)


def _blocks(count: int, regions: Sequence[Region]) -> frozenset[int]:
    return frozenset(count + index for index, region in enumerate(regions) if not region.is_function)


def _is_function(scope: int, kinds: Sequence[str], regions: Sequence[Region]) -> bool:
    return kinds[scope] in FUNCTIONS if scope < len(kinds) else regions[scope - len(kinds)].is_function


def outermost(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans, sorted, that lie in no other."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def apart(variables: list[Raw]) -> list[Raw]:
    """Return variables sorted by place, each ending before the next: the values of `a, b = 1, 2` stand behind both."""
    ends = [after[0] for after in variables[1:]] + [sys.maxsize] * bool(variables)
    return [
        item if item[1] <= end else (item[0], item[0] + len(item[3]), *item[2:])
        for item, end in zip(variables, ends, strict=True)
    ]


def clipped(raw: list[Raw]) -> list[Raw]:
    """Return the sorted definitions, those that reach beyond the one they begin in cut: around errors some do."""
    ends: list[int] = []
    found: list[Raw] = []
    for item in raw:
        while ends and ends[-1] <= item[0]:
            ends.pop()
        end = min(item[1], ends[-1]) if ends else item[1]
        ends.append(end)
        found.append(item if end == item[1] else (item[0], end, *item[2:]))
    return found


MAX_LEVELS = 24
"""Levels of definitions that are told apart: what lies deeper belongs to the last of them. Nobody writes so many, and
names are looked for in each level around their use."""


def shallow(raw: list[Raw]) -> tuple[list[Raw], int]:
    """Return the definitions of `clipped` without those that lie too deep, and how many these are."""
    ends: list[int] = []
    found: list[Raw] = []
    for item in raw:
        while ends and ends[-1] <= item[0]:
            ends.pop()
        ends.append(item[1])
        if len(ends) <= MAX_LEVELS:
            found.append(item)
    return found, len(raw) - len(found)


def span_at(spans: Sequence[tuple[int, int]], offset: int) -> tuple[int, int] | None:
    """Return the span, of some that do not overlap in their order, that holds an offset; None where none does."""
    at = bisect_right(spans, offset, key=_start) - 1
    return spans[at] if at >= 0 and offset < spans[at][1] else None


def _start(span: tuple[int, int]) -> int:
    return span[0]


MAX_NAME = 1_000
"""Characters of a qualified name from which those inside it are no longer added to it: a thousand levels are read."""


def qualified(around: str, name: str) -> str:
    """Return the name of a definition with that of the definition around it, empty at the top."""
    return f"{around}.{name}" if around and len(around) < MAX_NAME else name


class Conditions:
    """Where code does not always run.

    Args:
        guarded: (start, end, condition).
        tried: (start, end) of what is tried.
    """

    def __init__(self, guarded: Sequence[tuple[int, int, bytes]], tried: Sequence[tuple[int, int]]) -> None:
        self._conditions = {(start, end): condition for start, end, condition in guarded}
        self._guarded, self._tried = outermost(list(self._conditions)), outermost(tried)

    def at(self, offset: int) -> bytes | None:
        """Return the outermost condition of the code at an offset, empty in a `try`; None where it always runs."""
        guarded = span_at(self._guarded, offset)
        if guarded is not None:
            return self._conditions[guarded]
        return b"" if span_at(self._tried, offset) is not None else None


def namespaces(packages: Sequence[tuple[int, bytes]], end: int) -> list[Raw]:
    """Return the packages of a file that has several, as namespaces that reach from each to the next.

    Args:
        packages: (start, name).
        end: Where the file ends.
    """
    if len(packages) < 2:
        return []
    items = sorted(packages)
    ends = [*(start for start, _ in items[1:]), end]
    return [
        (start, last, "namespace", name, [], None, None, start) for (start, name), last in zip(items, ends, strict=True)
    ]


def settle(raw: list[Raw], regions: set[Region]) -> list[Raw]:
    """Return the sorted definitions with the kinds that only their place tells made definite, or left out.

    - `signature`: before the same name it is an overload of it; any other is a function;
    - `member`: a function of an object is a method in a class, and where the object stands at the top of the module,
      for there it is reached by name; elsewhere it is a region;
    - `declaration`: in a function it is a variable that only looks like one: `Server server(options);`;
    - `table`: an object is a class where functions are given to it by name, `function Table.run()`; else a variable;
    - `taken`: a name taken out of something by a pattern is a variable at the top of the module.
    """
    found: list[Raw] = []
    owners = {item[3].rpartition(b".")[0] for item in raw if b"." in item[3]}
    stack: list[tuple[int, str]] = []
    items = [(item[0], -item[1], 1, index) for index, item in enumerate(raw)]
    items += [(region.start, -region.end, 0, -1) for region in regions if region.is_function]
    for start, negative_end, _, index in sorted(items):
        while stack and stack[-1][0] <= start:
            stack.pop()
        around = stack[-1][1] if stack else ""
        item = raw[index] if index >= 0 else None
        kind = "function" if item is None else item[2]
        if item is not None and kind in _SETTLED:
            kind = _kind(item, raw[index + 1] if index + 1 < len(raw) else None, around)
            if item[2] == "table" and item[3] in owners:
                kind = "class"
            if kind:
                found.append((*item[:2], kind, *item[3:]))
            elif item[2] == "member":
                regions.add(Region(start, -negative_end, is_function=True))
                kind = "function"
        elif item is not None:
            found.append(item)
        if kind in _SHELTERS:
            stack.append((-negative_end, kind))
    return found


def _kind(item: Raw, following: Raw | None, around: str) -> str:
    """Return the definite kind of a definition inside a function or class (`around`), empty where it is none."""
    if item[2] == "signature":
        is_overload = following is not None and following[3] == item[3] and following[0] >= item[1]
        return "" if is_overload else "function"
    if item[2] == "member":
        return "method" if around in {"", "class"} else ""
    if item[2] == "declaration":
        return "" if around in FUNCTIONS else "declaration"
    return "" if around else "variable"


def inherit(raw: list[Raw], heirs: Iterable[tuple[bytes, Node]]) -> None:
    """Give classes the bases that other statements of the file name: `setmetatable(Heir, { __index = Base })`."""
    named = {item[3]: item for item in reversed(raw) if b"." not in item[3]}
    for name, base in heirs:
        if name in named and base.text != name:
            named[name][4].append(base)


def line_starts(src: bytes) -> list[int]:
    """Return the offset of the first byte of every line."""
    starts = [0]
    find = src.find
    at = find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = find(b"\n", at + 1)
    return starts


def once(raw: list[Raw]) -> list[Raw]:
    """Return the definitions sorted by place, of several matches of one node the first that says the most.

    One with a body says more, and one that names the type it belongs to; a test is called like none of the others, and
    a variable of a class is none outside of it.
    """
    tests = {item[0] for item in raw if item[2] == "test"}
    raw = [item for item in raw if item[0] not in tests or item[2] == "test"]
    members = {item[0] for item in raw if item[2] == "variable"}
    raw = [item for item in raw if item[2] != "outer" or item[0] not in members]
    found: dict[tuple[int, int], Raw] = {}
    for item in raw:
        known = found.get(item[:2])
        if known is None or (known[6] is not None, b"." in known[3]) < (item[6] is not None, b"." in item[3]):
            found[item[:2]] = item
    return sorted(found.values(), key=lambda item: (item[0], -item[1]))
