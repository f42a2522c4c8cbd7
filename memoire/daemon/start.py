"""`memoire daemon`: binds the socket first, and only then loads the rest.

Clients connect the moment the socket is bound and wait in its queue, so this module imports as little as it can.
"""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from memoire import paths
from memoire.daemon.bind import Bound, bind
from memoire.errors import InvalidArgumentError, MemoireError, NotInitializedError, RefusedRootError

_USAGE = "usage: memoire daemon --root ROOT [--foreground | --service]"
_HELP = f"""{_USAGE}

Serves one project in the background. Clients start it by themselves; `memoire start` does so by hand.

  --root ROOT   top folder of the project
  --foreground  stay in this terminal, and write the log there too; Ctrl-C ends it
  --service     for a service manager: stay in this process, and do not end when idle; see `memoire service`
"""

Serve = Callable[[Bound], int]
"""Runs the daemon once its socket is bound; returns the exit status."""


def main(arguments: Sequence[str], serve: Serve | None = None) -> int:
    """Run `memoire daemon`; return its exit status. `serve` stands in for the daemon proper in tests."""
    if set(arguments) & {"-h", "--help"}:
        sys.stdout.write(_HELP)
        return 0
    try:
        root, mode = _parse(arguments)
        ready = -1 if mode else _detach()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _quit)
        bound = bind(root, foreground=mode == "--foreground", is_service=mode == "--service")
    except MemoireError as error:
        sys.stderr.write(f"{error.code}: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"the daemon cannot start: {error}\n")
        return 1
    try:
        if ready >= 0:
            os.write(ready, b"\0")  # the process that started this one may end: the socket answers
            os.close(ready)
        if serve is None:
            from memoire.daemon.lifecycle import serve as serve_project

            serve = serve_project
        return serve(bound)
    finally:
        bound.close()
        bound.lock.release()


def _quit(number: int, _: object) -> NoReturn:
    """End on a signal that comes before the loop runs, which handles them then."""
    sys.exit(128 + number)


def _parse(arguments: Sequence[str]) -> tuple[str, str]:
    """Return (root, option that says how to run; empty: in the background)."""
    rest = list(arguments)
    mode = next((one for one in ("--foreground", "--service") if one in rest), "")
    if mode:
        rest.remove(mode)
    if len(rest) != 2 or rest[0] != "--root":
        raise InvalidArgumentError("daemon", _USAGE)
    root = paths.real(rest[1])
    why = paths.refuse_reason(root)
    if why:
        raise RefusedRootError(root, why)
    if not paths.is_initialized(root):
        raise NotInitializedError(root)
    return root, mode


def _detach() -> int:
    """Go on in a child that belongs to nobody; return the descriptor to write to once the socket is bound.

    Clients end their servers with all their descendants, found by parent: so the daemon's parent ends, once the daemon
    has bound or failed. Descriptors that came with the start are closed: a pipe of the client that stays open in here
    would keep it waiting for ever.
    """
    for fd in _open_descriptors():
        if fd > 2:
            _close(fd)
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        is_bound = os.read(reading, 1) == b"\0"
        os._exit(0 if is_bound else max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 1))
    os.close(reading)
    os.setsid()
    os.chdir("/")
    return writing


def _open_descriptors() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/dev/fd")]
    except OSError:  # a container without /proc
        return list(range(256))


def _close(fd: int) -> None:
    try:
        os.close(fd)
    except OSError:
        return  # the one that listed the folder
