import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.daemon import http
from memoire.errors import BadRequestError
from tests.daemon_places import run

HOST = b"Host: memoire\r\n"


async def parse(data: bytes, said: list[bytes] | None = None) -> http.Request:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    first = await http.read_line(reader, http.MAX_LINE_BYTES)
    return await http.read_request(reader, ([] if said is None else said).append, first)


def test_a_request_is_read_whole() -> None:
    data = b"POST /op/expand?x=1 HTTP/1.1\r\n" + HOST + b'Content-Length: 12\r\nX: y\r\n\r\n{"path":"a"}GET /'
    request = run(parse(data))
    assert request == http.Request(method="POST", path="/op/expand", query="x=1", body=b'{"path":"a"}', keep_alive=True)
    assert request.json_object() == {"path": "a"}


@pytest.mark.parametrize(
    ("head", "keep_alive"),
    [
        (b"GET / HTTP/1.1\r\n" + HOST, True),
        (b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n", False),
        (b"GET / HTTP/1.1\r\n" + HOST + b"Connection: foo, Close\r\n", False),
        (b"GET / HTTP/1.0\r\n", False),
        (b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n", True),
        (b"GET / HTTP/1.1\n" + HOST, True),
    ],
)
def test_a_connection_goes_on_where_the_client_wants_it(head: bytes, keep_alive: bool) -> None:
    assert run(parse(head + b"\r\n")).keep_alive is keep_alive


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/2\r\n\r\n", 400),
        (b"GET  / HTTP/1.1\r\n\r\n", 400),
        (b"G(T / HTTP/1.1\r\n\r\n", 400),
        (b"GET http://other/ HTTP/1.1\r\n\r\n", 400),
        (b"GET /\x00 HTTP/1.1\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),  # no Host
        (b"\x16\x03\x01\x02\x00\x01\n", 400),  # TLS
        (b"GET / HTTP/1.1\r\nHost memoire\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost : memoire\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n folded: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: a\rb\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: a\0b\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: +1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1e3\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length:\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: " + "\u0661".encode() + b"\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 8388609\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 999999999999999999999\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 101 + b"\r\n", 413),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 9000 + b"\r\n\r\n", 413),
        (b"GET / HTTP/1.1\r\n" + (b"X: " + b"y" * 4000 + b"\r\n") * 10 + b"\r\n", 413),
        (b"GET /" + b"y" * 9000 + b" HTTP/1.1\r\n\r\n", 413),
    ],
)
def test_what_is_no_request_is_refused(data: bytes, status: int) -> None:
    with pytest.raises(BadRequestError) as caught:
        run(parse(data))
    assert caught.value.http_status == status


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\nHost:", b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\n1234"]
)
def test_a_client_that_leaves_in_the_middle_is_told_from_one_that_errs(data: bytes) -> None:
    with pytest.raises(ConnectionError):
        run(parse(data))


def test_the_same_length_twice_is_one_length() -> None:
    head = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"
    assert run(parse(head)).body == b"{}"


def test_a_client_that_asks_first_is_told_to_go_on() -> None:
    said: list[bytes] = []
    head = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}"
    assert run(parse(head, said)).body == b"{}"
    assert said == [b"HTTP/1.1 100 Continue\r\n\r\n"]


@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"null", b"{", b'{"a":}', b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(BadRequestError):
        http.Request(method="POST", path="/", body=body, keep_alive=True).json_object()


@pytest.mark.parametrize("body", [b"", b" \n", b"{}"])
def test_an_empty_body_is_no_arguments(body: bytes) -> None:
    assert http.Request(method="POST", path="/", body=body, keep_alive=True).json_object() == {}


def test_an_answer_says_how_long_it_is() -> None:
    body = json.dumps({"é": 1}, ensure_ascii=False).encode()
    answer = http.render(200, body, keep_alive=True, headers={"X": "y"})
    assert answer == (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
        b"Content-Length: 9\r\nConnection: keep-alive\r\nX: y\r\n\r\n" + body
    )


async def lines_of(data: bytes, limit: int, chunk: int) -> list[bytes]:
    reader = asyncio.StreamReader(chunk)
    reader.feed_data(data)
    reader.feed_eof()
    lines = []
    while line := await http.read_line(reader, limit):
        lines.append(line)
    return lines


@given(st.binary(max_size=200).map(lambda data: data.replace(b"\r", b"\n")), st.integers(1, 64))
def test_lines_come_whole_however_small_the_buffer_is(data: bytes, chunk: int) -> None:
    assert run(lines_of(data, 1000, chunk)) == data.splitlines(keepends=True)


def test_a_line_that_grows_without_end_is_refused() -> None:
    with pytest.raises(BadRequestError):
        run(lines_of(b"x" * 5000, 4000, 64))
    assert run(lines_of(b"x" * 3999 + b"\n", 4000, 64)) == [b"x" * 3999 + b"\n"]


@given(st.binary(max_size=300))
def test_any_bytes_are_a_request_or_an_error(data: bytes) -> None:
    async def attempt() -> Any:
        try:
            return await parse(data)
        except (BadRequestError, ConnectionError) as error:
            return error

    assert run(attempt()) is not None
