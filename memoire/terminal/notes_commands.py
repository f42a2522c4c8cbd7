"""The commands of `memoire notes` that touch files, or ask before they act: each reads its line, and tells."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from memoire.errors import InvalidArgumentError, UsageError
from memoire.notes.exchange import FORMATS
from memoire.sdk import Memoire
from memoire.terminal import notes
from memoire.terminal.arguments import Parser, near, project_root, read_text
from memoire.terminal.outcome import Outcome

CHANGES = ["write", "revise", "feedback", "forget"]
"""What a line of `notes apply` may do: the tool of that name."""


def export_notes(command: str, summary: str, given: Sequence[str]) -> Outcome:
    """Write all notes into a folder, a file, or to standard output.

    Raises:
        MemoireError: The daemon does not answer; a folder is missing.
        OSError: A file cannot be written.
    """
    parser = Parser.of(command, summary)
    parser.add_argument("path", metavar="PATH", nargs="?", default="", help="folder (markdown) or file (jsonl)")
    parser.add_argument("--format", choices=("markdown", "jsonl"), default="", help="default: by PATH")
    parser.add_argument("--type", action="append", metavar="TYPE", dest="types", help="only notes of these types")
    parser.add_argument("--tag", action="append", metavar="TAG", dest="tags", help="only notes with one of these tags")
    parser.add_argument("--active", action="store_true", help="leave out what no longer holds")
    parser.add_argument("--personal", action="store_true", help="personal notes and ratings, too")
    options = parser.parse(given)
    project = Memoire(project_root(options.root))
    is_lines = options.path in {"", "-"} or options.path.endswith((".jsonl", ".json"))
    asked = {name: value for name in ("types", "tags", "active", "personal") if (value := getattr(options, name))}
    if (options.format or ("jsonl" if is_lines else "markdown")) == "markdown":
        if options.path in {"", "-"}:
            raise InvalidArgumentError("path", "is missing: name the folder that the files are to lie in")
        result = notes.write_tree(project, options.path, asked)
    elif options.path in {"", "-"}:
        notes.write_lines(project, sys.stdout, asked)
        return Outcome(None, as_json=False)
    else:
        result = notes.write_file(project, options.path, asked)
    return Outcome(result, options.json, int(bool(result.get("left_alone"))))


def import_notes(command: str, summary: str, given: Sequence[str]) -> Outcome:
    """Take in notes of files, or show what that would come to.

    Raises:
        MemoireError: The daemon does not answer; a file is not there, or they are too many.
    """
    parser = Parser.of(command, summary)
    parser.add_argument("path", metavar="PATH", nargs="*", help="files and folders (default: the project's own)")
    parser.add_argument("--apply", action="store_true", help="write what is shown")
    parser.add_argument("--format", choices=FORMATS, default="", help="what the files are, where that is not found out")
    parser.add_argument("--skip-conflicts", action="store_true", help="leave out what is at odds with a note")
    parser.add_argument("--author", default=None, help="who takes them in")
    options = parser.parse(given)
    root = project_root(options.root)
    found = notes.collect(root, options.path, options.format)
    result: dict[str, Any] = {"rows": [], "summary": {}, "unread": [], "dry_run": not options.apply, "written_to": ""}
    if found.files:
        conflicts = "skip" if options.skip_conflicts else "write"
        asked = {"apply": options.apply, "form": options.format, "conflicts": conflicts, "author": options.author}
        result = Memoire(root).call("notes_import", files=found.files, **asked)
    result["unread"] = [*found.unread, *result["unread"]]
    return Outcome(result if options.json else notes.summary(result), options.json, notes.status(result))


def apply_changes(command: str, summary: str, given: Sequence[str]) -> Outcome:
    """Make the changes of a file of JSON lines, one call each, in order.

    Raises:
        InvalidArgumentError: The file cannot be read, or a line names no call: nothing was changed.
        MemoireError: The daemon does not answer.
    """
    parser = Parser.of(command, summary)
    parser.add_argument("file", metavar="FILE", help='lines such as {"do": "revise", "action": "archive", "ids": […]}')
    parser.add_argument("--on-error", choices=("stop", "continue"), default="stop", help="default: stop")
    options = parser.parse(given)
    project = Memoire(project_root(options.root))
    done: list[dict[str, Any]] = []
    is_stopped = False
    for number, name, arguments in _calls(options.file):
        if is_stopped:
            done.append({"line": number, "do": name, "state": "skipped"})
            continue
        try:
            result = project.call(f"memory_{name}", **arguments)
            done.append({"line": number, "do": name, "state": "done", "tx": result.get("tx"), "result": result})
        except UsageError as error:
            done.append({"line": number, "do": name, "state": "failed", "code": error.err, "error": str(error)})
            is_stopped = options.on_error == "stop"
    counts = Counter(row["state"] for row in done)
    told = ("line", "do", "state", "tx", "error")
    shown = done if options.json else [{key: row.get(key) for key in told} for row in done]
    return Outcome({"changes": shown, "summary": dict(counts)}, options.json, int(bool(counts["failed"])))


def _calls(file: str) -> list[tuple[int, str, dict[str, Any]]]:
    """Return (line, which call, its arguments) of each line of a file."""
    found = []
    for number, line in enumerate(read_text("file", file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            arguments = json.loads(line)
        except ValueError as error:
            raise InvalidArgumentError("file", f"line {number} is no JSON: {error}") from error
        name = arguments.pop("do", "") if isinstance(arguments, dict) else ""
        if name not in CHANGES:
            meant = near(str(name), CHANGES) or CHANGES
            raise InvalidArgumentError("file", f"line {number} has no `do` that is known", meant)
        found.append((number, name, arguments))
    return found


COMMANDS: dict[str, Callable[[str, str, Sequence[str]], Outcome]] = {
    "notes export": export_notes,
    "notes import": import_notes,
    "notes apply": apply_changes,
}
