"""Takes one run in: what an artefact says, in terms of the project's files, tests and definitions as they are now.

A definition counts as the one of today only where that is known: the file has the hash that it had when it ran, or
(where the tool keeps no hashes) was not written since; or the lines of the definition are still the same.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from posixpath import basename, dirname, normpath, splitext
from typing import NamedTuple

import msgspec

from memoire.model import Definition, FileFacts
from memoire.pytest_plugin import fingerprint
from memoire.runs.observations import FUNCTIONS, UNKNOWN, Key, Observations, Observed, RunOf, Seen, definition_of
from memoire.runs.run import LONGEST_NAME, Part, Ran, Run

_HEADER_LINES = 50
"""Lines of a definition at which its header is taken to end, where no bracket says so before."""
_ODD = re.compile(r"[^\x20-\x7e\xa1-\U0010ffff]|\s{2}")


class Files(NamedTuple):
    """The files of the project."""

    root: str
    """Its real path."""
    paths: Mapping[str, object]
    """All of them."""
    facts: Callable[[str], FileFacts | None]
    text: Callable[[str], bytes | None]
    """What is on disk now."""
    written: Callable[[str], float]
    """When a file was last written, seconds since the epoch; infinite where it is gone."""
    redact: Callable[[str], str]
    """Returns a text with what looks like a secret taken out."""


class Taken(NamedTuple):
    """What became of one run."""

    tests: int
    """Tests that were found in the project."""
    unknown: int
    """Tests that the project does not have, or of which nobody can say where they are."""
    affected: frozenset[str]
    """Files of tests of which more, or something else, is known now."""


def take(known: Observations, run: Run, source: str, at: float, files: Files) -> Taken:
    """Add a run to what is known.

    Args:
        known: What is known; changed in place.
        run: What the artefact holds.
        source: Path of the artefact relative to the project; empty for one outside.
        at: When it was written, seconds since the epoch.
        files: Those of the project.
    """
    return _Taking(known, run, source, at, files).take()


class _Taking:
    def __init__(self, known: Observations, run: Run, source: str, at: float, files: Files) -> None:
        self._known = known
        self._run = run
        self._at = at
        self._files = files
        self._places = _Places(files, source)
        self._paths = [self._places.find(path) for path, _ in run.files]
        self._is_same = [self._same(path, sha) for path, (_, sha) in zip(self._paths, run.files, strict=True)]
        self._numbers: dict[Seen, int] = {item: number for number, item in enumerate(known.seen)}
        self._of_part: dict[int, tuple[int, ...]] = {}
        self._bodies: dict[str, _Bodies] = {}
        self._lines: dict[str, list[bytes]] = {}

    def take(self) -> Taken:
        known, run = self._known, self._run
        number = len(known.runs)
        known.runs.append(RunOf(run.tool, run.at or int(self._at)))
        sets: dict[int, int] = {}
        found, unknown, affected = 0, 0, set[str]()
        for test in run.tests:
            key = self._key(test)
            if key is None:
                unknown += 1
                continue
            found += 1
            old = known.tests.get(key)
            if old is not None and known.runs[old.run].at > known.runs[number].at:
                continue  # a later run of it is known
            members = -1
            if test.members >= 0:
                own = self._own(key)
                members = self._set(test.members, own, sets)
            elif old is not None:
                # Nothing is said of what it executed: what was seen before stands, with the run that saw it.
                known.tests[key] = msgspec.structs.replace(old, outcome=test.outcome, ms=test.ms)
                continue
            known.tests[key] = Observed(number, test.outcome, test.ms, test.has_left, members)
            if members >= 0:
                affected.add(key[0])
        self._remember_shapes()
        known.settle()
        return Taken(found, unknown, frozenset(affected))

    def _same(self, path: str, sha: str) -> bool | None:
        """Return whether a file is as it was when it ran; None where nothing can be said of its definitions."""
        facts = self._files.facts(path) if path else None
        if facts is None:
            return None
        if sha:
            return sha == facts.sha
        if any(part.text for part in self._run.parts):
            return False
        return True if self._files.written(path) <= self._at else None

    # ---- tests

    def _key(self, test: Ran) -> Key | None:
        """Return the file of a test and the rest of its id, as this project has them."""
        if test.path:
            path = self._places.find(test.path)
            name = self._places.name_inside(path, test.name) if path else ""
        else:
            path, name = self._places.find_dotted(test.name)
        if not path or not name or len(name) > LONGEST_NAME:
            return None
        # What parameters a test has is data, and may be anything: where it is odd, only the function is told.
        if _ODD.search(name) or self._files.redact(name) != name:
            name = name.partition("[")[0]
            if _ODD.search(name) or self._files.redact(name) != name:
                return None
        return path, name

    def _own(self, key: Key) -> int:
        """Return the number of the definition that a test is; -1 where nobody can say."""
        path, name = key[0], definition_of(key[1])
        prints = self._known.prints(path)
        if name not in prints:
            return -1
        if self._run.tool.startswith("pytest "):
            return -1  # among what it executed
        return self._number(path, name, is_same=self._files.written(path) <= self._at)

    # ---- what was executed

    def _set(self, place: int, own: int, sets: dict[int, int]) -> int:
        """Return the place of what a test executed."""
        known = self._known
        if own < 0 and place in sets:
            return sets[place]
        found = {number for part in self._run.sets[place] for number in self._definitions(part)}
        if own >= 0:
            found.add(own)
        known.sets.append(array("I", sorted(found)))
        if own < 0:
            sets[place] = len(known.sets) - 1
        return len(known.sets) - 1

    def _definitions(self, place: int) -> tuple[int, ...]:
        found = self._of_part.get(place)
        if found is None:
            part = self._run.parts[place]
            path, is_same = self._paths[part.file], self._is_same[part.file]
            found = () if not path or is_same is None else tuple(self._of(path, part, is_same=is_same))
            self._of_part[place] = found
        return found

    def _of(self, path: str, part: Part, *, is_same: bool) -> Iterable[int]:
        if part.lines:
            bodies = self._bodies.get(path)
            if bodies is None:
                facts = self._files.facts(path)
                bodies = self._bodies[path] = _Bodies(facts.definitions if facts else (), self._text(path))
            for name in bodies.hit(part.lines):
                yield self._number(path, name, is_same=True)
        elif part.name and len(part.name) <= LONGEST_NAME:
            if is_same and part.name not in self._known.prints(path):
                return  # made while it ran, by `exec` or a decorator
            yield self._number(path, part.name, is_same=is_same or self._reads_the_same(path, part))

    def _reads_the_same(self, path: str, part: Part) -> bool:
        """Return whether a definition of this name still begins with the lines it had."""
        facts = self._files.facts(path)
        lines = self._text(path)
        return bool(part.text) and any(
            item.name == part.name and fingerprint(lines[item.line - 1 : item.line - 1 + part.count]) == part.text
            for item in (facts.definitions if facts else ())
        )

    def _text(self, path: str) -> list[bytes]:
        if path not in self._lines:
            self._lines[path] = (self._files.text(path) or b"").split(b"\n")
        return self._lines[path]

    def _number(self, path: str, name: str, *, is_same: bool) -> int:
        """Return the place of a definition in `Observations.seen`."""
        now = self._known.prints(path).get(name) if is_same else None
        if now is None:
            item = Seen(path, name, UNKNOWN)
        else:
            item = Seen(path, name, now, self._known.named(path, name), knows_named=True)
        number = self._numbers.get(item)
        if number is None:
            number = self._numbers[item] = len(self._known.seen)
            self._known.seen.append(item)
        return number

    def _remember_shapes(self) -> None:
        for path, is_same in zip(self._paths, self._is_same, strict=True):
            if path and is_same:
                facts = self._files.facts(path)
                self._known.shapes[path] = {**self._known.prints(path), "": facts.sha if facts else ""}


class _Places:
    """Finds the files of the project that a tool means by what it calls them."""

    def __init__(self, files: Files, source: str) -> None:
        self._files = files
        self._folder = dirname(source)
        self._known: dict[str, str] = {}
        self._ends: dict[str, list[str]] | None = None

    def find(self, given: str) -> str:
        """Return the file of the project; empty where there is none, or more than one could be meant."""
        if given not in self._known:
            self._known[given] = self._find(given.replace("\\", "/"))
        return self._known[given]

    def _find(self, given: str) -> str:
        prefix = self._files.root.rstrip("/") + "/"
        path = normpath(given.removeprefix(prefix)) if given else ""
        if path in self._files.paths:
            return path
        beside = normpath(f"{self._folder}/{path}") if self._folder else path
        if not path.startswith(("/", "..")) and beside in self._files.paths:
            return beside
        # From the root of a package, or written where the project lies elsewhere.
        wanted = path.removeprefix("/")
        while wanted:
            found = [one for one in self._named(basename(wanted)) if one == wanted or one.endswith(f"/{wanted}")]
            if len(found) == 1 and (not path.startswith("/") or "/" in wanted):
                return found[0]
            if found or not path.startswith("/"):
                return ""
            wanted = wanted.partition("/")[2]
        return ""

    def _named(self, name: str) -> list[str]:
        if self._ends is None:
            self._ends = {}
            for path in self._files.paths:
                self._ends.setdefault(basename(path), []).append(path)
        return self._ends.get(name, [])

    def find_dotted(self, given: str) -> tuple[str, str]:
        """Return (file, rest of the id) of a test that is named `package.module.Class.test` or `module.Class::test`."""
        owner, separated, title = given.partition("::")
        bare, bracket, parameters = (title if separated else owner).partition("[")
        parts = [*owner.split("."), bare] if separated else bare.split(".")
        for count in range(len(parts) - 1, 0, -1):
            path = self._module(tuple(parts[:count]))
            if path:
                return path, "::".join(parts[count:]) + bracket + parameters
        return "", ""

    def _module(self, parts: tuple[str, ...]) -> str:
        key = ".".join(parts)
        if key not in self._known:
            wanted = "/".join(parts)
            found = [
                path
                for path in (*self._named(f"{parts[-1]}.py"), *self._named(f"{parts[-1]}.java"),
                             *self._named(f"{parts[-1]}.kt"))
                if f"/{splitext(path)[0]}".endswith(f"/{wanted}")
            ]  # fmt: skip
            self._known[key] = found[0] if len(found) == 1 else ""
        return self._known[key]

    def name_inside(self, path: str, given: str) -> str:
        """Return the rest of a test's id where a report puts the module before it: `tests.test_it.TestC::test`."""
        owner, separated, title = given.partition("::")
        if not separated or "." not in owner:
            return given if owner != splitext(basename(path))[0] else title
        stem = splitext(path)[0].replace("/", ".")
        parts = owner.split(".")
        for count in range(len(parts), 0, -1):
            if f".{stem}".endswith("." + ".".join(parts[:count])):
                return "::".join((*parts[count:], title))
        return given


