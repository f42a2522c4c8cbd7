"""Orders the classes that a class inherits from."""

from collections.abc import Callable, Iterable, Sequence

from memoire.consulting import Place

MAX_CLASSES = 200
"""How many classes are asked for their bases, from one class on."""


def orders(place: Place, bases_of: Callable[[Place], list[Place]]) -> dict[Place, list[Place]]:
    """Return the order of a class, and of each that it inherits from: itself and all that it inherits from.

    A class that is met while its own bases are looked for counts as one without bases.

    Args:
        place: The class.
        bases_of: Class -> its bases.
    """
    bases: dict[Place, list[Place]] = {}
    found: dict[Place, list[Place]] = {}
    stack = [place]
    while stack:
        at = stack[-1]
        if at not in bases:
            bases[at] = bases_of(at) if len(bases) < MAX_CLASSES else []
            stack += [base for base in reversed(bases[at]) if base not in bases]
            continue
        stack.pop()
        if at not in found:
            found[at] = linearized(at, [*(found.get(base, [base]) for base in bases[at]), bases[at]])
    return found


def linearized(place: Place, orders: Iterable[Sequence[Place]]) -> list[Place]:
    """Return a class and its bases in the order in which members are looked for: the C3 linearization.

    Where there is none, depth first. Source: "A monotonic superclass linearization for Dylan" (OOPSLA 1996), which
    Python follows; with one base each any order is the same.

    Args:
        place: The class.
        orders: The order of each of its bases, and last the bases themselves.
    """
    found = [place]
    queues = [list(order) for order in orders]
    while any(queues):
        heads = [queue[0] for queue in queues if queue]
        later = {at for queue in queues for at in queue[1:]}
        chosen = next((head for head in heads if head not in later), heads[0])
        if chosen not in found:
            found.append(chosen)
        queues = [[at for at in queue if at != chosen] for queue in queues]
    return found
