"""A stand-in for the API that Claude Code asks for the model's words: on loopback; it says what the test wrote down."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from tests.model_api import Handler, ModelApi, serving

Block = dict[str, Any]


def use(tool: str, **arguments: Any) -> Block:
    """The model calls a tool."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def say(text: str) -> Block:
    return {"type": "text", "text": text}


def messages_api(turns: Sequence[Block]) -> AbstractContextManager[ModelApi]:
    """Serve in a thread until the end of the block."""
    return serving(turns, _Messages)


class _Messages(Handler):
    def do_POST(self) -> None:  # noqa: N802 - the name of the library
        asked = json.loads(self.read())
        if not self.path.partition("?")[0].endswith("/v1/messages"):
            self.send(b'{"input_tokens": 1}', "application/json")
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
            self.send(_stream(message), "text/event-stream")
        else:
            self.send(json.dumps(message).encode(), "application/json")


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
