"""A stand-in for the API that Codex asks for the model's words: on loopback; it says what the test wrote down."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from tests.model_api import Handler, ModelApi, serving

Item = dict[str, Any]

USAGE = {
    "input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
    "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2,
}  # fmt: skip


def call(tool: str, namespace: str = "", **arguments: Any) -> Item:
    """The model calls a tool."""
    item = {"type": "function_call", "name": tool, "arguments": json.dumps(arguments)}
    return {**item, "namespace": namespace} if namespace else item


def words(text: str) -> Item:
    """The model says something, and is done."""
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def responses_api(turns: Sequence[Item]) -> AbstractContextManager[ModelApi]:
    """Serve in a thread until the end of the block."""
    return serving(turns, _Responses)


class _Responses(Handler):
    def do_POST(self) -> None:  # noqa: N802 - the name of the library
        asked = json.loads(self.read())
        number = len(self.server.requests)
        self.server.requests.append(asked)
        item = {**self.server.turns[min(number, len(self.server.turns) - 1)], "id": f"i{number}"}
        if item["type"] == "function_call":
            item["call_id"] = f"c{number}"
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": {"id": f"r{number}"}},
            {"type": "response.output_item.done", "item": item},
            {"type": "response.completed", "response": {"id": f"r{number}", "usage": USAGE}},
        ]
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self.send(text.encode(), "text/event-stream")
