"""What the operations' answers have in common: the published shapes and how they are filled."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from memoire.budget import clip
from memoire.graph import Node
from memoire.memory import AsOf, Memory
from memoire.model import Event
from memoire.relations._spec import PACKAGE
from memoire.scorer import RankedEdge

SETTLE_S = 0.3
"""How long an answer waits for changed files to be taken in, seconds."""

MIN_BUDGET = 200
MAX_BUDGET = 100_000

_NOTHING_TO_READ = frozenset({"binary", "secret", "not-a-file"})
"""Problems of files that nobody expects to be parsed."""
_NO_NEWS = ("access", "turn")
"""Kinds of events that are no news."""
_NAME_CHARS = 300
_BRANCH_CHARS = 60
_PENDING_SHOWN = 10


class Relationship(msgspec.Struct, frozen=True, omit_defaults=True):
    """One edge, as published."""

    source: str
    relation: str
    target: str
    rationale: str
    """One sentence that names its evidence."""
    is_causal: bool
    cost: str
    """normal or high."""
    observations: int
    """Times it was confirmed."""
    also: list[str] = []
    """Other targets of the same source and relation, the best first, some of them; where `of` says sources, sources."""
    count: int = 0
    """How many there are."""
    of: str = ""
    """`sources` where the edges share their target."""


class EventSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event, as published for `get_context`."""

    summary: str
    importance: float
    created_at: datetime


def relationships(memory: Memory, ranked: Sequence[RankedEdge], *, rationale_chars: int) -> list[Relationship]:
    """Return the wire form of edges, each rationale in one line of at most so many characters, without secrets."""
    reasons = redact_each(memory, [item.edge.rationale for item in ranked])
    return [
        Relationship(
            source=item.edge.key.source,
            relation=item.edge.key.relation,
            # As published: a package goes by its bare name.
            target=item.edge.key.target.removeprefix(PACKAGE),
            rationale=clip(why, rationale_chars),
            is_causal=item.edge.is_causal,
            cost=item.edge.cost,
            observations=item.observations,
        )
        for item, why in zip(ranked, reasons, strict=True)
    ]


def redact_each(memory: Memory, texts: Sequence[str]) -> list[str]:
    """Return texts, each in one line, with what looks like a secret taken out."""
    lines = [" ".join(text.split()) for text in texts]
    found = memory.redact("\n".join(lines)).split("\n")  # at once: it costs a tenth
    return found if len(found) == len(lines) else [memory.redact(line) for line in lines]


def wire_time(at: datetime) -> datetime:
    """Return the time as it goes out: UTC, whole seconds, so that it is written `2026-05-18T10:23:00Z`."""
    return at.astimezone(UTC).replace(microsecond=0)


def current(memory: Memory) -> AsOf:
    """Return what the answer is as of, its branch cut to what fits any budget."""
    as_of = memory.as_of()
    return AsOf(as_of.generation, as_of.commit[:12], clip(as_of.branch, _BRANCH_CHARS))


async def newest_events(
    memory: Memory,
    limit: int,
    *,
    before: str = "",
    kinds: Sequence[str] = (),
    path: str = "",
    session: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[Event]:
    """Return at most `limit` events, the newest first; unless kinds are named, accesses and turns are left out."""
    without = () if kinds else _NO_NEWS
    found = await memory.events(
        limit, before=before, kinds=kinds, without=without, path=path, session=session, since=since, until=until
    )
    return list(found)


def shown_pending(pending: Sequence[str]) -> list[str]:
    """Return the paths not yet taken in, the first of them named, the rest counted."""
    shown = [clip(path, _NAME_CHARS) for path in pending[:_PENDING_SHOWN]]
    return shown + ([f"… {len(pending) - len(shown)} more"] if len(pending) > len(shown) else [])


def is_troubled(node: Node) -> bool:
    """Return whether a file should have been understood and was not, or not wholly."""
    return bool(set(node.problems) - _NOTHING_TO_READ) or (bool(node.language) and not node.is_read)


def describe(docstring: str | None) -> str:
    """Return a module's docstring as the description of its operation: one line."""
    return " ".join((docstring or "").split())
