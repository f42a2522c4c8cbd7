"""Texts are found by their words, by other words for the same, and by nearly the same words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.notes.senses import SENSES
from memoire.notes.stems import pieces, stem, terms
from memoire.notes.words import Words


def words_of(*texts: str) -> Words:
    words = Words()
    for number, text in enumerate(texts):
        words.put(str(number), text)
    return words


def ranked(words: Words, query: str) -> list[str]:
    scores = words.scores(query)
    return sorted(scores, key=lambda name: (-scores[name], name))


def test_forms_parts_and_whole_identifiers_are_terms() -> None:
    assert terms("Retries of `read_timeout` and HTTPClient") == [
        "retri", "read", "timeout", "readtimeout", "http", "client", "httpclient",
    ]  # fmt: skip
    assert pieces("cats go") == [" cat", "cats", "ats ", " go "]


def test_another_word_for_the_same_is_found_behind_the_word_itself() -> None:
    words = words_of("Logs go to a folder.", "Logs go to a directory.", "Logs go to a queue.")
    assert ranked(words, "which directory") == ["1", "0"]
    assert all(word in SENSES[other] for word, others in SENSES.items() for other in others)
    assert stem("folder") in SENSES[stem("directories")]


def test_what_is_spelled_otherwise_comes_before_what_is_something_else() -> None:
    words = words_of("Keep the sub-classes of clients small.", "Keep the keys of clients small.", "Nothing.")
    assert ranked(words, "subclasses of clients")[0] == "0"
    assert ranked(words, "kubernetes") == []


texts = st.lists(
    st.lists(
        st.sampled_from(["retry", "queue", "limit", "folder", "directory", "jobs", "readTimeout", "x1"]), max_size=6
    ).map(" ".join),
    max_size=8,
)


@given(first=texts, then=texts, query=st.sampled_from(["retries of jobs", "directory", "read timeout queue", "zebra"]))
@settings(max_examples=60, deadline=None)
def test_after_any_changes_it_answers_as_if_it_had_held_nothing_else(
    first: list[str], then: list[str], query: str
) -> None:
    words = words_of(*first)
    for number in range(len(first)):
        if number % 3 == 0:
            words.drop(str(number))
    for number, text in enumerate(then):
        words.put(str(number), text)
    left = {str(number): text for number, text in enumerate(first) if number % 3} | {
        str(number): text for number, text in enumerate(then)
    }
    fresh = Words()
    for name, text in left.items():
        fresh.put(name, text)
    assert len(words) == len(left)
    assert {name: round(score, 4) for name, score in words.scores(query).items()} == {
        name: round(score, 4) for name, score in fresh.scores(query).items()
    }
    for name in left:
        assert abs(words.coverage(query, name) - fresh.coverage(query, name)) < 1e-5


def test_texts_that_were_dropped_are_thrown_away_in_the_end() -> None:
    words = Words()
    for number in range(3000):
        words.put("one", f"Value {number} of the queue.")
    assert ranked(words, "value 2999") == ["one"]
    assert len(words._names) < 1100
