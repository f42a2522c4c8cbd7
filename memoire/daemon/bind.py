"""Takes a project for one daemon: its lock, then its socket. Imports as little as it can."""

import os
import socket
import time

from memoire import launch, paths
from memoire.daemon import lock
from memoire.errors import DaemonRunningError

BACKLOG = 128
HANDOVER_S = 30.0
"""How long a new daemon waits for one that listens no more but still closes its store."""

_POLL_S = 0.05


class Bound:
    """What a daemon holds from its first moment: the lock of the project, and the socket that answers for it."""

    def __init__(
        self,
        root: str,
        held: lock.Lock,
        listener: socket.socket,
        path: str,
        *,
        foreground: bool,
        is_service: bool = False,
    ) -> None:
        self.root = root
        self.lock = held
        self.listener = listener
        self.socket_path = path
        self.foreground = foreground
        self.is_service = is_service
        """Run by the service manager of the system: it stays, and is started again after a failure."""
        self._file = _identity(path)

    def is_reachable(self) -> bool:
        """Return whether the socket's path still leads to this process."""
        return self._file is not None and _identity(self.socket_path) == self._file

    def hide(self) -> None:
        """Remove the socket from its folder: nobody finds it any more, who has connected is not concerned."""
        if self.is_reachable():
            os.unlink(self.socket_path)
        self._file = None

    def close(self) -> None:
        """Listen no more. The lock is kept: the store may still have to be closed."""
        self.hide()
        self.listener.close()


def bind(root: str, *, foreground: bool, is_service: bool = False) -> Bound:
    """Take the project and listen on its socket. A service asks the daemon that a client has started to make way.

    Raises:
        DaemonRunningError: Another daemon serves the project, or has not let go of it for `HANDOVER_S` seconds.
        UnsafeFolderError: The folder of the socket is not ours alone.
        OSError: The state folder cannot be written.
    """
    path = paths.socket_path(root)
    held = _take_or_wait(root, path, takes_over=is_service)
    try:
        if os.path.lexists(path):
            os.unlink(path)  # of a daemon that was killed: with the lock held it is nobody's
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)  # a socket has its mode from its first moment: the folder alone is not trusted with it
        try:
            listener.bind(path)
        finally:
            os.umask(mask)
        listener.listen(BACKLOG)
    except OSError:
        held.release()
        raise
    return Bound(root, held, listener, path, foreground=foreground, is_service=is_service)


def _take_or_wait(root: str, path: str, *, takes_over: bool) -> lock.Lock:
    deadline = time.monotonic() + HANDOVER_S
    while (held := lock.take_project(root)) is None:
        other = launch.connect(path)
        if other is not None:
            other.close()
        if other is not None and takes_over:
            takes_over = False  # once: one that does not agree is not in the way by mistake
            if launch.request_stop(path, timeout_s=HANDOVER_S):
                continue
        if other is not None or time.monotonic() > deadline:
            raise DaemonRunningError(root, launch.holder_pid(f"{paths.state_dir(root)}/{launch.LOCK_FILE}"))
        time.sleep(_POLL_S)  # it is starting, or stopping
    return held


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
