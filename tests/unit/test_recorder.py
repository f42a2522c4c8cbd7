"""What assistants and shells do becomes events, and what the watcher sees is credited to who did it."""

from datetime import UTC, datetime, timedelta

import pytest

from memoire.episodes import edits
from memoire.episodes.actions import Action
from memoire.episodes.recorder import Recorder
from memoire.model import Event

NOW = datetime(2026, 5, 18, 10, tzinfo=UTC)
FILES = frozenset({"src/a.py", "src/b.py", "tests/test_a.py"})


@pytest.fixture
def recorder() -> Recorder:
    def resolve(given: str, cwd: str) -> str:
        path = given if given.startswith("/") else f"{cwd}/{given}"
        rel = path.removeprefix("/p/")
        return rel if rel in FILES else ""

    return Recorder(resolve)


def act(kind: str, at_s: float = 0.0, *, key: str = "", session: str = "s1", **rest: object) -> Action:
    fields = {"client": "claude-code", "cwd": "/p", **rest}
    at = NOW + timedelta(seconds=at_s)
    return Action(kind=kind, at=at, key=key or f"{kind}{at_s}{session}", session=session, **fields)  # type: ignore[arg-type]


def told(recorder: Recorder, *actions: Action) -> list[Event]:
    return [noted.event for noted in recorder.take(actions)]


def saved(path: str, at_s: float) -> Event:
    return edits.deleted(path, NOW + timedelta(seconds=at_s))


def test_a_session_is_told_from_its_start_to_its_end(recorder: Recorder) -> None:
    events = told(
        recorder,
        act("session_start", 0, detail="startup"),
        act("prompt", 1, text="Make  the\nparser faster"),
        act("turn_end", 2),
        act("session_end", 3, detail="logout"),
    )
    assert [(event.kind, event.summary, event.actor) for event in events] == [
        ("session", "Session started: claude-code (startup)", "assistant"),
        ("prompt", "Asked: Make the parser faster", "person"),
        ("turn", "Turn ended", "assistant"),
        ("session", "Session ended: claude-code (logout)", "assistant"),
    ]
    assert {(event.client, event.session) for event in events} == {("claude-code", "s1")}


def test_only_the_head_of_a_prompt_is_kept_and_no_secret_of_it(recorder: Recorder) -> None:
    token = "ghp_" + "a1B2" * 9
    (event,) = told(recorder, act("prompt", text=f"use {token} " + "and more " * 200))
    assert token not in event.summary
    assert len(event.summary) <= 310


def test_a_command_says_how_it_ended(recorder: Recorder) -> None:
    events = told(
        recorder,
        act("command", 0, text="make all", exit_status=0, duration_ms=1500),
        act("command", 1, text="make all", exit_status=2),
        act("command", 2, text="ls -l", exit_status=0),
        act("command", 3, text="frob", is_failed=True),
        act("command", 4, text="frob --what"),
        act("command", 5, text="frob --long", exit_status=0, duration_ms=61_250),
    )
    assert [event.summary for event in events] == [
        "Ran `make all` in 1.5 s: passed",
        "Ran `make all`: failed with status 2",
        "Ran `ls -l`",
        "Ran `frob`: failed",
        "Ran `frob --what`",
        "Ran `frob --long` in 61.2 s",
    ]
    assert [event.outcome for event in events] == ["passed", "failed", "passed", "failed", "", "passed"]
    assert [event.importance for event in events] == [0.5, 0.8, 0.2, 0.5, 0.3, 0.3]
    assert events[0].duration_ms == 1500


def test_a_test_run_says_which_tests_failed_and_where(recorder: Recorder) -> None:
    output = (
        "F.                                              [100%]\n"
        "=========================== short test summary info ============================\n"
        "FAILED tests/test_a.py::test_one[x] - assert 1 == 2\n"
        "1 failed, 1 passed in 0.02s\n"
    )
    (event,) = told(recorder, act("command", text="python -m pytest -q", output=output, exit_status=1))
    assert event.summary == "Ran `python -m pytest -q`: 1 failed, 1 passed"
    assert (event.outcome, event.failed) == ("failed", ("tests/test_a.py::test_one[x]",))
    assert event.entities == ("tests/test_a.py",)
    assert event.importance == 0.8


