"""Which tags the notes about each folder and file have: what to call a new note so that it is found beside them."""

from collections import Counter
from typing import Annotated

import msgspec

from memoire.memory import AsOf, Memory
from memoire.model import parse_path
from memoire.operations._spec import Operation
from memoire.operations._wire import SETTLE_S, current, describe

_OUTSIDE = ":"
"""In what is no path of the project: `pkg:name`, `person:ann`, a URL."""


class Params(msgspec.Struct, frozen=True):
    """What `notes_tags` takes."""

    path: Annotated[str, msgspec.Meta(description="Only what lies below it.")] = ""


class Tagged(msgspec.Struct, frozen=True):
    """One folder or file, and how often each tag is on a note about it or what lies in it."""

    path: str
    tags: dict[str, int]
    notes: int


class Result(msgspec.Struct, frozen=True):
    """What `notes_tags` gives, by path."""

    paths: list[Tagged]
    as_of: AsOf


async def run(memory: Memory, params: Params) -> Result:
    """Return the paths that live notes are about, with their tags; folders count what lies in them."""
    await memory.settle(SETTLE_S)
    book = await memory.notes.refresh()
    below = params.path.strip().removeprefix("./")
    tags: dict[str, Counter[str]] = {}
    notes: dict[str, set[str]] = {}
    for row in book.active(memory.now()):
        paths = {path for anchor in row.note.about for path in _around(anchor.node)}
        for path in paths:
            if path.startswith(below):
                tags.setdefault(path, Counter()).update(row.note.tags)
                notes.setdefault(path, set()).add(row.note.id)
    told = [(path, counts) for path, counts in sorted(tags.items()) if counts]
    found = [Tagged(path, dict(counts.most_common()), len(notes[path])) for path, counts in told]
    return Result(found, current(memory))


def _around(node: str) -> list[str]:
    """Return the file of a node and the folders that it lies in; nothing for what is no path."""
    path, _ = parse_path(node)
    if _OUTSIDE in path:
        return []
    parts = path.rstrip("/").split("/")
    folders = ["/".join(parts[:depth]) + "/" for depth in range(1, len(parts))]
    return [*folders, path]


OPERATION = Operation(
    name="notes_tags",
    title="Tags by path",
    description=describe(__doc__),
    params=Params,
    result=Result,
    run=run,
    command="notes tags",
    is_tool=False,
)
