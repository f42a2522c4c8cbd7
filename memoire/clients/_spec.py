"""What a client is: an assistant, editor or shell that memoire configures, declared as edits of its files.

Each edit is pure: text in, text out, with what it takes to undo it to the letter. Where that is lost, `uninstall`
takes away what can only be memoire's.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from memoire import jsonedit

BLANK = "\ufeff \t\r\n"
"""What a file may hold and still hold nothing."""

BLOCK_VERSION = 1
END = "<!-- memoire:end -->"
_MARKER = re.compile(r"(?m)^\ufeff?[ \t]*(<!-- memoire:(?:begin v([0-9]{1,9})|end) -->)[ \t]*\r?$")


class Undo(msgspec.Struct, frozen=True, omit_defaults=True):
    """What it takes to undo one edit exactly; kept in the state folder. Holds nothing of the user's text."""

    added: int = 0
    """Of a JSON key: how many names of its path, from the outermost, were there already."""
    wrote: str = ""
    """Of a JSON key: the value that was written, canonical."""
    blank: str | None = None
    """The whole text before, where it was blank."""
    before: int = 0
    """Of a block: how many line ends were put before it."""
    after: int = 0
    """Of a block: how many line ends were put after it."""
    parts: "dict[str, Undo]" = {}
    """Of items in several arrays: what it takes for each, by its key."""


class Change(NamedTuple):
    """What an edit makes of a text."""

    text: str
    undo: Undo | None = None
    """After an install that added or updated something: what to keep for the uninstall."""
    why: str = ""
    """Why it is not as it was asked for, or what is not obvious about it."""
    is_refused: bool = False
    """The file has to be left alone, and a person should know."""
    is_added: bool = False
    """It was not there in any form."""


class WholeFile(msgspec.Struct, frozen=True):
    """A file that is made where it is missing, and is its user's from then on."""

    what: str
    file: str
    content: str
    needs: str = ""
    """A line that a file which is there already must have."""
    name: str = "file"
    todo: str = ""

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the content where there is no file."""
        if text is None:
            return Change(self.content, Undo(), is_added=True)
        if self.needs and not {self.needs, f"/{self.needs}"} & {line.strip() for line in text.splitlines()}:
            return Change(text, undo, f"it lacks the line `{self.needs}`; add it", is_refused=True)
        return Change(text, undo)

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return nothing where the file is as it was made."""
        del undo
        if text.replace("\r\n", "\n") == self.content:
            return Change("")
        return Change(text, why="it was changed, so it stays")


class JsonKey(msgspec.Struct, frozen=True):
    """One key of a JSON file (comments allowed). An entry of the user's own by that name is never overwritten."""

    what: str
    file: str
    path: tuple[str, ...]
    value: Any
    command: str = ""
    """The program that the entry starts: it has to be on PATH."""
    todo: str = ""
    """What the user must do themselves once it is written."""

    @property
    def name(self) -> str:
        """What tells the edit from others of the same file."""
        return ".".join(self.path)

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the text with the key, in the style of what is around it."""
        text = text or ""
        wrote = jsonedit.canonical(self.value)
        if not text.strip(BLANK):
            return Change(self._fresh(text), Undo(wrote=wrote, blank=text), is_added=True)
        try:
            there = _depth(jsonedit.parse(text), self.path)
            if there < len(self.path):
                after = jsonedit.set_key(text, self.path, self.value)
                return Change(after, Undo(added=there, wrote=wrote), is_added=True)
            found = jsonedit.canonical(_at(jsonedit.parse(text), self.path))
            if found == wrote:
                return Change(text, undo)
            if undo is None or undo.wrote != found:
                return Change(text, undo, f"it has a `{self.name}` of its own, which stays")
            after = jsonedit.set_key(text, self.path, self.value)
        except jsonedit.JsonTextError as error:
            return Change(text, undo, f"it cannot be edited: {error}", is_refused=True)
        return Change(after, msgspec.structs.replace(undo, wrote=wrote))

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return the text without the key, and without the objects that were made for it."""
        try:
            value = jsonedit.parse(text)
        except jsonedit.JsonTextError as error:
            if undo is None and f'"{self.path[-1]}"' not in text:
                return Change(text)
            return Change(text, why=f"it cannot be edited: {error}; remove `{self.name}`", is_refused=True)
        if _depth(value, self.path) < len(self.path):
            return Change(text)
        if undo is None:
            if text == self._fresh(""):
                return Change("")
            if jsonedit.canonical(_at(value, self.path)) != jsonedit.canonical(self.value):
                why = f"its `{self.name}` is not what memoire writes; remove it if it is no longer wanted"
                return Change(text, why=why, is_refused=True)
            return Change(jsonedit.remove_key(text, self.path))
        after = jsonedit.remove_key(text, self.path, prune=len(self.path) - 1 - undo.added)
        return Change(undo.blank if undo.blank is not None and after.strip(BLANK) == "{}" else after)

    def _fresh(self, blank: str) -> str:
        mark = "\ufeff" if blank.startswith("\ufeff") else ""
        return f"{mark}{jsonedit.set_key('{}', self.path, self.value)}\n"


