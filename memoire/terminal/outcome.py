"""What a command that reads its own line has come to."""

from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """What a command has to show."""

    shown: dict[str, Any] | None
    """None where all was written already."""
    as_json: bool
    status: int = 0
