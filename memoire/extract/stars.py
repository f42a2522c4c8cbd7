"""Finds the imports of all names of a module, and what stands before the names that they bring."""

from collections.abc import Sequence
from typing import NamedTuple

from memoire.extract.spec import Syntax
from memoire.model import Import


class Stars(NamedTuple):
    """The imports of all names that a file makes."""

    found: list[int]
    sealed: set[int]
    """Namespaces with a body in which no name from around is seen: see `ModulePaths.outer`."""


def stars_of(syntax: Syntax, imports: Sequence[Import], kinds: Sequence[str]) -> Stars:
    """Return the imports of all names of a module; those of all around a namespace open that instead.

    Args:
        syntax: The language.
        imports: All imports of the file.
        kinds: Kind of each definition.
    """
    skipped = "" if syntax.binds_reexports else "reexport"
    stars = [index for index, item in enumerate(imports) if item.is_star and item.kind != skipped]
    if syntax.module_paths is None:
        return Stars(stars, set())
    outer = syntax.module_paths.outer
    opened = {
        index: item.scope
        for index, item in enumerate(imports)
        if index in stars and item.specifier == outer and item.scope >= 0 and kinds[item.scope] == "namespace"
    }
    sealed = {index for index, kind in enumerate(kinds) if kind == "namespace"} - set(opened.values())
    return Stars([index for index in stars if index not in opened], sealed)


def prefixes(syntax: Syntax, imports: Sequence[Import], stars: Sequence[int]) -> list[str]:
    """Return what stands before the names of each import of all names in the effect table, the one that wins first.

    Args:
        syntax: The language.
        imports: All imports of the file.
        stars: Those of all names of a module.
    """
    # What the language brings by itself is behind what the file asks for, but for its own package, the last.
    ordered = sorted(stars, key=lambda index: (index != stars[-1], imports[index].kind == "implicit", -index))
    said = [imports[index] for index in ordered]
    return [syntax.qualify(item) for item in said if not item.specifier.startswith((".", "/", '"', "<"))]


def brought(name: str, star_prefixes: Sequence[str], known: frozenset[str]) -> str:
    """Return the qualified name of a name by the first import of all names that has it; empty where none does.

    Args:
        name: The name; it may be that of such a module itself, which may stand before its names.
        star_prefixes: What stands before the names of each import.
        known: The names that the effect table knows.
    """
    for prefix in star_prefixes:
        qualified = f"{prefix}.{name}" if prefix else name
        if qualified in known:
            return qualified
    return name if name in star_prefixes else ""
