"""Bare specifiers: workspaces, `exports`, `imports`, builtins, Deno, URLs, conventions."""

import pytest

from memoire.languages.typescript.manifest import parse_pnpm
from tests.unit.typescript_trees import answer, tree_of, tree_with


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("react", "package:react"),
        ("react/jsx-runtime", "package:react"),
        ("@scope/name", "package:@scope/name"),
        ("@scope/name/deep/x.js", "package:@scope/name"),
        ("lodash.merge", "package:lodash.merge"),
        ("JSONStream", "package:JSONStream"),
        ("fs", "builtin:node:fs"),
        ("fs/promises", "builtin:node:fs"),
        ("node:fs/promises", "builtin:node:fs"),
        ("node:test", "builtin:node:test"),
        ("test", "package:test"),
        ("buffer/", "package:buffer"),
        ("process/browser", "package:process"),
        ("bun", "builtin:bun"),
        ("bun:sqlite", "builtin:bun:sqlite"),
        ("cloudflare:workers", "builtin:cloudflare:workers"),
        ("npm:chalk@5/source", "package:chalk"),
        ("npm:@scope/name@^1.2", "package:@scope/name"),
        ("npm:/preact@10.5.13", "package:preact"),
        ("jsr:@std/fs@1/walk", "package:@std/fs"),
        ("https://deno.land/std@0.224.0/fs/mod.ts", "package:deno.land/std"),
        ("https://deno.land/x/oak@v12.6.1/mod.ts", "package:deno.land/x/oak"),
        ("https://esm.sh/react@18.2.0/client?dev", "package:react"),
        ("https://esm.sh/v135/@scope/name@1", "package:@scope/name"),
        ("https://cdn.jsdelivr.net/npm/vue@3/dist/vue.js", "package:vue"),
        ("https://unpkg.com/htm@3", "package:htm"),
        ("https://example.org/x/y.js", "package:example.org"),
        ("https://[broken", "unresolved:https://[broken"),
        ("https:", "unresolved:https:"),
        ("data:text/javascript,export{}", "builtin:data:"),
        ("file:///etc/passwd", "unresolved:file:///etc/passwd"),
        ("virtual:pwa-register/react", "package:virtual:pwa-register"),
        ("astro:content", "package:astro"),
        ("$app/stores", "package:@sveltejs/kit"),
        ("@", "unresolved:@"),
        ("@scope", "unresolved:@scope"),
        ("@/x", "unresolved:@/x"),
        ("~/x", "unresolved:~/x"),
        ("#x", "unresolved:#x"),
        ("C:\\x", "unresolved:C:\\x"),
        ("?", "unresolved:?"),
        ("!", "unresolved:!"),
        ("…", "unresolved:…"),
    ],
)
def test_a_bare_specifier_that_is_no_file_here_is_named_by_its_package(specifier: str, expected: str) -> None:
    assert answer(tree_of("src/a.ts"), "src/a.ts", specifier) == expected


WORKSPACE = {
    "package.json": {"private": True, "workspaces": ["packages/*"]},
    "packages/app/package.json": {"name": "app", "dependencies": {"@acme/ui": "workspace:*"}},
}


