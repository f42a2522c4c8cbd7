"""A session is the same whatever order its events come in, however often one comes, and however they are grouped."""

import random
from datetime import UTC, datetime, timedelta
from functools import reduce

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from memoire.episodes import sessions
from memoire.episodes.edits import event_id
from memoire.episodes.sessions import fold, join, of_event
from memoire.model import Event, Session

NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
KINDS = ("file_edit", "file_create", "access", "command", "prompt", "session", "turn", "commit", "day", "unheard-of")


@st.composite
def events(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from(KINDS))
    at = NOW + timedelta(seconds=draw(st.integers(0, 5000)), milliseconds=draw(st.integers(0, 2)))
    paths = draw(st.lists(st.sampled_from([f"src/{name}.py" for name in "abcdef"]), max_size=3))
    said = draw(st.sampled_from(["Asked: fix the cart", "Session ended: x", "Session started: x", "Ran `make`", ""]))
    outcome = draw(st.sampled_from(["", "passed", "failed"])) if kind == "command" else ""
    return Event(
        # Without an outcome in it two different events could have one id.
        id=event_id(kind, at, *paths, said, outcome),
        kind=kind,
        at=at,
        summary=said,
        importance=0.5,
        entities=tuple(paths),
        actor="assistant",
        client="claude-code",
        session=draw(st.sampled_from(["s1", "s2", ""])),
        outcome=outcome,
        failed=("t.py::test_x",) if outcome == "failed" else (),
    )


def by_id(found: list[Event]) -> list[Event]:
    """An id is of one event."""
    return list({event.id: event for event in found}.values())


streams = st.lists(events(), max_size=40).map(by_id)


@given(streams, st.randoms(use_true_random=False))
def test_events_in_any_order_and_twice_give_the_same_sessions(found: list[Event], rng: random.Random) -> None:
    again = [*found, *rng.sample(found, len(found) // 2)]
    rng.shuffle(again)
    assert fold(again) == fold(found)


@given(streams, st.integers(0, 40), st.randoms(use_true_random=False))
def test_what_was_known_may_be_joined_at_any_point(found: list[Event], cut: int, rng: random.Random) -> None:
    whole = fold(found)
    first, rest = found[:cut], found[cut:]
    rng.shuffle(rest)
    assert fold(rest, fold(first).values()) == whole
    assert fold(first, fold([*rest, *first]).values()) == whole


@given(streams)
def test_the_bounds_keep_the_law(found: list[Event]) -> None:
    """With bounds so low that everything is cut: what is left does not depend on the order either."""
    kept = {name: getattr(sessions, name) for name in ("PROMPTS", "MARKS", "LOOKED", "COMMANDS")}
    try:
        for name in kept:
            setattr(sessions, name, 2)
        forward, backward = fold(found), fold(found[::-1])
        assert forward == backward
        for session in forward.values():
            assert len(session.prompts) <= 2
            assert len(session.ran) <= 2
            assert len(session.told) <= 2
            assert len(session.looked) <= 2
            assert sum(map(len, session.edits.values())) <= 2
    finally:
        for name, value in kept.items():
            setattr(sessions, name, value)


def test_many_events_are_joined_with_a_large_state_once() -> None:
    joining = sessions.Joining()
    known = of_event(Event(event_id("command", NOW, "0"), "command", NOW, "Ran `make`", 0.3, session="s"))
    joining.add(known)
    for number in range(1, 1001):
        at = NOW + timedelta(seconds=number)
        joining.add_event(Event(event_id("command", at), "command", at, "Ran `make`", 0.3, session="s"))
    assert joining._parts["s"][0][1] is known
    assert len(joining._parts["s"]) <= 11
    assert len(joining.joined()["s"].ran) == 1001


@given(streams)
def test_it_says_what_counting_says(found: list[Event]) -> None:
    for name, session in fold(found).items():
        own = [event for event in found if event.session == name and event.kind != "day"]
        assert session.started == min(event.at for event in own)
        assert session.last == max(event.at for event in own)
        assert len(session.ran) == sum(event.kind == "command" for event in own)
        assert sum(session.ran.values()) == sum(event.outcome == "failed" for event in own)
        edits = [event for event in own if event.kind in {"file_edit", "file_create"} and event.entities]
        assert sum(sessions.edit_counts(session).values()) == len(edits)
        assert set(session.looked) == {path for event in own if event.kind == "access" for path in event.entities}


@given(streams)
def test_it_comes_back_from_its_bytes(found: list[Event]) -> None:
    for session in fold(found).values():
        assert sessions.decode(sessions.encode(session)) == session


def test_an_event_that_tells_an_edit_again_counts_one_edit_more() -> None:
    first = Event(event_id("file_edit", NOW, "1"), "file_edit", NOW, "Edited a.py", 0.5, ("a.py",), session="s")
    later = NOW + timedelta(seconds=9)
    again = msgspec.structs.replace(first, id=event_id("file_edit", later, "2"), at=later, count=2, replaces=first.id)
    assert sessions.edit_counts(reduce(join, [of_event(again), of_event(first)])) == {"a.py": 2}


def test_it_is_over_until_it_is_taken_up_again() -> None:
    def told(minute: int, kind: str, summary: str) -> Session:
        at = NOW + timedelta(minutes=minute)
        return of_event(Event(event_id(kind, at), kind, at, summary, 0.2, session="s"))

    ended = join(told(0, "prompt", "Asked: x"), told(5, "session", "Session ended: claude-code (logout)"))
    assert sessions.is_over(ended)
    assert sessions.is_over(join(ended, told(6, "file_edit", "Edited a.py")))  # noticed a little later
    assert not sessions.is_over(join(ended, told(7, "session", "Session started: claude-code (resume)")))
    assert not sessions.is_over(told(0, "prompt", "Asked: x"))


def test_a_session_of_any_length_stays_small() -> None:
    found = [
        Event(
            event_id(kind, NOW + timedelta(seconds=number), str(number)),
            kind,
            NOW + timedelta(seconds=number),
            "Asked: " + "x" * 5000,
            0.5,
            (f"src/directory/file_{number % 700}.py",),
            session="s",
        )
        for number in range(4000)
        for kind in ("file_edit", "command", "prompt", "access")
    ]
    rng = random.Random(1)
    rng.shuffle(found)
    (session,) = fold(found[:3000]).values()
    (other,) = fold(found[3000:6000]).values()
    (rest,) = fold(found[6000:]).values()
    whole = reduce(join, [rest, session, other])
    assert len(sessions.encode(whole)) < 200_000
    assert len(whole.prompts) == sessions.PROMPTS
    assert sum(sessions.edit_counts(whole).values()) == sessions.MARKS
