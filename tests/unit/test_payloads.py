"""What the hooks of each client report, as actions: the same ones, whatever the client calls them.

Codex's reports are recorded of version 0.171.0; the others are as their makers document them.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire import __main__, hook
from memoire.clients.payloads import ASKING, DIALECTS, PARSERS
from memoire.episodes.actions import Action

RECORDED = Path(__file__).parent / "payloads"
NOW = datetime(2026, 12, 1, 10, 23, tzinfo=UTC)
ROOT = "/home/user/project"


def only(client: str, payload: bytes | dict[str, Any]) -> Action:
    (action,) = PARSERS[client](payload if isinstance(payload, bytes) else json.dumps(payload).encode(), NOW)
    return action


def told(action: Action) -> dict[str, Any]:
    """What is not as it is unless said otherwise, the session and the key aside."""
    plain = Action(kind=action.kind, client=action.client, at=NOW, key="")
    names = set(Action.__struct_fields__) - {"client", "key", "again_s", "session", "at", "cwd"}
    return {
        name: getattr(action, name) for name in names if name == "kind" or getattr(action, name) != getattr(plain, name)
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("session_start", {"kind": "session_start", "detail": "startup, gpt-5"}),
        ("user_prompt_submit", {"kind": "prompt", "text": "hi"}),
        ("pre_tool_use-bash", {"kind": "command", "text": "cat cart.py", "is_before": True}),
        (
            "post_tool_use-bash",
            {"kind": "command", "text": "cat cart.py", "output": "def total(p):\n    return sum(p)\n"},
        ),
        ("post_tool_use-bash-2", {"kind": "command", "text": "sh -c 'echo bad; exit 3'", "output": "bad\n"}),
        ("stop", {"kind": "turn_end"}),
        ("session_end", {"kind": "session_end", "detail": "other"}),
    ],
)
def test_what_codex_sends(name: str, expected: dict[str, Any]) -> None:
    action = only("codex", (RECORDED / "codex" / f"{name}.json").read_bytes())
    assert told(action) == expected  # of a command it is not known how it ended
    assert (action.client, action.cwd) == ("codex", ROOT)
    assert action.session == "00000002-0000-7000-8000-000000000000"


PATCH = """\
*** Begin Patch
*** Update File: a b.py
@@
-x
+y
*** Add File: new.py
+z
*** Delete File: old.py
*** End Patch"""


@pytest.mark.parametrize(("tool", "given"), [("apply_patch", PATCH), ("Bash", f"apply_patch <<'EOF'\n{PATCH}\nEOF\n")])
def test_a_patch_of_codex_edits_each_file_that_it_names(tool: str, given: str) -> None:
    report = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {"command": given}, "cwd": ROOT}
    assert told(only("codex", report)) == {"kind": "edit", "paths": ("a b.py", "new.py", "old.py"), "is_before": True}


def test_files_that_codex_reads_by_a_shell_are_asked_about() -> None:
    def asked(command: str) -> tuple[str, ...]:
        report = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "cwd": ROOT}
        question = ASKING["codex"].question(json.dumps(report).encode())
        return question.paths if question else ()

    assert asked("sed -n '1,200p' src/cart.py && rg total 'src/page.py'|head") == ("src/cart.py", "src/page.py")
    assert asked("ls -la") == ()
    assert asked("cat a.py a.py") == ("a.py",)


TOOL = {"session_id": "s", "cwd": ROOT}
REPORTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "gemini",
        {**TOOL, "hook_event_name": "AfterTool", "tool_name": "read_file", "tool_input": {"absolute_path": "/p/a.py"}},
        {"kind": "read", "paths": ("/p/a.py",)},
    ),
    (
        "gemini",
        {**TOOL, "hook_event_name": "BeforeTool", "tool_name": "replace", "tool_input": {"file_path": "/p/a.py"}},
        {"kind": "edit", "paths": ("/p/a.py",), "is_before": True},
    ),
    (
        "gemini",
        {
            **TOOL,
            "hook_event_name": "AfterTool",
            "tool_name": "run_shell_command",
            "tool_input": {"command": "make"},
            "tool_response": {"llmContent": "Command: make\nOutput: bad\nExit Code: 2\n"},
        },
        {
            "kind": "command", "text": "make", "output": "Command: make\nOutput: bad\nExit Code: 2\n", "exit_status": 2
        },
    ),
    ("gemini", {**TOOL, "hook_event_name": "BeforeAgent", "prompt": "hi"}, {"kind": "prompt", "text": "hi"}),
    ("gemini", {**TOOL, "hook_event_name": "PreCompress", "trigger": "auto"}, {"kind": "compact", "detail": "auto"}),
    (
        "cursor",
        {"conversation_id": "s", "workspace_roots": [ROOT], "hook_event_name": "afterFileEdit", "file_path": "/p/a.py"},
        {"kind": "edit", "paths": ("/p/a.py",)},
    ),
    (
        "cursor",
        {
            "conversation_id": "s", "workspace_roots": [ROOT], "hook_event_name": "beforeReadFile",
            "file_path": "/p/a.py",
        },
        {"kind": "read", "paths": ("/p/a.py",), "is_before": True},
    ),
    (
        "cursor",
        {
            "conversation_id": "s", "workspace_roots": [ROOT], "hook_event_name": "afterShellExecution",
            "command": "make", "output": "built",
        },
        {"kind": "command", "text": "make", "output": "built"},
    ),
    (
        "cursor",
        {"conversation_id": "s", "workspace_roots": [ROOT], "hook_event_name": "beforeSubmitPrompt", "prompt": "hi"},
        {"kind": "prompt", "text": "hi"},
    ),
    (
        "copilot-cli",
        {
            "hook_event_name": "preToolUse", "sessionId": "s", "cwd": ROOT, "toolName": "edit",
            "toolArgs": '{"path": "/p/a.py", "old_str": "x"}',
        },
        {"kind": "edit", "paths": ("/p/a.py",), "is_before": True},
    ),
    (
        "copilot-cli",
        {
            "hook_event_name": "postToolUse", "sessionId": "s", "cwd": ROOT, "toolName": "bash",
            "toolArgs": '{"command": "make"}',
            "toolResult": {"resultType": "success", "textResultForLlm": "built"},
        },
        {"kind": "command", "text": "make", "output": "built"},
    ),
    (
        "claude-code",
        {
            "hookEventName": "PreToolUse", "sessionId": "s", "cwd": ROOT, "tool_name": "replace_string_in_file",
            "tool_input": {"filePath": "/p/a.py"}, "tool_use_id": "t",
        },
        {"kind": "edit", "paths": ("/p/a.py",), "is_before": True},
    ),
    (
        "opencode",
        {
            **TOOL, "hook_event_name": "PostToolUse", "tool_name": "bash", "tool_input": {"command": "make"},
            "tool_response": "x",
        },
        {"kind": "command", "text": "make", "output": "x"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("client", "report", "expected"), REPORTS)
def test_what_clients_call_by_other_names_is_the_same_action(
    client: str, report: dict[str, Any], expected: dict[str, Any]
) -> None:
    action = only(client, report)
    assert told(action) == expected
    assert (action.session, action.cwd, action.client) == ("s", ROOT, client)


def test_what_is_told_goes_in_the_form_of_the_client_and_names_its_own_event() -> None:
    report = {**TOOL, "hook_event_name": "AfterTool", "tool_name": "read_file", "tool_input": {"file_path": "/p/a.py"}}
    question = ASKING["gemini"].question(json.dumps(report).encode())
    assert question is not None
    assert json.loads(ASKING["gemini"].answer(question.event, "facts")) == {
        "hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "facts"}
    }
    assert json.loads(ASKING["cursor"].answer("sessionStart", "facts")) == {"additional_context": "facts"}
    assert json.loads(ASKING["copilot-cli"].answer("sessionStart", "facts")) == {"additionalContext": "facts"}
    for client, key in hook.CONTEXT_KEYS.items():
        assert list(json.loads(ASKING[client].answer("sessionStart", "facts"))) == [key]


def test_the_hook_knows_the_events_and_tools_of_each_dialect() -> None:
    assert set(hook.EVENTS) == set(DIALECTS) == set(__main__.HOOKED)
    for client, dialect in DIALECTS.items():
        known = {**dialect.events, **{event: name for event, (name, _) in dialect.flat_events.items()}}
        for event in hook.EVENTS[client]:
            canonical = known.get(event, event)
            assert canonical in hook.EVENTS["claude-code"], (client, event)
        assert set(known) <= hook.EVENTS[client], client
        if client in hook.ASKS:
            event, tools = hook.ASKS[client]
            assert known.get(event, event) in dialect.asks
            assert tools <= {*dialect.file_tools, *dialect.patch_tools, *dialect.shell_tools}
        else:
            assert dialect.asks == {"SessionStart"}


@pytest.mark.parametrize("client", DIALECTS)
@given(payload=st.binary(max_size=200) | st.builds(lambda value: json.dumps(value).encode(), st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([
        "hook_event_name", "tool_name", "tool_input", "tool_response", "command", "file_path", "session_id", "cwd",
        "toolArgs", "workspace_roots", "prompt", "path", "input",
    ]), inner, max_size=6), max_leaves=20)))  # fmt: skip
def test_no_bytes_whatever_break_a_parser(client: str, payload: bytes) -> None:
    for action in PARSERS[client](payload, NOW):
        assert action.client == client
    ASKING[client].question(payload)
