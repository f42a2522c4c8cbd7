"""Edits files that others own too, and takes it back: what that takes is kept in the state folder first."""

import difflib
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from memoire import gitrun, launch, paths, projectfile, service_unit
from memoire.clients._spec import BLANK, Change, Edit, Undo
from memoire.errors import DaemonRunningError
from memoire.projectfile import ProjectFile

CREATED, UPDATED, REMOVED, UNCHANGED, LEFT_ALONE = "created", "updated", "removed", "unchanged", "left alone"

RECEIPT_FILE = "setup.json"
"""In the state folder: what it takes to restore the files that were edited."""

LOCK_FILE = "setup.lock"
"""In the state folder: held while files are edited."""

BACKUPS_FOLDER = "backups"
"""In the state folder: each file of others as it was before memoire first edited it, for its user alone."""

TRIES = 5
"""How often a file that another program writes at the same moment is looked at again."""

_LOCAL = "where the state is kept"


class Action(NamedTuple):
    """What was done about one thing, or would be."""

    what: str
    path: str
    """Relative to the root; absolute outside of it."""
    state: str
    """created, updated, removed, unchanged or left alone."""
    why: str = ""
    """Why it was left alone, or stays as it is."""
    todo: str = ""
    """What the user must do themselves."""
    diff: str = ""
    """Unified; of a dry run alone."""
    backup: str = ""
    """Where the file is kept as it was, until it is restored; of the first edit of a file that was there."""


class _Receipt(msgspec.Struct, omit_defaults=True):
    """What it takes to restore one file."""

    is_made: bool = False
    """There was none before."""
    folders: tuple[str, ...] = ()
    """The folders that were made for it, the outermost first; relative to the root."""
    undos: dict[str, Undo] = {}
    """Name of the edit -> how to undo it."""


class _Step(NamedTuple):
    """What one edit makes of a file."""

    edit: Edit
    change: Change
    is_changed: bool = False


class _Plan(NamedTuple):
    """What is to become of one file."""

    old: str | None
    new: str | None
    """None: the file is to be there no more."""
    steps: tuple[_Step, ...]
    """In the order of the edits."""
    receipt: _Receipt | None = None


