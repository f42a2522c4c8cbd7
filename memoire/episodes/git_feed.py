"""Notices what is done with git, from git's own files: what it logs of HEAD and of the stash, also while no daemon ran.

Only of the project's own work tree: another one, a submodule and a nested repository have logs of their own. Where
there is no reflog (`core.logAllRefUpdates=false`, references in a table) HEAD is compared with what it was.
"""

import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from memoire.episodes import git, reflog
from memoire.episodes.git_events import Cause, Teller
from memoire.episodes.redact import redact
from memoire.episodes.reflog import Operation, Position
from memoire.model import Event

logger = logging.getLogger(__name__)

MOST_OPERATIONS = 200
"""Of more that happened since the last look (a long time away) the older ones are one event."""
RESTS_S = 60.0
"""How long git is left alone after what it did could not be read."""
LONGEST_WRITE_S = 2.0
"""A lock on git's index that is older is not waited for: a commit's hook may hold it for minutes, a crash for ever."""
MOST_STASHES = 50
"""Entries of the stash that are remembered, the newest."""


class Stashed(msgspec.Struct, frozen=True, array_like=True):
    """One entry of the stash."""

    sha: str
    label: str
    """Its message, secrets masked."""
    at: int


class Positions(msgspec.Struct, frozen=True):
    """What was seen of a repository: kept in the store as text."""

    head: Position
    commit: str
    """HEAD; empty where there was no commit."""
    branch: str
    stash: tuple[Stashed, ...] = ()


class News(msgspec.Struct, frozen=True):
    """What one look found. It counts as seen once it is given to `GitFeed.accept`."""

    events: tuple[Event, ...]
    causes: tuple[Cause, ...]
    positions: Positions
    stamp: object
    is_held: bool = False
    """Whether the reflog holds the beginning of a rebase, which is told when it ends."""


