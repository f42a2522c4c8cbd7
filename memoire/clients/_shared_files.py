"""What several clients read from one file: the lines that tell of memoire, and the MCP server of `.mcp.json`."""

from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.text_block import MarkdownBlock

INSTRUCTIONS = (
    "## memoire",
    "",
    "The MCP server `memoire` knows this project's files, definitions, tests, documents and history, and which of them",
    "drive which.",
    "- At the start of a session: `get_context`.",
    "- Before opening or editing a file: `expand` with its path; it shows who depends on it and which tests check it.",
    "- Before grepping for a name or a subject: `search`.",
    "- For what happened lately: `recent_events`. What was decided or found: `memory_recall`; keep it: `memory_write`.",
    "- What an answer says was cut, is pending or could not be parsed is not in it: read those files themselves.",
)

AGENTS = MarkdownBlock(what="instructions for assistants", file="AGENTS.md", lines=INSTRUCTIONS)
"""In the file that nearly all clients read; Claude Code has its own, and Gemini CLI too."""

SERVER = {"type": "stdio", "command": "memoire", "args": ["mcp"], "env": {}}

MCP_JSON = JsonKey(
    what="MCP server for Claude Code and Copilot CLI",
    file=".mcp.json",
    path=("mcpServers", "memoire"),
    value=SERVER,
    command="memoire",
    todo="Claude Code asks once to approve the project's MCP server: run `claude` here and accept it, or /mcp.",
)
"""Names the command alone, as the file is committed and the path differs from machine to machine."""
