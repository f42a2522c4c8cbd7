"""OpenCode: its MCP server entry, in the form that both of its versions take, and `AGENTS.md`.

Source: OpenCode 1.18.33 as it runs.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey

SERVER = {"type": "local", "command": ["memoire", "mcp"], "enabled": True}


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for OpenCode",
            file=".config/opencode/opencode.json",
            instead=(".config/opencode/opencode.jsonc",),
            path=("mcp", "memoire"),
            value={**SERVER, "command": [program(), "mcp"]},
        ),
    )


CLIENT = Client(
    name="opencode",
    title="OpenCode",
    detect=used_by("opencode", project=("opencode.json", "opencode.jsonc", ".opencode"), home=(".config/opencode",)),
    edits=(
        JsonKey(
            what="MCP server for OpenCode",
            file="opencode.json",
            instead=("opencode.jsonc",),
            path=("mcp", "memoire"),
            value=SERVER,
            command="memoire",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
