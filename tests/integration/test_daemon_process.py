"""Daemons as processes of their own, started as they are started in earnest, with a fake project in them."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memoire import launch, paths
from memoire.errors import DaemonUnavailableError
from tests.daemon_places import BOUND_S, Place, new_place, wait_until
from tests.fake_memoire import daemon_command

CHECKOUT = Path(__file__).parents[2]
HEAVY = {"asyncio", "logging", "mcp", "msgspec", "pydantic", "surrealdb_embedded", "tantivy", "tree_sitter", "watchdog"}


@pytest.fixture
def place() -> Iterator[Place]:
    with new_place() as place:
        yield place


def reach(place: Place) -> socket.socket:
    return launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root))


def ask(place: Place, method: str, target: str, body: bytes = b"") -> Any:
    status, _, found = launch.ask(reach(place), method, target, body, timeout_s=BOUND_S)
    assert status == 200, found
    return json.loads(found)["result"]


def status_of(pid: int, field: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.split("\t")[1] for line in lines if line.startswith(f"{field}:"))


def test_before_the_socket_is_bound_nothing_heavy_is_imported(place: Place) -> None:
    script = (
        "import sys\nfrom memoire.daemon import start\n"
        "start.main(sys.argv[1:], lambda bound: print(*sys.modules) or bound.close() or 0)"
    )
    command = [sys.executable, "-c", script, "--root", place.root, "--foreground"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not {name.partition(".")[0] for name in found.stdout.split()} & HEAVY


def test_a_daemon_is_started_by_whoever_needs_it_and_answers(place: Place) -> None:
    assert ask(place, "POST", "/op/say", b'{"text":"hello"}') == {"text": "hello", "pid": place.daemon_pid}
    status = ask(place, "GET", "/status")
    assert (status["pid"], status["root"], status["build"]) == (place.daemon_pid, place.root, launch.build_id())


def test_eight_clients_at_once_get_one_daemon(place: Place) -> None:
    with ThreadPoolExecutor(8) as pool:
        asking = [pool.submit(ask, place, "POST", "/op/say", b'{"text":"x"}') for _ in range(8)]
        pids = {one.result()["pid"] for one in asking}
    assert pids == {place.daemon_pid}
    assert place.log.count("serving pid=") == 1


def test_two_daemons_started_at_once_by_hand_are_one(place: Place) -> None:
    command = [*daemon_command(place.root), "--foreground"]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=CHECKOUT) for _ in range(2)]
    wait_until(lambda: any(one.poll() is not None for one in both))
    (loser,) = [one for one in both if one.poll() is not None]
    (winner,) = [one for one in both if one is not loser]
    assert loser.returncode == launch.EXIT_RUNNING
    assert f"daemon-running: A memoire daemon (process {winner.pid}) already serves" in loser.communicate()[1]
    winner.send_signal(signal.SIGTERM)
    _, errors = winner.communicate(timeout=BOUND_S)
    assert winner.returncode == 0
    assert errors == place.log


def test_a_daemon_belongs_to_nobody_and_holds_nothing_of_its_starter(place: Place) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    reach(place).close()
    os.close(writing)
    assert os.read(reading, 1) == b""  # the daemon holds no end of it
    os.close(reading)
    pid = place.daemon_pid
    assert os.getsid(pid) == pid
    if sys.platform == "linux":
        assert int(status_of(pid, "PPid")) not in {os.getpid(), pid}
        assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
        names = {line.partition(b"=")[0] for line in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") if line}
        names = {name for name in names if not name.startswith(b"MEMOIRE_")}
        assert names <= {b"HOME", b"PATH", b"LANG", b"LC_ALL", b"USER", b"LOGNAME", b"TMPDIR", b"PYTHONPATH"}


def test_a_daemon_ends_cleanly_on_a_signal(place: Place) -> None:
    ask(place, "GET", "/status")
    os.kill(place.daemon_pid, signal.SIGTERM)
    wait_until(lambda: not launch.is_running(place.root))
    assert not Path(paths.socket_path(place.root)).exists()
    assert "ending reason=SIGTERM" in place.log
    assert place.log.rstrip().endswith("ended")


def test_a_daemon_that_still_imports_ends_cleanly_on_a_signal(place: Place) -> None:
    script = (
        "import sys\nfrom memoire.daemon import start\n"
        "start.main(sys.argv[1:], lambda bound: print('bound', flush=True) or int(not sys.stdin.read()))"
    )
    command = [sys.executable, "-c", script, "--root", place.root, "--foreground"]
    daemon = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=CHECKOUT)
    assert daemon.stdout is not None
    assert daemon.stdout.readline() == b"bound\n"
    daemon.send_signal(signal.SIGTERM)
    daemon.communicate(timeout=BOUND_S)
    assert daemon.returncode == 128 + signal.SIGTERM
    assert not Path(paths.socket_path(place.root)).exists()


def test_a_second_signal_ends_it_at_once(place: Place) -> None:
    command = [*daemon_command(place.root), "--foreground"]
    daemon = subprocess.Popen(command, cwd=CHECKOUT)
    wait_until(lambda: "serving" in place.log)
    fifo = place.top / "fifo"
    os.mkfifo(fifo)
    asking = threading.Thread(target=hold, args=(place, "hold_and_write", fifo))
    asking.start()
    with fifo.open("w"):  # opens once the operation reads
        daemon.send_signal(signal.SIGINT)
        wait_until(lambda: "ending reason=SIGINT" in place.log)
        daemon.send_signal(signal.SIGINT)
        assert daemon.wait(BOUND_S) == 128 + signal.SIGINT
    asking.join(BOUND_S)


def hold(place: Place, name: str, fifo: Path) -> None:
    try:
        ask(place, "POST", f"/op/{name}", json.dumps({"path": str(fifo)}).encode())
    except (ConnectionError, DaemonUnavailableError):
        return


def test_a_killed_daemon_leaves_nothing_that_is_in_the_way(place: Place) -> None:
    first = ask(place, "POST", "/op/say", b'{"text":"x"}')["pid"]
    place.kill_daemon()
    assert Path(paths.socket_path(place.root)).exists()
    second = ask(place, "POST", "/op/say", b'{"text":"x"}')["pid"]
    assert second != first


def test_stop_waits_until_the_daemon_has_let_go(place: Place) -> None:
    assert launch.stop_daemon(place.root) is False
    reach(place).close()
    assert launch.stop_daemon(place.root, wait_s=BOUND_S) is True
    assert not launch.is_running(place.root)


def test_a_daemon_that_does_not_hear_is_ended_by_a_signal(place: Place) -> None:
    """It holds the lock, and says so, but answers nothing."""
    script = (
        "import sys, time; from memoire.daemon import bind\n"
        "bound = bind.bind(sys.argv[1], foreground=True);\n"
        "print('bound', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, place.root]
    deaf = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=CHECKOUT)
    assert deaf.stdin is not None
    assert deaf.stdout is not None
    assert deaf.stdout.readline() == b"bound\n"
    assert launch.stop_daemon(place.root, wait_s=2) is True
    assert deaf.wait(BOUND_S) == -signal.SIGTERM
    deaf.stdin.close()
    deaf.stdout.close()


def test_stop_neither_waits_for_the_next_daemon_nor_ends_it(place: Place) -> None:
    """The next one has the lock before anybody sees it free, as it may where an assistant asks at once."""
    script = (
        "import os, signal, sys; from memoire.daemon import bind\n"
        "bound = bind.bind(sys.argv[1], foreground=True)\n"
        "def hand_over(*_):\n"
        "    if os.fork():\n"
        "        os._exit(0)\n"
        "    bound.lock.note()\n"
        "signal.signal(signal.SIGTERM, hand_over)\n"
        "print('bound', flush=True)\n"
        "while True:\n"
        "    signal.pause()"
    )
    first = subprocess.Popen([sys.executable, "-c", script, place.root], stdout=subprocess.PIPE, cwd=CHECKOUT)
    assert first.stdout is not None
    assert first.stdout.readline() == b"bound\n"
    assert launch.stop_daemon(place.root, wait_s=4) is True
    assert first.wait(BOUND_S) == 0
    assert launch.is_running(place.root)
    assert place.daemon_pid != first.pid
    first.stdout.close()


def test_a_daemon_that_hears_no_signal_either_is_killed(place: Place) -> None:
    ask(place, "GET", "/status")
    os.kill(place.daemon_pid, signal.SIGSTOP)
    assert launch.stop_daemon(place.root, wait_s=1) is True
    assert not launch.is_running(place.root)


def test_an_uninitialized_folder_is_not_served(place: Place) -> None:
    (Path(place.root) / ".memoire" / "config.toml").unlink()
    with pytest.raises(DaemonUnavailableError, match="memoire init"):
        reach(place)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ([], 2, "usage: memoire daemon"),
        (["--root"], 2, "usage: memoire daemon"),
        (["--root", "/"], 2, "refused-root"),
        (["--root", "/nowhere/at/all"], 2, "refused-root"),
    ],
)
def test_wrong_arguments_are_told(arguments: list[str], status: int, said: str) -> None:
    command = [sys.executable, "-m", "memoire", "daemon", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=CHECKOUT)
    assert done.returncode == status
    assert said in done.stderr


def test_a_failure_is_logged_without_what_it_was_about(place: Place) -> None:
    status, _, body = launch.ask(reach(place), "POST", "/op/fail", timeout_s=BOUND_S)
    assert (status, json.loads(body)["error"]["code"]) == (500, "internal")
    assert "request failed what=fail" in place.log
    assert "builtins.ValueError" in place.log
    assert "hunter2" not in place.log + body.decode()
    assert (place.state / launch.LOG_FILE).stat().st_mode & 0o777 == 0o600


def test_the_fake_commands_are_as_the_real_ones(place: Place) -> None:
    """What these tests start differs from the daemon in earnest by the module alone."""
    real, fake = launch.daemon_command(place.root), daemon_command(place.root)
    assert [real[index] for index in (0, 1, 2, 4, 5, 6)] == [fake[index] for index in (0, 1, 2, 4, 5, 6)]
