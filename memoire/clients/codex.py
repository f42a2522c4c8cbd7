"""Codex CLI: its MCP server entry, its hooks, and the instructions of `AGENTS.md`.

Source: Codex CLI 0.171.0 as it runs. It passes a server hardly any environment, and reads the settings of a project
only where the user trusts it. Hooks run once the user has trusted each; until then they are left out in silence.
"""

from functools import partial
from typing import Any

from memoire.clients._program import hook_line, program, share_of, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_items import JsonItems
from memoire.clients.edits.toml_table import TomlTable

HOOK_TIMEOUT_S = 5

HOOKS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop", "SubagentStop", "SessionEnd",
)  # fmt: skip
"""Events that are wanted. Their matchers stay open: what its tools are called depends on the model."""

HOOK_TODO = "Codex runs hooks once you trust them: start `codex` here, and say so in `/hooks`."

_TABLE = ("mcp_servers", "memoire")


def hooks() -> dict[str, Any]:
    """Return event -> entry of the settings."""
    hook = {"type": "command", "command": hook_line("codex"), "timeout": HOOK_TIMEOUT_S}
    return {event: {"hooks": [hook]} for event in HOOKS}


def _hooks(*, is_personal: bool) -> JsonItems:
    return JsonItems(
        what="hooks of Codex CLI",
        file=".codex/hooks.json",
        path=("hooks",),
        make=hooks,
        share=partial(share_of, client="codex"),
        is_personal=is_personal,
        todo=HOOK_TODO,
    )


def _user_edits() -> tuple[Edit, ...]:
    return (
        TomlTable(
            what="MCP server for Codex CLI",
            file=".codex/config.toml",
            table=_TABLE,
            values={"command": program(), "args": ["mcp"]},
        ),
        _hooks(is_personal=False),
    )


CLIENT = Client(
    name="codex",
    title="Codex CLI",
    detect=used_by("codex", project=(".codex",), home=(".codex",)),
    lists=("codex", "mcp", "list"),
    edits=(
        TomlTable(
            what="MCP server for Codex CLI",
            file=".codex/config.toml",
            table=_TABLE,
            values={"command": "memoire", "args": ["mcp"]},
            command="memoire",
            todo="Codex reads a project's settings once the project is trusted: run `codex` here and say so.",
        ),
        _hooks(is_personal=True),
        AGENTS,
    ),
    user_edits=_user_edits,
)
