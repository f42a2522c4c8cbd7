"""Maven's Surefire and Failsafe."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_RUN = (
    r"(?:\[\w+\] )?Tests run: (?P<run>\d{1,9}), Failures: (?P<failures>\d{1,9}), Errors: (?P<errors>\d{1,9}),"
    r" Skipped: (?P<skipped>\d{1,9})"
)
_TOTAL = re.compile(_RUN)
_CLASS = re.compile(rf"{_RUN}, Time elapsed: .*")
_FAILED = re.compile(
    r"(?:\[ERROR\] )?(?:(?P<method>[\w$]+)(?:[({{\[].*?)?\((?P<class>[\w.$]+)\)"
    r"|(?P<whole>[\w$]+(?:\.[\w$]+)+)(?:[({\[].*?)?)"
    r"(?: --| ) ?Time elapsed: .*<<< (?:FAILURE|ERROR)!.*"
)
_LISTED = re.compile(r"\[ERROR\] {1,3}(?P<name>[\w$]+(?:\.[\w$]+)*\.[\w$]+)(?:[:(\[»].*| .*)")
_COMPILE = re.compile(
    r"\[ERROR\] (?P<path>[^\s\[].*?\.(?:java|kt|scala|groovy)):(?:\[\d+,\d+\]|\d+:\d+| ?\(\d+, ?\d+\)).*"
)


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    by_class: list[re.Match[str]] = []
    totals: list[re.Match[str]] = []
    listed: list[str] = []
    files: list[str] = []
    is_list = False
    for line in lines:
        if found := _TOTAL.fullmatch(line):
            totals.append(found)
        elif found := _CLASS.fullmatch(line):
            by_class.append(found)
        elif found := _FAILED.fullmatch(line):
            reading.failing.append(found["whole"] or f"{found['class']}.{found['method']}")
        elif line in {"[ERROR] Failures: ", "[ERROR] Failures:", "[ERROR] Errors:", "Failed tests:", "Tests in error:"}:
            is_list = True
        elif is_list and (found := _LISTED.fullmatch(line)):
            listed.append(found["name"])
        elif found := _COMPILE.fullmatch(line):
            files.append(found["path"])
        elif "BUILD SUCCESS" in line or "BUILD FAILURE" in line:
            reading.status = "failed" if "FAILURE" in line else reading.status or "passed"
    _count(reading, totals or by_class)
    reading.failing = list(unique(reading.failing or listed, len(lines)))
    reading.files = list(unique(files, len(files)))
    if files:
        reading.errors = len(dict.fromkeys(line for line in lines if _COMPILE.fullmatch(line)))
        reading.status = "failed"
    return [reading] if reading.status else []


def _count(reading: Reading, totals: list[re.Match[str]]) -> None:
    if not totals:
        return
    run, skipped = (sum(int(found[what]) for found in totals) for what in ("run", "skipped"))
    reading.failed = sum(int(found["failures"]) + int(found["errors"]) for found in totals)
    reading.skipped, reading.passed = skipped, max(run - skipped - reading.failed, 0)
    reading.status = verdict(is_failed=bool(reading.failed) or reading.status == "failed")


READER = Reader("maven", ("Tests run: ", "BUILD SUCCESS", "BUILD FAILURE"), _read)
