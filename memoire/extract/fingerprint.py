"""Fingerprints definitions by their syntax: comments, docstrings and format do not count, everything else does."""

from bisect import bisect_left
from collections.abc import Sequence
from hashlib import blake2b

from memoire.extract.rows import Rows

_FORMAT = b" \t\r\n\f\\,;'\"`"
"""Bytes that formatters move: white space, line joins, trailing commas, semicolons, the kind of quotes."""

_CUT, _END, _OPEN = 0, 1, 2


def digest(text: bytes) -> str:
    """Return 16 hex digits that stay the same under reformatting."""
    return blake2b(text.translate(None, _FORMAT), digest_size=8).hexdigest()


def header_digest(src: bytes, start: int, end: int, comments: Sequence[tuple[int, int]]) -> str:
    """Return the fingerprint of a header; one comment behind it, or between its parameters, does not count.

    Args:
        src: The file.
        start: Its first byte.
        end: Where the body begins.
        comments: (start, end) of all comments of the file, sorted.
    """
    first = bisect_left(comments, (start, 0))
    if first == len(comments) or comments[first][0] >= end:
        return digest(src[start:end])
    pieces, at = [], start
    for opened, closed in comments[first:]:
        if opened >= end:
            break
        pieces.append(src[at:opened])
        at = closed
    return digest(b"".join([*pieces, src[at:end]]))


def fingerprints(src: bytes, spans: list[tuple[int, int]], rows: Rows) -> list[str]:
    """Return one fingerprint for each definition.

    A nested definition stands in its parent's text as its own fingerprint, so the cost stays one pass over the file.
    Where indentation is syntax, the end of each block is written in as a brace: moving a statement out of an `if`
    changes the fingerprint although its letters stay the same.

    Args:
        src: The file.
        spans: (start, end) of the definitions, parents before their children.
        rows: For comments, docstrings and block ends.
    """
    marks = [(node.start_byte, _CUT, node.end_byte) for node in rows.comments]
    marks += [(node.start_byte, _CUT, node.end_byte) for node in rows.docs]
    marks += [(end, _END, end) for end in rows.blocks]
    marks += [(start, _OPEN, index) for index, (start, _) in enumerate(spans)]
    marks.sort()
    prints = [""] * len(spans)
    stack: list[tuple[int, list[bytes]]] = []
    cursor = 0

    def leave(position: int, at: int) -> int:
        while stack and spans[stack[-1][0]][1] <= position:
            index, pieces = stack.pop()
            end = spans[index][1]
            pieces.append(src[at:end])
            prints[index] = digest(b"".join(pieces))
            if stack:
                stack[-1][1].append(prints[index].encode())
            at = max(at, end)
        return at

    for start, kind, value in marks:
        # A block ends where its definition ends: it still belongs to it.
        cursor = leave(start - 1 if kind == _END else start, cursor)
        if not stack and kind != _OPEN:
            continue
        if start < cursor:
            continue
        if stack:
            stack[-1][1].append(src[cursor:start])
        if kind == _CUT:
            cursor = value
        elif kind == _END:
            stack[-1][1].append(b"}")
            cursor = start
        else:
            stack.append((value, []))
            cursor = start
    leave(len(src), cursor)
    return prints