class JsonItems(msgspec.Struct, frozen=True):
    """One item in each of several arrays of a JSON file (comments allowed), beside those of others.

    An item is known by what it is, not by its place: others may be put before it, and the program it is for may write
    the file anew.
    """

    what: str
    file: str
    path: tuple[str, ...]
    """Of the object whose keys have the arrays."""
    make: Callable[[], Mapping[str, Any]]
    """Returns key -> item, as it is on this machine now."""
    share: Callable[[Any], str]
    """Takes an item; returns how much of it is memoire's: all, part or none."""
    is_personal: bool = False
    """The file is one user's, and not to be committed."""
    todo: str = ""

    @property
    def name(self) -> str:
        """What tells the edit from others of the same file."""
        return ".".join(self.path)

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the text with each item in its array, and without those of an older version that are no more."""
        old = text = text or ""
        wanted = self.make()
        known = undo or Undo()
        blank = known.blank
        parts = dict(known.parts)
        whys: list[str] = []
        if not text.strip(BLANK):
            blank, parts = text, {}
            text = ("\ufeff" if text.startswith("\ufeff") else "") + "{}\n"
        try:
            for key, item in wanted.items():
                text, part, why = self._put(text, key, item, parts.get(key))
                whys += [why] if why else []
                if part is not None:
                    parts[key] = part
            for key in self._keys(text):
                if key not in wanted:
                    text = self._take(text, key, parts.pop(key, None))
        except jsonedit.JsonTextError as error:
            return Change(old, undo, f"it cannot be edited: {error}", is_refused=True)
        why = "; ".join(dict.fromkeys(whys))
        if text == old:
            return Change(old, undo, why)
        is_added = undo is None or not self._keys(old)
        return Change(text, Undo(blank=blank, parts=parts), why, is_added=is_added)

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return the text without the items, and without the arrays and objects that were made for them."""
        parts = undo.parts if undo else {}
        try:
            keys = self._keys(text)
            kept = [key for key in keys if "part" in map(self.share, self._items(text, key))]
            # The last that was put in goes first: what was made for the first of them is made for all.
            for key in sorted(keys, key=list(parts).index if set(keys) <= set(parts) else keys.index, reverse=True):
                text = self._take(text, key, parts.get(key, None if undo is None else Undo(added=len(self.path) + 1)))
        except jsonedit.JsonTextError as error:
            if undo is None and "memoire" not in text:
                return Change(text)
            return Change(text, why=f"it cannot be edited: {error}; take memoire out of `{self.name}`", is_refused=True)
        if kept:
            why = f"memoire is one of several commands in an entry of `{self.name}.{kept[0]}`; take it out there"
            return Change(text, why=why, is_refused=True)
        is_bare = text.strip(BLANK) == "{}" and bool(keys)
        if undo is None:
            return Change("" if is_bare else text)
        return Change(undo.blank if undo.blank is not None and is_bare else text)

    def _put(self, text: str, key: str, item: object, undo: Undo | None) -> tuple[str, Undo | None, str]:
        """Return (text with the item in one array, what it takes to undo that, why it is not as it was asked for)."""
        path = (*self.path, key)
        wrote = jsonedit.canonical(item)
        there = _depth(jsonedit.parse(text), path)
        if there < len(path):
            return jsonedit.set_key(text, path, [item]), Undo(added=there, wrote=wrote), ""
        items = self._items(text, key)
        shares = [self.share(found) for found in items]
        ours = [index for index, share in enumerate(shares) if share == "all"]
        if not ours:
            if "part" in shares:
                return text, undo, f"memoire is part of an entry of `{self.name}.{key}` already, which stays"
            # Made by an earlier run and left empty by another program: it is as if it had been there.
            return jsonedit.append_item(text, path, item), Undo(added=len(path), wrote=wrote), ""
        for index in reversed(ours[1:]):
            text = jsonedit.remove_item(text, path, index)
        found = jsonedit.canonical(items[ours[0]])
        if found != wrote and undo is not None and undo.wrote != found:
            return text, undo, f"its `{self.name}.{key}` was changed, and stays so"
        text = jsonedit.set_item(text, path, ours[0], item)
        return text, undo and msgspec.structs.replace(undo, wrote=wrote), ""

    def _take(self, text: str, key: str, undo: Undo | None) -> str:
        """Return the text without the items of one array that are memoire's alone."""
        path = (*self.path, key)
        ours = [index for index, item in enumerate(self._items(text, key)) if self.share(item) == "all"]
        for index in reversed(ours):
            text = jsonedit.remove_item(text, path, index)
        added = 0 if undo is None else undo.added
        if not ours or self._items(text, key) or added == len(path):
            return text
        return jsonedit.remove_key(text, path, prune=len(path) - 1 - added) if jsonedit.is_bare(text, path) else text

    def _keys(self, text: str) -> list[str]:
        """Return the keys whose arrays hold something of memoire's."""
        value = jsonedit.parse(text) if text.strip(BLANK) else {}
        if _depth(value, self.path) < len(self.path):
            return []
        arrays = _at(value, self.path)
        if not isinstance(arrays, dict):
            return []
        return [
            key
            for key, items in arrays.items()
            if isinstance(items, list) and any(self.share(item) != "none" for item in items)
        ]

    def _items(self, text: str, key: str) -> list[Any]:
        found = _at(jsonedit.parse(text), (*self.path, key))
        if not isinstance(found, list):
            raise jsonedit.JsonTextError(f"`{self.name}.{key}` is no array")
        return found


