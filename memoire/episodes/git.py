"""What git knows of a project: where it stands, which commits there are and what each did to its files.

Where it stands is asked for with every answer, so it is read from git's files; the rest is one bounded call each.
`history` makes of the commits what changed together, `reflog` reads what was done with them.
Everything is empty where there is no git, no repository or no commit.
"""

import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from memoire import gitrun, paths

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HEADER = re.compile(rb"\x01([0-9a-f]{40,64})\x02(-?[0-9]+)\x02([^\n]*)\n?(.*)", re.DOTALL)
_FORMAT = "--format=%x01%H%x02%ct%x02%s%n%b"
_LOG = (
    "log", "-z", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative", "-O/dev/null",
)  # fmt: skip
_RENAMES = "-l500"
"""Most files that came and went for which git looks for similar ones (500 x 500 comparisons); above, only for equal."""
MOST_BYTES = 64_000_000
"""Longest answer that is read from git."""
BODY_LIMIT = 8_000
"""Characters of the body of a message that are read: more than is kept, so that what is cut off is no half secret."""
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
    """One commit. A merge has no changes of its own."""

    id: str
    at: datetime
    """Committer's time, UTC."""
    subject: str
    """First line of the message, as written: redact it before it goes anywhere."""
    changes: tuple[FileChange, ...]
    body: str = ""
    """The rest of the message, as written, up to `BODY_LIMIT`: redact it too."""


def head(root: paths.AnyPath) -> Head:
    """Return the commit and the branch that are checked out; empty strings where there are none."""
    top = _top(root)
    own = paths.git_dir(top) if top else ""
    if not own:
        return Head("", "")
    common = paths.git_common_dir(top)
    name = _ref_name(_text(Path(own) / "HEAD"))
    if name == "refs/heads/.invalid":  # references are kept in a table that git alone reads
        return _in_table(top, own, common)
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


def listed(root: paths.AnyPath, tip: str, limit: int, beyond: str = "", timeout_s: float = 20.0) -> list[str]:
    """Return the hashes of at most `limit` commits that are no merges, the newest first as `git log` orders them.

    Args:
        root: The project. Where it is a folder of the repository, only commits that touched it.
        tip: Full hash of the commit to start from.
        limit: At most so many.
        beyond: Only commits that this one, a full hash, does not contain.
        timeout_s: What was listed by then is returned.
    """
    if not _SHA.fullmatch(tip):
        return []
    span = [tip, f"^{beyond}"] if _SHA.fullmatch(beyond) else [tip]
    # A path makes git compare trees at every commit: at the top it would leave nothing out.
    within = ["."] if _folder_in_repository(root) else []
    listing = ("log", "--no-color", "--no-merges", "--format=%H", f"--max-count={int(limit)}", *span, "--", *within)
    printed = gitrun.run(root, *listing, timeout_s=timeout_s, keep_partial=True) or b""
    return [sha for sha in printed.decode("ascii", "replace").splitlines() if _SHA.fullmatch(sha)]


def details(
    root: paths.AnyPath, ids: Sequence[str], *, timeout_s: float = 20.0, is_partial: bool = False
) -> list[Commit] | None:
    """Return the commits with these full hashes and what each did to the files of the project, renames found.

    Args:
        root: The project; only what lies in it is listed.
        ids: Hashes; a merge shows no changes.
        timeout_s: When to give up.
        is_partial: Whether blobs may be absent (`is_partial_clone`): then only renames of the same content are found.

    Returns:
        None where one of them cannot be read, or it took too long, or all of it is more than one answer may be.
    """
    if not ids:
        return []
    renames = "-M100%" if is_partial else "-M"
    shown = ("--root", "-r", "--name-status", renames, _RENAMES, "--no-walk=unsorted")
    printed = gitrun.run(root, *_LOG, _FORMAT, *shown, *ids, "--", timeout_s=timeout_s, max_bytes=MOST_BYTES)
    if printed is None or len(printed) >= MOST_BYTES:
        return None
    return [
        Commit(sha.decode(), _time(at), _said(subject), tuple(_changes(names)), _said(body)[:BODY_LIMIT].strip())
        for (sha, at, subject, body), names in _records(printed)
    ]


def changed_between(root: paths.AnyPath, old: str, new: str) -> list[str]:
    """Return the files of the project that differ between two commits given by their hashes; empty where unknown."""
    if not (_SHA.fullmatch(old) and _SHA.fullmatch(new)):
        return []
    compared = (
        "diff-tree",
        "-r",
        "-z",
        "--name-only",
        "--no-renames",
        "--ignore-submodules=all",
        "--relative",
        "-O/dev/null",
    )
    printed = gitrun.run(root, *compared, old, new, "--") or b""
    return [path for name in printed.split(b"\0") if (path := _path(name))]


