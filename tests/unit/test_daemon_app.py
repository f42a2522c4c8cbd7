import asyncio
import json
import logging
from typing import Any

import msgspec
import pytest

from memoire.daemon.app import App, Opening, Source
from memoire.errors import (
    DaemonUnavailableError,
    InternalError,
    InvalidArgumentError,
    MemoireError,
    StoreUnavailableError,
    UnknownOperationError,
    UnknownPathError,
)
from tests.daemon_places import run
from tests.fake_memoire import OPERATIONS, World, open_world


async def opened(world: World) -> Opening:
    opening = Opening("/proj", open_world(world))
    await opening.run()
    return opening


def ask(name: str, arguments: dict[str, Any]) -> Any:
    async def work() -> bytes:
        return await (await opened(World())).call(name, arguments)

    return json.loads(run(work()))


def test_an_operation_answers_json() -> None:
    assert ask("say", {"text": "hé", "times": 2})["text"] == "héhé"


def test_a_caller_waits_until_the_project_is_open() -> None:
    async def work() -> tuple[str, str, bytes]:
        opening = Opening("/proj", open_world(World()))
        calling = asyncio.create_task(opening.call("expand", {"path": "README.md"}))
        await asyncio.sleep(0)
        before = opening.state
        await opening.run()
        return before, opening.state, await calling

    assert run(work()) == ("starting", "ready", b'{"path":"README.md","type":"file"}')


def test_a_caller_hears_why_the_project_cannot_be_opened_and_it_is_tried_again() -> None:
    async def work() -> list[str]:
        opening = Opening("/proj", open_world(World(), failures=2), retry_s=0.01)
        waiting = asyncio.create_task(opening.call("say", {"text": "x"}))
        running = asyncio.create_task(opening.run())
        seen = []
        with pytest.raises(StoreUnavailableError, match="locked by a test"):
            await waiting
        seen.append(opening.state)
        with pytest.raises(StoreUnavailableError):
            await opening.call("say", {"text": "x"})
        await running
        await opening.call("say", {"text": "x"})
        seen += [opening.state, str(opening.failure)]
        return seen

    assert run(work()) == ["failed", "ready", "None"]


def test_a_caller_who_comes_back_once_it_is_mended_is_not_told_of_the_old_failure() -> None:
    world = World()
    attempts: list[int] = []

    async def open_() -> App:
        attempts.append(1)
        if not world.said:
            raise StoreUnavailableError("db", "no space left on device")
        source: Source = open_world(world)("/proj")
        return await source.open()

    async def work() -> bytes:
        opening = Opening("/proj", lambda _: Source(operations=OPERATIONS, instructions="", open=open_), retry_s=0.01)
        running = asyncio.create_task(opening.run())
        async with asyncio.timeout(5):
            while len(attempts) < 12:  # by then the next one that nobody asks for is 20 s away
                with pytest.raises(StoreUnavailableError):
                    await opening.call("say", {"text": "x"})
                await asyncio.sleep(0.01)
            world.said.append("mended")
            await asyncio.sleep(0.02)
            answered = await opening.call("expand", {"path": "README.md"})
        await running
        return answered

    assert run(work()) == b'{"path":"README.md","type":"file"}'


def test_a_hook_is_answered_by_the_open_project_and_never_waits_for_it_to_open() -> None:
    async def tell(client: str, report: bytes) -> bytes:
        return client.encode() + report

    async def work() -> tuple[bytes, bytes]:
        world = open_world(World())

        def load(root: str) -> Source:
            source = world(root)

            async def open_app() -> App:
                app: App = msgspec.structs.replace(await source.open(), hook=tell)
                return app

            opened_with_hook: Source = msgspec.structs.replace(source, open=open_app)
            return opened_with_hook

        opening = Opening("/proj", load)
        before = await opening.hook("a", b"1")
        await opening.run()
        return before, await opening.hook("b", b"2")

    assert run(work()) == (b"", b"b2")


def test_a_hook_that_fails_is_a_request_that_fails() -> None:
    async def work() -> bytes:
        async def tell(_client: str, _report: bytes) -> bytes:
            raise ValueError("broken")

        opening = await opened(World())
        assert opening._app is not None
        opening._app = msgspec.structs.replace(opening._app, hook=tell)
        return await opening.hook("a", b"")

    with pytest.raises(InternalError):
        run(work())


def test_who_waits_for_a_project_that_never_opens_hears_it() -> None:
    async def work() -> None:
        opening = Opening("/proj", open_world(World()))
        waiting = [asyncio.create_task(opening.call("say", {"text": "x"})), asyncio.create_task(opening.app())]
        await asyncio.sleep(0)
        opening.give_up("it is broken")
        for one in waiting:
            with pytest.raises(DaemonUnavailableError, match="it is broken"):
                await one

    run(work())


def test_what_nobody_foresaw_in_opening_is_not_tried_again() -> None:
    async def fail() -> App:
        raise ZeroDivisionError

    async def work() -> None:
        await Opening("/proj", lambda _: Source(operations=OPERATIONS, instructions="", open=fail)).run()

    with pytest.raises(ZeroDivisionError):
        run(work())


@pytest.mark.parametrize(
    ("name", "arguments", "error", "near"),
    [
        ("exapnd", {"path": "x"}, UnknownOperationError, ("expand",)),
        ("expand", {"pth": "x"}, InvalidArgumentError, ("path",)),
        ("expand", {}, InvalidArgumentError, ()),
        ("expand", {"path": 5}, InvalidArgumentError, ()),
        ("say", {"text": "x", "times": 0}, InvalidArgumentError, ()),
        ("expand", {"path": "READ.md"}, UnknownPathError, ("README.md",)),
    ],
)
def test_a_wrong_call_is_told_with_what_was_probably_meant(
    name: str, arguments: dict[str, Any], error: type[MemoireError], near: tuple[str, ...]
) -> None:
    with pytest.raises(error) as caught:
        ask(name, arguments)
    assert getattr(caught.value, "near", ()) == near


@pytest.mark.shows("H5")
def test_of_a_fault_the_caller_hears_only_that_it_happened(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR), pytest.raises(InternalError) as caught:
        ask("fail", {})
    assert "hunter2" not in str(caught.value)
    assert [record.getMessage() for record in caplog.records] == ["request failed what=fail"]


async def cancelled(name: str) -> tuple[bool, bool]:
    """Cancel a call in the middle; return whether its operation went on to the end, then whether `close` waited."""
    world = World()
    opening = await opened(world)
    calling = asyncio.create_task(opening.call(name, {}))
    await world.entered.wait()
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    closing = asyncio.create_task(opening.close())
    await asyncio.sleep(0)
    is_waited_for = not closing.done() and not world.is_closed
    world.gate.set()
    await closing
    return is_waited_for, world.is_closed


def test_a_change_whose_caller_went_away_is_finished_before_the_store_is_closed() -> None:
    assert run(cancelled("wait_and_write")) == (True, True)


def test_a_question_whose_caller_went_away_is_dropped() -> None:
    async def work() -> bool:
        world = World()
        opening = await opened(world)
        calling = asyncio.create_task(opening.call("wait", {}))
        await world.entered.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await opening.close()  # the gate is still shut
        return world.is_closed

    assert run(work())


def test_a_daemon_that_was_just_asked_is_not_idle() -> None:
    async def work() -> bool:
        opening = await opened(World())
        before = opening.last_activity()
        await opening.call("say", {"text": "x"})
        return opening.last_activity() > before

    assert run(work())
