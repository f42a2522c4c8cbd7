"""Makes events of what assistants and shells do, and says whose an edit was that the watcher saw.

Importance, in [0, 1]: an access 0.1, a session's start or end 0.2, an errand in a shell 0.2, any other command 0.3, a
prompt 0.4, one that ran tests or a build 0.5, one that failed 0.5, tests or a build that failed 0.8.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from memoire.episodes.actions import Action
from memoire.episodes.edits import event_id
from memoire.episodes.outcomes import Outcome, is_check, read_outcome
from memoire.episodes.redact import redact, redact_command
from memoire.episodes.sessions import ASKED, ENDED
from memoire.model import Event

ACCESS, SESSION, ERRAND, COMMAND, PROMPT, CHECK, FAILURE, FAILED_CHECK = 0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.5, 0.8

EDIT_WINDOW = timedelta(seconds=10)
"""A change of a file so soon after an assistant said it edits it is that edit."""
COMMAND_WINDOW = timedelta(seconds=3)
"""A change so soon after an assistant's command ended is that command's: it takes a save so long to be noticed."""
AFTERWARDS = timedelta(seconds=2)
"""A file written so long after an edit or a command is known to have ended is another's doing; formatters that a client
runs behind its edits take a second."""
TICK = timedelta(milliseconds=20)
"""A file's time may lie so far behind the clock's: Linux takes it from its last tick, of 10 ms at most."""
LONGEST_COMMAND = timedelta(minutes=30)
"""A command whose end was not told has ended after so long."""
LOOKS_TOGETHER = timedelta(minutes=2)
"""Reads and edits of one session that follow each other so closely are told as one access."""

_HEAD_CHARS = 300
_COMMAND_CHARS = 200
_WORTH_TELLING_MS = 1000
_ENTITIES = 40
_FAILED_KEPT = 200
_LOOKS = 12
"""Looks that are told as one event at most: each repeats the paths of those before it in the log."""
_SESSIONS = 500
_KEYS = 20_000
_EDITS = 2_000
_AT_ONCE = 4
"""Sessions whose edits of one file are told apart."""
_ERRANDS = frozenset(
    ("cd", "ls", "ll", "la", "pwd", "clear", "exit", "history", "man", "which", "echo", "cat", "less", "more", "head")
)

Resolve = Callable[[str, str], str]
"""(path as given, folder it is relative to) -> path of a file of the project; empty where it is none."""


class Noted(msgspec.Struct, frozen=True):
    """One event, and the files that were looked at or edited when it happened."""

    event: Event
    looked: tuple[str, ...] = ()


class _Edit(NamedTuple):
    client: str
    session: str
    at: datetime
    is_done: bool


class _Command(NamedTuple):
    client: str
    session: str
    since: datetime
    until: datetime | None


class Recorder:
    """What one project remembers of the last actions, so that the next ones make sense.

    Args:
        resolve: Says which file of the project a path is.
    """

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._keys: dict[str, datetime] = {}
        """Key -> when it was told first."""
        self._edits: dict[str, dict[str, _Edit]] = {}
        """Path -> session -> what it said last of its edits, the last to say so last."""
        self._commands: dict[tuple[str, str], _Command] = {}
        """Session and agent -> its last command: a session's subagents work beside it."""
        self._accesses: dict[str, Event] = {}
        """Session -> its last access event, which the next look may be told together with."""

    def take(self, actions: Sequence[Action]) -> list[Noted]:
        """Return the events of actions, in order. One that two mechanisms report is told once."""
        return [noted for action in actions if (noted := self._take(action)) is not None]

    def credit(self, events: Sequence[Event], written: Mapping[str, datetime] | None = None) -> list[Event]:
        """Return the events of changed files with who changed them, where an assistant said that it does.

        Args:
            events: At the time at which they were noticed.
            written: Path -> when it was written, as far as that is known.
        """
        return [self._credit(event, written or {}) for event in events]

    def _take(self, action: Action) -> Noted | None:
        first = self._keys.pop(action.key, None)
        is_again = first is not None and not 0 < action.again_s <= abs((action.at - first).total_seconds())
        self._keys[action.key] = first if first is not None and is_again else action.at
        if is_again:
            return None
        if len(self._keys) > _KEYS:
            del self._keys[next(iter(self._keys))]
        self._note(action)
        if action.is_before:
            return None
        if action.kind in {"read", "edit"}:
            return self._look(action)
        event = self._event(action)
        return None if event is None else Noted(event)

    # ---- who

    def _note(self, action: Action) -> None:
        """Remember what tells whose the next changes are."""
        if action.kind == "edit":
            self._note_edit(action)
        elif action.kind == "command" and action.session:
            self._note_command(action)
        elif action.kind == "prompt" or (action.kind == "turn_end" and not action.detail):
            # Whoever is asked, or has answered, runs no command: one whose end was not told was not allowed to run.
            for name, command in self._commands.items():
                if name[0] == action.session and command.until is None:
                    self._commands[name] = command._replace(until=action.at)
        elif action.kind == "session_end":
            self._commands = {name: found for name, found in self._commands.items() if name[0] != action.session}
            self._accesses.pop(action.session, None)

    def _note_edit(self, action: Action) -> None:
        for given in action.paths:
            path = self._resolve(given, action.cwd)
            by_session = self._edits.pop(path, {})
            by_session.pop(action.session, None)
            by_session[action.session] = _Edit(action.client, action.session, _end(action), not action.is_before)
            self._edits[path] = by_session
            if len(by_session) > _AT_ONCE:
                del by_session[next(iter(by_session))]
        while len(self._edits) > _EDITS:
            del self._edits[next(iter(self._edits))]

    def _note_command(self, action: Action) -> None:
        end = None if action.is_before else _end(action)
        name = (action.session, action.agent)
        known = self._commands.pop(name, None)
        since = known.since if known and known.until is None and end else action.at
        self._commands[name] = _Command(action.client, action.session, since, end)
        if len(self._commands) > _SESSIONS:
            del self._commands[next(iter(self._commands))]

    def _credit(self, event: Event, written: Mapping[str, datetime]) -> Event:
        if event.actor != "person" or not event.entities:
            return event
        at = min(written.get(event.entities[0], event.at), event.at)
        edits = reversed(self._edits.get(event.entities[0], {}).values())
        by = next((edit for edit in edits if _made(edit, event.at, at)), None)
        if by is not None:
            client, session = by.client, by.session
        else:
            running = {found[:2] for found in self._commands.values() if _covers(found, event.at, at)}
            if len(running) != 1:  # two assistants at once: nobody can tell
                return event
            ((client, session),) = running
        return msgspec.structs.replace(event, actor="assistant", client=client, session=session)

    # ---- what

    def _event(self, action: Action) -> Event | None:
        if action.kind == "command":
            return self._command(action)
        if action.kind == "prompt":
            head = _line(redact(_head(action.text, 4 * _HEAD_CHARS)), _HEAD_CHARS)
            return _event("prompt", action, f"{ASKED}{head}", PROMPT, actor="person") if head else None
        said = {
            "session_start": "Session started",
            "session_end": ENDED,
            "compact": "Context compacted",
            "turn_end": "Turn ended",
        }.get(action.kind)
        if said is None:
            return None
        detail = f" ({_line(redact(action.detail[:1000]), 60)})" if action.detail else ""
        if action.kind == "turn_end":
            return _event("turn", action, said, ACCESS)
        return _event("session", action, f"{said}: {action.client}{detail}", SESSION)

    def _command(self, action: Action) -> Event | None:
        line = _line(redact_command(action.text), _COMMAND_CHARS)
        if not line:
            return None
        outcome = read_outcome(action.text, action.output, _status(action))
        failed = _is_failed(action, outcome)
        entities = self._mentioned(action, outcome)
        is_checking = outcome is not None or is_check(action.text)
        if is_checking:
            importance = FAILED_CHECK if failed else CHECK
        elif failed:
            importance = FAILURE
        else:
            importance = ERRAND if action.text.split(maxsplit=1)[0] in _ERRANDS else COMMAND
        took = f" in {action.duration_ms / 1000:.1f} s" if action.duration_ms >= _WORTH_TELLING_MS else ""
        event = _event("command", action, f"Ran `{line}`{took}{_result(action, outcome, failed=failed)}", importance)
        status = "" if failed is None else "failed" if failed else "passed"
        return msgspec.structs.replace(
            event,
            entities=entities,
            outcome=status,
            failed=tuple(_line(redact(name), 300) for name in outcome.failing[:_FAILED_KEPT]) if outcome else (),
            duration_ms=action.duration_ms,
        )

    def _mentioned(self, action: Action, outcome: Outcome | None) -> tuple[str, ...]:
        """Return the files of the project that a command or its failing tests name."""
        words = re.split(r"[\s'\"=;|&()<>]+", action.text[:4000])[:200]
        names = [*(outcome.failing if outcome else ()), *(outcome.files if outcome else ())]
        given = [*words, *(re.split(r"::| > |\(|:\d", name, maxsplit=1)[0].strip() for name in names)]
        found = (self._resolve(word, action.cwd) for word in given if word and not word.startswith("-"))
        return tuple(dict.fromkeys(path for path in found if path))[:_ENTITIES]

    def _look(self, action: Action) -> Noted | None:
        """Return the access of a file that was read or edited, told together with those just before it."""
        looked = tuple(path for given in action.paths if (path := self._resolve(given, action.cwd)))
        if not looked:
            return None
        last = self._accesses.get(action.session)
        if (
            last is not None
            and timedelta(0) <= action.at - last.at <= LOOKS_TOGETHER
            and len(last.entities) + len(looked) <= _LOOKS
        ):
            event = access([*last.entities, *looked], action.at, action.key)
            event = msgspec.structs.replace(event, count=last.count + 1, replaces=last.id)
        else:
            event = access(looked, action.at, action.key)
        actor = "assistant" if action.session else "person"
        event = msgspec.structs.replace(event, actor=actor, client=action.client, session=action.session)
        self._accesses.pop(action.session, None)
        self._accesses[action.session] = event
        if len(self._accesses) > _SESSIONS:
            del self._accesses[next(iter(self._accesses))]
        return Noted(event, looked)


