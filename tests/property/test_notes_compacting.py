"""What is taken out of a journal says nothing: whatever a merge left in it, the notes come to the same."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.notes.book import Book
from memoire.notes.compacting import compact
from memoire.notes.journal import MARKS, parse
from memoire.notes.model import Opened, Transaction
from tests.property.test_notes_book import START, content, histories, ids

junk = st.sampled_from(
    [b"", b"  ", *MARKS, b"<<<<<<< HEAD", b"{torn", b'{"tx":"x","at":"2026-01-01T00:00:00Z","ops":[{"op":"new"}]}']
)
opened = st.lists(st.builds(Opened, ids, st.integers(1, 5)), min_size=1, max_size=3).map(tuple)


@settings(max_examples=150)
@given(histories, st.lists(opened, max_size=4), st.data())
def test_a_compacted_journal_comes_to_the_same_and_is_compact(
    history: list[Transaction], counts: list[tuple[Opened, ...]], data: st.DataObject
) -> None:
    late = [Transaction(tx=f"{100 + number:012x}-0", at=START, ops=ops) for number, ops in enumerate(counts)]
    lines = [msgspec.json.encode(each) for each in (*history, *late)]
    lines = data.draw(st.permutations([*lines, *lines[:3], *data.draw(st.lists(junk, max_size=5))]))
    before = b"\n".join(lines) + data.draw(st.sampled_from([b"", b"\n"]))
    made = compact(before)
    was, now = parse(before), parse(made.data)
    assert content(Book(now.transactions)) == content(Book(was.transactions))
    for name in ("n1", "n2", "n3", "n4"):
        assert Book(now.transactions).opens(name) == Book(was.transactions).opens(name)
    assert {bad.why for bad in now.bad} == {bad.why for bad in was.bad if "merge left" not in bad.why}
    assert len(made.data.splitlines()) + made.left_out == made.lines
    assert not made.data or made.data.endswith(b"\n")
    again = compact(made.data)
    assert (again.data, again.left_out) == (made.data, 0)
