"""Finds the places of one masked source at which a chain of names may be used, and how: see `extract.uses`.

One pass of a regular expression finds all chains. Most are no use of anything known: they are told by their text, once
for each, and passed over without a step of the interpreter.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import compress
from typing import NamedTuple

from memoire.extract.regions import Layout, outermost
from memoire.extract.scopes import Resolver
from memoire.model import CALL, READ, TYPE

_KEYWORD = re.compile(rb"[ \t]*=(?![=>~])|\s*\??:(?!:)")
"""Behind a name that is not assigned: the name of a keyword argument or of a JSX attribute; with a colon, behind the
key of an object where one may stand."""
_LABELLED = b"{,;([\n"
"""What stands before the key of an object: in `a ? b : c` it is something else."""
_DOT, PAREN, _COLON = b".(:"
_RANGE, _SPREAD = b"..", b"..."
_CALLED, _OWN, _NAMED = 1, 2, 3
"""Shapes of a chain: it is called, it is an attribute of the instance itself, or anything else."""

Place = tuple[int, bytes, tuple[str, ...], int, int, int]
"""(innermost scope, chain, its names, start, end, how it is used)"""


class Marks(NamedTuple):
    """What is known of places in the source."""

    skipped: set[int]
    """Offsets of names that are no use: introduced, parameters, keys."""
    marked: dict[int, int]
    """Offset of chains that are assigned, inherited from or called -> how."""
    types: list[tuple[int, int]]
    """Spans of types: what is named there is not read when the code runs."""
    called: frozenset[int] = frozenset()
    """Offsets of classes of which instances are made."""


class Places:
    """Where the chains of one masked source are used.

    Args:
        resolver: The scopes.
        layout: Where the innermost scope changes.
        masked: The source with strings, comments and import statements blanked.
        marks: What is known of places in it.
    """

    def __init__(self, resolver: Resolver, layout: Layout, masked: bytes, marks: Marks) -> None:
        self._resolver = resolver
        self._chains = resolver.chains
        self._syntax = resolver.syntax
        self._layout = layout
        self._masked = masked
        self._marks = marks
        self._root = resolver.syntax.root_prefix.encode()
        self._ends = {separator[-1] for separator in self._chains.separators}
        self.followed = self._chains.followed_calls(masked)
        """Opening parenthesis of a call whose result is used by name -> offset of that name."""
        self.brackets = self._chains.followed_brackets(masked) if resolver.syntax.collection else {}
        """The same for brackets behind a name."""
        self._types = outermost(marks.types)
        self._type_starts = [start for start, _ in self._types]

    def of(self, names: set[bytes]) -> Iterator[Place]:
        """Yield the places of the chains that begin with one of some names, in their order."""
        starts, owners = self._layout.starts, self._owners(names)
        masked, ends = self._masked, self._ends
        skipped = self._marks.skipped | self._chains.spaced_members(masked)
        marked, called, brackets = self._marks.marked, self._marks.called, self.brackets
        last, position, owner = len(starts) - 1, 0, owners[0]
        found = list(self._chains.pattern.finditer(masked))
        texts = [each[0] for each in found]
        chains = self._known(set(texts), names)
        for each, chain in compress(zip(found, texts, strict=True), map(chains.__contains__, texts)):
            text, (links, shape) = chain, chains[chain]
            at, end = each.span()
            if at in called:
                text, shape = text + b"(", _CALLED
            if at in skipped or (shape == _OWN and at not in marked and end not in brackets):
                continue
            if at and masked[at - 1] in ends:
                if self._is_inner(at):
                    continue
                links, text = self._at_root(at, links, text)
            how = marked.get(at, CALL) if shape == _CALLED else self._how(at, end)
            if not how:
                continue
            while position < last and starts[position + 1] <= at:
                position += 1
                owner = owners[position]
            yield owner, text, links, at, end, how

    def _known(self, texts: set[bytes], names: set[bytes]) -> dict[bytes, tuple[tuple[str, ...], int]]:
        """Return the chains that may be a use of something known -> their names and shape."""
        names_of, head_of = self._chains.names, self._chains.head
        takes_all = self._resolver.star is not None
        keywords = {word.encode() for word in self._syntax.reserved} if takes_all else set()
        return {
            text: self._shape(text, names_of(text))
            for text in texts
            if (takes_all and text.rstrip(b"(") not in keywords) or head_of(text) in names
        }

    def _shape(self, text: bytes, links: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
        """Return the names of a chain, and what of how it is used shows in itself."""
        if text[-1] == PAREN:
            return links, _CALLED
        # An instance that reads its own attribute tells nothing between definitions.
        is_own = len(links) == 2 and links[0] in self._resolver.receivers and not self._syntax.member_mark
        return links, _OWN if is_own else _NAMED

    def _owners(self, names: set[bytes]) -> list[int]:
        """Return the scopes of the layout, a region that binds none of `names` as the scope around it."""
        first = len(self._layout.holders) - 1 - self._layout.region_count
        wanted = {name.decode("utf-8", "replace") for name in names}
        takes_all = self._resolver.star is not None
        merged = list(range(len(self._layout.parents)))
        # A region comes behind the one around it, so that one is merged already.
        for scope in range(first, len(merged)):
            bound = self._resolver.scopes[scope].names
            if (not bound) if takes_all else wanted.isdisjoint(bound):
                parent = self._layout.parents[scope]
                merged[scope] = merged[parent] if parent >= 0 else -1
        return [merged[scope] if scope >= 0 else -1 for scope in self._layout.scopes]

    def _how(self, at: int, end: int) -> int:
        """Return how a chain that is not called is used, 0 where it is no use."""
        how = self._marks.marked.get(at)
        if how is not None:
            return how
        masked = self._masked
        follows = _KEYWORD.match(masked, end) if self._syntax.has_keywords else None
        if follows and (masked[follows.end() - 1] != _COLON or self._is_label(at)):
            return 0
        if self._types:
            span = bisect_right(self._type_starts, at) - 1
            if span >= 0 and at < self._types[span][1]:
                return TYPE
        return READ

    def _is_label(self, at: int) -> bool:
        """Return whether a name before a colon is the key of an object."""
        if not self._syntax.has_labels:
            return False
        before = self._masked[max(0, at - 200) : at].rstrip(b" \t")
        return not before or before[-1] in _LABELLED

    def _is_inner(self, at: int) -> bool:
        """Return whether what stands before a name makes it an attribute of something: a range or a spread does not."""
        masked = self._masked
        if not masked.endswith(self._chains.separators, max(0, at - 2), at):
            return False
        if masked[at - 2 : at] == _RANGE and (_RANGE not in self._chains.separators or masked[at - 3 : at] == _SPREAD):
            return False  # where two dots join names, three spread what follows
        mark = self._root
        if mark and masked.endswith(mark, 0, at):
            before = masked[max(0, at - 80) : at - len(mark)].rstrip(b" ")[-1:]
            return before.isalnum() or before in {b"_", b">", b")", b"]"}
        return True

    def _at_root(self, at: int, links: tuple[str, ...], text: bytes) -> tuple[tuple[str, ...], bytes]:
        """Return a chain with the mark before it that says that its head is looked for outside of everything."""
        mark = self._root
        if not mark or not self._masked.endswith(mark, 0, at):
            return links, text
        return (mark.decode() + links[0], *links[1:]), mark + text


def bound_inside(resolver: Resolver) -> set[str] | None:
    """Return the names that some scope may know otherwise than the module does; None where that may be any name."""
    syntax = resolver.syntax
    if syntax.uncaptured or resolver.sealed:
        return None
    found = {name for _, name in resolver.methods} | {name for _, name in resolver.attributes}
    found.update(syntax.inheritable, syntax.effects.members_named if syntax.implicit_members else ())
    for scope in resolver.scopes:
        found.update(scope.names, scope.outer, scope.types)
    return found
