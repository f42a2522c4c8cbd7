"""What one open project knows of its repository: what was done with git lately, and its mined history."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from memoire.episodes import git, history_file
from memoire.episodes.git_events import Cause, fold
from memoire.episodes.git_feed import GitFeed, News
from memoire.episodes.history import History, mine
from memoire.model import Event, FileChange, FileRecord

logger = logging.getLogger(__name__)

TICK_S = 0.05
"""How often is looked whether git still writes."""
LINGER_S = 30.0
"""How long a change of files is taken for the doing of a git operation that touched them. The watcher tells of the
last file up to 2 s later, a start takes longer; a file that someone edits meanwhile is not clean, and so told apart."""


class Repository:
    """The repository of one project; everything stays empty where there is none.

    Args:
        root: Real path of the project.
        state: Its state folder, where the history is kept.
    """

    def __init__(self, root: Path, state: Path) -> None:
        self.history = History()
        self.feed = GitFeed(root)
        self.is_behind = True
        """Whether HEAD is elsewhere than the history ends."""
        self._root = root
        self._file = state / "history"
        self._causes: list[tuple[float, Cause]] = []

    def load(self, positions: str) -> None:
        """Take up where the last run ended.

        Args:
            positions: As `feed.positions` was then.
        """
        self.feed = GitFeed(self._root, positions)
        self.history = history_file.load(self._file) or History()

    async def rest(self) -> bool:
        """Wait while git writes files, so that what it did is known before they are told; return whether it did.

        At most as long as `git_feed` says; its log follows within milliseconds.
        """
        if not self.feed.is_busy():
            return False
        while self.feed.is_busy():  # noqa: ASYNC110 - what is waited for is another program's file
            await asyncio.sleep(TICK_S)
        await asyncio.sleep(TICK_S)
        return True

    def accept(self, news: News) -> None:
        """Count news of the feed as seen: their events are safe."""
        self.feed.accept(news)
        until = time.monotonic() + LINGER_S
        self._causes += [(until, cause) for cause in news.causes if cause.paths]
        self.is_behind = True

    def explain(
        self, changes: Sequence[FileChange], gone: Sequence[str], records: Mapping[str, FileRecord]
    ) -> tuple[list[Event], set[str]]:
        """Return events that tell git operations with the files they changed, and the paths that need no other event.

        Args:
            changes: Files of one batch as they are now.
            gone: Files that are no more.
            records: What was known before.
        """
        now = time.monotonic()
        self._causes = [(until, cause) for until, cause in self._causes if until > now]
        if not self._causes:
            return [], set()
        before = [cause for _, cause in self._causes]
        dirty = git.uncommitted(self._root)
        if self.feed.is_busy() or self.feed.has_news():
            dirty = frozenset()  # compared with a commit that these files were not written for
        after, told = fold(before, changes, gone, records, dirty)
        self._causes = [(until, cause) for (until, _), cause in zip(self._causes, after, strict=True)]
        return [new.event for old, new in zip(before, after, strict=True) if new.event is not old.event], told

    def catch_up(self, report: Callable[[int, int], None]) -> bool:
        """Mine what landed since the last time, or all of it; return whether the history is another now."""
        mined = mine(self._root, self.history, report=report)
        self.is_behind = False
        if mined is self.history:
            return False
        if mined.unreadable:
            logger.warning("commits not read, git fsck may say why count=%s", len(mined.unreadable))
        self.history = mined
        history_file.save(self._file, mined)
        return True

    def ages(self, now: datetime) -> dict[str, datetime]:
        """Return path -> when the last commit changed it, for files without later changes; none in the future."""
        dirty = git.uncommitted(self._root)
        return {path: min(found.last_at, now) for path, found in self.history.activity().items() if path not in dirty}
