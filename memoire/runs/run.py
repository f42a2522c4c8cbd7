"""What one run of a project's tests left behind, in one shape whatever tool wrote it."""

import msgspec

MOST_TESTS = 200_000
"""Tests of one run that are taken in."""
MOST_PARTS = 200_000
"""Functions, or parts of files, of one run."""
MOST_EXECUTED = 8_000_000
"""Pairs of a test and a part, of one run."""
MOST_BITS = 64_000_000
"""Bytes of all the sets of lines of one run: a single line far down makes a long one."""
LONGEST_NAME = 300
"""Characters of the name of a test or a function; a longer one is none that a person wrote."""


class UnreadableRunError(ValueError):
    """An artefact is not what its name says, or holds more than is believed. Says why, and quotes nothing of it."""


class Part(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that a run executed: a function, or some lines of a file."""

    file: int
    """Place in `Run.files`."""
    name: str = ""
    """Qualified name of the function; empty where only lines are known."""
    line: int = 0
    """Its first line, 1-based."""
    count: int = 0
    """How many lines from there on `text` is made of."""
    text: str = ""
    """`pytest_plugin.fingerprint` of these lines as they were; empty = not known."""
    lines: bytes = b""
    """The lines that ran, one bit each: bit n of byte k stands for line 8 k + n. Source: coverage.py, `numbits`."""


class Ran(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One test of a run."""

    path: str
    """File of the test, relative to the project; empty where `name` alone has to tell."""
    name: str
    """What follows the file in its id, `TestThing::test_it[a]`; without a file what the tool calls it."""
    outcome: str = ""
    """passed, failed, skipped; empty = not known."""
    ms: int = -1
    """How long it took, milliseconds; -1 = not known."""
    has_left: bool = False
    """Whether it started another process, which may have executed more than is known."""
    members: int = -1
    """Place in `Run.sets` of what it executed; -1 = not known."""


class Run(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One run of tests."""

    tool: str
    at: int = 0
    """When it was, seconds since the epoch; 0 = as old as the artefact."""
    files: tuple[tuple[str, str], ...] = ()
    """(path as the tool writes it, SHA-256 of its bytes at the time: empty = not known)."""
    parts: tuple[Part, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()
    """Places in `parts`, ascending."""
    tests: tuple[Ran, ...] = ()
    early: tuple[int, ...] = ()
    """Places in `parts` of what was executed outside of any test: when modules were loaded."""


def check_size(run: Run) -> Run:
    """Return the run.

    Raises:
        UnreadableRunError: It is larger than is believed, or points outside of itself.
    """
    is_large = len(run.tests) > MOST_TESTS or len(run.parts) > MOST_PARTS or sum(map(len, run.sets)) > MOST_EXECUTED
    if is_large or sum(len(part.lines) for part in run.parts) > MOST_BITS:
        raise UnreadableRunError("holds more than is taken in")
    files, parts, sets = len(run.files), len(run.parts), len(run.sets)
    is_whole = (
        all(0 <= part.file < files for part in run.parts)
        and all(not members or (members[0] >= 0 and members[-1] < parts) for members in (*run.sets, run.early))
        and all(-1 <= test.members < sets for test in run.tests)
    )
    if not is_whole:
        raise UnreadableRunError("points outside of itself")
    return run
