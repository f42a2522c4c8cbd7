"""The names of one module, as others see them: what each is bound to, and what they may lean on."""

from typing import NamedTuple

from memoire.model import Definition, FileFacts


class Module(NamedTuple):
    """The names of one module."""

    names: dict[str, tuple[bool, int]]
    """Name -> (is an import, its index)."""
    stars: tuple[int, ...]
    members: dict[tuple[int, str], int]
    """(definition, name of a member) -> its index."""
    definitions: tuple[Definition, ...]


NO_MODULE = Module({}, (), {}, ())


def module_of(facts: FileFacts) -> Module:
    """Return the names of a module by its facts."""
    members: dict[tuple[int, str], int] = {}
    bound: list[tuple[int, str, bool, int]] = []
    for index, item in enumerate(facts.imports):
        if item.alias and (item.scope < 0 or item.kind == "reexport"):
            bound.append((item.line, item.alias, True, index))
    for index, definition in enumerate(facts.definitions):
        if definition.parent < 0:
            bound.append((definition.line, definition.name, False, index))
        else:
            members.setdefault((definition.parent, definition.name.rpartition(".")[2]), index)
    names: dict[str, tuple[bool, int]] = {}
    for _, name, is_import, index in sorted(bound, key=_line):
        before = names.get(name)
        # The last binding counts, but for the fallback behind an import that may fail.
        if before is None or not before[0] or facts.imports[before[1]].kind != "conditional":
            names[name] = (is_import, index)
    for exported, local in facts.exports.items():
        if local in names:
            names[exported] = names[local]
    stars = tuple(index for index, item in enumerate(facts.imports) if item.is_star)
    return Module(names, stars, members, facts.definitions)


def _line(bound: tuple[int, str, bool, int]) -> int:
    return bound[0]


def interface(facts: FileFacts | None) -> dict[str, object]:
    """Return what other files may lean on: name -> what it is bound to and all that holds; `*` -> star imports."""
    if facts is None:
        return {}
    module = module_of(facts)
    held: dict[str, list[object]] = {}
    for definition in facts.definitions:
        item = (definition.name, definition.kind, definition.returns, definition.bases)
        held.setdefault(definition.name.partition(".")[0], []).append(item)
    found: dict[str, object] = {}
    for name, (is_import, index) in module.names.items():
        if is_import:
            binding = facts.imports[index]
            found[name] = (binding.specifier, binding.name, binding.kind == "reexport")
        else:
            found[name] = held[facts.definitions[index].name]
    if module.stars:
        found["*"] = [facts.imports[index].specifier for index in module.stars]
    return found
