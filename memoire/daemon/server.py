"""The daemon's socket: HTTP for the CLI, the SDK and the page; MCP sessions for assistants.

Invariant: no connection, whatever it sends or fails to read, ends another one or the daemon.
"""

import asyncio
import json
import logging
import os
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Protocol

import msgspec

from memoire import launch
from memoire.daemon.app import Opening, Source, answer
from memoire.daemon.bind import BACKLOG, Bound
from memoire.daemon.http import MAX_LINE_BYTES, Request, read_line, read_request, render
from memoire.errors import BadRequestError, MemoireError, StoreDamagedError

logger = logging.getLogger(__name__)

MCP_GREETING = b"MEMOIRE-MCP "
REQUEST_S = 30.0
"""A request must be whole within this time, and its answer taken."""

KEEP_ALIVE_S = 75.0
DRAIN_S = 10.0
"""How long what is being answered may still take when the daemon ends."""

ACCEPT_TURNS = 5
"""Turns of the loop that asyncio needs from an accepted connection to the call that tells us of it, and to spare."""

_LINGER_S = 2.0
_LINGER_BYTES = 64 << 20

Status = Callable[[], Mapping[str, Any]]

Stop = Callable[[bool], None]
"""Lets the daemon end; takes whether another is to start in its place."""


class Session(Protocol):
    """One MCP session."""

    async def run(self) -> None:
        """Serve until either side ends it."""

    def drain(self) -> None:
        """Take no more requests; end once those there are have been answered."""


OpenSession = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Session]


class Server:
    """Answers on the socket from the moment it is bound, and counts who is there."""

    def __init__(self, bound: Bound, opening: Opening, *, build: str, status: Status, stop: Stop) -> None:
        self._bound = bound
        self._opening = opening
        self._build = build
        self._status = status
        self._stop = stop
        self._listening: asyncio.Server | None = None
        self._open_session: OpenSession | None = None
        self._loading = asyncio.Lock()
        self._connections: set[asyncio.Task[None]] = set()
        self._answering: set[asyncio.Task[None]] = set()
        """Of the connections, those that may finish what they do when the daemon ends."""
        self._sessions: set[Session] = set()
        self._assistants = 0
        self._is_draining = False

    @property
    def assistants(self) -> int:
        """Return how many assistants are connected."""
        return self._assistants

    @property
    def is_in_use(self) -> bool:
        """Return whether an assistant is connected or a request is being answered."""
        return self._assistants > 0 or bool(self._answering)

    async def start(self) -> None:
        """Answer who has connected since the socket was bound, and who will."""
        self._listening = await asyncio.start_unix_server(self._connected, sock=self._bound.listener, backlog=BACKLOG)

    def stop_listening(self) -> None:
        """Let nobody connect any more, so that a successor may bind."""
        if not self._is_draining:
            self._is_draining = True
            # Not closed yet: asyncio would drop whom it has just accepted without a word.
            asyncio.get_running_loop().remove_reader(self._bound.listener)
            self._bound.hide()

    async def hang_up(self) -> None:
        """Answer nobody: who waits for a project that will not be opened here any more asks the successor instead."""
        self.stop_listening()
        for _ in range(ACCEPT_TURNS):
            await asyncio.sleep(0)
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def drain(self) -> None:
        """Answer what has been asked, at most for `DRAIN_S`, then close every connection."""
        self.stop_listening()
        for _ in range(ACCEPT_TURNS):
            await asyncio.sleep(0)
        if self._listening is not None:
            self._listening.close()
        self._bound.close()
        for session in self._sessions:
            session.drain()
        for connection in self._connections - self._answering:
            connection.cancel()
        if self._connections:
            await asyncio.wait(self._connections, timeout=DRAIN_S)
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await asyncio.sleep(0)  # the turn in which closed connections let go of their sockets

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(partial(self._ended, writer))

    def _ended(self, writer: asyncio.StreamWriter, connection: asyncio.Task[None]) -> None:
        self._connections.discard(connection)
        writer.transport.abort()  # a task that is cancelled before its first step closes nothing
        if not connection.cancelled() and (error := connection.exception()) is not None:
            logger.error("connection failed", exc_info=error)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if not is_own_peer(writer.get_extra_info("socket")):
                logger.warning("connection refused: another user")
                return
            async with asyncio.timeout(REQUEST_S):
                first_line = await read_line(reader, MAX_LINE_BYTES)
            if first_line.startswith(MCP_GREETING):
                await self._serve_mcp(reader, writer)
            else:
                await self._serve_http(reader, writer, first_line)
        except (ConnectionError, TimeoutError) as error:
            logger.debug("connection ended: %s", type(error).__name__)
        except MemoireError as error:
            logger.warning("connection ended code=%s", error.code)
        finally:
            await _close(writer)

    async def _serve_mcp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._assistants += 1
        try:
            writer.write(MCP_GREETING + self._build.encode() + b"\n")
            await writer.drain()
            session = (await self._load_mcp())(reader, writer)
            self._sessions.add(session)
            try:
                with self._finishing():
                    if self._is_draining:
                        session.drain()
                    await session.run()
            finally:
                self._sessions.discard(session)
        finally:
            self._assistants -= 1

    async def _load_mcp(self) -> OpenSession:
        """Import the MCP library at the first session, in a thread: a second of work that may never be needed."""
        async with self._loading:
            if self._open_session is None:
                source = await self._opening.source()
                self._open_session = await asyncio.to_thread(_sessions, source, self._opening)
        return self._open_session

    async def _serve_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first_line: bytes) -> None:
        while first_line and not self._is_draining:
            with self._finishing():
                keep_alive = await self._serve_request(reader, writer, first_line)
            if not keep_alive:
                return
            async with asyncio.timeout(KEEP_ALIVE_S):
                first_line = await read_line(reader, MAX_LINE_BYTES)

    async def _serve_request(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first_line: bytes
    ) -> bool:
        """Return whether another request may follow."""
        headers = {"Memoire-Build": self._build}
        try:
            async with asyncio.timeout(REQUEST_S):
                request = await read_request(reader, writer.write, first_line)
        except BadRequestError as error:
            writer.write(_render_error(error, keep_alive=False, headers=headers))
            await _linger(reader, writer)
            return False
        try:
            status, body = 200, await self._route(request)
        except StoreDamagedError as error:
            # The next daemon rebuilds it: who asked is to ask that one, so the connection ends without an answer.
            is_restart = True
            self._stop(is_restart)
            self.stop_listening()
            raise ConnectionResetError(str(error)) from error
        except MemoireError as error:
            status, body = error.http_status, error_body(error)
            if status == 405:
                headers["Allow"] = _method(request.path)
        keep_alive = request.keep_alive and not self._is_draining
        async with asyncio.timeout(REQUEST_S):
            writer.write(render(status, body, keep_alive=keep_alive, headers=headers))
            await writer.drain()
        return keep_alive

    async def _route(self, request: Request) -> bytes:
        """Return the body of the answer: the result as JSON, or what a hook prints to the letter.

        Raises:
            MemoireError: As it is to be answered.
        """
        path = request.path
        if path not in {"/status", "/stop", "/ingest"} and not path.startswith(("/op/", "/hook/")):
            raise BadRequestError(f"there is nothing at {path[:100]}", 404)
        if request.method != _method(path):
            raise BadRequestError(f"{path[:100]} takes {_method(path)}", 405)
        if path.startswith("/hook/"):
            return await self._opening.hook(path.removeprefix("/hook/"), request.body)
        return b'{"result":' + await self._result(request) + b"}"

    async def _result(self, request: Request) -> bytes:
        path = request.path
        if path == "/status":
            return await answer("status", _encode(self._status))
        if path == "/stop":
            self._stop(request.query == launch.RESTART_TARGET.partition("?")[2])
            self.stop_listening()
            return msgspec.json.encode({"pid": os.getpid()})
        if path == "/ingest":
            done = await self._opening.ingest()
            return await answer("ingest", _encode(lambda: done))
        return await self._opening.call(path.removeprefix("/op/"), request.json_object())

    @contextmanager
    def _finishing(self) -> Iterator[None]:
        """Mark the connection as one that is not cut off inside."""
        connection = asyncio.current_task()
        assert connection is not None
        self._answering.add(connection)
        try:
            yield
        finally:
            self._answering.discard(connection)


