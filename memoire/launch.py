"""Finds the daemon of a project, and starts it where there is none. Standard library only.

The socket answers or it does not: no pid file is trusted. Whoever finds nobody there takes `spawn.lock` and starts the
daemon; the others wait for the socket. Should two be started all the same, the daemon's own lock lets one live.
"""

import binascii
import fcntl
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from memoire import __version__, paths
from memoire.errors import BadRequestError, DaemonUnavailableError

VERSION = __version__

WAIT_S = 40.0
"""How long a caller waits for a daemon: longer than one that is stopping may keep its successor waiting."""

LOCK_FILE = "lock"
"""Held by the daemon of the project for life."""

SPAWN_LOCK_FILE = "spawn.lock"
"""Held by the one process that is starting the daemon."""

RESTART_TARGET = "/stop?for=restart"
"""Asks a daemon to make way for another build, or for itself. One too old to know a query ends as well."""

LOG_FILE = "log/daemon.log"
BAKED_FILE = os.path.join(os.path.dirname(__file__), "baked.json")
EXIT_RUNNING = 3
"""Exit status of a daemon that found another one."""

MAX_ANSWER_BYTES = 64 << 20
_POLL_S = 0.02
_BOUND_GRACE_S = 5.0
_KILLED_S = 5.0
"""How long the system may take to end a killed process, seconds."""
MAX_STARTS = 2
"""How often one caller starts a daemon: again where the first was killed just after it had bound."""

_KEPT = frozenset(("HOME", "PATH", "LANG", "LC_ALL", "USER", "LOGNAME", "TMPDIR"))
_CODE = (".py", ".json", ".toml", ".scm", ".surql")


def build_id() -> str:
    """Return what tells this code from any other: `version:newest change:checksum of names, sizes and times`."""
    newest, checksum = 0, 0
    for name, size, mtime_ns in sorted(_code_files(os.path.dirname(__file__), "")):
        newest = max(newest, mtime_ns)
        checksum = binascii.crc32(f"{name}\0{size}\0{mtime_ns}\n".encode(), checksum)
    return f"{VERSION}:{newest:x}:{checksum:08x}"


def baked_operations() -> list[dict[str, Any]]:
    """Return every operation as `baked.json` has it: name, command, title, description, input schema and so on.

    It is made from `memoire.operations`, whose import costs a command more than the whole of its work.
    """
    with open(BAKED_FILE, "rb") as file:
        found = json.load(file)["operations"]
    assert isinstance(found, list)
    return found


def is_newer(build: str, than: str) -> bool:
    """Return whether one build is newer than another: a strict order, so that two installations never replace in turn.

    A build whose id cannot be read is newer than none, and none is newer than it.
    """
    mine, theirs = _build_key(build), _build_key(than)
    return mine is not None and theirs is not None and mine > theirs


def try_lock(path: str) -> int | None:
    """Return a descriptor that holds the `flock` of the file, made with mode 0600; None if another one holds it.

    Closing the descriptor, or the end of the process however it comes, lets go.
    """
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        except OSError:
            os.close(fd)
            raise
        if is_same_file(fd, path):
            return fd
        os.close(fd)  # the file was replaced between the two calls: what we hold is no lock any more


def is_same_file(fd: int, path: str) -> bool:
    """Return whether the path still names the open file."""
    try:
        return os.path.samestat(os.fstat(fd), os.lstat(path))
    except OSError:
        return False


def connect(path: str) -> socket.socket | None:
    """Return a connected, blocking socket, or None where nobody listens."""
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    link.settimeout(0)
    try:
        link.connect(path)
    except (FileNotFoundError, ConnectionRefusedError, BlockingIOError):  # the last: its queue is full
        link.close()
        return None
    except OSError:
        link.close()
        raise
    link.settimeout(None)
    return link


def is_running(root: str) -> bool:
    """Return whether a daemon holds the project, be it starting, serving or stopping."""
    fd = try_lock(os.path.join(paths.state_dir(root), LOCK_FILE))
    if fd is None:
        return True
    os.close(fd)
    return False


def holder_pid(path: str) -> int:
    """Return the process that wrote itself into a lock file, 0 if none did. Information only: it may be long dead."""
    try:
        with open(path, "rb") as file:
            pid = json.loads(file.read(4096))["pid"]
    except (OSError, ValueError, TypeError, KeyError):
        return 0
    return pid if isinstance(pid, int) and pid > 1 else 0


def daemon_command(root: str) -> list[str]:
    """Return the command that starts the daemon.

    `-P`: the working directory is the project's, and a `json.py` of a stranger's repository must not be imported.
    """
    return [sys.executable, "-P", "-m", "memoire", "daemon", "--root", root]


def service_command(root: str) -> list[str]:
    """Return the command that a service manager runs: it stays in the process that was started, and never idles out."""
    return [*daemon_command(root), "--service"]


