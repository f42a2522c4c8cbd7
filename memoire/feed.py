"""Brings in what hooks report and says whose the changes were that the watcher saw: all of it becomes events.

The path of a record: `Inbox` reads it, the parser of its client names the action, `Recorder` makes an event of it,
redacted; once the event is in the log, the record is removed.
"""

import logging
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import msgspec

from memoire import paths
from memoire.clients.payloads.records import read_record
from memoire.episodes.actions import Action
from memoire.episodes.folding import Facts, Folding
from memoire.episodes.inbox import Inbox, Record
from memoire.episodes.recorder import Noted, Recorder, access
from memoire.ignore import Ignore
from memoire.model import Event, FileChange
from memoire.scan import look
from memoire.store.eventlog import EventLog
from memoire.store.newest import Newest
from memoire.tree import Tree

logger = logging.getLogger(__name__)

_EPOCH = datetime.fromtimestamp(0, UTC)
_AHEAD = timedelta(minutes=1)
"""So far ahead of ours a time may be: a clock is set right in small steps."""
_LOGGED = 20_000
"""More than a spool holds for one that died."""

T = TypeVar("T")


class Told(msgspec.Struct, frozen=True):
    """What the records that were read come to."""

    records: tuple[str, ...]
    """Names of the records; they are removed when the events are safe."""
    events: tuple[Event, ...]
    accesses: dict[str, int]
    """Path -> how often it was looked at or edited by an assistant."""


