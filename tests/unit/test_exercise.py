"""What tests reach: through helpers, fixtures, classes and bases, and no further than evidence goes."""

from memoire.exercise import MAX_DEPTH, MAX_FILES
from tests.support import Linked

SHOP = {
    "shop/__init__.py": "from shop.client import Client\n",
    "shop/client.py": (
        "from shop.wire import Wire\n\n\nclass Base:\n    def close(self):\n        pass\n\n\nclass Client(Base):\n"
        "    def __init__(self):\n        self.wire = Wire()\n\n    def get(self):\n        return self.wire.send()\n\n"
        "    def unused(self):\n        from shop import admin\n\n        admin.drop()\n"
    ),
    "shop/wire.py": "from shop import codec\n\n\nclass Wire:\n    def send(self):\n        return codec.encode('x')\n",
    "shop/codec.py": "def encode(text):\n    return text\n",
    "shop/admin.py": "def drop():\n    pass\n",
}


def asserted(project: Linked, test: str) -> set[str]:
    return {target for source, target in project.edges("ASSERTS_ON") if source == test}


def test_a_test_reaches_what_it_calls_through_others() -> None:
    test = "import shop\n\n\ndef test_get():\n    assert shop.Client().get()\n"
    project = Linked({**SHOP, "tests/test_client.py": test})
    assert asserted(project, "tests/test_client.py") == {"shop/client.py", "shop/wire.py", "shop/codec.py"}
    edge = project.edge("tests/test_client.py", "ASSERTS_ON", "shop/codec.py")
    assert edge.rationale == (
        "tests/test_client.py:5 reaches encode() of shop/codec.py in 3 steps through Client.get of shop/client.py"
    )
    assert edge.confidence < project.edge("tests/test_client.py", "ASSERTS_ON", "shop/client.py").confidence


def test_a_method_that_nothing_selects_is_not_reached() -> None:
    test = "import shop\n\n\ndef test_get():\n    assert shop.Client().get()\n"
    project = Linked({**SHOP, "tests/test_client.py": test})
    assert "shop/admin.py" not in asserted(project, "tests/test_client.py")


def test_a_method_that_is_selected_of_anything_is_reached_where_its_class_is() -> None:
    test = "import shop\n\n\ndef test_get():\n    for client in [shop.Client()]:\n        client.unused()\n"
    project = Linked({**SHOP, "tests/test_client.py": test})
    assert "shop/admin.py" in asserted(project, "tests/test_client.py")


def test_fixtures_of_the_nearest_conftest_are_followed() -> None:
    files = {
        "tests/conftest.py": "import pytest\nimport shop\n\n\n@pytest.fixture\ndef client():\n    yield shop.Client()",
        "tests/deep/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef other():\n    return 1\n",
        "tests/deep/test_it.py": "def test_get(client):\n    assert client.get()\n",
        "tests/deep/test_none.py": "def test_get(nothing):\n    assert nothing.get()\n",
    }
    project = Linked({**SHOP, **files})
    assert "shop/codec.py" in asserted(project, "tests/deep/test_it.py")
    assert asserted(project, "tests/deep/test_none.py") == set()
    changed = "import pytest\n\n\n@pytest.fixture\ndef client():\n    return None\n"
    project.save({"tests/deep/conftest.py": changed})
    assert asserted(project, "tests/deep/test_it.py") == set()


def test_a_fixture_that_runs_by_itself_is_followed() -> None:
    shared = (
        "import pytest\nfrom shop import admin\n\n\n@pytest.fixture(autouse=True)\ndef clean():\n    admin.drop()\n"
    )
    project = Linked({**SHOP, "tests/conftest.py": shared, "tests/test_it.py": "def test_it():\n    pass\n"})
    assert asserted(project, "tests/test_it.py") == {"shop/admin.py"}


def test_a_change_deep_below_changes_what_the_test_reaches() -> None:
    test = "import shop\n\n\ndef test_get():\n    assert shop.Client().get()\n"
    project = Linked({**SHOP, "tests/test_client.py": test})
    project.save({"shop/codec.py": "from shop import admin\n\n\ndef encode(text):\n    admin.drop()\n"})
    assert "shop/admin.py" in asserted(project, "tests/test_client.py")
    project.save({"shop/codec.py": SHOP["shop/codec.py"]})
    assert "shop/admin.py" not in asserted(project, "tests/test_client.py")


def test_a_new_comment_below_changes_nothing() -> None:
    test = "import shop\n\n\ndef test_get():\n    assert shop.Client().get()\n"
    project = Linked({**SHOP, "tests/test_client.py": test})
    delta = project.save({"shop/codec.py": "# why\n" + SHOP["shop/codec.py"]})
    assert not delta.opened
    assert not delta.closed


def test_a_test_that_is_none_any_more_asserts_on_nothing() -> None:
    test = "import shop\n\n\ndef test_get():\n    assert shop.Client().get()\n"
    project = Linked({**SHOP, "tests/test_client.py": test})
    project.save({"tests/test_client.py": "import shop\n"})
    assert asserted(project, "tests/test_client.py") == set()
    project.save({"tests/test_client.py": test})
    project.save({}, gone=("tests/test_client.py",))
    assert project.edges("ASSERTS_ON") == set()


def test_reach_ends_after_so_many_steps() -> None:
    files = {
        f"app/step{at}.py": f"from app import step{at + 1}\n\n\ndef run():\n    step{at + 1}.run()\n"
        for at in range(1, 12)
    }
    files["tests/test_it.py"] = "from app import step1\n\n\ndef test_it():\n    step1.run()\n"
    project = Linked(files)
    assert asserted(project, "tests/test_it.py") == {f"app/step{at}.py" for at in range(1, MAX_DEPTH + 1)}


