"""Asks the clients themselves, where they can be asked, whether they know memoire's MCP server."""

import re
import shutil
import subprocess
from typing import NamedTuple

from memoire.clients import CLIENTS
from memoire.clients._spec import Client

LIMIT_S = 60.0
"""That a client may take: several start each of their servers to say whether they can."""

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PENDING = re.compile(r"pending|approv|untrusted|not trusted", re.IGNORECASE)
_BROKEN = re.compile(r"fail|error|\u2717|\u2718|disabled|disconnected|not connected|timed out", re.IGNORECASE)


class Answer(NamedTuple):
    """What one client says."""

    client: Client
    state: str
    """known, pending, broken, unknown (it does not name memoire) or silent (it cannot be asked)."""
    said: str
    """Its own words, as far as they are about memoire; of one that is silent, why."""


def ask(root: str) -> list[Answer]:
    """Return what the clients that are installed and used in a project say."""
    wanted = [client for client in CLIENTS if client.lists and client.detect(root)]
    return [_ask(client, root) for client in wanted if shutil.which(client.lists[0])]


def _ask(client: Client, root: str) -> Answer:
    try:
        done = subprocess.run(
            client.lists,
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        why = "it takes too long" if isinstance(error, subprocess.TimeoutExpired) else str(error)
        return Answer(client, "silent", why)
    lines = _COLOUR.sub("", f"{done.stdout}\n{done.stderr}").splitlines()
    about = [line.strip(" \u2502\u25cf\u25cb|") for line in lines if re.search(r"\bmemoire\b", line)]
    said = " ".join(about[:2])[:200]
    if not about:
        return Answer(client, "unknown", "")
    state = "pending" if _PENDING.search(said) else "broken" if _BROKEN.search(said) else "known"
    return Answer(client, state, said)
