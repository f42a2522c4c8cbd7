"""Swift through extraction, linking and relations: which module a file is in, and where the names of modules lead."""

from random import Random

import pytest

from memoire.languages.swift.resolution import is_test, module_by_path, read_package, read_project
from tests.support import Linked

PACKAGE = """// swift-tools-version: 5.9
import PackageDescription
let package = Package(
    name: "Shop", // the product, not a module
    dependencies: [
        .package(url: "https://example.com/swift-log", from: "1.0.0"),
        .package(name: "Kit", path: "../kit"),
    ],
    targets: [
        .target(name: "Core", resources: [.process("Resources")]),
        .target(name: "App", dependencies: ["Core", .target(name: "Media"), .product(name: "Kit", package: "kit")]),
        .target(
            name: "Media",
            dependencies: [.byName(name: "Core")],
            path: "Player/Code"
        ),
        /* .target(name: "Gone") */
        .testTarget(name: "AppTests", dependencies: ["App"]),
    ]
)
"""
CORE = """
public struct Store {
    public static let shared = Store()
    public let name: Label
    public func load() -> Page { Page() }
    private func hide() {}
}
public struct Page { public func show() {} }
private struct Secret {}
"""
LABEL = "public struct Label { public func draw() {} }\npublic extension Store { func clear() { name.draw() } }\n"
FILES = {
    "Package.swift": PACKAGE,
    "Sources/Core/Store.swift": CORE,
    "Sources/Core/Label.swift": LABEL,
    "Player/Code/Player.swift": """import Core
public class Player { public func play() { Store.shared.load().show() } }
""",
}


def used(files: dict[str, str], path: str) -> set[str]:
    """Return what a file uses of other files: `CALLS path::symbol`."""
    project = Linked({**FILES, **files})
    return {
        f"{relation} {target}"
        for relation in ("CALLS", "REFERENCES", "INHERITS")
        for source, target in project.symbols(relation)
        if source.partition("::")[0] == path and target.partition("::")[0] != path
    }


def imported(files: dict[str, str], path: str) -> set[str]:
    return {target for source, target in Linked({**FILES, **files}).edges("IMPORTS") if source == path}


def test_targets_are_read_from_a_manifest() -> None:
    package = read_package(PACKAGE.encode())
    assert [(target.name, target.kind, target.path) for target in package.targets] == [
        ("Core", "", None),
        ("App", "", None),
        ("Media", "", "Player/Code"),
        ("AppTests", "test", None),
    ]
    assert package.local == ("../kit",)


@pytest.mark.parametrize(
    "text", ["", "targets: [.target(", '.target(name: "A', ".target(name: name)", "\xff", "((" * 9000]
)
def test_a_manifest_that_is_not_whole_has_the_targets_that_can_be_read(text: str) -> None:
    assert read_package(text.encode("latin-1")).targets == ()


def test_the_files_of_a_module_see_each_other_without_an_import() -> None:
    assert imported({}, "Sources/Core/Label.swift") == {"Sources/Core/Store.swift"}
    assert used({}, "Sources/Core/Store.swift") == {"REFERENCES Sources/Core/Label.swift::Label"}


def test_an_import_of_a_module_leads_to_those_of_its_files_that_are_used() -> None:
    app = "import Core\nimport Media\nfunc run(label: Label) { label.draw(); Player().play(); Store.shared.clear() }\n"
    files = {"Sources/App/main.swift": app}
    assert imported(files, "Sources/App/main.swift") == {
        "Sources/Core/Label.swift", "Sources/Core/Store.swift", "Player/Code/Player.swift",
    }  # fmt: skip
    assert used(files, "Sources/App/main.swift") == {
        "REFERENCES Sources/Core/Label.swift::Label", "CALLS Sources/Core/Label.swift::Label.draw",
        "CALLS Player/Code/Player.swift::Player", "CALLS Player/Code/Player.swift::Player.play",
        "CALLS Sources/Core/Label.swift::Store.clear",
    }  # fmt: skip


