"""The graph of definitions: which of them calls, inherits from or refers to which, read from the links of files.

It is not kept: each question reads the links of the files that can hold an answer. Only those read last are.
"""

from collections.abc import Callable, Iterable, Sequence

from memoire.linker import Linked, Reference
from memoire.memory import SymbolRelation
from memoire.model import BASE, CALL, CLASS_KINDS, FileFacts

KEPT = 64
"""Files whose references are kept by the definition that they stand in."""


class SymbolGraph:
    """The definitions of one project.

    Args:
        facts: Path -> its facts, None where there are none.
        links: Path -> its links.
        users: Path -> the files with a reference into it, sorted.
        state: Path -> an object that is another one when the links of the file are.
    """

    def __init__(
        self,
        facts: Callable[[str], FileFacts | None],
        links: Callable[[str], Linked],
        users: Callable[[str], Iterable[str]],
        state: Callable[[str], object],
    ) -> None:
        self._facts = facts
        self._links = links
        self._users = users
        self._state = state
        self._by_scope: dict[str, tuple[object, tuple[Reference, ...], dict[str, list[int]]]] = {}

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
        found: list[SymbolRelation] = []
        references = self._references(path, symbol)
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

    def _references(self, path: str, symbol: str) -> Sequence[Reference]:
        """Return the references of a file, or those within one of its definitions, in their order."""
        if not symbol:
            return self._links(path).references
        state, known = self._state(path), self._by_scope.get(path)
        if known is None or known[0] is not state:
            # There may be thousands, and each definition on the way is asked for its own.
            references = self._links(path).references
            by_scope: dict[str, list[int]] = {}
            for place, item in enumerate(references):
                by_scope.setdefault(item.scope, []).append(place)
            if len(self._by_scope) >= KEPT:
                self._by_scope.clear()
            known = self._by_scope[path] = (state, references, by_scope)
        _, references, by_scope = known
        within = f"{symbol}."
        scopes = [scope for scope in by_scope if scope == symbol or scope.startswith(within)]
        return [references[place] for place in sorted(place for scope in scopes for place in by_scope[scope])]


def _is_inside(name: str, symbol: str) -> bool:
    return not symbol or name == symbol or name.startswith(symbol + ".")
