"""A path alone says which language reads a file: its folders first, then its name, then its suffix."""

import subprocess
import sys

import pytest

from memoire.languages import language_of


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (".github/workflows/ci.yml", "workflow"),
        ("sub/.github/workflows/ci.yml", "yaml"),
        (".github/workflows/sub/ci.yml", "yaml"),
        (".github/actions/setup/action.yml", "workflow"),
        ("compose.yml", "compose"),
        ("deploy/docker-compose.prod.yaml", "compose"),
        ("composer.json", "composer"),
        ("api/Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("docker/web.dockerfile", "dockerfile"),
        ("requirements.txt", "requirements"),
        ("requirements/dev.txt", "requirements"),
        ("docs/notes.txt", "text"),
        ("web/package.json", "npm"),
        ("web/package-data.json", "json"),
        ("pyproject.toml", "pyproject"),
        ("settings.toml", "toml"),
        ("build.gradle.kts", "gradle"),
        ("App.csproj", "dotnet"),
        ("GNUmakefile", "make"),
        ("notes/a.ipynb", "notebook"),
        ("src/App.vue", "vue"),
        ("theme.SCSS", "css"),
    ],
)
def test_a_path_is_of_the_language_that_says_most_of_it(path: str, name: str) -> None:
    language = language_of(path)
    assert language is not None
    assert language.name == name


@pytest.mark.parametrize("path", ["a.bin", "Dockerfiles/x", "workflows", "requirements", "a.json5"])
def test_what_no_language_claims_is_read_by_none(path: str) -> None:
    assert language_of(path) is None


def test_a_process_loads_the_languages_of_the_files_it_meets() -> None:
    """All of them, with their tables, cost a fifth of a second at every start."""
    code = (
        "import sys, memoire.daemon.assembly, memoire.worker; from memoire.dispatch import extract;"
        "from memoire.fingerprint import fingerprint; fingerprint();"
        "extract('App.vue', b''); extract('a.go', b'package a');"
        "print(*sorted(name.split('.')[2] for name in sys.modules if name.startswith('memoire.languages.')"
        " and name.endswith('.language')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["go", "typescript", "vue"]
