"""Proposes how notes could be tidied up: what says the same, has expired or grown old, and what an area is about.

Pure: nothing is changed by it. Each proposal names its notes, the reason, and the versions that it was made for; what
is applied later is refused where one of them is another by then.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Literal, TypeAlias

import msgspec

from memoire.notes.book import Rating, is_expired
from memoire.notes.model import Anchor, Certainty, Connect, Link, Note, NoteType, Op, Put, Retire, Standing
from memoire.notes.words import Words
from memoire.notes.writing import claim_of

Kind: TypeAlias = Literal["merge", "expire", "decay", "digest"]
KINDS: tuple[Kind, ...] = ("merge", "expire", "decay", "digest")
CANDIDATES = 8
"""Notes most alike to one that it is compared with."""
SHARED = 0.4
"""Share of what a note's own claim scores that another must, to be worth a comparison: what says the same shares more
than half of what tells."""
OLD = timedelta(days=180)
"""Since when nobody touched, opened or praised a note that decays. Source: the half-life of recency in recall."""
CONFIDENCE_FLOOR, CONFIDENCE_LOSS = 0.2, 0.1
"""Source: the published rule of decaying confidence (floor .2, alpha .1)."""
AREA_NOTES = 5
"""Notes from which an area gets a digest."""
DIGEST_CLAIMS = 8
PROBES = 200
"""Claims that are asked for before and after."""
_LESS: dict[Certainty, Certainty] = {"verified": "inferred", "inferred": "speculative"}
_CODE = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|(?<![\w.])(\d+(?:[.,]\d+)*)")
_WHENCE = frozenset(("source", "source_id"))
"""Facets in which two notes that say the same may differ."""
_CERTAIN: dict[Certainty, int] = {"verified": 2, "inferred": 1, "speculative": 0}


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that could be done."""

    id: str
    """The same for the same proposal about the same versions."""
    kind: Kind
    ids: tuple[str, ...]
    """The notes that it changes; of a merge the one that stays comes first."""
    reason: str
    change: str
    """What would be other than before, in words."""
    seen: dict[str, str]
    """Note -> the transaction that brought the version that this is about."""
    ops: tuple[Op, ...]


class Gate(msgspec.Struct, frozen=True):
    """Whether notes are found as well after all proposals as before: mean reciprocal rank of their own claims."""

    before: float
    after: float
    probes: int

    @property
    def is_passed(self) -> bool:
        """Return whether nothing gets harder to find."""
        return self.after >= self.before - 0.005


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """One run, and what became of it."""

    run: str
    at: datetime
    proposals: tuple[Proposal, ...]
    gate: Gate
    decided: dict[str, Literal["accepted", "rejected", "applied"]] = {}
    """Proposal -> what somebody said of it."""
    rejected: tuple[str, ...] = ()
    """Proposals of earlier runs that are not made again."""


class Known(msgspec.Struct, frozen=True):
    """What there is to judge by."""

    rows: Sequence[Standing]
    """The live notes that may be changed: none that is personal or withheld."""
    words: Words
    judge: Callable[[Note, Note], str]
    """Returns the verdict on two notes, as `relating` gives it."""
    ratings: Callable[[str], Sequence[Rating]]
    opens: Callable[[str], int]
    new_id: Callable[[], str]
    now: datetime


def propose(known: Known, kinds: Iterable[Kind]) -> Iterator[Proposal | None]:
    """Yield what could be done, each note in at most one proposal but digests; None where others may be served."""
    makers: dict[Kind, Callable[[Known, set[str]], Iterable[Proposal | None]]] = {
        "expire": _expired,
        "merge": _merges,
        "decay": _decayed,
        "digest": _digests,
    }
    taken: set[str] = set()
    wanted = set(kinds)
    for kind, make in makers.items():
        made: list[str] = []
        for proposal in make(known, taken) if kind in wanted else ():
            made += proposal.ids if proposal is not None else ()
            yield proposal
        taken.update(made)


def gate(known: Known, proposals: Sequence[Proposal]) -> Gate:
    """Return how well notes are found by their own claims, now and once all is applied."""
    into = {op.id: op.by for proposal in proposals for op in proposal.ops if isinstance(op, Retire)}
    live = {row.note.id for row in known.rows}
    left = live - into.keys()
    probes = sorted(live, key=_hash)[:PROBES]
    probes = [name for name in probes if name in left or into.get(name) in left]
    texts = {row.note.id: claim_of(row.note.text) for row in known.rows}
    before = after = 0.0
    for name in probes:
        scores = known.words.scores(texts[name])
        before += _reciprocal(scores, name, live)
        after += _reciprocal(scores, into.get(name, name), left)
    count = len(probes) or 1
    return Gate(round(before / count, 4), round(after / count, 4), len(probes))


