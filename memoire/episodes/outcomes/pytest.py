"""pytest, at any verbosity, traceback style and report option, alone or under xdist."""

import re

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_COUNT = (
    r"(?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|retried"
    r"|subtests (?:passed|failed|skipped)))"
)
_SUMMARY = re.compile(
    rf"(?P<frame>=+ )?(?P<counts>{_COUNT}(?:, {_COUNT}){{0,12}}|no tests ran(?:, {_COUNT}){{0,12}})"
    r" in \d+(?:\.\d+)?s(?:econds)?(?: \([\d:, a-z]+\))?(?: =+)?"
)
_NODE = r"[^\s:][^:\n]{0,400}?\.\w{1,10}::[^\[\n]{1,400}?(?:\[.{0,1000}?\])?"
_LISTED = re.compile(
    rf"(?P<word>FAILED|ERROR|PASSED|SUBFAILED(?:\[[^\n]{{0,200}}?\])?(?: \([^\n]{{0,200}}?\))?)"
    rf" (?P<node>{_NODE}|\S+\.py)(?: - .*)?"
)
_PROGRESS = re.compile(
    rf"(?P<node>{_NODE}) (?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|SUBFAILED)\b[^\n]{{0,300}}"
)
_WORKER = re.compile(rf"\[gw\d+\](?: \[ *\d+%\])? (?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (?P<node>{_NODE})")
_SECTION = re.compile(r"=+ (?P<title>[^=\n]{1,100}?) =+")
_BLOCK = re.compile(r"_{2,} (?P<what>ERROR collecting |ERROR at \w+ of )?(?P<name>\S(?:[^\n]{0,300}\S)?) _{2,}")
_PLACE = re.compile(r"(?P<path>[^\s:][^:\n]{0,300}\.py):\d+: ")
_USAGE = re.compile(r"ERROR: (?:usage: |file or directory not found: |not found: |found no collectors )")
_FAILED = {"FAILED", "ERROR"}


def _read(lines: list[str]) -> list[Reading]:
    ends = [(at, found) for at, line in enumerate(lines) if (found := _SUMMARY.fullmatch(line.strip()))]
    if any(found["frame"] for _, found in ends):  # a test may print what looks like the plain form
        ends = [(at, found) for at, found in ends if found["frame"]]
    readings = []
    start = 0
    for at, found in ends:
        readings.append(_read_run(lines[start:at], found["counts"]))
        start = at + 1
    rest = _read_run(lines[start:], "")
    if (
        not ends
        or rest.failing
        or any(line.startswith("====") and "test session starts" in line for line in lines[start:])
    ):
        readings.append(rest)
    elif any(_USAGE.match(line) for line in lines[start:]):
        readings[-1].status = "failed"
    return readings


def _read_run(lines: list[str], counts: str) -> Reading:
    reading = Reading()
    begun = [at for at, line in enumerate(lines) if line.startswith("====") and "test session starts" in line]
    lines = lines[begun[-1] :] if begun else lines  # what stands before was printed by something else
    if counts:
        _count(reading, counts)
    progress: list[str] = []
    listed: list[str] | None = None
    section = ""
    for line in lines:
        titled = _SECTION.fullmatch(line)
        if titled is not None:
            section = titled["title"]
            listed = [] if section == "short test summary info" else listed
        elif section == "short test summary info" and listed is not None:
            _note(_LISTED.fullmatch(line), listed, reading)
        elif section not in {"FAILURES", "ERRORS"}:
            _note(_progress_of(line), progress, reading)
    # What ends with a summary of its own needs nothing else; without one, what was said on the way counts.
    reading.failing = listed or progress or _from_end(lines) or _from_tracebacks(lines)
    if not counts and (reading.failing or any(_USAGE.match(line) for line in lines)):
        reading.status = "failed"
    reading.failing = list(unique(reading.failing, len(reading.failing)))
    return reading


def _count(reading: Reading, counts: str) -> None:
    numbers: dict[str, int] = {}
    for part in counts.split(", "):
        number, _, what = part.partition(" ")
        if number.isdigit():
            numbers[what.rstrip("s") if what.startswith("error") else what] = int(number[:9])
    reading.passed = numbers.get("passed", 0) + numbers.get("xpassed", 0)
    reading.failed = numbers.get("failed", 0) + numbers.get("error", 0) + numbers.get("subtests failed", 0)
    reading.skipped = numbers.get("skipped", 0) + numbers.get("xfailed", 0)
    is_none = not (reading.passed or reading.skipped)  # exit status 5, which is no success
    reading.status = verdict(is_failed=bool(reading.failed) or is_none)


def _progress_of(line: str) -> re.Match[str] | None:
    if line.startswith("[gw"):
        return _WORKER.fullmatch(line)
    return (_PROGRESS.fullmatch(line) or _LISTED.fullmatch(line)) if "::" in line else None


def _note(found: re.Match[str] | None, failing: list[str], reading: Reading) -> None:
    if found is None:
        return
    if found["word"] == "PASSED":
        reading.passing.append(found["node"])
    elif found["word"] in _FAILED or found["word"].startswith("SUBFAILED"):
        failing.append(found["node"])


def _from_end(lines: list[str]) -> list[str]:
    """Return what is listed last, where the heading of the summary was cut off."""
    found: list[str] = []
    for line in reversed(lines):
        listed = _LISTED.fullmatch(line)
        if listed is None:
            break
        _note(listed, found, Reading())
    return found[::-1]


def _from_tracebacks(lines: list[str]) -> list[str]:
    """Return node ids put together of the headings of tracebacks and the first place each one names."""
    found = []
    heading: re.Match[str] | None = None
    section = ""
    for line in lines:
        titled = _SECTION.fullmatch(line)
        if titled is not None:
            section, heading = titled["title"], None
        elif section in {"FAILURES", "ERRORS"} and (block := _BLOCK.fullmatch(line)):
            heading = block
            if block["what"] == "ERROR collecting ":
                found.append(block["name"])
                heading = None
        elif heading is not None and (place := _PLACE.match(line)):
            name, bracket, parameters = heading["name"].partition("[")
            if not (heading["what"] and place["path"].endswith("conftest.py")):  # where the fixture is, not the test
                found.append(f"{place['path']}::{name.replace('.', '::')}{bracket}{parameters}")
            heading = None
    return found


READER = Reader("pytest", (" in ", "FAILED ", "ERROR ", "PASSED", "ERROR: ", "_ test", "ERROR collecting"), _read)
