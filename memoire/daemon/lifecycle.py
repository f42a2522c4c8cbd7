"""The life of a daemon after it has bound: open the project, serve, and end cleanly for whatever reason.

It ends when asked (signal, `POST /stop`), when nobody has needed it for a while, and when what it stands on is gone:
the project's folder, its lock file, its socket. Then another one can be started, and this one must not be in its way.
"""

import asyncio
import faulthandler
import logging
import os
import signal
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from memoire import launch, paths
from memoire.daemon.app import Load, Opening, Source
from memoire.daemon.bind import Bound
from memoire.daemon.log import end_log, start_log
from memoire.daemon.server import Server

logger = logging.getLogger(__name__)

CHECK_S = 5.0
"""How often a daemon looks whether it should end by itself."""

CLOSE_S = 60.0
"""How long the store may take to close: a checkpoint after much was written takes seconds."""

EXIT_S = 10.0
"""How long threads may keep a process that has nothing more to do."""


class Daemon:
    """One daemon, from its bound socket to its end."""

    def __init__(self, bound: Bound, load: Load, *, check_s: float = CHECK_S) -> None:
        self._bound = bound
        self._check_s = check_s
        self._build = launch.build_id()
        self._started = datetime.now(UTC)
        self._since = time.monotonic()
        self._stopping = asyncio.Event()
        self._reason = ""
        self._exit_status = 0
        self._opening = Opening(bound.root, load)
        self._server = Server(
            bound, self._opening, build=self._build, status=self.status, stop=partial(self.stop, "asked to stop")
        )
        self._root_identity = _identity(bound.root)

    async def run(self) -> int:
        """Serve until there is a reason to end; return the exit status."""
        self._bound.lock.note(build=self._build, started_at=_wire_time(self._started))
        logger.info("serving pid=%s build=%s", os.getpid(), self._build)
        await self._server.start()
        tasks = [asyncio.create_task(self._opening.run()), asyncio.create_task(self._watch())]
        for task in tasks:
            task.add_done_callback(self._ended)
        await self._stopping.wait()
        logger.info("ending reason=%s", self._reason)
        if self._opening.state != "ready":
            self._opening.give_up("it was stopped before the project was open")
        await self._server.drain()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._opening.close()
        except TimeoutError:
            logger.warning("the store did not close within %s s", CLOSE_S)
        logger.info("ended")
        return self._exit_status

    def stop(self, reason: str) -> None:
        """End, once what is being answered has been."""
        self._reason = self._reason or reason
        self._stopping.set()

    def signalled(self, number: int) -> None:
        """End on a signal; at once on a second one, which the store survives as it does any crash."""
        if self._stopping.is_set():
            os._exit(128 + number)
        self.stop(signal.Signals(number).name)

    def status(self) -> Mapping[str, Any]:
        """Return what `GET /status` answers."""
        failure = self._opening.failure
        found: dict[str, Any] = {
            "state": "stopping" if self._stopping.is_set() else self._opening.state,
            "root": self._bound.root,
            "pid": os.getpid(),
            "version": launch.VERSION,
            "build": self._build,
            "started_at": _wire_time(self._started),
            "uptime_s": round(time.monotonic() - self._since, 1),
            "assistants": self._server.assistants,
            "idle_exit_s": self._opening.idle_s,
        }
        if failure is not None:
            found["problem"] = {"code": failure.code, "message": str(failure)}
        project = self._opening.status()
        return {**found, "project": project} if project else found

    def _ended(self, task: asyncio.Task[None]) -> None:
        """End the daemon when one of its own tasks failed: the next start may do better, and the log has why."""
        if task.cancelled() or (error := task.exception()) is None:
            return
        logger.error("failed", exc_info=error)
        self._exit_status = 1
        self._opening.give_up(f"the project could not be opened ({type(error).__name__})")
        self.stop("failure")

    async def _watch(self) -> None:
        used = time.monotonic()
        while True:
            await asyncio.sleep(self._check_s)
            if reason := self._gone():
                self.stop(reason)
                return
            if self._server.is_in_use:
                used = time.monotonic()
            idle_s = time.monotonic() - max(used, self._opening.last_activity())
            if 0 < self._opening.idle_s < idle_s:
                self.stop("idle")
                return

    def _gone(self) -> str:
        """Return what this daemon stands on that is no more; empty if all is there."""
        if _identity(self._bound.root) != self._root_identity:
            return "the project's folder is gone"
        if not self._bound.lock.is_held():
            return "the lock file is gone"
        return "" if self._bound.is_reachable() else "the socket is gone"


def serve(bound: Bound, load: Load | None = None, *, check_s: float = CHECK_S) -> int:
    """Run a daemon to its end; return the exit status. `load` opens what is served: the project unless given."""
    level = logging.DEBUG if os.environ.get("MEMOIRE_DEBUG") else logging.INFO
    path = Path(paths.state_dir(bound.root), launch.LOG_FILE)
    handlers = start_log(path, level=level, foreground=bound.foreground)
    faulthandler.enable()
    try:
        return asyncio.run(_run(bound, load or _load_project, check_s))
    finally:
        end_log(handlers)


async def _run(bound: Bound, load: Load, check_s: float) -> int:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_log_failure)
    daemon = Daemon(bound, load, check_s=check_s)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, daemon.signalled, number)
    try:
        return await daemon.run()
    finally:
        # A thread that hangs must not keep the process, and with it the locks.
        last = threading.Timer(EXIT_S, os._exit, (1,))
        last.daemon = True
        last.start()


def _load_project(root: str) -> Source:
    from memoire.daemon.assembly import load  # noqa: PLC0415 - the store, the index and the parsers: after the bind

    return load(root)


def _log_failure(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log what asyncio found nobody to tell; its own message would quote the task's."""
    error = context.get("exception")
    logger.error("%s", context.get("message", "failure"), exc_info=error if isinstance(error, Exception) else None)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _wire_time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
