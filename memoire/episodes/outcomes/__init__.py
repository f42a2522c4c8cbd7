"""Reads what a command's tests, build or checks came to out of its printed output and its exit status. Pure and total.

An output is believed only where the command runs such a tool: a page of a log, or a search that finds `3 failed`, says
nothing of this project now. Where a tool's own words are missing, the exit status speaks, if it is the tool's.
"""

from collections import Counter
from collections.abc import Iterable

from memoire.episodes.outcomes import (
    bazel,
    cargo,
    checks,
    ctest,
    dotnet,
    go,
    gradle,
    jest,
    junit,
    maven,
    minitest,
    mocha,
    node,
    phpunit,
    pytest,
    rspec,
    tap,
    unittest,
    vitest,
)
from memoire.episodes.outcomes._spec import (
    MAX_FAILING,
    MAX_FILES,
    MAX_PASSING,
    Outcome,
    Reader,
    Reading,
    clean_lines,
    unique,
)
from memoire.episodes.outcomes.commands import ANY, Plan, is_check, plan_of

__all__ = ["READERS", "Outcome", "is_check", "read_outcome"]

READERS: tuple[Reader, ...] = (
    bazel.READER,
    cargo.READER,
    cargo.NEXTEST,
    ctest.READER,
    dotnet.READER,
    go.READER,
    gradle.READER,
    jest.READER,
    junit.READER,
    maven.READER,
    minitest.READER,
    mocha.READER,
    node.READER,
    phpunit.READER,
    pytest.READER,
    rspec.READER,
    tap.READER,
    unittest.READER,
    vitest.READER,
    *checks.READERS,
)
_BY_TOOL = {reader.tool: (reader,) for reader in (*READERS, *checks.BY_NAME_ONLY)} | {
    "node": (node.READER,),
    "make": tuple(reader for reader in checks.READERS if reader.tool in {"make", "gcc"}),
    "mocha": (mocha.READER, tap.READER),
    "cargo test": (cargo.READER, *(reader for reader in checks.READERS if reader.tool == "cargo build")),
    "cargo nextest": (cargo.NEXTEST, *(reader for reader in checks.READERS if reader.tool == "cargo build")),
}
"""Name in a plan -> the readers to ask: what builds before it tests may end with the build."""

_FRAMES = frozenset(("make", "cargo build"))
"""What runs other tools, or builds before it tests: that it ended well or badly is theirs to say."""

_KILLED = frozenset((124, 125, 126, 127, 130, 137, 143))
"""Exit statuses that say nothing of the tests: out of time, no such program, interrupted, killed.

Source: the POSIX shell's 126 and 127, 128 + the signal, and `timeout` of GNU coreutils.
"""


def read_outcome(command: str, output: str, exit_status: int | None) -> Outcome | None:
    """Return what a command's tests and checks came to; `None` if it ran none, or nothing tells.

    Args:
        command: The command line as it was typed.
        output: What it printed, both streams; it may be cut anywhere, coloured and mixed with anything.
        exit_status: That of the command line; `None` where it is not known.
    """
    plan = plan_of(command)
    if not plan.is_check and not plan.is_opaque:
        return None
    found = _read(plan, output)
    status = _by_exit(plan, exit_status)
    said = [reading for _, reading in found if reading.status]
    if any(reading.status == "failed" for reading in said):
        return _joined(found, "failed")
    if said:
        return _joined(found, status or "passed")
    return _joined(found, status) if status else None


def _by_exit(plan: Plan, exit_status: int | None) -> str:
    """Return what the exit status says of the checks; empty if nothing."""
    if not plan.is_check or exit_status is None or exit_status in _KILLED or exit_status < 0:
        return ""
    if exit_status:
        return "failed" if plan.is_failure_theirs else ""
    return "passed" if plan.is_success_theirs else ""


def _read(plan: Plan, output: str) -> list[tuple[str, Reading]]:
    is_any = ANY in plan.tools or plan.is_opaque
    runs = Counter(plan.tools)
    readers = READERS if is_any else tuple(_readers_of(plan.tools))
    lines = clean_lines(output)
    text = "\n".join(lines)
    found: list[tuple[str, Reading]] = []
    for reader in readers:
        if any(mark in text for mark in reader.marks):
            readings = reader.read(lines)
            if not is_any and runs[reader.tool]:
                readings = readings[-runs[reader.tool] :]  # what came before was printed by something else
            found.extend((reader.tool, reading) for reading in readings if _says_anything(reading))
    return found


def _says_anything(reading: Reading) -> bool:
    return bool(reading.status or reading.failing or reading.passing)


def _readers_of(tools: Iterable[str]) -> Iterable[Reader]:
    return dict.fromkeys(reader for tool in tools for reader in _BY_TOOL.get(tool, ()))


def _joined(found: list[tuple[str, Reading]], status: str) -> Outcome:
    """Return one outcome of all readings: numbers add up, and are unknown only where no reading has them."""
    others = {reading.status for tool, reading in found if tool not in _FRAMES}
    if others:
        found = [
            (tool, reading)
            for tool, reading in found
            if tool not in _FRAMES or reading.errors > 0 or (reading.status == "failed" and "failed" not in others)
        ]
    readings = [reading for _, reading in found]
    return Outcome(
        tool=" + ".join(dict.fromkeys(tool for tool, _ in found)),
        status=status,
        passed=_sum(reading.passed for reading in readings),
        failed=_sum(reading.failed for reading in readings),
        skipped=_sum(reading.skipped for reading in readings),
        errors=_sum(reading.errors for reading in readings),
        failing=unique((name for reading in readings for name in reading.failing), MAX_FAILING),
        passing=unique((name for reading in readings for name in reading.passing), MAX_PASSING),
        files=unique((path for reading in readings for path in reading.files), MAX_FILES),
    )


def _sum(numbers: Iterable[int]) -> int:
    known = [number for number in numbers if number >= 0]
    return sum(known) if known else -1
