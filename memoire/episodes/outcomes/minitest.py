"""Minitest, alone and under Rails, and test-unit, which prints nearly as it does."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TOTAL = re.compile(
    r"(?P<run>\d{1,9}) (?:runs|tests), \d{1,9} assertions, (?P<failures>\d{1,9}) failures, (?P<errors>\d{1,9}) errors,"
    r" (?:(?P<pending>\d{1,9}) pendings, (?P<omitted>\d{1,9}) omissions, .*|(?P<skips>\d{1,9}) skips)"
)
_KIND = re.compile(r" *(?:\d+\) )?(?P<kind>Failure|Error|Skipped):(?P<rest>.*)")
_NAME = re.compile(r"(?P<name>[\w:]+#\S.*?)(?: \[.*\])?:")
_OLD_NAME = re.compile(r" (?P<name>\w+)\((?P<class>[\w:]+)\)(?:: ?.*)?")
_VERBOSE = re.compile(r"(?P<name>[\w:]+#.*?) = [\d.]+ s = (?P<mark>[.FES])")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    kind = ""
    for line in lines:
        if found := _VERBOSE.fullmatch(line):
            if found["mark"] in ".FE":
                (reading.passing if found["mark"] == "." else reading.failing).append(found["name"])
        elif found := _KIND.fullmatch(line):
            kind = found["kind"]
            if kind != "Skipped" and (old := _OLD_NAME.fullmatch(found["rest"])):
                reading.failing.append(f"{old['class']}#{old['name']}")
        elif kind:
            named = _NAME.fullmatch(line)
            if named is not None and kind != "Skipped":
                reading.failing.append(named["name"])
            kind = ""
        elif found := _TOTAL.fullmatch(line):
            _count(reading, found)
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    return [reading] if reading.status else []


def _count(reading: Reading, found: re.Match[str]) -> None:
    numbers = {name: int(number or 0) for name, number in found.groupdict().items()}
    skipped = numbers["skips"] + numbers["pending"] + numbers["omitted"]
    failed = numbers["failures"] + numbers["errors"]
    reading.failed = max(reading.failed, 0) + failed
    reading.skipped = max(reading.skipped, 0) + skipped
    reading.passed = max(reading.passed, 0) + max(numbers["run"] - failed - skipped, 0)
    reading.status = verdict(is_failed=bool(reading.failed))


READER = Reader("minitest", (" assertions, ",), _read)
