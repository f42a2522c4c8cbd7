"""The commands about memoire on this machine: which versions are at work, and what a shell completes."""

import sys
from collections.abc import Callable, Sequence

from memoire.terminal import completing, versions
from memoire.terminal.arguments import Parser, project_root
from memoire.terminal.outcome import Outcome


def upgrade_check(command: str, summary: str, given: Sequence[str]) -> Outcome:
    """Compare the versions that are at work.

    Raises:
        NotInitializedError: The folder is no project.
    """
    options = Parser.of(command, summary).parse(given)
    found = versions.compare(project_root(options.root))
    return Outcome(versions.result(found), options.json, versions.status(found))


def completion(command: str, summary: str, given: Sequence[str]) -> Outcome:
    """Write the script of a shell."""
    parser = Parser.of(command, summary)
    parser.add_argument("shell", choices=list(completing.SCRIPTS), help="the shell that evaluates it")
    options = parser.parse(given)
    script = completing.SCRIPTS[options.shell]
    if options.json:
        return Outcome({"shell": options.shell, "script": script}, as_json=True)
    sys.stdout.write(script)
    return Outcome(None, as_json=False)


COMMANDS: dict[str, Callable[[str, str, Sequence[str]], Outcome]] = {
    "completion": completion,
    "upgrade-check": upgrade_check,
}
