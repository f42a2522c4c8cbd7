"""The whole of it: `memoire mcp`, the daemon that it starts, a real store, and files that change."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import PromptReference, ResourceTemplateReference

from memoire import launch
from memoire.sdk import Memoire
from tests.daemon_places import BOUND_S, Place, Process, call, new_place, run

FILES = {
    "README.md": "# Shop\n\nThe cart is in `shop/cart.py`.\n",
    "shop/__init__.py": "",
    "shop/cart.py": '"""Holds what is bought."""\n\n\ndef total(prices):\n    return sum(prices)\n',
    "shop/page.py": "from shop.cart import total\n\n\ndef show(prices):\n    return total(prices)\n",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
}


@pytest.fixture
def place() -> Iterator[Place]:
    with new_place() as place:
        for name, text in FILES.items():
            path = Path(place.root, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        yield place


def server(place: Place) -> StdioServerParameters:
    env = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}  # of a clone that is not installed
    return StdioServerParameters(command=sys.executable, args=["-P", "-m", "memoire", "mcp"], cwd=place.root, env=env)


async def ask(client: Client, tool: str, arguments: dict[str, Any]) -> Any:
    """Call a tool; the client checks the answer against the tool's output schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_four_tools_answer_an_assistant(place: Place, mode: str) -> None:
    async def work() -> dict[str, Any]:
        async with Client(server(place), mode=mode) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} >= {"get_context", "expand"}
            await asyncio.to_thread(Memoire(place.root).ingest)
            found = {
                "context": await ask(client, "get_context", {}),
                "expand": await ask(client, "expand", {"path": "shop/cart.py"}),
                "search": await ask(client, "search", {"query": "total"}),
                "events": await ask(client, "recent_events", {"limit": 5}),
            }
            wrong = await client.call_tool("expand", {"path": "shop/kart.py"})
            return {**found, "wrong": wrong.content[0].text}  # type: ignore[union-attr]  # it is text

    found = run(work())
    assert any(edge["target"].startswith("shop/cart.py") for edge in found["context"]["relationships"])
    assert found["expand"]["path"] == "shop/cart.py"
    assert found["expand"]["type"] == "file"
    assert any("shop/cart.py" in str(hit) for hit in found["search"]["results"])
    assert isinstance(found["events"]["events"], list)
    assert found["wrong"].startswith("ERR_UNKNOWN_PATH: 'shop/kart.py'")
    assert "shop/cart.py" in found["wrong"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.shows("H8", "H64", "H83")
def test_notes_are_resources_and_prompts_for_an_assistant(place: Place, mode: str) -> None:
    note = {"text": "The cart adds up.", "type": "decision", "about": ["shop/cart.py"], "session": "s1"}

    async def work() -> dict[str, Any]:
        async with Client(server(place), mode=mode) as client:
            await asyncio.to_thread(Memoire(place.root).ingest)
            (made,) = (await ask(client, "memory_write", {"notes": [note]}))["results"]
            shown = await client.read_resource(f"memoire://note/{made['id']}")
            whole = json.loads(shown.contents[0].text)["notes"][0]  # type: ignore[union-attr]  # it is text
            await ask(client, "memory_revise", {"action": "supersede", "ids": [made["id"]], "text": "It rounds."})
            pinned = await client.read_resource(whole["pinned"])
            newest = await client.read_resource(f"memoire://note/{made['id']}")
            template = ResourceTemplateReference(uri="memoire://note/{+id}")
            completed = await client.complete(template, {"name": "id", "value": "notes/dec"})
            prompt = PromptReference(name="review_stale")
            paths = await client.complete(prompt, {"name": "path", "value": "shop/ca"})
            with pytest.raises(Exception, match="nothere"):
                await client.read_resource("memoire://note/nothere")
            return {
                "prompts": [one.name for one in (await client.list_prompts()).prompts],
                "prompt": (await client.get_prompt("review_stale", {"path": "shop/cart.py"})).messages[0].content.text,  # type: ignore[union-attr]  # it is text
                "pinned": json.loads(pinned.contents[0].text)["notes"][0]["text"],  # type: ignore[union-attr]  # it is text
                "newest": json.loads(newest.contents[0].text)["notes"][0]["text"],  # type: ignore[union-attr]  # it is text
                "completed": completed.completion.values,
                "paths": paths.completion.values,
            }

    found = run(work())
    assert found["prompts"] == ["save_session", "review_stale", "merge_duplicates"]
    assert "nothing to review" in found["prompt"]
    assert (found["pinned"], found["newest"]) == ("The cart adds up.", "It rounds.")
    assert found["completed"] == ["notes/decision/shop/it-rounds"]
    assert found["paths"] == ["shop/cart.py"]


def test_a_saved_file_is_seen_by_the_next_question(place: Place) -> None:
    project = Memoire(place.root)
    project.ingest()
    Path(place.root, "shop", "refund.py").write_text("def give_back(order):\n    return order\n")
    assert project.expand("shop/refund.py")["path"] == "shop/refund.py"
    assert project.search("give_back")["results"]


def test_what_was_taken_in_survives_a_killed_daemon(place: Place) -> None:
    project = Memoire(place.root)
    before = project.ingest()
    place.kill_daemon()
    assert project.expand("shop/cart.py")["path"] == "shop/cart.py"
    assert project.ingest()["edges"] == before["edges"]


def test_eight_assistants_at_once_on_a_fresh_project_all_work(place: Place) -> None:
    command = [sys.executable, "-P", "-m", "memoire", "mcp"]
    clients = [Process(command, cwd=place.root) for _ in range(8)]
    try:
        for client in clients:
            client.send(call(1, "get_context", is_modern=True))
        answers = [client.receive() for client in clients]
        assert not [answer for answer in answers if answer["result"]["isError"]]
        assert place.log.count("serving pid=") == 1
        assert [client.end() for client in clients] == [0] * 8
    finally:
        for client in clients:
            client.__exit__()


def test_a_daemon_is_stopped_and_started_on_the_same_store(place: Place) -> None:
    project = Memoire(place.root, timeout_s=BOUND_S)
    files = project.ingest()["files"]
    assert project.stop()
    assert not launch.is_running(place.root)
    assert project.status()["state"] in {"starting", "ready"}
    assert project.ingest()["files"] == files
    assert project.stop()
