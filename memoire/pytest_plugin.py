"""A plug-in of pytest that records which test executes which function of the project, for memoire to learn from.

It does nothing unless it is asked to: `pytest --memoire`, `-p memoire.pytest_plugin`, or `memoire = true` among the
settings of pytest; and nothing where the project was never taken in (`.memoire/local` names its state folder). Each
process (of pytest-xdist too) leaves one file in the folder `runs` there, which the daemon reads and removes.

Cost: from Python 3.12 on each function is seen once a test and not again before the next, through `sys.monitoring`:
some percent of the CPU time of a suite. Before that there is only `sys.settrace`, which more than doubles it: there
each run traces one test in `TURNS`, in turn, and after so many runs all are known; `--memoire-all` traces them at once.

Standard library and pytest only: it runs in the project's environment, not in memoire's.
"""

import importlib
import json
import os
import sys
import time
import zlib
from collections.abc import Generator, Iterable
from hashlib import blake2b, sha256
from types import CodeType

import pytest

from memoire.pytest_tracer import Tracer

NAME = "memoire.pytest_plugin"
VERSION = 1
"""Of the file's shape."""
FOLDER = "runs"
"""Of the state folder: where the files are left."""
SUFFIX = ".run"
KEPT_FILES = 50
"""Files that wait for a daemon; with another one the oldest goes."""
MOST_TESTS = 100_000
"""Tests of one process that are recorded."""
MOST_EXECUTED = 4_000_000
"""Pairs of a test and a function that are recorded, of one process: about 8 MB."""

TURNS = 16
"""Runs after which every test was traced, before Python 3.12: so each takes about a tenth longer."""

_LEAVING = (("subprocess", "Popen.__init__"), ("multiprocessing.process", "BaseProcess.start"))
"""What starts another process, which may run the project's code too: (module, function), beside forks."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting that turn it on."""
    group = parser.getgroup("memoire")
    group.addoption(
        "--memoire", action="store_true", default=False, help="Record which test executes which function, for memoire."
    )
    group.addoption(
        "--memoire-all", action="store_true", default=False,
        help="As --memoire, and before Python 3.12 all tests at once: such a run takes several times as long.",
    )  # fmt: skip
    parser.addini("memoire", "Record which test executes which function, for memoire.", type="bool", default=False)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Begin to record, where that was asked for."""
    if not _is_wanted(config):
        return
    root, state = find_state(str(config.rootpath))
    if state and not getattr(config.option, "collectonly", False):
        config.pluginmanager.register(Recording(root, state, config), f"{NAME}.recording")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say whether it records, where that was asked for."""
    if not _is_wanted(config):
        return None
    recording = config.pluginmanager.get_plugin(f"{NAME}.recording")
    if recording is None:
        return "memoire: not recording, no `.memoire/local` leads to a state folder"
    return "memoire: recording" if recording.can_see else "memoire: not recording, another tool traces the program"


def _is_wanted(config: pytest.Config) -> bool:
    named = (*(getattr(config.option, "plugins", None) or ()), *os.environ.get("PYTEST_PLUGINS", "").split(","))
    asked = getattr(config.option, "memoire", False) or getattr(config.option, "memoire_all", False)
    return bool(asked or NAME in named or config.getini("memoire"))


def find_state(start: str) -> tuple[str, str]:
    """Return the real path of the project above a folder and its state folder; both empty where it is not taken in.

    The file that names the state folder may have come with a clone: only a private folder of this user's is believed.
    """
    folder = os.path.realpath(start)
    while True:
        marked = os.path.join(folder, ".memoire")
        if os.path.isdir(marked) and not os.path.islink(marked):
            state = _first_line(os.path.join(marked, "local"))
            return (folder, state) if state and _is_private(state) else ("", "")
        parent = os.path.dirname(folder)
        if os.path.lexists(os.path.join(folder, ".git")) or parent == folder:
            return "", ""
        folder = parent


def _first_line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(4096).split(b"\n")[0])
    except OSError:
        return ""


def _is_private(folder: str) -> bool:
    try:
        found = os.lstat(folder)
    except (OSError, ValueError):
        return False
    is_folder = (found.st_mode & 0o170000) == 0o040000
    return is_folder and found.st_uid == os.geteuid() and not found.st_mode & 0o077 and folder.startswith("/")


