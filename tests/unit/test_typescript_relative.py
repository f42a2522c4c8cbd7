"""Relative specifiers: extensions, directories, what is built, what is not there."""

import pytest

from tests.unit.typescript_trees import answer, tree_of, tree_with


@pytest.mark.parametrize(
    ("files", "path", "specifier", "expected"),
    [
        # extensionless, in TypeScript's order
        (["src/a.ts", "src/b.ts"], "src/a.ts", "./b", "src/b.ts"),
        (["src/a.ts", "src/b.tsx", "src/b.js"], "src/a.ts", "./b", "src/b.tsx"),
        (["src/a.ts", "src/b.d.ts"], "src/a.ts", "./b", "src/b.d.ts"),
        (["src/a.ts", "b.mts"], "src/a.ts", "../b", "b.mts"),
        (["src/a.ts", "src/b.service.ts"], "src/a.ts", "./b.service", "src/b.service.ts"),
        (["a.js", "b.json"], "a.js", "./b", "b.json"),
        (["a.ts", "Button.vue"], "a.ts", "./Button", "Button.vue"),
        (["a.ts", "Button.ios.tsx", "Button.android.tsx"], "a.ts", "./Button", "Button.ios.tsx"),
        (["a.js", "bin/cli"], "a.js", "./bin/cli", "bin/cli"),
        # an extension written for another
        (["a.ts", "b.ts"], "a.ts", "./b.js", "b.ts"),
        (["a.ts", "b.tsx"], "a.ts", "./b.js", "b.tsx"),
        (["a.ts", "b.d.ts"], "a.ts", "./b.js", "b.d.ts"),
        (["a.ts", "b.tsx"], "a.ts", "./b.jsx", "b.tsx"),
        (["a.ts", "b.mts"], "a.ts", "./b.mjs", "b.mts"),
        (["a.ts", "b.cts"], "a.ts", "./b.cjs", "b.cts"),
        (["a.ts", "b.ts"], "a.ts", "./b.ts", "b.ts"),
        (["a.ts", "b.ts", "b.js"], "a.ts", "./b.js", "b.ts"),
        (["a.js", "b.ts", "b.js"], "a.js", "./b.js", "b.js"),
        (["a.ts", "b.js.ts"], "a.ts", "./b.js", "b.js.ts"),
        # the implementation before its declaration, but for declarations
        (["a.ts", "b.js", "b.d.ts"], "a.ts", "./b", "b.js"),
        (["a.d.ts", "b.js", "b.d.ts"], "a.d.ts", "./b", "b.d.ts"),
        (["a.d.mts", "b.js", "b.d.ts"], "a.d.mts", "./b.js", "b.d.ts"),
        (["a.ts", "b.d.ts"], "a.ts", "./b.d.ts", "b.d.ts"),
        (["a.ts", "b.ts"], "a.ts", "./b.d.ts", "b.ts"),
        # a script prefers scripts
        (["a.js", "b.ts", "b.js"], "a.js", "./b", "b.js"),
        (["a.cjs", "b.ts"], "a.cjs", "./b", "b.ts"),
        # a file before the directory of its name, unless a slash says directory
        (["a.ts", "b.ts", "b/index.ts"], "a.ts", "./b", "b.ts"),
        (["a.ts", "b.ts", "b/index.ts"], "a.ts", "./b/", "b/index.ts"),
        (["a.ts", "b/index.tsx"], "a.ts", "./b", "b/index.tsx"),
        (["b/a.ts", "b/index.js", "b.ts"], "b/a.ts", ".", "b/index.js"),
        (["b/a.ts", "b/index.js"], "b/a.ts", "./", "b/index.js"),
        (["b/c/a.ts", "b/index.js"], "b/c/a.ts", "..", "b/index.js"),
        (["b/a.ts", "index.ts"], "b/a.ts", "..", "index.ts"),
        (["b/c/a.ts", "b/index.js"], "b/c/a.ts", "./..", "b/index.js"),
        # assets, and what bundlers write behind or before the path
        (["a.ts", "b.css"], "a.ts", "./b.css", "b.css"),
        (["a.ts", "b.svg"], "a.ts", "./b.svg?raw", "b.svg"),
        (["a.ts", "w.ts"], "a.ts", "./w?worker&inline", "w.ts"),
        (["a.ts", "b.html"], "a.ts", "!!raw-loader!./b.html", "b.html"),
        (["a.ts", "b.json"], "a.ts", "./b.json", "b.json"),
        # names that only look odd
        (["a/[id].ts", "a/(x)/b c.ts"], "a/[id].ts", "./(x)/b c", "a/(x)/b c.ts"),
        (["a.ts", "é.ts"], "a.ts", "./é", "é.ts"),
        # not there
        (["src/a.ts"], "src/a.ts", "./b", "unresolved:./b"),
        (["src/a.ts"], "src/a.ts", "../../../b", "unresolved:../../../b"),
        (["a.ts", "b/c.ts"], "a.ts", "./b", "unresolved:./b"),
        (["a.ts"], "a.ts", "", "unresolved:"),
        (["a.ts"], "a.ts", "./b\0", "unresolved:./b\0"),
        (["a.ts"], "a.ts", "./" + "x" * 5000, "unresolved:./" + "x" * 5000),
    ],
)
def test_a_relative_specifier_names_the_file_that_runs(
    files: list[str], path: str, specifier: str, expected: str
) -> None:
    assert answer(tree_of(*files), path, specifier) == expected


