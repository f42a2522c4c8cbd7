"""The Python API against a daemon process with a fake project in it."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from memoire import launch, sdk
from memoire.errors import DaemonUnavailableError, InternalError, UnknownOperationError, UnknownPathError
from memoire.sdk import Memoire
from tests.daemon_places import BOUND_S, Place, new_place, wait_until
from tests.fake_memoire import FILES, daemon_command


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with new_place() as place:
        yield place


@pytest.fixture
def project(place: Place) -> Memoire:
    launch.reach_daemon(place.root, wait_s=BOUND_S, command=daemon_command(place.root)).close()
    return Memoire(place.root + "/.memoire", timeout_s=BOUND_S)


def test_the_project_is_found_from_a_folder_inside_it(project: Memoire, place: Place) -> None:
    assert project.root == place.root
    assert project.is_running()


@pytest.mark.shows("T2")
def test_an_operation_answers_what_its_tool_does(project: Memoire, place: Place) -> None:
    assert project.call("say", text="hé", times=2) == {"text": "héhé", "pid": place.daemon_pid, "times": 2}
    assert project.expand("src/naïve file.py") == {"path": "src/naïve file.py", "type": "file"}
    assert project.get_context() == {"path": ".", "type": "directory"}
    assert project.ingest() == {"files": len(FILES)}


def test_the_status_tells_the_daemon_and_the_project(project: Memoire, place: Place) -> None:
    status = project.status()
    assert (status["state"], status["pid"], status["project"]) == ("ready", place.daemon_pid, {"files": len(FILES)})


def test_an_error_is_the_one_that_the_daemon_raised(project: Memoire) -> None:
    with pytest.raises(UnknownPathError) as caught:
        project.expand("READ.md")
    assert (caught.value.path, caught.value.near, caught.value.exit_code) == ("READ.md", ("README.md",), 2)
    with pytest.raises(UnknownOperationError, match="Did you mean expand"):
        project.call("exapnd")
    with pytest.raises(InternalError):
        project.call("fail")


def test_a_text_that_no_json_can_hold_is_an_error_and_no_crash(project: Memoire) -> None:
    with pytest.raises(Exception, match="no JSON"):
        project.expand("\ud800")
    assert project.get_context()


def test_a_change_during_which_the_daemon_dies_is_not_asked_again(project: Memoire, place: Place) -> None:
    with pytest.raises(DaemonUnavailableError):
        project.call("die_writing")
    wait_until(lambda: not launch.is_running(place.root))
    assert place.log.count("serving pid=") == 1


def test_a_first_question_during_which_the_daemon_dies_is_asked_again(
    project: Memoire, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "daemon_command", daemon_command)
    pid = place.daemon_pid
    os.kill(pid, signal.SIGSTOP)  # the kernel still takes the connection
    killing = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
    killing.start()
    assert project.call("say", text="x")["pid"] not in {pid, 0}
    killing.join()


def test_the_state_of_a_daemon_that_hangs_is_not_waited_for_as_long_as_an_answer(
    project: Memoire, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sdk, "STATUS_S", 0.2)
    pid = place.daemon_pid
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(DaemonUnavailableError, match=r"it was silent for 0\.2 s"):
            project.status()
    finally:
        os.kill(pid, signal.SIGCONT)


def test_stop_waits_until_the_daemon_is_gone(project: Memoire, place: Place) -> None:
    assert project.stop() is True
    assert not launch.is_running(place.root)
    assert project.stop() is False


def test_a_daemon_that_keeps_silent_is_not_waited_for_for_ever(project: Memoire, place: Place) -> None:
    patient = Memoire(place.root, timeout_s=0.2)
    patient._is_checked = True  # the version is not what is tested
    with pytest.raises(DaemonUnavailableError, match=r"it was silent for 0\.2 s"):
        patient.call("wait")
    assert project.get_context()
