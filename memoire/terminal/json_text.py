"""Writes a result as JSON: as it is, or in one line without what is empty."""

import json
from typing import Any, TextIO

from memoire.terminal.arguments import BRIEF


def write(result: dict[str, object], stream: TextIO, *, style: bool | str) -> None:
    """Write a result.

    Args:
        result: What a command has to say.
        stream: Where to.
        style: `BRIEF`, or anything else for the whole of it.
    """
    if style == BRIEF:
        text = json.dumps(_shortened(result), ensure_ascii=False, separators=(",", ":"))
    else:
        text = json.dumps(result, ensure_ascii=False, indent=2)
    stream.write(f"{text}\n")


def _shortened(value: Any) -> Any:
    """Return a value of JSON without what is empty in it."""
    if isinstance(value, dict):
        return {key: told for key, each in value.items() if (told := _shortened(each)) not in (None, "", [], {})}
    return [_shortened(each) for each in value] if isinstance(value, list) else value
