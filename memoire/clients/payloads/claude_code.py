"""What Claude Code's hooks report, as actions. Total: any bytes give a list, empty for what is of no interest.

Source: Claude Code's documentation of August 2026, and what version 2.1.197 sends: a command that ends with a status
other than 0 comes as PostToolUseFailure whose `error` begins with `Exit code 3`; one that went well carries no status.
PreToolUse takes `additionalContext`, and shows it to the model beside the tool's result: before an edit that is what
was told when the file was read, which Claude Code insists on.
"""

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

import msgspec

from memoire.clients.payloads._spec import Asking, Question
from memoire.episodes.actions import Action
from memoire.episodes.redact import redact

CLIENT = "claude-code"

FILE_TOOLS = {
    "Read": ("read", "file_path"),
    "Edit": ("edit", "file_path"),
    "Write": ("edit", "file_path"),
    "MultiEdit": ("edit", "file_path"),
    "NotebookEdit": ("edit", "notebook_path"),
}
"""Tool -> (kind of action, the argument that names the file)."""

SAME_S = 2.0
"""Two reports of one session that carry no id are the same if they come so close together, seconds."""

MAX_ID = 200
"""Characters of an id; Claude Code's own are UUIDs."""

MAX_DEPTH = 500
"""Of brackets around the place where a report is cut."""

_EXIT_CODE = re.compile(r"Exit code (-?[0-9]{1,9})(?:\n|$)")
_PART = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\]]|"', re.DOTALL)
_CUT_ESCAPE = re.compile(rb"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$")

Fields = Mapping[str, Any]


def parse(payload: bytes, received: datetime) -> list[Action]:
    """Return what a report says was done, is about to be done, or was said: one action, or none.

    Args:
        payload: What the hook read from stdin; may be cut.
        received: When.
    """
    fields = _fields(payload)
    event = _text(fields, "hook_event_name")
    if event in {"PreToolUse", "PostToolUse", "PostToolUseFailure"}:
        return _tool_use(fields, event, received)
    told = _said(fields, event)
    if told is None:
        return []
    kind, text, detail = told
    return [
        Action(
            kind=kind,
            client=CLIENT,
            at=received,
            key=_key(fields, event),
            again_s=SAME_S,
            session=_id(fields, "session_id"),
            cwd=_text(fields, "cwd"),
            text=text,
            detail=detail,
        )
    ]


def question(payload: bytes) -> Question | None:
    """Return what the assistant should hear about: its session, or the file it is about to read or to edit."""
    fields = _fields(payload)
    event, tool = _text(fields, "hook_event_name"), _text(fields, "tool_name")
    session, source = _id(fields, "session_id"), _text(fields, "source")
    listener = f"{session}/{_id(fields, 'agent_id')}"
    if event == "SessionStart":
        forgets = source in {"clear", "compact"}
        return Question(event=event, listener=listener, session=session, is_start=True, forgets=forgets)
    if event != "PreToolUse" or tool not in FILE_TOOLS:
        return None
    paths = _paths(fields, FILE_TOOLS[tool][1])
    cwd = _text(fields, "cwd")
    return Question(event=event, listener=listener, session=session, paths=paths, cwd=cwd) if paths else None


def answer(event: str, text: str) -> bytes:
    """Return what a hook prints so that the model gets the text."""
    told = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return msgspec.json.encode(told) + b"\n"


ASKING = Asking(question, answer)


def _said(fields: Fields, event: str) -> tuple[str, str, str] | None:
    """Return (kind, text, detail) of what is no use of a tool; None where it is of no interest."""
    if event == "SessionStart":
        names = (_text(fields, "source"), _text(fields, "model"))
        return "session_start", "", ", ".join(name for name in names if name)
    if event == "SessionEnd":
        return "session_end", "", _text(fields, "reason")
    if event == "UserPromptSubmit":
        prompt = _text(fields, "prompt")
        return ("prompt", prompt, "") if prompt.strip() else None
    if event == "PreCompact":
        return "compact", "", _text(fields, "trigger")
    if event == "Stop":
        return "turn_end", "", ""
    return ("turn_end", "", "subagent") if event == "SubagentStop" else None


def _tool_use(fields: Fields, event: str, received: datetime) -> list[Action]:
    tool = _text(fields, "tool_name")
    is_before, is_failed = event == "PreToolUse", event == "PostToolUseFailure"
    duration_ms = -1 if is_before else _duration_ms(fields)
    action = Action(
        kind="command",
        client=CLIENT,
        at=_minus(received, duration_ms),
        key=_key(fields, event),
        again_s=0.0 if _id(fields, "tool_use_id") else SAME_S,
        session=_id(fields, "session_id"),
        agent=_id(fields, "agent_id"),
        cwd=_text(fields, "cwd"),
        is_before=is_before,
        is_failed=is_failed,
        duration_ms=duration_ms,
    )
    if tool in FILE_TOOLS:
        kind, argument = FILE_TOOLS[tool]
        paths = _paths(fields, argument)
        return [msgspec.structs.replace(action, kind=kind, paths=paths)] if paths else []
    command = _text(_inner(fields, "tool_input"), "command")
    if tool != "Bash" or not command.strip():
        return []
    output, exit_status = ("", None) if is_before else _outcome(fields, is_failed=is_failed)
    return [msgspec.structs.replace(action, text=command, output=output, exit_status=exit_status)]


