"""Compilers, linters and type checkers: how many errors they report, and in which files."""

import re
from collections.abc import Iterable

from memoire.episodes.outcomes._spec import Reader, Reading, unique

_PATH = r"(?P<path>[^\s:(][^:\n(]{0,400}"
_MYPY = re.compile(_PATH + r"\.pyi?):\d+(?::\d+)?: error: .*")
_MYPY_END = re.compile(r"Found (?P<errors>\d{1,9}) errors? in \d+ files? .*|Success: no issues found in .*")
_RUFF = re.compile(_PATH + r"\.(?:pyi?|ipynb|toml)):\d+:\d+: (?:[A-Z]{1,5}\d{2,4}|SyntaxError|invalid-syntax).*")
_RUFF_PLACE = re.compile(r" *--> (?P<path>\S.*?):\d+:\d+")
_RUFF_OLD_FORMAT = re.compile(r"Would reformat: (?P<path>.+)")
_RUFF_END = re.compile(
    r"Found (?P<errors>\d{1,9}) errors?(?: \(.*\))?\.|(?P<formatted>\d{1,9}) files? would be reformatted.*"
)
_RUFF_CLEAN = re.compile(r"All checks passed!|\d+ files? already formatted")
_PYCODE = re.compile(_PATH + r"\.pyi?):\d+:\d+: [A-Z]{1,5}\d{2,4}:? .*")
_PYRIGHT = re.compile(r" *" + _PATH + r"\.pyi?):\d+:\d+ - error: .*")
_PYRIGHT_END = re.compile(r"(?P<errors>\d{1,9}) errors?, \d+ warnings?, \d+ .*")
_TSC = re.compile(
    _PATH + r"\.[cm]?[jt]sx?|[^\s:(][^:\n(]*\.(?:vue|svelte))(?:\(\d+,\d+\): |:\d+:\d+ - )error TS\d+: .*"
)
_ESLINT_PATH = re.compile(r"(?P<path>(?:/|[A-Za-z]:\\|\.{0,2}[\w@])\S.*\.\w{1,8})")
_ESLINT_ROW = re.compile(r" +\d+:\d+ +(?P<word>error|warning) +\S.*")
_ESLINT_END = re.compile(r"✖ \d+ problems? \((?P<errors>\d{1,9}) errors?, \d+ warnings?\)")
_C = re.compile(_PATH + r"\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inl|inc|m|mm|cu|S)):\d+(?::\d+)?: (?:fatal )?error: .*")
_LINK = re.compile(r"collect2: error: .*|ld: .*|.*: undefined reference to .*")
_MAKE = re.compile(r"g?make(?:\[\d+\])?: \*\*\* .*|ninja: build stopped: .*|FAILED: .*")
_BUILT = re.compile(r"\[100%\] Built target .*|g?make(?:\[\d+\])?: (?:Nothing to be done for .*|.* is up to date\.)")
_RUSTC = re.compile(r"error(?:\[E\d+\])?: (?P<text>.*)")
_RUSTC_PLACE = re.compile(r" *--> (?P<path>\S.*?):\d+:\d+")
_RUSTC_SHORT = re.compile(_PATH + r"\.rs):\d+:\d+: error(?:\[E\d+\])?: .*")
_RUSTC_NO_ERROR = ("could not compile", "aborting due to", "test failed", "build failed", "test run failed")
_RUSTC_END = re.compile(r" +Finished (?:`|dev|release|test).*")
_GO = re.compile(r"(?:vet: )?(?:\./)?" + _PATH + r"\.go):\d+(?::\d+)?: (?P<text>.*)")


def _found(errors: int, files: Iterable[str], *, is_clean: bool = False, is_failed: bool = False) -> list[Reading]:
    names = list(unique((path.removeprefix("./") for path in files), 10_000))
    if errors or is_failed or names:
        return [Reading("failed", errors=max(errors, 0), files=names)]
    return [Reading("passed", errors=0)] if is_clean else []


def _rows(lines: list[str], *patterns: re.Pattern[str]) -> list[str]:
    """Return the path of every line that any of the patterns matches."""
    return [found["path"] for line in lines for pattern in patterns if (found := pattern.fullmatch(line))]


