"""Reads the keys of TOML line by line: tables, arrays of tables, values over several lines. Errors cost their line.

Source: https://toml.io/en/v1.0.0.
"""

import re
import tomllib
from collections import Counter
from typing import Any

from memoire.extract.keyed import MAX_ENTRIES, Entry

_PART = r"(?:[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')"
_KEY = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_TABLE = re.compile(rf"[ \t]*\[(\[)?[ \t]*({_KEY})[ \t]*\]")
_PAIR = re.compile(rf"[ \t]*({_KEY})[ \t]*=[ \t]*")
_PARTS = re.compile(_PART)
_TOKEN = re.compile(
    r"\"\"\"(?:.*?\"\"\"\"{0,2}|.*)|'''(?:.*?''''{0,2}|.*)|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*|[\[\]{}]|\n",
    re.DOTALL,
)
_ITEM = re.compile(r"\{[^}]*\}|#[^\n]*|\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'")
_PLAIN = re.compile(r"(?:\"([^\"\\\n]*)\"|'([^'\n]*)')\s*(?:#.*)?\Z")
"""A string without escapes, as nearly all are."""
_VALUE_BYTES = 50_000
"""Longest inline table that is taken apart."""


def read_toml(text: str) -> list[Entry]:
    """Return the entries of a file. Total, and linear in the text."""
    entries: list[Entry] = []
    table: tuple[str, ...] = ()
    place = -1
    numbers: Counter[tuple[str, ...]] = Counter()
    at, line, last = 0, 1, 1
    while at < len(text) and len(entries) < MAX_ENTRIES:
        pair = _PAIR.match(text, at)
        header = None if pair else _TABLE.match(text, at)
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if header is not None:
            _end(entries, place, last)
            table = _placed(_keys(header[2]), numbers)
            if header[1]:
                table = (*table, str(numbers[table]))
                numbers[table[:-1]] += 1
            place = len(entries)
            entries.append(Entry(table, line, line, "", bool(header[1])))
            last = line
        elif pair is not None:
            end = _value_end(text, pair.end())
            raw = text[pair.end() : end]
            last = line + raw.count("\n")
            _add(entries, (*table, *_keys(pair[1])), (line, last), raw)
        line += text.count("\n", at, end + 1)
        at = end + 1
    _end(entries, place, last)
    return entries


def _keys(text: str) -> tuple[str, ...]:
    return tuple(part[1:-1] if part[0] in "\"'" else part for part in _PARTS.findall(text))


def _placed(keys: tuple[str, ...], numbers: Counter[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the keys with the numbers of the arrays of tables that they lead through: the last of each."""
    placed: tuple[str, ...] = ()
    for index, key in enumerate(keys):
        placed = (*placed, key)
        if numbers[placed] and index < len(keys) - 1:
            placed = (*placed, str(numbers[placed] - 1))
    return placed


def _end(entries: list[Entry], place: int, last: int) -> None:
    if place >= 0:
        entries[place] = entries[place]._replace(end_line=max(last, entries[place].line))


def _value_end(text: str, start: int) -> int:
    """Return the offset of the line feed that ends a value."""
    depth = 0
    at = start
    while True:
        token = _TOKEN.search(text, at)
        if token is None:
            return len(text)
        mark = token[0]
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        elif mark == "\n" and depth <= 0:
            return token.start()
        elif mark == "\n" and _TABLE.match(text, token.end()) and not text[token.end()].isspace():
            return token.start()  # the array before was never closed
        at = token.end()


def _add(entries: list[Entry], keys: tuple[str, ...], lines: tuple[int, int], raw: str) -> None:
    raw = raw.strip()
    line, last = lines
    if raw.startswith("["):
        entries.append(Entry(keys, line, last))
        number = 0
        for item in _ITEM.finditer(raw):
            value = item[1] if item[1] is not None else item[2]
            if value is not None and len(entries) < MAX_ENTRIES:
                at = line + raw.count("\n", 0, item.start())
                entries.append(Entry((*keys, str(number)), at, at, value, is_item=True))
                number += 1
        return
    value = _parsed(raw)
    if isinstance(value, dict):
        entries.append(Entry(keys, line, last))
        _inside(entries, keys, lines, value)
    else:
        entries.append(Entry(keys, line, last, value))


def _inside(entries: list[Entry], keys: tuple[str, ...], lines: tuple[int, int], table: dict[str, Any]) -> None:
    for key, value in table.items():
        is_table = isinstance(value, dict)
        entries.append(Entry((*keys, key), *lines, "" if is_table or isinstance(value, list) else value))
        if is_table and len(keys) < 8 and len(entries) < MAX_ENTRIES:
            _inside(entries, (*keys, key), lines, value)
        elif isinstance(value, list):
            entries += [
                Entry((*keys, key, str(number)), *lines, item, is_item=True)
                for number, item in enumerate(value)
                if isinstance(item, str)
            ]


def _parsed(raw: str) -> object:
    """Return the value of one line: what cannot be parsed as it stands."""
    plain = _PLAIN.match(raw)
    if plain is not None:
        return plain[1] if plain[1] is not None else plain[2]
    if raw[:1] in {'"', "'", "{"} and len(raw) <= _VALUE_BYTES:
        try:
            return tomllib.loads(f"v={raw}")["v"]
        except (ValueError, RecursionError):
            return ""
    return raw.partition("#")[0].strip()