@pytest.mark.parametrize(
    ("manifest", "files", "specifier", "expected"),
    [
        ({}, ["src/index.ts"], "@acme/ui", "src/index.ts"),
        ({}, ["index.js"], "@acme/ui", "index.js"),
        ({"main": "lib/m.js"}, ["lib/m.js"], "@acme/ui", "lib/m.js"),
        ({}, ["button.ts"], "@acme/ui/button", "button.ts"),
        ({}, ["src/button.tsx"], "@acme/ui/button", "src/button.tsx"),
        ({}, ["b/package.json", "b/index.ts"], "@acme/ui/b", "b/index.ts"),
        ({}, ["package.json"], "@acme/ui/package.json", "package.json"),
        # exports
        ({"exports": "./e.ts"}, ["e.ts", "index.ts"], "@acme/ui", "e.ts"),
        ({"exports": {".": "./e.ts", "./b": "./x/b.ts"}}, ["e.ts", "x/b.ts"], "@acme/ui/b", "x/b.ts"),
        ({"exports": {"import": "./i.mjs", "require": "./r.cjs"}}, ["i.mjs", "r.cjs"], "@acme/ui", "i.mjs"),
        ({"exports": {"require": "./r.cjs", "import": "./i.mjs"}}, ["i.mjs", "r.cjs"], "@acme/ui", "i.mjs"),
        ({"exports": {".": {"types": "./t.d.ts", "default": "./d.js"}}}, ["t.d.ts", "d.js"], "@acme/ui", "d.js"),
        ({"exports": {".": {"browser": "./b.ts", "default": "./d.ts"}}}, ["b.ts", "d.ts"], "@acme/ui", "d.ts"),
        ({"exports": {".": {"node": {"import": {"default": "./n.ts"}}}}}, ["n.ts"], "@acme/ui", "n.ts"),
        ({"exports": {".": [{"import": "./gone.js"}, "./d.ts"]}}, ["d.ts"], "@acme/ui", "d.ts"),
        ({"exports": {".": {"source": "./src/s.ts", "import": "./dist/s.js"}}}, ["src/s.ts"], "@acme/ui", "src/s.ts"),
        ({"exports": {"./*": "./src/*.ts"}}, ["src/a/b.ts"], "@acme/ui/a/b", "src/a/b.ts"),
        ({"exports": {"./*": "./src/*", "./x/*": "./y/*"}}, ["y/b.ts", "src/x/b.ts"], "@acme/ui/x/b.ts", "y/b.ts"),
        ({"exports": {"./*.js": "./src/*.ts", "./*": "./z/*"}}, ["src/b.ts"], "@acme/ui/b.js", "src/b.ts"),
        ({"exports": {"./f/": "./src/f/"}}, ["src/f/b.ts"], "@acme/ui/f/b.ts", "src/f/b.ts"),
        ({"exports": {"./*": "./src/*.ts", "./in/*": None}}, ["src/in/b.ts"], "@acme/ui/in/b", "package:@acme/ui"),
        ({"exports": {".": None}}, ["index.ts"], "@acme/ui", "package:@acme/ui"),
        ({"exports": {".": "./i.ts"}}, ["i.ts", "deep/x.ts"], "@acme/ui/deep/x", "deep/x.ts"),
        ({"exports": {".": "./../../../x.ts"}}, ["src/index.ts"], "@acme/ui", "src/index.ts"),
        ({"exports": {".": {"a": {"b": [[["./d.ts"]]]}}, "bad": 3}}, ["d.ts"], "@acme/ui", "d.ts"),
        # what is built stands for its source
        ({"main": "dist/index.js"}, ["src/index.tsx"], "@acme/ui", "src/index.tsx"),
        ({"types": "dist/main.d.ts"}, ["src/main.ts"], "@acme/ui", "src/main.ts"),
        ({"exports": {"./b": "./dist/esm/b/index.mjs"}}, ["src/b.ts"], "@acme/ui/b", "src/b.ts"),
        ({"exports": {"./b": "./dist/esm/b/index.mjs"}}, ["src/b/index.ts"], "@acme/ui/b", "src/b/index.ts"),
        ({"exports": {"./c": "./build/modern/c.cjs"}}, ["src/c.ts"], "@acme/ui/c", "src/c.ts"),
        ({"main": "dist/ui.umd.js"}, ["src/index.ts"], "@acme/ui", "src/index.ts"),
        ({}, ["src/x/y.ts"], "@acme/ui/lib/x/y", "src/x/y.ts"),
        ({}, ["src/x/y.ts"], "@acme/ui/dist/x/y.js", "src/x/y.ts"),
        ({}, ["README.md"], "@acme/ui", "package:@acme/ui"),
    ],
)
def test_a_package_of_the_workspace_resolves_by_name(
    manifest: dict[str, object], files: list[str], specifier: str, expected: str
) -> None:
    base = "packages/ui"
    tree = tree_with(
        {**WORKSPACE, f"{base}/package.json": {"name": "@acme/ui", **manifest}},
        "packages/app/a.ts",
        *(f"{base}/{file}" for file in files),
    )
    wanted = expected if ":" in expected else f"{base}/{expected}"
    assert answer(tree, "packages/app/a.ts", specifier) == wanted


def test_require_gets_what_exports_offer_to_require() -> None:
    tree = tree_with(
        {
            **WORKSPACE,
            "packages/ui/package.json": {"name": "ui", "exports": {"import": "./i.mjs", "require": "./r.cjs"}},
        },
        *("packages/app/a.cjs", "packages/ui/i.mjs", "packages/ui/r.cjs"),
    )
    assert answer(tree, "packages/app/a.cjs", "ui") == "packages/ui/r.cjs"


