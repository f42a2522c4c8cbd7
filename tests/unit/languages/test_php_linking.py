"""How the files of PHP projects find each other: namespaces, `use`, Composer, `require`, types, effects, tests."""

import json
import random
from pathlib import Path

import pytest

from memoire.dispatch import extract
from memoire.linker import Linked as Links
from tests.support import Linked

PROJECT = Path(__file__).parents[2] / "languages" / "projects" / "php"


def read(*lines: str) -> str:
    return "<?php\n" + "\n".join(lines) + "\n"


def reached(project: Linked, path: str) -> set[str]:
    """The `path::Symbol` of other files that a file uses."""
    return {f"{item.path}::{item.symbol}" for item in project.processor.links(path).references if item.path != path}


def imported(links: Links, path: str) -> set[str]:
    return {item.target for item in links.imports if item.target_kind == "file" and item.target != path}


def test_case_says_nothing_in_names_of_functions_classes_and_namespaces() -> None:
    project = Linked(
        {
            "composer.json": '{"autoload": {"psr-4": {"App\\\\": "src/"}}}',
            "src/Models/User.php": (
                "<?php\nnamespace App\\Models;\nclass User {\n    const KIND = 1;\n    public $name;\n"
                "    public static function make() { return new self(); }\n    public function Save() {}\n}\n"
                "function helper() {}\nconst LIMIT = 3;\n"
            ),
            "src/Models/Local.php": (
                "<?php\nnamespace App\\Models;\n"
                "function local() { helPer(); USER::MAKE(); limit(); Helper(); new Helper(); }\n"
            ),
            "src/run.php": (
                "<?php\nnamespace App;\nuse app\\models\\UsEr;\nuse function App\\Models\\helpeR as assist;\n"
                "function own() {}\n"
                "function run() { User::Make()->save(); assIST(); oWN(); \\APP\\models\\heLPer(); }\n"
                "function other($Own) { return USER::kind + $own->Name; }\n"
            ),
        }
    )
    user = "src/Models/User.php::"
    assert project.symbols("CALLS") == {
        ("src/Models/User.php::User.make", f"{user}User"),
        ("src/Models/Local.php::local", f"{user}helper"),
        ("src/Models/Local.php::local", f"{user}User.make"),
        ("src/run.php::run", f"{user}User.make"),
        ("src/run.php::run", f"{user}User.Save"),
        ("src/run.php::run", f"{user}helper"),
        ("src/run.php::run", "src/run.php::own"),
    }
    before = project.symbols("CALLS")
    assert {target for _, target in project.symbols("REFERENCES")} == {f"{user}User"}
    project.save({"src/Models/Helper.php": "<?php\nnamespace App\\Models;\nfunction helPER() {}\n"})
    # Spelled in two other ways, it is told apart by none of them.
    assert {target for source, target in project.symbols("CALLS") if source == "src/Models/Local.php::local"} == {
        f"{user}User.make"
    }
    project.save({}, gone=("src/Models/Helper.php",))
    assert project.symbols("CALLS") == before


def test_imports_are_those_that_the_parser_and_composer_give() -> None:
    truth = json.loads((PROJECT / "truth.json").read_text("utf-8"))
    files = {str(path.relative_to(PROJECT)): path.read_bytes() for path in PROJECT.rglob("*") if path.is_file()}
    project = Linked(files)
    found = {}
    for path in truth:
        links = project.processor.links(path)
        required = {item.target for item in links.imports if item.kind == "require"}
        found[path] = sorted(imported(links, path) - required)
    assert found == truth


FOO = read("namespace App\\Models;", "class Foo { public function run() {} public static function make(): self {} }")


