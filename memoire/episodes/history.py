"""The history of a project: which files its commits touched, under the paths they have today.

The law: a history that was kept up to date equals one mined anew at the same commit. It holds by construction: what a
commit did is fetched once and never changes, everything else (which commits count, in what order, what a path is called
today) is made of the list of commits that git gives for what is checked out now.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple

import msgspec

from memoire import paths
from memoire.episodes import git
from memoire.episodes.redact import redact

MOST_COMMITS = 5_000
"""Commits that are mined, merges aside. Co-change of a file decays with a half-life of 8 of its own commits and 400 of
the project's (`impact`), so that older ones weigh nothing; the rest is for the age of files that seldom change. 5,000
take about a second to mine and a few MB to hold."""
MOST_CHANGES = 500_000
"""Files touched, over all commits: a bound on memory (8 bytes each), for histories of commits that touch everything."""
LONGEST_S = 20.0
"""After so long what was mined is used; the rest is fetched the next time a commit lands."""
CHUNK = 200
"""Commits fetched with one call of git: progress is told after each."""
MESSAGE_LIMIT = 400
"""Characters that are kept of a message behind its first line, and of that line: further on, messages hold logs and
lists. Source: 400 characters of the body, as the search formula was measured with (see `search.ranking`)."""
_SIGNED = re.compile(
    r"^(?:[A-Za-z][\w-]*-[Bb]y|Change-Id|git-svn-id|Cc|Reviewed-on|cherry-picked-from)[:=][^\n]*$|\S+@\S+", re.MULTILINE
)
"""Trailers and addresses: they name people, not the change. Source: git-interpret-trailers(1)."""
MOST_UNREADABLE = 10
"""So many commits that cannot be read, and the rest is not tried: each is found by halving, at the cost of 8 calls."""


class Touched(msgspec.Struct, frozen=True, gc=False):
    """What one commit touched, under the names that it had then."""

    id: str
    at: int
    """Committer's time, seconds since the epoch."""
    changes: tuple[git.FileChange, ...]
    message: str = ""
    """What the commit says of itself, without secrets and signatures: its first line and the head of the rest."""


class HistoryCommit(msgspec.Struct, frozen=True, gc=False):
    """One commit that is no merge and touched a file of the project."""

    id: str
    at: datetime
    """Committer's time, UTC, as the commit claims it."""
    paths: tuple[str, ...]
    """Files it touched, each under the path it has today; one that is gone, under its last. Sorted."""
    is_boundary: bool = False
    """A shallow clone ends here: these are all the files there were, not those that the commit changed."""

    @property
    def size(self) -> int:
        """How many files it touched: large commits say little about any two of them."""
        return len(self.paths)


class Activity(NamedTuple):
    """What commits did to one file."""

    last_at: datetime
    """When the last commit that touched it was made, UTC, as it claims: it may lie in the future."""
    commits: int
    """How many touched it; 0 where all that is known is that a shallow clone already held it."""


class History:
    """What the commits below one commit did. Immutable; made by `mine`.

    Args:
        head: Hash of that commit; empty where there is none.
        touched: What each commit did, newest first.
        boundary: Hashes of the commits at which a shallow clone ends.
        absent: Paths that were edited last where another branch had renamed them (see `mine`).
        is_complete: Whether every commit up to the limits was fetched.
        unreadable: Hashes of commits that git could not read.
    """

    def __init__(
        self,
        head: str = "",
        touched: Sequence[Touched] = (),
        *,
        boundary: frozenset[str] = frozenset(),
        absent: frozenset[str] = frozenset(),
        is_complete: bool = True,
        unreadable: frozenset[str] = frozenset(),
    ) -> None:
        self.head = head
        self.touched = touched
        self.boundary = boundary
        self.absent = absent
        self.is_complete = is_complete
        self.unreadable = unreadable
        named, self.renamed = _named_today(touched, absent)
        """`renamed`: path -> what its newest rename made of it, as it is called today."""
        self.messages: Sequence[str] = tuple(each.message for each, names in zip(touched, named, strict=True) if names)
        """What each of `commits` says of itself, in the same order: redacted."""
        self.commits: Sequence[HistoryCommit] = tuple(
            HistoryCommit(each.id, datetime.fromtimestamp(each.at, UTC), names, each.id in boundary)
            for each, names in zip(touched, named, strict=True)
            if names
        )
        """Newest first, as git orders them."""

    def activity(self) -> Mapping[str, Activity]:
        """Return path -> what commits did to it, its former names included; paths that are gone too."""
        return self._activity

    def touching(self, path: str) -> list[HistoryCommit]:
        """Return the commits that touched a file (its path of today), or a folder (ending in `/`), newest first."""
        if path.endswith("/"):
            return [each for each in self.commits if any(name.startswith(path) for name in each.paths)]
        return [self.commits[place] for place in self._places.get(path, ())]

    @cached_property
    def _activity(self) -> dict[str, Activity]:
        found: dict[str, Activity] = {}
        for commit in self.commits:
            one = 0 if commit.is_boundary else 1
            for path in commit.paths:
                known = found.get(path)
                found[path] = (
                    Activity(max(known.last_at, commit.at), known.commits + one) if known else Activity(commit.at, one)
                )
        return found

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, commit in enumerate(self.commits):
            for path in commit.paths:
                found.setdefault(path, []).append(place)
        return found


