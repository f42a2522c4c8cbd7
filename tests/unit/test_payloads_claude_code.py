"""What Claude Code 2.1.197 really sends, as actions; and that no bytes whatever break the parser."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire import hook
from memoire.clients.payloads._reports import SAME_S, hook_output
from memoire.clients.payloads.claude_code import DIALECT
from memoire.episodes.actions import Action

RECORDED = Path(__file__).parent / "payloads" / "claude_code"
FILE_TOOLS = [tool for tool in DIALECT.file_tools if tool[0].isupper()]
parse, question, answer = DIALECT.parse, DIALECT.question, hook_output
NOW = datetime(2026, 5, 18, 10, 23, tzinfo=UTC)
SESSION = "00000001-0000-4000-8000-000000000000"
ROOT = "/home/user/project"


def recorded(name: str) -> bytes:
    return (RECORDED / f"{name}.json").read_bytes()


def only(payload: bytes) -> Action:
    (action,) = parse(payload, NOW)
    return action


def report(event: str, **fields: Any) -> bytes:
    return json.dumps({"session_id": "s", "cwd": ROOT, "hook_event_name": event, **fields}).encode()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("session_start-startup", {"kind": "session_start", "detail": "startup"}),
        ("session_start-resume", {"kind": "session_start", "detail": "resume"}),
        ("session_start-compact", {"kind": "session_start", "detail": "compact, claude-opus-4-8"}),
        ("session_end", {"kind": "session_end", "detail": "other"}),
        ("user_prompt_submit", {"kind": "prompt", "text": "hi"}),
        ("stop", {"kind": "turn_end"}),
        ("subagent_stop", {"kind": "turn_end", "detail": "subagent"}),
        ("pre_compact-manual", {"kind": "compact", "detail": "manual"}),
        ("pre_tool_use-read", {"kind": "read", "paths": (f"{ROOT}/a.py",), "is_before": True}),
        ("pre_tool_use-edit", {"kind": "edit", "paths": (f"{ROOT}/a.py",), "is_before": True}),
        ("pre_tool_use-write", {"kind": "edit", "paths": (f"{ROOT}/b.py",), "is_before": True}),
        ("pre_tool_use-notebookedit", {"kind": "edit", "paths": (f"{ROOT}/nb.ipynb",), "is_before": True}),
        (
            "pre_tool_use-read-subagent",
            {"kind": "read", "paths": (f"{ROOT}/a.py",), "is_before": True, "agent": "a0000000000000001"},
        ),
        ("pre_tool_use-bash", {"kind": "command", "text": "echo out; echo err >&2; exit 3", "is_before": True}),
        ("post_tool_use-read", {"kind": "read", "paths": (f"{ROOT}/a.py",), "duration_ms": 5}),
        ("post_tool_use-edit", {"kind": "edit", "paths": (f"{ROOT}/a.py",), "duration_ms": 7}),
        ("post_tool_use-write", {"kind": "edit", "paths": (f"{ROOT}/b.py",), "duration_ms": 2}),
        ("post_tool_use-notebookedit", {"kind": "edit", "paths": (f"{ROOT}/nb.ipynb",), "duration_ms": 4}),
        (
            "post_tool_use-bash",
            {"kind": "command", "text": "echo fine", "output": "fine", "exit_status": 0, "duration_ms": 14},
        ),
        ("post_tool_use-bash-background", {"kind": "command", "text": "sleep 3", "duration_ms": 3}),
        (
            "post_tool_use_failure-bash",
            {
                "kind": "command",
                "text": "echo out; echo err >&2; exit 3",
                "output": "out\nerr",
                "exit_status": 3,
                "is_failed": True,
                "duration_ms": 46,
            },
        ),
        (
            "post_tool_use_failure-bash-timeout",
            {
                "kind": "command",
                "text": "sleep 5",
                "output": "Command timed out after 1s",
                "exit_status": 143,
                "is_failed": True,
                "duration_ms": 1010,
            },
        ),
        (
            "post_tool_use_failure-read",
            {"kind": "read", "paths": (f"{ROOT}/missing.py",), "is_failed": True, "duration_ms": 1},
        ),
    ],
)
def test_a_recorded_report_is_read_whole(name: str, expected: dict[str, Any]) -> None:
    action = only(recorded(name))
    duration = timedelta(milliseconds=expected.get("duration_ms", 0))
    common = {"client": "claude-code", "session": SESSION, "cwd": ROOT, "at": NOW - duration}
    common |= {"key": action.key, "again_s": action.again_s}
    assert action == Action(**{**common, **expected})


def test_every_recorded_report_is_read_or_of_no_interest() -> None:
    ignored = {"pre_tool_use-grep", "post_tool_use-grep", "subagent_start"}
    names = {file.stem for file in RECORDED.glob("*.json")}
    assert {name for name in names if not parse(recorded(name), NOW)} == ignored
    keys = [only(recorded(name)).key for name in sorted(names - ignored)]
    # The subagent's read has the id of the other: the API that they were recorded with numbers each conversation.
    assert len(set(keys)) == len(keys) - 1


def test_the_hook_records_what_the_parser_reads() -> None:
    told = set()
    for event in hook.EVENTS["claude-code"]:
        fields = {"prompt": "x", "tool_name": "Read", "tool_input": {"file_path": "/a"}, "tool_use_id": "t"}
        told |= {event} if parse(report(event, **fields), NOW) else set()
    assert told == hook.EVENTS["claude-code"]
    assert hook.ASKS["claude-code"] == ("PreToolUse", frozenset(FILE_TOOLS))


def test_two_hooks_that_report_one_thing_say_it_with_one_key() -> None:
    payload = recorded("user_prompt_submit")
    assert parse(payload, NOW)[0].key == parse(payload, NOW + timedelta(milliseconds=300))[0].key
    assert parse(payload, NOW)[0].again_s == SAME_S  # later it is another one
    before, after = only(recorded("pre_tool_use-read")), only(recorded("post_tool_use-read"))
    assert before.key != after.key


def test_one_use_of_a_tool_in_two_sessions_is_two_actions() -> None:
    fields = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t"}
    one, other = only(report("PostToolUse", **fields)), only(report("PostToolUse", **{**fields, "session_id": "s2"}))
    assert one.key != other.key
    assert one.again_s == other.again_s == 0


@pytest.mark.parametrize(
    ("response", "output", "status"),
    [
        ({"stdout": "a", "stderr": "b"}, "a\nb", 0),
        ({"stdout": "", "stderr": "b", "interrupted": True}, "b", None),
        ("as text", "as text", 0),
        (None, "", 0),
        ({"stdout": 7}, "", 0),
    ],
)
def test_what_a_command_printed_is_taken_as_it_comes(response: object, output: str, status: int | None) -> None:
    action = only(report("PostToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_response=response))
    assert (action.output, action.exit_status) == (output, status)


@pytest.mark.parametrize(
    ("error", "output", "status"),
    [
        ("Exit code 1", "", 1),
        ("Exit code 1\n", "", 1),
        ("Exit code -11\nboom", "boom", -11),
        ("Exit code 12x", "Exit code 12x", None),
        ("The user does not want this", "The user does not want this", None),
        (None, "", None),
    ],
)
def test_the_status_of_a_failure_stands_in_its_error(error: object, output: str, status: int | None) -> None:
    action = only(report("PostToolUseFailure", tool_name="Bash", tool_input={"command": "x"}, error=error))
    assert (action.output, action.exit_status, action.is_failed) == (output, status, True)


def test_a_report_that_was_cut_is_read_as_far_as_it_goes() -> None:
    whole = report(
        "PostToolUse", tool_use_id="t", tool_name="Bash", tool_input={"command": "make"},
        tool_response={"stdout": "é\n" * 1000},
    )  # fmt: skip
    for cut in range(whole.index(b"stdout") + 11, len(whole)):
        action = only(whole[:cut])
        assert action.text == "make"
        assert set(action.output) <= {"é", "\n"}
    assert only(whole[: whole.index(b', "tool_response')]).text == "make"


def test_half_of_a_surrogate_pair_loses_one_letter_and_no_more() -> None:
    payload = report("UserPromptSubmit", prompt="a PLACE b").replace(b"PLACE", b"\\ud83d")
    assert only(payload).text == "a ? b"


def test_an_empty_prompt_and_a_command_of_nothing_are_no_actions() -> None:
    assert parse(report("UserPromptSubmit", prompt=" \n"), NOW) == []
    assert parse(report("PostToolUse", tool_name="Bash", tool_input={"command": ""}), NOW) == []
    assert parse(report("PostToolUse", tool_name="Edit", tool_input={}), NOW) == []


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
FLAT = PLAIN | st.lists(PLAIN, max_size=3) | st.dictionaries(st.text(max_size=4), PLAIN, max_size=3)
JSON = FLAT | st.lists(FLAT, max_size=2) | st.dictionaries(st.text(max_size=4), FLAT, max_size=2)
NAMES = st.sampled_from(
    ["session_id", "cwd", "tool_name", "tool_input", "tool_response", "tool_use_id", "error", "duration_ms", "prompt",
     "source", "prompt_id", "agent_id"]
)  # fmt: skip
TOOLS = st.sampled_from(["Bash", *FILE_TOOLS, "Grep"])


class TestTotal:
    @given(st.binary(max_size=200))
    def test_any_bytes_are_no_trouble(self, payload: bytes) -> None:
        assert parse(payload, NOW) == []
        assert question(payload) is None
        hook.head_fields(payload)

    @given(st.sampled_from(sorted(hook.EVENTS)), TOOLS, st.dictionaries(NAMES, JSON), st.data())
    def test_fields_of_any_kind_and_any_cut_are_no_trouble(
        self, event: str, tool: str, fields: dict[str, Any], data: st.DataObject
    ) -> None:
        payload = json.dumps({"hook_event_name": event, "tool_name": tool, **fields}).encode()
        cut = payload[: data.draw(st.integers(0, len(payload)))]
        for text in (payload, cut):
            for action in parse(text, NOW):
                assert action.kind
                assert isinstance(action.session, str)
            question(text)

    @pytest.mark.parametrize("payload", [b"[" * 100_000, b'{"a":' * 100_000, b'{"a":"' + b"\\" * 99_999, b"9" * 9_999])
    def test_depth_and_length_are_no_trouble(self, payload: bytes) -> None:
        assert parse(payload, NOW) == []
        assert hook.head_fields(payload) == {}

    @given(st.dictionaries(st.sampled_from(["cwd", "hook_event_name", "tool_name", "x"]), JSON), st.integers(0, 1))
    def test_the_hook_reads_the_head_as_json_has_it(self, fields: dict[str, Any], indent: int) -> None:
        text = json.dumps({"first": [{"cwd": "no"}, '"cwd":"no"'], **fields}, indent=indent or None, allow_nan=True)
        found = hook.head_fields(text.encode())
        expected = {"first": "", **fields}
        assert all(expected[name] == value for name, value in found.items())


class TestQuestion:
    def test_a_read_or_an_edit_asks_about_its_file(self) -> None:
        for name, tool in (("read", "a.py"), ("edit", "a.py"), ("write", "b.py"), ("notebookedit", "nb.ipynb")):
            found = question(recorded(f"pre_tool_use-{name}"))
            assert found is not None
            assert (found.event, found.paths, found.is_start) == ("PreToolUse", (f"{ROOT}/{tool}",), False)

    def test_a_subagent_is_a_listener_of_its_own(self) -> None:
        own, other = question(recorded("pre_tool_use-read")), question(recorded("pre_tool_use-read-subagent"))
        assert own is not None
        assert other is not None
        assert own.session == other.session
        assert own.listener != other.listener

    def test_a_session_that_starts_asks_about_the_project_and_one_that_was_compacted_has_forgotten(self) -> None:
        forgets = {}
        for source in ("startup", "resume", "clear", "compact", "fork"):
            found = question(report("SessionStart", source=source))
            assert found is not None
            assert found.is_start
            forgets[source] = found.forgets
        assert [source for source, does in forgets.items() if does] == ["clear", "compact"]

    @pytest.mark.parametrize("name", ["pre_tool_use-bash", "post_tool_use-read", "stop", "user_prompt_submit"])
    def test_anything_else_asks_nothing(self, name: str) -> None:
        assert question(recorded(name)) is None

    def test_the_answer_is_what_claude_code_takes(self) -> None:
        told = answer("PreToolUse", 'a "b"\n')
        assert json.loads(told) == {
            "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": 'a "b"\n'}
        }
        assert told.endswith(b"}\n")


def test_two_prompts_or_commands_at_once_that_carry_no_number_are_two() -> None:
    def key(event: str, **fields: Any) -> str:
        return only(report(event, **fields)).key

    assert key("UserPromptSubmit", prompt="first") != key("UserPromptSubmit", prompt="second")
    assert key("UserPromptSubmit", prompt="first") == key("UserPromptSubmit", prompt="first")
    commands = [{"tool_name": "Bash", "tool_input": {"command": line}} for line in ("make test", "make lint")]
    assert key("PostToolUse", **commands[0]) != key("PostToolUse", **commands[1])


def test_no_secret_is_kept_as_an_id() -> None:
    token = "ghp_" + "a1B2" * 9
    for odd in (token, f"{token}\n", token + "x" * 1000):
        action = only(report("UserPromptSubmit", prompt="x", session_id=odd, prompt_id=odd))
        assert token[:8] not in action.session + action.key


@pytest.mark.parametrize("odd", ["s\x1b[31m\n\0", "x" * 1_000_000])
def test_an_odd_session_id_is_short_and_one_line_and_still_its_own(odd: str) -> None:
    first = only(report("UserPromptSubmit", prompt="x", session_id=odd))
    other = only(report("UserPromptSubmit", prompt="x", session_id=f"{odd}\n2"))
    assert len(first.session) <= 200
    assert first.session.isprintable()
    assert first.session != other.session
    asked = question(report("SessionStart", session_id=odd))
    assert asked is not None
    assert asked.session == first.session
