"""Codex CLI: its MCP server entry, and the instructions of `AGENTS.md`.

Source: Codex CLI 0.171.0 as it runs. It passes a server hardly any environment, and reads the settings of a project
only where the user trusts it.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.toml_table import TomlTable

_TABLE = ("mcp_servers", "memoire")


def _user_edits() -> tuple[Edit, ...]:
    return (
        TomlTable(
            what="MCP server for Codex CLI",
            file=".codex/config.toml",
            table=_TABLE,
            values={"command": program(), "args": ["mcp"]},
        ),
    )


CLIENT = Client(
    name="codex",
    title="Codex CLI",
    detect=used_by("codex", project=(".codex",), home=(".codex",)),
    edits=(
        TomlTable(
            what="MCP server for Codex CLI",
            file=".codex/config.toml",
            table=_TABLE,
            values={"command": "memoire", "args": ["mcp"]},
            command="memoire",
            todo="Codex reads a project's settings once the project is trusted: run `codex` here and say so.",
        ),
        AGENTS,
    ),
    user_edits=_user_edits,
)
