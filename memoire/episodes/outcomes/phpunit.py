"""PHPUnit."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TOTAL = re.compile(r"Tests: (?P<run>\d{1,9}), Assertions: \d+(?P<rest>(?:, [A-Z][\w ]+: \d+)*)\.")
_COUNT = re.compile(r", ([A-Z][\w ]+): (\d{1,9})")
_OK = re.compile(r"OK \((?P<run>\d{1,9}) tests?, \d+ assertions?\)")
_SECTION = re.compile(r"There (?:was|were) \d+ (?P<what>[\w ]+?)s?:")
_NAME = re.compile(r"\d+\) (?P<name>[\w\\]+::\w+)(?P<data> with data set (?:#\d+|\".*?\"|@\S+))?.*")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    section = ""
    for line in lines:
        if found := _SECTION.fullmatch(line):
            section = found["what"]
        elif section in {"failure", "error"} and (found := _NAME.fullmatch(line)):
            reading.failing.append(found["name"] + (found["data"] or ""))
        elif found := _TOTAL.fullmatch(line):
            _count(reading, found)
        elif found := _OK.fullmatch(line):
            _add(reading, int(found["run"]), 0, 0)
        elif line == "No tests executed!":
            _add(reading, 0, 0, 0)
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    return [reading] if reading.status else []


def _count(reading: Reading, found: re.Match[str]) -> None:
    numbers = {name: int(number) for name, number in _COUNT.findall(found["rest"])}
    failed = numbers.get("Errors", 0) + numbers.get("Failures", 0)
    skipped = numbers.get("Skipped", 0) + numbers.get("Incomplete", 0)
    _add(reading, max(int(found["run"]) - failed - skipped, 0), failed, skipped)


def _add(reading: Reading, passed: int, failed: int, skipped: int) -> None:
    reading.passed = max(reading.passed, 0) + passed
    reading.failed = max(reading.failed, 0) + failed
    reading.skipped = max(reading.skipped, 0) + skipped
    reading.status = verdict(is_failed=bool(reading.failed))


READER = Reader("phpunit", ("Assertions: ", " assertion", "No tests executed!"), _read)