class Work:
    """One run: its actions so far, and the receipts."""

    def __init__(self, root: str, *, is_dry: bool) -> None:
        self.actions: list[Action] = []
        self._root = root
        self._is_dry = is_dry
        self._folders: set[str] = set()
        self._state = Path(paths.state_path(root))
        self._receipts = _read_receipts(self._state / RECEIPT_FILE)

    def install(self, file: str, edits: Sequence[Edit]) -> None:
        """Make the edits of one file."""
        backup = ""
        for _ in range(TRIES):
            found = projectfile.look(self._root, file)
            plan = _plan_install(self._root, found, edits, self._receipts.get(file, _Receipt()))
            if plan.new == plan.old:
                break
            backup = backup or self._back_up(file, found)
            if self._is_dry:
                break
            if plan.receipt is not None:
                self._receipts[file] = plan.receipt
                self._save()
            if projectfile.replace(found, (plan.new or "").encode()):
                break
        else:
            plan = _refused(edits, "is being written by another program; try again")
        self._tell(file, plan, backup=backup)

    def uninstall(self, file: str, edits: Sequence[Edit]) -> None:
        """Undo the edits of one file."""
        receipt = self._receipts.get(file)
        for _ in range(TRIES):
            found = projectfile.look(self._root, file)
            plan = _plan_uninstall(found, edits, receipt)
            if plan.new == plan.old or self._is_dry:
                break
            is_done = projectfile.remove(found) if plan.new is None else projectfile.replace(found, plan.new.encode())
            if is_done:
                break
        else:
            plan = _refused(edits, "is being written by another program; try again")
        self._tell(file, plan, is_uninstall=True)
        if self._is_dry or any(step.change.is_refused for step in plan.steps):
            return
        if plan.new is None and receipt is not None:
            self._folders.update(receipt.folders)
        elif plan.new is None and plan.old is not None:
            # Of a copy of the project nobody knows which were made: one that is left empty holds nothing of anybody's.
            self._folders.update(str(folder) for folder in Path(file).parents[:-1] if str(folder) != paths.CONFIG_DIR)
        if receipt is None:
            return
        del self._receipts[file]
        self._save()
        self._backup(file).unlink(missing_ok=True)
        with suppress(OSError):  # there are others in it, or there is none
            self._backup(file).parent.rmdir()

    def remove_folders(self) -> None:
        """Remove the folders that were made for files that are gone; last, as one may have held several of them."""
        for folder in sorted(self._folders, key=len, reverse=True):
            with suppress(OSError):  # not empty: something else is in it by now
                Path(self._root, folder).rmdir()

    def write_local(self) -> None:
        """Write the line that names the state folder."""
        old, new = _read(Path(self._root, paths.LOCAL_FILE)), os.fsencode(self._state) + b"\n"
        if not self._is_dry and not Path(self._root, paths.CONFIG_DIR).is_dir():
            self._add(_LOCAL, paths.LOCAL_FILE, LEFT_ALONE, why="its folder could not be made")
            return
        if old != new and self._is_folder_closed():
            return
        if not self._is_dry:
            paths.write_local(self._root)
        state = UNCHANGED if old == new else CREATED if old is None else UPDATED
        self._add(_LOCAL, paths.LOCAL_FILE, state, _shown(old), _shown(new))

    def remove_local(self) -> None:
        """Remove that line."""
        file = Path(self._root, paths.LOCAL_FILE)
        old = _read(file)
        if old is not None and not self._is_folder_closed():
            if not self._is_dry:
                file.unlink(missing_ok=True)
            self._add(_LOCAL, paths.LOCAL_FILE, REMOVED, _shown(old), None)

    def _is_folder_closed(self) -> bool:
        """Return whether the line can be neither written nor removed, and say so."""
        folder = Path(self._root, paths.CONFIG_DIR)
        why = projectfile.folder_problem(folder) if folder.is_dir() else ""
        if why:
            self._add(_LOCAL, paths.LOCAL_FILE, LEFT_ALONE, why=f"it {why}")
        return bool(why)

    def remove_service(self) -> None:
        """Remove the service that starts the daemon at login, where one was installed."""
        step = service_unit.uninstall(self._root, dry_run=self._is_dry)
        if step is not None:
            todo = f"Run `{'`, `'.join(step.todo)}`." if step.todo and not self._is_dry else ""
            self.actions.append(Action("service that starts the daemon", step.path, step.state, step.why, todo))

    def clear_state(self, *, purge: bool) -> None:
        """Remove the state folder if that is asked for, or if nothing but what this run needed is in it."""
        is_there = self._state.is_dir() and bool(_held(self._state))
        if is_there:
            state, why = (REMOVED, "") if purge else (UNCHANGED, "kept: `memoire uninstall --purge` removes it")
            self.actions.append(Action("database, index, events and logs", str(self._state), state, why))
        if not self._is_dry and (purge or not is_there):
            _remove_state(self._root, self._state)

    def say(self, what: str, why: str) -> None:
        """Add an action that did nothing."""
        self.actions.append(Action(what, "", UNCHANGED, why))

    def _backup(self, file: str) -> Path:
        """Return where the file is kept as it was; names of one folder stay readable, those of two stay apart."""
        digest = blake2b(file.encode(), digest_size=4).hexdigest()
        return self._state / BACKUPS_FOLDER / f"{digest}-{Path(file).name}"

    def _back_up(self, file: str, found: ProjectFile) -> str:
        """Keep a file as it was before its first edit, readable by its user alone; return where, empty if it is."""
        backup = self._backup(file)
        if found.data is None or file in self._receipts or backup.exists():
            return ""
        if not self._is_dry:
            backup.parent.mkdir(mode=0o700, exist_ok=True)
            write_private(backup, found.data)
        return str(backup)

    def _tell(self, file: str, plan: _Plan, *, is_uninstall: bool = False, backup: str = "") -> None:
        """Add an action for each edit of the file; the first that changes it has the diff of all."""
        is_told = False
        for edit, change, is_changed in plan.steps:
            if change.is_refused:
                self._add(edit.what, file, LEFT_ALONE, why=change.why)
            elif is_changed:
                state = CREATED if plan.old is None else REMOVED if plan.new is None else UPDATED
                texts = (None, None) if is_told else (plan.old, plan.new)
                self._add(edit.what, file, state, *texts, why=change.why, todo=_todo(self._root, edit), backup=backup)
                is_told, backup = True, ""
            elif plan.old is not None and (change.why or not is_uninstall):
                self._add(edit.what, file, UNCHANGED, why=change.why)

    def _add(
        self,
        what: str,
        path: str,
        state: str,
        old: str | None = None,
        new: str | None = None,
        *,
        why: str = "",
        todo: str = "",
        backup: str = "",
    ) -> None:
        diff = _diff(path, old, new) if self._is_dry and state in {CREATED, UPDATED, REMOVED} else ""
        todo = todo if state in {CREATED, UPDATED} else ""
        self.actions.append(Action(what, path, state, why, todo, diff, backup))

    def _save(self) -> None:
        file = self._state / RECEIPT_FILE
        if not self._receipts:
            file.unlink(missing_ok=True)
            return
        write_private(file, msgspec.json.encode(self._receipts))


def write_private(file: Path, data: bytes) -> None:
    """Write a file of the state folder in one step, readable by its user alone.

    Raises:
        OSError: It cannot be written.
    """
    fresh = file.with_suffix(f".{os.getpid()}")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as stream:  # noqa: PTH123 - Path.open takes no flags
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)


