"""Answers the hooks of assistants: what a session or a reader of a file should know, and nobody is told twice.

Keeps too what a session is told at its start while no daemon runs: `context.json` in the state folder.
"""

import asyncio
import logging
import os
import time
from collections import OrderedDict
from pathlib import Path

from memoire import paths
from memoire.clients.payloads import ASKING
from memoire.clients.payloads._spec import Question
from memoire.episodes import git
from memoire.errors import StoreError
from memoire.memory import AsOf, Memory
from memoire.operations.briefing import AGE, file_briefing, project_briefing

logger = logging.getLogger(__name__)

CONTEXT_FILE = "context.json"
"""In the state folder: what a hook prints at the start of a session while no daemon answers, to the letter."""

CONTEXT_CLIENT, CONTEXT_EVENT = "claude-code", "SessionStart"

KEEP_EVERY_S = 10.0
"""That file is written at most so often, and so seldom that it takes a twentieth of the time at most: in a large
repository git needs seconds to say what is not committed."""

UNCOMMITTED_S = 0.1
"""How long a session that starts waits for what git says; its hook waits 250 ms in all."""

PATIENCE_S = 0.2
"""What took longer to find its hook has not waited for: it was not told."""

LISTENERS = 200
FILES_PER_LISTENER = 2_000


class Injection:
    """What one project tells assistants unasked."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._told: OrderedDict[str, dict[str, tuple[str, str]]] = OrderedDict()
        """Listener -> path -> (content, facts) that it was told."""
        self._kept: tuple[AsOf, int, str] | None = None

    async def answer(self, client: str, payload: bytes) -> bytes:
        """Return what the client's hook prints; empty where there is nothing to tell.

        Raises:
            StoreError: Events cannot be read.
        """
        asking = ASKING.get(client)
        question = asking.question(payload) if asking is not None else None
        if asking is None or question is None:
            return b""
        text = await (self._project(question) if question.is_start else self._files(question))
        return asking.answer(question.event, text) if text else b""

    async def keep(self, folder: Path, idle: asyncio.Event) -> None:
        """Write the context file whenever the project has changed and settled, until cancelled."""
        written: tuple[AsOf, int] | None = None
        while True:
            await idle.wait()
            as_of, began = (self._memory.as_of(), self._memory.notes.book.version), time.monotonic()
            if as_of != written:
                try:
                    await self.write(folder)
                    written = as_of
                except (OSError, StoreError) as error:
                    logger.warning("context not kept why=%s", error)
            await asyncio.sleep(max(KEEP_EVERY_S, 20 * (time.monotonic() - began)))

    async def write(self, folder: Path) -> None:
        """Write the context file of the project as it is now; nothing where nothing is known.

        Raises:
            OSError: It cannot be written.
            StoreError: Events cannot be read.
        """
        as_of = self._memory.as_of()
        text = await project_briefing(self._memory, await asyncio.to_thread(git.uncommitted, self._memory.root))
        if not text:
            return
        self._kept = (as_of, self._memory.notes.book.version, text)
        data = ASKING[CONTEXT_CLIENT].answer(CONTEXT_EVENT, text)
        await asyncio.to_thread(_replace, folder / CONTEXT_FILE, data)

    async def _project(self, question: Question) -> str:
        if question.forgets:
            for listener in [name for name in self._told if name.startswith(f"{question.session}/")]:
                del self._told[listener]
        kept = self._kept
        version = (await self._memory.notes.refresh()).version
        if kept is not None and kept[:2] == (self._memory.as_of(), version):
            return kept[2].replace(AGE, "current", 1)
        uncommitted: frozenset[str] = frozenset()
        try:
            async with asyncio.timeout(UNCOMMITTED_S):
                uncommitted = await asyncio.to_thread(git.uncommitted, self._memory.root)
        except TimeoutError:
            logger.debug("uncommitted files left out: git takes long")
        return (await project_briefing(self._memory, uncommitted)).replace(AGE, "current", 1)

    async def _files(self, question: Question) -> str:
        began = time.monotonic()
        told = self._told_to(question.listener)
        texts: list[str] = []
        for given in question.paths:
            whole = given if given.startswith("/") else os.path.join(question.cwd, given)  # noqa: PTH118 - not resolved
            path = paths.to_rel(self._memory.root, whole)
            briefing = await file_briefing(self._memory, path) if path else None
            if path is None or briefing is None:
                continue
            before = told.get(path)
            if time.monotonic() - began < PATIENCE_S:
                told[path] = (briefing.sha, briefing.facts)
            if before is None or (before[0] != briefing.sha and before[1] != briefing.facts):
                texts.append(briefing.text)
        while len(told) > FILES_PER_LISTENER:
            del told[next(iter(told))]
        return "\n".join(texts)

    def _told_to(self, listener: str) -> dict[str, tuple[str, str]]:
        told = self._told.setdefault(listener, {})
        self._told.move_to_end(listener)
        if len(self._told) > LISTENERS:
            self._told.popitem(last=False)
        return told


def _replace(file: Path, data: bytes) -> None:
    """Write a file of the state folder in one step, readable by its user alone."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with open(os.open(fresh, flags, 0o600), "wb") as stream:  # noqa: PTH123 - Path.open takes no flags
            stream.write(data)
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
