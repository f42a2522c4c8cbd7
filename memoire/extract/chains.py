"""Reads dotted chains from masked source: `a.b(…).c` becomes `("a", "b", "()", "c")`."""

import functools
import re
from collections.abc import Iterator

CALL_MARK = "()"
MAX_DEPTH = 6
"""How many assignments are followed from a variable to what it holds."""
MAX_STEPS = 24
"""How many attributes and calls away from its root a value is followed: each variable may add some to another's."""
MAX_ATTR = 120
"""Longest `Use.attr` kept."""
ITEM = "[]"
"""The link that leads from a collection to one of its items. Before a type it says that this is a collection of it."""
SUPER = "<super>"
"""The link that leads from a class to what it inherits: the members of its bases without its own."""
MAX_CALL_BYTES = 4000
"""How far a closing parenthesis is looked for; longer argument lists end the chain."""
MAX_KNOWN = 20_000
"""Chains whose names are remembered, at most 4 MB."""
MAX_LINKS = 8
"""How many calls of a fluent chain are followed."""
FEW_CALLS = 8
"""If fewer than one call of so many is followed by a name, each is looked at by itself."""

_INNER_ARGUMENTS = re.compile(rb"<[^<>]*>")
_ITEM_END = b"]"[0]
_PARENS = re.compile(rb"[()]")


def close_of(text: bytes, start: int) -> int:
    """Return the offset of the parenthesis that closes the one at `start`; -1 where it is too far or missing."""
    depth = 0
    for found in _PARENS.finditer(text, start, start + MAX_CALL_BYTES):
        if found.group() == b"(":
            depth += 1
        else:
            depth -= 1
            if not depth:
                return found.start()
    return -1


def open_of(text: bytes, close: int, pair: bytes = b"()") -> int:
    """Return the offset of the bracket that the one at `close` closes; -1 where it is too far or missing."""
    first, last = pair[:1], pair[1:]
    depth, at = 1, close
    least = max(0, close - MAX_CALL_BYTES)
    while depth:
        opening = text.rfind(first, least, at)
        if opening < 0:
            return -1
        closing = text.rfind(last, opening, at)
        at = max(opening, closing)
        depth += 1 if closing > opening else -1
    return at


def pairs_of(text: bytes) -> Iterator[tuple[int, int]]:
    """Yield (closing, opening) parenthesis of every pair that `open_of` would find."""
    opened: list[int] = []
    for found in _PARENS.finditer(text):
        if found.group() == b"(":
            opened.append(found.start())
        elif opened and found.start() - (opening := opened.pop()) <= MAX_CALL_BYTES:
            yield found.start(), opening


