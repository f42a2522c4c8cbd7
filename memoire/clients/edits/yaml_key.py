"""One key of a mapping at the top of a YAML file, as goose keeps its extensions."""

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from memoire.clients._spec import BLANK, Change, Edit, Undo
from memoire.clients.edits import marks
from memoire.clients.edits.marks import HASH

Value = bool | int | str | list[str] | Mapping[str, str]

_LINE = re.compile(r"([ ]*)(\S.*)?")


class YamlKey(Edit, frozen=True, kw_only=True):
    """One key between two marks in a mapping of a YAML file; a key of the user's own by that name is left alone.

    The mapping has to be written as a block, one key a line. What is written or taken away is read again before it
    counts: all else in the file has to mean what it meant.
    """

    path: tuple[str, str]
    """The mapping's name, and the key's in it."""
    value: Mapping[str, Value]

    @property
    def name(self) -> str:
        """What tells the edit from others of the same file."""
        return ".".join(self.path)

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the text with the key: the first of its mapping, or where an older one is."""
        text = text or ""
        wrote = _canonical(self.value)
        try:
            before = _parse(text)
        except ValueError as error:
            return Change(text, undo, f"it cannot be edited: {error}", is_refused=True)
        outer, key = self.path
        found = (before.get(outer) or {}).get(key) if isinstance(before.get(outer), dict | None) else None
        if found is None:
            return self._added(text, before)
        if _canonical(found) == wrote:
            return Change(text, undo)
        if undo is None or undo.wrote != _canonical(found):
            return Change(text, undo, f"it has a `{self.name}` of its own, which stays")
        span = _span(text, self.path)
        if span is None:
            return Change(text, undo, f"its `{self.name}` is written in a way that cannot be edited", is_refused=True)
        start, end, indent = span
        after = text[:start] + self._lines(indent, marks.newline(text)) + text[end:]
        newer = Undo(wrote=wrote, blank=undo.blank, before=undo.before, after=undo.after, added=undo.added)
        return self._checked(text, after, before, Change(after, newer))

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return the text without the key and its marks, and without a mapping that was made for it."""
        outer, key = self.path
        try:
            before = _parse(text)
        except ValueError as error:
            if undo is None and "memoire" not in text:
                return Change(text)
            return Change(text, why=f"it cannot be edited: {error}; remove `{self.name}`", is_refused=True)
        held = before.get(outer)
        if not isinstance(held, dict) or key not in held:
            return Change(text)
        if undo is None and _canonical(held[key]) != _canonical(self.value):
            why = f"its `{self.name}` is not what memoire writes; remove it if it is no longer wanted"
            return Change(text, why=why, is_refused=True)
        after = self._without(text, undo, is_alone=len(held) == 1)
        left = None if after is None else _or_none(after)
        is_same = left is not None and _without_key(left, self.path) == _without_key(before, self.path)
        if after is None or left is None or not is_same or key in (left.get(outer) or {}):
            why = f"its `{self.name}` is written in a way that cannot be edited; remove it"
            return Change(text, why=why, is_refused=True)
        return Change(undo.blank if undo is not None and undo.blank is not None and not after.strip(BLANK) else after)

    def _added(self, text: str, before: dict[str, Any]) -> Change:
        outer = self.path[0]
        wrote, line_end = _canonical(self.value), marks.newline(text)
        if outer not in before:
            blank = text if not text.strip(BLANK) else None
            start = ("\ufeff" if text.startswith("\ufeff") else "") if blank is not None else text
            first, last = marks.ends(start, line_end)
            block = line_end.join((HASH.begin, f"{outer}:", self._lines(2, line_end), HASH.end))
            after = start + line_end * first + block + line_end * last
            undo = Undo(wrote=wrote, blank=blank, before=first, after=last)
            return self._checked(text, after, before, Change(after, undo, is_added=True))
        place = _children(text, outer)
        if place is None:
            why = f"its `{outer}` is not written with one key a line; add `{self.name}` by hand"
            return Change(text, why=why, is_refused=True)
        at, indent = place
        space = " " * indent
        block = line_end.join((space + HASH.begin, self._lines(indent, line_end), space + HASH.end))
        ended = "" if text[:at].endswith("\n") else line_end
        after = text[:at] + ended + block + (line_end if not ended else "") + text[at:]
        undo = Undo(wrote=wrote, added=1, before=int(bool(ended)))
        return self._checked(text, after, before, Change(after, undo, is_added=True))

    def _checked(self, old: str, text: str, before: dict[str, Any], change: Change) -> Change:
        """Return the change, if the text means what it meant and the key as well; else that it cannot be made."""
        found, (outer, key) = _or_none(text), self.path
        if found is not None and _without_key(found, self.path) == _without_key(before, self.path):
            held = found.get(outer)
            if isinstance(held, dict) and _canonical(held.get(key)) == _canonical(self.value):
                return change
        why = f"`{self.name}` cannot be added to the way it is written; add it by hand"
        return Change(old, why=why, is_refused=True)

    def _lines(self, indent: int, line_end: str) -> str:
        space = " " * indent
        return line_end.join(
            (f"{space}{self.path[1]}:", *(f"{space}  {key}: {_show(value)}" for key, value in self.value.items()))
        )

    def _without(self, text: str, undo: Undo | None, *, is_alone: bool) -> str | None:
        """Return the text without the key; None where its lines are not found."""
        line_end = marks.newline(text)
        blocks = list(HASH.blocks(text))
        if len(blocks) == 1 and blocks[0] is not None:
            block = blocks[0]
            held = _or_none(_dedented(text[_line_start(text, block.start) : block.end]))
            outer, key = self.path
            if held is not None and set(held) == {outer} and is_alone:
                return marks.cut(text, block, undo)
            if held is not None and set(held) == {key}:
                start = _line_start(text, block.start)
                if undo is not None and undo.before and undo.added:  # the file did not end in a line end
                    return text[:start].removesuffix(line_end) + text[block.end :]
                return text[:start] + text[block.end :].removeprefix(line_end)
        span = _span(text, self.path)
        if span is None:
            return None
        start, end, _ = span
        after = text[:start] + text[end:].removeprefix(line_end)
        for mark in (HASH.begin, HASH.end):
            after = re.sub(rf"(?m)^[ \t]*{re.escape(mark)}[ \t]*\r?\n?", "", after)
        return after


