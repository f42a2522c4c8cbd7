"""Finds the functions that are called as members of their first parameter: `pool.Twice()` for `Twice(this Pool pool)`.

They are seen where the namespace they are in is used, and mean what their first parameter's type says: it is followed
like any annotation. Where it is of a library, it is the same type if it is called the same and no project has one such.
"""

from memoire.consulting import Place
from memoire.lookup import Lookup
from memoire.model import CLASS_KINDS, Definition
from memoire.modules import EXTENDS


def extension_method(lookup: Lookup, place: Place, name: str) -> Place | None:
    """Return the function that is called under a name on what a place is: a class, or a variable that holds one."""
    definition = lookup.definition(place)
    if definition is None:
        return None
    if definition.kind in CLASS_KINDS:
        return _find(lookup, place, "", name)
    if definition.kind != "variable" or not definition.returns:
        return None
    held = lookup.dotted(place.path, definition.returns, 0, definition.parent)
    return _find(lookup, held, definition.returns, name)


def of_library(lookup: Lookup, written: str, name: str) -> Place | None:
    """Return the function that is called under a name on an instance of a class of a library."""
    return _find(lookup, None, written, name)


def made_by(lookup: Lookup, place: Place) -> Place:
    """Return the base that a class calls to be made: an interface makes no instances."""
    for base in lookup.bases(place, 0):
        definition = lookup.definition(base)
        if definition is not None and definition.kind != "interface":
            return base
    return place


def _find(lookup: Lookup, receiver: Place | None, written: str, name: str) -> Place | None:
    """Return the function that a name means on a receiver, None where there is none, or are several.

    Args:
        lookup: The names of the project, for the file that is being linked.
        receiver: The class that the receiver is an instance of; None for one of a library.
        written: The name of its class where it is of a library.
        name: What is called on it.
    """
    language = lookup.language
    if language is None or language.package_of is None:
        return None
    found: dict[tuple[str, int], Place] = {}
    used: frozenset[str] | None = None
    for path in lookup.declaring_seen(language.family, EXTENDS + name):
        definitions = lookup.module(path).definitions
        for index, definition in enumerate(definitions):
            if not definition.bases or definition.kind not in {"method", "function"}:
                continue
            if definition.name.rpartition(".")[2] != name:
                continue
            used = _namespaces(lookup) if used is None else used
            lookup.consult(path, definition.name.partition(".")[0])
            if _namespace_of(lookup, path, definition) not in used:
                continue
            if _extends(lookup, path, definition, receiver, written):
                # Several of one class are overloads of one another.
                found.setdefault((path, definition.parent), Place("definition", path, index))
    return next(iter(found.values())) if len(found) == 1 else None


def _extends(lookup: Lookup, path: str, definition: Definition, receiver: Place | None, written: str) -> bool:
    base = definition.bases[0]
    extended = lookup.dotted(path, base, 1, definition.parent)
    if receiver is None:
        return extended is None and base.rpartition(".")[2] == written.rpartition(".")[2]
    return extended is not None and extended in lookup.lineage(receiver, 0)


def _namespace_of(lookup: Lookup, path: str, definition: Definition) -> str:
    """Return the namespace that the class around a function is in."""
    module = lookup.module(path)
    at = definition.parent
    while at >= 0 and module.definitions[at].kind in CLASS_KINDS:
        at = module.definitions[at].parent
    around = module.definitions[at].name if at >= 0 else ""
    return ".".join(filter(None, (module.package, around)))


def _namespaces(lookup: Lookup) -> frozenset[str]:
    """Return the namespaces that the file that is being linked is in or uses."""
    path, language = lookup.path, lookup.language
    used: set[str] = set()
    facts = lookup.facts_of(path)
    stars = [(path, facts.imports[index].specifier) for index in lookup.module(path).stars] if facts is not None else []
    for at, specifier in (*stars, *lookup.ambient(path)):
        target = lookup.resolve(at, language, specifier) if language is not None else None
        if target is not None and target.kind == "namespace":
            used.add(target.path)
    for definition in lookup.module(path).definitions:
        name = definition.name if definition.kind == "namespace" else ""
        while name:
            used.add(name)
            name = name.rpartition(".")[0]
    return frozenset(used)
