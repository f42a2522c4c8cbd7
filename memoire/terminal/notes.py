"""Carries notes between the daemon and files: a Markdown tree, JSON lines, and what others wrote down before."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import msgspec

from memoire import paths
from memoire.errors import InvalidArgumentError
from memoire.notes.exchange import form_of, is_candidate, read
from memoire.notes.exchange.markdown_notes import file_name, id_of, render
from memoire.notes.exchange.records import Record, line_of
from memoire.sdk import Memoire

MAX_FILE_BYTES = 6_000_000
MAX_TOTAL_BYTES = 6_000_000
"""Of one import: a request to the daemon may have 8 MB, and JSON takes more room than the texts in it."""
MAX_FILES = 5_000
_VISIBLE = frozenset((".github", ".claude", ".cursor", ".windsurf", ".clinerules", ".roo", ".memoire"))
"""Hidden folders that hold rules for assistants."""
_PASSED = frozenset(("node_modules", "vendor", "target", "dist", "build", "venv", "__pycache__", "site-packages"))


class Collected(NamedTuple):
    """What is to be sent to the daemon."""

    files: list[dict[str, str]]
    unread: list[dict[str, object]]
    """Files that were named and could not be read."""


def collect(root: str, given: Sequence[str], form: str = "") -> Collected:
    """Return the files that may hold notes: those that are named, and those in folders that are named.

    Args:
        root: The project; it is looked through where nothing is named.
        given: Files and folders.
        form: What files that are named are to be taken for.

    Raises:
        InvalidArgumentError: One is not there, or they are too large for one import.
    """
    found = Collected([], [])
    room = MAX_TOTAL_BYTES
    for name in given or [root]:
        path = Path(name)
        if not path.exists():
            raise InvalidArgumentError("path", f"{name!r} is not there")
        is_named = not path.is_dir()
        for file in [path] if is_named else _below(path):
            text, why = _text(file)
            shown = _shown(root, file, path)
            if why and is_named:
                found.unread.append({"source": shown, "line": 0, "why": why})
            if why or not (is_named or form or _is_of_notes(text, shown)):
                continue
            room -= len(text.encode("utf-8", "surrogatepass"))
            found.files.append({"path": shown, "text": text})
            if room < 0 or len(found.files) > MAX_FILES:
                most = f"{MAX_TOTAL_BYTES // 1_000_000} MB or {MAX_FILES} files"
                raise InvalidArgumentError("path", f"is more than {most} at once: import folders one by one")
    return found


def _is_of_notes(text: str, name: str) -> bool:
    """Return whether a file that nobody named is one of notes; JSON is anything, unless notes are found in it."""
    found = form_of(text, name)
    return any(entry.is_ours or entry.name for entry in read(text, name).entries) if found == "json" else bool(found)


def write_lines(project: Memoire, stream: TextIO, options: dict[str, Any]) -> dict[str, Any]:
    """Write all notes as JSON lines; return how many, and what was held back."""
    counted = _Counted()
    stream.writelines(line_of(record) + "\n" for record in _records(project, options, counted))
    return counted.told()


def write_file(project: Memoire, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Write all notes as JSON lines into a file, which is whole or not there.

    Raises:
        InvalidArgumentError: It is a folder.
        OSError: It cannot be written.
    """
    path = Path(name)
    if path.is_dir():
        raise InvalidArgumentError("path", f"{name!r} is a folder; name a file, or use --format markdown")
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            told = write_lines(project, stream, options)
        fresh.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    finally:
        fresh.unlink(missing_ok=True)
    return {"path": name, **told}


