"""What one PDF says: values, which are made without the library that reads it."""

import msgspec

from memoire.model import Problem


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One line of a PDF's outline."""

    level: int
    """1 = the highest."""
    title: str
    page: int
    """1-based."""


class Pages(msgspec.Struct, frozen=True, gc=False):
    """What one PDF says."""

    count: int
    """Pages it has, those that were not read included."""
    texts: tuple[str, ...] = ()
    """Text of each page that was read, in lines."""
    title: str = ""
    """As its metadata have it."""
    subject: str = ""
    outline: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