def changed(proposal: Proposal, current: Mapping[str, str]) -> list[str]:
    """Return the notes of a proposal that are others by now.

    Args:
        proposal: What was proposed.
        current: Note -> the transaction that brought how it stands.
    """
    return [name for name, tx in proposal.seen.items() if current.get(name) != tx]


# ---- what could be done


def _expired(known: Known, taken: set[str]) -> list[Proposal]:
    del taken
    found = []
    for row in _ordered(known.rows):
        if is_expired(row, known.now):
            end = row.note.expires
            reason = f"expired on {end:%Y-%m-%d}"
            op = Retire(row.note.id, "archived", valid_to=end, reason=reason)
            found.append(_proposal("expire", [row], reason, f"archived: {claim_of(row.note.text)}", [op]))
    return found


def _merges(known: Known, taken: set[str]) -> Iterator[Proposal | None]:
    """Yield which notes say the same, and which of them stays; what differs in anything that counts is left alone."""
    rows = {row.note.id: row for row in known.rows if row.note.id not in taken and row.note.type != "digest"}
    rows = {name: row for name, row in rows.items() if not _is_task(row.note)}
    merged: set[str] = set()
    for name, row in sorted(rows.items()):
        yield None
        scores = known.words.scores(claim_of(row.note.text))
        least = scores.get(name, 0.0) * SHARED
        near = [other for other, score in scores.items() if score >= least and other in rows]
        for other in sorted(near, key=lambda other: (-scores[other], other))[:CANDIDATES]:
            if name >= other or {name, other} & merged or not _may_merge(row.note, rows[other].note):
                continue
            if known.judge(row.note, rows[other].note) == "restates":
                stays, goes = sorted((row, rows[other]), key=lambda one: _worth(known, one), reverse=True)
                if _rest(goes.note) in {"", _rest(stays.note)}:
                    yield _merge(stays, goes)
                    merged |= {name, other}


def _merge(stays: Standing, goes: Standing) -> Proposal:
    note, other = stays.note, goes.note
    nodes = {anchor.node for anchor in note.about}
    both = msgspec.structs.replace(
        note,
        version=note.version + 1,
        about=(*note.about, *(anchor for anchor in other.about if anchor.node not in nodes)),
        tags=tuple(dict.fromkeys((*note.tags, *other.tags))),
        facets={**other.facets, **note.facets},
        importance=max(note.importance, other.importance),
    )
    reason = f"says the same as {note.id}"
    ops: list[Op] = [Retire(other.id, "superseded", by=note.id, reason=reason)]
    ops += [Put(both)] if msgspec.structs.replace(both, version=note.version) != note else []
    ops += [Connect(note.id, Link("supersedes", other.id), reason)]
    change = f"{claim_of(note.text)} (stays) | {claim_of(other.text)} (superseded)"
    return _proposal("merge", [stays, goes], f"{other.id} {reason} in other words", change, ops)


def _may_merge(one: Note, other: Note) -> bool:
    """Return whether two notes are of one kind, for the same readers, and quote the same things."""
    if (one.type, one.scope, one.branch) != (other.type, other.scope, other.branch):
        return False
    if one.subject and other.subject and (one.subject, one.attribute) != (other.subject, other.attribute):
        return False
    if one.key and other.key:
        return False
    shared = one.facets.keys() & other.facets.keys() - _WHENCE
    if any(one.facets[name] != other.facets[name] for name in shared):
        return False
    here, there = ({anchor.node for anchor in note.about} for note in (one, other))
    return _quotes(one.text) == _quotes(other.text) and (not here or not there or bool(here & there))


def _rest(note: Note) -> str:
    """Return what a note says beyond its claim: that is compared alone."""
    text = " ".join(note.text.split())
    return text.removeprefix(claim_of(note.text)).strip()


def _quotes(text: str) -> frozenset[str]:
    return frozenset(next(filter(None, groups)).casefold() for groups in _CODE.findall(text))


def _worth(known: Known, row: Standing) -> tuple[object, ...]:
    """Return what the better one of two has more of: certainty, praise, evidence, anchors, words; then age."""
    note = row.note
    praise = sum(rating.signal == "positive" for rating in known.ratings(note.id))
    praise -= sum(rating.signal == "negative" for rating in known.ratings(note.id))
    told = (bool(note.key), bool(note.why), len(note.about), len(note.text))
    return (_CERTAIN[note.certainty], praise, *told, -row.known_from.timestamp(), note.id)


