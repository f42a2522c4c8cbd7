"""Reads lcov's traces: which lines of which files ran; which test ran them, where the file names tests.

Source: geninfo(1): `TN:<test>` names the test of the records behind it, `SF:<file>` begins and `end_of_record` ends
one, `DA:<line>,<count>[,<checksum>]` tells of a line. Most tools leave the test's name empty.
"""

from io import BytesIO

from memoire.runs._spec import Reader
from memoire.runs.lines import MOST_LINES, Executed, bits, run_of_lines
from memoire.runs.run import LONGEST_NAME, MOST_BITS, MOST_PARTS, Ran, Run, UnreadableRunError


def _is_named(name: str) -> bool:
    return name in {"lcov.info", "coverage.lcov", "coverage.info"} or name.endswith(".lcov")


def _read(_name: str, data: bytes) -> Run:
    if b"SF:" not in data:
        raise UnreadableRunError("is no trace of lcov's kind")
    found: Executed = {}
    test = file = ""
    lines: set[int] = set()
    seen = 0
    for raw in BytesIO(data):  # line by line: a list of them would take many times the bytes
        key, _, value = raw.strip().partition(b":")
        if key == b"DA":
            line, _, count = value.partition(b",")
            if _is_number(line) and not count.startswith((b"0", b"-")) and 0 < int(line) <= MOST_LINES:
                lines.add(int(line))
        elif key == b"TN":
            test = value.decode("utf-8", "replace").strip()[:LONGEST_NAME]
        elif key == b"SF":
            file, lines = value.decode("utf-8", "replace").strip().replace("\\", "/"), set()
        elif key == b"end_of_record" and file and lines:
            executed = bits(lines)
            found.setdefault((test, file), set()).add(executed)
            seen += len(executed)
            if len(found) > MOST_PARTS or seen > MOST_BITS:
                raise UnreadableRunError("holds more than is taken in")
            file = ""
    return run_of_lines("lcov trace", found, lambda name: Ran("", name))


def _is_number(text: bytes) -> bool:
    return text.isdigit() and len(text) < 9


READER = Reader("lcov", _is_named, _read)
