"""What a PDF says, by page; and how little a bad one costs."""

import logging
import re
import subprocess
import sys
import warnings
import zlib
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from memoire.dispatch import extract
from memoire.extract.documents import split_summary
from memoire.languages import language_of
from memoire.languages.pdf import reader
from memoire.model import FileFacts
from tests.pdf_files import content, page_of, pdf, stream
from tests.unit.document_facts import found, names
from tests.unit.test_documents_bad_input import check

PAGE = "The order service\nIt is written in src/orders/api.py and nowhere else, so read it."
OUTLINE = [(1, 1, "The order service"), (2, 2, "Second"), (1, 2, "Last")]
SMALL = pdf([PAGE, "Second"], OUTLINE, title="Orders")


def read(data: bytes, path: str = "docs/spec.pdf") -> FileFacts:
    return extract(path, data)


def text(data: bytes) -> str:
    language = language_of("a.pdf")
    assert language is not None
    assert language.text is not None
    return language.text("a.pdf", data)


def codes(facts: FileFacts) -> list[str]:
    return [problem.code for problem in facts.problems]


def locked(user: str, owner: str = "o") -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(SMALL)))
    writer.encrypt(user, owner, algorithm="RC4-128")
    sink = BytesIO()
    writer.write(sink)
    return sink.getvalue()


class TestFacts:
    def test_a_line_is_a_page(self) -> None:
        facts = read(pdf(["One", "Two a/b.py\n\nand c/d.py", "", "Four a/b.py"]))
        assert (facts.lines, facts.size > 0, facts.language) == (4, True, "pdf")
        assert found(facts) == [(2, "path", "a/b.py"), (2, "path", "c/d.py"), (4, "path", "a/b.py")]
        assert text(pdf(["One\ntwo", "", "Three"])) == "One two\n\nThree"

    def test_what_is_wrapped_is_one_word_and_a_hyphen_of_its_own_stays(self) -> None:
        wrapped = "The imple-\nmentation of X-\nRay lies in src/very/\nlong/path.py, by UTF-\n8"
        assert text(pdf([wrapped])) == "The implementation of X- Ray lies in src/very/long/path.py, by UTF- 8"

    @pytest.mark.parametrize(
        ("stated", "title"),
        [
            ("The specification", "The specification"),
            ("", "The order service"),
            ("Microsoft Word - Draft 3", "The order service"),
            ("untitled", "The order service"),
            ("spec-v2.docx", "The order service"),
            ("My notes.pages", "The order service"),
        ],
    )
    def test_its_title_is_what_somebody_wrote(self, stated: str, title: str) -> None:
        assert split_summary(read(pdf([PAGE], title=stated)).summary)[0] == title

    def test_one_without_a_line_that_may_be_a_title_is_called_by_its_name(self) -> None:
        assert read(pdf(["1 2 3\n4", "x"])).summary == "spec"

    def test_its_first_paragraph_is_quoted(self) -> None:
        page = "Title\nAda Writer\n2024\nThis document says how orders are paid, sent and\ncounted. It is long.\nMore"
        assert split_summary(read(pdf([page])).summary) == (
            "Title",
            "This document says how orders are paid, sent and counted.",
        )

    def test_its_outline_makes_the_sections_and_nothing_else_does(self) -> None:
        pages = ["1 First\ntext", "2 Second\n2.1 Inner", "3 Third\n"]
        outline = [(1, 1, "1 First"), (1, 2, "2 Second"), (2, 2, "2.1 Inner"), (1, 3, "Other words"), (1, 1, "Back")]
        assert [
            (item.name, item.line, item.end_line, item.parent) for item in read(pdf(pages, outline)).definitions
        ] == [
            ("1 First", 1, 1, -1),
            ("2 Second", 2, 2, -1),
            ("2.1 Inner", 2, 2, 1),
            ("Other words", 3, 3, -1),
            ("Back", 3, 3, -1),
        ]
        assert names(read(pdf(pages))) == []

    def test_a_section_that_changed_has_another_fingerprint(self) -> None:
        outline = [(1, 1, "One"), (1, 1, "Two")]
        before = read(pdf(["One\na\nTwo\nb"], outline)).definitions
        after = read(pdf(["One\na\nTwo\nc"], outline)).definitions
        assert [old.body == new.body for old, new in zip(before, after, strict=True)] == [True, False]