@pytest.mark.parametrize(
    ("manifest", "files", "expected"),
    [
        ({"main": "lib/x.js"}, ["d/lib/x.js", "d/index.js"], "d/lib/x.js"),
        ({"main": "lib/x"}, ["d/lib/x.ts"], "d/lib/x.ts"),
        ({"main": "./lib"}, ["d/lib/index.js"], "d/lib/index.js"),
        ({"types": "t.d.ts", "main": "m.js"}, ["d/t.d.ts", "d/m.js"], "d/m.js"),
        ({"types": "t.d.ts"}, ["d/t.d.ts"], "d/t.d.ts"),
        ({"module": "m.mjs", "main": "c.cjs"}, ["d/m.mjs", "d/c.cjs"], "d/m.mjs"),
        ({"source": "src/s.ts", "main": "c.cjs"}, ["d/src/s.ts", "d/c.cjs"], "d/src/s.ts"),
        ({"exports": "./e.js"}, ["d/e.js"], "d/e.js"),
        ({"main": "gone.js"}, ["d/index.js"], "d/index.js"),
        ({"main": "../../../etc/passwd"}, ["d/index.js"], "d/index.js"),
        ("not json", ["d/index.js"], "d/index.js"),
        ("[]", ["d/index.js"], "d/index.js"),
        ({"main": ["x"], "types": {"a": 1}}, ["d/index.js"], "d/index.js"),
    ],
)
def test_a_directory_with_its_own_manifest_names_its_entry(manifest: object, files: list[str], expected: str) -> None:
    assert answer(tree_with({"d/package.json": manifest}, "a.ts", *files), "a.ts", "./d") == expected


@pytest.mark.parametrize(
    ("config", "specifier", "expected"),
    [
        ({"outDir": "build", "rootDir": "source"}, "../build/x.js", "source/x.ts"),
        ({"outDir": "./build"}, "../build/y.js", "src/y.ts"),
        ({"outDir": "js", "declarationDir": "decl"}, "../decl/y", "src/y.ts"),
        ({"outDir": "build", "rootDir": "."}, "../build/src/y.js", "src/y.ts"),
        ({}, "../dist/y.js", "src/y.ts"),
        ({}, "../dist/esm/y.mjs", "src/y.ts"),
        ({}, "../dist/y.cjs.js", "src/y.ts"),
        ({}, "../dist", "src/index.ts"),
        ({}, "../dist/nothing.js", "unresolved:../dist/nothing.js"),
        ({"outDir": "."}, "../gone.js", "unresolved:../gone.js"),
        ({"outDir": 7, "rootDir": []}, "../gone.js", "unresolved:../gone.js"),
    ],
)
def test_a_built_file_that_is_not_in_the_tree_stands_for_its_source(
    config: object, specifier: str, expected: str
) -> None:
    tree = tree_with(
        {"package.json": {"name": "p"}, "tsconfig.json": {"compilerOptions": config}},
        "test/a.ts",
        "source/x.ts",
        "src/y.ts",
        "src/index.ts",
    )
    assert answer(tree, "test/a.ts", specifier) == expected


def test_root_dirs_are_one_directory() -> None:
    tree = tree_with(
        {"tsconfig.json": {"compilerOptions": {"rootDirs": ["src", "generated", "."]}}},
        "src/app/a.ts",
        "generated/app/b.ts",
        "generated/c/index.ts",
    )
    assert answer(tree, "src/app/a.ts", "./b") == "generated/app/b.ts"
    assert answer(tree, "src/app/a.ts", "../c") == "generated/c/index.ts"
    assert answer(tree, "src/app/a.ts", "./d") == "unresolved:./d"


def test_module_suffixes_are_tried() -> None:
    tree = tree_with({"tsconfig.json": {"compilerOptions": {"moduleSuffixes": [".node", "", 3]}}}, "a.ts", "b.node.ts")
    assert answer(tree, "a.ts", "./b") == "b.node.ts"


def test_a_path_from_the_served_root_is_below_the_package_or_its_public_directory() -> None:
    tree = tree_with({"web/package.json": {}}, "web/src/a.ts", "web/src/b.ts", "web/public/logo.svg", "c.ts")
    assert answer(tree, "web/src/a.ts", "/src/b") == "web/src/b.ts"
    assert answer(tree, "web/src/a.ts", "/logo.svg") == "web/public/logo.svg"
    assert answer(tree, "web/src/a.ts", "/c") == "c.ts"
    assert answer(tree, "web/src/a.ts", "/etc/passwd") == "unresolved:/etc/passwd"
    assert answer(tree, "web/src/a.ts", "//cdn.example/x.js") == "unresolved://cdn.example/x.js"
