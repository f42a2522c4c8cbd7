"""Leads from chains of constants to the file of the last, where types are open and lie in each other."""

from collections.abc import Iterable

from memoire.consulting import Place
from memoire.extract.chains import CALL_MARK
from memoire.extract.spec import Language
from memoire.lookup import Lookup
from memoire.model import CLASS_KINDS, READ, WRITE, Definition, Use

Way = tuple[int, int, str]
"""(scope, root, attr) of a use."""


def beginnings(uses: Iterable[Use]) -> frozenset[Way]:
    """Return (scope, root, attr) of what other uses of a scope go on from: no constants of their own."""
    return frozenset(
        (use.scope, use.root, use.attr[:at])
        for use in uses
        if use.root < 0
        for at, letter in enumerate(use.attr)
        if letter == "."
    )


def is_elsewhere(language: Language | None, definition: Definition | None, name: str) -> bool:
    """Return whether a name is a constant of a type that the project only opens, and that something else defines."""
    return _names_constant(language, name) and definition is not None and definition.kind in CLASS_KINDS


def _names_constant(language: Language | None, name: str) -> bool:
    return language is not None and language.syntax is not None and language.syntax.names_constant(name)


def state(language: Language | None, definition: Definition | None, rest: tuple[str, ...], how: int) -> str | None:
    """Return the attribute that links which are no definitions tell of; empty for none, None for no use at all.

    One behind another is written with dots: `settings.paths.home` writes no more of `settings` than that, so that who
    reads another attribute of it reads another state.

    Args:
        language: That of the file that uses it.
        definition: Where the links before lead.
        rest: The links.
        how: As `Use.how`.
    """
    name = rest[0] if rest else ""
    mark = language.syntax.member_mark if language is not None and language.syntax is not None else ""
    if name and mark and not how & WRITE and not name.startswith(mark):
        # Members without a mark are methods; where a constant looks that is none of the project is none of its uses.
        return None if is_elsewhere(language, definition, name) else ""
    return ".".join(rest) if CALL_MARK not in rest else ""


def is_of_project(walked: tuple[Place, tuple[str, ...]] | None) -> bool:
    """Return whether a name leads to something of the project, as a whole."""
    return walked is not None and not walked[1] and walked[0].kind in {"definition", "module", "namespace"}


def goes_on(lookup: Lookup, walked: tuple[Place, tuple[str, ...]] | None, links: tuple[str, ...]) -> bool:
    """Return whether the last name of a chain lies in a namespace that is called like a class, or names a module."""
    if links and lookup.names_module(links[-1]):
        return True
    if lookup.language is None or not lookup.language.imports_names:
        return False
    definition = lookup.definition(walked[0]) if walked is not None and not walked[1] else None
    return definition is not None and definition.parent < 0 and definition.name == links[-1]


def is_beginning(use: Use, longer: frozenset[Way]) -> bool:
    """Return whether a use is only what others go on from: see `beginnings`."""
    return use.root < 0 and use.how == READ and (use.scope, use.root, use.attr) in longer


def last(lookup: Lookup, ways: Iterable[tuple[Place, tuple[str, ...]] | None]) -> Place | None:
    """Return the last constant that a chain leads to; None where there is none, or where no file owns it.

    Args:
        lookup: The names of the project.
        ways: Where no link of the chain leads, the first, the first two…, and the links that could not be followed.
    """
    found: Place | None = None
    for walked in ways:
        definition = lookup.definition(walked[0]) if walked is not None and not walked[1] else None
        if walked is not None and definition is not None and _is_constant(lookup.language, definition):
            found = walked[0]
            continue
        opened = lookup.definition(found) if found is not None else None
        if walked is not None and walked[1] and is_elsewhere(lookup.language, opened, walked[1][0]):
            return None
        if found is not None or (walked is not None and walked[0].kind != "namespace"):
            break
    return found if found is not None and not lookup.is_shared(found) else None


def _is_constant(language: Language | None, definition: Definition) -> bool:
    is_named = definition.kind == "variable" and _names_constant(language, definition.name)
    return definition.kind in CLASS_KINDS or is_named