class TestTrouble:
    def test_what_is_no_pdf_is_a_problem(self) -> None:
        assert codes(read(b"")) == codes(read(b"hello")) == codes(read(b"%PDF-1.4\nnothing")) == ["syntax"]
        facts = read(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
        assert (codes(facts), facts.problems[0].message) == (
            ["unreadable"],
            "its content is kept by Git LFS, and is not here",
        )

    def test_one_that_asks_for_a_password_is_a_problem_and_one_that_does_not_is_read(self) -> None:
        facts = read(locked("secret"))
        assert (codes(facts), facts.problems[0].message, facts.mentions) == (
            ["unreadable"],
            "is encrypted: it opens with a password only",
            (),
        )
        assert found(read(locked(""))) == [(1, "path", "src/orders/api.py")]

    def test_one_that_holds_pictures_alone_is_a_problem(self) -> None:
        facts = read(page_of(stream(b"q 1 0 0 1 0 0 cm Q")))
        assert [(problem.code, problem.message) for problem in facts.problems] == [
            ("unreadable", "none of its 1 pages has text: they hold pictures")
        ]

    def test_one_broken_page_loses_no_other(self) -> None:
        data = pdf(["One a/b.py", "Two c/d.py", "Three e/f.py"])
        broken = data.replace(b"/Contents 7 0 R", b"/Contents 1 0 R")
        assert len(broken) == len(data)
        facts = read(broken)
        assert [name for _, _, name in found(facts)] == ["a/b.py", "e/f.py"]
        assert facts.lines == 3

    def test_a_damaged_table_of_objects_is_made_anew(self) -> None:
        assert found(read(re.sub(rb"startxref\n\d+", b"startxref\n7", SMALL))) == [(1, "path", "src/orders/api.py")]
        assert found(read(SMALL[: SMALL.index(b"xref\n0")])) in ([(1, "path", "src/orders/api.py")], [])

    @pytest.mark.parametrize("pages", [reader.MAX_PAGES, reader.MAX_PAGES + 1])
    def test_only_so_many_pages_are_read(self, pages: int) -> None:
        facts = read(pdf(["text"] * pages))
        assert (facts.lines, codes(facts)) == (pages, ["too-large"] if pages > reader.MAX_PAGES else [])

    def test_only_so_much_text_is_read(self) -> None:
        data = pdf(["word " * 2_000] * 120)
        assert len(text(data)) <= reader.MAX_CHARS + 120
        assert codes(read(data)) == ["too-large"]

    def test_reading_ends_between_two_pages_when_its_time_is_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reader, "MAX_SECONDS", -1.0)
        pages = reader.read_pages(SMALL)
        assert (pages.count, pages.texts, [problem.code for problem in pages.problems]) == (2, (), ["too-slow"])

    def test_a_stream_that_unpacks_to_more_than_it_may_is_given_up(self) -> None:
        bomb = zlib.compress(b"BT (x) Tj ET " * 4_000_000, 9)
        facts = read(page_of(stream(bomb, b"/Filter /FlateDecode ")))
        assert len(bomb) < 200_000
        assert codes(facts) == ["syntax"]

    def test_forms_that_draw_each_other_end(self) -> None:
        form = stream(
            b"/X Do " * 50 + content("deep a/b.py"),
            b"/Type /XObject /Subtype /Form /Resources << /XObject << /X %d 0 R >> >> ",
        )
        forms = tuple(form.replace(b"/X %d 0 R", b"/X %d 0 R" % number) for number in (7, 8, 9, 6))
        check(read(page_of(stream(b"/X Do"), b"/XObject << /X 6 0 R >>", forms)))

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b"/Kids [4 0 R 6 0 R]", b"/Kids [2 0 R 2 0 R]"),
            (b"/Next", b"/Next 10 0 R /N"),
            (b"/First", b"/First 10 0 R /F"),
            (b"/First", b"/First 1 0 R /F"),
            (b"/Dest [4 0 R", b"/Dest [9 9 R"),
            (b"/Dest [4 0 R", b"/Dest [-1"),
            (b"/Count 2 >>", b"/Count 999999999 >>"),
            (b"/Title (Orders)", b"/Title 7 0 R"),
            (b"/Title (Second)", b"/Title 3 0 R"),
            (b"/Parent 2 0 R", b"/Parent 4 0 R"),
            (b"BT /F1", b"BT /F9"),
            (b"/Length", b"/Length -5 /L"),
            (b"/Length", b"/Length 99999999 /L"),
            (b"Tj T*", b"Tj [[[[[[[[ T*"),
            (b"72 720 Td", b"1e99 nan Td"),
        ],
    )
    def test_references_in_circles_and_to_nowhere_end(self, old: bytes, new: bytes) -> None:
        assert old in SMALL
        check(read(SMALL.replace(old, new)))

    def test_the_library_is_silent(self, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
        with warnings.catch_warnings(record=True) as warned, caplog.at_level(logging.DEBUG):
            read(SMALL.replace(b"xref", b"xxxx"))
        assert (warned, caplog.records, capsys.readouterr()) == ([], [], ("", ""))

    @given(st.data())
    @settings(max_examples=100)
    def test_any_damage_gives_facts(self, data: st.DataObject) -> None:
        damaged = bytearray(SMALL)
        for _ in range(data.draw(st.integers(1, 8))):
            at = data.draw(st.integers(0, len(damaged)))
            size = data.draw(st.integers(0, 40))
            piece = data.draw(
                st.one_of(
                    st.binary(max_size=20), st.integers(0, len(SMALL)).map(lambda begin: SMALL[begin : begin + 60])
                )
            )
            damaged[at : at + size] = piece
        facts = read(bytes(damaged))
        check(facts)
        assert len(text(bytes(damaged)).split("\n")) <= max(facts.lines, 1)

    def test_a_cut_anywhere_gives_facts(self) -> None:
        for size in range(0, len(SMALL), 13):
            check(read(SMALL[:size]))


def test_only_a_project_that_has_a_pdf_loads_the_library() -> None:
    code = "import sys; from memoire.languages import LANGUAGES; list(LANGUAGES); print('pypdf' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
