"""One item in each of several arrays of a JSON file, as assistants keep their hooks."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from memoire import jsonedit
from memoire.clients._spec import BLANK, Change, Edit, Undo
from memoire.clients.edits.json_key import at, depth


class JsonItems(Edit, frozen=True, kw_only=True):
    """One item in each of several arrays of a JSON file (comments allowed), beside those of others.

    An item is known by what it is, not by its place: others may be put before it, and the program it is for may write
    the file anew.
    """

    path: tuple[str, ...]
    """Of the object whose keys have the arrays."""
    make: Callable[[], Mapping[str, Any]]
    """Returns key -> item, as it is on this machine now."""
    share: Callable[[Any], str]
    """Takes an item; returns how much of it is memoire's: all, part or none."""

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
        there = depth(jsonedit.parse(text), path)
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
        if depth(value, self.path) < len(self.path):
            return []
        arrays = at(value, self.path)
        if not isinstance(arrays, dict):
            return []
        return [
            key
            for key, items in arrays.items()
            if isinstance(items, list) and any(self.share(item) != "none" for item in items)
        ]

    def _items(self, text: str, key: str) -> list[Any]:
        found = at(jsonedit.parse(text), (*self.path, key))
        if not isinstance(found, list):
            raise jsonedit.JsonTextError(f"`{self.name}.{key}` is no array")
        return found
