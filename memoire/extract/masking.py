"""Blanks what is no code, so that names can be read from the text of a file. Offsets never change."""

import re
from collections.abc import Iterable

from memoire.extract.stretches import Part

_OPEN, _CLOSE, _BLANK, _DOT = b"() ."
_BRACE, _UNBRACE = b"{}"
_SPACE = b" \t\r\n"
_JOINTS = b".&:"
_QUOTES = b"\"'["
_TEMPLATE, _LINE_END = b"`\n"
_OPENING = (b"", b"(", b"[", b"{", b",", b":", b"=")
"""What stands before an expression and is the end of none."""


def mask(
    code: bytes,
    spans: list[tuple[int, int]],
    leading: re.Pattern[bytes],
    strings: str = "",
    led: set[int] | None = None,
) -> bytes:
    """Return the source with the spans blanked; they may overlap: a docstring is also a string.

    Args:
        code: The source.
        spans: What is no code.
        leading: What joins names, where it begins a line: see `Chains.leading`.
        strings: Regular expression of strings that are blanked too: it sees what the spans leave, behind the end of a
            line. What it matches may begin with that of the line before, which stays.
        led: Takes the offsets of the names that such a joint leads to: they begin no chain.
    """
    pieces: list[bytes] = []
    cursor = 0
    for start, end in sorted(spans):
        if end <= cursor:
            continue
        begin = max(start, cursor)
        pieces += (code[cursor:begin], b" " * (end - begin))
        cursor = end
    pieces.append(code[cursor:])
    masked = b"".join(pieces)
    if strings:
        masked = re.sub(strings.encode(), _blank, b"\n" + masked)[1:]
    return _with_dots_behind(masked, leading, led)


