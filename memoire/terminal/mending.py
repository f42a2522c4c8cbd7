"""Mends what `memoire doctor` finds, as far as that can do no harm: nothing of the user's is changed, nothing is lost.

What assistants are told (`CLAUDE.md`, `.mcp.json` …) is for `memoire init`, which asks; lines of a journal that cannot
be read are named and stay.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from memoire import launch, paths, setup
from memoire.errors import MemoireError
from memoire.sdk import Memoire
from memoire.setup_work import CREATED, UPDATED


class Mended(NamedTuple):
    """One thing that was wrong."""

    what: str
    done: str
    """What was done about it; or why it could not be."""
    is_done: bool = True


def mend(folder: str) -> list[Mended]:
    """Mend what can be mended of the project that a folder belongs to; return what that was."""
    root = paths.find_root(folder)
    if paths.refuse_reason(root) or not paths.is_initialized(root):
        return []
    found: list[Mended] = []
    for what, step in _STEPS:
        try:
            found += step(root)
        except (MemoireError, OSError) as error:
            found.append(Mended(what, str(error), is_done=False))
            if what in _NEEDED:
                break
    return found


def _state_folder(root: str) -> list[Mended]:
    """Give the state folder back to its user: files that they own and cannot write."""
    folder = Path(paths.state_dir(root))
    found = []
    for path in (folder, *(each for each in sorted(folder.iterdir()) if each.is_dir() and not each.is_symlink())):
        info = path.stat()
        is_closed = info.st_mode & stat.S_IRWXU != stat.S_IRWXU
        if info.st_uid == os.getuid() and is_closed:
            path.chmod(0o700)
            found.append(Mended("state folder", f"{path}: may be written again"))
    return found


def _own_files(root: str) -> list[Mended]:
    """Write what is missing in `.memoire`: how git joins notes, what it leaves out, where the state is."""
    done = setup.init(root, force=True, clients=())
    return [Mended("settings", f"{one.path}: {one.what}") for one in done if one.state in {CREATED, UPDATED}]


def _daemon(root: str) -> list[Mended]:
    """Replace a daemon of another build, and one that could not open the project."""
    project = Memoire(root)
    status = project.status()
    if status["build"] == launch.build_id() and "problem" not in status:
        return []
    was = "was of another build" if status["build"] != launch.build_id() else "could not open the project"
    launch.stop_daemon(root, is_restart=True)
    after = project.status()
    return [Mended("daemon", f"restarted: process {status['pid']} {was}", "problem" not in after)]


def _index(root: str) -> list[Mended]:
    """Take the project in again where the last time failed."""
    project = Memoire(root)
    known = project.status().get("project") or {}
    if not known.get("failure"):
        return []
    again = project.ingest()
    failure = again.get("failure")
    return [Mended("index", str(failure) if failure else f"{again['files']} files taken in again", not failure)]


def _notes(root: str) -> list[Mended]:
    """Take out of the journals what says nothing."""
    project = Memoire(root)
    if project.call("notes_gc")["is_clean"]:
        return []
    done = project.call("notes_gc", apply=True)
    found = []
    for one in done["journals"]:
        parts = [(one["marks"], "of a conflict"), (one["doubled"], "doubled"), (one["empty"], "empty")]
        told = ", ".join(f"{count} {what}" for count, what in parts if count)
        if told:
            found.append(Mended("notes", f"{one['path']}: lines taken out: {told}; what they say is kept"))
        if one["torn"]:
            found.append(Mended("notes", f"{one['path']}: its last line has an end"))
    return found + [Mended("notes", f"{name} removed, which a writer that was killed left") for name in done["files"]]


_STEPS: tuple[tuple[str, Callable[[str], list[Mended]]], ...] = (
    ("state folder", _state_folder),
    ("settings", _own_files),
    ("daemon", _daemon),
    ("index", _index),
    ("notes", _notes),
)
"""In the order in which one needs what the one before mends."""
_NEEDED = frozenset(("state folder", "daemon"))
