"""The notes that bind whoever works on a file, or on the project: for answers that were not asked about notes.

A note binds a file if it is about it, something in it or a folder around it. Of the project those are told that are
important, and those that have gone stale: somebody has to look at them.
"""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from memoire.budget import clip
from memoire.memory import Memory
from memoire.notes.model import Standing
from memoire.notes.writing import claim_of
from memoire.operations._note_wire import freshness

CLAIM_CHARS = 240
MOST = 12
"""Notes of one answer, or text, that was not asked about notes; the rest is counted."""
_FOUND = 200
_BINDING = {"constraint": 0, "gotcha": 1, "decision": 2, "convention": 3, "preference": 4, "status": 5}
"""Types that bind, in the order in which they are told of one file."""
_IMPORTANT = 7
"""Importance from which a note is told of the whole project."""


class BindingNote(msgspec.Struct, frozen=True):
    """One note that binds."""

    id: str
    type: str
    claim: str
    state: Annotated[str, msgspec.Meta(description="fresh, stale, suspect, unknown.")]
    about: list[str]


def binding(memory: Memory, path: str) -> list[BindingNote]:
    """Return the notes that bind a file, a folder or a definition, the most binding first; `.` is the project."""
    book, now = memory.notes.book, memory.now()
    names: Iterable[str] = (row.note.id for row in book.current()) if path == "." else _around(memory, path)
    rows = [row for name in dict.fromkeys(names) if (row := book.get(name)) is not None]
    live = [row for row in rows if row.status == "active" and row.note.id not in memory.notes.withheld]
    live = [row for row in live if row.note.type != "digest"]  # it says again what the others say
    live = [row for row in live if row.note.expires is None or row.note.expires > now]
    live = [row for row in live if row.note.scope != "branch" or row.note.branch == memory.as_of().branch]
    found = [(row, freshness(memory, row).state) for row in live if path != "." or _is_told(row)]
    if path == ".":
        told = {row.note.id for row, _ in found}
        stale = ((row, freshness(memory, row).state) for row in live if row.note.id not in told)
        found += [(row, state) for row, state in stale if state in {"stale", "suspect"}]
    found.sort(key=lambda pair: (_BINDING.get(pair[0].note.type, 9), -pair[0].note.importance, pair[0].note.id))
    return [_binding(row, state) for row, state in found]


def answering(memory: Memory, query: str, least: float = 0.0) -> list[tuple[BindingNote, float]]:
    """Return the live notes with words of a query and their scores, the best first.

    Args:
        memory: The project.
        query: What is asked.
        least: Share of what the words of the query tell that a note has to hold.
    """
    words, book, now = memory.notes.words(), memory.notes.book, memory.now()
    live = {row.note.id: row for row in book.active(now)}
    scores = {name: score for name, score in words.scores(query).items() if name in live}
    names = [name for name in scores if words.coverage(query, name) >= least]
    names.sort(key=lambda name: (-scores[name], name))
    return [(_binding(live[name], freshness(memory, live[name]).state), scores[name]) for name in names[:_FOUND]]


def _binding(row: Standing, state: str) -> BindingNote:
    return BindingNote(
        id=row.note.id,
        type=row.note.type,
        claim=clip(claim_of(row.note.text), CLAIM_CHARS),
        state=state,
        about=[anchor.node for anchor in row.note.about],
    )


def _is_told(row: Standing) -> bool:
    return row.note.type in _BINDING and row.note.importance >= _IMPORTANT


def _around(memory: Memory, path: str) -> Iterable[str]:
    """Yield the notes about a path, what is in it, and the folders around it."""
    book = memory.notes.book
    bare = path.rstrip("/")
    file = bare.partition("::")[0]
    inside = tuple([f"{bare}::", f"{bare}/"] if "::" not in bare else [f"{bare}."])
    for node in sorted(book.nodes()):
        if node in {bare, f"{bare}/", file} or node.startswith(inside):
            yield from sorted(book.about(node))
    parts = file.split("/")
    for depth in range(len(parts) - 1, 0, -1):
        yield from sorted(book.about("/".join(parts[:depth]) + "/"))


def told(note: BindingNote) -> str:
    """Return a note in one line, as data: no letter of it ends the block that it stands in."""
    claim = claim_of(note.claim).replace("<", "(").replace(">", ")")
    state = "" if note.state in {"fresh", "unknown"} else f", {note.state}: check it against the code"
    return f'- {note.type} (note {note.id}{state}): "{claim}"'
