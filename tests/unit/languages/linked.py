"""Links a project that is given as a dict of files, and says what leads where in short lines."""

from memoire.dispatch import extract
from memoire.languages import language_of
from memoire.linker import Linked, Linker
from memoire.model import FileFacts
from memoire.tree import Tree


class Project:
    """A project of a few files."""

    def __init__(self, files: dict[str, str]) -> None:
        data = {path: text.encode() for path, text in files.items()}
        self.facts: dict[str, FileFacts] = {path: extract(path, data[path]) for path in files if language_of(path)}
        tree = Tree(data.get)
        self.linker = Linker(tree, language_of, self.facts.get)
        for path in files:
            tree.add(path)
        for path, facts in self.facts.items():
            tree.declare(path, self.linker.declared(path, facts))

    def link(self, path: str) -> Linked:
        return self.linker.link(path)

    def imports(self, path: str) -> dict[str, str]:
        """Return specifier -> where it leads: a path, or the kind of what else it is."""
        return {
            item.specifier: item.target if item.target_kind == "file" else item.target_kind
            for item in self.link(path).imports
            if item.kind != "implicit"
        }

    def uses(self, path: str) -> set[str]:
        """Return `scope -> path::symbol` of what leads to other files; behind a dot the state that is touched."""
        return {
            f"{item.scope} -> {item.path}::{item.symbol}" + (f".{item.state}" if item.state else "")
            for item in self.link(path).references
            if item.path != path
        }

    def effects(self, path: str) -> set[str]:
        """Return `category callee` of what acts on the world and is none of the project's own."""
        void = self.link(path).void_effects
        found = enumerate(self.facts[path].effects)
        return {f"{item.category} {item.callee}" for index, item in found if index not in void}