def test_a_name_of_a_module_that_is_not_imported_is_not_found() -> None:
    assert used({"Sources/App/main.swift": "func run() { Store.shared.load() }\n"}, "Sources/App/main.swift") == set()


def test_a_name_of_the_own_module_goes_before_one_that_is_imported() -> None:
    files = {
        "Sources/App/Page.swift": "struct Page { func show() {} }\n",
        "Sources/App/a.swift": "import Core\nfunc f() { Page().show() }\n",
    }
    assert used(files, "Sources/App/a.swift") == {
        "CALLS Sources/App/Page.swift::Page", "CALLS Sources/App/Page.swift::Page.show",
    }  # fmt: skip


def test_the_name_of_a_module_leads_to_its_names() -> None:
    files = {
        "Sources/App/Page.swift": "struct Page {}\n",
        "Sources/App/a.swift": "import Core\nfunc f() { Core.Page().show() }\n",
    }
    assert used(files, "Sources/App/a.swift") == {
        "CALLS Sources/Core/Store.swift::Page", "CALLS Sources/Core/Store.swift::Page.show",
    }  # fmt: skip


def test_one_name_is_imported_by_its_kind() -> None:
    files = {"Sources/App/a.swift": "import struct Core.Page\nfunc f() { Page().show(); Store.shared.load() }\n"}
    assert used(files, "Sources/App/a.swift") == {
        "CALLS Sources/Core/Store.swift::Page", "CALLS Sources/Core/Store.swift::Page.show",
    }  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        "let Store = 1; print(Store)",
        "for Store in all { Store.load() }",
        "if let Store = find() { Store.load() }",
        "guard let Store = find() else { return }; Store.load()",
        "if case .some(let Store) = find() { Store.load() }",
        "switch find() { case .one(let Store): Store.load(); default: break }",
        "all.map { Store in Store.load() }",
        "do {} catch let Store { Store.load() }",
        "let (Store, other) = find(); Store.load()",
        "call(Store: 1)",
        "show(.Store)",
        "show(\n  .Store,\n  .Page\n)",
        "// Store",
        '"Store"',
        "Secret()",
        "other.Store.load()",
    ],
)
def test_what_hides_a_name_of_the_module_leads_nowhere(body: str) -> None:
    files = {"Sources/Core/Uses.swift": f"func run() {{\n{body}\n}}\n"}
    assert used(files, "Sources/Core/Uses.swift") == set()


def test_a_parameter_that_stands_for_a_type_hides_the_type_of_that_name() -> None:
    text = "struct Box<Store> { var one: Store; func f() { Store.make() } }\n"
    assert used({"Sources/Core/Box.swift": text}, "Sources/Core/Box.swift") == set()


def test_a_type_is_followed_through_what_holds_it() -> None:
    body = """class Screen: Base {
    let store: Store
    @Published var page: Page?
    var label: Label { store.name }
    func run() {
        page?.show()
        label.draw()
        self.store.load().show()
        let text = "\\(store.load())"
        if let page { page.show() }
        guard let other = page as? Page else { return }
        setUp { self.store.clear() }
        finish()
    }
}
"""
    files = {"Sources/Core/Screen.swift": body, "Sources/Core/Base.swift": "class Base { func finish() {} }\n"}
    assert used(files, "Sources/Core/Screen.swift") == {
        "INHERITS Sources/Core/Base.swift::Base", "CALLS Sources/Core/Base.swift::Base.finish",
        "REFERENCES Sources/Core/Store.swift::Store", "REFERENCES Sources/Core/Store.swift::Page",
        "REFERENCES Sources/Core/Label.swift::Label", "CALLS Sources/Core/Store.swift::Page.show",
        "CALLS Sources/Core/Label.swift::Label.draw", "CALLS Sources/Core/Store.swift::Store.load",
        "CALLS Sources/Core/Label.swift::Store.clear",
    }  # fmt: skip


