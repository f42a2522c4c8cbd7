"""Go through extraction, linking and relations: which package an import names, and where its names lead."""

import json
from pathlib import Path
from posixpath import dirname

import pytest

from memoire.languages.go.gomod import parse
from memoire.languages.go.resolution import names_of
from tests.support import Linked

PROJECT = Path(__file__).parents[2] / "languages" / "projects" / "go"
STORE = "package store\n\ntype Item struct{}\n\nfunc Load() *Item { return nil }\n\nfunc (i *Item) Save() {}\n"


def project_files() -> dict[str, bytes]:
    files = (path for path in PROJECT.rglob("*") if path.is_file() and path.name != "truth.json")
    return {path.relative_to(PROJECT).as_posix(): path.read_bytes() for path in files}


def test_a_project_is_linked_as_the_type_checker_of_go_does() -> None:
    truth = json.loads((PROJECT / "truth.json").read_bytes())
    project = Linked(project_files())
    used = {
        (source.partition("::")[0], target.partition("::")[0])
        for relation in ("CALLS", "REFERENCES", "INHERITS")
        for source, target in project.symbols(relation)
    }
    assert {edge for edge in used if edge[0] != edge[1]} == {tuple(edge) for edge in truth["uses"]}
    folders = {
        (dirname(source), dirname(target))
        for source, target in project.edges("IMPORTS")
        if source.endswith(".go")
        and not source.endswith("_test.go")
        and not target.startswith("pkg:")
        and dirname(source) != dirname(target)
    }
    assert folders == {(folder, other) for folder, others in truth["packages"].items() for other in others}


def test_tests_assert_on_what_they_use_and_on_no_helper_among_the_tests() -> None:
    edges = Linked(project_files()).edges("ASSERTS_ON")
    assert edges == {
        ("store/store_test.go", "store/store.go"),
        ("store/store_test.go", "store/item.go"),
        ("store/store_test.go", "money/amount.go"),
        ("store/item_test.go", "store/item.go"),  # and of store.go no more than the declaration of a struct
        # what those run in their turn
        ("store/store_test.go", "store/internal/disk/check.go"),
        ("store/store_test.go", "store/internal/disk/file.go"),
        ("store/item_test.go", "money/amount.go"),
    }


@pytest.mark.parametrize(
    ("files", "target"),
    [
        ({"go.mod": "module ex.com/a\n"}, "store/load.go"),
        ({"go.mod": 'module "ex.com/a" // quoted\n'}, "store/load.go"),
        ({"go.mod": "module ex.com/other\n"}, "pkg:ex.com/a"),
        ({"go.mod": "module ex.com/a\n", "store/go.mod": "module ex.com/b\n"}, ""),
        ({"go.mod": "module ex.com/a\n", "store/go.mod": "module ex.com/a/store\n"}, "store/load.go"),
        ({"go.mod": "module ex.com/b\nreplace ex.com/a => ./\n"}, "store/load.go"),
        ({"go.mod": "module ex.com/b\nreplace (\n\tex.com/a v1.0.0 => ../a\n)\n"}, "pkg:ex.com/a"),
        ({"go.mod": "module ex.com/b\nrequire ex.com/a/store v1.0.0\n"}, "pkg:ex.com/a/store"),
        ({"cmd/go.mod": "module ex.com/c\n", "go.mod": "module ex.com/a\n"}, "store/load.go"),
        (
            {"go.work": "use (\n\t./cmd\n\t.\n)\n", "cmd/go.mod": "module ex.com/c\n", "go.mod": "module ex.com/a\n"},
            "store/load.go",
        ),
    ],
)
def test_an_import_path_names_the_folder_that_its_module_has_there(files: dict[str, str], target: str) -> None:
    main = 'package main\n\nimport "ex.com/a/store"\n\nfunc main() { store.Load() }\n'
    project = Linked(files | {"store/load.go": STORE, "cmd/main.go": main})
    edges = {edge for edge in project.edges("IMPORTS") if edge[0].endswith(".go")}
    assert edges == ({("cmd/main.go", target)} if target else set())


