"""Keeps bad input from costing more than its size: decoding, limits and the deadline of a parse."""

import codecs
import itertools
import re
import time

from tree_sitter import Parser, Tree

from memoire.model import Problem

MAX_BYTES = 1_000_000
"""Larger files are known by name only: one parse of them costs seconds and hundreds of megabytes."""
MINIFIED_LINE = 500
"""Mean line length, bytes, above which a file over `MINIFIED_BYTES` is taken as generated."""
MINIFIED_BYTES = 10_000
PARSE_SECONDS = 1.0
"""CPU time one parse may take: valid code of the largest size needs a third of it."""
DEADLINE_BYTES = 1_000
"""Smaller files are parsed without asking for the time: on 16 kB some grammars spend seven seconds."""
MAX_ERROR_CHILDREN = 5_000
"""A flat ERROR root with more children makes matching quadratic (10 s at 100,000)."""
MAX_BRACKETS = 1_000
"""Nesting deeper than this is not matched: see `rows.MAX_START_DEPTH`."""
_CHUNK = 4_096
"""What one call of the source gives. Every predicate of a query asks for the text of its node again: a copy each."""

_ROUNDS = 30
_OPENING = b"([{"
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_CONTROL = bytes(range(9)) + bytes(range(14, 27)) + bytes(range(28, 32))


def decode(data: bytes) -> tuple[bytes, Problem | None]:
    """Return the bytes as UTF-8 without byte order mark and NULs, and what had to be changed.

    A NUL byte does not make a file binary: real source holds some. A file is binary when a twentieth of its first
    8 kB are control bytes: of random or compressed data it is a tenth, of text hardly one in a thousand.
    """
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            text = data[2:].decode(codec, "replace").encode()
            return text.replace(b"\0", b" "), Problem("encoding", f"read as {codec}")
    data = data.removeprefix(b"\xef\xbb\xbf")
    head = data[:8192]
    if head and len(head) - len(head.translate(None, _CONTROL)) > len(head) // 20:
        return b"", Problem("binary", "holds too many control bytes to be text")
    if b"\0" in data:
        data = data.replace(b"\0", b" ")
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        # tree-sitter decodes what a predicate of a query looks at, and may end the process where it cannot.
        data = data.decode("utf-8", _AS_LETTERS).encode()
        return data, Problem("encoding", f"is not UTF-8 from byte {error.start} on; read byte by byte", line)
    return data, None


def _as_letters(error: UnicodeError) -> tuple[str, int]:
    """Stand a letter for each byte that is not UTF-8: it is one of another encoding, and offsets stay what they are."""
    assert isinstance(error, UnicodeDecodeError)
    return "_" * (error.end - error.start), error.end


_AS_LETTERS = "memoire.as_letters"
codecs.register_error(_AS_LETTERS, _as_letters)


MAX_OPEN = 2_000
"""Brackets that may lack the one that closes them. To make sense of more a parser may take gigabytes: that of Rust took
0.3 GB for 1,000 and 1.2 GB for 2,000."""
_PAIRS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))


def refusal(data: bytes) -> Problem | None:
    """Return why a decoded file is not parsed, None where it may be."""
    if len(data) > MAX_BYTES:
        return Problem("too-large", f"{len(data) // 1000} kB; only files up to {MAX_BYTES // 1000} kB are parsed")
    if len(data) > MINIFIED_BYTES and len(data) // (data.count(b"\n") + 1) > MINIFIED_LINE:
        return Problem("minified", "its lines are too long to have been written by hand; known by name only")
    if any(data.count(opening) - data.count(closing) > MAX_OPEN for opening, closing in _PAIRS):
        return Problem("too-deep", f"more than {MAX_OPEN} brackets are never closed; known by name only")
    return None


def is_too_deep(data: bytes) -> bool:
    """Return whether brackets nest deeper than `MAX_BRACKETS`, those in strings and comments included.

    Each round takes out the innermost pairs, so the rounds count the depth; a file whose remaining brackets cannot
    reach the limit ends it, which is at once for nearly all. What many rounds leave is counted one by one.
    """
    rest = data.translate(None, _NO_BRACKETS)
    for depth in range(_ROUNDS):
        if len(rest) < 2 * (MAX_BRACKETS - depth):
            return False
        shorter = rest.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
        if len(shorter) == len(rest):
            # Only unbalanced ones are left: a run of openers is depth as well.
            return max(map(len, re.findall(rb"[(\[{]+", rest)), default=0) > MAX_BRACKETS
        rest = shorter
    depths = itertools.accumulate(
        rest, lambda depth, byte: depth + 1 if byte in _OPENING else max(0, depth - 1), initial=0
    )
    return max(depths) > MAX_BRACKETS - _ROUNDS


def _nested(depth: int, bracket: int) -> int:
    return depth + 1 if bracket in _OPENING else max(0, depth - 1)


def parse(parser: Parser, data: bytes) -> Tree | Problem:
    """Return the syntax tree, or why there is none."""
    if len(data) <= DEADLINE_BYTES:
        return _checked(parser.parse(data))
    view = memoryview(data)
    start, began = time.process_time(), time.perf_counter()
    try:
        # The deadline is only asked for while the source comes from a callable: every few microseconds, and the clock
        # of CPU time costs ten times as much to read.
        tree = parser.parse(
            lambda offset, _point: bytes(view[offset : offset + _CHUNK]),
            progress_callback=lambda _offset, _error: (
                time.perf_counter() - began > PARSE_SECONDS and time.process_time() - start > PARSE_SECONDS
            ),
        )
    except ValueError:
        parser.reset()
        return Problem("too-slow", f"was not parsed within {PARSE_SECONDS:g} s of CPU time; known by name only")
    return _checked(tree)


def _checked(tree: Tree) -> Tree | Problem:
    root = tree.root_node
    if root.is_error and root.child_count > MAX_ERROR_CHILDREN:
        return Problem("syntax", "is no code of this language; known by name only", 1)
    return tree
