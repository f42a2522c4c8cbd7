"""Whatever stands in a file of C or C++, what the grammar reads of it has every byte and every line where it was."""

from hypothesis import given
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.resolution.preprocessing import prepare_c, prepare_cpp

PIECES = (
    "#if A\n", "#ifdef __cplusplus\n", "#else\n", "#elif B\n", "#endif\n", "#if 0\n",
    "#define X(a) a /* b */ + \\\n 1\n", "#ifndef G_H\n#define G_H\n", "TEST(Pool, Grows) {",
    'TEST_CASE("a {", "[b]") {', "START_TEST(x)\n{", "END_TEST\n", "class POOL_API Pool : Base {",
    "inline namespace v1 {", "enum E { A(b, 1), C };", "POOL_EXPORT int *f(int a) NOEXCEPT;",
    "static int __init g(void) {", "}", "{", "/* a\n b */", "// c\n", '"s\\"', "'\\''", 'R"x(\n)x"', "Q_OBJECT\n",
    "int x = 1;\n", "TAILQ_FOREACH(a, b, c) {", "va_arg(ap, char *)", "export module a;\n", "void f(T t = {});",
    "\r\n", "\\\n", "é", "(", ")", "<", "\x00",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_preparing_moves_nothing(pieces: list[str]) -> None:
    source = "".join(pieces).encode()
    for prepare in (prepare_c, prepare_cpp):
        prepared = prepare(source)
        assert len(prepared) == len(source)
        assert [at for at, byte in enumerate(prepared) if byte == 10] == [
            at for at, byte in enumerate(source) if byte == 10
        ]


@given(st.lists(st.sampled_from(PIECES), max_size=20), st.sampled_from([".c", ".h", ".cpp"]))
def test_any_pieces_yield_facts_of_all_their_lines(pieces: list[str], suffix: str) -> None:
    source = "".join(pieces).encode()
    facts = extract(f"a{suffix}", source)
    assert facts.size == len(source)
    assert all(1 <= item.line <= item.end_line <= facts.lines + 1 for item in facts.definitions)
