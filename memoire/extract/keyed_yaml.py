"""Reads the keys of YAML line by line: block mappings and lists, with scalars, block text and flow values.

It is no YAML parser: templates and rare forms (keys of several lines, `?`) are passed over, and nothing in them is
ever an error. What it does read has the place that YAML gives it.
Source: the block structures of https://yaml.org/spec/1.2.2/.
"""

import re
from collections.abc import Iterator

from memoire.extract.keyed import MAX_ENTRIES, MAX_KEYS, Entry

_KEY = re.compile(
    r"(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'|([^\s\"'\[{#&*!|>%@`,\]}](?:[^\n:]|:(?=\S))*?))\s*:(?=\s|$)"
)
_TAGS = re.compile(r"(?:[&!][^\s]*\s*)+")
_COMMENT = re.compile(r"\s+#.*$")
_BLOCK = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?$")
_FLOW_ITEM = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'|([^\s,\[\]{}\"'][^,\[\]{}]*)")
_FLOW_LINES = 200
"""Lines one flow value, or one quoted text, may have."""
_LOST_LINES = 2_000
"""Lines that may be looked at in vain for the ends of such values; then none goes on over lines any more."""
_MAX_DEPTH = 40
"""Mappings and lists around an entry; what is deeper is passed over."""


_UPPER = re.compile(
    r"^( {0,4})(?:(-)(?=\s)|(---)(?=\s|$)"
    r"|(?:\"([^\"\\\n]+)\"|'([^'\n]+)'|([^\s\"'\[{#&*!|>%@`,\]}:-][^\n:]*(?::(?=\S)[^\n:]*)*))"
    r"[ \t]*:(?=\s|$)[ \t]*([^\n]?)([^\n]*))",
    re.MULTILINE,
)
"""A list's dash, the begin of a document, or a key with the first character of its value, indented little."""

_OUTLINE_ENTRIES = 2_000
"""Keys that are looked at for an outline."""