def write_tree(project: Memoire, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Write each note as a Markdown file of a folder; files of notes that are no more go, other files stay.

    Raises:
        InvalidArgumentError: It is a file.
        OSError: It cannot be written.
    """
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise InvalidArgumentError("path", f"{name!r} is no folder; name one, or use --format jsonl")
    counted = _Counted()
    written: set[Path] = set()
    left: list[str] = []
    changed = 0
    for record in _records(project, options, counted):
        file = folder / file_name(record)
        if not file.resolve().is_relative_to(folder.resolve()):
            left.append(f"{file}: it would lie outside of the folder")
            continue
        written.add(file)
        text, old = render(record), _text(file)[0] if file.exists() else ""
        if old and not id_of(old):
            left.append(f"{file}: it is a file of your own")
        elif old != text:
            _replace(file, text)
            changed += 1
    removed = 0
    for file in _below(folder) if folder.is_dir() and not options else ():
        if file not in written and file.suffix == ".md" and id_of(_text(file)[0]):
            file.unlink()
            removed += 1
    return {"path": name, **counted.told(), "changed": changed, "removed": removed, "left_alone": left}


class _Counted:
    """What a run of pages came to."""

    def __init__(self) -> None:
        self.notes = 0
        self.withheld: list[str] = []

    def told(self) -> dict[str, Any]:
        return {"notes": self.notes, "withheld": self.withheld}


def _records(project: Memoire, options: dict[str, Any], counted: _Counted) -> Iterator[Record]:
    after = ""
    while True:
        page = project.call("notes_export", after=after, **options)
        for each in page["records"]:
            counted.notes += 1
            yield msgspec.convert(each, Record)
        counted.withheld = list(page["withheld"])
        after = page["next"]
        if not after:
            return


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that may hold notes, in the order of their names; links are not followed."""
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in _PASSED and (each[0] != "." or each in _VISIBLE))
        for name in sorted(files):
            file = Path(at, name)
            if is_candidate(file.as_posix()) and not file.is_symlink() and file.name != Path(paths.NOTES_FILE).name:
                yield file


def _text(file: Path) -> tuple[str, str]:
    """Return (the text of a file, why it has none)."""
    try:
        if not file.is_file():
            return "", "it is no regular file"
        if file.stat().st_size > MAX_FILE_BYTES:
            return "", f"it is larger than {MAX_FILE_BYTES // 1_000_000} MB"
        return file.read_text("utf-8-sig"), ""
    except UnicodeDecodeError:
        return "", "it is no UTF-8 text"
    except OSError as error:
        return "", (error.strerror or str(error)).lower()


def _shown(root: str, file: Path, given: Path) -> str:
    """Return what a file is called: from the root of the project, else from the folder that was named."""
    rel = paths.to_rel(root, str(file.absolute()))
    if rel:
        return rel
    return file.name if given == file else f"{given.resolve().name}/{file.relative_to(given).as_posix()}"


def _replace(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        fresh.write_text(text, "utf-8", errors="backslashreplace", newline="\n")
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)


def summary(result: dict[str, Any]) -> dict[str, Any]:
    """Return what a person wants to see of an import: the table, the counts, and what to do next."""
    rows = [
        {
            "action": row["action"],
            "type": row["type"],
            "claim": row["claim"],
            "about": row.get("about", []),
            "why": "; ".join(filter(None, (row.get("why", ""), row.get("code", "")))),
            "at odds with": row.get("conflict", ""),
            "from": f"{row['source']}:{row['line']}" if row.get("line") else row["source"],
        }
        for row in result["rows"]
        if row["action"] != "duplicate"
    ]
    unread = [f"{each['source']}: {each['why']}" for each in result["unread"]]
    is_dry, summary_of = result["dry_run"], result["summary"]
    writes = sum(count for name, count in summary_of.items() if name in {"create", "supersede", "edit", "retire"})
    told: dict[str, Any] = {"entries": rows} if rows else {}
    told["summary"] = json.dumps(summary_of)[1:-1].replace('"', "") or "nothing found"
    if unread:
        told["not_read"] = unread
    if is_dry and writes:
        told["to_do"] = f"nothing is written yet: add --apply to write {writes}"
    elif not is_dry:
        told["written"] = f"{writes} to {result['written_to']}"
    return told


def status(result: dict[str, Any]) -> int:
    """Return the exit status: 1 where something was refused or could not be read."""
    return int(bool(result["unread"]) or bool(result["summary"].get("refuse")))