def test_the_property_of_another_file_leads_on() -> None:
    files = {
        "Sources/Core/Shelf.swift": "struct Shelf { var store: Store { Store() }\n static let first = Shelf() }\n",
        "Sources/Core/Uses.swift": "func run(shelf: Shelf) { shelf.store.load(); Shelf.first.store.clear() }\n",
    }
    assert used(files, "Sources/Core/Uses.swift") == {
        "REFERENCES Sources/Core/Shelf.swift::Shelf",
        "CALLS Sources/Core/Store.swift::Store.load", "CALLS Sources/Core/Label.swift::Store.clear",
    }  # fmt: skip


def test_an_item_of_a_collection_is_what_its_type_says() -> None:
    text = """struct List { let pages: [Page]
    func run(others: Set<Page>?) { for page in pages { page.show() }; for other in others! { other.show() }
        for (number, page) in pages.enumerated() { number.show(); page.show() } } }
"""
    assert used({"Sources/Core/List.swift": text}, "Sources/Core/List.swift") == {
        "REFERENCES Sources/Core/Store.swift::Page", "CALLS Sources/Core/Store.swift::Page.show",
    }  # fmt: skip


def test_a_type_has_what_the_protocols_give_that_an_extension_says_it_conforms_to() -> None:
    files = {
        "Sources/Core/Show.swift": "protocol Show {}\nextension Show { func present() {} }\n",
        "Sources/Core/More.swift": "extension Page: Show {}\n",
        "Sources/Core/Uses.swift": "func f(page: Page) { page.present() }\n",
    }
    page = "REFERENCES Sources/Core/Store.swift::Page"
    assert used(files, "Sources/Core/Uses.swift") == {page, "CALLS Sources/Core/Show.swift::Show.present"}
    del files["Sources/Core/More.swift"]
    assert used(files, "Sources/Core/Uses.swift") == {page}


def test_another_module_may_add_to_a_type_for_those_that_import_it() -> None:
    files = {
        "Sources/Core/Other.swift": "extension Other { func more() {} }\n",
        "Player/Code/Extra.swift": "import Core\nextension Page { func more() {} }\n",
        "Sources/App/a.swift": "import Core\nimport Media\nfunc f(page: Page) { page.more() }\n",
        "Sources/App/b.swift": "import Core\nfunc f(page: Page) { page.less() }\n",
    }
    page = "REFERENCES Sources/Core/Store.swift::Page"
    assert used(files, "Sources/App/a.swift") == {page, "CALLS Player/Code/Extra.swift::Page.more"}
    assert used(files, "Sources/App/b.swift") == {page}


def test_a_package_that_is_depended_on_by_path_is_found_and_no_other() -> None:
    kit = 'let package = Package(name: "Kit", targets: [.target(name: "Kit")])\n'
    files = {
        "shop/Package.swift": PACKAGE,
        "shop/Sources/App/a.swift": "import Kit\nimport Spare\nfunc f() { help(); spare() }\n",
        "kit/Package.swift": kit,
        "kit/Sources/Kit/Kit.swift": "public func help() {}\n",
        "spare/Package.swift": kit.replace("Kit", "Spare"),
        "spare/Sources/Spare/Spare.swift": "public func spare() {}\n",
    }
    assert Linked(files).edges("IMPORTS") >= {("shop/Sources/App/a.swift", "kit/Sources/Kit/Kit.swift")}
    targets = {target for source, target in Linked(files).edges("IMPORTS") if source == "shop/Sources/App/a.swift"}
    assert "spare/Sources/Spare/Spare.swift" not in targets


PROJECT = """{ objects = {
    1 /* App */ = { isa = PBXNativeTarget; buildPhases = (2,); name = App; productName = "My App"; };
    2 /* UI */ = { isa = PBXNativeTarget; name = "App UI Tests"; };
}; }
"""


