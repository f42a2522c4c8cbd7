"""The real OpenCode, offline, in a project that was set up: what it is told, and what is remembered of it.

The model is a stand-in on loopback that reads, edits, asks memoire and runs tests as the test wrote down.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoire import paths, setup
from memoire.clients import opencode
from memoire.operations import OPERATIONS
from memoire.sdk import Memoire
from tests.completions_api import completions_api, function, text
from tests.daemon_places import Place, wait_until
from tests.e2e import assistants
from tests.model_api import ModelApi

OPENCODE = os.environ.get("MCP_TEST_OPENCODE") or shutil.which("opencode")
"""The program; that on PATH unless told otherwise. `npm install opencode-ai` brings it."""

pytestmark = pytest.mark.skipif(OPENCODE is None, reason="OpenCode is not installed, and MCP_TEST_OPENCODE names none")


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    with assistants.project(monkeypatch) as place:
        subprocess.run(["git", "init", "-q", "."], cwd=place.root, check=True)
        yield place


def run_opencode(place: Place, api: ModelApi, prompt: str) -> subprocess.CompletedProcess[str]:
    assert OPENCODE is not None
    user = place.home / ".config" / "opencode" / "opencode.json"
    user.parent.mkdir(parents=True, exist_ok=True)
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Mock",
        "options": {"baseURL": f"{api.url}/v1", "apiKey": "none"},
        "models": {"m": {"name": "m", "tool_call": True}},
    }
    user.write_text(json.dumps({"provider": {"mock": provider}, "model": "mock/m", "autoupdate": False}))
    return subprocess.run(
        [OPENCODE, "run", prompt], cwd=place.root, env={"HOME": str(place.home), "PATH": os.environ["PATH"]},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=assistants.BOUND_S, check=False,
    )  # fmt: skip


def test_a_session_is_told_of_the_project_and_of_its_files_and_is_remembered(place: Place) -> None:
    setup.init(place.root, clients=(opencode.CLIENT,))
    project = Memoire(place.root)
    project.ingest()
    cart = f"{place.root}/shop/cart.py"
    turns = [
        function("memoire_expand", path="shop/page.py"),
        function("read", filePath=cart),
        function("edit", filePath=cart, oldString="sum(prices)", newString="len(prices)"),
        function("bash", command=f"{sys.executable} -m pytest -q -p no:cacheprovider tests", description="Run tests"),
        text("It fails."),
    ]
    with completions_api(turns) as api:
        done = run_opencode(place, api, "Mend the cart")
        asked = list(api.requests)
    assert done.returncode == 0, done.stderr
    assert len(asked) == len(turns), done.stderr

    offered = {operation.name for operation in OPERATIONS if operation.is_tool}
    assert offered <= {tool["function"]["name"].removeprefix("memoire_") for tool in asked[0]["tools"]}
    system = "\n".join(message["content"] for message in asked[0]["messages"] if message["role"] == "system")
    (start,) = assistants.contexts(system)
    assert start.startswith(f'<memoire-context project="{paths.project_id(place.root)}" ')
    assert "tests/test_cart.py ASSERTS_ON shop/cart.py" in start
    results = [message["content"] for message in asked[-1]["messages"] if message["role"] == "tool"]
    assert '"shop/page.py"' in results[0]
    told = [assistants.contexts(result) for result in results[1:]]
    assert "- tests that assert on it (1): tests/test_cart.py" in told[0][0]
    assert told[1:] == [[], []]

    def summaries() -> list[str]:
        return [event["summary"] for event in project.recent_events(limit=50)["events"]]

    ran = re.compile(r"Ran `.*py.*`(?: in [0-9.]+ s)?: 1 failed")
    wait_until(lambda: any(ran.fullmatch(summary) for summary in summaries()))
    found = summaries()
    assert any(summary.startswith("Asked: ") and "Mend the cart" in summary for summary in found)
    assert any(summary.startswith("Edited shop/cart.py") for summary in found)


def test_it_has_nothing_to_add_to_the_file_that_was_made_for_it(place: Place) -> None:
    setup.init(place.root, clients=(opencode.CLIENT,))
    with completions_api([text("Hello.")]) as api:
        run_opencode(place, api, "hi")
    setup.uninstall(place.root)
    assert not Path(place.root, "opencode.json").exists()
    assert not Path(place.root, ".opencode", "plugins").exists()


def test_it_lists_the_server_as_connected(place: Place) -> None:
    setup.init(place.root, clients=(opencode.CLIENT,))
    Memoire(place.root).ingest()
    assert OPENCODE is not None
    done = subprocess.run(
        [OPENCODE, "mcp", "list"], cwd=place.root, env={"HOME": str(place.home), "PATH": os.environ["PATH"]},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=assistants.BOUND_S, check=False,
    )  # fmt: skip
    assert re.search(r"memoire.*connected", done.stdout + done.stderr, re.DOTALL), done.stdout + done.stderr
