"""Dart through extraction, linking and relations: which file a URI names, and where the names of libraries lead."""

from random import Random

import pytest

from memoire.dispatch import extract
from memoire.languages.dart.resolution import is_barrel, is_test, name_of, read_part_of
from tests.support import Linked

SHOP = {
    "shop/pubspec.yaml": "name: shop\ndependencies:\n  kit:\n    path: ../kit\n",
    "shop/lib/shop.dart": "library shop;\nexport 'src/store.dart' show Store;\nexport 'src/page.dart' hide Draft;\n",
    "shop/lib/src/store.dart": """import 'page.dart';
class Store {
  static final Store shared = Store();
  final Page page = Page();
  Page load() => page;
  Store.named(int size);
  factory Store.from(String text) => Store.named(1);
  Page get first => page;
}
int _hidden = 1;
""",
    "shop/lib/src/page.dart": "class Page { void show() {} }\nclass Draft { void show() {} }\nvoid draw() {}\n",
    "kit/pubspec.yaml": "name: 'kit' # the tools\n",
    "kit/lib/kit.dart": "void help() {}\nclass Tool { void use() {} }\n",
}
STORE, PAGE, KIT = "shop/lib/src/store.dart", "shop/lib/src/page.dart", "kit/lib/kit.dart"


def used(text: str, path: str = "shop/lib/main.dart", **files: str) -> set[str]:
    """Return what a file uses of other files: `CALLS path::symbol`."""
    project = Linked({**SHOP, path: text, **files})
    return {
        f"{relation} {target}"
        for relation in ("CALLS", "REFERENCES", "INHERITS")
        for source, target in project.symbols(relation)
        if source.partition("::")[0] == path and target.partition("::")[0] != path
    }


def imported(text: str, path: str = "shop/lib/main.dart") -> set[str]:
    return {target for source, target in Linked({**SHOP, path: text}).edges("IMPORTS") if source == path}


@pytest.mark.parametrize(
    ("directive", "target"),
    [
        ("import 'src/store.dart';", STORE),
        ("import './src/../src/store.dart';", STORE),
        ('import "package:shop/src/store.dart";', STORE),
        ("import 'package:kit/kit.dart' as kit;", KIT),
        ("import 'package:kit/kit.dart' deferred as kit;", KIT),
        ("export 'package:kit/kit.dart';", KIT),
        ("part 'src/store.dart';", STORE),
        ("import /* why */ 'src/store.dart'; // no", STORE),
        ("import 'package:http/http.dart';", "pkg:http"),
        ("import 'dart:io';", "pkg:dart:io"),
        ("import 'src/none.dart';", ""),
        ("import 'package:shop/none.dart';", ""),
    ],
)
def test_a_uri_names_a_file_relative_to_the_importing_one_or_in_a_package(directive: str, target: str) -> None:
    assert imported(directive + "\n") == ({target} if target else set())


def test_a_conditional_import_names_every_file_it_may_be() -> None:
    others = "if (dart.library.io) 'src/page.dart'\n  if (dart.library.html == 'true') 'none.dart'"
    text = f"import 'src/store.dart'\n  {others};\n"
    assert imported(text) == {STORE, PAGE}


def test_the_nearest_package_of_a_name_is_taken() -> None:
    files = {
        "a/pubspec.yaml": "name: app\n",
        "a/lib/one.dart": "import 'package:app/two.dart';\n",
        "a/lib/two.dart": "",
        "b/pubspec.yaml": "name: app\n",
        "b/lib/two.dart": "",
        "b/test/one_test.dart": "import 'package:app/two.dart';\n",
    }
    assert Linked(files).edges("IMPORTS") == {
        ("a/lib/one.dart", "a/lib/two.dart"),
        ("b/test/one_test.dart", "b/lib/two.dart"),
    }


def test_names_are_followed_through_exports() -> None:
    calls = "Store.named(1).load().show(); Page().show(); Draft().show();"
    text = f"import 'package:shop/shop.dart';\nvoid main() {{ {calls} }}\n"
    assert used(text) == {
        f"CALLS {STORE}::Store.named", f"CALLS {STORE}::Store.load", f"CALLS {PAGE}::Page", f"CALLS {PAGE}::Page.show",
    }  # fmt: skip


