"""Antigravity, the editor and its command line `agy`: the MCP server entry of the workspace, and `AGENTS.md`.

Source: its documentation of September 2026; the program itself was not run.
"""

from memoire.clients._program import used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client
from memoire.clients.edits.json_key import JsonKey

CLIENT = Client(
    name="antigravity",
    title="Antigravity",
    detect=used_by("agy", "antigravity", project=(".agents/mcp_config.json",)),
    edits=(
        JsonKey(
            what="MCP server for Antigravity",
            file=".agents/mcp_config.json",
            path=("mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
        ),
        AGENTS,
    ),
)