def code_path() -> str:
    """Return what the daemon needs as PYTHONPATH: the folder of a checkout that is not installed, else nothing."""
    parent = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return "" if os.path.basename(parent) in {"site-packages", "dist-packages"} else parent


def scrubbed_environment() -> dict[str, str]:
    """Return what the daemon gets of our environment: it outlives the session, and must not hold its secrets."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith("MEMOIRE_")}
    if code_path():
        kept["PYTHONPATH"] = code_path()
    return kept


class Launch:
    """One try at reaching the daemon: connects, or starts it, and never blocks.

    Call `poll` every few hundredths of a second until it returns the connection or raises.
    """

    def __init__(self, root: str, *, wait_s: float = WAIT_S, command: Sequence[str] | None = None) -> None:
        self._root = root
        self._command = list(command or daemon_command(root))
        self._state = paths.state_dir(root)
        self._socket_path = paths.socket_path(root)
        self._deadline = time.monotonic() + wait_s
        self._lock: int | None = None
        self._child = 0
        self._is_started = False
        self._starts = 0
        self._log_size = 0

    def poll(self) -> socket.socket | None:
        """Return a connection to the daemon, None if it is not there yet.

        Raises:
            DaemonUnavailableError: It could not be started, or did not answer in time; why is its log's last line.
        """
        try:
            found = connect(self._socket_path)
            if found is None and not self._is_started:
                found = self._start()
        except OSError as error:
            where = f": {os.fsdecode(error.filename)}" if error.filename else ""
            raise self._failed(f"{error.strerror or error}{where}") from error
        if found is not None:
            self.close()
            return found
        if self._child:
            self._watch()
        elif self._is_started and self._starts < MAX_STARTS and not is_running(self._root):
            self._is_started = False  # it had bound, and was ended before we got through to it
        if time.monotonic() > self._deadline:
            raise self._failed(self._last_words() or "it does not answer")
        return None

    def close(self) -> None:
        """Let others start the daemon, if this was doing so."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._child:
            self._reap()

    def _start(self) -> socket.socket | None:
        if self._lock is None:
            self._lock = try_lock(os.path.join(self._state, SPAWN_LOCK_FILE))
        if self._lock is None:
            return None  # another process is starting it
        found = connect(self._socket_path)  # who held the lock before may just have finished
        if found is None:
            self._spawn()
        return found

    def _spawn(self) -> None:
        log = os.path.join(self._state, LOG_FILE)
        os.makedirs(os.path.dirname(log), mode=0o700, exist_ok=True)
        # Here, although the child opens it too: its failure would be told as one of the program.
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        self._log_size = os.fstat(descriptor).st_size
        os.close(descriptor)
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ]
        environment = scrubbed_environment()
        program = self._command[0]
        try:
            self._child = os.posix_spawn(program, self._command, environment, file_actions=actions, setsid=True)
        except NotImplementedError:  # the daemon calls it itself, a little later
            self._child = os.posix_spawn(program, self._command, environment, file_actions=actions)
        self._is_started = True
        self._starts += 1

    def _watch(self) -> None:
        """Notice the end of the process that was started: it ends well once its child, the daemon, has bound."""
        status = self._reap()
        if status is None:
            return
        if status not in {0, EXIT_RUNNING}:
            raise self._failed(self._last_words() or f"it ended with status {status}")
        self._deadline = min(self._deadline, time.monotonic() + _BOUND_GRACE_S)

    def _reap(self) -> int | None:
        try:
            pid, status = os.waitpid(self._child, os.WNOHANG)
        except ChildProcessError:  # the program we live in ignores its children, so the system reaped it
            pid, status = self._child, 0
        if pid == 0:
            return None
        self._child = 0
        return os.waitstatus_to_exitcode(status)

    def _failed(self, why: str) -> DaemonUnavailableError:
        self.close()
        return DaemonUnavailableError(self._root, why.rstrip("."))

    def _last_words(self) -> str:
        """Return the last line that the log gained since the start."""
        try:
            with open(os.path.join(self._state, LOG_FILE), "rb") as file:
                size = os.fstat(file.fileno()).st_size
                file.seek(max(self._log_size if self._log_size <= size else 0, size - 4096))
                lines = file.read().decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return next((line.strip() for line in reversed(lines) if line.strip()), "")[:500]


def reach_daemon(root: str, *, wait_s: float = WAIT_S, command: Sequence[str] | None = None) -> socket.socket:
    """Return a connection to the daemon of the project, which is started where it is absent.

    Raises:
        DaemonUnavailableError: It could not be started, or did not answer within `wait_s` seconds.
        UnsafeFolderError: The state folder is not ours alone.
        StoreUnavailableError: The state folder cannot be made.
    """
    launch = Launch(root, wait_s=wait_s, command=command)
    try:
        while (found := launch.poll()) is None:
            time.sleep(_POLL_S)
    finally:
        launch.close()
    return found


