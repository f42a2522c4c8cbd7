"""Whatever a file holds, it yields facts and says what kept it from yielding more: bounded, and never an exception."""

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.model import FileFacts
from memoire.resolution.preprocessing import prepare_cpp
from tests.fact_laws import check_extraction

CODE = ("a.py", "a.js", "a.ts", "a.tsx")


def codes(facts: FileFacts) -> list[str]:
    return [problem.code for problem in facts.problems]


def names(facts: FileFacts) -> list[str]:
    return [item.name for item in facts.definitions]


@pytest.mark.parametrize("path", CODE)
def test_binary_data_is_known_by_name_only(path: str) -> None:
    facts = extract(path, bytes(range(256)) * 64)
    assert codes(facts) == ["binary"]
    assert names(facts) == []
    assert facts.size == 256 * 64


@pytest.mark.parametrize("path", CODE)
def test_random_bytes_cost_no_more_than_their_deadline(path: str) -> None:
    facts = extract(path, random.Random(1).randbytes(300_000))
    assert codes(facts) == ["binary"]


def test_a_minified_file_is_not_parsed() -> None:
    facts = extract("a.js", b"var a=1;function f(){return a};" * 3_000)
    assert codes(facts) == ["minified"]
    assert facts.lines == 1


def test_a_file_of_five_megabytes_is_not_parsed() -> None:
    facts = extract("a.py", b"x = 1\n" * 850_000)
    assert codes(facts) == ["too-large"]
    assert facts.lines == 850_000


@pytest.mark.parametrize(("path", "opening"), [("a.py", b"("), ("a.js", b"["), ("a.ts", b"{")])
def test_nesting_of_100000_levels_ends_and_says_so(path: str, opening: bytes) -> None:
    closing = {b"(": b")", b"[": b"]", b"{": b"}"}[opening]
    source = b"x = \\\n" * 0 + b"\n".join([opening * 100] * 1000 + [b"1"] + [closing * 100] * 1000)
    assert set(codes(extract(path, source))) & {"too-deep", "too-slow", "syntax"}


def test_definitions_beyond_all_levels_belong_to_the_last_one_that_is_told_apart() -> None:
    facts = extract("A.java", "".join(f"class A{n} {{\n" for n in range(40)).encode() + b"B b;\n" + b"}\n" * 40)
    assert codes(facts) == ["too-deep"]
    assert names(facts)[-1].endswith("A22.A23")
    assert facts.definitions[-1].end_line == 40 + 1 + 17
    assert extract("A.java", b"class A {\n" * 20 + b"}\n" * 20).problems == ()


def test_unclosed_brackets_do_not_make_matching_quadratic() -> None:
    assert set(codes(extract("a.py", b"\n".join([b"(" * 100] * 1000)))) & {"syntax", "too-deep"}


def test_brackets_that_are_never_closed_are_not_tried_by_a_parser() -> None:
    assert codes(extract("a.rs", b"%w(\n" * 4000)) == ["too-deep"]
    assert "too-deep" not in codes(extract("a.rs", b"fn f() { g(" + b"(1)" * 4000 + b"); }"))


def test_broken_utf8_is_read_byte_by_byte_and_named_with_its_line() -> None:
    facts = extract("a.py", b"x = 1\n# caf\xe9\ndef latin():\n    pass\n")
    assert codes(facts) == ["encoding"]
    assert facts.problems[0].line == 2
    assert names(facts) == ["x", "latin"]


def test_a_byte_that_is_not_utf8_is_a_letter_and_moves_nothing() -> None:
    facts = extract("a.py", b"def caf\xe9(): pass\n\ndef \xc3\xa9t\xe9(): caf\xe9()\n# \xed\xa0\x80 \xe2\x82\n")
    assert [(item.name, item.line) for item in facts.definitions] == [("caf_", 1), ("ét_", 3)]
    assert [(use.root, use.line) for use in facts.uses] == [(-1, 3)]
    assert codes(facts) == ["encoding"]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_is_read_and_named(codec: str) -> None:
    mark = "\ufeff".encode(codec)
    facts = extract("a.py", mark + "def café():\n    pass\n".encode(codec))
    assert codes(facts) == ["encoding"]
    assert names(facts) == ["café"]


@pytest.mark.parametrize("newline", [b"\r\n", b"\r"])
def test_line_ends_of_other_systems_are_lines(newline: bytes) -> None:
    facts = extract("a.py", newline.join([b"import os", b"", b"def f():", b"    return os.getcwd()", b""]))
    assert codes(facts) == []
    assert [(item.name, item.line, item.end_line) for item in facts.definitions] == [("f", 3, 4)]


