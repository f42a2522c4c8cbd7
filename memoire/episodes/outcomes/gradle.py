"""Gradle, with JUnit, and the compilers of Java and Kotlin under it."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TEST = re.compile(
    r"(?:\S+ > )?(?P<class>[\w.$]+) > (?P<name>\S.*?)(?:\(\))?(?: STANDARD_\w+)?"
    r" (?P<word>PASSED|FAILED|SKIPPED)(?: \(.*\))?"
)
_TOTAL = re.compile(
    r"(?P<run>\d{1,9}) tests? completed(?:, (?P<failed>\d{1,9}) failed)?(?:, (?P<skipped>\d{1,9}) skipped)?"
)
_BUILD = re.compile(r"BUILD (?P<word>SUCCESSFUL|FAILED) in .*")
_COMPILE = re.compile(r"(?:e: (?:file://)?|)(?P<path>/?[^\s:][^:\n]*\.(?:java|kts?|groovy|scala)):\d+:(?:\d+:?)? .*")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    words: dict[str, str] = {}
    errors = 0
    for line in lines:
        if found := _TEST.fullmatch(line):
            words[f"{found['class']}.{found['name']}"] = found["word"]
        elif found := _TOTAL.fullmatch(line):
            failed, skipped = int(found["failed"] or 0), int(found["skipped"] or 0)
            reading.failed = max(reading.failed, 0) + failed
            reading.skipped = max(reading.skipped, 0) + skipped
            reading.passed = max(reading.passed, 0) + max(int(found["run"]) - failed - skipped, 0)
        elif found := _BUILD.fullmatch(line):
            is_failed = found["word"] == "FAILED" or reading.status == "failed"
            reading.status = verdict(is_failed=is_failed)
        elif (found := _COMPILE.fullmatch(line)) and ("error:" in line or line.startswith("e: ")):
            errors += 1
            reading.files.append(found["path"])
    reading.failing = [name for name, word in words.items() if word == "FAILED"]
    reading.passing = [name for name, word in words.items() if word == "PASSED"]
    reading.files = list(unique(reading.files, len(reading.files)))
    reading.errors = errors or -1
    if reading.failing or reading.failed > 0 or errors:
        reading.status = "failed"
    return [reading] if reading.status else []


READER = Reader("gradle", ("BUILD SUCCESSFUL in", "BUILD FAILED in", " tests completed", " test completed"), _read)
