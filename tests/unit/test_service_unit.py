"""What the service of a project looks like to systemd and launchd, and that only what was written is removed."""

import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memoire import cli, launch, paths, service_unit, setup
from memoire.errors import InvalidArgumentError

GOLDEN = Path(__file__).parents[1] / "golden"
ODD = "/srv/a b 100%h é'\"$HOME\\n/proj"
"""Spaces, a specifier of systemd, letters beyond ASCII, both quotes, a variable and an escape."""


@pytest.fixture
def folder(home: Path, tmp_path: Path) -> Path:
    """Return a project that was set up."""
    root = tmp_path / 'a "b" 50% $x é'
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire" / "config.toml").write_text('project_id = "p_00000001"\n')
    return Path(paths.real(root))


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a `systemctl` on PATH that notes what it is asked; return the file that it notes it in."""
    programs = tmp_path / "bin"
    programs.mkdir()
    notes = tmp_path / "asked"
    notes.touch()
    program = programs / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$*" >> {shlex.quote(str(notes))}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return notes


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no service manager that can be reached."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


def asked(notes: Path) -> list[str]:
    return [line for line in notes.read_text().splitlines() if "show-environment" not in line]


def everything(home: Path) -> set[str]:
    below = {str(path.relative_to(home)) for path in home.rglob("*")}
    return {path for path in below if not path.startswith(".local")}


@pytest.mark.parametrize(("platform", "golden"), [("linux", "systemd.service"), ("darwin", "launchd.plist")])
def test_the_service_is_as_it_was_agreed(
    home: Path, monkeypatch: pytest.MonkeyPatch, platform: str, golden: str
) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/my tools/50%/python")
    step = service_unit.install(ODD, dry_run=True, platform=platform)
    text = step.text.replace(launch.code_path() or "@CODE@", "@CODE@")
    assert re.sub(r"checksum: [0-9a-f]{8}\.", "checksum: @.", text) == (GOLDEN / golden).read_text()
    assert everything(home) == set()


def test_a_plist_says_what_was_meant(home: Path) -> None:
    found = plistlib.loads(service_unit.install(ODD, dry_run=True, platform="darwin").text.encode())
    assert found["ProgramArguments"] == launch.service_command(ODD)
    assert found["KeepAlive"] == {"SuccessfulExit": False}


def test_systemd_takes_the_unit(home: Path, tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed")
    step = service_unit.install(ODD, dry_run=True, platform="linux")
    unit = tmp_path / Path(step.path).name
    unit.write_text(step.text)
    (tmp_path / "run").mkdir()
    done = subprocess.run(
        [verify, "--user", "verify", str(unit)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path / "run")},
    )
    if "Failed to" in done.stderr:
        pytest.skip(f"systemd-analyze does not work here: {done.stderr.splitlines()[0]}")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_service_is_installed_once_and_removed_to_the_letter(home: Path, folder: Path, manager: Path) -> None:
    (home / ".config").mkdir()
    (home / ".config/mine").touch()
    before = everything(home)
    step = service_unit.install(str(folder), platform="linux")
    file = Path(step.path)
    assert step.state == service_unit.CREATED
    assert step.todo == ()
    assert asked(manager) == ["--user daemon-reload", f"--user enable --now {file.name}"]
    assert re.fullmatch(r"memoire-[a-z0-9._-]+\.service", file.name)
    assert file.read_text() == step.text
    assert service_unit.install(str(folder), platform="linux").state == service_unit.UNCHANGED
    assert service_unit.status(str(folder), platform="linux")["service"] == "installed"
    gone = service_unit.uninstall(str(folder), platform="linux")
    assert gone is not None
    assert gone.state == service_unit.REMOVED
    assert asked(manager)[-2:] == [f"--user disable --now {file.name}", "--user daemon-reload"]
    assert everything(home) == before
    assert service_unit.uninstall(str(folder), platform="linux") is None


def test_a_file_that_was_edited_is_left_alone(home: Path, folder: Path, manager: Path) -> None:
    file = Path(service_unit.install(str(folder), platform="linux").path)
    edited = file.read_text().replace("RestartSec=5", "RestartSec=60")
    file.write_text(edited)
    told = len(asked(manager))
    assert service_unit.install(str(folder), platform="linux").state == service_unit.LEFT_ALONE
    step = service_unit.uninstall(str(folder), platform="linux")
    assert step is not None
    assert step.state == service_unit.LEFT_ALONE
    assert service_unit.status(str(folder), platform="linux")["service"] == "edited"
    assert (file.read_text(), len(asked(manager)) - told) == (edited, 1)  # asked for its status alone


def test_a_link_in_its_place_is_left_alone(home: Path, folder: Path, nobody: None) -> None:
    file = service_unit.manager_of(str(folder), "linux").file
    file.parent.mkdir(parents=True)
    (home / "target").write_text("mine")
    file.symlink_to(home / "target")
    assert service_unit.install(str(folder), platform="linux").state == service_unit.LEFT_ALONE
    assert (home / "target").read_text() == "mine"


def test_what_an_earlier_version_wrote_is_brought_up_to_date_and_can_be_removed(
    home: Path, folder: Path, nobody: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(sys, "executable", "/usr/local/old/python")
        service_unit.install(str(folder), platform="linux")
    assert service_unit.status(str(folder), platform="linux")["service"].startswith("outdated")
    assert service_unit.install(str(folder), platform="linux").state == service_unit.UPDATED
    service_unit.uninstall(str(folder), platform="linux")
    assert everything(home) == set()


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_where_no_manager_is_reached_it_is_said_what_to_run(
    home: Path, folder: Path, nobody: None, platform: str
) -> None:
    step = service_unit.install(str(folder), platform=platform)
    assert (step.state, step.ran) == (service_unit.CREATED, ())
    expected = {"linux": f"systemctl --user enable --now {Path(step.path).name}", "darwin": "launchctl bootstrap gui/"}
    assert step.todo[-1].startswith(expected[platform])
    assert "does not reach the service manager" in step.why
    wants = Path(step.path).parent / "default.target.wants"
    if platform == "linux":  # the user ran it themselves
        wants.mkdir()
        (wants / Path(step.path).name).symlink_to(step.path)
    gone = service_unit.uninstall(str(folder), platform=platform)
    assert gone is not None
    assert gone.todo
    assert everything(home) == set()


def test_uninstalling_memoire_takes_the_service_along(home: Path, folder: Path, manager: Path) -> None:
    file = Path(service_unit.install(str(folder)).path)
    if not file.name.endswith(".service"):
        pytest.skip("the stand-in is that of Linux")
    dry = setup.uninstall(str(folder), dry_run=True)
    assert (dry[0].what, dry[0].state, file.exists()) == ("service that starts the daemon", "removed", True)
    done = setup.uninstall(str(folder))
    assert (done[0].path, done[0].state, file.exists()) == (str(file), "removed", False)
    assert everything(home) == set()


@pytest.mark.parametrize("letter", ["\n", "\t", "\x7f", "\udcff"])
def test_a_path_that_no_service_file_can_hold_is_refused(home: Path, letter: str) -> None:
    with pytest.raises(InvalidArgumentError, match="no service file can hold"):
        service_unit.install(f"/srv/a{letter}b", platform="linux")


def test_another_system_is_told_so(home: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="Linux"):
        service_unit.install("/srv/a", platform="freebsd14")
    assert service_unit.uninstall("/srv/a", platform="freebsd14") is None


def test_the_command_shows_installs_and_removes(
    home: Path, folder: Path, manager: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*given: str) -> tuple[int, str]:
        status = cli.main(["service", *given, "--root", str(folder)])
        return status, capsys.readouterr().out

    assert run("status")[0] == cli.EXIT_NOT_RUNNING
    status, shown = run("install", "--dry-run")
    assert (status, everything(home)) == (0, set())
    assert "--service" in shown
    assert "would run" in shown
    assert run("install")[0] == 0
    assert run("status")[0] == 0
    status, shown = run("uninstall", "--json")
    assert (status, '"service": "removed"' in shown) == (0, True)
    assert "not installed" in run("uninstall")[1]
