"""Brings in what hooks report and says whose the changes were that the watcher saw: all of it becomes events.

The path of a record: `Inbox` reads it, the parser of its client names the action, `Recorder` makes an event of it,
redacted; once the event is in the log, the record is removed.
"""

import logging
from collections import Counter, deque
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from memoire import paths
from memoire.clients.payloads.records import read_record
from memoire.episodes.actions import Action
from memoire.episodes.folding import Facts, Folding
from memoire.episodes.inbox import Inbox
from memoire.episodes.recorder import Recorder, access
from memoire.ignore import Ignore
from memoire.model import Event
from memoire.store.eventlog import EventLog
from memoire.tree import Tree

logger = logging.getLogger(__name__)

_LOGGED = 20_000
"""More than a spool holds for one that died."""


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
    """

    def __init__(self, root: Path, state: Path, log: EventLog, tree: Tree, ignore: Ignore) -> None:
        self.inbox = Inbox(state)
        self.unread = 0
        """Records that no parser understood, since this object was made."""
        self._root = root
        self._tree = tree
        self._ignore = ignore
        self._recorder = Recorder(self._resolve)
        self._folding = Folding()
        self._log = log
        self._looks: Counter[str] = Counter()
        self._logged: frozenset[str] | None = None
        """Ids of the last events in the log, until the records are read that were there at the start."""

    def has_news(self) -> bool:
        """Return whether a record waits."""
        return self.inbox.has_news()

    def take(self) -> Told:
        """Read the records that wait; they stay in the spool until `done`."""
        actions: list[Action] = []
        records = self.inbox.take()
        for record in records:
            found = read_record(record.client, record.name, record.data)
            if found is None:
                self.unread += 1
                logger.warning("spool record not understood name=%s bytes=%s", record.name, len(record.data))
            else:
                actions += found
        inside = sorted((action for action in actions if self._is_inside(action)), key=lambda action: action.at)
        logged = self._logged_before()
        fresh = [noted for noted in self._recorder.take(inside) if noted.event.id not in logged]
        looked = Counter(path for noted in fresh for path in noted.looked)
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

        Only records that were there at the start can be of before it.
        """
        if self._logged is None:
            self._logged = frozenset(deque((event.id for event in self._log.read()), maxlen=_LOGGED))
            return self._logged
        if not self.inbox.has_news():
            self._logged = frozenset()
        return self._logged

    def changed(self, events: Sequence[Event], before: Facts, after: Facts) -> list[Event]:
        """Return the events of changed files with who changed them, quick successions told as one."""
        return self._folding.fold(self._recorder.credit(events), before, after)

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
        is_new = given.startswith("/") and (self._root / path).is_file() and not self._ignore.is_ignored(path)
        return path if is_new else ""
