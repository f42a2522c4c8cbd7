"""What git knows of a project: where it stands, when its files last changed, what changed together.

Where it stands is asked for with every answer, so it is read from git's files; the rest is one bounded call each.
Everything is empty where there is no git, no repository or no commit.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from memoire import gitrun, paths

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HEADER = re.compile(rb"\x01([0-9a-f]{40,64})\x02(-?[0-9]+)\x02(.*)", re.DOTALL)
_FORMAT = "--format=%x01%H%x02%ct%x02%s"
_LOG = ("log", "-z", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative")
_LINKS = 5
"""How many symbolic references are followed one after another. Source: git's SYMREF_MAXDEPTH."""


class Head(NamedTuple):
    """What is checked out."""

    commit: str
    """Full hash; empty before the first commit."""
    branch: str
    """Short name; empty when detached."""


class FileChange(msgspec.Struct, frozen=True, gc=False):
    """What one commit did to one file."""

    kind: str
    """added, modified, deleted, moved."""
    path: str
    old_path: str = ""
    """Where a moved file was before."""


class Commit(msgspec.Struct, frozen=True, gc=False):
    """One commit that is no merge."""

    id: str
    at: datetime
    """Committer's time, UTC."""
    subject: str
    """First line of the message, as written: redact it before it goes anywhere."""
    changes: tuple[FileChange, ...]


def head(root: paths.AnyPath) -> Head:
    """Return the commit and the branch that are checked out; empty strings where there are none."""
    top = _top(root)
    own = paths.git_dir(top) if top else ""
    if not own:
        return Head("", "")
    common = paths.git_common_dir(top)
    name = _ref_name(_text(Path(own) / "HEAD"))
    if name == "refs/heads/.invalid":  # references are kept in a table that git alone reads
        return _ask_head(top)
    if not name:
        detached = _text(Path(own) / "HEAD")
        return Head(detached if _SHA.fullmatch(detached) else "", "")
    branch = name.removeprefix("refs/heads/")
    for _ in range(_LINKS):
        text = _text(Path(own) / name) or _text(Path(common) / name)
        target = _ref_name(text)
        if not target:
            break
        name = target
    return Head(text if _SHA.fullmatch(text) else _packed(common, name), branch)


class Activity(NamedTuple):
    """What commits did to one file."""

    last_at: datetime
    """When the last commit that touched it was made, UTC."""
    commits: int
    """How many touched it."""


def activity(root: paths.AnyPath, limit: int = 2000) -> dict[str, Activity]:
    """Return path -> what the last `limit` commits did to it, for files that they touched.

    Merges touch nothing by themselves. Takes at most 20 s and 64 MB; what was read by then is returned.
    """
    found: dict[str, Activity] = {}
    for at, names in _records(root, "--name-only", "--no-renames", f"--max-count={int(limit)}"):
        when = _time(at[1])
        for name in names:
            path = _path(name)
            if path:
                known = found.get(path)
                found[path] = Activity(max(known.last_at, when), known.commits + 1) if known else Activity(when, 1)
    return found


def commits(root: paths.AnyPath, limit: int = 2000, since: str = "") -> list[Commit]:
    """Return the last commits that are no merges, newest first, renames found.

    Args:
        root: The project; only what lies in it is listed.
        limit: At most so many.
        since: Only commits that this one, a full hash, does not contain.
    """
    span = [f"{since}..HEAD"] if _SHA.fullmatch(since) else []
    found = []
    records = _records(root, "--name-status", "-M", "-l500", "--no-merges", f"--max-count={int(limit)}", *span)
    for (sha, at, subject), names in records:
        changes = tuple(_changes(names))
        if changes:
            found.append(Commit(sha.decode(), _time(at), subject.decode("utf-8", "replace"), changes))
    return found


