"""Reads what assistants and shells report: one module for each, from the bytes it sends to `episodes.actions`."""

from collections.abc import Callable, Mapping
from datetime import datetime

from memoire.clients.payloads import claude_code, codex, copilot_cli, cursor, gemini, opencode
from memoire.clients.payloads._reports import Dialect
from memoire.clients.payloads._spec import Asking
from memoire.episodes.actions import Action

Parser = Callable[[bytes, datetime], list[Action]]
"""(what the client sent, when it was received) -> what it did; empty for what is of no interest or no payload."""

DIALECTS: Mapping[str, Dialect] = {
    dialect.client: dialect
    for dialect in (
        claude_code.DIALECT, codex.DIALECT, cursor.DIALECT, copilot_cli.DIALECT, gemini.DIALECT, opencode.DIALECT,
    )
}  # fmt: skip
"""Client -> how its hooks name what they report."""

PARSERS: Mapping[str, Parser] = {client: dialect.parse for client, dialect in DIALECTS.items()}
"""Client -> its parser."""

ASKING: Mapping[str, Asking] = {client: dialect.asking for client, dialect in DIALECTS.items()}
"""Client whose hooks wait for what they should tell the assistant -> how it asks, and takes an answer."""
