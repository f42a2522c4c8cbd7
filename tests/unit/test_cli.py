"""The command line without a daemon: what it says and how it ends. With one: tests/e2e/test_demo.py."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import memoire
from memoire import cli, launch, paths

MEMOIRE = [sys.executable, "-m", "memoire"]


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project that was set up and has no daemon; it is the working directory."""
    root = tmp_path / "project"
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire" / "config.toml").write_text('project_id = "project_1a2b3c4d"\n')
    monkeypatch.chdir(root)
    return root


def write_log(root: Path, text: str) -> Path:
    log = Path(paths.state_dir(root)) / launch.LOG_FILE
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(text, encoding="utf-8")
    return log


def test_alone_it_lists_every_command_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n  {name}" in shown for name in cli.command_names())
    assert "Examples:\n  memoire init" in shown


@pytest.mark.parametrize("given", [["graph"], ["graph", "--help"], ["help", "graph"], ["--json", "graph"]])
def test_a_group_of_commands_lists_its_own(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(given) == 0
    shown = capsys.readouterr().out
    listed = [line[2:].split("  ")[0] for line in shown.splitlines() if line.startswith("  ")]
    assert listed == [name for name in cli.command_names() if name.startswith("graph ")] != []


def test_every_command_has_help_that_names_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    for name in sorted(set(cli.command_names()) - set(cli.PROGRAMS)):
        for given in ([*name.split(), "--help"], ["help", *name.split()]):
            with pytest.raises(SystemExit) as ended:
                cli.main(given)
            shown = capsys.readouterr().out
            assert ended.value.code == 0
            assert shown.startswith(f"usage: memoire {name} ")
            assert "--json" in shown
            assert "--root DIR" in shown


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["serach", "x"],
            "serach: there is no such command; `memoire --help` lists them. Did you mean search?",
        ),
        (["nonsense"], "nonsense: there is no such command; `memoire --help` lists them."),
        (["--nonsense"], "--nonsense: there is no command; `memoire --help` lists them."),
        (
            ["graph", "cicles"],
            "graph cicles: there is no such command; `memoire graph` lists them. Did you mean graph cycles?",
        ),
        (["--json", "graph", "nonsense"], "graph nonsense: there is no such command; `memoire graph` lists them."),
        (["cycles"], "cycles: there is no such command; `memoire --help` lists them. Did you mean graph cycles?"),
        (["version", "--jsno"], "--jsno: `memoire version` has no such argument. Did you mean --json?"),
        (["version", "--js"], "--js: `memoire version` has no such argument. Did you mean --json?"),
        (["expand"], "memoire expand: the following arguments are required: PATH."),
        (["logs", "-n", "many"], "-n/--lines: must be a whole number, not 'many'."),
        (["logs", "--follow", "--json"], "--json: gives one document, and --follow has no end."),
        (["--json", "mcp"], "mcp: comes first: `memoire mcp --root DIR`."),
        (["status", "--root", "/no/such/folder"], "--root: '/no/such/folder' is no folder."),
    ],
)
@pytest.mark.shows("H72")
def test_what_cannot_be_understood_is_refused_with_what_was_meant(
    given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(given) == 2
    shown = capsys.readouterr()
    if "--json" in given:
        assert json.loads(shown.out) == {"error": {"code": "invalid-argument", "message": message}}
    else:
        assert (shown.out, shown.err) == ("", f"memoire: {message}\n")


@pytest.mark.parametrize("command", ["context", "status", "start", "stop", "logs", "export"])
def test_a_folder_that_was_not_set_up_is_refused(
    command: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "elsewhere").mkdir()
    monkeypatch.chdir(home / "elsewhere")
    assert cli.main([command, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "not-initialized"
    assert not (home / ".local").exists()


@pytest.mark.parametrize("given", [["version"], ["--version"], ["version", "--json"], ["--json", "version"]])
@pytest.mark.shows("M34")
def test_the_version_is_shown(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(given) == 0
    version = capsys.readouterr().out
    assert version == (f'{{"version": "{launch.VERSION}"}}\n' if "--json" in given else f"memoire {launch.VERSION}\n")


def test_the_version_costs_next_to_no_import() -> None:
    # Without `site`: what other packages hook into every start is not ours to count.
    source = (
        "import sys\nsys.path.append(sys.argv[1])\nfrom memoire import cli\ncli.main(['version'])\nprint(*sys.modules)"
    )
    parent = str(Path(memoire.__file__).parents[1])
    run = subprocess.run([sys.executable, "-I", "-S", "-c", source, parent], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert {"memoire.cli", "memoire.errors"} <= loaded
    assert not {"argparse", "asyncio", "json", "msgspec", "pathlib", "rich", "socket", "typing"} & loaded


def test_status_of_a_daemon_that_does_not_run_is_3_and_starts_none(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["status", "--json"]) == cli.EXIT_NOT_RUNNING == 3
    assert json.loads(capsys.readouterr().out) == {"state": "stopped", "root": str(project)}
    assert not launch.is_running(str(project))


def test_stopping_what_does_not_run_is_no_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stop", "--root", str(project)]) == 0
    assert capsys.readouterr().out == "state: stopped\nwas running: no\n"


def test_the_project_is_found_from_a_folder_inside(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(project / "src" / "deep")
    cli.main(["status", "--json"])
    assert json.loads(capsys.readouterr().out)["root"] == str(project)


def test_a_working_directory_that_is_gone_is_said_to_be(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home)
    (home / "gone").mkdir()
    monkeypatch.chdir(home / "gone")
    (home / "gone").rmdir()
    assert cli.main(["status"]) == 2
    assert capsys.readouterr().err == "memoire: --root: the working directory is gone; name the project's.\n"


def test_the_log_shows_its_last_lines_and_no_control_codes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["logs"]) == 0
    assert capsys.readouterr().out == ""
    log = write_log(project, "one\ntwo \x1b[31mred\nthree é\n")
    assert cli.main(["logs", "-n", "2"]) == 0
    assert capsys.readouterr().out == "two \\x1b[31mred\nthree é\n"
    assert cli.main(["logs", "--lines", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": str(log), "lines": ["three é"]}
    assert cli.main(["logs", "-n", "-1"]) == 2


def test_an_interrupt_ends_it_quietly(project: Path) -> None:
    write_log(project, "the first line\n")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background a shell ignores it: inherited
    try:
        run = subprocess.Popen([*MEMOIRE, "logs", "-f"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with run:
        assert run.stdout is not None
        assert run.stdout.readline() == "the first line\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=30)
    assert (run.returncode, out, err) == (cli.EXIT_INTERRUPTED, "", "")


@pytest.mark.parametrize("given", [["version"], ["--help"], ["logs"]])
def test_a_reader_that_leaves_ends_it_quietly(given: list[str], project: Path) -> None:
    write_log(project, "line\n" * 100_000)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        run = subprocess.run([*MEMOIRE, *given], stdout=gone, stderr=subprocess.PIPE, check=False)
    assert (run.returncode, run.stderr) == (cli.EXIT_BROKEN_PIPE, b"")


def test_output_survives_an_encoding_without_the_letters(project: Path) -> None:
    write_log(project, "naïve €\n")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    run = subprocess.run([*MEMOIRE, "logs"], capture_output=True, env=environment, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"na\\xefve \\u20ac\n", b"")


@pytest.fixture
def fresh(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that was not set up; it is the working directory."""
    root = tmp_path / "fresh"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


def test_a_dry_run_shows_what_would_be_written_and_writes_nothing(
    fresh: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["init", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert ".memoire/config.toml" in shown
    assert "+project_id = " in shown
    assert list(fresh.iterdir()) == []
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_where_nobody_can_be_asked_init_does_not_ask(
    more: list[str], fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        assert cli.main(["init", "--no-index", *more]) == 0
    assert (fresh / ".memoire/config.toml").is_file()


@pytest.mark.parametrize("given", [["uninstall"], ["uninstall", "--json"]])
def test_where_nobody_can_be_asked_yes_must_be_said_to_uninstall(
    given: list[str], fresh: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["init", "--yes", "--no-index"]) == 0
    capsys.readouterr()
    before = sorted(fresh.rglob("*"))
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        assert cli.main(given) == 2
    assert "--yes" in "".join(capsys.readouterr())
    assert sorted(fresh.rglob("*")) == before


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("yes\n", 0), ("n\n", 1), ("\n", 1), ("\x04", 1)])
def test_on_a_terminal_it_asks_and_does_what_is_said(answer: str, status: int, fresh: Path) -> None:
    controller, terminal = pty.openpty()
    with os.fdopen(controller, "wb", buffering=0) as keyboard, os.fdopen(terminal, "rb") as stdin:
        keyboard.write(answer.encode())
        run = subprocess.run(
            [*MEMOIRE, "init", "--no-index"], stdin=stdin, capture_output=True, text=True, check=False, timeout=60
        )
    assert (run.returncode, run.stderr) == (status, "")
    assert "[y/N]" in run.stdout
    assert (fresh / ".memoire" / "config.toml").exists() == (status == 0)


def test_what_init_wrote_uninstall_takes_back(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["init", "--yes", "--no-index", "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert {action["state"] for action in done["actions"]} == {"created"}
    assert paths.is_initialized(fresh)
    assert cli.main(["init", "--yes", "--no-index", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert {action["state"] for action in again["actions"]} == {"unchanged"}
    assert cli.main(["uninstall", "--yes", "--json"]) == 0
    assert list(fresh.iterdir()) == []


@pytest.mark.parametrize("folder", ["home", "/"])
def test_a_home_directory_or_the_whole_disk_is_refused(
    folder: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["init", "--yes", "--json", "--root", str(home) if folder == "home" else folder]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "refused-root"
    assert list(home.iterdir()) == []
