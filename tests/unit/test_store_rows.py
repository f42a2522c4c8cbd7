"""Values survive the way into rows and back, and ids are what makes a record one record."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from memoire.model import Edge, EdgeKey, Event, FileRecord
from memoire.store import rows
from memoire.store.client import instant

NOW = datetime(2026, 5, 18, 10, 23, 0, 123456, tzinfo=UTC)


def edge(source: str = "a.py", relation: str = "IMPORTS", target: str = "b.py") -> Edge:
    return Edge(EdgeKey(source, relation, target), "a.py:1 imports b", source, False, "normal", 1.0, NOW)


def test_an_edge_id_is_the_same_for_the_same_key_only() -> None:
    keys = [EdgeKey("a", "b", "c"), EdgeKey("ab", "", "c"), EdgeKey("a", "bc", ""), EdgeKey("c", "b", "a")]
    ids = [rows.edge_id(key) for key in keys]
    assert len(set(ids)) == len(keys)
    assert ids[0] == rows.edge_id(EdgeKey("a", "b", "c"))
    assert all(len(each) == 20 and set(each) <= set("0123456789abcdef") for each in ids)


def test_a_key_that_closes_twice_leaves_two_records_and_the_same_closing_written_again_leaves_one() -> None:
    first = msgspec.structs.replace(edge(), valid_to=NOW)
    second = msgspec.structs.replace(edge(), valid_to=NOW + timedelta(seconds=1))
    names = [str(row["id"]) for row in rows.closed_edge_rows([first, second, second])]
    assert len(set(names)) == 3
    assert names[2] == names[1] + "+"  # opened and closed twice within one batch
    assert [str(row["id"]) for row in rows.closed_edge_rows([first, second])] == names[:2]


def test_an_edge_that_closes_needs_its_last_instant() -> None:
    with pytest.raises(ValueError, match="no valid_to"):
        rows.closed_edge_rows([edge()])


@pytest.mark.parametrize("facts", [b"", b"x", bytes(range(256)) * 10, b"\x01" * 40_000, bytes(range(256)) * 1000])
def test_facts_come_back_as_they_went_in(facts: bytes) -> None:
    file = FileRecord("a.py", "file", "python", "00", 1, 2, NOW, facts=facts)
    row = rows.file_row(file)
    columns = ["id", "kind", "language", "sha", "size", "mtime_ns", "changed_at", "changes", "accesses", "facts"]
    reply = [[row[each] for each in columns]]
    reply[0][6] = NOW
    assert rows.files_of(reply) == [file]


def test_large_facts_are_stored_compressed() -> None:
    file = FileRecord("a.py", "file", "python", "00", 1, 2, NOW, facts=b"definition " * 10_000)
    stored = rows.file_row(file)["facts"]
    assert isinstance(stored, bytes)
    assert len(stored) < 2000


def test_an_event_row_names_each_path_once() -> None:
    event = Event("1-2", "file_edit", NOW, "Edited", 0.5, ("a.py", "a.py::f", "b.py::C.m", "a.py::g"))
    assert rows.event_row(event)["paths"] == ["a.py", "b.py"]


@pytest.mark.parametrize("reply", [[["a", "b"]], [[1, "IMPORTS", "b", "r", False, b""]], "rows", [None]])
def test_a_row_of_another_shape_is_refused(reply: object) -> None:
    with pytest.raises(msgspec.MsgspecError):
        rows.edges_of(reply)


def test_node_names_are_kept_once() -> None:
    rest = rows.edge_row(edge())["rest"]
    reply = [["".join(("a", ".py")), "IMPORTS", f"b{number}.py", "", False, rest] for number in range(2)]
    first, second = rows.edges_of(reply)
    assert first.key.source is second.key.source


@pytest.mark.parametrize(
    "at",
    [
        NOW,
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(2026, 5, 18, 12, 23, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_an_instant_is_exact_to_the_microsecond(at: datetime) -> None:
    seconds, nanoseconds = instant(at).value
    assert 0 <= nanoseconds < 10**9
    assert datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds, microseconds=nanoseconds / 1000) == at


def test_a_naive_time_is_refused() -> None:
    with pytest.raises(TypeError):
        instant(datetime(2026, 5, 18, 10, 23))  # noqa: DTZ001 - the point
