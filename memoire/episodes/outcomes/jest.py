"""Jest."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TOTALS = re.compile(r"(?P<what>Test Suites|Tests): +(?P<counts>(?:\d{1,9} \w+, )*)(?P<total>\d{1,9}) total")
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_FILE = re.compile(r" ?(?P<word>PASS|FAIL) +(?:[\w.\- ]{1,60} )?(?P<path>\S+\.\w{1,5})(?: \([\d.]+ m?s\))?")
_FAILURE = re.compile(r" {1,2}● (?P<title>\S.*)")
_MARK = re.compile(r"(?P<indent> +)(?P<mark>[✓√✕×○✎]) (?P<title>.*?)(?: \([\d.]+ m?s\))?")
_TITLE = re.compile(r"(?P<indent> {2,})(?P<title>\S.*)")
_NO_TESTS = "No tests found, exiting with code 1"
_NOT_TESTS = ("Console", "Cannot log after tests are done", "process.exit called")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    path = ""
    is_listing = False
    broken = 0
    stack: list[tuple[int, str]] = []
    for line in lines:
        if found := _FILE.fullmatch(line):
            path, is_listing, stack = found["path"], True, []
            reading.status = reading.status or ("failed" if found["word"] == "FAIL" else "")
        elif path and (found := _FAILURE.fullmatch(line)):
            is_listing = False
            broken += _note_failure(reading, path, found["title"])
        elif found := _TOTALS.fullmatch(line.strip()):
            _count(reading, found)
        elif line == _NO_TESTS:
            reading.status, reading.passed, reading.failed = "failed", 0, 0
        elif is_listing:
            is_listing = _list(reading, path, line, stack)
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    if reading.failed >= 0:
        reading.failed += broken
    return [reading] if reading.status or reading.passed >= 0 else []


def _note_failure(reading: Reading, path: str, title: str) -> int:
    """Return 1 if it is a whole file that fails, seen the first time; a summary at the end repeats all."""
    reading.status = "failed"
    if title.startswith(_NOT_TESTS):
        return 0
    if title == "Test suite failed to run":
        is_new = path not in reading.failing
        reading.failing.append(path)
        return int(is_new)
    reading.failing.append(f"{path} > {title.replace(' › ', ' > ')}")
    return 0


def _count(reading: Reading, found: re.Match[str]) -> None:
    numbers = {what: int(number) for number, what in _COUNT.findall(found["counts"])}
    is_failed = "failed" in numbers or reading.status == "failed"
    reading.status = verdict(is_failed=is_failed)
    if found["what"] == "Tests":
        reading.passed = max(reading.passed, 0) + numbers.get("passed", 0)
        reading.failed = max(reading.failed, 0) + numbers.get("failed", 0)
        reading.skipped = max(reading.skipped, 0) + numbers.get("skipped", 0) + numbers.get("todo", 0)


def _list(reading: Reading, path: str, line: str, stack: list[tuple[int, str]]) -> bool:
    """Take one line of the tree that `--verbose` prints; return whether the tree goes on."""
    found = _MARK.fullmatch(line) or _TITLE.fullmatch(line)
    if found is None:
        return False
    indent = len(found["indent"])
    while stack and stack[-1][0] >= indent:
        stack.pop()
    mark = found.groupdict().get("mark")
    if mark is None:
        stack.append((indent, found["title"]))
    else:
        name = " > ".join([path, *(title for _, title in stack), found["title"]])
        if mark in "✓√":
            reading.passing.append(name)
        elif mark in "✕×":
            reading.failing.append(name.replace(" › ", " > "))
    return True


READER = Reader("jest", ("Tests: ", "FAIL ", "PASS ", _NO_TESTS), _read)
