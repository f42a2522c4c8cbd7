"""The two locks of a daemon: one says who serves the project, one who writes its database.

A `flock`, not a pid file, is the authority: it ends with the process, however that ends, and pids are used again.
Both are one file each in the state folder; the second is apart so that a daemon of another version, which may serve
elsewhere, never writes the same database at the same time.
"""

import json
import os

from memoire import launch, paths

DATABASE_LOCK_FILE = "db.lock"
NOTE_BYTES = 512


class Lock:
    """A lock that this process holds until `release`, or its end."""

    def __init__(self, path: str, fd: int) -> None:
        self.path = path
        self._fd = fd

    def note(self, *, build: str = "", started_at: str = "") -> None:
        """Write who holds it into the file: information for people, and whom to signal where the lock is held."""
        who = {"pid": os.getpid(), "version": launch.VERSION, "build": build, "started_at": started_at}
        # One write, always as long: who reads meanwhile sees the one or the other, never none.
        os.pwrite(self._fd, json.dumps(who).encode().ljust(NOTE_BYTES - 1) + b"\n", 0)

    def is_held(self) -> bool:
        """Return whether the path still names the file that is locked; if not, another process may lock a new one."""
        return self._fd >= 0 and launch.is_same_file(self._fd, self.path)

    def release(self) -> None:
        """Let go; the file stays, because removing it would race with the next one who locks it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def take_project(root: str) -> Lock | None:
    """Return the lock of who serves the project, or None while another daemon holds it."""
    return _take(f"{paths.state_dir(root)}/{launch.LOCK_FILE}")


def take_database(root: str) -> Lock | None:
    """Return the lock of who writes the project's database, or None while another process holds it."""
    return _take(f"{paths.state_dir(root)}/{DATABASE_LOCK_FILE}")


def database_holder_pid(root: str) -> int:
    """Return the process that wrote itself into the database's lock file, 0 if unknown."""
    return launch.holder_pid(f"{paths.state_dir(root)}/{DATABASE_LOCK_FILE}")


def _take(path: str) -> Lock | None:
    fd = launch.try_lock(path)
    if fd is None:
        return None
    held = Lock(path, fd)
    held.note()  # at once: the pid in it is that of its last holder
    return held
