"""No bytes are too bad: what is wrong with them is a problem, and what is right is read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.extract.documents import MAX_BYTES, MAX_LINE
from memoire.model import FileFacts
from tests.unit.document_facts import ALL_LANGUAGES, LANGUAGES, extract_document, found, markdown, names

FIXTURES = sorted(
    file
    for file in (Path(__file__).parents[1] / "languages").glob("*/*")
    if file.suffix in {".adoc", ".md", ".rst", ".svg"} and file.parent.name in ALL_LANGUAGES
)


class TestBadInput:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_broken_utf8_is_read_around_and_named_with_its_line(self, language: str) -> None:
        facts = extract_document(language, "x", b"Top\n===\n\n\xff\xfe `a/b.py` \xc3(\n")
        assert [(problem.code, problem.line) for problem in facts.problems] == [("encoding", 4)]
        assert [mention.text for mention in facts.mentions] == ["a/b.py"]

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-32"])
    def test_a_byte_order_mark_decides(self, encoding: str) -> None:
        facts = markdown("# Ä\n\n`a/b.py`\n".encode(encoding))
        assert (names(facts), found(facts), facts.problems) == (["Ä"], [(3, "path", "a/b.py")], ())

    @pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
    def test_every_line_end_is_one(self, end: str) -> None:
        facts = markdown(f"# A{end}{end}`a/b.py`{end}{end}B{end}-{end}".encode())
        assert (names(facts), found(facts), facts.lines) == (["A", "B"], [(3, "path", "a/b.py")], 6)

    def test_a_nul_is_a_space_and_many_are_no_text(self) -> None:
        assert found(markdown(b"# A\0\n\nSome words\0and `a/b.py`\n")) == [(3, "path", "a/b.py")]
        facts = markdown(b"\0\1\2\0" * 100)
        assert [problem.code for problem in facts.problems] == ["binary"]
        assert (facts.mentions, facts.definitions) == ((), ())

    def test_a_line_of_megabytes_is_cut(self) -> None:
        facts = markdown(b"`a/b.py` " + b"x" * 5_000_000)
        assert [problem.code for problem in facts.problems] == ["too-large", "minified"]
        assert (found(facts), facts.size) == ([(1, "path", "a/b.py")], 5_000_009)
        assert found(markdown(b"x" * MAX_LINE + b" `a/b.py`\n\n`c/d.py`")) == [(3, "path", "c/d.py")]

    @pytest.mark.parametrize(
        "data",
        [b"> " * 100_000 + b"x", b"- " * 5_000 + b"x", b"\n".join(b" " * 2 * depth + b"- x" for depth in range(300))],
    )
    def test_deep_nesting_is_a_problem(self, data: bytes) -> None:
        assert "too-deep" in {problem.code for problem in markdown(data).problems}

    def test_what_is_beyond_the_limit_is_not_read_and_a_character_cut_there_is_no_error(self) -> None:
        facts = markdown(b"# A\n\n" + b"x" * 90 + ("\n" + "é" * 40).encode() * (MAX_BYTES // 80) + b"\n# B\n")
        assert [problem.code for problem in facts.problems] == ["too-large"]
        assert names(facts) == ["A"]

    def test_sections_and_mentions_are_bounded_and_the_cut_is_said(self) -> None:
        facts = markdown("# a\n\n`b/c.py`\n" * 12_000)
        assert (len(facts.definitions), len(facts.mentions)) == (10_000, 5_000)
        assert [problem.code for problem in facts.problems] == ["too-large"]

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(
        "piece",
        [
            "[", "](", "![", "[]", '[a](b "', "`", "`` ` ", "<a ", "<!--", "<h1>", ":a", "_a ", "**a* ", "a/", ".",
            "a.", "|", "# a\n", "> ", "1. ", "- ", "a\n=\n", "[a]: b 'c\n", ".. x::\n", "a::\n\n", "==\n",
            "import ", "a(b.py", "\\:", " ", "xref:a[", "<<a", "|===\n", "----\n", "====\n", "{a}", "+a",
            ":a: {a}{a}\n", "a::\n", "a:: ", "[[", "include::a[", "[a\n", ".a\n", "link:{a}[", "* a\n+\n",
        ],
    )  # fmt: skip
    def test_repetition_costs_no_more_than_its_length(self, language: str, piece: str) -> None:
        facts = extract_document(language, "x.mdx", (piece * (200_000 // len(piece))).encode())
        assert facts.size >= 199_990

    @given(st.binary(max_size=300))
    def test_any_bytes_give_facts(self, data: bytes) -> None:
        for language in ALL_LANGUAGES:
            check(extract_document(language, "x.md", data))

    @given(st.text(alphabet="`*_[]()<>!#>-+=|~:.\\/ \n\tab1\"'{}", max_size=200))
    def test_any_punctuation_gives_consistent_facts(self, text: str) -> None:
        for language in (*LANGUAGES, "svg"):
            facts = extract_document(language, "x.md", text.encode())
            check(facts)
            assert facts == extract_document(language, "x.md", text.encode())

    @given(
        st.sampled_from(FIXTURES), st.lists(st.tuples(st.integers(0), st.integers(0, 60), st.integers(0)), max_size=6)
    )
    def test_real_documents_in_any_disorder_give_facts(self, file: Path, moves: list[tuple[int, int, int]]) -> None:
        """Pieces are moved to other places: marks without their counterpart, blocks in blocks."""
        data = file.read_bytes()
        for start, size, target in moves:
            begin, end = start % len(data), target % len(data)
            data = data[:end] + data[begin : begin + size] + data[end:]
        check(extract_document(file.parent.name, file.name, data))


def check(facts: FileFacts) -> None:
    """The laws of the facts of any document."""
    names_found = [item.name for item in facts.definitions]
    assert len(set(names_found)) == len(names_found)
    assert all(names_found)
    for index, item in enumerate(facts.definitions):
        assert -1 <= item.parent < index
        assert 1 <= item.line <= item.end_line <= facts.lines
        assert len(item.doc) <= 200
        if item.parent >= 0:
            parent = facts.definitions[item.parent]
            assert parent.line <= item.line <= parent.end_line
    for mention in facts.mentions:
        assert 1 <= mention.line <= facts.lines
        assert -1 <= mention.scope < len(facts.definitions)
        assert mention.kind in {"path", "link", "symbol"}
        assert mention.text
        assert len(mention.sentence) <= 200
    assert [mention.line for mention in facts.mentions] == sorted(mention.line for mention in facts.mentions)
