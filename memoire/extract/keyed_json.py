"""Reads the upper levels of JSON, with comments and trailing commas where they are written; what is below is skipped.

The values that are skipped cost what the standard library's scanner in C takes, so a large file costs little.
"""

import json
import re
from bisect import bisect_right
from itertools import accumulate

from memoire.extract.keyed import MAX_ENTRIES, Entry

_BLANK = re.compile(r"[\s,:]*")
_NOISE = re.compile(r'("(?:[^"\\]|\\.)*+(?:"|\Z))|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*+(?:"|\Z))|,(?=\s*[\]}])', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)


def read_json(text: str, *, depth: int, lists: bool = False) -> tuple[list[Entry], int]:
    """Return the entries down to a depth, and the line where the text stops being JSON (0: it does not).

    Args:
        text: Any text.
        depth: Keys that an entry may be led to by.
        lists: Whether the items of lists are entries.
    """
    reader = _Reader(text, depth, lists=lists)
    error = reader.read()
    if error and ("//" in text or "/*" in text or _TRAILING.search(text)):
        clean = _NOISE.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text)
        clean = _TRAILING.sub(lambda found: found[1] or " ", clean)
        other = _Reader(clean, depth, lists=lists)
        error = other.read()
        return other.entries, error
    return reader.entries, error


class _Reader:
    def __init__(self, text: str, depth: int, *, lists: bool) -> None:
        self.entries: list[Entry] = []
        self._text = text
        self._depth = depth
        self._lists = lists
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def read(self) -> int:
        """Read all; return the line of the first error, 0 without one."""
        try:
            start = self._skip(0)
            if start < len(self._text):
                end = self._skip(self._value(start, ())[0])
                return self._line(end) if end < len(self._text) else 0
        except json.JSONDecodeError as error:
            return self._line(min(error.pos, len(self._text)))
        except (RecursionError, ValueError):
            return 1
        return 0

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def _skip(self, offset: int) -> int:
        found = _BLANK.match(self._text, offset)
        return found.end() if found else offset

    def _value(self, start: int, keys: tuple[str, ...]) -> tuple[int, object]:
        """Return (offset behind the value, the value): empty for one whose entries were taken in."""
        mark = self._text[start : start + 1]
        deeper = len(keys) < self._depth and len(self.entries) < MAX_ENTRIES
        if deeper and mark == "{":
            return self._members(start + 1, keys), ""
        if deeper and mark == "[" and self._lists:
            return self._items(start + 1, keys), ""
        value, end = _DECODER.raw_decode(self._text, start)
        return end, value

    def _members(self, at: int, keys: tuple[str, ...]) -> int:
        text = self._text
        while True:
            at = self._skip(at)
            if text[at : at + 1] == "}":
                return at + 1
            key, after = _DECODER.raw_decode(text, at)
            if not isinstance(key, str):
                raise json.JSONDecodeError("no key", text, at)
            at = self._entry(at, self._skip(after), (*keys, key), is_item=False)

    def _items(self, at: int, keys: tuple[str, ...]) -> int:
        number = 0
        while True:
            at = self._skip(at)
            if self._text[at : at + 1] == "]":
                return at + 1
            at = self._entry(at, at, (*keys, str(number)), is_item=True)
            number += 1

    def _entry(self, first: int, at: int, keys: tuple[str, ...], *, is_item: bool) -> int:
        place = len(self.entries)
        line = self._line(first)
        if place < MAX_ENTRIES:
            self.entries.append(Entry(keys, line, line, "", is_item))
        try:
            end, value = self._value(at, keys)
        except json.JSONDecodeError as error:
            if place < MAX_ENTRIES:
                self.entries[place] = Entry(keys, line, max(line, self._line(error.pos)), "", is_item)
            raise
        if place < MAX_ENTRIES:
            self.entries[place] = Entry(keys, line, self._line(end - 1), value, is_item)
        return end
