"""The console launcher of the JUnit Platform, and the text runner of JUnit 4."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_COUNT = re.compile(r"\[ +(?P<number>\d{1,9}) (?P<what>tests|containers) (?P<state>\w+) +\]")
_SOURCE = re.compile(r" *MethodSource \[className = '(?P<class>[\w.$]+)', methodName = '(?P<method>[\w$]+)'.*")
_OLD_OK = re.compile(r"OK \((?P<run>\d{1,9}) tests?\)")
_OLD_BAD = re.compile(r"Tests run: (?P<run>\d{1,9}), {2}Failures: (?P<failed>\d{1,9})")
_OLD_NAME = re.compile(r"\d+\) (?P<method>[\w$]+)(?:\[.*?\])?\((?P<class>[\w.$]+)\)")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    numbers: dict[str, int] = {}
    is_old = any(line.startswith("JUnit version ") for line in lines)
    for line in lines:
        if found := _COUNT.fullmatch(line):
            numbers[f"{found['what']} {found['state']}"] = int(found["number"])
        elif found := _SOURCE.fullmatch(line) or (_OLD_NAME.fullmatch(line) if is_old else None):
            reading.failing.append(f"{found['class']}.{found['method']}")
        elif is_old and (found := _OLD_OK.fullmatch(line)):
            reading.passed, reading.failed, reading.status = int(found["run"]), 0, "passed"
        elif is_old and (found := _OLD_BAD.fullmatch(line)):
            reading.failed, reading.status = int(found["failed"]), "failed"
            reading.passed = max(int(found["run"]) - reading.failed, 0)
    if "tests found" in numbers:
        reading.passed = numbers.get("tests successful", 0)
        reading.failed = numbers.get("tests failed", 0) + numbers.get("containers failed", 0)
        reading.skipped = numbers.get("tests skipped", 0) + numbers.get("tests aborted", 0)
        reading.status = verdict(is_failed=bool(reading.failed))
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    return [reading] if reading.status else []


READER = Reader("junit", (" tests found ", "JUnit version "), _read)