class _Bodies:
    """The lines inside the functions of one file, where nothing runs when the file is loaded."""

    def __init__(self, definitions: Iterable[Definition], lines: list[bytes]) -> None:
        spans = sorted(
            (_body(item, lines), -item.end_line, item.name) for item in definitions if item.kind in FUNCTIONS
        )
        self._starts = [start for start, _, _ in spans]
        self._spans = [(start, -end, name) for start, end, name in spans]
        self._hit: dict[bytes, frozenset[str]] = {}

    def hit(self, bits: bytes) -> frozenset[str]:
        """Return the functions of which some lines ran, each by its innermost."""
        known = self._hit.get(bits)
        if known is None:
            lines = (8 * at + bit for at, byte in enumerate(bits) if byte for bit in range(8) if byte >> bit & 1)
            known = self._hit[bits] = frozenset(name for line in lines if (name := self._at(line)))
        return known

    def _at(self, line: int) -> str:
        at = bisect_right(self._starts, line) - 1
        while at >= 0:
            _, end, name = self._spans[at]
            if line <= end:
                return name
            at -= 1
        return ""


def _body(item: Definition, lines: list[bytes]) -> int:
    """Return the first line of a function's body; of one that is a single line, that."""
    if item.line >= item.end_line:
        return item.line
    depth = 0
    is_begun = False
    for number in range(item.line, min(item.end_line, item.line + _HEADER_LINES, len(lines)) + 1):
        line = lines[number - 1]
        is_begun |= not line.lstrip().startswith((b"@", b"#")) and not depth
        depth += sum(line.count(sign) for sign in (b"(", b"[")) - sum(line.count(sign) for sign in (b")", b"]"))
        if depth <= 0 and is_begun:
            return number + 1
    return item.line + 1
