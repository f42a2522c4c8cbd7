"""What the hooks of Copilot CLI report. They do not say of which event: the command that is run does.

Source: its documentation of August 2026. The model can be told something at the start of a session alone.
"""

import msgspec

from memoire.clients.payloads._reports import VSCODE_FILE_TOOLS, VSCODE_SHELL_TOOL, Dialect


def answer(event: str, text: str) -> bytes:
    """Return what a hook prints so that the model gets the text."""
    del event
    return msgspec.json.encode({"additionalContext": text}) + b"\n"


DIALECT = Dialect(
    client="copilot-cli",
    names={
        "session_id": ("sessionId",),
        "tool_use_id": ("toolCallId",),
        "tool_name": ("toolName",),
        "tool_input": ("toolArgs",),
        "tool_response": ("toolResult",),
    },
    events={
        "sessionStart": "SessionStart",
        "sessionEnd": "SessionEnd",
        "userPromptSubmitted": "UserPromptSubmit",
        "preToolUse": "PreToolUse",
        "postToolUse": "PostToolUse",
        "preCompact": "PreCompact",
        "agentStop": "Stop",
        "subagentStop": "SubagentStop",
    },
    file_tools={"view": "read", "edit": "edit", "create": "edit", **VSCODE_FILE_TOOLS},
    path_arguments=("path", "filePath"),
    shell_tools=frozenset({"bash", VSCODE_SHELL_TOOL}),
    patch_tools={"apply_patch": "input"},
    is_status_told=False,
    asks=frozenset({"SessionStart"}),
    answer=answer,
)
