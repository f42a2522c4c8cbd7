"""Python's unittest, and what prints as it does: Django's test runner, nose2."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_RAN = re.compile(r"Ran (?P<number>\d{1,9}) tests? in [\d.]+s")
_RESULT = re.compile(r"(?P<word>OK|FAILED|NO TESTS RAN)(?: \((?P<counts>[a-z ]+=\d{1,9}(?:, [a-z ]+=\d{1,9})*)\))?")
_TEST = r"(?P<method>\w+) \((?P<place>[\w.<>]+)\)"
_BROKEN = re.compile(rf"(?:FAIL|ERROR|UNEXPECTED SUCCESS): {_TEST}(?: .*)?")
_STARTED = re.compile(rf"{_TEST}(?: \.\.\. (?P<word>.*))?")
_OF_A_CLASS = {"setUpClass", "tearDownClass", "setUpModule", "tearDownModule"}


def _id_of(found: re.Match[str]) -> str:
    """Return `module.Class.method`: Python 3.11 and later print it whole, older ones without the method."""
    method, place = found["method"], found["place"]
    if "_FailedTest" in place.split("."):  # a module that cannot be imported
        return method
    is_whole = method in _OF_A_CLASS or place.rpartition(".")[2] == method
    return place if is_whole else f"{place}.{method}"


def _read(lines: list[str]) -> list[Reading]:
    readings = []
    reading, broken, ran = Reading(), 0, -1
    started = ""
    before = ""
    for line in lines:
        if (found := _BROKEN.fullmatch(line)) and before.startswith("====="):
            reading.failing.append(_id_of(found))
            broken += found["method"] not in _OF_A_CLASS
        elif found := _STARTED.fullmatch(line):
            started = _id_of(found)
            if found["word"] == "ok":
                reading.passing.append(started)
        elif started and line.endswith(" ... ok"):  # the first line of a docstring stands between
            reading.passing.append(started)
        elif found := _RAN.fullmatch(line):
            ran = int(found["number"])
        elif ran >= 0 and (found := _RESULT.fullmatch(line)):
            _count(reading, found, ran, broken)
            readings.append(reading)
            reading, broken, ran, started = Reading(), 0, -1, ""
        before = line
    if reading.failing:
        reading.status = "failed"
        readings.append(reading)
    return readings


def _count(reading: Reading, found: re.Match[str], ran: int, broken: int) -> None:
    pairs = (part.partition("=") for part in (found["counts"] or "").split(", ") if part)
    numbers = {name: int(number) for name, _, number in pairs}
    distinct = unique(reading.failing, len(reading.failing))
    bad = numbers.get("failures", 0) + numbers.get("errors", 0)
    reading.failed = bad + numbers.get("unexpected successes", 0)
    reading.skipped = numbers.get("skipped", 0) + numbers.get("expected failures", 0)
    # Each subtest that fails is counted, but ran as one test: only where all are listed can that be told.
    if broken == bad or not bad:
        reading.passed = max(
            ran - min(len(distinct), broken) - numbers.get("unexpected successes", 0) - reading.skipped, 0
        )
    elif broken < bad and len(reading.failing) == bad:  # some are set-ups of a class
        reading.passed = max(ran - len(distinct) + (bad - broken) - reading.skipped, 0)
    reading.failing = list(distinct)
    reading.status = verdict(is_failed=found["word"] != "OK")


READER = Reader("unittest", ("Ran ", "FAIL: ", "ERROR: "), _read)
