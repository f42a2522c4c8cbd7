"""A daemon in this process, on a real socket, with a fake project behind it."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from memoire import launch, paths
from memoire.daemon import lock
from memoire.daemon.app import Load
from memoire.daemon.bind import bind
from memoire.daemon.lifecycle import Daemon
from memoire.daemon.server import is_own_peer
from memoire.errors import DaemonRunningError
from tests.daemon_places import ENVELOPE, Place, call, new_place, run
from tests.fake_memoire import FILES, World, open_world

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
def place() -> Iterator[Place]:
    with new_place() as place:
        yield place


class Running:
    """A daemon that runs in this loop, and its client."""

    def __init__(self, place: Place, load: Load) -> None:
        self.bound = bind(place.root, foreground=True)
        self.daemon = Daemon(self.bound, load, check_s=0.01)
        self.task = asyncio.create_task(self.daemon.run())

    async def connect(self) -> Streams:
        return await asyncio.open_unix_connection(self.bound.socket_path)

    async def http(self, method: str, target: str, body: bytes = b"") -> tuple[int, dict[str, Any]]:
        reader, writer = await self.connect()
        try:
            return await exchange((reader, writer), method, target, body)
        finally:
            writer.close()

    async def raw(self, data: bytes) -> bytes:
        reader, writer = await self.connect()
        writer.write(data)
        if writer.can_write_eof():
            writer.write_eof()
        found = await reader.read()
        writer.close()
        return found

    async def session(self) -> Streams:
        reader, writer = await self.connect()
        writer.write(b"MEMOIRE-MCP test\n")
        assert (await reader.readline()).startswith(b"MEMOIRE-MCP 0.")
        return reader, writer


@asynccontextmanager
async def daemon(place: Place, load: Load | None = None) -> AsyncIterator[Running]:
    running = Running(place, load or open_world(World()))
    try:
        yield running
    finally:
        running.daemon.stop("the test is over")
        await running.task
        running.bound.lock.release()


async def exchange(streams: Streams, method: str, target: str, body: bytes = b"") -> tuple[int, dict[str, Any]]:
    reader, writer = streams
    writer.write(f"{method} {target} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    found = json.loads(await reader.readexactly(length))
    return int(head.split(b" ")[1]), found


async def tell(streams: Streams, message: dict[str, Any]) -> dict[str, Any]:
    streams[1].write(json.dumps(message).encode() + b"\n")
    found = json.loads(await streams[0].readline())
    assert isinstance(found, dict)
    return found


def test_an_operation_is_asked_over_http(place: Place) -> None:
    async def work() -> Any:
        async with daemon(place) as running:
            return await running.http("POST", "/op/say", '{"text":"hé","times":"2"}'.encode())

    assert run(work()) == (200, {"result": {"text": "héhé", "pid": os.getpid(), "times": 2}})


def test_an_error_says_what_and_how_to_go_on(place: Place) -> None:
    async def work() -> Any:
        async with daemon(place) as running:
            return await running.http("POST", "/op/expand", b'{"path":"READ.md"}')

    message = "'READ.md' is no file or directory of this project. Did you mean README.md?"
    assert run(work()) == (
        404,
        {
            "error": {
                "code": "unknown-path",
                "message": message,
                "exit_code": 2,
                "near": ["README.md"],
                "details": {"path": "READ.md", "near": ["README.md"], "why": ""},
            }
        },
    )


def test_the_status_is_answered_before_the_project_is_open(place: Place) -> None:
    gate = asyncio.Event()
    ready = open_world(World())("")

    async def work() -> list[Any]:
        async def open_late() -> Any:
            await gate.wait()
            return await ready.open()

        late = type(ready)(operations=ready.operations, instructions="", open=open_late)
        async with daemon(place, lambda _: late) as running:
            found = [await running.http("GET", "/status")]
            gate.set()
            await running.http("POST", "/op/say", b'{"text":"x"}')
            return [*found, await running.http("GET", "/status")]

    (_, before), (_, after) = run(work())
    assert before["result"]["state"] == "starting"
    assert "project" not in before["result"]
    assert after["result"]["state"] == "ready"
    assert after["result"]["project"] == {"files": len(FILES)}
    assert after["result"]["pid"] == os.getpid()
    assert after["result"]["root"] == place.root
    assert after["result"]["assistants"] == 0


def test_the_status_says_why_the_project_cannot_be_opened(place: Place) -> None:
    async def work() -> Any:
        async with daemon(place, open_world(World(), failures=100)) as running:
            answer = await running.http("POST", "/op/say", b'{"text":"x"}')
            return answer, (await running.http("GET", "/status"))[1]["result"]

    (status, answer), state = run(work())
    assert (status, answer["error"]["code"], answer["error"]["exit_code"]) == (503, "store-unavailable", 4)
    assert state["state"] == "failed"
    assert state["problem"]["code"] == "store-unavailable"


def test_a_project_that_fails_to_open_in_an_unforeseen_way_ends_the_daemon(place: Place) -> None:
    def load(_: str) -> Any:
        raise ImportError("no such module")

    async def work() -> int:
        running = Running(place, load)
        status = await running.task
        running.bound.lock.release()
        return status

    assert run(work()) == 1


def test_ingest_says_what_it_did(place: Place) -> None:
    async def work() -> Any:
        async with daemon(place) as running:
            return await running.http("POST", "/ingest")

    assert run(work()) == (200, {"result": {"files": len(FILES)}})


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "code"),
    [
        ("GET", "/", b"", 404, "bad-request"),
        ("GET", "/op", b"", 404, "bad-request"),
        ("GET", "/op/say", b"", 405, "bad-request"),
        ("POST", "/status", b"", 405, "bad-request"),
        ("GET", "/hook/claude-code", b"", 405, "bad-request"),
        ("POST", "/op/nothing", b"", 404, "unknown-operation"),
        ("POST", "/op/say", b"[]", 400, "bad-request"),
        ("POST", "/op/say", b"{", 400, "bad-request"),
        ("POST", "/op/say", b'{"text":"\\ud800"}', 400, "bad-request"),
        ("POST", "/op/say", b"{}", 400, "invalid-argument"),
        ("POST", "/op/fail", b"{}", 500, "internal"),
    ],
)
def test_what_cannot_be_done_is_answered_and_the_connection_goes_on(
    place: Place, method: str, target: str, body: bytes, status: int, code: str
) -> None:
    async def work() -> Any:
        async with daemon(place) as running:
            streams = await running.connect()
            found = await exchange(streams, method, target, body)
            again = await exchange(streams, "GET", "/status")
            streams[1].close()
            return found, again[0]

    (found_status, found), again = run(work())
    assert (found_status, found["error"]["code"], again) == (status, code, 200)
    assert "hunter2" not in json.dumps(found)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01\x00\n", b"400"),
        (b"GET /status HTTP/1.1\r\nContent-Length: x\r\nHost: y\r\n\r\n", b"400"),
        (b"GET /status HTTP/1.1\r\n\r\n", b"400"),
        (b"POST /op/say HTTP/1.1\r\nHost: x\r\nContent-Length: 8388609\r\n\r\n" + b"x" * 1_000_000, b"413"),
        (b"POST /op/say HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"501"),
        (b"GET /status HTTP/1.1\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", b"413"),
    ],
)
def test_what_is_no_request_is_told_so_in_json_and_hung_up_on(place: Place, data: bytes, status: bytes) -> None:
    async def work() -> tuple[bytes, int]:
        async with daemon(place) as running:
            return await running.raw(data), (await running.http("GET", "/status"))[0]

    answer, again = run(work())
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"Connection: close" in answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "bad-request"
    assert again == 200


@pytest.mark.parametrize("data", [b"", b"\n", b"GET /status HT", b"MEMOIRE-MCP", b"x" * 10_000])
def test_a_client_that_leaves_early_leaves_nothing_behind(place: Place, data: bytes) -> None:
    async def work() -> bool:
        async with daemon(place) as running:
            await running.raw(data)
            assert (await running.http("GET", "/status"))[0] == 200
            while running.daemon._server._connections:
                await asyncio.wait(running.daemon._server._connections)
            return running.daemon._server.is_in_use

    assert run(work()) is False


def test_a_client_that_vanishes_while_it_is_answered_costs_nothing_afterwards(place: Place) -> None:
    async def work() -> tuple[int, int]:
        async with daemon(place) as running:
            for target, body in (("/op/say", b'{"text":"0123456789","times":100000}'), ("/status", b"")):
                link = socket.socket(socket.AF_UNIX)
                link.connect(running.bound.socket_path)
                method = b"POST" if body else b"GET"
                link.sendall(method + f" {target} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode())
                link.sendall(body)
                link.close()
            _, writer = await running.session()
            writer.write(json.dumps(call(1, "say", {"text": "x", "times": 1_000_000})).encode() + b"\n")
            writer.transport.abort()
            server = running.daemon._server
            while server._connections:
                await asyncio.wait(server._connections)
            status, _ = await running.http("GET", "/status")
            return status, server.assistants

    assert run(work()) == (200, 0)


def test_a_client_that_reads_no_more_holds_up_nobody(place: Place) -> None:
    async def work() -> int:
        async with daemon(place) as running:
            slow = socket.socket(socket.AF_UNIX)
            slow.connect(running.bound.socket_path)
            body = b'{"text":"0123456789","times":1000000}'
            slow.sendall(b"POST /op/say HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            for _ in range(3):
                status, _ = await running.http("GET", "/status")
            assert running.daemon._server.is_in_use  # by the slow one
            slow.close()
            return status

    assert run(work()) == 200


def test_only_our_own_user_is_answered(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    assert is_own_peer(ours)
    ours.close()
    theirs.close()
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    tcp = socket.socket()
    assert not is_own_peer(tcp)
    tcp.close()
    folder = Path("/tmp") / f"mm-peer-{os.getpid()}"  # where the other user may go
    folder.mkdir(mode=0o755)
    try:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(folder / "s"))
        (folder / "s").chmod(0o777)
        listener.listen()
        listener.settimeout(30)
        script = (
            "import os, socket; os.setuid(65534); s = socket.socket(socket.AF_UNIX); "
            f"s.connect({str(folder / 's')!r}); s.recv(1)"
        )
        other = subprocess.Popen([sys.executable, "-I", "-S", "-c", script])
        accepted, _ = listener.accept()
        assert not is_own_peer(accepted)
        accepted.close()
        listener.close()
        assert other.wait(30) == 0
    finally:
        shutil.rmtree(folder)


def test_the_socket_and_its_folder_are_private(place: Place) -> None:
    async def work() -> list[int]:
        async with daemon(place) as running:
            path = Path(running.bound.socket_path)
            return [path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777]

    assert run(work()) == [0o600, 0o700]


def test_a_project_under_a_very_long_path_is_served_all_the_same(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    home = place.top / ("h" * 60) / ("i" * 60)
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))

    async def work() -> tuple[int, str]:
        async with daemon(place) as running:
            return (await running.http("GET", "/status"))[0], running.bound.socket_path

    status, path = run(work())
    assert status == 200
    assert path.startswith("/tmp/memoire-")


def test_a_second_daemon_is_refused_by_the_lock(place: Place) -> None:
    async def work() -> DaemonRunningError:
        async with daemon(place):
            with pytest.raises(DaemonRunningError) as caught:
                await asyncio.to_thread(bind, place.root, foreground=True)
            return caught.value

    error = run(work())
    assert (error.pid, error.exit_code) == (os.getpid(), 3)


def test_a_successor_waits_until_the_one_that_is_ending_lets_go(place: Place) -> None:
    async def work() -> str:
        first = bind(place.root, foreground=True)
        first.close()  # it answers no more, but its store may still be open
        waiting = asyncio.create_task(asyncio.to_thread(bind, place.root, foreground=True))
        await asyncio.wait({waiting}, timeout=0.2)
        assert not waiting.done()
        first.lock.release()
        second = await waiting
        second.close()
        second.lock.release()
        return second.socket_path

    assert run(work()) == paths.socket_path(place.root)


def test_the_database_has_a_lock_of_its_own(place: Place) -> None:
    held = lock.take_database(place.root)
    assert held is not None
    assert lock.take_database(place.root) is None
    assert lock.database_holder_pid(place.root) == os.getpid()
    project = lock.take_project(place.root)
    assert project is not None
    project.release()
    held.release()
    again = lock.take_database(place.root)
    assert again is not None
    again.release()
    assert not again.is_held()


def test_what_is_being_answered_is_answered_before_the_daemon_ends(place: Place) -> None:
    world = World()

    async def work() -> Any:
        async with daemon(place, open_world(world)) as running:
            streams = await running.session()
            streams[1].write(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}).encode())
            streams[1].write(b"\n" + json.dumps(call(1, "wait")).encode() + b"\n")
            await streams[0].readline()
            asking = asyncio.create_task(running.http("POST", "/op/wait"))
            idle = await running.connect()
            await exchange(idle, "GET", "/status")
            await world.entered.wait()
            status, stopped = await running.http("POST", "/stop")
            assert (status, stopped) == (200, {"result": {"pid": os.getpid()}})
            with pytest.raises(FileNotFoundError):
                await running.connect()
            assert await idle[0].read() == b""  # nothing was asked there
            assert not running.task.done()
            world.gate.set()
            answers = [json.loads(await streams[0].readline()), await asking]
            assert await streams[0].read() == b""
            await running.task
            idle[1].close()
            streams[1].close()
            return answers

    (mcp, (status, http)) = run(work())
    assert mcp["result"]["structuredContent"]["text"] == "waited"
    assert (status, http["result"]["text"]) == (200, "waited")
    assert world.is_closed


def test_who_waits_for_the_project_hears_that_the_daemon_ends(place: Place) -> None:
    ready = open_world(World())("")

    async def open_never() -> Any:
        await asyncio.Event().wait()

    async def work() -> Any:
        never = type(ready)(operations=ready.operations, instructions="", open=open_never)
        async with daemon(place, lambda _: never) as running:
            streams = await running.session()
            await tell(streams, {"jsonrpc": "2.0", "id": 0, "method": "tools/list", "params": {"_meta": ENVELOPE}})
            streams[1].write(json.dumps(call(1, "say", {"text": "x"}, is_modern=True)).encode() + b"\n")
            asking = asyncio.create_task(running.http("POST", "/op/say", b'{"text":"x"}'))
            for _ in range(3):
                await running.http("GET", "/status")
            await running.http("POST", "/stop")
            found = [await asking, json.loads(await streams[0].readline())]
            streams[1].close()
            return found

    (status, answer), told = run(work())
    assert (status, answer["error"]["code"]) == (503, "daemon-unavailable")
    assert told["result"]["isError"] is True


HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


@pytest.mark.parametrize("gone", ["root", "lock", "socket"])
def test_a_daemon_ends_when_what_it_stands_on_is_gone(place: Place, gone: str) -> None:
    async def work() -> int:
        running = Running(place, open_world(World()))
        assert (await running.http("GET", "/status"))[0] == 200
        if gone == "root":
            shutil.move(place.root, place.top / "moved")
        elif gone == "lock":
            (place.state / launch.LOCK_FILE).unlink()
        else:
            Path(running.bound.socket_path).unlink()
        status = await running.task
        running.bound.lock.release()
        return status

    assert run(work()) == 0


def test_a_daemon_that_nobody_needs_ends(place: Place) -> None:
    async def work() -> int:
        running = Running(place, open_world(World(), idle_s=0.05))
        status = await running.task
        running.bound.lock.release()
        return status

    assert run(work()) == 0
    assert not Path(paths.socket_path(place.root)).exists()


def test_a_daemon_with_an_assistant_is_not_idle(place: Place) -> None:
    async def work() -> bool:
        async with daemon(place, open_world(World(), idle_s=0.02)) as running:
            _, writer = await running.session()
            await asyncio.wait({running.task}, timeout=0.3)
            is_alive = not running.task.done()
            writer.close()
            await running.task
            return is_alive

    assert run(work())


def test_a_session_speaks_the_protocol_of_the_handshake(place: Place) -> None:
    async def work() -> list[Any]:
        async with daemon(place) as running:
            streams = await running.session()
            found = [
                await tell(streams, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}),
                await tell(streams, call("a", "expand", {"path": "src/naïve file.py"})),
                await tell(streams, call(2, "exapnd")),
                await tell(streams, call(3, "hidden")),
                await tell(streams, call(4, "fail")),
                await tell(streams, call(5, "expand", {"path": "nowhere\n"})),
            ]
            streams[1].close()
            return found

    hello, expanded, unknown, hidden, failed, nowhere = run(work())
    assert hello["result"]["protocolVersion"] == "2025-11-25"
    assert hello["result"]["instructions"] == "For tests."
    assert expanded == {
        "jsonrpc": "2.0",
        "id": "a",
        "result": {
            "content": [{"type": "text", "text": '{"path":"src/naïve file.py","type":"file"}'}],
            "structuredContent": {"path": "src/naïve file.py", "type": "file"},
            "isError": False,
        },
    }
    assert unknown["result"]["isError"] is True
    assert "Did you mean expand?" in unknown["result"]["content"][0]["text"]
    assert hidden["result"]["isError"] is True
    assert failed["result"]["content"][0]["text"].startswith("ERR_INTERNAL: ")
    assert "hunter2" not in json.dumps(failed)
    assert nowhere["result"]["content"][0]["text"].startswith("ERR_UNKNOWN_PATH: ")


def test_a_session_speaks_the_protocol_without_a_handshake(place: Place) -> None:
    async def work() -> list[Any]:
        async with daemon(place) as running:
            streams = await running.session()
            read = {"uri": "memoire://node/src/na%C3%AFve%20file.py", "_meta": ENVELOPE}
            missing = {"uri": "memoire://node/nowhere", "_meta": ENVELOPE}
            ref = {"type": "ref/resource", "uri": "memoire://node/{+path}"}
            complete = {"ref": ref, "argument": {"name": "path", "value": "src/mod_1"}, "_meta": ENVELOPE}
            found = [
                await tell(streams, call(1, "say", {"text": "x"}, is_modern=True)),
                await tell(streams, {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": read}),
                await tell(streams, {"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": missing}),
                await tell(streams, {"jsonrpc": "2.0", "id": 4, "method": "completion/complete", "params": complete}),
            ]
            streams[1].close()
            return found

    said, read, missing, completed = run(work())
    assert said["result"]["structuredContent"]["text"] == "x"
    assert said["result"]["resultType"] == "complete"
    (content,) = read["result"]["contents"]
    assert (content["mimeType"], json.loads(content["text"])["path"]) == ("application/json", "src/naïve file.py")
    assert missing["error"]["code"] == -32602
    assert "unknown-path" in missing["error"]["message"]
    completion = completed["result"]["completion"]
    assert completion["values"] == [f"src/mod_{number}.py" for number in range(100, 150)]
    assert (completion["total"], completion["hasMore"]) == (50, False)


def test_a_completion_is_bounded_and_says_that_there_is_more(place: Place) -> None:
    async def work() -> Any:
        async with daemon(place) as running:
            streams = await running.session()
            ref = {"type": "ref/resource", "uri": "memoire://node/{+path}"}
            complete = {"ref": ref, "argument": {"name": "path", "value": "src/"}, "_meta": ENVELOPE}
            other = {**complete, "argument": {"name": "other", "value": ""}}
            found = [
                await tell(streams, {"jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": params})
                for params in (complete, other)
            ]
            streams[1].close()
            return [one["result"]["completion"] for one in found]

    many, none = run(work())
    assert (len(many["values"]), many["total"], many["hasMore"]) == (100, 151, True)
    assert none["values"] == []


@pytest.mark.parametrize(
    ("line", "id_", "code"),
    [
        (b"{", None, -32700),
        (b"\xff\xfe", None, -32700),
        (b"[" * 50_000, None, -32700),
        (b"[]", None, -32600),
        (b"{}", None, -32600),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600),
        (b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"\\ud800"}}', "x", -32600),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":5}', "\\ud800", -32600),
    ],
)
def test_a_line_that_is_no_message_is_answered_where_it_can_be_and_the_session_goes_on(
    place: Place, line: bytes, id_: object, code: int
) -> None:
    async def work() -> Any:
        async with daemon(place) as running:
            streams = await running.session()
            streams[1].write(b"\n" + line + b"\n")
            refused = json.loads(await streams[0].readline())
            said = await tell(streams, call(1, "say", {"text": "x"}, is_modern=True))
            streams[1].close()
            return refused, said

    refused, said = run(work())
    assert (refused["id"], refused["error"]["code"]) == (id_, code)
    assert said["result"]["structuredContent"]["text"] == "x"


def test_a_cancelled_call_is_not_answered_and_the_session_goes_on(place: Place) -> None:
    world = World()

    async def work() -> Any:
        async with daemon(place, open_world(world)) as running:
            streams = await running.session()
            await tell(streams, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
            streams[1].write(json.dumps(call(1, "wait")).encode() + b"\n")
            await world.entered.wait()
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
            streams[1].write(json.dumps(cancel).encode() + b"\n")
            found = await tell(streams, call(2, "say", {"text": "x"}))
            streams[1].close()
            return found["id"]

    assert run(work()) == 2


def test_a_message_larger_than_eight_megabytes_ends_its_session_alone(place: Place) -> None:
    async def work() -> int:
        async with daemon(place) as running:
            reader, writer = await running.session()
            with suppress(ConnectionError):
                for _ in range(200):
                    writer.write(b"x" * 65536)
                    await writer.drain()
                await reader.read()
            writer.close()
            return (await running.http("GET", "/status"))[0]

    assert run(work()) == 200
