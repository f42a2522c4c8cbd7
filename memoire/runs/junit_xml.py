"""Reads reports of tests in JUnit's XML: which tests ran, how they ended and how long they took, not what they ran.

Of the format: `<testsuite>`s nested or not, `<testcase classname name file time>` with `<failure>`, `<error>` or
`<skipped>` inside. Source: the schema of Apache Ant's JUnit task, and what pytest, jest-junit, Gradle, Surefire,
gotestsum and PHPUnit write.
"""

from memoire.runs._spec import Reader
from memoire.runs._xml import Element, parse
from memoire.runs.run import LONGEST_NAME, MOST_TESTS, Ran, Run, UnreadableRunError

_ENDS = {"failure": "failed", "error": "failed", "skipped": "skipped"}
_ROOTS = frozenset(("testsuites", "testsuite"))


def _is_named(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith(".xml") and any(word in lowered for word in ("junit", "test", "report", "result"))


class _Cases:
    """Collects the test cases while the document is read."""

    def __init__(self) -> None:
        self.tests: list[Ran] = []
        self._file = ""
        self._case: dict[str, str] | None = None
        self._outcome = ""

    def open(self, element: Element) -> None:
        if element.depth == 0 and element.name not in _ROOTS:
            raise UnreadableRunError("is no report of JUnit's kind")
        if element.name == "testsuite":
            self._file = element.attributes.get("file") or element.attributes.get("filepath") or ""
        elif element.name == "testcase":
            self._case, self._outcome = element.attributes, "passed"
        elif self._case is not None and element.name in _ENDS:
            self._outcome = _ENDS[element.name]

    def close(self, name: str) -> None:
        if name != "testcase" or self._case is None:
            return
        if len(self.tests) >= MOST_TESTS:
            raise UnreadableRunError("holds more tests than are taken in")
        case, self._case = self._case, None
        owner, title = case.get("classname", "")[:LONGEST_NAME], case.get("name", "")[:LONGEST_NAME]
        path = (case.get("file") or self._file)[: 4 * LONGEST_NAME]
        if title:
            name = f"{owner}::{title}" if owner else title
            self.tests.append(Ran(path, name, self._outcome, _ms(case.get("time", ""))))


def _ms(seconds: str) -> int:
    try:
        value = float(seconds.replace(",", ""))
    except ValueError:
        return -1
    return int(value * 1000) if 0 <= value < 1e6 else -1


def _read(_name: str, data: bytes) -> Run:
    found = _Cases()
    parse(data, found.open, found.close)
    return Run("JUnit report", tests=tuple(found.tests))


READER = Reader("junit", _is_named, _read)
