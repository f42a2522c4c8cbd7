"""Finds the bases that a call makes the class of: `Base:extend()`."""

from collections.abc import Iterator, Sequence

from memoire.extract.chains import join
from memoire.extract.regions import Raw
from memoire.extract.scopes import Resolver


def heirs(raw: Sequence[Raw], src: bytes, resolver: Resolver) -> Iterator[tuple[int, int, str, int]]:
    """Yield (class, root, attribute, offset) of the bases that a call makes the class of: `Base:extend()`.

    They stand in no header: `setmetatable(Heir, { __index = Base })` may even be a statement of its own.
    """
    for index, item in enumerate(raw):
        for node in item[4]:
            is_called = src.startswith(resolver.chains.separators, node.end_byte)
            if item[0] <= node.start_byte < item[1] and not is_called:
                continue
            value = resolver.expression(src[node.start_byte : node.end_byte], resolver.module)
            if value is not None and value.root is not None:
                yield index, value.root, join(value.links), node.start_byte
