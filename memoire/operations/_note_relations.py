"""What a statement says again, or against what is noted: for who writes it, and for the audit."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec

from memoire.memory import Memory
from memoire.notes.model import Note, Standing
from memoire.notes.relating import Relation, relate
from memoire.notes.stems import terms
from memoire.notes.writing import claim_of

CANDIDATES = 12
"""Notes that a statement is compared with: those most alike, and those about the same."""


class Conflict(msgspec.Struct, frozen=True):
    """A note that says something else of the same thing."""

    id: str
    claim: str
    kind: Annotated[str, msgspec.Meta(description="What differs.")]


class NearDuplicate(msgspec.Struct, frozen=True):
    """A note that says the same in other words."""

    id: str
    claim: str
    similarity: float


class Found(msgspec.Struct, frozen=True):
    """How a statement stands to what is noted."""

    identical: str | None
    conflicts: list[Conflict]
    near_duplicates: list[NearDuplicate]
    slots: frozenset[str] = frozenset()
    """The conflicts of which only one can hold: both give a value to the same thing."""


def compare(memory: Memory, note: Note, similar_at: float | None = None, among: tuple[Standing, ...] = ()) -> Found:
    """Return how a statement stands to the live notes, and to some others.

    Args:
        memory: The project.
        note: The statement.
        similar_at: Likeness from which it says the same; None = as calibrated.
        among: Notes of the same call that are not written yet.
    """
    book, words = memory.notes.book, memory.notes.words()
    scores = words.scores(claim_of(note.text))
    near = sorted(scores, key=lambda name: (-scores[name], name))[:CANDIDATES]
    near += [name for anchor in note.about for name in sorted(book.about(anchor.node))][:CANDIDATES]
    rows = [row for name in dict.fromkeys(near) if (row := book.get(name)) is not None]
    rows += [row for row in book.current() if note.subject and _is_same(row.note, note)]
    identical: str | None = None
    conflicts: dict[str, Conflict] = {}
    duplicates: dict[str, NearDuplicate] = {}
    slots: set[str] = set()
    for row in (*rows, *_likely(note, among)):
        other = row.note
        if row.status != "active" or other.id == note.id or other.id in memory.notes.withheld:
            continue
        found = judge(memory, note, other, similar_at)
        claim = claim_of(other.text)
        if found.verdict == "identical":
            identical = identical or other.id
        elif found.verdict == "contradicts":
            conflicts[other.id] = Conflict(other.id, claim, found.why)
            slots.update({other.id} if found.is_slot else ())
        elif found.verdict == "restates":
            duplicates[other.id] = NearDuplicate(other.id, claim, round(found.similarity, 3))
    ranked = sorted(duplicates.values(), key=lambda one: (-one.similarity, one.id))
    return Found(identical, list(conflicts.values()), ranked, frozenset(slots))


def _likely(note: Note, among: Sequence[Standing]) -> list[Standing]:
    """Return those of many notes of one call that share most words with a statement, and those about the same."""
    own = _terms_of(note.text)
    shared = [(len(own & _terms_of(row.note.text)), row) for row in among]
    near = sorted((each for each in shared if each[0]), key=lambda each: -each[0])[:CANDIDATES]
    found = {row.note.id: row for _, row in near}
    found |= {row.note.id: row for row in among if note.subject and _is_same(row.note, note)}
    return list(found.values())


@lru_cache(4096)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(claim_of(text)))


def likeness(given: float | msgspec.UnsetType) -> float | None:
    """Return a likeness that a caller gave, None where none."""
    return None if given is msgspec.UNSET else given


def judge(memory: Memory, note: Note, other: Note, similar_at: float | None = None) -> Relation:
    """Return how one note stands to another."""
    words = memory.notes.words()
    found = relate(
        claim_of(note.text),
        claim_of(other.text),
        words.rarity,
        same_subject=bool(note.subject) and _is_same(note, other),
    )
    if similar_at is not None and found.verdict in {"restates", "related"}:
        verdict = "restates" if found.similarity >= similar_at else "related"
        return found._replace(verdict=verdict)  # type: ignore[arg-type]  # one of the two
    return found


def _is_same(one: Note, other: Note) -> bool:
    def folded(note: Note) -> tuple[str, str]:
        return " ".join(note.subject.casefold().split()), " ".join(note.attribute.casefold().split())

    return folded(one) == folded(other)
