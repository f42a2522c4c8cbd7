"""`tsconfig.json` and `jsconfig.json`: which one speaks for a file, and what it says."""

import pytest

from tests.unit.typescript_trees import answer, tree_with


def config(extra: dict[str, object] | None = None, /, **options: object) -> dict[str, object]:
    return {"compilerOptions": options, **(extra or {})}


@pytest.mark.parametrize(
    ("paths", "specifier", "expected"),
    [
        ({"@lib/*": ["src/lib/*"]}, "@lib/math", "src/lib/math.ts"),
        ({"@lib/*": ["src/lib/*"]}, "@lib/math.js", "src/lib/math.ts"),
        ({"@lib/*": ["src/lib/*"]}, "@lib/deep", "src/lib/deep/index.ts"),
        ({"@lib": ["src/lib/deep"]}, "@lib", "src/lib/deep/index.ts"),
        ({"@lib": ["src/lib/deep"]}, "@lib/x", "package:@lib/x"),
        ({"@lib/*": ["gone/*", "src/lib/*"]}, "@lib/math", "src/lib/math.ts"),
        ({"@lib/*": ["src/*"], "@lib/deep/*": ["other/*"]}, "@lib/deep/x", "other/x.ts"),
        ({"@lib/*": ["src/*"], "@lib/math": ["other/x"]}, "@lib/math", "other/x.ts"),
        ({"*": ["src/lib/*"]}, "math", "src/lib/math.ts"),
        ({"*-lib": ["src/lib/*"]}, "math-lib", "src/lib/math.ts"),
        ({"lib": "src/lib/math.ts"}, "lib", "src/lib/math.ts"),
        ({"lib": [".\\src\\lib\\math"]}, "lib", "src/lib/math.ts"),
        ({"lib/*": ["./src/lib/*"]}, "lib/../../../../etc/passwd", "package:lib"),
        # a wildcard that swallows a package's name ends at no file: the package stays outside
        ({"@lib/*": ["src/lib/*"]}, "@lib/external-pkg", "package:@lib/external-pkg"),
        ({"@lib/*": ["src/*"]}, "@lib/lib", "package:@lib/lib"),
        ({"*": ["src/lib/*"]}, "react", "package:react"),
        ({"@/*": ["src/lib/*"]}, "@/gone", "unresolved:@/gone"),
        # the specifier of a builtin may be taken, as the compiler takes it
        ({"util": ["src/lib/math"]}, "util", "src/lib/math.ts"),
        # what is no path maps nothing
        ({"@lib/*": None, "a*b*c": ["src/lib/*"], "": ["src/lib/math"]}, "@lib/math", "package:@lib/math"),
        ([], "@lib/math", "package:@lib/math"),
        ("src", "@lib/math", "package:@lib/math"),
    ],
)
def test_paths_map_a_specifier_to_the_first_target_that_is_there(paths: object, specifier: str, expected: str) -> None:
    tree = tree_with(
        {"tsconfig.json": config(paths=paths)}, "src/a.ts", "src/lib/math.ts", "src/lib/deep/index.ts", "other/x.ts"
    )
    assert answer(tree, "src/a.ts", specifier) == expected


def test_a_configuration_with_comments_trailing_commas_and_a_byte_order_mark_is_read() -> None:
    base = '{ /* base */ "compilerOptions": { "baseUrl": "./src", } }'
    paths = '{"paths": {"@lib/*": ["lib/*",],},}'
    leaf = f'\ufeff{{\n // aliases\n "extends": "./tsconfig.base.json",\n "compilerOptions": {paths},\n}}'
    tree = tree_with({"tsconfig.json": leaf, "tsconfig.base.json": base}, "src/a.ts", "src/lib/math.ts")
    assert answer(tree, "src/a.ts", "@lib/math") == "src/lib/math.ts"


def test_base_url_is_a_root_for_bare_specifiers_and_for_paths() -> None:
    tree = tree_with(
        {"tsconfig.json": config(baseUrl="src", paths={"#/*": ["lib/*"]})}, "src/a.ts", "src/lib/m.ts", "src/b/index.ts"
    )
    assert answer(tree, "src/a.ts", "lib/m") == "src/lib/m.ts"
    assert answer(tree, "src/a.ts", "b") == "src/b/index.ts"
    assert answer(tree, "src/a.ts", "#/m") == "src/lib/m.ts"
    assert answer(tree, "src/a.ts", "c") == "package:c"


