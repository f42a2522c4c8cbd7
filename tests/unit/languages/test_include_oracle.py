"""The files that C and C++ sources include are those that the compiler says."""

import json
from pathlib import Path

import pytest

from tests.support import Linked

PROJECTS = Path(__file__).parent.parent.parent / "languages" / "projects"


@pytest.mark.parametrize("name", ["c", "cpp"])
def test_every_include_leads_where_the_compiler_finds_it(name: str) -> None:
    root = PROJECTS / name
    files = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    truth = {(source, target) for source, target in json.loads(files.pop("truth.json"))}
    assert len(truth) > 8
    found = {edge for edge in Linked(files).edges("IMPORTS") if not edge[1].startswith("pkg:")}
    assert found == truth
