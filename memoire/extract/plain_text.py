"""Reads plain text (`.txt`, README, NOTICE…) into an `Outline`: underlined and numbered headings, paths, code spans."""

import re
from collections.abc import Sequence
from operator import attrgetter

from memoire.extract.citations import names_in_span, paths_in
from memoire.extract.markdown_inline import Found
from memoire.extract.sections import Outline
from memoire.extract.sentences import Sentences

_UNDERLINE = re.compile(r"([=\-~*^#])\1{2,}\s*\Z")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?[ ]+(?=[A-Z])[^.!?;:]{2,70}\Z")
_SPAN = re.compile(r"(`{1,2})(?!`)([^`\n]{1,240})\1(?!`)")
_INTERESTING = re.compile(r"[`/]|\.(?=[A-Za-z])")


def read_text(lines: Sequence[str], outline: Outline) -> None:
    """Read a document into its outline; paragraphs end at blank lines."""
    index = 0
    count = len(lines)
    while index < count:
        if not lines[index].strip():
            index += 1
            continue
        end = index + 1
        while end < count and lines[end].strip():
            end += 1
        start = _heading(lines, index, end, outline)
        if start < end:
            text = "\n".join(lines[start:end])
            outline.prose(text)
            _inline(text, start + 1, outline)
        index = end


def _heading(lines: Sequence[str], index: int, end: int, outline: Outline) -> int:
    """Take in the heading a paragraph begins with; return the index where its text begins."""
    line = lines[index].rstrip()
    if end - index > 1 and line[0].isalnum() and len(line) <= 100:
        under = _UNDERLINE.match(lines[index + 1])
        if under and len(lines[index + 1].rstrip()) * 2 >= len(line):
            outline.heading(index + 1, 1 if under[1] in "=#" else 2, line)
            _inline(line, index + 1, outline)
            return index + 2
    numbered = _NUMBERED.match(line) if end - index == 1 and line[0].isdigit() else None
    if numbered:
        outline.heading(index + 1, 2 + numbered[1].count("."), line)
        return end
    return index


def _inline(text: str, line: int, outline: Outline) -> None:
    if _INTERESTING.search(text) is None:
        return
    found: list[Found] = []
    holes = []
    if "`" in text:
        for match in _SPAN.finditer(text):
            holes.append(match.span())
            found.extend(Found(*match.span(), name, kind) for name, kind in names_in_span(match[2]))
    found.extend(Found(start, end, path, "path") for start, end, path in paths_in(text, holes))
    found.sort(key=attrgetter("start"))
    last = 0
    sentences = Sentences(text)
    for mention in found:
        line += text.count("\n", last, mention.start)
        last = mention.start
        outline.mention(line, mention.text, mention.kind, sentences.at(mention.start, mention.end))
