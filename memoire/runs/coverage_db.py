"""Reads the databases of coverage.py (`.coverage`, `.coverage.*`): with contexts, which test executed which lines.

The tables `file`, `context`, `line_bits` and `arc` of schema 7. A context is the id of a test, with `|setup`, `|run`
or `|teardown` behind it (pytest-cov), or `module.Class.test` (`dynamic_context = test_function`); the empty one is
what ran outside of tests. Source: coverage.py, "Coverage.py's database" and `coverage.numbits`.

The database is a copy in memory: a stranger's file is never opened by a path, so neither a journal nor a lock of it is
looked at. It may only be read, table by table, with no function, view or trigger of its own.
"""

import sqlite3
from collections.abc import Iterator

from memoire.runs._spec import Reader
from memoire.runs.lines import MOST_LINES, Executed, bits, run_of_lines
from memoire.runs.run import LONGEST_NAME, MOST_EXECUTED, MOST_TESTS, Ran, Run, UnreadableRunError

_TABLES = frozenset(("file", "context", "line_bits", "arc", "sqlite_master", "sqlite_schema"))
_PHASES = ("|setup", "|run", "|teardown")


def _is_named(name: str) -> bool:
    return name == ".coverage" or (name.startswith(".coverage.") and not name.endswith(("-journal", ".toml", ".ini")))


def _allow(action: int, first: str | None, _second: str | None, _where: str | None, inner: str | None) -> int:
    if action == sqlite3.SQLITE_SELECT:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_READ and first in _TABLES and inner is None:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _read(_name: str, data: bytes) -> Run:
    if not data.startswith(b"SQLite format 3\0"):
        raise UnreadableRunError("is no database of SQLite")
    # A database that is written to in steps says so in its head; a copy in memory has no such log.
    # Source: SQLite's file format, bytes 18 and 19.
    data = data[:18] + b"\1\1" + data[20:]
    link = sqlite3.connect(":memory:")
    try:
        link.deserialize(data)
        link.execute("PRAGMA trusted_schema = OFF")
        link.execute("PRAGMA cell_size_check = ON")
        link.set_authorizer(_allow)
        link.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return _told(link)
    except (sqlite3.Error, OverflowError, TypeError, ValueError) as error:
        if isinstance(error, UnreadableRunError):
            raise
        raise UnreadableRunError("is damaged, or no database of coverage.py") from error
    finally:
        link.close()


def _told(link: sqlite3.Connection) -> Run:
    tables = {name for (name,) in link.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"file", "context"} <= tables:
        raise UnreadableRunError("is no database of coverage.py")
    paths = {int(at): str(path).replace("\\", "/") for at, path in link.execute("SELECT id, path FROM file")}
    names = {int(at): str(name) for at, name in link.execute("SELECT id, context FROM context")}
    if len(names) > 3 * MOST_TESTS or len(paths) > MOST_TESTS:
        raise UnreadableRunError("holds more than is taken in")
    tests = {at: _test_of(name) for at, name in names.items()}
    executed: Executed = {}
    size = 0
    for context, file, lines in _rows(link, tables):
        if file in paths and context in names and len(lines) <= MOST_LINES // 8:
            executed.setdefault((tests[context], paths[file]), set()).add(lines)
            size += 1
            if size > MOST_EXECUTED:
                raise UnreadableRunError("holds more than is taken in")
    return run_of_lines("coverage.py", executed, _split)


def _rows(link: sqlite3.Connection, tables: set[str]) -> Iterator[tuple[int, int, bytes]]:
    if "line_bits" in tables:
        for context, file, numbers in link.execute("SELECT context_id, file_id, numbits FROM line_bits"):
            yield int(context), int(file), bytes(numbers)
    if "arc" in tables:
        lines: dict[tuple[int, int], set[int]] = {}
        # With branches measured there are arcs alone; one that enters or leaves a function has a negative end.
        for context, file, line in link.execute("SELECT context_id, file_id, tono FROM arc WHERE tono > 0"):
            if int(line) <= MOST_LINES:
                lines.setdefault((int(context), int(file)), set()).add(int(line))
        for (context, file), found in lines.items():
            yield context, file, bits(found)


def _test_of(context: str) -> str:
    """Return the test that a context stands for: static contexts, joined by `|`, come first."""
    for phase in _PHASES:
        if context.endswith(phase):
            context = context.removesuffix(phase)
    return context.rpartition("|")[2] if "::" in context.rpartition("|")[2] else context


def _split(name: str) -> Ran:
    """Return the test of a context; without a path where the name is dotted."""
    path, found, rest = name.partition("::")
    return Ran(path[: 4 * LONGEST_NAME], rest[:LONGEST_NAME]) if found else Ran("", name[:LONGEST_NAME])


READER = Reader("coverage.py", _is_named, _read)