class GitFeed:
    """The git operations on one project.

    Args:
        root: Real path of the project.
        positions: As `positions` gave it; empty at the first time, when nothing of the past is told.
    """

    def __init__(self, root: Path, positions: str = "") -> None:
        self._root = root
        self._seen: Positions | None = None
        self._rests_until = 0.0
        self._stamp: object = ()
        self._is_held = False
        if positions:
            try:
                self._seen = msgspec.json.decode(positions, type=Positions)
            except msgspec.DecodeError as error:
                logger.warning("git is followed from now on why=%s", error)
        self._own: Path | None = None
        self._common: Path | None = None

    @property
    def positions(self) -> str:
        """What was seen, as text for the next start; empty before the first look."""
        return "" if self._seen is None else msgspec.json.encode(self._seen).decode()

    def has_news(self) -> bool:
        """Return whether `poll` may find something: costs a look at a few files' sizes and times."""
        if time.monotonic() < self._rests_until:
            return False
        if self._stamp_now() != self._stamp:
            return True
        # A rebase can end without a line: it is waited for.
        return self._is_held and self._own is not None and not _is_rebasing(self._own)

    def is_busy(self) -> bool:
        """Return whether git is writing files: it notes what it did when it has."""
        if self._own is None:
            return False
        try:
            age = time.time() - (self._own / "index.lock").stat().st_mtime
        except OSError:
            return False
        return age < LONGEST_WRITE_S

    def poll(self, now: datetime) -> News | None:
        """Return what was done since the last news that were accepted, oldest first; None where nothing was.

        Reads files and calls git, a few ms for each operation: not on an event loop.
        """
        if not self.has_news():
            return None
        try:
            return self._read(now)
        except BaseException:
            # What cannot be read now must not keep all else from being taken in.
            self._rests_until = time.monotonic() + RESTS_S
            raise

    def _read(self, now: datetime) -> News:
        stamp = self._stamp_now()
        if self._own is None or self._common is None:
            return News((), (), Positions(Position(), "", ""), stamp)
        head = git.head(self._root)
        stashes = _stashes(self._common)
        if self._seen is None:
            _, position = reflog.read(self._own / "logs" / "HEAD", None)
            return News((), (), Positions(position, head.commit, head.branch, stashes), stamp)
        operations, position, commit, is_held = self._operations(self._seen, head, now)
        events: list[Event] = []
        causes: list[Cause] = []
        teller = Teller(self._root, now)
        if len(operations) > MOST_OPERATIONS:
            earlier = operations[:-MOST_OPERATIONS]
            events.append(teller.earlier(len(earlier), earlier[-1]))
        for operation in operations[-MOST_OPERATIONS:]:
            told, cause = teller.tell(operation)
            events += told
            causes += [cause] if cause else []
        for sha, label, at, is_new in self._stash_changes(self._seen.stash, stashes, head.branch, now):
            event, cause = teller.stash(sha, label, at, is_new=is_new)
            events.append(event)
            causes.append(cause)
        return News(tuple(events), tuple(causes), Positions(position, commit, head.branch, stashes), stamp, is_held)

    def accept(self, news: News) -> None:
        """Count the news as seen: their events are safe."""
        self._seen = news.positions
        self._stamp = news.stamp
        self._is_held = news.is_held

    def _operations(
        self, seen: Positions, head: git.Head, now: datetime
    ) -> tuple[list[Operation], Position, str, bool]:
        """Return what was done, the position and the commit up to which it is told, and whether a rebase goes on."""
        assert self._own is not None
        raw, position = reflog.read(self._own / "logs" / "HEAD", seen.head)
        parsed = [(at, found) for at, line in enumerate(raw) if (found := reflog.parse(line)) is not None]
        lines = [found for _, found in parsed]
        operations, count = reflog.operations(lines, is_rebasing=_is_rebasing(self._own))
        if count < len(lines):
            return operations, reflog.before(position, raw, parsed[count][0], seen.head), lines[count].old, True
        if lines:
            return operations, position, lines[-1].new, False
        if (head.commit, head.branch) != (seen.commit, seen.branch) and head.commit:
            return [_moved(seen, head, int(now.timestamp()))], position, head.commit, False
        return [], position, head.commit, False

    def _stash_changes(
        self, before: Sequence[Stashed], after: Sequence[Stashed], branch: str, now: datetime
    ) -> list[tuple[str, str, datetime, bool]]:
        """Return (hash, label, when, whether it is new) of the entries that came or went, in order.

        All work trees share the stash: where there are several, only what this one's branch put there is told.
        """
        assert self._common is not None
        is_shared = (self._common / "worktrees").is_dir()
        old, new = {each.sha for each in before}, {each.sha for each in after}
        changes = [(each, False) for each in before if each.sha not in new]
        if len(before) < MOST_STASHES or not old.isdisjoint(new):
            changes += [(each, True) for each in after if each.sha not in old and _is_later(each, before)]
        return [
            (each.sha, each.label, datetime.fromtimestamp(each.at, UTC) if is_new else now, is_new)
            for each, is_new in changes
            if not is_shared or each.label.startswith((f"WIP on {branch}: ", f"On {branch}: "))
        ]

    def _stamp_now(self) -> object:
        if self._own is None or not self._own.is_dir():
            self._own, self._common = git.own_dir(self._root), git.common_dir(self._root)
            if self._own is None or self._common is None:
                return None
        own, common = self._own, self._common
        assert common is not None
        logged = git.stamp(own / "logs" / "HEAD")
        head = None if logged else git.head(self._root)
        return (logged, git.stamp(common / "logs" / "refs" / "stash"), head)


def _moved(seen: Positions, head: git.Head, at: int) -> Operation:
    """Return what a comparison tells: a switch where the branch is another, otherwise that HEAD moved."""
    old = seen.commit or "0" * len(head.commit)
    if head.branch != seen.branch and seen.commit:
        source, target = seen.branch or seen.commit, head.branch or head.commit
        return Operation("checkout", old, head.commit, at, source=source, target=target)
    return Operation("moved", old, head.commit, at)


def _stashes(common: Path) -> tuple[Stashed, ...]:
    lines, _ = reflog.read(common / "logs" / "refs" / "stash", Position())
    found = [line for each in lines[-MOST_STASHES:] if (line := reflog.parse(each)) is not None]
    return tuple(Stashed(line.new, redact(line.message)[:200], max(line.at, 0)) for line in found)


def _is_later(entry: Stashed, before: Sequence[Stashed]) -> bool:
    """Return whether an entry was put there since; older ones come into sight when newer ones go."""
    return len(before) < MOST_STASHES or entry.at >= before[0].at


def _is_rebasing(own: Path) -> bool:
    return (own / "rebase-merge").is_dir() or (own / "rebase-apply").is_dir()
