"""Makes events of what was done with git: one line each, secrets masked, nobody's name.

Importance, in [0, 1], by what an operation does to the work: it comes to nothing 0.3 (an aborted rebase); it puts work
aside or takes it back 0.4 (stash); it changes the view 0.5 (checkout, clone, a branch's name); it adds commits 0.6
(commit, cherry-pick, pull, and HEAD moved by unknown means); it joins, rewrites or drops commits 0.7 (merge, rebase,
amend, reset); it takes back what was done 0.8 (revert).
"""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from memoire import paths
from memoire.episodes import edits, git
from memoire.episodes.redact import redact
from memoire.episodes.reflog import Operation
from memoire.model import Event, FileChange, FileRecord

MOST_COMMITS = 20
"""Commits that one operation brought, from which one event stands for all of them."""
MOST_COUNTED = 1_000
"""Commits of one operation that are counted."""

_NOTHING, _ASIDE, _VIEW, _ADDS, _REWRITES, _TAKES_BACK = 0.3, 0.4, 0.5, 0.6, 0.7, 0.8
_VERBS = {
    "commit": ("Committed", _ADDS),
    "cherry-pick": ("Cherry-picked", _ADDS),
    "am": ("Applied", _ADDS),
    "revert": ("Reverted with", _TAKES_BACK),
    "amend": ("Amended", _REWRITES),
}
_WRITING = ("cherry-pick", "am", "revert")
"""Kinds of commits that change the work tree themselves; any other commits what someone changed."""
_SUBJECT_CHARS = 120
_NAME_CHARS = 100
_NAMED_FILES = 3
_MAX_ENTITIES = 40


class Cause(msgspec.Struct, frozen=True):
    """An operation that changed files of the work tree: what the watcher sees of them is its doing."""

    event: Event
    headline: str
    """What was done, without the files."""
    paths: frozenset[str]
    leaves_edits: bool = False
    """Whether the files it writes differ from what is committed."""
    is_told: bool = False
    """Whether its event names its files already: they need no other."""
    is_edit: bool = False
    """A commit of what someone edited: the files are that one's doing, and no longer of an operation before."""
    changed: frozenset[str] = frozenset()
    """Files of its doing that were told so far."""
    deleted: frozenset[str] = frozenset()


_SECOND = timedelta(seconds=1)
_DONE, _STEP, _LATEST = timedelta(milliseconds=900), timedelta(milliseconds=10), timedelta(milliseconds=80)
_COMMITTED, _STASHED = timedelta(milliseconds=905), timedelta(milliseconds=990)
"""Git notes whole seconds. What it does follows what was saved: so it is told at the end of its second, in the order of
its log. A commit's time is made of the commit alone, which may come by several ways and is told once."""


