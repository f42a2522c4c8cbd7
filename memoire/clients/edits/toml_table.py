"""One table of a TOML file, as Codex keeps its MCP servers."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from memoire.clients._spec import BLANK, Change, Edit, Undo
from memoire.clients.edits import marks
from memoire.clients.edits.marks import HASH

Value = bool | int | str | list[str]

_HEADER = re.compile(r"(?m)^[ \t]*\[\[?(.+?)\]\]?[ \t]*(?:#.*)?$")
_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.|$)""")
_STRING = re.compile(r'''(?s:""".*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z))|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|#[^\n]*+''')
_TRAILING = re.compile(r"(?:[ \t]*(?:#[^\n]*)?(?:\n|$))+\Z")


class TomlTable(Edit, frozen=True, kw_only=True):
    """One table between two marks at the end of a TOML file; a table of the user's own by that name is left alone.

    What is written or taken away is read again before it counts: all else in the file has to mean what it meant.
    """

    table: tuple[str, ...]
    values: Mapping[str, Value]

    @property
    def name(self) -> str:
        """What tells the edit from others of the same file."""
        return ".".join(self.table)

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the text with the table: at its end, or where an older one is."""
        text = text or ""
        wrote = _canonical(self.values)
        try:
            before = _parse(text)
        except tomllib.TOMLDecodeError as error:
            return Change(text, undo, f"it is no TOML: {error}", is_refused=True)
        found = _at(before, self.table)
        if found is None:
            blank = text if not text.strip(BLANK) else None
            line_end = marks.newline(text)
            # After nothing but a byte order mark or blank lines the block is all there is.
            start = ("\ufeff" if text.startswith("\ufeff") else "") if blank is not None else text
            first, last = marks.ends(start, line_end)
            after = start + line_end * first + self._block(line_end) + line_end * last
            return self._checked(
                text,
                after,
                before,
                Change(after, Undo(wrote=wrote, blank=blank, before=first, after=last), is_added=True),
            )
        if _canonical(found) == wrote:
            return Change(text, undo)
        if undo is None or undo.wrote != _canonical(found):
            return Change(text, undo, f"it has a `{self.name}` of its own, which stays")
        span = self._span(text)
        if span is None:
            return Change(text, undo, f"its `{self.name}` is written in a way that cannot be edited", is_refused=True)
        after = text[: span[0]] + marks.newline(text).join(self._lines()) + text[span[1] :]
        newer = Undo(wrote=wrote, blank=undo.blank, before=undo.before, after=undo.after)
        return self._checked(text, after, before, Change(after, newer))

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return the text without the table and its marks, and without the line ends that were added with them."""
        try:
            before = _parse(text)
        except tomllib.TOMLDecodeError as error:
            if undo is None and "memoire" not in text:
                return Change(text)
            return Change(text, why=f"it is no TOML: {error}; remove `{self.name}`", is_refused=True)
        found = _at(before, self.table)
        if found is None:
            return Change(self._unmarked(text, undo))
        if undo is None and _canonical(found) != _canonical(self.values):
            why = f"its `{self.name}` is not what memoire writes; remove it if it is no longer wanted"
            return Change(text, why=why, is_refused=True)
        after = self._without(text, undo)
        left = None if after is None else _parse_or_none(after)
        is_same = left is not None and _without_key(left, self.table) == _without_key(before, self.table)
        if after is None or not is_same or _at(left, self.table) is not None:
            why = f"its `{self.name}` is written in a way that cannot be edited; remove it"
            return Change(text, why=why, is_refused=True)
        return Change(undo.blank if undo is not None and undo.blank is not None and not after.strip(BLANK) else after)

    def _added(self, text: str, before: dict[str, Any]) -> Change:
        blank = text if not text.strip(BLANK) else None
        line_end = marks.newline(text)
        # After nothing but a byte order mark or blank lines the block is all there is.
        start = ("\ufeff" if text.startswith("\ufeff") else "") if blank is not None else text
        first, last = marks.ends(start, line_end)
        after = start + line_end * first + self._block(line_end) + line_end * last
        undo = Undo(wrote=_canonical(self.values), blank=blank, before=first, after=last)
        return self._checked(text, after, before, Change(after, undo, is_added=True))

    def _checked(self, old: str, text: str, before: dict[str, Any], change: Change) -> Change:
        """Return the change, if the text means what it meant and the table as well; else that it cannot be made."""
        found = _parse_or_none(text)
        is_same = found is not None and _without_key(found, self.table) == _without_key(before, self.table)
        if is_same and _canonical(_at(found, self.table)) == _canonical(self.values):
            return change
        why = f"`{self.name}` cannot be added to the way it is written; add it by hand"
        return Change(old, why=why, is_refused=True)

    def _lines(self) -> list[str]:
        return [f"[{'.'.join(self.table)}]", *(f"{key} = {_show(value)}" for key, value in self.values.items())]

    def _block(self, line_end: str) -> str:
        return line_end.join((HASH.begin, *self._lines(), HASH.end))

    def _without(self, text: str, undo: Undo | None) -> str | None:
        """Return the text without the table; None where it is not found as a table of its own."""
        blocks = list(HASH.blocks(_masked(text)))
        if len(blocks) == 1 and blocks[0] is not None:
            inner = text[blocks[0].start : blocks[0].end]
            held = _parse_or_none(inner)
            # Another program may have put a table of its own before the mark that ends ours: it is not ours.
            if held is not None and _without_key(held, self.table) == {}:
                return marks.cut(text, blocks[0], undo)
        span = self._span(text)
        if span is None:
            return None
        start, end = span
        line_end = marks.newline(text)
        return self._unmarked(text[:start] + text[end:].removeprefix(line_end), undo)

    def _unmarked(self, text: str, undo: Undo | None) -> str:
        """Return the text without marks that have nothing of memoire's between them."""
        blocks = [block for block in HASH.blocks(_masked(text)) if block is not None]
        for block in reversed(blocks):
            inner = text[block.start : block.end].removeprefix(HASH.begin).removesuffix(HASH.end)
            if inner.strip(BLANK):
                kept = inner.strip("\r\n")
                text = text[: block.start] + kept + text[block.end :]
            else:
                text = marks.cut(text, block, undo)
        return text

    def _span(self, text: str) -> tuple[int, int] | None:
        """Return where the table and those below it are, without the comments and line ends after them."""
        start = end = -1
        for at, following, path in _tables(text):
            if path[: len(self.table)] != self.table:
                continue
            if start < 0:
                start = at
            elif text[end:at].strip(BLANK):
                return None  # in two places
            body = text[at:following]
            kept = _TRAILING.search(body, body.find("\n") + 1 if "\n" in body else len(body))
            end = at + (kept.start() if kept else len(body))
            if end > at and text[end - 1 : end] == "\n":
                end -= 2 if text[end - 2 : end] == "\r\n" else 1
        return (start, end) if start >= 0 else None


