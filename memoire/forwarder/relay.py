"""The way to the daemon and back, once there is something for the daemon to do.

It survives the daemon: what was on its way is asked again where that is harmless, else answered by an error.

Invariants: every request gets one answer; who reads no more is waited for, never written to, since that would block.
"""

import json
import os
import select
import socket
import time
from collections.abc import Sequence

from memoire import launch, paths
from memoire.errors import DaemonError, DaemonUnavailableError, MemoireError, NotInitializedError, RefusedRootError
from memoire.forwarder.client import (
    HANDSHAKE,
    INTERNAL_ERROR,
    MODERN,
    READ_BYTES,
    WRITE_BYTES,
    Client,
    Frame,
    key_of,
)

GREETING = "MEMOIRE-MCP"
REPLAY_ID = "memoire-forwarder-initialize"

MAX_WAITING_BYTES = 32 << 20
"""No more is read from one side while so much of it is not yet taken by the other."""

LAUNCH_POLL_S = 0.02
PARENT_POLL_S = 5.0
"""How often to look whether the parent is still there: not every client closes our stdin when it dies."""

GREETING_S = 40.0
"""How long a daemon that accepted may take to say who it is: under load its start takes seconds."""

LINGER_S = 10.0
"""How long answers may still come after the end of stdin."""

STOP_S = 5.0
MAX_REPLACED = 2
MAX_LOSSES = 5
"""Daemons in a row that ended without an answer, before the fault is not believed to pass."""

_HARMLESS = frozenset(("resources/read", "prompts/get", "completion/complete", "ping", "server/discover"))


class Pending:
    """A request that the daemon has to answer."""

    __slots__ = ("frame", "is_harmless", "is_sent", "tries")

    def __init__(self, frame: Frame, harmless_tools: frozenset[str]) -> None:
        self.frame = frame
        self.is_sent = False
        self.tries = 0
        if frame.method == "tools/call":
            self.is_harmless = frame.params.get("name") in harmless_tools
        else:
            self.is_harmless = frame.method in _HARMLESS or frame.method.endswith("/list")


