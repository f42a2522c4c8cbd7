"""What search knows of a project beside the text in its index: the past, and what binds files to one another."""

from collections.abc import Callable, Collection

from memoire.episodes.history import History
from memoire.search.features import activity, cochange
from memoire.search.features.past import Past, parts_of


def _nothing(_path: str) -> Collection[str]:
    return ()


def _anything(_path: str) -> bool:
    return True


class Surroundings:
    """The past and the present of one project, as the features of files read them.

    Args:
        past: What its commits said and did.
        neighbours: Path -> the paths that it is bound to by what it imports or tests, in either direction.
        is_present: Whether a path is a file of the project now.
    """

    def __init__(
        self,
        past: Past | None = None,
        *,
        neighbours: Callable[[str], Collection[str]] = _nothing,
        is_present: Callable[[str], bool] = _anything,
    ) -> None:
        self.past = past or Past()
        self.neighbours = neighbours
        self.is_present = is_present
        self.known: dict[int, str] = {}
        """Place in the index -> path of the files that searches met: a place is always the same path's."""
        self._parts: dict[str, tuple[str, ...]] = {}
        self.churn = activity.churn(self.past)
        self.recency = activity.recency(self.past)
        self.totals = cochange.weights(self.past)

    def parts(self, path: str) -> tuple[str, ...]:
        """Return the distinct terms of the path of a file that searches met."""
        known = self._parts.get(path)
        if known is None:
            known = self._parts[path] = tuple(dict.fromkeys(parts_of(path)))
        return known

    def after(self, history: History) -> "Surroundings":
        """Return the same with another past."""
        after = Surroundings(Past.of(history), neighbours=self.neighbours, is_present=self.is_present)
        after.known = self.known
        return after
