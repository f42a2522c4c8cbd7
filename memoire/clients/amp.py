"""Amp: the MCP server entry of the workspace, and `AGENTS.md`.

Source: its documentation of August 2026; the program itself was not run. Its settings have flat names with dots.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Amp",
            file=".config/amp/settings.json",
            path=("amp.mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
    )


CLIENT = Client(
    name="amp",
    title="Amp",
    detect=used_by("amp", project=(".amp",), home=(".config/amp",)),
    edits=(
        JsonKey(
            what="MCP server for Amp",
            file=".amp/settings.json",
            instead=(".amp/settings.jsonc",),
            path=("amp.mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
            todo="Amp starts the servers of a workspace once they are approved: run `amp mcp approve memoire` here.",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
