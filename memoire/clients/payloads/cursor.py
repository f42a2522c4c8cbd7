"""What the hooks of Cursor report.

Source: its documentation of August 2026. The model can be told something at the start of a session alone.
"""

import msgspec

from memoire.clients.payloads._reports import Dialect


def answer(event: str, text: str) -> bytes:
    """Return what a hook prints so that the model gets the text."""
    del event
    return msgspec.json.encode({"additional_context": text}) + b"\n"


DIALECT = Dialect(
    client="cursor",
    names={"session_id": ("conversation_id",), "cwd": ("workspace_roots",), "tool_response": ("output",)},
    events={
        "sessionStart": "SessionStart",
        "sessionEnd": "SessionEnd",
        "beforeSubmitPrompt": "UserPromptSubmit",
        "preCompact": "PreCompact",
        "stop": "Stop",
        "subagentStop": "SubagentStop",
    },
    flat_events={
        "beforeReadFile": ("PreToolUse", "read"),
        "afterFileEdit": ("PostToolUse", "edit"),
        "afterShellExecution": ("PostToolUse", "shell"),
    },
    file_tools={"read": "read", "edit": "edit"},
    shell_tools=frozenset({"shell"}),
    is_status_told=False,
    asks=frozenset({"SessionStart"}),
    answer=answer,
)