def _decayed(known: Known, taken: set[str]) -> list[Proposal]:
    """Return the notes that nobody has touched, opened or praised for long: they are less certain than they say."""
    found = []
    for row in _ordered(known.rows):
        note, age = row.note, known.now - row.known_from
        is_used = known.opens(note.id) > 0 or any(rating.signal == "positive" for rating in known.ratings(note.id))
        if note.id in taken or age < OLD or is_used or note.type in {"digest", "preference"}:
            continue
        reason = f"neither touched nor used for {age.days} days"
        if note.certainty == "speculative":
            ops: list[Op] = [Retire(note.id, "archived", reason=f"speculative, {reason}")]
            change = "archived"
        else:
            less = _LESS[note.certainty]
            confidence = None if note.confidence is None else _lower(note.confidence)
            edited = msgspec.structs.replace(note, version=note.version + 1, certainty=less, confidence=confidence)
            ops, change = [Put(edited)], f"{note.certainty} to {less}"
        found.append(_proposal("decay", [row], reason, f"{change}: {claim_of(note.text)}", ops))
    return found


def _lower(confidence: float) -> float:
    return min(confidence, round(max(CONFIDENCE_FLOOR, confidence * (1 - CONFIDENCE_LOSS)), 3))


def _digests(known: Known, taken: set[str]) -> list[Proposal]:
    """Return a digest for each area with enough notes whose digest does not say what they say now."""
    areas: dict[str, list[Standing]] = {}
    digests = {row.note.key: row for row in known.rows if row.note.type == "digest"}
    for row in _ordered(known.rows):
        area = _area(row.note)
        if area and row.note.type != "digest" and row.note.id not in taken and row.note.scope == "project":
            areas.setdefault(area, []).append(row)
    found = []
    for area, rows in sorted(areas.items()):
        if len(rows) < AREA_NOTES:
            continue
        key = f"digest/{area}"
        old = digests.get(key)
        text = _digest(area, rows)
        if old is not None and old.note.text == text:
            continue
        note = Note(
            id=known.new_id(),
            path=f"notes/digest/{area}",
            key=key,
            type="digest",
            text=text,
            about=(Anchor(f"{area}/"),),
            certainty="verified",
            valid_from=known.now,
            author="notes sweep",
        )
        ops: list[Op] = [Put(note)]
        if old is not None:
            ops.insert(
                0, Retire(old.note.id, "superseded", by=note.id, valid_to=known.now, reason="its area has changed")
            )
            ops.append(Connect(note.id, Link("supersedes", old.note.id)))
        about = [*rows, *([old] if old is not None else [])]
        reason = f"{len(rows)} notes are about {area}/"
        found.append(_proposal("digest", about, reason, claim_of(text), ops, [old] if old is not None else []))
    return found


def _digest(area: str, rows: Sequence[Standing]) -> str:
    counts: Counter[NoteType] = Counter(row.note.type for row in rows)
    kinds = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in sorted(counts.items()))
    first = sorted(rows, key=lambda row: (-row.note.importance, -row.note.valid_from.timestamp(), row.note.id))
    lines = [f"- {row.note.type}: {claim_of(row.note.text)} ({row.note.id})" for row in first[:DIGEST_CLAIMS]]
    more = [f"- and {len(rows) - DIGEST_CLAIMS} more"] if len(rows) > DIGEST_CLAIMS else []
    return "\n".join([f"What is noted about `{area}/`: {kinds}.", "", *lines, *more])


def _area(note: Note) -> str:
    """Return the folder that a note is about, two levels at most; empty where it is about none."""
    for anchor in note.about:
        path = anchor.node.partition("::")[0]
        if ":" not in path and "/" in path:
            return "/".join(path.rstrip("/").split("/")[: -1 if not path.endswith("/") else None][:2])
    return ""


def _proposal(
    kind: Kind,
    rows: Sequence[Standing],
    reason: str,
    change: str,
    ops: Sequence[Op],
    touched: Sequence[Standing] | None = None,
) -> Proposal:
    seen = {row.note.id: row.tx for row in rows}
    ids = tuple(row.note.id for row in (rows if touched is None else touched))
    print_ = "\0".join([kind, *ids, *(f"{name} {tx}" for name, tx in sorted(seen.items()))])
    name = blake2b(print_.encode(), digest_size=4).hexdigest()
    return Proposal(id=name, kind=kind, ids=ids, reason=reason, change=change, seen=seen, ops=tuple(ops))


def _ordered(rows: Iterable[Standing]) -> list[Standing]:
    return sorted(rows, key=lambda row: row.note.id)


def _is_task(note: Note) -> bool:
    return note.type == "status" and "state" in note.facets


def _reciprocal(scores: Mapping[str, float], name: str, among: set[str]) -> float:
    own = scores.get(name, 0.0)
    return (
        1 / (1 + sum(score > own for other, score in scores.items() if other in among and other != name))
        if own
        else 0.0
    )


def _hash(name: str) -> str:
    return blake2b(name.encode(), digest_size=8).hexdigest()