def test_the_files_of_an_xcode_project_are_one_module() -> None:
    assert read_project(PROJECT.encode()) == ("App", "App_UI_Tests", "My_App")
    files = {
        "ios/App.xcodeproj/project.pbxproj": PROJECT,
        "ios/App/Model.swift": "struct Model { func go() {} }\n",
        "ios/App/View/Screen.swift": "import SwiftUI\nstruct Screen: View { let model = Model() }\n",
        "ios/AppTests/ModelTests.swift": """@testable import App
class ModelTests: XCTestCase { func testGo() { Model().go() } }
""",
        "mac/App.swift": "func f() { Model().go() }\n",
    }
    project = Linked(files)
    assert {edge for edge in project.edges("IMPORTS") if not edge[1].startswith("pkg:")} == {
        ("ios/App/View/Screen.swift", "ios/App/Model.swift"),
        ("ios/AppTests/ModelTests.swift", "ios/App/Model.swift"),
    }
    assert project.edges("ASSERTS_ON") == {("ios/AppTests/ModelTests.swift", "ios/App/Model.swift")}


def test_files_move_to_another_module_when_the_manifest_does() -> None:
    main = {"App/a.swift": "import Core\nfunc f() { Page().show() }\n", "Core/b.swift": CORE}
    manifest = 'let p = Package(targets: [.target(name: "Core", path: "Core"), .target(name: "App", path: "App")])'
    project = Linked(main)
    assert project.edges("IMPORTS") == {("App/a.swift", "Core/b.swift")}, "without a manifest all is one module"
    project.save({"Package.swift": manifest.replace("Core", "Other")})
    assert ("App/a.swift", "Core/b.swift") not in project.edges("IMPORTS")
    project.save({"Package.swift": manifest})
    assert ("App/a.swift", "Core/b.swift") in project.edges("IMPORTS")
    project.save({}, gone=("Package.swift",))
    assert project.edges("IMPORTS") == Linked(main).edges("IMPORTS")


def test_an_effect_of_a_name_that_the_project_gives_is_none() -> None:
    files = {"Sources/Core/Own.swift": "struct FileManager { static let `default` = 1 }\n"}
    text = {"Sources/Core/Uses.swift": 'func f() { FileManager.default.removeItem("x"); Date() }\n'}

    def effects(project: Linked) -> set[str]:
        facts = project.processor.facts("Sources/Core/Uses.swift")
        return {item.callee for item in facts.effects if not item.is_void} if facts is not None else set()

    assert effects(Linked({**FILES, **text})) == {"Foundation.FileManager.removeItem", "Foundation.Date"}
    assert effects(Linked({**FILES, **text, **files})) == {"Foundation.Date"}


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("Sources/App/View/a.swift", ":://App"),
        ("kit/Sources/App/a.swift", "kit//App"),
        ("v1.2/Tests/AppTests/a.swift", "v1:2//AppTests"),
        ("App/a.swift", ":://"),
    ],
)
def test_folders_tell_the_module_where_nothing_else_does(path: str, module: str) -> None:
    assert module_by_path(path) == module.replace(":://", "://")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Tests/AppTests/a.swift", True),
        ("App/ModelTests.swift", True),
        ("Spec/ModelSpec.swift", True),
        ("AppUITests/Flow.swift", True),
        ("Sources/App/Contest.swift", False),
        ("Sources/Testing/Latest.swift", False),
    ],
)
def test_tests_are_told_by_their_folder_or_name(path: str, expected: bool) -> None:
    assert is_test(path) is expected


@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_saves_ends_in_the_edges_of_one_ingest(seed: int) -> None:
    files = {
        **FILES,
        "Sources/App/a.swift": "import Core\nimport Media\nfunc f(page: Page) { page.more(); Player().play() }\n",
        "Player/Code/Extra.swift": "import Core\nextension Page: Show { func more() {} }\n",
        "Sources/Core/Show.swift": "public protocol Show {}\n",
        "Tests/AppTests/ATests.swift": "@testable import App\nclass ATests: XCTestCase { func testF() { f() } }\n",
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
