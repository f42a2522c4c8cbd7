"""Every note as a record that another memory, or this one, can take in again; page by page, in the order of paths."""

from typing import Annotated, Any

import msgspec

from memoire.memory import AsOf, Memory
from memoire.notes import writing
from memoire.notes.exchange.records import Record, record_of
from memoire.notes.model import Standing
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe

MAX_PAGE = 500


class Params(msgspec.Struct, frozen=True):
    """What `notes_export` takes."""

    types: list[str] = []
    tags: Annotated[list[str], msgspec.Meta(description="Any of.")] = []
    active: Annotated[bool, msgspec.Meta(description="Leave out what no longer holds.")] = False
    personal: Annotated[bool, msgspec.Meta(description="Personal notes, too, and how notes were rated.")] = False
    after: Annotated[str, msgspec.Meta(description="An answer's `next`.")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MAX_PAGE)] = MAX_PAGE


class Result(msgspec.Struct, frozen=True):
    """What `notes_export` gives."""

    project_id: str
    records: list[dict[str, Any]]
    total_count: int
    withheld: Annotated[list[str], msgspec.Meta(description="Notes whose texts did not pass the screen: not exported.")]
    next: str
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Return the records that follow `after`.

    Raises:
        MemoryRefusedError: There is no such type.
    """
    await memory.settle(SETTLE_S)
    book = await memory.notes.refresh()
    types = [writing.type_of(name) if name != "digest" else name for name in params.types]
    withheld = memory.notes.withheld

    def is_wanted(row: Standing) -> bool:
        note = row.note
        return (
            (params.personal or note.scope != "personal")
            and (not params.active or row.status == "active")
            and (not types or note.type in types)
            and (not params.tags or bool(set(params.tags) & set(note.tags)))
        )

    wanted = sorted((book.path_of(row.note.id), row.note.id) for row in book.current() if is_wanted(row))
    shown = [pair for pair in wanted if pair[1] not in withheld]
    behind = [pair for pair in shown if "\0".join(pair) > params.after]
    page = behind[: params.limit]
    return Result(
        project_id=memory.project_id,
        records=[msgspec.to_builtins(_record(memory, *pair, is_whole=params.personal)) for pair in page],
        total_count=len(shown),
        withheld=[name for _, name in wanted if name in withheld],
        next="\0".join(page[-1]) if len(behind) > len(page) else "",
        as_of=current(memory),
    )


def _record(memory: Memory, path: str, name: str, *, is_whole: bool) -> Record:
    book = memory.notes.book
    row = book.get(name)
    assert row is not None  # it is of the book
    ratings = [rating.signal for rating in book.ratings(name)] if is_whole else []
    return record_of(row, path, ratings, memory.notes.opens(name) if is_whole else 0)


OPERATION = Operation(
    name="notes_export",
    title="Export notes",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes export",
    is_tool=False,
)
