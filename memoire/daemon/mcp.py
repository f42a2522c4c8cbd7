"""The MCP face of the operations, for both eras of the protocol. The only importer of `mcp`, which takes a second.

What a tool answers goes out twice, as text and as structured content: clients differ in which of them they read.
"""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import unquote

import anyio
import mcp_types as types
import msgspec
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from memoire import launch
from memoire.daemon import prompts
from memoire.daemon.app import AnyOperation, Source, near_names
from memoire.daemon.http import read_line
from memoire.errors import (
    BadRequestError,
    InvalidArgumentError,
    MemoireError,
    UnknownNoteError,
    UnknownOperationError,
    UsageError,
)
from memoire.notes.model import WATCH

logger = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 8 << 20
MAX_RESULT_CHARS = 60_000
"""Asked of Claude Code, which writes a larger result than its own limit to a file instead of showing it."""

DRAIN_S = 8.0
MAX_COMPLETIONS = 100
"""In one answer. Source: MCP, `completion/complete`."""

CONTEXT_URI = "memoire://context"
NODE_TEMPLATE = "memoire://node/{+path}"
NOTE_TEMPLATE = "memoire://note/{+id}"
_NODE = "memoire://node/"
_NOTE = "memoire://note/"
_LISTS = CacheHint(ttl_ms=3_600_000, scope="public")
_JSON = "application/json"

_Context = ServerRequestContext[Any]
_ToServer = MemoryObjectSendStream[SessionMessage | Exception]
_ToClient = MemoryObjectSendStream[SessionMessage]
_FromServer = MemoryObjectReceiveStream[SessionMessage]


