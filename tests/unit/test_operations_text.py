"""What answers quote from a file's text."""

import pytest

from memoire.model import Definition
from memoire.operations._text import document_title, first_paragraph, front_matter_tags, signature


@pytest.mark.parametrize(
    ("source", "kind", "expected"),
    [
        ("def f(a, b=1): return a", "function", "def f(a, b=1): return a"),
        ("def f(\n    a,\n    b,\n) -> int:\n    return a", "function", "def f(a, b,) -> int:"),
        ("@route(\n  '/x',\n)\n@cached\nasync def f():\n    pass", "function", "async def f():"),
        ("class A(Base):\n    x = 1", "class", "class A(Base):"),
        ("export class A extends B {\n  run() {}\n}", "class", "export class A extends B"),
        ("function f(\n  a: {x: number},\n): void {\n  g()\n}", "function", "function f(a: {x: number},): void"),
        ("const f = (a) =>\n  a + 1", "function", "const f = (a) =>"),
        ("interface A {\n  x: number\n}", "interface", "interface A"),
        ("LIMITS = {\n  'a': 1,\n}", "variable", "LIMITS = {"),
        ("type A = string;", "type", "type A = string;"),
        ("def f(" + "argument, " * 40 + "):", "function", None),
        ("@only_a_decorator", "function", ""),
        ("def f(\n" * 30, "function", None),
    ],
)
def test_a_signature_is_the_header_in_one_line(source: str, kind: str, expected: str | None) -> None:
    lines = source.split("\n")
    found = signature(lines, Definition("f", kind, 1, len(lines)))
    if expected is None:
        assert len(found) <= 160
        assert found.startswith("def f(")
    else:
        assert found == expected


def test_a_definition_beyond_the_end_of_its_text_has_no_signature() -> None:
    assert signature(["x = 1"], Definition("f", "function", 9, 12)) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Title\n\nOne\ntwo.\n\nThree.", "One two."),
        ("Title\n=====\n\nText.", "Text."),
        ("Title\n---\nText.\n", "Text."),
        ("---\ntitle: x\n---\n\n# T\n\nText.", "Text."),
        ("<p align=center>\n![logo](x.png)\n[![build](b)](c)\n\n> [!NOTE]\n\nText.", "Text."),
        ("```\ncode\n```\n\nText.", "Text."),
        (".. image:: x\n\n:author: me\n\nText.", "Text."),
        ("| a | b |\n|---|---|\n\nText.", "Text."),
        ("# Only a title\n", ""),
        ("", ""),
        ("---\nnever closed\n", "never closed"),
        ("\n" * 100 + "Too far down.", ""),
    ],
)
def test_the_first_paragraph_is_the_first_prose(text: str, expected: str) -> None:
    assert first_paragraph(text) == expected


def test_a_long_paragraph_is_cut_at_a_word() -> None:
    found = first_paragraph("word " * 200)
    assert len(found) <= 300
    assert found.endswith("word…")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntags: [a, 'b', \"c\"]\n---\n", ["a", "b", "c"]),
        ("---\ntags: a, b, a\n---\n", ["a", "b"]),
        ("---\ntags:\n  - one\n  - two\nother: x\n---\n", ["one", "two"]),
        ("---\nKeywords: x\n---\n", ["x"]),
        ("---\nnested:\n  tags: [a]\n---\n", []),
        ("---\ntitle: x\n---\ntags: [a]\n", []),
        ("tags: [a]\n", []),
        ("---\ntags:\n---\n", []),
        ("---\ntags: [" + ", ".join(str(number) for number in range(50)) + "]\n---\n", [str(n) for n in range(20)]),
    ],
)
def test_tags_are_those_of_the_front_matter(text: str, expected: list[str]) -> None:
    assert front_matter_tags(text) == expected


def test_the_title_of_a_document_is_what_its_summary_begins_with() -> None:
    assert document_title("The store — One file per project.") == "The store"
    assert document_title("The store") == "The store"
    assert document_title("") == ""
