"""goose: an extension of its settings, which are a user's alone, and `AGENTS.md`.

Source: goose of August 2026; the program itself was not run. Its settings are YAML, and goose writes them anew.
"""

from memoire.clients._program import program, used_by
from memoire.clients._shared_files import AGENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.yaml_key import YamlKey


def _user_edits() -> tuple[Edit, ...]:
    return (
        YamlKey(
            what="MCP server for goose",
            file=".config/goose/config.yaml",
            path=("extensions", "memoire"),
            value={
                "enabled": True,
                "type": "stdio",
                "name": "memoire",
                "cmd": program(),
                "args": ["mcp"],
                "envs": {},
                "timeout": 300,
            },
        ),
    )


CLIENT = Client(
    name="goose",
    title="goose",
    detect=used_by("goose", project=(".goosehints",), home=(".config/goose",)),
    edits=(AGENTS,),
    user_edits=_user_edits,
)
