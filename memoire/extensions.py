"""Finds functions that stand outside of the type they are members of, and are seen only where they are imported.

`fun User.greet()` of one package is a member of `User` in a file that imports `greet` from that package, imports all
names of it, or is in it; nowhere else.
"""

from collections.abc import Iterator

from memoire.consulting import Place
from memoire.extract.spec import Language
from memoire.lookup import Lookup
from memoire.model import CLASS_KINDS, FileFacts

MARK = "*"
"""Stands for any type in the qualified name of such a function: `com.acme.*.greet`."""


def any_owner(package: str, name: str) -> str:
    """Return under which name a file declares a function of a package that is a member of some type."""
    return f"{package}.{MARK}.{name}"


def declared_names(package: str, facts: FileFacts) -> Iterator[str]:
    """Yield under which names a file declares its functions that are members of types elsewhere."""
    for definition in facts.definitions:
        if definition.kind == "method" and definition.parent < 0 and not definition.is_private:
            owner, _, name = definition.name.rpartition(".")
            if owner:
                yield any_owner(package, name)


def extension(lookup: Lookup, place: Place, name: str) -> Place | None:
    """Return the function under a name that the file being linked sees as a member of a class.

    Args:
        lookup: The names of the project.
        place: The class.
        name: As it is called in the file being linked.
    """
    definition = lookup.definition(place)
    if definition is None or definition.kind not in CLASS_KINDS:
        return None
    lineage = None
    for package, called in _sources(lookup, name):
        for at, owner in candidates(lookup, package, called):
            if lineage is None:
                lineage = lookup.lineage(place, 0)
            if lookup.dotted(at.path, owner, 1) in lineage:
                return at
    return None


def imported(lookup: Lookup, package: str, name: str) -> list[Place]:
    """Return the functions that an import of a name from a package may mean."""
    return [at for at, _ in candidates(lookup, package, name)]


def candidates(lookup: Lookup, package: str, name: str) -> Iterator[tuple[Place, str]]:
    """Yield the functions of a package under a name, each with the type that it is a member of, as written."""
    language = lookup.language
    if language is None:
        return
    paths = lookup.declaring(language.family, any_owner(package, name))
    is_own = language.package_of is not None and package == lookup.package(lookup.path)
    if is_own and lookup.path not in paths:
        paths = (lookup.path, *paths)  # it may have one of its own that no other file sees
    for path in paths:
        lookup.consult(path, "*.")
        for index, definition in enumerate(lookup.module(path).definitions):
            owner, _, last = definition.name.rpartition(".")
            is_outside = definition.kind == "method" and definition.parent < 0 and bool(owner)
            if is_outside and last == name and (not definition.is_private or path == lookup.path):
                yield Place("definition", path, index), owner
    # One that stands in a companion is imported by the name of the class.
    yield from _inside(lookup, package, name)


def _inside(lookup: Lookup, type_name: str, name: str) -> Iterator[tuple[Place, str]]:
    """Yield the functions inside a type that are members of another, each with that type."""
    around = lookup.qualified(type_name.replace(".Companion", ""), 1) if "." in type_name else None
    definition = lookup.definition(around) if around is not None else None
    if around is None or definition is None:
        return
    lookup.consult(around.path, definition.name.partition(".")[0])
    for index, item in enumerate(lookup.module(around.path).definitions):
        inner, _, last = item.name[len(definition.name) + 1 :].rpartition(".")
        if item.parent == around.number and item.kind == "method" and inner and last == name:
            yield Place("definition", around.path, index), inner


def _sources(lookup: Lookup, name: str) -> Iterator[tuple[str, str]]:
    """Yield (package, name there) that a name may come from in the file being linked, the first choice first."""
    facts, language = lookup.facts_of(lookup.path), lookup.language
    if facts is None or language is None or language.package_of is None:
        return
    for item in facts.imports:
        if item.alias == name and item.name:
            yield item.specifier, item.name
    own = lookup.package(lookup.path)
    yield own, name
    for item in reversed(facts.imports):
        if item.is_star and item.specifier not in {own, ""}:
            yield item.specifier, name


def selected(lookup: Lookup, path: str, facts: FileFacts, language: Language) -> Iterator[tuple[int, str, str, int]]:
    """Yield (scope, file, symbol, line) of calls of functions imported by name as members of what is not known.

    Such a function is imported to be called so; of several under one name none is chosen.
    """
    for item in facts.imports:
        if not item.name or item.is_star:
            continue
        target = lookup.resolve(path, language, item.specifier)
        places = imported(lookup, target.path, item.name) if target.kind == "namespace" else []
        definition = lookup.definition(places[0]) if len(places) == 1 else None
        if definition is None:
            continue
        for scope, names in facts.selectors.items():
            if item.alias in names.split():
                line = facts.definitions[scope].line if scope >= 0 else item.line
                yield scope, places[0].path, definition.name, line
