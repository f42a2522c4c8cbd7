"""A file of the project that is not memoire's alone: looked at with all that forbids to write it, replaced whole.

A clone may bring any link: what leads out of the project, or into `.git`, is not written.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

MAX_BYTES = 4 << 20
"""A larger file is no configuration."""


class ProjectFile(NamedTuple):
    """One file as it is now."""

    real: Path
    """Where it is, links followed."""
    data: bytes | None
    """None where there is no file, or none that may be read."""
    why: str = ""
    """Why it must not be written, as in `it …`; empty where it may."""
    folders: tuple[Path, ...] = ()
    """Its folders that are missing, the outermost first."""
    owner: os.stat_result | None = None
    """Whose it is, and its mode; None where there is none."""

    def text(self) -> str | None:
        """Return its text, None where there is none or where it is not UTF-8; a byte order mark is its first letter."""
        try:
            return None if self.data is None else self.data.decode("utf-8")
        except UnicodeDecodeError:
            return None


def look(root: str, path: str) -> ProjectFile:
    """Return the file at a path relative to the root. Never raises: what is wrong is its `why`."""
    top = Path(os.path.realpath(root))
    named = top / path
    real = Path(os.path.realpath(named))
    if not real.is_relative_to(top):
        return ProjectFile(real, None, f"is a link that leads out of {top}")
    if ".git" in real.relative_to(top).parts:
        return ProjectFile(real, None, "leads into `.git`")
    try:
        found = real.stat()
        if not stat.S_ISREG(found.st_mode):
            return ProjectFile(real, None, "is no regular file")
        if found.st_size > MAX_BYTES:
            return ProjectFile(real, None, f"is larger than {MAX_BYTES >> 20} MB")
        data = real.read_bytes()
    except FileNotFoundError:
        return _absent(top, named, real)
    except OSError as error:
        return ProjectFile(real, None, f"cannot be read ({error.strerror})")
    # The mode too, as root may write everything: who made a file read-only means it.
    if not found.st_mode & 0o222 or not os.access(real, os.W_OK):
        return ProjectFile(real, data, "is read-only")
    return ProjectFile(real, data, folder_problem(real.parent), owner=found)


def replace(file: ProjectFile, data: bytes) -> bool:
    """Write the file in one step, mode and owner kept; return False, with nothing done, if it changed since `look`.

    Raises:
        OSError: It cannot be written.
    """
    file.real.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.real.with_name(f".{file.real.name}.memoire-{os.getpid()}")
    fresh.unlink(missing_ok=True)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(fresh, flags, 0o666), "wb") as stream:  # noqa: PTH123 - Path.open takes no flags
            stream.write(data)
            stream.flush()
            if file.owner is not None:
                with suppress(PermissionError):  # of another user's file only its content can be kept
                    os.fchown(stream.fileno(), file.owner.st_uid, file.owner.st_gid)
                os.fchmod(stream.fileno(), stat.S_IMODE(file.owner.st_mode))
            os.fsync(stream.fileno())
        if not _is_as_seen(file):
            return False
        fresh.replace(file.real)
    finally:
        fresh.unlink(missing_ok=True)
    return True


def remove(file: ProjectFile) -> bool:
    """Remove the file; return False, with nothing done, if it changed since `look`.

    Raises:
        OSError: It cannot be removed.
    """
    if not _is_as_seen(file):
        return False
    file.real.unlink()
    return True


def _is_as_seen(file: ProjectFile) -> bool:
    try:
        return file.real.read_bytes() == file.data
    except FileNotFoundError:
        return file.data is None


def _absent(top: Path, named: Path, real: Path) -> ProjectFile:
    if named != real or named.is_symlink():
        return ProjectFile(real, None, "is a link to nothing")
    folders = [folder for folder in reversed(real.parents) if folder.is_relative_to(top) and not folder.exists()]
    there = folders[0].parent if folders else real.parent
    return ProjectFile(real, None, folder_problem(there), tuple(folders))


def folder_problem(folder: Path) -> str:
    """Return why no file of the folder can be made or removed, as in `it …`; empty where it can."""
    is_writable = folder.stat().st_mode & 0o222 and os.access(folder, os.W_OK | os.X_OK)
    return "" if is_writable else "is in a read-only folder"
