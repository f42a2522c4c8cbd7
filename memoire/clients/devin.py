"""Devin Desktop and CLI, formerly Windsurf: the MCP server entry of the project, and `AGENTS.md`.

Source: its documentation of September 2026; the program itself was not run. The file of older versions, which were
called Windsurf, is a user's alone. It runs the hooks that Claude Code has in the project, so it gets none of its own.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Devin",
            file=".config/devin/mcp_config.json",
            instead=(".codeium/windsurf/mcp_config.json",),
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
    )


CLIENT = Client(
    name="devin",
    title="Devin Desktop (formerly Windsurf)",
    detect=used_by("devin", "windsurf", project=(".devin", ".windsurf"), home=(".codeium/windsurf", ".config/devin")),
    edits=(
        JsonKey(
            what="MCP server for Devin",
            file=".devin/mcp_config.json",
            path=("mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
