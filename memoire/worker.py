"""What runs in a worker process: reads one file after another. Imports nothing that reading does not need.

The parent, `memoire.workers`, speaks to it in frames: four bytes of length, then MessagePack.
"""

import gc
import struct
import sys

import msgspec

from memoire.reading import read_one

HEADER = struct.Struct("<I")
"""The length of a frame, bytes."""

_ENCODER = msgspec.msgpack.Encoder()
_REQUEST = msgspec.msgpack.Decoder(tuple[str, str, int])


def serve() -> None:
    """Run as a worker: answer requests on standard input until it ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    # What reading makes has no cycles, and the process ends with its work.
    gc.disable()
    # Nothing that a library prints may get between two frames.
    sys.stdout = sys.stderr
    while len(header := source.read(HEADER.size)) == HEADER.size:
        root, path, max_bytes = _REQUEST.decode(source.read(HEADER.unpack(header)[0]))
        data = _ENCODER.encode(read_one(root, path, max_bytes))
        sink.write(HEADER.pack(len(data)) + data)
        sink.flush()
