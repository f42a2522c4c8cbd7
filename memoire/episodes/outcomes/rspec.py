"""RSpec."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TOTAL = re.compile(
    r"(?P<run>\d{1,9}) examples?, (?P<failed>\d{1,9}) failures?(?:, (?P<pending>\d{1,9}) pending)?"
    r"(?:, (?P<errors>\d{1,9}) errors? occurred outside of examples)?"
)
_FAILED = re.compile(r"rspec (?P<place>'?\S+?_?\w*\.rb(?::\d+|\[[\d:,]+\])'?) # .*")
_LOADING = re.compile(r"An error occurred while loading (?P<path>\S+?)\.?(?: - .*)?")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    for line in lines:
        if found := _FAILED.fullmatch(line):
            reading.failing.append(found["place"].strip("'"))
        elif found := _LOADING.fullmatch(line):
            reading.failing.append(found["path"])
        elif found := _TOTAL.fullmatch(line):
            run, failed, pending = int(found["run"]), int(found["failed"]), int(found["pending"] or 0)
            errors = int(found["errors"] or 0)
            reading.passed = max(reading.passed, 0) + max(run - failed - pending, 0)
            reading.failed = max(reading.failed, 0) + failed + errors
            reading.skipped = max(reading.skipped, 0) + pending
            reading.status = verdict(is_failed=bool(reading.failed))
    if reading.failing:
        reading.status = "failed"
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    return [reading] if reading.status else []


READER = Reader("rspec", (" examples, ", " example, ", "rspec ./", "An error occurred while loading "), _read)
