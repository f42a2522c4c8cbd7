"""`dotnet test`, with xUnit, NUnit or MSTest, and `dotnet build`."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TOTAL = re.compile(
    r"(?:Passed|Failed|Skipped)! +- +Failed: +(?P<failed>\d{1,9}), +Passed: +(?P<passed>\d{1,9}),"
    r" +Skipped: +(?P<skipped>\d{1,9}), +Total: +\d+.*"
)
_NEW_TOTAL = re.compile(
    r"Test summary: total: \d+, failed: (?P<failed>\d{1,9}), succeeded: (?P<passed>\d{1,9}),"
    r" skipped: (?P<skipped>\d{1,9}).*"
)
_OLD = re.compile(r" *(?P<what>Total tests|Passed|Failed|Skipped): (?P<number>\d{1,9})")
_TEST = re.compile(r" +(?P<word>Passed|Failed) (?P<name>[\w.+`]+\.\w+(?:[<(].*?)?) \[(?:< )?[\d, .msh]+\]")
_XUNIT = re.compile(r"\[xUnit\.net [\d:.]+\] +(?P<name>[\w.+`]+\.\w+(?:\(.*\))?) \[FAIL\]")
_ERROR = re.compile(r" *(?P<path>\S.*?\.(?:cs|fs|vb|csproj|razor|cshtml))\(\d+,\d+(?:,\d+,\d+)?\): error [A-Z]+\d+: .*")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    old: dict[str, int] = {}
    errors: dict[str, None] = {}
    for line in lines:
        if found := _TOTAL.fullmatch(line) or _NEW_TOTAL.fullmatch(line):
            reading.failed = max(reading.failed, 0) + int(found["failed"])
            reading.passed = max(reading.passed, 0) + int(found["passed"])
            reading.skipped = max(reading.skipped, 0) + int(found["skipped"])
        elif found := _TEST.fullmatch(line) or _XUNIT.fullmatch(line):
            is_passed = found.groupdict().get("word") == "Passed"
            (reading.passing if is_passed else reading.failing).append(found["name"])
        elif found := _OLD.fullmatch(line):
            old[found["what"]] = int(found["number"])
        elif found := _ERROR.fullmatch(line):
            errors[line.strip()] = None  # said as it happens, and again at the end
            reading.files.append(found["path"])
        elif line == "Build succeeded.":
            reading.status = "passed"
    if "Total tests" in old and reading.failed < 0:
        reading.failed, reading.passed = old.get("Failed", 0), old.get("Passed", 0)
        reading.skipped = old.get("Skipped", 0)
    if reading.failed >= 0:
        reading.status = verdict(is_failed=bool(reading.failed))
    reading.errors = len(errors) or -1
    if reading.failing or errors:
        reading.status = "failed"
    reading.failing, reading.files = (list(unique(found, len(found))) for found in (reading.failing, reading.files))
    return [reading] if reading.status else []


READER = Reader("dotnet", ("Failed: ", "Total tests: ", "Test summary: ", ": error ", "Build succeeded."), _read)
