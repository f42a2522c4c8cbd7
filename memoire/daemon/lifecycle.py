"""The life of a daemon after it has bound: open the project, serve, and end cleanly for whatever reason.

It ends when asked (signal, `POST /stop`), when nobody has needed it for a while, and when what it stands on is gone:
the project's folder, its lock file, its socket. Then another one can be started, and this one must not be in its way.
Of a state folder that is gone it writes nothing more, not even to close it: its name may be another daemon's by now.
"""

import asyncio
import faulthandler
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memoire import clock, heap, launch, paths
from memoire.daemon.app import Load, Opening, Source
from memoire.daemon.bind import Bound
from memoire.daemon.log import end_log, start_log
from memoire.daemon.server import Server

logger = logging.getLogger(__name__)

CHECK_S = 5.0
"""How often a daemon looks whether it should end by itself."""

CLOSE_S = 60.0
"""How long the store may take to close: a checkpoint after much was written takes seconds."""

EXIT_REPLACED = 75
"""Exit status of a service that is to start anew, of a newer build perhaps: a failure, so that its manager does that.

Source: sysexits.h, EX_TEMPFAIL.
"""

RESUME_S = 10.0
"""A machine that slept for so long since the last look is one where files may have changed unseen."""

EXIT_S = 10.0
"""How long threads may keep a process that has nothing more to do."""


class Daemon:
    """One daemon, from its bound socket to its end."""

    def __init__(
        self,
        bound: Bound,
        load: Load,
        *,
        check_s: float = CHECK_S,
        slept_s: Callable[[], float] = clock.slept_s,
    ) -> None:
        self._bound = bound
        self._check_s = check_s
        self._slept_s = slept_s
        self.has_lost_store = False
        """Whether what this daemon wrote is no longer its own."""
        self._build = launch.build_id()
        self._started = datetime.now(UTC)
        self._since = time.monotonic()
        self._stopping = asyncio.Event()
        self._reason = ""
        self._is_restart = False
        self._exit_status = 0
        self._opening = Opening(bound.root, load)
        self._server = Server(bound, self._opening, build=self._build, status=self.status, stop=self._asked_to_stop)
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
            if self._is_restart:
                await self._server.hang_up()
            self._opening.give_up("it was stopped before the project was open")
        await self._server.drain()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if not self.has_lost_store:
            await self._close()
        logger.info("ended")
        return self._exit_status

    def _asked_to_stop(self, is_restart: bool) -> None:  # noqa: FBT001 - the one argument of the callback
        self._is_restart = is_restart
        if is_restart and self._bound.is_service:
            self._exit_status = EXIT_REPLACED
        self.stop("asked to restart" if is_restart else "asked to stop")

    async def _close(self) -> None:
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._opening.close()
        except TimeoutError:
            logger.warning("the store did not close within %s s", CLOSE_S)

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
            "idle_exit_s": self._idle_s,
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
        slept_s = self._slept_s()
        while True:
            await asyncio.sleep(self._check_s)
            if reason := self._gone():
                self.stop(reason)
                return
            before_s, slept_s = slept_s, self._slept_s()
            if slept_s - before_s >= RESUME_S:
                logger.info("looking at everything again: the machine slept for %.0f s", slept_s - before_s)
                self._opening.look_again()
            if self._server.is_in_use:
                used = time.monotonic()
            idle_s = time.monotonic() - max(used, self._opening.last_activity())
            if 0 < self._idle_s < idle_s:
                self.stop("idle")
                return

    @property
    def _idle_s(self) -> float:
        """After how long without anything to do it ends; 0 = never: whoever started a service wants it to stay."""
        return 0.0 if self._bound.is_service else self._opening.idle_s

    def _gone(self) -> str:
        """Return what this daemon stands on that is no more; empty if all is there."""
        if not self._opening.owns_store():
            self.has_lost_store = True
            return "the state folder is gone"
        if self._opening.is_root_gone() or _identity(self._bound.root) != self._root_identity:
            return "the project's folder is gone"
        if self._opening.is_damaged():
            return "the store is damaged"
        if not self._bound.lock.is_held():
            return "the lock file is gone"
        return "" if self._bound.is_reachable() else "the socket is gone"


def serve(bound: Bound, load: Load | None = None, *, check_s: float = CHECK_S) -> int:
    """Run a daemon to its end; return the exit status. `load` opens what is served: the project unless given."""
    level = logging.DEBUG if os.environ.get("MEMOIRE_DEBUG") else logging.INFO
    path = Path(paths.state_dir(bound.root), launch.LOG_FILE)
    handlers = start_log(path, level=level, foreground=bound.foreground)
    faulthandler.enable()
    heap.keep_small()
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
        status = await daemon.run()
        if daemon.has_lost_store:
            logging.shutdown()
            os._exit(status)  # nothing is closed, as little as in a crash
        return status
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
