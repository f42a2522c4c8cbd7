"""What happened to a file, and how long to wait before saying so. Pure: time is an argument."""

from collections.abc import Iterable

import msgspec

BURST = 20
"""With more paths waiting than this they are let go together: a branch switch is one batch, not hundreds."""


class Change(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened to the files of a project."""

    kind: str
    """created, modified, deleted, moved: of a file. rescan: anything may have happened in a directory.

    deleted with an empty path: the project itself is gone.
    """
    path: str
    """Relative to the root; for rescan the directory, without a trailing slash."""
    old_path: str = ""
    """Where a moved file was before."""


class Pending:
    """The paths that were touched and are not yet reported.

    A path is due once it was left alone for `quiet_s`, or `cap_s` after it was first touched.
    """

    def __init__(self, quiet_s: float, cap_s: float) -> None:
        self._quiet_s = quiet_s
        self._cap_s = cap_s
        self._times: dict[str, tuple[float, float]] = {}
        self._origins: dict[str, str] = {}
        self._targets: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._times)

    def paths(self) -> list[str]:
        """Return what waits, sorted."""
        return sorted(self._times)

    def touch(self, path: str, now: float) -> None:
        """Take note that a path was written, made or removed."""
        first, _ = self._times.get(path, (now, now))
        self._times[path] = (first, now)

    def move(self, old: str, new: str, now: float) -> None:
        """Take note that one path became another: they are reported together."""
        self.touch(old, now)
        self.touch(new, now)
        self._origins[new] = old
        self._targets[old] = new

    def age_s(self, now: float) -> float:
        """Return how long ago the first of what waits was touched, seconds."""
        return now - min((first for first, _ in self._times.values()), default=now)

    def wait_s(self, now: float) -> float | None:
        """Return in how many seconds something is due, 0 for now, None where nothing waits."""
        if not self._times:
            return None
        return max(0.0, min(self._due_times()) - now)

    def take(self, now: float, *, everything: bool = False) -> tuple[list[str], dict[str, str]]:
        """Return what is due, sorted, and new -> old for what was moved; they wait no longer."""
        if everything or len(self._times) > BURST:
            chosen = set(self._times) if everything or min(self._due_times()) <= now else set()
        else:
            chosen = {path for path, times in self._times.items() if self._due(times) <= now}
        chosen = self._with_partners(chosen)
        origins = {new: self._origins[new] for new in chosen if new in self._origins}
        for path in chosen:
            del self._times[path]
            old = self._origins.pop(path, None)
            if old is not None:
                self._targets.pop(old, None)
        return sorted(chosen), origins

    def _due_times(self) -> Iterable[float]:
        if len(self._times) <= BURST:
            return map(self._due, self._times.values())
        first = min(first for first, _ in self._times.values())
        last = max(last for _, last in self._times.values())
        return (self._due((first, last)),)

    def _due(self, times: tuple[float, float]) -> float:
        first, last = times
        return min(last + self._quiet_s, first + self._cap_s)

    def _with_partners(self, chosen: set[str]) -> set[str]:
        """Return the paths and those at the other end of their moves that wait too."""
        stack = list(chosen)
        while stack:
            path = stack.pop()
            for partner in (self._origins.get(path), self._targets.get(path)):
                if partner is not None and partner in self._times and partner not in chosen:
                    chosen.add(partner)
                    stack.append(partner)
        return chosen


def origin(path: str, origins: dict[str, str], known: set[str]) -> str:
    """Return the known file that became this one, through any number of moves; empty where there is none."""
    seen = {path}
    while path in origins:
        path = origins[path]
        if path in known:
            return path
        if path in seen:
            break
        seen.add(path)
    return ""
