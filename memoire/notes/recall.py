"""Ranks notes for a question, and for the files that somebody is about to touch. Pure.

Three arms are joined by their ranks: the words of the question, how near the code that a note is about lies to the
files, and, to decide between equals, how recent and how useful it was. A note that is stale ranks below those that are
not, and one whose words the code contradicts lowest.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import exp
from typing import NamedTuple

from memoire.model import parse_path
from memoire.notes.book import Rating
from memoire.notes.model import Standing
from memoire.notes.words import Words

RANK_CONSTANT = 60
"""`k` of reciprocal rank fusion. Source: G. Cormack et al., "Reciprocal Rank Fusion …", SIGIR 2009."""
WORDS, ANCHOR, RECENT, USEFUL = 1.0, 1.0, 0.05, 0.05
"""Weights of the arms; the last two only decide between equals. Source: the studies of peers' rankings."""
STALE, CONTRADICTED = 0.6, 0.4
"""What is left of the score of a note that is stale, and of one that the code contradicts."""
_LEFT = {"stale": STALE, "contradicted": CONTRADICTED}
_TELLING = frozenset(("words", "about"))
"""Arms that are a reason to show a note; the others only order."""
ENOUGH = 0.5
"""Share of what a question's terms tell that the first hit holds, from which nothing more need be looked for."""
LEARNING = 0.3
"""Weight of the newest rating in the average of a note. Source: the published behaviour of reinforcing."""
OFTEN = 10
"""Opens after which most of what a note can gain by them is gained."""
HALF_YEAR = timedelta(days=180)
_PHRASE = re.compile(r'"([^"]{2,200})"')


class Ranked(NamedTuple):
    """One note as it was ranked."""

    row: Standing
    score: float
    why: tuple[str, ...]
    parts: tuple[tuple[str, float], ...]
    """(what, how much of the score it gave)."""


class Question(NamedTuple):
    """What is asked."""

    query: str
    distances: Mapping[str, int]
    """Node -> how far it is from the files that are asked about: 0 is one of them."""
    now: datetime


def phrases(query: str) -> list[str]:
    """Return the quoted spans of a question: they must stand in a note as they are."""
    return [" ".join(found.casefold().split()) for found in _PHRASE.findall(query)]


def rank(
    rows: Sequence[Standing],
    words: Words,
    question: Question,
    *,
    state: Callable[[Standing], str],
    ratings: Callable[[str], Sequence[Rating]],
    opens: Callable[[str], int],
) -> list[Ranked]:
    """Return the notes that answer, the best first.

    Args:
        rows: Those that pass the filters.
        words: The terms of all notes.
        question: What is asked.
        state: Returns fresh, stale, contradicted, suspect or unknown.
        ratings: Returns what was said of a note's use.
        opens: Returns how often a note was opened.
    """
    wanted = phrases(question.query)
    kept = [row for row in rows if all(phrase in _text(row) for phrase in wanted)]
    by_words = words.scores(question.query)
    near = {row.note.id: distance for row in kept if (distance := _distance(row, question.distances)) is not None}
    found = [row for row in kept if row.note.id in by_words or row.note.id in near or (wanted and not by_words)]
    arms = [
        ("words", WORDS, _places(found, lambda row: by_words.get(row.note.id))),
        ("about", ANCHOR, _places(found, lambda row: -near[row.note.id] if row.note.id in near else None)),
        ("recent", RECENT, _places(found, lambda row: _recent(row, question.now))),
        ("useful", USEFUL, _places(found, lambda row: _useful(row, ratings(row.note.id), opens(row.note.id)))),
    ]
    ranked = []
    for row in found:
        name = row.note.id
        parts = [(arm, weight / (RANK_CONSTANT + places[name])) for arm, weight, places in arms if name in places]
        score = sum(part for _, part in parts)
        kept_of = _LEFT.get(state(row), 1.0)
        if kept_of < 1:
            parts.append(("stale", score * (kept_of - 1)))
        why = [arm for arm, _ in parts if arm in _TELLING] + (["phrase"] if wanted else [])
        ranked.append(Ranked(row, score * kept_of, tuple(why), tuple(parts)))
    return sorted(ranked, key=lambda one: (-one.score, one.row.note.id))


def _text(row: Standing) -> str:
    note = row.note
    return " ".join("\n".join((note.text, note.title, note.why)).casefold().split())


def _distance(row: Standing, distances: Mapping[str, int]) -> int | None:
    """Return how near what a note is about lies: a note about a folder is one about what lies in it."""
    found = [distances[node] for anchor in row.note.about for node in _names(anchor.node) if node in distances]
    return min(found, default=None)


def _names(node: str) -> Iterable[str]:
    yield node
    path, symbol = parse_path(node)
    if symbol:
        yield path


def _places(rows: Sequence[Standing], key: Callable[[Standing], float | None]) -> dict[str, int]:
    """Return id -> place, 1 for the best; equal ones share theirs."""
    scored = [(value, row.note.id) for row in rows if (value := key(row)) is not None]
    order = sorted({value for value, _ in scored}, reverse=True)
    place = {value: number for number, value in enumerate(order, start=1)}
    return {name: place[value] for value, name in scored}


def _recent(row: Standing, now: datetime) -> float:
    age = max(now - row.note.valid_from, timedelta(0))
    return round(exp(-age / HALF_YEAR), 3)


def _useful(row: Standing, ratings: Sequence[Rating], opens: int) -> float:
    """Return what the writer's importance, opens and ratings come to: an average in which the newest weighs most."""
    value = row.note.importance / 10
    value += (1 - value) * (1 - exp(-opens / OFTEN))
    for rating in ratings:
        if rating.signal != "neutral":
            value = (1 - LEARNING) * value + LEARNING * (rating.signal == "positive")
    return round(value, 3)
