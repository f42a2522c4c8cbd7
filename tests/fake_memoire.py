"""A daemon and a forwarder that are real in all but the project: a few small operations stand in for it.

`python -m tests.fake_memoire daemon --root ROOT` and `python -m tests.fake_memoire mcp ROOT BAKED` are processes of it.
`real-daemon` is the daemon in earnest, but that it looks ten times a second whether it should end.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from memoire.errors import StoreUnavailableError, UnknownPathError
from memoire.operations._spec import Operation

FILES = tuple(sorted(["README.md", "src/naïve file.py", *(f"src/mod_{number:03}.py" for number in range(150))]))


class Nothing(msgspec.Struct, frozen=True):
    """No parameters."""


class Path(msgspec.Struct, frozen=True):
    """A path."""

    path: Annotated[str, msgspec.Meta(description="Relative path from project root.", min_length=1)]


class Words(msgspec.Struct, frozen=True):
    """Some text, some times."""

    text: Annotated[str, msgspec.Meta(description="What to say.")]
    times: Annotated[int, msgspec.Meta(description="How often.", ge=1, le=1_000_000)] = 1


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was said."""

    text: str
    pid: int
    times: int = 1


class Node(msgspec.Struct, frozen=True):
    """A path and its kind."""

    path: str
    type: str


class World:
    """What the operations act on."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.gate = asyncio.Event()
        self.entered = asyncio.Event()
        self.is_closed = False


async def say(world: World, params: Words) -> Said:
    world.said.append(params.text)
    return Said(params.text * params.times, os.getpid(), params.times)


async def expand(_: World, params: Path) -> Node:
    if params.path in {".", "src/"}:
        return Node(params.path, "directory")
    if params.path not in FILES:
        raise UnknownPathError(params.path, near=["README.md"])
    return Node(params.path, "file")


async def get_context(_: World, __: Nothing) -> Node:
    return Node(".", "directory")


async def wait(world: World, _: Nothing) -> Said:
    world.entered.set()
    await world.gate.wait()
    return Said("waited", os.getpid())


async def hold(_: World, params: Path) -> Said:
    """Answers once the FIFO was opened for writing: that tells the other side, too, that this has begun."""
    return Said(await asyncio.to_thread(_read, params.path), os.getpid())


async def fail(_: World, __: Nothing) -> Said:
    raise ValueError("the password is hunter2")


async def die(_: World, __: Nothing) -> Said:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as fifo:  # noqa: PTH123 - blocks until the other end is there
        return fifo.read()


def operation(name: str, params: Any, result: Any, run: Any, **more: Any) -> Operation[Any, Any, Any]:
    return Operation(name, f"{name}, for a test", f"Does {name}.", params, result, run, **more)


OPERATIONS = (
    operation("get_context", Nothing, Node, get_context, command="context"),
    operation("expand", Path, Node, expand),
    operation("say", Words, Said, say),
    operation("write", Words, Said, say, read_only=False),
    operation("wait", Nothing, Said, wait),
    operation("wait_and_write", Nothing, Said, wait, read_only=False),
    operation("hold", Path, Said, hold),
    operation("hold_and_write", Path, Said, hold, read_only=False),
    operation("fail", Nothing, Said, fail),
    operation("die", Nothing, Said, die),
    operation("die_writing", Nothing, Said, die, read_only=False),
    operation("hidden", Nothing, Node, get_context, is_tool=False),
)


def open_world(world: World, *, idle_s: float = 1800.0, failures: int = 0, **more: Any) -> Any:
    """Return the `load` of a daemon that serves the world; its first `failures` attempts to open it fail."""
    from memoire.daemon.app import App, Source

    attempts: list[int] = []

    async def ingest() -> Mapping[str, Any]:
        return {"files": len(FILES)}

    async def close() -> None:
        world.is_closed = True

    def complete(prefix: str) -> Sequence[str]:
        return [path for path in FILES if path.startswith(prefix)]

    born = time.monotonic()

    async def open_() -> App:
        attempts.append(1)
        if len(attempts) <= failures:
            raise StoreUnavailableError("db", "it is locked by a test")
        return App(
            memory=world,
            complete=complete,
            status=lambda: {"files": len(FILES)},
            ingest=ingest,
            last_activity=lambda: born,
            close=close,
            idle_s=idle_s,
            **more,
        )

    def load(_: str) -> Source:
        return Source(operations=OPERATIONS, instructions="For tests.", open=open_)

    return load


def daemon_command(root: str, name: str = "daemon") -> list[str]:
    return [sys.executable, "-P", "-m", "tests.fake_memoire", name, "--root", root]


def main(arguments: list[str]) -> int:
    if arguments[0] == "mcp":
        from memoire.forwarder import forward

        return forward(arguments[1], arguments[2], daemon_command(arguments[1]))
    from memoire import launch
    from memoire.daemon import lifecycle, start

    if arguments[0] == "old-daemon":
        launch.VERSION = "0.0.1"
    if arguments[0] == "real-daemon":
        return start.main(arguments[1:], lambda bound: lifecycle.serve(bound, check_s=0.1))
    return start.main(arguments[1:], lambda bound: lifecycle.serve(bound, open_world_in_process, check_s=0.1))


def open_world_in_process(root: str) -> Any:
    return open_world(World())(root)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
