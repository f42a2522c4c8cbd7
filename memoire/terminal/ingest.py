"""Has the daemon take the whole project in, and tells how far it is and what could not be read."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any

from memoire.errors import MemoireError
from memoire.sdk import Memoire

POLL_S = 0.2
"""How often the progress is asked for, seconds."""

SHOWN = 20
"""Files with a problem that are listed for a person; `--json` lists all."""

EXPECTED = {"binary": "binary", "secret": "that may hold secrets", "not-a-file": "that are no regular files"}
"""Problems of files that nobody expects to be read: they are counted, not listed."""

ShowProgress = Callable[[str, int, int], None]
"""Gets what is being done, how many of it are done, and of how many: 0 = not known yet."""


def ingest(root: str, show: ShowProgress | None = None) -> dict[str, Any]:
    """Take everything in; return the counts, and each problem with its path, code and message.

    Raises:
        MemoireError: The daemon does not answer, or could not take everything in.
    """
    with _progress(root, show):
        result = Memoire(root).ingest()
    problems = [{"path": path, "code": code, "message": message} for path, code, message in result["problems"]]
    return {**result, "problems": problems}


def summary(result: dict[str, Any]) -> dict[str, Any]:
    """Return what a person wants to know of it: problems that were to be expected are counted, the rest listed."""
    expected = Counter(each["code"] for each in result["problems"] if each["code"] in EXPECTED)
    found = [each for each in result["problems"] if each["code"] not in EXPECTED]
    shown = {
        "not_read": [f"{count} {EXPECTED[code]}" for code, count in expected.items()],
        "problems": found[:SHOWN],
        "more_problems": max(0, len(found) - SHOWN) or "",
    }
    counts = {name: value for name, value in result.items() if value or name in {"files", "edges"}}
    return {**counts, **shown}


@contextmanager
def _progress(root: str, show: ShowProgress | None) -> Iterator[None]:
    """Show the progress from another thread while the block runs, which waits for the answer."""
    if show is None:
        yield
        return
    is_done = Event()
    thread = Thread(target=_watch, args=(Memoire(root), show, is_done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def _watch(project: Memoire, show: ShowProgress, is_done: Event) -> None:
    while not is_done.wait(POLL_S):
        with suppress(MemoireError):  # whoever waits for the result hears it
            progress = project.status().get("project", {}).get("progress", {})
            show(str(progress.get("phase", "starting")), int(progress.get("done", 0)), int(progress.get("total", 0)))
