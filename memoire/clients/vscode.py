"""VS Code with GitHub Copilot: the MCP server entry of the workspace, and `AGENTS.md`.

Source: the documentation of VS Code of August 2026. Its key is `servers`, and what else is in the file, `inputs` too,
stays. The settings of a user lie where each system keeps them.
"""

import sys

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey

_USER_FILES = {"darwin": "Library/Application Support/Code/User/mcp.json"}
"""System -> the file of a user, relative to the home directory."""

SERVER = {"type": "stdio", "command": "memoire", "args": ["mcp"]}


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for VS Code",
            file=_USER_FILES.get(sys.platform, ".config/Code/User/mcp.json"),
            path=("servers", "memoire"),
            value={**SERVER, "command": program()},
        ),
    )


CLIENT = Client(
    name="vscode",
    title="VS Code with Copilot",
    detect=used_by("code", project=(".vscode", ".github/copilot-instructions.md")),
    edits=(
        JsonKey(
            what="MCP server for VS Code",
            file=".vscode/mcp.json",
            path=("servers", "memoire"),
            value=SERVER,
            command="memoire",
            todo="VS Code asks whether the new server is trusted when it first starts it: say yes.",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
