"""Reads what assistants and shells report: one module for each, from the bytes it sends to `episodes.actions`."""

from collections.abc import Callable, Mapping
from datetime import datetime

from memoire.clients.payloads import claude_code
from memoire.clients.payloads._spec import Asking
from memoire.episodes.actions import Action

Parser = Callable[[bytes, datetime], list[Action]]
"""(what the client sent, when it was received) -> what it did; empty for what is of no interest or no payload."""

PARSERS: Mapping[str, Parser] = {"claude-code": claude_code.parse}
"""Client -> its parser."""

ASKING: Mapping[str, Asking] = {"claude-code": claude_code.ASKING}
"""Client whose hooks wait for what they should tell the assistant -> how it asks, and takes an answer."""
