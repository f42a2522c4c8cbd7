"""Settings: who may say what, and what is said about the rest."""

from pathlib import Path

import msgspec
import pytest

from memoire import config, paths
from memoire.config import Settings
from memoire.errors import ConfigError, UnsafeFolderError


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's own configuration file, absent."""
    folder = tmp_path / "home" / ".config" / "memoire"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder / "config.toml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "proj" / ".memoire").mkdir(parents=True)
    return tmp_path / "proj" / ".memoire" / "config.toml"


def load(project: Path, **environ: str) -> tuple[Settings, list[str]]:
    return config.load(project.parent.parent, environ=environ)


def test_without_any_file_every_setting_has_its_default(project: Path) -> None:
    settings, warnings = load(project)
    assert warnings == []
    assert settings == Settings(project_id=paths.project_id(project.parent.parent))
    assert (settings.max_file_kb, settings.idle_exit_minutes, settings.budget_tokens) == (1024, 30, 5500)
    assert (settings.debounce_ms, settings.debounce_cap_ms, settings.checkpoint_mb) == (200, 2000, 32)
    assert settings.workers in {1, 2}


def test_the_later_source_wins_and_ignores_add_up(project: Path, user: Path) -> None:
    project.write_text(
        'project_id = "p_00000001"\nignore = ["a/"]\n[documents]\n"rfc/*" = "specification"\n"x" = "none"\n'
    )
    user.write_text(
        'ignore = ["b/"]\nmax_file_kb = 10\nidle_exit_minutes = 1\nworkers = 3\n[documents]\n"x" = "documentation"\n'
    )
    settings, warnings = config.load(
        project.parent.parent,
        environ={"MEMOIRE_IDLE_EXIT_MINUTES": "2", "MEMOIRE_WORKERS": "4", "MEMOIRE_IGNORE": "c/,,d/"},
        flags={"workers": 5, "ignore": ["e/"], "budget_tokens": None},
    )
    assert warnings == []
    assert settings == Settings(
        project_id="p_00000001",
        ignore=("a/", "b/", "c/", "d/", "e/"),
        documents={"rfc/*": "specification", "x": "documentation"},
        max_file_kb=10,
        idle_exit_minutes=2,
        workers=5,
    )


def test_the_file_of_a_clone_may_only_narrow_and_describe(project: Path) -> None:
    project.write_text('ignore = ["a/"]\nmax_file_kb = 60000\nstore_url = "ws://evil"\nignor = 3\n[hooks]\nrun = "x"\n')
    settings, warnings = load(project)
    assert settings.ignore == ("a/",)
    assert settings.max_file_kb == 1024
    assert warnings == [
        ".memoire/config.toml: `max_file_kb` belongs in your own configuration. It is ignored here.",
        ".memoire/config.toml: `store_url` is no setting. It is ignored here.",
        ".memoire/config.toml: `ignor` is no setting (did you mean `ignore`?). It is ignored here.",
        ".memoire/config.toml: `hooks` is no setting. It is ignored here.",
    ]


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("ignore = 7\n", "`ignore` must be a list, not a whole number."),
        ('ignore = ["a", 7]\n', "`ignore[1]` must be text, not a whole number."),
        ('[documents]\na = "novel"\n', "'novel' is none of documentation, none, specification."),
        ('project_id = "../x"\n', "`project_id`: takes letters"),
        ("<<<<<<< HEAD\n", "is not valid TOML"),
        ("\xff", "is not valid TOML"),
        ("a = " + "[" * 20000, "is not valid TOML"),
        ("#" * 1_000_001, "is larger than 1000000 bytes"),
    ],
)
def test_a_broken_file_of_a_clone_is_reported_and_ignored(project: Path, text: str, warning: str) -> None:
    project.write_bytes(text.encode("latin-1"))
    settings, warnings = load(project)
    assert settings == Settings(project_id=paths.project_id(project.parent.parent))
    assert len(warnings) == 1
    assert warning in warnings[0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("max_file_mb = 3\n", r"`max_file_mb` is no setting \(did you mean `max_file_kb`\?\)"),
        ("max_file_kb = 0\n", "`max_file_kb` must be 1 or more"),
        ('workers = "2"\n', "`workers` must be a whole number, not text"),
        ("workers = 1\ndebounce_ms = 3000\n", "less than debounce_ms"),
        ("= 1", "is not valid TOML"),
    ],
)
def test_a_mistake_in_the_users_own_file_is_an_error_that_names_it(
    project: Path, user: Path, text: str, problem: str
) -> None:
    user.write_text(text)
    with pytest.raises(ConfigError, match=problem):
        load(project)


def test_an_unreadable_file_of_the_user_is_an_error(project: Path, user: Path) -> None:
    user.mkdir()
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load(project)


def test_a_variable_out_of_range_is_an_error_and_an_unknown_one_a_warning(project: Path) -> None:
    with pytest.raises(ConfigError, match=r"MEMOIRE_WORKERS: `workers` must be a whole number, not text"):
        load(project, MEMOIRE_WORKERS="many")
    _, warnings = load(project, MEMOIRE_WORKER="2", PATH="/bin")
    assert warnings == ["MEMOIRE_WORKER is no setting (did you mean `MEMOIRE_WORKERS`?). It is ignored."]


def test_an_unknown_flag_is_an_error(project: Path) -> None:
    with pytest.raises(ConfigError, match="`budget` is no setting"):
        config.load(project.parent.parent, environ={}, flags={"budget": 3})


def test_byte_order_mark_and_carriage_returns_are_fine(project: Path) -> None:
    project.write_bytes(b'\xef\xbb\xbfproject_id = "p_00000001"\r\nignore = ["a/"]\r\n')
    settings, warnings = load(project)
    assert (settings.project_id, settings.ignore, warnings) == ("p_00000001", ("a/",), [])


def test_a_symlinked_memoire_folder_is_refused(project: Path, tmp_path: Path) -> None:
    project.parent.rmdir()
    project.parent.symlink_to(tmp_path)
    with pytest.raises(UnsafeFolderError):
        load(project)


def test_every_setting_says_what_it_is() -> None:
    rows = config.describe()
    assert [row.name for row in rows] == [field.name for field in msgspec.structs.fields(Settings)]
    assert all(row.description.endswith(".") for row in rows)
    assert rows[0] == config.Setting(
        "project_id", "`name_hash`", "", True, "Name of the project in answers and in a shared store."
    )
    assert rows[3].default == "`1024`"
    assert rows[3].variable == "MEMOIRE_MAX_FILE_KB"
    assert [row.name for row in rows if row.in_project] == ["project_id", "ignore", "documents"]


def test_the_kind_of_a_document_is_that_of_the_last_pattern_that_covers_it() -> None:
    settings = Settings(
        documents={"docs/": "documentation", "docs/rfc/": "specification", "*.txt": "none", "/top.md": "specification"}
    )
    kinds = [
        config.document_kind(settings, path)
        for path in ("docs/a.md", "docs/rfc/1/b.md", "docs/rfc/n.txt", "x/docs/a.md", "top.md", "x/top.md")
    ]
    assert kinds == ["documentation", "specification", "none", "documentation", "specification", None]
