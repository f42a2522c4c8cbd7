"""The assistant's side of the forwarder, over pipes, without any daemon."""

import json
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire import forwarder
from memoire.forwarder import client as client_module
from memoire.forwarder.client import HANDSHAKE, MODERN, Baked, Client, Frame
from memoire.forwarder.relay import Pending
from tests.daemon_places import CLIENT, ENVELOPE

BAKED = Baked(forwarder.BAKED_FILE)
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}


class Pipes:
    """A client with pipes for stdin and stdout."""

    def __init__(self, baked: Baked = BAKED) -> None:
        stdin, self.to_client = os.pipe()
        self.from_client, stdout = os.pipe()
        self.client = Client(baked, stdin, stdout)

    def close(self) -> None:
        for fd in (self.client.stdin, self.client.stdout, self.to_client, self.from_client):
            os.close(fd)

    def say(self, *lines: bytes | dict[str, Any]) -> list[Frame]:
        """Send lines, and return the frames that are the daemon's."""
        frames = []
        for line in lines:
            data = line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n"
            for start in range(0, len(data), 60_000):
                os.write(self.to_client, data[start : start + 60_000])
                frames += self.client.read()
        return frames

    def answers(self) -> list[Any]:
        found = [json.loads(line) for line in self.client.outgoing.splitlines()]
        self.client.outgoing.clear()
        return found


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    pipes = Pipes()
    yield pipes
    pipes.close()


def request(method: str, params: Any = None, id_: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, **({} if params is None else {"params": params})}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_handshake_agrees_on_the_version_of_the_client(pipes: Pipes, version: str) -> None:
    assert pipes.say(request("initialize", {**HELLO, "protocolVersion": version}, "x")) == []
    (answer,) = pipes.answers()
    assert (answer["id"], answer["result"]["protocolVersion"]) == ("x", version)
    assert answer["result"]["serverInfo"]["name"] == "memoire"
    assert answer["result"]["instructions"]
    assert (pipes.client.era, pipes.client.initialize) == (HANDSHAKE, {**HELLO, "protocolVersion": version})


def test_a_version_that_nobody_knows_gets_the_latest_of_the_handshake(pipes: Pipes) -> None:
    pipes.say(request("initialize", {**HELLO, "protocolVersion": "2031-01-01"}))
    assert pipes.answers()[0]["result"]["protocolVersion"] == "2025-11-25"


def test_the_lists_are_answered_after_the_handshake(pipes: Pipes) -> None:
    pipes.say(request("initialize", HELLO), {"jsonrpc": "2.0", "method": "notifications/initialized"})
    pipes.answers()
    methods = ["ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list"]
    assert pipes.say(*(request(method, None, method) for method in methods)) == []
    ping, tools, _, templates, prompts = pipes.answers()
    assert ping["result"] == {}
    assert [tool["name"] for tool in tools["result"]["tools"]][:2] == ["get_context", "expand"]
    assert templates["result"]["resourceTemplates"][0]["uriTemplate"] == "memoire://node/{+path}"
    assert prompts["result"]["prompts"][0]["name"] == "save_session"
    assert pipes.client.has_listed


def test_the_modern_era_needs_no_handshake(pipes: Pipes) -> None:
    assert pipes.say(request("server/discover", {"_meta": ENVELOPE}), request("tools/list", {"_meta": ENVELOPE})) == []
    discovered, tools = pipes.answers()
    assert discovered["result"]["supportedVersions"] == ["2026-07-28"]
    assert discovered["result"]["resultType"] == "complete"
    assert tools["result"]["ttlMs"] == 3_600_000
    assert (pipes.client.era, pipes.client.initialize) == ("", None)


def test_a_client_may_probe_the_modern_era_and_then_shake_hands(pipes: Pipes) -> None:
    pipes.say(request("server/discover", {"_meta": ENVELOPE}), request("initialize", HELLO), request("tools/list"))
    assert [next(iter(answer["result"])) for answer in pipes.answers()] == ["cacheScope", "capabilities", "tools"]
    assert pipes.client.era == HANDSHAKE


