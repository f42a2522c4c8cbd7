"""Finds extension members: what is called as a member of a type, and stands outside of it, seen where it is imported.

Three forms, by `Syntax.extension_members`:

- a function with the type before its name (`@owner`), `fun User.greet()` in Kotlin, or in Scala `extension (u: User)`:
  a file that imports `greet` from its package sees it, or all names of that, or is in it; nowhere else;
- a function of another class whose first parameter says the type (`@extension_method`), `Twice(this Pool pool)` in C#:
  it is seen where the namespace of the class is used. A type of a library is the one that is called the same, where no
  project has one such;
- a block that adds to the type (`@def.extension`), in Swift and Dart: seen where its module is imported.
"""

from collections.abc import Iterator

from memoire.consulting import Place
from memoire.extract.spec import Language
from memoire.lookup import Lookup
from memoire.model import CLASS_KINDS, Definition, FileFacts
from memoire.modules import EXTENDS

MARK = "*"
"""Stands for any type in the qualified name of a function: `com.acme.*.greet`."""


def extension_member(lookup: Lookup, place: Place, name: str) -> Place | None:
    """Return the extension member under a name that the file being linked sees on what a place is.

    Args:
        lookup: The names of the project, for the file that is being linked.
        place: The class, or a variable that holds an instance of one.
        name: As it is called in the file being linked.
    """
    syntax = lookup.language.syntax if lookup.language is not None else None
    if syntax is None or not syntax.extension_members:
        return None
    if syntax.extension_members == "blocks":
        return _by_block(lookup, place, name)
    return _by_name(lookup, place, name) or _by_parameter(lookup, place, name)


# ---- by a block


def _by_block(lookup: Lookup, place: Place, name: str) -> Place | None:
    """Return the member that a file of another namespace adds to a class, where the file being linked sees that."""
    definition, language = lookup.definition(place), lookup.language
    if definition is None or language is None or definition.kind not in CLASS_KINDS:
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


# ---- by a type before the name


def _any_owner(package: str, name: str) -> str:
    """Return under which name a file declares a function of a package that is a member of some type."""
    return f"{package}.{MARK}.{name}"


def declared_names(package: str, facts: FileFacts) -> Iterator[str]:
    """Yield under which names a file declares its functions that are members of types elsewhere."""
    for definition in facts.definitions:
        if definition.kind == "method" and definition.parent < 0 and not definition.is_private:
            owner, _, name = definition.name.rpartition(".")
            if owner:
                yield _any_owner(package, name)


def _by_name(lookup: Lookup, place: Place, name: str) -> Place | None:
    """Return the function under a name that the file being linked sees as a member of a class."""
    definition = lookup.definition(place)
    if definition is None or definition.kind not in CLASS_KINDS:
        return None
    lineage = None
    for package, called in _sources(lookup, name):
        for at, owner in _candidates(lookup, package, called):
            if lineage is None:
                lineage = lookup.lineage(place, 0)
            if lookup.dotted(at.path, owner, 1) in lineage:
                return at
    return None


def imported(lookup: Lookup, package: str, name: str) -> list[Place]:
    """Return the functions that an import of a name from a package may mean."""
    return [at for at, _ in _candidates(lookup, package, name)]


def _candidates(lookup: Lookup, package: str, name: str) -> Iterator[tuple[Place, str]]:
    """Yield the functions of a package under a name, each with the type that it is a member of, as written."""
    language = lookup.language
    if language is None:
        return
    paths = lookup.declaring(language.family, _any_owner(package, name))
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
    syntax = lookup.language.syntax if lookup.language is not None else None
    owner = type_name.replace(f".{syntax.companion}", "") if syntax is not None and syntax.companion else type_name
    around = lookup.qualified(owner, 1) if "." in type_name else None
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


# ---- by the first parameter


def _by_parameter(lookup: Lookup, place: Place, name: str) -> Place | None:
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
