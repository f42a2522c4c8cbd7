"""Finds how a file spells a name of its own in languages in which the case of letters says nothing: `usErTable`.

Functions, classes and constants of one name are different things there, and a name alone does not tell which it means.
Most code writes them with a small letter, with a capital one, and in capitals; so the case of the first letter counts,
and names in capitals are taken for constants.
"""

from collections.abc import Collection

from memoire.extract.spec import Syntax
from memoire.tree import folded


class Spellings:
    """The names of a file, and of the language, by what their spellings have in common.

    Args:
        names: Those that one may mean, the ones that go before the others first; more may come until one is asked for.
        syntax: The language.
    """

    def __init__(self, names: tuple[Collection[str], ...], syntax: Syntax) -> None:
        self._names = names
        self._folds = syntax.folds_names
        self._mark = syntax.variable_mark or "\0"
        self._known: dict[str, str] | None = None

    def of(self, name: str) -> str:
        """Return a name as it is spelled where it is bound; as it is where it is bound so, or not at all."""
        if not self._folds or name.startswith(self._mark) or any(name in names for names in self._names):
            return name
        if self._known is None:
            found = (each for names in reversed(self._names) for each in names)
            self._known = {folded(each): each for each in found if not each.isupper() and each[:1] != self._mark}
        return self._known.get(folded(name), name)
