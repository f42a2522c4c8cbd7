"""The graph of definitions: which of them calls, inherits from or refers to which, read from the links of files.

It is not kept: each question reads the links of the files that can hold an answer.
"""

from collections.abc import Callable, Iterable

from memoire.linker import Linked, Reference
from memoire.memory import SymbolRelation
from memoire.model import BASE, CALL, CLASS_KINDS, FileFacts


class SymbolGraph:
    """The definitions of one project.

    Args:
        facts: Path -> its facts, None where there are none.
        links: Path -> its links.
        users: Path -> the files with a reference into it, sorted.
    """

    def __init__(
        self,
        facts: Callable[[str], FileFacts | None],
        links: Callable[[str], Linked],
        users: Callable[[str], Iterable[str]],
    ) -> None:
        self._facts = facts
        self._links = links
        self._users = users

    def relations(self, node: str) -> list[SymbolRelation]:
        """Return the symbol-level relations that start or end at `path::Symbol` or inside it; for a path, at any."""
        path, _, symbol = node.partition("::")
        found = self._relations_from(path, symbol, lambda _path, _symbol: True)
        for other in self._users(path):
            if other != path:
                found += self._relations_from(other, "", lambda to, name: to == path and _is_inside(name, symbol))
        inside = self._relations_from(path, "", lambda to, name: to == path and _is_inside(name, symbol))
        # One relation may stand for several references: a name that is used and an attribute of it that is read.
        return list({(item.source, item.relation, item.target): item for item in (*inside, *found)}.values())

    def relations_from(self, node: str) -> list[SymbolRelation]:
        """Return the symbol-level relations that start at `path::Symbol` or inside it; for a path, at any symbol."""
        path, _, symbol = node.partition("::")
        return self._relations_from(path, symbol, lambda _path, _symbol: True)

    def _relations_from(self, path: str, symbol: str, wanted: Callable[[str, str], bool]) -> list[SymbolRelation]:
        found, within = [], f"{symbol}."
        references: Iterable[Reference] = self._links(path).references
        if symbol:
            # Not by `_is_inside`, as there may be thousands, and each definition on the way is asked for its own.
            references = [item for item in references if (scope := item.scope) == symbol or scope.startswith(within)]
        classes: set[str] | None = None
        for item in references:
            if not item.symbol or not wanted(item.path, item.symbol):
                continue
            if item.how & BASE and classes is None:
                facts = self._facts(path)
                classes = {item.name for item in facts.definitions if item.kind in CLASS_KINDS} if facts else set()
            inherits = item.how & BASE and classes is not None and item.scope in classes
            relation = "INHERITS" if inherits else "CALLS" if item.how & CALL else "REFERENCES"
            source = f"{path}::{item.scope}" if item.scope else path
            found.append(SymbolRelation(source, relation, f"{item.path}::{item.symbol}", item.line))
        return found


def _is_inside(name: str, symbol: str) -> bool:
    return not symbol or name == symbol or name.startswith(symbol + ".")
