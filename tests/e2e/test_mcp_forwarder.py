"""The forwarder and the daemon as an assistant meets them: two processes, JSON-RPC on stdin and stdout."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoire import launch
from tests.daemon_places import BOUND_S, ENVELOPE, Place, Process, call, forwarder, new_place, wait_until
from tests.fake_memoire import daemon_command

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def place() -> Iterator[Place]:
    with new_place() as place:
        yield place


@pytest.fixture(scope="module")
def warm() -> Iterator[Place]:
    """A place whose daemon runs all the time: for tests that leave it as it is."""
    with new_place() as place:
        with forwarder(place) as client:
            client.ask(call(1, "say", {"text": "x"}, is_modern=True))
        yield place


def text_of(answer: dict[str, Any]) -> str:
    text = answer["result"]["content"][0]["text"]
    assert isinstance(text, str)
    return text


def pid_of(answer: dict[str, Any]) -> int:
    pid = answer["result"]["structuredContent"]["pid"]
    assert isinstance(pid, int)
    return pid


def test_tools_are_listed_before_there_is_a_daemon_and_a_call_starts_it(place: Place) -> None:
    with forwarder(place) as client:
        assert client.initialize()["result"]["instructions"] == "For tests."
        tools = client.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]["tools"]
        assert [tool["name"] for tool in tools][:3] == ["get_context", "expand", "say"]
        assert "hidden" not in {tool["name"] for tool in tools}
        said = client.ask(call(2, "say", {"text": "hé"}))
        assert text_of(said) == f'{{"text":"hé","pid":{place.daemon_pid}}}'
        assert client.end() == 0
    assert launch.is_running(place.root)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_handshake_version_works_through_to_the_daemon(warm: Place, version: str) -> None:
    with forwarder(warm) as client:
        assert client.initialize(version)["result"]["protocolVersion"] == version
        assert pid_of(client.ask(call(1, "say", {"text": "x"}))) == warm.daemon_pid


def test_the_modern_era_works_through_to_the_daemon(warm: Place) -> None:
    with forwarder(warm) as client:
        answer = client.ask(call(1, "say", {"text": "x"}, is_modern=True))
        assert answer["result"]["resultType"] == "complete"
        refused = client.ask({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"protocolVersion": "x"}})
        assert refused["error"]["code"] == -32022
        unknown = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}
        other = client.ask({"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {"_meta": unknown}})
        assert other["error"]["data"]["supported"] == ["2026-07-28"]


def test_many_calls_at_once_are_all_answered(warm: Place) -> None:
    with forwarder(warm) as client:
        client.initialize()
        client.send(*(call(number, "say", {"text": f"{number} " * 500}) for number in range(200)))
        answers = {answer["id"]: answer for answer in (client.receive() for _ in range(200))}
        assert sorted(answers) == list(range(200))
        assert all(answers[n]["result"]["structuredContent"]["text"] == f"{n} " * 500 for n in range(200))


def test_an_answer_of_megabytes_arrives_whole(warm: Place) -> None:
    with forwarder(warm) as client:
        client.initialize()
        answer = client.ask(call(1, "say", {"text": "é", "times": 1_000_000}))
        assert answer["result"]["structuredContent"]["text"] == "é" * 1_000_000


def test_a_client_that_reads_late_loses_nothing(warm: Place) -> None:
    """Its pipe is full many times over before it reads the first byte."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "tests.fake_memoire", "mcp", warm.root, str(warm.top / "baked.json")]
    late = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing, cwd=CHECKOUT)
    os.close(writing)
    assert late.stdin is not None
    for number in range(30):
        request = call(number, "say", {"text": "0123456789", "times": 10_000}, is_modern=True)
        late.stdin.write(json.dumps(request).encode() + b"\n")
    late.stdin.flush()
    with os.fdopen(reading, "rb") as answers:
        assert sorted(json.loads(answers.readline())["id"] for _ in range(30)) == list(range(30))
        late.stdin.close()
        assert late.wait(BOUND_S) == 0


def test_a_daemon_that_is_killed_between_calls_is_started_again(place: Place) -> None:
    with forwarder(place) as client:
        client.initialize()
        first = pid_of(client.ask(call(1, "say", {"text": "x"})))
        place.kill_daemon()
        second = pid_of(client.ask(call(2, "say", {"text": "x"})))
        assert second not in {first, 0}


def start_holding(client: Process, place: Place, name: str) -> Path:
    """Start a call that has begun, and does not end before the FIFO is opened and closed."""
    fifo = place.top / f"fifo-{name}-{len(list(place.top.iterdir()))}"
    os.mkfifo(fifo)
    client.send(call("held", name, {"path": str(fifo)}))
    return fifo