def test_a_test_of_everything_asserts_on_the_nearest() -> None:
    count = MAX_FILES + 20
    calls = "".join(f"    part{at}.run()\n" for at in range(count))
    files = {
        f"app/part{at}.py": f"from far import file{at}\n\n\ndef run():\n    file{at}.go()\n" for at in range(count)
    }
    files |= {f"far/file{at}.py": "def go():\n    pass\n" for at in range(count)}
    files["app/all.py"] = "".join(f"from app import part{at}\n" for at in range(count)) + "\n\ndef run_all():\n" + calls
    files["tests/test_it.py"] = "from app import all\n\n\ndef test_it():\n    all.run_all()\n"
    found = asserted(Linked(files), "tests/test_it.py")
    assert len(found) == MAX_FILES
    assert "app/all.py" in found
    assert not any(path.startswith("far/") for path in found)


def test_what_runs_unnamed_is_what_the_language_says() -> None:
    """`init` makes an instance in Swift; a method of that name in Kotlin is one as any other."""
    swift = {
        "Package.swift": 'let package = Package(name: "a", targets: [.target(name: "Shop")])\n',
        "Sources/Shop/Client.swift": "class Client {\n  init() { connect() }\n}\n",
        "Sources/Shop/Net.swift": "func connect() {}\n",
        "Tests/ShopTests/ClientTests.swift": (
            "import XCTest\n@testable import Shop\nclass ClientTests: XCTestCase {\n"
            "  func testIt() { let client = Client() }\n}\n"
        ),
    }
    assert "Sources/Shop/Net.swift" in asserted(Linked(swift), "Tests/ShopTests/ClientTests.swift")
    kotlin = {
        "src/main/kotlin/a/Client.kt": "package a\n\nclass Client {\n    fun init() = connect()\n}\n",
        "src/main/kotlin/a/Net.kt": "package a\n\nfun connect() {}\n",
        "src/test/kotlin/a/ClientTest.kt": (
            "package a\n\nclass ClientTest {\n    @Test\n    fun makes() {\n        val client = Client()\n    }\n}\n"
        ),
    }
    assert "src/main/kotlin/a/Net.kt" not in asserted(Linked(kotlin), "src/test/kotlin/a/ClientTest.kt")


def test_a_use_that_runs_no_code_of_the_file_exercises_nothing() -> None:
    files = {
        "errors.py": "class StateError(Exception):\n    pass\n",
        "limits.py": "LIMIT = 3\n\n\ndef limit():\n    return LIMIT\n",
        "work.py": "def work():\n    return 3\n",
    }
    test = (
        "from errors import StateError\nfrom limits import LIMIT\nfrom work import work\n\n\n"
        "def test_it():\n    assert work() == LIMIT\n    StateError('x')\n"
    )
    project = Linked({**files, "tests/test_it.py": test})
    assert asserted(project, "tests/test_it.py") == {"work.py"}
    project.save(
        {"errors.py": "class StateError(Exception):\n    def __init__(self, name):\n        self.name = name\n"}
    )
    assert asserted(project, "tests/test_it.py") == {"work.py", "errors.py"}


def test_methods_that_an_interface_declares_are_no_code() -> None:
    files = {
        "store.ts": "export interface Store {\n  save(): void;\n}\n",
        "shop.ts": "import { Store } from './store';\n\nexport function sell(store: Store) {\n  store.save();\n}\n",
        "shop.test.ts": "import { sell } from './shop';\n\ntest('sells', () => {\n  sell({ save() {} });\n});\n",
    }
    assert asserted(Linked(files), "shop.test.ts") == {"shop.ts"}


def test_what_runs_when_a_class_is_loaded_is_not_exercised_by_who_uses_the_class() -> None:
    files = {
        "fields.py": "def field():\n    return 1\n",
        "model.py": "from fields import field\n\nclass Model:\n    size = field()\n    def run(self):\n        pass\n",
    }
    test = "from model import Model\n\n\ndef test_it():\n    Model().run()\n"
    project = Linked({**files, "tests/test_it.py": test})
    assert asserted(project, "tests/test_it.py") == {"model.py"}
    in_method = files["model.py"].replace("        pass\n", "        field()\n")
    project.save({"model.py": in_method})
    assert asserted(project, "tests/test_it.py") == {"model.py", "fields.py"}


def test_what_is_replaced_while_a_test_runs_is_not_reached_by_it() -> None:
    files = {
        "src/auth/index.js": "export { login } from './login';\n",
        "src/auth/login.js": "export function login() {\n  return 1;\n}\n",
        "src/start.js": "import { login } from './auth';\n\nexport function start() {\n  return login();\n}\n",
    }
    test = "import { start } from './start';\n\ntest('starts', () => {\n  expect(start()).toBe(1);\n});\n"
    project = Linked({**files, "src/start.test.js": test})
    assert asserted(project, "src/start.test.js") == {"src/start.js", "src/auth/login.js"}
    project.save({"src/start.test.js": f"{test}jest.mock('./auth');\n"})
    assert asserted(project, "src/start.test.js") == {"src/start.js"}
    assert not {target for source, target in project.edges("IMPORTS") if source == "src/start.test.js"} - {
        "src/start.js"
    }
    project.save({"src/start.test.js": f"{test}jest.mock('./auth', () => jest.requireActual('./auth'));\n"})
    assert asserted(project, "src/start.test.js") == {"src/start.js", "src/auth/login.js"}
