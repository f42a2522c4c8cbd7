import json
import os
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire import launch, paths
from memoire.errors import BadRequestError, DaemonUnavailableError
from tests.daemon_places import Place, new_place

builds = st.builds(
    lambda version, newest, crc: f"{'.'.join(map(str, version))}:{newest:x}:{crc:08x}",
    st.lists(st.integers(0, 30), min_size=1, max_size=4),
    st.integers(0, 2**63),
    st.integers(0, 2**32 - 1),
)


@pytest.fixture
def place() -> Iterator[Place]:
    with new_place() as place:
        yield place


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] == launch.VERSION


def test_a_build_id_is_the_same_until_a_file_changes(tmp_path: Path) -> None:
    assert launch.build_id() == launch.build_id()
    version, newest, checksum = launch.build_id().split(":")
    assert version == launch.VERSION
    assert int(newest, 16) > 0
    assert len(checksum) == 8


def test_what_the_build_id_rests_on_are_the_code_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "__pycache__").mkdir()
    for name in ("a.py", "sub/b.toml", "sub/c.txt", "__pycache__/a.py"):
        (tmp_path / name).write_text(name)
    assert {(name, size) for name, size, _ in launch._code_files(str(tmp_path), "")} == {
        ("a.py", 4),
        ("sub/b.toml", 10),
    }


@pytest.mark.parametrize(
    ("build", "than", "is_newer"),
    [
        ("0.2.0:1:0", "0.1.9:ff:0", True),
        ("0.10.0:1:0", "0.9.0:1:0", True),
        ("0.1.0:2:0", "0.1.0:1:0", True),
        ("0.1.0:1:aaaaaaaa", "0.1.0:1:bbbbbbbb", False),
        ("0.1.0:1:0", "0.1.0:1:0", False),
        ("0.1.0:1:0", "", False),
        ("garbage", "0.1.0:1:0", False),
        ("0.1.0:1:0", "0.1.x:0:0", False),
    ],
)
def test_a_build_is_newer_by_its_version_and_then_by_its_newest_file(build: str, than: str, is_newer: bool) -> None:
    assert launch.is_newer(build, than) is is_newer


@given(builds, builds)
def test_two_builds_never_replace_each_other_in_turn(one: str, other: str) -> None:
    assert not (launch.is_newer(one, other) and launch.is_newer(other, one))


