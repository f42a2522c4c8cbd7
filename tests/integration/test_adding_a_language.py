"""What `docs/adding_a_language.md` says makes a language: one folder, one folder of fixtures, one line."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding_a_language.md"
_BLOCK = re.compile(r"(?ms)^```\w+ (file|line)=(\S+)\n(.*?)^```$")
_COPIED = ("tests/__init__.py", "tests/test_languages.py", "tests/support.py", "pyproject.toml")

_LINKING = '''"""Toy among the files of a project."""

from tests.support import Linked


def test_toy_is_linked() -> None:
    toy = {
        "a/main.toy": 'local store = require("store")\\nfunction run()\\n  store.save("x")\\nend\\n',
        "a/store.toy": "function save(text)\\nend\\n",
        "b/store.toy": "function save(text)\\nend\\n",
    }
    project = Linked(toy)
    assert project.edges("IMPORTS") == {("a/main.toy", "a/store.toy")}
    assert project.symbols("CALLS") == {("a/main.toy::run", "a/store.toy::save")}
'''

_BAKE_AND_TEST = """
import os, sys
from memoire.daemon import bake
bake.main()
chosen = ["-k", "toy or every_language", "-p", "no:cacheprovider", "-rA"]
os.execv(sys.executable, [sys.executable, "-m", "pytest", *chosen, *sys.argv[1:]])
"""


def _copy(top: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "memoire", top / "memoire", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "languages", top / "tests" / "languages", ignore=ignored)
    for name in _COPIED:
        shutil.copy(ROOT / name, top / name)


def test_a_language_is_one_folder_one_folder_of_fixtures_and_one_line(tmp_path: Path) -> None:
    _copy(tmp_path)
    blocks = _BLOCK.findall(PAGE.read_text())
    for kind, name, text in blocks:
        path = tmp_path / name
        if kind == "file":
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        else:
            assert text.count("\n") == 1
            path.write_text(path.read_text().replace("_NAMES = (\n", f"_NAMES = (\n{text}", 1))
    folders = {str(Path(name).parent) for kind, name, _ in blocks if kind == "file"}
    assert folders == {"memoire/languages/toy", "tests/languages/toy"}
    assert [name for kind, name, _ in blocks if kind == "line"] == ["memoire/languages/__init__.py"]
    (tmp_path / "tests" / "test_toy.py").write_text(_LINKING)
    done = subprocess.run(
        [sys.executable, "-c", _BAKE_AND_TEST, "tests/test_languages.py", "tests/test_toy.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for name in (
        "tests/test_languages.py::test_a_fixture_yields_exactly_the_facts_it_marks[toy/main.toy]",
        "tests/test_languages.py::test_a_fixture_yields_exactly_the_facts_it_marks[toy/store.toy]",
        "tests/test_languages.py::test_every_language_of_code_or_settings_has_a_fixture",
        "tests/test_toy.py::test_toy_is_linked",
    ):
        assert f"PASSED {name}" in done.stdout, done.stdout