def test_the_output_directory_of_a_package_leads_to_its_source() -> None:
    tree = tree_with(
        {
            **WORKSPACE,
            "packages/ui/package.json": {"name": "ui", "main": "./generated/js/main.js"},
            "packages/ui/tsconfig.json": {"compilerOptions": {"outDir": "generated/js", "rootDir": "code"}},
        },
        *("packages/app/a.ts", "packages/ui/code/main.ts"),
    )
    assert answer(tree, "packages/app/a.ts", "ui") == "packages/ui/code/main.ts"


def test_a_package_imports_itself_by_name() -> None:
    tree = tree_with({"package.json": {"name": "me", "exports": {"./x": "./src/x.ts"}}}, "src/x.ts", "test/a.ts")
    assert answer(tree, "test/a.ts", "me/x") == "src/x.ts"


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("#db", "src/db.ts"),
        ("#lib/a/b", "src/lib/a/b.ts"),
        ("#built", "src/built.ts"),
        ("#dep", "package:pg"),
        ("#cond", "src/db.ts"),
        ("#own", "src/index.ts"),
        ("#blocked", "unresolved:#blocked"),
        ("#loop", "unresolved:#loop"),
        ("#none", "unresolved:#none"),
    ],
)
def test_imports_of_the_manifest_map_private_names(specifier: str, expected: str) -> None:
    imports = {
        "#db": "./src/db.ts",
        "#lib/*": "./src/lib/*.js",
        "#built": "./dist/built.js",
        "#dep": "pg",
        "#cond": {"node": {"default": "./src/db.js"}, "default": "./gone.js"},
        "#own": "me",
        "#blocked": None,
        "#loop": "#loop2",
        "#loop2": "#loop",
    }
    tree = tree_with(
        {"package.json": {"name": "me", "imports": imports}},
        *("src/db.ts", "src/lib/a/b.ts", "src/built.ts", "src/index.ts"),
    )
    assert answer(tree, "src/db.ts", specifier) == expected


@pytest.mark.parametrize(
    "marker",
    [
        {"package.json": {"workspaces": ["libs/*", "!libs/old"]}},
        {"package.json": {"workspaces": {"packages": ["libs/*", "!libs/old"]}}},
        {
            "package.json": {},
            "pnpm-workspace.yaml": "packages:\n  # all\n  - 'libs/*' # here\n  - \"!libs/old\"\nx: 1\n",
        },
        {"package.json": {}, "pnpm-workspace.yaml": 'packages: ["libs/*", "!libs/old"]\n'},
        {"package.json": {}, "lerna.json": {"packages": ["libs/*", "!libs/old"]}},
        {"package.json": {}, "deno.json": {"workspace": ["libs/*", "!libs/old"]}},
        {"package.json": {}, "deno.json": {"workspace": {"members": ["./libs/*", "!libs/old"]}}},
    ],
)
def test_of_two_packages_of_one_name_the_member_of_the_workspace_is_meant(marker: dict[str, object]) -> None:
    tree = tree_with(
        {
            **marker,
            "libs/app/package.json": {"name": "app"},
            "libs/new/package.json": {"name": "util-x"},
            "libs/old/package.json": {"name": "util-x"},
        },
        *("libs/app/a.ts", "libs/new/index.ts", "libs/old/index.ts"),
    )
    assert answer(tree, "libs/app/a.ts", "util-x") == "libs/new/index.ts"


def test_of_two_packages_of_one_name_the_linked_one_is_meant() -> None:
    tree = tree_with(
        {
            "app/package.json": {"name": "app", "dependencies": {"x": "file:../vendored/x"}},
            "app/lib/package.json": {"name": "x"},
            "vendored/x/package.json": {"name": "x"},
        },
        *("app/a.ts", "app/lib/index.ts", "vendored/x/index.ts"),
    )
    assert answer(tree, "app/a.ts", "x") == "vendored/x/index.ts"


