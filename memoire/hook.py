"""`memoire hook CLIENT [EVENT]`: a report on stdin -> the spool; on stdout what the assistant should know. Fails open.

It runs at every step of an assistant, which waits for it: so it imports next to nothing, knows of the report only what
stands at its head, and whatever happens ends with 0. The daemon reads and redacts the record.
Standard library only.

Source: Claude Code's documentation of August 2026, and version 2.1.197 as it runs; of others, their modules in
`clients.payloads`. A hook that ends with 2 blocks the tool or erases the prompt: nothing here may.
"""

import _socket  # the C half of `socket`: its Python half costs more than all else here
import os
import select
import stat
import sys
import time

from memoire import paths
from memoire.ages import age

DEADLINE_S = 0.25
"""Of the answer, from our first line on: with the start of Python before it, an assistant waits 0.3 s at most."""

MAX_BYTES = 16 << 20
"""Of a report; the rest of a longer one is read and dropped."""

ASKING_BYTES = 4 << 20
"""A longer report is recorded, and nothing asked: the daemon takes no such request."""

HEAD_BYTES = 64 << 10
"""So far from its start a report is searched for what is needed here: Claude Code writes it first."""

QUIET_MS = 2000
"""A client that opened stdin and says nothing for so long says nothing any more."""

CONTEXT_FILE = "context.json"
"""In the state folder: what a session is told at its start while no daemon answers; the daemon writes it."""

AGE = b"@AGE@"
"""Stands in that file for its age."""

SPOOL_FOLDER = "spool"

_TOOLS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
_OTHERS = ("SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact")

