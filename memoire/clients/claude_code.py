"""Claude Code: its MCP server entry for the project, and its instructions.

Source: Claude Code's documentation of August 2026, and version 2.1.197 as it runs. The entry names the command alone,
as `.mcp.json` is committed and the path differs from machine to machine.
"""

import shutil
from pathlib import Path

from memoire import paths
from memoire.clients._spec import Client, JsonKey, MarkdownBlock

SERVER = {"type": "stdio", "command": "memoire", "args": ["mcp"], "env": {}}

INSTRUCTIONS = (
    "## memoire",
    "",
    "The MCP server `memoire` knows this project's files, definitions, tests, documents and history, and which of them",
    "drive which.",
    "- At the start of a session: `get_context`.",
    "- Before opening or editing a file: `expand` with its path; it shows who depends on it and which tests check it.",
    "- Before grepping for a name or a subject: `search`.",
    "- For what happened lately: `recent_events`.",
    "- What an answer says was cut, is pending or could not be parsed is not in it: read those files themselves.",
)


def _detect(root: str) -> bool:
    home = Path(paths.home_dir())
    marks = (Path(root, ".claude"), Path(root, "CLAUDE.md"), home / ".claude", home / ".claude.json")
    return any(mark.exists() for mark in marks) or shutil.which("claude") is not None


CLIENT = Client(
    name="claude-code",
    title="Claude Code",
    detect=_detect,
    edits=(
        JsonKey(
            what="MCP server for Claude Code",
            file=".mcp.json",
            path=("mcpServers", "memoire"),
            value=SERVER,
            command="memoire",
            todo="Claude Code asks once to approve the project's MCP server: run `claude` here and accept it, or /mcp.",
        ),
        MarkdownBlock(what="instructions for Claude Code", file="CLAUDE.md", lines=INSTRUCTIONS),
    ),
)