def outline_yaml(text: str) -> list[Entry]:
    """Return the keys of the two upper levels: what `read_yaml` gives without lists and values, in a tenth of its time.

    What stands below a list, or in text or a flow value of several lines, is deeper than it and passed over. Of a
    table of data (more keys at the top than would be defined) nothing is given.
    """
    entries: list[Entry] = []
    tops = 0
    stack: list[tuple[int, int]] = []
    """(indent, place) of the keys around."""
    passed = 99
    """Lines indented by more than this are no keys: they stand below something else."""
    ends: dict[int, int] = {}
    line, at = 1, 0
    for found in _UPPER.finditer(text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        indent = len(found[1])
        if indent > passed:
            continue
        passed = 99
        is_key = not found[2] and not found[3]
        while stack and (stack[-1][0] > indent or (stack[-1][0] == indent and is_key) or found[3]):
            ends[stack.pop()[1]] = line
        if not is_key:
            passed = indent if found[2] else 99
            continue
        opens = found[7] in {"|", ">"} or (found[7] in {"[", "{", '"', "'"} and not _is_whole(found[7] + found[8]))
        passed = indent if opens or len(stack) == 1 else 99
        key = (found[4] or found[5] or found[6]).strip()
        above = entries[stack[-1][1]].keys if stack else ()
        stack.append((indent, len(entries)))
        entries.append(Entry((*above, key), line, line))
        tops += not above
        if tops > MAX_KEYS:
            return []
        if len(entries) >= _OUTLINE_ENTRIES:
            break
    lines = text.split("\n")
    return [
        entry._replace(end_line=_trimmed(lines, entry.line, ends.get(place))) for place, entry in enumerate(entries)
    ]


def _is_whole(value: str) -> bool:
    if value[0] in "\"'":
        return value.count(value[0]) > 1
    return _depth(value) <= 0


def _trimmed(lines: list[str], first: int, following: int | None) -> int:
    """Return the last line of an entry: above what follows it, without the blanks and comments between."""
    last = len(lines) if following is None else following - 1
    while last > first and (not lines[last - 1].strip() or lines[last - 1].lstrip()[0] == "#"):
        last -= 1
    return last


class _Open:
    """An entry whose lines go on."""

    __slots__ = ("indent", "is_item", "items", "place")

    def __init__(self, indent: int, place: int, *, is_item: bool) -> None:
        self.indent = indent
        self.place = place
        self.is_item = is_item
        self.items = 0


def read_yaml(text: str) -> list[Entry]:
    """Return the entries of all documents of a file. Total, and linear in the text."""
    return _Reader(text.split("\n")).read()


def documents(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries of each document: a key of the top that comes again begins another."""
    found: list[Entry] = []
    seen: set[str] = set()
    for entry in entries:
        if len(entry.keys) == 1:
            if entry.keys[0] in seen:
                yield found
                found, seen = [], set()
            seen.add(entry.keys[0])
        found.append(entry)
    if found:
        yield found


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._entries: list[Entry] = []
        self._stack: list[_Open] = []
        self._top = _Open(-1, -1, is_item=False)
        self._left = _LOST_LINES
        self._last = 0
        """Number of the last line that holds anything."""

    def read(self) -> list[Entry]:
        index = 0
        while index < len(self._lines) and len(self._entries) < MAX_ENTRIES:
            line = self._lines[index]
            stripped = line.lstrip(" ")
            if not stripped or stripped[0] in "#\t\r%" or stripped.startswith("{{"):
                index += 1
                continue
            if stripped.startswith(("---", "...")) and stripped is line:
                self._close(-1)
                self._top.items = 0
                rest = stripped[3:].strip()
                if not rest or rest[0] == "#":
                    index += 1
                    continue
            index = self._line(index, stripped, len(line) - len(stripped))
        self._close(-1)
        return self._entries

    def _line(self, index: int, rest: str, indent: int) -> int:
        """Take in one line that holds something; return the index of the next one."""
        number = index + 1
        rest = rest.rstrip()
        while (rest.startswith("- ") or rest == "-") and len(self._stack) < _MAX_DEPTH:
            self._close(indent, is_item=True)
            parent = self._stack[-1] if self._stack else self._top
            self._open(number, indent, str(parent.items), is_item=True)
            parent.items += 1
            inner = rest[1:].lstrip(" ")
            indent += len(rest) - len(inner)
            rest = inner
            if not rest:
                self._last = number
                return index + 1
        key = _KEY.match(rest)
        if key is None or len(self._stack) >= _MAX_DEPTH:
            is_new = bool(self._stack) and self._stack[-1].is_item and self._entry_line() == number
            if is_new:
                return self._value(index, rest, self._stack[-1].indent)
            self._last = number
            return index + 1
        self._close(indent)
        self._open(number, indent, next(filter(None, key.groups()), ""), is_item=False)
        return self._value(index, rest[key.end() :].strip(), indent)

    def _entry_line(self) -> int:
        return self._entries[self._stack[-1].place].line

    def _value(self, index: int, rest: str, indent: int) -> int:
        """Take in the value of the entry that was opened last; return the index of the line behind it."""
        self._last = index + 1
        tags = _TAGS.match(rest)
        rest = rest[tags.end() :] if tags else rest
        if not rest or rest[0] == "#":
            return index + 1
        if rest[0] in "|>" and _BLOCK.match(rest):
            return self._block(index + 1, indent)
        if rest[0] in "[{":
            return self._flow(index, rest)
        if rest[0] in "\"'":
            return self._quoted(index, rest)
        self._set(_COMMENT.sub("", rest).strip())
        return index + 1

    def _block(self, start: int, indent: int) -> int:
        end = start
        while end < len(self._lines):
            line = self._lines[end]
            stripped = line.lstrip(" ")
            if stripped.strip() and len(line) - len(stripped) <= indent:
                break
            end += 1
        text = self._lines[start:end]
        while text and not text[-1].strip():
            text.pop()
        self._last = start + len(text)
        self._set("\n".join(text))
        return end

    def _quoted(self, index: int, rest: str) -> int:
        quote, end = rest[0], index
        pattern = r'"((?:[^"\\]|\\.)*)"' if quote == '"' else r"'((?:[^']|'')*)'"
        found = re.match(pattern, rest)
        while found is None and end + 1 < len(self._lines) and end - index < min(_FLOW_LINES, self._left):
            end += 1
            line = self._lines[end].strip()
            rest += f" {line}"
            found = re.match(pattern, rest, re.DOTALL) if quote in line else None
        if found is None:
            self._left -= end - index
            return index + 1
        self._last = end + 1
        self._set(found[1])
        return end + 1

    def _flow(self, index: int, rest: str) -> int:
        """Take in `[a, b]` as items, `{…}` as nothing; both may go on over lines."""
        text, end = rest, index
        depth = _depth(rest)
        while depth > 0 and end + 1 < len(self._lines) and end - index < min(_FLOW_LINES, self._left):
            end += 1
            depth += _depth(self._lines[end])
            text += "\n" + self._lines[end]
        if depth > 0 or rest.startswith("{{"):
            self._left -= end - index
            return index + 1
        self._last = end + 1
        if text.startswith("["):
            keys = self._entries[self._stack[-1].place].keys
            for number, item in enumerate(_FLOW_ITEM.finditer(text, 1)):
                value = next((group for group in item.groups() if group is not None), "").strip()
                line = index + 1 + text.count("\n", 0, item.start())
                self._entries.append(Entry((*keys, str(number)), line, line, value, is_item=True))
        return end + 1

    def _open(self, number: int, indent: int, key: str, *, is_item: bool) -> None:
        above = self._entries[self._stack[-1].place].keys if self._stack else ()
        self._entries.append(Entry((*above, key), number, number, "", is_item))
        self._stack.append(_Open(indent, len(self._entries) - 1, is_item=is_item))

    def _set(self, value: str) -> None:
        place = self._stack[-1].place
        self._entries[place] = self._entries[place]._replace(value=value)

    def _close(self, indent: int, *, is_item: bool = False) -> None:
        """Close what does not hold a line of this indent. An item may stand where its list's key does."""
        while self._stack:
            last = self._stack[-1]
            if last.indent < indent or (is_item and last.indent == indent and not last.is_item):
                return
            self._stack.pop()
            entry = self._entries[last.place]
            self._entries[last.place] = entry._replace(end_line=max(entry.line, self._last))


def _depth(line: str) -> int:
    return line.count("[") + line.count("{") - line.count("]") - line.count("}")
