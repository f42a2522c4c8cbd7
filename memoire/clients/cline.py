"""Cline: it keeps its MCP servers for all projects of a user, and reads `AGENTS.md`.

Source: Cline of 22 August 2026. The extension of VS Code keeps them in a file of its own.
"""

import sys

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey

_EXTENSION = "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
_USERS = {"darwin": "Library/Application Support/Code/User"}


def _user_edits() -> tuple[Edit, ...]:
    extension = f"{_USERS.get(sys.platform, '.config/Code/User')}/{_EXTENSION}"
    return (
        JsonKey(
            what="MCP server for Cline",
            file=".cline/data/settings/cline_mcp_settings.json",
            instead=(extension,),
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"], "disabled": False},
        ),
    )


CLIENT = Client(
    name="cline",
    title="Cline",
    detect=used_by("cline", project=(".clinerules",), home=(".cline",)),
    edits=(AGENTS,),
    user_edits=_user_edits,
)
