"""What the clients say of memoire's server, in the words that they have for it, and what the doctor makes of that."""

from pathlib import Path

import pytest

from memoire.clients import CLIENTS
from memoire.terminal import asking_clients, doctor
from memoire.terminal.asking_clients import ask

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root, programs = tmp_path / "project", tmp_path / "bin"
    root.mkdir()
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return root


def install(root: Path, name: str, says: str, status: int = 0) -> None:
    program = root.parent / "bin" / name
    program.write_text(f'#!/bin/sh\n[ "$1 $2" = "mcp list" ] || exit 9\ncat <<\'END\'\n{says}\nEND\nexit {status}\n')
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("name", "says", "state"),
    [
        ("claude", "Checking MCP server health...\n\nmemoire: memoire mcp - \u2713 Connected", "known"),
        ("claude", "memoire: memoire mcp - \u23f8 Pending approval (run `claude` to approve)", "pending"),
        ("claude", "memoire: memoire mcp - \u2717 Failed to connect", "broken"),
        ("claude", "No MCP servers configured. Use `claude mcp add` to add a server.", "unknown"),
        ("codex", "Name     Command  Args  Env  Status\nmemoire  memoire  mcp   -    enabled", "known"),
        ("codex", "Name     Command  Args  Env  Status\nmemoire  memoire  mcp   -    disabled", "broken"),
        ("opencode", "\x1b[90m\u25cf\x1b[39m  \u2713 memoire \x1b[90mconnected\n\u2502      memoire mcp", "known"),
        ("gemini", "\u2717 memoire: memoire mcp (stdio) - Disconnected", "broken"),
    ],
)
def test_what_a_client_says_is_understood(name: str, says: str, state: str, root: Path) -> None:
    install(root, name, says)
    (answer,) = ask(str(root))
    assert answer.state == state
    assert answer.client.lists[0] == name
    assert "\x1b" not in answer.said
    finding = doctor._registration(answer)
    assert (finding.state == doctor.OK) == (state == "known")
    assert bool(finding.advice) == (state != "known")


def test_a_client_that_cannot_be_asked_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking_clients, "LIMIT_S", 0.2)
    install(root, "codex", "")
    (root.parent / "bin" / "codex").write_text("#!/bin/sh\nexec sleep 60\n")
    (answer,) = ask(str(root))
    assert (answer.state, answer.said) == ("silent", "it takes too long")
    assert "codex mcp list" in doctor._registration(answer).advice


def test_a_client_that_is_not_installed_is_not_asked(root: Path) -> None:
    (root / "CLAUDE.md").write_text("# Rules\n")
    assert ask(str(root)) == []


def test_those_that_can_be_asked_are_those_that_were_run() -> None:
    assert {client.name for client in CLIENTS if client.lists} == {"claude-code", "codex", "opencode", "gemini"}
