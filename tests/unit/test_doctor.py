import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoire import launch, setup
from memoire.sdk import Memoire
from memoire.terminal import doctor, ingest

STATUS: dict[str, Any] = {"pid": 7, "version": "0.1.0", "state": "ready"}
PROJECT: dict[str, Any] = {"files": 3, "edges": 2, "generation": 9, "warnings": [], "problems": 0}


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".memoire").mkdir(parents=True)
    (root / ".memoire" / "config.toml").write_text("")
    return root


def test_a_folder_that_was_not_set_up_ends_the_examination(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    found = doctor.examine(str(tmp_path / "elsewhere"))
    assert [finding.check for finding in found] == ["system", "git", "project"]
    assert found[-1].state == doctor.FAILED
    assert found[-1].advice == "Run `memoire init` there."


def test_a_home_directory_is_no_project(home: Path) -> None:
    assert doctor.examine(str(home))[-1].found == f"{home} is your home directory"


def test_without_git_there_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [finding.state for finding in doctor.examine(str(tmp_path)) if finding.check == "git"] == [doctor.WARNING]


def test_settings_that_are_not_understood_are_named(project: Path) -> None:
    (project / ".memoire" / "config.toml").write_text("workers = 9\nnonsense = 1\n")
    found = doctor._settings(str(project))
    assert found.state == doctor.WARNING
    assert "`workers` belongs in your own configuration" in found.found
    assert "`nonsense` is no setting" in found.found


def test_a_user_configuration_that_cannot_be_read_is_a_failure(home: Path, project: Path) -> None:
    (home / ".config" / "memoire").mkdir(parents=True)
    (home / ".config" / "memoire" / "config.toml").write_text("workers = many\n")
    found = doctor._caught("settings", doctor._settings, str(project))
    assert (found.check, found.state) == ("settings", doctor.FAILED)
    assert "is not valid TOML" in found.found


def test_a_state_folder_of_somebody_else_is_a_failure(home: Path, project: Path) -> None:
    (home / ".local" / "state").mkdir(parents=True)
    (home / ".local" / "state" / "memoire").write_text("a file")
    found = doctor._caught("state folder", doctor._state_folder, str(project))
    assert (found.state, found.advice) == (doctor.FAILED, "Mend what it names.")


def test_a_state_folder_is_fine_where_it_can_be_made(project: Path) -> None:
    found = doctor._state_folder(str(project))
    assert found.state == doctor.OK
    assert Path(found.found).is_dir()


@pytest.mark.parametrize(
    ("status", "state", "advice"),
    [
        ({}, doctor.OK, ""),
        ({"build": "0.0.9:1:0"}, doctor.WARNING, "Run `memoire restart`."),
        ({"problem": {"code": "store-unavailable", "message": "locked"}}, doctor.FAILED, "See `memoire logs`."),
    ],
)
def test_the_daemon_is_judged_by_what_it_says(status: dict[str, Any], state: str, advice: str) -> None:
    found = doctor._daemon({**STATUS, "build": launch.build_id(), **status})
    assert (found.state, found.advice) == (state, advice)
    assert found.found.startswith("process 7, version 0.1.0, ready")


@pytest.mark.parametrize(
    ("project", "states"),
    [
        ({}, [("index", "ok"), ("watcher", "ok")]),
        ({"failure": "no space"}, [("index", "failed"), ("watcher", "ok")]),
        ({"rebuilt": "it was behind"}, [("index", "warning"), ("watcher", "ok")]),
        ({"warnings": ["3 directories cannot be watched"]}, [("index", "ok"), ("watcher", "warning")]),
        ({"problems": 4}, [("index", "ok"), ("watcher", "ok"), ("files", "warning")]),
        ({"lost_reports": 2}, [("index", "ok"), ("watcher", "ok"), ("reports", "warning")]),
    ],
)
def test_the_project_is_judged_by_what_its_status_says(project: dict[str, Any], states: list[tuple[str, str]]) -> None:
    found = doctor._store({**STATUS, "project": {**PROJECT, **project}})
    assert [(finding.check, finding.state) for finding in found] == states
    assert all(finding.advice for finding in found if finding.state != doctor.OK)


def test_a_project_that_is_not_open_yet_is_said_to_be_so() -> None:
    assert doctor._store(STATUS) == [doctor.Finding("index", "warning", "not opened yet", "Ask again in a moment.")]


def test_a_summary_lists_what_should_have_been_read_and_counts_the_rest() -> None:
    problems = [{"path": f"{number}.py", "code": "syntax", "message": "line 1"} for number in range(25)]
    problems += [{"path": name, "code": "binary", "message": ""} for name in ("a.png", "b.png")]
    problems.append({"path": ".env", "code": "secret", "message": ""})
    shown = ingest.summary({"files": 40, "edges": 9, "changed": 40, "deleted": 0, "failure": "", "problems": problems})
    assert shown["not_read"] == ["2 binary", "1 that may hold secrets"]
    assert (shown["problems"], shown["more_problems"]) == (problems[:20], 5)


class TestHooks:
    """Whether Claude Code runs memoire at each step."""

    @pytest.fixture
    def found(self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], doctor.Finding]:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "memoire").touch(mode=0o755)
        (project / ".claude").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))

        def examine() -> doctor.Finding:
            return next(finding for finding in doctor.examine(str(project)) if finding.check == "hooks")

        monkeypatch.setattr(Memoire, "status", lambda _: STATUS | {"build": launch.build_id()})
        return examine

    def test_they_are_missing_before_and_fine_after_the_project_was_set_up(
        self, found: Callable[[], doctor.Finding], project: Path, tmp_path: Path
    ) -> None:
        assert found()[1:] == (doctor.WARNING, "none in .claude/settings.local.json", "Run `memoire init`.")
        setup.init(str(project))
        assert found()[1:] == (doctor.OK, f"Claude Code runs {tmp_path}/bin/memoire at each step", "")

    def test_one_that_is_missing_is_named(self, found: Callable[[], doctor.Finding], project: Path) -> None:
        setup.init(str(project))
        file = project / ".claude" / "settings.local.json"
        settings = json.loads(file.read_text())
        del settings["hooks"]["Stop"]
        file.write_text(json.dumps(settings))
        assert found().found == "none for Stop in .claude/settings.local.json"

    def test_a_program_that_is_gone_is_named(
        self, found: Callable[[], doctor.Finding], project: Path, tmp_path: Path
    ) -> None:
        setup.init(str(project))
        (tmp_path / "bin" / "memoire").unlink()
        assert found().found == f"they run {tmp_path}/bin/memoire, which is not there"

    @pytest.mark.parametrize(
        "file", [".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json"]
    )
    def test_that_they_are_switched_off_is_said(
        self, file: str, found: Callable[[], doctor.Finding], project: Path, home: Path
    ) -> None:
        setup.init(str(project))
        path = home / file[2:] if file.startswith("~") else project / file
        path.parent.mkdir(exist_ok=True)
        settings = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**settings, "disableAllHooks": True}))
        assert found().found == f"switched off in {file}"
