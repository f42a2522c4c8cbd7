"""A home and a project of their own for tests that start daemons, and what talks to them."""

import asyncio
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from memoire import launch, paths
from memoire.daemon import bake
from tests import fake_memoire

T = TypeVar("T")
BOUND_S = 60.0
"""How long anything may take before the test fails: generous, as the machine may be busy."""

CLIENT = {"name": "test", "version": "1"}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}


class Place:
    """A project under a home of its own."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.home = top / "home"
        self.root = paths.real(top / "proj")
        self.state = Path()

    @property
    def log(self) -> str:
        path = self.state / launch.LOG_FILE
        return path.read_text("utf-8") if path.exists() else ""

    @property
    def daemon_pid(self) -> int:
        return launch.holder_pid(str(self.state / launch.LOCK_FILE))

    def kill_daemon(self) -> None:
        """Kill -9 who holds the lock, and wait until it has let go."""
        if launch.is_running(self.root):
            pid = self.daemon_pid
            assert pid != os.getpid(), "the test has not released its lock"
            if pid:
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not launch.is_running(self.root))


@contextmanager
def new_place() -> Iterator[Place]:
    """Make a place; at the end whatever daemon runs in it is killed."""
    top = Path(tempfile.mkdtemp(prefix="mm-", dir="/tmp"))  # a socket's path is short
    place = Place(top)
    before = os.environ.get("HOME")
    place.home.mkdir()
    (top / "proj" / ".memoire").mkdir(parents=True)
    (top / "proj" / ".memoire" / "config.toml").touch()
    os.environ["HOME"] = str(place.home)
    try:
        place.state = Path(paths.state_dir(place.root))
        yield place
        if Path(place.root).exists():
            place.kill_daemon()
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before
        shutil.rmtree(top, ignore_errors=True)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, with a bound."""

    async def bounded() -> T:
        async with asyncio.timeout(BOUND_S):
            return await work

    return asyncio.run(bounded())


def wait_until(is_so: Any) -> None:
    """Wait for another process, with a bound."""
    deadline = threading.Event()
    timer = threading.Timer(BOUND_S, deadline.set)
    timer.start()
    try:
        while not is_so():
            assert not deadline.wait(0.01), "it did not happen in time"
    finally:
        timer.cancel()


def baked_file(place: Place) -> str:
    """Write what the fake server answers always the same; return the path."""
    path = place.top / "baked.json"
    if not path.exists():
        path.write_text(_baked_text(), "utf-8")
    return str(path)


def _baked_text() -> str:
    if not _BAKED:
        source = fake_memoire.open_world_in_process("")
        _BAKED.append(bake.render(asyncio.run(bake.bake(source))))
    return _BAKED[0]


_BAKED: list[str] = []


class Process:
    """A forwarder, or anything else that speaks JSON lines on stdin and stdout."""

    def __init__(self, command: Sequence[str], **options: Any) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.stderr: list[bytes] = []
        threading.Thread(target=self._read, daemon=True).start()
        self._errors = threading.Thread(target=self._read_errors, daemon=True)
        self._errors.start()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._errors.join(BOUND_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.stderr.extend(self.process.stderr)

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        line = self._lines.get(timeout=BOUND_S)
        assert line, b"".join(self.stderr).decode()
        found = json.loads(line)
        assert isinstance(found, dict)
        return found

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.send(message)
        return self.receive()

    def initialize(self, version: str = "2025-11-25") -> dict[str, Any]:
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
        answer = self.ask({"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": params})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def is_silent_to_the_end(self) -> bool:
        return self._lines.get(timeout=BOUND_S) == b""

    def end(self) -> int:
        """Close stdin, and return the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(BOUND_S)


def forwarder(place: Place, folder: str | None = None, **options: Any) -> Process:
    """Start a forwarder to the fake daemon of the place."""
    command = [sys.executable, "-m", "tests.fake_memoire", "mcp", folder or place.root, baked_file(place)]
    return Process(command, cwd=Path(__file__).parents[1], **options)


def call(id_: Any, name: str, arguments: dict[str, Any] | None = None, *, is_modern: bool = False) -> dict[str, Any]:
    """Return a `tools/call` request."""
    params: dict[str, Any] = {"name": name, "arguments": arguments or {}}
    if is_modern:
        params["_meta"] = ENVELOPE
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}
