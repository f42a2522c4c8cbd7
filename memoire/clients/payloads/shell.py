"""Reads the records of the shell hooks, which `memoire.shells` writes: five fields after the format's number.

`1 US start_us US duration_us US exit_status US cwd US command`, US = 0x1F; fields may be empty where the shell does not
know. The command is what is left, so whatever it holds is of it.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from memoire.episodes.actions import Action

SHELLS = frozenset({"bash", "zsh", "fish"})

_END = b"\x1e\n"
_SEPARATOR = b"\x1f"
_FIELDS = 6
_DIGITS = 17
"""Of the longest number that is believed: microseconds since the epoch have 16 until the year 2286."""
_LAST_S = 253_402_300_799
"""The last second of the year 9999, the last that a datetime holds."""


class Command(NamedTuple):
    """One command line, as a shell ran it."""

    start: datetime | None
    """When it began; None where the shell has no clock."""
    duration_ms: int | None
    exit_status: int | None
    """128 + the signal's number where a signal ended it."""
    cwd: str
    """Absolute path of the folder it was started in; empty where it is not known."""
    command: str
    """To the letter, but what is no UTF-8 is replaced."""


def parse(data: bytes) -> Command | None:
    """Return the command of a record, with or without the record's end; None for what is no record. Total."""
    fields = data.removesuffix(_END).split(_SEPARATOR, _FIELDS - 1)
    if len(fields) != _FIELDS or fields[0] != b"1":
        return None
    numbers = [_number(field) for field in fields[1:4]]
    cwd, command = (field.decode("utf-8", "replace") for field in fields[4:])
    if not command.strip() or any(field and number is None for field, number in zip(fields[1:4], numbers, strict=True)):
        return None
    start, duration_us, exit_status = numbers
    return Command(
        start=None if start is None else from_us(start),
        duration_ms=None if duration_us is None else duration_us // 1000,
        exit_status=exit_status,
        cwd=cwd if cwd.startswith("/") else "",
        command=command,
    )


def action(client: str, name: str, data: bytes) -> Action | None:
    """Return the command of a record as an action; None for what is no record.

    Where the shell does not know when it began, the name of the file says when it ended.

    Args:
        client: The shell.
        name: Of the record's file: microseconds since the epoch, a `-`, and what makes it unique.
        data: The record.
    """
    found = parse(data)
    ended = _number(name.partition("-")[0].encode("utf-8", "replace"))
    if found is None or (found.start is None and ended is None):
        return None
    duration_ms = -1 if found.duration_ms is None else found.duration_ms
    return Action(
        kind="command",
        client=client,
        at=found.start or from_us(max((ended or 0) - max(duration_ms, 0) * 1000, 0)),
        key=name,
        cwd=found.cwd,
        text=found.command,
        exit_status=found.exit_status,
        duration_ms=duration_ms,
    )


def _number(field: bytes) -> int | None:
    return int(field) if field.isdigit() and len(field) <= _DIGITS else None


def from_us(microseconds: int) -> datetime:
    """Return the time of so many microseconds since the epoch, held before the year 10000: a clock may say anything."""
    return datetime.fromtimestamp(min(microseconds / 1e6, _LAST_S), UTC)