def test_paths_start_at_the_configuration_that_declares_them() -> None:
    tree = tree_with(
        {
            "config/base.json": config(paths={"~lib/*": ["../shared/*"]}),
            "app/tsconfig.json": config({"extends": "../config/base"}),
        },
        "app/src/a.ts",
        "shared/m.ts",
        "app/shared/m.ts",
    )
    assert answer(tree, "app/src/a.ts", "~lib/m") == "shared/m.ts"


def test_config_dir_stands_for_the_configuration_that_extends() -> None:
    tree = tree_with(
        {
            "base.json": config(paths={"$$/*": ["${configDir}/src/*"]}) | {"include": ["${configDir}/src"]},
            "app/tsconfig.json": {"extends": "../base.json"},
            "tsconfig.json": config(paths={"$$/*": ["./*"]}),
        },
        "app/src/a.ts",
        "app/src/m.ts",
        "m.ts",
        "other.ts",
    )
    assert answer(tree, "app/src/a.ts", "$$/m") == "app/src/m.ts"
    assert answer(tree, "other.ts", "$$/m") == "m.ts"


def test_the_last_of_several_extended_configurations_wins_and_the_own_options_over_all() -> None:
    tree = tree_with(
        {
            "one.json": config(paths={"x": ["one.ts"]}),
            "two.json": config(paths={"x": ["two.ts"]}),
            "a/tsconfig.json": {"extends": ["../one.json", "../two.json"]},
            "b/tsconfig.json": config({"extends": ["../one.json", "../two.json"]}, paths={"x": ["three.ts"]}),
        },
        *("a/m.ts", "b/m.ts", "b/three.ts"),
        *("one.ts", "two.ts"),
    )
    assert answer(tree, "a/m.ts", "x") == "two.ts"
    assert answer(tree, "b/m.ts", "x") == "b/three.ts"


@pytest.mark.parametrize(
    ("extends", "extra"),
    [
        ("@acme/config/base.json", {}),
        ("@acme/config/base", {}),
        ("@acme/config", {"tsconfig": "./base.json"}),
        ("@acme/config", {"exports": {".": "./base.json"}}),
        ("@acme/config/strict", {"exports": {"./strict": "./base.json"}}),
    ],
)
def test_a_configuration_may_extend_one_of_a_workspace_package(extends: str, extra: dict[str, object]) -> None:
    tree = tree_with(
        {
            "packages/config/package.json": {"name": "@acme/config", **extra},
            "packages/config/base.json": config(paths={"~x": ["../../x.ts"]}),
            "app/tsconfig.json": {"extends": extends},
        },
        "app/a.ts",
        "x.ts",
    )
    assert answer(tree, "app/a.ts", "~x") == "x.ts"


