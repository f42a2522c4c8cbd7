"""The prompts bring what memory has as data in a block that nothing in it can end, and name calls that there are."""

import asyncio
import json
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoire.daemon import prompts
from memoire.errors import InvalidArgumentError
from memoire.model import Definition
from memoire.operations import OPERATIONS, memory_write
from tests.memories import NOW, Project, event

QUEUE = "def run(jobs):\n    return jobs[:64]\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.add("shop/queue.py", QUEUE, definitions=(Definition("run", "function", 1, 2, body="b1", signature="s1"),))
    made.add("shop/web.py", "import shop\n")
    return made


def asked(project: Project, name: str, **given: str) -> str:
    prompt = next(one for one in prompts.PROMPTS if one.name == name)
    prompts.check(prompt, given)

    async def work() -> str:
        return await prompt.make(_ask(project), given)

    return asyncio.run(work())


def _ask(project: Project) -> prompts.Ask:
    async def ask(name: str, arguments: Mapping[str, Any]) -> Any:
        operation = next(one for one in OPERATIONS if one.name == name)
        return json.loads(await project._raw(operation, arguments))

    return ask


def data(text: str) -> Any:
    """What stands between the two marks, which are the same and nowhere else."""
    found = re.search(r"\n([0-9a-f]{8})\n(.*)\n\1\Z", text, re.DOTALL)
    assert found
    assert text.count(found[1]) == 2
    return json.loads(found[2])


def test_stale_notes_are_brought_with_what_changed_and_what_may_be_done(project: Project) -> None:
    notes = [
        {"text": "It takes `64` jobs.", "type": "gotcha", "about": ["shop/queue.py::run"]},
        {"text": "The page is plain.", "type": "gotcha", "about": ["shop/web.py"]},
    ]
    made = project.ask(memory_write.OPERATION, notes=notes)["results"]
    assert "there is nothing to review" in asked(project, "review_stale")
    changed = QUEUE.replace("64", "128")
    project.add("shop/queue.py", changed, definitions=(Definition("run", "function", 1, 2, body="b2", signature="s1"),))
    text = asked(project, "review_stale")
    (found,) = data(text)
    assert found["hit"]["id"] == made[0]["id"]
    assert found["hit"]["freshness"]["anchors"][0]["state"] == "contradicted"
    assert "memory_feedback(signal='confirm'" in text
    assert data(asked(project, "review_stale", path="shop/queue.py"))[0]["id"] == made[0]["id"]
    assert "there is nothing to review" in asked(project, "review_stale", path="shop/web.py")


def test_pairs_that_say_the_same_are_brought_whole(project: Project) -> None:
    assert "there is nothing to merge" in asked(project, "merge_duplicates")
    texts = ["The queue takes sixty jobs at most.", "At most sixty jobs the queue takes."]
    project.ask(memory_write.OPERATION, notes=[{"text": text, "type": "gotcha"} for text in texts])
    (pair,) = data(asked(project, "merge_duplicates"))
    assert sorted(note["text"] for note in pair) == sorted(texts)
    assert "there is nothing to merge" in asked(project, "merge_duplicates", type="decision")
    assert len(data(asked(project, "merge_duplicates", type="gotcha", limit="1"))) == 1


@pytest.mark.shows("H83")
def test_the_latest_session_is_brought_unless_another_is_named(project: Project) -> None:
    assert "memory_write" in asked(project, "save_session")
    for number, session in ((1, "s1"), (2, "s2")):
        at = NOW - timedelta(minutes=60 - number)
        project.events.append(event(number, f"Asked: fix the queue {session}", kind="prompt", session=session, at=at))
    assert data(asked(project, "save_session"))["path"] == "session:s2"
    text = asked(project, "save_session", session="s1", focus="the queue")
    assert data(text)["path"] == "session:s1"
    assert "Look above all for the queue." in text
    assert "session='s1'" in text
    assert asyncio.run(prompts.sessions(_ask(project), "s")) == ["s2", "s1"]


def test_what_a_note_says_does_not_end_the_block(project: Project) -> None:
    note = {"text": "It takes `64` jobs.\n\nabcdef12\n", "type": "gotcha", "about": ["shop/queue.py::run"]}
    project.ask(memory_write.OPERATION, notes=[note])
    project.add("shop/queue.py", "x = 1\n")
    assert data(asked(project, "review_stale"))[0]["text"].endswith("abcdef12")


def test_an_argument_that_there_is_not_is_refused(project: Project) -> None:
    with pytest.raises(InvalidArgumentError, match="path"):
        asked(project, "review_stale", paht="x")
    with pytest.raises(InvalidArgumentError, match="whole number"):
        asked(project, "review_stale", limit="many")


def test_every_call_that_a_prompt_names_can_be_made(project: Project) -> None:
    """Each is parsed by its operation: a prompt must not teach a call that is refused."""
    named = {one.name for one in OPERATIONS if one.is_tool}
    for prompt in prompts.PROMPTS:
        assert prompt.tools <= named
    source = Path(prompts.__file__).read_text()
    calls = re.findall(r"(memory_\w+)\(([^)]*)\)", source.replace('"\n        "', ""))
    known = {one.name: one for one in OPERATIONS}
    for name, arguments in calls:
        given = [part.partition("=")[0].strip() for part in arguments.split(",") if "=" in part]
        assert set(given) <= set(known[name].input_schema()["properties"]), name
    assert len(calls) >= 5
