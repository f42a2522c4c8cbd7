"""Keeps what runs have shown in one file beside the store: a rebuild of the graph, or of the store, loses none of it.

Written whole and put in place by a rename; one that is missing is empty, one that is damaged is left out with a
warning: the next run of the tests fills it again.
"""

import logging
import zlib
from array import array
from pathlib import Path

import msgspec

from memoire.runs.observations import Observations, Observed, RunOf, Seen

logger = logging.getLogger(__name__)

VERSION = 1
MOST_BYTES = 256_000_000
"""Longest content, decompressed, that is believed."""


class _Kept(msgspec.Struct, array_like=True):
    """The file, as MessagePack that zlib has compressed."""

    version: int
    extraction: str
    """Which version of the extraction made the fingerprints."""
    runs: list[RunOf]
    seen: list[Seen]
    sets: list[bytes]
    """Places in `seen`, four bytes each, of this machine's order."""
    tests: list[tuple[str, str, Observed]]
    shapes: dict[str, dict[str, str]]
    read: dict[str, tuple[int, int]]
    """Artefact -> (time, size) when it was read."""


def save(file: Path, known: Observations, read: dict[str, tuple[int, int]], extraction: str) -> None:
    """Write what is known; where that fails (no space) the file stays as it was."""
    kept = _Kept(
        VERSION,
        extraction,
        known.runs,
        known.seen,
        [one.tobytes() for one in known.sets],
        [(*key, one) for key, one in known.tests.items()],
        known.shapes,
        read,
    )
    beside = file.with_name(f"{file.name}.new")
    try:
        beside.touch(mode=0o600)
        beside.write_bytes(zlib.compress(msgspec.msgpack.encode(kept), 6))
        beside.replace(file)
    except OSError as error:
        logger.warning("runs not kept file=%s why=%s", file, error.strerror or error)


def load(file: Path, known: Observations, extraction: str) -> tuple[dict[str, tuple[int, int]], bool]:
    """Fill in what was kept; return which artefacts were read, and whether another extraction made the fingerprints."""
    try:
        unpacker = zlib.decompressobj()
        kept = msgspec.msgpack.decode(unpacker.decompress(file.read_bytes(), MOST_BYTES), type=_Kept)
        if kept.version != VERSION:
            return {}, False
        sets = [array("I", data) for data in kept.sets]
        _check(kept, sets)
    except FileNotFoundError:
        return {}, False
    except (OSError, zlib.error, msgspec.DecodeError, ValueError) as error:
        logger.warning("runs of tests forgotten file=%s why=%s", file, error)
        return {}, False
    known.restore(kept.runs, kept.seen, sets, {(path, name): one for path, name, one in kept.tests})
    known.shapes = kept.shapes
    return kept.read, kept.extraction != extraction


def _check(kept: _Kept, sets: list["array[int]"]) -> None:
    """Check that nothing points outside.

    Raises:
        ValueError: Something does.
    """
    is_whole = all(not one or one[-1] < len(kept.seen) for one in sets) and all(
        -1 <= one.members < len(sets) and 0 <= one.run < len(kept.runs) for _, _, one in kept.tests
    )
    if not is_whole:
        raise ValueError("it points outside of itself")
