"""Starts, stops and looks at the daemon of a project, and reads its log."""

import os
from pathlib import Path
from typing import Any, BinaryIO

from memoire import launch, paths
from memoire.errors import InvalidArgumentError
from memoire.sdk import Memoire

STOPPED = "stopped"
"""The `state` of a project whose daemon does not run."""

FOLLOW_S = 0.2
"""How often `logs --follow` looks for new lines, seconds."""

_CHUNK = 64 << 10


def start(root: str) -> dict[str, Any]:
    """Start the daemon where none runs; return whether that was needed, once it answers.

    Raises:
        DaemonUnavailableError: It does not start.
    """
    was_running = launch.is_running(root)
    socket = launch.ensure_daemon(root)
    return {"state": "running", "was_running": was_running, "pid": pid(root), "socket": socket}


def stop(root: str, *, is_restart: bool = False) -> dict[str, Any]:
    """Stop the daemon; return whether one ran, once it has let go of the project.

    Args:
        root: Of the project.
        is_restart: Say so: one that a service manager runs is started again by it.

    Raises:
        DaemonUnavailableError: It does not stop.
    """
    return {"state": STOPPED, "was_running": launch.stop_daemon(root, is_restart=is_restart)}


def status(root: str) -> dict[str, Any]:
    """Return what the daemon says of itself, without starting it.

    Raises:
        DaemonUnavailableError: It runs, and does not answer.
    """
    project = Memoire(root)
    return project.status() if project.is_running() else {"state": STOPPED, "root": root}


def pid(root: str) -> int:
    """Return the process that says it serves the project, 0 if none does."""
    return launch.holder_pid(f"{paths.state_dir(root)}/{launch.LOCK_FILE}")


def log_file(root: str) -> Path:
    """Return where the daemon's log is; it need not exist yet."""
    return Path(paths.state_dir(root)) / launch.LOG_FILE


def last_lines(path: Path, count: int) -> list[str]:
    """Return the last lines of a file, oldest first; none where there is no file.

    Raises:
        InvalidArgumentError: The count is negative.
    """
    if count < 0:
        raise InvalidArgumentError("-n", "is less than 0")
    try:
        with path.open("rb") as file:
            data = _tail(file, count)
    except FileNotFoundError:
        return []
    return data.decode("utf-8", "replace").splitlines()[-count:] if count else []


class LogReader:
    """Gives what a log file gains from now on; a file that was replaced or cut is read from its start."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inode, self._position = _identity(path)
        self._rest = b""

    def new_lines(self) -> list[str]:
        """Return the whole lines that came since the last call."""
        inode, size = _identity(self._path)
        if inode != self._inode or size < self._position:
            self._position, self._rest = 0, b""
        self._inode = inode
        if size == self._position:
            return []
        with self._path.open("rb") as file:
            file.seek(self._position)
            data = file.read(size - self._position)
        self._position += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        return [line.decode("utf-8", "replace") for line in whole]


def _tail(file: BinaryIO, count: int) -> bytes:
    """Return the end of the file that holds at least so many lines, read backwards."""
    position = file.seek(0, os.SEEK_END)
    data = b""
    while position and data.count(b"\n") <= count:
        step = min(_CHUNK, position)
        position -= step
        file.seek(position)
        data = file.read(step) + data
    return data


def _identity(path: Path) -> tuple[int, int]:
    """Return (inode, size), zeros where there is no file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_ino, found.st_size
