"""Reads the text of a PDF with pypdf: the one door to it. Bounded, and never raises for what a file may hold.

What keeps a reading short: pypdf's own limits, set tighter here; a number of pages and of characters; CPU time between
two pages. One page may still take longer than all of that, so this runs in a worker process that can be ended.
"""

import gc
import logging
import re
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any, TypeVar

import msgspec
from pypdf import PasswordType, PdfReader, apply_configuration
from pypdf.generic import Destination

from memoire.languages.pdf.pages import Entry, Pages
from memoire.model import Problem

MAX_PAGES = 400
"""Pages that are read, in about as much time as they are given; more make a collection, and these say what it is."""
MAX_CHARS = 1_000_000
"""Characters that are read: as many as are indexed of any file."""
MAX_ENTRIES = 10_000
"""Entries of the outline; one with more is read as if it had none."""
MAX_SECONDS = 6.0
"""CPU time after which no other page is begun: pages of a manual take 16 ms each. On a busy machine it is half of
what a worker is given."""
_LIMITS: dict[str, Any] = {
    "array_based_stream_maximum_output_length": 8_000_000,
    "lzw_maximum_output_length": 8_000_000,
    "run_length_maximum_output_length": 8_000_000,
    "zlib_maximum_output_length": 8_000_000,
    "brotli_maximum_output_length": 8_000_000,
    "zlib_maximum_recovery_input_length": 1_000_000,
    "stream_decoding_work_maximum_length": 24_000_000,
    "stream_parsing_work_maximum_count": 300_000,
    "xform_maximum_invocations_per_extraction": 300,
    "outline_maximum_entries": MAX_ENTRIES,
    "page_tree_maximum_entries": 20_000,
    "page_tree_maximum_page_entries": 400_000,
    "named_destinations_maximum_entries": 20_000,
    "disable_legacy_handling": True,
}
"""Limits of pypdf (`pypdf.Configuration`): bytes and counts, a tenth or so of what it allows by itself. The
length of a stream is left alone: pictures of a large file are passed over, and never unpacked."""
_MAX_DEPTH = 20
"""Levels of an outline that are told apart."""
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": "", "\u00a0": " "}
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\u2028\u2029\x85]")
_LINE_ENDS = re.compile(r"\r\n?|\f")
_WRAPPED = re.compile(r"(?<=[a-z]{2})-\n(?=[a-z]{2})|(?<=\w/)\n(?=\w)")
"""Where a word or a path goes on in the next line."""

_T = TypeVar("_T")

# What it warns of is wrong with a file of the project, and is told as a problem of that file.
logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)


class _Failure(msgspec.Struct, frozen=True):
    """What kept a part from being read."""

    kind: str
    """Name of the exception."""


def _attempt(step: Callable[[], _T]) -> _T | _Failure:
    """Return what a step gives; of broken input pypdf may raise anything."""
    try:
        return step()
    except Exception as error:  # noqa: BLE001 - boundary: foreign format
        return _Failure(type(error).__name__)


def read_pages(data: bytes) -> Pages:
    """Return what a PDF says, as far as it can be read."""
    with warnings.catch_warnings(), apply_configuration(**_LIMITS):
        warnings.simplefilter("ignore")
        reader = _attempt(lambda: PdfReader(BytesIO(data)))
        if isinstance(reader, _Failure):
            return _refused("syntax", f"is no PDF that can be read: {reader.kind}")
        try:
            return _read(reader)
        finally:
            # What it keeps refers to itself, and in a worker nothing else collects that. All of it is young.
            reader.close()
            gc.collect(0)


def _refused(code: str, message: str) -> Pages:
    return Pages(0, problems=(Problem(code, message),))


def _read(reader: PdfReader) -> Pages:
    if reader.is_encrypted:
        # Some only keep their readers from printing: their password is empty.
        opened = _attempt(lambda: reader.decrypt(""))
        if isinstance(opened, _Failure):
            return _refused("unreadable", f"is encrypted, and cannot be opened: {opened.kind}")
        if opened is PasswordType.NOT_DECRYPTED:
            return _refused("unreadable", "is encrypted: it opens with a password only")
    count = _attempt(lambda: len(reader.pages))
    if isinstance(count, _Failure):
        return _refused("syntax", f"its pages cannot be found: {count.kind}")
    if not count:
        return _refused("syntax", "has no pages")
    texts, problems = _texts(reader, count)
    if not problems and not any(text.strip() for text in texts):
        problems = [Problem("unreadable", f"none of its {count} pages has text: they hold pictures")]
    outline = _attempt(lambda: tuple(_entries(reader)))
    return Pages(
        count,
        tuple(texts),
        _metadata(reader, "title"),
        _metadata(reader, "subject"),
        () if isinstance(outline, _Failure) else outline,
        tuple(problems),
    )


def _texts(reader: PdfReader, count: int) -> tuple[list[str], list[Problem]]:
    """Return the text of the pages in their order, and what kept some from being read."""
    texts: list[str] = []
    failed: list[tuple[int, str]] = []
    problems: list[Problem] = []
    begun = time.process_time()
    size = 0
    for index in range(min(count, MAX_PAGES)):
        if time.process_time() - begun > MAX_SECONDS:
            problems.append(Problem("too-slow", f"only its first {index} of {count} pages were read in time", index))
            break
        text = _attempt(lambda index=index: reader.pages[index].extract_text())  # type: ignore[misc]
        if isinstance(text, _Failure):
            failed.append((index + 1, text.kind))
            text = ""
        texts.append(_clean(text)[: max(0, MAX_CHARS - size)])
        size += len(texts[-1])
        if size >= MAX_CHARS:
            break
    if (len(texts) < count or size >= MAX_CHARS) and not problems:
        problems.append(Problem("too-large", f"only its first {len(texts)} of {count} pages are read"))
    if failed:
        page, kind = failed[0]
        more = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
        problems.append(Problem("syntax", f"page {page}{more} could not be read: {kind}", page))
    return texts, problems


def _clean(text: str) -> str:
    """Return the text of a page without control characters and ligatures, wrapped words and paths in one piece."""
    text = _CONTROL.sub("", _LINE_ENDS.sub("\n", text)).translate(_LIGATURES)
    return _WRAPPED.sub("", text)


def _metadata(reader: PdfReader, name: str) -> str:
    found = _attempt(lambda: getattr(reader.metadata, name, None))
    return " ".join(_clean(found).split())[:300] if isinstance(found, str) else ""


def _entries(reader: PdfReader) -> Iterator[Entry]:
    """Yield the lines of the outline in their order; one that leads nowhere is on the page of the one before it."""
    page = 1
    waiting: list[tuple[int, Sequence[object]]] = [(1, reader.outline)]
    while waiting:
        level, items = waiting.pop()
        for at, item in enumerate(items):
            if isinstance(item, list):
                waiting += [(level, items[at + 1 :]), (min(level + 1, _MAX_DEPTH), item)]
                break
            if isinstance(item, Destination):
                found = reader.get_destination_page_number(item)
                page = found + 1 if found is not None and found >= 0 else page
                title = " ".join(_clean(str(item.title or "")).split())
                if title:
                    yield Entry(level, title, page)