def test_the_files_that_a_command_names_are_its_entities(recorder: Recorder) -> None:
    (event,) = told(recorder, act("command", text="sed -i s/a/b/ 'src/a.py' src/none.py; cat src/b.py", exit_status=0))
    assert event.entities == ("src/a.py", "src/b.py")


def test_no_secret_of_a_command_is_kept(recorder: Recorder) -> None:
    (event,) = told(recorder, act("command", text="deploy --password hunter2 https://u:pw@host/x", exit_status=0))
    assert "hunter2" not in event.summary
    assert "pw@" not in event.summary


def test_an_action_that_two_mechanisms_report_is_told_once(recorder: Recorder) -> None:
    first = act("command", 0, key="s1:toolu_1:PostToolUse", text="make", exit_status=0)
    again = act("command", 0.4, key="s1:toolu_1:PostToolUse", text="make", exit_status=0)
    assert len(told(recorder, first, again)) == 1
    assert told(recorder, again) == []


@pytest.mark.parametrize("at_s", [0.0, 1.9, 3.99])
def test_a_prompt_that_two_hooks_report_is_told_once_whenever_that_is(recorder: Recorder, at_s: float) -> None:
    def asked(at_s: float) -> Action:
        return act("prompt", at_s, key="s1::UserPromptSubmit", again_s=2.0, text="Do it")

    assert len(told(recorder, asked(at_s), asked(at_s + 0.3), asked(at_s + 1.9))) == 1
    assert len(told(recorder, asked(at_s + 2), asked(at_s + 60))) == 2


def test_reads_that_follow_each_other_are_told_together_with_their_counts(recorder: Recorder) -> None:
    noted = recorder.take(
        [
            act("read", 0, paths=("/p/src/a.py",)),
            act("read", 5, paths=("/p/src/b.py",)),
            act("edit", 9, paths=("/p/src/a.py",)),
            act("read", 10, paths=("/etc/passwd",)),
            act("read", 300, paths=("/p/src/a.py",)),
        ]
    )
    assert [one.looked for one in noted] == [("src/a.py",), ("src/b.py",), ("src/a.py",), ("src/a.py",)]
    first, second, third, later = [one.event for one in noted]
    assert (second.replaces, third.replaces, later.replaces) == (first.id, second.id, "")
    assert third.entities == ("src/a.py", "src/b.py", "src/a.py")
    assert (third.count, third.summary) == (3, "Looked at src/a.py, src/b.py")


def test_what_is_told_as_one_look_stays_small(recorder: Recorder) -> None:
    events = told(recorder, *(act("read", number, paths=("/p/src/a.py",)) for number in range(30)))
    assert max(len(event.entities) for event in events) == 12
    assert sum(not event.replaces for event in events) == 3


def test_an_edit_that_an_assistant_announced_is_its_edit(recorder: Recorder) -> None:
    recorder.take([act("edit", 0, is_before=True, paths=("/p/src/a.py",))])
    mine, late, other = recorder.credit([saved("src/a.py", 1), saved("src/a.py", 30), saved("src/b.py", 1)])
    assert (mine.actor, mine.client, mine.session) == ("assistant", "claude-code", "s1")
    assert late.actor == "person"
    assert other.actor == "person"


def test_what_changes_while_an_assistants_command_runs_is_its_change(recorder: Recorder) -> None:
    recorder.take([act("command", 0, is_before=True, text="sed -i …")])
    assert recorder.credit([saved("src/b.py", 60)])[0].actor == "assistant"
    recorder.take([act("command", 100, text="sed -i …", duration_ms=500)])
    assert recorder.credit([saved("src/b.py", 102)])[0].session == "s1"
    assert recorder.credit([saved("src/b.py", 110)])[0].actor == "person"


def test_where_two_assistants_run_commands_nobody_is_credited(recorder: Recorder) -> None:
    recorder.take([act("command", 0, is_before=True), act("command", 0, session="s2", is_before=True)])
    assert recorder.credit([saved("src/b.py", 1)])[0].actor == "person"


