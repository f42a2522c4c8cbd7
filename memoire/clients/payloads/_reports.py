"""What the hooks of assistants report, as actions: the shape that most of them share, told apart by a dialect each.

Total: any bytes give a list, empty for what is of no interest. The names are those of Claude Code, whose shape the
others took over; a dialect says what they are called elsewhere.
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

import msgspec

from memoire.clients.payloads._spec import Asking, Question
from memoire.episodes.actions import Action
from memoire.episodes.redact import redact

SAME_S = 2.0
"""Two reports of one session that carry no id are the same if they come so close together, seconds."""

MAX_ID = 200
"""Characters of an id; Claude Code's own are UUIDs."""

MAX_COMMAND, MAX_NAMED = 2000, 8
"""Characters of a command that are searched for files, and how many of them are looked at."""

MAX_DEPTH = 500
"""Of brackets around the place where a report is cut."""

_OUTPUTS = ("stdout", "stderr", "output", "llmContent", "textResultForLlm")
"""Where the answer of a shell's tool has what was printed."""

_EXIT_CODE = re.compile(r"Exit code (-?[0-9]{1,9})(?:\n|$)")
_PART = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\]]|"', re.DOTALL)
_CUT_ESCAPE = re.compile(rb"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$")

_WORD = re.compile(r"(?<![^\s'\"=<>|;&(])['\"]?[^\s'\"=<>|;&()$`*?-][^\s'\"<>|;&()$`*?]*")
_PATCHED = re.compile(r"(?m)^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+?)[ \t]*\r?$")

Fields = Mapping[str, Any]

VSCODE_FILE_TOOLS: Mapping[str, str] = {
    "read_file": "read", "create_file": "edit", "replace_string_in_file": "edit", "insert_edit_into_file": "edit",
    "multi_replace_string_in_file": "edit", "edit_notebook_file": "edit",
}  # fmt: skip
"""Tools of VS Code, which runs the hooks of Claude Code and Copilot CLI. Source: its documentation of August 2026."""

VSCODE_SHELL_TOOL = "run_in_terminal"


