"""`memoire hook` with a real daemon and a real store: what is told, what is taken in, and who starts whom."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoire import hook, launch
from memoire.sdk import Memoire
from tests.daemon_places import BOUND_S, Place, new_place, wait_until

CHECKOUT = Path(__file__).parents[2]
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n",
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


def run(place: Place, event: str, **fields: Any) -> str:
    """Report an event; return the text that the assistant is told."""
    common = {"session_id": "s", "cwd": place.root, "hook_event_name": event}
    done = subprocess.run(
        [sys.executable, "-m", "memoire", "hook", "claude-code"],
        input=json.dumps({**common, **fields}).encode(), capture_output=True, cwd="/", timeout=BOUND_S, check=True,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )  # fmt: skip
    assert done.stderr == b""
    return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]) if done.stdout else ""


def read(place: Place, session: str) -> str:
    path = f"{place.root}/shop/cart.py"
    return run(place, "PreToolUse", session_id=session, tool_name="Read", tool_input={"file_path": path})


def until_told(place: Place) -> str:
    """Ask in one new session after the other until the answer comes in time: the machine may be busy."""
    for number in range(100):
        if text := read(place, str(number)):
            return text
    raise AssertionError("no answer came in time")


def test_only_a_session_starts_the_daemon_which_then_tells_and_takes_in(place: Place) -> None:
    assert read(place, "early") == ""
    assert not launch.is_running(place.root)
    assert run(place, "SessionStart", source="startup") == ""
    wait_until(lambda: launch.is_running(place.root))
    project = Memoire(place.root)
    project.ingest()
    text = until_told(place)
    assert 'file="shop/cart.py"' in text
    assert "- tests that assert on it (1): tests/test_cart.py" in text
    run(place, "UserPromptSubmit", prompt="Mend the cart")

    def is_taken() -> bool:
        told = {event["summary"] for event in project.recent_events(limit=20)["events"]}
        return {"Session started: claude-code (startup)", "Asked: Mend the cart"} <= told

    wait_until(is_taken)
    wait_until(lambda: not list((place.state / hook.SPOOL_FOLDER).iterdir()))


def test_a_session_without_a_daemon_hears_the_last_context_and_starts_one(place: Place) -> None:
    project = Memoire(place.root)
    project.ingest()
    wait_until((place.state / hook.CONTEXT_FILE).exists)
    project.stop()
    text = run(place, "SessionStart", source="startup")
    assert 'age="less than a minute ago"' in text
    assert "tests/test_cart.py ASSERTS_ON shop/cart.py" in text
    wait_until(project.is_running)


def test_two_sessions_at_once_start_one_daemon(place: Place) -> None:
    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "memoire", "hook", "claude-code"], stdin=subprocess.PIPE, cwd="/",
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(json.dumps({"cwd": place.root, "hook_event_name": "SessionStart"}).encode())
        process.stdin.close()
        return process

    assert [process.wait(BOUND_S) for process in [start() for _ in range(4)]] == [0] * 4
    wait_until(lambda: launch.is_running(place.root))
    assert Memoire(place.root).status()["pid"] == place.daemon_pid
    assert place.log.count("serving pid=") == 1
