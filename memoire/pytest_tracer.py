"""Collects the functions of a project that are executed, for `memoire.pytest_plugin`. Standard library only."""

import sys
import threading
from collections.abc import Iterable
from types import CodeType, FrameType

_FUNCTION = 1
"""`inspect.CO_OPTIMIZED`: code with fast locals; that of a module or the body of a class has none."""
_FOREIGN = frozenset(
    ("site-packages", "dist-packages", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".nox", ".git")
)

if sys.version_info >= (3, 12):

    class Tracer:
        """Collects the functions of a project that are executed, through `sys.monitoring`.

        One tool finds them: it hears of every function once in the process. The other one listens to those that were
        found alone. It lets go of each function at its first call; `take` lets it listen again.
        """

        is_cheap = True

        def __init__(self, prefixes: tuple[str, ...], more: Iterable[CodeType]) -> None:
            self._prefixes = prefixes
            self._more = list(more)
            self._seen: dict[int, CodeType] = {}
            self._tools: list[int] = []

        @property
        def has_room(self) -> bool:
            """Whether it can begin beside debuggers and profilers."""
            return len(self._free()) >= 2

        def _free(self) -> list[int]:
            return [tool for tool in (4, 3, 2, 1, 0, 5) if sys.monitoring.get_tool(tool) is None]

        def start(self) -> bool:
            """Begin, where there is room for it; return whether it did."""
            if not self.has_room:
                return False
            self._tools = self._free()[:2]
            for tool in self._tools:
                sys.monitoring.use_tool_id(tool, "memoire")
            events = sys.monitoring.events
            finds, listens = self._tools
            for event in (events.PY_START, events.PY_RESUME):
                sys.monitoring.register_callback(listens, event, self._hear)
            sys.monitoring.register_callback(finds, events.PY_START, self._find)
            sys.monitoring.set_events(finds, events.PY_START)
            for code in self._more:
                sys.monitoring.set_local_events(listens, code, _HEARD)
            return True

        def stop(self) -> None:
            """End."""
            for tool in self._tools:
                sys.monitoring.set_events(tool, 0)
                sys.monitoring.free_tool_id(tool)
            self._tools = []

        def take(self) -> list[CodeType]:
            """Return what was executed since the last time."""
            if not self._seen:
                return []
            seen, self._seen = self._seen, {}
            listen, tool = sys.monitoring.set_local_events, self._tools[1]
            for code in seen.values():
                listen(tool, code, 0)
                listen(tool, code, _HEARD)
            return list(seen.values())

        def _find(self, code: CodeType, _offset: int) -> object:
            if code.co_filename.startswith(self._prefixes) and is_own(code):
                self._seen[id(code)] = code
                sys.monitoring.set_local_events(self._tools[1], code, _HEARD)
            return sys.monitoring.DISABLE

        def _hear(self, code: CodeType, _offset: int) -> object:
            self._seen[id(code)] = code
            return sys.monitoring.DISABLE

    _HEARD = sys.monitoring.events.PY_START | sys.monitoring.events.PY_RESUME
    """A generator, or a coroutine, may be started by one test and resumed by another."""

else:

    class Tracer:
        """Collects the functions of a project that are executed, through `sys.settrace`: each call of any is heard."""

        is_cheap = False

        def __init__(self, prefixes: tuple[str, ...], more: Iterable[CodeType]) -> None:
            self._prefixes = prefixes
            self._seen: dict[int, CodeType] = {}
            self._own: dict[int, tuple[CodeType, bool]] = {id(code): (code, True) for code in more}

        @property
        def has_room(self) -> bool:
            """Whether nothing traces, this one included."""
            return sys.gettrace() is None and threading.gettrace() is None

        def start(self) -> bool:
            """Begin, where nothing else traces; return whether it did."""
            if not self.has_room:
                return False
            threading.settrace(self._hear)
            sys.settrace(self._hear)
            return True

        def stop(self) -> None:
            """End; what others set meanwhile stays."""
            if sys.gettrace() == self._hear:
                sys.settrace(None)
            if threading.gettrace() == self._hear:
                threading.settrace(None)

        def take(self) -> list[CodeType]:
            """Return what was executed since the last time."""
            seen, self._seen = self._seen, {}
            found = []
            for number, code in seen.items():
                known = self._own.get(number)
                if known is None:
                    known = (code, code.co_filename.startswith(self._prefixes) and is_own(code))
                    self._own[number] = known
                if known[1]:
                    found.append(code)
            return found

        def _hear(self, frame: FrameType, _event: str, _argument: object) -> None:
            code = frame.f_code
            self._seen[id(code)] = code


def is_own(code: CodeType) -> bool:
    """Return whether code is a function, and lies in no folder of other people's code."""
    return bool(code.co_flags & _FUNCTION) and _FOREIGN.isdisjoint(code.co_filename.split("/"))