def hook_output(event: str, text: str) -> bytes:
    """Return what a hook prints so that the model gets the text, as Claude Code has it."""
    told = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return msgspec.json.encode(told) + b"\n"


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """How one client names what its hooks report."""

    client: str
    events: Mapping[str, str] = {}
    """Its name of an event -> Claude Code's; one that is not here goes by the same name."""
    names: Mapping[str, tuple[str, ...]] = {}
    """Name of a field -> those that it goes by, the first that is there counts."""
    flat_events: Mapping[str, tuple[str, str]] = {}
    """Its name of an event of one tool -> (Claude Code's name, the tool): the arguments stand among the fields."""
    file_tools: Mapping[str, str]
    """Tool that reads or edits one file -> the kind of action."""
    path_arguments: tuple[str, ...] = ("file_path",)
    """Arguments that name the file."""
    shell_tools: frozenset[str]
    """Tools that run a command, their argument `command`."""
    patch_tools: Mapping[str, str] = {}
    """Tool that applies a patch to several files -> the argument that holds it."""
    reads_by_shell: bool = False
    """Whether the model has no tool to read a file, and asks a shell for it."""
    is_status_told: bool = True
    """Whether a command that fails is told apart: of one that is not, the status is 0."""
    status: re.Pattern[str] | None = None
    """Where the output of a command says its status: the first group."""
    asks: frozenset[str] = frozenset({"SessionStart", "PreToolUse"})
    """Events, by Claude Code's names, at which the model can be told something."""
    answer: Callable[[str, str], bytes] = hook_output

    def parse(self, payload: bytes, received: datetime) -> list[Action]:
        """Return what a report says was done, is about to be done, or was said: one action, or none.

        Args:
            payload: What the hook read from stdin; may be cut.
            received: When.
        """
        fields = self._read(payload)
        event = _text(fields, "hook_event_name")
        if event in {"PreToolUse", "PostToolUse", "PostToolUseFailure"}:
            return self._tool_use(fields, event, received)
        told = _said(fields, event)
        if told is None:
            return []
        kind, text, detail = told
        return [
            Action(
                kind=kind,
                client=self.client,
                at=received,
                key=_key(fields, event),
                again_s=SAME_S,
                session=_id(fields, "session_id"),
                cwd=_text(fields, "cwd"),
                text=text,
                detail=detail,
            )
        ]

    def question(self, payload: bytes) -> Question | None:
        """Return what the assistant should hear about: its session, or the files it is about to read or to edit."""
        fields = self._read(payload)
        event = _text(fields, "hook_event_name")
        if event not in self.asks:
            return None
        named = _text(fields, "named_event") or event
        session, source = _id(fields, "session_id"), _text(fields, "source")
        listener = f"{session}/{_id(fields, 'agent_id')}"
        if event == "SessionStart":
            forgets = source in {"clear", "compact"}
            return Question(event=named, listener=listener, session=session, is_start=True, forgets=forgets)
        _, paths = self._files(fields)
        if not paths and self.reads_by_shell and _text(fields, "tool_name") in self.shell_tools:
            paths = _named_in(_text(_inner(fields, "tool_input"), "command"))
        cwd = _text(fields, "cwd")
        return Question(event=named, listener=listener, session=session, paths=paths, cwd=cwd) if paths else None

    @property
    def asking(self) -> Asking:
        """How the client asks, and takes an answer."""
        return Asking(self.question, self.answer)

    def _read(self, payload: bytes) -> Fields:
        """Return the fields of a report by Claude Code's names; `named_event` is the event as the client named it."""
        fields = dict(_fields(payload))
        for name, others in self.names.items():
            found = next((fields[other] for other in others if other in fields), None)
            found = found[0] if isinstance(found, list) and found else found
            if found is not None and name not in fields:
                fields[name] = found
        event = _text(fields, "hook_event_name")
        if event in self.flat_events:
            name, tool = self.flat_events[event]
            fields.update(named_event=event, hook_event_name=name, tool_name=tool, tool_input=dict(fields))
        elif event in self.events:
            fields.update(named_event=event, hook_event_name=self.events[event])
        for name in ("tool_input", "tool_response"):
            given = fields.get(name)
            if isinstance(given, str) and given.startswith("{"):  # JSON in JSON
                fields[name] = _fields(given.encode("utf-8", "replace")) or given
        return fields

    def _files(self, fields: Fields) -> tuple[str, tuple[str, ...]]:
        """Return (kind of action, paths) of a tool that reads or edits files; no paths where it is another."""
        tool = _text(fields, "tool_name")
        if tool in self.file_tools:
            given = (_text(_inner(fields, "tool_input"), argument) for argument in self.path_arguments)
            return self.file_tools[tool], tuple(path for path in given if path)[:1]
        if tool in self.patch_tools:
            patch = _text(_inner(fields, "tool_input"), self.patch_tools[tool])
            return "edit", _patched(patch)
        if tool in self.shell_tools and self.patch_tools:
            command = _text(_inner(fields, "tool_input"), "command").lstrip()
            return "edit", _patched(command) if command.startswith(tuple(self.patch_tools)) else ()
        return "", ()

    def _tool_use(self, fields: Fields, event: str, received: datetime) -> list[Action]:
        tool = _text(fields, "tool_name")
        is_before, is_failed = event == "PreToolUse", event == "PostToolUseFailure"
        duration_ms = -1 if is_before else _duration_ms(fields)
        action = Action(
            kind="command",
            client=self.client,
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
        kind, paths = self._files(fields)
        if paths:
            return [msgspec.structs.replace(action, kind=kind, paths=paths)]
        command = _text(_inner(fields, "tool_input"), "command")
        if tool not in self.shell_tools or not command.strip():
            return []
        output, exit_status = ("", None) if is_before else self._outcome(fields, is_failed=is_failed)
        return [msgspec.structs.replace(action, text=command, output=output, exit_status=exit_status)]

    def _outcome(self, fields: Fields, *, is_failed: bool) -> tuple[str, int | None]:
        """Return (what a command printed, its exit status; None where that is not known)."""
        if is_failed:
            error = _text(fields, "error")
            match = _EXIT_CODE.match(error)
            if match is None:
                return error, None
            return error[match.end() :], int(match[1])
        response = fields.get("tool_response")
        if isinstance(response, str):
            return response, self._status(response)
        response = _inner(fields, "tool_response")
        output = "\n".join(text for text in (_text(response, name) for name in _OUTPUTS) if text)
        if type(exit_status := response.get("exit")) is int:
            return output, exit_status
        # One that was moved to the background, or stopped by the user, has not ended: nobody knows how it would have.
        is_open = bool(response.get("interrupted")) or "backgroundTaskId" in response
        return output, None if is_open else self._status(output)

    def _status(self, output: str) -> int | None:
        if self.status is not None and (match := self.status.search(output)):
            return int(match[1])
        return 0 if self.is_status_told else None


def _patched(patch: str) -> tuple[str, ...]:
    """Return the files that a patch changes, in the form that Codex made: `*** Update File: …`."""
    return tuple(dict.fromkeys(_PATCHED.findall(patch)))


def _named_in(command: str) -> tuple[str, ...]:
    """Return words of a command that may be files; who asks knows which of them are."""
    words = (word.strip("'\"") for word in _WORD.findall(command[:MAX_COMMAND]))
    return tuple(dict.fromkeys(word for word in words if "." in word or "/" in word))[:MAX_NAMED]


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