def _children(text: str, outer: str) -> tuple[int, int] | None:
    """Return (where the first line after the mapping's name begins, how far its keys are indented)."""
    head = re.search(rf"(?m)^(?:{re.escape(outer)}|\"{re.escape(outer)}\"):[ \t]*(?:#.*)?\r?(?:\n|\Z)", text)
    if head is None:
        return None
    for line in text[head.end() :].splitlines():
        found = _LINE.match(line)
        if found is None or found[2] is None or found[2].startswith("#"):
            continue
        return head.end(), len(found[1]) or 2
    return head.end(), 2


def _span(text: str, path: tuple[str, str]) -> tuple[int, int, int] | None:
    """Return (start, end, indentation) of the lines of a key in the mapping, without the line end of the last."""
    place = _children(text, path[0])
    if place is None:
        return None
    at, indent = place
    begin = end = -1
    for line in text[at:].splitlines(keepends=True):
        found = _LINE.match(line.rstrip("\r\n"))
        depth, said = (len(found[1]), found[2]) if found else (0, None)
        is_blank = said is None or said.startswith("#")
        if begin < 0 and not is_blank and depth < indent:
            return None
        if begin < 0 and depth == indent and said in {f"{path[1]}:", f'"{path[1]}":'}:
            begin = at
            end = at + len(line.rstrip("\r\n"))
        elif begin >= 0 and not is_blank:
            if depth <= indent:
                break
            end = at + len(line.rstrip("\r\n"))
        at += len(line)
    return (begin, end, indent) if begin >= 0 else None


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _dedented(text: str) -> str:
    """Return lines without the indentation of the first."""
    first = _LINE.match(text)
    indent = len(first[1]) if first else 0
    return "\n".join(line[indent:] if line[:indent].isspace() else line for line in text.splitlines())


def _show(value: Value) -> str:
    """Return a value on one line: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _parse(text: str) -> dict[str, Any]:
    """Return the mapping of a YAML text.

    Raises:
        ValueError: It is none, or more than one document.
    """
    try:
        found = yaml.safe_load(text.removeprefix("\ufeff"))
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark is not None else ""
        raise ValueError(f"{where}{getattr(error, 'problem', None) or 'it is no YAML'}") from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError("it holds no mapping")  # noqa: TRY004 - the text is wrong, not its type
    return found


def _or_none(text: str) -> dict[str, Any] | None:
    try:
        return _parse(text)
    except ValueError:
        return None


def _without_key(value: dict[str, Any], path: tuple[str, str]) -> dict[str, Any]:
    """Return the value without a key of a mapping, and without that mapping where it holds nothing else."""
    outer, key = path
    held = value.get(outer)
    rest = {name: other for name, other in value.items() if name != outer}
    if held is None:
        return rest
    if not isinstance(held, dict):
        return value
    inner = {name: other for name, other in held.items() if name != key}
    return {**rest, outer: inner} if inner else rest