def _plan_install(root: str, found: ProjectFile, edits: Sequence[Edit], receipt: _Receipt) -> _Plan:
    old = found.text()
    if old is None and (found.why or found.data is not None):
        return _refused(edits, found.why or "is not UTF-8")
    if old is None:
        folders = tuple(str(folder.relative_to(os.path.realpath(root))) for folder in found.folders)
        receipt = _Receipt(is_made=True, folders=folders)
    new, undos, is_made = old, dict(receipt.undos), receipt.is_made
    steps: list[_Step] = []
    for edit in edits:
        change = edit.install(new, undos.get(edit.name))
        if change.text != new and found.why:
            change = Change(new or "", why=f"it {found.why}", is_refused=True)
        steps.append(_Step(edit, change, change.text != new))
        if change.is_refused:
            continue
        new = change.text
        if change.undo is not None:
            undos[edit.name] = change.undo
        if change.is_added and old is not None:
            is_made = False  # whoever took it out has made the file their own
    return _Plan(old, new, tuple(steps), _Receipt(is_made=is_made, folders=receipt.folders, undos=undos))


def _plan_uninstall(found: ProjectFile, edits: Sequence[Edit], receipt: _Receipt | None) -> _Plan:
    old = found.text()
    if old is None:
        is_concerned = receipt is not None and (found.why or found.data is not None)
        return _refused(edits, found.why or "is not UTF-8") if is_concerned else _Plan(None, None, ())
    undos = receipt.undos if receipt else {}
    new = old
    steps: list[_Step] = []
    for edit in reversed(edits):
        change = edit.uninstall(new, undos.get(edit.name))
        if change.text != new and found.why:
            change = Change(new, why=f"it {found.why}; take `{edit.name}` out of it", is_refused=True)
        steps.insert(0, _Step(edit, change, change.text != new))
        new = new if change.is_refused else change.text
    is_gone = new != old and (receipt is None or receipt.is_made) and not new.strip(BLANK)
    return _Plan(old, None if is_gone else new, tuple(steps))


def _refused(edits: Sequence[Edit], why: str) -> _Plan:
    return _Plan(None, None, tuple(_Step(edit, Change("", why=f"it {why}", is_refused=True)) for edit in edits))


def _read_receipts(file: Path) -> dict[str, _Receipt]:
    """Return the receipts; none where they are lost or damaged: then what can only be memoire's is taken back."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, _Receipt])
    except (OSError, msgspec.MsgspecError):
        return {}


def _held(state: Path) -> set[str]:
    """Return what the state folder holds beside the locks and receipts."""
    return {entry.name for entry in state.iterdir()} - {
        LOCK_FILE,
        RECEIPT_FILE,
        BACKUPS_FOLDER,
        launch.LOCK_FILE,
        launch.SPAWN_LOCK_FILE,
    }


def _remove_state(root: str, state: Path) -> None:
    """Remove the state folder, holding the daemon's lock, so that none starts in the middle of it.

    Raises:
        DaemonRunningError: Somebody started it again.
    """
    lock = state / launch.LOCK_FILE
    for _ in range(TRIES):
        fd = launch.try_lock(str(lock))
        if fd is not None:
            break
        launch.stop_daemon(root)
    else:
        raise DaemonRunningError(root, launch.holder_pid(str(lock)))
    try:
        shutil.rmtree(state)
    finally:
        os.close(fd)


def _todo(root: str, edit: Edit) -> str:
    if edit.is_personal and _would_be_committed(root, edit.file):
        return (
            f"{edit.todo} git would commit `{edit.file}`, which is for you alone: add it to `.git/info/exclude`, or to "
            "your global ignore file."
        ).strip()
    if edit.command and shutil.which(edit.command) is None:
        return f"{edit.todo} Put `{edit.command}` on PATH first: it is looked for there.".strip()
    return edit.todo


def _would_be_committed(root: str, file: str) -> bool:
    """Return whether git shows a file as new or changed; False where there is no git."""
    is_work_tree = gitrun.run(root, "rev-parse", "--is-inside-work-tree") == b"true\n"
    return is_work_tree and gitrun.run(root, "check-ignore", "--quiet", "--", file) is None


def _read(file: Path) -> bytes | None:
    """Return what a file of memoire's own holds, None where there is none."""
    if file.is_symlink():
        return b""
    try:
        return file.read_bytes()
    except OSError:
        return None


def _shown(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def _diff(path: str, old: str | None, new: str | None) -> str:
    """Return the unified diff between two texts; None is no file."""
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    lines = difflib.unified_diff(_lines(old or ""), _lines(new or ""), *names)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [last for last in (text.rpartition("\n")[2],) if last]