class Link:
    """The connection to the daemon: found, else started, replaced where its build is older; then it carries lines."""

    def __init__(self, folder: str, command: Sequence[str] | None = None) -> None:
        self.is_ready = False
        self.outgoing = bytearray()
        self._socket: socket.socket | None = None
        self._folder = folder
        self._command = command
        self._root = ""
        self._build = launch.build_id()
        self._launch: launch.Launch | None = None
        self._incoming = bytearray()
        self._deadline = 0.0
        self._replaced = 0

    @property
    def fd(self) -> int:
        """Return the descriptor of the connection, -1 where there is none."""
        return -1 if self._socket is None else self._socket.fileno()

    @property
    def is_open(self) -> bool:
        """Return whether there is a connection, or one is coming."""
        return self._launch is not None or self._socket is not None

    @property
    def is_launching(self) -> bool:
        """Return whether there is no connection yet."""
        return self._launch is not None

    def open(self) -> None:
        """Begin to connect.

        Raises:
            MemoireError: Here is no project, or none that may have a daemon.
            OSError: The state folder cannot be made.
        """
        # Each time anew: the person may have run `memoire init` since the last call.
        self._root = paths.find_root(self._folder)
        if why := paths.refuse_reason(self._root):
            raise RefusedRootError(self._root, why)
        if not paths.is_initialized(self._root):
            raise NotInitializedError(self._root)
        self._launch = launch.Launch(self._root, command=self._command)

    def poll(self) -> None:
        """Go on connecting.

        Raises:
            DaemonUnavailableError: It cannot be done.
        """
        if self._launch is not None:
            self._socket = self._launch.poll()
            if self._socket is not None:
                self._launch = None
                self._socket.settimeout(0)
                self.outgoing = bytearray(f"{GREETING} {self._build}\n".encode())
                self._deadline = time.monotonic() + GREETING_S
        elif self._socket is not None and not self.is_ready and time.monotonic() > self._deadline:
            raise DaemonUnavailableError(self._root, f"it said nothing for {GREETING_S:g} s")

    def receive(self) -> list[bytes]:
        """Return the whole lines that have come. The caller knows that there is something to read.

        Raises:
            ConnectionError: The daemon is gone.
            DaemonUnavailableError: It speaks a later protocol.
        """
        assert self._socket is not None
        data = self._socket.recv(READ_BYTES)
        if not data:
            raise ConnectionResetError("the daemon closed the connection")
        self._incoming += data
        if b"\n" not in data:
            return []
        *lines, self._incoming = self._incoming.split(b"\n")
        if not self.is_ready:
            self._greeted(lines.pop(0).decode("ascii", "replace"))
        return [bytes(line) for line in lines]

    def flush(self) -> None:
        """Send a little. The caller knows that the daemon takes it."""
        assert self._socket is not None
        try:
            sent = self._socket.send(self.outgoing[:READ_BYTES])
        except ConnectionError:
            sent = len(self.outgoing)  # `receive` meets the end, after what was still said before it
        del self.outgoing[:sent]

    def close(self) -> None:
        """Let go; `open` begins anew."""
        if self._launch is not None:
            self._launch.close()
        if self._socket is not None:
            self._socket.close()
        self._launch = self._socket = None
        self.is_ready = False
        self.outgoing.clear()
        self._incoming.clear()

    def unavailable(self, why: str) -> DaemonUnavailableError:
        """Return the error of a daemon that is not there."""
        return DaemonUnavailableError(self._root, why)

    def _greeted(self, line: str) -> None:
        name, _, theirs = line.partition(" ")
        if name != GREETING and name.startswith(GREETING):
            # A later protocol begins with a name of its own, this one and a number. It will not do to ask again.
            raise self.unavailable("it is of a newer memoire than this; restart the assistant to connect anew")
        if name != GREETING:
            raise ConnectionResetError("who answers is no memoire daemon")
        if launch.is_newer(self._build, theirs) and self._replaced < MAX_REPLACED:
            # It was started before the upgrade. It closes its socket before it answers, so the next one is not it.
            self._replaced += 1
            self.close()
            launch.request_stop(paths.socket_path(self._root), timeout_s=STOP_S, is_restart=True)
            self.open()
            return
        self.is_ready = True