def without(
    spans: list[tuple[int, int]], strings: list[tuple[int, int]], code: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the spans, those of strings cut where code stands in them.

    Args:
        spans: What is no code, the strings included.
        strings: What of it is text that may hold code.
        code: Where code may stand, sorted.
    """
    texts = set(strings)
    kept = [span for span in spans if span not in texts]
    at = 0
    for start, end in sorted(texts):
        while at < len(code) and code[at][1] <= start:
            at += 1
        begin, index = start, at
        while index < len(code) and code[index][0] < end:
            kept.append((begin, max(begin, code[index][0])))
            begin = min(end, code[index][1])
            index += 1
        kept.append((begin, end))
    return kept


def _with_dots_behind(masked: bytes, leading: re.Pattern[bytes], led: set[int] | None) -> bytes:
    """Return the source with every dot that begins a line moved to the end of what it follows.

    A chain of names may be written over many lines; so it is one chain to read.
    """
    found = list(leading.finditer(masked))
    if not found:
        return masked
    code = bytearray(masked)
    for match in found:
        dot, at = match[1], match.start()
        while at and masked[at - 1] in _SPACE:
            at -= 1
        if masked[at - 1 : at] in _OPENING:
            continue  # nothing goes on there: a member of what is known from around, such as `.red` in a list
        if led is not None and _DOT in dot:  # `::name` may begin a statement
            led.add(match.end(1))
        code[match.start(1) : match.end(1)] = b" " * len(dot)
        code[at : at + len(dot)] = dot
    return bytes(code)


def _take_in(code: bytearray, start: int, close: int, end: int) -> None:
    """Make a closure behind a call one of its arguments.

    Args:
        code: The source.
        start: Of the arguments in parentheses, or of the closure where there are none.
        close: Their end; as `start` where there are none.
        end: Of the last closure.
    """
    if code[end - 1] != _UNBRACE:
        return
    if close > start:
        code[close - 1] = _BLANK
    else:
        code[start] = _BLANK
        code[_before(code, start)] = _OPEN
    code[end - 1] = _CLOSE


def _join_label(code: bytearray, start: int, end: int) -> None:
    """Make a label part of the name of what is called."""
    opening = _before(code, start)
    if code[opening - 1 : opening] == b"(" and code[end : end + 1] == b":":
        code[opening - 1], code[end] = _DOT, _OPEN


def _before(code: bytearray, at: int) -> int:
    """Return the offset behind the last byte before `at` that is no space."""
    while at and code[at - 1] in _SPACE:
        at -= 1
    return at


def _blank(found: re.Match[bytes]) -> bytes:
    text = found[0]
    return b" " * len(text) if text[0] != _LINE_END else b"\n".ljust(len(text))


def with_parens(
    src: bytes,
    generics: Iterable[tuple[int, int]],
    tagged: Iterable[tuple[int, int]],
    unparenthesized: Iterable[tuple[int, int]] = (),
    makers: Iterable[tuple[int, int]] = (),
) -> bytes:
    """Return the source with a parenthesis where a call has none behind its callee.

    The type arguments of ``get<User>(url)`` and the template of ``sql`select` `` stand between a name and what makes
    it a call: they become ``get(User  url)`` and ``sql(select )``, balanced and as long as before. Arguments without
    parentheses, ``puts name``, are put into some where there is space: ``puts(name)``. What is called to make an
    instance goes: ``Client.new(url)`` becomes ``Client(    url)``.
    """
    if not generics and not tagged and not unparenthesized and not makers:
        return src
    code = bytearray(src)
    for start, end in tagged:
        if code[start] == _TEMPLATE and code[end - 1] == _TEMPLATE and end - start > 1:
            code[start], code[end - 1] = _OPEN, _CLOSE
    for start, end in unparenthesized:
        _put_in_parens(code, start, end)
    for start, end in makers:
        _unmake(code, start, end)
    for start, end in generics:
        if end < len(code) and code[end] == _OPEN:
            code[start], code[end - 1], code[end] = _OPEN, _BLANK, _BLANK
    return bytes(code)


def value_of(src: bytes, code: bytes, node: Part) -> bytes:
    """Return the text of an expression with the parentheses of its calls.

    Args:
        src: The source.
        code: The source with parentheses: see `with_parens`.
        node: The expression.
    """
    start, end = node.start_byte, node.end_byte
    if code[end : end + 1] == b")" != src[end : end + 1] and code.count(b"(", start, end) > code.count(
        b")", start, end
    ):
        end += 1  # closes the arguments of a command
    return code[start:end]


def _put_in_parens(code: bytearray, start: int, end: int) -> None:
    """Put arguments without parentheses into some."""
    if code[start] == _BRACE and code[end - 1] == _UNBRACE:
        # A block that is handed over: `run { go() }` becomes `run({ go() )`.
        code[start - 1 if start and code[start - 1] in _SPACE else start] = _OPEN
        code[end - 1] = _CLOSE
    elif start and code[start - 1] in _SPACE and code[start] != _OPEN:
        is_closed = end < len(code) and code[end] in _SPACE
        # One that cannot be closed would hold what comes behind it; but for a string, which is all there is.
        if is_closed or code[start] in _QUOTES:
            code[start - 1] = _OPEN
        if is_closed:
            code[end] = _CLOSE


def _unmake(code: bytearray, start: int, end: int) -> None:
    """Blank the name of what makes an instance, with what joins it, so that its class is called."""
    at = start
    while at and code[at - 1] in _JOINTS:
        at -= 1
    if at == start or not at or code[at - 1] in _SPACE:
        return
    code[at:end] = b" " * (end - at)
    if end < len(code) and code[end] == _OPEN:
        code[at], code[end] = _OPEN, _BLANK
    else:
        code[at : at + 2] = b"()"


def with_arguments(src: bytes, trailing: Iterable[tuple[int, int, int]], labelled: Iterable[tuple[int, int]]) -> bytes:
    """Return the source with the closures behind calls among their arguments, and first labels among their names.

    ``map(x) { … }`` is ``map(x    … )``; ``Data(contentsOf: url)`` is ``Data.contentsOf( url)``.

    Args:
        src: The source.
        trailing: See `Rows.trailing`.
        labelled: The labels that are part of the name of what is called.
    """
    if not trailing and not labelled:
        return src
    code = bytearray(src)
    for start, close, end in trailing:
        _take_in(code, start, close, end)
    for start, end in labelled:
        _join_label(code, start, end)
    return bytes(code)
