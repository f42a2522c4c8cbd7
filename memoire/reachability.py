"""Counts, for every node of a directed graph at once, how many others it reaches. Pure; knows no files.

The graph is condensed into its strongly connected components (Tarjan, without recursion), then sets of reached nodes
are combined component by component, sinks first, as bits of large integers. The bits are handled in chunks of columns,
so memory is bounded by nodes times `CHUNK_BITS` / 8 bytes however many nodes reach each other.

Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972): components come out in
reverse topological order, which is the order the second step needs.
"""

from collections.abc import Sequence
from itertools import pairwise

CHUNK_BITS = 4096
"""Columns handled at once: 50,000 nodes take at most 27 MB."""


def components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the strongly connected components, each before those that lead to it.

    Args:
        successors: At index i, the nodes that i leads to.
    """
    order = [0] * len(successors)
    low = [0] * len(successors)
    closed = bytearray(len(successors))
    found: list[list[int]] = []
    stack: list[int] = []
    count = 0
    for root in range(len(successors)):
        if order[root]:
            continue
        work = [(root, iter(successors[root]))]
        count += 1
        order[root] = low[root] = count
        stack.append(root)
        while work:
            node, pending = work[-1]
            for following in pending:
                if not order[following]:
                    count += 1
                    order[following] = low[following] = count
                    stack.append(following)
                    work.append((following, iter(successors[following])))
                    break
                if not closed[following]:
                    low[node] = min(low[node], order[following])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == order[node]:
                    found.append(_split(stack, node, closed))
    return found


def _split(stack: list[int], root: int, closed: bytearray) -> list[int]:
    """Take the component of `root` off the stack."""
    start = len(stack) - 1
    while stack[start] != root:
        start -= 1
    members = stack[start:]
    del stack[start:]
    for member in members:
        closed[member] = 1
    return members


def reached(
    successors: Sequence[Sequence[int]], groups: Sequence[Sequence[int]], *, chunk_bits: int = CHUNK_BITS
) -> list[int]:
    """Return at index i how many other nodes i reaches.

    Args:
        successors: At index i, the nodes that i leads to.
        groups: The components of this graph, as `components` gives them.
        chunk_bits: Columns handled at once.
    """
    owner = [0] * len(successors)
    for group, members in enumerate(groups):
        for member in members:
            owner[member] = group
    links = [_links(group, members, owner, successors) for group, members in enumerate(groups)]
    # Only what something leads to needs a column. Columns in order of components: a component reaches none after it.
    led_to = bytearray(len(successors))
    for following in successors:
        for node in following:
            led_to[node] = 1
    columns = [node for members in groups for node in members if led_to[node]]
    totals = [0] * len(groups)
    bounds = [*range(0, len(columns), chunk_bits), len(columns)]
    for start, end in pairwise(bounds):
        _add_chunk(columns[start:end], owner, links, totals)
    counts = [0] * len(successors)
    for group, members in enumerate(groups):
        for member in members:
            counts[member] = totals[group] - led_to[member]
    return counts


def _links(
    group: int, members: Sequence[int], owner: Sequence[int], successors: Sequence[Sequence[int]]
) -> Sequence[int]:
    """Return the other components that one leads to; some twice, which costs less than to prevent it."""
    if len(members) == 1:
        return [owner[after] for after in successors[members[0]] if owner[after] != group]
    return list({owner[after] for member in members for after in successors[member]} - {group})


def _add_chunk(columns: Sequence[int], owner: Sequence[int], links: Sequence[Sequence[int]], totals: list[int]) -> None:
    """Add to `totals` how many of these columns each component reaches, itself included."""
    first = owner[columns[0]]
    own: dict[int, int] = {}
    for bit, node in enumerate(columns):
        own[owner[node]] = own.get(owner[node], 0) | (1 << bit)
    bits: list[int] = []
    for group in range(first, len(links)):
        seen = own.get(group, 0)
        for link in links[group]:
            if link >= first:
                seen |= bits[link - first]
        bits.append(seen)
        totals[group] += seen.bit_count()
