"""PDF: documents. A line of one is a page: definitions and mentions stand on the page of that number."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from memoire.extract.citations import paths_in
from memoire.extract.documents import facts_of
from memoire.extract.lfs import is_kept_elsewhere
from memoire.extract.sections import Outline
from memoire.extract.sentences import MAX_SENTENCE, Sentences, first_sentence
from memoire.extract.spec import Language
from memoire.languages.pdf.pages import Pages
from memoire.model import FileFacts, Mention, Problem
from memoire.resolution.links import resolve_link

_HEADER = b"%PDF-"
_HEADER_WITHIN = 1024
"""Bytes in which readers look for it. Source: Adobe, PDF Reference 1.7, H.3, note 13."""
_NO_TITLE = re.compile(
    r"(?:microsoft \w+ - )?(?:untitled|title|document|presentation|slide|dokument)?[ \d_-]*\Z|microsoft \w+ - .*"
    r"|\S*\.\w{1,8}\Z|.*\.(?:docx?|pptx?|xlsx?|odt|odp|tex|dvi|indd|pdf|pages|key|html?|md)\Z",
    re.IGNORECASE,
)
"""What programs write as a title by themselves."""
_PROSE = 40
"""Characters from which on a line is part of a paragraph; a shorter one ends it."""
_SENTENCE = re.compile(r"\w[.!?:)\]\"”]*[.!?:](?:\s|\Z)")
_LEAD_WITHIN = 200
"""Lines in which a first paragraph is looked for."""
_HEADING_WITHIN = 12
"""Lines of the first page in which a title is looked for."""


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one PDF."""
    pages = _pages_of(data)
    lines: list[str] = []
    firsts = [0]
    for text in pages.texts:
        # A page without text has a place as well.
        lines += text.split("\n")
        firsts.append(len(lines))
    outline = Outline(_on_one_line)
    _sections(pages, lines, firsts, outline)
    for page, top in enumerate(firsts[:-1]):
        for at, text in _blocks(lines[top : firsts[page + 1]]):
            _mentions(top + at, text, outline)
    outline.title = _title(pages)
    outline.summary = pages.subject[:MAX_SENTENCE] or _lead(pages, outline.title)
    facts = facts_of("pdf", path, data, lines, outline, list(pages.problems))
    return _on_pages(facts, firsts, pages.count)


def text_of(path: str, data: bytes) -> str:
    """Return the text of a PDF, one page a line."""
    del path
    return "\n".join(" ".join(text.split()) for text in _pages_of(data).texts)


@lru_cache(maxsize=1)
def _pages_of(data: bytes) -> Pages:
    """Return the pages of a PDF; the last ones are kept, for facts and text are asked for one after the other."""
    if is_kept_elsewhere(data):
        return Pages(0, problems=(Problem("unreadable", "its content is kept by Git LFS, and is not here"),))
    if _HEADER not in data[:_HEADER_WITHIN]:
        return Pages(0, problems=(Problem("syntax", "is no PDF: it does not begin as one"),))
    # Only a project that has a PDF pays for the library: 0.1 s and 20 MB in each process.
    from memoire.languages.pdf.reader import read_pages  # noqa: PLC0415

    return read_pages(data)


def _sections(pages: Pages, lines: list[str], firsts: list[int], outline: Outline) -> None:
    """Make a section of each entry of the PDF's outline: it begins where its page says its title, else at the top."""
    starts: list[int] = []
    last = 1
    for entry in pages.outline:
        page = min(entry.page, len(pages.texts))
        if not page:
            return
        top, end = firsts[page - 1], firsts[page]
        title = _folded(entry.title)
        place = next((at for at in range(max(top, last - 1), end) if title in _folded(lines[at])), top)
        last = max(last, place + 1)
        starts.append(last)
    for entry, start, after in zip(pages.outline, starts, [*starts, len(lines) + 1][1:], strict=True):
        outline.heading(start, entry.level, entry.title)
        outline.prose(_paragraph(lines[start : min(after - 1, start + _LEAD_WITHIN)]))


def _on_pages(facts: FileFacts, firsts: list[int], count: int) -> FileFacts:
    """Return the facts with the pages of their lines in place of the lines."""

    def page(line: int) -> int:
        return max(1, min(bisect_right(firsts, line - 1), count))

    ends = [page(item.end_line) for item in facts.definitions]
    for index in range(len(ends) - 1, -1, -1):
        parent = facts.definitions[index].parent
        if parent >= 0:
            # A section on pages without text ends before its own subsections: there is nothing to read in it.
            ends[parent] = max(ends[parent], ends[index])
    definitions = tuple(
        msgspec.structs.replace(item, line=page(item.line), end_line=end)
        for item, end in zip(facts.definitions, ends, strict=True)
    )
    mentions: dict[tuple[str, str, int], Mention] = {}
    for item in facts.mentions:
        moved = msgspec.structs.replace(item, line=page(item.line))
        mentions.setdefault((moved.text, moved.kind, moved.line), moved)
    return msgspec.structs.replace(facts, lines=count, definitions=definitions, mentions=tuple(mentions.values()))


def _title(pages: Pages) -> str:
    """Return the title of the metadata, unless a program made it up; else the first line that may be one."""
    if pages.title and not _NO_TITLE.match(pages.title):
        return pages.title[:MAX_SENTENCE]
    first = next((text for text in pages.texts if text.strip()), "")
    for line in first.split("\n")[:_HEADING_WITHIN]:
        text = _on_one_line(line)
        if 3 < len(text) <= 120 and sum(map(str.isalpha, text)) * 2 > len(text):
            return text
    return ""


def _lead(pages: Pages, title: str) -> str:
    """Return the first sentence of the first paragraph on the first two pages."""
    lines = [line for text in pages.texts[:2] for line in text.split("\n") if _on_one_line(line) != title]
    return first_sentence(_paragraph(lines[:_LEAD_WITHIN]), _on_one_line)


def _mentions(line: int, text: str, outline: Outline) -> None:
    """Keep what a block names; `line` is its first."""
    sentences = Sentences(text, _on_one_line)
    last = 0
    for start, end, name in paths_in(text):
        line += text.count("\n", last, start)
        last = start
        outline.mention(line, name, "path", sentences.at(start, end))


def _blocks(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (number of the first line, text) of what stands together on a page: a line that is not full ends it."""
    full = min(_PROSE, max(map(len, lines), default=0) * 0.6)
    first = 0
    for at, line in enumerate(lines):
        if len(line) < full or at == len(lines) - 1:
            yield first + 1, "\n".join(lines[first : at + 1])
            first = at + 1


def _paragraph(lines: list[str]) -> str:
    """Return the first paragraph: sentences, in lines of which all but the last are full; empty where there is none."""
    found: list[str] = []
    for line in [*lines, ""]:
        text = line.strip()
        found.append(text)
        if len(text) < _PROSE:
            paragraph = " ".join(found).strip()
            if len(found) > 1 and _SENTENCE.search(paragraph):
                return paragraph
            found.clear()
    return ""


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


LANGUAGE = Language(
    name="pdf", suffixes=(".pdf",), resolve=resolve_link, kind="document", read=read, text=text_of, is_isolated=True
)
