"""Follows what causes what while edges open and close: how many files a change of each reaches, and how many cause it.

Counted for all files when it is first asked for. Afterwards only what a changed pair can have changed is counted again.
A pair lies on the way between the files above its cause and those below its effect, so one side is enough: either the
files above count anew what they reach, or each file below compares who reached it before with who does now. The smaller
side is taken; where both are large, all is counted anew.

Source: the two sides of dynamic transitive closure (V. King and G. Sagert, "A fully dynamic algorithm for maintaining
the transitive closure", STOC 1999), without the tables: single saves change few pairs.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping

from memoire.reachability import components, reached

MOST_STEPS = 5_000
"""Edges walked to bring the counts up to date, before all are counted anew: about a millisecond."""
MOST_PAIRS = 200
"""Pairs that came or went; of more, all is counted anew."""

Pair = tuple[str, str]


class _TooFarError(Exception):
    """It takes as long as counting all."""


class Propagation:
    """The pairs of cause and effect among the files of one project.

    Args:
        is_there: The files that there are: no other is a cause or an effect, whatever edges say.
    """

    def __init__(self, is_there: Container[str]) -> None:
        self._is_there = is_there
        self._after: dict[str, set[str]] = {}
        self._before: dict[str, set[str]] = {}
        self._more: Counter[Pair] = Counter()
        """Edges of a pair beyond the first."""
        self._counts: dict[str, int] | None = None
        self._causes: Counter[str] = Counter()
        self._changed: dict[Pair, bool] = {}
        """Pairs that came (True) or went since the counts were made."""
        self._groups: tuple[tuple[str, ...], ...] | None = None

    # ---- taking in

    def add(self, cause: str, effect: str) -> None:
        """Take in one edge along which a change of `cause` reaches `effect`."""
        after = self._after.setdefault(cause, set())
        if effect in after:
            self._more[cause, effect] += 1
            return
        after.add(effect)
        self._before.setdefault(effect, set()).add(cause)
        if cause in self._is_there and effect in self._is_there:
            self._note(cause, effect, is_new=True)

    def drop(self, cause: str, effect: str) -> None:
        """Take out one such edge."""
        if self._more[cause, effect]:
            self._more[cause, effect] -= 1
            return
        del self._more[cause, effect]
        for index, node, other in ((self._after, cause, effect), (self._before, effect, cause)):
            index[node].discard(other)
            if not index[node]:
                del index[node]
        if cause in self._is_there and effect in self._is_there:
            self._note(cause, effect, is_new=False)

    def came(self, path: str) -> None:
        """Note that a file is there which was not."""
        self._turn(path, is_new=True)

    def went(self, path: str) -> None:
        """Note that a file is no more there."""
        self._turn(path, is_new=False)

    def _turn(self, path: str, *, is_new: bool) -> None:
        for effect in self._after.get(path, ()):
            if effect in self._is_there:
                self._note(path, effect, is_new=is_new)
        for cause in self._before.get(path, ()):
            if cause in self._is_there:
                self._note(cause, path, is_new=is_new)

    def _note(self, cause: str, effect: str, *, is_new: bool) -> None:
        self._groups = None
        if self._counts is None or cause == effect:
            return
        if self._changed.pop((cause, effect), is_new) == is_new:
            self._changed[cause, effect] = is_new
        if len(self._changed) > MOST_PAIRS:
            self._counts = None
            self._changed.clear()

    # ---- asking

    def settle(self) -> set[str] | None:
        """Bring the counts up to date; return the files whose counts may differ from before, None for all."""
        if self._counts is not None and not self._changed:
            return set()
        found: set[str] | None = None
        if self._counts is not None:
            try:
                found = self._mend(self._counts)
            except _TooFarError:
                found = None
        if found is None:
            self._count_all()
        self._changed.clear()
        return found

    def reachability(self, path: str) -> int:
        """Return how many other files a change of one reaches; as of the last `settle`."""
        return (self._counts or {}).get(path, 0)

    def causal_in(self, path: str) -> int:
        """Return how many other files cause one; as of the last `settle`."""
        return self._causes[path]

    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of files that cause each other in a circle, each in order."""
        if self._groups is None:
            paths, following = self._numbered()
            groups = components(following)
            self._groups = tuple(tuple(sorted(paths[node] for node in group)) for group in groups if len(group) > 1)
        return self._groups

    # ---- counting

    def _count_all(self) -> None:
        paths, following = self._numbered()
        groups = components(following)
        counts = reached(following, groups)
        self._counts = {path: count for path, count in zip(paths, counts, strict=True) if count}
        self._causes = Counter(paths[node] for after in following for node in after)
        self._groups = tuple(tuple(sorted(paths[node] for node in group)) for group in groups if len(group) > 1)

    def _numbered(self) -> tuple[list[str], list[list[int]]]:
        """Return the files that cause or are caused, and at the place of each the places of its effects."""
        paths: dict[str, int] = {}
        following: list[list[int]] = []

        def place(path: str) -> int:
            number = paths.setdefault(path, len(paths))
            if number == len(following):
                following.append([])
            return number

        for cause, effects in self._after.items():
            if cause in self._is_there:
                there = [place(effect) for effect in effects if effect != cause and effect in self._is_there]
                following[place(cause)] = there
        return list(paths), following

    def _mend(self, counts: dict[str, int]) -> set[str]:
        """Correct the counts of the files that the changed pairs can concern, and return those that changed.

        Raises:
            _TooFarError: Both sides are large.
        """
        steps = [MOST_STEPS]
        try:
            differing = self._compare_below(steps)
        except _TooFarError:
            steps[0] = MOST_STEPS
            differing = self._count_above(steps, counts)
        for path, difference in differing.items():
            counts[path] = counts.get(path, 0) + difference
            if not counts[path]:
                del counts[path]
        for (_, effect), is_new in self._changed.items():
            self._causes[effect] += 1 if is_new else -1
        return {path for path, difference in differing.items() if difference} | {effect for _, effect in self._changed}

    def _compare_below(self, steps: list[int]) -> Counter[str]:
        """Return file -> how many more it reaches: each file below a changed pair says who reaches it, and who did."""
        old_before: dict[str, set[str]] = {}
        for (cause, effect), is_new in self._changed.items():
            had = old_before.setdefault(effect, set(self._causes_of(effect)))
            (had.discard if is_new else had.add)(cause)
        below = self._walk([effect for _, effect in self._changed], self._effects, steps)
        differing: Counter[str] = Counter()
        for path in below:
            now = self._walk([path], self._causes_of, steps) - {path}
            was = self._walk([path], lambda node: old_before.get(node) or self._unchanged(node, old_before), steps)
            for one in now - was:
                differing[one] += 1
            for one in was - now - {path}:
                differing[one] -= 1
        return differing

    def _count_above(self, steps: list[int], counts: Mapping[str, int]) -> Counter[str]:
        """Return file -> how many more it reaches: each file above a changed pair counts anew."""
        above = self._walk([cause for cause, _ in self._changed], self._causes_of, steps)
        return Counter(
            {path: len(self._walk([path], self._effects, steps)) - 1 - counts.get(path, 0) for path in above}
        )

    def _effects(self, path: str) -> Iterable[str]:
        return [one for one in self._after.get(path, ()) if one in self._is_there] if path in self._is_there else ()

    def _causes_of(self, path: str) -> Iterable[str]:
        return [one for one in self._before.get(path, ()) if one in self._is_there] if path in self._is_there else ()

    def _unchanged(self, path: str, old_before: Mapping[str, set[str]]) -> Iterable[str]:
        return () if path in old_before else self._causes_of(path)

    @staticmethod
    def _walk(begin: Iterable[str], following: Callable[[str], Iterable[str]], steps: list[int]) -> set[str]:
        """Return all files on the way from some, themselves included.

        Raises:
            _TooFarError: `steps` are used up.
        """
        seen = set(begin)
        todo = list(seen)
        while todo:
            for one in following(todo.pop()):
                steps[0] -= 1
                if one not in seen:
                    seen.add(one)
                    todo.append(one)
            if steps[0] < 0:
                raise _TooFarError
        return seen