def test_what_a_file_imports_is_not_seen_by_those_that_import_it() -> None:
    assert used("import 'src/store.dart';\nvoid main() { Page().show(); draw(); }\n") == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import 'src/page.dart' as p;\nvoid main() { p.draw(); draw(); }\n", {f"CALLS {PAGE}::draw"}),
        ("import 'src/page.dart' show Page;\nvoid main() { Page(); draw(); }\n", {f"CALLS {PAGE}::Page"}),
        ("import 'src/page.dart' hide Page, Draft;\nvoid main() { Page(); draw(); }\n", {f"CALLS {PAGE}::draw"}),
        ("import 'src/page.dart' as p hide Page;\nvoid main() { p.draw(); }\n", {f"CALLS {PAGE}::draw"}),
        ("export 'src/page.dart';\nvoid main() { Page(); draw(); }\n", set()),
        ("import 'src/store.dart';\nvoid main() { _hidden; }\n", set()),
        ("import 'src/page.dart';\nvoid draw() {}\nvoid main() { draw(); }\n", set()),
    ],
)
def test_an_import_brings_the_names_that_it_says(text: str, expected: set[str]) -> None:
    assert used(text) == expected


@pytest.mark.parametrize(
    "body",
    [
        "var draw = 1; draw();",
        "void draw() {} draw();",
        "for (final draw in all) draw();",
        "for (var draw = 0; ; ) { draw(); }",
        "all.map((draw) => draw());",
        "all.map((int draw) { draw(); });",
        "try {} catch (draw) { draw(); }",
        "switch (all) { case Sheet(draw: var draw): draw(); }",
        "if (all case Sheet(:final draw)) draw();",
        "var (draw, other) = all; draw();",
        "call(draw: 1);",
        "all.draw(); all?.draw(); all..draw();",
        "// draw();",
        "'draw ${1} draw'; r'$draw'; '''draw''';",
    ],
)
def test_what_hides_a_name_of_an_import_leads_nowhere(body: str) -> None:
    assert used(f"import 'src/page.dart';\nvoid main() {{ {body} }}\n") == set()


def test_types_are_followed_through_what_holds_them() -> None:
    text = """import 'package:shop/shop.dart';
import 'package:kit/kit.dart' as kit;

class Screen extends kit.Tool {
  final Store store;
  late final kit.Tool? tool;
  Page get page => store.load();
  Screen(this.store);
  Future<Store> open() async => Store.from('x');
  void run(Page given) async {
    store.first.show();
    tool!.use();
    page.show();
    given..show();
    (await open()).load();
    final opened = await open();
    opened.load();
    '${Store.shared.load()}';
    use();
    super.use();
  }
}
"""
    assert used(text) == {
        f"INHERITS {KIT}::Tool", f"CALLS {KIT}::Tool.use",
        f"REFERENCES {STORE}::Store", f"CALLS {STORE}::Store.load", f"CALLS {STORE}::Store.from",
        f"REFERENCES {PAGE}::Page", f"CALLS {PAGE}::Page.show",
    }  # fmt: skip


def test_an_item_of_a_collection_is_what_its_type_says() -> None:
    text = "import 'src/page.dart';\nvoid main(List<Page> all) { for (final page in all) page.show(); all.show(); }\n"
    assert used(text) == {f"REFERENCES {PAGE}::Page", f"CALLS {PAGE}::Page.show"}


def test_a_call_of_an_instance_gives_what_its_method_does() -> None:
    files = {"shop/lib/load.dart": "import 'src/page.dart';\nclass Load { Page call() => Page(); void show() {} }\n"}
    text = "import 'load.dart';\nvoid main(Load load) { load().show(); final page = load(); page.show(); }\n"
    assert used(text, **files) == {"CALLS shop/lib/load.dart::Load", f"CALLS {PAGE}::Page.show"}


def test_the_state_of_a_widget_knows_its_widget() -> None:
    text = """import 'src/store.dart';
class Screen extends StatefulWidget {
  const Screen(this.store);
  final Store store;
  State<Screen> createState() => _State();
}
class _State extends State<Screen> {
  Widget build(BuildContext context) => widget.store.load();
}
"""
    assert used(text) == {f"REFERENCES {STORE}::Store", f"CALLS {STORE}::Store.load"}


