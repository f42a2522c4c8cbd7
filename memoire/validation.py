"""Says in plain words what is wrong with a value that msgspec refused."""

import difflib
import re
from typing import Any

import msgspec

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
_GOT = _KINDS | {"float": "a fraction"}
_LENGTH = re.compile(r"Expected `str` of length (?P<sign>>=|<=) (?P<bound>\d+)")
_RANGE = re.compile(r"Expected `(?:int|float)` (?P<sign>>=|<=) (?P<bound>-?[\d.]+)")
_KIND = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<got>\w+)`")
_CHOICE = re.compile(r"Invalid enum value (?P<value>.+)")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>[^`]+)`")
_MISSING = re.compile(r"Object missing required field `(?P<name>\w+)`")


def problem_of(error: msgspec.ValidationError, schema: dict[str, Any]) -> tuple[str, str]:
    """Return where in the value the fault is (`limit`, `kinds[0]`; empty: the value itself) and what it is.

    Args:
        error: What msgspec raised.
        schema: The JSON Schema of the value, which tells the choices.
    """
    problem, _, where = str(error).partition(" - at `$")
    where = where.rstrip("`").removeprefix(".")
    if found := _MISSING.fullmatch(problem):
        return ".".join(filter(None, (where, found["name"]))), "is missing"
    if found := _UNKNOWN.fullmatch(problem):
        known = sorted(_names(schema))
        near = difflib.get_close_matches(found["name"], known, n=1, cutoff=0.5)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return where, f"has no field `{found['name']}`{hint}"
    if found := _CHOICE.fullmatch(problem):
        name = re.split(r"[.\[]", where)[0]
        choices = _choices(schema.get("properties", {}).get(name, schema))
        return where, f"{found['value']} is none of {', '.join(choices)}"
    return where, _in_words(problem)


def _names(schema: Any) -> set[str]:
    """Return the names of all fields in a schema, at any depth."""
    if isinstance(schema, list):
        return {name for item in schema for name in _names(item)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema["properties"]) if isinstance(schema.get("properties"), dict) else set[str]()
    return own | {name for item in schema.values() for name in _names(item)}


def _choices(schema: Any) -> list[str]:
    """Return the values of the first enumeration in a schema."""
    if isinstance(schema, dict):
        if "enum" in schema:
            return list(map(str, schema["enum"]))
        schema = list(schema.values())
    return next(filter(None, map(_choices, schema)), []) if isinstance(schema, list) else []


def _in_words(problem: str) -> str:
    if found := _LENGTH.fullmatch(problem):
        if found["sign"] == ">=":
            return "must not be empty" if found["bound"] == "1" else f"must have {found['bound']} characters or more"
        return f"must have {found['bound']} characters or fewer"
    if found := _RANGE.fullmatch(problem):
        return f"must be {found['bound']} or {'more' if found['sign'] == '>=' else 'less'}"
    if found := _KIND.fullmatch(problem):
        wanted = [_KINDS.get(kind, kind) for kind in found["wanted"].split(" | ") if kind != "null"]
        return f"must be {' or '.join(wanted)}, not {_GOT.get(found['got'], found['got'])}"
    return problem
