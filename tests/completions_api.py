"""A stand-in for the API that OpenCode asks for the model's words: on loopback; it says what the test wrote down."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from tests.model_api import Handler, ModelApi, serving

Turn = dict[str, Any]


def function(tool: str, **arguments: Any) -> Turn:
    """The model calls a tool."""
    return {"name": tool, "arguments": json.dumps(arguments)}


def text(content: str) -> Turn:
    """The model says something, and is done."""
    return {"content": content}


def completions_api(turns: Sequence[Turn]) -> AbstractContextManager[ModelApi]:
    """Serve in a thread until the end of the block."""
    return serving(turns, _Completions)


class _Completions(Handler):
    def do_POST(self) -> None:  # noqa: N802 - the name of the library
        asked = json.loads(self.read())
        turn = text("A title")  # a request without tools is for one
        if asked.get("tools"):
            self.server.requests.append(asked)
            number = sum(message["role"] == "assistant" for message in asked["messages"])
            turn = self.server.turns[min(number, len(self.server.turns) - 1)]
        is_call = "name" in turn
        call = {"index": 0, "id": f"c{len(self.server.requests)}", "type": "function", "function": turn}
        delta = {"role": "assistant", **({"tool_calls": [call]} if is_call else turn)}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        chunks: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {
                "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if is_call else "stop"}],
                "usage": usage,
            },
        ]
        lines = [
            json.dumps({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", **one})
            for one in chunks
        ]
        self.send("".join(f"data: {line}\n\n" for line in (*lines, "[DONE]")).encode(), "text/event-stream")