def is_own_peer(link: socket.socket) -> bool:
    """Return whether the process at the other end belongs to our user, as the kernel says; False if it cannot tell."""
    try:
        if sys.platform == "linux":
            _, uid, _ = struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        else:  # macOS and the BSDs: struct xucred of LOCAL_PEERCRED at SOL_LOCAL, which Python does not name
            _, uid = struct.unpack("2I", link.getsockopt(0, 1, 76)[:8])
    except (OSError, struct.error):
        return False
    return bool(uid == os.geteuid())


def error_body(error: MemoireError) -> bytes:
    """Return the JSON of an error; `details` are its attributes, from which the SDK makes the same exception again."""
    fields: dict[str, Any] = {"code": error.code, "message": str(error), "exit_code": error.exit_code}
    if near := getattr(error, "near", ()):
        fields["near"] = near
    fields["details"] = vars(error)
    # Not msgspec: a caller's argument may hold a lone surrogate, and comes back inside the message.
    return json.dumps({"error": fields}, default=str).encode("ascii")


def _render_error(error: MemoireError, *, keep_alive: bool, headers: Mapping[str, str]) -> bytes:
    return render(error.http_status, error_body(error), keep_alive=keep_alive, headers=headers)


def _method(path: str) -> str:
    return "GET" if path == "/status" else "POST"


async def _encode(describe: Status) -> bytes:
    return msgspec.json.encode(describe())


async def _linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read on a little, and drop it: who still sends a request that was refused would not see the answer otherwise."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_LINGER_S):
            await writer.drain()
            left = _LINGER_BYTES
            while left > 0 and (chunk := await reader.read(65536)):
                left -= len(chunk)


async def _close(writer: asyncio.StreamWriter) -> None:
    """Close, with a bound: a peer that reads no more does not keep the connection."""
    writer.close()
    try:
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(_LINGER_S):
                await writer.wait_closed()
    finally:
        writer.transport.abort()


def _sessions(source: Source, opening: Opening) -> OpenSession:
    from memoire.daemon.mcp import Sessions  # noqa: PLC0415 - a second of work, of a thread, when first needed

    return Sessions(source, opening).open
