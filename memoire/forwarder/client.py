"""The assistant's side: frames on stdin and stdout, and the answers that need no daemon.

Invariant: stdout gets whole frames and nothing else.
"""

import json
import os
from collections.abc import Mapping

READ_BYTES = 65536
WRITE_BYTES = 4096
"""At a time. Source: POSIX, a pipe that `select` calls writable takes PIPE_BUF bytes without blocking."""

MAX_FRAME_BYTES = 8 << 20
PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603

HANDSHAKE = "handshake"
"""The era of the protocol that begins with `initialize`: 2024-11-05 to 2025-11-25."""

MODERN = "modern"
"""The era in which every request says its version by itself: 2026-07-28 on."""

TOOLS = ("all", "graph", "memory")
"""What an assistant may be offered: all tools, those of the graph, those of the notes."""
_MEMORY = "memory_"
_NOTES = ("memoire://note/", "memoire://sweep/")

_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"

Message = dict[str, object]


class Frame:
    """A message that is the daemon's to answer or to know."""

    __slots__ = ("id", "is_modern", "is_request", "line", "method", "params")

    def __init__(self, line: bytes, message: Message) -> None:
        self.line = line
        self.id = message.get("id")
        self.method = str(message.get("method", ""))
        params = message.get("params")
        self.params: Message = params if isinstance(params, dict) else {}
        self.is_request = "method" in message and "id" in message
        self.is_modern = is_modern(params)


class Baked:
    """What the real server answers always the same, in both eras of the protocol.

    Args:
        path: The file.
        tools: Which tools are offered: one of `TOOLS`.
        is_read_only: Whether those that write are left out.
    """

    def __init__(self, path: str, tools: str = "all", *, is_read_only: bool = False) -> None:
        with open(path, "rb") as file:
            data = json.load(file)
        self._tables: dict[str, dict[str, Message]] = {era: data[era] for era in (HANDSHAKE, MODERN)}
        self.hidden = frozenset(
            tool["name"]
            for tool in data[MODERN]["tools/list"]["result"]["tools"]
            if not (_is_offered(tool["name"], tools) and (tool["annotations"]["readOnlyHint"] or not is_read_only))
        )
        """Tools that this client is not offered."""
        if self.hidden:
            for table in self._tables.values():
                _hide(table, self.hidden, with_notes=tools != "graph")
        self._versions: dict[str, list[str]] = data["versions"]
        listed = data[MODERN]["tools/list"]["result"]
        self.harmless_tools = frozenset(tool["name"] for tool in listed["tools"] if tool["annotations"]["readOnlyHint"])
        self.modern_meta: Message = listed.get("_meta", {})
        """What results of the modern era carry."""

    def initialize(self, params: object) -> Message | None:
        """Return the answer to `initialize`, None where its params are not as they should be."""
        if not isinstance(params, dict) or not isinstance(params.get("capabilities"), dict):
            return None
        version, who = params.get("protocolVersion"), params.get("clientInfo")
        who = who if isinstance(who, dict) else {}
        if not all(isinstance(text, str) for text in (version, who.get("name"), who.get("version"))):
            return None
        known = self._versions[HANDSHAKE]
        result = self._tables[HANDSHAKE]["initialize"]["result"]
        assert isinstance(result, dict)
        return {"result": {**result, "protocolVersion": version if version in known else known[-1]}}

    def refusal(self, text: str, *, is_modern: bool) -> Message:
        """Return the answer of a tool that failed."""
        result: Message = {"content": [{"type": "text", "text": text}], "isError": True}
        if is_modern:
            result |= {"resultType": "complete", "_meta": self.modern_meta}
        return {"result": result}

    def answer(self, method: str, params: object, era: str) -> Message | None:
        """Return the result or error of a request; None where only the daemon can tell, as of anything unusual."""
        given = {} if params is None else params
        if not isinstance(given, dict) or given.get("cursor") is not None:
            return None
        meta = given.get("_meta", {})
        if not isinstance(meta, dict) or is_modern(given) == (era == HANDSHAKE):
            return None
        if era == HANDSHAKE:
            return self._tables[HANDSHAKE].get(method)
        is_whole = isinstance(meta.get(_CAPABILITIES_KEY), dict) and meta.get(_VERSION_KEY) in self._versions[MODERN]
        return self._tables[MODERN].get(method) if is_whole else None


def _is_offered(name: str, tools: str) -> bool:
    return tools == "all" or name.startswith(_MEMORY) == (tools == "memory")


