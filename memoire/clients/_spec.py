"""What a client is: an assistant, editor or shell that memoire configures, declared as edits of its files.

Each edit is pure: text in, text out, with what it takes to undo it to the letter. Where that is lost, `uninstall`
takes away what can only be memoire's.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import msgspec

BLANK = "\ufeff \t\r\n"
"""What a file may hold and still hold nothing."""


class Undo(msgspec.Struct, frozen=True, omit_defaults=True):
    """What it takes to undo one edit exactly; kept in the state folder. Holds nothing of the user's text."""

    added: int = 0
    """Of a JSON key: how many names of its path, from the outermost, were there already."""
    wrote: str = ""
    """Of a key or a table: the value that was written, canonical. Of a file of memoire's own: its digest."""
    blank: str | None = None
    """The whole text before, where it was blank."""
    before: int = 0
    """Of a block or a table: how many line ends were put before it."""
    after: int = 0
    """Of a block or a table: how many line ends were put after it."""
    parts: "dict[str, Undo]" = {}
    """Of items in several arrays: what it takes for each, by its key."""


class Change(NamedTuple):
    """What an edit makes of a text."""

    text: str
    undo: Undo | None = None
    """After an install that added or updated something: what to keep for the uninstall."""
    why: str = ""
    """Why it is not as it was asked for, or what is not obvious about it."""
    is_refused: bool = False
    """The file has to be left alone, and a person should know."""
    is_added: bool = False
    """It was not there in any form."""


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is put into a file, and can be taken out again. Pure: text in, text out."""

    what: str
    """For people: `MCP server for Claude Code`."""
    file: str
    """Relative to the root of the project; of what is set up for a user, to the home directory."""
    instead: tuple[str, ...] = ()
    """Files that are edited instead where they are there: other names that the client reads the same from."""
    command: str = ""
    """The program that it starts by its bare name: it has to be on PATH."""
    is_personal: bool = False
    """The file is one user's, and not to be committed."""
    todo: str = ""
    """What the user must do themselves once it is written."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What tells the edit from others of the same file."""

    @abstractmethod
    def install(self, text: str | None, undo: Undo | None) -> Change:
        """Return what the file becomes: as it is where everything is there.

        Args:
            text: Of the file; None where there is none.
            undo: What an earlier install kept.
        """

    @abstractmethod
    def uninstall(self, text: str, undo: Undo | None) -> Change:
        """Return the text without what is memoire's; without `undo`, what can only be memoire's."""


class Client(msgspec.Struct, frozen=True):
    """One assistant, editor or shell; `clients/<name>.py` defines it as `CLIENT`."""

    name: str
    """As it is written in commands and events: `claude-code`."""
    title: str
    detect: Callable[[str], bool]
    """Takes the root of a project; returns whether the client is used there, or installed."""
    lists: tuple[str, ...] = ()
    """The command by which the client itself says which MCP servers it has; empty where there is none."""
    edits: tuple[Edit, ...] = ()
    """In the project; empty for a client that reads nothing there."""
    user_edits: Callable[[], tuple[Edit, ...]] = tuple
    """Returns those in the home directory, for all projects of one user: made only where that is asked for. They name
    memoire by its whole path, as it is on this machine now: what starts clients with windows knows no PATH of a shell.
    """