class Calls(Protocol):
    """Whom the tools ask."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> bytes:
        """Return the result of one operation as JSON, or raise a `MemoireError`."""

    async def complete(self, prefix: str) -> Sequence[str]:
        """Return the paths that begin with the text, or raise a `MemoireError`."""


class Sessions:
    """The MCP server of the daemon: one for all sessions, since it keeps nothing of any of them."""

    def __init__(self, source: Source, opening: Calls) -> None:
        self._opening = opening
        tools = [operation for operation in source.operations if operation.is_tool]
        self._tools = types.ListToolsResult(tools=[_tool(operation) for operation in tools])
        self._names = tuple(operation.name for operation in tools)
        resources, templates = _resources(self._names)
        self._resources = types.ListResourcesResult(resources=resources)
        self._templates = types.ListResourceTemplatesResult(resource_templates=templates)
        self._offered = {one.name: one for one in prompts.PROMPTS if one.tools <= set(self._names)}
        self._prompts = types.ListPromptsResult(prompts=[_prompt(one) for one in self._offered.values()])
        self.server: Server[Any] = Server(
            "memoire",
            version=launch.VERSION,
            title="memoire",
            instructions=source.instructions,
            cache_hints={
                "tools/list": _LISTS,
                "resources/list": _LISTS,
                "resources/templates/list": _LISTS,
                "prompts/list": _LISTS,
                "server/discover": _LISTS,
            },
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        self.server.middleware.clear()  # tracing: nothing of ours is exported

    def open(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> "Session":
        """Return a session with the client at the other end."""
        return Session(self.server, reader, writer)

    async def _list_tools(self, _: _Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        _refuse_cursor(params)
        return self._tools

    async def _list_resources(
        self, _: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        _refuse_cursor(params)
        return self._resources

    async def _list_templates(
        self, _: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        _refuse_cursor(params)
        return self._templates

    async def _call_tool(self, _: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            if params.name not in self._names:
                raise UnknownOperationError(params.name, near_names(params.name, self._names))
            found = await self._opening.call(params.name, params.arguments or {})
        except MemoireError as error:
            text = _printable(f"{error.err}: {error}")
            return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
        text = found.decode("utf-8")
        return types.CallToolResult(
            content=[types.TextContent(text=text)], structured_content=msgspec.json.decode(found)
        )

    async def _read_resource(self, _: _Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        name, arguments = _resource_call(params.uri)
        try:
            if name not in self._names:
                raise UnknownOperationError(params.uri)
            found = await self._opening.call(name, arguments)
            if name == "memory_read" and not msgspec.json.decode(found)["notes"]:
                raise UnknownNoteError(params.uri.removeprefix(_NOTE))
        except MemoireError as error:
            raise _protocol_error(error) from error
        contents = types.TextResourceContents(uri=params.uri, mime_type=_JSON, text=found.decode("utf-8"))
        return types.ReadResourceResult(contents=[contents])

    async def _list_prompts(self, _: _Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        _refuse_cursor(params)
        return self._prompts

    async def _get_prompt(self, _: _Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            if params.name not in self._offered:
                raise InvalidArgumentError("name", f"there is no prompt {params.name!r}", list(self._offered))
            found = self._offered[params.name]
            given = params.arguments or {}
            prompts.check(found, given)
            text = await found.make(self._ask, given)
        except MemoireError as error:
            raise _protocol_error(error) from error
        message = types.PromptMessage(role="user", content=types.TextContent(text=_printable(text)))
        return types.GetPromptResult(description=found.about, messages=[message])

    async def _ask(self, name: str, arguments: Mapping[str, Any]) -> Any:
        return msgspec.json.decode(await self._opening.call(name, arguments))

    async def _complete(self, _: _Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        try:
            found = await self._completed(params.ref, params.argument.name, params.argument.value)
        except MemoireError as error:
            raise _protocol_error(error) from error
        values = list(found[:MAX_COMPLETIONS])
        completion = types.Completion(values=values, total=len(found), has_more=len(found) > len(values))
        return types.CompleteResult(completion=completion)

    async def _completed(
        self, ref: types.ResourceTemplateReference | types.PromptReference, name: str, prefix: str
    ) -> Sequence[str]:
        """Return what begins with a text, of what an argument of a template or a prompt may be."""
        if isinstance(ref, types.ResourceTemplateReference):
            known = {(NODE_TEMPLATE, "path"): "path", (NOTE_TEMPLATE, "id"): "note"}.get((ref.uri, name), "")
        else:
            arguments = self._offered[ref.name].arguments if ref.name in self._offered else ()
            known = name if any(argument.name == name for argument in arguments) else ""
        match known:
            case "path":
                return await self._opening.complete(prefix)
            case "note":
                return await prompts.notes(self._ask, prefix)
            case "session":
                return await prompts.sessions(self._ask, prefix)
            case "type":
                return [kind for kind in WATCH if kind.startswith(prefix)]
            case _:
                return []


class Session:
    """One client: newline-delimited JSON-RPC over its connection."""

    def __init__(self, server: Server[Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._server = server
        self._reader = reader
        self._writer = writer
        self._reading = anyio.CancelScope()
        self._is_draining = False
        self._unanswered: set[str | int] = set()
        self._is_quiet = asyncio.Event()
        self._is_quiet.set()

    def drain(self) -> None:
        """Take no more requests; end once those there are have been answered."""
        self._is_draining = True
        self._reading.cancel()

    async def run(self) -> None:
        """Serve until the client leaves or the session is drained."""
        to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._read, to_server, to_client.clone())
            group.start_soon(self._write, from_server)
            await self._server.run(from_client, to_client, self._server.create_initialization_options())
            self._reading.cancel()

    async def _read(self, to_server: _ToServer, to_client: _ToClient) -> None:
        async with to_server, to_client:
            with self._reading:
                try:
                    while line := await read_line(self._reader, MAX_MESSAGE_BYTES):
                        await self._take(line, to_server, to_client)
                except ConnectionError:
                    logger.debug("session reset by its client")
                except BadRequestError:
                    logger.warning("session ended: a message is larger than %s bytes", MAX_MESSAGE_BYTES)
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    logger.debug("session ended by the server")
            if self._is_draining:
                with anyio.move_on_after(DRAIN_S):
                    await self._is_quiet.wait()

    async def _take(self, line: bytes, to_server: _ToServer, to_client: _ToClient) -> None:
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError:
            if line.strip():
                await to_client.send(SessionMessage(_refusal(line)))
            return
        match message:
            case types.JSONRPCRequest():
                self._unanswered.add(message.id)
                self._is_quiet.clear()
            case types.JSONRPCNotification(
                method="notifications/cancelled", params={"requestId": str() | int() as id_}
            ):
                self._settle(id_)
            case _:
                pass
        await to_server.send(SessionMessage(message))

    async def _write(self, from_server: _FromServer) -> None:
        try:
            async with from_server:
                async for item in from_server:
                    message = item.message
                    text = message.model_dump_json(by_alias=True, exclude_unset=True)
                    self._writer.write(text.encode("utf-8") + b"\n")
                    await self._writer.drain()
                    if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
                        self._settle(message.id)
        except ConnectionError:
            self._reading.cancel()  # nobody is there to answer to

    def _settle(self, id_: str | int) -> None:
        self._unanswered.discard(id_)
        if not self._unanswered:
            self._is_quiet.set()


def _tool(operation: AnyOperation) -> types.Tool:
    return types.Tool(
        name=operation.name,
        title=operation.title,
        description=operation.description,
        input_schema={**_bare(operation.input_schema()), "additionalProperties": False},
        output_schema=_bare(operation.output_schema()),
        annotations=types.ToolAnnotations(
            read_only_hint=operation.read_only,
            destructive_hint=operation.is_destructive,
            idempotent_hint=operation.read_only,
            open_world_hint=False,
        ),
        _meta={"anthropic/maxResultSizeChars": MAX_RESULT_CHARS},
    )


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema without the docstring of its struct: the tool's own description says more."""
    return {key: value for key, value in schema.items() if key != "description"}


