"""Folds the events of an assistant's session into one `Session`. Pure.

Law: `join` is idempotent, commutative and associative, so a session is the same whatever order its events come in and
however often one comes. Everything in a `Session` is therefore a least or greatest value, or the newest of a set of
things that events name: marks of edits and commands are kept, and counted when they are read. The bounds keep the law:
the newest of a union are the newest of the newest.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from hashlib import blake2b
from heapq import nlargest
from math import inf
from typing import TypeVar

import msgspec

from memoire.model import Event, Session, parse_path

NODE = "session:"
"""What the node id of a session begins with."""
ENDED = "Session ended"
"""How the summary of the event begins that ends one."""
ASKED = "Asked: "
"""How the summary of a prompt begins."""

PROMPTS, PROMPT_CHARS = 60, 240
MARKS = 2000
"""Edits of a session that are counted, and commands: of more, the last."""
LOOKED = 200
COMMANDS, COMMAND_CHARS = 40, 240
FAILING = 20
_TITLE_CHARS = 100
_ID_CHARS = 200

_EDITS = frozenset({"file_edit", "file_create", "file_delete", "file_move"})
_MARK_BYTES = 14

_Key = TypeVar("_Key", str, bytes)
_Value = TypeVar("_Value")
_Ordered = TypeVar("_Ordered", datetime, tuple[str, str], tuple[str, tuple[str, ...]])


def mark(event_id: str) -> bytes:
    """Return an event's id in 14 bytes that sort as it does."""
    with_time, _, rest = event_id.partition("-")
    try:
        found = bytes.fromhex(with_time + rest)
    except ValueError:
        found = b""
    return found if len(found) == _MARK_BYTES else b"\0" * 6 + blake2b(event_id.encode(), digest_size=8).digest()


def session_of(event: Event) -> str:
    """Return the id of the session that an event belongs to; empty where it is none's."""
    return event.session[:_ID_CHARS] if event.kind != "day" else ""


def of_event(event: Event) -> Session:
    """Return what one event says of its session."""
    kind, at, paths = event.kind, event.at, [parse_path(entity)[0] for entity in event.entities]
    is_end = kind == "session" and event.summary.startswith(ENDED)
    prompt = event.summary.removeprefix(ASKED)[:PROMPT_CHARS] if kind == "prompt" else ""
    is_command = kind == "command"
    return Session(
        id=session_of(event),
        client=event.client,
        started=at,
        last=at,
        active=at if kind in {"prompt", "command", "turn", "session"} and not is_end else None,
        ended=at if is_end else None,
        opening=(event.id, prompt) if prompt else None,
        prompts={event.id: prompt} if prompt else {},
        # Each save has an event of its own, which may tell of those before it too: it is counted once.
        edits={paths[0]: (mark(event.id),)} if kind in _EDITS and paths else {},
        looked=_last_looks({}, dict.fromkeys(paths, event.id)) if kind == "access" else {},
        ran={mark(event.id): event.outcome == "failed"} if is_command else {},
        told={event.id: (event.summary[:COMMAND_CHARS], event.outcome)} if is_command else {},
        failing=(event.id, event.failed[:FAILING]) if event.failed else None,
    )


def join(one: Session, other: Session) -> Session:
    """Return what two parts of what is known of one session say together."""
    return Session(
        id=one.id,
        client=max(one.client, other.client),
        started=_least(one.started, other.started),
        last=_greatest(one.last, other.last),
        active=_greatest(one.active, other.active),
        ended=_greatest(one.ended, other.ended),
        opening=_least(one.opening, other.opening),
        prompts=_newest(one.prompts, other.prompts, PROMPTS),
        edits=_edits(one.edits, other.edits),
        looked=_last_looks(one.looked, other.looked),
        ran=_newest(one.ran, other.ran, MARKS),
        told=_newest(one.told, other.told, COMMANDS),
        failing=_greatest(one.failing, other.failing),
    )


