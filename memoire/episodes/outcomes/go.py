"""`go test`, plain, with `-v` and with `-json`, and gotestsum."""

import re

import msgspec

from memoire.episodes.outcomes._spec import Reader, Reading, unique, verdict

_TEST = re.compile(r" *--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+) \([\d.]+s\)")
_PACKAGE = re.compile(r"(?P<word>FAIL|ok {0,2})\s+(?P<name>[\w./\-~]+)(?P<rest>(?:\s.*)?)")
_SUMMED = re.compile(r"=== (?P<word>PASS|FAIL|SKIP): (?P<package>\S+) (?P<name>\S+) \([\d.]+s\)")
_DONE = re.compile(
    r"DONE (?:\d+ runs, )?(?P<run>\d{1,9}) tests?(?:, (?P<skipped>\d{1,9}) skipped)?"
    r"(?:, (?P<failed>\d{1,9}) failures?)?.*"
)
_ERROR = re.compile(r"(?:vet: )?(?P<path>[^\s:][^:\n]*\.go):\d+(?::\d+)?: .*")


class _Event(msgspec.Struct):
    """One line of `-json`. Source: `go doc test2json`."""

    action: str = msgspec.field(name="Action")
    package: str = msgspec.field(name="Package", default="")
    test: str = msgspec.field(name="Test", default="")


_DECODER = msgspec.json.Decoder(_Event)


def _read(lines: list[str]) -> list[Reading]:
    results: dict[str, str] = {}
    loose: list[tuple[str, str]] = []  # tests whose package is named below them
    packages: dict[str, str] = {}
    files: list[str] = []
    is_compiling = False
    for line in lines:
        if line.startswith("{"):
            _take_event(line, results, packages)
        elif found := _TEST.fullmatch(line):
            loose.append((found["name"], found["word"]))
        elif found := _SUMMED.fullmatch(line):
            results[f"{found['package']}.{found['name']}"] = found["word"]
        elif (found := _PACKAGE.fullmatch(line)) and ("\t" in line or "[" in line):
            packages[found["name"]] = "FAIL" if found["word"] == "FAIL" else "PASS"
            results.update({f"{found['name']}.{name}": word for name, word in loose})
            loose = []
        elif line.startswith("# "):
            is_compiling = True
        elif is_compiling and (found := _ERROR.fullmatch(line)):
            files.append(found["path"].removeprefix("./"))
            continue
        is_compiling = is_compiling and (line.startswith(("# ", "\t")))
    results.update({name: word for name, word in loose if word != "SKIP"})
    readings = _summed(results, packages, files)
    done = [found for line in lines if (found := _DONE.fullmatch(line))]
    if done:
        readings = readings or [Reading()]
        _take_total(readings[0], done[-1])
    return readings


def _take_total(reading: Reading, found: re.Match[str]) -> None:
    """Take what gotestsum counted; a package that does not compile is none of its failures."""
    failed, reading.skipped = int(found["failed"] or 0), int(found["skipped"] or 0)
    reading.passed = max(int(found["run"]) - failed - reading.skipped, 0)
    reading.failed = max(failed, reading.failed)
    reading.status = verdict(is_failed=bool(reading.failed or reading.failing))


def _take_event(line: str, results: dict[str, str], packages: dict[str, str]) -> None:
    try:
        event = _DECODER.decode(line)
    except msgspec.MsgspecError:
        return
    if event.action in {"pass", "fail", "skip"} and event.package:
        word = event.action.upper()
        if event.test:
            results[f"{event.package}.{event.test}"] = word
        elif word != "SKIP":
            packages[event.package] = word


def _summed(results: dict[str, str], packages: dict[str, str], files: list[str]) -> list[Reading]:
    if not results and not packages:
        return []
    parents = {name.rpartition("/")[0] for name in results if "/" in name.rpartition(".")[2]}
    leaves = {name: word for name, word in results.items() if name not in parents}
    failing = [name for name, word in leaves.items() if word == "FAIL"]
    # A package that fails without a test that does: it does not compile, or left before its end.
    failing += [
        package
        for package, word in packages.items()
        if word == "FAIL" and not any(name.startswith(f"{package}.") for name in failing)
    ]
    passing = [name for name, word in leaves.items() if word == "PASS"]
    skipped = [name for name, word in leaves.items() if word == "SKIP"]
    is_verbose = bool(passing)
    return [
        Reading(
            status=verdict(is_failed=bool(failing)) if packages or failing else "",
            passed=len(passing) if is_verbose else -1,
            failed=len(failing),
            skipped=len(skipped) if is_verbose else -1,
            errors=len(files) or -1,
            failing=failing,
            passing=passing,
            files=list(unique(files, len(files))),
        )
    ]


READER = Reader("go test", ("--- FAIL", "--- PASS", "FAIL\t", "ok  \t", "=== FAIL: ", "DONE ", '"Action":'), _read)
