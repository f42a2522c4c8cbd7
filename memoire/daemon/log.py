"""The daemon's log: rotated, private, and without a word of what the project or its notes say."""

import logging
import logging.handlers
import os
import time
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from memoire.errors import MemoireError

MAX_BYTES = 1 << 20
BACKUPS = 3
_LIBRARIES = ("mcp", "asyncio", "watchdog")

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Formatter(logging.Formatter):
    """One line per record, UTC; of an exception where it happened and its class.

    Its message is left out unless it is of our own making or the system's: it might quote what was being read.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as it is written."""
        record.exc_text = None  # another handler may have kept its own, whole, version there
        text = super().format(record)
        record.exc_text = None
        return text

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 - the name is logging's
        """Return the frames and the class of the exception and of what caused it."""
        lines: list[str] = []
        error = ei[1]
        while error is not None and len(lines) < 200:
            lines += [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in _frames(error)]
            lines.append(f"{type(error).__module__}.{type(error).__qualname__}{_message(error)}")
            error = error.__cause__
        return "\n".join(lines)


class Handler(logging.handlers.RotatingFileHandler):
    """Rotates at 1 MiB, keeps three; the daemon's stdout and stderr follow it, so that a crash is told there too."""

    def __init__(self, path: Path, *, takes_stdout: bool) -> None:
        self._takes_stdout = takes_stdout
        super().__init__(path, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8", errors="backslashreplace")

    def _open(self) -> TextIOWrapper:
        fd = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        os.fchmod(fd, 0o600)
        if self._takes_stdout:
            os.dup2(fd, 1)
            os.dup2(fd, 2)
        return TextIOWrapper(os.fdopen(fd, "ab"), encoding=self.encoding, errors=self.errors, line_buffering=True)


def start_log(path: Path, *, level: int, foreground: bool) -> list[logging.Handler]:
    """Send every record of the process to the file, in the foreground to stderr too; return what `end_log` takes."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handlers: list[logging.Handler] = [Handler(path, takes_stdout=not foreground)]
    if foreground:
        handlers.append(logging.StreamHandler())
    root = logging.getLogger()
    for handler in handlers:
        handler.setFormatter(Formatter())
        root.addHandler(handler)
    root.setLevel(level)
    for name in _LIBRARIES:  # at their finer levels they quote messages
        logging.getLogger(name).setLevel(logging.WARNING)
    return handlers


def end_log(handlers: Sequence[logging.Handler]) -> None:
    """Take the handlers off, and close the file."""
    for handler in handlers:
        logging.getLogger().removeHandler(handler)
        handler.close()


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    return list(traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), lookup_lines=False))[-30:]


def _message(error: BaseException) -> str:
    if isinstance(error, MemoireError | OSError | ImportError):
        return f": {error}".replace("\n", " ")[:500]
    return ""
