"""Globs of `tsconfig.json`, `package.json` and `pnpm-workspace.yaml`, in time linear in pattern times path. Pure.

A hostile clone may hold `**/a/**/a/**/a…`: as a regular expression that takes for ever, so segments are matched one by
one and only the last `**` is ever gone back to.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

MAX_SEGMENTS = 64
"""A longer pattern matches nothing."""


def _matches(
    pattern: Sequence[T], items: Sequence[T], is_star: Callable[[T], bool], fits: Callable[[T, T], bool]
) -> bool:
    """Return whether the pattern, where a star stands for any run of items, matches them all."""
    p = i = back_i = 0
    star = -1
    while i < len(items):
        if p < len(pattern) and is_star(pattern[p]):
            star, back_i = p, i
            p += 1
        elif p < len(pattern) and fits(pattern[p], items[i]):
            p += 1
            i += 1
        elif star >= 0:
            back_i += 1
            p, i = star + 1, back_i
        else:
            return False
    return all(is_star(rest) for rest in pattern[p:])


def _segment_fits(pattern: str, name: str) -> bool:
    if pattern == "*":
        return True
    if "?" not in pattern:
        before, star, after = pattern.partition("*")
        if not star:
            return pattern == name
        if "*" not in after:
            return len(name) >= len(before) + len(after) and name.startswith(before) and name.endswith(after)
    return _matches(pattern, name, lambda c: c == "*", lambda c, d: c in ("?", d))


def matches_glob(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Return whether a pattern (`*`, `?`, `**` for any directories) matches a path, both split at the slashes."""
    if len(pattern) > MAX_SEGMENTS:
        return False
    return _matches(pattern, path, lambda segment: segment == "**", _segment_fits)


def split_glob(pattern: str) -> tuple[str, ...]:
    """Return the segments of a pattern as written: backslashes, `./` and empty segments gone, `..` resolved."""
    segments: list[str] = []
    for segment in pattern.replace("\\", "/").split("/"):
        if segment == ".." and segments and segments[-1] not in {"..", "**"}:
            segments.pop()
        elif segment == "**" and segments[-1:] == ["**"]:
            continue
        elif segment not in {"", "."}:
            segments.append(segment)
    return tuple(segments)