def test_without_modules_a_path_lies_below_the_folder_src() -> None:
    project = Linked(
        {
            "src/ex.com/a/store/load.go": STORE,
            "src/ex.com/b/main.go": 'package main\n\nimport "ex.com/a/store"\n\nfunc main() { store.Load().Save() }\n',
        }
    )
    assert project.symbols("CALLS") == {
        ("src/ex.com/b/main.go::main", "src/ex.com/a/store/load.go::Load"),
        ("src/ex.com/b/main.go::main", "src/ex.com/a/store/load.go::Item.Save"),
    }


def test_what_is_internal_is_seen_from_the_folder_around_it_alone() -> None:
    use = 'package use\n\nimport "ex.com/a/lib/internal/store"\n\nfunc Use() { store.Load() }\n'
    project = Linked(
        {
            "go.mod": "module ex.com/a\n",
            "lib/internal/store/load.go": STORE,
            "lib/deep/use.go": use,
            "other/use.go": use,
        }
    )
    assert project.edges("IMPORTS") == {("lib/deep/use.go", "lib/internal/store/load.go")}


def test_a_name_is_never_one_of_another_package() -> None:
    project = Linked(
        {
            "go.mod": "module ex.com/a\n",
            "one/one.go": "package one\n\nfunc helper() {}\n\ntype Item struct{}\n\nfunc (i Item) Save() {}\n",
            "two/two.go": (
                "package two\n\nfunc Run(item any, other Item) {\n\thelper()\n\titem.Save()\n\tother.Save()\n}\n"
            ),
            "two/gen.go": "//go:build ignore\n\npackage main\n\nfunc helper() {}\n\nfunc main() { helper() }\n",
            "two/two_test.go": "package two_test\n\nfunc helper() {}\n",
        }
    )
    assert project.symbols("CALLS") == {("two/gen.go::main", "two/gen.go::helper")}
    assert project.edges("IMPORTS") == set()


