"""Effects that a file has through what it calls are told with the helper that has them."""

import tempfile
from pathlib import Path

from memoire.operations._via import effects_via
from tests.memories import Project
from tests.support import Linked

FILES = {
    "app/page.py": "from app.api import Api\nfrom app import log\n\n\ndef show():\n    return Api().fetch()\n",
    "app/api.py": (
        "from app.wire import send\n\n\nclass Api:\n    def fetch(self):\n        return send('x')\n\n"
        "    def store(self):\n        open('x')\n"
    ),
    "app/wire.py": "import requests\n\n\ndef send(url):\n    return requests.get(url)\n",
    "app/log.py": "def note():\n    open('log')\n",
}


def found(tmp_path: Path, name: str, files: dict[str, str]) -> list[tuple[str, str, int, str]]:
    linked = Linked(files)
    project = Project(Path(tempfile.mkdtemp(dir=tmp_path)))
    for path in files:
        facts = linked.processor.facts(path)
        assert facts is not None
        project.facts[path] = facts
        project.relations += linked.processor.symbols.relations_from(path)
    return [(item.effect, item.call, item.line, item.via) for item in effects_via(project.memory(), name)]


def test_an_effect_two_calls_away_is_told_at_the_line_of_the_first(tmp_path: Path) -> None:
    assert found(tmp_path, "app/page.py", FILES) == [("network", "requests.get", 6, "app/wire.py::send")]
    assert found(tmp_path, "app/page.py::show", FILES) == [("network", "requests.get", 6, "app/wire.py::send")]


def test_what_is_done_in_the_file_itself_is_not_via_anything(tmp_path: Path) -> None:
    files = FILES | {"app/page.py": "import requests\n" + FILES["app/page.py"] + "    requests.get('y')\n"}
    assert found(tmp_path, "app/page.py", files) == []


def test_what_is_only_imported_or_of_another_method_is_no_effect(tmp_path: Path) -> None:
    assert not any(effect == "file_io" for effect, *_ in found(tmp_path, "app/page.py", FILES))


def test_calls_in_a_circle_end(tmp_path: Path) -> None:
    files = {
        "a.py": "import b\n\n\ndef go():\n    b.go()\n",
        "b.py": "import a\nimport os\n\n\ndef go():\n    a.go()\n    os.remove('x')\n",
    }
    assert found(tmp_path, "a.py", files) == [("file_io", "os.remove", 5, "b.py::go")]
