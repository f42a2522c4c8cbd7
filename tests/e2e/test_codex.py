"""The real Codex CLI, offline, in a project that was set up: what it is told, and what is remembered of it.

The model is a stand-in on loopback that reads, edits, asks memoire and runs tests as the test wrote down.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from memoire import paths, setup
from memoire.clients import codex
from memoire.operations import OPERATIONS
from memoire.sdk import Memoire
from tests.daemon_places import Place, wait_until
from tests.e2e import assistants
from tests.model_api import ModelApi
from tests.responses_api import call, responses_api, words

CODEX = os.environ.get("MCP_TEST_CODEX") or shutil.which("codex")
"""The program; that on PATH unless told otherwise. `npm install @openai/codex` brings it."""

pytestmark = pytest.mark.skipif(CODEX is None, reason="Codex CLI is not installed, and MCP_TEST_CODEX names none")


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    with assistants.project(monkeypatch) as place:
        trusted = place.home / ".codex" / "config.toml"
        trusted.parent.mkdir(exist_ok=True)
        trusted.write_text(f'[projects."{place.root}"]\ntrust_level = "trusted"\n')
        yield place


def run_codex(place: Place, api: ModelApi, prompt: str) -> subprocess.CompletedProcess[str]:
    assert CODEX is not None
    environment = {"HOME": str(place.home), "PATH": os.environ["PATH"], "OPENAI_API_KEY": "none"}
    provider = f'{{name="mock",base_url="{api.url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}}'
    command = [
        CODEX, "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox", "-c", "model_provider=mock",
        "-c", f"model_providers.mock={provider}", "-c", "model=gpt-5", prompt,
    ]  # fmt: skip
    return subprocess.run(
        command, cwd=place.root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=assistants.BOUND_S, check=False,
    )  # fmt: skip


def told(request: dict[str, Any]) -> list[str]:
    return assistants.contexts("\n".join(
        block["text"]
        for item in request["input"] if item.get("type") == "message"
        for block in item["content"] if "text" in block
    ))  # fmt: skip


def tools(request: dict[str, Any]) -> set[str]:
    """The names of memoire's tools that the model is offered."""
    found = set()
    for tool in request["tools"]:
        inner = [one.get("name") for one in tool.get("tools", ())] if "memoire" in tool.get("name", "") else []
        found |= {*inner, tool.get("name", "").removeprefix("mcp__memoire__")}
    return {name for name in found if name}


def test_a_session_is_told_of_the_project_and_of_its_files_and_is_remembered(place: Place) -> None:
    setup.init(place.root, clients=(codex.CLIENT,))
    project = Memoire(place.root)
    project.ingest()
    pytest_command = f"{sys.executable} -m pytest -q -p no:cacheprovider tests"
    turns = [
        call("exec_command", cmd="cat shop/cart.py"),
        call("exec_command", cmd="sed -i 's/sum(prices)/len(prices)/' shop/cart.py"),
        call("exec_command", cmd=pytest_command),
        words("It fails."),
    ]
    with responses_api(turns) as api:
        done = run_codex(place, api, "Mend the cart")
        asked = list(api.requests)
    assert done.returncode == 0, done.stderr
    assert len(asked) == len(turns)

    offered = {operation.name for operation in OPERATIONS if operation.is_tool}
    assert offered <= tools(asked[0]), asked[0]["tools"]
    start = told(asked[0])[0]
    assert start.startswith(f'<memoire-context project="{paths.project_id(place.root)}" ')
    assert "tests/test_cart.py ASSERTS_ON shop/cart.py" in start
    beside = [text for text in told(asked[-1]) if 'file="shop/cart.py"' in text]
    assert "- tests that assert on it (1): tests/test_cart.py" in beside[0]
    assert len(beside) == 1

    def summaries() -> list[str]:
        return [event["summary"] for event in project.recent_events(limit=50)["events"]]

    wait_until(lambda: any(text.startswith("Session ended") for text in summaries()))
    found = summaries()
    assert any(re.fullmatch(r"Ran `.*py.*`(?: in [0-9.]+ s)?: 1 failed", text) for text in found), found
    assert "Asked: Mend the cart" in found
    assert any(text.startswith("Edited shop/cart.py") for text in found)
    assert list((place.state / "spool").iterdir()) == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("get_context", {}), ("expand", {"path": "shop/cart.py"}), ("search", {"query": "cart"}), ("memory_list", {})],
)
def test_the_model_calls_a_tool_and_gets_its_answer(tool: str, arguments: dict[str, Any], place: Place) -> None:
    setup.init(place.root, clients=(codex.CLIENT,))
    Memoire(place.root).ingest()
    with responses_api([words("ready")]) as api:
        run_codex(place, api, "hi")
        offered = api.requests[0]["tools"]
    named = next((one["name"] for one in offered if "memoire" in one.get("name", "") and "tools" in one), "")
    call_it = call(tool, namespace=named, **arguments) if named else call(f"mcp__memoire__{tool}", **arguments)
    with responses_api([call_it, words("done")]) as api:
        done = run_codex(place, api, "ask")
        (output,) = [item for item in api.requests[-1]["input"] if item.get("type") == "function_call_output"]
    assert done.returncode == 0, done.stderr
    text = json.dumps(output["output"])
    assert "project_id" in text or "shop/cart.py" in text or "notes" in text, text
    assert "failed" not in text.lower()
