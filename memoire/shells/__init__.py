"""What `memoire hook bash`, `zsh` and `fish` print: the script by which a shell reports what is run in a project.

Each new shell waits for it, so this imports the smallest part of the standard library. The scripts leave records in the
spool of the project's state folder: `clients.payloads.shell` reads them.
"""

import os

NAMES = ("bash", "fish", "zsh")
"""The shells there is a script for."""


def script(name: str) -> str:
    """Return the script of a shell, to be evaluated by it at its start.

    Raises:
        KeyError: There is none for a shell of that name.
    """
    if name not in NAMES:
        raise KeyError(name)
    with open(os.path.join(os.path.dirname(__file__), f"memoire.{name}"), encoding="utf-8") as file:
        return file.read()
