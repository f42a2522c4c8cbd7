"""Keeps the mined history in one file beside the store, so that a restart need not ask git again.

A file of its own, not a table: all of it is read at once and derived from git, so it needs neither transactions nor a
place in the store's schema, and rewriting it (about 200 bytes a commit, compressed) does not fill the engine's log.
It is put in place by a rename; one that is missing, damaged or of another version is mined again.
"""

import logging
import zlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from memoire.episodes.git import FileChange
from memoire.episodes.history import History, Touched

logger = logging.getLogger(__name__)

VERSION = 2
"""Of this file's shape and of how commits are read; a change of either makes every history be mined again."""
MOST_BYTES = 256_000_000
"""Longest content, decompressed, that is believed."""

_KINDS = ("modified", "added", "deleted", "moved")


class _Kept(msgspec.Struct, array_like=True):
    """The file, as MessagePack that zlib has compressed."""

    version: int
    head: bytes
    boundary: list[bytes]
    absent: list[str]
    is_complete: bool
    paths: list[str]
    ids: list[bytes]
    times: list[int]
    changes: list[list[int]]
    """For each commit: place in `paths` times 4 plus the kind's; after a move, the place of the old path too."""
    messages: list[str]


def save(file: Path, history: History) -> None:
    """Write the history; where that fails (no space) the file stays as it was and the next start mines again."""
    places: dict[str, int] = {}
    kept = _Kept(
        VERSION,
        bytes.fromhex(history.head),
        [bytes.fromhex(sha) for sha in sorted(history.boundary)],
        sorted(history.absent),
        history.is_complete,
        [],
        [bytes.fromhex(each.id) for each in history.touched],
        [each.at for each in history.touched],
        [_coded(each.changes, places) for each in history.touched],
        [each.message for each in history.touched],
    )
    kept.paths = list(places)
    beside = file.with_name(f"{file.name}.new")
    try:
        beside.touch(mode=0o600)
        beside.write_bytes(zlib.compress(msgspec.msgpack.encode(kept), 6))
        beside.replace(file)
    except OSError as error:
        logger.warning("history not kept file=%s why=%s", file, error.strerror or error)


def load(file: Path) -> History | None:
    """Return the history that was kept; None where there is none that can be read."""
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(file.read_bytes(), MOST_BYTES)
        kept = msgspec.msgpack.decode(data, type=_Kept)
        if kept.version != VERSION:
            return None
        known: dict[tuple[int, int], FileChange] = {}
        touched = tuple(
            Touched(sha.hex(), at, _decoded(codes, kept.paths, known), message)
            for sha, at, codes, message in zip(kept.ids, kept.times, kept.changes, kept.messages, strict=True)
        )
        return History(
            kept.head.hex(),
            touched,
            boundary=frozenset(sha.hex() for sha in kept.boundary),
            absent=frozenset(kept.absent),
            is_complete=kept.is_complete,
        )
    except FileNotFoundError:
        return None
    except (OSError, zlib.error, msgspec.DecodeError, ValueError, IndexError, OverflowError) as error:
        logger.warning("history mined again file=%s why=%s", file, error)
        return None


def _coded(changes: Sequence[FileChange], places: dict[str, int]) -> list[int]:
    coded = []
    for change in changes:
        coded.append(places.setdefault(change.path, len(places)) * 4 + _KINDS.index(change.kind))
        if change.kind == "moved":
            coded.append(places.setdefault(change.old_path, len(places)))
    return coded


def _decoded(
    codes: Sequence[int], names: Sequence[str], known: dict[tuple[int, int], FileChange]
) -> tuple[FileChange, ...]:
    found = []
    rest = iter(codes)
    for code in rest:
        old = next(rest) if _KINDS[code % 4] == "moved" else -1
        change = known.get((code, old))
        if change is None:
            change = FileChange(_KINDS[code % 4], names[code // 4], names[old] if old >= 0 else "")
            known[code, old] = change
        found.append(change)
    return tuple(found)