def test_a_lock_is_held_by_one_and_ends_with_it(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first = launch.try_lock(path)
    assert first is not None
    assert launch.try_lock(path) is None
    assert Path(path).stat().st_mode & 0o777 == 0o600
    os.close(first)
    second = launch.try_lock(path)
    assert second is not None
    os.close(second)


def test_a_lock_whose_file_was_replaced_is_no_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first = launch.try_lock(path)
    assert first is not None
    Path(path).unlink()
    assert not launch.is_same_file(first, path)
    second = launch.try_lock(path)
    assert second is not None
    assert launch.is_same_file(second, path)
    os.close(first)
    os.close(second)


def test_a_lock_is_no_link_to_somewhere_else(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        launch.try_lock(str(tmp_path / "lock"))
    assert not (tmp_path / "elsewhere").exists()


def test_a_pid_in_a_lock_file_that_nobody_holds_means_nothing(place: Place) -> None:
    (place.state / launch.LOCK_FILE).write_text(json.dumps({"pid": os.getppid()}))
    assert not launch.is_running(place.root)
    assert launch.stop_daemon(place.root) is False


@pytest.mark.parametrize(
    "text", ["", "12", "[]", '{"pid": "12"}', '{"pid": true}', '{"pid": -1}', '{"pid": 1}', "\xff"]
)
def test_a_lock_file_with_nonsense_names_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / "lock").write_text(text, "latin-1")
    assert launch.holder_pid(str(tmp_path / "lock")) == 0
    assert launch.holder_pid(str(tmp_path / "none")) == 0


def test_nobody_answers_where_there_is_no_socket_or_a_stale_one(place: Place) -> None:
    path = paths.socket_path(place.root)
    assert launch.connect(path) is None
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(path)
    assert Path(path).exists()
    assert launch.connect(path) is None


def test_the_daemon_gets_a_scrubbed_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    kept = {"HOME": "/h", "PATH": "/bin", "LANG": "C", "TMPDIR": "/t", "USER": "u", "MEMOIRE_WORKERS": "1"}
    dropped = {"AWS_SECRET_ACCESS_KEY": "s", "CLAUDE_CODE_SESSION_ID": "x", "LD_PRELOAD": "y", "PYTHONSTARTUP": "z"}
    for name, value in (kept | dropped).items():
        monkeypatch.setenv(name, value)
    found = launch.scrubbed_environment()
    found.pop("PYTHONPATH", None)  # of a checkout
    assert found == kept


def test_the_daemon_imports_nothing_from_the_working_directory() -> None:
    command = launch.daemon_command("/some/project")
    assert command[0] == sys.executable
    assert command[1] == "-P"
    assert command[-2:] == ["--root", "/some/project"]


def failure_of(place: Place, command: list[str], wait_s: float = 20.0) -> DaemonUnavailableError:
    with pytest.raises(DaemonUnavailableError) as caught:
        launch.reach_daemon(place.root, wait_s=wait_s, command=command)
    return caught.value


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


def test_why_a_daemon_does_not_start_is_the_last_line_of_its_log(place: Place) -> None:
    (place.state / "log").mkdir()
    (place.state / launch.LOG_FILE).write_text("an older line\n")
    script = "import sys; sys.stderr.write('one\\nthe disk is full.\\n\\n'); sys.exit(1)"
    assert failure_of(place, python(script)).why == "the disk is full"


def test_a_daemon_that_dies_silently_is_told_by_its_status(place: Place) -> None:
    (place.state / "log").mkdir()
    (place.state / launch.LOG_FILE).write_text("an older line\n")
    assert failure_of(place, python("import os; os._exit(7)")).why == "it ended with status 7"
    assert failure_of(place, python("import os; os.kill(os.getpid(), 9)")).why == "it ended with status -9"


def test_a_daemon_that_does_not_answer_is_not_waited_for_for_ever(place: Place) -> None:
    fifo = place.top / "fifo"
    os.mkfifo(fifo)
    assert failure_of(place, python(f"open({str(fifo)!r}).read()"), wait_s=0.2).why == "it does not answer"
    with fifo.open("w"):
        pass  # lets the process end


def test_a_program_that_cannot_be_run_is_told(place: Place) -> None:
    assert "No such file" in failure_of(place, ["/nowhere/python"]).why


def test_only_one_of_many_starts_the_daemon_and_another_takes_over_when_it_gives_up(place: Place) -> None:
    marks = place.top / "marks"
    attempts = []
    for name in ("one", "two"):
        os.mkfifo(place.top / name)
        script = f"open({str(marks)!r}, 'a').write({name!r}); open({str(place.top / name)!r}).read()"
        attempts.append(launch.Launch(place.root, command=python(script)))
    first, second = attempts
    assert first.poll() is None
    for _ in range(5):
        assert second.poll() is None
    with (place.top / "one").open("w"):  # opens once the process reads: it has left its mark
        assert marks.read_text() == "one"
    first.close()
    assert second.poll() is None
    with (place.top / "two").open("w"):
        assert marks.read_text() == "onetwo"
    second.close()


def test_the_daemon_gets_no_descriptor_but_its_log(place: Place) -> None:
    script = "import os, sys; print(os.path.samefile('/dev/fd/0', os.devnull), flush=True); sys.exit(1)"
    assert failure_of(place, python(script)).why == "True"
    assert (place.state / launch.LOG_FILE).stat().st_mode & 0o777 == 0o600
    assert (place.state / "log").stat().st_mode & 0o777 == 0o700


def exchange(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    ours, theirs = socket.socketpair()

    def serve() -> None:
        # Whoever has read enough hangs up, in the middle of a long answer.
        with theirs, suppress(BrokenPipeError, ConnectionResetError):
            theirs.recv(65536)
            theirs.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        return launch.ask(ours, "POST", "/op/x", b"{}", timeout_s=20)
    finally:
        thread.join()


def test_an_answer_is_read_whole() -> None:
    assert exchange(b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX-Y: z\r\n\r\n{}") == (
        404,
        {"content-length": "2", "x-y": "z"},
        b"{}",
    )


@pytest.mark.parametrize(
    "answer",
    [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", b"nonsense\r\n\r\n", b"\r\n\r\n"],
)
def test_an_answer_that_is_cut_short_is_a_lost_connection(answer: bytes) -> None:
    with pytest.raises(ConnectionResetError):
        exchange(answer)


def test_an_answer_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "MAX_ANSWER_BYTES", 1000)
    with pytest.raises(BadRequestError):
        exchange(b"x" * 200_000)


def test_the_forwarder_and_the_launcher_need_nothing_but_the_standard_library() -> None:
    script = (
        "import sys; before = {*sys.modules}; import memoire.forwarder.relay, memoire.sdk; "
        "print(*sorted({name.split('.')[0] for name in {*sys.modules} - before} - {*sys.stdlib_module_names}))"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["memoire"]
