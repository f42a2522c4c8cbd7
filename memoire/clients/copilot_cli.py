"""Copilot CLI: it reads the MCP servers of `.mcp.json` as Claude Code does, and `AGENTS.md`.

Source: Copilot CLI 1.0.102 as it runs.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS, MCP_JSON
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey


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
        AGENTS,
    ),
    user_edits=_user_edits,
)
