"""A session that a hook reports is a node of the open project, outlives its events, and is not lost with the store."""

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoire import intake, paths
from memoire.episodes.inbox import END
from memoire.operations import expand, recent_events, search
from memoire.operations._detail import Detail
from memoire.project import Project
from tests.integration.test_feed import spool
from tests.integration.test_project import FILES, write

ID = "6f1c2a4e-0c7d-4d5e-9b7a-2f1d3c5b7a90"
CORE = "src/shop/core.py"


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    assert home.is_dir()
    folder = tmp_path / "shop"
    write(folder, FILES)
    return folder


def report(root: Path, number: int, event: str, **fields: object) -> None:
    """Leave the record of what an assistant's hook was given."""
    now_us = int(time.time() * 1e6) + 2000 * number
    payload = json.dumps({"session_id": ID, "cwd": str(root), "hook_event_name": event, **fields})
    (spool(root) / f"{now_us}-7-{number}.claude-code").write_bytes(f"1\x1f{now_us}\x1f{payload}".encode() + END)


def work(root: Path) -> None:
    """Leave the records of a session that asks, reads and runs something."""
    report(root, 1, "SessionStart", source="startup")
    report(root, 2, "UserPromptSubmit", prompt="round the half-cent discounts")
    given = {"file_path": str(root / CORE)}
    report(root, 3, "PostToolUse", tool_name="Read", tool_input=given, tool_response={})
    ran = {"command": "false"}
    report(root, 4, "PostToolUseFailure", tool_name="Bash", tool_input=ran, error="Exit code 1", tool_use_id="t4")


async def opened(root: Path, now: datetime | None = None) -> Project:
    project = await (Project.open(root) if now is None else Project.open(root, now=lambda: now))
    await project.start()
    async with asyncio.timeout(60):
        await project.intake.idle.wait()
    await project.settle(5)
    return project


def told_by(project: Project) -> list[str]:
    """The kinds of what the index still finds for a prompt."""
    kinds = ["event", "session"]
    found = project.memory.search("discounts", limit=9, offset=0, kinds=kinds, prefix="", language="")
    return [hit.kind for hit in found if "half-cent" in hit.snippet]


async def detail(project: Project) -> Detail:
    return await expand.run(project.memory, expand.Params(path=f"session:{ID}"))


async def test_a_reported_session_is_found_told_and_brought_back(root: Path) -> None:
    work(root)
    project = await opened(root)
    try:
        found = await search.run(project.memory, search.Params(query="half-cent discounts", kinds=["session"]))
        assert [hit.path for hit in found.results] == [f"session:{ID}"]
        told = await detail(project)
        assert [asked.prompt for asked in told.prompts] == ["round the half-cent discounts"]
        assert told.looked_at == [CORE]
        assert [(ran.command, ran.outcome) for ran in told.commands] == [
            ("Ran `false`: failed with status 1", "failed")
        ]
    finally:
        await project.close()
    (Path(paths.state_dir(root)) / "generation").write_text("999\n")  # the store is behind: it lost something
    again = await opened(root)
    try:
        assert again.rebuilt
        back = await detail(again)
        assert (back.prompts, back.commands, back.looked_at) == (told.prompts, told.commands, told.looked_at)
        found = await search.run(again.memory, search.Params(query="half-cent discounts", kinds=["session"]))
        assert [hit.path for hit in found.results] == [f"session:{ID}"]
    finally:
        await again.close()


async def test_a_session_outlives_its_events(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "QUIET_S", 0.02)
    work(root)
    project = await opened(root)
    told = await detail(project)
    await project.close()
    later = datetime.now(UTC) + timedelta(days=120)
    project = await opened(root, later)
    try:
        write(root, {CORE: FILES[CORE] + "\nX = 1\n"})
        async with asyncio.timeout(60):
            while True:  # until a quiet moment
                await project.settle(5)
                days = await project.memory.events(10, kinds=["day"])
                if days and told_by(project) == ["session"]:
                    break
                await asyncio.sleep(0.02)
        assert [event.kind for event in await project.memory.events(100, session=ID)] == []
        assert "1 command (1 failed), 1 prompt" in days[0].summary
        after = await detail(project)
        assert (after.prompts, after.commands) == (told.prompts, told.commands)
        page = await recent_events.run(project.memory, recent_events.Params(session=ID))
        assert page.events == []
    finally:
        await project.close()
