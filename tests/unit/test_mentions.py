"""What a mention names: exactly one node, or none; and what kind of document a page is."""

from collections import defaultdict

import pytest

from memoire.languages.markdown.language import LANGUAGE
from memoire.mentions import Symbols, document_kind, is_aside, resolve_mention, resolve_mentions
from memoire.model import FileFacts, Mention, Target
from memoire.tree import Tree

FILES = (
    "README.md",
    "Makefile",
    "setup.py",
    "package.json",
    "pkg/__init__.py",
    "pkg/api.py",
    "pkg/graph.py",
    "pkg/store/__init__.py",
    "pkg/store/client.py",
    "pkg/store/schema.sql",
    "pkg/json.py",
    "pkg/json.pyi",
    "src/tool/run.py",
    "web/src/main.ts",
    "web/src/api/router.ts",
    "web/src/lib/session-cache.ts",
    "docs/index.md",
    "docs/spec.md",
    "docs/guide/start.md",
    "docs/guide/index.md",
    "docs/img/flow.svg",
    "docs/conf.py",
    "examples/shop/cart.py",
    "examples/shop/README.md",
    "tests/test_api.py",
    "java/com/acme/Parser.java",
)
DEFINITIONS = (
    "pkg/api.py::Client",
    "pkg/api.py::Client.send",
    "pkg/api.py::Client.send_all",
    "pkg/api.py::Client.timeout",
    "pkg/api.py::Client.keepAliveMillis",
    "pkg/api.py::Client.contentType",
    "pkg/api.py::connect",
    "pkg/api.py::load_all",
    "pkg/api.py::Request",
    "pkg/graph.py::Graph",
    "pkg/graph.py::Graph.Node",
    "pkg/graph.py::Graph.Node.walk",
    "pkg/graph.py::load",
    "pkg/graph.py::render",
    "pkg/store/client.py::Client2",
    "pkg/store/client.py::load",
    "pkg/store/__init__.py::open_store",
    "pkg/json.py::dumps",
    "pkg/json.pyi::dumps",
    "pkg/json.pyi::JsonError",
    "pkg/json.py::JsonError",
    "web/src/api/router.ts::Router",
    "web/src/api/router.ts::createRouter",
    "web/src/main.ts::render",
    "docs/conf.py::html_theme",
    "examples/shop/cart.py::ShopCart",
    "tests/test_api.py::FakeClient",
    "tests/test_api.py::test_send",
    "docs/spec.md::Client",
)


def project() -> tuple[Tree, Symbols]:
    tree = Tree(lambda _: None)
    tree.update(FILES)
    by_name = defaultdict(list)
    for node in DEFINITIONS:
        by_name[node.rpartition("::")[2].rpartition(".")[2]].append(node)
    return tree, lambda name: tuple(by_name.get(name, ()))


def resolve(text: str, kind: str, document: str = "docs/spec.md", sentence: str = "It says so.") -> str | None:
    return resolve_mention(*project(), document, Mention(text, kind, 1, sentence))


class TestLinks:
    @pytest.mark.parametrize(
        ("text", "document", "node"),
        [
            ("guide/start.md", "docs/spec.md", "docs/guide/start.md"),
            ("../pkg/api.py", "docs/spec.md", "pkg/api.py"),
            ("pkg/api.py", "docs/spec.md", "pkg/api.py"),
            ("/pkg/api.py", "docs/spec.md", "pkg/api.py"),
            ("./start.md", "docs/guide/index.md", "docs/guide/start.md"),
            ("guide", "docs/spec.md", "docs/guide/"),
            ("guide/start", "docs/index.md", "docs/guide/start.md"),
            ("guide/start.html", "docs/index.md", "docs/guide/start.md"),
            ("/guide/start/", "docs/guide/index.md", "docs/guide/start.md"),
            ("img/flow.svg", "docs/spec.md", "docs/img/flow.svg"),
            ("..", "docs/guide/start.md", "docs/"),
            ("../..", "docs/spec.md", None),
            ("../../pkg/api.py", "docs/spec.md", None),
            ("gone.md", "docs/spec.md", None),
            ("api.py", "docs/spec.md", None),
            ("store/client.py", "docs/spec.md", None),
        ],
    )
    def test_a_link_names_what_it_points_at_or_nothing(self, text: str, document: str, node: str | None) -> None:
        assert resolve(text, "link", document) == node

    def test_the_language_resolves_as_the_mentions_do(self) -> None:
        tree, _ = project()
        assert LANGUAGE.resolve(tree, "docs/spec.md", "guide/start") == Target("file", "docs/guide/start.md")
        assert LANGUAGE.resolve(tree, "docs/spec.md", "guide/") == Target("directory", "docs/guide")
        assert LANGUAGE.resolve(tree, "docs/spec.md", "gone") == Target("unresolved", "gone")
        assert LANGUAGE.kind == "document"