def access(looked: Sequence[str], at: datetime, *key: str) -> Event:
    """Return the event of looks at files.

    Each is named as often as it was looked at: this is how counts that a store lost come back.
    """
    names = list(dict.fromkeys(looked))
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return Event(
        id=event_id("access", at, *key),
        kind="access",
        at=at,
        summary=f"Looked at {', '.join(names[:4])}{more}",
        importance=ACCESS,
        entities=tuple(looked),
        actor="assistant",
    )


def _event(kind: str, action: Action, summary: str, importance: float, *, actor: str = "") -> Event:
    at = action.at
    return Event(
        id=event_id(kind, at, action.key),
        kind=kind,
        at=at,
        summary=summary,
        importance=importance,
        actor=actor or ("assistant" if action.session else "person"),
        client=action.client,
        session=action.session,
    )


def _end(action: Action) -> datetime:
    return action.at + timedelta(milliseconds=max(action.duration_ms, 0))


def _made(edit: _Edit, noticed: datetime, written: datetime) -> bool:
    if abs(noticed - edit.at) > EDIT_WINDOW:
        return False
    return written <= edit.at + AFTERWARDS if edit.is_done else written >= edit.at - TICK


def _covers(command: _Command, noticed: datetime, written: datetime) -> bool:
    if command.until is None:
        return command.since <= noticed <= command.since + LONGEST_COMMAND
    return command.since <= noticed <= command.until + COMMAND_WINDOW and written <= command.until + AFTERWARDS


