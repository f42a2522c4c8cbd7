"""The names of one module, as others see them: what each is bound to, and what they may lean on."""

from collections.abc import Iterator
from typing import NamedTuple

from memoire.model import CLASS_KINDS, Definition, FileFacts
from memoire.tree import Declared


class Module(NamedTuple):
    """The names of one module."""

    names: dict[str, tuple[bool, int]]
    """Name -> (is an import, its index)."""
    stars: tuple[int, ...]
    """Imports of all names, the one that goes before the others last."""
    members: dict[tuple[int, str], int]
    """(definition, name of a member) -> its index."""
    definitions: tuple[Definition, ...]
    qualified: dict[str, int]
    """Qualified name inside the file -> its index; of several the class before what extends it, and what has a body
    before what only declares."""
    attributes: dict[str, str]
    """As in `FileFacts`."""
    package: str


PACKAGE = "<package>"
"""Under which the package that a file declares is looked up."""
PUBLIC = "<public>"
"""Under which the list of the names that an import of all names brings is looked up."""
NO_MODULE = Module({}, (), {}, (), {}, {}, "")
EXTENDS = "<extends>."
"""Before the name of a function that is called as a member of a type, among the names that a file declares."""
AMBIENT = "<ambient>"
"""What a file declares that has imports for all files of its unit: see `Language.unit_of`."""
_WEAK = {"extension": 1, "declaration": 2, "macro": 3}


def module_of(facts: FileFacts) -> Module:
    """Return the names of a module by its facts."""
    members: dict[tuple[int, str], int] = {}
    qualified: dict[str, int] = {}
    for index, definition in enumerate(facts.definitions):
        before = qualified.get(definition.name)
        if before is None or _weakness(definition) < _weakness(facts.definitions[before]):
            qualified[definition.name] = index
        if definition.parent >= 0:
            name = definition.name.removeprefix(facts.definitions[definition.parent].name + ".")
            if "." not in name:  # else it is a member of something else
                members.setdefault((definition.parent, name), index)
    for name, index in _by_namespaces(facts):
        qualified.setdefault(name, index)
    names = _names(facts)
    for exported, local in facts.exports.items():
        if local in names:
            names[exported] = names[local]
    # Of the same import again and again only the last: whatever it brings, it brings before the others.
    last = {
        (item.specifier, item.kind, item.scope, item.hides): index
        for index, item in enumerate(facts.imports)
        if item.is_star
    }
    stars = tuple(sorted(last.values()))
    return Module(names, stars, members, facts.definitions, qualified, facts.attributes, facts.package)


def _by_namespaces(facts: FileFacts) -> Iterator[tuple[str, int]]:
    """Yield the names that members defined outside of their types have by the namespaces that the file uses.

    After `using namespace a`, `int Pool::grow()` may be that of `a::Pool`.
    """
    used = [item.specifier.replace("::", ".") for item in facts.imports if item.is_star and item.kind == "static"]
    used = [name for name in used if name[:1] not in {'"', "<"}]
    for index, definition in enumerate(facts.definitions if used else ()):
        if definition.parent < 0 and _is_outside(definition):
            yield from ((f"{name}.{definition.name}", index) for name in used)


def _names(facts: FileFacts) -> dict[str, tuple[bool, int]]:
    """Return what each name of a module is bound to: (is an import, its index)."""
    bound: list[tuple[int, str, bool, int]] = []
    for index, item in enumerate(facts.imports):
        is_inner = item.scope >= 0 and (item.kind != "reexport" or facts.definitions[item.scope].kind == "namespace")
        if item.alias and not is_inner:
            bound.append((item.line, item.alias, True, index))
    for index, definition in enumerate(facts.definitions):
        if definition.parent < 0 and definition.kind != "extension" and not _is_outside(definition):
            bound.append((definition.line, definition.name, False, index))
    names: dict[str, tuple[bool, int]] = {}
    for _, name, is_import, index in sorted(bound, key=_line):
        before = names.get(name)
        # The last binding counts, but for the fallback behind an import that may fail, and for what has no body.
        if before is None or not before[0]:
            if before is None or is_import or not _weakness(facts.definitions[index]):
                names[name] = (is_import, index)
        elif facts.imports[before[1]].kind != "conditional":
            names[name] = (is_import, index)
    return names


def _weakness(definition: Definition) -> int:
    return _WEAK.get(definition.kind, 0)


def _is_outside(definition: Definition) -> bool:
    """Return whether a definition at the top is a member of a type that may be defined elsewhere: `Type.method`."""
    return definition.kind in {"method", "declaration"} and "." in definition.name


def _line(bound: tuple[int, str, bool, int]) -> int:
    return bound[0]


