"""Finds the effects that a file or a definition has through helpers: what it calls acts on the world for it."""

from collections import deque

from memoire.memory import Memory
from memoire.model import parse_path
from memoire.operations._detail import Effected
from memoire.operations._lookup import find_definition

MAX_STEPS = 3
"""Calls followed from the caller: beyond, everything has every effect."""
MAX_HELPERS = 200
"""Definitions looked at, the nearest first."""


def effects_via(memory: Memory, name: str) -> list[Effected]:
    """Return the effects of what is called, the nearest helper of each callee, none of what is done in the file itself.

    Args:
        memory: The project.
        name: A path, or `path::Symbol`.
    """
    path = parse_path(name)[0]
    found: dict[tuple[str, str], Effected] = {}
    queue = deque([(name, 0, 0)])
    seen = {name}
    while queue and len(seen) < MAX_HELPERS:
        at, steps, line = queue.popleft()
        if steps:
            for effect in _own(memory, at):
                known = Effected(effect[0], effect[1], line, via=at)
                found.setdefault(effect, known)
        if steps == MAX_STEPS:
            continue
        for relation in memory.relations_from(at):
            target = relation.target
            is_inside = target.startswith(f"{at}.") or (at == path and parse_path(target)[0] == path)
            if relation.relation == "CALLS" and target not in seen and not is_inside:
                seen.add(target)
                queue.append((target, steps + 1, line or relation.line))
    done = set(_own(memory, name))
    return [effect for key, effect in found.items() if key not in done]


def _own(memory: Memory, name: str) -> list[tuple[str, str]]:
    """Return (category, callee) of each effect of a file or a definition, what is written inside it included."""
    path, symbol = parse_path(name)
    facts = memory.facts(path)
    if facts is None:
        return []
    scopes: set[int] | None = None
    if symbol:
        index = find_definition(facts, symbol)
        if index is None:
            return []
        scopes = {index}
        for inner, item in enumerate(facts.definitions):
            # A class does what its constructor does; its other methods are called by their own names.
            is_called = facts.definitions[index].kind in {"function", "method"} or item.name.endswith(
                (".__init__", ".constructor")
            )
            if item.parent in scopes and is_called:
                scopes.add(inner)
    pairs = (
        (item.category, item.callee)
        for item in facts.effects
        if not item.is_void and (scopes is None or item.scope in scopes)
    )
    return list(dict.fromkeys(pairs))
