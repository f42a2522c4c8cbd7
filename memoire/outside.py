"""Follows a chain of names out of the project: what a library gives to a file through other files of the project.

A client that another file makes, a field whose class is a library's, a base class that comes from one: what is called
on them acts on the world as much as what a file calls itself.
"""

from collections.abc import Iterator

from memoire.asked import MAX_HOPS
from memoire.consulting import SAME, Place
from memoire.extract.chains import CALL_MARK, ITEM, split
from memoire.extract.spec import Language
from memoire.lookup import Lookup
from memoire.model import CLASS_KINDS, Definition, Target
from memoire.modules import enclosing

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
    if place.kind == SAME:
        place = place._replace(kind="definition")
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
    is_called = links[:1] == (CALL_MARK,)
    if definition.kind == "variable" or is_called or (links and definition.returns and _is_bare(lookup, place)):
        rest = links[1:] if is_called and definition.kind != "variable" else links
        return _named(lookup, place, definition.returns, definition.parent, hops, rest)
    return _of_method(lookup, place, definition, links, hops) if definition.kind == "method" else ""


def _is_bare(lookup: Lookup, place: Place) -> bool:
    """Return whether naming a function of a file calls it."""
    language = lookup.language_of(place.path)
    return language is not None and language.syntax is not None and language.syntax.bare_calls


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


def gives_same(lookup: Lookup, place: Place, name: str, hops: int) -> bool:
    """Return whether a class has a member from a library that gives an instance of the class itself."""
    language = lookup.language_of(place.path)
    if language is None or language.syntax is None or name not in language.syntax.effects.same:
        return False
    definition = lookup.definition(place)
    if definition is None or definition.kind not in CLASS_KINDS or hops > MAX_HOPS:
        return False
    return language.syntax.effects.gives_same(_inherited(lookup, place, (name,), hops))


def reopened(lookup: Lookup, place: Place) -> str:
    """Return the qualified name of a class or module of a library that the project adds to; empty for any other.

    What has a file of its own, by its name, is the project's.
    """
    definition = lookup.definition(place)
    language = lookup.language_of(place.path) if definition is not None else lookup.language
    if language is None or not language.opens or (definition is None and place.kind != "namespace"):
        return ""
    if definition is not None and definition.kind not in language.opens:
        return ""
    full = lookup.full_name(place.path, definition.name) if definition is not None else place.path
    if not full or not _is_told(full, language):
        return ""
    return "" if lookup.preferred(language, full, lookup.declaring(language.family, full)) else full


def inherited_around(lookup: Lookup, path: str, scope: int, links: tuple[str, ...], hops: int = 0) -> str:
    """Return what a name alone, that nothing of the project explains, means as a member of the class around.

    Args:
        lookup: The names of the project.
        path: The file.
        scope: The definition that the name stands in.
        links: The name, and what follows it.
        hops: How many steps led here.
    """
    key = (path, scope, links)
    if key not in lookup.around:
        # Bases are looked for around their class, where those of the classes around are looked for in their turn.
        lookup.around[key] = ""
        lookup.around[key] = _inherited_around(lookup, path, scope, links, hops)
    return lookup.around[key]


def _inherited_around(lookup: Lookup, path: str, scope: int, links: tuple[str, ...], hops: int) -> str:
    language = lookup.language_of(path)
    syntax = language.syntax if language is not None else None
    if syntax is None or not syntax.implicit_members or syntax.members_by_text or syntax.names_constant(links[0]):
        return ""
    definitions = lookup.module(path).definitions
    for index in enclosing(definitions, scope):
        if definitions[index].kind not in CLASS_KINDS:
            continue
        found = _inherited(lookup, Place("definition", path, index), links, hops)
        if found and _says(found, language):
            return found
        if syntax.uncaptured:
            break
    return ""


def _inherited(lookup: Lookup, place: Place, links: tuple[str, ...], hops: int) -> str:
    """Return what a class has from a base outside, of several the first that is known to have it, or to have anything.

    A class that the project only adds to has it from itself.
    """
    definition = lookup.definition(place)
    language = lookup.language_of(place.path)
    first = told = ""
    for found in _candidates(lookup, place, definition, links, hops):
        if _says(found, language):
            return found
        first = first or found
        told = told or (found if _is_told(found.removesuffix("." + ".".join(links)), language) else "")
    return told or first


def _candidates(
    lookup: Lookup, place: Place, definition: Definition | None, links: tuple[str, ...], hops: int
) -> Iterator[str]:
    """Yield what each base of a class, in the project or outside, has under a name from outside."""
    language = lookup.language_of(place.path)
    syntax = language.syntax if language is not None else None
    if definition is None or syntax is None:
        return
    for base in definition.bases:
        held = _named(lookup, place, base, definition.parent, hops)
        if held:
            yield _follow(syntax.effects.given(held), links, language)
    for above in lookup.bases(place, hops + 1):
        found = qualified(lookup, above, links, hops + 1)
        if found:
            yield found
    own = reopened(lookup, place)
    if own:
        yield _follow(syntax.effects.given(own), links, language)


def _says(name: str, language: Language | None) -> bool:
    """Return whether the effect table says what a qualified name does, or what it gives."""
    if language is None or language.syntax is None:
        return False
    effects = language.syntax.effects
    return effects.category(name) is not None or name in effects.prefixes or effects.gives_same(name)


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
            if following is None or (following.kind == SAME and at == len(links) - 1):
                return qualified(lookup, found, links[at:], hops + 1)
            found = following
        return qualified(lookup, found, (), hops + 1)
    head = found.path if found is not None else _brought(lookup, place.path, links[0], language)
    return _follow(head, links[1:], language) if head else inherited_around(lookup, place.path, scope, links, hops + 1)


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
