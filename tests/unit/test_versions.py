"""Which versions of memoire are at work on a machine, and what to do about one that is another."""

import json
from pathlib import Path
from typing import Any

import pytest

from memoire import __version__, cli, launch
from memoire.clients.claude_code import hooks
from memoire.terminal import service, versions
from memoire.terminal.versions import ABSENT, OTHER, SAME, compare

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire" / "config.toml").write_text("")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return root


def install(folder: Path, says: str) -> Path:
    program = folder / "memoire"
    folder.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)
    return program


def states(root: Path) -> list[str]:
    return [each.state for each in compare(str(root))]


def test_without_any_other_there_is_nothing_to_do(root: Path, tmp_path: Path) -> None:
    install(tmp_path / "bin", f"memoire {__version__}")
    found = compare(str(root))
    assert [each.state for each in found] == [SAME, SAME, ABSENT]
    assert not any(each.advice for each in found)
    assert versions.status(found) == 0


def test_one_that_is_not_on_path_is_told(root: Path) -> None:
    found = compare(str(root))
    assert (found[1].state, "memoire mcp" in found[1].advice) == (ABSENT, True)


@pytest.mark.parametrize("says", ["memoire 0.0.1", "something else", ""])
def test_another_one_on_path_is_told_with_what_to_do(says: str, root: Path, tmp_path: Path) -> None:
    install(tmp_path / "bin", says)
    found = compare(str(root))
    assert (found[1].state, bool(found[1].advice)) == (OTHER, True)
    assert versions.status(found) == 1


def test_another_one_that_hooks_run_is_told(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = install(tmp_path / "old", "memoire 0.0.1")
    monkeypatch.setattr("memoire.clients.claude_code.program", lambda: str(old))
    (root / ".claude").mkdir()
    (root / ".claude" / "settings.local.json").write_text(json.dumps({"hooks": {k: [v] for k, v in hooks().items()}}))
    install(tmp_path / "bin", f"memoire {__version__}")
    found = compare(str(root))
    assert [(each.state, each.version) for each in found[2:3]] == [(OTHER, "0.0.1")]
    assert str(old) in found[2].where


@pytest.mark.parametrize(("build", "state"), [("", SAME), ("other", OTHER)])
def test_a_daemon_of_another_build_is_told(
    build: str, state: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: dict[str, Any] = {"state": "ready", "version": __version__, "build": build or launch.build_id()}
    monkeypatch.setattr(service, "status", lambda _: told)
    assert states(root)[-1] == state
    assert cli.main(["upgrade-check", "--json", "--root", str(root)]) == int(state == OTHER)
    assert json.loads(capsys.readouterr().out)["versions"][-1]["where"] == "daemon"