class TestPaths:
    @pytest.mark.parametrize(
        ("text", "node"),
        [
            ("pkg/api.py", "pkg/api.py"),
            ("./pkg/api.py", "pkg/api.py"),
            ("guide/start.md", "docs/guide/start.md"),
            ("conf.py", "docs/conf.py"),
            ("store/client.py", "pkg/store/client.py"),
            ("../store/client.py", "pkg/store/client.py"),
            ("lib/session-cache.ts", "web/src/lib/session-cache.ts"),
            ("session-cache.ts", "web/src/lib/session-cache.ts"),
            ("graph.py", "pkg/graph.py"),
            ("schema.sql", None),
            ("pkg/store/", "pkg/store/"),
            ("Makefile", "Makefile"),
            ("/pkg/api.py", "pkg/api.py"),
            ("/pkg/store", None),
            ("api/router", None),
            ("pkg/store", None),
            ("main.ts", None),
            ("setup.py", None),
            ("__init__.py", None),
            ("README.md", None),
            ("package.json", None),
            ("nowhere/api.py", None),
            ("pkg/gone.py", None),
            ("Next.js", None),
            ("../../../etc/passwd", None),
        ],
    )
    def test_a_path_is_exact_or_the_only_one_that_ends_so(self, text: str, node: str | None) -> None:
        assert resolve(text, "path") == node

    def test_two_files_that_end_so_are_none(self) -> None:
        tree, symbols = project()
        tree.add("other/store/client.py")
        assert resolve_mention(tree, symbols, "docs/spec.md", Mention("store/client.py", "path", 1, "x")) is None
        assert (
            resolve_mention(tree, symbols, "docs/spec.md", Mention("pkg/store/client.py", "path", 1, "x")) is not None
        )

    @pytest.mark.parametrize(
        "sentence", ["Create a file called `graph.py`.", "Put it in your `graph.py`.", "For example `graph.py`."]
    )
    def test_a_bare_name_in_words_about_the_readers_own_file_is_none(self, sentence: str) -> None:
        assert resolve("graph.py", "path", sentence=sentence) is None

    def test_a_file_name_that_is_a_method_is_one(self) -> None:
        tree, _ = project()
        mention = Mention("Context.json", "path", 1, "`Context.json` answers.")
        assert (
            resolve_mention(tree, lambda _: ("pkg/c.py::Context.json",), "README.md", mention)
            == "pkg/c.py::Context.json"
        )
        assert resolve_mention(tree, lambda _: ("pkg/c.py::json",), "README.md", mention) is None

    def test_examples_name_exact_paths_only(self) -> None:
        assert resolve("pkg/api.py", "path", sentence="") == "pkg/api.py"
        assert resolve("store/client.py", "path", sentence="") is None
        assert resolve("session-cache.ts", "path", sentence="") is None