@pytest.mark.parametrize("said", ["part of 'whole.dart';", "part of shop.whole;"])
def test_the_parts_of_a_library_are_one_with_it(said: str) -> None:
    files = {
        "shop/lib/whole.dart": """library shop.whole;
import 'src/page.dart';
part 'piece.dart';
int _size = 1;
void go() => _help();
""",
        "shop/lib/piece.dart": f"{said}\nvoid _help() {{ _size; draw(); Page().show(); }}\n",
        "shop/lib/other.dart": "import 'whole.dart';\nvoid main() { _help(); go(); }\n",
    }
    project = Linked({**SHOP, **files})
    edges = {edge for edge in project.edges("IMPORTS") if edge[0] in files}
    assert edges >= {("shop/lib/whole.dart", "shop/lib/piece.dart"), ("shop/lib/piece.dart", "shop/lib/whole.dart")}
    calls = {edge for edge in project.symbols("CALLS") if edge[0].partition("::")[0] in files}
    expected = {
        ("shop/lib/whole.dart::go", "shop/lib/piece.dart::_help"),
        ("shop/lib/other.dart::main", "shop/lib/whole.dart::go"),
    }
    if "'" in said:  # the other form does not say where the library is, so the piece does not see what that imports
        expected |= {("shop/lib/piece.dart::_help", f"{PAGE}::{name}") for name in ("draw", "Page", "Page.show")}
    assert calls == expected


def test_a_part_leaves_its_library_when_it_no_longer_says_so() -> None:
    whole = {"lib/whole.dart": "part 'piece.dart';\nvoid go() => help();\n"}
    project = Linked({**whole, "lib/piece.dart": "part of 'whole.dart';\nvoid help() {}\n"})
    assert ("lib/whole.dart::go", "lib/piece.dart::help") in project.symbols("CALLS")
    project.save({"lib/piece.dart": "void help() {}\n"})
    assert ("lib/whole.dart::go", "lib/piece.dart::help") not in project.symbols("CALLS")


def test_tests_assert_on_what_they_run_and_helpers_on_nothing() -> None:
    files = {
        "shop/test/page_test.dart": """import 'package:shop/src/page.dart';
import 'help.dart';
void main() { test('shows', () { Page().show(); help(); }); }
""",
        "shop/test/help.dart": "import 'package:shop/src/store.dart';\nvoid help() { Store.shared.load(); }\n",
    }
    assert {source for source, _ in Linked({**SHOP, **files}).edges("ASSERTS_ON")} == {"shop/test/page_test.dart"}
    assert ("shop/test/page_test.dart", PAGE) in Linked({**SHOP, **files}).edges("ASSERTS_ON")


def test_a_package_that_is_renamed_is_found_by_its_new_name() -> None:
    project = Linked({**SHOP, "shop/lib/main.dart": "import 'package:tools/kit.dart';\n"})
    assert ("shop/lib/main.dart", KIT) not in project.edges("IMPORTS")
    project.save({"kit/pubspec.yaml": "name: tools\n"})
    assert ("shop/lib/main.dart", KIT) in project.edges("IMPORTS")


@pytest.mark.parametrize(
    ("text", "name"),
    [("name: app", "app"), ("# x\nname: 'my_app' # y", "my_app"), ("  name: inner", ""), ("", ""), ("name:\n", "")],
)
def test_a_package_is_called_as_its_pubspec_says(text: str, name: str) -> None:
    assert name_of(text.encode()) == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("// x\npart of 'a.dart';", ("a.dart", "")),
        ("part of a.b ;", ("", "a.b")),
        ("part 'of.dart';", ("", "")),
        ("// part of 'a.dart';", ("", "")),
        ("\xff", ("", "")),
    ],
)
def test_a_part_says_what_it_is_a_part_of(text: str, said: tuple[str, str]) -> None:
    assert read_part_of(text.encode("latin-1")) == said


