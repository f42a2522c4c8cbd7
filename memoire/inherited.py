"""Finds attributes that a class has from bases in other files, where a name alone may be one."""

from memoire.consulting import Place
from memoire.lookup import Lookup
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
        for place in lookup.lineage(Place("definition", path, index), 0):
            definition = lookup.definition(place)
            if definition is None:
                continue
            lookup.consult(place.path, definition.name.partition(".")[0])
            if f"{definition.name}.{name}" in lookup.module(place.path).attributes:
                return place
    return None
