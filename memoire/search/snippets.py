"""Finds the line of a file that says most about a query, in the file as it is now. Pure, but for its reader.

The index keeps no text: what is shown was read a moment ago. A line is chosen in the text as it stands, and secrets are
taken out of the lines around it before it is shown: of the whole text that takes as long as all the rest of a search.
"""

import heapq
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from memoire.episodes.redact import MASK, redact
from memoire.search.query import Query
from memoire.search.schema import Stored
from memoire.tokens import body_terms

SNIPPET_LIMIT = 200
"""Characters of a snippet."""
TEXT_LIMIT = 1_000_000
"""Characters of a file that are looked at."""
MATCHES_LIMIT = 3_000
"""Lines of one file that hold a term of the query, counted for each term: the rarest terms first."""
TERMS_LIMIT = 12
"""Rarest terms of a query that a line is chosen by."""
LIKELY = 10
"""Best lines by letters in a row that are looked at term by term."""
REACH = 30
"""Lines on either side that may show that a line is part of a secret."""
_LONG = ("PRIVATE KEY", "Private-Lines")
"""What begins a secret of more lines than that: there the whole text is looked at."""
DRIFT = 40
"""Lines around its old place in which a definition is looked for when the file has changed."""

_BLANKS = re.compile(r"\s+")


class Page:
    """One text, as a search looks at it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        """The lines as they are: `shown` is how one may leave."""
        return self.text.split("\n")

    @cached_property
    def lowered(self) -> str:
        """The lines in lower case, whose letters may be more."""
        return self.text.lower() if self.text.isascii() else "\n".join([line.lower() for line in self.lines])

    def start(self, line: int) -> int:
        """Return where a line, counted from 0, begins in `lowered`; its end for one that is not there."""
        if line <= 0:
            return 0
        if line >= len(self.lines):
            return len(self.lowered)
        return len(self.lowered) - len(self.lowered.split("\n", line)[-1])

    def shown(self, number: int) -> str:
        """Return a line, counted from 1, without secrets."""
        first = max(number - 1 - REACH, 0)
        near = self.lines[first : number + REACH]
        if any(mark in self.text for mark in _LONG):
            first, near = 0, self.lines
        around = redact("\n".join(near)).split("\n")
        # A mask takes the place of all lines of a secret: then nobody knows which line is which.
        return around[number - 1 - first] if len(around) == len(near) else MASK


class Pages:
    """The texts that one search has read.

    Args:
        read: Returns the text of a file as it is now; None where it is no more.
    """

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read
        self._pages: dict[str, Page | None] = {}

    def page(self, path: str) -> Page | None:
        """Return a file, None where it is no more."""
        if path not in self._pages:
            text = self._read(path) if path else None
            self._pages[path] = None if text is None else Page(text[:TEXT_LIMIT])
        return self._pages[path]

    def text(self, path: str) -> str | None:
        """Return the text of a file without secrets, None where it is no more."""
        page = self.page(path)
        return None if page is None else redact(page.text)


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
        asked = Page(stored.text)
        number, terms = _densest(asked, 1, len(asked.lines), query, weights) or (1, set())
        return 0, _around(asked.lines[number - 1], terms)
    page = pages.page(stored.path)
    if page is None:
        return stored.line, _crop(stored.text or stored.name, 0)
    if stored.kind == "symbol":
        return _definition(stored, page)
    first, last = (stored.line, stored.end_line) if stored.kind == "section" else (1, len(page.lines))
    if first <= line <= last:
        return line, _crop(page.shown(line), 0)
    best = _densest(page, first, min(last, len(page.lines)), query, weights)
    if best is None:
        return _opening(stored, page)
    number, terms = best
    return number, _around(page.shown(number), terms)


def _definition(stored: Stored, page: Page) -> tuple[int, str]:
    """Return the line that holds the name: first below the decorators, then nearby, should the file have changed."""
    name = re.compile(rf"(?<!\w){re.escape(stored.name.rpartition('.')[2])}(?!\w)")
    for first, last in ((stored.line, stored.end_line), (stored.line - DRIFT, stored.end_line + DRIFT)):
        for number in range(max(first, 1), min(last, len(page.lines)) + 1):
            if found := name.search(page.lines[number - 1]):
                return number, _crop(page.shown(number), found.start())
    return stored.line, _crop(stored.text or stored.name, 0)


def _densest(
    page: Page, first: int, last: int, query: Query, weights: Mapping[str, float]
) -> tuple[int, set[str]] | None:
    """Return the line with the greatest weight of terms, half of the next line's new ones included, and its terms."""
    quoted = {phrase.casefold(): 10.0 for phrase in query.phrases}
    rarest = sorted(weights, key=lambda term: -weights[term])[:TERMS_LIMIT]
    held = _lines_holding(page, first - 1, last, [*quoted.items(), *((term, weights[term]) for term in rarest)])
    # Letters in a row are found at C speed, but `port` is also in `import`: the best lines are looked at again.
    starts = heapq.nsmallest(LIKELY, held, key=lambda start: (-held[start], start))
    likely = [page.lowered.count("\n", 0, start) for start in starts]
    terms = {number: _held(page.lines[number], weights, quoted) for number in likely}

    def value(number: int) -> float:
        here, after = terms[number], terms.get(number + 1, set())
        return _value(here, weights, quoted) + _value(after - here, weights, quoted) / 2

    best = max(likely, key=lambda number: (value(number), -number), default=None)
    return (best + 1, terms[best]) if best is not None and terms[best] else None


def _around(line: str, terms: set[str]) -> str:
    """Return what is shown of a line: from the first of the terms on, where it is long."""
    return _crop(line, min((max(line.lower().find(term), 0) for term in terms), default=0))


def _lines_holding(page: Page, first: int, last: int, texts: Iterable[tuple[str, float]]) -> dict[int, float]:
    """Return what the texts weigh that a line has in it: by where the line begins in the text in lower case.

    Args:
        page: The text.
        first: First line that counts, from 0.
        last: The line before which they end.
        texts: What is looked for, with its weight.
    """
    lowered = page.lowered
    begin, end = page.start(first), page.start(last)
    held: dict[int, float] = {}
    left = MATCHES_LIMIT
    for text, weight in texts:
        at = lowered.find(text, begin, end)
        while at >= 0 and left:
            start = lowered.rfind("\n", 0, at) + 1
            held[start] = held.get(start, 0.0) + weight
            left -= 1
            after = lowered.find("\n", at, end)
            at = lowered.find(text, after, end) if after >= 0 else -1
    return held


def _held(line: str, weights: Mapping[str, float], quoted: Mapping[str, float]) -> set[str]:
    folded = _fold(line)
    return {phrase for phrase in quoted if phrase in folded} | (weights.keys() & set(body_terms(line)))


def _value(terms: set[str], weights: Mapping[str, float], quoted: Mapping[str, float]) -> float:
    return sum(quoted.get(term, 0.0) or weights.get(term, 0.0) for term in terms)


def _opening(stored: Stored, page: Page) -> tuple[int, str]:
    """Return what stands for a hit whose words are no longer, or nowhere, in its text: it was found by its name."""
    first = max(stored.line, 1)
    if stored.kind != "section" and stored.name:
        return 1, _crop(stored.name, 0)
    for number in range(first, min(first + 20, len(page.lines)) + 1):
        if page.lines[number - 1].strip():
            return number, _crop(page.shown(number), 0)
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