class Teller:
    """Tells the operations on one project.

    Args:
        root: The project.
        now: When they are told: what claims to be later is held to be of now.
    """

    def __init__(self, root: paths.AnyPath, now: datetime) -> None:
        self._root = root
        self._now = now

    def tell(self, operation: Operation) -> tuple[list[Event], Cause | None]:
        """Return the events of an operation, and what it explains of changes in the work tree."""
        if operation.kind in _VERBS:
            found = git.details(self._root, [operation.new]) or [self._unread(operation)]
            event = self.commit(found[0], operation)
            touched = {path for change in found[0].changes for path in (change.path, change.old_path) if path}
            by_git = operation.kind in _WRITING
            return [event], Cause(event, event.summary, frozenset(touched), is_told=by_git, is_edit=not by_git)
        if operation.kind in {"clone", "branch"}:
            what = (
                "Cloned the repository"
                if operation.kind == "clone"
                else f"Renamed the branch {_name(operation.source)} to {_name(operation.target)}"
            )
            return [self._event(operation, redact(what), _VIEW, ())], None
        changed = git.changed_between(self._root, operation.old, operation.new)
        brought = self._brought(operation) if operation.kind in {"merge", "pull", "moved"} else []
        headline, importance = self._headline(operation, len(brought))
        event = self._event(operation, headline + _files(changed), importance, changed)
        events = self.commits(brought, operation) if brought else []
        if operation.kind == "moved" and events and not operation.source:
            return events, Cause(event, headline, frozenset(changed))
        return [*events, event], Cause(event, headline, frozenset(changed))

    def commit(self, commit: git.Commit, operation: Operation | None = None) -> Event:
        """Return the event of one commit; its id is made of the commit alone, so that it is never told twice."""
        verb, importance = _VERBS.get(operation.kind if operation else "", _VERBS["commit"])
        which = f"{commit.id[:7]} {_quoted(commit.subject)}"
        if operation is not None and operation.kind == "amend":
            which = f"{operation.old[:7]} to {which}"
        changed = [path for change in commit.changes for path in (change.path, change.old_path) if path]
        at = self._held(commit.at + _COMMITTED)
        return Event(
            id=edits.event_id("commit", at, commit.id),
            kind="commit",
            at=at,
            summary=redact(f"{verb} {which}") + _files([change.path for change in commit.changes]),
            importance=importance,
            entities=tuple(dict.fromkeys(changed))[:_MAX_ENTITIES],
            actor="git",
        )

    def commits(self, ids: Sequence[str], operation: Operation) -> list[Event]:
        """Return the events of commits that came with one operation, newest first: one for all where they are many."""
        if len(ids) <= MOST_COMMITS:
            return [self.commit(commit) for commit in git.details(self._root, ids) or ()]
        changed = git.changed_between(self._root, operation.old, operation.new)
        newest = git.details(self._root, ids[:1]) or ()
        last = "".join(f", the last {commit.id[:7]} {_quoted(commit.subject)}" for commit in newest)
        count = f"{len(ids)}{' or more' if len(ids) >= MOST_COUNTED else ''}"
        summary = redact(f"{count} commits came by a {operation.kind}{last}") + _files(changed)
        event = self._event(operation, summary, _ADDS, changed)
        at_id = edits.event_id("commit", event.at, operation.old, operation.new)
        return [msgspec.structs.replace(event, id=at_id, kind="commit", count=len(ids))]

    def stash(self, sha: str, label: str, at: datetime, *, is_new: bool) -> tuple[Event, Cause]:
        """Return the event of an entry of the stash that came or went, and what it explains."""
        changed = git.changed_between(self._root, self._parent(sha), sha)
        what = f"Stashed {_quoted(label)}" if is_new else f"Took back or dropped the stash {_quoted(label)}"
        at = self._held(at + _STASHED)
        event = Event(
            id=edits.event_id("stash", at, sha, str(is_new)),
            kind="stash",
            at=at,
            summary=redact(what) + _files(changed),
            importance=_ASIDE,
            entities=tuple(changed)[:_MAX_ENTITIES],
            actor="git",
        )
        return event, Cause(event, redact(what), frozenset(changed), leaves_edits=not is_new)

    def earlier(self, count: int, operation: Operation) -> Event:
        """Return the event that stands for operations too many to tell, of which this was the last."""
        return msgspec.structs.replace(
            self._event(operation, f"{count} earlier operations of git", _ADDS, ()), kind="moved", count=count
        )

    def _headline(self, operation: Operation, brought: int) -> tuple[str, float]:
        old, new, kind = operation.old[:7], operation.new[:7], operation.kind
        if kind == "checkout":
            if not operation.source:
                return redact(f"Switched to {_name(operation.target)}"), _VIEW
            return redact(f"Switched from {_name(operation.source)} to {_name(operation.target)}"), _VIEW
        if kind == "merge":
            what = _name(operation.source) if operation.source else _quoted(operation.subject)
            return redact(f"Merged {what}") + _commits(brought), _REWRITES
        if kind == "pull":
            return f"Pulled to {new}" + _commits(brought), _ADDS
        if kind == "rebase":
            return self._rebase(operation)
        if kind == "reset":
            dropped = len(git.listed(self._root, operation.old, MOST_COUNTED, operation.new))
            left = f", which left {dropped} commit{'s' * (dropped != 1)}" if dropped else ""
            return f"Reset from {old} to {new}{left}", _REWRITES
        if not operation.old.strip("0"):
            return f"HEAD is at {new} now", _ADDS
        return f"HEAD moved from {old} to {new}", _ADDS

    def _rebase(self, operation: Operation) -> tuple[str, float]:
        branch = f" {_name(operation.target)}" if operation.target else ""
        onto = f" onto {_name(operation.source)}" if operation.source else ""
        if operation.end == "abort":
            return redact(f"Aborted a rebase{' of' * bool(branch)}{branch}{onto}"), _NOTHING
        if operation.end == "stopped":
            return redact(f"Left a rebase{onto} unfinished at {operation.new[:7]}"), _REWRITES
        replaced = len(git.listed(self._root, operation.old, MOST_COUNTED, operation.new))
        what = f": {replaced} commit{'s' * (replaced != 1)} replaced" if replaced else ""
        return redact(f"Rebased{branch}{onto}{what}") + f", {operation.old[:7]} became {operation.new[:7]}", _REWRITES

    def _brought(self, operation: Operation) -> list[str]:
        if operation.kind == "moved" and not git.is_ancestor(self._root, operation.old, operation.new):
            return []
        return git.listed(self._root, operation.new, MOST_COUNTED, operation.old)

    def _event(self, operation: Operation, summary: str, importance: float, changed: Sequence[str]) -> Event:
        at = _time(operation.at)
        held = self._held(at + _DONE + min(operation.order * _STEP, _LATEST))
        return Event(
            # The time that git noted, not the held one: the same operation has one id whenever it is told.
            id=edits.event_id(operation.kind, held, operation.old, operation.new, str(operation.at)),
            kind=operation.kind,
            at=held,
            summary=summary,
            importance=importance,
            entities=tuple(changed)[:_MAX_ENTITIES],
            actor="git",
        )

    def _parent(self, sha: str) -> str:
        return git.parent(self._root, sha)

    def _unread(self, operation: Operation) -> git.Commit:
        """Return what the reflog alone says of a commit whose object is gone."""
        return git.Commit(operation.new, _time(operation.at), operation.subject, ())

    def _held(self, at: datetime) -> datetime:
        # The rest of the second that git noted may not be over yet.
        return at if at <= self._now + _SECOND else self._now


