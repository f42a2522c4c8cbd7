"""Finds what begins with a line without a look at every line: where it can be told by a sign that is found sooner."""

import re
from collections.abc import Callable, Iterator


def at_lines(pattern: re.Pattern[bytes], sign: re.Pattern[bytes], text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield what `pattern.finditer(text)` yields.

    Args:
        pattern: It begins with `^`, and `re.MULTILINE` is set.
        sign: What ends in the first line of all that the pattern finds there; it may begin with the end of the line
            before. What the pattern finds in the first line of the text needs none.
        text: The text.
    """
    found = pattern.match(text)
    end, last = -1, 0
    if found is not None:
        yield found
        end = found.end()
    for each in sign.finditer(text):
        start = text.rfind(b"\n", 0, each.end()) + 1
        if start < end or start == last:
            continue
        last = start
        found = pattern.match(text, start)
        if found is not None:
            yield found
            end = found.end()


def replaced(found: Iterator[re.Match[bytes]], by: Callable[[re.Match[bytes]], bytes], text: bytes) -> bytes:
    """Return a text with what is found in it, in order and without overlap, replaced."""
    pieces: list[bytes] = []
    at = 0
    for each in found:
        pieces += (text[at : each.start()], by(each))
        at = each.end()
    return b"".join([*pieces, text[at:]]) if pieces else text