@pytest.mark.parametrize(
    ("path", "expected"),
    [("test/a_test.dart", True), ("pkg/integration_test/app.dart", True), ("lib/a_test.dart", True),
     ("lib/latest.dart", False), ("lib/src/testing/a.dart", False)],
)  # fmt: skip
def test_tests_are_told_by_their_folder_or_name(path: str, expected: bool) -> None:
    assert is_test(path) is expected


def test_the_file_of_a_packages_name_stands_for_it() -> None:
    assert is_barrel("shop/lib/shop.dart")
    assert not is_barrel("shop/lib/store.dart")


def test_an_extension_is_seen_by_those_that_import_it() -> None:
    extension = "import 'src/page.dart';\nextension More on Page { void more() => show(); }\n"
    other = "class Page {}\nextension Other on Page { void other() {} }\n"
    files = {
        "shop/lib/more.dart": extension, "shop/lib/all.dart": "export 'more.dart';\n", "shop/lib/other.dart": other
    }  # fmt: skip
    body = "import 'src/page.dart';\nvoid main(Page page) { page.more(); page.other(); }\n"
    called = {f"CALLS {PAGE}::Page.show"}
    assert used(extension, "shop/lib/more.dart") == {f"REFERENCES {PAGE}::Page", *called}
    assert used(body, **files) == {f"REFERENCES {PAGE}::Page"}
    for line in ("import 'more.dart';", "import 'all.dart';"):
        text = f"{line}\nimport 'other.dart' hide Page;\n{body}"
        assert used(text, **files) == {f"REFERENCES {PAGE}::Page", "CALLS shop/lib/more.dart::Page.more"}


def test_what_documents_a_definition_stands_above_its_annotations() -> None:
    inside = "  /// Says it.\n  @override\n  @Deprecated('soon')\n  int get size => 1;\n"
    text = f"class A {{\n{inside}}}\n\n/// Runs.\n@c\nvoid run() {{}}\n"
    docs = {item.name: (item.doc, item.line) for item in extract("a.dart", text.encode()).definitions}
    assert docs == {"A": ("", 1), "A.size": ("Says it.", 3), "run": ("Runs.", 9)}


@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_saves_ends_in_the_edges_of_one_ingest(seed: int) -> None:
    files = {
        **SHOP,
        "shop/lib/whole.dart": "import 'src/page.dart';\npart 'piece.dart';\nvoid go() => _help();\n",
        "shop/lib/piece.dart": "part of 'whole.dart';\nvoid _help() { draw(); }\n",
        "shop/lib/more.dart": "import 'src/page.dart';\nextension More on Page { void more() => show(); }\n",
        "shop/lib/main.dart": "import 'shop.dart';\nimport 'more.dart';\nvoid main() { Store.shared.load().more(); }\n",
        "shop/test/a_test.dart": "import 'package:shop/main.dart' as app;\nvoid main() { app.main(); }\n",
    }
    at_once = Linked(files)
    order = list(files)
    shuffle = Random(seed)
    shuffle.shuffle(order)
    project = Linked({})
    for path in order:
        project.save({path: files[path]})
    for path in shuffle.sample(order, 3):
        project.save({}, gone=(path,))
        project.save({path: files[path]})
    for relation in ("IMPORTS", "ASSERTS_ON", "DRIVES"):
        assert project.edges(relation) == at_once.edges(relation)
    for relation in ("CALLS", "REFERENCES", "INHERITS"):
        assert project.symbols(relation) == at_once.symbols(relation)


def test_what_a_library_imports_is_seen_by_none_that_imports_it() -> None:
    project = Linked(
        {
            "pubspec.yaml": "name: shop\n",
            "lib/a.dart": "import 'x.dart' as b;\nimport 'pool.dart' show Text;\nvoid a() { b.run(); Text(); }\n",
            "lib/x.dart": "void run() {}\n",
            "lib/pool.dart": "class Text {}\n",
            "lib/c.dart": "import 'package:flutter/flutter.dart';\nimport 'a.dart';\n"
            "void c() { b.run(); Text(); a(); }\n",
        }
    )
    assert {edge for edge in project.symbols("CALLS") if edge[0] == "lib/c.dart::c"} == {
        ("lib/c.dart::c", "lib/a.dart::a")
    }