def test_a_command_typed_by_a_person_is_theirs(recorder: Recorder) -> None:
    (event,) = told(recorder, act("command", session="", client="zsh", text="git push", exit_status=0))
    assert (event.actor, event.client, event.session) == ("person", "zsh", "")
    assert recorder.credit([saved("src/a.py", 1)])[0].actor == "person"


def test_an_announcement_alone_is_no_event(recorder: Recorder) -> None:
    assert told(recorder, act("edit", is_before=True, paths=("/p/src/a.py",))) == []
    assert told(recorder, act("command", is_before=True, text="make")) == []


TOKEN = "ghp_" + "a1B2" * 9


def test_no_secret_is_kept_of_how_a_session_started(recorder: Recorder) -> None:
    (event,) = told(recorder, act("session_start", detail=f"startup, {TOKEN}"))
    assert TOKEN[:12] not in event.summary


@pytest.mark.parametrize("shown", range(5, 40, 5))
def test_no_half_of_a_secret_is_kept_where_a_prompt_is_cut(recorder: Recorder, shown: int) -> None:
    (event,) = told(recorder, act("prompt", text="use " + " " * (1196 - shown) + TOKEN + " please"))
    assert TOKEN[:5] not in event.summary


def test_a_command_that_was_not_allowed_is_not_running_after_the_next_prompt(recorder: Recorder) -> None:
    told(recorder, act("command", 0, text="make all", is_before=True))
    told(recorder, act("prompt", 20, text="no, leave it"))
    assert [event.actor for event in recorder.credit([saved("src/a.py", 60)])] == ["person"]


def test_a_command_goes_on_while_a_subagent_ends(recorder: Recorder) -> None:
    told(recorder, act("command", 0, text="make all", is_before=True), act("turn_end", 20, detail="subagent"))
    assert [event.actor for event in recorder.credit([saved("src/a.py", 60)])] == ["assistant"]


def test_what_is_written_after_an_assistants_edit_was_done_is_someone_elses(recorder: Recorder) -> None:
    told(
        recorder,
        act("edit", 0, paths=("/p/src/a.py",), key="e", is_before=True),
        act("edit", 0.2, paths=("/p/src/a.py",)),
    )

    def actor(at_s: float, written_s: float) -> str:
        written = {"src/a.py": NOW + timedelta(seconds=written_s)}
        return recorder.credit([saved("src/a.py", at_s)], written)[0].actor

    assert actor(0.5, 0.1) == "assistant"
    assert actor(8, 0.1) == "assistant"  # noticed late
    assert actor(3.4, 3.2) == "person"
    told(recorder, act("edit", 6, paths=("/p/src/a.py",), is_before=True))
    assert actor(7.5, 7.2) == "assistant"


def test_what_is_written_after_an_assistants_command_ended_is_someone_elses(recorder: Recorder) -> None:
    told(recorder, act("command", 0, text="make all", duration_ms=1000))
    written = {"src/a.py": NOW + timedelta(seconds=3.5)}
    assert [event.actor for event in recorder.credit([saved("src/a.py", 3.8)], written)] == ["person"]
    assert [event.actor for event in recorder.credit([saved("src/b.py", 3.8)], written | {"src/b.py": NOW})] == [
        "assistant"
    ]


def test_an_edit_is_not_anothers_who_announced_his_own_after_it_was_written(recorder: Recorder) -> None:
    paths = ("/p/src/a.py",)
    told(recorder, act("edit", 0, paths=paths, key="a", is_before=True), act("edit", 0.2, paths=paths))
    told(recorder, act("edit", 0.3, paths=paths, session="s2", is_before=True))

    def session(at_s: float, written_s: float) -> str:
        written = {"src/a.py": NOW + timedelta(seconds=written_s)}
        return recorder.credit([saved("src/a.py", at_s)], written)[0].session

    assert session(0.4, 0.1) == "s1"
    assert session(0.8, 0.5) == "s2"


def test_a_command_goes_on_while_a_subagent_of_its_session_runs_another(recorder: Recorder) -> None:
    told(
        recorder,
        act("command", 0, text="make all", key="m", is_before=True),
        act("command", 1, text="ls", agent="a1", key="l", is_before=True),
        act("command", 1, text="ls", agent="a1", duration_ms=100),
    )
    assert [event.session for event in recorder.credit([saved("src/a.py", 60)])] == ["s1"]
