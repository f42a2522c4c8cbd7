"""Reads what assistants and shells report: one module for each, from the bytes it sends to `episodes.actions`."""

from collections.abc import Callable, Mapping
from datetime import datetime

from memoire.episodes.actions import Action

Parser = Callable[[bytes, datetime], list[Action]]
"""(what the client sent, when it was received) -> what it did; empty for what is of no interest or no payload."""

PARSERS: Mapping[str, Parser] = {}
"""Client -> its parser."""
