"""Remembers where names lead while one file is linked, and asks for none twice within one look-up.

Imports of all names may form cycles and diamonds, in which the ways are without number; a module that did not have a
name the first time has it no other time.
"""

from collections.abc import Callable

from memoire.consulting import Place

MAX_HOPS = 12
"""How many re-exports and assignments are followed from one name."""

Key = tuple[str, str]
"""(module, name); for what is asked otherwise the name is written otherwise."""


class Asked:
    """The names that were asked for."""

    def __init__(self) -> None:
        self._found: dict[Key, Place | None] = {}
        self._looking: set[Key] = set()
        """Asked in the look-up that goes on."""

    def once(self, key: Key, hops: int, find: Callable[[], Place | None]) -> Place | None:
        """Return what `find` does, or did; None while it goes on, and after too many hops."""
        if key in self._found:
            return self._found[key]
        if key in self._looking or hops > MAX_HOPS:
            return None
        is_first = not self._looking
        self._looking.add(key)
        try:
            found = find()
        finally:
            if is_first:
                self._looking.clear()
        if is_first or found is not None:
            self._found[key] = found
        return found
