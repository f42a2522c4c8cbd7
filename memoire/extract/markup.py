"""Finds the tags of HTML, and of files that look like it (components), with their attributes. Tolerant and linear."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_BOUND = 4_000
"""Characters of the longest attribute value that is read."""
_TAG = re.compile(
    r"<!--|<(/?)([A-Za-z][\w:.-]{0,80})"
    rf"((?:\s(?:\"[^\"]{{0,{_BOUND}}}\"|'[^']{{0,{_BOUND}}}'|\{{[^{{}}]{{0,{_BOUND}}}\}}|[^'\"<>])*+)?)(?<!=)>"
)
_ATTRIBUTE = re.compile(r"([^\s=\"'<>/]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|\{([^{}]*)\}|([^\s\"'>{][^\s\"'>]*)))?")
_RAW = frozenset({"script", "style", "textarea", "title"})
"""Elements whose content is text up to their closing tag."""


class Tag(NamedTuple):
    """One opening tag."""

    name: str
    attributes: dict[str, str]
    line: int
    start: int
    """Offset of its content: behind the `>`."""
    end: int
    """Where the content of a raw element ends; for others as `start`."""
    at: int
    """Offset of the `<`."""


def tags(text: str, *, max_tags: int = 50_000) -> Iterator[Tag]:
    """Yield the opening tags outside of comments and raw elements."""
    lowered = text.lower()
    at, line, counted = 0, 1, 0
    for _ in range(max_tags):
        found = _TAG.search(text, at)
        if found is None:
            return
        if found[2] is None:
            end = text.find("-->", found.end())
            at = len(text) if end < 0 else end + 3
            continue
        at = found.end()
        if found[1]:
            continue
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        name = found[2]
        end = at
        if name.lower() in _RAW and not found[3].endswith("/"):
            close = lowered.find(f"</{name.lower()}", at)
            end = at = len(text) if close < 0 else close
        attributes = {
            each[1]: next((value for value in each.groups()[1:] if value is not None), "")
            for each in _ATTRIBUTE.finditer(found[3])
        }
        yield Tag(name, attributes, line, found.end(), end, found.start())
