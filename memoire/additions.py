"""Finds what a file sees of whole namespaces: what their files add to the classes of others, and their own names."""

from memoire.consulting import Place
from memoire.lookup import Lookup
from memoire.model import CLASS_KINDS


def addition(lookup: Lookup, place: Place, name: str) -> Place | None:
    """Return the member that a file of another namespace adds to a class, where the file being linked sees that.

    Args:
        lookup: The names of the project.
        place: The class.
        name: Of the member.
    """
    definition, language = lookup.definition(place), lookup.language
    if definition is None or language is None or not language.extends_anywhere or definition.kind not in CLASS_KINDS:
        return None
    family = language.family
    for above in lookup.lineage(place, 0):
        extended = lookup.definition(above)
        for namespace in lookup.seen_namespaces() if extended is not None else ():
            assert extended is not None
            for at in lookup.declarations(family, f"{namespace}.{extended.name}.{name}"):
                definitions = lookup.module(at.path).definitions
                parent = definitions[at.number].parent
                around = definitions[parent] if parent >= 0 else None
                if (
                    around is not None
                    and around.kind == "extension"
                    and lookup.dotted(at.path, around.name, 1) == above
                ):
                    return at
    return None


def module_named(lookup: Lookup, path: str, name: str) -> tuple[Place, int] | None:
    """Return the module all of whose names a file imports, by its own name, and that import: `Core.Client`."""
    facts, language = lookup.facts_of(path), lookup.language
    for index in lookup.module(path).stars:
        if facts is None or language is None or facts.imports[index].specifier != name:
            continue
        target = lookup.resolve(path, language, name)
        if target.kind == "namespace":
            return Place("namespace", target.path), index
    return None