class Chains:
    """The chain grammar of one language.

    Args:
        identifier: Regular expression of one name.
        separators: What joins names: see `Syntax.separators`.
        prefixes: What may stand before a chain: see `Syntax.prefixes`.
        root_prefix: The separator that may begin a name: see `Syntax.root_mark`.
        root_name: The separator that, with nothing before it, is a name of its own.
        elided: See `Syntax.elided`; these are left out of what follows the first name.
    """

    def __init__(
        self,
        identifier: str,
        separators: tuple[str, ...] = (".",),
        prefixes: tuple[str, ...] = ("await ", "new "),
        root_prefix: str = "",
        root_name: str = "",
        elided: frozenset[str] = frozenset(),
    ) -> None:
        name = identifier.encode()
        self.separators = tuple(separator.encode() for separator in separators)
        self._prefixes = tuple(prefix.encode() for prefix in prefixes)
        joint = rb"[?!]{0,2}(?:" + b"|".join(map(re.escape, self.separators)) + rb")"
        # Behind a name or a bracket it joins, elsewhere it begins.
        root = rb"(?<![\w\x80-\xff)\]}])" + re.escape(root_name.encode()) if root_name else b""
        begin = rb"(?:" + root + rb")?" if root else b""
        self.pattern = re.compile(begin + name + rb"(?:" + joint + rb"\s*#?" + name + rb")*(?:\?\.|!)?\(?")
        separator = b"|".join(map(re.escape, self.separators))
        self._separator = re.compile(separator)
        self._next = re.compile(rb"\s*" + joint + rb"\s*")
        self._followed = re.compile(rb"\)\s*" + joint + rb"\s*")
        begins = {root_prefix.encode(), root_name.encode()}
        inner = b"|".join(re.escape(joiner) for joiner in self.separators if joiner not in begins)
        self.leading = re.compile(rb"\n[ \t]*+([?!]{0,2}(?:" + inner + rb"))(?=[#\w$\x80-\xff])")
        """A joint that begins a line."""
        self._behind = re.compile(rb"[\]}]\s*" + joint + rb"\s*")
        # `::` may also begin a name: `::helper` in Kotlin.
        joiners = [re.escape(joiner) for joiner in self.separators if joiner != b"::"]
        # A pattern that begins with what is rare is found many times faster than one that looks behind first.
        members = b"|".join(joiner + rb"(?<![.:]" + joiner + rb")" for joiner in joiners) or rb"(?!)"
        self._spaced = re.compile(rb"(?:" + members + rb")\s+(?=#?" + name + rb")")
        """A joint with space behind it: see `spaced_members`."""
        self._gaps = re.compile(rb"\s*\n\s*(?=" + joint + rb"[\s#\w$\x80-\xff])")
        """What stands before a joint that begins a line."""
        self._names = re.compile((root + b"|" if root else b"") + b"#?" + name)
        self._elided = elided
        self._head = re.compile(name)
        self.selector = re.compile(rb"(?:" + separator + rb")\s*(" + name + rb")")
        """A member of anything; its name is group 1."""
        self._known: dict[bytes, tuple[str, ...]] = {}

    def head(self, chain: bytes) -> bytes:
        """Return the first name of a chain."""
        found = self._head.match(chain)
        return found[0] if found else b""

    def names(self, chain: bytes) -> tuple[str, ...]:
        """Return the names of a chain without calls; remembered, for the same chains stand in many files."""
        known = self._known.get(chain)
        if known is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            known = tuple(found.decode("utf-8", "replace") for found in self._names.findall(chain))
            if not self._elided.isdisjoint(known[1:]):
                known = (known[0], *(name for name in known[1:] if name not in self._elided))
            self._known[chain] = known
        return known

    def parts(self, name: bytes) -> tuple[bytes, ...]:
        """Return the parts of a name that is qualified by others: `b"Pool<T>::~Pool"` gives `Pool` and `~Pool`."""
        if b"<" in name and b"operator" not in name:
            for _ in range(MAX_LINKS):
                name, count = _INNER_ARGUMENTS.subn(b"", name)
                if not count:
                    break
        return tuple(part.split()[-1] for part in self._separator.split(name) if part.strip())

    def read(self, text: bytes, start: int) -> tuple[tuple[str, ...], int] | None:
        """Return the links of the chain at `start` and the offset behind it; None where no chain begins there."""
        found = self.pattern.match(text, start)
        if not found:
            return None
        links: list[str] = []
        for _ in range(MAX_LINKS):
            links += self.names(found.group())
            end = found.end()
            if text[end - 1 : end] != b"(":
                return tuple(links), end
            close = close_of(text, end - 1)
            if close < 0:
                return None
            links.append(CALL_MARK)
            after = self._next.match(text, close + 1)
            if not after:
                return tuple(links), close + 1
            found = self.pattern.match(text, after.end())
            if not found:
                return tuple(links), close + 1
        return None

    def whole(self, text: bytes) -> tuple[str, ...] | None:
        """Return the links of an expression that is nothing but a chain (an `await` or `new` before it aside)."""
        text = self._gaps.sub(b"", text.strip()) if b"\n" in text else text.strip()
        for prefix in self._prefixes:
            text = text.removeprefix(prefix).lstrip()
        got = self.read(text, 0)
        return got[0] if got and got[1] == len(text) else None

    def alone(self, text: bytes, start: int) -> list[tuple[int, str]]:
        """Return the names of a pattern that begins at an offset, each with its own offset: what it binds."""
        return [
            (start + found.start(), found.group().decode("utf-8", "replace"))
            for found in self.pattern.finditer(text)
            if not found.group().endswith(b"(") and not any(each in found.group() for each in self.separators)
        ]

    def spaced_members(self, text: bytes) -> set[int]:
        """Return the offsets of names that are members of what stands before the space before them."""
        return {found.end() for found in self._spaced.finditer(text)}

    def followed_calls(self, text: bytes) -> dict[int, int]:
        """Return the opening parenthesis of every call whose result is used by name -> offset of that name.

        In `a.b(…).c(` the first parenthesis leads to `c`.
        """
        followed = {found.start(): found.end() for found in self._followed.finditer(text)}
        if FEW_CALLS * len(followed) < text.count(b")"):
            return {opening: end for close, end in followed.items() if (opening := open_of(text, close)) >= 0}
        # Of many, each inside the next, every one would look through all those inside it.
        pairs = pairs_of(text)
        return {opening: followed[close] for close, opening in pairs if close in followed}

    def followed_brackets(self, text: bytes) -> dict[int, int]:
        """Return the bracket right behind a name whose closing one is followed by a name -> offset of that name.

        In `xs[0].c(` and `T{…}.c(` it leads to `c`.
        """
        found = {}
        for match in self._behind.finditer(text):
            close = match.start()
            opening = open_of(text, close, b"[]" if text[close] == _ITEM_END else b"{}")
            before = text[opening - 1 : opening] if opening > 0 else b""
            if before.isalnum() or before == b"_" or before >= b"\x80":
                found[opening] = match.end()
        return found


def join(links: tuple[str, ...]) -> str:
    """Return the links as written in `Use.attr`: `connect().send`."""
    attr = ".".join(links)
    attr = attr.replace("." + CALL_MARK, CALL_MARK) if CALL_MARK in links else attr
    return attr.replace("." + ITEM, ITEM) if ITEM in links else attr


def split(attr: str) -> tuple[str, ...]:
    """Return the links of a `Use.attr`; the inverse of `join`."""
    if not attr:
        return ()
    return tuple(attr.replace(CALL_MARK, "." + CALL_MARK).replace(ITEM, "." + ITEM).strip(".").split("."))


@functools.cache
def chains_of(
    identifier: str,
    separators: tuple[str, ...],
    prefixes: tuple[str, ...],
    marks: tuple[str, str],
    elided: frozenset[str],
) -> Chains:
    """Return the chain grammar of a language, made once: see `Chains`; `marks` are `root_prefix` and `root_name`."""
    return Chains(identifier, separators, prefixes, *marks, elided)
