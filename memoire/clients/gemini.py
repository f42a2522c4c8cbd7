"""Gemini CLI: its MCP server entry, its hooks, and the instructions of `GEMINI.md`.

Source: Gemini CLI 0.61 as it runs, and its documentation of August 2026.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from memoire.clients._program import hook_line, program, share_of, shared_hook_line, used_by
from memoire.clients._shared_files import INSTRUCTIONS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_items import JsonItems
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.text_block import MarkdownBlock

HOOK_TIMEOUT_MS = 5000

_FILES, _SHELL = "read_file|write_file|replace", "run_shell_command"
HOOKS = {
    "SessionStart": "",
    "BeforeAgent": "",
    "BeforeTool": f"{_FILES}|{_SHELL}",
    "AfterTool": f"{_FILES}|{_SHELL}",
    "PreCompress": "",
    "AfterAgent": "",
    "SessionEnd": "",
}
"""Event -> the tools that it is wanted for; empty where it is of none."""


def hooks(line: str) -> dict[str, Any]:
    """Return event -> entry of the settings, for the line that a shell runs."""
    hook = {"type": "command", "command": line, "timeout": HOOK_TIMEOUT_MS}
    return {event: {**({"matcher": matcher} if matcher else {}), "hooks": [hook]} for event, matcher in HOOKS.items()}


def _hooks(make_line: Callable[[str], str]) -> JsonItems:
    return JsonItems(
        what="hooks of Gemini CLI",
        file=".gemini/settings.json",
        path=("hooks",),
        make=lambda: hooks(make_line("gemini")),
        share=partial(share_of, client="gemini"),
    )


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Gemini CLI",
            file=".gemini/settings.json",
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
        _hooks(hook_line),
    )


CLIENT = Client(
    name="gemini",
    title="Gemini CLI",
    detect=used_by("gemini", project=(".gemini", "GEMINI.md"), home=(".gemini/settings.json",)),
    lists=("gemini", "mcp", "list"),
    edits=(
        JsonKey(
            what="MCP server for Gemini CLI",
            file=".gemini/settings.json",
            path=("mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
            todo="Gemini CLI starts no server of a folder that is not trusted: run `gemini` here and trust it.",
        ),
        _hooks(shared_hook_line),
        MarkdownBlock(what="instructions for Gemini CLI", file="GEMINI.md", lines=INSTRUCTIONS),
    ),
    user_edits=_user_edits,
)