def fold(
    causes: Sequence[Cause],
    changes: Sequence[FileChange],
    gone: Sequence[str],
    records: Mapping[str, FileRecord],
    dirty: frozenset[str],
) -> tuple[list[Cause], set[str]]:
    """Return the causes with what each is now known to have changed, and the paths that need no event of their own.

    None of them explains a further change of these files. A cause whose event is another than before is to be told:
    that event replaces the one before.

    Args:
        causes: Oldest first; a file is told with the last that touched it.
        changes: Files of this batch.
        gone: Files that are no more.
        records: What was known before.
        dirty: Files that differ from what is committed: whoever changed them, no checkout did.
    """
    left = {each.path for each in changes if (record := records.get(each.path)) is None or record.sha != each.facts.sha}
    removed, told, claimed = set(gone), set[str](), set[str]()
    found = []
    for cause in reversed(causes):
        mine = (cause.paths if cause.leaves_edits else cause.paths - dirty) - claimed
        changed, deleted = left & mine, removed & mine
        claimed |= changed | deleted
        if not cause.is_edit:
            told |= changed | deleted
        now_told = cause if cause.is_edit or cause.is_told else _with_files(cause, changed, deleted)
        # It wrote each file once, before this: the next change of one is someone's, also where it takes back an edit.
        # What is gone may only be gone until it is written anew.
        found.append(msgspec.structs.replace(now_told, paths=cause.paths - left))
    return found[::-1], told


def _with_files(cause: Cause, changed: set[str], deleted: set[str]) -> Cause:
    """Return the cause with further files of its doing: the watcher may tell of them bit by bit."""
    all_deleted = (cause.deleted | deleted) - changed
    all_changed = (cause.changed | changed) - all_deleted
    if (all_changed, all_deleted) == (cause.changed, cause.deleted):
        return cause
    files = edits.batch(cause.headline, sorted(all_changed), sorted(all_deleted), cause.event.at)
    event = msgspec.structs.replace(
        cause.event,
        id=edits.event_id(cause.event.kind, cause.event.at, cause.event.id, *files.entities, str(files.count)),
        summary=files.summary,
        entities=files.entities,
        count=files.count,
        replaces=cause.event.id,
    )
    return msgspec.structs.replace(cause, event=event, changed=all_changed, deleted=all_deleted)


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(min(max(seconds, 0), 253_402_300_799), UTC)


def _quoted(subject: str) -> str:
    return f'"{_one_line(subject, _SUBJECT_CHARS)}"'


def _name(name: str) -> str:
    """Return a branch as a person writes it; a hash is shortened."""
    is_hash = len(name) >= 40 and not name.strip("0123456789abcdef")
    return name[:7] if is_hash else _one_line(name, _NAME_CHARS)


def _one_line(text: str, most: int) -> str:
    line = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in text).strip()
    return line if len(line) <= most else line[: most - 1] + "…"


def _commits(count: int) -> str:
    return f": {count} commit{'s' * (count != 1)}" if count else ""


def _files(changed: Sequence[str]) -> str:
    if not changed:
        return ""
    more = ", …" if len(changed) > _NAMED_FILES else ""
    named = ", ".join(_one_line(path, _NAME_CHARS) for path in changed[:_NAMED_FILES])
    return f": {len(changed)} file{'s' * (len(changed) != 1)} ({named}{more})"
