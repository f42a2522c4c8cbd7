"""Saves in quick succession are told as one event, by what they changed together."""

from datetime import UTC, datetime, timedelta

import msgspec

from memoire.dispatch import extract
from memoire.episodes import edits
from memoire.episodes.folding import Folding
from memoire.model import Event, FileFacts

NOW = datetime(2026, 5, 18, 10, tzinfo=UTC)


class Desk:
    """One file, saved again and again."""

    def __init__(self, text: str | None = "def one():\n    return 1\n") -> None:
        self.folding = Folding()
        self.now = NOW
        self.facts = None if text is None else extract("a.py", text.encode())

    def save(self, text: str, *, after_s: float = 5, actor: str = "person", session: str = "") -> Event:
        self.now += timedelta(seconds=after_s)
        before, self.facts = self.facts, extract("a.py", text.encode())
        event = edits.edited("a.py", before, self.facts, self.now)
        event = msgspec.structs.replace(event, actor=actor, session=session)
        (told,) = self.folding.fold([event], lambda _: before, self._now)
        return told

    def _now(self, _path: str) -> FileFacts | None:
        return self.facts


ONE = "def one():\n    return 1\n"
TWO = ONE + "\n\ndef two():\n    return 2\n"
THREE = TWO + "\n\ndef three():\n    return 3\n"


def test_quick_saves_are_one_event_that_says_what_they_changed_together() -> None:
    desk = Desk(ONE)
    first = desk.save(TWO)
    second = desk.save(THREE)
    assert first.replaces == ""
    assert second.replaces == first.id
    assert second.count == 2
    assert second.summary == "Edited a.py: added two(), three()"
    assert second.entities == ("a.py", "a.py::two", "a.py::three")


def test_a_chain_of_saves_replaces_the_one_before_each_time() -> None:
    desk = Desk(ONE)
    told = [desk.save(f"{ONE}\nX = {number}\n") for number in range(4)]
    assert [event.replaces for event in told] == ["", *(event.id for event in told[:3])]
    assert told[-1].count == 4
    assert len({event.id for event in told}) == 4


def test_an_edit_that_is_undone_says_so() -> None:
    desk = Desk(ONE)
    desk.save(TWO)
    assert desk.save(ONE).summary == "Edited a.py and took it back"


def test_a_file_that_is_made_and_saved_again_is_still_one_that_was_made() -> None:
    desk = Desk(None)
    desk.save(ONE)
    told = desk.save(TWO)
    assert (told.kind, told.summary, told.count) == ("file_create", "Created a.py: defines one(), two()", 2)


def test_a_later_save_stands_by_itself() -> None:
    desk = Desk(ONE)
    desk.save(TWO)
    told = desk.save(THREE, after_s=121)
    assert (told.replaces, told.count, told.summary) == ("", 1, "Edited a.py: added three()")


def test_what_is_told_as_one_has_an_end() -> None:
    desk = Desk(ONE)
    told = [desk.save(f"{ONE}\nX = {number}\n", after_s=100) for number in range(12)]
    assert sum(1 for event in told if not event.replaces) == 2


def test_another_hand_begins_another_event() -> None:
    desk = Desk(ONE)
    desk.save(TWO)
    assert desk.save(THREE, actor="assistant", session="s").replaces == ""
    assert desk.save(ONE, actor="assistant", session="s").replaces != ""
    assert desk.save(TWO, actor="assistant", session="t").replaces == ""


def test_a_clock_that_is_set_back_begins_another_event() -> None:
    desk = Desk(ONE)
    desk.save(TWO)
    assert desk.save(THREE, after_s=-3600).replaces == ""


def test_a_file_that_was_deleted_meanwhile_is_not_gone_on_with() -> None:
    desk = Desk(ONE)
    desk.save(TWO)
    desk.folding.fold([edits.deleted("a.py", desk.now)], lambda _: None, lambda _: None)
    desk.facts = None
    told = desk.save(THREE)
    assert (told.kind, told.replaces) == ("file_create", "")


def test_what_a_mass_change_did_to_a_file_is_no_part_of_the_edits_around_it() -> None:
    desk = Desk(ONE)
    first = desk.save(TWO)
    others = [f"{number}.py" for number in range(100)]
    at, desk.facts = desk.now + timedelta(seconds=2), extract("a.py", THREE.encode())
    switch = edits.batch("Switched to main", [*others, "a.py"], [], at)
    assert "a.py" not in switch.entities
    desk.folding.fold([switch], lambda _: None, lambda _: None, [*others, "a.py"])
    second = desk.save(f"{THREE}\n\ndef four():\n    return 4\n")
    assert second.summary == "Edited a.py: added four()"
    assert (second.replaces, second.count) == ("", 1)
    assert first.replaces == ""
