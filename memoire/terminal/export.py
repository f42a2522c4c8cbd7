"""Writes the whole graph as JSON lines: one for the project, then one for each node and each edge."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from memoire.errors import InvalidArgumentError
from memoire.sdk import Memoire


def write(project: Memoire, stream: TextIO) -> dict[str, int]:
    """Write all records; return how many nodes and edges there were.

    Raises:
        MemoireError: The daemon does not answer.
    """
    counts: Counter[str] = Counter()
    after: str | None = None
    while after != "":
        page = project.call("export", after=after)
        if after is None:
            _line({"type": "project", "project_id": page["project_id"], "as_of": page["as_of"]}, stream)
        for record in page["records"]:
            _line(record, stream)
            counts[record["type"]] += 1
        after = page.get("next", "")
    return {"nodes": counts["node"], "edges": counts["edge"]}


def write_file(project: Memoire, name: str) -> dict[str, int]:
    """Write all records into a file, which is whole or not there; return how many nodes and edges there were.

    Raises:
        InvalidArgumentError: It is a folder.
        OSError: It cannot be written.
    """
    with _whole(name) as stream:
        return write(project, stream)


def write_text(name: str, text: str) -> None:
    """Write a text into a file, which is whole or not there.

    Raises:
        InvalidArgumentError: It is a folder.
        OSError: It cannot be written.
    """
    with _whole(name) as stream:
        stream.write(text)


@contextmanager
def _whole(name: str) -> Iterator[TextIO]:
    path = Path(name)
    if path.is_dir():
        raise InvalidArgumentError("--output", f"{name!r} is a folder; name a file")
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            yield stream
        fresh.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error  # not the name of the file on the way
    finally:
        fresh.unlink(missing_ok=True)


def _line(record: dict[str, object], stream: TextIO) -> None:
    stream.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