def mine(
    root: paths.AnyPath,
    known: History | None = None,
    *,
    limit: int = MOST_COMMITS,
    seconds: float = LONGEST_S,
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> History:
    """Return the history of what is checked out; of commits that are known only the list is asked of git.

    Renames are followed from the newest commit to the oldest, in the order in which git lists them. Where a file was
    edited on one branch while another renamed it, the edit may stand before the rename and under the old name: a path
    that was edited last, is not there today and was renamed in an older commit is taken for its new name.

    Args:
        root: The project.
        known: The history so far; what is no longer below the commit is left out.
        limit: Most commits that are listed.
        seconds: When to stop; the history is then not complete, and the next call goes on.
        report: Told how many of how many commits were fetched, from this thread.
    """
    until = time.monotonic() + seconds
    known = known or History()
    head = git.head(root).commit
    boundary = git.shallow_boundary(root)
    if head == known.head and boundary == known.boundary and known.is_complete:
        return known
    # What lay behind the end of a shallow clone becomes visible when it is deepened: those commits change.
    moved = boundary ^ known.boundary
    have = {each.id: each for each in known.touched if each.id not in moved}
    ids = git.listed(root, head, limit, timeout_s=seconds)
    is_listed = time.monotonic() < until
    fetching = _Fetching(root, until, known.unreadable)
    is_complete = fetching.complete(ids, have, report) and is_listed
    touched: list[Touched] = []
    count = 0
    for sha in ids:
        if sha in have:
            count += len(have[sha].changes)
            if touched and count > MOST_CHANGES:
                break
            touched.append(have[sha])
    astray = _astray(touched)
    absent = astray - git.files_at(root, head) if astray else frozenset()
    return History(
        head,
        tuple(touched),
        boundary=boundary,
        absent=absent,
        is_complete=is_complete,
        unreadable=frozenset(fetching.unreadable),
    )


def message_of(commit: git.Commit) -> str:
    """Return what is kept of a commit's message: no secrets, no signatures, the first line and the head of the rest."""
    # Redacted before it is cut: half a secret may have no shape to be known by.
    said = _SIGNED.sub("", redact(f"{commit.subject[: git.BODY_LIMIT]}\n{commit.body}"))
    subject, _, body = said.partition("\n")
    return f"{subject[:MESSAGE_LIMIT]}\n{body.strip()[:MESSAGE_LIMIT]}".strip()


class _Fetching:
    """Fetches what commits did, in chunks, past those that cannot be read."""

    def __init__(self, root: paths.AnyPath, until: float, unreadable: frozenset[str]) -> None:
        self.unreadable = set(unreadable)
        self._given_up = 0
        self._is_partial = False
        self._root = root
        self._until = until
        self._changes: dict[git.FileChange, git.FileChange] = {}

    def complete(self, ids: Sequence[str], have: dict[str, Touched], report: Callable[[int, int], None]) -> bool:
        """Add to `have` what is missing, newest first; return whether all that could be was."""
        missing = {sha for sha in ids if sha not in have and sha not in self.unreadable}
        self._is_partial = bool(missing) and git.is_partial_clone(self._root)
        self._changes = {change: change for each in have.values() for change in each.changes}
        count = done = 0
        for start in range(0, len(ids), CHUNK):
            chunk = ids[start : start + CHUNK]
            wanted = [sha for sha in chunk if sha in missing]
            if wanted:
                report(done, len(missing))
                if not self._fetch(wanted, have):
                    return False
                done += len(wanted)
            count += sum(len(have[sha].changes) for sha in chunk if sha in have)
            if count > MOST_CHANGES:
                break
        return True

    def _fetch(self, ids: Sequence[str], have: dict[str, Touched]) -> bool:
        left = self._until - time.monotonic()
        if left <= 0:
            return False
        found = git.details(self._root, ids, timeout_s=left, is_partial=self._is_partial)
        if found is not None:
            share = self._changes.setdefault
            for each in found:
                changes = tuple(share(change, change) for change in each.changes)
                have[each.id] = Touched(each.id, int(each.at.timestamp()), changes, message_of(each))
            return True
        if time.monotonic() >= self._until:
            return False
        if len(ids) > 1:
            middle = len(ids) // 2
            return self._fetch(ids[:middle], have) and self._fetch(ids[middle:], have)
        self.unreadable.add(ids[0])
        self._given_up += 1
        return self._given_up < MOST_UNREADABLE


def _named_today(touched: Sequence[Touched], absent: frozenset[str]) -> tuple[list[tuple[str, ...]], dict[str, str]]:
    """Return the paths of each commit as of today, and what the newest rename of each path made of it."""
    today: dict[str, str] = {}
    renamed: dict[str, str] = {}
    if absent:
        _, first = _named_today(touched, frozenset())
        today = {path: first[path] for path in absent if path in first}
    found: list[tuple[str, ...]] = []
    for each in touched:
        names = {today.get(change.path, change.path) for change in each.changes}
        found.append(tuple(sorted(names)))
        moves = [(change.old_path, today.get(change.path, change.path)) for change in each.changes if change.old_path]
        for change in each.changes:
            if change.kind in {"added", "moved"}:
                today.pop(change.path, None)  # whatever had this path before is another file
        for old, new in moves:
            if old != new:
                today[old] = new
                renamed.setdefault(old, new)
    return found, renamed


def _astray(touched: Sequence[Touched]) -> frozenset[str]:
    """Return the paths that were edited by the newest commit that names them, and renamed by an older one."""
    newest: dict[str, str] = {}
    found: set[str] = set()
    for each in touched:
        for change in each.changes:
            if change.old_path and newest.get(change.old_path) == "modified":
                found.add(change.old_path)
        for change in each.changes:
            newest.setdefault(change.path, change.kind)
            if change.old_path:
                newest.setdefault(change.old_path, "moved")
    return frozenset(found)
