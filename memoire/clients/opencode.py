"""OpenCode: its MCP server entry in the form of both its versions, a plug-in that is its hooks, and `AGENTS.md`.

Source: OpenCode 1.18.33 as it runs.
"""

from pathlib import Path

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.json_key import JsonKey
from memoire.clients.edits.whole_file import OwnFile

SERVER = {"type": "local", "command": ["memoire", "mcp"], "enabled": True}


SCHEMA = "https://opencode.ai/config.json"

PLUGIN_FILE = Path(__file__).with_name("opencode_plugin.js")


def plugin() -> str:
    """Return the plug-in: the same on every machine."""
    return PLUGIN_FILE.read_text(encoding="utf-8")


def _schema(file: str, other: str) -> JsonKey:
    """Return the key that OpenCode itself adds to its settings, in a file that would not be as it was then."""
    return JsonKey(
        what="form of the settings of OpenCode", file=file, instead=(other,), path=("$schema",), value=SCHEMA
    )


def _user_edits() -> tuple[Edit, ...]:
    return (
        _schema(".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"),
        JsonKey(
            what="MCP server for OpenCode",
            file=".config/opencode/opencode.json",
            instead=(".config/opencode/opencode.jsonc",),
            path=("mcp", "memoire"),
            value={**SERVER, "command": [program(), "mcp"]},
        ),
        OwnFile(what="plug-in of OpenCode", file=".config/opencode/plugins/memoire.js", make=plugin),
    )


CLIENT = Client(
    name="opencode",
    title="OpenCode",
    detect=used_by("opencode", project=("opencode.json", "opencode.jsonc", ".opencode"), home=(".config/opencode",)),
    lists=("opencode", "mcp", "list"),
    edits=(
        _schema("opencode.json", "opencode.jsonc"),
        JsonKey(
            what="MCP server for OpenCode",
            file="opencode.json",
            instead=("opencode.jsonc",),
            path=("mcp", "memoire"),
            value=SERVER,
            command="memoire",
        ),
        OwnFile(what="plug-in of OpenCode", file=".opencode/plugins/memoire.js", make=plugin),
        AGENTS,
    ),
    user_edits=_user_edits,
)