EVENTS = {
    "claude-code": frozenset(_TOOLS + _OTHERS),
    "codex": frozenset(_TOOLS + _OTHERS),
    "copilot-cli": frozenset(
        (
            "sessionStart", "sessionEnd", "userPromptSubmitted", "preToolUse", "postToolUse", "preCompact", "agentStop",
            "subagentStop",
        )
    ),
    "cursor": frozenset(
        (
            "sessionStart", "sessionEnd", "beforeSubmitPrompt", "beforeReadFile", "afterFileEdit",
            "afterShellExecution", "preCompact", "stop", "subagentStop",
        )
    ),
    "gemini": frozenset(
        ("SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "PreCompress")
    ),
    "opencode": frozenset(_TOOLS + _OTHERS),
}  # fmt: skip
"""Client -> what is recorded. The same as `clients.payloads` reads."""

STARTS = frozenset(("SessionStart", "sessionStart"))
"""At these the daemon is asked what a session should know, and started where there is none."""

ASKS = {
    "claude-code": ("PreToolUse", frozenset(("Read", "Edit", "Write", "MultiEdit", "NotebookEdit"))),
    "codex": ("PreToolUse", frozenset(("apply_patch", "Bash"))),
    "gemini": ("AfterTool", frozenset(("read_file", "write_file", "replace"))),
    "opencode": ("PreToolUse", frozenset(("read", "edit", "write", "patch", "apply_patch"))),
}
"""Client -> (event, tools) at which the daemon is asked what the assistant should know about a file."""

CONTEXT_KEYS = {"copilot-cli": "additionalContext", "cursor": "additional_context"}
"""Client -> the key of what the model is told, where its answer has another form than Claude Code's."""

_USAGE = (
    f"usage: memoire hook CLIENT [EVENT]\n\nAn assistant runs it, with its report on stdin; `memoire init` sets it up. "
    f"Clients: {', '.join(EVENTS)}\n"
)
_SPACE = " \t\r\n"
_MAX_CONTEXT_BYTES = 256 << 10


def main(arguments: list[str]) -> int:
    """Run `memoire hook`; return its exit status: 0 however a report fares, and never 2."""
    is_help = arguments[1:] in (["-h"], ["--help"])
    if is_help or not 1 <= len(arguments) <= 2 or arguments[0] not in EVENTS:
        _write(1 if is_help else 2, _USAGE.encode())
        return 0 if is_help else 1
    try:
        _run(arguments[0], arguments[1] if arguments[1:] else "", time.monotonic() + DEADLINE_S)
    except (Exception, KeyboardInterrupt):  # noqa: BLE001 - boundary: hook main
        return 0  # in silence: an assistant shows a hook's complaints to its user at every step
    return 0


def _run(client: str, named: str, deadline: float) -> None:
    data = _read_report()
    if not data.strip():
        return
    if named and named not in EVENTS[client]:
        return
    if named:  # the client does not say in its report of which event it is: its settings do
        data = b'{"hook_event_name":"%b",%b' % (named.encode(), data.lstrip()[1:])
    head = head_fields(data)
    event = head.get("hook_event_name", "") or head.get("hookEventName", "")
    if event and event not in EVENTS[client]:
        return
    root, state = _find_project(head.get("cwd", ""))
    if not state:
        return
    is_start = event in STARTS
    asked, tools = ASKS.get(client, ("", ()))
    try:
        # As in a shell: whoever starts an assistant like this wants it told, not recorded.
        if os.environ.get("MEMOIRE_PRIVATE", "") in ("", "0"):
            leave_record(state, client, data)
    finally:  # no space, read-only: what is known can be told all the same
        if is_start or (event == asked and (head.get("tool_name") or head.get("toolName")) in tools):
            _tell(root, state, client, data, is_start=is_start, deadline=deadline)


def _read_report() -> bytes:
    """Return what the client says on stdin, at most `MAX_BYTES` of it."""
    if sys.stdin is None or os.isatty(0):
        return b""
    parts: list[bytes] = []
    size = 0
    waiting = select.poll()
    waiting.register(0, select.POLLIN)
    while waiting.poll(QUIET_MS):
        chunk = os.read(0, 1 << 20)
        if not chunk:
            break
        if size < MAX_BYTES:  # read on beyond: a client whose pipe breaks complains
            parts.append(chunk[: MAX_BYTES - size])
        size += len(chunk)
    return b"".join(parts)


def head_fields(data: bytes) -> dict[str, str]:
    """Return the texts at the head of a report, by their names, as far as they are needed here.

    Total: what is no JSON object, is cut or holds odd letters gives what stands before that.
    """
    text = data[:HEAD_BYTES].decode("utf-8", "replace")
    found: dict[str, str] = {}
    try:
        at = _expect(text, 0, "{")
        while True:
            key, at = _read_string(text, _expect(text, at, '"'))
            at = _expect(text, at, ":")
            at = _skip_space(text, at)
            if text[at] == '"':
                found[key], at = _read_string(text, at + 1)
            else:
                at = _skip_value(text, at)
            if _is_enough(found):
                return found
            at = _expect(text, at, ",")
    except (ValueError, IndexError):
        return found


def leave_record(state: str, client: str, data: bytes) -> None:
    """Leave a record in the spool of the state folder: a file of its own, whole when it ends in RS LF.

    Raises:
        OSError: There is no space or permission, or the spool is no folder of ours; nothing is left behind.
    """
    folder = os.path.join(state, SPOOL_FOLDER)
    try:  # noqa: SIM105 - contextlib costs more
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    if not _is_own_folder(folder):
        raise NotADirectoryError(folder)
    received_us = time.time_ns() // 1000
    record = b"1\x1f%d\x1f%b\x1e\n" % (received_us, data)
    for number in range(100):
        path = os.path.join(folder, f"{received_us}-{os.getpid()}-{number}.{client}")
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            continue
        try:
            _write_all(fd, record)
        except OSError:
            os.unlink(path)
            raise
        finally:
            os.close(fd)
        return


def _tell(root: str, state: str, client: str, data: bytes, *, is_start: bool, deadline: float) -> None:
    """Print what the daemon says to the report; at the start of a session without one, the last that it wrote."""
    answer, is_absent = b"", False
    try:
        link = _connect(root, deadline)
    except (FileNotFoundError, ConnectionRefusedError):
        is_absent = True
    except OSError:  # it is there, and so busy that its queue is full
        is_absent = False
    else:
        answer = _ask(link, client, data, deadline)
    if is_start and not answer:
        answer = _in_words_of(client, _last_context(state))
    if answer.startswith(b"{"):
        _write(1, answer)
    if is_start and is_absent:
        _start_daemon(root)


def _connect(root: str, deadline: float) -> _socket.socket:
    """Return a connection to the daemon.

    Raises:
        FileNotFoundError: There is none.
        ConnectionRefusedError: There is none, and the last one was killed.
        OSError: It does not take the connection in time.
    """
    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        link.settimeout(max(deadline - time.monotonic(), 0.001))
        link.connect(paths.socket_path(root))
    except OSError:
        link.close()
        raise
    return link


def _ask(link: _socket.socket, client: str, data: bytes, deadline: float) -> bytes:
    """Return the body of the daemon's answer; empty where there is nothing to say, or it comes too late."""
    if len(data) > ASKING_BYTES:
        link.close()
        return b""
    head = f"POST /hook/{client} HTTP/1.1\r\nHost: memoire\r\nConnection: close\r\nContent-Length: {len(data)}\r\n\r\n"
    parts: list[bytes] = []
    try:
        link.sendall(head.encode() + data)
        while (left := deadline - time.monotonic()) > 0:
            link.settimeout(left)
            chunk = link.recv(65536)
            if not chunk:
                return _body(b"".join(parts))
            parts.append(chunk)
    except OSError:  # too late, or the daemon is ending
        return b""
    finally:
        link.close()
    return b""


def _body(answer: bytes) -> bytes:
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    is_whole = lines[0].split(b" ")[1:2] == [b"200"] and b"content-length: %d" % len(body) in lines
    return body if is_whole else b""


def _last_context(state: str) -> bytes:
    """Return what the daemon wrote last for the start of a session, with its age; empty where there is none."""
    try:
        fd = os.open(os.path.join(state, CONTEXT_FILE), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MAX_CONTEXT_BYTES:
            return b""
        text = os.read(fd, _MAX_CONTEXT_BYTES)
    finally:
        os.close(fd)
    return text.replace(AGE, age(time.time() - found.st_mtime).encode(), 1) if text.endswith(b"}\n") else b""


def _in_words_of(client: str, context: bytes) -> bytes:
    """Return the kept answer, which is in the form of Claude Code, in the client's."""
    key = CONTEXT_KEYS.get(client)
    if not key or not context:
        return context
    import json

    return json.dumps({key: json.loads(context)["hookSpecificOutput"]["additionalContext"]}).encode() + b"\n"


def _start_daemon(root: str) -> None:
    """Start the daemon, and wait for nothing: the next report finds it."""
    from memoire import launch

    start = launch.Launch(root)
    try:
        start.poll()
    finally:
        start.close()


def _find_project(cwd: str) -> tuple[str, str]:
    """Return (root, state folder) of the project that the assistant works in; two empty texts where it is none.

    Its working directory may have left the project, so the folder it was started in counts too.
    """
    seen = set()
    for folder in (
        cwd,
        os.environ.get("CLAUDE_PROJECT_DIR", ""),
        os.environ.get("CURSOR_PROJECT_DIR", ""),
        _working_directory(),
    ):
        if not folder.startswith("/") or "\0" in folder or folder in seen:
            continue
        seen.add(folder)
        try:
            root = paths.find_root(folder)
        except (OSError, ValueError):  # half of a surrogate pair, or longer than any path
            continue
        if paths.is_initialized(root):
            state = paths.state_path(root)
            if _is_own_folder(state):
                return root, state
    return "", ""


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def _is_own_folder(path: str) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _is_enough(found: dict[str, str]) -> bool:
    event = found.get("hook_event_name") or found.get("hookEventName")
    is_of_tool = event is not None and event.endswith(("Tool", "ToolUse"))
    return event is not None and "cwd" in found and (not is_of_tool or "tool_name" in found or "toolName" in found)


def _skip_space(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at


def _expect(text: str, at: int, letter: str) -> int:
    """Return the place after a letter that comes next, white space aside.

    Raises:
        ValueError: Another one comes.
        IndexError: The text ends.
    """
    at = _skip_space(text, at)
    if text[at] != letter:
        raise ValueError(letter)
    return at + 1


def _end_of_string(text: str, at: int) -> int:
    """Return the place of the quote that ends a text.

    Raises:
        ValueError: There is none.
    """
    while True:
        end = text.index('"', at)
        before = end
        while before > at and text[before - 1] == "\\":
            before -= 1
        if (end - before) % 2 == 0:
            return end
        at = end + 1


def _read_string(text: str, at: int) -> tuple[str, int]:
    """Return a text without its escapes, and the place after it.

    Raises:
        ValueError: It does not end, or is none.
    """
    end = _end_of_string(text, at)
    inner = text[at:end]
    if "\\" in inner:
        import json

        inner = json.loads(f'"{inner}"', strict=False)
    return inner, end + 1


def _skip_value(text: str, at: int) -> int:
    """Return the place after a number, a word, an object or an array."""
    depth = 0
    while True:
        letter = text[at]
        if letter == '"':
            at = _end_of_string(text, at + 1) + 1
            continue
        if letter in ",}]" and depth == 0:
            return at
        depth += (letter in "{[") - (letter in "}]")
        at += 1


def _write(fd: int, data: bytes) -> None:
    """Write, unless nobody reads any more."""
    try:
        _write_all(fd, data)
    except OSError:
        return


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
