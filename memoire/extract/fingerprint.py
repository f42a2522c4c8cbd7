"""Fingerprints definitions by their syntax: comments, docstrings and format do not count, everything else does."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from memoire.extract.rows import Rows

_FORMAT = b" \t\r\n\f\\,;'\"`"
"""Bytes that formatters move: white space, line joins, trailing commas, semicolons, the kind of quotes."""

_BLANK = b" \t\r\n"
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


def annotations(src: bytes, types: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans of annotations with the sign before them: `: int`, `-> str`; outermost, sorted.

    Args:
        src: The file.
        types: (start, end) of the types that annotations name.
    """
    found: list[tuple[int, int]] = []
    for start, end in sorted(types):
        if found and start < found[-1][1]:
            continue
        sign = start
        while sign and src[sign - 1] in _BLANK:
            sign -= 1
        if src[max(sign - 2, 0) : sign] == b"->":
            found.append((sign - 2, end))
        elif src[max(sign - 1, 0) : sign] == b":":
            found.append((sign - 1, end))
        elif src[start : start + 1] == b":":  # where the annotation brings its sign
            found.append((start, end))
    return found


def fingerprints(
    src: bytes, spans: list[tuple[int, int]], rows: Rows, erased: Iterable[tuple[int, int]] = ()
) -> list[str]:
    """Return one fingerprint for each definition.

    A nested definition stands in its parent's text as its own fingerprint, so the cost stays one pass over the file.
    Where indentation is syntax, the end of each block is written in as a brace: moving a statement out of an `if`
    changes the fingerprint although its letters stay the same.

    Args:
        src: The file.
        spans: (start, end) of the definitions, parents before their children.
        rows: For comments, docstrings and block ends.
        erased: What does nothing when the program runs: annotations, where the language does not look at them.
    """
    marks = [(node.start_byte, _CUT, node.end_byte) for node in rows.comments]
    marks += [(node.start_byte, _CUT, node.end_byte) for node in rows.docs]
    marks += [(start, _CUT, end) for start, end in erased]
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
