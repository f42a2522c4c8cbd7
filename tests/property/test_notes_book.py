"""The laws of the book: any lines of any branches come to one state, as one fold of all of them would."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoire.notes.book import SAME, Book
from memoire.notes.journal import parse
from memoire.notes.model import (
    Anchor,
    Bind,
    Connect,
    Disconnect,
    Erase,
    Link,
    Note,
    Put,
    Rate,
    Restore,
    Retire,
    Transaction,
)

START = datetime(2026, 5, 1, tzinfo=UTC)
IDS = ["n1", "n2", "n3", "n4"]
ids = st.sampled_from(IDS)
times = st.integers(0, 8).map(lambda days: START + timedelta(days=days))
notes = st.builds(
    lambda note_id, text, key, since, until, node: Note(
        id=note_id,
        path=f"notes/decision/{text}",
        key=key,
        text=text,
        valid_from=since,
        valid_to=until,
        about=(Anchor(node),) if node else (),
    ),
    ids,
    st.sampled_from(["Use one queue.", "Use  one queue.", "Never retry.", "Log to a file."]),
    st.sampled_from(["", "", "k"]),
    times,
    st.none() | times,
    st.sampled_from(["", "a.py", "b.py::run"]),
)
ops = st.one_of(
    st.builds(Put, notes),
    st.builds(Put, notes),
    st.builds(
        Retire,
        ids,
        st.sampled_from(["superseded", "archived"]),
        by=st.sampled_from(["", *IDS]),
        valid_to=st.none() | times,
    ),
    st.builds(Restore, ids),
    st.builds(Bind, ids, st.sampled_from([(), (Anchor("c.py"),)])),
    st.builds(Connect, ids, st.builds(Link, st.sampled_from(["supports", "part_of"]), ids)),
    st.builds(Disconnect, ids, st.sampled_from(["supports", "part_of"]), ids),
    st.builds(Rate, ids, st.sampled_from(["positive", "negative"])),
    st.builds(Erase, ids),
)
histories = st.lists(st.lists(ops, min_size=1, max_size=3), max_size=9).map(
    lambda told: [
        Transaction(tx=f"{number:012x}-0", at=START + timedelta(hours=number), ops=tuple(each))
        for number, each in enumerate(told)
    ]
)


def content(book: Book) -> object:
    """Everything that can be asked."""
    return (
        {note_id: book.versions(note_id) for note_id in IDS},
        {note_id: book.resolve(note_id) for note_id in IDS},
        {note_id: book.ratings(note_id) for note_id in IDS},
        {note_id: book.linking(note_id) for note_id in IDS},
        {node: book.about(node) for node in ("a.py", "b.py::run", "c.py")},
        {address: book.find(address) for address in (*IDS, "k", *sorted(book.paths()))},
        sorted(book.paths()),
        book.forks(),
    )


@given(histories, st.randoms(use_true_random=False), st.data())
@pytest.mark.shows("H75")
def test_any_order_of_lines_comes_to_one_state(history: list[Transaction], random: object, data: st.DataObject) -> None:
    whole = Book(history)
    book = Book()
    lines = data.draw(st.permutations([*history, *history[:3]]))
    for line in lines:
        book.extend([line])
    assert content(book) == content(whole)
    book.replace(history[:4])
    assert content(book) == content(Book(history[:4]))


@given(histories)
def test_at_most_one_live_note_has_a_statement(history: list[Transaction]) -> None:
    book = Book(history)
    live = [" ".join(row.note.text.split()) for row in book.current() if row.status == "active"]
    assert len(live) == len(set(live)) == len(book)
    for row in book.current():
        if row.reason == SAME:
            assert row.status == "superseded"
            assert book.get(row.by) is not None


@given(histories)
@pytest.mark.shows("H82")
def test_memory_holds_one_version_of_a_note_at_any_time(history: list[Transaction]) -> None:
    book = Book(history)
    for note_id in IDS:
        versions = book.versions(note_id)
        for before, after in pairwise(versions):
            assert before.known_to == after.known_from > before.known_from
        assert all(row.known_to is None for row in versions[-1:])


@settings(max_examples=60)
@given(histories, times, st.integers(0, 10))
def test_what_was_known_then_is_what_a_book_of_then_holds(
    history: list[Transaction], valid: datetime, hours: int
) -> None:
    known = START + timedelta(hours=hours)
    erased = {op.id for each in history for op in each.ops if isinstance(op, Erase)}
    then = Book(
        [
            msgspec.structs.replace(each, ops=(*(op for op in each.ops if not isinstance(op, Erase)),))
            for each in without(history, erased)
            if each.at <= known
        ]
    )
    expected = sorted((row.note.id, row.note.text, row.status, str(row.valid_to)) for row in then.at(valid))
    found = Book(history).at(valid, known)
    assert sorted((row.note.id, row.note.text, row.status, str(row.valid_to)) for row in found) == expected


def without(history: list[Transaction], erased: set[str]) -> list[Transaction]:
    """The transactions as if what is erased had never been said."""

    def about(op: object) -> str:
        return op.note.id if isinstance(op, Put) else str(getattr(op, "id", ""))

    def cleaned(op: object) -> object:
        if isinstance(op, Retire) and op.by in erased:
            return msgspec.structs.replace(op, by="")
        return op

    return [
        msgspec.structs.replace(
            each,
            ops=tuple(
                cleaned(op)
                for op in each.ops
                if about(op) not in erased and not (isinstance(op, Connect) and op.link.to in erased)
            ),
        )
        for each in history
    ]


@given(histories, st.integers(0, 400), st.data())
def test_a_journal_reads_what_it_can_and_names_the_rest(
    history: list[Transaction], cut: int, data: st.DataObject
) -> None:
    lines = [msgspec.json.encode(each) for each in history]
    assert parse(b"\n".join(lines)).transactions == tuple(history)
    mixed = data.draw(st.permutations([*lines, *lines, b"<<<<<<< HEAD", b"=======", b'{"half', b"\xff\xfe", b"[]"]))
    reading = parse(b"\r\n".join(mixed))
    assert reading.transactions == tuple(history)
    assert len(reading.bad) == 5
    whole = b"\n".join(lines)
    torn = parse(whole[: min(cut, len(whole))])
    assert torn.transactions == tuple(history[: len(torn.transactions)])
    assert len(torn.bad) <= 1
