"""Small worlds of files, a few names each, so that whatever is saved bears on something else."""

from typing import NamedTuple


class World(NamedTuple):
    """What files of a project may be called, and what may stand in them."""

    names: tuple[str, ...]
    """Base names of files."""
    folders: tuple[str, ...]
    """Each ends with a slash; the empty one is the root."""
    pieces: tuple[str, ...]
    """A file is made of some of them."""
    settings: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(path of a manifest, what it may say)."""


C = World(
    names=("a.c", "a.h", "b.c", "b.h", "run.cpp", "pool.hpp", "pool.cc"),
    folders=("", "src/", "include/", "src/sub/"),
    pieces=(
        '#include "a.h"',
        '#include "b.h"',
        '#include "sub/b.h"',
        '#include "../b.h"',
        "#include <a.h>",
        '#include "pool.hpp"',
        "int run(void);",
        "int run(void) { return LIMIT; }",
        "static int run(void) { return 1; }",
        "static int help(void) { return run(); }",
        "int use(void) { return run() + help(); }",
        "#define LIMIT 3",
        "#define CALL(x) run()",
        "int both(void) { return CALL(1); }",
        "extern int state;",
        "int state = 1;",
        "void bump(void) { state = 2; }",
        "struct pool { int size; };",
        "typedef struct pool pool_t;",
        "int grow(pool_t *p) { return p->size + state; }",
        "namespace app { class Pool { public: void go(); int n_; }; }",
        "namespace app { class Base { public: void stop(); }; class Pool : public Base { public: void go(); }; }",
        "void app::Pool::go() { run(); n_ = 1; stop(); }",
        "using namespace app;\nvoid Pool::go() { stop(); }",
        "int main() { app::Pool pool; pool.go(); pool.stop(); }",
        "namespace app { void Base::stop() { } }",
        "#ifdef X\nint run(void);\n#else\nint help(void);\n#endif",
    ),
    settings=(
        (
            "compile_commands.json",
            (
                "[]",
                '[{"directory": "/p", "file": "src/a.c", "arguments": ["cc", "-Iinclude", "src/a.c"]}]',
                '[{"directory": "/p", "file": "a.c", "arguments": ["cc", "-Isrc/sub", "a.c"]}]',
            ),
        ),
    ),
)
DART = World(
    names=("a.dart", "b.dart", "shop.dart", "a_test.dart"),
    folders=("", "lib/", "lib/src/", "test/", "pkg/lib/"),
    pieces=(
        "import 'a.dart';",
        "import 'b.dart' as b;",
        "import 'src/a.dart' show Pool;",
        "import 'package:shop/a.dart';",
        "import 'package:shop/src/b.dart' hide run;",
        "import 'package:pkg/a.dart' as pkg;",
        "export 'src/a.dart';",
        "export 'b.dart' show run;",
        "export 'package:shop/b.dart' hide Pool;",
        "part 'b.dart';",
        "part of 'a.dart';",
        "library shop;\npart 'a.dart';",
        "part of shop;",
        "void run() {}",
        "void _own() { run(); }",
        "void use() { run(); _own(); b.run(); pkg.run(); }",
        "class Pool { int size = 0; void grow() { size = 1; run(); } static Pool make() => Pool(); }",
        "class Wide extends Pool { void wide() { grow(); size = 2; } }",
        "extension More on Pool { void more() { grow(); } }",
        "mixin Kept { void keep() {} }\nclass Held extends Pool with Kept { void hold() { keep(); } }",
        "void all() { Pool().grow(); Pool.make().more(); Wide().size; Held().keep(); }",
        "final state = Pool();",
        "void main() { test('x', () { state.grow(); Wide().grow(); }); }",
    ),
    settings=(
        ("pubspec.yaml", ("name: shop\n", "name: other\n")),
        ("pkg/pubspec.yaml", ("name: pkg\n", "name: shop\n")),
    ),
)
RUST = World(
    names=("lib.rs", "main.rs", "mod.rs", "a.rs", "b.rs"),
    folders=("", "src/", "src/a/", "other/src/", "tests/"),
    pieces=(
        "mod a;",
        "pub mod b;",
        "#[macro_use]\nmod a;",
        '#[path = "b.rs"]\npub mod a;',
        "use crate::a::Pool;",
        "use super::b;",
        "use self::a::*;",
        "use shop::a::Pool;",
        "use other::Pool as Deep;",
        "pub use crate::b::*;",
        "pub use a::Pool;",
        "pub struct Pool { pub size: u32 }",
        "impl Pool { pub fn new() -> Self { Pool { size: run() } } pub fn grow(&mut self) { self.size = 1; } }",
        "impl Pool { pub fn more(&self) -> Deep { Deep::new() } }",
        "pub trait Kept { fn keep(&self) { run(); } }",
        "impl Kept for Pool {}",
        "impl Kept for crate::a::Pool { fn keep(&self) {} }",
        "pub fn run() -> u32 { 1 }",
        "fn use_it() { let mut pool = Pool::new(); pool.grow(); pool.keep(); b::run(); a::b::run(); }",
        "fn deep() { Deep::new().grow(); crate::a::run(); super::run(); check!(); }",
        "macro_rules! check { () => {}; }",
        "pub mod inner { use super::*; pub fn go() { run(); } pub struct Inner; }",
        "fn at() { inner::go(); self::inner::Inner; }",
        "pub static STATE: u32 = 1;",
        "fn state() -> u32 { STATE + crate::b::STATE }",
        "#[test]\nfn it() { Pool::new().grow(); run(); }",
        "pub enum Kind { One, Two }\nuse Kind::*;",
    ),
    settings=(
        ("Cargo.toml", ('[package]\nname = "shop"\n\n[dependencies]\nother = { path = "other" }\n', "[workspace]\n")),
        ("other/Cargo.toml", ('[package]\nname = "other"\n', '[package]\nname = "third"\n')),
    ),
)
RUBY = World(
    names=("a.rb", "b.rb", "shop.rb", "pool.rb", "pool_spec.rb"),
    folders=("", "lib/", "lib/shop/", "app/models/", "app/models/shop/", "spec/"),
    pieces=(
        "require_relative 'a'",
        "require_relative '../pool'",
        "require 'shop/pool'",
        "require 'pool'",
        "autoload :Pool, 'shop/pool'",
        "class Pool\n  def grow\n    @size = 1\n    run\n  end\n  attr_accessor :size\nend",
        "class Pool < Base\n  def more\n    grow\n    stop\n  end\nend",
        "class Base\n  def stop\n  end\n  def self.make\n    new\n  end\nend",
        "module Shop\n  class Pool\n    def grow\n      LIMIT\n    end\n  end\nend",
        "module Shop\n  LIMIT = 3\n  def self.run\n    Pool.new.grow\n  end\nend",
        "module Shop\n  class Base < ::Base\n  end\nend",
        "class Shop::Pool\n  include Kept\n  def wide\n    keep\n  end\nend",
        "module Kept\n  def keep\n    run\n  end\nend",
        "def run\n  Pool.new.grow\nend",
        "def use\n  Shop::Pool.new.grow\n  Shop.run\n  Pool.make.stop\n  Shop::LIMIT\n  run\nend",
        "LIMIT = 4",
        "describe Shop::Pool do\n  it 'grows' do\n    subject.grow\n    Pool.new.more\n  end\nend",
    ),
)
CSHARP = World(
    names=("A.cs", "B.cs", "Pool.cs", "Usings.cs", "PoolTests.cs"),
    folders=("", "app/", "lib/", "lib/deep/", "tests/"),
    pieces=(
        "using Lib;",
        "using Lib.Deep;",
        "using static Lib.Tool;",
        "using Kept = Lib.Pool;",
        "global using Lib;",
        "namespace Lib;",
        "namespace App;",
        "namespace Lib { public class Pool { public int Size { get; set; } public void Grow() { Size = 1; } } }",
        "public class Pool { public void Grow() { } }",
        "public partial class Tool { public static int Run() { return 1; } }",
        "public partial class Tool { public void Go() { Run(); new Pool().Grow(); } }",
        "namespace Lib.Deep { public class Pool { public void Deep() { } } }",
        "public interface IKept { void Keep(); }\npublic class Held : Pool, IKept { public void Keep() { Grow(); } }",
        "public static class Ext { public static int Twice(this Pool pool) => 2; }",
        "class Use { Pool _pool = new Pool(); void Go() { _pool.Grow(); _pool.Twice(); Tool.Run(); _pool.Size = 3; } }",
        "class Far { void Go() { Lib.Deep.Pool p = new Lib.Deep.Pool(); p.Deep(); new Kept().Grow(); Run(); } }",
        "class It { [Fact] public void Grows() { new Pool().Grow(); new Held().Keep(); } }",
        "public enum Kind { One, Two }\nclass Sees { Kind k = Kind.One; }",
    ),
    settings=(
        (
            "app/app.csproj",
            (
                "<Project />",
                '<Project><ProjectReference Include="../lib/lib.csproj" /><Using Include="Lib" /></Project>',
            ),
        ),
        ("lib/lib.csproj", ("<Project />",)),
        ("tests/tests.csproj", ('<Project><ProjectReference Include="../app/app.csproj" /></Project>',)),
    ),
)
JVM = World(
    names=("Pool.java", "Use.java", "Pool.kt", "More.kt", "Use.scala", "PoolTest.java"),
    folders=("", "a/src/main/java/shop/", "b/src/main/kotlin/shop/", "a/src/test/java/shop/"),
    pieces=(
        "package shop;",
        "package shop",
        "package other;",
        "import shop.Pool;",
        "import shop.*;",
        "import other.Pool",
        "import shop.grow",
        "import static shop.Pool.make;",
        "public class Pool { int size; void grow() { size = 1; } public static Pool make() { return new Pool(); } }",
        "public class Wide extends Pool { void wide() { grow(); size = 2; } }",
        "class Use { Pool pool = new Pool(); void go() { pool.grow(); Pool.make().grow(); make(); } }",
        "class Pool(val size: Int) { fun grow() { run() } companion object { fun make(): Pool = Pool(1) } }",
        "fun run() { Pool(1).grow() }",
        "fun Pool.more() { grow() }",
        "fun all() { Pool.make().more(); Wide().grow(); run() }",
        "interface Kept { void keep(); }",
        "class Held : Kept { override fun keep() { run() } }",
        "object State { var count = 0; def bump(): Unit = { count = 1; new Pool().grow() } }",
        "class PoolTest { @Test public void grows() { new Pool().grow(); Pool.make(); } }",
    ),
)
GO = World(
    names=("a.go", "b.go", "a_linux.go", "a_test.go", "main.go"),
    folders=("", "store/", "cmd/app/", "internal/store/"),
    pieces=(
        'package store\nimport "acme/store"',
        "package store",
        "package main",
        'package main\nimport kept "acme/internal/store"',
        'package main\nimport . "acme/store"',
        "type Pool struct { Size int; inner *Inner }",
        "type Inner struct { Pool }",
        "func New() *Pool { return &Pool{} }",
        "func (p *Pool) Grow() { p.Size = 1; run() }",
        "func (p Pool) more() { p.Grow() }",
        "func run() { New().Grow() }",
        "func Run() { store.New().Grow(); store.State = 2; kept.New() }",
        "var State = 1",
        "type Kept interface { Grow() }",
        "func use(i Inner) { i.Grow(); State = 3; New().Size = 1 }",
        "func TestGrow(t *testing.T) { New().Grow(); run() }",
    ),
    settings=(("go.mod", ("module acme\n", "module other\n")), ("store/go.mod", ("module acme/store\n",))),
)
SWIFT = World(
    names=("A.swift", "B.swift", "Pool.swift", "PoolTests.swift"),
    folders=("", "Sources/Shop/", "Sources/App/", "Tests/ShopTests/"),
    pieces=(
        "import Shop",
        "@testable import Shop",
        "@_exported import Shop",
        "public class Pool { public var size = 0\n public init() {}\n public func grow() { size = 1 } }",
        "class Wide: Pool { func wide() { grow(); size = 2 } }",
        "extension Pool { func more() { grow() } }",
        "extension Pool: Kept { }",
        "protocol Kept { func keep() }\nextension Kept { func keep() { run() } }",
        "func run() { Pool().grow() }",
        "func use() { Pool().more(); Wide().grow(); Pool().keep(); run(); Shop.run() }",
        "fileprivate func run() { }",
        "let state = Pool()",
        "func touch() { state.grow(); state.size = 3 }",
        "class PoolTests: XCTestCase { func testGrow() { Pool().grow(); run() } }",
    ),
    settings=(
        (
            "Package.swift",
            (
                'let package = Package(name: "p", targets: [.target(name: "Shop"), .target(name: "App")])\n',
                'let package = Package(name: "p", targets: [.target(name: "Shop", path: "Sources")])\n',
            ),
        ),
    ),
)
PHP = World(
    names=("Pool.php", "Use.php", "run.php", "PoolTest.php"),
    folders=("", "src/", "src/Deep/", "tests/"),
    pieces=(
        "<?php namespace App;",
        "<?php namespace App\\Deep;",
        "<?php",
        "use App\\Pool;",
        "use App\\Deep\\{Pool as Far, Kept};",
        "use function App\\run;",
        "require 'run.php';",
        "require_once __DIR__ . '/Deep/Pool.php';",
        "class Pool { public $n; function grow() { $this->n = 1; } static function make() { return new self(); } }",
        "class Wide extends Pool { use Kept; function wide() { $this->grow(); $this->keep(); } }",
        "trait Kept { function keep() { run(); } }",
        "function run() { (new Pool())->grow(); \\App\\Pool::make(); }",
        "function far(Far $far) { $far->grow(); Pool::make()->grow(); \\run(); }",
        "class PoolTest extends TestCase { function testGrow() { (new Pool())->grow(); } }",
        "const LIMIT = 3;",
    ),
    settings=(
        (
            "composer.json",
            (
                '{"autoload": {"psr-4": {"App\\\\": "src/"}, "files": ["run.php"]}}',
                '{"autoload": {"psr-4": {"App\\\\": "tests/"}}}',
            ),
        ),
    ),
)
TYPESCRIPT = World(
    names=("a.ts", "b.ts", "index.ts", "view.tsx", "Card.vue", "a.test.ts", "c.js"),
    folders=("", "src/", "src/lib/", "packages/shop/"),
    pieces=(
        "import { Pool, run } from './a'",
        "import * as lib from './lib'",
        "import Pool from '@/b'",
        "import { run as go } from 'shop'",
        "import type { Pool } from '../a'",
        "export * from './a'",
        "export { run } from './b'",
        "export * as deep from './lib/a'",
        "const { run } = require('./a')",
        "module.exports = { run }",
        "export class Pool { size = 0\n grow() { this.size = 1 } static make(): Pool { return new Pool() } }",
        "export default class Pool extends Base { more() { this.grow() } }",
        "export function run() { return new Pool().grow() }",
        "export const state = new Pool()",
        "export function use() { lib.run(); go(); state.grow(); Pool.make().grow(); deep.run() }",
        "<script setup lang='ts'>\nimport { run } from './a'\nrun()\n</script>",
        "test('grows', () => { new Pool().grow(); run() })",
    ),
    settings=(
        (
            "tsconfig.json",
            ('{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}', '{"compilerOptions": {"baseUrl": "src"}}'),
        ),
        ("packages/shop/package.json", ('{"name": "shop", "main": "index.ts"}', '{"name": "other"}')),
    ),
)
ELIXIR = World(
    names=("a.ex", "b.ex", "pool.ex", "pool_test.exs", "a.lua", "pool.lua"),
    folders=("", "lib/", "lib/shop/", "test/"),
    pieces=(
        "defmodule Shop.Pool do\n  def grow(x), do: run(x)\n  def run(x), do: x\nend",
        "defmodule Shop do\n  alias Shop.Pool\n  def go(x), do: Pool.grow(x)\nend",
        "defmodule Shop.Use do\n  import Shop.Pool\n  def go(x), do: grow(x)\nend",
        "defmodule Shop.Macro do\n  defmacro __using__(_) do\n    quote do: import(Shop.Pool)\n  end\nend",
        "defmodule Shop.Far do\n  use Shop.Macro\n  def far(x), do: grow(x)\nend",
        'defmodule Shop.PoolTest do\n  use ExUnit.Case\n  test "grows" do\n    Shop.Pool.grow(1)\n  end\nend',
        "local pool = require('shop.pool')\npool.grow()",
        "local M = {}\nfunction M.grow() M.run() end\nfunction M.run() end\nreturn M",
        "local a = require 'a'\nfunction use() a.grow() end",
        "function run() end",
    ),
)


def _joined(*worlds: World) -> World:
    """Return a world in which the files of several lie beside each other, in the same folders."""
    return World(
        tuple(dict.fromkeys(name for world in worlds for name in world.names[:3])),
        ("", "src/", "lib/", "app/", "a/b/"),
        tuple(dict.fromkeys(piece for world in worlds for piece in world.pieces)),
        tuple(setting for world in worlds for setting in world.settings),
    )


MIXED = _joined(C, DART, RUST, RUBY, CSHARP, JVM, GO, SWIFT, PHP, TYPESCRIPT, ELIXIR)
WORLDS = {
    "c": C,
    "dart": DART,
    "rust": RUST,
    "ruby": RUBY,
    "csharp": CSHARP,
    "jvm": JVM,
    "go": GO,
    "swift": SWIFT,
    "php": PHP,
    "typescript": TYPESCRIPT,
    "elixir": ELIXIR,
    "mixed": MIXED,
}
