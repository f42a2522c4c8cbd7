"""What notes are ranked by: memoire, and its rivals as their published descriptions and schemas have them.

Each is given the texts of all notes, the newest first, and returns for a question the places of those that answer, the
best first. None of the rivals has vectors here: theirs come from services that are asked over the network.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from math import log1p
from typing import TypeAlias

import snowballstemmer  # type: ignore[import-untyped]  # it brings no types

from memoire.notes.model import Note, Standing
from memoire.notes.recall import Question, rank
from memoire.notes.words import Words
from memoire.tokens import body_terms

Ranker: TypeAlias = Callable[[str], list[int]]
NEWEST = datetime(2026, 1, 1, tzinfo=UTC)
"""The newest entry of a changelog is said to be of that day, each older one a day older."""


def memoire(notes: Sequence[str]) -> Ranker:
    """Rank as `memory_recall` does, without files."""
    words = Words()
    rows = []
    for place, text in enumerate(notes):
        name, at = str(place), NEWEST - timedelta(days=place)
        words.put(name, text)
        note = Note(id=name, path=name, text=text, valid_from=at)
        rows.append(Standing(note, "active", None, at, None, name))

    def ask(query: str) -> list[int]:
        bare = query.replace('"', " ")  # a quoted span would have to stand in the note
        found = rank(
            rows,
            words,
            Question(bare, {}, NEWEST),
            state=lambda _: "fresh",
            ratings=lambda _: (),
            opens=lambda _: 0,
        )
        return [int(one.row.note.id) for one in found]

    return ask


def bm25(notes: Sequence[str]) -> Ranker:
    """BM25 over stems of words and of the parts of identifiers, k1 1.2, b .75."""
    stem = snowballstemmer.stemmer("english").stemWord
    bags = [Counter(stem(part) for part in body_terms(text)) for text in notes]
    holders: dict[str, list[int]] = {}
    for place, bag in enumerate(bags):
        for term in bag:
            holders.setdefault(term, []).append(place)
    mean = sum(bag.total() for bag in bags) / max(len(bags), 1)

    def ask(query: str) -> list[int]:
        scores: Counter[int] = Counter()
        for term in {stem(part) for part in body_terms(query)}:
            held = holders.get(term, ())
            weight = log1p((len(bags) - len(held) + 0.5) / (len(held) + 0.5))
            for place in held:
                count, length = bags[place][term], bags[place].total()
                scores[place] += weight * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean))  # type: ignore[assignment]
        return [place for place, _ in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))]

    return ask


_SAY_NOTHING = frozenset(
    ["the", "and", "with", "from", "that", "this", "into", "your", "have", "for", "are", "use", "uses", "using", "src",
     "lib", "app", "test", "tests"]
)  # fmt: skip


def machine_memory(notes: Sequence[str]) -> Ranker:
    """Full-text search of SQLite over any of twelve words, at most 30 points; recency, certainty and tags add more.

    All notes are equally certain, untagged and as recent as each other: those points are the same for all.
    """
    database = _full_text(notes, "unicode61")

    def ask(query: str) -> list[int]:
        found = [word for word in re.findall(r"[a-z0-9]+", query.lower()) if len(word) >= 2]
        words = list(dict.fromkeys(word for word in found if word not in _SAY_NOTHING))[:12]
        hits = _matching(database, words)
        ranked = sorted(hits, key=lambda hit: -min(30.0, max(0.0, -10 * hit[1])))  # stable: the order of BM25 decides
        return [place for place, _ in ranked]

    return ask


def memhtml(notes: Sequence[str]) -> Ranker:
    """Full-text search, and an arm each of the newest and of the most salient, joined by ranks; ten are shown.

    Of every arm the first 40 count. Nothing was opened or rated: salience goes by the time of writing, as recency does.
    """
    database = _full_text(notes, "porter unicode61")

    def ask(query: str) -> list[int]:
        words = re.findall(r"[^\W_]+", query.lower())
        scores: Counter[int] = Counter()
        for arm, weight in (
            ([place for place, _ in _matching(database, words)], 1.0),
            (list(range(len(notes))), 0.5),
            (list(range(len(notes))), 0.4),
        ):
            for number, place in enumerate(arm[:40], start=1):
                scores[place] += weight / (number + 60)  # type: ignore[assignment]  # a sum
        return [place for place, _ in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))][:10]

    return ask


def server_memory(notes: Sequence[str]) -> Ranker:
    """The question as a substring, whatever its case, in the order of writing."""
    folded = [text.lower() for text in notes]

    def ask(query: str) -> list[int]:
        return [place for place, text in enumerate(folded) if query.lower() in text]

    return ask


def _full_text(notes: Sequence[str], tokenizer: str) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE notes USING fts5(content, tokenize='{tokenizer}')")
    database.executemany("INSERT INTO notes (rowid, content) VALUES (?, ?)", enumerate(notes))
    return database


def _matching(database: sqlite3.Connection, words: Sequence[str]) -> list[tuple[int, float]]:
    """Return (place, BM25 as SQLite has it: the less the better) of the notes with any of the words."""
    if not words:
        return []
    query = " OR ".join(f'"{word}"' for word in words)
    found = database.execute("SELECT rowid, bm25(notes) FROM notes WHERE notes MATCH ? ORDER BY bm25(notes)", (query,))
    return [(int(place), float(score)) for place, score in found]


RANKERS: dict[str, Callable[[Sequence[str]], Ranker]] = {
    "memoire": memoire,
    "bm25": bm25,
    "machine-memory": machine_memory,
    "memhtml": memhtml,
    "server-memory": server_memory,
}
