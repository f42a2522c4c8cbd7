"""Cursor: its MCP server entry, and the instructions it reads from `AGENTS.md`.

Source: Cursor's documentation of August 2026; the program itself was not run.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Cursor",
            file=".cursor/mcp.json",
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
    )


CLIENT = Client(
    name="cursor",
    title="Cursor",
    detect=used_by("cursor", "cursor-agent", project=(".cursor",), home=(".cursor",)),
    edits=(
        JsonKey(
            what="MCP server for Cursor",
            file=".cursor/mcp.json",
            path=("mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
            todo="Cursor asks whether the new server may be started: say yes in Settings, under MCP.",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
