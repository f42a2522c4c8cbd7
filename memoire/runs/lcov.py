"""Reads lcov's traces: which lines of which files ran; which test ran them, where the file names tests.

Source: geninfo(1): `TN:<test>` names the test of the records behind it, `SF:<file>` begins and `end_of_record` ends
one, `DA:<line>,<count>[,<checksum>]` tells of a line. Most tools leave the test's name empty.
"""

from memoire.runs._spec import Reader
from memoire.runs.cobertura import MOST_LINES, bits
from memoire.runs.run import LONGEST_NAME, MOST_EXECUTED, MOST_PARTS, Part, Ran, Run, UnreadableRunError, check_size


def _is_named(name: str) -> bool:
    return name in {"lcov.info", "coverage.lcov", "coverage.info"} or name.endswith(".lcov")


def _read(_name: str, data: bytes) -> Run:
    if b"SF:" not in data:
        raise UnreadableRunError("is no trace of lcov's kind")
    found: dict[tuple[str, str], set[int]] = {}
    test = file = ""
    lines: set[int] = set()
    seen = 0
    for raw in data.split(b"\n"):
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
            found.setdefault((test, file), set()).update(lines)
            seen += len(lines)
            if len(found) > MOST_PARTS or seen > MOST_EXECUTED:
                raise UnreadableRunError("holds more than is taken in")
            file = ""
    return _told(found)


def _told(found: dict[tuple[str, str], set[int]]) -> Run:
    files = {path: at for at, path in enumerate(dict.fromkeys(path for _, path in found))}
    parts: dict[Part, int] = {}
    members: dict[str, set[int]] = {}
    for (test, path), lines in found.items():
        part = Part(files[path], lines=bits(lines))
        members.setdefault(test, set()).add(parts.setdefault(part, len(parts)))
    early = members.pop("", set())
    return check_size(
        Run(
            "lcov trace",
            files=tuple((path, "") for path in files),
            parts=tuple(parts),
            sets=tuple(tuple(sorted(numbers)) for numbers in members.values()),
            tests=tuple(Ran("", name, members=at) for at, name in enumerate(members)),
            early=tuple(sorted(early)),
        )
    )


def _is_number(text: bytes) -> bool:
    return text.isdigit() and len(text) < 9


READER = Reader("lcov", _is_named, _read)
