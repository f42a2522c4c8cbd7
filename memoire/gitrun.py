"""Runs git so that nothing of the repository runs with it, nothing is fetched and nothing is locked.

A repository may be a stranger's, its `.git/config` included (an archive carries it): no file system monitor, hooks,
pager, external diff, text conversion, signature check or lazy fetch.
"""

import contextlib
import os
import signal
import subprocess
import threading

from memoire import paths

_PREFIX = (
    "git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
    "-c", "log.showSignature=false", "-c", "core.sshCommand=false", "-c", "protocol.allow=never",
)  # fmt: skip


def run(
    root: paths.AnyPath,
    *arguments: str,
    timeout_s: float = 10.0,
    max_bytes: int = 64_000_000,
    keep_partial: bool = False,
) -> bytes | None:
    """Return what git prints for the repository of `root`, None where it fails, is absent or takes too long.

    Args:
        root: A directory.
        arguments: The subcommand and its arguments.
        timeout_s: After so many seconds git is killed.
        max_bytes: What it prints beyond is cut off, and git stopped.
        keep_partial: Return what it had printed when the time was up, or when it failed at an object it cannot read.
    """
    try:
        process = subprocess.Popen(
            [*_PREFIX, *arguments],
            cwd=root,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    late = threading.Event()

    def stop() -> None:
        late.set()
        _kill(process)

    timer = threading.Timer(timeout_s, stop)
    timer.daemon = True
    timer.start()
    with process:
        assert process.stdout is not None
        try:
            printed = process.stdout.read(max_bytes + 1)
            is_cut = len(printed) > max_bytes
            if is_cut:
                _kill(process)
            code = process.wait()
        finally:
            timer.cancel()
    if late.is_set():
        return printed[:max_bytes] if keep_partial else None
    if code != 0 and not (is_cut or keep_partial):
        return None
    return printed[:max_bytes]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git and what it started, which holds the pipe open: it leads a group of its own."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _environment() -> dict[str, str]:
    """Return the environment without any `GIT_*`: inside a git hook those point at another repository or index."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }
