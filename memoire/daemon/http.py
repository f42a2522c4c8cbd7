"""As much of HTTP/1.1 as a local client needs, and no more: one request after the other, bodies with a length.

What is not understood is refused, never guessed at. Source: RFC 9112.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from memoire.errors import BadRequestError

MAX_BODY_BYTES = 8 << 20
MAX_HEAD_BYTES = 32 << 10
MAX_HEADERS = 100
MAX_LINE_BYTES = 8 << 10

_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TARGET = re.compile(rb"/[!-~]*")
_REASONS = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
}


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request, whole."""

    method: str
    path: str
    """Without the query."""
    query: str = ""
    body: bytes
    keep_alive: bool
    """Whether the client wants to go on over this connection."""

    def json_object(self) -> dict[str, Any]:
        """Return the body, an empty one read as no arguments.

        Raises:
            BadRequestError: The body is no JSON object.
        """
        if not self.body.strip():
            return {}
        try:
            found = msgspec.json.decode(self.body)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadRequestError("the body is no JSON") from error
        if not isinstance(found, dict):
            raise BadRequestError("the body is no JSON object")
        return found


async def read_line(reader: asyncio.StreamReader, limit: int) -> bytes:
    """Return the next line with its end, what is left before the end of the stream, or nothing at its end.

    Raises:
        BadRequestError: The line is longer than `limit` bytes.
    """
    parts: list[bytes] = []
    size = 0
    while True:
        try:
            parts.append(await reader.readuntil(b"\n"))
        except asyncio.LimitOverrunError as error:
            parts.append(await reader.readexactly(max(error.consumed, 1)))
        except asyncio.IncompleteReadError as error:
            parts.append(error.partial)
            return b"".join(parts)
        size += len(parts[-1])
        if size > limit:
            raise BadRequestError("a line is too long", 413)
        if parts[-1].endswith(b"\n"):
            return b"".join(parts)


async def read_request(reader: asyncio.StreamReader, write: Callable[[bytes], None], first_line: bytes) -> Request:
    """Return the request that begins with `first_line`.

    Raises:
        BadRequestError: It is malformed or too large: the connection cannot be used any more.
        ConnectionError: The client left in the middle of it.
    """
    method, target, version = _parse_request_line(first_line)
    headers = await _read_headers(reader)
    if version == b"1.1" and b"host" not in headers:
        raise BadRequestError("the Host header is missing")
    length = _body_length(headers)
    if length and headers.get(b"expect", b"").lower() == b"100-continue":
        write(b"HTTP/1.1 100 Continue\r\n\r\n")
    try:
        body = await reader.readexactly(length)
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError("the client left in the middle of its request") from error
    connection = {part.strip() for part in headers.get(b"connection", b"").lower().split(b",")}
    keep_alive = b"close" not in connection if version == b"1.1" else b"keep-alive" in connection
    path, _, query = target.decode("ascii").partition("?")
    return Request(method=method.decode("ascii"), path=path, query=query, body=body, keep_alive=keep_alive)


def render(status: int, body: bytes, *, keep_alive: bool, headers: Mapping[str, str]) -> bytes:
    """Return a whole answer with a JSON body."""
    lines = [
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Error')}",
        "Content-Type: application/json; charset=utf-8",
        f"Content-Length: {len(body)}",
        f"Connection: {'keep-alive' if keep_alive else 'close'}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def _parse_request_line(line: bytes) -> tuple[bytes, bytes, bytes]:
    parts = line.rstrip(b"\r\n").split(b" ")
    if len(parts) != 3 or not line.endswith(b"\n") or not _TOKEN.fullmatch(parts[0]):
        raise BadRequestError("the first line is no HTTP request line")
    if not _TARGET.fullmatch(parts[1]):
        raise BadRequestError("the request target is no path")
    if parts[2] not in {b"HTTP/1.1", b"HTTP/1.0"}:
        raise BadRequestError("only HTTP/1.1 is spoken here")
    return parts[0], parts[1], parts[2][5:]


async def _read_headers(reader: asyncio.StreamReader) -> dict[bytes, bytes]:
    """Return the headers by name in lower case; one that comes again is joined to the first, as the RFC has it."""
    headers: dict[bytes, bytes] = {}
    size, count = 0, 0
    while True:
        line = await read_line(reader, MAX_LINE_BYTES)
        if not line.endswith(b"\n"):
            raise ConnectionResetError("the client left in the middle of its request")
        line = line.rstrip(b"\r\n")
        if not line:
            return headers
        size, count = size + len(line), count + 1
        if size > MAX_HEAD_BYTES or count > MAX_HEADERS:
            raise BadRequestError("the headers are too large", 413)
        name, colon, value = line.partition(b":")
        if not colon or not _TOKEN.fullmatch(name) or b"\r" in value or b"\0" in value:
            raise BadRequestError("a header is malformed")
        key, value = name.lower(), value.strip(b" \t")
        headers[key] = headers[key] + b", " + value if key in headers else value


def _body_length(headers: Mapping[bytes, bytes]) -> int:
    if b"transfer-encoding" in headers:
        raise BadRequestError("a body needs a Content-Length here, not a Transfer-Encoding", 501)
    values = {part.strip() for part in headers.get(b"content-length", b"0").split(b",")}
    value = values.pop()
    # Two lengths that differ, or one with a sign, are how requests are smuggled.
    if values or not re.fullmatch(rb"[0-9]{1,18}", value):
        raise BadRequestError("the Content-Length is malformed")
    if int(value) > MAX_BODY_BYTES:
        raise BadRequestError(f"the body is larger than {MAX_BODY_BYTES >> 20} MiB", 413)
    return int(value)