def test_a_question_that_a_killed_daemon_was_answering_is_asked_again(place: Place) -> None:
    with forwarder(place) as client:
        client.initialize()
        first = pid_of(client.ask(call(1, "say", {"text": "x"})))
        fifo = start_holding(client, place, "hold")
        with fifo.open("w"):
            place.kill_daemon()
        wait_until(lambda: place.daemon_pid not in {0, first})
        with fifo.open("w") as other_end:
            other_end.write("at last")
        answer = client.receive()
        assert answer["id"] == "held"
        assert answer["result"]["structuredContent"] == {"text": "at last", "pid": place.daemon_pid}


def test_of_a_change_that_a_killed_daemon_was_making_nothing_is_claimed(place: Place) -> None:
    with forwarder(place) as client:
        client.initialize()
        client.ask(call(1, "say", {"text": "x"}))
        fifo = start_holding(client, place, "hold_and_write")
        with fifo.open("w"):
            place.kill_daemon()
        answer = client.receive()
        assert answer["result"]["isError"] is True
        assert text_of(answer).startswith("ERR_DAEMON: The memoire daemon ended while it did this")
        assert pid_of(client.ask(call(2, "say", {"text": "x"}))) == place.daemon_pid


def test_a_question_that_kills_every_daemon_is_not_asked_for_ever(place: Place) -> None:
    with forwarder(place) as client:
        client.initialize()
        answer = client.ask(call(1, "die"))
        assert answer["result"]["isError"] is True
        assert text_of(answer).startswith("ERR_DAEMON: The memoire daemon ended twice")
        assert text_of(client.ask(call(2, "die_writing"))).startswith("ERR_DAEMON: The memoire daemon ended while")
        assert place.log.count("serving pid=") == 3
        assert "result" in client.ask(call(3, "say", {"text": "x"}))


def test_a_daemon_that_was_stopped_stays_so_until_it_is_needed(place: Place) -> None:
    with forwarder(place) as client:
        client.initialize()
        client.ask(call(1, "say", {"text": "x"}))
        assert launch.stop_daemon(place.root, wait_s=BOUND_S)
        assert client.ask({"jsonrpc": "2.0", "id": 2, "method": "ping"})["result"] == {}
        assert not launch.is_running(place.root)
        assert "result" in client.ask(call(3, "say", {"text": "x"}))


def test_a_daemon_of_an_older_build_is_replaced(place: Place) -> None:
    old = [argument if argument != "daemon" else "old-daemon" for argument in daemon_command(place.root)]
    launch.reach_daemon(place.root, wait_s=BOUND_S, command=old).close()
    first = place.daemon_pid
    with forwarder(place) as client:
        client.initialize()
        assert pid_of(client.ask(call(1, "say", {"text": "x"}))) not in {0, first}
    assert place.log.count("ending reason=asked to restart") == 1


def test_a_daemon_of_a_newer_build_is_kept(place: Place) -> None:
    launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root)).close()
    first = place.daemon_pid
    script = (
        "import sys; from memoire import forwarder, launch; launch.VERSION = '0.0.1'; "
        "sys.exit(forwarder.forward(sys.argv[1], sys.argv[2]))"
    )
    with forwarder(place):
        pass
    command = [sys.executable, "-c", script, place.root, str(place.top / "baked.json")]
    with Process(command, cwd=CHECKOUT) as client:
        client.initialize()
        assert pid_of(client.ask(call(1, "say", {"text": "x"}))) == first


def test_a_cancelled_call_is_not_answered(warm: Place) -> None:
    with forwarder(warm) as client:
        client.initialize()
        client.ask(call(1, "say", {"text": "x"}))
        fifo = start_holding(client, warm, "hold")
        with fifo.open("w"):
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "held"}}
            client.send(cancel)
            assert client.ask(call(2, "say", {"text": "x"}))["id"] == 2
        assert client.ask(call(3, "say", {"text": "x"}))["id"] == 3


def test_where_there_is_no_project_the_tools_are_listed_and_a_call_says_what_to_run(place: Place) -> None:
    folder = place.top / "other"
    folder.mkdir()
    with forwarder(place, str(folder)) as client:
        client.initialize()
        assert client.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]["tools"]
        answer = client.ask(call(2, "say", {"text": "x"}))
        assert answer["result"]["isError"] is True
        assert text_of(answer) == (
            f"ERR_NOT_INITIALIZED: {folder} is not a memoire project. Run `memoire init` in its top folder."
        )
        read = {"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": "memoire://context"}}
        assert "memoire init" in client.ask(read)["error"]["message"]
        modern = client.ask(call(4, "say", {"text": "x"}))
        assert modern["result"]["isError"] is True
    (folder / ".memoire").mkdir()
    (folder / ".memoire" / "config.toml").touch()
    with forwarder(place, str(place.home)) as client:
        answer = client.ask(call(1, "say", {"text": "x"}, is_modern=True))
        assert text_of(answer).startswith("ERR_REFUSED_ROOT: ")
        assert answer["result"]["resultType"] == "complete"
        assert "serverInfo" in json.dumps(answer["result"]["_meta"])


