"""What an open project learns from statements, runs and commits; that it stays; and that `why` tells of it."""

import asyncio
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memoire import intake, paths
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.model import EdgeKey
from memoire.operations import link, unlink, why
from memoire.operations._stating import Params, Stated
from memoire.project import Project
from tests.integration.test_project import FILES, edges, opened, rebuilt, write
from tests.integration.test_sessions import report

CORE, WEB, JOB, TEST = "src/shop/core.py", "src/shop/web.py", "src/shop/job.py", "tests/test_core.py"
STATED = (JOB, "DRIVES", WEB)


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    assert home.is_dir()
    folder = tmp_path / "shop"
    write(folder, FILES)
    return folder


async def say(project: Project, *, is_denied: bool = False, reason: str = "the job fills its cache") -> Stated:
    run = unlink.run if is_denied else link.run
    source, relation, target = STATED
    return await run(project.memory, Params(source, relation, target, reason, "ann"))


async def told(project: Project, source: str, target: str) -> why.Result:
    return await why.run(project.memory, why.Params(source, target))


async def until(project: Project, is_so: Callable[[], bool]) -> None:
    """Wait for a quiet moment after which something is so."""
    async with asyncio.timeout(30):
        while not is_so():
            await project.settle(5)
            await asyncio.sleep(0.02)


async def test_a_statement_is_shown_and_outlives_a_restart_a_rename_and_the_store(root: Path) -> None:
    async with opened(root) as project:
        said = await say(project)
        assert (said.is_open, said.extracted_from) == (True, "")
        assert said.rationale.startswith("ann said so on ")
        assert STATED in edges(project)
    async with opened(root) as project:
        assert STATED in edges(project)
        shutil.move(root / JOB, root / "src/shop/batch.py")
        await until(project, lambda: ("src/shop/batch.py", "DRIVES", WEB) in edges(project))
        assert STATED not in edges(project)
    (Path(paths.state_dir(root)) / "generation").write_text("999\n")  # the store is behind: it lost something
    async with opened(root) as project:
        assert project.rebuilt
        assert edges(project) == rebuilt(root) | {("src/shop/batch.py", "DRIVES", WEB)}
        (piece,) = (await told(project, WEB, "src/shop/batch.py")).learned
        assert (piece.kind, piece.origin, piece.text) == ("asserted", "ann", "the job fills its cache")


async def test_a_denial_closes_the_edge_and_why_tells_both(root: Path) -> None:
    async with opened(root) as project:
        await say(project)
        said = await say(project, is_denied=True, reason="the cache is gone")
        assert not said.is_open
        assert edges(project) == rebuilt(root)
        answer = await told(project, JOB, WEB)
        assert [(piece.kind, piece.text) for piece in answer.learned] == [
            ("denied", "the cache is gone"),
            ("asserted", "the job fills its cache"),
        ]
        assert [edge.relation for edge in answer.closed] == ["DRIVES"]
        assert answer.verdict.endswith("2 learned pieces of evidence.")


async def test_what_the_source_shows_stays_where_it_is_denied(root: Path) -> None:
    async with opened(root) as project:
        source, target = TEST, CORE
        params = Params(source, "asserts-on", target, "it tests the sum alone")
        said = await unlink.run(project.memory, params)
        assert (said.is_open, said.extracted_from) == (True, TEST)


async def test_what_nobody_can_say_is_refused(root: Path) -> None:
    async with opened(root) as project:
        for params in (
            Params(JOB, "IMPORTS", WEB, "so"),
            Params(JOB, "DRIVES", JOB, "so"),
            Params(JOB, "DRIVES", WEB, " \n "),
        ):
            with pytest.raises(InvalidArgumentError):
                await link.run(project.memory, params)
        for path in ("src/shop/", "src/none.py"):
            with pytest.raises(UnknownPathError):
                await link.run(project.memory, Params(path, "DRIVES", WEB, "so"))
        assert edges(project) == rebuilt(root)


