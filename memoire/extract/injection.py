"""Finds the definitions whose parameters a test runner fills in: tests and fixtures."""

import re
from collections.abc import Callable, Sequence

from memoire.extract.spec import Syntax
from memoire.model import Definition


def takers(
    syntax: Syntax, definitions: Sequence[Definition], header: Callable[[int], bytes]
) -> tuple[set[int], list[int]]:
    """Return the definitions whose parameters are filled in, and the fixtures that run without being named.

    Args:
        syntax: The language; one without `fixtures` has none.
        definitions: Those of a file.
        header: Index of a definition -> what stands before its name.
    """
    found: set[int] = set()
    automatic: list[int] = []
    if syntax.fixtures is None:
        return found, automatic
    is_fixture = re.compile(syntax.fixture_marks.encode()).search
    is_automatic = re.compile(syntax.automatic_marks.encode()).search
    for index, item in enumerate(definitions):
        if item.kind not in {"function", "method"}:
            continue
        text = header(index)
        if is_fixture(text):
            found.add(index)
            if is_automatic(text):
                automatic.append(index)
        elif item.is_test:
            found.add(index)
    return found, automatic
