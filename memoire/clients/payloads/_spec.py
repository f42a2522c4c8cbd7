"""What a client asks when its hook waits for an answer, told apart from how the client writes it."""

from collections.abc import Callable

import msgspec


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One report that the assistant should hear something about."""

    event: str
    """The client's own name of what happens; the answer names it again."""
    listener: str
    """Who is told: two sessions, or a session and its subagent, have not heard the same."""
    session: str
    """Of the listener; a subagent's is that of whom it works for."""
    is_start: bool = False
    """A session begins, or goes on: it is told of the project."""
    forgets: bool = False
    """What was told before is no longer in the assistant's context."""
    paths: tuple[str, ...] = ()
    """Files it is about to read or to edit, as they were given."""
    cwd: str = ""


class Asking(msgspec.Struct, frozen=True):
    """How one client asks, and takes an answer."""

    question: Callable[[bytes], Question | None]
    """Takes what the client sent; returns None where there is nothing to tell, whatever the bytes."""
    answer: Callable[[str, str], bytes]
    """Takes the event and the text for the assistant; returns what its hook prints."""
