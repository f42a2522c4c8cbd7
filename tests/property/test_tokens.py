import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memoire.tokens import body_terms, index_words, is_form, whole_of

WORDS = st.lists(st.text("bcdfghjklmnpqrtvwxz", min_size=2, max_size=8), min_size=1, max_size=6)
TEXT = st.text(max_size=200)


@given(WORDS)
def test_one_name_in_any_convention_has_the_same_parts_and_the_same_whole(words: list[str]) -> None:
    titles = [word.title() for word in words]
    spelled = [
        "_".join(words),
        "-".join(words),
        "".join(titles),
        words[0] + "".join(titles[1:]),
        "_".join(words).upper(),
    ]
    assert {tuple(index_words(name).partition("\n")[0].split()) for name in spelled} == {tuple(words)}
    assert {whole_of(name) for name in spelled} == {"".join(words)}


@given(TEXT)
def test_any_text_gives_terms_without_blanks_or_capitals_and_two_streams(text: str) -> None:
    body, feed, wholes = index_words(text).partition("\n")
    assert feed == "\n"
    assert "\n" not in wholes
    for term in [*body.split(), *wholes.split()]:
        assert term.strip() == term != ""
        assert not any("A" <= char <= "Z" for char in term)


@given(st.binary(max_size=300))
def test_any_bytes_give_words(data: bytes) -> None:
    assert index_words(data).count("\n") == 1


@given(TEXT)
def test_text_and_its_bytes_give_the_same_words(text: str) -> None:
    data = text.encode("utf-8", "replace")
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert index_words(text) == index_words(data)


@given(st.text("aéÉüñÅßøक्षिहां가_A1 ", max_size=30))
def test_letters_and_their_marks_give_the_same_words_written_as_one_or_apart(text: str) -> None:
    one, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert index_words(one) == index_words(apart)
    assert whole_of(one) == whole_of(apart)


@given(TEXT, TEXT)
def test_the_words_of_two_texts_are_those_of_each(one: str, other: str) -> None:
    assert body_terms(f"{one}\n{other}") == body_terms(one) + body_terms(other)


@given(st.text("abcdeinorsty", max_size=8), st.text("abcdeinorsty", max_size=8))
def test_being_a_form_goes_both_ways(one: str, other: str) -> None:
    assert is_form(one, other) == is_form(other, one)
