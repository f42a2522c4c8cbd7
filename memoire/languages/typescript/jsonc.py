"""Reads JSON as its users write it, with comments, trailing commas and a byte order mark. Pure."""

import json
import re
from collections.abc import Mapping
from typing import TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

MAX_BYTES = 2_000_000
"""A larger configuration file is generated data: nobody wrote aliases in it."""

_STRING = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
"""An open string runs to the end: trying again at each quote inside it would be quadratic."""
_STRING_OR_COMMENT = re.compile(rf"({_STRING})|//[^\n\r]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING_OR_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[\]}}])", re.DOTALL)


def parse_jsonc(data: bytes) -> JSON:
    """Return the value a configuration file holds.

    Raises:
        ValueError: It is no JSON even so, too large or too deep.
    """
    if len(data) > MAX_BYTES:
        raise ValueError(len(data))
    text = data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig", errors="replace")
    try:
        return _strict(text)
    except ValueError:
        text = _STRING_OR_COMMENT.sub(lambda found: found[1] or " ", text)
        return _strict(_STRING_OR_TRAILING_COMMA.sub(lambda found: found[1] or "", text))


def _strict(text: str) -> JSON:
    try:
        value: JSON = json.loads(text, strict=False)
        if "\\u" in text:
            # Half a surrogate pair is no text: it could be neither stored nor sent.
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return value


def parse_object(data: bytes) -> Mapping[str, JSON]:
    """Return the object a configuration file holds.

    Raises:
        ValueError: It holds no object.
    """
    value = parse_jsonc(data)
    if not isinstance(value, dict):
        raise ValueError(type(value).__name__)  # noqa: TRY004 - the content is wrong, not an argument
    return value


def strings(value: JSON) -> tuple[str, ...]:
    """Return the strings of a list, or the one string, as a tuple; what is no string is left out."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str))
    return ()


def text_of(value: JSON) -> str:
    """Return the value where it is a string, else the empty string."""
    return value if isinstance(value, str) else ""


def object_of(value: JSON) -> Mapping[str, JSON]:
    """Return the value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
