"""CTest."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_DONE = re.compile(r" *\d+/\d+ Test +#\d+: (?P<name>.*?) \.{2,} *(?P<word>Passed|\*\*\*[\w ]*?) +[\d.]+ sec.*")
_TOTAL = re.compile(r"\d+% tests passed, (?P<failed>\d{1,9}) tests? failed out of (?P<run>\d{1,9})")
_LISTED = re.compile(r"\t? *\d+ - (?P<name>.*?) \((?P<why>[^()]*)\).*")
_GOOD = {"Passed", "***Skipped", "***Not Run (Disabled)"}


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    run = 0 if "No tests were found!!!" in lines else -1
    section = ""
    skipped: list[str] = []
    for line in lines:
        if found := _DONE.fullmatch(line):
            _note(reading, found)
        elif found := _TOTAL.fullmatch(line):
            run, reading.failed = int(found["run"]), int(found["failed"])
        elif line.startswith("The following tests "):
            section = line
        elif section and (found := _LISTED.fullmatch(line)):
            (skipped if "did not run" in section else reading.failing).append(found["name"])
    if run >= 0:
        reading.skipped, reading.failed = len(skipped), max(reading.failed, 0)
        reading.passed = max(run - reading.failed - len(skipped), 0)
    if run >= 0 or reading.failing:
        reading.status = verdict(is_failed=bool(reading.failing) or reading.failed > 0)
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    return [reading] if reading.status else []


def _note(reading: Reading, found: re.Match[str]) -> None:
    if found["word"] == "Passed":
        reading.passing.append(found["name"])
    elif found["word"] not in _GOOD:
        reading.failing.append(found["name"])


READER = Reader("ctest", ("% tests passed, ", "The following tests FAILED:", " Test ", "No tests were found!!!"), _read)