@pytest.mark.parametrize(
    "lines",
    [
        ("namespace App;", "use App\\Models\\Foo;", "Foo::make()->run();"),
        ("namespace App;", "use App\\Models\\{Bar, Foo as F};", "F::make()->run();"),
        ("namespace App;", "use App\\Models;", "Models\\Foo::make()->run();"),
        ("namespace App;", "(new Models\\Foo)->run(); Models\\Foo::make();"),
        ("namespace App;", "(new namespace\\Models\\Foo())->run(); namespace\\Models\\Foo::make();"),
        ("namespace App\\Models;", "(new Foo)->run(); Foo::make();"),
        ("namespace App\\Models { function f(Foo $foo) { $foo->run(); $foo::make(); } }",),
        ("$foo = new \\App\\Models\\Foo(); $foo->run(); \\App\\Models\\Foo::make();",),
        ("namespace A;", "namespace App\\Models;", "function f() { Foo::make()?->run(); }"),
    ],
)
def test_a_class_is_found_by_every_form_of_its_name(lines: tuple[str, ...]) -> None:
    project = Linked({"src/Models/Foo.php": FOO, "src/use.php": read(*lines)})
    symbols = {name.partition("::")[2] for name in reached(project, "src/use.php")}
    assert {"Foo.run", "Foo.make"} <= symbols
    assert (
        ("src/use.php", "src/Models/Foo.php") in project.edges("IMPORTS")
        or "namespace App\\Models {" in lines[0]
        or (lines[0] == "namespace A;")
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("namespace App;", "Foo::make();"),
        ("namespace App;", "use Other\\Foo;", "Foo::make();"),
        ("namespace App;", "\\Foo::make();"),
        ("namespace App;", "use App\\Models\\Foo as Other;", "Foo::make();"),
        ("namespace App;", "Models\\Foo\\Foo::make();"),
        ("function f() { $foo->run(); }", "$foo = new App\\Models\\Foo;", "class Foo {}"),
        ("namespace App;", "use App\\Models\\Foo;", "function f($foo) { $foo->run(); $Foo::make(); }"),
        ("namespace App;", "echo 'Foo::make()', \"\\App\\Models\\Foo::make()\"; // App\\Models\\Foo"),
        ("namespace App;", "use App\\Models\\Foo;", "$foo = new Foo; $foo = other(); $foo->run();"),
    ],
)
def test_another_thing_of_the_same_name_is_never_taken(lines: tuple[str, ...]) -> None:
    project = Linked({"src/Models/Foo.php": FOO, "src/use.php": read(*lines)})
    symbols = {name.partition("::")[2] for name in reached(project, "src/use.php")}
    assert not {"Foo.run", "Foo.make"} & symbols


def test_functions_and_constants_fall_back_to_the_root_and_classes_do_not() -> None:
    project = Linked(
        {
            "helpers.php": read("const LIMIT = 1;", "function helper() {}", "class Thing {}"),
            "own.php": read("namespace App;", "function own() {}"),
            "use.php": read("namespace App;", "helper(LIMIT, new Thing); own();"),
        }
    )
    assert reached(project, "use.php") == {"helpers.php::helper", "helpers.php::LIMIT", "own.php::own"}


def test_the_own_namespace_goes_before_the_root() -> None:
    project = Linked(
        {
            "root.php": read("function now() {}"),
            "own.php": read("namespace App;", "function now() {}"),
            "use.php": read("namespace App;", "now();"),
        }
    )
    assert reached(project, "use.php") == {"own.php::now"}


@pytest.mark.parametrize(
    ("autoload", "expected"),
    [
        ({"psr-4": {"App\\": "src/"}}, "src/Foo.php"),
        ({"psr-4": {"App\\": ["none/", "old/"]}}, "old/Foo.php"),
        ({"classmap": ["old/"]}, "old/Foo.php"),
        ({"files": ["src/Foo.php"]}, "src/Foo.php"),
    ],
)
def test_of_two_files_that_declare_a_class_the_autoloaded_one_is_meant(
    autoload: dict[str, object], expected: str
) -> None:
    foo = read("namespace App;", "class Foo {}")
    project = Linked(
        {
            "composer.json": json.dumps({"autoload": autoload}),
            "src/Foo.php": foo,
            "old/Foo.php": foo,
            "near/use.php": read("use App\\Foo;"),
        }
    )
    assert {edge for edge in project.edges("IMPORTS") if edge[0] == "near/use.php"} == {("near/use.php", expected)}


