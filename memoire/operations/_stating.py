"""What `link` and `unlink` have in common: a statement about an edge, by its author and for a reason."""

from typing import Annotated

import msgspec

from memoire.budget import clip
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.memory import AsOf, Memory
from memoire.model import Edge, EdgeKey
from memoire.operations._lookup import locate
from memoire.operations._wire import SETTLE_S, current
from memoire.relations.asserted import ASSERTABLE, statement

REASON_CHARS = 400
AUTHOR_CHARS = 80


class Params(msgspec.Struct, frozen=True):
    """What `link` and `unlink` take."""

    source: Annotated[str, msgspec.Meta(min_length=1, max_length=4096, description="A file, or `path::Name`.")]
    relation: Annotated[str, msgspec.Meta(description=f"One of {', '.join(ASSERTABLE)}.")]
    target: Annotated[str, msgspec.Meta(min_length=1, max_length=4096, description="The other one.")]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=4000, description="Why, in one sentence.")]
    author: Annotated[str, msgspec.Meta(max_length=200, description="Who says so.")] = "person"


class Stated(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `link` and `unlink` give."""

    source: str
    relation: str
    target: str
    id: Annotated[str, msgspec.Meta(description="Of the statement.")]
    is_open: Annotated[bool, msgspec.Meta(description="Whether there is such an edge now.")]
    as_of: AsOf
    rationale: Annotated[str, msgspec.Meta(description="What the edge rests on.")] = ""
    extracted_from: Annotated[str, msgspec.Meta(description="The file that says so, where one does.")] = ""


async def state(memory: Memory, params: Params, *, is_denied: bool) -> Stated:
    """Take in the statement; return what it did to the edge.

    Raises:
        UnknownPathError: One of the two names no file and no definition of the project.
        InvalidArgumentError: There is no such relation, or it is not for anybody to say; nothing is left of the reason.
    """
    await memory.settle(SETTLE_S)
    key = EdgeKey(_node(memory, params.source), _relation(params.relation), _node(memory, params.target))
    if key.source == key.target:
        raise InvalidArgumentError("target", "is the source itself")
    reason, author = _line(memory, params.reason, REASON_CHARS), _line(memory, params.author, AUTHOR_CHARS)
    if not reason:
        raise InvalidArgumentError("reason", "is empty")
    said = statement(key, is_denied=is_denied, author=author or "person", reason=reason, at=memory.now())
    await memory.state(said)
    edge = _edge(memory, key)
    return Stated(
        source=key.source,
        relation=key.relation,
        target=key.target,
        id=said.id,
        is_open=edge is not None,
        as_of=current(memory),
        rationale=clip(memory.redact(edge.rationale), REASON_CHARS) if edge is not None else "",
        extracted_from=edge.extracted_from if edge is not None and edge.extracted_from in memory.tree else "",
    )


def _edge(memory: Memory, key: EdgeKey) -> Edge | None:
    edge = memory.graph.edge(key)
    if edge is None and key.relation == "CHANGES_WITH":  # it has no direction
        edge = memory.graph.edge(EdgeKey(key.target, key.relation, key.source))
    return edge


def _node(memory: Memory, given: str) -> str:
    place = locate(memory, given)
    if place.kind not in {"file", "symbol"}:
        raise UnknownPathError(given, why=f"it is a {place.kind}: name a file or a definition")
    return f"{place.path}::{place.symbol}" if place.symbol else place.path


def _relation(given: str) -> str:
    name = given.strip().upper().replace("-", "_")
    if name not in ASSERTABLE:
        raise InvalidArgumentError("relation", f"{given!r} is for nobody to say", ASSERTABLE)
    return name


def _line(memory: Memory, text: str, most: int) -> str:
    return clip(" ".join(memory.redact(text).split()), most)
