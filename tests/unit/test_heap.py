"""What was freed goes back to the system, where the C library can do that."""

import ctypes
import subprocess
import sys

import pytest

from memoire import heap

IS_GNU = hasattr(ctypes.CDLL(None), "malloc_trim")

PROGRAM = """
import gc, sys
from pathlib import Path
from memoire import heap

def anonymous_mb():
    return sum(int(line.split()[1]) for line in Path("/proc/self/smaps_rollup").read_text().splitlines()
        if line.startswith("Anonymous")) / 1000

assert heap.keep_small()
held = [bytes(600) for _ in range(200_000)]
last = bytes(600)  # at the end of the heap: what lies before it stays with the process
before = anonymous_mb()
del held
gc.collect()
heap.release()
print(before - anonymous_mb(), last[0])
"""


@pytest.mark.skipif(not IS_GNU, reason="the C library is not GNU's")
def test_small_pieces_that_were_freed_go_back_to_the_system() -> None:
    try:
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    except subprocess.CalledProcessError as error:
        if "smaps_rollup" in error.stderr:
            pytest.skip("the system does not say how much a process holds")
        raise
    assert float(done.stdout.split()[0]) > 60


def test_another_c_library_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: object())
    assert not heap.keep_small()
    assert not heap.release()
