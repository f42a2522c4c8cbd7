"""Reads one syntax tree into rows with the combined query of its grammar: see `extract.rows`."""

import functools
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

from memoire.extract.rows import Line, Rows
from memoire.extract.takes import TAKES, Take, definition_take

MAX_START_DEPTH = 1000
"""Matches begin at most this deep: beyond 65,535 levels the cursor loses matches or never ends (tree-sitter 0.26.1)."""

_SKIP, _BLOCK = TAKES["skip"], TAKES["block"]


class Reader:
    """One grammar with its compiled query. Not thread-safe: a parser keeps state while it runs."""

    def __init__(self, grammar: str, query: str) -> None:
        module, _, function = grammar.partition(":")
        # A fixed table of the languages names the module, never a user's input.
        self.grammar = Grammar(getattr(importlib.import_module(module), function)())
        self.parser = Parser(self.grammar)
        self._query = Query(self.grammar, query)
        self._takes = [self._take_of(index, query.encode()) for index in range(self._query.pattern_count)]

    def _take_of(self, index: int, query: bytes) -> Take:
        pattern = query[self._query.start_byte_for_pattern(index) : self._query.end_byte_for_pattern(index)].decode()
        code = "\n".join(line.split(";", 1)[0] for line in pattern.splitlines())
        captures = {word.rstrip(")]?*+ ") for part in code.split("@")[1:] for word in part.split(None, 1)[:1]}
        for capture in captures:
            if capture.startswith("def."):
                return definition_take(capture[4:])
        for capture, take in TAKES.items():
            if capture in captures:
                return take
        raise ValueError(pattern)

    def read(self, tree: Tree, src: bytes) -> Rows:
        """Return the rows of one tree."""
        rows = Rows()
        takes = self._takes
        cursor = QueryCursor(self._query)
        cursor.set_max_start_depth(MAX_START_DEPTH)
        skips, blocks = rows.skips, rows.blocks
        for index, got in cursor.matches(tree.root_node):
            take = takes[index]
            # The two most frequent by far are taken in place.
            if take is _SKIP:
                node = got["skip"][0]
                skips.append((node.start_byte, node.end_byte))
            elif take is _BLOCK:
                blocks.append(got["block"][0].end_byte)
            else:
                take(rows, src, got)
        return rows


@functools.cache
def reader(grammar: str, folder: str, queries: tuple[str, ...]) -> Reader:
    """Return the reader of a grammar: compiling a query costs 10 to 50 ms, so it is done once a process."""
    text = "\n".join((Path(folder) / name).read_text("utf-8") for name in queries)
    return Reader(grammar, text)


def first_error_line(tree: Any, src: bytes) -> int:
    """Return the 1-based line of the first syntax error of a tree that has one."""
    # What is missing at the end may be behind the last line.
    return min(_first_error_line(tree), src.count(b"\n") + (not src.endswith(b"\n")))


def _first_error_line(tree: Any) -> int:
    node: Node = tree.root_node
    while True:
        for child in node.children:
            if child.has_error or child.is_missing:
                node = child
                break
        else:
            return int(node.start_point[0]) + 1
        if node.is_error or node.is_missing:
            return int(node.start_point[0]) + 1


def import_lines(prepared: bytes, pattern: str) -> Iterator[tuple[Line, str, dict[str, bytes]]]:
    """Yield the imports that a pattern finds in a file."""
    line, at = 0, 0
    for found in re.finditer(pattern.encode(), prepared, re.MULTILINE):
        line, at = line + prepared.count(b"\n", at, found.start(1)), found.start(1)
        yield Line(found.start(), found.end(), (line, 0)), "imp", {"from": found[1]}
