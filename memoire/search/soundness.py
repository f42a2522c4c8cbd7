"""Says whether the files of an index folder are what was written, by the checksums at their ends.

The engine maps its files and trusts them: a flipped byte shows up as a wrong answer or as a panic in a thread. Reading
them once when they are opened costs about a millisecond a megabyte and turns every such case into a rebuild.
"""

import json
import zlib
from pathlib import Path
from typing import Any

_MAGIC = 1337
_TAIL = 8
"""Two little-endian 32-bit numbers end each file: the length of the footer before them, and `_MAGIC`."""
_CHUNK = 1 << 20
_KINDS = ["idx", "pos", "term", "store", "fast", "fieldnorm"]


def is_sound(folder: Path) -> bool:
    """Return whether every file of the last commit is there, whole and unaltered.

    Raises:
        OSError: A file is there but cannot be read; nothing is known then.
    """
    try:
        meta = json.loads((folder / "meta.json").read_bytes())
        return all(_is_whole(folder / name) for segment in meta["segments"] for name in _files(segment))
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _files(segment: dict[str, Any]) -> list[str]:
    """Return the files of a segment that count; others of its name are leftovers of a commit that was cut short."""
    kinds = [*_KINDS, f"{segment['deletes']['opstamp']}.del"] if segment["deletes"] else _KINDS
    return [f"{segment['segment_id'].replace('-', '')}.{kind}" for kind in kinds]


def _is_whole(path: Path) -> bool:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size < _TAIL:
            return False
        file.seek(size - _TAIL)
        tail = file.read(_TAIL)
        length, magic = int.from_bytes(tail[:4], "little"), int.from_bytes(tail[4:], "little")
        content = size - _TAIL - length
        if magic != _MAGIC or content < 0:
            return False
        file.seek(content)
        expected = json.loads(file.read(length))["crc"]
        file.seek(0)
        found = 0
        while content > 0:
            chunk = file.read(min(_CHUNK, content))
            if not chunk:
                return False
            found = zlib.crc32(chunk, found)
            content -= len(chunk)
    return bool(found == expected)
