"""`memoire init` and `memoire uninstall`: how they end, and what they say of what they could not do."""

import io
import json
import sys
from pathlib import Path

import pytest

from memoire import cli, launch
from memoire.setup_work import Action
from memoire.terminal import setting_up


class Terminal(io.StringIO):
    """Where somebody sits."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def root(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a page of its own; it is the working directory."""
    root = home.parent / "work" / "orders"
    root.mkdir(parents=True)
    (root / "CLAUDE.md").write_text("# Rules\n")
    monkeypatch.chdir(root)
    return root


def test_what_is_left_alone_is_named_and_ends_with_1(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / ".mcp.json").write_text("{ broken")
    assert cli.main(["init", "--yes", "--no-index"]) == 1
    shown = capsys.readouterr().out
    assert "it cannot be edited: line 1: a key in double quotes is missing" in shown
    assert (root / ".mcp.json").read_text() == "{ broken"
    assert cli.main(["uninstall", "--yes"]) == 0
    assert (root / "CLAUDE.md").read_text() == "# Rules\n"


def test_what_is_left_to_do_is_said_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["init", "--yes", "--no-index"]) == 0
    assert capsys.readouterr().out.count("Claude Code asks once to approve") == 1
    assert cli.main(["init", "--yes", "--no-index"]) == 0
    assert "Claude Code asks once" not in capsys.readouterr().out


def test_a_home_that_somebody_insists_on_is_a_project_from_then_on(home: Path) -> None:
    assert cli.main(["init", "--yes", "--root", str(home), "--no-index", "--force"]) == 0
    assert cli.main(["status", "--root", str(home)]) == cli.EXIT_NOT_RUNNING
    assert cli.main(["uninstall", "--yes", "--root", str(home)]) == 0


def test_it_is_about_the_whole_project_wherever_it_is_called(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".git").mkdir()
    (root / "src").mkdir()
    monkeypatch.chdir(root / "src")
    assert cli.main(["init", "--yes", "--no-index"]) == 0
    assert (root / ".mcp.json").exists()
    assert cli.main(["uninstall", "--yes"]) == 0
    assert not (root / ".mcp.json").exists()


def test_a_project_that_cannot_be_read_is_set_up_all_the_same_and_the_error_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "daemon_command", lambda _: [sys.executable, "-c", "raise SystemExit('no luck')"])
    assert cli.main(["init", "--yes", "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert found["index"]["error"]["code"] == "daemon-unavailable"
    assert "no luck" in found["index"]["error"]["message"]
    assert found["actions"][0]["state"] == "created"
    assert cli.main(["init", "--yes"]) == 3
    shown = capsys.readouterr()
    assert "unchanged" in shown.out
    assert "no luck" in shown.err


def test_the_question_obeys_no_code_in_the_name_of_a_folder() -> None:
    screen = io.StringIO()
    assert setting_up.confirm("Set up /\x1b[2Jx?", Terminal("y\n"), screen)
    assert "Set up /\\x1b[2Jx?" in screen.getvalue()


def test_the_status_is_1_where_something_was_left_alone() -> None:
    assert setting_up.status([Action("a", "a", "created"), Action("b", "b", "unchanged", "yours")]) == 0
    assert setting_up.status([Action("a", "a", "created"), Action("b", "b", "left alone", "broken")]) == 1
