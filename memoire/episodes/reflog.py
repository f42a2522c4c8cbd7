"""Reads what git itself notes about every movement of HEAD and of the stash: no hook has to be installed for it.

`logs/HEAD` of the work tree's own git directory gets a line for each step of each command, also while no daemon runs.
Lines become operations here: what a person would say was done. A rebase, many lines, is one operation.

A line: `<old> <new> <name> <email> <seconds> <zone>TAB<message>`. Source: git, refs/files-backend.c (format) and the
`reflog_action` of each command (messages).
"""

import os
import re
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

MOST_BYTES = 4_000_000
"""Of a reflog that grew by more only the end is read (about 20,000 movements)."""

_LINE = re.compile(rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*?(-?\d{1,18}) [+-]\d{1,6}(?:\t(.*))?", re.DOTALL)
_STEP = re.compile(r"(?P<what>rebase|pull)\b[^(:]*\((?P<step>[a-z][a-z -]*)\): ?(?P<rest>.*)", re.DOTALL)
_OLD_STEPS = (("rebase: checkout ", "start"), ("rebase finished: ", "finish"), ("rebase: aborting", "abort"))
"""How git before 2.26 told the steps of a rebase."""
_COMMIT = re.compile(r"(?:commit(?: \((?P<how>[a-z-]+)\))?|(?P<by>cherry-pick|revert|am)): ?(?P<subject>.*)", re.DOTALL)
_CHECKOUT = re.compile(r"checkout: moving from (?P<source>.+) to (?P<target>.+)", re.DOTALL)
_MERGE = re.compile(r"merge (?P<source>[^:]+): .*", re.DOTALL)
_PULL = re.compile(r"(?:initial )?pull\b[^:]*(?::.*)?", re.DOTALL)
_RENAMED = re.compile(r"Branch: renamed refs/heads/(?P<source>\S+) to refs/heads/(?P<target>\S+)")
_NAMED_HEAD = re.compile(r"returning to refs/heads/(?P<target>\S+)")


class Line(msgspec.Struct, frozen=True, gc=False):
    """One movement."""

    old: str
    """Hash before; zeros where there was nothing."""
    new: str
    at: int
    """Seconds since the epoch."""
    message: str


class Position(msgspec.Struct, frozen=True, gc=False):
    """Where reading goes on: behind a line that is recognised again when the file was rewritten."""

    offset: int = 0
    length: int = 0
    """Bytes of the line before it."""
    digest: str = ""
    """Of that line but for its old hash, which git changes when it removes the line before."""


class Operation(msgspec.Struct, frozen=True, gc=False):
    """One thing that was done with git."""

    kind: str
    """commit, amend, cherry-pick, revert, am, checkout, merge, pull, rebase, reset, clone, branch, moved."""
    old: str
    """HEAD before; zeros where there was none."""
    new: str
    at: int
    """Seconds since the epoch, of its last step."""
    source: str = ""
    """The branch left, or merged; a branch's former name."""
    target: str = ""
    """The branch switched to or rebased; a branch's new name; empty where unknown."""
    onto: str = ""
    """Hash that a rebase started from."""
    subject: str = ""
    """First line of the message of a commit, as written: redact it before it goes anywhere."""
    end: str = ""
    """Of a rebase: finish, abort, or stopped (left behind)."""
    order: int = 0
    """How many lines of the same second stand before it."""


def parse(line: bytes) -> Line | None:
    """Return the movement that a line tells; None where it is none."""
    found = _LINE.fullmatch(line.rstrip(b"\r\n"))
    if found is None:
        return None
    message = (found[4] or b"").decode("utf-8", "replace").strip()
    return Line(found[1].decode(), found[2].decode(), int(found[3]), message)


def read(file: Path, position: Position | None) -> tuple[list[bytes], Position]:
    """Return the lines behind a position and the position behind them.

    Args:
        file: A reflog; one that is not there has no lines.
        position: None for the end of the file: nothing is returned. Where the file was rewritten (expired, entries
            removed) reading goes on behind the same line; where that is gone too nothing is returned.
    """
    try:
        with file.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            goes_on = position is not None and _continues(stream.fileno(), size, position)
            start = position.offset if position is not None and goes_on else 0
            first = max(start, size - MOST_BYTES)
            stream.seek(first)
            data = stream.read(MOST_BYTES)
    except OSError:
        return [], Position()
    whole = data[: data.rfind(b"\n") + 1]
    lines = whole.splitlines(keepends=True)
    if first > start and lines:
        del lines[0]  # its beginning was not read
    if position is None:
        return [], _behind(lines, first + len(whole))
    if start == 0 and position.digest:
        lines_before = next((at for at in range(len(lines), 0, -1) if digest(lines[at - 1]) == position.digest), None)
        return ([] if lines_before is None else lines[lines_before:]), _behind(lines, first + len(whole))
    return lines, _behind(lines, first + len(whole)) if lines else position


def before(position: Position, lines: Sequence[bytes], at: int, seen: Position) -> Position:
    """Return the position before `lines[at]`, of the lines that `read` gave together with a position.

    Args:
        position: Behind the lines.
        lines: As they were read.
        at: Place of the line that is to be read again.
        seen: Where reading had begun.
    """
    offset = position.offset - sum(map(len, lines[at:]))
    return _behind(lines[:at], offset) if at else msgspec.structs.replace(seen, offset=offset)


def digest(line: bytes) -> str:
    """Return what a line is recognised by."""
    return blake2b(line.partition(b" ")[2], digest_size=8).hexdigest()


def operations(lines: Sequence[Line], *, is_rebasing: bool) -> tuple[list[Operation], int]:
    """Return what was done, and how many of the lines that tells; the others belong to a rebase that goes on.

    Args:
        lines: Oldest first.
        is_rebasing: Whether a rebase is under way: one that has not ended is then waited for.
    """
    found: list[Operation] = []
    at = 0
    while at < len(lines):
        step, _ = _step(lines[at].message)
        if step == "start":
            end = _end_of_rebase(lines, at)
            if end < 0 and is_rebasing and not any(_step(each.message)[0] == "start" for each in lines[at + 1 :]):
                return found, at
            last = end if end >= 0 else _last_step(lines, at)
            found.append(_rebase(lines, at, last, has_ended=end >= 0))
            at = last + 1
            continue
        operation = _operation(lines[at])
        if operation is not None:
            order = next((n for n in range(at) if lines[at - n - 1].at != lines[at].at), at)
            operation = msgspec.structs.replace(operation, order=order)
            if not (found and _is_same(found[-1], operation)):
                found.append(operation)
        at += 1
    return found, len(lines)


def _operation(line: Line) -> Operation | None:
    """Return what a line that is no step of a rebase tells; None where nothing moved."""
    made = _operation_by_message(line)
    if line.old != line.new:
        return made or Operation("moved", line.old, line.new, line.at)
    # A stash resets to where HEAD is, and so does discarding changes: that moves nothing; a switch may.
    return made if made is not None and made.kind in {"checkout", "branch"} and made.source != made.target else None


def _operation_by_message(line: Line) -> Operation | None:
    where = (line.old, line.new, line.at)
    if found := _COMMIT.fullmatch(line.message):
        how = found["by"] or found["how"] or ""
        kind = how if how in {"amend", "cherry-pick", "revert", "am", "merge"} else "commit"
        return Operation(kind, *where, subject=found["subject"])
    for kind, shape in (("checkout", _CHECKOUT), ("branch", _RENAMED)):
        if found := shape.fullmatch(line.message):
            return Operation(kind, *where, source=found["source"], target=found["target"])
    if line.message.startswith("clone:"):
        return Operation("clone", *where)
    if found := _MERGE.fullmatch(line.message):
        return Operation("merge", *where, source=found["source"])
    kind = "pull" if _PULL.fullmatch(line.message) else "reset" if line.message.startswith("reset: ") else ""
    return Operation(kind, *where) if kind else None


def _is_same(one: Operation, other: Operation) -> bool:
    """Return whether two lines tell one thing: git notes the renaming of a branch twice."""
    return one.kind == other.kind == "branch" and (one.source, one.target) == (other.source, other.target)


def _step(message: str) -> tuple[str, str]:
    """Return the step of a rebase that a message tells, and what it says of it; empty for another message."""
    if found := _STEP.fullmatch(message):
        return found["step"], found["rest"]
    return next(((step, message[len(start) :]) for start, step in _OLD_STEPS if message.startswith(start)), ("", ""))


def _end_of_rebase(lines: Sequence[Line], start: int) -> int:
    """Return where the rebase that starts at a line ends; -1 where it does not, before another starts."""
    for at in range(start + 1, len(lines)):
        step, _ = _step(lines[at].message)
        if step in {"finish", "abort"}:
            return at
        if step == "start":
            break
    return -1


def _last_step(lines: Sequence[Line], start: int) -> int:
    at = start
    while at + 1 < len(lines) and _step(lines[at + 1].message)[0] not in {"", "start"}:
        at += 1
    return at


def _rebase(lines: Sequence[Line], start: int, last: int, *, has_ended: bool) -> Operation:
    step, rest = _step(lines[last].message)
    named = _NAMED_HEAD.search(rest)
    _, first = _step(lines[start].message)
    return Operation(
        "rebase",
        lines[start].old,
        lines[last].new,
        lines[last].at,
        source=first.removeprefix("checkout ").strip(),
        target=named["target"] if named else "",
        onto=lines[start].new,
        end=step if has_ended else "stopped",
    )


def _behind(lines: Sequence[bytes], offset: int) -> Position:
    return Position(offset, len(lines[-1]), digest(lines[-1])) if lines else Position(offset)


def _continues(descriptor: int, size: int, position: Position) -> bool:
    """Return whether the line before the position is the one that it remembers."""
    if size < position.offset:
        return False
    if not position.digest:
        return True
    line = os.pread(descriptor, position.length, position.offset - position.length)
    return len(line) == position.length and digest(line) == position.digest
