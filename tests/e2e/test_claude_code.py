"""The real Claude Code, offline, in a project that was set up: what it is told, and what is remembered of it.

The model is a stand-in on loopback that reads, edits and runs tests as the test wrote down.
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
from memoire.clients import claude_code
from memoire.sdk import Memoire
from tests.daemon_places import Place, wait_until
from tests.e2e import assistants
from tests.e2e.assistants import BOUND_S
from tests.messages_api import messages_api, say, use
from tests.model_api import ModelApi

CLAUDE = os.environ.get("MCP_TEST_CLAUDE") or shutil.which("claude")
"""The program; that on PATH unless told otherwise. `npm install @anthropic-ai/claude-code` brings it."""

pytestmark = pytest.mark.skipif(CLAUDE is None, reason="Claude Code is not installed, and MCP_TEST_CLAUDE names none")


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    with assistants.project(monkeypatch) as place:
        yield place


def run_claude(place: Place, api: ModelApi, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert CLAUDE is not None
    environment = {
        "HOME": str(place.home),
        "PATH": os.environ["PATH"],
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
    }
    return subprocess.run(
        [CLAUDE, *arguments], cwd=place.root, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=BOUND_S, check=False,
    )  # fmt: skip


def contexts(message: dict[str, Any]) -> list[str]:
    """What memoire told the model in one message."""
    text = "\n".join(
        block if isinstance(block, str) else str(block.get("text", ""))
        for block in ([message["content"]] if isinstance(message["content"], str) else message["content"])
    )
    return assistants.contexts(text)


def test_a_session_is_told_of_the_project_and_of_its_files_and_is_remembered(place: Place) -> None:
    setup.init(place.root, clients=(claude_code.CLIENT,))
    project = Memoire(place.root)
    project.ingest()
    cart = f"{place.root}/shop/cart.py"
    pytest_command = f"{sys.executable} -m pytest -q -p no:cacheprovider tests"
    turns = [
        use("Read", file_path=cart),
        use("Edit", file_path=cart, old_string="sum(prices)", new_string="len(prices)"),
        use("Bash", command=pytest_command, description="Run the tests"),
        say("It fails."),
    ]
    with messages_api(turns) as api:
        done = run_claude(place, api, "-p", "Mend the cart", "--allowedTools", "Read,Edit,Bash")
        asked = [request for request in api.requests if request.get("tools")]
    assert (done.returncode, done.stdout.strip()) == (0, "It fails."), done.stderr
    first, last = asked[0]["messages"], asked[-1]["messages"]
    assert len(asked) == len(turns)

    (start,) = [text for message in first for text in contexts(message)]
    assert start.startswith(f'<memoire-context project="{paths.project_id(place.root)}" ')
    assert "tests/test_cart.py ASSERTS_ON shop/cart.py" in start
    told = [text for message in last[len(first) :] for text in contexts(message)]
    assert [re.findall(r'file="([^"]*)"', text) for text in told] == [["shop/cart.py"]]
    assert "- tests that assert on it (1): tests/test_cart.py" in told[0]
    assert "- a change here reaches directly (1): shop/page.py" in told[0]
    results = [block for message in last for block in message["content"] if isinstance(block, dict)]
    assert not [block for block in results if "hook error" in json.dumps(block).lower()]

    def summaries() -> list[str]:
        return [event["summary"] for event in project.recent_events(limit=50)["events"]]

    wait_until(lambda: any(text.startswith("Session ended") for text in summaries()))
    found = summaries()
    assert any(
        re.fullmatch(r"Ran `.*py.*`(?: in [0-9.]+ s)?: (1 failed|failed with status 1)", text) for text in found
    ), found
    assert "Asked: Mend the cart" in found
    assert any(text.startswith("Edited shop/cart.py") for text in found)
    assert list((place.state / "spool").iterdir()) == []


def test_a_session_that_starts_the_daemon_is_not_held_up_and_hears_the_last_context(place: Place) -> None:
    setup.init(place.root, clients=(claude_code.CLIENT,))
    project = Memoire(place.root)
    project.ingest()
    wait_until((place.state / "context.json").exists)
    project.stop()
    with messages_api([say("Hello.")]) as api:
        done = run_claude(place, api, "-p", "hi")
        asked = [request for request in api.requests if request.get("tools")]
    assert done.returncode == 0, done.stderr
    (start,) = [text for message in asked[0]["messages"] for text in contexts(message)]
    assert 'age="less than a minute ago"' in start
    wait_until(project.is_running)
