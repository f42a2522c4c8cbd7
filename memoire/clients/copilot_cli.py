"""Copilot CLI: it reads the MCP servers of `.mcp.json` as Claude Code does, hooks of `.github/hooks`, and `AGENTS.md`.

Source: Copilot CLI 1.0.102 as it runs.
"""

import json

from memoire.clients._program import program, shared_hook_line, used_by
from memoire.clients._shared_files import AGENTS, MCP_JSON
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.whole_file import OwnFile

HOOK_TIMEOUT_S = 5

HOOKS = (
    "sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "preCompact", "agentStop", "subagentStop",
    "sessionEnd",
)  # fmt: skip
"""Events that are wanted; the command says which it is of, as the report does not."""


def hooks_file() -> str:
    """Return the file of memoire's hooks; VS Code reads it too."""
    hooks = {
        event: [{"type": "command", "bash": shared_hook_line("copilot-cli", event), "timeoutSec": HOOK_TIMEOUT_S}]
        for event in HOOKS
    }
    return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Copilot CLI",
            file=".copilot/mcp-config.json",
            path=("mcpServers", "memoire"),
            value={"type": "local", "command": program(), "args": ["mcp"], "tools": ["*"]},
        ),
    )


CLIENT = Client(
    name="copilot-cli",
    title="Copilot CLI",
    detect=used_by("copilot", home=(".copilot",)),
    edits=(
        MCP_JSON,
        OwnFile(what="hooks of Copilot CLI", file=".github/hooks/memoire.json", make=hooks_file),
        AGENTS,
    ),
    user_edits=_user_edits,
)
