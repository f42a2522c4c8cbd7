"""Reads the files that `memoire.pytest_plugin` leaves in the state folder."""

import zlib
from itertools import accumulate

import msgspec

from memoire.runs._spec import Reader
from memoire.runs.run import LONGEST_NAME, Part, Ran, Run, UnreadableRunError, check_size

VERSION = 1
MOST_BYTES = 256_000_000
"""Longest content, decompressed, that is believed."""


class _Kept(msgspec.Struct, frozen=True):
    """The file, as JSON that zlib has compressed."""

    version: int
    tool: str
    at: int
    files: tuple[tuple[str, str], ...]
    definitions: tuple[tuple[int, str, int, int, str], ...]
    early: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]
    tests: tuple[tuple[int, str, str, int, bool, int], ...]


def _read(_name: str, data: bytes) -> Run:
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, MOST_BYTES)
        if not unpacker.eof:
            raise UnreadableRunError("is cut, or longer than is believed")
        kept = msgspec.json.decode(text, type=_Kept)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableRunError("is damaged") from error
    if kept.version != VERSION:
        raise UnreadableRunError(f"is of version {kept.version}; {VERSION} is known")
    if any(not 0 <= at < len(kept.files) for at, *_ in kept.tests):
        raise UnreadableRunError("points outside of itself")
    return check_size(
        Run(
            tool=kept.tool[:LONGEST_NAME],
            at=kept.at,
            files=kept.files,
            parts=tuple(Part(*values) for values in kept.definitions),
            sets=tuple(tuple(accumulate(steps)) for steps in kept.sets),
            tests=tuple(
                Ran(kept.files[at][0], name, outcome, ms, has_left, members)
                for at, name, outcome, ms, has_left, members in kept.tests
            ),
            early=tuple(accumulate(kept.early)),
        )
    )


READER = Reader("recorded", is_named=lambda name: name.endswith(".run"), read=_read, is_own=True)
