"""Resolves what documents and comments mention, and knows which files to resolve again.

A mention rests on the questions its resolution asked of the tree, on the names it looked up among all definitions, and
on what kind of document it cites. Each is written down; when one of the answers changes, the file is taken up again.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from memoire.extract.documents import split_summary
from memoire.languages import language_of
from memoire.mentions import IN_COMMANDS, document_kind, resolve_mentions
from memoire.model import OUTLINE_KINDS, Claim, FileFacts
from memoire.relations import documents, implements, references, specifies
from memoire.tree import Tree

_SETTINGS = {"specification": "specifies", "documentation": "documents", "none": "none"}
"""What the setting `documents` calls a kind -> what the relations call it."""


class Citing:
    """The mentions of a whole project.

    Args:
        tree: Its files.
        kinds: Pattern -> kind of document, from the settings.
    """

    def __init__(self, tree: Tree, kinds: Mapping[str, str]) -> None:
        self._tree = tree
        self._kinds = {pattern: _SETTINGS[kind] for pattern, kind in kinds.items()}
        self._symbols: dict[str, set[str]] = defaultdict(set)
        """Last part of a definition's name -> ids of all definitions in code that end so."""
        self._defines: dict[str, frozenset[str]] = {}
        self._titles: dict[str, str] = {}
        self._askers: dict[str, set[str]] = defaultdict(set)
        """Question -> files whose mentions asked it."""
        self._asked: dict[str, set[str]] = {}
        self._looked_up: set[str] = set()

    def enter(self, path: str, facts: FileFacts | None) -> set[str]:
        """Take in a file's definitions and title, None for a file that is gone; return the questions that changed."""
        language = language_of(path)
        is_document = language is not None and language.kind == "document"
        ids: set[str] = set()
        changed: set[str] = set()
        if facts is not None and not is_document:
            ids = {f"{path}::{item.name}" for item in facts.definitions if item.kind not in OUTLINE_KINDS}
        old = self._defines.get(path, frozenset())
        for symbol in old ^ ids:
            name = _last(symbol)
            (self._symbols[name].add if symbol in ids else self._symbols[name].discard)(symbol)
            changed.add(f"symbol:{name}")
            if not self._symbols[name]:
                del self._symbols[name]
        if ids:
            self._defines[path] = frozenset(ids)
        else:
            self._defines.pop(path, None)
        if is_document:
            title = split_summary(facts.summary)[0] if facts is not None else ""
            if self._titles.get(path, "") != title:
                changed.add(f"title:{path}")
            if facts is None:
                self._titles.pop(path, None)
            else:
                self._titles[path] = title
        return changed

    def defined(self, name: str) -> list[str]:
        """Return the ids of the definitions in code whose last name this is, sorted."""
        return sorted(self._symbols.get(name, ()))

    def affected(self, questions: Iterable[str]) -> set[str]:
        """Return the files whose mentions rest on one of these questions."""
        files: set[str] = set()
        for question in questions:
            files |= self._askers.get(question, set())
        return files

    def claims(self, path: str, facts: FileFacts | None) -> list[Claim]:
        """Return what the mentions of a file support, and remember what that rested on."""
        found: list[Claim] = []
        asked: set[str] = set()
        if facts is not None and facts.mentions:
            self._looked_up = set()
            with self._tree.track() as asked:
                resolved = resolve_mentions(self._tree, self._lookup, path, facts)
            if path in self._titles:
                kind = self._kind(path)
                found = specifies.claims(path, kind, resolved, facts)
                found += documents.claims(path, kind, resolved, {claim.key.target for claim in found})
                found += references.claims(path, resolved)
            else:
                commands = [one for one in resolved if one[0].kind in IN_COMMANDS]
                cited = [one for one in resolved if one[0].kind not in IN_COMMANDS]
                found = implements.claims(path, self._kind, cited) + references.claims(path, commands)
            asked = asked | self._looked_up
        self._replace(path, asked)
        return found

    def _lookup(self, name: str) -> tuple[str, ...]:
        self._looked_up.add(f"symbol:{name}")
        return tuple(sorted(self._symbols.get(name, ())))

    def _kind(self, path: str) -> str:
        self._looked_up.add(f"title:{path}")
        return document_kind(path, self._titles.get(path, ""), self._kinds)

    def _replace(self, path: str, asked: set[str]) -> None:
        for question in self._asked.get(path, set()) - asked:
            self._askers[question].discard(path)
            if not self._askers[question]:
                del self._askers[question]
        for question in asked:
            self._askers[question].add(path)
        if asked:
            self._asked[path] = asked
        else:
            self._asked.pop(path, None)


def _last(symbol: str) -> str:
    return symbol.rpartition("::")[2].rpartition(".")[2]
