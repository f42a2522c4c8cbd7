"""Gemini CLI: its MCP server entry, and the instructions of `GEMINI.md`.

Source: Gemini CLI 0.61 as it runs, and its documentation of August 2026.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import INSTRUCTIONS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.text_block import MarkdownBlock


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Gemini CLI",
            file=".gemini/settings.json",
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
    )


CLIENT = Client(
    name="gemini",
    title="Gemini CLI",
    detect=used_by("gemini", project=(".gemini", "GEMINI.md"), home=(".gemini/settings.json",)),
    edits=(
        JsonKey(
            what="MCP server for Gemini CLI",
            file=".gemini/settings.json",
            path=("mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
            todo="Gemini CLI starts no server of a folder that is not trusted: run `gemini` here and trust it.",
        ),
        MarkdownBlock(what="instructions for Gemini CLI", file="GEMINI.md", lines=INSTRUCTIONS),
    ),
    user_edits=_user_edits,
)
