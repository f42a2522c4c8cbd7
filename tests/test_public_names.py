import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import memoire
from memoire import launch, sdk


def test_the_public_names_are_these() -> None:
    assert memoire.__all__ == ["Memoire", "MemoireError", "__version__"]
    assert memoire.Memoire is sdk.Memoire
    assert memoire.MemoireError.code == "error"


def test_another_name_is_none() -> None:
    with pytest.raises(AttributeError, match="module 'memoire' has no attribute 'Memory'"):
        memoire.Memory  # type: ignore[attr-defined] # noqa: B018 - the access is the test


def test_the_version_is_the_same_everywhere() -> None:
    declared = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]["version"]
    assert memoire.__version__ == launch.VERSION == declared


def test_importing_memoire_loads_nothing_slow() -> None:
    source = (
        "import sys; sys.path.append(sys.argv[1]); before = {*sys.modules}\n"
        "import memoire; print(*{*sys.modules} - before)"
    )
    parent = str(Path(memoire.__file__).parents[1])
    run = subprocess.run([sys.executable, "-I", "-S", "-c", source, parent], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["memoire"]
