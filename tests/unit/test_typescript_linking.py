"""JavaScript and TypeScript through extraction, linking and relations: the faults that users report, and CommonJS."""

import pytest

from memoire.dispatch import extract
from memoire.languages import language_of
from memoire.linker import Linker
from tests.support import Linked
from tests.unit.typescript_trees import tree_with


def test_a_call_never_leaves_for_a_namesake_in_another_app() -> None:
    project = Linked(
        {
            "apps/a/server.ts": "export function navigate(where: string) {\n  return where\n}\n",
            "apps/b/crawler.ts": (
                "function navigate(where: string) {\n  return where\n}\n"
                "export function crawl(page: any) {\n  navigate('x')\n  page.navigate('y')\n  close()\n}\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {("apps/b/crawler.ts::crawl", "apps/b/crawler.ts::navigate")}
    assert project.edges("IMPORTS") == set()


def test_a_method_of_a_value_is_no_call_of_a_function_of_that_name() -> None:
    project = Linked(
        {
            "api.ts": "export function append(item: number) {\n  return item\n}\nexport const get = () => 1\n",
            "use.ts": (
                "import * as api from './api'\n"
                "export function run(list: number[]) {\n"
                "  list.get('k').append(1)\n  new Map().get(2)\n  const get = () => 2\n  get()\n  api.append(3)\n}\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("use.ts::run", "api.ts::append"),
        ("use.ts::run", "use.ts::run.get"),
    }


def test_a_wildcard_alias_does_not_swallow_a_package() -> None:
    project = Linked(
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@lib/*": ["src/lib/*"]}}}',
            "src/lib/math.ts": "export const addOne = (x: number) => x + 1\n",
            "src/a.ts": "import { ext } from '@lib/external-pkg'\nimport { addOne } from '@lib/math'\next(addOne(1))\n",
        }
    )
    assert project.edges("IMPORTS") == {("src/a.ts", "src/lib/math.ts"), ("src/a.ts", "pkg:@lib/external-pkg")}
    assert project.symbols("CALLS") == {("src/a.ts", "src/lib/math.ts::addOne")}


def test_aliases_of_an_extended_configuration_with_comments_and_trailing_commas_are_followed() -> None:
    project = Linked(
        {
            "tsconfig.json": '{\n  // aliases live below\n  "extends": "./tsconfig.base.json",\n}',
            "tsconfig.base.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["src/lib/*",],},},}',
            "src/lib/math.ts": "export function addOne(x: number) {\n  return x + 1\n}\n",
            "src/math.test.ts": "import { addOne } from '@lib/math'\ntest('adds', () => {\n  addOne(1)\n})\n",
        }
    )
    assert project.edges("ASSERTS_ON") == {("src/math.test.ts", "src/lib/math.ts")}


def test_a_changed_configuration_links_again_what_leans_on_it() -> None:
    project = Linked(
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@x": ["one.ts"]}}}',
            "one.ts": "export const x = 1\n",
            "two.ts": "export const x = 2\n",
            "a.ts": "import { x } from '@x'\nx.toFixed()\n",
        }
    )
    assert ("a.ts", "one.ts") in project.edges("IMPORTS")
    project.save({"tsconfig.json": '{"compilerOptions": {"paths": {"@x": ["two.ts"]}}}'})
    assert ("a.ts", "two.ts") in project.edges("IMPORTS")
    assert ("a.ts", "one.ts") not in project.edges("IMPORTS")


def test_names_passed_on_by_barrels_lead_to_the_file_that_defines_them() -> None:
    project = Linked(
        {
            "src/index.ts": "export * from './shapes'\nexport { default as Canvas } from './canvas'\n",
            "src/shapes/index.ts": "export { area as surface } from './area'\nexport * as deep from './deep'\n",
            "src/shapes/area.ts": "export function area() {\n  return 1\n}\n",
            "src/shapes/deep.ts": "export const dig = () => 2\n",
            "src/canvas.ts": "export default class Canvas {\n  draw() {\n    return 3\n  }\n}\n",
            "test/all.test.ts": (
                "import { surface, deep, Canvas } from '../src'\n"
                "it('works', () => {\n  surface()\n  deep.dig()\n  new Canvas().draw()\n})\n"
            ),
        }
    )
    assert project.edges("ASSERTS_ON") == {
        ("test/all.test.ts", "src/shapes/area.ts"),
        ("test/all.test.ts", "src/shapes/deep.ts"),
        ("test/all.test.ts", "src/canvas.ts"),
    }
    assert project.symbols("CALLS") == {
        ("test/all.test.ts", "src/shapes/area.ts::area"),
        ("test/all.test.ts", "src/shapes/deep.ts::dig"),
        ("test/all.test.ts", "src/canvas.ts::Canvas"),
        ("test/all.test.ts", "src/canvas.ts::Canvas.draw"),
    }


@pytest.mark.parametrize(
    ("module", "use", "called"),
    [
        ("function start() {}\nmodule.exports = start\n", "const s = require('./m')\ns()\n", "start"),
        ("module.exports = function () {}\n", "const s = require('./m')\ns()\n", "exports"),
        ("class Box { open() {} }\nmodule.exports = Box\n", "const B = require('./m')\nnew B().open()\n", "Box.open"),
        ("function start() {}\nmodule.exports = start\n", "import s from './m'\ns()\n", "start"),
        ("exports.go = () => 1\n", "const { go } = require('./m')\ngo()\n", "go"),
        ("exports.go = () => 1\n", "const m = require('./m')\nm.go()\n", "go"),
        ("exports.go = () => 1\n", "import m from './m'\nm.go()\n", "go"),
        ("module.exports = { go() {}, x: 1 }\n", "const { go: run } = require('./m')\nrun()\n", "go"),
        ("function a() {}\nmodule.exports = { go: a }\n", "const m = require('./m')\nm.go()\n", "a"),
        ("function a() {}\nfunction b() {}\nmodule.exports = a\nmodule.exports.b = b\n", "require('./m').b()\n", ""),
        ("function a() {}\nmodule.exports = a\nmodule.exports.b = a\n", "const m = require('./m')\nm.b()\n", "a"),
        ("const api = { go() {} }\nmodule.exports = api\n", "const m = require('./m')\nm.go()\n", "api.go"),
    ],
)
def test_what_a_commonjs_module_exports_is_reached(module: str, use: str, called: str) -> None:
    project = Linked({"m.js": module, "use.js": use})
    found = {target for source, target in project.symbols("CALLS") if source == "use.js"}
    assert found - {"m.js::Box"} == {f"m.js::{name}" for name in [called] if name}


def test_a_commonjs_module_that_passes_on_another_is_followed() -> None:
    project = Linked(
        {
            "index.js": "module.exports = require('./lib')\n",
            "lib/index.js": "exports.sub = require('./sub')\nmodule.exports.go = require('./go')\n",
            "lib/sub.js": "exports.dig = () => 1\n",
            "lib/go.js": "module.exports = function go() {}\n",
            "test/index.test.js": "const { go, sub } = require('..')\ngo()\nsub.dig()\n",
        }
    )
    assert project.edges("ASSERTS_ON") == {
        ("test/index.test.js", "lib/go.js"),
        ("test/index.test.js", "lib/sub.js"),
    }


def test_a_value_of_a_class_of_another_file_leads_to_its_methods() -> None:
    project = Linked(
        {
            "store.ts": (
                "export class Store {\n  save() {}\n}\n"
                "export const shared = new Store()\nexport function open(): Promise<Store> {\n  return null\n}\n"
                "export const helpers = {\n  clean() {},\n}\nexport namespace Deep {\n  export function dig() {}\n}\n"
            ),
            "use.ts": (
                "import { shared, open, helpers, Deep, type Store } from './store'\n"
                "export class Holder {\n  constructor(private readonly store: Store) {}\n"
                "  one() {\n    this.store.save()\n  }\n}\n"
                "export async function two() {\n  shared.save()\n}\n"
                "export async function three() {\n  const opened = await open()\n  opened.save()\n}\n"
                "export const four = () => helpers.clean()\nexport const five = () => Deep.dig()\n"
            ),
        }
    )
    assert {(source, target) for source, target in project.symbols("CALLS") if source != "store.ts"} == {
        ("use.ts::Holder.one", "store.ts::Store.save"),
        ("use.ts::two", "store.ts::Store.save"),
        ("use.ts::three", "store.ts::open"),
        ("use.ts::three", "store.ts::Store.save"),
        ("use.ts::four", "store.ts::helpers.clean"),
        ("use.ts::five", "store.ts::Deep.dig"),
    }


def test_two_files_of_one_folder_may_mean_different_files_by_the_same_specifier() -> None:
    files = {
        "a.ts": "import { x } from './m'\nx()\n",
        "b.d.ts": "import { x } from './m'\nexport type Y = typeof x\n",
        "m.js": "exports.x = () => 1\n",
        "m.d.ts": "export function x(): number\n",
    }
    wanted = {("a.ts", "m.js"), ("b.d.ts", "m.d.ts")}
    assert Linked(files).edges("IMPORTS") == wanted
    assert Linked(dict(reversed(files.items()))).edges("IMPORTS") == wanted


def test_an_effect_that_seems_to_come_from_a_file_of_the_project_is_none() -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}',
        "src/fs.ts": "export const readFileSync = (x: string) => x\n",
        "src/a.ts": "import { readFileSync } from 'fs'\nexport const a = () => readFileSync('x')\n",
    }
    facts = {path: extract(path, text.encode()) for path, text in files.items()}
    assert [(effect.callee, effect.origin) for effect in facts["src/a.ts"].effects] == [("fs.readFileSync", 0)]
    assert Linker(tree_with(files), language_of, facts.get).link("src/a.ts").void_effects == (0,)
    del files["tsconfig.json"]
    assert Linker(tree_with(files), language_of, facts.get).link("src/a.ts").void_effects == ()


@pytest.mark.parametrize(
    ("path", "text", "exports"),
    [
        ("a.ts", "export const a = 1, b = 2\n", {"a": "a", "b": "b"}),
        ("a.ts", "export const { a, b: c } = x\n", {"a": "a", "c": "c"}),
        ("a.ts", "export { a, a as b, a as default, a as 'odd name' }\n", {"a": "a", "b": "a", "default": "a"}),
        ("a.ts", "export default a\n", {"default": "a"}),
        ("a.ts", "export default function a() {}\n", {"a": "a", "default": "a"}),
        ("a.ts", "export default () => 1\n", {"default": "default"}),
        ("a.ts", "export default class {}\n", {"default": "default"}),
        ("a.ts", "export abstract class A {}\nexport declare const b: number\n", {"A": "A", "b": "b"}),
        ("a.ts", "export interface A {}\nexport type B = A\nexport enum C {}\n", {"A": "A", "B": "B", "C": "C"}),
        ("a.ts", "export namespace N {\n  export const inner = 1\n}\n", {"N": "N"}),
        ("a.ts", "export = a\n", {"=": "a"}),
        ("a.d.ts", "export declare function f(): void\n", {"f": "f"}),
        ("a.js", "module.exports = a\n", {"=": "a"}),
        ("a.js", "module.exports = { a, b: c, d() {}, e: () => 1 }\n", {"a": "a", "b": "c", "d": "d", "e": "e"}),
        ("a.js", "exports.a = 1\nmodule.exports.b = b\nother.c = c\n", {"a": "a", "b": "b"}),
        ("a.js", "export { a } from './b'\n", {}),
    ],
)
def test_exported_names_lead_to_local_ones(path: str, text: str, exports: dict[str, str]) -> None:
    found = extract(path, text.encode()).exports
    assert {name: local for name, local in found.items() if "odd" not in name} == exports
