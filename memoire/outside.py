"""Follows a chain of names out of the project: what a library gives to a file through other files of the project.

A client that another file makes, a field whose class is a library's, a base class that comes from one: what is called
on them acts on the world as much as what a file calls itself.
"""

from memoire.consulting import Place
from memoire.extract.chains import CALL_MARK, ITEM, split
from memoire.extract.spec import Language
from memoire.lookup import MAX_HOPS, Lookup
from memoire.model import CLASS_KINDS, Definition, Target

OUTSIDE = frozenset({"package", "builtin", "unresolved"})
"""Kinds of targets that are no file of the project."""


def qualified(lookup: Lookup, place: Place, links: tuple[str, ...], hops: int = 0) -> str:
    """Return the qualified name that links lead to from a place, outside of the project; empty where they do not.

    Args:
        lookup: The names of the project.
        place: A definition of the project, or what an import brings from outside: its qualified name is its path.
        links: Attributes and calls that lead to no definition of the project.
        hops: How many steps led here.
    """
    if place.kind in OUTSIDE:
        return _follow(place.path, links, lookup.language)
    if place.kind == "namespace" and links and links[0] != CALL_MARK:
        # Of what lies in a namespace of the project, or in the root of all, it defines not everything.
        return _follow(f"{place.path}.{links[0]}" if place.path else links[0], links[1:], lookup.language)
    if place.kind == "module" and hops <= MAX_HOPS:
        whole = lookup.whole(place.path, hops + 1)
        return qualified(lookup, whole, links, hops + 1) if whole is not None else ""
    definition = lookup.definition(place)
    if definition is None or hops > MAX_HOPS:
        return ""
    if definition.kind in CLASS_KINDS:
        return _of_class(lookup, place, definition, links, hops)
    if definition.kind == "variable" and links:
        # An object: what it has under a name.
        text = lookup.module(place.path).attributes.get(f"{definition.name}.{links[0]}", "")
        if text:
            return _named(lookup, place, text, definition.parent, hops, links[1:])
    if definition.kind == "variable" or (links and links[0] == CALL_MARK):
        rest = links if definition.kind == "variable" else links[1:]
        return _named(lookup, place, definition.returns, definition.parent, hops, rest)
    return _of_method(lookup, place, definition, links, hops) if definition.kind == "method" else ""


def _of_class(lookup: Lookup, place: Place, definition: Definition, links: tuple[str, ...], hops: int) -> str:
    """Return what a class of the project has from outside: by what its attributes hold, by its bases."""
    if not links or links[0] == CALL_MARK:
        return qualified(lookup, place, links[1:], hops + 1) if links else ""
    text = lookup.module(place.path).attributes.get(f"{definition.name}.{links[0]}", "")
    held = _named(lookup, place, text, place.number, hops, links[1:]) if text else ""
    return held or _inherited(lookup, place, links, hops)


def _of_method(lookup: Lookup, place: Place, definition: Definition, links: tuple[str, ...], hops: int) -> str:
    """Return what a method that is not called leads to outside."""
    if links:
        # A property: what it gives is said like what an attribute holds.
        text = lookup.module(place.path).attributes.get(definition.name, "")
        return _named(lookup, place, text, definition.parent, hops, links) if text else ""
    if definition.signature:
        return ""
    # A method without a body: what a base from outside makes of it is called.
    around = Place("definition", place.path, definition.parent) if definition.parent >= 0 else place
    name = definition.name.rpartition(".")[2]
    return _inherited(lookup, around, (name,), hops + 1) if around != place else ""


def is_within(lookup: Lookup, path: str, index: int, target: Target) -> bool:
    """Return whether an import of a file leads into the project.

    Args:
        lookup: The names of the project.
        path: The file.
        index: Of its import.
        target: What that names. A folder without the name that is imported from it is but called like a package.
    """
    if target.kind != "directory":
        return target.kind == "file"
    facts = lookup.facts_of(path)
    return facts is None or not facts.imports[index].name or lookup.follow_import(path, index, 0) is not None


def _inherited(lookup: Lookup, place: Place, links: tuple[str, ...], hops: int) -> str:
    """Return what a class has from a base outside, of several the first that is known to have anything."""
    definition = lookup.definition(place)
    language = lookup.language_of(place.path)
    bases: tuple[str, ...] = definition.bases if isinstance(definition, Definition) else ()
    first = ""
    for base in bases:
        held = _named(lookup, place, base, definition.parent if definition else -1, hops)
        if held and _is_told(held, language):
            return _follow(held, links, language)
        first = first or _follow(held, links, language)
    for above in lookup.bases(place, hops + 1):
        found = qualified(lookup, above, links, hops + 1)
        if found:
            return found
    return first


def _is_told(name: str, language: Language | None) -> bool:
    """Return whether the effect table says anything of what a class has."""
    return language is not None and language.syntax is not None and name in language.syntax.effects.prefixes


def _named(lookup: Lookup, place: Place, text: str, scope: int, hops: int, further: tuple[str, ...] = ()) -> str:
    """Return the qualified name of what a file names and what further links lead to, outside of the project."""
    if text.startswith(ITEM):  # a collection: of what it holds, only its items are followed
        is_item = further[:1] == (ITEM,)
        return _named(lookup, place, text[len(ITEM) :], scope, hops + 1, further[1:]) if is_item else ""
    links = (*split(text.strip("'\" ")), *further) if text else ()
    language = lookup.language_of(place.path)
    if not links or language is None or language.syntax is None or hops > MAX_HOPS:
        return ""
    found = lookup.local(place.path, scope, links[0], hops + 1)
    if found is not None and found.kind not in OUTSIDE:
        for at, link in enumerate(links[1:], 1):
            following = lookup.step(found, link, hops + 1)
            if following is None:
                return qualified(lookup, found, links[at:], hops + 1)
            found = following
        return qualified(lookup, found, (), hops + 1)
    head = found.path if found is not None else _brought(lookup, place.path, links[0], language)
    return _follow(head, links[1:], language) if head else ""


def _brought(lookup: Lookup, path: str, name: str, language: Language) -> str:
    """Return the qualified name that an import of all names, or the language, gives a name that nothing binds."""
    assert language.syntax is not None
    effects = language.syntax.effects
    builtin = effects.builtins.get(name)
    if builtin:
        return builtin
    for specifier in reversed(lookup.star_specifiers(path)):
        found = f"{specifier}.{name}" if specifier else name
        if found in effects.prefixes:
            return found
    return ""


def _follow(name: str, links: tuple[str, ...], language: Language | None) -> str:
    """Return the qualified name that attributes and calls lead to, by what the effect table says calls return."""
    if language is None or language.syntax is None:
        return ""
    given = language.syntax.effects.given
    is_value = True
    for link in links:
        if link in language.syntax.transparent:
            continue
        if link == CALL_MARK:
            name, is_value = given(name), True
        elif link == ITEM:
            name, is_value = language.syntax.effects.returns.get(f"{name}{ITEM}", ""), True
            if not name:
                return ""
        else:
            # A property: what it gives is known though it is not called.
            name, is_value = f"{name if is_value else given(name)}.{link}", False
    return name
