"""Reads XML of strangers: no document type, no entities of its own, bounded depth; nothing is fetched."""

from collections.abc import Callable
from typing import NamedTuple
from xml.parsers import expat

from memoire.runs.run import UnreadableRunError

MOST_DEPTH = 200


class Element(NamedTuple):
    """One element, when it begins."""

    name: str
    """Without a name space."""
    attributes: dict[str, str]
    depth: int


def parse(data: bytes, begin: Callable[[Element], None], end: Callable[[str], None]) -> None:
    """Tell of every element of a document.

    Raises:
        UnreadableRunError: It is no well-formed XML, or has a document type: that may define entities that grow
            without end, or name files outside.
    """
    depth = 0

    def on_start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if depth >= MOST_DEPTH:
            raise UnreadableRunError("nests too deep")
        begin(Element(name.rpartition(":")[2], attributes, depth))
        depth += 1

    def on_end(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name.rpartition(":")[2])

    def on_type(name: str, system: str | None, public: str | None, has_own: bool) -> None:  # noqa: FBT001 - expat's
        # Cobertura's files name the document type of 2003, and define nothing themselves: nobody follows the name.
        if has_own:
            raise UnreadableRunError("defines a document type of its own")

    def on_entity(*_: object) -> None:
        raise UnreadableRunError("defines entities")

    parser = expat.ParserCreate()
    parser.StartElementHandler = on_start
    parser.EndElementHandler = on_end
    parser.StartDoctypeDeclHandler = on_type
    parser.EntityDeclHandler = on_entity
    parser.ExternalEntityRefHandler = lambda *_: 0
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes no keywords
    except (expat.ExpatError, LookupError) as error:
        raise UnreadableRunError("is no well-formed XML") from error
