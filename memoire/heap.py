"""Gives what native code has freed back to the system: the C library would keep it.

The index allocates some 15 MB for each commit, and the database as much as it holds when it compacts. The C library
answers the first free of so large a piece by raising the size from which pieces are given back (up to 32 MB), and
keeps the rest in one heap for each thread. A daemon that had taken in 200,000 events held 760 MB; 670 of them were
free.
"""

import asyncio
import ctypes
from contextlib import suppress

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
"""Source: malloc.h of the GNU C library, `M_MMAP_THRESHOLD` and `M_ARENA_MAX`."""
_LARGE_BYTES = 256 * 1024
_ARENAS = 2
_LATER_S = 20.0
"""After a checkpoint the database merges its tables, seconds at most, and needs memory as large as they are."""


def keep_small() -> bool:
    """Let large pieces go back to the system when they are freed; return whether the C library can do so.

    Call it once, before much is allocated. Another C library than GNU's is left as it is.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        done = [library.mallopt(_MMAP_THRESHOLD, _LARGE_BYTES), library.mallopt(_ARENA_MAX, _ARENAS)]
        return all(done)
    return False


def release() -> bool:
    """Give back what is free now, and return whether anything was. Takes some milliseconds, up to some tens."""
    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).malloc_trim(0))
    return False


def release_later() -> asyncio.TimerHandle:
    """Release what is free in a while, beside the event loop; return what cancels that."""
    loop = asyncio.get_running_loop()
    return loop.call_later(_LATER_S, loop.run_in_executor, None, release)
