"""One key of a JSON file, comments and trailing commas allowed."""

from typing import Any

import msgspec

from memoire import jsonedit
from memoire.clients._spec import BLANK, Change, Edit, Undo


class JsonKey(Edit, frozen=True, kw_only=True):
    """One key of a JSON file (comments allowed). An entry of the user's own by that name is never overwritten."""

    path: tuple[str, ...]
    value: Any

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
            there = depth(jsonedit.parse(text), self.path)
            if there < len(self.path):
                after = jsonedit.set_key(text, self.path, self.value)
                return Change(after, Undo(added=there, wrote=wrote), is_added=True)
            found = jsonedit.canonical(at(jsonedit.parse(text), self.path))
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
        if depth(value, self.path) < len(self.path):
            return Change(text)
        if undo is None:
            if text == self._fresh(""):
                return Change("")
            if jsonedit.canonical(at(value, self.path)) != jsonedit.canonical(self.value):
                why = f"its `{self.name}` is not what memoire writes; remove it if it is no longer wanted"
                return Change(text, why=why, is_refused=True)
            return Change(jsonedit.remove_key(text, self.path))
        after = jsonedit.remove_key(text, self.path, prune=len(self.path) - 1 - undo.added)
        return Change(undo.blank if undo.blank is not None and after.strip(BLANK) == "{}" else after)

    def _fresh(self, blank: str) -> str:
        mark = "\ufeff" if blank.startswith("\ufeff") else ""
        return f"{mark}{jsonedit.set_key('{}', self.path, self.value)}\n"


def depth(value: object, path: tuple[str, ...]) -> int:
    """Return how many names of the path are there."""
    for count, key in enumerate(path):
        if not isinstance(value, dict) or key not in value:
            return count
        value = value[key]
    return len(path)


def at(value: Any, path: tuple[str, ...]) -> object:
    """Return what is at a path; every name of it is there."""
    for key in path:
        value = value[key]
    return value
