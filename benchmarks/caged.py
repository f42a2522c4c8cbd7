"""Runs one call after another in a child process that may be killed: for what may hang, crash or eat all memory.

The child sets its own limits: CPU seconds for each call, and memory. What ends it is an answer like any other.
"""

import os
import resource
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import msgspec

_HEADER = struct.Struct("<I")
WALL_FACTOR = 6
"""Wall-clock seconds a call may take for each second of CPU it may use: a scanner may also wait for ever."""


class Answer(msgspec.Struct, frozen=True):
    """What one call came to."""

    outcome: str
    """What the function returned; or why it did not: `killed by SIGSEGV`, `raised ValueError: …`."""
    cpu: float = 0.0
    """Seconds."""
    peak_mb: float = 0.0
    """Largest resident memory of the child until now."""
    grown_mb: float = 0.0
    """How much larger its resident memory was at its peak in this call than before; 0 but on Linux."""
    is_failure: bool = False


class Cage:
    """A child process and the function that it runs.

    Args:
        function: `module:name` of a function `(str, bytes) -> str`.
        cpu: Seconds of CPU one call may use.
        memory_mb: Address space the child may use beside what it has at its start.
    """

    def __init__(self, function: str, *, cpu: int, memory_mb: int) -> None:
        self._command = [sys.executable, "-m", "benchmarks.caged", function, str(cpu), str(memory_mb)]
        self._cpu = cpu
        self._child: subprocess.Popen[bytes] | None = None

    def call(self, name: str, data: bytes) -> Answer:
        """Return what the function makes of these; a child that died of it is replaced."""
        if self._child is None:
            self._child = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        child = self._child
        assert child.stdin is not None
        assert child.stdout is not None
        frame = msgspec.msgpack.encode((name, data))
        try:
            child.stdin.write(_HEADER.pack(len(frame)) + frame)
            child.stdin.flush()
            head = child.stdout.read(_HEADER.size)
        except BrokenPipeError:
            head = b""
        if len(head) == _HEADER.size:
            return msgspec.msgpack.decode(child.stdout.read(_HEADER.unpack(head)[0]), type=Answer)
        self._child = None
        child.stdin.close()
        status = child.wait()
        child.stdout.close()
        reason = signal.Signals(-status).name if status < 0 else f"status {status}"
        return Answer(f"killed by {reason}", is_failure=True)

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            assert self._child.stdin is not None
            self._child.stdin.close()
            self._child.wait()
            self._child = None


def _limit(cpu: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + cpu + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    # One that waits, and uses no CPU, is ended too.
    signal.alarm(cpu * WALL_FACTOR)


def _answer(function: Callable[[str, bytes], str], name: str, data: bytes) -> Answer:
    resident = _resident_mb("VmRSS", forgets_peak=True)
    before = time.process_time()
    try:
        outcome, is_failure = function(name, data), False
    except Exception as error:  # noqa: BLE001 - boundary: what is measured may raise anything
        outcome, is_failure = f"raised {type(error).__name__}: {error}"[:300], True
    cpu = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1024)
    return Answer(outcome, cpu, peak, _resident_mb("VmHWM") - resident, is_failure)


def _resident_mb(field: str, *, forgets_peak: bool = False) -> float:
    """Return a field of /proc/self/status (proc(5)) that is given in kB, as MB; 0 but on Linux."""
    if sys.platform != "linux":
        return 0.0
    if forgets_peak:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(field + ":")), 0.0)


def main() -> None:
    """Be the child."""
    module, _, name = sys.argv[1].partition(":")
    cpu, memory_mb = int(sys.argv[2]), int(sys.argv[3])
    function = getattr(import_module(module), name)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        own = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (own + memory_mb * 1_000_000,) * 2)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    while len(head := source.read(_HEADER.size)) == _HEADER.size:
        item = msgspec.msgpack.decode(source.read(_HEADER.unpack(head)[0]), type=tuple[str, bytes])
        _limit(cpu)
        data = msgspec.msgpack.encode(_answer(function, *item))
        signal.alarm(0)
        sink.write(_HEADER.pack(len(data)) + data)
        sink.flush()


if __name__ == "__main__":
    main()
