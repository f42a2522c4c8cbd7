"""Lines that ran, as sets of bits, and a run of which only lines are known: what several formats tell."""

from collections.abc import Callable, Mapping

from memoire.runs.run import Part, Ran, Run, check_size

MOST_LINES = 2_000_000
"""Lines of one file: a larger number would make a larger bit set."""

Executed = dict[tuple[str, str], set[bytes]]
"""(test, empty outside of all; file) -> the lines that ran, as `bits` has them."""


def bits(lines: set[int]) -> bytes:
    """Return lines as `Part.lines` has them."""
    found = bytearray(max(lines, default=-1) // 8 + 1)
    for line in lines:
        found[line // 8] |= 1 << line % 8
    return bytes(found)


def run_of_lines(tool: str, executed: Mapping[tuple[str, str], set[bytes]], split: Callable[[str], Ran]) -> Run:
    """Return the run in which some tests ran some lines.

    Args:
        tool: What wrote it down.
        executed: See `Executed`.
        split: Returns the test that a name stands for.

    Raises:
        UnreadableRunError: It is larger than is believed.
    """
    files = {path: place for place, path in enumerate(dict.fromkeys(path for _, path in executed))}
    parts: dict[Part, int] = {}
    members: dict[str, set[int]] = {}
    for (test, path), found in executed.items():
        for lines in found:
            part = Part(files[path], lines=lines)
            members.setdefault(test, set()).add(parts.setdefault(part, len(parts)))
    early = members.pop("", set())
    return check_size(
        Run(
            tool,
            files=tuple((path, "") for path in files),
            parts=tuple(parts),
            sets=tuple(tuple(sorted(numbers)) for numbers in members.values()),
            tests=tuple(
                Ran(one.path, one.name, members=place) for place, one in enumerate(split(name) for name in members)
            ),
            early=tuple(sorted(early)),
        )
    )
