"""What runs in a process of its own to read one artefact of a run of tests: these are files of strangers.

The parent, `memoire.run_files`, gives it one request on standard input and takes one answer from standard output.
"""

import signal
import sys

import msgspec

from memoire import paths, scan
from memoire.model import Problem
from memoire.runs import read
from memoire.runs.run import Run, UnreadableRunError
from memoire.worker import limit_memory

MOST_BYTES = 256_000_000
"""A larger artefact is not read."""
CPU_SECONDS = 30.0
"""CPU time that reading one may take."""


class Request(msgspec.Struct, frozen=True, array_like=True):
    """Which artefact to read."""

    root: str
    """Real path of the folder that it lies in or below: the project, or its state folder."""
    path: str
    """Relative to that."""
    is_own: bool


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """What became of it."""

    run: Run | None
    why: str = ""
    """Why there is none."""


def serve() -> None:
    """Answer one request."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    limit_memory()
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    request = msgspec.msgpack.decode(source.read(), type=Request)
    sink.write(msgspec.msgpack.encode(answer(request)))
    sink.flush()


def answer(request: Request) -> Answer:
    """Return what an artefact holds, or why it cannot be said."""
    data = scan.read_file(paths.real(request.root), request.path, MOST_BYTES)
    if isinstance(data, Problem):
        return Answer(None, data.message)
    try:
        return Answer(read(request.path, data, is_own=request.is_own))
    except UnreadableRunError as error:
        return Answer(None, str(error))
