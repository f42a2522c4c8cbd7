"""Mocha, with the reporters that end in its list of failures: spec, dot, min, list."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, verdict

_COUNT = re.compile(r" {2}(?P<number>\d{1,9}) (?P<what>passing|pending|failing)(?: \([\d.]+m?s\))?")
_FAILURE = re.compile(r" {2}\d+\) (?P<title>\S.*)")
_MARK = re.compile(r"(?P<indent> {2,})(?:[✓✔√]|(?P<bad>\d+\))|-) (?P<title>.*?)(?: \(\d+ms\))?")
_TITLE = re.compile(r"(?P<indent> {2,})(?P<title>\S.*)")
_STACK = re.compile(r" +at .*?\(?(?P<path>(?!node:)[^\s()]+?\.[cm]?[jt]sx?):\d+:\d+\)?")


def _read(lines: list[str]) -> list[Reading]:
    numbers: dict[str, int] = {}
    reading = Reading()
    ended = len(lines)
    for at, line in enumerate(lines):
        if found := _COUNT.fullmatch(line):
            numbers[found["what"]] = int(found["number"])
            ended = at if found["what"] == "passing" else ended
            last = at
    if "passing" not in numbers and "failing" not in numbers:
        return []
    reading.passed = numbers.get("passing", -1)
    reading.failed = numbers.get("failing", 0)
    reading.skipped = numbers.get("pending", 0)
    reading.status = verdict(is_failed=bool(reading.failed))
    if reading.failed:
        reading.failing = _failures(lines[last + 1 :])
    reading.passing = _tree(lines[:ended])
    return [reading]


def _tree(lines: list[str]) -> list[str]:
    passing = []
    stack: list[tuple[int, str]] = []
    for line in lines:
        found = _MARK.fullmatch(line) or _TITLE.fullmatch(line)
        if found is None:
            continue
        indent = len(found["indent"])
        while stack and stack[-1][0] >= indent:
            stack.pop()
        if "bad" not in found.groupdict():
            stack.append((indent, found["title"]))
        elif line.lstrip()[0] in "✓✔√":
            passing.append(" > ".join([*(title for _, title in stack), found["title"]]))
    return passing


def _failures(lines: list[str]) -> list[str]:
    """Return `file > describe > name` of each failure; the file is where its stack trace first leaves the library."""
    failing: list[str] = []
    titles: list[str] = []
    path = ""
    is_titles = False
    for line in [*lines, "  0) end"]:
        if found := _FAILURE.fullmatch(line):
            if titles:
                failing.append(" > ".join([*([path] if path else []), *titles]))
            titles, path, is_titles = [found["title"].removesuffix(":")], "", not line.endswith(":")
        elif is_titles:
            is_titles = line.startswith("   ") and not line.endswith(":")
            if line.strip():
                titles.append(line.strip().removesuffix(":"))
        elif not path and (found := _STACK.fullmatch(line)) and "node_modules" not in found["path"]:
            path = found["path"].removeprefix("file://")
    return failing


READER = Reader("mocha", (" passing", " failing"), _read)
