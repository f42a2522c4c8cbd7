"""Claude Code: its MCP server entry for the project, its hooks, and its instructions.

Source: Claude Code's documentation of August 2026, and version 2.1.197 as it runs. The server's entry names the command
alone, as `.mcp.json` is committed and the path differs from machine to machine. The hooks go into the settings that are
one user's own, `.claude/settings.local.json`, and never into the committed `.claude/settings.json`: whoever has no
memoire would see every one of them fail. So there the command is named by its whole path, as editors that start Claude
Code have no PATH of a shell.
"""

from collections.abc import Mapping
from posixpath import basename
from typing import Any

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import INSTRUCTIONS, MCP_JSON, SERVER
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_items import JsonItems
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.text_block import MarkdownBlock

SETTINGS_FILE = ".claude/settings.local.json"

HOOK_ARGUMENTS = ["hook", "claude-code"]

HOOK_TIMEOUT_S = 5
"""After which Claude Code goes on without it; at the end of a session it waits 1.5 s for all hooks together."""

_TOOLS = "Read|Edit|Write|MultiEdit|NotebookEdit|Bash"
HOOKS: Mapping[str, dict[str, Any]] = {
    "SessionStart": {},
    "UserPromptSubmit": {},
    "PreToolUse": {"matcher": _TOOLS},
    "PostToolUse": {"matcher": _TOOLS, "async": True},
    "PostToolUseFailure": {"matcher": "Bash", "async": True},
    "PreCompact": {},
    "Stop": {},
    "SubagentStop": {},
    "SessionEnd": {},
}
"""Event -> the tools that it is wanted for, and whether Claude Code may go on meanwhile.

One that comes when Claude Code ends must not: it would be killed with it.
"""


def hooks() -> dict[str, Any]:
    """Return event -> entry of the settings, in the form that starts no shell."""
    command = program()
    return {event: _entry(command, options) for event, options in HOOKS.items()}


def share_of_hooks(entry: object) -> str:
    """Return how much of an entry of the settings is memoire's: all, part or none of its commands."""
    inner = entry.get("hooks") if isinstance(entry, dict) else None
    ours = [_is_ours(hook) for hook in inner] if isinstance(inner, list) else []
    return "none" if not any(ours) else "all" if all(ours) else "part"


def hook_programs(settings: object) -> dict[str, str]:
    """Return event -> the program that settings run at it for memoire; an event without one is absent."""
    events = settings.get("hooks") if isinstance(settings, dict) else None
    found: dict[str, str] = {}
    for event, entries in events.items() if isinstance(events, dict) else ():
        for entry in entries if isinstance(entries, list) else ():
            if share_of_hooks(entry) != "none":
                found[event] = next(hook["command"] for hook in entry["hooks"] if _is_ours(hook))
    return found


def _entry(command: str, options: Mapping[str, Any]) -> dict[str, Any]:
    hook = {"type": "command", "command": command, "args": HOOK_ARGUMENTS, "timeout": HOOK_TIMEOUT_S}
    if options.get("async"):
        hook["async"] = True
    matcher = {"matcher": options["matcher"]} if "matcher" in options else {}
    return {**matcher, "hooks": [hook]}


def _is_ours(hook: object) -> bool:
    command, arguments = (hook.get("command"), hook.get("args")) if isinstance(hook, dict) else (None, None)
    return isinstance(command, str) and basename(command) == "memoire" and arguments == HOOK_ARGUMENTS


def _user_edits() -> tuple[Edit, ...]:
    return (
        JsonKey(
            what="MCP server for Claude Code",
            file=".claude.json",
            path=("mcpServers", "memoire"),
            value={**SERVER, "command": program()},
        ),
        JsonItems(
            what="hooks of Claude Code", file=".claude/settings.json", path=("hooks",), make=hooks, share=share_of_hooks
        ),
    )


CLIENT = Client(
    name="claude-code",
    title="Claude Code",
    detect=used_by("claude", project=(".claude", "CLAUDE.md"), home=(".claude", ".claude.json")),
    lists=("claude", "mcp", "list"),
    edits=(
        MCP_JSON,
        JsonItems(
            what="hooks of Claude Code",
            file=SETTINGS_FILE,
            path=("hooks",),
            make=hooks,
            share=share_of_hooks,
            is_personal=True,
        ),
        MarkdownBlock(what="instructions for Claude Code", file="CLAUDE.md", lines=INSTRUCTIONS),
    ),
    user_edits=_user_edits,
)