def uncommitted(root: paths.AnyPath) -> frozenset[str]:
    """Return the tracked files whose content differs from the last commit.

    Asked of `git status`, which keeps its hands off the index where it is told to (`gitrun`); `git diff` rewrites it.
    """
    listed = gitrun.run(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no") or b""
    above = paths.real(root)[len(_top(root)) :].strip("/")
    prefix = f"{above}/" if above else ""
    found = (_path(entry[3:]) for entry in listed.split(b"\0"))
    return frozenset(path.removeprefix(prefix) for path in found if path and path.startswith(prefix))


def tracked_ignored(root: paths.AnyPath) -> frozenset[str]:
    """Return the files that git tracks although an ignore file names them."""
    return ask_tracked_ignored(root) or frozenset()


def ask_tracked_ignored(root: paths.AnyPath) -> frozenset[str] | None:
    """Return the files that git tracks although an ignore file names them; None where git could not say."""
    listed = gitrun.run(root, "ls-files", "--cached", "--ignored", "--exclude-standard", "-z")
    if listed is None and _top(root):
        return None
    return frozenset(path for name in (listed or b"").split(b"\0") if (path := _path(name)))


def _records(root: paths.AnyPath, *arguments: str) -> Iterator[tuple[tuple[bytes, bytes, bytes], list[bytes]]]:
    """Yield ((hash, time, subject), what follows each header) of a log."""
    printed = gitrun.run(root, *_LOG, _FORMAT, *arguments, "--", ".", timeout_s=20.0, keep_partial=True)
    header: tuple[bytes, bytes, bytes] | None = None
    rest: list[bytes] = []
    # What follows the last NUL is empty, or half a record where git was stopped.
    for token in (printed or b"").split(b"\0")[:-1]:
        found = _HEADER.fullmatch(token)
        if found is None:
            rest.append(token if rest else token.removeprefix(b"\n"))
            continue
        if header is not None:
            yield header, rest
        header, rest = (found[1], found[2], found[3]), []
    if header is not None:
        yield header, rest


def _changes(tokens: list[bytes]) -> Iterator[FileChange]:
    kinds = {b"A": "added", b"D": "deleted", b"R": "moved", b"C": "added"}
    at = 0
    while at + 1 < len(tokens):
        status = tokens[at][:1]
        has_two = status in {b"R", b"C"}
        if has_two and at + 2 >= len(tokens):
            return
        path = _path(tokens[at + 2] if has_two else tokens[at + 1])
        if path:
            old = _path(tokens[at + 1]) if status == b"R" else ""
            yield FileChange(kinds.get(status, "modified"), path, old)
        at += 3 if has_two else 2


def _path(name: bytes) -> str:
    """Return the path in NFC, the empty string for a name that is no text."""
    try:
        return unicodedata.normalize("NFC", name.decode("utf-8"))
    except UnicodeDecodeError:
        return ""


def _time(seconds: bytes) -> datetime:
    """Return the time, held between 1970 and 9999: a commit may claim any."""
    return datetime.fromtimestamp(min(max(int(seconds[:20]), 0), 253_402_300_799), UTC)


def _top(root: paths.AnyPath) -> str:
    folder = paths.real(root)
    while not (Path(folder) / ".git").exists():
        parent = str(Path(folder).parent)
        if parent == folder:
            return ""
        folder = parent
    return folder


def _ref_name(text: str) -> str:
    """Return the reference that a reference file points at; empty for a hash, or a path that is no reference."""
    name = text.removeprefix("ref:").strip() if text.startswith("ref:") else ""
    return name if name.startswith("refs/") and ".." not in name and "\0" not in name else ""


def _text(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(4096).decode("utf-8", "replace").strip()
    except OSError:
        return ""


def _packed(common: str, name: str) -> str:
    file = Path(common) / "packed-refs"
    try:
        status = file.stat()
    except OSError:
        return ""
    return _read_packed(str(file), (status.st_mtime_ns, status.st_size, status.st_ino), name)


@lru_cache(maxsize=64)
def _read_packed(file: str, _stamp: tuple[int, int, int], name: str) -> str:
    """Return the hash of a packed reference; the stamp makes it be read again when the file was written."""
    wanted = os.fsencode(name)
    try:
        with Path(file).open("rb") as stream:
            for line in stream:
                sha, _, found = line.rstrip(b"\n").partition(b" ")
                if found == wanted and _SHA.fullmatch(sha.decode("ascii", "replace")):
                    return sha.decode()
    except OSError:
        pass
    return ""


def _ask_head(top: str) -> Head:
    commit = (gitrun.run(top, "rev-parse", "--verify", "-q", "HEAD") or b"").decode().strip()
    branch = (gitrun.run(top, "symbolic-ref", "--short", "-q", "HEAD") or b"").decode("utf-8", "replace").strip()
    return Head(commit if _SHA.fullmatch(commit) else "", branch)