def ensure_daemon(root: str, *, wait_s: float = WAIT_S, command: Sequence[str] | None = None) -> str:
    """Return the path of the daemon's socket, once one answers there.

    Raises:
        DaemonUnavailableError: It could not be started, or did not answer within `wait_s` seconds.
        UnsafeFolderError: The state folder is not ours alone.
    """
    reach_daemon(root, wait_s=wait_s, command=command).close()
    return paths.socket_path(root)


def ask(
    link: socket.socket, method: str, target: str, body: bytes = b"", *, timeout_s: float = 60.0
) -> tuple[int, dict[str, str], bytes]:
    """Send one HTTP request, and return (status, headers in lower case, body) of the answer. Closes the connection.

    Raises:
        BadRequestError: What came back is no HTTP answer, or too large.
        OSError: The daemon went away, or was silent for `timeout_s` seconds.
    """
    head = f"{method} {target} HTTP/1.1\r\nHost: memoire\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    parts: list[bytes] = []
    size = 0
    with link:
        link.settimeout(timeout_s)
        link.sendall(head.encode("ascii") + body)
        while chunk := link.recv(65536):
            parts.append(chunk)
            size += len(chunk)
            if size > MAX_ANSWER_BYTES:
                raise BadRequestError("the daemon's answer is too large")
    return _parse_answer(b"".join(parts))


def stop_daemon(root: str, *, wait_s: float = WAIT_S, is_restart: bool = False) -> bool:
    """Ask the daemon to finish its work and end; return whether there was one, once it has let go of the project.

    Another client may start the next one at once: that one is not waited for. A daemon that does not
    hear gets SIGTERM, and SIGKILL at the end: it is the process in the lock file whose lock we cannot take. One that
    agreed to end is never killed: it has work to finish. `is_restart`: as `request_stop` has it.

    Raises:
        DaemonUnavailableError: It still runs after `wait_s` seconds.
    """
    if not is_running(root):
        return False
    pid = _project_holder(root)
    deadline = time.monotonic() + wait_s
    has_agreed = request_stop(paths.socket_path(root), timeout_s=wait_s / 4, is_restart=is_restart)
    if not has_agreed:
        _signal_holder(root, pid, signal.SIGTERM)
    has_ended = _has_ended(root, pid, deadline)
    if not has_ended and not has_agreed:
        _signal_holder(root, pid, signal.SIGKILL)
        has_ended = _has_ended(root, pid, time.monotonic() + _KILLED_S)
    if not has_ended:
        raise DaemonUnavailableError(root, f"it does not stop within {wait_s:g} s")
    return True


def request_stop(socket_path: str, *, timeout_s: float, is_restart: bool = False) -> bool:
    """Ask whoever listens on the socket to finish and end; return whether it agreed.

    Where it is to make way for another, it is told: its service manager starts it again then, of the build there is.
    """
    target = RESTART_TARGET if is_restart else "/stop"
    try:
        link = connect(socket_path)
        return link is not None and ask(link, "POST", target, timeout_s=timeout_s)[0] == 200
    except (OSError, BadRequestError):
        return False


def _project_holder(root: str) -> int:
    return holder_pid(os.path.join(paths.state_dir(root), LOCK_FILE))


def _has_ended(root: str, pid: int, deadline: float) -> bool:
    """Wait until the process does not hold the project any more; return whether that came before the deadline."""
    while is_running(root):
        if pid and _project_holder(root) != pid:
            return True  # somebody has already started the next one
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def _signal_holder(root: str, pid: int, number: signal.Signals) -> None:
    if pid and is_running(root) and _project_holder(root) == pid and _is_ours(pid):
        try:  # noqa: SIM105 - contextlib costs the hook 3 ms
            os.kill(pid, number)
        except OSError:
            pass  # gone, or not ours: then its lock goes too


def _is_ours(pid: int) -> bool:
    """Return whether the process is one of memoire, as far as can be seen.

    What holds the lock at this moment may be a command that only looks whether it is free, and the pid in the file
    that of a daemon long dead: an unrelated process may have it now.
    """
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"memoire" in file.read()
    except FileNotFoundError:
        return not os.path.exists("/proc/self")  # macOS: nothing to compare with
    except OSError:
        return False


def _parse_answer(data: bytes) -> tuple[int, dict[str, str], bytes]:
    head, separator, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ", 2)
    if not separator or len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdecimal():
        raise ConnectionResetError("the daemon closed the connection before it answered")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if headers.get("content-length") != str(len(body)):
        raise ConnectionResetError("the daemon closed the connection in the middle of its answer")
    return int(words[1]), headers, body


def _code_files(folder: str, prefix: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _code_files(entry.path, f"{prefix}{entry.name}/")
            elif entry.name.endswith(_CODE):
                found = entry.stat()
                yield f"{prefix}{entry.name}", found.st_size, found.st_mtime_ns


def _build_key(build: str) -> tuple[tuple[int, ...], int] | None:
    version, _, rest = build.partition(":")
    try:
        return tuple(int(part) for part in version.split(".")), int(rest.partition(":")[0], 16)
    except ValueError:
        return None