class Joining:
    """Joins many states: each with one that is about as large, so that n cost n log n and not n times the largest."""

    def __init__(self) -> None:
        self._parts: dict[str, list[tuple[float, Session]]] = {}
        """Id -> (how many are in it, state), the largest first."""

    def add_event(self, event: Event) -> None:
        """Add what an event says of its session, if it has one."""
        if session_of(event):
            self._add(1, of_event(event))

    def add(self, state: Session) -> None:
        """Add what is known of a session; it may be large."""
        self._add(inf, state)

    def joined(self) -> dict[str, Session]:
        """Return id -> session, each with all that was added."""
        return {name: reduce(join, [state for _, state in reversed(parts)]) for name, parts in self._parts.items()}

    def _add(self, size: float, state: Session) -> None:
        parts = self._parts.setdefault(state.id, [])
        while parts and parts[-1][0] <= size:
            of_last, last = parts.pop()
            size, state = size + of_last, join(last, state)
        parts.append((size, state))


def fold(events: Iterable[Event], known: Iterable[Session] = ()) -> dict[str, Session]:
    """Return id -> session of those that events belong to or that are known, each with all that is said of it."""
    joining = Joining()
    for state in known:
        joining.add(state)
    for event in events:
        joining.add_event(event)
    return joining.joined()


def is_over(session: Session) -> bool:
    """Return whether it has ended and was not taken up again."""
    return session.ended is not None and (session.active is None or session.active <= session.ended)


def prompts_of(session: Session) -> list[tuple[str, str]]:
    """Return (event id, head) of the prompts, in order: the first one and the last ones."""
    found = dict(session.prompts)
    if session.opening is not None:
        found.setdefault(*session.opening)
    return sorted(found.items())


def title_of(session: Session) -> str:
    """Return what it is about: what was asked first, cut; its id where nothing was."""
    asked = session.opening[1] if session.opening else ""
    return (asked if len(asked) <= _TITLE_CHARS else f"{asked[: _TITLE_CHARS - 1].rstrip()}…") or session.id


def edit_counts(session: Session) -> dict[str, int]:
    """Return path -> number of edits, the most edited first."""
    return {path: len(marks) for path, marks in sorted(session.edits.items(), key=lambda item: (-len(item[1]), item))}


def _least(one: _Ordered | None, other: _Ordered | None) -> _Ordered | None:
    return min(one, other) if one is not None and other is not None else other if one is None else one


def _greatest(one: _Ordered | None, other: _Ordered | None) -> _Ordered | None:
    return max(one, other) if one is not None and other is not None else other if one is None else one


def _newest(one: dict[_Key, _Value], other: dict[_Key, _Value], most: int) -> dict[_Key, _Value]:
    """Return the entries of both whose keys sort last, in order."""
    both = one | other
    keys = sorted(both)
    return {key: both[key] for key in keys[-most:]}


def _last_looks(one: dict[str, str], other: dict[str, str]) -> dict[str, str]:
    """Return path -> the later of its two looks, of the paths looked at last."""
    both = {path: max(one.get(path, ""), other.get(path, "")) for path in one | other}
    kept = nlargest(LOOKED, both, key=lambda path: (both[path], path))
    return {path: both[path] for path in sorted(kept)}


def _edits(one: dict[str, tuple[bytes, ...]], other: dict[str, tuple[bytes, ...]]) -> dict[str, tuple[bytes, ...]]:
    both = dict(one)
    for path, marks in other.items():
        both[path] = tuple(sorted({*both.get(path, ()), *marks}))
    if sum(map(len, both.values())) > MARKS:
        least = nlargest(MARKS, ((each, path) for path, marks in both.items() for each in marks))[-1]
        both = {path: tuple(each for each in marks if (each, path) >= least) for path, marks in both.items()}
    return {path: both[path] for path in sorted(both) if both[path]}


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Session)


def encode(session: Session) -> bytes:
    """Return a session as MessagePack."""
    return _encoder.encode(session)


def decode(data: bytes) -> Session:
    """Return what `encode` was given.

    Raises:
        msgspec.MsgspecError: It is something else.
    """
    return _decoder.decode(data)
