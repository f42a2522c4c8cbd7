"""What files of keys and values hold (JSON, YAML, TOML), each entry with its lines; and the definitions made of it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memoire.extract.structured import Found

MAX_ENTRIES = 20_000
"""Entries kept of one file."""
MAX_KEYS = 200
"""Keys that become definitions: a level of keys that would exceed it is a table of data, and left out whole."""

_NESTED_NAME = re.compile(r"[\w$@/:+-]{1,80}")
_TOP_NAME = re.compile(r"[\w$@/:+.-]{1,80}")


class Entry(NamedTuple):
    """One key with its value, or one item of a list."""

    keys: tuple[str, ...]
    """All keys that lead to it; an item of a list by its number."""
    line: int
    end_line: int
    value: object = ""
    """The scalar; empty where there are entries below it."""
    is_item: bool = False


class Keyed:
    """The entries of one file, in their order."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self._at: dict[tuple[str, ...], Entry] = {}
        self._below: dict[tuple[str, ...], list[Entry]] = {}
        for entry in entries:
            self._enter(entry)

    def _enter(self, entry: Entry) -> None:
        above = entry.keys[:-1]
        if above and above not in self._at:
            # TOML: `a.b = 1` and `[a.b]` make an `a` that stands nowhere by itself.
            self._enter(Entry(above, entry.line, entry.end_line))
        if self._at.setdefault(entry.keys, entry) is entry:
            # Of keys that are given again what is below them is looked at once: of a thousand namesakes, not each time.
            self._below.setdefault(above, []).append(entry)

    def get(self, *keys: str) -> Entry | None:
        """Return the entry at these keys."""
        return self._at.get(keys)

    def text(self, *keys: str) -> str:
        """Return the string at these keys, empty where there is none."""
        entry = self._at.get(keys)
        return entry.value if entry is not None and isinstance(entry.value, str) else ""

    def below(self, *keys: str) -> list[Entry]:
        """Return the entries right below these keys, of those with the same keys the first."""
        return self._below.get(keys, [])

    def strings(self, *keys: str) -> Iterator[tuple[str, int]]:
        """Yield (string, line): the one at these keys, or those of the list there."""
        entry = self._at.get(keys)
        if entry is not None and isinstance(entry.value, str) and entry.value:
            yield entry.value, entry.line
        if entry is not None and isinstance(entry.value, list):
            yield from ((item, entry.line) for item in entry.value if isinstance(item, str) and item)
        for item in self.below(*keys):
            if item.is_item and isinstance(item.value, str) and item.value:
                yield item.value, item.line


def define_keys(found: Found, entries: Iterable[Entry], *, levels: int = 2) -> dict[tuple[str, ...], int]:
    """Define the keys of a file down to a level; return keys -> index of the definition.

    Names with dots or blanks below the top level are data rather than structure, and so is what is in lists.
    """
    kept = [entry for entry in entries if len(entry.keys) <= levels and _is_name(entry)]
    counts = Counter(len(entry.keys) for entry in kept)
    total, deepest = 0, 0
    for level in range(1, levels + 1):
        total += counts[level]
        if total > MAX_KEYS:
            break
        deepest = level
    indexes: dict[tuple[str, ...], int] = {}
    for entry in kept:
        parent = indexes.get(entry.keys[:-1], -1)
        if len(entry.keys) > deepest or entry.keys in indexes or (len(entry.keys) > 1 and parent < 0):
            continue
        index = found.define(".".join(entry.keys), "key", entry.line, entry.end_line, parent=parent)
        if index >= 0:
            indexes[entry.keys] = index
    return indexes


def _is_name(entry: Entry) -> bool:
    pattern = _TOP_NAME if len(entry.keys) == 1 else _NESTED_NAME
    return not entry.is_item and pattern.fullmatch(entry.keys[-1]) is not None
