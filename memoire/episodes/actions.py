"""What an assistant or a shell says it does: one value for all of them, made by the parsers of `clients.payloads`.

Nothing in it is redacted yet, and paths are as they were given: `recorder` makes events of it.
"""

from datetime import datetime

import msgspec


class Action(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One thing that was done, is about to be done, or was said."""

    kind: str
    """session_start, session_end, prompt, read, edit, command, turn_end, compact."""
    client: str
    """Who reports it: `claude-code`, `bash`."""
    at: datetime
    """When it happened; of a command, when it began."""
    key: str
    """Tells it from every other action of its client: the same where two mechanisms report one action."""
    again_s: float = 0.0
    """So many seconds after one, a report with the same key is of another action; 0: it never is."""
    session: str = ""
    """The client's own id of the session; empty for a shell."""
    agent: str = ""
    """The client's own id of the subagent that does it; empty for the session's main agent and for a shell."""
    cwd: str = ""
    """Absolute path of the folder it was done in."""
    is_before: bool = False
    """Whether it is about to be done: the outcome is not known, and it may not come to it."""
    paths: tuple[str, ...] = ()
    """Files that it reads or edits, as they were given: mostly absolute."""
    text: str = ""
    """The command line, or the prompt."""
    output: str = ""
    """What a command printed; may be cut by the client."""
    exit_status: int | None = None
    """Of a command; None where the client does not say. 0 and success are the same."""
    is_failed: bool = False
    """Whether the client says that it failed, with or without a status."""
    duration_ms: int = -1
    """-1: not known."""
    detail: str = ""
    """Why a session started or ended: startup, resume, clear, compact, logout…; the name of the model may follow."""
