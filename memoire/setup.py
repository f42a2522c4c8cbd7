"""Sets a project up for memoire and takes everything back again: `memoire init` and `memoire uninstall`.

What others own too (`.mcp.json`, `CLAUDE.md`) is edited in place and restored to the letter: what that takes is kept
in the state folder, before anything is written. Both may be run twice, at the same time, or be killed half way.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from memoire import launch, paths
from memoire.clients import CLIENTS
from memoire.clients._spec import Client, Edit
from memoire.clients.edits.whole_file import WholeFile
from memoire.errors import RefusedRootError
from memoire.setup_work import LOCK_FILE, UNCHANGED, Action, Work

_GITIGNORE = ".memoire/.gitignore"
_GITATTRIBUTES = ".memoire/.gitattributes"
_CONFIG = """\
# memoire: what this project is to it. Commit this file; it may only narrow and describe.
project_id = "{project_id}"

# Patterns as in .gitignore, added to those of git:
# ignore = ["fixtures/"]

# What documents are to the code: "specification", "documentation" or "none"; the last match wins.
# documents = {{ "docs/rfcs/**" = "specification" }}
"""


def find_root(folder: str) -> str:
    """Return the root of the project that `memoire init` in this folder is about.

    That of `paths.find_root`, unless it is one that is refused and the folder is not: under a home directory that is
    a git work tree, a folder without one of its own can be a project all the same.
    """
    root = paths.find_root(folder)
    return paths.real(folder) if paths.refuse_reason(root) and not paths.refuse_reason(folder) else root


def init(
    root: str, *, force: bool = False, dry_run: bool = False, clients: Sequence[Client] | None = None
) -> list[Action]:
    """Set the project up, and return what that did; what is as it should be already is left as it is.

    Args:
        root: Top folder of the project.
        force: Take a folder that is large or private, too.
        dry_run: Write nothing; each action says in its `diff` what it would have written.
        clients: Set up these instead of those that are detected.

    Raises:
        RefusedRootError: The folder is too large or too private, or is none.
        UnsafeFolderError: `.memoire` is a symbolic link or no folder.
        OSError: Something cannot be written.
    """
    folder = paths.real(root)
    why = paths.refuse_reason(folder)
    if why and not (force and Path(folder).is_dir()):
        raise RefusedRootError(folder, why)
    paths.config_dir(folder)
    if clients is None:
        clients = detected(folder)
    with nullcontext() if dry_run else _exclusive(folder):
        work = Work(folder, is_dry=dry_run)
        for edit in _own_files(folder):
            work.install(edit.file, [edit])
        work.write_local()
        for _, edits in _by_file(edit for client in clients for edit in client.edits):
            work.install(_there(folder, edits[0]), edits)
        for client in clients:
            if not any(edit.command for edit in client.edits):
                why = f"its servers are those of its user: `memoire init --user --client {client.name}` adds memoire"
                work.say(client.title, why)
    return work.actions


def init_user(*, dry_run: bool = False, clients: Sequence[Client] | None = None) -> list[Action]:
    """Tell the clients of one user about memoire, for all projects that are set up; return what that did.

    Args:
        dry_run: Write nothing; each action says in its `diff` what it would have written.
        clients: Set up these instead of those that are detected.

    Raises:
        OSError: Something cannot be written.
    """
    home = paths.home_dir()
    if clients is None:
        clients = detected(home)
    with nullcontext() if dry_run else _exclusive(home):
        work = Work(home, is_dry=dry_run)
        for _, edits in _by_file(edit for client in clients for edit in client.user_edits()):
            work.install(_there(home, edits[0]), edits)
        for client in clients:
            if not client.user_edits():
                work.say(client.title, "it has no settings for all projects of a user that memoire knows of")
    return work.actions


def uninstall_user(*, dry_run: bool = False, clients: Sequence[Client] = CLIENTS) -> list[Action]:
    """Take back what `init_user` wrote, and return what that did.

    Raises:
        OSError: Something cannot be written.
    """
    home = paths.home_dir()
    with nullcontext() if dry_run else _exclusive(home):
        work = Work(home, is_dry=dry_run)
        for file, edits in _by_file(edit for client in clients for edit in client.user_edits()):
            for name in (file, *edits[0].instead):
                work.uninstall(name, edits)
        work.remove_folders()
        work.clear_state(purge=False)
    return work.actions


def detected(root: str) -> list[Client]:
    """Return the clients that are used in a folder, or installed; the first of all where there is none."""
    return [client for client in CLIENTS if client.detect(root)] or [*CLIENTS[:1]]


def uninstall(
    root: str, *, purge: bool = False, dry_run: bool = False, clients: Sequence[Client] = CLIENTS
) -> list[Action]:
    """Take back what `init` wrote, and return what that did. The daemon is stopped first; notes stay.

    Args:
        root: Top folder of the project.
        purge: Remove the state folder too: database, index, events and logs.
        dry_run: Write nothing; each action says in its `diff` what it would have written.
        clients: Those that are looked at.

    Raises:
        UnsafeFolderError: `.memoire` is a symbolic link or no folder.
        DaemonUnavailableError: The daemon does not stop; nothing was changed.
        OSError: Something cannot be written.
    """
    folder = paths.real(root)
    config_dir = Path(paths.config_dir(folder))
    with nullcontext() if dry_run else _exclusive(folder):
        work = Work(folder, is_dry=dry_run)
        work.remove_service()
        if not dry_run:
            launch.stop_daemon(folder)
        for edit in _own_files(folder):  # first: without its settings nobody starts the daemon again
            work.uninstall(edit.file, [edit])
        if not dry_run:
            launch.stop_daemon(folder)  # one that a client started in between
        work.remove_local()
        for file, edits in _by_file(edit for client in clients for edit in client.edits):
            for name in (file, *edits[0].instead):
                work.uninstall(name, edits)
        work.remove_folders()
        if (config_dir / "notes.jsonl").exists():
            work.actions.append(Action("notes", paths.NOTES_FILE, UNCHANGED, "they are yours, and stay"))
        if not dry_run:
            with suppress(OSError):  # there is something of the user's in it
                config_dir.rmdir()
        work.clear_state(purge=purge)
    return work.actions


def _own_files(root: str) -> tuple[WholeFile, ...]:
    config = _CONFIG.format(project_id=paths.project_id(root))
    return (
        WholeFile(what="settings of the project", file=paths.CONFIG_FILE, content=config),
        WholeFile(what="what git leaves out", file=_GITIGNORE, content="local\n", needs="local"),
        # Notes of two branches are joined line by line: their order says nothing.
        WholeFile(
            what="how git joins notes",
            file=_GITATTRIBUTES,
            content="notes.jsonl merge=union\n",
            needs="notes.jsonl merge=union",
        ),
    )


def _there(root: str, edit: Edit) -> str:
    """Return the file that an edit is made in: the first of its other names that is there."""
    return next((file for file in edit.instead if Path(root, file).exists()), edit.file)


def _by_file(edits: Iterable[Edit]) -> list[tuple[str, list[Edit]]]:
    """Return (file, edits) in order; what several clients want of one file is done once, and undone together."""
    files: dict[str, dict[str, Edit]] = {}
    for edit in edits:
        files.setdefault(edit.file, {}).setdefault(edit.name, edit)
    return [(file, [*named.values()]) for file, named in files.items()]


@contextmanager
def _exclusive(root: str) -> Iterator[None]:
    """Let one process at a time edit the files of the project."""
    while True:
        try:
            path = f"{paths.state_dir(root)}/{LOCK_FILE}"
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except FileNotFoundError:
            continue  # a purge removed the folder in between
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            if launch.is_same_file(fd, path):
                yield
                return
        finally:
            os.close(fd)
