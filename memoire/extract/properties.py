"""Finds the methods that are called by being named: properties, getters."""

import re

from memoire.extract.scopes import Resolver
from memoire.extract.source import Source

MAX_HEADER = 200
"""Bytes of a definition in which its name stands."""


def find_properties(source: Source, resolver: Resolver) -> None:
    """Note the properties of the classes of a file.

    Args:
        source: The file.
        resolver: Its scopes; takes them.
    """
    marks = source.syntax.property_marks
    if not marks:
        return
    is_property = re.compile(marks.encode()).search
    for index, item in enumerate(source.definitions):
        if item.kind != "method" or item.parent < 0:
            continue
        start, inner = source.raw[index][0], source.raw[index][7]
        header = source.src[inner : inner + MAX_HEADER].partition(b"(")[0]
        if is_property(source.src[start:inner] + header):
            resolver.properties.add((item.parent, item.name.rpartition(".")[2]))
