"""Turns the bytes of one document into `FileFacts`: title, sections, mentions. Pure, total and bounded.

What a mention is, by its `kind`:

- `link`: the target of a link, image, `include`, `toctree` entry or `href`, without fragment and query; external
  targets are dropped;
- `path`: a path in prose, a code span, a `file` role;
- `symbol`: `Class.method`, `name()` where it was called, `path::Symbol`, a dotted module; a plain lower-case word only
  where the markup says that it is a module (`automodule`, `mod`).

A mention in an example (a code block: paths with a folder, Python imports) has an **empty sentence**: it is weaker
evidence than prose, and `memoire.mentions` resolves it by exact path only. A mention in prose has the sentence around
it, without markup, at most 200 characters.

`FileFacts.summary` is the title, and behind ` — ` the first sentence, where there is one: see `split_summary`.
"""

import codecs
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from posixpath import basename, splitext

from memoire.extract.sections import Outline
from memoire.extract.sentences import MAX_SENTENCE, Strip, plain
from memoire.model import Definition, FileFacts, Problem

MAX_BYTES = 4_000_000
"""A document is read this far; more is no prose."""
MAX_LINE = 20_000
"""Characters; a longer line is cut: no person wrote it."""
_SEPARATOR = " — "
_STATUS = re.compile(r"[^\w\[]{0,8}(?:decision )?status\b[\W_]*[:=|][\W_]*(?P<said>[^\W_].*)", re.IGNORECASE)
"""A line that says the status of a document, be it of front matter, a list, a table, a field or prose."""
_STATUS_HEADINGS = frozenset(("status", "decision status", "adr status"))
_STATUS_WITHIN = 40
"""Lines from the top in which such a line speaks of the whole document."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


ReadLines = Callable[[str, list[str], Outline], Iterable[Problem]]
"""(path, lines, outline to fill in) -> what could not be read."""


def extract_document(language: str, path: str, data: bytes, read: ReadLines, strip: Strip = plain) -> FileFacts:
    """Return the facts of one document whose bytes are its text; never raises.

    Args:
        language: Its name.
        path: For the title of a document without a heading, and for `read`.
        data: Any bytes.
        read: Reads its lines.
        strip: Takes its inline markup out.
    """
    problems: list[Problem] = []
    lines = lines_of(data, problems)
    outline = Outline(strip)
    if not any(problem.code == "binary" for problem in problems):
        problems += read(path, _cut(lines, problems), outline)
    return facts_of(language, path, data, lines, outline, problems)


def lines_of(data: bytes, problems: list[Problem]) -> list[str]:
    """Return the lines of a text without their ends; what is wrong with the bytes is added to the problems."""
    text = _decode(data, problems)
    lines = text.split("\n") if text else []
    if lines and not lines[-1]:
        lines.pop()
    return lines


def facts_of(
    language: str, path: str, data: bytes, lines: list[str], outline: Outline, problems: list[Problem]
) -> FileFacts:
    """Return what an outline that was filled in comes to.

    Args:
        language: Name of the document's language.
        path: For the title of a document without a heading.
        data: The bytes of the file.
        lines: Its text, whose lines the outline counts.
        outline: What was read.
        problems: What could not be read.
    """
    title, sentence = outline.lead()
    title = (title or splitext(basename(path))[0]).replace(_SEPARATOR, " - ")
    sections, mentions = outline.finish(lines)
    if outline.is_cut:
        problems.append(Problem("too-large", "Only the first 10,000 sections and 5,000 mentions are kept."))
    return FileFacts(
        language=language,
        sha=hashlib.sha256(data).hexdigest(),
        size=len(data),
        lines=len(lines),
        summary=f"{title}{_SEPARATOR}{sentence}" if sentence else title,
        definitions=sections,
        mentions=mentions,
        problems=tuple(problems),
        status=_status(lines, sections),
    )


def _status(lines: Sequence[str], sections: Iterable[Definition]) -> str:
    """Return what a document says of its own status at its top, or below the heading `Status`."""
    for line in lines[:_STATUS_WITHIN]:
        match = _STATUS.match(line[:MAX_SENTENCE])
        if match is not None:
            return match["said"].strip()
    headed = (item.doc for item in sections if item.name.rpartition(" > ")[2].lower() in _STATUS_HEADINGS)
    return next(headed, "")


def split_summary(summary: str) -> tuple[str, str]:
    """Return (title, first sentence) of a document's `FileFacts.summary`; the sentence may be empty."""
    title, _, sentence = summary.partition(_SEPARATOR)
    return title, sentence


def _decode(data: bytes, problems: list[Problem]) -> str:
    """Return the text with every line end as a newline; what is wrong with the bytes becomes a problem."""
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), "")
    if len(data) > MAX_BYTES:
        problems.append(Problem("too-large", f"Only the first {MAX_BYTES:,} of {len(data):,} bytes are read."))
        data = data[:MAX_BYTES]
    if not encoding and data.count(0, 0, 8192) * 10 > min(len(data), 8192):
        problems.append(Problem("binary", "It is full of NUL bytes: no text."))
        return ""
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        text = data.decode(encoding or "utf-8", errors="replace")
        is_end = error.start > len(data) - 4 and any(problem.code == "too-large" for problem in problems)
        if not is_end:
            line = data.count(b"\n", 0, error.start) + 1
            name = (encoding or "utf-8").upper()
            problems.append(Problem("encoding", f"It is not {name} throughout: {error.reason}.", line))
    text = text.removeprefix("\ufeff")
    if "\x00" in text:
        text = text.replace("\x00", " ")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _cut(lines: list[str], problems: list[Problem]) -> list[str]:
    """Return the lines, none longer than `MAX_LINE`."""
    longest = max(map(len, lines), default=0)
    if longest <= MAX_LINE:
        return lines
    number = next(index for index, line in enumerate(lines, 1) if len(line) > MAX_LINE)
    problems.append(
        Problem("minified", f"Lines longer than {MAX_LINE:,} characters are cut: one has {longest:,}.", number)
    )
    return [line[:MAX_LINE] for line in lines]