class Recording:
    """Records one process.

    Args:
        root: Real path of the project.
        state: Its state folder.
        config: Of the run.
    """

    def __init__(self, root: str, state: str, config: pytest.Config) -> None:
        self._root = root
        self._state = state
        worker = getattr(config, "workerinput", {})
        self._worker = str(worker.get("workerid", ""))
        self._started = time.time()
        self._process = os.getpid()
        given = str(config.rootpath)  # a path through a link is what code is named after
        is_inside = os.path.realpath(given) == root
        prefixes = tuple(f"{path.rstrip('/')}/" for path in (root, *([given] if is_inside else [])))
        leaving = list(_leaving())
        self._leaving = {id(code) for code in leaving}
        self._tracer = Tracer(prefixes, leaving)
        self._traces_all = self._tracer.is_cheap or bool(getattr(config.option, "memoire_all", False))
        self._turn = 0 if self._traces_all else _turn(state)
        self.can_see = self._tracer.has_room
        """Whether no other tool is in the way, when it begins."""
        self._is_on = not self._traces_all or self._tracer.start()
        self._has_left = False
        self._numbers: dict[int, int] = {}
        self._codes: list[CodeType] = []
        self._sets: dict[tuple[int, ...], int] = {}
        self._tests: list[tuple[str, str, str, int, bool, int]] = []
        self._early: set[int] = set()
        self._now: set[int] = set()
        self._shared: dict[int, tuple[set[int], bool]] = {}
        """Fixtures that outlive a test -> what they execute, and whether that leaves the process."""
        self._making: list[set[int]] = []
        """What each of the fixtures that are being made executed so far: one may ask for others meanwhile."""
        self._outcome = ""
        self._took = 0.0
        self._executed = 0
        self._is_traced = False
        os.register_at_fork(before=self._leave)

    def _leave(self) -> None:
        self._has_left = True

    def _take(self) -> set[int]:
        """Return the numbers of what was executed since the last time."""
        found = set()
        for code in self._tracer.take():
            if id(code) in self._leaving:
                self._has_left = True
                continue
            number = self._numbers.get(id(code))
            if number is None:
                number = self._numbers[id(code)] = len(self._codes)
                self._codes.append(code)  # kept, so that no other code gets its id
            found.add(number)
        return found

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: "pytest.FixtureDef[object]") -> Generator[None, object, object]:
        """Keep what a fixture executes that later tests are given without executing it."""
        if fixturedef.scope == "function" or not self._is_on:
            return (yield)
        self._gather()
        # What later tests are given is recorded whosever turn it is.
        is_begun = not self._traces_all and self._tracer.start()
        inside: set[int] = set()
        self._making.append(inside)
        had_left, self._has_left = self._has_left, False
        try:
            return (yield)
        finally:
            self._gather()
            self._making.pop()
            if is_begun:
                self._tracer.stop()
            self._shared[id(fixturedef)] = (inside, self._has_left)
            self._has_left |= had_left

    def _gather(self) -> None:
        """Count what was executed since the last time to the test and to the fixtures that are being made."""
        found = self._take()
        for executed in (self._now, *self._making):
            executed.update(found)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record one test."""
        if not self._is_on or len(self._tests) >= MOST_TESTS or self._executed >= MOST_EXECUTED:
            return (yield)
        self._early |= self._take()
        self._now, self._has_left, self._outcome, self._took = set(), False, "", 0.0
        is_turn = self._traces_all or zlib.crc32(item.nodeid.encode("utf-8", "surrogatepass")) % TURNS == self._turn
        self._is_traced = is_turn and (self._traces_all or self._tracer.start())
        try:
            return (yield)
        finally:
            self._note(item)
            if self._is_traced and not self._traces_all:
                self._tracer.stop()
            self._is_traced = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a phase of a test ended."""
        self._took += report.duration
        if report.outcome == "failed" or (report.outcome == "skipped" and not self._outcome):
            self._outcome = report.outcome

    def _note(self, item: pytest.Item) -> None:
        executed, has_left = self._now | self._take(), self._has_left
        for defined in _fixtures_of(item):
            inside, leaves = self._shared.get(id(defined), ((), False))
            executed.update(inside)
            has_left |= leaves
        path = self._path(os.path.realpath(item.path))
        _, found, name = item.nodeid.partition("::")
        if path and found:
            self._executed += len(executed) if self._is_traced else 0
            place = self._sets.setdefault(tuple(sorted(executed)), len(self._sets)) if self._is_traced else -1
            self._tests.append((path, name, self._outcome or "passed", int(self._took * 1000), has_left, place))

    def _path(self, file: str) -> str:
        """Return the path of a file relative to the project; empty outside."""
        prefix = self._root.rstrip("/") + "/"
        return file[len(prefix) :] if file.startswith(prefix) else ""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Leave the file."""
        if self._is_on:
            self._is_on = False
            self._tracer.stop()
            if self._tests and os.getpid() == self._process:
                try:
                    leave(self._state, self._told(), self._worker)
                    if not self._traces_all and self._worker in {"", "gw0"}:
                        _write_turn(self._state, self._turn + 1)
                except OSError as error:
                    print(f"memoire: nothing recorded: {error}", file=sys.stderr)  # noqa: T201 - a plug-in of a program

    def _told(self) -> dict[str, object]:
        files: dict[str, int] = {}
        texts: list[list[bytes]] = []
        told_files: list[tuple[str, str]] = []

        def number(path: str) -> int:
            if path not in files:
                files[path] = len(files)
                sha, lines = self._read(path)
                texts.append(lines)
                told_files.append((path, sha))
            return files[path]

        definitions = []
        for code in self._codes:
            at = number(self._path(os.path.realpath(code.co_filename)))
            first, last = code.co_firstlineno, last_line(code)
            lines = texts[at][first - 1 : last]
            print_ = fingerprint(lines) if lines else ""
            definitions.append((at, name_of(code), first, last - first + 1, print_))
        tests = [(number(path), *rest) for path, *rest in self._tests]
        return {
            "version": VERSION,
            "tool": f"pytest {pytest.__version__}",
            "at": int(self._started),
            "files": told_files,
            "definitions": definitions,
            "early": _steps(sorted(self._early)),
            "sets": [_steps(members) for members in self._sets],
            "tests": tests,
        }

    def _read(self, path: str) -> tuple[str, list[bytes]]:
        """Return the hash of a file and its lines; nothing of one that was written since the run began."""
        try:
            file = os.path.join(self._root, path)
            with open(file, "rb") as stream:
                if not path or os.fstat(stream.fileno()).st_mtime > self._started:
                    return "", []
                data = stream.read()
        except OSError:
            return "", []
        return sha256(data).hexdigest(), data.split(b"\n")


def _leaving() -> Iterable[CodeType]:
    for module, name in _LEAVING:
        found: object = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        code = getattr(found, "__code__", None)
        if isinstance(code, CodeType):
            yield code


def _turn(state: str) -> int:
    """Return whose turn it is to be traced; 0 where nobody has written it down."""
    text = _first_line(os.path.join(state, FOLDER, "turn"))
    return int(text) % TURNS if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _write_turn(state: str, turn: int) -> None:
    path = os.path.join(state, FOLDER, "turn")
    with open(f"{path}.{os.getpid()}", "w", encoding="ascii") as file:
        file.write(f"{turn % TURNS}\n")
    os.replace(file.name, path)


def _fixtures_of(item: pytest.Item) -> Iterable[object]:
    """Return the definitions of the fixtures that a test is given; nothing where this pytest keeps them elsewhere."""
    info = getattr(item, "_fixtureinfo", None)
    known = getattr(info, "name2fixturedefs", {})
    return [one for name in getattr(item, "fixturenames", ()) for one in known.get(name, ())]


def name_of(code: CodeType) -> str:
    """Return the qualified name of a function inside its file; of a nameless one, that of the function around it."""
    parts = code.co_qualname.split(".")
    while parts and parts[-1].startswith("<"):
        parts.pop()
    return ".".join(part for part in parts if part != "<locals>")


def last_line(code: CodeType) -> int:
    """Return the last line of a function that code was made of, that of the functions inside it included."""
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    inner = (last_line(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return max(last, *inner, code.co_firstlineno)


def fingerprint(lines: Iterable[bytes]) -> str:
    """Return 16 hex digits for the text of some lines, space at their ends and the first one's indentation aside."""
    return blake2b(b"\n".join(line.rstrip() for line in lines).strip(), digest_size=8).hexdigest()


def _steps(numbers: Iterable[int]) -> list[int]:
    """Return sorted numbers as the steps between them, which compress better."""
    found, last = [], 0
    for number in numbers:
        found.append(number - last)
        last = number
    return found


def leave(state: str, told: dict[str, object], worker: str) -> None:
    """Leave a file in the state folder, whole from the moment it has its name.

    Raises:
        OSError: There is no space or permission.
    """
    folder = os.path.join(state, FOLDER)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    waiting = sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))
    for name in waiting[: max(0, len(waiting) - KEPT_FILES + 1)]:
        os.unlink(os.path.join(folder, name))
    name = f"{time.time_ns() // 1000}-{os.getpid()}{'-' if worker else ''}{worker}"
    beside = os.path.join(folder, f"{name}.new")
    data = zlib.compress(json.dumps(told, separators=(",", ":")).encode("utf-8", "surrogatepass"), 6)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
    os.replace(beside, os.path.join(folder, name + SUFFIX))