class Feed:
    """The reports of one project.

    Args:
        root: Real path of the project.
        state: Its state folder.
        log: Its event log.
        tree: Its files.
        ignore: Its ignore rules.
        newest: Its newest events.
    """

    def __init__(self, root: Path, state: Path, log: EventLog, tree: Tree, ignore: Ignore, newest: Newest) -> None:
        self.inbox = Inbox(state)
        self.unread = 0
        """Records that no parser understood, since this object was made."""
        self._root = root
        self._tree = tree
        self._ignore = ignore
        self._recorder = Recorder(self._resolve)
        self._folding = Folding()
        self._log = log
        self._newest = newest
        self._looks: Counter[str] = Counter()
        self._waited: set[str] | None = None
        """Names of the records that were there at the start and still are; None before the first is read."""
        self._logged = frozenset[str]()
        """Ids of the last events in the log, times aside, as long as there are such records."""

    @property
    def lost(self) -> int:
        """How many records could not be taken in since this object was made."""
        return self.unread + self.inbox.lost

    def has_news(self) -> bool:
        """Return whether a record waits."""
        return self.inbox.has_news()

    def take(self, now: datetime) -> Told:
        """Read the records that wait; each stays in the spool until `inbox.discard` hears that its events are safe.

        Args:
            now: What claims to be much later is held to be of now: it would stand first in every answer for years.
        """
        records = self.inbox.take()
        logged = self._logged_before()
        found = [(_held(action, now), record) for record in records for action in self._read(record)]
        found.sort(key=lambda pair: pair[0].at)
        noted = [each for action, record in found for each in self._noted(action, record)]
        fresh = [each for each in noted if _without_time(each.event.id) not in logged]
        looked = Counter(path for noted in fresh for path in noted.looked)
        if any(each.event.outcome for each in fresh):
            self.interrupt()  # what is saved after a run is no part of what was saved before it
        return Told(tuple(record.name for record in records), tuple(noted.event for noted in fresh), dict(looked))

    def record_look(self, path: str) -> None:
        """Count one look at a file through memoire; `looks` tells of it with the next quiet moment."""
        self._looks[path] += 1

    def looks(self, now: datetime) -> Told:
        """Return the looks counted since the last time, as one event."""
        counted, self._looks = self._looks, Counter()
        if not counted:
            return Told((), (), {})
        entities = [path for path in list(counted)[:100] for _ in range(min(counted[path], 20))]
        event = msgspec.structs.replace(access(entities, now, *counted), count=counted.total())
        return Told((), (event,), dict(counted))

    def _logged_before(self) -> frozenset[str]:
        """Return the events that the log may hold already: a crash may fall between them and the end of their records.

        Only records that were there at the start can be of before it: nobody asks once none of those is left.
        """
        if self._waited is None:
            self._waited = self.inbox.names()
            self._logged = frozenset(map(_without_time, self._log.newest_ids(_LOGGED)))
        elif self._waited:
            self._waited &= self.inbox.names()
            if not self._waited:
                self._logged = frozenset()
        return self._logged

    def _read(self, record: Record) -> list[Action]:
        """Return what a record says was done in this project."""
        found = self._guarded(record, lambda: read_record(record.client, record.name, record.data))
        if found is None:
            self.unread += 1
            logger.warning("spool record not understood name=%s bytes=%s", record.name, len(record.data))
        return [action for action in found or () if self._is_inside(action)]

    def _noted(self, action: Action, record: Record) -> list[Noted]:
        found = self._guarded(record, lambda: self._recorder.take([action]))
        if found is None:
            self.unread += 1
        return found or []

    def _guarded(self, record: Record, make: Callable[[], T]) -> T | None:
        """Return what is made of one record; None where that fails: it must not cost the others."""
        try:
            return make()
        except Exception as error:  # noqa: BLE001 - boundary: client payload parse
            # The error's text may quote the record, which is not redacted.
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            logger.warning("spool record failed name=%s error=%s at=%s", record.name, type(error).__name__, where)
            return None

    def interrupt(self) -> None:
        """Take what was edited so far as told: a commit or a run stands between it and the next save."""
        self._folding.end()

    def changed(
        self, events: Sequence[Event], before: Facts, changes: Sequence[FileChange], gone: Sequence[str]
    ) -> list[Event]:
        """Return the events of changed files with who changed them, quick successions told as one.

        Args:
            events: What the batch says by itself; what git did is in none of its files' edits.
            before: What was known of a file before the batch.
            changes: Files as they are now.
            gone: Files that are no more.
        """
        events = [event for event in events if not self._is_told(event)]
        credited = self._recorder.credit(events, {change.path: change.changed_at for change in changes})
        after = {change.path: change.facts for change in changes}
        return self._folding.fold(credited, before, after.get, (*after, *gone))

    def _is_told(self, event: Event) -> bool:
        """Return whether the last that was told of a file is this very change.

        A crash may fall between the log and the store: then the event came back from the log, and the file with the
        comparison of the tree.
        """
        is_one = event.kind.startswith("file_") and bool(event.entities)
        return is_one and self._newest.last_state(event.entities[0]) == event.id.partition("-")[2]

    def _is_inside(self, action: Action) -> bool:
        """Return whether an action is of this project: what is typed elsewhere is nobody's business."""
        return bool(action.session) or (bool(action.cwd) and paths.to_rel(self._root, action.cwd) is not None)

    def _resolve(self, given: str, cwd: str) -> str:
        """Return which file of the project a path is: one that is known, or could be; empty for any other."""
        if len(given) > 4096:
            return ""
        absolute = given if given.startswith("/") else f"{cwd}/{given}" if cwd.startswith("/") else given
        path = paths.to_rel(self._root, absolute)
        if not path:
            return ""
        if path in self._tree:
            return path
        is_new = given.startswith("/") and look(self._root, path) is not None and not self._ignore.is_ignored(path)
        return path if is_new else ""


def _held(action: Action, now: datetime) -> Action:
    """Return an action at a time that can be: a clock that was wrong when a hook looked says anything."""
    if action.at > now + _AHEAD:
        return msgspec.structs.replace(action, at=now)
    return action if action.at >= _EPOCH else msgspec.structs.replace(action, at=_EPOCH)


def _without_time(event_id: str) -> str:
    """Return what is the same of the id of a report's event whenever it is read: a held time is not."""
    return event_id.rpartition("-")[2]
