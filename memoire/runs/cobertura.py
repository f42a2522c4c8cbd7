"""Reads `coverage.xml` in Cobertura's format: which lines of which files some test executed, not which test.

Source: Cobertura's coverage-04.dtd; coverage.py, istanbul, gocover-cobertura, coverlet, PHPUnit and gcovr write it.
"""

import msgspec

from memoire.runs._spec import Reader
from memoire.runs._xml import Element, parse
from memoire.runs.lines import MOST_LINES, bits, run_of_lines
from memoire.runs.run import MOST_PARTS, Ran, Run, UnreadableRunError


def _is_named(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith(".xml") and ("coverage" in lowered or "cobertura" in lowered)


class _Lines:
    """Collects the lines while the document is read."""

    def __init__(self) -> None:
        self.files: dict[str, set[int]] = {}
        self.at = 0
        self._file: set[int] = set()

    def open(self, element: Element) -> None:
        values = element.attributes
        if element.depth == 0:
            if element.name != "coverage":
                raise UnreadableRunError("is no report of Cobertura's kind")
            self.at = _number(values.get("timestamp", ""))
        elif element.name == "class":
            if len(self.files) > MOST_PARTS:
                raise UnreadableRunError("holds more files than are taken in")
            self._file = self.files.setdefault(values.get("filename", "").replace("\\", "/"), set())
        elif element.name == "line" and values.get("hits", "0") != "0":
            line = _number(values.get("number", ""))
            if 0 < line <= MOST_LINES:
                self._file.add(line)

    def close(self, name: str) -> None:
        pass


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _read(_name: str, data: bytes) -> Run:
    found = _Lines()
    parse(data, found.open, found.close)
    # coverage.py writes milliseconds, Cobertura and others too, a few seconds.
    at = found.at // 1000 if found.at > 100_000_000_000 else found.at
    executed = {("", path): {bits(lines)} for path, lines in found.files.items() if path and lines}
    run = run_of_lines("coverage report", executed, lambda name: Ran("", name))
    return msgspec.structs.replace(run, at=at)


READER = Reader("cobertura", _is_named, _read)
