"""Orders the classes that a class inherits from."""

from collections.abc import Iterable, Sequence

from memoire.consulting import Place


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
