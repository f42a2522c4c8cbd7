"""Finds the line of a file that says most about a query, in the file as it is now. Pure, but for its reader.

The index keeps no text: what is shown was read a moment ago, by a reader that takes secrets out.
"""

import heapq
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from itertools import accumulate, islice

from memoire.search.query import Query
from memoire.search.schema import Stored
from memoire.tokens import body_terms

SNIPPET_LIMIT = 200
"""Characters of a snippet."""
TEXT_LIMIT = 1_000_000
"""Characters of a file that are looked at."""
MATCHES_LIMIT = 10_000
"""Matches of one file that are looked at."""
TERMS_LIMIT = 12
"""Rarest terms of a query that a line is chosen by."""
LIKELY = 20
"""Best lines by letters in a row that are looked at term by term."""
DRIFT = 40
"""Lines around its old place in which a definition is looked for when the file has changed."""

_BLANKS = re.compile(r"\s+")


class Pages:
    """The texts that one search has read.

    Args:
        read: Returns the text of a file as it is now, without secrets; None where it is no more.
    """

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read
        self._texts: dict[str, str | None] = {}

    def text(self, path: str) -> str | None:
        """Return the text of a file, None where it is no more."""
        if path not in self._texts:
            text = self._read(path) if path else None
            self._texts[path] = None if text is None else text[:TEXT_LIMIT]
        return self._texts[path]


def contains(stored: Stored, phrases: tuple[str, ...], pages: Pages) -> bool:
    """Return whether a hit holds every phrase as it is written, but for case and the width of blanks."""
    if stored.kind in {"event", "session"}:
        content: str | None = stored.text
    elif stored.kind == "symbol":
        content = f"{stored.name}\n{stored.text}"
    else:
        content = pages.text(stored.path)
        if content is not None and stored.kind == "section":
            content = "\n".join(content.split("\n")[max(stored.line - 1, 0) : stored.end_line])
        elif content is not None:
            content = f"{stored.path}\n{content}"
    if content is None:
        return False
    folded = _fold(content)
    return all(_fold(phrase) in folded for phrase in phrases)


def of(stored: Stored, query: Query, weights: Mapping[str, float], pages: Pages, line: int = 0) -> tuple[int, str]:
    """Return the line and the snippet of a hit.

    Args:
        stored: What the index keeps of it.
        query: What was asked.
        weights: Term -> how much it says.
        pages: Where texts are read.
        line: The line that was asked for, 0 for none.
    """
    if stored.kind == "event":
        return 0, _crop(stored.text, 0)
    if stored.kind == "session":
        asked = stored.text.split("\n")
        return 0, (_densest(asked, 1, len(asked), query, weights) or (0, _crop(asked[0], 0)))[1]
    text = pages.text(stored.path)
    if text is None:
        return stored.line, _crop(stored.text or stored.name, 0)
    lines = text.split("\n")
    if stored.kind == "symbol":
        return _definition(stored, lines)
    first, last = (stored.line, stored.end_line) if stored.kind == "section" else (1, len(lines))
    if first <= line <= last:
        return line, _crop(lines[line - 1], 0)
    return _densest(lines, first, min(last, len(lines)), query, weights) or _opening(stored, lines)


def _definition(stored: Stored, lines: list[str]) -> tuple[int, str]:
    """Return the line that holds the name: first below the decorators, then nearby, should the file have changed."""
    name = re.compile(rf"(?<!\w){re.escape(stored.name.rpartition('.')[2])}(?!\w)")
    for first, last in ((stored.line, stored.end_line), (stored.line - DRIFT, stored.end_line + DRIFT)):
        for number in range(max(first, 1), min(last, len(lines)) + 1):
            if found := name.search(lines[number - 1]):
                return number, _crop(lines[number - 1], found.start())
    return stored.line, _crop(stored.text or stored.name, 0)


def _densest(
    lines: list[str], first: int, last: int, query: Query, weights: Mapping[str, float]
) -> tuple[int, str] | None:
    """Return the line with the greatest weight of distinct terms, half of the next line's new ones included."""
    rarest = sorted(weights, key=lambda term: -weights[term])[:TERMS_LIMIT]
    held = _lines_holding([*query.phrases, *rarest], lines[first - 1 : last])
    quoted = {phrase.casefold(): 10.0 for phrase in query.phrases}
    # Letters in a row are found at C speed, but `port` is also in `import`: the best lines are looked at again.
    likely = heapq.nlargest(LIKELY, held, key=lambda number: (_value(held[number], weights, quoted), -number))
    terms = {number: _held(lines[first - 1 + number], weights, quoted) for number in likely}

    def value(number: int) -> float:
        here, after = terms[number], terms.get(number + 1, set())
        return _value(here, weights, quoted) + _value(after - here, weights, quoted) / 2

    best = max(likely, key=lambda number: (value(number), -number), default=None)
    if best is None or not terms[best]:
        return None
    line = lines[first - 1 + best]
    return first + best, _crop(line, min(max(line.lower().find(term), 0) for term in terms[best]))


def _lines_holding(texts: list[str], lines: list[str]) -> dict[int, set[str]]:
    """Return the lines that have any of the texts in them, with those they have."""
    if not texts:
        return {}
    lowered = [line.lower() for line in lines]
    starts = list(accumulate((len(line) + 1 for line in lowered), initial=0))
    longest_first = sorted({text.lower() for text in texts}, key=len, reverse=True)
    held: dict[int, set[str]] = {}
    matches = re.finditer("|".join(map(re.escape, longest_first)), "\n".join(lowered))
    for match in islice(matches, MATCHES_LIMIT):
        held.setdefault(bisect_right(starts, match.start()) - 1, set()).add(match[0])
    return held


def _held(line: str, weights: Mapping[str, float], quoted: Mapping[str, float]) -> set[str]:
    folded = _fold(line)
    return {phrase for phrase in quoted if phrase in folded} | (weights.keys() & set(body_terms(line)))


def _value(terms: set[str], weights: Mapping[str, float], quoted: Mapping[str, float]) -> float:
    return sum(quoted.get(term, 0.0) or weights.get(term, 0.0) for term in terms)


def _opening(stored: Stored, lines: list[str]) -> tuple[int, str]:
    """Return what stands for a hit whose words are no longer, or nowhere, in its text: it was found by its name."""
    first = max(stored.line, 1)
    if stored.kind != "section" and stored.name:
        return 1, _crop(stored.name, 0)
    for number in range(first, min(first + 20, len(lines)) + 1):
        if lines[number - 1].strip():
            return number, _crop(lines[number - 1], 0)
    return first, ""


def _crop(line: str, at: int) -> str:
    """Return at most `SNIPPET_LIMIT` characters of a line around a column, blanks folded."""
    start = max(0, at - SNIPPET_LIMIT // 2)
    if start:
        cut = _BLANKS.sub(" ", line[start : start + 4 * SNIPPET_LIMIT]).strip()
        cut = f"…{cut}"
    else:
        cut = _BLANKS.sub(" ", line[: at + 4 * SNIPPET_LIMIT]).strip()
    return cut if len(cut) <= SNIPPET_LIMIT else cut[: SNIPPET_LIMIT - 1].rstrip() + "…"


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()