def _resources(tools: tuple[str, ...]) -> tuple[list[types.Resource], list[types.ResourceTemplate]]:
    """Return what can be read without a tool: constant, as the forwarder answers with it before there is a daemon."""
    resources: list[types.Resource] = []
    templates: list[types.ResourceTemplate] = []
    if "get_context" in tools:
        about = "What `get_context` returns: the project's structure, what drives what, what happened lately."
        resources.append(
            types.Resource(
                uri=CONTEXT_URI, name="context", title="Project overview", description=about, mime_type=_JSON
            )
        )
    if "expand" in tools:
        about = "What `expand` returns for a file or directory."
        templates.append(
            types.ResourceTemplate(
                uri_template=NODE_TEMPLATE, name="node", title="File or directory", description=about, mime_type=_JSON
            )
        )
    if "memory_read" in tools:
        about = "What `memory_read` returns for a note's id, path or key; `id@transaction` is one version, for ever."
        templates.append(
            types.ResourceTemplate(
                uri_template=NOTE_TEMPLATE, name="note", title="Note", description=about, mime_type=_JSON
            )
        )
    return resources, templates


def _prompt(prompt: prompts.Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=argument.name, description=argument.about, required=False)
        for argument in prompt.arguments
    ]
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.about, arguments=arguments)


def _resource_call(uri: str) -> tuple[str, dict[str, Any]]:
    """Return the operation that reads the resource, and its arguments; the name is empty where there is none."""
    if uri == CONTEXT_URI:
        return "get_context", {}
    if uri.startswith(_NODE):
        return "expand", {"path": unquote(uri.removeprefix(_NODE)) or "."}
    if uri.startswith(_NOTE):
        return "memory_read", {"ids": [unquote(uri.removeprefix(_NOTE))]}
    return "", {}


def _refuse_cursor(params: types.PaginatedRequestParams | None) -> None:
    """Every list is one page, so no cursor that a client may hold is one of ours."""
    if params is not None and params.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "Invalid cursor")


def _protocol_error(error: MemoireError) -> MCPError:
    code = types.INVALID_PARAMS if isinstance(error, UsageError) else types.INTERNAL_ERROR
    return MCPError(code, _printable(f"{error.code}: {error}"))


def _refusal(line: bytes) -> types.JSONRPCError:
    """Return the answer to a line that is no message, under its id where it has one: a client that waits would hang."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return types.JSONRPCError(
            jsonrpc="2.0", id=None, error=types.ErrorData(code=types.PARSE_ERROR, message="Parse error")
        )
    id_ = found.get("id") if isinstance(found, dict) else None
    if isinstance(id_, bool) or not isinstance(id_, str | int):
        id_ = None
    if isinstance(id_, str):
        id_ = _printable(id_)
    return types.JSONRPCError(
        jsonrpc="2.0", id=id_, error=types.ErrorData(code=types.INVALID_REQUEST, message="Invalid request")
    )


def _printable(text: str) -> str:
    """Return the text without lone surrogates, which no JSON can carry."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
