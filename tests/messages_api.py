"""A stand-in for the API that Claude Code asks for the model's words: on loopback; it says what the test wrote down."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Block = dict[str, Any]


def use(tool: str, **arguments: Any) -> Block:
    """The model calls a tool."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def say(text: str) -> Block:
    return {"type": "text", "text": text}


class MessagesApi(ThreadingHTTPServer):
    """Answers the n-th request of a conversation with the n-th turn, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, turns: Sequence[Block]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.turns = list(turns)
        self.requests: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def messages_api(turns: Sequence[Block]) -> Iterator[MessagesApi]:
    """Serve in a thread until the end of the block."""
    with MessagesApi(turns) as api:
        thread = threading.Thread(target=api.serve_forever, daemon=True)
        thread.start()
        try:
            yield api
        finally:
            api.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: MessagesApi
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    def do_HEAD(self) -> None:
        self._send(b"", "application/json")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if not self.path.partition("?")[0].endswith("/v1/messages"):
            self._send(b'{"input_tokens": 1}', "application/json")
            return
        self.server.requests.append(asked)
        number = sum(message["role"] == "assistant" for message in asked["messages"])
        is_conversation = bool(asked.get("tools")) and number < len(self.server.turns)
        block = {**(self.server.turns[number] if is_conversation else say("done"))}
        if block["type"] == "tool_use":
            block["id"] = f"toolu_{number}"
        message = {
            "id": f"msg_{len(self.server.requests)}", "type": "message", "role": "assistant", "model": asked["model"],
            "content": [block], "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
        if asked.get("stream"):
            self._send(_stream(message), "text/event-stream")
        else:
            self._send(json.dumps(message).encode(), "application/json")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _stream(message: dict[str, Any]) -> bytes:
    (block,) = message["content"]
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
