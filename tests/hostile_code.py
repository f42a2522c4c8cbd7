"""Code and text of each language that is right, or nearly, and hard by its amount: depth, namesakes, what stays open.

A language is a few pieces in its own words; shapes of any size are made of them, so that the cost of one can be
compared at two sizes. `§` in a piece stands for its number.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

Shape = Callable[[int], bytes]
"""Size in bytes, about -> the input."""

DEPTH = 400
"""Levels of a nest that is still read."""


class Pieces(NamedTuple):
    """What files of one language are made of."""

    path: str
    nests: tuple[tuple[str, str], ...] = ()
    """(opening, closing) of what may hold itself."""
    many: tuple[str, ...] = ()
    """What a file may hold thousands of."""
    opens: tuple[str, ...] = ()
    """What reaches to the end of the file where nothing closes it."""
    head: str = ""
    """What stands first."""
    tail: str = ""
    """What stands last."""


_C = (
    ("if (a) {\n", "}\n"),
    ("for (;;) {\n", "}\n"),
    ("switch (a) { case 1: {\n", "} }\n"),
    ("f(\n", ")"),
    ("a[\n", "]"),
)
_C_MANY = (
    "int f§(int a) { return g§(a); }\n",
    "struct s§ { int a; struct s§ *next; };\n",
    '#include "a§.h"\n',
    "#define M§(x) N§(x)\n",
    "#ifdef A§\nint a§;\n#else\nint b§;\n#endif\n",
    "typedef struct s§ t§;\n",
    "extern int x§;\n",
    "int v§ = 1;\n",
    "static void (*p§)(int) = f§;\n",
)
_C_OPENS = ('char *s = "', "/* a\n", "#if A\n", "int a = (", "struct a {\n", "#define A \\\n", "'", "f(a, ")

_XML = (("<a>\n", "</a>\n"), ("<a b='§'>", "</a>"))
_XML_OPENS = ("<!-- ", "<a b='", "<![CDATA[", "<!DOCTYPE a [", "<a ", "<?xml ", "<a><", "&")

PIECES: dict[str, Pieces] = {
    "python": Pieces(
        "a.py",
        (("f(\n", ")"), ("[x for x in [\n", "]]"), ("{1: {\n", "}}"), ("lambda: (", ")")),
        (
            "def f§(a):\n    return f§(a).b(a)\n",
            "class C§(B§):\n    def m(self):\n        self.a§ = self.b§\n",
            "import a§.b as c§\n",
            "from a§ import *\n",
            "try:\n    import a§\nexcept ImportError:\n    a§ = None\n",
            "x§ = y§.z(1)\n",
            "if a§:\n    pass\nelif b§:\n    pass\n",
            "@d§\ndef g(): pass\n",
            "with open(a§) as b:\n    b.read()\n",
            "__all__ += ['a§']\n",
        ),
        ('"""', "f'{", "x = (", "def f(", "'", "@", "x = \\\n"),
    ),
    "javascript": Pieces(
        "a.js",
        (
            ("function f§() {\n", "}\n"),
            ("class A§ { m() {\n", "} }\n"),
            ("(() => {\n", "})();\n"),
            ("if (a) {\n", "}\n"),
            ("f(g => \n", ")"),
            ("`${\n", "}`"),
            ("{ a: [\n", "] }"),
            ("<a>\n", "</a>"),
        ),
        (
            "function f§(a) { return f§(a); }\n",
            "class C§ extends B§ { m() { this.a§ = this.b§(); } }\n",
            "import { a§ as b§ } from './a§';\n",
            "const c§ = require('./a§');\n",
            "export * from './a§';\n",
            "export { a§ as default§ };\n",
            "module.exports.a§ = function () {};\n",
            "const { a§, b: { c§ } } = d§;\n",
            "let x§ = y§.z(1);\n",
            "A.prototype.m§ = function () {};\n",
            "describe('a§', () => { it('b§', () => { f§(); }); });\n",
        ),
        ("`", "'", "/* ", "x = (", "class A {\n", "`${", "/[", "<a b={"),
    ),
    "typescript": Pieces(
        "a.ts",
        (
            ("namespace N§ {\n", "}\n"),
            ("type A§ = { a: \n", "};\n"),
            ("let a: Array<\n", ">;"),
            ("let b: A extends B ? \n", ": C"),
            ("function f§<T>() {\n", "}\n"),
        ),
        (
            "interface I§ { a§: B§; m(): void }\n",
            "type T§ = A§ | B§;\n",
            "enum E§ { A, B }\n",
            "import type { a§ } from './a§';\n",
            "export function f(a: T§): void;\n",
            "abstract class C§<T> implements I§ { @d() m§?: string }\n",
            "declare module 'a§' { export const b: number }\n",
        ),
        ("`", "let a: A<", "interface A {\n", "/* "),
    ),
    "java": Pieces(
        "a.java",
        (
            ("class A§ {\n", "}\n"),
            ("void m() { new A() {\n", "}; }\n"),
            ("List<\n", ">"),
            ("f(\n", ")"),
            ("if (a) {\n", "}\n"),
            ("x -> {\n", "}"),
        ),
        (
            "int m§(int a) { return m§(a).b(); }\n",
            "class C§ extends B§ { int a§ = b§; }\n",
            "import a.b.C§;\n",
            "import static a.C§.*;\n",
            "@A§ private D§ d§ = new D§();\n",
            "enum E§ { A, B }\n",
            "record R§(int a) {}\n",
        ),
        ('"""', 'String s = "', "/** ", "class A {\n", "List<", "@A("),
    ),
    "kotlin": Pieces(
        "a.kt",
        (
            ("class A§ {\n", "}\n"),
            ("fun f§() {\n", "}\n"),
            ("a.let {\n", "}\n"),
            ("object : A {\n", "}\n"),
            ('"${\n', '}"'),
            ("when (a) { 1 -> {\n", "} }\n"),
            ("List<\n", ">"),
        ),
        (
            "fun f§(a: Int) = g§(a)\n",
            "fun A§.e(): B§ = b\n",
            "import a.b.C§ as D§\n",
            "data class C§(val a: Int) : B§()\n",
            "val v§ by lazy { w§() }\n",
            "object O§ { fun m() {} }\n",
            "typealias T§ = A§\n",
        ),
        ('"""', '"${', "/* /* ", "fun f(", "class A {\n", "a<"),
    ),
    "scala": Pieces(
        "a.scala",
        (
            ("object A§ {\n", "}\n"),
            ("def f§ = {\n", "}\n"),
            ("a match { case b => \n", "}\n"),
            ("for { a <- \n", "} yield a"),
            ('s"${\n', '}"'),
            ("F[\n", "]"),
        ),
        (
            "def f§(a: Int): B§ = g§(a)\n",
            "case class C§(a: Int) extends B§ with D§\n",
            "import a.b.{C§ => D§}\n",
            "import a§._\n",
            "given g§: A§ = b§\n",
            "extension (a: A§) def e§ = a\n",
            "val v§ = new W§\n",
        ),
        ('"""', 's"${', "/* /* ", "def f(", "object A {\n", "<a>"),
    ),
    "c": Pieces("a.c", (*_C, ("struct {\n", "} a;\n")), _C_MANY, _C_OPENS),
    "cpp": Pieces(
        "a.cpp",
        (
            *_C,
            ("namespace a§ {\n", "}\n"),
            ("class A§ {\n", "};\n"),
            ("std::vector<\n", ">"),
            ("[&]() {\n", "}();\n"),
            ("template <class T, \n", ">"),
        ),
        (
            *_C_MANY,
            "void A§::m(int a) { m§(a); }\n",
            "template <class T> struct T§ : B§<T> { T a; };\n",
            "using namespace n§;\n",
            "using t§ = std::map<int, u§>;\n",
            "void f(A§ a);\n",
            "TEST(A, B§) { f§(); }\n",
        ),
        (*_C_OPENS, 'R"a(', "A<", "template <"),
    ),
    "csharp": Pieces(
        "a.cs",
        (
            ("namespace A§ {\n", "}\n"),
            ("class A§ {\n", "}\n"),
            ("void F§() {\n", "}\n"),
            ('$"{\n', '}"'),
            ("List<\n", ">"),
            ("x => {\n", "}"),
            ("#region a\n", "#endregion\n"),
        ),
        (
            "class C§ : B§ { int M§(int a) => N§(a); }\n",
            "using A.B§;\n",
            "using D§ = A.B§;\n",
            "[A§] public int P§ { get; set; } = 1;\n",
            "public static void E(this A§ a) {}\n",
            "#if A§\nclass B§ {}\n#endif\n",
            "partial class P { void M§() {} }\n",
        ),
        ('@"', '$"{', '"""', "/* ", "class A {\n", "#if A\n", "List<"),
    ),
    "ruby": Pieces(
        "a.rb",
        (
            ("module A§\n", "end\n"),
            ("class A§\n", "end\n"),
            ("def f§\n", "end\n"),
            ("a do |b|\n", "end\n"),
            ("if a\n", "end\n"),
            ('"#{\n', '}"'),
            ("f(\n", ")"),
            ("case a\nwhen b\n", "end\n"),
        ),
        (
            "def f§(a) = g§(a)\n",
            "class C§ < B§\n  attr_accessor :a§\n  def m; @a§ = b§; end\nend\n",
            "require_relative 'a§'\n",
            "module M; def m§; end; end\n",
            "A§ = B§.new\n",
            "include M§\n",
            "define_method(:m§) { }\n",
            "alias a§ b§\n",
            "x = <<~EOF\n  a§\nEOF\n",
        ),
        ("<<~EOF\n", "<<EOF\n", '"#{', "%w(", "=begin\n", "def f(", "/", "'"),
    ),
    "swift": Pieces(
        "a.swift",
        (
            ("struct A§ {\n", "}\n"),
            ("func f§() {\n", "}\n"),
            ("if let a = b {\n", "}\n"),
            ('"\\(\n', ')"'),
            ("a.map {\n", "}\n"),
            ("Array<\n", ">"),
            ("#if A\n", "#endif\n"),
        ),
        (
            "func f§(_ a: Int) -> B§ { return g§(a) }\n",
            "class C§: B§ { var a§: Int = 1 }\n",
            "extension E { func m§() {} }\n",
            "import A§\n",
            "enum E§ { case a, b }\n",
            "guard let x§ = y§ else { return }\n",
            "protocol P§ { func m() }\n",
        ),
        ('"""', '#"', "/* /* ", "func f(", "struct A {\n", "A<", '"\\('),
    ),
    "dart": Pieces(
        "a.dart",
        (
            ("f() {\n", "}\n"),
            ("A(child: \n", ")"),
            ("if (a) {\n", "}\n"),
            ("'${\n", "}'"),
            ("List<\n", ">"),
            ("(a) => \n", ""),
            ("[\n", "]"),
        ),
        (
            "int f§(int a) => g§(a);\n",
            "class C§ extends B§ with M§ { int a§ = 1; m() => a§; }\n",
            "import 'a§.dart' as b§;\n",
            "export 'a§.dart' show B§;\n",
            "part 'a§.dart';\n",
            "extension E§ on A§ { m() {} }\n",
            "final v§ = W§();\n",
        ),
        ("'''", "r'", "'${", "/* /* ", "f(", "class A {\n", "List<"),
    ),
    "lua": Pieces(
        "a.lua",
        (
            ("function f§()\n", "end\n"),
            ("if a then\n", "end\n"),
            ("local t = {\n", "}"),
            ("f(function()\n", "end)\n"),
            ("(\n", ")"),
            ("do\n", "end\n"),
            ("repeat\n", "until a\n"),
        ),
        (
            "function M.f§(a) return M.g§(a) end\n",
            "local a§ = require('a§')\n",
            "local x§ = y§.z(1)\n",
            "function M:m§() self.a§ = 1 end\n",
            "setmetatable(A§, { __index = B§ })\n",
            "M.a§ = b§\n",
        ),
        ("[==[", "--[[", "'", "f(", "{", "function f("),
    ),
    "elixir": Pieces(
        "a.ex",
        (
            ("defmodule A§ do\n", "end\n"),
            ("def f§(a) do\n", "end\n"),
            ("if a do\n", "end\n"),
            ("fn a -> \n", "end\n"),
            ('"#{\n', '}"'),
            ("case a do b -> \n", "end\n"),
            ("%{a: \n", "}"),
            ("quote do\n", "end\n"),
        ),
        (
            "def f§(a), do: g§(a)\n",
            "alias A.{B§, C§}\n",
            "import A.B§\n",
            "use A§, a: 1\n",
            "@a§ b§\n",
            "a |> b§() |> c()\n",
            "defmacro m§(a), do: a\n",
            "defmodule M§ do\n  def f, do: 1\nend\n",
            'test "a§" do\n  f§()\nend\n',
        ),
        ('"""', '~s"', "~S(", '"#{', "def f(", "defmodule A do\n", "fn a ->\n", "'"),
    ),
    "shell": Pieces(
        "a.sh",
        (
            ("f§() {\n", "}\n"),
            ("if a; then\n", "fi\n"),
            ("$(\n", ")"),
            ("(\n", ")\n"),
            ("case a in b)\n", ";; esac\n"),
            ("for a in b; do\n", "done\n"),
            ('"$(', ')"'),
            ("${a:-\n", "}"),
        ),
        (
            "f§() { g§ a; }\n",
            "source ./a§.sh\n",
            "a§=$(b§ c)\n",
            "cat <<EOF\n$a§\nEOF\n",
            "alias a§='b§'\n",
            "python3 a§.py | sh\n",
            "export A§=b\n",
            "trap f§ EXIT\n",
        ),
        ("cat <<EOF\n", "cat <<'EOF'\n", "'", '"$(', "$((", "${a", "f() {\n", "case a in\n", "`"),
    ),
    "sql": Pieces(
        "a.sql",
        (
            ("select * from (\n", ") a\n"),
            ("case when a then \n", "end"),
            ("begin\n", "end;\n"),
            ("f(\n", ")"),
            ("with a as (\n", ") select 1\n"),
        ),
        (
            "create table t§ (a int references u§ (a));\n",
            "insert into t§ select * from u§;\n",
            "create view v§ as select a from t§ join u§ on b;\n",
            "create function f§() returns int as $$ select g§() $$ language sql;\n",
            "update t§ set a = 1 where b in (select c from u§);\n",
            "alter table t§ add column a§ int;\n",
            "create trigger g§ after insert on t§ execute function f§();\n",
        ),
        ("'", '"', "$$", "/* ", "create table a (", "select (", "begin\n", "$a$"),
    ),
    "php": Pieces(
        "a.php",
        (
            ("function f§() {\n", "}\n"),
            ("if ($a) {\n", "}\n"),
            ("f(function () {\n", "});\n"),
            ("[\n", "]"),
            ('"{$a[\n', ']}"'),
            ("new class {  function f() {\n", "} };\n"),
        ),
        (
            "function f§($a) { return g§($a); }\n",
            "class C§ extends B§ { use T§; public D§ $a§; function m() { $this->a§ = 1; } }\n",
            "use A\\B§ as C§;\n",
            "require 'a§.php';\n",
            "trait T§ { function m§() {} }\n",
            "$x§ = new Y§();\n",
        ),
        ("<<<EOF\n", "<<<'EOF'\n", '"', "/* ", "function f(", "class A {\n", "?> <?php "),
        "<?php\n",
    ),
    "go": Pieces(
        "a.go",
        (
            ("func f() { func() {\n", "}() }\n"),
            ("if a {\n", "}\n"),
            ("struct {\n a ", "}\n"),
            ("f(\n", ")"),
            ("[]map[string]\n", ""),
            ("A[\n", "]"),
        ),
        (
            "func f§(a int) { g§(a) }\n",
            "func (t T§) m() { t.a§ = 1 }\n",
            'import b§ "a/§"\n',
            "type T§ struct { B§; a int }\n",
            "type I§ interface { m§() }\n",
            "var v§ = W§{}\n",
        ),
        ("`", '"', "/* ", "func f(", "type A struct {\n", "import ("),
        "package a\n",
    ),
    "rust": Pieces(
        "a.rs",
        (
            ("mod a§ {\n", "}\n"),
            ("fn f§() {\n", "}\n"),
            ("match a { b => {\n", "} }\n"),
            ("Vec<\n", ">"),
            ("use a::{\n", "};\n"),
            ("m!(\n", ")"),
            ("impl A { fn f() {\n", "} }\n"),
        ),
        (
            "fn f§(a: i32) { g§(a) }\n",
            "struct S§ { a: T§ }\nimpl S§ { fn m(&self) { self.a } }\n",
            "use crate::a§::{b§ as c§};\n",
            "pub use self::a§::*;\n",
            "mod a§;\n",
            "macro_rules! m§ { ($a:expr) => { n§!($a) } }\n",
            "impl T§ for S§ {}\n",
            "#[cfg(test)] mod t§ { #[test] fn a() { f§(); } }\n",
        ),
        ('r#"', '"', "/* /* ", "fn f(", "impl A {\n", "Vec<", "macro_rules! m {", "#["),
    ),
    "markdown": Pieces(
        "a.md",
        (
            ("> ", ""),
            ("- ", ""),
            ("[", "](a)"),
            ("*", "*"),
            ("![", "](a.png)"),
            ("<div>\n", "</div>\n"),
            ("1. ", ""),
        ),
        (
            "# a§\n\nSee `b§.c()` and [d§](e§.md#f).\n",
            "[a§]: b§.md\n",
            "[a§][b§]\n",
            "- a§\n  - b§\n",
            "| a§ | b |\n|---|---|\n",
            "```python\nf§()\n```\n",
            "a§\n===\n",
            "[^a§]: b\n",
            "<a name='b§'>\n",
        ),
        ("```\n", "[", "<!-- ", "`", "[a](", "~~~\n", "<a ", "---\n", "$$\n", "![a](<"),
    ),
    "rest": Pieces(
        "a.rst",
        (("* ", "\n"), ("`", "`_"), ("   .. note::\n", "")),
        (
            "a§\n====\n\nSee :py:func:`b§` and `c§ <d.rst>`_.\n\n",
            ".. _a§: b§.rst\n",
            ".. include:: a§.rst\n",
            ".. |a§| image:: b§.png\n",
            "|a§|_ and [a§]_\n",
            "+---+---+\n| a | § |\n",
            ".. code:: python\n\n   f§()\n\n",
            "a§::\n\n  b\n",
        ),
        ("``", "`", ".. ", "::\n", "=====\n", "|", ".. code::\n\n"),
    ),
    "asciidoc": Pieces(
        "a.adoc",
        (("====\n", "====\n"), ("* ", "\n"), ("[[a§]]\n", ""), ("link:", "[]")),
        (
            "== a§\n\nSee `b§.c()` and <<d§>>, xref:e§.adoc[f].\n",
            "include::a§.adoc[]\n",
            ":a§: {b§}\n",
            "image::a§.png[]\n",
            "|===\n| a§\n|===\n",
            "ifdef::a§[]\nb\nendif::[]\n",
            "a {b§} c\n",
        ),
        ("----\n", "////\n", "|===\n", "ifdef::a[]\n", "`", "<<", "{", "link:", "====\n", "++++\n"),
    ),
    "html": Pieces(
        "a.html",
        (
            *_XML,
            ("<div class='a§'>\n", "</div>"),
            ("<script>\n", "</script>"),
            ("<table><tr><td>", "</td></tr></table>"),
            ("{{ ", " }}"),
        ),
        (
            "<script src='a§.js'></script>\n",
            "<a href='b§.html' id='c§'>d</a>\n",
            "<link href='a§.css'>\n",
            "<p>a§\n",
            "<style>.a§ { b: url(c§.png) }</style>\n",
            "{% include 'a§.html' %}\n",
        ),
        (*_XML_OPENS, "<script>\n", "<style>\n", "<textarea>", "{% ", "<a href="),
    ),
    "css": Pieces(
        "a.scss",
        (
            (".a§ {\n", "}\n"),
            ("@media a {\n", "}\n"),
            ("a: b(", ");"),
            ("&:not(", ") {}"),
            ("@if a {\n", "}\n"),
            ("#{", "}"),
        ),
        (
            ".a§, #b§ > c { d: url(e§.png); }\n",
            "@import 'a§';\n",
            "$a§: b§;\n",
            "@mixin m§($a) { b: c }\n",
            "--a§: var(--b§);\n",
            "@keyframes k§ { from { a: b } }\n",
            "@include m§(1);\n",
        ),
        ("/* ", '"', "a {\n", "url(", "@media (", "@import '", "#{", "[a='"),
    ),
    "json": Pieces(
        "a.json",
        (("[", "]"), ('{"a§": ', "}"), ("[\n", "]")),
        ('"a§": {"b": "./c§.py"},\n', '"a": §,\n', "// a§\n", '["a§"],\n'),
        ('"', "[", '{"a": ', "/* ", '"\\u', "[1,"),
        "{\n",
        '"z": 1}\n',
    ),
    "yaml": Pieces(
        "a.yaml",
        (("- ", ""), ("{a: ", "}"), ("[", "]"), ("? ", ""), ("a§: &b§ {", "}"), ("!a ", "")),
        (
            "a§:\n  b: ./c§.py\n",
            "- a§: b\n",
            "a§: &b§ c\n",
            "a: *b§\n",
            "--- # a§\na: b\n",
            "a§: |\n  b\n",
            "<<: *a§\n",
            "a§: 'b'\n",
        ),
        ("'", '"', "a: |\n", "[", "{", "a: >\n", "%", "&"),
    ),
    "toml": Pieces(
        "a.toml",
        (("a§ = [\n", "]\n"), ("{ a = ", "}"), ("[a", "]\n")),
        (
            "[a§]\nb = './c§.py'\n",
            "[[a]]\nb = §\n",
            "a§.b.c = 1\n",
            "[a.b§.c]\n",
            "a§ = { b = 1 }\n",
            "a§ = 2020-01-01\n",
        ),
        ('"""', "'''", '"', "a = [", "[a", "a = {"),
    ),
    "dockerfile": Pieces(
        "Dockerfile",
        (("RUN a && \\\n", ""), ("ONBUILD ", ""), ("${a:-", "}")),
        (
            "FROM a§ AS b§\n",
            "COPY --from=a§ b§ c\n",
            "RUN a§ && b\n",
            "ENV A§=b\n",
            "ARG A§=$B§\n",
            "RUN <<EOF\na§\nEOF\n",
            "LABEL a§=b\n",
        ),
        ("RUN <<EOF\n", 'CMD ["', "RUN a \\\n", "ENV a=", "COPY --from=", "# "),
    ),
    "make": Pieces(
        "Makefile",
        (("ifeq (a,b)\n", "endif\n"), ("$(call a,", ")"), ("define a§\n", "endef\n"), ("${", "}")),
        (
            "a§: b§ c§.o\n\tpython d§.py\n",
            "A§ := $(B§)\n",
            "include a§.mk\n",
            ".PHONY: a§\n",
            "A += b§\n",
            "%.o§: %.c\n\tcc $<\n",
            "$(foreach a,b§,$(eval c))\n",
            "define d§\na\nendef\n",
        ),
        ("define a\n", "ifeq (a,b)\n", "A = $(", "a: \\\n", "\t", "ifdef A\n"),
    ),
    "workflow": Pieces(
        ".github/workflows/a.yml",
        (("- ", ""), ("{a: ", "}"), ("${{ a(", ") }}")),
        (
            "  a§:\n    needs: [b§]\n    steps:\n      - run: python c§.py\n      - uses: ./d§\n",
            "  b§: {uses: ./.github/workflows/c§.yml}\n",
        ),
        ("'", "run: |\n", "${{", "["),
        "on: push\njobs:\n",
    ),
    "terraform": Pieces(
        "a.tf",
        (
            ("a§ {\n", "}\n"),
            ('"${', '}"'),
            ("a = [\n", "]\n"),
            ("f(\n", ")"),
            ("a = { b = ", "}\n"),
            ("a ? b : (", ")"),
        ),
        (
            'resource "a" "b§" {\n  c = d.e§.id\n}\n',
            'module "m§" {\n  source = "./n§"\n}\n',
            'variable "v§" {}\n',
            "locals {\n  a§ = var.b§\n}\n",
            'output "o§" { value = local.a§ }\n',
        ),
        ("<<EOF\n", "<<-EOF\n", '"${', "/* ", "a {\n", "a = [", "f("),
    ),
    "protobuf": Pieces(
        "a.proto",
        (("message A§ {\n", "}\n"), ("map<a, ", ">"), ("option (a) = {\n", "};\n"), ("oneof a {\n", "}\n")),
        (
            "message M§ { N§ a = 1; }\n",
            'import "a§.proto";\n',
            "enum E§ { A§ = 0; }\n",
            "service S§ { rpc m§ (A§) returns (B§); }\n",
            "extend A { optional B§ b = §; }\n",
        ),
        ('"', "/* ", "message A {\n", "map<", "option a = {", "rpc a ("),
    ),
    "graphql": Pieces(
        "a.graphql",
        (("{ a§ {\n", "} }\n"), ("a: [", "]"), ("a(b: {c: ", "})"), ("... on A {\n", "}\n")),
        (
            "type T§ implements I§ { a: U§! }\n",
            "union A§ = B§ | C§\n",
            "query q§ { a { ...f§ } }\n",
            "fragment f§ on T§ { a }\n",
            "extend type T { a§: B§ }\n",
            "directive @d§ on FIELD\n",
            "#import 'a§.graphql'\n",
        ),
        ('"""', '"', "type A {\n", "query a(", "{ a", "a: ["),
    ),
    "notebook": Pieces(
        "a.ipynb",
        (("[", "]"), ('{"cells": [', "]}")),
        (
            '{"cell_type": "code", "source": ["f§()\\n"]},\n',
            '{"cell_type": "markdown", "source": "# a§"},\n',
            '{"cell_type": "code", "source": "%%bash\\na§"},\n',
            '{"cell_type": "code", "source": "!a §"},\n',
        ),
        ('"', "[", '{"source": '),
        '{"cells": [\n',
        '{"cell_type": "code", "source": []}]}\n',
    ),
    "maven": Pieces(
        "pom.xml",
        (*_XML, ("<modules><module>", "</module></modules>")),
        (
            "<dependency><groupId>a</groupId><artifactId>b§</artifactId></dependency>\n",
            "<module>a§</module>\n",
            "<a§>${b§}</a§>\n",
            "<properties><a§>${a§}</a§></properties>\n",
        ),
        _XML_OPENS,
        "<project>\n",
        "</project>\n",
    ),
    "dotnet": Pieces(
        "a.csproj",
        (*_XML, ("<ItemGroup>", "</ItemGroup>")),
        (
            '<ProjectReference Include="a§.csproj" />\n',
            '<PackageReference Include="a§" Version="1" />\n',
            '<Import Project="a§.props" />\n',
            '<Compile Include="a§/**/*.cs" />\n',
        ),
        _XML_OPENS,
        "<Project>\n",
        "</Project>\n",
    ),
    "svg": Pieces(
        "a.svg",
        (*_XML, ("<g>", "</g>"), ("<text>a", "</text>")),
        (
            "<text>see a§.py</text>\n",
            "<a href='b§.md'><text>c</text></a>\n",
            "<use href='#a§'/>\n",
            "<title>a§</title>\n",
        ),
        (*_XML_OPENS, "<!ENTITY a '&a;&a;'>", "<text>"),
        "<svg>\n",
        "</svg>\n",
    ),
    "vue": Pieces(
        "a.vue",
        (("<div>\n", "</div>\n"), ("<template>\n", "</template>\n"), ("<script>\n", "</script>\n"), ("{{ ", " }}")),
        (
            "<script>\nimport a§ from './b§'\n</script>\n",
            "<A§ :b='c§' @d='e§()' />\n",
            "<style>.a§ {}</style>\n",
            "<!-- a§ -->\n",
            "{{ a§.b() }}\n",
        ),
        ("<script>\n", "<!-- ", "<template>\n", "<style>\n", "<a b='", "{{", "<script lang='"),
    ),
    "svelte": Pieces(
        "a.svelte",
        (("<div>\n", "</div>\n"), ("{#if a}\n", "{/if}\n"), ("{", "}"), ("<script>\n", "</script>\n")),
        (
            "<script>\nimport a§ from './b§'\n</script>\n",
            "<A§ b={c§} on:d={e§} />\n",
            "{#each a§ as b}{b.c()}{/each}\n",
            "{@html a§}\n",
        ),
        ("<script>\n", "<!-- ", "{#if ", "{`", "<style>\n", "<a b={"),
    ),
    "npm": Pieces(
        "package.json",
        (("[", "]"), ('{"exports": ', "}"), ('{"a§": ', "}")),
        ('"a§": "node b§.js",\n', '"a": "b§",\n', '"workspaces": ["a§/*"],\n'),
        ('"', "{", "["),
        '{"scripts": {\n',
        '"z": "1"}}\n',
    ),
    "pyproject": Pieces(
        "pyproject.toml",
        (("a = [\n", "]\n"), ("{ a = ", "}")),
        ("a§ = 'b§:c'\n", "[tool.a§]\nb = 'c§.py'\n", "[project.scripts]\na§ = 'b§:c'\n"),
        ('"""', "a = [", '"'),
        "[project]\nname = 'a'\n",
    ),
    "cargo": Pieces(
        "Cargo.toml",
        (("a = [\n", "]\n"), ("{ a = ", "}")),
        ("a§ = { path = '../a§' }\n", "[[bin]]\nname = 'a§'\npath = 'b§.rs'\n", "[target.'cfg(a§)'.dependencies]\n"),
        ('"""', "a = [", "[a"),
        "[dependencies]\n",
    ),
    "gomod": Pieces(
        "go.mod",
        (("require (\n", ")\n"),),
        ("require a/b§ v1.0.0\n", "replace a/b§ => ./c§\n", "exclude a§ v1\n"),
        ("require (\n", '"', "/* ", "replace a =>"),
        "module a\n",
    ),
    "gradle": Pieces(
        "build.gradle",
        (("a§ {\n", "}\n"), ("f(\n", ")"), ('"${', '}"')),
        (
            "implementation project(':a§')\n",
            "implementation 'a:b§:1'\n",
            "task t§ { dependsOn 'u§' }\n",
            "include 'a§'\n",
        ),
        ("'''", '"', "/* ", "a {\n", "f(", '"""'),
    ),
    "compose": Pieces(
        "compose.yml",
        (("- ", ""), ("{a: ", "}")),
        ("  a§:\n    build: ./b§\n    depends_on: [c§]\n", "  b§: {image: c§}\n", "  d§:\n    <<: *e§\n"),
        ("'", "a: |\n", "[", "${"),
        "services:\n",
    ),
    "pipeline": Pieces(
        ".gitlab-ci.yml",
        (("- ", ""), ("{a: ", "}")),
        ("a§:\n  needs: [b§]\n  script:\n    - python c§.py\n", ".d§: &e§\n  script: f\n", "g§:\n  extends: .d§\n"),
        ("'", "a: |\n", "["),
    ),
    "bundler": Pieces(
        "Gemfile",
        (("group :a do\n", "end\n"),),
        ("gem 'a§', path: 'b§'\n", "eval_gemfile 'a§'\n"),
        ("'", "gem(", "<<A\n"),
    ),
    "composer": Pieces(
        "composer.json",
        (("[", "]"), ('{"a§": ', "}")),
        ('"A§\\\\": "b§/",\n', '"a/b§": "^1",\n'),
        ('"', "["),
        '{"autoload": {"psr-4": {\n',
        '"Z\\\\": "z/"}}}\n',
    ),
    "requirements": Pieces(
        "requirements.txt",
        (),
        ("a§==1.0 ; b\n", "-r b§.txt\n", "-e ./c§\n", "a§ \\\n --hash=b\n"),
        ("a[", "-r ", "a \\\n"),
    ),
    "setupcfg": Pieces(
        "setup.cfg",
        (),
        ("[a§]\nb = c§.py\n", "a§ = b§:c\n", " a§\n"),
        ("[", "a =\n ", "%("),
        "[options.entry_points]\n",
    ),
    "text": Pieces(
        "a.txt", (("(", ")"), ("  ", "")), ("see a§.py and b§()\n", "a§ b c.d\n\n", "A§\n----\n"), ('"', "(", "`")
    ),
}
"""Language, or dialect -> its pieces."""

DIALECTS = {pieces.path: name for name, pieces in PIECES.items()} | {"a.tsx": "javascript"}
"""Path that a file of pieces is read under -> whose pieces."""


def _number(piece: str, number: int) -> str:
    return piece.replace("§", str(number))


def nest(pieces: Pieces, which: int, depth: int, inner: str = "1\n") -> str:
    """Return one nest of such a depth around something."""
    opening, closing = pieces.nests[which]
    return "".join(_number(opening, level) for level in range(depth)) + inner + closing * depth


def _nest(pieces: Pieces, which: int) -> Shape:
    """Return one nest as deep as the size allows."""
    width = sum(map(len, pieces.nests[which]))
    return lambda size: f"{pieces.head}{nest(pieces, which, max(1, size // width))}\n{pieces.tail}".encode()


def _filled(pieces: Pieces, which: int) -> Shape:
    """Return a nest of some depth with many siblings in its innermost level, half of the size each."""
    width = sum(map(len, pieces.nests[which]))
    inner = pieces.many[0]

    def shape(size: int) -> bytes:
        depth = max(1, min(DEPTH, size // 2 // width))
        body = "".join(_number(inner, number) for number in range(size // 2 // len(inner)))
        return f"{pieces.head}{nest(pieces, which, depth, body)}\n{pieces.tail}".encode()

    return shape


def _nests(pieces: Pieces, which: int) -> Shape:
    """Return one nest of a modest depth after another."""
    one = nest(pieces, which, 40) + "\n"
    return lambda size: f"{pieces.head}{one * max(1, size // len(one))}{pieces.tail}".encode()


def _many(pieces: Pieces, piece: str) -> Shape:
    """Return thousands of one thing, each with a name of its own."""
    width = len(piece) + 3 * piece.count("§")
    return lambda size: (
        pieces.head + "".join(_number(piece, number) for number in range(max(1, size // width))) + pieces.tail
    ).encode()


def _same(pieces: Pieces, piece: str) -> Shape:
    """Return thousands of one thing, all of one name."""
    text = _number(piece, 1)
    return lambda size: f"{pieces.head}{text * max(1, size // len(text))}{pieces.tail}".encode()


def _open(pieces: Pieces, opening: str) -> Shape:
    """Return something that is left open before many lines."""
    body = pieces.many[0]
    return lambda size: (
        pieces.head + opening + "".join(_number(body, number) for number in range(size // len(body)))
    ).encode()


def _opens(pieces: Pieces, opening: str) -> Shape:
    """Return the same thing left open again and again, on lines of its own."""
    text = opening if opening.endswith("\n") else f"{opening}a\n"
    return lambda size: (pieces.head + text * (size // len(text))).encode()


def _long(pieces: Pieces, piece: str) -> Shape:
    """Return many things on lines of some hundred bytes, which are not taken as made by a machine."""
    text = _number(piece, 1).replace("\n", " ")
    line = text * max(1, 400 // len(text)) + "\n"
    return lambda size: f"{pieces.head}{line * (size // len(line) or 1)}{pieces.tail}".encode()


def shapes(pieces: Pieces) -> Iterator[tuple[str, Shape]]:
    """Yield (name, shape) of all that is made of the pieces of one language."""
    for which, (opening, _) in enumerate(pieces.nests):
        yield f"nest of {opening!r}", _nest(pieces, which)
        yield f"siblings in a nest of {opening!r}", _filled(pieces, which)
        yield f"nests of {opening!r}", _nests(pieces, which)
    for piece in pieces.many:
        yield f"many {piece!r}", _many(pieces, piece)
        yield f"the same {piece!r}", _same(pieces, piece)
        yield f"on long lines {piece!r}", _long(pieces, piece)
    for opening in pieces.opens:
        yield f"{opening!r} left open", _open(pieces, opening)
        yield f"{opening!r} again and again", _opens(pieces, opening)


def sample(pieces: Pieces) -> bytes:
    """Return a file that holds a few of each thing there may be many of."""
    body = "".join(_number(piece, number) for number in range(3) for piece in pieces.many)
    return f"{pieces.head}{body}{pieces.tail}".encode()


def respelled(data: bytes) -> dict[str, bytes]:
    """Return a file in other encodings and line ends, and with bytes that belong to none."""
    text = data.decode()
    return {
        "UTF-8 with a mark": b"\xef\xbb\xbf" + data,
        "UTF-16": b"\xff\xfe" + text.encode("utf-16-le"),
        "UTF-16, big end first": b"\xfe\xff" + text.encode("utf-16-be"),
        "CRLF": data.replace(b"\n", b"\r\n"),
        "CR": data.replace(b"\n", b"\r"),
        "NUL bytes": data.replace(b" ", b"\0"),
        "half characters": data.replace(b"1", b"\xed\xa0\x80"),
        "Latin-1": data.replace(b"1", b"\xe9"),
        "two encodings": data + "é\n".encode("latin-1") + "é\n".encode(),
        "marks inside": data.replace(b"1", b"\xef\xbb\xbf"),
        "separators beyond ASCII": data.replace(b"\n", "\u2028\n".encode()).replace(b" ", "\u00a0".encode(), 20),
    }
