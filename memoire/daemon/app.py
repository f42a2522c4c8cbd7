"""What the daemon serves, while it is opened and after: operations, and the one place where they are called."""

import asyncio
import difflib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from memoire.errors import DaemonUnavailableError, InternalError, MemoireError, UnknownOperationError
from memoire.operations._spec import Operation

logger = logging.getLogger(__name__)

FIRST_RETRY_S = 2.0
LAST_RETRY_S = 60.0
IDLE_S = 30 * 60.0

T = TypeVar("T")

AnyOperation = Operation[Any, Any, Any]


def _nothing() -> None:
    return None


def _no() -> bool:
    return False


def _yes() -> bool:
    return True


async def _nothing_to_tell(_client: str, _report: bytes) -> bytes:
    return b""


class App(msgspec.Struct, frozen=True, kw_only=True):
    """An open project, as the daemon sees it."""

    memory: Any
    """What every operation's `run` gets."""
    complete: Callable[[str], Sequence[str]]
    """Paths of the project that begin with the text."""
    status: Callable[[], Mapping[str, Any]]
    ingest: Callable[[], Awaitable[Mapping[str, Any]]]
    """Take the whole tree in again; returns what that did."""
    last_activity: Callable[[], float]
    """When it last had work to do, on the monotonic clock: a daemon with work is not idle."""
    close: Callable[[], Awaitable[None]]
    look_again: Callable[[], None] = _nothing
    """Let it compare its whole tree: the machine has slept, and who knows what happened meanwhile."""
    is_root_gone: Callable[[], bool] = _no
    """Whether its folder was removed or moved away, even if another one is there now."""
    owns_store: Callable[[], bool] = _yes
    """Whether it still holds the lock under which it may write."""
    is_damaged: Callable[[], bool] = _no
    """Whether its store was found damaged: the next daemon rebuilds it."""
    hook: Callable[[str, bytes], Awaitable[bytes]] = _nothing_to_tell
    """Takes a client and what its hook reports; returns what the hook is to print."""
    idle_s: float = IDLE_S
    """The daemon ends after so long without an assistant, a request or work of its own; 0 = never."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """What can be known without opening the project, and how to open it."""

    operations: tuple[AnyOperation, ...]
    instructions: str
    """What an assistant is told when it connects."""
    open: Callable[[], Awaitable[App]]
    """May raise a `MemoireError`: the store is locked, the disk is full. It is tried again, and callers hear why."""


Load = Callable[[str], Source]
"""Returns the source for a root. It runs in a thread, because it imports what is heavy."""


class Opening:
    """The app from the daemon's first moment on: who needs it before it is open waits, and hears why if it is not."""

    def __init__(self, root: str, load: Load, *, retry_s: float = FIRST_RETRY_S) -> None:
        self._root = root
        self._retry_s = retry_s
        self._load = load
        self._source: Source | None = None
        self._app: App | None = None
        self._failure: MemoireError | None = None
        self._is_loaded = asyncio.Event()
        self._is_tried = asyncio.Event()
        """Clear while an attempt runs or may be made for who asks."""
        self._is_wanted = asyncio.Event()
        self._changes: set[asyncio.Task[msgspec.Struct]] = set()
        self._last_call = time.monotonic()

    @property
    def state(self) -> str:
        """Return starting, ready, or failed (and tried again by and by)."""
        if self._app is not None:
            return "ready"
        return "starting" if self._failure is None else "failed"

    @property
    def failure(self) -> MemoireError | None:
        """Return why the last attempt failed, None if it did not."""
        return self._failure

    @property
    def idle_s(self) -> float:
        """Return after how long without anything to do the daemon ends; 0 = never."""
        return self._app.idle_s if self._app is not None else IDLE_S

    async def run(self) -> None:
        """Load and open, as often as it takes.

        Raises:
            Exception: Loading or opening failed in a way that nobody foresaw; another attempt would be no better.
        """
        self._source = await asyncio.to_thread(self._load, self._root)
        self._is_loaded.set()
        delay_s = self._retry_s
        while self._app is None:
            try:
                self._app = await self._source.open()
                self._failure = None
            except MemoireError as error:
                logger.warning("opening failed code=%s: %s", error.code, error)
                self._failure = error
            self._is_tried.set()
            if self._failure is not None:
                await self._pause(delay_s)
                delay_s = min(delay_s * 2, LAST_RETRY_S)

    async def _pause(self, delay_s: float) -> None:
        """Wait for the next attempt, not for long where somebody asks: what failed may be mended by now."""
        await asyncio.sleep(self._retry_s)
        self._is_wanted.clear()
        self._is_tried.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(delay_s - self._retry_s):
                await self._is_wanted.wait()

    def give_up(self, why: str) -> None:
        """Let everybody who waits hear that the app will not be opened any more."""
        self._failure = DaemonUnavailableError(self._root, why)
        self._is_loaded.set()
        self._is_tried.set()

    async def source(self) -> Source:
        """Return what is known without opening the project, as soon as it is loaded.

        Raises:
            DaemonUnavailableError: It never will be.
        """
        await self._is_loaded.wait()
        if self._source is None:
            raise self._why()
        return self._source

    async def app(self) -> App:
        """Return the open app; waits for an attempt to open it, unless one has just failed.

        Raises:
            MemoireError: The last attempt failed.
        """
        self._is_wanted.set()
        await self._is_tried.wait()
        if self._app is None:
            raise self._why()
        return self._app

    async def call(self, name: str, arguments: Mapping[str, Any]) -> bytes:
        """Return the result of one operation as JSON.

        Raises:
            MemoireError: What was asked for cannot be done; of any other failure only that it happened.
        """
        return await answer(name, self._call(name, arguments))

    async def hook(self, client: str, report: bytes) -> bytes:
        """Return what the hook of a client is to print; nothing while the project is not open: a hook does not wait.

        Raises:
            MemoireError: What there is to tell cannot be read.
        """
        if self._app is None:
            return b""
        self._last_call = time.monotonic()
        return await answer("a hook", self._app.hook(client, report))

    async def complete(self, prefix: str) -> Sequence[str]:
        """Return the paths that begin with the text.

        Raises:
            MemoireError: The project cannot be opened.
        """
        return await answer("a completion", self._complete(prefix))

    async def ingest(self) -> Mapping[str, Any]:
        """Take the whole tree in again; return what that did.

        Raises:
            MemoireError: The project cannot be opened, or the store does not take it.
        """
        return await answer("ingest", self._ingest())

    def status(self) -> Mapping[str, Any]:
        """Return what the open app says of itself; nothing before it is open."""
        return self._app.status() if self._app is not None else {}

    def look_again(self) -> None:
        """Let the open app compare its tree; one that is being opened does so anyway."""
        if self._app is not None:
            self._app.look_again()

    def is_root_gone(self) -> bool:
        """Return whether the open app knows that its folder was removed or moved away."""
        return self._app is not None and self._app.is_root_gone()

    def owns_store(self) -> bool:
        """Return whether the open app may still write; True before it is open."""
        return self._app is None or self._app.owns_store()

    def is_damaged(self) -> bool:
        """Return whether the store of the open app was found damaged."""
        return self._app is not None and self._app.is_damaged()

    def last_activity(self) -> float:
        """Return when there was last something to do, on the monotonic clock."""
        own = self._app.last_activity() if self._app is not None else 0.0
        return max(self._last_call, own)

    async def close(self) -> None:
        """Finish the changes that still run, then close the app."""
        if self._changes:
            await asyncio.wait(self._changes)
        if self._app is not None:
            await self._app.close()

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> bytes:
        operation = _find(name, (await self.source()).operations)
        params = operation.parse(arguments)
        app = await self.app()
        self._last_call = time.monotonic()
        if operation.read_only:
            return msgspec.json.encode(await operation.run(app.memory, params))
        # A caller that goes away must not leave half of a change behind.
        change = asyncio.ensure_future(operation.run(app.memory, params))
        self._changes.add(change)
        change.add_done_callback(self._changes.discard)
        return msgspec.json.encode(await asyncio.shield(change))

    async def _complete(self, prefix: str) -> Sequence[str]:
        return (await self.app()).complete(prefix)

    async def _ingest(self) -> Mapping[str, Any]:
        return await (await self.app()).ingest()

    def _why(self) -> MemoireError:
        assert self._failure is not None
        return self._failure.with_traceback(None)


async def answer(what: str, work: Awaitable[T]) -> T:
    """Return what the work returns: the one place where a request of whatever kind is done, and may fail.

    Raises:
        MemoireError: As the work raised it; of any other failure only that it happened, the rest is in the log.
    """
    try:
        return await work
    except MemoireError:
        raise
    except Exception as error:  # boundary: request
        logger.exception("request failed what=%s", what)
        raise InternalError(what) from error


def near_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the name that was probably meant, else all there are."""
    known = sorted(names)
    return tuple(difflib.get_close_matches(name, known, n=1, cutoff=0.5) or known)


def _find(name: str, operations: Sequence[AnyOperation]) -> AnyOperation:
    found = {operation.name: operation for operation in operations}
    if name not in found:
        raise UnknownOperationError(name, near_names(name, found))
    return found[name]
