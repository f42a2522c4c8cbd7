"""Vitest."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TOTALS = re.compile(r" +(?P<what>Test Files|Tests) +(?P<counts>\d[\w |]*?)(?: \((?P<total>\d{1,9})\))?")
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_FAILURE = re.compile(r" FAIL  ?(?:\|[^|]+\| +)?(?P<path>\S[^>\[]*?)(?P<titles>(?: > .*)?)(?: \[ .* \])?")
_DONE = re.compile(r" +(?P<mark>[✓×]) (?:\|[^|]+\| +)?(?P<name>\S+ > .*?)(?: \d+m?s)?(?: \(retry x\d+\))?")
_NO_TESTS = "No test files found, exiting with code 1"


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    broken: dict[str, None] = {}
    for line in lines:
        if found := _FAILURE.fullmatch(line):
            reading.status = "failed"
            reading.failing.append(found["path"] + found["titles"])
            if not found["titles"]:
                broken[found["path"]] = None
        elif found := _DONE.fullmatch(line):
            (reading.passing if found["mark"] == "✓" else reading.failing).append(found["name"])
        elif found := _TOTALS.fullmatch(line):
            _count(reading, found)
        elif line == _NO_TESTS:
            reading.status, reading.passed, reading.failed = "failed", 0, 0
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    if reading.failed >= 0:
        reading.failed += len(broken)
    return [reading] if reading.status else []


def _count(reading: Reading, found: re.Match[str]) -> None:
    numbers = {what: int(number) for number, what in _COUNT.findall(found["counts"])}
    reading.status = verdict(is_failed="failed" in numbers or reading.status == "failed")
    if found["what"] == "Tests":
        reading.passed = max(reading.passed, 0) + numbers.get("passed", 0)
        reading.failed = max(reading.failed, 0) + numbers.get("failed", 0)
        reading.skipped = max(reading.skipped, 0) + numbers.get("skipped", 0) + numbers.get("todo", 0)


READER = Reader("vitest", (" Tests ", " FAIL ", _NO_TESTS), _read)
