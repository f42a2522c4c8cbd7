from pathlib import Path

import pytest

from tests.memories import Project
from tests.unit.notes.noting import shop


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return shop(tmp_path)