UNUSUAL: list[tuple[str, str, Any]] = [
    ("", "tools/list", None),  # before the handshake
    ("", "initialize", None),
    ("", "initialize", {**HELLO, "clientInfo": {"name": "x"}}),
    ("", "initialize", {**HELLO, "protocolVersion": 5}),
    ("", "initialize", {**HELLO, "capabilities": None}),
    ("", "initialize", {**HELLO, "_meta": ENVELOPE, "capabilities": []}),
    ("", "tools/list", {"_meta": {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2027-01-01"}}),
    ("", "tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}),
    ("", "ping", {"_meta": ENVELOPE}),
    (HANDSHAKE, "tools/list", {"cursor": "x"}),
    (HANDSHAKE, "tools/list", {"_meta": ENVELOPE}),
    (HANDSHAKE, "tools/list", {"_meta": 5}),
    (HANDSHAKE, "tools/list", []),
    (HANDSHAKE, "server/discover", None),
    (HANDSHAKE, "tools/call", {"name": "expand", "arguments": {"path": "x"}}),
    (HANDSHAKE, "no/such", None),
    (MODERN, "initialize", HELLO),
    (MODERN, "tools/list", None),
]


@pytest.mark.parametrize(("era", "method", "params"), UNUSUAL)
def test_whatever_is_unusual_is_for_the_real_server_to_judge(pipes: Pipes, era: str, method: str, params: Any) -> None:
    pipes.client.era = era
    (frame,) = pipes.say(request(method, params, "x"))
    assert (frame.is_request, frame.method, frame.id) == (True, method, "x")
    assert json.loads(frame.line) == request(method, params, "x")
    assert pipes.answers() == []


@pytest.mark.parametrize(
    ("line", "id_", "code"),
    [
        (b"{\n", None, -32700),
        (b"\xff\n", None, -32700),
        (b"[" * 40_000 + b"\n", None, -32700),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', None, -32600),
        (b"5\n", None, -32600),
        (b"{}\n", None, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":5}\n', 7, -32600),
    ],
)
def test_what_is_no_message_is_refused(pipes: Pipes, line: bytes, id_: object, code: int) -> None:
    assert pipes.say(line) == []
    (answer,) = pipes.answers()
    assert (answer["id"], answer["error"]["code"]) == (id_, code)


def test_an_id_comes_back_as_it_was(pipes: Pipes) -> None:
    pipes.say(request("initialize", HELLO))
    pipes.answers()
    ids = [0, -1, 2**70, "", "1", "é", "\ud800"]
    pipes.say(*(request("ping", None, id_) for id_ in ids))
    assert [answer["id"] for answer in pipes.answers()] == ids


def test_empty_lines_and_answers_and_other_notifications(pipes: Pipes) -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    frames = pipes.say(b"\n \r\n", answer, cancelled, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert [(frame.method, frame.is_request) for frame in frames] == [("", False), ("notifications/cancelled", False)]
    assert pipes.answers() == []


def test_a_frame_without_end_is_refused_and_the_next_one_is_read(pipes: Pipes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_FRAME_BYTES", 1 << 20)
    pipes.say(request("initialize", HELLO))
    pipes.answers()
    assert pipes.say(b"x" * (3 << 20)) == []
    assert len(pipes.client._incoming) <= 1 << 20
    pipes.say(b"y\n", request("ping"))
    refused, ping = pipes.answers()
    assert (refused["id"], refused["error"]["code"]) == (None, -32600)
    assert ping["result"] == {}


def test_the_last_line_may_lack_its_end(pipes: Pipes) -> None:
    pipes.say(request("initialize", HELLO), json.dumps(request("ping")).encode())
    os.close(pipes.to_client)
    pipes.client.read()
    pipes.to_client = os.open(os.devnull, os.O_RDONLY)
    assert [answer["result"] == {} for answer in pipes.answers()] == [False, True]
    assert pipes.client.is_over


def test_little_is_written_at_a_time_since_more_could_block(pipes: Pipes) -> None:
    pipes.client.outgoing += b"x" * 10_000
    pipes.client.flush()
    assert len(os.read(pipes.from_client, 65536)) == client_module.WRITE_BYTES
    assert len(pipes.client.outgoing) == 10_000 - client_module.WRITE_BYTES


STREAM = b"".join(
    json.dumps(message).encode() + b"\n"
    for message in (
        request("initialize", HELLO),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("tools/call", {"name": "say", "arguments": {"text": "naïve"}}, "é"),
        request("ping", None, 2),
    )
)


@settings(max_examples=50)
@given(st.lists(st.integers(1, len(STREAM) - 1), unique=True, max_size=20))
def test_it_does_not_matter_how_the_stream_is_cut(cuts: Sequence[int]) -> None:
    pipes = Pipes()
    edges = [0, *sorted(cuts), len(STREAM)]
    frames = [frame for start, end in pairwise(edges) for frame in pipes.say(STREAM[start:end])]
    ids = [answer["id"] for answer in pipes.answers()]
    pipes.close()
    assert [frame.id for frame in frames] == ["é"]
    assert ids == [1, 2]


@pytest.mark.parametrize(
    ("method", "name", "is_harmless"),
    [
        ("tools/call", "expand", True),
        ("tools/call", "no_such", False),
        ("tools/call", None, False),
        ("resources/read", None, True),
        ("tools/list", None, True),
        ("prompts/get", None, True),
        ("tasks/result", None, False),
    ],
)
def test_only_what_is_known_to_change_nothing_is_asked_twice(method: str, name: str | None, is_harmless: bool) -> None:
    frame = Frame(b"", request(method, {} if name is None else {"name": name}))
    assert Pending(frame, BAKED.harmless_tools).is_harmless is is_harmless


def test_help_and_wrong_arguments(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert forwarder.main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: memoire mcp")
    for arguments in (["--root"], ["x"], ["--root", "a", "b"], ["--tools", "some"], ["--read-only", "yes"]):
        assert forwarder.main(arguments) == 2
        shown = capsys.readouterr()
        assert (shown.out, shown.err[:18]) == ("", "usage: memoire mcp")


GRAPH = ["get_context", "expand", "search", "recent_events"]


@pytest.mark.shows("T1", "H2")
@pytest.mark.parametrize("era", [HANDSHAKE, MODERN])
@pytest.mark.parametrize(
    ("tools", "is_read_only", "offered", "hidden"),
    [
        ("graph", False, GRAPH, ["memory_recall", "memory_write"]),
        ("all", True, [*GRAPH, *(f"memory_{name}" for name in ("recall", "list", "read", "history", "check"))],
         ["memory_write", "memory_revise", "memory_feedback", "memory_forget"]),
        ("memory", True, [f"memory_{name}" for name in ("recall", "list", "read", "history", "check")], ["expand"]),
    ],
)  # fmt: skip
def test_a_client_may_be_offered_the_four_alone_or_none_that_writes(
    era: str, tools: str, is_read_only: bool, offered: list[str], hidden: list[str]
) -> None:
    pipes = Pipes(Baked(forwarder.BAKED_FILE, tools, is_read_only=is_read_only))
    try:
        envelope = {"_meta": ENVELOPE} if era == MODERN else {}
        if era == HANDSHAKE:
            assert pipes.say(request("initialize", HELLO)) == []
            (hello,) = pipes.answers()
        else:
            assert pipes.say(request("server/discover", envelope)) == []
            (hello,) = pipes.answers()
        assert not any(name in hello["result"]["instructions"] for name in hidden)
        assert "get_context" in hello["result"]["instructions"] or tools == "memory"
        assert pipes.say(request("tools/list", envelope or None), request("prompts/list", envelope or None)) == []
        listed, prompts = pipes.answers()
        assert [tool["name"] for tool in listed["result"]["tools"]] == offered
        assert bool(prompts["result"]["prompts"]) == (tools != "graph")
        for name in hidden:
            assert pipes.say(request("tools/call", {"name": name, "arguments": {}, **envelope})) == []
            (refused,) = pipes.answers()
            assert refused["result"]["isError"] is True
            assert refused["result"]["content"][0]["text"].startswith("ERR_UNKNOWN_OPERATION")
        (frame,) = pipes.say(request("tools/call", {"name": offered[0], "arguments": {}, **envelope}))
        assert frame.method == "tools/call"
    finally:
        pipes.close()
