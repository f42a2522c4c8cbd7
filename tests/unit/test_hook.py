"""`memoire hook` as an assistant runs it: a process of its own that records, and ends with 0 whatever happens."""

import json
import os
import resource
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from memoire import hook, injection, paths
from memoire.ages import age
from memoire.episodes import inbox
from memoire.operations import briefing

CHECKOUT = Path(__file__).parents[2]
BOUND_S = 20.0
ANSWER = b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x"}}\n'


@pytest.fixture
def root(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    del home
    root = Path(paths.real(tmp_path)) / "proj"
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire" / "config.toml").touch()
    paths.state_dir(root)
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    return root


def payload(root: Path | str, event: str = "Stop", **fields: Any) -> bytes:
    return json.dumps({"session_id": "s", "cwd": str(root), "hook_event_name": event, **fields}).encode()


def run(
    stdin: bytes, *arguments: str, cwd: Path | str = "/", environ: dict[str, str | None] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    changed = {"PYTHONPATH": str(CHECKOUT), **(environ or {})}
    merged: dict[str, str | None] = {**os.environ, **changed}
    return subprocess.run(
        [sys.executable, "-m", "memoire", "hook", *(arguments or ("claude-code",))],
        **{"input": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        cwd=cwd,
        env={name: value for name, value in merged.items() if value is not None},
        timeout=BOUND_S,
        check=False,
    )


def spool(root: Path) -> list[Path]:
    folder = Path(paths.state_path(root)) / "spool"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def is_silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_names_that_the_daemon_shares_are_the_same() -> None:
    assert hook.SPOOL_FOLDER == inbox.FOLDER
    assert hook.CONTEXT_FILE == injection.CONTEXT_FILE
    assert hook.AGE.decode() == briefing.AGE


class TestRecord:
    def test_it_is_the_report_to_the_byte_in_a_private_file_of_its_own(self, root: Path) -> None:
        data = payload(root, text="é\x1e\n\x1f ☃")
        before_us = time.time_ns() // 1000
        assert is_silent(run(data))
        (file,) = spool(root)
        one, received, rest = file.read_bytes().split(b"\x1f", 2)
        assert (one, rest) == (b"1", data + b"\x1e\n")
        assert before_us <= int(received) <= time.time_ns() // 1000
        stem, _, client = file.name.partition(".")
        assert client == "claude-code"
        assert [int(part) >= 0 for part in stem.split("-")] == [True] * 3
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700

    def test_nothing_is_recorded_of_a_private_session(self, root: Path) -> None:
        for private, records in (("1", 0), ("yes", 0), ("0", 1), ("", 2)):
            assert is_silent(run(payload(root), environ={"MEMOIRE_PRIVATE": private}))
            assert len(spool(root)) == records

    def test_the_daemon_takes_it_in(self, root: Path) -> None:
        run(payload(root))
        (record,) = inbox.Inbox(Path(paths.state_path(root))).take()
        assert record.client == "claude-code"
        assert record.data.endswith(payload(root))

    def test_two_of_one_moment_are_two(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        state = paths.state_path(root)
        monkeypatch.setattr(time, "time_ns", lambda: 1_000_000)
        for _ in range(3):
            hook.leave_record(state, "claude-code", b"{}")
        assert [file.name.split("-")[2] for file in spool(root)] == ["0.claude", "1.claude", "2.claude"]

    def test_what_is_cut_or_no_json_is_recorded_all_the_same(self, root: Path) -> None:
        for data in (payload(root)[:-10], b"{not json", b"\xff\xfe\x00"):
            assert is_silent(run(data, cwd=root))
        assert len(spool(root)) == 3

    def test_a_report_beyond_the_bound_is_cut_and_read_to_its_end(self, root: Path) -> None:
        data = payload(root, "PostToolUse", tool_response="x" * hook.MAX_BYTES)
        assert is_silent(run(data))
        assert spool(root)[0].read_bytes().endswith(data[: hook.MAX_BYTES] + b"\x1e\n")

    def test_nothing_and_what_is_of_no_interest_leave_nothing(self, root: Path) -> None:
        for data in (b"", b" \n", payload(root, "Notification")):
            assert is_silent(run(data, cwd=root))
        assert spool(root) == []


class TestProject:
    def test_a_folder_inside_and_a_link_to_it_are_the_project(self, root: Path, tmp_path: Path) -> None:
        (root / "src").mkdir()
        (tmp_path / "link").symlink_to(root / "src")
        run(payload(root / "src"))
        run(payload(tmp_path / "link"))
        assert len(spool(root)) == 2

    def test_an_assistant_that_left_it_still_works_in_it(self, root: Path, tmp_path: Path) -> None:
        run(payload(tmp_path), environ={"CLAUDE_PROJECT_DIR": str(root)})
        run(payload(tmp_path), cwd=root)
        run(b"{}", cwd=root)
        run(payload("relative/../.."), environ={"CLAUDE_PROJECT_DIR": str(root)})
        assert len(spool(root)) == 4

    def test_a_project_without_state_or_without_settings_is_left_alone(self, root: Path, tmp_path: Path) -> None:
        clone = tmp_path / "clone"
        (clone / ".memoire").mkdir(parents=True)
        assert is_silent(run(payload(clone)))
        (clone / ".memoire" / "config.toml").touch()
        assert is_silent(run(payload(clone)))
        assert not Path(paths.state_path(clone)).exists()
        assert spool(root) == []

    def test_a_state_folder_that_is_a_link_is_not_written_to(self, root: Path, tmp_path: Path) -> None:
        state = Path(paths.state_path(root))
        state.rmdir()
        (tmp_path / "elsewhere").mkdir()
        state.symlink_to(tmp_path / "elsewhere")
        assert is_silent(run(payload(root)))
        assert list((tmp_path / "elsewhere").iterdir()) == []


def spool_is_a_file(root: Path) -> dict[str, Any]:
    (Path(paths.state_path(root)) / "spool").touch()
    return {}


def spool_is_a_link(root: Path) -> dict[str, Any]:
    (Path(paths.state_path(root)) / "spool").symlink_to(root)
    return {}


def no_space(root: Path) -> dict[str, Any]:
    del root
    return {
        "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)),
        # What measures the coverage of tests would complain that it cannot write.
        "environ": {"COVERAGE_PROCESS_CONFIG": None, "COVERAGE_PROCESS_START": None},
    }


FAULTS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "the spool is a file": spool_is_a_file,
    "the spool is a link": spool_is_a_link,
    "there is no space": no_space,
    "there is no stdout": lambda _: {"preexec_fn": lambda: os.close(1), "stdout": None},
    "there is no stderr": lambda _: {"preexec_fn": lambda: os.close(2), "stderr": None},
    "there is no home": lambda _: {"environ": {"HOME": None}},
    "home is relative": lambda _: {"environ": {"HOME": "nowhere"}},
    "home is missing": lambda _: {"environ": {"HOME": "/nonexistent/home"}},
    "the locale knows no letters": lambda _: {"environ": {"LC_ALL": "C", "PYTHONUTF8": "0"}},
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
def test_it_ends_with_0_when(name: str, event: str, root: Path) -> None:
    options = FAULTS[name](root)
    done = run(payload(root, event, tool_name="Read"), **options)
    assert done.returncode == 0
    assert not done.stderr
    assert all(inbox.END in file.read_bytes() for file in spool(root) if not (root / ".git").exists() and file.is_file()
               and file.parent.name == "spool" and not file.parent.is_symlink())  # fmt: skip


def test_it_ends_with_0_when_there_is_no_stdin(root: Path) -> None:
    done = subprocess.run(
        f"exec {sys.executable} -m memoire hook claude-code <&-", shell=True, cwd=root, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, timeout=BOUND_S, check=False,
    )  # fmt: skip
    assert is_silent(done)


def test_it_ends_with_0_when_its_folder_is_gone(root: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    assert is_silent(run(payload(root), preexec_fn=gone.rmdir, cwd=gone))
    assert len(spool(root)) == 1


def test_a_reader_that_has_gone_is_no_trouble(root: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with listening(root, reply(ANSWER)):
        done = run(payload(root, "PreToolUse", tool_name="Read"), stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_is_too_much_is_refused_with_a_status_that_blocks_nothing() -> None:
    done = run(b"{}", "claude-code", "x", "y")
    assert done.returncode == 1
    assert done.stderr.startswith(b"usage: memoire hook")
    helped = run(b"", "claude-code", "--help")
    assert (helped.returncode, helped.stdout[:19]) == (0, b"usage: memoire hook")


def reply(body: bytes, status: bytes = b"200 OK") -> Callable[[socket.socket], None]:
    def serve(link: socket.socket) -> None:
        link.sendall(b"HTTP/1.1 %b\r\nContent-Type: x\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body))

    return serve


def cut_short(link: socket.socket) -> None:
    link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + ANSWER)


def never(link: socket.socket) -> None:
    while link.recv(65536):
        pass


@contextmanager
def listening(root: Path, serve: Callable[[socket.socket], None]) -> Iterator[list[bytes]]:
    """Listen where the daemon does; yield the requests."""
    requests: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(paths.socket_path(root))
        listener.listen()

        def work() -> None:
            link, _ = listener.accept()
            # A hook that has waited long enough hangs up.
            with link, suppress(BrokenPipeError, ConnectionResetError):
                requests.append(link.recv(1 << 20))
                serve(link)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield requests
        thread.join(BOUND_S)
        assert not thread.is_alive()


class TestAnswer:
    def test_what_the_daemon_says_before_a_read_is_printed_to_the_letter(self, root: Path) -> None:
        data = payload(root, "PreToolUse", tool_name="Edit", tool_input={"file_path": f"{root}/é.py"})
        with listening(root, reply(ANSWER)) as requests:
            done = run(data)
        assert (done.returncode, done.stdout, done.stderr) == (0, ANSWER, b"")
        head, _, body = requests[0].partition(b"\r\n\r\n")
        assert head.startswith(b"POST /hook/claude-code HTTP/1.1\r\nHost: memoire\r\n")
        assert body == data
        assert len(spool(root)) == 1

    @pytest.mark.parametrize(
        "serve",
        [reply(b""), reply(ANSWER, b"500 Internal Server Error"), reply(b"no json"), cut_short, never],
        ids=["nothing", "an error", "no json", "cut short", "never"],
    )
    def test_anything_else_prints_nothing(self, serve: Callable[[socket.socket], None], root: Path) -> None:
        with listening(root, serve):
            assert is_silent(run(payload(root, "PreToolUse", tool_name="Read")))

    def test_nothing_is_asked_where_there_is_nothing_to_tell(self, root: Path) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(paths.socket_path(root))
            listener.listen()
            listener.setblocking(False)
            run(payload(root, "PreToolUse", tool_name="Bash"))
            run(payload(root, "PostToolUse", tool_name="Read"))
            with pytest.raises(BlockingIOError):
                listener.accept()

    def test_a_session_that_finds_no_answer_gets_the_last_context_with_its_age(self, root: Path) -> None:
        file = Path(paths.state_path(root)) / hook.CONTEXT_FILE
        file.write_bytes(b'{"text": "age=@AGE@, and @AGE@"}\n')
        past = time.time() - 7300
        os.utime(file, (past, past))
        with listening(root, reply(b"")):
            done = run(payload(root, "SessionStart", source="startup"))
        assert done.stdout == b'{"text": "age=2 hours ago, and @AGE@"}\n'

    def test_a_context_that_is_a_link_or_torn_is_not_told(self, root: Path, tmp_path: Path) -> None:
        file = Path(paths.state_path(root)) / hook.CONTEXT_FILE
        file.write_bytes(b'{"text": "half')
        with listening(root, reply(b"")):
            assert is_silent(run(payload(root, "SessionStart")))
        Path(paths.socket_path(root)).unlink()
        file.unlink()
        (tmp_path / "other").write_bytes(b'{"text": 1}\n')
        file.symlink_to(tmp_path / "other")
        with listening(root, reply(b"")):
            assert is_silent(run(payload(root, "SessionStart")))


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(-5, "less than a minute ago"), (59, "less than a minute ago"), (60, "1 minute ago"), (7199, "1 hour ago"),
     (86_400 * 2.5, "2 days ago")],
)  # fmt: skip
def test_an_age_is_told_in_words(seconds: float, told: str) -> None:
    assert age(seconds) == told


def test_it_imports_next_to_nothing() -> None:
    code = "import sys; before = set(sys.modules); import memoire.hook; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); {code}"],
        capture_output=True, text=True, check=True, timeout=BOUND_S,
    )  # fmt: skip
    heavy = {
        "json",
        "re",
        "socket",
        "datetime",
        "dataclasses",
        "typing",
        "collections",
        "pathlib",
        "contextlib",
        "enum",
    }
    assert heavy.isdisjoint(done.stdout.split())