def test_a_local_name_hides_the_package_and_the_function_of_that_name() -> None:
    project = Linked(
        {
            "go.mod": "module ex.com/a\n",
            "store/load.go": STORE,
            "helper.go": "package app\n\nfunc helper() {}\n",
            "use.go": (
                'package app\n\nimport "ex.com/a/store"\n\nfunc Use(helper func()) {\n\thelper()\n'
                "\tstore := open()\n\tstore.Load()\n}\n\nfunc Second() {\n\tif helper := 1; helper > 0 {\n\t}\n"
                "\tstore := store.Load()\n\tstore.Save()\n}\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("use.go::Second", "store/load.go::Load"),
        ("use.go::Second", "store/load.go::Item.Save"),
    }


def test_of_two_files_for_two_systems_the_one_for_the_same_is_used() -> None:
    project = Linked(
        {
            "go.mod": "module ex.com/a\n",
            "disk_linux.go": "package a\n\nfunc sync() {}\n",
            "disk_windows.go": "package a\n\nfunc sync() {}\n",
            "net_windows.go": "package a\n\nfunc Run() { sync() }\n",
        }
    )
    assert project.symbols("CALLS") == {("net_windows.go::Run", "disk_windows.go::sync")}


def test_methods_of_what_a_type_embeds_are_its_own() -> None:
    project = Linked(
        {
            "go.mod": "module ex.com/a\n",
            "base/base.go": "package base\n\ntype Base struct{}\n\nfunc (b *Base) Run() {}\nfunc (b *Base) Stop() {}\n",
            "app/app.go": (
                'package app\n\nimport "ex.com/a/base"\n\n'
                'type App struct {\n\t*base.Base `json:"base"`\n\tname string\n}\n'
            ),
            "app/stop.go": "package app\n\nfunc (a *App) Stop() {}\n",
            "app/use.go": "package app\n\nfunc Use(a App) {\n\ta.Run()\n\ta.Stop()\n}\n",
        }
    )
    assert project.symbols("CALLS") == {
        ("app/use.go::Use", "base/base.go::Base.Run"),
        ("app/use.go::Use", "app/stop.go::App.Stop"),
    }
    assert project.symbols("INHERITS") == {("app/app.go::App", "base/base.go::Base")}


def test_items_of_what_other_files_hold_and_give_are_followed() -> None:
    project = Linked(
        {
            "go.mod": "module ex.com/a\n",
            "store/load.go": STORE,
            "store/all.go": (
                "package store\n\ntype Shelf struct{ items map[string][]*Item }\n\nfunc All() []*Item { return nil }\n"
                "\nfunc (s *Shelf) One() { s.items.Save() }\n"
            ),
            "use.go": (
                'package app\n\nimport "ex.com/a/store"\n\nfunc Use() {\n\tfor _, item := range store.All() {\n'
                "\t\titem.Save()\n\t}\n\tstore.All().Save()\n}\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("use.go::Use", "store/all.go::All"),
        ("use.go::Use", "store/load.go::Item.Save"),
    }


def test_a_variable_of_the_package_is_written_from_another_file() -> None:
    project = Linked(
        {
            "go.mod": "module ex.com/a\n",
            "state.go": "package app\n\nvar total, limit int\n",
            "use.go": "package app\n\nfunc Use() {\n\ttotal = 3\n\tlimit++\n\ttotal := 4\n\t_ = total\n}\n",
            "main.go": 'package main\n\nimport app "ex.com/a"\n\nfunc main() { app.limit = 2 }\n',
        }
    )
    written = {
        (item.scope, item.path, item.symbol)
        for path in ("use.go", "main.go")
        for item in project.processor.links(path).references
        if item.how & 4
    }
    assert written == {("Use", "state.go", "total"), ("Use", "state.go", "limit"), ("main", "state.go", "limit")}


def test_effects_of_the_project_s_own_packages_are_none_of_a_library() -> None:
    files = {
        "go.mod": "module gorm.io/gorm\n",
        "open.go": "package gorm\n\ntype DB struct{}\n\nfunc Open() *DB { return nil }\n",
        "cmd/main.go": 'package main\n\nimport "gorm.io/gorm"\n\nfunc main() { gorm.Open() }\n',
    }
    facts = Linked(files).processor.facts("cmd/main.go")
    assert facts is not None
    assert [effect.is_void for effect in facts.effects] == [True]


def test_what_a_library_gives_through_other_files_acts_on_the_world() -> None:
    files = {
        "go.mod": "module ex.com/a\n",
        "store/store.go": (
            'package store\n\nimport (\n\t"database/sql"\n\t"github.com/redis/go-redis/v9"\n)\n\n'
            "type Store struct {\n\t*sql.DB\n\tcache *redis.Client\n}\n\n"
            "func (s *Store) Cache() *redis.Client { return s.cache }\n"
        ),
        "main.go": (
            'package main\n\nimport "ex.com/a/store"\n\n'
            'func run(s *store.Store) {\n\ts.Exec("x")\n\ts.Cache().Get(nil, "k")\n}\n'
        ),
    }
    facts = Linked(files).processor.facts("main.go")
    assert facts is not None
    assert {(effect.category, effect.callee) for effect in facts.effects} == {
        ("database", "database/sql.DB.Exec"),
        ("cache", "github.com/redis/go-redis.Client.Get"),
    }


def test_changes_come_to_what_a_new_reading_comes_to() -> None:
    files = project_files()
    late = {"go.mod", "store/item.go", "store/internal/disk/lock_linux.go", "money/amount.go"}
    changed = Linked({path: data for path, data in files.items() if path not in late})
    changed.save({path: files[path] for path in sorted(late)})
    whole = Linked(files)
    for relation in ("IMPORTS", "ASSERTS_ON", "DRIVES"):
        assert changed.edges(relation) == whole.edges(relation)


@pytest.mark.parametrize(
    ("specifier", "names"),
    [
        ("net/http", ("http",)),
        ("github.com/redis/go-redis/v9", ("v9", "goredis", "go_redis", "redis", "go")),
        ("gopkg.in/yaml.v3", ("yaml",)),
        ("k8s.io/api/core/v1", ("v1",)),
        ("v2", ("v2",)),
        ("", ()),
    ],
)
def test_a_package_is_called_by_its_path_without_versions(specifier: str, names: tuple[str, ...]) -> None:
    assert set(names_of(specifier)) == set(names)


def test_what_is_no_directive_of_a_module_file_is_passed_over() -> None:
    mod = parse(b"\xff\nmodule\nreplace => =>\nreplace a =>\nuse (\n./x // here\n\nrequire x\n")
    assert (mod.module, mod.replaces, mod.uses) == ("", (), ("./x", "require"))