class Relay:
    """Between the client and the link, until the client leaves."""

    def __init__(self, client: Client, link: Link, parent: int) -> None:
        self._client = client
        self._link = link
        self._parent = parent
        self._pending: dict[str, Pending] = {}
        self._has_replayed = False
        self._losses = 0
        self._end = float("inf")

    def run(self, frames: Sequence[Frame]) -> int:
        """Serve until the client leaves, the given frames first; return the exit status."""
        for frame in frames:
            self._take(frame)
        self._open(is_needed=False)  # so that it is warm when it is needed
        try:
            while not self._is_done():
                self._turn()
        finally:
            self._link.close()
        return 0

    def _is_done(self) -> bool:
        client = self._client
        if os.getppid() != self._parent:
            return True
        if not client.is_over:
            return False
        now = time.monotonic()
        self._end = min(self._end, now + LINGER_S)
        return now > self._end or not (self._pending or client.outgoing)

    def _turn(self) -> None:
        client, link = self._client, self._link
        try:
            self._advance()
            readable, writable = self._wait()
            if link.fd in readable:
                for line in link.receive():
                    self._answered(line)
            if link.fd in writable:
                link.flush()
        except MemoireError as error:
            self._fail(error)
            return
        except OSError as error:
            self._lost(error)
            return
        if client.stdin in readable:
            for frame in client.read():
                self._take(frame)
        if client.stdout in writable:
            client.flush()

    def _wait(self) -> tuple[list[int], list[int]]:
        """Return what can be read and what can be written, once there is something, or it is time to look around."""
        client, link = self._client, self._link
        unsent = sum(len(one.frame.line) for one in self._pending.values() if not one.is_sent)
        readers: list[int] = []
        writers: list[int] = [client.stdout] if client.outgoing else []
        if not client.is_over and unsent + len(link.outgoing) + len(client.outgoing) < MAX_WAITING_BYTES:
            readers.append(client.stdin)
        if link.fd >= 0:
            if len(client.outgoing) < MAX_WAITING_BYTES:
                readers.append(link.fd)
            if link.outgoing:
                writers.append(link.fd)
        wait_s = LAUNCH_POLL_S if link.is_launching else PARENT_POLL_S
        readable, writable, _ = select.select(readers, writers, [], wait_s)
        return readable, writable

    def _take(self, frame: Frame) -> None:
        """Keep a request until it is answered; pass a notification on where somebody knows what it is about."""
        if frame.is_request:
            self._pending[key_of(frame.id)] = Pending(frame, self._client.baked.harmless_tools)
        elif frame.method == "notifications/cancelled":
            gone = self._pending.pop(key_of(frame.params.get("requestId")), None)
            if gone is not None and gone.is_sent:
                self._link.outgoing += frame.line + b"\n"
        elif self._has_replayed:
            self._link.outgoing += frame.line + b"\n"

    def _advance(self) -> None:
        if self._pending and not self._link.is_open:
            self._open(is_needed=True)
        if self._link.is_open:
            self._link.poll()
        if self._link.is_ready:
            for one in self._pending.values():
                if not one.is_sent:
                    self._send(one)

    def _open(self, *, is_needed: bool) -> None:
        try:
            self._has_replayed = False
            self._link.open()
        except (MemoireError, OSError) as error:
            if is_needed:
                self._fail(error if isinstance(error, MemoireError) else self._link.unavailable(str(error)))

    def _send(self, one: Pending) -> None:
        client, link = self._client, self._link
        if one.frame.is_modern and not client.era:
            client.era = MODERN
        if client.era == HANDSHAKE and not self._has_replayed:
            replay = {"jsonrpc": "2.0", "id": REPLAY_ID, "method": "initialize", "params": client.initialize}
            link.outgoing += json.dumps(replay).encode("ascii") + b"\n"
            link.outgoing += b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
            self._has_replayed = True
        link.outgoing += one.frame.line + b"\n"
        one.is_sent = True

    def _answered(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise ConnectionResetError("what the daemon sent is no message")
        if "method" not in message:
            if message.get("id") == REPLAY_ID or self._pending.pop(key_of(message.get("id")), None) is None:
                return  # our own question, or one that nobody asks any more
            self._losses = 0
        self._client.outgoing += line + b"\n"

    def _lost(self, error: OSError) -> None:
        """The daemon went away: ask again what is harmless and was not asked twice, and say so of the rest."""
        self._link.close()
        self._losses += 1
        for key, one in list(self._pending.items()):
            if not one.is_sent:
                continue
            if one.is_harmless and one.tries == 0:
                one.is_sent = False
                one.tries += 1
            else:
                del self._pending[key]
                self._refuse(one.frame, _interrupted(one))
        if self._losses >= MAX_LOSSES:
            self._losses = 0
            self._fail(self._link.unavailable(f"it ended {MAX_LOSSES} times in a row ({error})"))

    def _fail(self, error: MemoireError) -> None:
        """Nobody can be asked: say why to all who wait. The next request tries again."""
        self._link.close()
        for one in self._pending.values():
            self._refuse(one.frame, error)
        self._pending.clear()

    def _refuse(self, frame: Frame, error: MemoireError) -> None:
        """Answer in the daemon's place: a tool's failure is a result, which the model sees, as an error is not."""
        _tell(f"{error.code}: {error}")
        if frame.method != "tools/call":
            self._client.refuse(frame.id, INTERNAL_ERROR, f"{error.code}: {error}")
            return
        answer = self._client.baked.refusal(f"{error.err}: {error}", is_modern=frame.is_modern)
        self._client.reply(frame.id, answer)


def _tell(text: str) -> None:
    """Write a line to stderr, unless nobody reads there."""
    try:
        if select.select([], [2], [], 0)[1]:
            os.write(2, f"memoire: {text}\n".encode("utf-8", "backslashreplace")[:WRITE_BYTES])
    except (OSError, ValueError):
        return  # closed


def _interrupted(one: Pending) -> DaemonError:
    if one.is_harmless:
        return DaemonError("The memoire daemon ended twice while it answered this. `memoire logs` says why.")
    return DaemonError(
        "The memoire daemon ended while it did this, and whether it was done is not known. Look before you ask again."
    )