def interface(facts: FileFacts | None) -> dict[str, object]:
    """Return what other files may lean on: name -> what it is bound to and all that holds; `*` -> star imports."""
    if facts is None:
        return {}
    module = module_of(facts)
    held: dict[str, list[object]] = {PACKAGE: [facts.package]} if facts.package else {}
    outside = [
        (item.name, item.returns, item.is_private, bool(item.signature))
        for item in facts.definitions
        if item.kind == "method" and item.parent < 0 and "." in item.name
    ]
    for definition in facts.definitions:
        item = (
            definition.name,
            definition.kind,
            definition.returns,
            definition.bases,
            definition.is_private,
            bool(definition.signature),
        )
        held.setdefault(definition.name.partition(".")[0], []).append(item)
    for name, kind in facts.attributes.items():
        held.setdefault(name.partition(".")[0], []).append((name, kind))
    for binding in facts.imports:
        if binding.scope >= 0:  # of a module that is written inside of a file
            around = facts.definitions[binding.scope].name.partition(".")[0]
            held.setdefault(around, []).append((binding.specifier, binding.name, binding.alias, binding.kind))
    found: dict[str, object] = {**held, PUBLIC: facts.public}
    if outside:
        found["*."] = outside
    for name, (is_import, index) in module.names.items():
        is_kept = bool(facts.exports) and name not in facts.exports
        if is_import:
            binding = facts.imports[index]
            found[name] = (binding.specifier, binding.name, binding.kind == "reexport", is_kept)
        else:
            found[name] = (held[facts.definitions[index].name.partition(".")[0]], is_kept)
    passed = [item for item in facts.imports if item.is_star or item.kind == "reexport"]
    if passed:
        found["*"] = [(item.specifier, item.name, item.kind, item.hides) for item in passed]
    return found


BASES = "<bases>"
"""Stands in a qualified name for what an extension adds to the bases of a type."""


def loadable(facts: FileFacts, family: str) -> Declared | None:
    """Return the functions of a file that any other may have loaded; None where it has none."""
    names = frozenset(item.name for item in facts.definitions if item.kind in {"function", "macro"})
    return Declared(family, frozenset(), names) if names else None


def declared(
    facts: FileFacts,
    family: str,
    package: str,
    *,
    is_pasted: bool = False,
    opens: frozenset[str] = frozenset(),
) -> Declared:
    """Return what a file adds to the names that all files of its languages see.

    Args:
        facts: Its facts.
        family: Its language, or the family of languages that share packages.
        package: The namespace that its top-level names belong to.
        is_pasted: See `Language.is_pasted`: what is private is seen by the files that include it.
        opens: See `Language.opens`.
    """
    namespaces = {package}
    names = set()
    if any(item.kind == "global" for item in facts.imports):
        names.add(AMBIENT)
    for definition in facts.definitions:
        if definition.bases and definition.kind in {"function", "method"}:
            names.add(EXTENDS + definition.name.rpartition(".")[2])
        if (definition.is_private and not is_pasted) or not _is_open(facts, definition, opens):
            continue
        name = f"{package}.{definition.name}" if package else definition.name
        if definition.kind == "namespace":
            namespaces.add(name)
        elif definition.kind != "extension":
            names.add(name)
        elif definition.bases:
            names.add(f"{name}.{BASES}")
        if definition.kind in CLASS_KINDS and "." in definition.name and definition.kind != "extension":
            namespaces.add(name.rpartition(".")[0])
    if is_pasted:
        names.update(name for name, _ in _by_namespaces(facts))
    return Declared(family, frozenset(namespaces), frozenset(names), package, facts.package)


def _is_open(facts: FileFacts, definition: Definition, opens: frozenset[str]) -> bool:
    """Return whether a definition lies in namespaces and extensions alone: others name it by its qualified name."""
    at = definition.parent
    while at >= 0:
        around = facts.definitions[at]
        is_type = definition.kind in CLASS_KINDS or definition.kind == "variable"
        if around.kind not in {"namespace", "extension"} and not (is_type and around.kind in opens):
            return False
        at = around.parent
    return True


def owner_of(definitions: tuple[Definition, ...], index: int) -> str:
    """Return the type that a function is a member of though it is defined outside of it: `Pool` for `Pool.grow`."""
    definition = definitions[index]
    if definition.kind not in {"method", "function"} or "." not in definition.name:
        return ""
    around = definitions[definition.parent].name + "." if definition.parent >= 0 else ""
    return definition.name.removeprefix(around).rpartition(".")[0]


def enclosing(definitions: tuple[Definition, ...], scope: int) -> Iterator[int]:
    """Yield what a scope lies in (or is), innermost first: classes, namespaces, members defined outside of a class."""
    while scope >= 0:
        kind = definitions[scope].kind
        if kind in CLASS_KINDS or kind == "namespace" or owner_of(definitions, scope):
            yield scope
        scope = definitions[scope].parent
