"""Session order: what is edited soon after a file, within one session.

Evidence: B edited within `SOON` after A. It counts once for each edit of A that B follows, however often B is saved
then; and where more than `CROWD` other files are edited within `SOON` of an edit, that edit says nothing of any: a name
is changed everywhere, a formatter ran. From `LEAST` times on, over all sessions, it is evidence that A drives B where B
depends on A in the source, and else that the two change with each other.

Source of `SOON` and `LEAST`: the design of the graph. `CROWD` and `MOST_OF_SESSION` bound what is kept.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from memoire.model import Evidence, Session

KIND = "session"
SOON_MS = 5 * 60 * 1000
LEAST = 2
CROWD = 10
MOST_OF_SESSION = 60
"""Pairs of one session: those that were seen most often, and last."""

_Edit = tuple[int, str]
"""(milliseconds since the epoch, path)."""


def identity(*parts: str) -> str:
    """Return the id of the piece of evidence that rests on these."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def edits_of(session: Session) -> list[_Edit]:
    """Return the edits of a session, the first one first."""
    return sorted((int.from_bytes(mark[:6], "big"), path) for path, marks in session.edits.items() for mark in marks)


def pieces(session: Session) -> Iterator[Evidence]:
    """Yield one piece for each (A, B) where B was edited soon after A. A pure function of the session."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    edits = edits_of(session)
    for place, (at_ms, path) in enumerate(edits):
        following: dict[str, int] = {}
        for later_ms, other in edits[place + 1 :]:
            # What is edited again stands for itself: what follows then follows that edit.
            if later_ms - at_ms > SOON_MS or other == path:
                break
            following.setdefault(other, later_ms)
            if len(following) > CROWD:
                break
        if len(following) > CROWD:
            continue
        for other, later_ms in following.items():
            count, _ = counts.get((path, other), (0, 0))
            counts[path, other] = (count + 1, later_ms)
    best = sorted(counts.items(), key=lambda item: (-item[1][0], -item[1][1], item[0]))
    for (path, other), (count, last_ms) in best[:MOST_OF_SESSION]:
        yield Evidence(
            id=identity(KIND, session.id, path, other),
            kind=KIND,
            source=path,
            relation="CHANGES_WITH",
            target=other,
            at=datetime.fromtimestamp(last_ms / 1000, UTC),
            origin=session.id,
            count=count,
        )


def told(source: str, target: str, found: Sequence[Evidence]) -> str:
    """Return the sentence that names sessions; there is at least one."""
    count = sum(piece.count for piece in found)
    last = max(found, key=lambda piece: (piece.at, piece.id))
    sessions = len({piece.origin for piece in found})
    where = f"{sessions} sessions" if sessions != 1 else "one session"
    return f"{target} edited within 5 minutes after {source} {count} times in {where}, last {last.at:%Y-%m-%d}"
