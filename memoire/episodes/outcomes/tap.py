"""The Test Anything Protocol: `node --test` into a pipe, bats, tap, ava --tap, prove -v.

Source: the specification of TAP 13 and 14; sub-tests are indented by four spaces and come before their own line.
"""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, verdict

_POINT = re.compile(
    r"(?P<indent> *)(?P<not>not )?ok (?P<number>\d{1,9})(?: -)?(?P<title>(?: .*?)??)(?P<why> # ?(?:SKIP|TODO)\b.*)?",
    re.IGNORECASE,
)
_PLAN = re.compile(r"1\.\.(?P<number>\d{1,9})(?: #.*)?")
_OPEN = re.compile(r"(?P<indent> *)# Subtest: (?P<title>.*)")
_COUNT = re.compile(r"# (?P<what>tests|pass|fail|cancelled|skipped|todo) +(?P<number>\d{1,9})")
_PLACE = re.compile(r" *(?:location: '(?P<path>[^'\n]+?):\d+:\d+'|# \(.*?in test file (?P<file>[^,\n]+), line \d+\))")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    numbers: dict[str, int] = {}
    opened: dict[int, str] = {}
    skipped = 0
    deepest = -1  # how deep the last point was: a shallower one is the sub-tests' own
    is_tap = is_failed = False
    for line in lines:
        if found := _POINT.fullmatch(line):
            indent = len(found["indent"])
            is_suite, deepest = deepest > indent, indent
            is_failed = bool(found["not"]) and not found["why"] and not is_suite
            above = [title for depth, title in sorted(opened.items()) if depth < indent]
            name = " > ".join([*above, found["title"].strip() or found["number"]])
            opened.pop(indent, None)
            if is_suite:
                continue
            skipped += bool(found["why"])
            if is_failed or not (found["not"] or found["why"]):
                (reading.failing if is_failed else reading.passing).append(name)
        elif found := _OPEN.fullmatch(line):
            opened = {depth: title for depth, title in opened.items() if depth < len(found["indent"])}
            opened[len(found["indent"])] = found["title"]
        elif found := _COUNT.fullmatch(line):
            numbers[found["what"]] = int(found["number"])
        elif is_failed and (found := _PLACE.fullmatch(line)):
            reading.failing[-1] = f"{found['path'] or found['file']} > {reading.failing[-1]}"
            is_failed = False
        is_tap = is_tap or line.startswith("TAP version 1") or _PLAN.fullmatch(line) is not None
    _count(reading, numbers, skipped, is_whole=is_tap)
    return [reading] if is_tap or "pass" in numbers else []


def _count(reading: Reading, numbers: dict[str, int], skipped: int, *, is_whole: bool) -> None:
    if "fail" in numbers and "pass" in numbers:
        reading.passed = numbers["pass"]
        reading.failed = numbers["fail"] + numbers.get("cancelled", 0)
        reading.skipped = max(numbers.get("skipped", 0) + numbers.get("todo", 0), skipped)
    elif is_whole:
        reading.passed, reading.failed, reading.skipped = len(reading.passing), len(reading.failing), skipped
    reading.status = verdict(is_failed=reading.failed > 0)


READER = Reader("tap", ("TAP version 1", "1..", "# pass "), _read)
