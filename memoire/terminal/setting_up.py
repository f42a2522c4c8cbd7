"""Shows what `init` and `uninstall` do or would do, and asks before they do it."""

import argparse
from collections.abc import Sequence
from typing import Any, TextIO

from memoire import paths
from memoire.clients import CLIENTS
from memoire.clients._spec import Client
from memoire.errors import InvalidArgumentError
from memoire.setup_work import CREATED, LEFT_ALONE, REMOVED, UPDATED, Action
from memoire.terminal.arguments import Parser, near
from memoire.terminal.blocks import clean


def init_parser(description: str) -> Parser:
    """Return the parser of `memoire init`."""
    parser = _parser("init", description)
    parser.add_argument(
        "--client", nargs="+", action="extend", default=[], metavar="NAME", help=f"set up these: {', '.join(_names())}"
    )
    parser.add_argument("--all", action="store_true", help="set up every client, whether it is found here or not")
    parser.add_argument("--user", action="store_true", help="tell the clients of your user, for all projects")
    parser.add_argument("--force", action="store_true", help="take a folder that is large or private, too")
    parser.add_argument("--no-index", action="store_true", help="leave reading the project to the first question")
    return parser


def uninstall_parser(description: str) -> Parser:
    """Return the parser of `memoire uninstall`."""
    parser = _parser("uninstall", description)
    parser.add_argument("--user", action="store_true", help="take back what `init --user` wrote")
    parser.add_argument("--purge", action="store_true", help="remove database, index, events and logs, too")
    return parser


def chosen(options: argparse.Namespace) -> list[Client] | None:
    """Return the clients that were asked for; None where those that are found are meant.

    Raises:
        InvalidArgumentError: There is no client of a name.
    """
    if options.all:
        return [*CLIENTS]
    by_name = {client.name: client for client in CLIENTS}
    for name in options.client:
        if name not in by_name:
            raise InvalidArgumentError(name, f"is no client; there are {', '.join(by_name)}", near(name, [*by_name]))
    return [by_name[name] for name in dict.fromkeys(options.client)] or None


def _names() -> list[str]:
    return [client.name for client in CLIENTS]


def must_ask(options: argparse.Namespace, actions: Sequence[Action]) -> bool:
    """Return whether the user has to say yes first: something would be written, and they did not say so yet.

    Raises:
        InvalidArgumentError: JSON was asked for, where nobody reads a question.
    """
    is_change = any(action.state in {CREATED, UPDATED, REMOVED} for action in actions)
    if options.yes or options.dry_run or not is_change:
        return False
    if options.json:
        raise InvalidArgumentError("--json", "asks nothing: add `--yes`, or `--dry-run` to see what would be done")
    return True


def confirm(question: str, answers: TextIO, screen: TextIO) -> bool:
    """Ask; no answer is no.

    Raises:
        InvalidArgumentError: There is nobody to ask.
    """
    if not answers.isatty():
        raise InvalidArgumentError("--yes", "is needed where nobody can be asked; `--dry-run` shows what would be done")
    screen.write(f"\n{clean(question)} [y/N] ")
    screen.flush()
    return answers.readline().strip().lower() in {"y", "yes"}


_PLANNED = {CREATED: "to create", UPDATED: "to update", REMOVED: "to remove"}
"""How what is not done yet is told."""


def rows(actions: Sequence[Action]) -> list[dict[str, str]]:
    """Return each action as an object, without what is empty."""
    return [{name: value for name, value in action._asdict().items() if value} for action in actions]


def result(root: str, actions: Sequence[Action], *, is_dry: bool) -> dict[str, Any]:
    """Return the actions as `--json` shows them; no root is those of the user, for all projects."""
    if not root:
        return {"dry_run": is_dry, "actions": rows(actions)}
    return {"project_id": paths.project_id(root), "root": root, "dry_run": is_dry, "actions": rows(actions)}


def summary(actions: Sequence[Action], *, is_done: bool) -> dict[str, Any]:
    """Return the same for a person: the actions as rows, the differences as text, the tasks at the end."""
    said: dict[str, str] = {} if is_done else _PLANNED
    told = [
        {"state": said.get(each.state, each.state), "path": each.path, "what": each.what, "why": each.why}
        for each in actions
    ]
    shown: dict[str, Any] = {"actions": told}
    if diffs := "\n".join(action.diff.rstrip("\n") for action in actions if action.diff):
        shown["changes"] = f"{diffs}\n"
    if todo := [action.todo for action in actions if action.todo]:
        shown["to_do"] = todo
    return shown


def status(actions: Sequence[Action]) -> int:
    """Return the exit status: 1 where something had to be left alone."""
    return int(any(action.state == LEFT_ALONE for action in actions))


def _parser(command: str, description: str) -> Parser:
    parser = Parser.of(command, description)
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    parser.add_argument("--dry-run", action="store_true", help="show what would be written, and write nothing")
    return parser