def test_a_solution_refers_to_the_configuration_that_holds_the_file() -> None:
    tree = tree_with(
        {
            "tsconfig.json": {"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "tools"}, {}, 7]},
            "tsconfig.app.json": config({"include": ["src"]}, paths={"@/*": ["src/*"]}),
            "tools/tsconfig.json": config({"references": [{"path": ".."}]}, paths={"@/*": ["./*"]}),
        },
        *("src/a.ts", "src/m.ts", "tools/b.ts", "tools/m.ts", "test/c.ts"),
    )
    assert answer(tree, "src/a.ts", "@/m") == "src/m.ts"
    assert answer(tree, "tools/b.ts", "@/m") == "tools/m.ts"
    # no configuration holds the test; its runner still knows the alias
    assert answer(tree, "test/c.ts", "@/m") == "src/m.ts"


@pytest.mark.parametrize(
    ("selection", "path", "is_held"),
    [
        ({"include": ["src"]}, "app/src/deep/a.ts", True),
        ({"include": ["src"]}, "app/test/a.ts", False),
        ({"include": ["src/*"]}, "app/src/a.ts", True),
        ({"include": ["src/*"]}, "app/src/deep/a.ts", False),
        ({"include": ["**/*.spec.ts"]}, "app/x/y/a.spec.ts", True),
        ({"include": ["**/*.spec.ts"]}, "app/x/y/a.ts", False),
        ({"include": ["s?c/**/*"]}, "app/src/a.ts", True),
        ({"include": ["../shared"]}, "shared/a.ts", False),
        ({"files": ["one.ts"]}, "app/one.ts", True),
        ({"files": ["one.ts"]}, "app/two.ts", False),
        ({"exclude": ["test"]}, "app/test/a.ts", False),
        ({"exclude": ["**/*.spec.ts"]}, "app/a.spec.ts", False),
        ({"exclude": ["**/*.spec.ts"]}, "app/a.ts", True),
        ({"compilerOptions": {"outDir": "out"}}, "app/out/a.ts", False),
        ({"include": []}, "app/a.ts", False),
        ({"include": "src"}, "app/a.ts", True),
        ({}, "app/a.ts", True),
    ],
)
def test_the_nearest_configuration_that_holds_a_file_speaks_for_it(
    selection: dict[str, object], path: str, is_held: bool
) -> None:
    near = {"extends": "./near.json", **selection}
    tree = tree_with(
        {
            "app/near.json": config(paths={"~m": ["near.ts"]}),
            "app/tsconfig.json": near,
            "tsconfig.json": config(paths={"~m": ["far.ts"]}),
        },
        *(path, "app/near.ts", "far.ts"),
    )
    assert answer(tree, path, "~m") == ("app/near.ts" if is_held else "far.ts")


def test_a_file_outside_its_directory_is_held_by_a_configuration_that_includes_it() -> None:
    tree = tree_with(
        {
            "tsconfig.json": {"files": [], "references": [{"path": "./app"}]},
            "app/tsconfig.json": config({"include": ["../shared/**/*"]}, paths={"~m": ["m.ts"]}),
        },
        "shared/a.ts",
        "app/m.ts",
    )
    assert answer(tree, "shared/a.ts", "~m") == "app/m.ts"


def test_jsconfig_speaks_for_scripts() -> None:
    tree = tree_with({"web/jsconfig.json": config(paths={"@/*": ["./app/*"]})}, "web/app/a.js", "web/app/m.jsx")
    assert answer(tree, "web/app/a.js", "@/m") == "web/app/m.jsx"


@pytest.mark.parametrize(
    "configs",
    [
        {"tsconfig.json": {"extends": "./tsconfig.json"}},
        {"tsconfig.json": {"extends": ["./b.json", "./b.json"]}, "b.json": {"extends": "./tsconfig.json"}},
        {"tsconfig.json": {"extends": "../../../outside.json"}},
        {"tsconfig.json": {"extends": ["", ".", "..", "/", "@", "@/", None, 3]}},
        {"tsconfig.json": {"files": [], "references": [{"path": "."}, {"path": ""}, {"path": "../.."}]}},
        {"tsconfig.json": "[" * 100_000},
        {"tsconfig.json": '{"compilerOptions": ' * 5_000},
        {"tsconfig.json": b"\xff\xfe\x00"},
        {"tsconfig.json": b""},
        {"tsconfig.json": "7"},
        {"tsconfig.json": {"compilerOptions": [], "include": {}, "references": {}, "extends": {}}},
        {"tsconfig.json": {"compilerOptions": {"paths": {"*": [3, None, {}]}, "baseUrl": 4, "rootDirs": "src"}}},
        {"tsconfig.json": config(paths={f"@{i}/*": ["x/*"] for i in range(20_000)})},
        {"tsconfig.json": config({"include": ["**/a/" * 40 + "*a*a*a*a*b"]})},
        {"tsconfig.json": config({"include": ["/".join(["**"] * 5_000)]})},
    ],
)
def test_a_hostile_configuration_costs_nothing_but_itself(configs: dict[str, object]) -> None:
    tree = tree_with(configs, "src/" + "a/" * 60 + "a.ts", "src/b.ts")
    assert answer(tree, "src/" + "a/" * 60 + "a.ts", "react") == "package:react"
    assert answer(tree, "src/b.ts", "./b") == "src/b.ts"


def test_a_fan_of_configurations_that_extend_each_other_twice_is_read_once_each() -> None:
    configs: dict[str, object] = {f"c{i}.json": {"extends": [f"./c{i + 1}.json"] * 2} for i in range(60)}
    configs["tsconfig.json"] = {"extends": "./c0.json"}
    tree = tree_with({**configs, "c60.json": config(paths={"~m": ["m.ts"]})}, "a.ts", "m.ts")
    assert answer(tree, "a.ts", "~m") == "m.ts"
