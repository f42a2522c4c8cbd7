"""Rust through extraction, linking and relations: which module a path names, and where its names lead."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.languages.rust.cargo import parse
from memoire.languages.rust.usetree import use_tree
from memoire.languages.rust.wrapped import opened
from tests.support import Linked

PROJECT = Path(__file__).parents[2] / "languages" / "projects" / "rust"
APP = {"Cargo.toml": '[package]\nname = "my-app"\n'}


def project_files() -> dict[str, bytes]:
    files = (path for path in PROJECT.rglob("*") if path.suffix in {".rs", ".toml"})
    return {path.relative_to(PROJECT).as_posix(): path.read_bytes() for path in files}


def modules_below(project: Linked, root: str) -> set[str]:
    """The files that a root declares as modules, directly or through others, and itself."""
    found, queue = {root}, [root]
    while queue:
        for item in project.processor.links(queue.pop()).imports:
            if item.specifier.startswith(("mod ", "path ")) and item.target_kind == "file" and item.target not in found:
                found.add(item.target)
                queue.append(item.target)
    return found


def test_every_target_is_made_of_the_files_that_rustc_reads() -> None:
    truth = json.loads((PROJECT / "truth.json").read_bytes())
    project = Linked(project_files())
    assert {root: sorted(modules_below(project, root)) for root in truth["files"]} == truth["files"]


def test_paths_lead_to_the_files_that_rustc_finds_and_calls_of_methods_to_few_others() -> None:
    truth = json.loads((PROJECT / "truth.json").read_bytes())
    project = Linked(project_files())
    used = {
        (source.partition("::")[0], target.partition("::")[0])
        for relation in ("CALLS", "REFERENCES", "INHERITS")
        for source, target in project.symbols(relation)
    }
    declared = {
        (path, item.target)
        for path in project.files
        for item in project.processor.links(path).imports
        if item.specifier.startswith(("mod ", "path "))
    }
    passing_on = {"core/src/lib.rs", "core/src/shapes/mod.rs", "app/src/lib.rs", "app/src/main.rs"}
    found = {edge for edge in used | project.edges("IMPORTS") if edge[0] != edge[1]}
    found = {edge for edge in found if all(path.endswith(".rs") for path in edge)}
    named = {edge for edge in found - declared if edge[1] not in passing_on}
    paths = {tuple(edge) for edge in truth["paths"]}
    assert paths <= found
    # Types decide these: `store.total()`, `round.value`.
    assert named - paths == {
        ("app/src/main.rs", "app/src/store/total.rs"),
        ("app/tests/shop.rs", "app/src/store/mod.rs"),
        ("app/tests/shop.rs", "app/src/store/total.rs"),
    }


def test_tests_assert_on_what_they_use_also_where_they_stand_beside_the_code() -> None:
    run = {
        "app/src/store/mod.rs",
        "app/src/store/disk.rs",
        "app/src/store/disk/cache.rs",
        "core/src/money.rs",
        "core/src/shapes/round.rs",
        "core/src/shapes/square.rs",
    }
    assert Linked(project_files()).edges("ASSERTS_ON") == {
        *(("app/src/store/total.rs", path) for path in run),
        *(("app/tests/shop.rs", path) for path in (*run, "app/src/store/total.rs")),
    }


def test_code_without_tests_beside_it_asserts_on_nothing() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "mod other;\npub fn run() { other::go(); }\n",
            "src/other.rs": "pub fn go() {}\n",
            "src/marked.rs": "use crate::other;\nfn test_go() { other::go(); }\n",
        }
    )
    assert project.edges("ASSERTS_ON") == set()


@pytest.mark.parametrize(
    ("files", "target"),
    [
        ({"src/other.rs": ""}, "src/other.rs"),
        ({"src/other/mod.rs": ""}, "src/other/mod.rs"),
        ({"other.rs": "", "src/deep/other.rs": ""}, ""),
    ],
)
def test_a_declared_module_is_the_file_beside_its_root(files: dict[str, str], target: str) -> None:
    project = Linked(APP | {"src/lib.rs": "mod other;\n"} | files)
    assert project.edges("IMPORTS") == ({("src/lib.rs", target)} if target else set())


def test_modules_inside_a_module_lie_in_its_folder() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "mod a;\nmod inline {\n    pub mod deep;\n}\n",
            "src/a.rs": "mod b;\n",
            "src/a/b.rs": "use super::super::inline::deep::go;\nfn run() { go(); }\n",
            "src/b.rs": "",
            "src/inline/deep.rs": "pub fn go() {}\n",
        }
    )
    assert project.edges("IMPORTS") == {
        ("src/lib.rs", "src/a.rs"),
        ("src/lib.rs", "src/inline/deep.rs"),
        ("src/a.rs", "src/a/b.rs"),
        ("src/a/b.rs", "src/inline/deep.rs"),
    }


def test_the_same_name_in_another_module_or_crate_is_another_name() -> None:
    project = Linked(
        {
            "one/Cargo.toml": '[package]\nname = "one"\n',
            "one/src/lib.rs": "mod a;\nmod b;\npub struct Item;\nimpl Item { pub fn save(&self) {} }\nfn helper() {}\n",
            "one/src/a.rs": (
                "pub struct Item;\nfn run(item: &Item, other: &Other) { helper(); item.save(); other.save(); }\n"
            ),
            "one/src/b.rs": (
                "use two::Item;\nuse crate::missing::Item as Lost;\nfn run(l: Lost) { Item::new(); l.save(); }\n"
            ),
            "two/Cargo.toml": '[package]\nname = "two"\n',
            "two/src/lib.rs": "pub struct Item;\nimpl Item { pub fn new() -> Self { Item } }\nfn helper() {}\n",
        }
    )
    assert project.symbols("CALLS") == set()
    assert project.edges("IMPORTS") == {("one/src/lib.rs", "one/src/a.rs"), ("one/src/lib.rs", "one/src/b.rs")}


def test_methods_of_an_implementation_in_another_file_belong_to_the_type_that_it_names() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "pub mod a;\npub mod b;\nmod more;\nmod use_it;\n",
            "src/a.rs": "pub struct Item;\n",
            "src/b.rs": "pub struct Item;\npub trait Named { fn name(&self) -> u8 { 1 } }\n",
            "src/more.rs": "use crate::a::Item;\nimpl Item { pub fn save(&self) {} }\n",
            "src/use_it.rs": "use crate::{a, b};\nfn run(one: &a::Item, two: &b::Item) { one.save(); two.save(); }\n",
        }
    )
    assert project.symbols("CALLS") == {("src/use_it.rs::run", "src/more.rs::Item.save")}


def test_a_trait_gives_its_own_methods_to_what_implements_it() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "pub mod named;\nmod item;\n",
            "src/named.rs": "pub trait Named { fn name(&self) -> u8 { 1 } }\n",
            "src/item.rs": (
                "use crate::named::Named;\npub struct Item;\nimpl Named for Item {}\n"
                "fn run() { let item = Item; item.name(); }\nfn given(item: &Item) { item.name(); }\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("src/item.rs::given", "src/named.rs::Named.name"),
        ("src/item.rs::run", "src/named.rs::Named.name"),
    }
    assert project.symbols("INHERITS") == {("src/item.rs::Item", "src/named.rs::Named")}


def test_what_a_module_passes_on_leads_to_where_it_is_defined() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "mod deep;\npub use deep::*;\npub use deep::Thing as Renamed;\n",
            "src/deep/mod.rs": "mod inner;\npub use inner::{Thing, make};\n",
            "src/deep/inner.rs": (
                "pub struct Thing;\nimpl Thing { pub fn go(&self) {} }\npub fn make() -> Thing { Thing }\n"
            ),
            "src/main.rs": (
                "use my_app::{make, Renamed};\nfn main() { make().go(); }\nfn other(r: Renamed) { r.go(); }\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("src/main.rs::main", "src/deep/inner.rs::make"),
        ("src/main.rs::main", "src/deep/inner.rs::Thing.go"),
        ("src/main.rs::other", "src/deep/inner.rs::Thing.go"),
    }
    assert ("src/main.rs", "src/deep/inner.rs") in project.edges("IMPORTS")


def test_any_file_that_passes_a_name_on_leads_to_where_it_is_defined() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "pub mod shapes;\npub mod user;\n",
            "src/shapes.rs": "mod round;\npub(crate) use self::round::Circle as Round;\nfn own(_: Round) {}\n",
            "src/shapes/round.rs": "pub struct Circle;\nimpl Circle { pub fn area(&self) {} }\n",
            "src/user.rs": "use crate::shapes::Round;\nfn run(round: Round) { round.area(); }\n",
        }
    )
    assert project.symbols("CALLS") == {("src/user.rs::run", "src/shapes/round.rs::Circle.area")}
    assert ("src/shapes.rs::own", "src/shapes/round.rs::Circle") in project.symbols("REFERENCES")
    assert {("src/user.rs", "src/shapes.rs"), ("src/user.rs", "src/shapes/round.rs")} <= project.edges("IMPORTS")
    project.save({"src/shapes.rs": "mod round;\npub struct Round;\n"})
    assert ("src/user.rs", "src/shapes/round.rs") not in project.edges("IMPORTS")


def test_what_a_module_imports_for_itself_is_given_to_those_inside_it_alone() -> None:
    use = "fn run() { make(); }\n"
    project = Linked(
        APP
        | {
            "src/lib.rs": "mod one;\nmod two;\nmod other;\n",
            "src/one.rs": "pub fn make() {}\n",
            "src/two.rs": f"use crate::one::make;\npub fn two() {{}}\nmod inner {{ use super::*; {use} }}\nmod deep;\n",
            "src/two/deep.rs": f"use super::*;\n{use}",
            "src/other.rs": f"use crate::two::*;\n{use}",
        }
    )
    assert project.symbols("CALLS") == {
        ("src/two.rs::inner.run", "src/one.rs::make"),
        ("src/two/deep.rs::run", "src/one.rs::make"),
    }


def test_circles_of_imports_end() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "mod a;\nmod b;\npub use a::*;\npub use b::*;\nuse self::x as y;\nuse self::y as x;\n",
            "src/a.rs": "pub use crate::b::*;\npub use super::missing;\nfn run() { found(); x(); missing(); }\n",
            "src/b.rs": "pub use crate::a::*;\npub fn found() {}\n",
        }
    )
    assert project.symbols("CALLS") == {("src/a.rs::run", "src/b.rs::found")}


def test_many_imports_of_all_names_whose_modules_are_not_known_end() -> None:
    stars = "".join(f"use lost{number}::*;\n" for number in range(12))
    project = Linked(APP | {"src/lib.rs": f"fn found() {{}}\nmod tests {{\n{stars}fn run() {{ found(); }}\n}}\n"})
    assert project.symbols("CALLS") == set()


def test_macros_that_give_items_hide_none() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": (
                "#[macro_use]\nmod macros;\ncfg_net! {\n    pub mod net;\n    pub use net::{Listener, open};\n}\n"
            ),
            "src/macros.rs": "macro_rules! cfg_net { ($($item:item)*) => { $(#[cfg(net)] $item)* } }\n",
            "src/net.rs": "cfg_net! { pub struct Listener; impl Listener { pub fn go(&self) {} } }\n",
            "src/main.rs": "use my_app::Listener;\nfn main(listener: Listener) { listener.go(); }\n",
        }
    )
    assert project.symbols("CALLS") == {("src/main.rs::main", "src/net.rs::Listener.go")}
    assert {("src/lib.rs", "src/macros.rs::cfg_net"), ("src/net.rs", "src/macros.rs::cfg_net")} <= project.symbols(
        "REFERENCES"
    )
    assert ("src/main.rs", "src/net.rs") in project.edges("IMPORTS")


PARTS = (
    "cfg_a! {", "cfg_if! {\n if #[a] {", "}\nelse\n{", "} else {", "{", "}", '"', "'}'", "//", "/*", "*/", 'r#"', '"#',
    "\n", " pub fn f() ", "\u00e9", "\\",
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS)))
def test_a_macro_that_is_opened_moves_no_byte(parts: list[str]) -> None:
    source = "".join(parts).encode()
    result = opened(source)
    assert len(result) == len(source)
    assert [at for at, byte in enumerate(source) if byte == 10] == [at for at, byte in enumerate(result) if byte == 10]
    assert bytes(new for old, new in zip(source, result, strict=True) if new not in (old, 32)).strip(b"{}/*") == b""


def test_a_name_that_a_macro_makes_leads_to_the_file_that_passes_it_on_last() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "pub mod routing;\n",
            "src/routing/mod.rs": "mod method;\npub use self::method::{get, put};\n",
            "src/routing/method.rs": "macro_rules! handler { ($n:ident) => { pub fn $n() {} } }\nhandler!(get);\n",
            "src/main.rs": "use my_app::routing::get;\nfn main() { get(); }\n",
        }
    )
    assert {("src/main.rs", "src/routing/mod.rs"), ("src/main.rs", "src/routing/method.rs")} <= project.edges("IMPORTS")


def test_a_crate_is_no_macro_of_it_that_is_called_so() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "mod my_app;\npub use crate::my_app::{App, my_app};\n",
            "src/my_app.rs": "pub struct App;\nimpl App { pub fn new() {} }\n",
            "src/main.rs": "use my_app::{App, my_app};\nfn main() { App::new(); }\n",
        }
    )
    assert project.symbols("CALLS") == {("src/main.rs::main", "src/my_app.rs::App.new")}


def test_a_variable_hides_a_function_but_no_module() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "mod ast;\nmod go;\n",
            "src/ast.rs": "pub fn visit() {}\npub fn node() {}\n",
            "src/go.rs": (
                "use crate::ast::{self, node};\n"
                "fn a(ast: u8) { ast::visit(); ast.visit(); }\nfn b(node: u8) { node(); }\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {("src/go.rs::a", "src/ast.rs::visit")}


def test_macros_belong_to_the_root_of_the_crate_that_defines_them() -> None:
    project = Linked(
        {
            "one/Cargo.toml": '[package]\nname = "one"\n',
            "one/src/lib.rs": "#[macro_use]\nmod macros;\nmod run;\n",
            "one/src/macros.rs": "#[macro_export]\nmacro_rules! check { ($x:expr) => { helper($x) }; }\n",
            "one/src/run.rs": "fn run() { check!(1); crate::check!(2); println!(); lost!(3); }\n",
            "two/Cargo.toml": '[package]\nname = "two"\n[dependencies]\none = { path = "../one" }\n',
            "two/src/lib.rs": "mod other;\nmod named;\n",
            "two/src/other.rs": "fn other() { check!(1); }\n",
            "two/src/named.rs": "use one::check;\nfn named() { check!(1); one::check!(2); }\n",
        }
    )
    assert project.symbols("CALLS") == {
        ("one/src/run.rs::run", "one/src/macros.rs::check"),
        ("two/src/named.rs::named", "one/src/macros.rs::check"),
    }


def test_tests_that_a_manifest_names_share_its_modules() -> None:
    project = Linked(
        {
            "Cargo.toml": (
                '[package]\nname = "my-app"\nautotests = false\n\n[[test]]\nname = "all"\npath = "tests/tests.rs"\n'
            ),
            "tests/tests.rs": "mod util;\nmod feature;\n",
            "tests/util.rs": "pub fn make() {}\n",
            "tests/feature.rs": "use crate::util::make;\n#[test]\nfn works() { make(); }\n",
        }
    )
    assert project.symbols("CALLS") == {("tests/feature.rs::works", "tests/util.rs::make")}


@pytest.mark.parametrize(
    "files",
    [
        {
            "Cargo.toml": '[package]\nname = "my-app"\n\n[[test]]\nname = "all"\npath = "tests/lib.rs"\n',
            "tests/lib.rs": "mod deep;\npub fn make() {}\n",
        },
        {"tests/it.rs": '#[path = "it/deep.rs"]\nmod deep;\npub fn make() {}\n'},
        {
            "Cargo.toml": '[package]\nname = "my-app"\nautobenches = false\n\n[[bench]]\nname = "all"\n',
            "benches/all.rs": "mod deep;\npub fn make() {}\n",
        },
    ],
)
def test_modules_below_a_test_or_a_benchmark_belong_to_its_root(files: dict[str, str]) -> None:
    root = next(path for path in files if path.endswith(".rs"))
    place = {"tests/lib.rs": "tests/deep/suite.rs", "tests/it.rs": "tests/it/deep.rs"}.get(root, "benches/deep.rs")
    parent = {"tests/deep/mod.rs": "mod suite;\n"} if root == "tests/lib.rs" else {}
    project = Linked(APP | files | parent | {place: "use crate::make;\nfn run() { make(); }\n"})
    assert project.symbols("CALLS") == {(f"{place}::run", f"{root}::make")}


def test_a_dependency_may_lie_in_the_root_of_the_project() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "pub fn make() {}\n",
            "fuzz/Cargo.toml": '[package]\nname = "fuzz"\n[dependencies]\nmy-app = { path = ".." }\n',
            "fuzz/src/main.rs": "use my_app::make;\nfn main() { make(); }\n",
        }
    )
    assert project.symbols("CALLS") == {("fuzz/src/main.rs::main", "src/lib.rs::make")}


def test_changes_come_to_what_a_new_reading_comes_to() -> None:
    files = project_files()
    late = {"core/Cargo.toml", "core/src/shapes/mod.rs", "app/src/lib.rs", "app/src/store/total.rs"}
    changed = Linked({path: data for path, data in files.items() if path not in late})
    changed.save({path: files[path] for path in sorted(late)})
    whole = Linked(files)
    for relation in ("IMPORTS", "ASSERTS_ON", "DRIVES"):
        assert changed.edges(relation) == whole.edges(relation)
    assert changed.symbols("CALLS") == whole.symbols("CALLS")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", [("", "a", "a")]),
        ("a::b as c", [("a", "b", "c")]),
        ("a::b as _", [("a", "b", "")]),
        ("::a::{self, b::{c, d::*,},}", [("", "a", "a"), ("a::b", "c", "c"), ("a::b::d", "*", "")]),
        ("{a, /* b, */ c::r#type}", [("", "a", "a"), ("c", "type", "type")]),
        ("a::{{{", []),
        ("", []),
    ],
)
def test_a_tree_of_names_is_read(text: str, names: list[tuple[str, str, str]]) -> None:
    assert list(use_tree(text)) == names


def test_a_deep_tree_of_names_ends() -> None:
    assert list(use_tree("a::{" * 5_000 + "b" + "}" * 5_000)) == []


def test_a_manifest_says_what_dependencies_are_called_and_where_they_are() -> None:
    manifest = parse(
        b'[package]\nname = "my-app"\n[lib]\npath = "lib.rs"\n[[bin]]\npath = "x.rs"\n'
        b'[dependencies]\nold-name = { package = "other", path = "../o" }\nshared.workspace = true\n'
        b'[target."cfg(unix)".dev-dependencies]\nnix = "1"\n'
    )
    assert (manifest.library, manifest.library_path, manifest.targets) == ("my_app", "lib.rs", ("x.rs",))
    assert manifest.dependencies["old_name"].package == "other"
    assert manifest.dependencies["old_name"].path == "../o"
    assert manifest.dependencies["nix"].path == ""
    assert manifest.dependencies["shared"].is_inherited


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("serde::Serialize", "pkg:serde"),
        ("new_name::go", "pkg:old-name"),
        ("elasticlunr::Index", "pkg:elasticlunr-rs"),
        ("near::go", "near/src/lib.rs"),
        ("std::fs", "pkg:std"),
        ("missing::go", ""),
        ("two::go", ""),
    ],
)
def test_the_head_of_a_path_is_a_dependency_or_nothing(path: str, target: str) -> None:
    project = Linked(
        {
            "app/Cargo.toml": (
                '[package]\nname = "app"\n[dependencies]\nserde = "1"\n'
                'new-name = { package = "old-name", version = "1" }\n'
                'elasticlunr-rs = "3"\ntwo-a = "1"\ntwo-b = "1"\n[target."cfg(unix)".dependencies]\nnear = "1"\n'
            ),
            "app/src/lib.rs": f"use {path};\n",
            "near/Cargo.toml": '[package]\nname = "near"\n',
            "near/src/lib.rs": "pub fn go() {}\n",
        }
    )
    found = {edge for edge in project.edges("IMPORTS") if edge[0].endswith(".rs")}
    assert found == ({("app/src/lib.rs", target)} if target else set())


@pytest.mark.parametrize("text", [b"\xff", b"[package", b"package = 3\nlib = []\nbin = 1\ntarget = 2\n"])
def test_a_manifest_that_says_nothing_of_use_is_no_fault(text: bytes) -> None:
    project = Linked({"Cargo.toml": text, "src/lib.rs": "mod a;\nuse a::go;\n", "src/a.rs": "pub fn go() {}\n"})
    assert project.edges("IMPORTS") == {("src/lib.rs", "src/a.rs")}


def test_what_a_library_gives_through_other_files_acts_on_the_world() -> None:
    project = Linked(
        APP
        | {
            "src/lib.rs": "pub mod store;\nmod save;\npub use std::fs as disk;\n",
            "src/store.rs": (
                "use rusqlite::Connection;\npub struct Store { pub db: Connection }\n"
                "impl Store { pub fn link(&self) -> Option<Connection> { None } }\n"
            ),
            "src/save.rs": (
                "use crate::store::Store;\nuse crate::disk;\n"
                'fn save(s: &Store) { s.db.execute("x", []); s.link().unwrap().close(); disk::remove_file("x"); }\n'
            ),
        }
    )
    facts = project.processor.facts("src/save.rs")
    assert facts is not None
    assert {(effect.category, effect.callee) for effect in facts.effects if not effect.is_void} == {
        ("database", "rusqlite.Connection.execute"),
        ("database", "rusqlite.Connection.close"),
        ("file_io", "std.fs.remove_file"),
    }