def _status(action: Action) -> int | None:
    if action.exit_status is None and action.is_failed:
        return 1
    return action.exit_status


def _is_failed(action: Action, outcome: Outcome | None) -> bool | None:
    """Return whether a command failed; None where nobody says."""
    if outcome is not None:
        return outcome.status == "failed"
    if action.exit_status is not None:
        return action.exit_status != 0
    return True if action.is_failed else None


def _result(action: Action, outcome: Outcome | None, *, failed: bool | None) -> str:
    """Return how a command ended, as it follows the command in a summary."""
    if outcome is not None and max(outcome.failed, outcome.passed) >= 0:
        counts = ((outcome.failed, "failed"), (outcome.passed, "passed"), (outcome.skipped, "skipped"))
        told = ", ".join(f"{count} {what}" for count, what in counts if count > 0)
        return f": {told or outcome.status}"
    if failed:
        known = action.exit_status not in {None, 0}
        return f": failed with status {action.exit_status}" if known else ": failed"
    return ": passed" if outcome is not None else ""


def _head(text: str, most: int) -> str:
    """Return the head of a text without the word that the cut falls into: half a secret looks like none."""
    if len(text) <= most:
        return text
    words = re.match(r"[\s\S]*\s", text[:most])
    return words[0] if words and words[0].strip() else text[:most]


def _line(text: str, most: int) -> str:
    """Return a text in one line without control characters, cut to its head."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text[: 8 * most]).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
