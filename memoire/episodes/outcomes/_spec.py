"""What a run of tests or of a check came to, and what each reader of a tool's output hands over."""

import re
from collections.abc import Callable, Iterable

import msgspec

MAX_FAILING = 200
MAX_PASSING = 500
MAX_FILES = 200
MAX_CHARS = 1_000_000
"""How much of an output is looked at, from its end: where tools print what it came to."""
MAX_LINES = 50_000
MAX_LINE = 4_000

_CONTROL = re.compile(
    r"\x1b(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)?|[()*+][0-9A-B]|[@-Z\\^_])"
)
"""Colours, cursor moves, titles and character sets. Source: ECMA-48 §5.4, and the control sequences of xterm."""


class Outcome(msgspec.Struct, frozen=True):
    """What one command's tests and checks came to."""

    tool: str
    """What printed it, `pytest`, `cargo test`; several joined by ` + `; empty where only the exit status speaks."""
    status: str
    """`passed`, or `failed`: also where the command failed because no test ran."""
    passed: int = -1
    """Tests; -1 where the tool did not say, as in the two below."""
    failed: int = -1
    """Tests that failed or broke, and files of tests that could not be loaded."""
    skipped: int = -1
    """Tests that were left out, still to be written, or failed as was expected of them."""
    errors: int = -1
    """Errors that a build or a check reported, -1 where none said; warnings are none."""
    failing: tuple[str, ...] = ()
    """Ids of failing tests, `tests/test_a.py::test_b[x]`, `src/a.test.ts > cart > adds`; at most `MAX_FAILING`."""
    passing: tuple[str, ...] = ()
    """Ids of passing tests, where the tool lists them; at most `MAX_PASSING`."""
    files: tuple[str, ...] = ()
    """Files in which a build or a check found errors, as it names them; at most `MAX_FILES`."""


class Reading(msgspec.Struct):
    """What one reader found in an output; the fields are those of `Outcome`."""

    status: str = ""
    """Empty where the output was cut before it said."""
    passed: int = -1
    failed: int = -1
    skipped: int = -1
    errors: int = -1
    failing: list[str] = msgspec.field(default_factory=list)
    passing: list[str] = msgspec.field(default_factory=list)
    files: list[str] = msgspec.field(default_factory=list)


class Reader(msgspec.Struct, frozen=True):
    """One tool whose output is understood."""

    tool: str
    marks: tuple[str, ...]
    """One of these is in every output of the tool that says anything: without it, the reader is not asked."""
    read: Callable[[list[str]], list[Reading]]
    """Takes the lines without colours; returns one reading for each run it can tell apart."""


def clean_lines(output: str) -> list[str]:
    """Return the last lines of an output without colours, each at most `MAX_LINE` characters long."""
    if len(output) > MAX_CHARS:
        output = output[-MAX_CHARS:]
        output = output[output.find("\n") + 1 :]
    if "\x1b" in output:
        output = _CONTROL.sub("", output)
    lines = output.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line[:MAX_LINE].rstrip() for line in lines[-MAX_LINES:]]


def unique(names: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the names in their order, each once, as many as are kept."""
    return tuple(dict.fromkeys(name for name in names if name))[:most]


def verdict(*, is_failed: bool) -> str:
    """Return the word for it."""
    return "failed" if is_failed else "passed"
