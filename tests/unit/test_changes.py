"""When a touched path is due, with the clock in hand."""

import pytest

from memoire.episodes.changes import BURST, Pending, origin


def pending() -> Pending:
    return Pending(quiet_s=0.2, cap_s=2.0)


def test_a_path_is_due_once_it_was_left_alone() -> None:
    waiting = pending()
    assert waiting.wait_s(0.0) is None
    waiting.touch("a", 10.0)
    assert waiting.wait_s(10.0) == pytest.approx(0.2)
    assert waiting.take(10.1) == ([], {})
    waiting.touch("a", 10.15)
    assert waiting.take(10.3) == ([], {})
    assert waiting.take(10.36) == (["a"], {})
    assert len(waiting) == 0


def test_a_path_that_is_never_left_alone_is_due_at_the_cap() -> None:
    waiting = pending()
    for tenth in range(25):
        waiting.touch("a", 10.0 + tenth / 10)
        taken, _ = waiting.take(10.0 + tenth / 10)
        if taken:
            break
    assert tenth == 20


def test_paths_wait_each_for_itself() -> None:
    waiting = pending()
    waiting.touch("a", 10.0)
    waiting.touch("b", 10.1)
    assert waiting.take(10.2) == (["a"], {})
    assert waiting.paths() == ["b"]
    assert waiting.wait_s(10.2) is not None


def test_a_burst_is_let_go_at_once_when_it_ends() -> None:
    waiting = pending()
    for number in range(BURST + 1):
        waiting.touch(f"f{number:02}", 10.0 + number / 100)
    assert waiting.take(10.3) == ([], {})
    taken, _ = waiting.take(10.41)
    assert len(taken) == BURST + 1


def test_a_burst_that_does_not_end_is_let_go_at_the_cap() -> None:
    waiting = pending()
    for number in range(300):
        waiting.touch(f"f{number}", 10.0 + number / 100)
        if taken := waiting.take(10.0 + number / 100)[0]:
            break
    assert len(taken) == 201


def test_both_ends_of_a_move_are_taken_together() -> None:
    waiting = pending()
    waiting.move("a", "b", 10.0)
    waiting.move("b", "c", 10.0)
    waiting.touch("c", 10.15)
    taken, origins = waiting.take(10.21)
    assert taken == ["a", "b", "c"]
    assert origins == {"b": "a", "c": "b"}
    assert waiting.take(99.0) == ([], {})


def test_everything_can_be_asked_for() -> None:
    waiting = pending()
    waiting.touch("a", 10.0)
    assert waiting.take(10.0, everything=True) == (["a"], {})


def test_the_origin_of_a_file_is_found_through_several_moves() -> None:
    assert origin("c", {"c": "b", "b": "a"}, {"a"}) == "a"
    assert origin("c", {"c": "b", "b": "a"}, {"a", "b"}) == "b"
    assert origin("c", {"c": "b"}, set()) == ""
    assert origin("a", {"a": "b", "b": "a"}, set()) == ""
