"""One file as far as the engine has read it, for those who bind its names."""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from memoire.extract.regions import Layout, Raw
from memoire.extract.rows import Rows
from memoire.extract.spec import Syntax
from memoire.extract.stretches import Part, Stretch
from memoire.model import Definition


class Source(NamedTuple):
    """What one file holds, as far as the engine has read it."""

    syntax: Syntax
    rows: Rows
    src: bytes
    code: bytes
    """The source with a parenthesis wherever something is called."""
    raw: list[Raw]
    definitions: list[Definition]
    layout: Layout

    def text(self, node: Part) -> str:
        """Return the text of a part of the file."""
        return self.src[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def header(self, index: int) -> bytes:
        """Return what stands before the name of a definition: decorators, annotations, modifiers."""
        return self.src[self.raw[index][0] : self.raw[index][7]]

    def given(self) -> Iterator[tuple[int, str, Stretch]]:
        """Yield (class, attribute, type) of what bases give by their type arguments: see `Syntax.gives`."""
        for index, raw in enumerate(self.raw) if self.syntax.gives else ():
            for base in raw[4]:
                name = self.syntax.gives.get(self.src[base.start_byte : base.end_byte].decode("utf-8", "replace"))
                given = base.next_sibling if name and isinstance(base, Node) else None
                if name and given is not None:
                    yield index, name, Stretch(given.start_byte + 1, given.end_byte - 1)
