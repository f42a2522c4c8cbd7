"""Says which namespace each file belongs to, by its own word or by manifests, and which files moved to another."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from memoire.extract.spec import Language
from memoire.tree import Tree


class Grouping:
    """The namespaces of files, and what the tree was asked for them.

    Args:
        tree: The files of the project.
        language_of: Path -> its language.
    """

    def __init__(self, tree: Tree, language_of: Callable[[str], Language | None]) -> None:
        self._tree = tree
        self._language_of = language_of
        self._asked: dict[str, set[str]] = {}
        """File -> questions that its namespace rests on."""
        self._asking: dict[str, set[str]] = defaultdict(set)
        """Question -> those files."""

    def package_of(self, path: str, language: Language, said: str) -> str:
        """Return the namespace that the top-level names of a file belong to.

        Args:
            path: The file.
            language: Its language.
            said: The package that it declares itself.
        """
        if language.package_of is None:
            return ""
        with self._tree.track() as asked:
            found = language.package_of(self._tree, path, said)
        self.drop(path)
        if asked:
            self._asked[path] = asked
        for question in asked:
            self._asking[question].add(path)
        return found

    def drop(self, path: str) -> None:
        """Forget what the namespace of a file rested on."""
        for question in self._asked.pop(path, ()):
            self._asking[question].discard(path)

    def moved(self, questions: Iterable[str]) -> set[str]:
        """Return the files that belong to another namespace than they were noted to.

        Args:
            questions: To the tree, whose answers may differ now.
        """
        moved = set()
        for path in {path for question in questions for path in self._asking.get(question, ())}:
            known, language = self._tree.declares(path), self._language_of(path)
            if known is None or language is None:
                continue
            if self.package_of(path, language, known.said) != known.package:
                moved.add(path)
        return moved
