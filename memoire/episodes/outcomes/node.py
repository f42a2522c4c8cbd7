"""The test runner of Node.js, with its reporters spec and dot; its reporter tap is read as TAP."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, verdict

_COUNT = re.compile(r"ℹ (?P<what>tests|pass|fail|cancelled|skipped|todo) (?P<number>\d{1,9})")
_LINE = re.compile(
    r"(?P<indent> *)(?P<mark>[▶✔✖﹣]) (?P<title>.*?)(?P<time> \([\d.]+ms\))?(?P<why> # (?:SKIP|TODO).*)?"
)
_HEADING = {"✖ failing tests:", "Failed tests:"}
_PLACE = re.compile(r"test at (?P<path>.+?):\d+:\d+")
_STACK = re.compile(r" +at .*?\(?(?:file://)?(?P<path>(?!node:)[^\s()]+?\.[cm]?[jt]sx?):\d+:\d+\)?")
_SUITE = re.compile(r" +'\d+ subtests? failed'")


def _read(lines: list[str]) -> list[Reading]:
    reading = Reading()
    heading = next((at for at, line in enumerate(lines) if line in _HEADING), len(lines))
    numbers = {found["what"]: int(found["number"]) for line in lines if (found := _COUNT.fullmatch(line))}
    failing, reading.passing = _tree(lines[:heading])
    reading.failing = _with_paths(lines[heading + 1 :], failing) or failing
    if "fail" in numbers:
        reading.passed = numbers.get("pass", 0)
        reading.failed = numbers["fail"] + numbers.get("cancelled", 0)
        reading.skipped = numbers.get("skipped", 0) + numbers.get("todo", 0)
        reading.status = verdict(is_failed=bool(reading.failed))
    elif reading.failing:
        reading.status = "failed"
    return [reading] if reading.status else []


def _tree(lines: list[str]) -> tuple[list[str], list[str]]:
    """Return the tests of the tree that fail, and those that pass, each as `suite > name`."""
    failing: list[str] = []
    passing: list[str] = []
    stack: list[tuple[int, str]] = []
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        indent, title = len(found["indent"]), found["title"]
        while stack and stack[-1][0] > indent:
            stack.pop()
        if stack and stack[-1] == (indent, title):  # the line that ends a suite
            stack.pop()
        elif found["mark"] == "▶":
            stack.append((indent, title))
        elif found["time"] and not found["why"]:
            name = " > ".join([*(suite for _, suite in stack), title])
            (passing if found["mark"] == "✔" else failing).append(name)
    return failing, passing


def _with_paths(lines: list[str], names: list[str]) -> list[str]:
    """Return the failures listed at the end, with their files, and with their suites where the tree names them."""
    failing: list[str] = []
    place = path = title = ""
    for line in [*lines, "✖ "]:
        if found := _PLACE.fullmatch(line):
            place = found["path"]
        elif line.startswith("✖ "):
            if title:
                failing.append(" > ".join(filter(None, [path, _suites(title, names, len(failing))])))
            found = _LINE.fullmatch(line)
            title, path, place = found["title"] if found else "", place, ""
        elif title and _SUITE.fullmatch(line):
            title = ""
        elif not path and (found := _STACK.fullmatch(line)):
            path = found["path"]
    return failing


def _suites(title: str, names: list[str], at: int) -> str:
    """Return the test's name with its suites: both lists are in the same order."""
    same = names[at] if at < len(names) else ""
    return same if same == title or same.endswith(f" > {title}") else title


READER = Reader("node --test", ("ℹ fail ", "✖ failing tests:", "Failed tests:"), _read)
