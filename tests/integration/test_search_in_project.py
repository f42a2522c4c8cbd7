"""Search in an open project: what was committed finds files, under their names of today, and no secret gets in."""

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memoire import paths
from memoire.operations import search
from memoire.project import Project
from tests.repositories import Repository

SECRET = "ghp_" + "a1B2c3" * 6
TEXT = "".join(f"def step{number}():\n    return {number}\n" for number in range(20))


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> Repository:
    return Repository(tmp_path / "shop", home)


@asynccontextmanager
async def opened(repo: Repository) -> AsyncIterator[Project]:
    project = await Project.open(repo.root)
    try:
        await project.start()
        async with asyncio.timeout(60):
            await project.ingest()
        yield project
    finally:
        await project.close()


async def found(project: Project, query: str, **rest: object) -> list[str]:
    params = search.Params(query=query, kinds=["file", "document"], **rest)  # type: ignore[arg-type]
    return [hit.path for hit in (await search.run(project.memory, params)).results]


async def test_a_message_finds_the_file_under_its_name_of_today(repo: Repository) -> None:
    repo.commit({"old.py": TEXT, "other.py": "x = 1\n"}, "Begin")
    repo.commit({"old.py": TEXT + "more = 1\n"}, "Keep the heartbeat alive\n\nWithout it proxies hang up.")
    repo.git("mv", "old.py", "new.py")
    repo.commit(message="Rename")
    async with opened(repo) as project:
        assert (await found(project, "heartbeat"))[0] == "new.py"
        assert (await found(project, "proxies hang up"))[0] == "new.py"
        repo.commit({"other.py": "x = 2\n"}, "Measure the throughput")
        await project.ingest()
        assert (await found(project, "throughput"))[0] == "other.py"
    async with opened(repo) as project:  # read from what was kept
        assert (await found(project, "heartbeat"))[0] == "new.py"


async def test_what_a_file_imports_is_found_behind_it(repo: Repository) -> None:
    files = {"pulse.py": "import wire\n\n\ndef heartbeat():\n    wire.send()\n", "wire.py": "def send(): ...\n"}
    repo.write({**files, "far.py": "y = 1\n"})
    async with opened(repo) as project:
        assert await found(project, "heartbeat") == ["pulse.py", "wire.py"]


async def test_a_secret_in_a_message_gets_nowhere(repo: Repository) -> None:
    repo.commit({"a.py": "x = 1\n"}, f"Rotate the token\n\nIt was {SECRET}, said tester@mail.example")
    async with opened(repo) as project:
        assert await found(project, "rotate") == ["a.py"]
        assert await found(project, SECRET) == []
        folder = Path(paths.state_dir(repo.root))
    history = zlib.decompress((folder / "history").read_bytes())
    assert b"Rotate" in history
    kept = [history, *(file.read_bytes() for file in folder.rglob("*") if file.is_file())]
    for text in kept:
        assert SECRET.encode() not in text
        assert SECRET.lower().encode() not in text
        assert b"tester@mail" not in text


async def test_a_secret_in_a_file_is_not_shown_beside_what_was_asked_for(repo: Repository) -> None:
    pem = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", *["QUJDREVGR0hJSktM" * 4] * 90, "-----END RSA PRIVATE KEY-----"]
    )
    repo.write({"a.py": f'heartbeat_token = "{SECRET}"\n', "b.py": f'KEY = """{pem}"""\nheartbeat = KEY\n'})
    async with opened(repo) as project:
        params = search.Params(query="heartbeat", kinds=["file", "document", "symbol"])
        hits = (await search.run(project.memory, params)).results
        assert {hit.path for hit in hits} == {"a.py", "b.py"}
        assert not [hit for hit in hits if SECRET in hit.snippet or "QUJD" in hit.snippet]
        assert [hit.path for hit in hits if "heartbeat_token" in hit.snippet]
