"""What bounds the cost of extraction changes nothing of what is found."""

from hypothesis import given
from hypothesis import strategies as st

from memoire.extract.chains import MAX_CALL_BYTES, Chains, open_of, pairs_of
from memoire.extract.guards import MAX_BRACKETS, is_too_deep
from memoire.extract.regions import Raw, clipped, outermost, span_at

spans_of = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda item: (item[0], sum(item)))
texts = st.lists(st.sampled_from(["(", ")", ").a", "a(", " ", "x" * 900]), max_size=80).map("".join)


@given(texts.map(str.encode))
def test_parentheses_paired_in_one_pass_are_those_found_one_by_one(text: bytes) -> None:
    one_by_one = {at: open_of(text, at) for at, byte in enumerate(text) if byte == ord(")")}
    assert dict(pairs_of(text)) == {close: opening for close, opening in one_by_one.items() if opening >= 0}


@given(texts.map(str.encode))
def test_followed_calls_are_the_same_among_many_others_and_among_few(text: bytes) -> None:
    chains = Chains("[a-z]+")
    alone = {opening: end for opening, end in chains.followed_calls(text).items() if end <= len(text)}
    # Parentheses behind the text make the followed ones few, and move nothing.
    assert chains.followed_calls(text + b"\n" * MAX_CALL_BYTES + b"()" * 1_000) == alone


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda item: (item[0], sum(item)))),
    st.integers(0, 90),
)
def test_a_span_is_found_where_one_holds_the_offset(spans: list[tuple[int, int]], offset: int) -> None:
    apart = outermost(spans)
    expected = next((span for span in apart if span[0] <= offset < span[1]), None)
    assert span_at(apart, offset) == expected


@given(st.sampled_from(["()", "[]", "{}"]), st.integers(1, 40), st.sampled_from([-60, -1, 0, 1, 60]))
def test_depth_is_told_however_often_a_nest_is_repeated(pair: str, times: int, more: int) -> None:
    depth = MAX_BRACKETS + more
    nest = (pair[0] * depth + "a" + pair[1] * depth + "\n").encode()
    assert is_too_deep(nest * times) == (more > 0)


@given(st.lists(spans_of))
def test_a_definition_is_cut_where_the_one_it_begins_in_ends(
    spans: list[tuple[int, int]],
) -> None:
    raw: list[Raw] = [
        (start, end, "function", b"f", [], None, None, start)
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1]))
    ]
    cut = [(item[0], item[1]) for item in clipped(raw)]
    assert [start for start, _ in cut] == [item[0] for item in raw]
    for at, (start, end) in enumerate(cut):
        assert start < end <= raw[at][1]
        assert all(end <= around[1] for around in cut[:at] if around[0] <= start < around[1])