def test_a_project_that_is_initialized_later_is_found_by_the_next_call(place: Place) -> None:
    config = Path(place.root) / ".memoire" / "config.toml"
    config.unlink()
    with forwarder(place) as client:
        client.initialize()
        assert "memoire init" in text_of(client.ask(call(1, "say", {"text": "x"})))
        config.touch()
        assert pid_of(client.ask(call(2, "say", {"text": "x"}))) == place.daemon_pid


def test_a_daemon_that_cannot_start_is_told_with_the_last_line_of_its_log(place: Place) -> None:
    script = (
        "import sys; from memoire import forwarder; "
        "fail = [sys.executable, '-c', 'import sys; sys.exit(\"the disk is full\")']; "
        "sys.exit(forwarder.forward(sys.argv[1], sys.argv[2], fail))"
    )
    with forwarder(place):
        pass
    with Process([sys.executable, "-c", script, place.root, str(place.top / "baked.json")], cwd=CHECKOUT) as client:
        client.initialize()
        answer = client.ask(call(1, "say", {"text": "x"}))
        assert answer["result"]["isError"] is True
        assert "ERR_DAEMON_UNAVAILABLE: No memoire daemon answers" in text_of(answer)
        assert "the disk is full" in text_of(answer)
        assert client.ask({"jsonrpc": "2.0", "id": 2, "method": "ping"})["result"] == {}


def test_the_end_of_stdin_ends_the_forwarder_and_not_the_daemon(warm: Place) -> None:
    with forwarder(warm) as client:
        client.initialize()
        client.ask(call(1, "say", {"text": "x"}))
        assert client.end() == 0
        assert client.is_silent_to_the_end()
        assert client.stderr == []
    assert launch.is_running(warm.root)


def test_what_was_asked_before_the_end_of_stdin_is_answered(warm: Place) -> None:
    with forwarder(warm) as client:
        client.send(call(1, "say", {"text": "x"}, is_modern=True))
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.receive()["id"] == 1
        assert client.process.wait(BOUND_S) == 0


def test_a_client_that_dies_ends_its_forwarder_though_stdin_stays_open(warm: Place) -> None:
    """A grandchild of the client may hold the pipe; the parent's end is noticed all the same."""
    script = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen(sys.argv[1:], stdin=0, stdout=1, stderr=2)\n"
        "sys.stderr.write(f'{child.pid}\\n'); sys.stderr.flush(); os.read(3, 1)\n"
    )
    reading, writing = os.pipe()
    baked = str(warm.top / "baked.json")
    command = [sys.executable, "-c", script, sys.executable, "-m", "tests.fake_memoire", "mcp", warm.root, baked]

    def prepare() -> None:
        os.dup2(reading, 3)

    with Process(command, cwd=CHECKOUT, preexec_fn=prepare, close_fds=False) as parent:
        parent.initialize()
        wait_until(lambda: parent.stderr)
        pid = int(parent.stderr[0])
        parent.process.kill()
        parent.process.wait()
        assert parent.is_silent_to_the_end()  # the forwarder held stdout
        with pytest.raises(ProcessLookupError):
            wait_until(lambda: os.kill(pid, 0))
    os.close(reading)
    os.close(writing)


def test_a_client_that_reads_no_more_ends_its_forwarder_quietly(warm: Place) -> None:
    command = [sys.executable, "-m", "tests.fake_memoire", "mcp", warm.root, str(warm.top / "baked.json")]
    pipe = subprocess.PIPE
    client = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=CHECKOUT)
    assert client.stdin is not None
    assert client.stdout is not None
    assert client.stderr is not None
    request = json.dumps(call(1, "say", {"text": "x"}, is_modern=True)).encode() + b"\n"
    client.stdin.write(request)
    client.stdin.flush()
    assert json.loads(client.stdout.readline())["id"] == 1
    client.stdout.close()
    client.stdin.write(request)
    client.stdin.flush()
    assert client.wait(BOUND_S) == 0
    assert client.stderr.read() == b""
    client.stderr.close()
    client.stdin.close()


def test_eight_assistants_at_once_share_one_daemon(place: Place) -> None:
    clients = [forwarder(place) for _ in range(8)]
    try:
        for client in clients:
            client.send(call(1, "say", {"text": "x"}, is_modern=True))
        assert {pid_of(client.receive()) for client in clients} == {place.daemon_pid}
        assert place.log.count("serving pid=") == 1
    finally:
        for client in clients:
            client.__exit__()


def test_hostile_lines_on_stdin_harm_nobody(warm: Place) -> None:
    with forwarder(warm) as client:
        client.send(b"\x00\xff\n", b"[]\n", b"{\n", b"\n", b'{"id":1}\n')
        codes = [client.receive()["error"]["code"] for _ in range(3)]
        assert codes == [-32700, -32600, -32700]
        client.initialize()
        assert "result" in client.ask(call(1, "say", {"text": "x"}))
        surrogate = (
            b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"say","arguments":{"text":"\\ud800"}}}\n'
        )
        client.send(surrogate)
        answer = client.receive()
        assert (answer["id"], answer["error"]["code"]) == (9, -32600)
        assert "result" in client.ask(call(2, "say", {"text": "x"}))
