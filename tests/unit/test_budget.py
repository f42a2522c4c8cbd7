"""Answers are as full as their budget allows, and never fuller."""

from collections.abc import Sequence

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.budget import Part, clip, clip_middle, fit, size, tokens


class Answer(msgspec.Struct, omit_defaults=True):
    first: list[str]
    second: list[str]
    cut: str = ""


def make(lengths: Sequence[int]) -> Answer:
    first, second = lengths
    return Answer(["word"] * first, ["longer word"] * second, "" if first == second == 50 else "some")


def test_a_token_is_four_characters_of_the_compact_json_rounded_up() -> None:
    assert size(Answer([], ["é…"])) == len('{"first":[],"second":["é…"]}') == 28
    assert tokens(Answer([], ["é…"])) == 7
    assert tokens(Answer([], ["é…!"])) == 8


def test_what_fits_is_whole() -> None:
    assert fit(make, [Part(50, 5), Part(50, 5)], 1000) == make([50, 50])


def test_every_part_gets_its_share_before_the_first_gets_the_rest() -> None:
    answer = fit(make, [Part(50, 5), Part(50, 5)], 50)
    assert len(answer.second) == 5
    assert 5 < len(answer.first) < 50


def test_a_less_important_part_has_nothing_where_the_more_important_take_all() -> None:
    answer = fit(make, [Part(50, 50), Part(50, 50)], 30)
    assert (len(answer.first), len(answer.second)) == (12, 0)
    assert size(answer) <= 120
    assert size(make([13, 0])) > 120


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(12, 400))
@settings(deadline=None)
def test_no_budget_is_exceeded_and_no_room_is_left_that_an_item_fits(
    first: int, second: int, share: int, budget: int
) -> None:
    answer = fit(make, [Part(first, min(share, first)), Part(second, second)], budget)
    assert tokens(answer) <= budget
    shown = (len(answer.first), len(answer.second))
    for more in ((shown[0] + 1, shown[1]), (shown[0], shown[1] + 1)):
        assert more[0] > first or more[1] > second or tokens(make(more)) > budget


def test_a_text_is_cut_at_a_word_in_one_line() -> None:
    assert clip("one\n two\tthree", 20) == "one two three"
    assert clip("one two three four", 12) == "one two thr…"  # a word that ends too early is no place to cut
    assert clip("one two three four", 10) == "one two…"
    assert clip("unbreakable_identifier", 10) == "unbreakab…"
    assert clip("anything", 0) == ""
    assert clip("anything", 1) == "…"


def test_a_path_is_cut_in_the_middle() -> None:
    assert clip_middle("src/a/b/c/d.py", 100) == "src/a/b/c/d.py"
    assert clip_middle("src/a/b/c/d.py", 9) == "src/…d.py"
    assert clip_middle("src/a/b/c/d.py", 1) == "s"
    assert clip_middle("src/a/b/c/d.py", 0) == ""
