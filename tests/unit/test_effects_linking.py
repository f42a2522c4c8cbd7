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


def test_what_a_parameter_is_said_to_be_is_what_the_attribute_of_a_base_holds() -> None:
    files = {
        "base.py": "from sqlalchemy.orm import Session\n\n\nclass Repo:\n    def __init__(self, session: Session):\n"
        "        self.session = session\n",
        "users.py": "from base import Repo\n\n\nclass Users(Repo[int]):\n    def all(self):\n"
        "        return self.session.execute('x').all()\n",
    }
    assert effects(Linked(files), "users.py") == {("database", "sqlalchemy.orm.Session.execute", 6)}


def test_a_base_that_is_known_goes_before_one_that_is_not() -> None:
    files = {
        "models.py": "from django.db import models\nfrom soft import Soft\n\n\nclass Owned(models.Model):\n    pass\n"
        "\n\nclass Page(Soft, Owned):\n    pass\n",
        "views.py": "from models import Page\n\n\ndef show():\n    page = Page.objects.get(pk=1)\n    page.save()\n",
    }
    assert effects(Linked(files), "views.py") == {
        ("database", "django.db.models.Model.objects.get", 5),
        ("database", "django.db.models.Model.save", 6),
    }


def test_what_an_instance_of_a_class_of_the_project_has_from_a_library_acts() -> None:
    files = {
        "db.py": "from flask_sqlalchemy import SQLAlchemy\n\n\nclass Own(SQLAlchemy):\n    pass\n\n\ndb = Own()\n",
        "app.py": "import db\n\n\ndef run():\n    db.db.session.commit()\n",
    }
    assert effects(Linked(files), "app.py") == {("database", "flask_sqlalchemy.SQLAlchemy.session.commit", 5)}


def test_a_path_put_together_in_another_file_is_one() -> None:
    files = {
        "places.py": "from pathlib import Path\n\nHERE = Path(__file__).parent\nPAGE = HERE / 'page'\nHALF = 1 / 2\n"
        "\n\nclass Places:\n    @property\n    def home(self) -> Path:\n        return HERE\n",
        "app.py": "from places import HALF, PAGE, Places\n\n\ndef run(places: Places):\n    PAGE.read_text()\n"
        "    (PAGE.parent / 'x').unlink()\n    (places.home / 'y').touch()\n    HALF.unlink()\n",
    }
    assert effects(Linked(files), "app.py") == {
        ("file_io", "pathlib.Path.read_text", 5),
        ("file_io", "pathlib.Path.unlink", 6),
        ("file_io", "pathlib.Path.touch", 7),
    }


def test_a_folder_called_like_a_package_hides_only_what_lies_in_it() -> None:
    files = {
        "alembic/env.py": "from alembic import op\n\nop.execute('x')\n",
        "requests/get.py": "",
        "app.py": "from requests import get\n\nget('x')\n",
    }
    project = Linked(files)
    assert effects(project, "alembic/env.py") == {("database", "alembic.op.execute", 3)}
    assert effects(project, "app.py") == set()


def test_a_model_that_a_commonjs_module_is_acts_where_it_is_used() -> None:
    files = {
        "models/user.js": "const mongoose = require('mongoose');\nconst User = mongoose.model('User', {});\n"
        "module.exports = User;\n",
        "app.js": "const User = require('./models/user');\nUser.findOne({});\n",
    }
    assert effects(Linked(files), "app.js") == {("database", "mongoose.Model.findOne", 2)}


def test_what_an_object_holds_that_a_module_gives_by_default_acts() -> None:
    files = {
        "lib/db.ts": "import { PrismaClient } from '@/generated/prisma/client';\nfunction make() {\n"
        "  return new PrismaClient();\n}\nconst client = globalThis.db || make();\n"
        "export default { client, size: 1 };\n",
        "app.ts": "import db from './lib/db';\ndb.client.user.findMany();\ndb.size.user.findMany();\n",
    }
    assert effects(Linked(files), "app.ts") == {("database", "@prisma/client.PrismaClient.user.findMany", 2)}


def test_a_client_of_that_name_that_the_project_defines_is_none_of_the_library() -> None:
    files = {
        "prisma/client.ts": "export class PrismaClient {\n  $connect() {}\n}\n",
        "app.ts": "import { PrismaClient } from './prisma/client';\nconst db = new PrismaClient();\ndb.$connect();\n",
    }
    assert effects(Linked(files), "app.ts") == set()


def test_what_is_injected_into_a_base_of_another_file_acts() -> None:
    files = {
        "base.ts": "import { HttpClient } from '@angular/common/http'\nimport { inject } from '@angular/core'\n"
        "export class Base {\n  http = inject(HttpClient)\n}\n",
        "page.ts": "import { Base } from './base'\nexport class Page extends Base {\n  load() {\n"
        "    return this.http.get('x')\n  }\n}\n",
    }
    assert effects(Linked(files), "page.ts") == {("network", "@angular/common/http.HttpClient.get", 4)}


def test_an_item_of_a_client_is_what_the_library_says() -> None:
    files = {
        "db.py": "from pymongo import MongoClient\n\nusers = MongoClient('x')['app']['users']\n"
        "NAMES = {}\nname = NAMES['x']\n",
        "app.py": "from db import name, users\n\n\ndef run():\n    users.insert_one({})\n    name.insert_one({})\n",
    }
    assert effects(Linked(files), "app.py") == {("database", "pymongo.collection.Collection.insert_one", 5)}


def test_what_a_factory_of_sessions_makes_is_a_session() -> None:
    files = {
        "db.py": "from sqlalchemy.orm import sessionmaker\n\nLocal = sessionmaker()\n",
        "app.py": "from db import Local\n\n\ndef run():\n    with Local() as session:\n        session.commit()\n",
    }
    assert effects(Linked(files), "app.py") == {("database", "sqlalchemy.orm.Session.commit", 6)}