def test_when_the_autoloader_changes_the_other_file_is_meant() -> None:
    foo = read("namespace App;", "class Foo {}")
    files = {"a/Foo.php": foo, "b/Foo.php": foo, "use.php": read("use App\\Foo;", "new Foo;")}
    project = Linked(files | {"composer.json": json.dumps({"autoload": {"psr-4": {"App\\": "b"}}})})
    assert project.edges("IMPORTS") == {("use.php", "b/Foo.php")}
    project.save({"composer.json": json.dumps({"autoload": {"psr-4": {"App\\": "a"}}})})
    assert project.edges("IMPORTS") == {("use.php", "a/Foo.php")}


def test_a_namespace_from_outside_is_the_package_that_composer_installed() -> None:
    lock = {"packages": [{"name": "guzzlehttp/guzzle", "autoload": {"psr-4": {"GuzzleHttp\\": "src/"}}}]}
    manifest = {"require": {"symfony/console": "*", "symfony/process": "*", "ramsey/uuid": "*"}}
    project = Linked(
        {
            "composer.json": json.dumps(manifest),
            "composer.lock": json.dumps(lock),
            "use.php": read(
                "use GuzzleHttp\\Client;",
                "use Symfony\\Component\\Process\\Process;",
                "use Ramsey\\Uuid\\Uuid;",
                "use Other\\Thing;",
                "use PDO;",
            ),
        }
    )
    found = {(item.target_kind, item.target) for item in project.processor.links("use.php").imports}
    assert found == {
        ("package", "guzzlehttp/guzzle"),
        ("package", "symfony/process"),
        ("package", "ramsey/uuid"),
        ("package", "Other"),
        ("builtin", "PDO"),
    }


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("require __DIR__ . '/x.php';", "app/x.php"),
        ("require_once(__DIR__.'/sub/y.php');", "app/sub/y.php"),
        ('include dirname(__FILE__) . "/x.php";', "app/x.php"),
        ("require dirname(__DIR__) . '/z.php';", "z.php"),
        ("require dirname(__DIR__, 1) . '/z.php';", "z.php"),
        ("require dirname(dirname(__FILE__)) . '/z.php';", "z.php"),
        ("require __DIR__ . '/../z.php';", "z.php"),
        ("$config = require 'x.php';", "app/x.php"),
        ("require 'app/sub/y.php';", "app/sub/y.php"),
        ("require ABSPATH . 'x.php';", ""),
        ("require $path . '/x.php';", ""),
        ('require __DIR__ . "/$name.php";', ""),
        ("require __DIR__ . '/' . $name . '.php';", ""),
        ("require __DIR__ . '/../../z.php';", ""),
    ],
)
def test_a_required_file_is_found_by_its_path(statement: str, target: str) -> None:
    project = Linked({"app/x.php": "", "app/sub/y.php": "", "z.php": "", "app/use.php": read(statement)})
    assert project.edges("IMPORTS") == ({("app/use.php", target)} if target else set())


def test_members_come_from_traits_before_parents_and_from_constructor_parameters() -> None:
    project = Linked(
        {
            "base.php": read("namespace A;", "class Base { function run() {} function stop() {} }"),
            "trait.php": read("namespace A;", "trait Runs { function run() {} }"),
            "own.php": read("namespace A;", "class Own extends Base { use Runs; }"),
            "use.php": read(
                "namespace A;",
                "class User {",
                "  function __construct(private Own $own, protected ?Base $base = null) {}",
                "  function go() { $this->own->run(); $this->base?->stop(); }",
                "}",
            ),
            "far.php": read("namespace A;", "class Far extends User { function far() { $this->own->stop(); } }"),
        }
    )
    assert reached(project, "use.php") >= {"trait.php::Runs.run", "base.php::Base.stop"}
    assert reached(project, "far.php") == {"use.php::User", "base.php::Base.stop"}