def _mypy(lines: list[str]) -> list[Reading]:
    ends = [found for line in lines if (found := _MYPY_END.fullmatch(line))]
    paths = _rows(lines, _MYPY)
    errors = sum(int(found["errors"] or 0) for found in ends)
    return _found(errors or len(paths), paths, is_clean=bool(ends))


def _ruff(lines: list[str]) -> list[Reading]:
    ends = [found for line in lines if (found := _RUFF_END.fullmatch(line))]
    is_clean = any(map(_RUFF_CLEAN.fullmatch, lines))
    paths = _rows(lines, _RUFF, _RUFF_OLD_FORMAT)
    if ends:
        paths += _rows(lines, _RUFF_PLACE)
    errors = sum(int(found["errors"] or found["formatted"] or 0) for found in ends)
    return _found(errors or len(paths), paths, is_clean=is_clean or bool(ends))


def _pycode(lines: list[str]) -> list[Reading]:
    paths = _rows(lines, _PYCODE)
    return _found(len(paths), paths)


def _pyright(lines: list[str]) -> list[Reading]:
    ends = [found for line in lines if (found := _PYRIGHT_END.fullmatch(line))]
    paths = _rows(lines, _PYRIGHT)
    errors = sum(int(found["errors"]) for found in ends)
    return _found(errors or len(paths), paths, is_clean=bool(ends))


def _tsc(lines: list[str]) -> list[Reading]:
    paths = _rows(lines, _TSC)
    return _found(len(paths), paths)


def _eslint(lines: list[str]) -> list[Reading]:
    path = ""
    files: list[str] = []
    errors = 0
    ends = [found for line in lines if (found := _ESLINT_END.fullmatch(line))]
    for line in lines:
        if found := _ESLINT_ROW.fullmatch(line):
            if found["word"] == "error":
                errors += 1
                files.append(path)
        elif found := _ESLINT_PATH.fullmatch(line):
            path = found["path"]
    if not ends and not files:
        return []
    return _found(sum(int(found["errors"]) for found in ends) or errors, files, is_clean=True)


def _gcc(lines: list[str]) -> list[Reading]:
    paths = _rows(lines, _C)
    return _found(len(paths) or int(any(map(_LINK.fullmatch, lines))), paths)


def _make(lines: list[str]) -> list[Reading]:
    is_stopped = any(map(_MAKE.fullmatch, lines))
    if is_stopped:  # by what, is another tool's to say
        return [Reading("failed")]
    return _found(0, (), is_clean=any(map(_BUILT.fullmatch, lines)))


def _rustc(lines: list[str]) -> list[Reading]:
    errors = 0
    files = _rows(lines, _RUSTC_SHORT)
    is_error = is_failed = False
    for line in lines:
        if found := _RUSTC.fullmatch(line):
            is_error = not found["text"].startswith(_RUSTC_NO_ERROR)
            errors += is_error
            is_failed = is_failed or found["text"].startswith("could not compile")
        elif is_error and (found := _RUSTC_PLACE.fullmatch(line)):
            files.append(found["path"])
            is_error = False
        elif line.startswith("warning"):
            is_error = False
    is_clean = any(map(_RUSTC_END.fullmatch, lines))
    if not is_failed and not files:  # `cargo test` says `error:` of tests too
        errors = 0
    return _found(errors or len(_rows(lines, _RUSTC_SHORT)), files, is_clean=is_clean, is_failed=is_failed)


def _go(lines: list[str]) -> list[Reading]:
    paths = _rows(lines, _GO)
    return _found(len(paths), paths)


READERS = (
    Reader("mypy", ("Found ", "Success: no issues", ": error: "), _mypy),
    Reader(
        "ruff", ("Found ", "All checks passed!", "would be reformatted", "already formatted", "Would reformat"), _ruff
    ),
    Reader("pyright", (" - error: ", " errors, ", " error, "), _pyright),
    Reader("tsc", ("error TS",), _tsc),
    Reader("eslint", ("✖ ", "  error  "), _eslint),
    Reader("gcc", (" error: ", "undefined reference"), _gcc),
    Reader("make", ("make", "ninja", "FAILED: ", "Built target"), _make),
    Reader("cargo build", ("could not compile", " Finished ", ": error"), _rustc),
)
BY_NAME_ONLY = (
    Reader("flake8", (".py",), _pycode),
    Reader("pylint", (".py",), _pycode),
    Reader("go build", (".go:",), _go),
)
"""What these print looks like what others do: they are asked only where the command names them."""
