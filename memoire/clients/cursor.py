"""Cursor: its MCP server entry, its hooks, and the instructions it reads from `AGENTS.md`.

Source: Cursor's documentation of August 2026; the program itself was not run.
"""

from collections.abc import Callable
from functools import partial

from memoire.clients._program import hook_line, program, share_of, shared_hook_line, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_items import JsonItems
from memoire.clients.edits.json_key import JsonKey

HOOKS = (
    "sessionStart", "beforeSubmitPrompt", "beforeReadFile", "afterFileEdit", "afterShellExecution", "preCompact",
    "stop", "subagentStop", "sessionEnd",
)  # fmt: skip
"""Events that are wanted. One that answers nothing lets Cursor go on."""


def _hooks(make_line: Callable[[str], str]) -> tuple[Edit, ...]:
    return (
        JsonKey(what="form of the hooks of Cursor", file=".cursor/hooks.json", path=("version",), value=1),
        JsonItems(
            what="hooks of Cursor",
            file=".cursor/hooks.json",
            path=("hooks",),
            make=lambda: {event: {"command": make_line("cursor")} for event in HOOKS},
            share=partial(share_of, client="cursor"),
        ),
    )


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Cursor",
            file=".cursor/mcp.json",
            path=("mcpServers", "memoire"),
            value={"command": program(), "args": ["mcp"]},
        ),
        *_hooks(hook_line),
    )


CLIENT = Client(
    name="cursor",
    title="Cursor",
    detect=used_by("cursor", "cursor-agent", project=(".cursor",), home=(".cursor",)),
    edits=(
        JsonKey(
            what="MCP server for Cursor",
            file=".cursor/mcp.json",
            path=("mcpServers", "memoire"),
            value={"command": "memoire", "args": ["mcp"]},
            command="memoire",
            todo="Cursor asks whether the new server may be started: say yes in Settings, under MCP.",
        ),
        *_hooks(shared_hook_line),
        AGENTS,
    ),
    user_edits=_user_edits,
)
