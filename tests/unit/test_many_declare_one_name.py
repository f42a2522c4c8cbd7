"""Of more files that declare one name than are looked at, the nearest are; and what is far is none of what is seen."""

from memoire.dispatch import extract
from memoire.languages import language_of
from memoire.linker import Linker
from memoire.tree import Tree
from tests.support import Linked

MANY = 200
LOG = "namespace Acme;\npublic static class Log { public static void Say() { } }\n"


def test_of_many_extensions_of_one_name_the_one_of_the_own_crate_is_found() -> None:
    crates: dict[str, str] = {}
    for number in range(MANY):
        crate = f"crates/c{number:03}"
        crates[f"{crate}/Cargo.toml"] = f'[package]\nname = "c{number:03}"\n'
        crates[f"{crate}/src/lib.rs"] = "mod config;\nmod more;\n"
        crates[f"{crate}/src/config.rs"] = "pub struct Config;\n"
        crates[f"{crate}/src/more.rs"] = "use crate::config::Config;\nimpl Config {\n    pub fn load() {}\n}\n"
    last = f"crates/c{MANY - 1:03}/src"
    crates[f"{last}/lib.rs"] += "use config::Config;\nfn run() { Config::load(); }\n"
    assert Linked(crates).symbols("CALLS") == {(f"{last}/lib.rs::run", f"{last}/more.rs::Config.load")}


def test_of_many_macros_of_one_name_the_one_of_the_own_crate_is_found() -> None:
    crates: dict[str, str] = {}
    for number in range(MANY):
        crate = f"crates/c{number:03}"
        crates[f"{crate}/Cargo.toml"] = f'[package]\nname = "c{number:03}"\n'
        crates[f"{crate}/src/lib.rs"] = "#[macro_use]\nmod macros;\n"
        crates[f"{crate}/src/macros.rs"] = "macro_rules! check { () => {}; }\n"
    last = f"crates/c{MANY - 1:03}/src"
    crates[f"{last}/lib.rs"] += "fn run() { check!(); }\n"
    assert Linked(crates).symbols("CALLS") == {(f"{last}/lib.rs::run", f"{last}/macros.rs::check")}


def test_a_prototype_leads_to_the_body_that_includes_it_however_many_are_called_so() -> None:
    files = {
        f"drivers/d{number:03}/main.c": "static int probe(void) { return 1; }\nint use(void) { return probe(); }\n"
        for number in range(MANY)
    }
    files |= {
        "zoo/include/zoo.h": "int probe(void);\n",
        "zoo/lib/body.c": '#include "../include/zoo.h"\nint probe(void) { return 2; }\n',
        "zoo/app/app.c": '#include "../include/zoo.h"\nint run(void) { return probe(); }\n',
    }
    project = Linked(files)
    found = {edge for edge in project.symbols("CALLS") if edge[0].startswith("zoo/")}
    assert found == {("zoo/app/app.c::run", "zoo/lib/body.c::probe")}


def test_of_many_parts_of_one_class_those_of_the_units_that_are_seen_count() -> None:
    files: dict[str, str] = {}
    for number in range(MANY):
        files[f"src/p{number:03}/p.csproj"] = "<Project />"
        files[f"src/p{number:03}/Log.cs"] = LOG
    files["src/p000/p.csproj"] = '<Project><ProjectReference Include="../../z/lib/lib.csproj" /></Project>'
    del files["src/p000/Log.cs"]
    files["src/p000/A.cs"] = "namespace Acme;\nclass A { void Run() { Log.Say(); } }\n"
    files["z/lib/lib.csproj"] = "<Project />"
    files["z/lib/Log.cs"] = LOG
    assert Linked(files).symbols("CALLS") == {("src/p000/A.cs::A.Run", "z/lib/Log.cs::Log.Say")}


def test_of_many_projects_with_global_imports_those_of_the_own_one_count() -> None:
    files = {"lib/lib.csproj": "<Project />", "lib/Tool.cs": "namespace Lib;\npublic class Tool { }\n"}
    for number in range(MANY):
        files[f"src/p{number:03}/p.csproj"] = '<Project><ProjectReference Include="../../lib/lib.csproj" /></Project>'
        files[f"src/p{number:03}/Usings.cs"] = "global using Lib;\n"
    last = f"src/p{MANY - 1:03}"
    files[f"{last}/deep/A.cs"] = "class A { object Run() { return new Tool(); } }\n"
    assert (f"{last}/deep/A.cs::A.Run", "lib/Tool.cs::Tool") in Linked(files).symbols("CALLS")


def test_a_class_has_all_its_bases_wherever_it_was_met_first() -> None:
    count = 30
    files = {
        f"m{number:02}.py": f"from m{number + 1:02} import C{number + 1}\n\nclass C{number}(C{number + 1}):\n    pass\n"
        for number in range(count)
    }
    files[f"m{count:02}.py"] = f"class C{count}:\n    def last(self):\n        pass\n"
    files["use.py"] = (
        "from m00 import C0\nfrom m13 import C13\n\ndef far():\n    C0().last()\n\ndef near():\n    C13().last()\n"
    )
    last = f"m{count:02}.py::C{count}.last"
    calls = Linked(files).symbols("CALLS")
    assert {edge for edge in calls if edge[1] == last} == {("use.py::far", last), ("use.py::near", last)}


def test_a_file_without_facts_rests_its_namespace_on_nothing() -> None:
    path, manifest = "Sources/Shop/A.swift", "Package.swift"
    text = b'let package = Package(name: "p", targets: [.target(name: "Shop")])\n'
    files = {manifest: text, path: b"class A {}\n"}
    tree = Tree(files.get)
    tree.update(files)
    facts = extract(path, files[path])
    linker = Linker(tree, language_of, {path: facts}.get)
    tree.declare(path, linker.declared(path, facts))
    files[manifest] = text.replace(b'"Shop"', b'"Store", path: "Sources"')
    changed = tree.changed(manifest)
    assert linker.grouping.moved(changed) == {path}
    assert linker.declared(path, None) is None
    assert linker.grouping.moved(changed) == set()
