"""What runs in a worker process: reads one file after another. Imports nothing that reading does not need.

The parent, `memoire.workers`, speaks to it in frames: four bytes of length, then MessagePack. The first one names the
files that are known to end their reader; the worker answers it with an empty frame, and every path with a reading.
Another empty frame says that it ends, and has not looked at what else it was given.
"""

import contextlib
import gc
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from memoire.languages import language_of
from memoire.reading import Reading, read_one

HEADER = struct.Struct("<I")
"""The length of a frame, bytes."""
CODE_SECONDS = 5.0
"""CPU time that reading a file of source code may take: five times what its parse allows itself."""
FILE_SECONDS = 15.0
"""CPU time that reading any other file may take."""
MEMORY_BYTES = 1_500_000_000
"""Address space a worker may take beside what it starts with: a valid file of the largest size needs a third of it."""
RETIREMENT_BYTES = 500_000_000
"""Memory after which a worker is replaced: some grammars never give back what a parse took that ran out of time."""

_ENCODER = msgspec.msgpack.Encoder()
_START = msgspec.msgpack.Decoder(frozenset[str])
_REQUEST = msgspec.msgpack.Decoder(tuple[str, str, int])


def serve() -> None:
    """Run as a worker: answer requests on standard input until it ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    # What reading makes has no cycles, and the process ends with its work.
    gc.disable()
    # Nothing that a library prints may get between two frames.
    sys.stdout = sys.stderr
    limit_memory()
    frames = _frames(source)
    quarantined = _START.decode(next(frames))
    _answer(sink, b"")
    for frame in frames:
        _answer(sink, _ENCODER.encode(_read(*_REQUEST.decode(frame), quarantined)))
        if _has_grown():
            _answer(sink, b"")
            return


def limit_memory() -> None:
    """End this process if it takes far more memory than reading a file needs.

    A parser that recovers from errors may copy what it has read again and again: 16 kB of source took 9 GB.
    """
    # macOS keeps no such limit; there the limit of CPU time ends it, some seconds later.
    with contextlib.suppress(OSError, ValueError):
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = _pages(0) + MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _read(root: str, path: str, max_bytes: int, quarantined: frozenset[str]) -> Reading:
    """Return the reading of one file; the process ends where that takes too long."""
    language = language_of(path)
    is_code = language is not None and language.read is None
    # Nothing in Python can stop a grammar that loops. The signal is not handled, so the kernel ends the process.
    signal.setitimer(signal.ITIMER_PROF, CODE_SECONDS if is_code else FILE_SECONDS)
    reading = read_one(root, path, max_bytes, quarantined)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return reading


def _has_grown() -> bool:
    """Return whether this process holds more memory than it should."""
    # Source: getrusage(2): kilobytes on Linux, bytes on macOS. On Linux it begins with what the parent had.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if peak <= RETIREMENT_BYTES:
        return False
    try:
        return _pages(1) > RETIREMENT_BYTES
    except OSError:
        return True


def _pages(field: int) -> int:
    """Return a field of `/proc/self/statm`, in bytes. Source: proc(5): 0 is the address space, 1 what is in memory."""
    return int(Path("/proc/self/statm").read_text().split()[field]) * os.sysconf("SC_PAGE_SIZE")


def _frames(source: BinaryIO) -> Iterator[bytes]:
    while len(header := source.read(HEADER.size)) == HEADER.size:
        yield source.read(HEADER.unpack(header)[0])


def _answer(sink: BinaryIO, data: bytes) -> None:
    sink.write(HEADER.pack(len(data)) + data)
    sink.flush()
