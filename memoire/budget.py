"""Keeps an answer within the tokens its caller asked for. Pure.

A token is four characters of the compact JSON that goes out: models differ, and this is what the published page counts.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

R = TypeVar("R", bound=msgspec.Struct)

CHARS_PER_TOKEN = 4

_encoder = msgspec.json.Encoder()


class Part(msgspec.Struct, frozen=True):
    """One part of an answer that can be shorter."""

    wanted: int
    """Its full length: items, or characters."""
    share: int
    """What it gets before any other part gets more than its own share."""


def size(answer: msgspec.Struct) -> int:
    """Return the number of characters of the answer's compact JSON."""
    return len(_encoder.encode(answer).decode())


def tokens(answer: msgspec.Struct) -> int:
    """Return what an answer costs, in tokens, rounded up."""
    return -(-size(answer) // CHARS_PER_TOKEN)


def fit(make: Callable[[Sequence[int]], R], parts: Sequence[Part], budget: int) -> R:
    """Return the fullest answer of at most `budget` tokens.

    First each part, the most important first, gets up to its share; then each, in the same order, up to all of it.

    Args:
        make: Returns the answer with so much of each part. With nothing of any, it must fit.
        parts: The most important first.
        budget: Tokens.
    """
    room = budget * CHARS_PER_TOKEN
    full = make([part.wanted for part in parts])
    if size(full) <= room:
        return full
    lengths = [0] * len(parts)
    for limit in ([min(part.share, part.wanted) for part in parts], [part.wanted for part in parts]):
        for number in range(len(parts)):
            lengths[number] = _longest(make, lengths, number, limit[number], room)
    return make(lengths)


def _longest(
    make: Callable[[Sequence[int]], msgspec.Struct], lengths: Sequence[int], number: int, limit: int, room: int
) -> int:
    """Return the greatest length up to `limit`, found by halving, at which the answer still fits."""

    def fits(length: int) -> bool:
        tried = [*lengths]
        tried[number] = length
        return size(make(tried)) <= room

    low, high = lengths[number], limit
    if low >= high or fits(high):
        return max(low, high)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low


def clip(text: str, limit: int) -> str:
    """Return the text in one line and at most `limit` characters, cut at a word where one ends late enough."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    if limit < 1:
        return ""
    head = line[: limit - 1]
    cut = head.rfind(" ")
    return f"{head[:cut] if cut > limit * 2 // 3 else head}…"


def clip_middle(text: str, limit: int) -> str:
    """Return a path with its middle left out where it is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    head = (limit - 1) // 2
    return f"{text[:head]}…{text[len(text) - (limit - 1 - head) :]}" if limit > 1 else text[:limit]