def test_enum_cases_constants_and_static_members_of_other_files_are_reached() -> None:
    project = Linked(
        {
            "suit.php": read("namespace A;", "enum Suit { case Clubs; const BEST = 1; function name(): string {} }"),
            "use.php": read("namespace A;", "Suit::Clubs->name(); echo Suit::BEST, Suit::Clubs;"),
        }
    )
    assert reached(project, "use.php") == {"suit.php::Suit.Clubs", "suit.php::Suit.name", "suit.php::Suit.BEST"}


def effects(project: Linked, path: str) -> set[tuple[str, str]]:
    facts = project.processor.facts(path)
    assert facts is not None
    return {(item.category, item.callee) for item in facts.effects if not item.is_void}


def test_effects_come_through_bases_of_other_files() -> None:
    project = Linked(
        {
            "Base.php": read(
                "namespace A;", "use Illuminate\\Database\\Eloquent\\Model;", "class Base extends Model {}"
            ),
            "User.php": read("namespace A;", "class User extends Base { static function where() {} }"),
            "Post.php": read("namespace A;", "class Post extends \\Illuminate\\Database\\Eloquent\\Model {}"),
            "use.php": read("namespace A;", "function f() { User::find(1)->save(); User::where(); Post::create([]); }"),
        }
    )
    model = "Illuminate.Database.Eloquent.Model"
    assert effects(project, "use.php") >= {("database", f"{model}.find"), ("database", f"{model}.create")}
    assert ("database", f"{model}.where") not in effects(project, "use.php")


def test_a_function_of_the_project_voids_the_effect_of_the_builtin_one() -> None:
    files = {"use.php": read("namespace A;", "unlink('x');"), "other.php": read("unlink('x'); \\rename('x', 'y');")}
    project = Linked(files)
    assert effects(project, "use.php") == {("file_io", "unlink")}
    project.save({"own.php": read("namespace A;", "function unlink($x) {}")})
    assert effects(project, "use.php") == set()
    assert effects(project, "other.php") == {("file_io", "unlink"), ("file_io", "rename")}


def test_tests_of_every_framework_assert_on_what_they_use() -> None:
    project = Linked(
        {
            "src/A.php": read("namespace App;", "class A { function run() {} }"),
            "tests/UnitTest.php": read(
                "use App\\A;", "class UnitTest extends TestCase { function testRun() { (new A)->run(); } }"
            ),
            "tests/MarkTest.php": read(
                "use App\\A;", "class MarkTest {", "  #[Test]", "  function runs() { (new A)->run(); }", "}"
            ),
            "tests/DocTest.php": read(
                "use App\\A;", "class DocTest {", "  /** @test */", "  function runs() { (new A)->run(); }", "}"
            ),
            "tests/pest.php": read("use App\\A;", "it('runs', function () { (new A)->run(); });"),
            "tests/Helper.php": read("use App\\A;", "class Helper { function make() { return new A; } }"),
        }
    )
    sources = {source.partition("::")[0] for source, _ in project.edges("ASSERTS_ON")}
    assert sources == {"tests/UnitTest.php", "tests/MarkTest.php", "tests/DocTest.php", "tests/pest.php"}


@pytest.mark.parametrize(
    "source",
    [
        "",
        "<?php",
        "<?php // x",
        "<html>Foo::bar()</html>",
        "<?php class",
        "<?php namespace ;",
        "<?php use ;use {",
        "<?= $",
    ],
)
def test_whatever_a_file_holds_it_has_facts(source: str) -> None:
    facts = extract("x.php", source.encode())
    assert facts.language == "php"
    assert not facts.definitions


@pytest.mark.parametrize("seed", range(3))
def test_a_project_has_the_same_edges_in_whatever_order_its_files_come(seed: int) -> None:
    files = {str(path.relative_to(PROJECT)): path.read_bytes() for path in PROJECT.rglob("*") if path.is_file()}
    whole = Linked(files)
    order = sorted(files)
    random.Random(seed).shuffle(order)
    grown = Linked({})
    for path in order:
        grown.save({path: files[path]})
    for relation in ("IMPORTS", "ASSERTS_ON"):
        assert grown.edges(relation) == whole.edges(relation)
    for relation in ("CALLS", "REFERENCES", "INHERITS"):
        assert grown.symbols(relation) == whole.symbols(relation)