async def test_a_secret_in_a_reason_is_not_kept(root: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    async with opened(root) as project:
        said = await say(project, reason=f"the token {secret} is shared")
        assert secret not in said.rationale
        (piece,) = (await told(project, JOB, WEB)).learned
        assert secret not in piece.text
        assert "is shared" in piece.text


async def test_a_run_that_fails_and_passes_around_an_edit_is_evidence(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "QUIET_S", 0.02)
    key = EdgeKey(TEST, "ASSERTS_ON", WEB)
    command = {"command": f"pytest {TEST}"}
    async with opened(root) as project:
        failed = f"Exit code 1\nFAILED {TEST}::test_total - assert 4 == 3\n1 failed in 0.01s"
        report(root, 1, "PostToolUseFailure", tool_name="Bash", tool_input=command, error=failed, tool_use_id="t1")
        await project.settle(5)
        report(root, 2, "PreToolUse", tool_name="Edit", tool_input={"file_path": str(root / WEB)}, tool_use_id="t2")
        write(root, {WEB: FILES[WEB] + "\n\ndef more():\n    pass\n"})
        await until(project, lambda: project.intake.processor.records[WEB].changes == 1)
        response = {"stdout": "1 passed in 0.01s", "stderr": ""}
        report(root, 3, "PostToolUse", tool_name="Bash", tool_input=command, tool_response=response, tool_use_id="t3")
        await until(project, lambda: project.memory.graph.edge(key) is not None)
        edge = project.memory.graph.edge(key)
        assert edge is not None
        assert edge.rationale.startswith(f"{TEST} failed and, after {WEB} was edited, passed: once, ")
        (piece,) = (await told(project, TEST, WEB)).learned
        assert (piece.kind, piece.text) == ("outcome", f"pytest {TEST}")
        (passed,) = [event for event in await project.memory.events(9, kinds=["command"]) if event.id == piece.origin]
        assert passed.outcome == "passed"
    async with opened(root) as project:
        assert project.memory.graph.edge(key) == edge


@pytest.fixture
def git(root: Path) -> Callable[..., None]:
    def run(*arguments: str) -> None:
        name = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *name, *arguments], cwd=root, check=True, capture_output=True)

    run("init", "-q")
    return run


async def test_evidence_follows_a_file_that_a_commit_renamed_and_changed(
    root: Path, git: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "QUIET_S", 0.02)
    body = "".join(f"value_{number} = {number}\n" for number in range(30))
    write(root, {JOB: body})
    git("add", "-A")
    git("commit", "-q", "-m", "work")
    async with opened(root) as project:
        await say(project)
        git("mv", JOB, "src/shop/batch.py")
        write(root, {"src/shop/batch.py": f"{body}more = 1\n"})
        git("commit", "-q", "-a", "-m", "rename")
        await until(project, lambda: ("src/shop/batch.py", "DRIVES", WEB) in edges(project))
        assert STATED not in edges(project)


async def test_commits_confirm_a_cause_along_a_dependency(
    root: Path, git: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "QUIET_S", 0.02)
    for number in range(4):
        write(root, {path: f"{FILES[path]}\nX = {number}\n" for path in (CORE, JOB)})
        git("add", "-A")
        git("commit", "-q", "-m", "work")
    async with opened(root) as project:
        key = EdgeKey(CORE, "DRIVES", JOB)

        def is_learned() -> bool:
            edge = project.memory.graph.edge(key)
            return edge is not None and edge.learned == 4

        await until(project, is_learned)
        edge = project.memory.graph.edge(key)
        assert edge is not None
        assert f"of the changes of {CORE} changed {JOB}: 4 commits, last " in edge.rationale
        assert (CORE, "CHANGES_WITH", JOB) in edges(project)
        write(root, {JOB: f"{FILES[JOB]}\nX = 9\n"})
        await until(project, lambda: project.intake.processor.records[JOB].changes == 1)
        assert is_learned()
    async with opened(root) as project:
        write(root, {JOB: f"{FILES[JOB]}\nX = 10\n"})
        await project.settle(20)
        assert is_learned()
