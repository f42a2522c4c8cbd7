"""Writes `memoire/baked.json`: what the real MCP server answers always the same, and what the operations are.

The forwarder and the command line read it, because importing what it is made from costs them a second. Which files are
of which language goes into `memoire/languages/files.json`, since all languages cost every process a fifth of a second.
Run `python -m memoire.daemon.bake` after a change of an operation, of the server, or of the files of a language; a test
holds the files equal to it.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import msgspec
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS

from memoire.daemon.app import AnyOperation, App, Source
from memoire.daemon.mcp import Sessions
from memoire.errors import NotInitializedError
from memoire.languages import FILES_FILE, LANGUAGES, files_of
from memoire.operations import INSTRUCTIONS, OPERATIONS

BAKED_FILE = Path(__file__).parent.parent / "baked.json"

_LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
_CLIENT = {"name": "bake", "version": "0"}


class _Nobody:
    """Stands behind a server that is only asked what it can tell without a project."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> bytes:
        raise NotInitializedError(name)

    async def complete(self, prefix: str) -> Sequence[str]:
        raise NotInitializedError(prefix)


async def bake(source: Source) -> dict[str, Any]:
    """Return the content of `baked.json` for the operations of the source."""
    sessions = Sessions(source, _Nobody())
    hello = {"protocolVersion": HANDSHAKE_PROTOCOL_VERSIONS[-1], "capabilities": {}, "clientInfo": _CLIENT}
    handshake = [("initialize", hello), ("ping", None), *((method, None) for method in _LISTS)]
    envelope = {
        "io.modelcontextprotocol/protocolVersion": LATEST_MODERN_VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": _CLIENT,
    }
    modern = [(method, {"_meta": envelope}) for method in ("server/discover", *_LISTS)]
    return {
        "versions": {"handshake": list(HANDSHAKE_PROTOCOL_VERSIONS), "modern": list(MODERN_PROTOCOL_VERSIONS)},
        "operations": [_describe(operation) for operation in source.operations],
        "handshake": await _answers(sessions, handshake),
        "modern": await _answers(sessions, modern),
    }


def render(baked: Mapping[str, Any]) -> str:
    """Return the text of the file."""
    return json.dumps(baked, indent=1, ensure_ascii=False) + "\n"


def files_of_languages() -> str:
    """Return the text of `files.json`, in the order of the languages."""
    found = {language.name: msgspec.to_builtins(files_of(language)) for language in LANGUAGES}
    lines = (f"{json.dumps(name)}: {json.dumps(files)}" for name, files in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def this_source() -> Source:
    """Return the operations of this version."""

    async def open_nothing() -> App:
        raise NotInitializedError("")

    return Source(operations=OPERATIONS, instructions=INSTRUCTIONS, open=open_nothing)


def main() -> None:
    """Write the files."""
    FILES_FILE.write_text(files_of_languages(), "utf-8")
    BAKED_FILE.write_text(render(asyncio.run(bake(this_source()))), "utf-8")


async def _answers(
    sessions: Sessions, requests: Sequence[tuple[str, Mapping[str, Any] | None]]
) -> dict[str, dict[str, Any]]:
    """Return by method the result or error that the server gives, over one connection."""
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    server = sessions.server
    answers: dict[str, dict[str, Any]] = {}
    async with anyio.create_task_group() as group, to_server, from_server:
        group.start_soon(server.run, from_client, to_client, server.create_initialization_options())
        for method, params in requests:
            request = {"jsonrpc": "2.0", "id": 1, "method": method, **({} if params is None else {"params": params})}
            await to_server.send(SessionMessage(types.jsonrpc_message_adapter.validate_python(request)))
            answer = (await from_server.receive()).message.model_dump(mode="json", by_alias=True, exclude_unset=True)
            answers[method] = {key: answer[key] for key in ("result", "error") if key in answer}
        await to_server.aclose()
    return answers


def _describe(operation: AnyOperation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "command": operation.command or operation.name,
        "title": operation.title,
        "description": operation.description,
        "is_tool": operation.is_tool,
        "read_only": operation.read_only,
        "input_schema": operation.input_schema(),
    }


if __name__ == "__main__":
    main()
