"""A large delta is cut where each part can stand alone."""

from collections import Counter
from datetime import UTC, datetime

import msgspec

from memoire.model import Edge, EdgeKey, Event, FileRecord, GraphDelta
from memoire.store.deltas import ROWS_PER_STATEMENT, ROWS_PER_TRANSACTION, rows_in, split, transaction

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)


def file(path: str) -> FileRecord:
    return FileRecord(path, "file", "python", "00", 1, 2, NOW)


def edge(source: str, target: str, owner: str | None = None) -> Edge:
    return Edge(EdgeKey(source, "IMPORTS", target), "", source if owner is None else owner, False, "normal", 1.0, NOW)


def closed(of: Edge) -> Edge:
    return msgspec.structs.replace(of, valid_to=NOW)


def large() -> GraphDelta:
    paths = [f"f{number}.py" for number in range(300)]
    events = [Event(f"{number:012x}-0", "ingest", NOW, "", 0.1) for number in range(10)]
    return GraphDelta(
        files=[file(path) for path in paths],
        gone=["old.py"],
        opened=[edge(path, f"t{number}") for number in range(10) for path in paths] + [edge("x", "y", owner="")],
        closed=[closed(edge("old.py", f"t{number}")) for number in range(5)],
        updated=[edge("elsewhere.py", "t")],
        events=events,
        accesses={"f1.py": 3},
    )


def test_a_delta_of_two_thousand_rows_is_one_transaction() -> None:
    delta = GraphDelta(opened=[edge("a", f"t{number}") for number in range(ROWS_PER_TRANSACTION)])
    assert split(delta) == [delta]


def test_what_one_file_supports_stays_with_its_record() -> None:
    parts = split(large())
    assert len(parts) > 2
    for part in parts:
        paths = {each.path for each in part.files}
        owned = Counter(each.extracted_from for each in part.opened)
        assert all(owned[path] == 10 for path in paths)
        assert {each.extracted_from for each in part.closed} <= {*paths, *part.gone}


def test_nothing_is_lost_or_doubled_by_the_cut() -> None:
    delta = large()
    parts = split(delta)
    for name in ("files", "gone", "opened", "closed", "updated", "events"):
        whole = [each for part in parts for each in getattr(part, name)]
        assert Counter(map(repr, whole)) == Counter(map(repr, getattr(delta, name)))
    assert {path: count for part in parts for path, count in part.accesses.items()} == delta.accesses
    assert all(rows_in(part) <= ROWS_PER_TRANSACTION for part in parts)


def test_what_no_file_owns_and_events_come_last() -> None:
    parts = split(large())
    assert parts[-1].events
    assert not any(part.events for part in parts[:-1])
    ownerless = next(n for n, part in enumerate(parts) if any(not each.extracted_from for each in part.opened))
    assert ownerless >= max(n for n, part in enumerate(parts) if part.files)


def test_a_key_that_changes_hands_closes_and_opens_in_one_transaction() -> None:
    handed = edge("a", "b", owner="f0.py")
    delta = large()
    delta = msgspec.structs.replace(
        delta,
        closed=[*delta.closed, closed(handed)],
        opened=[*delta.opened, msgspec.structs.replace(handed, extracted_from="f299.py")],
    )
    (part,) = [part for part in split(delta) if handed.key in {each.key for each in part.closed}]
    assert handed.key in {each.key for each in part.opened}
    assert {"f299.py"} == {"f0.py", "f299.py"} & {each.path for each in part.files}


def test_one_file_with_more_edges_than_fit_is_one_transaction_of_several_statements() -> None:
    delta = GraphDelta(
        files=[file("a")], opened=[edge("a", f"t{number}") for number in range(2 * ROWS_PER_TRANSACTION)]
    )
    (part,) = split(delta)
    work = transaction(part, 1, unfinished=False)
    inserts = [each for each in work.statements if each.startswith("INSERT RELATION")]
    assert len(inserts) == 2 * ROWS_PER_TRANSACTION // ROWS_PER_STATEMENT
    assert len(set(inserts)) == len(inserts)


def test_no_value_is_pasted_into_a_statement() -> None:
    hostile = "x'; REMOVE TABLE file; --"
    work = transaction(
        GraphDelta(files=[file(hostile)], gone=[hostile], opened=[edge(hostile, hostile)], accesses={hostile: 1}),
        1,
        unfinished=False,
    )
    assert not any("REMOVE" in each for each in work.statements)


def test_of_two_edges_that_open_with_one_key_the_last_stays() -> None:
    first, last = edge("a", "b"), msgspec.structs.replace(edge("a", "b"), rationale="last")
    work = transaction(GraphDelta(opened=[first, last]), 1, unfinished=False)
    (rows,) = [value for value in work.variables.values() if isinstance(value, list)]
    assert [row["rationale"] for row in rows] == ["last"]