def test_a_byte_order_mark_is_no_syntax() -> None:
    facts = extract("a.py", b"\xef\xbb\xbfimport os\n")
    assert codes(facts) == []
    assert [item.specifier for item in facts.imports] == ["os"]


def test_a_nul_in_valid_source_is_a_space() -> None:
    facts = extract("a.ts", b"export function f() { return 'a\0b' }\n")
    assert codes(facts) == []
    assert names(facts) == ["f"]


def test_what_stands_around_a_syntax_error_is_kept() -> None:
    facts = extract(
        "a.py", b"import os\n\ndef before():\n    os.remove('x')\n\ndef broken(:\n\ndef after():\n    pass\n"
    )
    assert "syntax" in codes(facts)
    assert {"before", "after"} <= set(names(facts))
    assert [effect.callee for effect in facts.effects] == ["os.remove"]


def test_python_read_as_another_language_is_bounded() -> None:
    source = b"def f(x):\n    return {k: v for k, v in x if k}\n" * 4_000
    assert set(codes(extract("a.ts", source))) <= {"syntax", "too-slow"}


def test_an_empty_file_has_no_problem() -> None:
    facts = extract("a.py", b"")
    assert (codes(facts), facts.lines, facts.size) == ([], 0, 0)


def test_deep_expressions_do_not_exhaust_the_stack() -> None:
    source = b"x = " + b" + ".join([b"y"] * 20_000) + b"\n" + b"z" + b".f(1)" * 5_000 + b"\n"
    limit = sys.getrecursionlimit()
    facts = extract("a.py", source.replace(b" + y" * 50, b" +\\\n y" * 50))
    assert sys.getrecursionlimit() == limit
    assert facts.size > 0


@settings(max_examples=150, deadline=None)
@given(path=st.sampled_from([*CODE, "a.md", "a.rst", "a.txt", "a.unknown"]), data=st.binary(max_size=600))
def test_any_bytes_yield_facts(path: str, data: bytes) -> None:
    facts = extract(path, data)
    assert facts.size == len(data)
    assert extract(path, data) == facts


@settings(max_examples=150, deadline=None)
@given(
    path=st.sampled_from(CODE),
    text=st.lists(
        st.sampled_from(
            [
                "class A(",
                "):",
                "\n",
                "    ",
                "def f",
                "self.x",
                " = ",
                "import ",
                "from . ",
                "(",
                ")",
                "{",
                "}",
                "=>",
                "`",
                "'",
                '"""',
                "# ",
                "//",
                "/*",
                "*/",
                "async ",
                "await ",
                "export ",
                "lambda ",
                "x",
                ".",
                ",",
                "[",
                "]",
                "@",
                "global x",
                "<T>",
                "?.",
                "...",
                "\\",
            ]
        ),
        max_size=60,
    ).map("".join),
)
def test_any_scraps_of_code_yield_facts(path: str, text: str) -> None:
    facts = extract(path, text.encode())
    for definition in facts.definitions:
        assert 1 <= definition.line <= definition.end_line
        assert definition.parent < len(facts.definitions)
    for use in facts.uses:
        assert -len(facts.definitions) <= use.root < len(facts.imports)
        assert use.count >= 1


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.cs", b"private e;"),
        ("a.cs", b"{}\n\npublic static class   //\n{\n public static int Twice(this IPool pool) => 1;\n}"),
        ("a.cs", b"d p class o{y r;//\npublicint   { get; set; } = Max; /"),
        ("a.dart", b"l=names.length+base;"),
        ("a.dart", b"e.P.v s.l=null"),
        ("a.exs", b'test""findsone, %{user: user} do # \n  assert Accounts.get(user.id) == user  end'),
        ("a.scala", b"enum(val code: Int)://\n  case Red extends Colour(1)\n  def shade = code"),
        ("a.scala", b"def(text:Rows):Rows=text def"),
        ("a.sh", b'function d { "$e/"'),
        ("a.swift", b"typealias=(Colour)->Void"),
        ("a.mysql", b"# \nCREATE TABLE`.`items`(`id`intKEY`k`(`id`))ENGINE=InnoDB--=>deftable shop.i"),
        ("a.mysql", b"FROM`k`,`.r"),
    ],
)
def test_where_a_name_is_missing_nothing_has_an_empty_one(path: str, data: bytes) -> None:
    check_extraction(path, data)


def test_raw_strings_that_are_left_open_cost_one_look_at_the_rest() -> None:
    # Each looking for its own end, these would take some minutes.
    closed = b'int a = f(R"b(" { )b");\n#if 0\n}\n#endif\n'
    assert prepare_cpp(b'R"a(' * 100_000 + b"\n" + closed).endswith(b'f(R"b(" { )b");\n     \n \n      \n')
