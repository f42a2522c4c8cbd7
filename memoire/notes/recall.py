"""Ranks notes for a question, and for the files that somebody is about to touch. Pure.

Two arms say how well a note answers: its words, and how near the code that it is about lies to the files. How recent
and how useful it was decides between those that answer nearly equally well. A note that is stale ranks below those
that are not, and one whose words the code contradicts lowest.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from math import exp, log1p, sqrt
from typing import NamedTuple

from memoire.model import parse_path
from memoire.notes.book import Rating
from memoire.notes.model import Standing
from memoire.notes.words import Words

WORDS, ANCHOR, RECENT, USEFUL = 1.0, 1.0, 0.02, 0.02
"""What the best of each arm gives; the last two only decide between near equals. Source: `benchmarks/notes`.

Arms joined by their ranks (G. Cormack et al., "Reciprocal Rank Fusion …", SIGIR 2009) were no match for it: between the
first and the second place there is little by rank, however much there is by score.
"""
NEAR = 0.5
"""What is left of nearness with each step away from the files."""
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
    near = _nearness(kept, question.distances)
    found = [row for row in kept if row.note.id in by_words or row.note.id in near or (wanted and not by_words)]
    best = max((by_words[row.note.id] for row in found if row.note.id in by_words), default=1.0)
    ranked = []
    for row in found:
        name = row.note.id
        parts = [("words", WORDS * by_words[name] / best)] if name in by_words else []
        parts += [("about", ANCHOR * near[name])] if name in near else []
        parts.append(("recent", RECENT * _recent(row, question.now)))
        parts.append(("useful", USEFUL * _useful(row, ratings(name), opens(name))))
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


def _nearness(rows: Sequence[Standing], distances: Mapping[str, int]) -> dict[str, float]:
    """Return id -> how well what a note is about fits the files that are asked about, in (0, 1].

    The cosine of what both are about, each thing weighed by how few notes are about it: a note about just these files
    comes before one about many, and one about a file that nearly all notes are about says little. What lies a step
    away counts half.
    """
    if not distances or not rows:
        return {}
    about = {row.note.id: {_file_of(anchor.node): anchor.node for anchor in row.note.about} for row in rows}
    holders = Counter(node for nodes in about.values() for node in nodes)
    most = log1p(len(rows))

    def weight(node: str) -> float:
        return (log1p(len(rows) / max(holders[node], 1)) / most) ** 2

    asked = {_file_of(node) for node, distance in distances.items() if distance == 0}
    size = sum(weight(node) for node in asked) or 1.0
    found = {}
    for name, nodes in about.items():
        near = {
            node: min(distance)
            for node, whole in nodes.items()
            if (distance := [distances[each] for each in (whole, node) if each in distances])
        }
        if near:
            shared = sum(weight(node) * NEAR**distance for node, distance in near.items())
            own = sum(weight(node) for node in nodes if not _is_outside(node) or node in near)
            found[name] = min(shared / sqrt(own * size), 1.0)
    return found


def _file_of(node: str) -> str:
    return parse_path(node)[0]


def _is_outside(node: str) -> bool:
    """Return whether a node is nothing of the project: a person, a session, an address."""
    return ":" in node


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
