"""LM Studio, and with it models that run on this machine: the MCP server entry of its user.

Source: its documentation of August 2026; the program itself was not run.
"""

from memoire.clients._program import program, used_by
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for LM Studio",
            file=".lmstudio/mcp.json",
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
    )


CLIENT = Client(name="lm-studio", title="LM Studio", detect=used_by("lms", home=(".lmstudio",)), user_edits=_user_edits)
