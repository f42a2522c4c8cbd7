"""A day past its retention is told by a few events, which lose no count."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from memoire.episodes.days import changes_of, day_of, first_id, looks_of, summarise
from memoire.episodes.edits import event_id
from memoire.model import Event

DAY = date(2026, 2, 3)
MORNING = datetime(2026, 2, 3, 8, tzinfo=UTC)
KINDS = ("file_edit", "file_create", "file_delete", "access", "command", "prompt", "commit", "batch", "turn", "later")


def event(minute: float, kind: str, *entities: str, summary: str = "", **fields: object) -> Event:
    at = MORNING + timedelta(minutes=minute)
    values = {"importance": 0.5, "entities": entities, **fields}
    return Event(id=event_id(kind, at, *entities), kind=kind, at=at, summary=summary or kind, **values)  # type: ignore[arg-type]


def test_a_file_is_told_with_its_edits_who_made_them_and_what_changed_most() -> None:
    found = [
        event(1, "file_create", "a.py", "a.py::total"),
        event(2, "file_edit", "a.py", "a.py::total", count=3, actor="assistant", importance=0.7),
        event(3, "file_edit", "a.py", "a.py::total", "a.py::tax", actor="assistant"),
    ]
    (told,) = summarise(DAY, found)
    assert told.summary == (
        "On 2026-02-03: a.py was created, edited 4 times by assistant 4, person 1; mostly total 3, tax 1"
    )
    assert (told.kind, told.importance, told.count, told.changes) == ("day", 0.7, 5, 4)
    assert told.entities == ("a.py", "a.py::total", "a.py::tax")
    assert told.at == datetime(2026, 2, 3, tzinfo=UTC)


def test_commands_prompts_and_looks_are_told_together() -> None:
    found = [
        event(1, "command", "t.py", outcome="failed", failed=("t.py::test_a",), session="s1", importance=0.8),
        event(2, "command", outcome="passed", session="s1"),
        event(3, "prompt", session="s2"),
        event(4, "access", "a.py", "b.py", "a.py", importance=0.1),
    ]
    (told,) = summarise(DAY, found)
    assert told.summary == "On 2026-02-03: 2 commands (1 failed), 1 prompt, 3 looks at 2 files, in 2 sessions"
    assert (told.importance, told.count, told.outcome) == (0.8, 4, "failed")
    assert told.failed == ("t.py::test_a",)
    assert told.looks == {"a.py": 2, "b.py": 1}
    assert told.entities == ("t.py",)


def test_the_same_events_give_the_same_ids_and_one_more_gives_another() -> None:
    found = [event(1, "file_edit", "a.py"), event(2, "file_edit", "b.py")]
    assert summarise(DAY, found) == summarise(DAY, found)
    more = summarise(DAY, [*found, event(3, "file_edit", "a.py")])
    assert [told.id for told in more][1] == summarise(DAY, found)[1].id
    assert more[0].id != summarise(DAY, found)[0].id


def test_it_stands_before_everything_of_its_day() -> None:
    (told,) = summarise(DAY, [event(1, "file_edit", "a.py")])
    assert first_id(DAY) <= told.id < event(-480, "file_edit", "a.py", summary="midnight").id[:12] + "~"
    assert day_of(told) == DAY
    assert told.id < event(-479, "file_edit", "a.py").id


@given(
    st.lists(
        st.builds(
            lambda minute, kind, paths, count, importance: event(
                minute, kind, *paths, count=count, importance=importance
            ),
            st.integers(0, 900),
            st.sampled_from(KINDS),
            st.lists(st.sampled_from(["a.py", "b/c.py", "a.py::f"]), max_size=3),
            st.integers(1, 9),
            st.floats(0, 1),
        )
    )
)
def test_no_count_is_lost(found: list[Event]) -> None:
    told = summarise(DAY, found)
    assert sum(each.count for each in told) == sum(each.count for each in found)
    assert max((each.importance for each in told), default=0) == max((each.importance for each in found), default=0)
    changes: Counter[str] = Counter()
    for each in found:
        if each.entities:
            changes[each.entities[0].partition("::")[0]] += changes_of(each)
    again = Counter({each.entities[0]: each.changes for each in told if each.changes})
    assert again == +changes
    looks = sum((looks_of(each) for each in found), Counter[str]())
    assert sum((looks_of(each) for each in told), Counter[str]()) == looks
    assert len(told) <= 1 + len({each.entities[0] for each in found if each.entities})
    assert msgspec.json.decode(msgspec.json.encode(told), type=tuple[Event, ...]) == told
