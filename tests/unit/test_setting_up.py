"""`memoire init` and `memoire uninstall` as commands: what they show, when they ask, how they end."""

import io
import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from memoire import cli, launch, paths
from memoire.setup import Action
from memoire.terminal import setting_up

MEMOIRE = [sys.executable, "-m", "memoire"]
BOUND_S = 60.0


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def root(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a page of its own; it is the working directory."""
    root = home.parent / "work" / "orders"
    root.mkdir(parents=True)
    (root / "CLAUDE.md").write_text("# Rules\n")
    monkeypatch.chdir(root)
    return root


def at_a_terminal(given: list[str], answer: bytes) -> tuple[int, str]:
    """Run a command at a terminal, type the answer once it asks, and return its exit status and what was shown."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen([*MEMOIRE, *given], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    shown = b""
    try:
        while select.select([ours], [], [], BOUND_S)[0]:
            try:
                data = os.read(ours, 65536)
            except OSError:  # it ended
                break
            shown += data
            if not data:
                break
            if shown.endswith(b"[Y/n] "):
                os.write(ours, answer)
        return run.wait(BOUND_S), shown.decode()
    finally:
        run.kill()
        run.wait()
        os.close(ours)


class TestCommands:
    def test_init_shows_what_it_did_and_uninstall_takes_it_back(
        self, root: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert cli.main(["init", "--no-index"]) == 0
        shown = capsys.readouterr().out
        assert shown.splitlines()[:7] == [
            "actions",
            "WHAT                          PATH                  STATE",
            "settings of the project       .memoire/config.toml  created",
            "what git leaves out           .memoire/.gitignore   created",
            "where the state is kept       .memoire/local        created",
            "MCP server for Claude Code    .mcp.json             created",
            "instructions for Claude Code  CLAUDE.md             updated",
        ]
        assert "next: Claude Code asks once to approve" in shown
        assert cli.main(["uninstall"]) == 0
        assert [entry.name for entry in root.iterdir()] == ["CLAUDE.md"]
        assert (root / "CLAUDE.md").read_text() == "# Rules\n"
        capsys.readouterr()
        assert cli.main(["uninstall"]) == 0
        assert capsys.readouterr().out == "actions: there is nothing of memoire here\n"

    def test_as_json_it_is_one_document(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["init", "--no-index", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        project_id = paths.project_id(root)
        assert [found[name] for name in ("root", "project_id", "dry_run")] == [str(root), project_id, False]
        assert found["actions"][4] == {
            "what": "instructions for Claude Code",
            "path": "CLAUDE.md",
            "state": "updated",
        }
        assert cli.main(["uninstall", "--json", "--purge"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert list(found) == ["root", "project_id", "dry_run", "actions"]
        assert {action["state"] for action in found["actions"]} == {"removed", "updated"}

    def test_a_dry_run_shows_the_differences_and_writes_nothing(
        self, root: Path, home: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert cli.main(["init", "--dry-run"]) == 0
        shown = capsys.readouterr().out
        assert "\n--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ -1 +1," in shown
        assert '\n+    "memoire": {\n' in shown
        assert [entry.name for entry in root.iterdir()] == ["CLAUDE.md"]
        assert list(home.iterdir()) == []
        assert cli.main(["uninstall", "--dry-run", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["dry_run"] is True

    def test_what_is_left_alone_is_named_and_ends_with_1(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (root / ".mcp.json").write_text("{ broken")
        assert cli.main(["init", "--no-index"]) == 1
        shown = capsys.readouterr().out
        assert "left alone  it cannot be edited: line 1: a key in double quotes is missing" in shown
        assert (root / ".mcp.json").read_text() == "{ broken"
        assert cli.main(["uninstall"]) == 0

    def test_a_home_is_refused_unless_somebody_insists(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["init", "--root", str(home), "--json"]) == 2
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "refused-root"
        assert list(home.iterdir()) == []
        assert cli.main(["init", "--root", str(home), "--no-index", "--force"]) == 0
        assert cli.main(["status", "--root", str(home)]) == cli.EXIT_NOT_RUNNING
        assert cli.main(["uninstall", "--root", str(home)]) == 0

    def test_it_is_about_the_whole_project_wherever_it_is_called(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (root / ".git").mkdir()
        (root / "src").mkdir()
        monkeypatch.chdir(root / "src")
        assert cli.main(["init", "--no-index"]) == 0
        assert (root / ".mcp.json").exists()
        assert cli.main(["uninstall"]) == 0
        assert not (root / ".mcp.json").exists()

    def test_if_the_project_cannot_be_read_it_is_set_up_all_the_same_and_the_error_is_told(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(launch, "daemon_command", lambda _: [sys.executable, "-c", "raise SystemExit('no luck')"])
        assert cli.main(["init", "--json"]) == 3
        found = json.loads(capsys.readouterr().out)
        assert found["index"]["error"]["code"] == "daemon-unavailable"
        assert "no luck" in found["index"]["error"]["message"]
        assert found["actions"][0]["state"] == "created"
        assert cli.main(["init"]) == 3
        shown = capsys.readouterr()
        assert "unchanged" in shown.out
        assert "no luck" in shown.err


class TestAsking:
    def test_a_person_who_says_no_gets_nothing(self, root: Path) -> None:
        status, shown = at_a_terminal(["init", "--no-index"], b"n\n")
        assert status == 1
        assert "CLAUDE.md" in shown
        assert "Nothing was written." in shown
        assert [entry.name for entry in root.iterdir()] == ["CLAUDE.md"]

    def test_a_person_who_says_yes_gets_it_and_is_asked_again_for_the_way_back(self, root: Path) -> None:
        status, shown = at_a_terminal(["init", "--no-index"], b"\n")
        assert status == 0, shown
        assert (root / ".mcp.json").exists()
        status, shown = at_a_terminal(["init", "--no-index"], b"never asked")
        assert (status, "[Y/n]" in shown) == (0, False)
        status, shown = at_a_terminal(["uninstall"], b"y\n")
        assert (status, "[Y/n]" in shown) == (0, True)
        assert not (root / ".mcp.json").exists()

    @pytest.mark.parametrize("option", ["--yes", "-y", "--json", "--dry-run"])
    def test_nobody_is_asked_who_has_answered_already(self, option: str, root: Path) -> None:
        status, shown = at_a_terminal(["init", "--no-index", option], b"never asked")
        assert (status, "[Y/n]" in shown) == (0, False)
        assert (root / ".mcp.json").exists() == (option != "--dry-run")

    @pytest.mark.parametrize(
        ("answer", "is_yes"),
        [
            ("\n", True),
            ("y\n", True),
            (" YES \n", True),
            ("n\n", False),
            ("no\n", False),
            ("what?\n", False),
            ("", False),
        ],
    )
    def test_only_yes_is_yes(self, answer: str, is_yes: bool) -> None:
        writer = io.StringIO()
        assert setting_up.confirm("Set up \x1b[31m/x?", io.StringIO(answer), writer) is is_yes
        assert writer.getvalue().startswith("\nSet up \\x1b[31m/x? [Y/n] ")
        assert ("Nothing was written." in writer.getvalue()) is not is_yes


def test_the_status_is_1_where_something_was_left_alone() -> None:
    assert setting_up.status([Action("a", "a", "created"), Action("b", "b", "unchanged", "yours")]) == 0
    assert setting_up.status([Action("a", "a", "created"), Action("b", "b", "left alone", "broken")]) == 1
