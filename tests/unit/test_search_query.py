"""How a query is read, whatever was typed."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memoire.errors import InvalidQueryError
from memoire.model import Definition
from memoire.search import Entry, Scope, SearchIndex
from memoire.search.query import PHRASES_LIMIT, TERMS_LIMIT, Key, Query, parse
from memoire.tokens import index_words


def keys(query: str) -> set[str]:
    return {key.text for key in parse(query).keys if not key.text.startswith("=")}


def test_words_are_terms_and_neighbours_are_pairs() -> None:
    query = parse("Retry the readTimeout, twice!")
    assert query.terms == ("retry", "the", "read", "timeout", "twice")
    assert query.wholes == ("readtimeout",)
    assert query.pairs == (("retry", "the"), ("the", "read"), ("read", "timeout"), ("timeout", "twice"))
    assert query.phrases == ()
    assert keys("Retry the readTimeout, twice!") == {"readtimeout"}


def test_plain_words_name_nothing_unless_they_stand_alone() -> None:
    assert keys("retry backoff") == set()
    assert keys("retry") == {"retry"}
    assert keys("`retry` backoff") == {"retry"}
    assert keys("retry() backoff") == {"retry"}


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Client.send", {"client.send", "client/send", "/client.send"}),
        ("Client::send", {"client.send", "client/send"}),
        ("Client#send", {"client.send", "client/send"}),
        ("self.send(x)", {"send"}),
        ("@app.route", {"app.route", "app/route", "/@app.route", "@app.route"}),
        ("src/x.py", {"/src/x.py", "src/x.py"}),
        ("./src/x.py", {"/src/x.py", "src/x.py"}),
        ("src\\x.py", {"/src/x.py", "src/x.py"}),
        ("src/dir/", {"/src/dir", "src/dir"}),
        ("x.py", {"/x.py", "x.py", "x/py"}),
        (".env", {"/.env", ".env"}),
        (
            "x.py::Client.send",
            {"x.py::client.send", "client.send", "/x.py", "x.py", "x.py.client.send", "x/py/client/send"},
        ),
        ("getURL", {"geturl"}),
        ("read_timeout", {"read_timeout"}),
        ("__init__", {"__init__"}),
        ("(see: foo_bar.)", {"foo_bar"}),
    ],
)
def test_names_and_paths_are_known_by_their_form(query: str, named: set[str]) -> None:
    assert keys(f"{query} twice") == named


@pytest.mark.parametrize(
    ("query", "line"), [("a/x.py:12", 12), ("a/x.py#L12", 12), ("a/x.py:12:4", 12), ("a/x.py#L12-L20", 12)]
)
def test_a_line_goes_with_its_path_and_is_no_term(query: str, line: int) -> None:
    read = parse(f"error in {query}")
    assert Key("a/x.py", 1 / 3, line) in read.keys
    assert read.terms == ("error", "in", "py")


def test_a_name_weighs_as_much_as_its_part_of_the_query() -> None:
    shares = {key.text: key.share for key in parse("fix read_timeout in client").keys}
    assert shares["read_timeout"] == pytest.approx(2 / 5)
    assert parse("read_timeout").keys[0].share == 1.0


def test_a_short_query_may_as_a_whole_be_a_name() -> None:
    assert Key("=readtimeout", 1.0) in parse("read timeout").keys
    assert not any(key.text.startswith("=") for key in parse("one two three four five six seven eight nine").keys)


def test_what_is_quoted_is_a_phrase_with_its_blanks_folded() -> None:
    assert parse('find "read   timeout" and “two words”').phrases == ("read timeout", "two words")
    assert parse('"" "->" word').phrases == ()
    assert parse('an open "quote').phrases == ()
    assert len(parse(" ".join(f'"word{chr(97 + number)}"' for number in range(20))).phrases) == PHRASES_LIMIT


def test_a_query_of_any_length_is_read_in_bounds() -> None:
    query = parse(" ".join(f"word_{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(600)))
    assert len(query.terms) == TERMS_LIMIT
    assert max(len(query.wholes), len(query.pairs), len(query.keys)) <= TERMS_LIMIT * 2


@pytest.mark.parametrize("query", ["", " \t\n", '""', "-> ... ()", "x^2", "\x00", "z9" * 900])
def test_what_holds_nothing_to_search_for_is_refused(query: str) -> None:
    with pytest.raises(InvalidQueryError) as raised:
        parse(query)
    assert raised.value.query == query


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    index = SearchIndex.open(tmp_path_factory.mktemp("query"), version="1")
    words = index_words("some words of a small file 数据 and read_timeout in path")
    definitions = (Definition("read_timeout", "function", 1, 2), Definition("Words", "section", 1, 1))
    index.apply([Entry("src/a.py", "file", "python", words, "Sums.", definitions, text="some words")], (), (), 1)
    yield index
    index.close()


TYPED = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["words", '"', "(", "src/a.py", ":12", "::", "AND", "*", "~2", "read_timeout", " ", "[", "\\", "数"]
        )
    ).map("".join),
)


@given(TYPED)
@example("\ud800")
@example('"\x00words"')
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_is_a_query_or_holds_nothing_to_search_for(index: SearchIndex, text: str) -> None:
    try:
        hits = index.search(text, read=lambda _: "some words of a small file")
    except InvalidQueryError:
        return
    assert len(hits) <= 10
    assert all(len(hit.snippet) <= 200 for hit in hits)


@given(TYPED, TYPED)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_is_a_prefix_and_a_language(index: SearchIndex, prefix: str, language: str) -> None:
    found = index.search("words", read=lambda _: None, scope=Scope(prefix=prefix))
    assert bool(found) == "src/a.py".startswith(prefix)
    assert bool(index.search("words", read=lambda _: None, scope=Scope(language=language))) == (
        language in {"", "python"}
    )


@given(TYPED)
def test_the_same_text_is_the_same_query(text: str) -> None:
    def read() -> Query | None:
        try:
            return parse(text)
        except InvalidQueryError:
            return None

    assert read() == read()
