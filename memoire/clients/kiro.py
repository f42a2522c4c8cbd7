"""Kiro, the editor and its command line: the MCP server entry of the workspace, and `AGENTS.md`.

Source: its documentation of September 2026; the program itself was not run.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Kiro",
            file=".kiro/settings/mcp.json",
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
    )


CLIENT = Client(
    name="kiro",
    title="Kiro",
    detect=used_by("kiro", "kiro-cli", project=(".kiro",), home=(".kiro",)),
    edits=(
        JsonKey(
            what="MCP server for Kiro",
            file=".kiro/settings/mcp.json",
            path=("mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
