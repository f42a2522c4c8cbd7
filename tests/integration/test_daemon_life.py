"""What happens to a daemon over weeks: things vanish under it, clocks are set, machines sleep, versions change."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.idle_cost import leave_in_the_middle, measure
from memoire import clock, intake, launch, paths
from memoire.daemon import lock
from memoire.daemon.bind import bind
from memoire.daemon.lifecycle import EXIT_REPLACED, Daemon
from memoire.episodes import edits
from memoire.errors import DaemonUnavailableError, StoreDamagedError
from memoire.model import Event, GraphDelta
from memoire.operations import recent_events
from memoire.project import Project
from memoire.sdk import Memoire
from memoire.store.eventlog import EventLog
from memoire.store.records import Store
from memoire.store.recovery import open_or_rebuild
from tests.daemon_places import (
    BOUND_S,
    Place,
    Process,
    baked_file,
    call,
    forwarder,
    new_place,
    run,
    wait_until,
)
from tests.fake_memoire import World, daemon_command, open_world

CHECKOUT = Path(__file__).parents[2]
NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc, which only Linux has")
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n",
    "shop/page.py": "from shop.cart import total\n\n\ndef show(prices):\n    return total(prices)\n",
}


@pytest.fixture
def place() -> Iterator[Place]:
    with new_place() as place:
        write(place.root)
        yield place


def write(root: str, files: dict[str, str] | None = None) -> None:
    for name, text in (files or FILES).items():
        file = Path(root, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def reach_real(place: Place) -> int:
    """Start the daemon in earnest; return its pid."""
    launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root, "real-daemon")).close()
    return place.daemon_pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def summaries(place: Place) -> list[str]:
    return [event["summary"] for event in Memoire(place.root).recent_events(50)["events"]]


# ---- what a daemon stands on goes


def test_a_pid_of_an_unrelated_process_is_neither_believed_nor_signalled(place: Place) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as unrelated:
        left = json.dumps({"pid": unrelated.pid, "version": "0.1.0"})
        (place.state / launch.LOCK_FILE).write_text(left)
        stale = socket.socket(socket.AF_UNIX)
        stale.bind(paths.socket_path(place.root))
        stale.close()
        launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root)).close()
        assert place.daemon_pid != unrelated.pid
        assert launch.stop_daemon(place.root, wait_s=BOUND_S)
        # Somebody holds the lock for a moment, as a command does that looks whether it is free.
        (place.state / launch.LOCK_FILE).write_text(left)
        held = launch.try_lock(str(place.state / launch.LOCK_FILE))
        assert held is not None
        if Path("/proc/self").exists():
            with pytest.raises(DaemonUnavailableError):
                launch.stop_daemon(place.root, wait_s=0.2)
        os.close(held)
        assert unrelated.poll() is None
        unrelated.communicate(b"\n")
        assert unrelated.returncode == 0  # nobody ended it


def remove(folder: Path) -> None:
    """Remove a folder in which a daemon may write at this moment."""
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("gone", ["lock", "socket", "state"])
def test_what_is_removed_under_a_daemon_is_made_anew_by_the_next(place: Place, gone: str) -> None:
    project = Memoire(place.root, timeout_s=BOUND_S)
    first = reach_real(place)
    project.ingest()
    if gone == "state":
        remove(place.state)
    else:
        Path(place.state, "lock" if gone == "lock" else "daemon.sock").unlink()
    if gone == "lock":  # its socket still leads to it: it has to notice by itself
        wait_until(lambda: not is_alive(first))
    second = reach_real(place)
    assert second not in {0, first}
    assert project.ingest()["files"] == len(FILES)
    wait_until(lambda: not is_alive(first))
    write(place.root, {"shop/tax.py": "def tax(price):\n    return price\n"})
    assert project.expand("shop/tax.py")["type"] == "file"
    assert project.stop()
    reach_real(place)
    status = project.status()
    assert project.ingest()["files"] == len(FILES) + 1
    assert project.status()["project"]["rebuilt"] == "", status


def test_a_daemon_whose_state_folder_is_gone_writes_nothing_more(place: Place) -> None:
    first = reach_real(place)
    Memoire(place.root, timeout_s=BOUND_S).ingest()
    remove(place.state)
    write(place.root, {"shop/late.py": "def late():\n    return 1\n"})
    wait_until(lambda: not is_alive(first))
    assert not place.state.exists()


def test_damage_that_shows_late_is_mended_by_the_next_daemon_which_answers(place: Place) -> None:
    """A block of old events is read by no start: its damage shows in the middle of a question."""
    project = Memoire(place.root, timeout_s=BOUND_S)
    reach_real(place)
    project.ingest()
    project.stop()
    asyncio.run(fill(place.state))
    damage_old_events(place.state)
    first = reach_real(place)
    assert project.ingest()["failure"] == ""
    assert project.status()["project"]["rebuilt"] == ""
    told = [int(event["summary"].split()[1].strip("`")) for event in pages(project, kinds=["command"])]
    assert sorted(told) == list(range(EVENTS))
    assert project.status()["pid"] != first
    assert project.status()["project"]["rebuilt"] != ""


EVENTS = 3000


async def fill(state: Path) -> None:
    """Give a project a long past, as its daemon would, and write it to tables."""
    log = EventLog(state / "events")
    store, _ = await open_or_rebuild(state, log)
    start = datetime.now(UTC) - timedelta(days=20)
    for first in range(0, EVENTS, 500):
        events = [
            Event(
                edits.event_id("command", start + timedelta(minutes=number), str(number)),
                "command",
                start + timedelta(minutes=number),
                f"Ran `{number} {'x' * 900}`",
                0.5,
            )
            for number in range(first, first + 500)
        ]
        log.append(events)
        await store.apply(GraphDelta(events=events))
    await store.set_projected(log.position)
    await store.checkpoint()
    await store.close()
    log.close()


def damage_old_events(state: Path) -> None:
    """Change a byte that no start reads."""

    async def opens_and_reads() -> tuple[bool, bool]:
        opens = False
        with suppress(FileNotFoundError):
            (state / "damaged").unlink()
        try:
            store = await Store.open(state)
        except StoreDamagedError:
            return opens, False
        try:
            await store.verify()
            opens = True
            await store.events(EVENTS + 100)
        except StoreDamagedError:
            return opens, False
        finally:
            await store.close()
        return opens, True

    whole = state.parent / "whole"
    shutil.copytree(state / "db", whole)
    table = max((state / "db").rglob("*.sst"), key=lambda path: path.stat().st_size)
    content = table.read_bytes()
    for at in range(len(content) // 20, len(content), len(content) // 20):
        damaged = content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]
        table.write_bytes(damaged)
        found = asyncio.run(opens_and_reads())
        with suppress(FileNotFoundError):
            (state / "damaged").unlink()
        # As it was before it was tried: the engine writes when it is opened and closed.
        shutil.rmtree(state / "db")
        shutil.copytree(whole, state / "db")
        if found == (True, False):
            table.write_bytes(damaged)
            return
    raise AssertionError("no byte of the table is read by a question alone")


def pages(project: Memoire, **filters: Any) -> Iterator[dict[str, Any]]:
    before = ""
    while True:
        page = project.call("recent_events", limit=200, before=before, **filters)
        yield from page["events"]
        before = page.get("next", "")
        if not before:
            return


def test_a_question_to_a_daemon_that_is_killed_is_answered_by_the_next(place: Place) -> None:
    with Process([sys.executable, "-P", "-m", "memoire", "mcp"], cwd=place.root) as client:
        client.initialize()
        client.send(call(0, "expand", {"path": "shop/cart.py"}))
        assert client.receive()["id"] == 0
        for number in range(1, 4):
            # The one that serves before the question is sent: one started for this very question is not killed too,
            # since two ends in one question are an error. It is gone already where it answered before it was killed.
            serving = int(place.log.rpartition("serving pid=")[2].partition(" ")[0])
            client.send(call(number, "expand", {"path": "shop/cart.py"}))
            with suppress(ProcessLookupError):
                os.kill(serving, signal.SIGKILL)
            answer = client.receive()
            assert answer["id"] == number
            assert not answer["result"]["isError"], answer
        assert place.log.count("serving pid=") > 1


def test_a_daemon_that_is_killed_before_anybody_got_through_is_started_again(place: Place) -> None:
    killing = (
        "import os, signal, sys; from memoire.daemon import start\n"
        "first = not os.path.exists(sys.argv[1]); open(sys.argv[1], 'w').close()\n"
        "from tests import fake_memoire\n"
        "def serve(bound):\n"
        "    if first: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    from memoire.daemon import lifecycle\n"
        "    return lifecycle.serve(bound, fake_memoire.open_world_in_process, check_s=0.1)\n"
        "sys.exit(start.main(sys.argv[2:], serve))"
    )
    # Not connected to before the kill: whoever connects in time sees a connection that ends, and starts another one.
    command = [sys.executable, "-P", "-c", killing, str(place.top / "was-here"), "--root", place.root]
    found = launch.Launch(place.root, wait_s=BOUND_S, command=command)
    assert found.poll() is None
    wait_until(lambda: (place.top / "was-here").exists() and place.daemon_pid and not launch.is_running(place.root))
    links: list[socket.socket] = []

    def is_through() -> bool:
        link = found.poll()
        links.extend([link] if link is not None else [])
        return bool(links)

    wait_until(is_through)
    links[0].close()
    assert launch.stop_daemon(place.root, wait_s=BOUND_S)


# ---- the project goes


def test_a_project_that_moves_away_for_a_moment_loses_nothing(place: Place) -> None:
    first = reach_real(place)
    project = Memoire(place.root, timeout_s=BOUND_S)
    edges = project.ingest()["edges"]
    shutil.move(place.root, place.top / "elsewhere")
    wait_until(lambda: not is_alive(first))
    assert "ending reason=the project's folder is gone" in place.log
    shutil.move(place.top / "elsewhere", place.root)
    reach_real(place)
    assert project.ingest() == {**project.ingest(), "changed": 0, "deleted": 0, "edges": edges}
    assert not [summary for summary in summaries(place) if summary.startswith("Deleted")]


def test_a_folder_of_the_same_name_is_another_one(place: Place) -> None:
    first = reach_real(place)
    project = Memoire(place.root, timeout_s=BOUND_S)
    project.ingest()
    other = place.top / "other"
    write(str(other), {".memoire/config.toml": "", "src/new.py": "def fresh():\n    return 1\n"})
    shutil.move(place.root, place.top / "old")
    shutil.move(other, place.root)
    wait_until(lambda: not is_alive(first))
    reach_real(place)
    assert project.ingest()["files"] == 1
    assert project.search("fresh")["results"][0]["path"].startswith("src/new.py")


def test_a_folder_that_is_removed_and_made_again_is_watched_again(place: Place) -> None:
    """The file system may give it the very inode of the one that went."""
    first = reach_real(place)
    project = Memoire(place.root, timeout_s=BOUND_S)
    project.ingest()
    shutil.rmtree(place.root)
    write(place.root, {".memoire/config.toml": "", "src/new.py": "def fresh():\n    return 1\n"})
    wait_until(lambda: not is_alive(first))
    reach_real(place)
    write(place.root, {"src/newer.py": "def fresher():\n    return 1\n"})
    assert project.expand("src/newer.py")["type"] == "file"


async def test_an_empty_mount_point_is_no_project_whose_files_were_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "disk" / "proj"
    write(str(root))
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    project = await Project.open(root)
    try:
        await project.start()
        await project.ingest()
        root.rename(tmp_path / "unmounted")
        root.mkdir()
        assert (await project.ingest())["failure"].endswith(f"is not there: '{root}'")
        assert len(project.intake.processor.records) == len(FILES)
        await asyncio.to_thread(wait_until, lambda: project.is_root_gone)  # the watcher tells from its own thread
    finally:
        await project.close()


@pytest.mark.parametrize("name", ["with spaces", "100%s %h %%", "naïve 文件 \U0001f40d", 'it\'s "$HOME" `x` \\n;&*'])
def test_a_root_may_have_any_name(place: Place, name: str) -> None:
    root = paths.real(place.top / name)
    write(root, {**FILES, ".memoire/config.toml": ""})
    project = Memoire(root, timeout_s=BOUND_S)
    try:
        assert project.ingest()["files"] == len(FILES)
        assert project.expand(f"{root}/shop/cart.py")["path"] == "shop/cart.py"
        assert project.status()["root"] == root
    finally:
        assert project.stop()


# ---- the state folder cannot be made


def test_why_the_state_folder_cannot_be_made_is_said_by_the_command_and_to_the_assistant(place: Place) -> None:
    remove(place.home / ".local")
    (place.home / ".local").write_text("a file in the way")
    said = f"({place.home}/.local/state)"
    command = [sys.executable, "-P", "-m", "memoire"]
    done = subprocess.run([*command, "context"], cwd=place.root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("memoire: The store at ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    with Process([*command, "mcp"], cwd=place.root) as client:
        client.initialize()
        answer = client.ask(call(1, "get_context"))
        assert answer["result"]["isError"]
        assert said in answer["result"]["content"][0]["text"]
    (place.home / ".local").unlink()


def test_a_log_that_cannot_be_written_is_named(place: Place) -> None:
    log = place.state / launch.LOG_FILE
    log.mkdir(parents=True)
    with pytest.raises(DaemonUnavailableError, match=f"directory: {log}"):
        launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root))


# ---- clocks


class Wall:
    """A wall clock that is set."""

    def __init__(self) -> None:
        self.offset = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.offset


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    root = tmp_path / "shop-project"
    write(str(root))
    return paths.real(root)


async def save(project: Project, name: str, text: str = "") -> None:
    write(str(project.root), {name: text or f"def {Path(name).stem}():\n    return 1\n"})
    assert await project.settle(BOUND_S) == []


async def told(project: Project) -> list[str]:
    found = await recent_events.run(project.memory, recent_events.Params(limit=50))
    return [event.summary.partition(":")[0] for event in found.events]


async def test_a_clock_that_is_set_back_a_day_changes_no_order(shop: str) -> None:
    wall = Wall()
    project = await Project.open(Path(shop), now=wall)
    await project.start()
    await project.ingest()
    await save(project, "first.py")
    wall.offset = timedelta(days=-1)
    await save(project, "second.py")
    await save(project, "third.py")
    await project.close()
    project = await Project.open(Path(shop), now=wall)  # nor does a start in between
    await project.start()
    await project.ingest()
    await save(project, "fourth.py")
    expected = ["Created fourth.py", "Created third.py", "Created second.py", "Created first.py"]
    assert (await told(project))[:4] == expected
    await project.close()


async def test_a_clock_that_jumps_a_year_and_returns_loses_and_freezes_nothing(shop: str) -> None:
    wall = Wall()
    project = await Project.open(Path(shop), now=wall)
    await project.start()
    await project.ingest()
    wall.offset = timedelta(days=365)
    await save(project, "future.py")
    (Path(shop) / "shop/page.py").unlink()  # closes edges
    assert await project.settle(BOUND_S) == []
    wall.offset = timedelta(0)
    await save(project, "present.py")
    await save(project, "shop/page.py", FILES["shop/page.py"])
    assert set(await told(project)) >= {"Created future.py", "Created present.py", "Deleted shop/page.py"}
    recent = await recent_events.run(project.memory, recent_events.Params(until=wall().isoformat(), limit=2))
    assert [event.summary.partition(":")[0] for event in recent.events] == [
        "Created shop/page.py",
        "Created present.py",
    ]
    assert abs(recent.events[0].created_at - wall()) < timedelta(minutes=5)
    await project.close()


async def test_edges_that_close_while_the_clock_is_behind_do_not_end_before_they_began(shop: str) -> None:
    wall = Wall()
    project = await Project.open(Path(shop), now=wall)
    await project.start()
    await project.ingest()
    wall.offset = timedelta(days=-400)
    (Path(shop) / "shop/page.py").unlink()
    assert await project.settle(BOUND_S) == []
    closed = await project._store.closed_edges()
    assert closed
    assert all(edge.valid_to is not None and edge.valid_to >= edge.valid_from for edge in closed)
    await project.close()


@pytest.mark.parametrize("mtime_ns", [2**62 - 1, 2**63 - 1, 10**19, -(2**62), 0])
async def test_a_file_from_another_century_is_taken_in(shop: str, mtime_ns: int) -> None:
    try:
        os.utime(Path(shop, "shop/cart.py"), ns=(mtime_ns, mtime_ns))
    except (OSError, OverflowError):
        pytest.skip("the file system holds no such time")
    project = await Project.open(Path(shop))
    await project.start()
    assert (await project.ingest())["failure"] == ""
    assert len(project.intake.processor.records) == len(FILES)
    assert project.intake.processor.records["shop/cart.py"].changed_at <= datetime.now(UTC)
    await project.close()
    again = await Project.open(Path(shop))
    await again.start()
    assert (await again.ingest())["changed"] == 0
    await again.close()


def test_the_clock_waits_for_a_day_and_no_longer() -> None:
    now = [datetime(2026, 5, 18, tzinfo=UTC)]
    ticking = clock.Clock(lambda: now[0])
    first = ticking.next()
    assert ticking.next() == first + clock.STEP  # in the same instant
    now[0] -= timedelta(days=1)
    assert ticking.next() == first + 2 * clock.STEP
    assert ticking.now() == first + 2 * clock.STEP
    now[0] -= timedelta(days=30)
    assert ticking.next() == ticking.now() == now[0]


def test_the_time_slept_is_known_and_grows_by_nothing_meanwhile() -> None:
    slept_s = clock.slept_s()
    assert slept_s >= -1e-3
    assert clock.slept_s() == pytest.approx(slept_s, abs=0.1)


def test_after_a_sleep_the_tree_is_compared(place: Place) -> None:
    looks: list[int] = []
    slept = [100.0]
    looked = asyncio.Event()

    def look_again() -> None:
        looks.append(1)
        looked.set()

    app = open_world(World(), look_again=look_again)

    async def work() -> None:
        bound = bind(place.root, foreground=True)
        daemon = Daemon(bound, app, check_s=0.01, slept_s=lambda: slept[0])
        task = asyncio.create_task(daemon.run())
        await asyncio.sleep(0.1)  # several looks at a machine that does not sleep
        assert looks == []
        slept[0] += 3600
        await looked.wait()
        await asyncio.sleep(0.1)
        daemon.stop("the test is over")
        await task
        bound.lock.release()

    run(work())
    assert looks == [1]


async def test_what_nobody_told_of_is_found_by_looking_again(shop: str) -> None:
    project = await Project.open(Path(shop))
    await project.start()
    await project.ingest()
    watcher = project._watcher  # the deaf watcher of a machine that slept
    assert watcher is not None
    watcher._source.unwatch(b"")
    write(shop, {"asleep.py": "def dream():\n    return 1\n"})
    project.look_again()
    assert await project.settle(BOUND_S) == []
    assert "asleep.py" in project.intake.processor.records
    await save(project, "awake.py")  # and it hears again
    assert "awake.py" in project.intake.processor.records
    await project.close()


# ---- at rest


async def test_a_project_at_rest_is_idle(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "QUIET_S", 0.02)
    project = await Project.open(Path(shop))
    await project.start()
    await project.ingest()
    await asyncio.sleep(0.1)
    last = project.last_activity()
    await asyncio.sleep(0.2)  # several quiet periods
    assert project.last_activity() == last
    await save(project, "work.py")
    assert project.last_activity() > last
    await project.close()


@NEEDS_PROC
def test_a_daemon_does_not_spin_for_clients_that_left_in_the_middle(place: Place) -> None:
    write(place.root, {f"lib/mod_{number}.py": f"def run_{number}():\n    return 1\n" for number in range(60)})
    pid = reach_real(place)
    Memoire(place.root, timeout_s=BOUND_S).ingest()
    leave_in_the_middle(place.root, 5)
    link = launch.reach_daemon(place.root, wait_s=BOUND_S)
    link.sendall(b"MEMOIRE-MCP test\n" + json.dumps(call(1, "get_context", is_modern=True)).encode() + b"\n")
    link.close()
    assert Memoire(place.root, timeout_s=BOUND_S).status()["state"] == "ready"
    wait_until(lambda: measure(pid, 1.0)["share"] < 0.2)  # a loop that spins takes all of a core, for ever


# ---- versions


def test_an_older_daemon_answers_what_it_was_asked_before_it_makes_way(place: Place) -> None:
    launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root, "old-daemon")).close()
    first = place.daemon_pid
    script = (
        "import sys; from memoire import forwarder, launch; launch.VERSION = '0.0.1'; "
        "sys.exit(forwarder.forward(sys.argv[1], sys.argv[2]))"
    )
    older = [sys.executable, "-c", script, place.root, baked_file(place)]
    fifo = place.top / "fifo"
    os.mkfifo(fifo)
    with Process(older, cwd=CHECKOUT) as asking:
        asking.initialize()
        asking.send(call("held", "hold_and_write", {"path": str(fifo)}))
        with fifo.open("w") as other_end:  # it has begun
            newer = forwarder(place)
            newer.initialize()
            newer.send(call(1, "say", {"text": "x"}))
            wait_until(lambda: "ending reason=asked to restart" in place.log)
            other_end.write("done")
        assert asking.receive()["result"]["structuredContent"] == {"text": "done", "pid": first}
        second = newer.receive()["result"]["structuredContent"]["pid"]
        assert newer.end() == 0
        newer.__exit__()
        assert second != first
        # The older client is served by the newer daemon: they agree on the protocol.
        assert asking.ask(call(2, "say", {"text": "x"}))["result"]["structuredContent"]["pid"] == second


def test_who_waits_for_a_daemon_that_makes_way_before_it_is_open_is_sent_to_the_next(place: Place) -> None:
    async def never() -> Any:
        await asyncio.Event().wait()

    def load(root: str) -> Any:
        return msgspec.structs.replace(open_world(World())(root), open=never)

    async def work() -> bytes:
        bound = bind(place.root, foreground=True)
        daemon = Daemon(bound, load)
        task = asyncio.create_task(daemon.run())
        reader, writer = await asyncio.open_unix_connection(bound.socket_path)
        writer.write(b'POST /op/say HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n{"text":"x"}')
        stopped = await asyncio.to_thread(launch.request_stop, bound.socket_path, timeout_s=BOUND_S, is_restart=True)
        assert stopped
        answer = await reader.read()  # a client asks again where a connection ends, and believes an answer
        writer.close()
        await task
        bound.lock.release()
        return answer

    assert run(work()) == b""


def test_a_daemon_of_a_later_protocol_is_told_of_and_not_asked_again(place: Place) -> None:
    held = lock.take_project(place.root)
    assert held is not None
    server = socket.socket(socket.AF_UNIX)
    server.bind(paths.socket_path(place.root))
    server.listen(8)
    server.settimeout(BOUND_S)
    with forwarder(place) as client:
        client.initialize()
        client.send(call(1, "say", {"text": "x"}))
        link, _ = server.accept()
        assert link.recv(4096).startswith(b"MEMOIRE-MCP ")
        link.sendall(b"MEMOIRE-MCP2 9.0.0\n")
        answer = client.receive()
        assert answer["result"]["isError"]
        assert "it is of a newer memoire than this; restart the assistant" in answer["result"]["content"][0]["text"]
        link.close()
    server.close()
    held.release()


def test_a_database_that_another_version_writes_is_waited_for(place: Place) -> None:
    held = lock.take_database(place.root)
    assert held is not None
    reach_real(place)
    project = Memoire(place.root, timeout_s=BOUND_S)
    wait_until(lambda: project.status()["state"] == "failed")
    assert f"another memoire (process {os.getpid()}) still writes it" in project.status()["problem"]["message"]
    assert not (place.state / "db").exists()
    held.release()
    wait_until(lambda: project.status()["state"] == "ready")
    assert project.ingest()["files"] == len(FILES)


# ---- run by a service manager


def service(place: Place, *options: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([*daemon_command(place.root), "--service", *options], cwd=CHECKOUT)


def test_a_service_takes_over_from_the_daemon_of_a_client_and_never_idles_out(place: Place) -> None:
    launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root)).close()
    first = place.daemon_pid
    running = service(place)
    wait_until(lambda: place.daemon_pid == running.pid and place.log.count("serving") == 2)
    wait_until(lambda: not is_alive(first))
    assert Memoire(place.root, timeout_s=BOUND_S).status()["idle_exit_s"] == 0
    second = service(place)  # it makes way for another service of the same project, too, instead of two
    assert running.wait(BOUND_S) == 0
    wait_until(lambda: place.daemon_pid == second.pid)
    assert launch.stop_daemon(place.root, wait_s=BOUND_S)
    assert second.wait(BOUND_S) == 0  # asked to stop: its manager leaves it so


def test_a_service_that_makes_way_for_a_newer_build_asks_to_be_started_again(place: Place) -> None:
    running = service(place)
    wait_until(lambda: "serving" in place.log)
    assert launch.stop_daemon(place.root, wait_s=BOUND_S, is_restart=True)
    assert running.wait(BOUND_S) == EXIT_REPLACED


def test_help_says_how_to_run_a_daemon() -> None:
    command = [sys.executable, "-m", "memoire", "daemon", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=CHECKOUT)
    assert done.stdout.startswith("usage: memoire daemon --root ROOT [--foreground | --service]\n")
    assert done.stderr == ""


# ---- what it knows of its starter, and what its log says


@NEEDS_PROC
def test_a_daemon_holds_no_secret_of_the_session_that_started_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "ANTHROPIC_API_KEY",
        "GITHUB_TOKEN",
        "CLAUDE_CODE_SESSION_ID",
        "AWS_SECRET_ACCESS_KEY",
        "SSH_AUTH_SOCK",
    ):
        monkeypatch.setenv(name, "s3cr3t-of-the-session")
    command = [sys.executable, "-P", "-m", "memoire", "start"]
    subprocess.run(command, cwd=place.root, check=True, stdout=subprocess.DEVNULL)
    assert b"s3cr3t-of-the-session" not in Path(f"/proc/{place.daemon_pid}/environ").read_bytes()


@pytest.mark.parametrize("level", ["", "1"])
def test_the_log_of_a_session_says_nothing_of_what_was_saved_or_asked(
    place: Place, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    monkeypatch.setenv("MEMOIRE_DEBUG", level)
    marker = "zanzibar_marker"
    project = Memoire(place.root, timeout_s=BOUND_S)
    project.ingest()
    texts: dict[str, str | bytes] = {
        "shop/cart.py": f'"""About {marker}."""\n\n\ndef {marker}():\n    return "{marker}"\n',
        "shop/broken.py": f"def {marker}(:\n    '{marker}\n",
        "shop/page.ts": f"export const {marker} = '{marker}' +;\n",
        "README.md": f"# {marker}\n\nSee [{marker}](shop/{marker}.py).\n",
        "odd.bin": f"\0\xff{marker}".encode("latin-1"),
        ".memoire/config.toml": f'project_id = "x"\nunknown_key = "{marker}"\n',
    }
    for name, text in texts.items():
        data = text if isinstance(text, bytes) else text.encode()
        (Path(place.root) / name).write_bytes(data)
        project.search(marker)
    for asked in ({"path": f"{marker}/x.py"}, {"path": 3}, {marker: 1}):
        answer = launch.ask(
            launch.reach_daemon(place.root), "POST", "/op/expand", json.dumps(asked).encode(), timeout_s=BOUND_S
        )
        assert answer[0] >= 400
    with Process([sys.executable, "-P", "-m", "memoire", "mcp"], cwd=place.root) as client:
        client.initialize()
        client.ask(call(marker, "search", {"query": marker}))
        client.ask(call(2, marker, {marker: marker}))
        client.send(f'{{"jsonrpc": "2.0", "method": "{marker}", "params": [{marker}\n'.encode())
        client.receive()
    project.ingest()
    assert project.search(marker)["results"]  # it was all taken in
    assert project.stop()
    logs = [file.read_bytes() for file in (place.state / "log").iterdir()]
    assert logs
    assert not [log for log in logs if marker.encode() in log]


def test_two_commands_that_stop_at_once_both_return(place: Place) -> None:
    launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root)).close()
    found: list[Any] = []
    stopping = [threading.Thread(target=lambda: found.append(launch.stop_daemon(place.root))) for _ in range(2)]
    for one in stopping:
        one.start()
    for one in stopping:
        one.join(BOUND_S)
    assert len(found) == 2
    assert not launch.is_running(place.root)
