"""`cargo test` and `cargo nextest`."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TEST = re.compile(r"test (?P<name>\S.*?)(?: - should panic)? \.\.\. (?P<word>ok|FAILED|ignored)(?:[ ,<].*)?")
_QUIET = re.compile(r"(?P<name>\S.*?) --- FAILED")
_LISTED = re.compile(r" {4}(?P<name>\S.*)")
_RESULT = re.compile(
    r"test result: (?P<word>ok|FAILED)\. (?P<passed>\d{1,9}) passed; (?P<failed>\d{1,9}) failed;"
    r" (?P<ignored>\d{1,9}) ignored;.*"
)
_RUN = re.compile(
    r" +(?:TRY \d+ )?(?P<word>PASS|FAIL|LEAK|SLOW|FLAKY|SIG\w+|TIMEOUT|ABORT)(?: \d+/\d+)?"
    r" \[ *[\d.]+s\] (?:\([ \d/]+\) )?\S+ (?P<name>\S+)"
)
_SUMMARY = re.compile(r" +Summary \[ *[\d.]+s\] .*? tests? run: (?P<counts>.*)")
_COUNT = re.compile(r"(\d{1,9}) (passed|failed|skipped|timed out)")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    is_list = False
    for line in lines:
        if found := _TEST.fullmatch(line):
            if found["word"] != "ignored":
                (reading.passing if found["word"] == "ok" else reading.failing).append(found["name"])
        elif found := _RESULT.fullmatch(line):
            reading.passed = max(reading.passed, 0) + int(found["passed"])
            reading.failed = max(reading.failed, 0) + int(found["failed"])
            reading.skipped = max(reading.skipped, 0) + int(found["ignored"])
            is_failed = found["word"] == "FAILED" or reading.status == "failed"
            reading.status = verdict(is_failed=is_failed)
        elif found := _QUIET.fullmatch(line) or (_LISTED.fullmatch(line) if is_list else None):
            reading.failing.append(found["name"])
        if line == "failures:" or not is_list or not line.startswith("    "):
            is_list = line == "failures:"
    if reading.failing:
        reading.status = "failed"
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    return [reading] if reading.status else []


def _read_nextest(lines: list[str]) -> list[Reading]:
    reading = Reading()
    words: dict[str, str] = {}
    for line in lines:
        if found := _RUN.fullmatch(line):
            if found["word"] != "SLOW":
                words[found["name"]] = found["word"]
        elif found := _SUMMARY.fullmatch(line):
            numbers = {what: int(number) for number, what in _COUNT.findall(found["counts"])}
            reading.passed = numbers.get("passed", 0)
            reading.failed = numbers.get("failed", 0) + numbers.get("timed out", 0)
            reading.skipped = numbers.get("skipped", 0)
            reading.status = verdict(is_failed=bool(reading.failed))
    good = {"PASS", "LEAK", "FLAKY"}
    reading.passing = [name for name, word in words.items() if word in good]
    reading.failing = [name for name, word in words.items() if word not in good]
    if reading.failing:
        reading.status = "failed"
    return [reading] if reading.status else []


READER = Reader("cargo test", ("test result: ", " --- FAILED", " ... FAILED"), _read)
NEXTEST = Reader("cargo nextest", (" Summary [", " FAIL ["), _read_nextest)
