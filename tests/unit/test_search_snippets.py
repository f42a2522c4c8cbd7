"""The line that is shown of a hit."""

import pytest

from memoire.search import snippets
from memoire.search.query import parse
from memoire.search.schema import Stored
from memoire.search.snippets import SNIPPET_LIMIT, Pages, contains, of

FILE = Stored("file", "a.py", "Summary of a.")


def shown(text: str | None, query: str, stored: Stored = FILE, line: int = 0, **weights: float) -> tuple[int, str]:
    parsed = parse(query)
    return of(stored, parsed, weights or dict.fromkeys(parsed.terms, 1.0), Pages(lambda _: text), line)


def test_the_line_with_most_of_the_query_is_shown_without_its_margin() -> None:
    assert shown("read\n\n    the read timeout\ntimeout\n", "read timeout") == (3, "the read timeout")


def test_rare_words_say_more_than_common_ones() -> None:
    assert shown("of the of the\nheartbeat\n", "of the heartbeat", of=0.1, the=0.1, heartbeat=3.0) == (2, "heartbeat")


def test_the_next_line_counts_half() -> None:
    text = "read\n\n\nread\ntimeout\n\n\nread\n"
    assert shown(text, "read timeout") == (4, "read")


def test_a_word_inside_another_is_none() -> None:
    assert shown("import important\nself.port = 1\n", "port") == (2, "self.port = 1")


def test_a_part_of_an_identifier_is_a_word() -> None:
    assert shown("x = 1\nself.readTimeout = 1\n", "timeout") == (2, "self.readTimeout = 1")


def test_a_quoted_phrase_is_shown_where_it_stands() -> None:
    text = "read timeout read timeout of pool\nthe Read  Timeout.\n"
    assert shown(text, '"read timeout."')[0] == 2


def test_a_line_that_was_asked_for_is_shown() -> None:
    assert shown("one\n  two\nthree\n", "one", line=2) == (2, "two")
    assert shown("one\ntwo", "two", line=99) == (2, "two")


def test_a_file_found_by_its_path_shows_its_summary_or_else_its_first_line() -> None:
    assert shown("\n\nx = 1\n", "other") == (1, "Summary of a.")
    assert shown("\n\nx = 1\n", "other", Stored("file", "a.py")) == (3, "x = 1")
    assert shown("", "other", Stored("file", "a.py")) == (1, "")


def test_a_file_that_is_gone_shows_its_summary() -> None:
    assert shown(None, "read") == (0, "Summary of a.")


def test_a_symbol_shows_the_line_of_its_name_below_its_decorators() -> None:
    symbol = Stored("symbol", "a.py", "Client.send", 2, 5)
    text = "class Client:\n    @retry\n    # sends\n    def send(self):\n        ...\n"
    assert shown(text, "x y send", symbol) == (4, "def send(self):")


def test_a_symbol_that_has_moved_is_found_nearby() -> None:
    symbol = Stored("symbol", "a.py", "send", 2, 3, "Sends it.")
    text = "\n" * 20 + "def send():\n"
    assert shown(text, "send", symbol) == (21, "def send():")
    assert shown("\n" * 90 + "def send():\n", "send", symbol) == (2, "Sends it.")
    assert shown(None, "send", symbol) == (2, "Sends it.")


def test_a_section_shows_a_line_of_its_own() -> None:
    text = "# A\nread timeout\n# B\nread\n"
    assert shown(text, "read timeout", Stored("section", "a.md", "B", 3, 4)) == (4, "read")
    assert shown(text, "heading", Stored("section", "a.md", "B", 3, 4)) == (3, "# B")
    assert shown("# A\n", "read", Stored("section", "a.md", "B", 30, 40)) == (30, "")


def test_an_event_shows_its_summary() -> None:
    event = Stored("event", "a.py", "file_edit", text="Edited a.py:\n changed send()")
    assert shown(None, "send", event) == (0, "Edited a.py: changed send()")


@pytest.mark.parametrize("at", [0, 50, 300, 5000, 9990])
def test_a_long_line_is_cut_around_the_word(at: int) -> None:
    line = "ab " * (at // 3) + "needle " + "cd " * ((10_000 - at) // 3)
    number, snippet = shown(f"first\n{line}\n", "needle")
    assert number == 2
    assert "needle" in snippet
    assert len(snippet) <= SNIPPET_LIMIT


def test_a_line_without_blanks_is_cut_too() -> None:
    assert len(shown("x" * 100_000 + ".needle." + "y" * 100_000, "needle")[1]) == SNIPPET_LIMIT


def test_lines_are_counted_as_editors_do() -> None:
    assert shown("one\x0cone\u2028one\r\nneedle\r\n", "needle") == (2, "needle")


def test_letters_that_change_length_in_lower_case_do_not_shift_the_line() -> None:
    assert shown("İİİİ\nİ needle\n", "needle") == (2, "İ needle")


def test_a_page_is_read_once() -> None:
    reads: list[str] = []

    def read(path: str) -> str:
        reads.append(path)
        return "read timeout"

    pages = Pages(read)
    assert pages.text("a.py") == pages.text("a.py") == "read timeout"
    assert reads == ["a.py"]
    assert pages.text("") is None
    assert pages.page("") is None


def test_a_file_beyond_the_limit_is_looked_at_up_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snippets, "TEXT_LIMIT", 10)
    assert shown("one two\n\nneedle\n", "needle") == (1, "Summary of a.")


@pytest.mark.parametrize(
    ("stored", "text", "is_there"),
    [
        (FILE, "the Read\n   Timeout", True),
        (FILE, "the read_timeout", False),
        (FILE, None, False),
        (Stored("file", "read timeout.py"), "x", True),
        (Stored("symbol", "a.py", "f", text="A read timeout."), None, True),
        (Stored("symbol", "a.py", "f", 1, 2), "read timeout", False),
        (Stored("section", "a.md", "S", 2, 2), "x\nread timeout\nx", True),
        (Stored("section", "a.md", "S", 3, 3), "x\nread timeout\nx", False),
        (Stored("event", "", "k", text="Read timeout hit"), None, True),
        (Stored("event", "a.py", "k", text="x"), "read timeout", False),
    ],
)
def test_a_phrase_is_there_or_it_is_not(stored: Stored, text: str | None, *, is_there: bool) -> None:
    assert contains(stored, ("read timeout",), Pages(lambda _: text)) is is_there
    assert not contains(stored, ("read timeout", "never"), Pages(lambda _: text))