def _outcome(fields: Fields, *, is_failed: bool) -> tuple[str, int | None]:
    """Return (what a command printed, its exit status; None where that is not known)."""
    if is_failed:
        error = _text(fields, "error")
        match = _EXIT_CODE.match(error)
        if match is None:
            return error, None
        return error[match.end() :], int(match[1])
    response = fields.get("tool_response")
    if isinstance(response, str):
        return response, 0
    response = _inner(fields, "tool_response")
    parts = (_text(response, "stdout"), _text(response, "stderr"))
    # One that was moved to the background, or stopped by the user, has not ended: nobody knows how it would have.
    is_open = bool(response.get("interrupted")) or "backgroundTaskId" in response
    return "\n".join(part for part in parts if part), None if is_open else 0


def _key(fields: Fields, event: str) -> str:
    """Return what tells a report from all others, and is the same where two hooks send it: of a plug-in, of a file.

    Of a tool: session, use and event. Others, and tools of older versions, carry no id of their own: what is in them
    and the time tell them apart as well.
    """
    use = _id(fields, "tool_use_id")
    if use:
        return ":".join((_id(fields, "session_id"), use, event))
    names = ("session_id", "source", "prompt_id", "agent_id")
    given = (text for text in _inner(fields, "tool_input").values() if isinstance(text, str))
    said = "\0".join((_text(fields, "prompt"), _text(fields, "tool_name"), *given))
    digest = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return ":".join((*(_id(fields, name) for name in names), digest, event))


def _paths(fields: Fields, argument: str) -> tuple[str, ...]:
    path = _text(_inner(fields, "tool_input"), argument)
    return (path,) if path else ()


def _duration_ms(fields: Fields) -> int:
    found = fields.get("duration_ms")
    if isinstance(found, bool) or not isinstance(found, int | float):
        return -1
    return int(found) if 0 <= found < 10**10 else -1


def _minus(at: datetime, duration_ms: int) -> datetime:
    try:
        return at - timedelta(milliseconds=max(duration_ms, 0))
    except OverflowError:
        return at


def _text(fields: Fields, name: str) -> str:
    found = fields.get(name)
    return found if isinstance(found, str) else ""


def _id(fields: Fields, name: str) -> str:
    """Return an id as it may be stored and shown: one short line. Two longer ones stay apart."""
    text = _text(fields, name)
    if len(text) <= MAX_ID and text.isprintable() and redact(text) == text:
        return text
    head = (
        ""
        if redact(text[:MAX_ID]) != text[:MAX_ID]
        else "".join(letter if letter.isprintable() else "?" for letter in text[: MAX_ID // 2])
    )
    return f"{head}-{blake2b(text.encode(), digest_size=8).hexdigest()}"


def _inner(fields: Fields, name: str) -> Fields:
    found = fields.get(name)
    return found if isinstance(found, dict) else {}


def _fields(payload: bytes) -> Fields:
    """Return the report as an object; what is none has no fields. One that is cut has those before the cut."""
    for text in (payload, _mended(payload)):
        found = _decoded(text)
        if isinstance(found, dict):
            return found
    return {}


def _decoded(text: bytes) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        # Half of a surrogate pair, as of an output that was cut between the two, is no reason to lose the rest.
        lenient = json.loads(text.decode("utf-8", "replace"), strict=False)
        return msgspec.json.decode(json.dumps(lenient, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError, msgspec.DecodeError):
        return None


def _mended(payload: bytes) -> bytes:
    """Return a report that was cut with what it needs to be whole; nothing where that is not possible."""
    closing: list[bytes] = []
    for part in _PART.finditer(payload):
        letter = part[0]
        if letter == b'"':  # a text that does not end: all that follows is in it
            text = _CUT_ESCAPE.sub(rb"\1", payload).decode("utf-8", "ignore").encode()
            return text + b'"' + b"".join(reversed(closing))
        if letter in b"{[":
            closing.append(b"}" if letter == b"{" else b"]")
            if len(closing) > MAX_DEPTH:
                return b""
        elif letter in b"}]":
            if not closing:
                return b""
            closing.pop()
    return payload.rstrip().rstrip(b",") + b"".join(reversed(closing)) if closing else b""
