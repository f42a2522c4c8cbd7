"""Which file of a project imports which, beside what the compilers say: `tests/languages/projects/jvm`."""

import json
from pathlib import Path

import pytest

from memoire.languages import language_of
from tests.support import Linked

PROJECTS = Path(__file__).parents[2] / "languages" / "projects" / "jvm"


@pytest.mark.parametrize("name", sorted(path.parent.name for path in PROJECTS.glob("*/truth.json")))
def test_a_file_imports_exactly_the_files_that_declare_what_it_names(name: str) -> None:
    root = PROJECTS / name
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and (language := language_of(path.name)) is not None and language.family == "jvm"
    }
    truth = json.loads((root / "truth.json").read_text())
    found: dict[str, set[str]] = {}
    for source, target in Linked(files).edges("IMPORTS"):
        if not target.startswith("pkg:"):
            found.setdefault(source, set()).add(target)
    assert found == {source: set(targets) for source, targets in truth.items()}
