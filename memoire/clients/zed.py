"""Zed: the context server entry of the project, and `AGENTS.md`.

Source: Zed's documentation of August 2026; the program itself was not run.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Zed",
            file=".config/zed/settings.json",
            path=("context_servers", "memoire"),
            value={"command": program(), "args": ["mcp"], "env": {}},
        ),
    )


CLIENT = Client(
    name="zed",
    title="Zed",
    detect=used_by("zed", "zeditor", project=(".zed",), home=(".config/zed",)),
    edits=(
        JsonKey(
            what="MCP server for Zed",
            file=".zed/settings.json",
            path=("context_servers", "memoire"),
            value={"command": "memoire", "args": ["mcp"], "env": {}},
            command="memoire",
            todo="Zed starts the servers of a project once it is trusted: it asks when the project is opened.",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
