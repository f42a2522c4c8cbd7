"""Joins the comments of following lines that document what stands below them. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

_TAGS = re.compile(r"</?\w[^<>]*>")
"""Of documentation comments in XML."""


def doc_comments(comments: Iterable[Node], src: bytes, begins: str) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, text) of the comments that document something, those of lines joined.

    Args:
        comments: All of a file, in order.
        src: Its source.
        begins: See `Syntax.doc_comment`.
    """
    is_doc = re.compile(begins.encode()).match
    block: list[str] = []
    first = last = 0
    for node in comments:
        text = src[node.start_byte : node.end_byte]
        if not is_doc(text):
            continue
        start, end = node.start_point[0] + 1, node.end_point[0] + 1
        if text.endswith(b"\n"):
            end -= 1  # some grammars count the end of the line to a comment
        if src[src.rfind(b"\n", 0, node.start_byte) + 1 : node.start_byte].strip():
            # Behind code: it says something of what begins in that line, and nothing of the next.
            yield start, start - 1, text.decode("utf-8", "replace")
            continue
        if block and start != last + 1:
            yield first, last, "\n".join(block)
            block = []
        if not block:
            first = start
        last = end
        words = text.decode("utf-8", "replace")
        block.append(words if words.startswith("/*") else _TAGS.sub("", words.strip().lstrip("/!#-;% ")))
    if block:
        yield first, last, "\n".join(block)


def documented(
    comments: Iterable[tuple[int, int, str]], starts: Mapping[int, int], package: int, src: bytes
) -> dict[int, str]:
    """Return index of a definition (-1 = the file) -> the comment right above it, above the package's name or first.

    Args:
        comments: As `doc_comments` yields them.
        starts: First line of a definition -> its index.
        package: The line of the package's name; 0 = there is none.
        src: The source.
    """
    docs: dict[int, str] = {}
    opening = len(src) - len(src.lstrip())
    first_line = src.count(b"\n", 0, opening) + 1
    for first, last, text in comments:
        index = starts.get(last + 1, starts.get(last))
        if index is not None:
            docs.setdefault(index, text)
        elif last + 1 == package:
            docs[-1] = text
        elif (first <= last and first == first_line) or "@file" in text:
            docs.setdefault(-1, text)
    return docs
