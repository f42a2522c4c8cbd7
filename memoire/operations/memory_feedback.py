"""Call it when a note helped or misled. Rates notes: positive, negative or neutral says that one helped, misled or
was seen; confirm that it is still true, and takes today's code as what it is about. One count for each note in 15
minutes."""  # noqa: D205, D209 - the tool's description

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Literal

import msgspec

from memoire.memory import Memory
from memoire.notes.anchors import baseline, compare
from memoire.notes.keeper import Author
from memoire.notes.model import Anchor, Bind, Op, Rate, Standing
from memoire.operations._note_wire import ALIASES, Freshness, find, freshness
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, describe

COOLDOWN = timedelta(seconds=900)
"""Within it a note is rated once. Source: the published behaviour of reinforcing."""
_Name = Annotated[str, msgspec.Meta(max_length=512)]


class Params(msgspec.Struct, frozen=True):
    """What `memory_feedback` takes."""

    ids: Annotated[list[_Name], msgspec.Meta(min_length=1, max_length=100)]
    signal: Literal["positive", "negative", "neutral", "confirm"]
    reason: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    author: _Name = ""
    session: _Name = ""


class Confirmed(msgspec.Struct, frozen=True):
    """A note that is true again as of now."""

    id: str
    freshness: Freshness


class Result(msgspec.Struct, frozen=True):
    """What `memory_feedback` gives."""

    bumped: list[str]
    cooled_down: Annotated[
        list[str], msgspec.Meta(description="Rated within the last 15 minutes: nothing was counted.")
    ]
    confirmed: list[Confirmed]
    tx: str | None
    written_to: str


async def run(memory: Memory, params: Params) -> Result:
    """Take the rating in.

    Raises:
        UnknownNoteError: No note is called so.
        MemoryRefusedError: Personal notes and others are confirmed in one call.
        StoreUnavailableError: The journal cannot be written.
    """
    await memory.settle(SETTLE_S)
    async with memory.notes.turn() as turn:
        names = list(dict.fromkeys(find(memory, address) for address in params.ids))
        rows = [row for name in names if (row := turn.book.get(name)) is not None]
        cooled: list[str] = []
        ops: list[Op] = []
        if params.signal == "confirm":
            ops = [Bind(row.note.id, _renewed(memory, row), "confirmed", params.reason) for row in rows]
        else:
            since = memory.now() - COOLDOWN
            cooled = [row.note.id for row in rows if any(one.at > since for one in turn.book.ratings(row.note.id))]
            ops = [Rate(row.note.id, params.signal, params.reason) for row in rows if row.note.id not in cooled]
        transaction = await turn.write(ops, Author(by=params.author, session=params.session))
        done = [row.note.id for row in rows if row.note.id not in cooled]
        after = [row for name in done if (row := turn.book.get(name)) is not None]
    return Result(
        bumped=done,
        cooled_down=cooled,
        confirmed=[Confirmed(row.note.id, freshness(memory, row)) for row in after if params.signal == "confirm"],
        tx=None if transaction is None else transaction.tx,
        written_to=memory.project_id,
    )


def _renewed(memory: Memory, row: Standing) -> tuple[Anchor, ...]:
    """Return what a note is about as it is now; what has moved, where it stands."""
    world, commit, note = memory.verdicts.world, memory.as_of().commit, row.note
    texts = "\n".join((note.text, note.why, note.details))

    def renew(anchor: Anchor) -> Anchor:
        found = compare(anchor, world)
        node = found.node or anchor.node
        was = (*anchor.was, anchor.node) if node != anchor.node else anchor.was
        base = baseline(node, texts, world, commit) or anchor.base
        return msgspec.structs.replace(anchor, node=node, base=base, was=was)

    return _unique([renew(anchor) for anchor in note.about])


def _unique(anchors: Sequence[Anchor]) -> tuple[Anchor, ...]:
    return tuple({anchor.node: anchor for anchor in reversed(anchors)}.values())[::-1]


OPERATION = Operation(
    name="memory_feedback",
    title="Rate notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes feedback",
    read_only=False,
    aliases=ALIASES,
)
