"""Puts the daemon together: the project, behind the lock of its database, as the app that is served.

Importing this loads the store, the index and the parsers, so it happens in a thread once the socket is bound.
"""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path

from memoire import launch, paths
from memoire.daemon import lock
from memoire.daemon.app import App, Source
from memoire.errors import StoreUnavailableError
from memoire.injection import Injection
from memoire.operations import INSTRUCTIONS, OPERATIONS
from memoire.project import Project

logger = logging.getLogger(__name__)


def load(root: str) -> Source:
    """Return the operations of this version, and how to open the project at `root`."""

    async def open_project() -> App:
        return await _open(root)

    return Source(operations=OPERATIONS, instructions=INSTRUCTIONS, open=open_project)


async def _open(root: str) -> App:
    """Return the open project, which follows its tree from now on.

    Raises:
        StoreUnavailableError: Another process writes the database, or it cannot be opened.
        ConfigError: The user's configuration holds what no setting takes.
    """
    async with AsyncExitStack() as opened:
        held = lock.take_database(root)
        if held is None:
            why = f"another memoire (process {lock.database_holder_pid(root)}) still writes it"
            raise StoreUnavailableError(root, why)
        opened.callback(held.release)
        held.note(build=launch.build_id())
        try:
            project = await Project.open(Path(root))
            opened.push_async_callback(project.close)
            project.intake.landing.owns_store = held.is_held
            await project.start()
            injection = Injection(project.memory)
            keeping = asyncio.create_task(injection.keep(Path(paths.state_dir(root)), project.intake.idle))
            keeping.add_done_callback(_log_failure)
            opened.callback(keeping.cancel)
        except OSError as error:
            raise StoreUnavailableError(paths.state_dir(root), str(error)) from error
        close = opened.pop_all().aclose
    return App(
        memory=project.memory,
        complete=lambda prefix: matching(project.memory.tree, prefix),
        status=project.status,
        ingest=project.ingest,
        last_activity=project.last_activity,
        close=close,
        look_again=project.look_again,
        is_root_gone=lambda: project.is_root_gone,
        owns_store=held.is_held,
        is_damaged=lambda: project.is_damaged,
        hook=injection.answer,
        idle_s=project.settings.idle_exit_minutes * 60.0,
    )


def matching(known: Iterable[str], prefix: str) -> list[str]:
    """Return the paths that begin with the text, sorted."""
    return sorted(path for path in known if path.startswith(prefix))


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.error("the context of new sessions is not kept any more", exc_info=error)
