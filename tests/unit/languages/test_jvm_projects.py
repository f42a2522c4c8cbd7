"""Which file of a project imports which, beside what the compilers say: `tests/languages/projects/jvm`."""

import json
from pathlib import Path

import pytest

from memoire.languages import language_of
from tests.support import Linked

PROJECTS = Path(__file__).parents[2] / "languages" / "projects" / "jvm"


NAMES = sorted(path.parent.name for path in PROJECTS.glob("*/truth.json"))


def sources(name: str) -> dict[str, str]:
    """The files of a project that memoire reads as one of the family."""
    root = PROJECTS / name
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file() and (language := language_of(path.name)) is not None and language.family == "jvm"
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_file_imports_exactly_the_files_that_declare_what_it_names(name: str) -> None:
    truth = json.loads((PROJECTS / name / "truth.json").read_text())
    found: dict[str, set[str]] = {}
    for source, target in Linked(sources(name)).edges("IMPORTS"):
        if not target.startswith("pkg:"):
            found.setdefault(source, set()).add(target)
    assert found == {source: set(targets) for source, targets in truth.items()}


@pytest.mark.parametrize("name", NAMES)
def test_files_that_come_one_by_one_and_go_and_come_again_end_in_the_same_edges(name: str) -> None:
    files = sources(name)
    whole = Linked(files)
    project = Linked({})
    for path in sorted(files, reverse=True):
        project.save({path: files[path]})
    for path in sorted(files)[::2]:
        project.save({}, gone=(path,))
    for path in sorted(files)[::2]:
        project.save({path: files[path]})
    for relation in ("IMPORTS", "DRIVES"):
        assert project.edges(relation) == whole.edges(relation)
    assert project.symbols("CALLS") == whole.symbols("CALLS")