def files_at(root: paths.AnyPath, commit: str) -> frozenset[str]:
    """Return the files of the project that a commit, given by its hash, holds."""
    printed = gitrun.run(root, "ls-tree", "-r", "-z", "--name-only", commit) if _SHA.fullmatch(commit) else b""
    return frozenset(path for name in (printed or b"").split(b"\0") if (path := _path(name)))


def parent(root: paths.AnyPath, commit: str) -> str:
    """Return the hash of a commit's first parent; empty where there is none."""
    if not _SHA.fullmatch(commit):
        return ""
    return (gitrun.run(root, "rev-parse", "--verify", "-q", f"{commit}^1") or b"").decode().strip()


def is_ancestor(root: paths.AnyPath, old: str, new: str) -> bool:
    """Return whether a commit contains another, both given by their hashes."""
    both = _SHA.fullmatch(old) and _SHA.fullmatch(new)
    return bool(both) and gitrun.run(root, "merge-base", "--is-ancestor", old, new) is not None


def shallow_boundary(root: paths.AnyPath) -> frozenset[str]:
    """Return the hashes of the commits at which a shallow clone ends: their parents are unknown here."""
    top = _top(root)
    common = paths.git_common_dir(top) if top else ""
    try:
        return frozenset((Path(common) / "shallow").read_text("ascii").split()) if common else frozenset()
    except (OSError, UnicodeDecodeError):
        return frozenset()


def is_partial_clone(root: paths.AnyPath) -> bool:
    """Return whether the repository may lack objects that only its remote has (`git clone --filter`)."""
    names = r"^(extensions\.partialclone|remote\..*\.promisor)$"
    return bool(gitrun.run(root, "config", "--local", "--get-regexp", names))


def own_dir(root: paths.AnyPath) -> Path | None:
    """Return the git directory of the work tree that the project lies in; None where there is none."""
    top = _top(root)
    own = paths.git_dir(top) if top else ""
    return Path(own) if own else None


def common_dir(root: paths.AnyPath) -> Path | None:
    """Return the git directory that all work trees of the repository share; None where there is none."""
    top = _top(root)
    common = paths.git_common_dir(top) if top else ""
    return Path(common) if common else None


def uncommitted(root: paths.AnyPath) -> frozenset[str]:
    """Return the tracked files whose content differs from the last commit.

    Asked of `git status`, which keeps its hands off the index where it is told to (`gitrun`); `git diff` rewrites it.
    """
    listed = gitrun.run(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no") or b""
    prefix = _folder_in_repository(root)
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


def stamp(file: Path) -> tuple[int, int, int] | None:
    """Return what tells that a file was written (time, size, inode); None where there is none."""
    try:
        status = file.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _said(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _records(printed: bytes) -> Iterator[tuple[tuple[bytes, bytes, bytes, bytes], list[bytes]]]:
    """Yield ((hash, time, subject, body), what follows each header) of a log."""
    header: tuple[bytes, bytes, bytes, bytes] | None = None
    rest: list[bytes] = []
    for token in printed.split(b"\0")[:-1]:
        found = _HEADER.fullmatch(token)
        if found is None:
            rest.append(token if rest else token.removeprefix(b"\n"))
            continue
        if header is not None:
            yield header, rest
        header, rest = (found[1], found[2], found[3], found[4]), []
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


def _folder_in_repository(root: paths.AnyPath) -> str:
    """Return the folder of its repository that the project is, with `/`; empty where it is all of it."""
    above = paths.real(root)[len(_top(root)) :].strip("/")
    return f"{above}/" if above else ""


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
    found = stamp(file)
    return "" if found is None else _read_packed(str(file), found, name)


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


def _in_table(top: str, own: str, common: str) -> Head:
    """Return what git says of references in a table, asked once until the table changes.

    It is asked for with every answer and every second, on the event loop, and git takes some milliseconds.
    Source: git's reftable documentation: every transaction replaces `reftable/tables.list`.
    """
    stamps = tuple(stamp(Path(folder) / "reftable" / "tables.list") for folder in (own, common))
    if not any(stamps):
        return _ask_head(top)
    found = _ask_head_once(top, stamps)
    if not found.commit:  # it may have failed
        _ask_head_once.cache_clear()
    return found


@lru_cache(maxsize=8)
def _ask_head_once(top: str, _stamps: tuple[tuple[int, int, int] | None, ...]) -> Head:
    return _ask_head(top)


def _ask_head(top: str) -> Head:
    commit = (gitrun.run(top, "rev-parse", "--verify", "-q", "HEAD") or b"").decode().strip()
    branch = (gitrun.run(top, "symbolic-ref", "--short", "-q", "HEAD") or b"").decode("utf-8", "replace").strip()
    return Head(commit if _SHA.fullmatch(commit) else "", branch)