def test_a_package_in_a_fixture_is_seen_by_the_fixture_alone() -> None:
    tree = tree_with(
        {"test/fixtures/one/node/package.json": {"name": "react"}},
        *("src/a.ts", "test/fixtures/one/b.ts", "test/fixtures/one/node/index.js"),
    )
    assert answer(tree, "src/a.ts", "react") == "package:react"
    assert answer(tree, "test/fixtures/one/b.ts", "react") == "test/fixtures/one/node/index.js"


def test_a_builtin_is_not_a_package_of_the_project() -> None:
    tree = tree_with({"packages/events/package.json": {"name": "events"}}, "a.ts", "packages/events/index.ts")
    assert answer(tree, "a.ts", "events") == "builtin:node:events"


DENO = {
    "deno.json": {
        "imports": {
            "oak": "jsr:@oak/oak@17",
            "$std/": "https://deno.land/std@0.224.0/",
            "@/": "./src/",
            "util": "./src/util.ts",
            "self": "self",
            "bad": 3,
        },
        "scopes": {"./src/old/": {"util": "./src/old/util.ts"}, "../x": {}, "bad": 3},
        "workspace": ["./fs"],
    },
    "fs/deno.json": {"name": "@acme/fs", "version": "1.0.0", "exports": {".": "./mod.ts", "./walk": "./walk.ts"}},
}


@pytest.mark.parametrize(
    ("path", "specifier", "expected"),
    [
        ("src/a.ts", "oak", "package:@oak/oak"),
        ("src/a.ts", "$std/fs/mod.ts", "package:deno.land/std"),
        ("src/a.ts", "@/util.ts", "src/util.ts"),
        ("src/a.ts", "util", "src/util.ts"),
        ("src/old/a.ts", "util", "src/old/util.ts"),
        ("src/a.ts", "self", "package:self"),
        ("src/a.ts", "bad", "package:bad"),
        ("src/a.ts", "@acme/fs", "fs/mod.ts"),
        ("src/a.ts", "@acme/fs/walk", "fs/walk.ts"),
        ("src/a.ts", "jsr:@acme/fs@1/walk", "fs/walk.ts"),
        ("fs/walk.ts", "util", "src/util.ts"),
    ],
)
def test_an_import_map_of_deno_is_followed(path: str, specifier: str, expected: str) -> None:
    tree = tree_with(DENO, "src/a.ts", "src/util.ts", "src/old/util.ts", "src/old/a.ts", "fs/mod.ts", "fs/walk.ts")
    assert answer(tree, path, specifier) == expected


def test_an_import_map_in_a_file_of_its_own_is_followed() -> None:
    tree = tree_with(
        {"deno.json": {"importMap": "./maps/map.json"}, "maps/map.json": {"imports": {"x": "../x.ts"}}}, "a.ts", "x.ts"
    )
    assert answer(tree, "a.ts", "x") == "x.ts"


@pytest.mark.parametrize(
    ("files", "specifier", "expected"),
    [
        (["web/src/x.ts"], "@/x", "web/src/x.ts"),
        (["web/x.ts"], "@/x", "web/x.ts"),
        (["web/x.ts"], "~/x", "web/x.ts"),
        (["web/src/x.ts", "web/x.ts"], "~~/x", "web/x.ts"),
        (["web/src/lib/x.ts"], "$lib/x", "web/src/lib/x.ts"),
        (["web/src/x.ts"], "src/x", "web/src/x.ts"),
        (["src/x.ts"], "@/x", "src/x.ts"),
        (["other/src/x.ts"], "@/x", "unresolved:@/x"),
    ],
)
def test_an_alias_that_only_a_bundler_knows_is_found_by_convention(
    files: list[str], specifier: str, expected: str
) -> None:
    tree = tree_with({"web/package.json": {"name": "web"}}, "web/src/a/b.js", *files)
    assert answer(tree, "web/src/a/b.js", specifier) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"packages:\n- a\n-  'b/**'\n", ("a", "b/**")),
        (b"packages:\n  - a\n\n  # c\n  - b\nother:\n  - c\n", ("a", "b")),
        (b"packages: [a, 'b']", ("a", "b")),
        (b"packages:\n  [\n    a,\n    b\n  ]\n", ("a", "b")),
        (b"other: 1\n", ()),
        (b"", ()),
        (b"\xff\xfe", ()),
        (b"packages:", ()),
    ],
)
def test_the_packages_of_a_pnpm_workspace_are_read(text: bytes, expected: tuple[str, ...]) -> None:
    assert parse_pnpm(text) == expected
