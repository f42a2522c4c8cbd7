"""Use it for secrets and mistakes: erases notes for good, every version of them; else use memory_revise with archive.
What git has committed of them stays in its history."""  # noqa: D205, D209 - the tool's description

from collections.abc import Sequence
from typing import Annotated

import msgspec

from memoire.memory import Memory
from memoire.notes.book import Book
from memoire.notes.keeper import Author
from memoire.operations._note_wire import ALIASES, check_project
from memoire.operations._spec import Operation
from memoire.operations._wire import describe

_Name = Annotated[str, msgspec.Meta(max_length=512)]


class Params(msgspec.Struct, frozen=True):
    """What `memory_forget` takes."""

    ids: Annotated[list[_Name], msgspec.Meta(min_length=1, max_length=100)]
    project: Annotated[_Name, msgspec.Meta(description="The exact id of the open project; there is no default.")]
    reason: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    author: _Name = ""


class Forgotten(msgspec.Struct, frozen=True):
    """What became of one note."""

    requested: str
    id: str | None
    existed: bool
    deleted: bool


class Result(msgspec.Struct, frozen=True):
    """What `memory_forget` gives."""

    requested: int
    deleted: int
    not_found: list[str]
    results: list[Forgotten]
    deleted_from: str
    tx: str | None
    advice: Annotated[str, msgspec.Meta(description="What still holds the text.")]


async def run(memory: Memory, params: Params) -> Result:
    """Take the notes out of the journal.

    Raises:
        WrongProjectError: The project is not named exactly.
        StoreUnavailableError: The journal cannot be written.
    """
    check_project(memory, params.project, is_required=True)
    async with memory.notes.turn() as turn:
        found = {address: turn.book.find(address.strip()) for address in dict.fromkeys(params.ids)}
        names = list(dict.fromkeys(name for name in found.values() if name and turn.book.get(name) is not None))
        gone = [*names, *_quoting(turn.book, names)]
        tombstone = await turn.erase(gone, params.reason, Author(by=params.author)) if names else None
    results = [Forgotten(address, name or None, name in names, name in names) for address, name in found.items()]
    return Result(
        requested=len(params.ids),
        deleted=len(names),
        not_found=[result.requested for result in results if not result.existed],
        results=results,
        deleted_from=memory.project_id,
        tx=None if tombstone is None else tombstone.tx,
        advice="Where the journal was committed, the history of git keeps the text; a secret has to be replaced."
        if names
        else "",
    )


def _quoting(book: Book, names: Sequence[str]) -> list[str]:
    """Return the digests that quote one of some notes: they are made anew by the next sweep."""
    digests = [row.note for row in book.current() if row.note.type == "digest" and row.note.id not in names]
    return [note.id for note in digests if any(name in note.text for name in names)]


OPERATION = Operation(
    name="memory_forget",
    title="Delete notes for good",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes forget",
    read_only=False,
    is_destructive=True,
    aliases=ALIASES,
)
