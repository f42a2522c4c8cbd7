"""The files and documents that take part in one search: their addresses in the index, their paths and kinds."""

from collections.abc import Iterable, Mapping, Sequence

from tantivy import Query

from memoire.languages import language_of
from memoire.search.questions import Address, Questions, unscored
from memoire.search.schema import clean, decode


class Candidates:
    """Grows as features name more of them; only what the filters let through gets in.

    Args:
        ask: The index of files and documents.
        filters: What every candidate answers.
        known: Place -> path of files met before, as the paths lie in the slow part of the index; more are added.
    """

    def __init__(self, ask: Questions, filters: Sequence[Query], known: dict[int, str]) -> None:
        self._known = known
        self._ask = ask
        self._filters = filters
        self._refused: set[str] = set()
        self.paths: dict[Address, str] = {}
        self.keys: dict[str, Address] = {}
        self.documents: set[Address] = set()
        """Those that are documents: they are measured by the best file, not the other way round."""

    def take(self, answers: Iterable[Address]) -> None:
        """Let documents of the index take part."""
        new = [key for key in dict.fromkeys(answers) if key not in self.paths]
        for key, place in zip(new, self._ask.numbers("place", new), strict=True):
            path = self._known.get(place)
            if path is None:
                path = self._known[place] = decode(self._ask.searcher.doc(self._ask.address(key))).path
            self.paths[key] = path
            self.keys[path] = key
            language = language_of(path)
            if language is not None and language.kind == "document":
                self.documents.add(key)

    def look_for(self, paths: Iterable[str]) -> None:
        """Let the files with these paths take part, where there are any that the filters let through."""
        new = [path for path in map(clean, paths) if path not in self.keys and path not in self._refused]
        if new:
            # With room for all: a path has one document.
            found = self._ask.scores([unscored(self._ask.exact("path", path)) for path in new], self._filters)
            self.take(found)
            self._refused.update(path for path in new if path not in self.keys)

    def addressed(self, scores: Mapping[str, float]) -> dict[Address, float]:
        """Return the scores of those paths that take part."""
        return {self.keys[path]: score for path, score in scores.items() if path in self.keys}

    def relative(self, scores: Mapping[Address, float]) -> dict[Address, float]:
        """Return the scores divided by the highest of a file; of a document, which may have more, at most 1."""
        most = max((score for key, score in scores.items() if key not in self.documents), default=0.0)
        most = most or max(scores.values(), default=0.0) or 1.0
        return {key: min(score / most, 1.0) for key, score in scores.items()}