def test_a_package_sees_of_the_others_those_that_it_requires_and_what_a_manifest_around_it_loads() -> None:
    def manifest(name: str, *requires: str, loads: str = "src/") -> str:
        needed = dict.fromkeys(requires, "*")
        return json.dumps({"name": name, "require": needed, "autoload": {"psr-4": {"App\\": loads}}})

    util = read("namespace App;", "class Util { public static function run() {} }", "function help() {}")
    files = {
        "util/composer.json": manifest("acme/util"),
        "util/src/Util.php": util,
        "app/composer.json": manifest("acme/app"),
        "app/src/use.php": read("namespace App;", "Util::run();", "help();"),
    }
    project = Linked(files)
    assert reached(project, "app/src/use.php") == set()
    bound = {"util/src/Util.php::Util.run", "util/src/Util.php::help"}
    for change in (
        {"app/composer.json": manifest("acme/app", "acme/util")},
        {"app/composer.json": manifest("acme/app", "acme/mid"), "mid/composer.json": manifest("acme/mid", "acme/util")},
        {"app/composer.json": manifest("acme/app", loads="../util/src")},
        {"app/composer.json": manifest("acme/app"), "composer.json": manifest("acme/all", loads="util/src")},
    ):
        project.save(change)
        assert bound <= reached(project, "app/src/use.php"), change
        project.save({"app/composer.json": manifest("acme/app"), "composer.json": "{}"})
        assert reached(project, "app/src/use.php") == set()


def asked(project: Linked, path: str) -> set[tuple[str, str]]:
    facts = project.processor.facts(path)
    assert facts is not None
    return {(item.category, item.callee.rpartition(".")[2]) for item in facts.effects if not item.is_void}


MODELS = {
    "composer.json": json.dumps({"autoload": {"psr-4": {"App\\": "app"}}}),
    "app/Models/User.php": read(
        "namespace App\\Models;",
        "use Illuminate\\Database\\Eloquent\\Model;",
        "use Illuminate\\Database\\Eloquent\\Relations\\HasMany;",
        "class User extends Model {",
        "  public function posts(): HasMany { return $this->hasMany(Post::class); }",
        "  public function tags() { return $this->belongsToMany(Tag::class); }",
        "  public function scopeLate($query) { return $query->where('a', 1)->orderBy('b'); }",
        "  public function greet() { return 1; }",
        "}",
    ),
}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("User::query()->where('a', 1)->first()->greet();", {"first"}),
        ("User::late()->count();", {"count"}),
        ("$user->posts()->orderBy('a')->get();", {"get"}),
        ("$user->tags()->attach(1);", {"attach"}),
        ("$user->posts()->where('a', 1);", set()),
        ("User::where('a', 1);", set()),
        ("$user->greet();", set()),
        ("$other->owner->firstOrFail();", {"firstOrFail"}),
        ("$other->first();", set()),
    ],
)
def test_a_model_of_the_project_asks_the_database_where_a_query_ends(source: str, found: set[str]) -> None:
    use = read("namespace App;", "use App\\Models\\User;", f"function go(User $user, $other) {{ {source} }}")
    project = Linked({**MODELS, "app/use.php": use})
    assert asked(project, "app/use.php") == {("database", name) for name in found}


def test_a_query_leads_to_the_methods_of_the_model() -> None:
    use = read("namespace App;", "use App\\Models\\User;", "User::where('a', 1)->firstOrFail()->greet();")
    assert "app/Models/User.php::App.Models.User.greet" in {
        name.replace("::User", "::App.Models.User")
        for name in reached(Linked({**MODELS, "app/use.php": use}), "app/use.php")
    }


def test_functions_of_a_library_that_are_phps_own_act_like_them() -> None:
    project = Linked({"a.php": read("use function Safe\\file_get_contents;", "file_get_contents('x');")})
    assert asked(project, "a.php") == {("file_io", "file_get_contents")}