def _hide(table: dict[str, Message], hidden: frozenset[str], *, with_notes: bool) -> None:
    """Take some tools out of the answers of an era, and what the instructions say of them."""
    result: Message
    for method in ("initialize", "server/discover"):
        result = table.get(method, {}).get("result", {})  # type: ignore[assignment]  # of our own file
        if "instructions" in result:
            told = str(result["instructions"]).split(". ")
            result["instructions"] = ". ".join(each for each in told if not any(name in each for name in hidden))
    for method, key, name in (
        ("tools/list", "tools", "name"),
        ("prompts/list", "prompts", ""),
        ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ):
        result = table[method]["result"]  # type: ignore[assignment]  # as above
        listed: list[Message] = result[key]  # type: ignore[assignment]  # as above
        if name == "name":
            result[key] = [one for one in listed if one[name] not in hidden]
        elif not with_notes:
            result[key] = [one for one in listed if name and not str(one[name]).startswith(_NOTES)]


class Client:
    """The assistant at the other end of stdin and stdout."""

    def __init__(self, baked: Baked, stdin: int = 0, stdout: int = 1) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.outgoing = bytearray()
        self.baked = baked
        self.era = ""
        """Of the connection: decided by `initialize`, or by the first modern request that went to a daemon."""
        self.initialize: Message | None = None
        """The params of its handshake, to be said again to every daemon."""
        self.is_over = False
        """Whether it closed its end."""
        self.has_listed = False
        """Whether it was told the tools."""
        self._incoming = bytearray()
        self._is_skipping = False

    def read(self) -> list[Frame]:
        """Answer what can be answered of what is there to read; return the rest. The caller knows stdin is readable."""
        data = os.read(self.stdin, READ_BYTES)
        if not data:
            self.is_over = True
            data = b"\n"  # the last line may lack its end
        self._incoming += data
        if b"\n" not in data:
            self._bound()
            return []
        *lines, self._incoming = self._incoming.split(b"\n")
        if self._is_skipping:
            self._is_skipping = False
            del lines[0]
        frames = [self._take(bytes(line.strip())) for line in lines]
        self._bound()
        return [frame for frame in frames if frame is not None]

    def reply(self, id_: object, body: Message) -> None:
        """Put one answer in the queue: `{"result": …}` or `{"error": …}`."""
        # ASCII: whatever the id holds, and were it half a surrogate pair, it goes back as it came.
        self.outgoing += (
            json.dumps({"jsonrpc": "2.0", "id": id_, **body}, separators=(",", ":")).encode("ascii") + b"\n"
        )

    def refuse(self, id_: object, code: int, message: str) -> None:
        """Put an error in the queue."""
        self.reply(id_, {"error": {"code": code, "message": message}})

    def flush(self) -> None:
        """Write a little. The caller knows that stdout is writable."""
        written = os.write(self.stdout, self.outgoing[:WRITE_BYTES])
        del self.outgoing[:written]

    def _bound(self) -> None:
        """Drop a frame that grows without end."""
        if self._is_skipping:
            self._incoming.clear()
        elif len(self._incoming) > MAX_FRAME_BYTES:
            self._incoming.clear()
            self._is_skipping = True
            self.refuse(None, INVALID_REQUEST, f"The message is larger than {MAX_FRAME_BYTES >> 20} MiB.")

    def _take(self, line: bytes) -> Frame | None:
        if not line:
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self.refuse(None, PARSE_ERROR, "Parse error")
            return None
        if not isinstance(message, dict) or not (is_id(message.get("id")) or "method" in message):
            self.refuse(None, INVALID_REQUEST, "Invalid request")  # a batch, which no era after 2025-03-26 has
            return None
        method = message.get("method")
        if isinstance(method, str) and "id" in message:
            return self._request(line, message, method)
        if method is not None and not isinstance(method, str):
            self.refuse(message.get("id"), INVALID_REQUEST, "Invalid request")
            return None
        # Every daemon gets its own `initialized`, right after its own `initialize`.
        return None if method == "notifications/initialized" else Frame(line, message)

    def _request(self, line: bytes, message: Message, method: str) -> Frame | None:
        id_, params = message["id"], message.get("params")
        if not is_id(id_):
            self.refuse(None, INVALID_REQUEST, "Invalid request")
            return None
        name = params.get("name") if method == "tools/call" and isinstance(params, dict) else None
        if isinstance(name, str) and name in self.baked.hidden:
            text = f"ERR_UNKNOWN_OPERATION: {name} is not offered here: `memoire mcp` was started without it."
            self.reply(id_, self.baked.refusal(text, is_modern=is_modern(params)))
            return None
        if method == "initialize" and self.era != MODERN:
            found = self.baked.initialize(params)
            if found is not None:
                self.era = HANDSHAKE
                self.initialize = params if isinstance(params, dict) else None
        else:
            found = self.baked.answer(method, params, self.era)
        if found is None:
            return Frame(line, message)
        self.has_listed = self.has_listed or method == "tools/list"
        self.reply(id_, found)
        return None


def is_id(value: object) -> bool:
    """Return whether the value may be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def is_modern(params: object) -> bool:
    """Return whether the params carry the envelope of the modern era."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return isinstance(meta, Mapping) and _VERSION_KEY in meta


def key_of(id_: object) -> str:
    """Return the id as a key: 1 and "1" are two."""
    return json.dumps(id_)
