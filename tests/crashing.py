"""Workers as they are started by `tests/unit/test_workers.py`: some files end them, as a grammar may."""

import os
import signal
from pathlib import Path

from memoire import dispatch, reading, worker
from memoire.model import FileFacts

SEGFAULT, HANG, EAT, ONCE, RAISE, LEAK = b"# segfault", b"# hang", b"# eat", b"# once", b"# raise", b"# leak"
"""What a file begins with to do so; behind the fourth, the path of what is made the first time."""

_leaked: list[bytearray] = []
_extract = dispatch.extract


def extract(path: str, data: bytes) -> FileFacts:
    """Do what the file says, as the scanner of a grammar could."""
    if data.startswith(SEGFAULT):
        os.kill(os.getpid(), signal.SIGSEGV)
    if data.startswith(ONCE):
        marker = Path(data.split(b"\n")[0].split()[-1].decode())
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    while data.startswith(HANG):
        pass
    if data.startswith(EAT):
        eaten = []
        while True:
            eaten.append(bytes(50_000_000))
    if data.startswith(LEAK):
        _leaked.append(bytearray(b"x") * 100_000_000)
    if data.startswith(RAISE):
        raise LookupError(data)
    return _extract(path, data)


def serve() -> None:
    """Be such a worker, with a limit of CPU time that a test can wait for."""
    worker.CODE_SECONDS = 0.8
    worker.MEMORY_BYTES = 400_000_000
    worker.RETIREMENT_BYTES = 100_000_000
    vars(reading)["extract"] = extract
    worker.serve()


def stillborn() -> None:
    """Be a worker that ends before it is ready."""
