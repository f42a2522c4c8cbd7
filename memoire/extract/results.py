"""Finds what functions give that do not say it: what they return, and what is known of methods that a call makes."""

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from memoire.extract.source import Source
from memoire.extract.stretches import Part


def results_of(
    source: Source, owner_of: Callable[[int], int], text_of: Callable[[Part], bytes]
) -> Iterator[tuple[int, bytes]]:
    """Yield (function, expression that it gives) of a file.

    Args:
        source: The file.
        owner_of: Offset -> the innermost definition at it, -1 for the module.
        text_of: Expression -> its text, without what does not change what it evaluates to.
    """
    marks = source.syntax.generator_marks
    yields = re.compile(marks.encode()).search if marks else None
    for node, is_yielded in source.rows.returned:
        owner = owner_of(node.start_byte)
        if owner < 0 or source.definitions[owner].returns:
            continue
        if is_yielded and not (yields and yields(source.header(owner))):
            continue
        yield owner, text_of(node)
    for node in source.rows.made:
        owner = owner_of(node.start_byte)
        text = _made(source, node, source.definitions[owner].name.rpartition(".")[2]) if owner >= 0 else ""
        if text:
            yield owner, text.encode()


def _made(source: Source, node: Node, name: str) -> str:
    """Return an expression of what a method gives whose name stands in the call that makes it."""
    call = node.parent
    while call is not None and call.type not in source.syntax.call_nodes:
        call = call.parent
    if call is None or source.syntax.made is None or name not in source.text(node):
        return ""
    return source.syntax.made(source.text(call), name)