class TestSymbols:
    @pytest.mark.parametrize(
        ("text", "node"),
        [
            ("Client.send", "pkg/api.py::Client.send"),
            ("Client.send()", "pkg/api.py::Client.send"),
            ("pkg.Client", "pkg/api.py::Client"),
            ("pkg.api.Client.send", "pkg/api.py::Client.send"),
            ("pkg.Client.send_all()", "pkg/api.py::Client.send_all"),
            ("Node.walk", "pkg/graph.py::Graph.Node.walk"),
            ("Client.inherited", "pkg/api.py::Client"),
            ("pkg.Client.inherited()", "pkg/api.py::Client"),
            ("pkg.load", None),
            ("pkg.graph.load", "pkg/graph.py::load"),
            ("graph.load()", "pkg/graph.py::load"),
            ("pkg.connect()", "pkg/api.py::connect"),
            ("json.dumps()", None),
            ("pkg.json.dumps()", "pkg/json.py::dumps"),
            ("os.path.join", None),
            ("client.send()", None),
            ("self.timeout", None),
            ("pkg.store", "pkg/store/__init__.py"),
            ("pkg.graph", "pkg/graph.py"),
            ("tool.run", "src/tool/run.py"),
            ("pkg", "pkg/__init__.py"),
            ("unknown", None),
            ("pkg.store.open_store()", "pkg/store/__init__.py::open_store"),
            ("com.acme.Parser", "java/com/acme/Parser.java"),
            ("pkg.missing", None),
            ("Client", "pkg/api.py::Client"),
            ("Router", "web/src/api/router.ts::Router"),
            ("createRouter", "web/src/api/router.ts::createRouter"),
            ("createRouter()", "web/src/api/router.ts::createRouter"),
            ("load_all", "pkg/api.py::load_all"),
            ("JsonError", "pkg/json.py::JsonError"),
            ("send_all()", "pkg/api.py::Client.send_all"),
            ("keepAliveMillis", "pkg/api.py::Client.keepAliveMillis"),
            ("contentType", None),
            ("contentType()", "pkg/api.py::Client.contentType"),
            ("connect()", None),
            ("render()", None),
            ("Request", None),
            ("Node", None),
            ("load()", None),
            ("FakeClient", None),
            ("ShopCart", None),
            ("html_theme", None),
            ("ValueError", None),
            ("HttpClient", None),
            ("pkg/api.py::Client.send", "pkg/api.py::Client.send"),
            ("api.py::Client", None),
            ("graph.py::Graph", "pkg/graph.py::Graph"),
            ("pkg/api.py::Gone", "pkg/api.py"),
            ("pkg/gone.py::Client", None),
        ],
    )
    def test_a_symbol_names_the_one_definition_it_can_mean(self, text: str, node: str | None) -> None:
        assert resolve(text, "symbol") == node

    def test_definitions_aside_are_meant_beside_them(self) -> None:
        assert resolve("ShopCart", "symbol", "examples/shop/README.md") == "examples/shop/cart.py::ShopCart"
        assert resolve("FakeClient", "symbol", "tests/README.md") == "tests/test_api.py::FakeClient"
        assert resolve("FakeClient", "symbol", "examples/README.md") is None

    def test_examples_name_qualified_symbols_only(self) -> None:
        assert resolve("pkg.Client", "symbol", sentence="") == "pkg/api.py::Client"
        assert resolve("createRouter", "symbol", sentence="") is None

    def test_what_is_asked_is_recorded(self) -> None:
        tree, symbols = project()
        with tree.track() as asked:
            resolve_mention(tree, symbols, "docs/spec.md", Mention("store/client.py", "path", 1, "x"))
        assert asked == {"docs/store/client.py", "store/client.py", "named:client.py"}

    def test_mentions_of_the_file_itself_are_left_out(self) -> None:
        tree, symbols = project()
        mentions = (Mention("docs/spec.md", "path", 1, "x"), Mention("pkg/api.py", "path", 2, "x"))
        facts = FileFacts("markdown", "", 0, 2, mentions=mentions)
        assert resolve_mentions(tree, symbols, "docs/spec.md", facts) == [(mentions[1], "pkg/api.py")]


@pytest.mark.parametrize(
    ("path", "aside"),
    [
        ("tests/a.py", True),
        ("src/test_a.py", True),
        ("src/a_test.go::T", True),
        ("src/a.spec.ts", True),
        ("docs/conf.py", True),
        ("src/testing.py", False),
        ("src/latest.py", False),
        ("tests.py", False),
    ],
)
def test_tests_examples_and_documentation_are_aside(path: str, aside: bool) -> None:
    assert is_aside(path) is aside


@pytest.mark.parametrize(
    ("path", "title", "kind"),
    [
        ("docs/spec.md", "", "specifies"),
        ("docs/parser-spec.md", "", "specifies"),
        ("specs/login.md", "", "specifies"),
        ("docs/adr/0007-use-x.md", "", "specifies"),
        ("docs/rfc/001-x.md", "", "specifies"),
        ("ARCHITECTURE.md", "", "specifies"),
        ("THEORY.md", "", "specifies"),
        ("docs/design.md", "", "specifies"),
        ("docs/requirements.md", "", "specifies"),
        ("docs/PRD.md", "", "specifies"),
        ("notes.md", "Architecture of the store", "specifies"),
        ("notes.md", "ADR 12: use one file", "specifies"),
        ("notes.md", "The wire specification", "specifies"),
        ("README.md", "Name", "documents"),
        ("docs/guide.md", "Getting started", "documents"),
        ("docs/api.rst", "API", "documents"),
        ("docs/specific.md", "", "documents"),
        ("docs/inspect.md", "", "documents"),
        ("CHANGELOG.md", "", "none"),
        ("docs/changes.rst", "", "none"),
        ("LICENSE", "", "none"),
        ("CONTRIBUTING.md", "", "none"),
        ("CODE_OF_CONDUCT.md", "", "none"),
        ("requirements.txt", "", "none"),
        ("requirements-dev.txt", "", "none"),
        ("docs/requirements.txt", "", "none"),
        ("tests/fixtures/spec.md", "", "none"),
        ("_posts/2024-01-01-new.md", "", "none"),
        ("www/versioned_docs/version-9/a.md", "", "none"),
        (".github/ISSUE_TEMPLATE/bug.md", "", "none"),
    ],
)
def test_the_kind_of_a_document_follows_from_its_path_and_title(path: str, title: str, kind: str) -> None:
    assert document_kind(path, title) == kind


def test_settings_decide_first() -> None:
    overrides = {"docs/old/*": "none", "docs/*": "specifies", "x.md": "nonsense"}
    assert document_kind("docs/old/a.md", "", overrides) == "none"
    assert document_kind("docs/guide.md", "", overrides) == "specifies"
    assert document_kind("README.md", "", overrides) == "documents"
    assert document_kind("x.md", "", overrides) == "documents"
