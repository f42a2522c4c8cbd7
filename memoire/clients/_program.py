"""Where memoire is on this machine, and whether a client is."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from memoire import paths


def program() -> str:
    """Return what starts memoire on this machine: the path of the command; its bare name where there is none."""
    found = shutil.which("memoire")
    beside = Path(sys.executable).parent / "memoire"
    return str(Path(found).absolute()) if found else str(beside) if beside.is_file() else "memoire"


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
