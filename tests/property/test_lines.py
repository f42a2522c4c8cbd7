"""What is found by a sign is what a look at every line finds."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.extract.lines import at_lines, replaced
from memoire.languages.kotlin import grammar
from memoire.resolution import preprocessing

SIGNS = (
    (preprocessing._ANY_DIRECTIVE, preprocessing._AT_DIRECTIVE),
    (preprocessing._DIRECTIVE, preprocessing._AT_DIRECTIVE),
    (preprocessing._LEADING_ATTRIBUTE, preprocessing._BEFORE_TYPE),
    (preprocessing._CALLING, preprocessing._BEFORE_CALLED),
    (preprocessing._LOOP, preprocessing._EACH),
    (preprocessing._STATEMENT, preprocessing._CAPITALS),
    (preprocessing._CONSTRUCTOR_ATTRIBUTE, preprocessing._CAPITALS),
    (preprocessing._MODULE, preprocessing._AT_MODULE),
    (grammar._GUARDED, grammar._IS),
    (grammar._ONE_LINE, grammar._IN_ONE_LINE),
    (grammar._ANNOTATED, grammar._AT_ANNOTATION),
)
PIECES = (
    "\n", "\n", "\n", "\r\n", " ", "\t", "  ", "\\\n", "#", "# if A", "#define X(a) a", "#endif", "else",
    "[[nodiscard]]", "[[a]]POOL_API int f(", "POOL_API int f(", "static inline POOL_API(1) void *g(", "extern ",
    "EXPORT", "_X1", "(1)", "__init", "static int __init h(", "int *FOO_ k(", "char ** BARS_ m (", "FOREACH(a, b) {",
    "\n FOREACH(a, b) {", "\n\tfor_each(x,\ny) {", "TAILQ_FOREACH(a, (b)) {", "Q_OBJECT", "DECLARE(a, (b))",
    "POOL Pool::Pool(", "NAMES a::b<c>::~b(", "export module a.b;", "import x;", "export int", "is A if b ->",
    "!is A<B> if c\n ->", "is ", "{", "}", "class A { }", "object : B { val x = 1 }", "interface", "// c", "'",
    "@A", "@A.b(c(d))", "@A\nenum class B", "@C(1)\n@D\n const val e", "set(x)", "a", "0", "-", ",", ";", "é",
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(SIGNS)))
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=25))
def test_a_sign_finds_what_every_line_would(number: int, pieces: list[str]) -> None:
    pattern, sign = SIGNS[number]
    text = "".join(pieces).encode()
    found = [each.span() for each in pattern.finditer(text)]
    assert [each.span() for each in at_lines(pattern, sign, text)] == found
    blanked = pattern.sub(lambda each: b"_" * len(each[0]), text)
    assert replaced(at_lines(pattern, sign, text), lambda each: b"_" * len(each[0]), text) == blanked


def test_what_the_signs_are_for_occurs_in_what_they_are_tried_on() -> None:
    text = "\n".join(PIECES).encode()
    silent = [pattern.pattern for pattern, _ in SIGNS if not re.search(pattern, text)]
    assert silent == []
