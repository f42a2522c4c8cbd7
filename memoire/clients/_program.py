"""Where memoire is on this machine, and whether a client is."""

import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from memoire import paths

_HOOK_LINE = re.compile(r"(?:^|[/\s'\"])memoire['\"]? hook ([a-z-]+)(?: [A-Za-z]+)?\s*$")


def program() -> str:
    """Return what starts memoire on this machine: the path of the command; its bare name where there is none."""
    found = shutil.which("memoire")
    beside = Path(sys.executable).parent / "memoire"
    return str(Path(found).absolute()) if found else str(beside) if beside.is_file() else "memoire"


def hook_line(client: str, event: str = "") -> str:
    """Return the line that runs a hook of a client, for a shell: by the path of the command on this machine."""
    return shlex.join((program(), "hook", client, *([event] if event else [])))


def shared_hook_line(client: str, event: str = "") -> str:
    """Return the same for a file that others have too: it does nothing where there is no memoire."""
    arguments = " ".join(("hook", client, *([event] if event else [])))
    return f"command -v memoire >/dev/null 2>&1 || exit 0; memoire {arguments}"


def is_hook_line(line: object, client: str) -> bool:
    """Return whether a line of settings runs memoire's hook of a client, wherever memoire is."""
    if not isinstance(line, str):
        return False
    found = _HOOK_LINE.search(line)
    return found is not None and found[1] == client


def share_of(entry: object, client: str) -> str:
    """Return how much of an entry of hooks is memoire's: all, part or none of its commands.

    An entry is a command by itself, or has several in `hooks`.
    """
    if not isinstance(entry, dict):
        return "none"
    inner = entry.get("hooks")
    lines = (
        [hook.get("command") if isinstance(hook, dict) else None for hook in inner] if isinstance(inner, list) else []
    )
    ours = [is_hook_line(line, client) for line in (lines or [entry.get("command")])]
    return "none" if not any(ours) else "all" if all(ours) else "part"


def used_by(*commands: str, project: tuple[str, ...] = (), home: tuple[str, ...] = ()) -> Callable[[str], bool]:
    """Return what tells whether a client is used in a project, or installed.

    Args:
        commands: Its programs, any of which may be on PATH.
        project: Files and folders, relative to the root, any of which says that it is used there.
        home: The same, relative to the home directory.
    """

    def detect(root: str) -> bool:
        marks = (*(Path(root, mark) for mark in project), *(Path(paths.home_dir(), mark) for mark in home))
        return any(mark.exists() for mark in marks) or any(shutil.which(command) for command in commands)

    return detect