def _tables(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield (start, start of the next, path) of each line that looks like the header of a table."""
    found = list(_HEADER.finditer(_masked(text)))
    for number, header in enumerate(found):
        following = found[number + 1].start() if number + 1 < len(found) else len(text)
        yield header.start(), following, _path(header[1])


def _masked(text: str) -> str:
    """Return the text with the strings of several lines blanked: what looks like a table or a mark in one is none."""
    return _STRING.sub(lambda found: found[0] if found[0][:3] not in {'"""', "'''"} else " " * len(found[0]), text)


def _path(written: str) -> tuple[str, ...]:
    """Return the names of a dotted key; empty for what is none."""
    names, at = [], 0
    while at < len(written):
        part = _PART.match(written, at)
        if part is None:
            return ()
        names.append(next(group for group in part.groups()[:3] if group is not None))
        at = part.end()
    return tuple(names)


def _show(value: Value) -> str:
    """Return a value as TOML has it: a basic string is written as JSON writes it, but for what JSON leaves bare."""
    if isinstance(value, list):
        return f"[{', '.join(_show(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _parse(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _parse_or_none(text: str) -> dict[str, Any] | None:
    try:
        return _parse(text)
    except tomllib.TOMLDecodeError:
        return None


def _at(value: Any, path: tuple[str, ...]) -> Any:
    """Return what is at a path; None where there is nothing."""
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def _without_key(value: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return the value without what is at a path, and without tables around it that hold nothing else."""
    if path[0] not in value:
        return value
    rest = {key: held for key, held in value.items() if key != path[0]}
    if len(path) == 1:
        return rest
    inner = value[path[0]]
    inner = _without_key(inner, path[1:]) if isinstance(inner, dict) else inner
    return rest if inner == {} else {**rest, path[0]: inner}
