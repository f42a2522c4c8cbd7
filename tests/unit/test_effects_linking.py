"""Effects of what other files lead to: a client that is shared, a field's class, a base from a library."""

from tests.support import Linked


def effects(project: Linked, path: str) -> set[tuple[str, str, int]]:
    facts = project.processor.facts(path)
    assert facts is not None
    return {(item.category, item.callee, item.line) for item in facts.effects if not item.is_void}


DB = "import sqlite3\n\nconnection = sqlite3.connect('x')\n\n\ndef connect():\n    return sqlite3.connect('y')\n"


def test_a_shared_client_acts_where_it_is_used() -> None:
    project = Linked(
        {"db.py": DB, "app.py": "from db import connection\n\n\ndef run():\n    connection.execute('x')\n"}
    )
    assert effects(project, "app.py") == {("database", "sqlite3.Connection.execute", 5)}


def test_what_a_factory_returns_acts_where_it_is_used() -> None:
    project = Linked({"db.py": DB, "app.py": "import db\n\n\ndef run():\n    db.connect().execute('x')\n"})
    assert effects(project, "app.py") == {("database", "sqlite3.Connection.execute", 5)}


def test_a_name_passed_on_by_the_project_is_that_of_the_library() -> None:
    files = {"compat.py": "import requests\n", "app.py": "from compat import requests\n\nrequests.get('x')\n"}
    assert effects(Linked(files), "app.py") == {("network", "requests.get", 3)}


def test_an_attribute_of_a_class_of_another_file_acts_where_it_is_used() -> None:
    files = {
        "store.py": "import sqlite3\n\n\nclass Store:\n    def __init__(self):\n        self.db = sqlite3.connect('x')",
        "app.py": "from store import Store\n\n\ndef run(store: Store):\n    store.db.execute('x')\n",
    }
    assert effects(Linked(files), "app.py") == {("database", "sqlite3.Connection.execute", 5)}


def test_a_method_from_a_base_of_a_library_acts_where_it_is_called() -> None:
    files = {
        "wire.py": "import requests\n\n\nclass Wire(requests.Session):\n    pass\n",
        "app.py": "from wire import Wire\n\n\ndef run():\n    Wire().get('x')\n",
        "own.py": "import requests\n\n\nclass Own(requests.Session):\n    def go(self):\n        self.get('x')\n",
    }
    project = Linked(files)
    assert effects(project, "app.py") == {("network", "requests.Session.get", 5)}
    assert effects(project, "own.py") == {("network", "requests.Session.get", 6)}


def test_a_method_that_the_project_defines_itself_is_none_of_the_library() -> None:
    files = {
        "wire.py": "import requests\n\n\nclass Wire(requests.Session):\n    def get(self, url):\n        return url\n",
        "app.py": "from wire import Wire\n\n\ndef run():\n    Wire().get('x')\n",
    }
    assert effects(Linked(files), "app.py") == set()


def test_the_effect_goes_with_what_led_to_it() -> None:
    files = {"db.py": DB, "app.py": "from db import connection\n\n\ndef run():\n    connection.execute('x')\n"}
    project = Linked(files)
    delta = project.save({"db.py": "connection = None\n"})
    assert effects(project, "app.py") == set()
    assert {record.path for record in delta.files} == {"app.py", "db.py"}
    project.save({"db.py": DB})
    assert effects(project, "app.py") == {("database", "sqlite3.Connection.execute", 5)}


def test_a_star_import_from_a_library_brings_its_effects() -> None:
    project = Linked({"app.py": "from os import *\n\nremove('x')\n"})
    assert effects(project, "app.py") == {("file_io", "os.remove", 3)}


def test_a_name_of_the_project_hides_that_of_a_library_and_of_the_language() -> None:
    files = {
        "mine.py": "def remove(path):\n    pass\n\n\ndef open(path):\n    pass\n",
        "app.py": "from os import *\nfrom mine import *\n\nremove('x')\nopen('y')\n",
    }
    assert effects(Linked(files), "app.py") == set()
