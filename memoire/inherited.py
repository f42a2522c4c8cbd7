"""Finds attributes that a class has from bases in other files, and tells what a chain says nothing of."""

from memoire.consulting import Place
from memoire.lookup import Lookup
from memoire.model import CLASS_KINDS
from memoire.modules import enclosing


def field(lookup: Lookup, path: str, scope: int, name: str) -> Place | None:
    """Return the class around a scope, or the base of one, that declares an attribute that is no definition.

    Args:
        lookup: The names of the project.
        path: The file.
        scope: The definition that the name stands in.
        name: The name alone.
    """
    language = lookup.language_of(path)
    if language is None or language.syntax is None or not language.syntax.implicit_members:
        return None
    module = lookup.module(path)
    for index in enclosing(module.definitions, scope):
        if module.definitions[index].kind == "namespace":
            continue
        for place in lookup.lineage(_extended(lookup, Place("definition", path, index)), 0):
            definition = lookup.definition(place)
            if definition is None:
                continue
            lookup.consult(place.path, definition.name.partition(".")[0])
            if f"{definition.name}.{name}" in lookup.module(place.path).attributes:
                return place
    return None


def made_by(lookup: Lookup, place: Place) -> Place:
    """Return the base that a class calls to be made: an interface makes no instances."""
    for base in lookup.bases(place, 0):
        definition = lookup.definition(base)
        if definition is not None and definition.kind != "interface":
            return base
    return place


def tells_nothing(lookup: Lookup, walked: tuple[Place, tuple[str, ...]], links: tuple[str, ...]) -> bool:
    """Return whether a chain ends by `unwrap` and the like, or by taking an item out of a collection.

    The first tell nothing of what they are called on, the second call nothing of the class of the item.

    Args:
        lookup: The names of the project.
        walked: Where the chain leads, and the links that could not be followed.
        links: All of its links.
    """
    place, rest = walked
    if not lookup.transparent.isdisjoint(rest[:1]):
        return True
    syntax = lookup.language.syntax if lookup.language is not None else None
    if rest or syntax is None or not links or links[-1] not in syntax.item_calls:
        return False
    definition = lookup.definition(place)
    return definition is not None and definition.kind in CLASS_KINDS


def _extended(lookup: Lookup, place: Place) -> Place:
    """Return the class that a definition adds to, where it is no class itself."""
    definition = lookup.definition(place)
    if definition is None or definition.kind != "extension":
        return place
    found = lookup.dotted(place.path, definition.name, 1, definition.parent)
    return found if found is not None and found.kind == "definition" else place
