"""A stand-in for what assistants ask for the model's words: a server on loopback that says what a test wrote down."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ModelApi(ThreadingHTTPServer):
    """Answers the n-th request of a conversation with the n-th turn, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, turns: Sequence[dict[str, Any]], handler: type["Handler"]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.turns = list(turns)
        self.requests: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    """Of one kind of API: `do_POST` is its own."""

    server: ModelApi
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""

    def do_GET(self) -> None:
        self.send(b'{"models": [], "data": []}', "application/json")

    def do_HEAD(self) -> None:
        self.send(b"", "application/json")

    def read(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}"

    def send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(turns: Sequence[dict[str, Any]], handler: type[Handler]) -> Iterator[ModelApi]:
    """Serve in a thread until the end of the block."""
    with ModelApi(turns, handler) as api:
        thread = threading.Thread(target=api.serve_forever, daemon=True)
        thread.start()
        try:
            yield api
        finally:
            api.shutdown()
            thread.join()
