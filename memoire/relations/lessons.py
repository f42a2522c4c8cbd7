"""All that was learned of one project beside what its tree says, and what it comes to for an edge.

Pieces of evidence are kept as they are, each with its time and where it comes from; what commits tell is not among
them: the history is mined and kept by itself. An edge asks here for the sentences that its rationale names, for how
often it was seen, and whether learned evidence alone supports it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from memoire.model import Claim, EdgeKey, Evidence, parse_path
from memoire.relations import asserted, changes_with, outcomes, session_order
from memoire.relations.changes_with import Pair, Together

LEARNED = "evidence:"
"""What edges are extracted from that no file of the tree supports."""
MOST = 20_000
"""Pieces of one project that count; of more, the oldest that nobody asserted are taken back."""
_STATED = frozenset((asserted.KIND, asserted.DENIED))


class Lesson(msgspec.Struct, frozen=True, gc=False):
    """What was learned for one edge."""

    said: tuple[str, ...] = ()
    """A sentence for each kind of evidence."""
    count: int = 0
    """Distinct sightings."""
    confidence: float = 1.0


_NOTHING = Lesson()


class Lessons:
    """The learned evidence of one project. Changed by one task alone."""

    def __init__(self) -> None:
        self.version = 0
        """Rises with every change."""
        self._pieces: dict[str, Evidence] = {}
        self._of: dict[EdgeKey, dict[str, Evidence]] = {}
        """Key as in the piece -> id -> piece, those included that were taken back."""
        self._around: dict[str, set[EdgeKey]] = {}
        self._together: dict[Pair, Together] = {}

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self._pieces)

    # ---- taking in

    def apply(self, pieces: Iterable[Evidence]) -> set[EdgeKey]:
        """Take in pieces that are new or revised; return the keys of edges that may differ."""
        keys: set[EdgeKey] = set()
        for piece in pieces:
            known = self._pieces.get(piece.id)
            if known is not None and known.revision > piece.revision:
                continue
            if known is not None:
                keys |= self._leave(known)
            self._pieces[piece.id] = piece
            key = _key(piece)
            self._of.setdefault(key, {})[piece.id] = piece
            for node in (key.source, key.target):
                self._around.setdefault(parse_path(node)[0], set()).add(key)
            keys |= _edges(key)
        self.version += bool(keys)
        return keys

    def _leave(self, piece: Evidence) -> set[EdgeKey]:
        key = _key(piece)
        del self._of[key][piece.id]
        if not self._of[key]:
            del self._of[key]
            for path in {parse_path(node)[0] for node in (key.source, key.target)}:
                self._around[path].discard(key)
                if not self._around[path]:
                    del self._around[path]
        return _edges(key)

    def know(self, pairs: Sequence[Together]) -> set[EdgeKey]:
        """Take in what commits say now; return the keys of edges that may differ."""
        now = {(found.one, found.other): found for found in pairs}
        differing = {pair for pair in now.keys() | self._together.keys() if now.get(pair) != self._together.get(pair)}
        self._together = now
        self.version += bool(differing)
        return {EdgeKey(source, "DRIVES", target) for pair in differing for source, target in (pair, pair[::-1])}

    def fresh(self, found: Iterable[Evidence]) -> list[Evidence]:
        """Return what is new among pieces that were derived again, each as it is to be kept."""
        fresh: dict[str, Evidence] = {}
        for piece in found:
            known = self._pieces.get(piece.id)
            if known is None:
                fresh[piece.id] = piece
            elif known.until is None and piece.count > known.count:
                # Its paths stay: they may have been carried to other names since.
                fresh[piece.id] = _revised(known, count=piece.count, at=max(piece.at, known.at))
        return list(fresh.values())

    def excess(self, now: datetime, most: int = MOST) -> list[Evidence]:
        """Return, taken back, the oldest pieces above so many that nobody stated."""
        counting = [piece for piece in self._pieces.values() if piece.until is None]
        over = len(counting) - most
        if over <= 0:
            return []
        loose = sorted((piece for piece in counting if piece.kind not in _STATED), key=lambda piece: piece.at)
        return [_revised(piece, until=now) for piece in loose[:over]]

    def carried(self, moved: Mapping[str, str]) -> list[Evidence]:
        """Return the pieces about files that have another path now, under that.

        Args:
            moved: New path -> old path.
        """
        names = {old: new for new, old in moved.items()}
        keys = {key for old in names for key in self._around.get(old, ())}
        found = []
        for key in sorted(keys):
            source, target = _renamed(key.source, names), _renamed(key.target, names)
            found += [_revised(piece, source=source, target=target) for piece in self._of[key].values()]
        return found

    def stated(self, said: Evidence) -> list[Evidence]:
        """Return a statement together with the pieces that it takes back: what it denies, or what denied it."""
        is_denied = said.kind == asserted.DENIED
        opposed = [
            piece
            for piece in self._of.get(_key(said), {}).values()
            if piece.until is None and (piece.kind == asserted.DENIED) != is_denied
        ]
        return [said, *(_revised(piece, until=said.at) for piece in opposed)]

    # ---- asking

    def paths(self) -> Iterable[str]:
        """Return the files that pieces are about."""
        return self._around.keys()

    def touching(self, paths: Iterable[str]) -> set[EdgeKey]:
        """Return the keys of edges, from files or to them, that pieces are evidence for."""
        return {edge for path in paths for key in self._around.get(path, ()) for edge in _edges(key)}

    def between(self, one: str, other: str) -> list[Evidence]:
        """Return the pieces that bind two files in either direction, the newest first, those taken back included."""
        keys = self._around.get(one, set()) & self._around.get(other, set())
        ends = {one, other}
        found = [
            piece
            for key in keys
            if {parse_path(key.source)[0], parse_path(key.target)[0]} == ends
            for piece in self._of[key].values()
        ]
        return sorted(found, key=lambda piece: (piece.at, piece.id), reverse=True)

    def count(self, key: EdgeKey) -> int:
        """Return how often learned evidence showed an edge."""
        if key.relation == "DRIVES":
            return self.lesson(key).count
        return sum(piece.count for piece in self._open(key))

    def lesson(self, key: EdgeKey) -> Lesson:
        """Return what was learned for a DRIVES edge: from commits, sessions and statements."""
        source, target = key.source, key.target
        stated = [piece for piece in self._open(key) if piece.kind == asserted.KIND]
        denied = self._denied(key)
        found = self._commits(source, target) if denied is None else None
        edited = self.sessions(source, target, after=denied)
        if not stated and not edited and found is None:
            return _NOTHING
        said, confidence, count = [], 0.0, len(stated)
        if found is not None:
            said.append(changes_with.told(found, source))
            confidence, count = found.chance(source), count + found.commits
        if edited:
            said.append(session_order.told(source, target, edited))
            confidence, count = max(confidence, 0.5), count + sum(piece.count for piece in edited)
        if stated:
            said.append(asserted.told(stated))
            confidence = 1.0
        return Lesson(tuple(said), count, round(confidence, 2))

    def claim(self, key: EdgeKey) -> Claim | None:
        """Return the edge that statements and outcomes alone support; None where they support none."""
        found = self._open(key)
        stated = [piece for piece in found if piece.kind == asserted.KIND]
        ran = [piece for piece in found if piece.kind == outcomes.KIND]
        if not stated:
            return outcomes.claim(key, ran, LEARNED) if ran else None
        claim = asserted.claim(key, stated, LEARNED)
        if not ran:
            return claim
        return msgspec.structs.replace(claim, rationale=f"{claim.rationale}; {outcomes.told(key, ran)}")

    def sessions(self, source: str, target: str, after: datetime | None = None) -> list[Evidence]:
        """Return the pieces of sessions that edited one file soon after another, if they are enough to count."""
        found = [
            piece
            for piece in self._open(EdgeKey(source, "CHANGES_WITH", target))
            if piece.kind == session_order.KIND and (after is None or piece.at > after)
        ]
        return found if sum(piece.count for piece in found) >= session_order.LEAST else []

    def companions(self) -> Mapping[Pair, tuple[Together | None, list[Evidence]]]:
        """Return what commits, sessions and statements say of pairs that change together; each pair in order."""
        found: dict[Pair, tuple[Together | None, list[Evidence]]] = {
            pair: (together, []) for pair, together in self._together.items()
        }
        for key in self._of:
            if key.relation != "CHANGES_WITH":
                continue
            pair = (key.source, key.target) if key.source < key.target else (key.target, key.source)
            denied = max(filter(None, (self._denied(EdgeKey(*ends)) for ends in _both(pair))), default=None)
            if denied is not None:
                found.pop(pair, None)
            stated = [piece for piece in self._open(key) if piece.kind == asserted.KIND]
            pieces = [*self.sessions(key.source, key.target, after=denied), *stated]
            if pieces:
                found.setdefault(pair, (None, []))[1].extend(pieces)
        return found

    def _commits(self, source: str, target: str) -> Together | None:
        found = self._together.get((source, target) if source < target else (target, source))
        return found if found is not None and found.chance(source) >= changes_with.LEAST else None

    def _open(self, key: EdgeKey) -> list[Evidence]:
        return [piece for piece in self._of.get(key, {}).values() if piece.until is None and _supports(piece)]

    def _denied(self, key: EdgeKey) -> datetime | None:
        """Return when an edge was denied last, if nobody asserted it since."""
        return max(
            (
                piece.at
                for piece in self._of.get(key, {}).values()
                if piece.kind == asserted.DENIED and piece.until is None
            ),
            default=None,
        )


def _supports(piece: Evidence) -> bool:
    return piece.kind != asserted.DENIED


def _both(pair: Pair) -> tuple[tuple[str, str, str], tuple[str, str, str]]:
    return (pair[0], "CHANGES_WITH", pair[1]), (pair[1], "CHANGES_WITH", pair[0])


def _key(piece: Evidence) -> EdgeKey:
    return EdgeKey(piece.source, piece.relation, piece.target)


def _edges(key: EdgeKey) -> set[EdgeKey]:
    """Return the keys of edges that pieces with this key are evidence for."""
    return {key, EdgeKey(key.source, "DRIVES", key.target)} if key.relation == "CHANGES_WITH" else {key}


def _renamed(node: str, names: Mapping[str, str]) -> str:
    path, symbol = parse_path(node)
    new = names.get(path, path)
    return f"{new}::{symbol}" if symbol else new


def _revised(piece: Evidence, **fields: object) -> Evidence:
    return msgspec.structs.replace(piece, revision=piece.revision + 1, **fields)