class MarkdownBlock(msgspec.Struct, frozen=True):
    """Lines between two marks in a text for assistants; everything around them is the user's."""

    what: str
    file: str
    lines: tuple[str, ...]
    name: str = "block"
    todo: str = ""

    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return the text with the block: at its end, or where an older one is."""
        text = text or ""
        lines = (f"<!-- memoire:begin v{BLOCK_VERSION} -->", *self.lines, END)
        blocks = list(_blocks(text))
        if None in blocks:
            return Change(text, undo, "its `memoire:begin` and `memoire:end` do not match", is_refused=True)
        if any(found and found.version > BLOCK_VERSION for found in blocks):
            return Change(text, undo, "a newer memoire wrote its block")
        if blocks:
            first, *others = (found for found in blocks if found)
            for other in reversed(others):
                text = _cut(text, other, None)
            newline = _newline(text[first.start : first.end])
            return Change(text[: first.start] + newline.join(lines) + text[first.end :], undo)
        newline = _newline(text)
        before, after = _ends(text, newline)
        return Change(
            text + newline * before + newline.join(lines) + newline * after,
            Undo(before=before, after=after),
            is_added=True,
        )

    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return the text without the block and the line ends that were added with it."""
        blocks = list(_blocks(text))
        if None in blocks:
            why = "its `memoire:begin` and `memoire:end` do not match; remove what is between them"
            return Change(text, why=why, is_refused=True)
        for found in reversed(blocks):
            assert found is not None
            text = _cut(text, found, undo if len(blocks) == 1 else None)
        return Change(text)


Edit = WholeFile | JsonKey | JsonItems | MarkdownBlock


class Client(msgspec.Struct, frozen=True):
    """One assistant, editor or shell; `clients/<name>.py` defines it as `CLIENT`."""

    name: str
    """As it is written in commands and events: `claude-code`."""
    title: str
    detect: Callable[[str], bool]
    """Takes the root of a project; returns whether the client is used there, or installed."""
    edits: tuple[Edit, ...]


class _Block(NamedTuple):
    start: int
    end: int
    version: int


def _blocks(text: str) -> Iterator[_Block | None]:
    """Yield each block; None where a mark has no partner."""
    begin: re.Match[str] | None = None
    for mark in _MARKER.finditer(text):
        if (mark[2] is None) == (begin is None):
            yield None
            return
        if begin is not None:
            yield _Block(begin.start(1), mark.end(1), int(begin[2]))
        begin = mark if begin is None else None
    if begin is not None:
        yield None


def _ends(text: str, newline: str) -> tuple[int, int]:
    """Return how many line ends to put before and after a block at the end: one blank line, and the last as it was."""
    if text in {"", "\ufeff"}:
        return 0, 1
    if not text.endswith("\n"):
        return 2, 0
    return 0 if text.endswith(f"\n{newline}") else 1, 1


def _cut(text: str, block: _Block, undo: Undo | None) -> str:
    """Return the text without a block, and without the line ends that were added with it, as far as they are there."""
    head, tail = text[: block.start], text[block.end :]
    newline = _newline(text[block.start : block.end])
    if undo is None:
        after = 1 if tail.startswith(newline) else 0
        before = 2 - after
    else:
        before, after = undo.before, undo.after
    tail = tail.removeprefix(newline * after)
    if tail.strip(BLANK) and not tail.startswith(newline):
        return head + tail  # text that follows at once: the blank line keeps it a paragraph of its own
    if before == 1 and not head.endswith(newline * 2):
        return head + tail
    for _ in range(before):
        head = head.removesuffix(newline)
    return head + tail


def _newline(text: str) -> str:
    first, ending, _ = text.partition("\n")
    return "\r\n" if ending and first.endswith("\r") else "\n"


def _depth(value: object, path: tuple[str, ...]) -> int:
    """Return how many names of the path are there."""
    for depth, key in enumerate(path):
        if not isinstance(value, dict) or key not in value:
            return depth
        value = value[key]
    return len(path)


def _at(value: Any, path: tuple[str, ...]) -> object:
    for key in path:
        value = value[key]
    return value
