"""The schema as text, its version, and what its comments say about each field."""

import re
from pathlib import Path

import msgspec

SCHEMA_VERSION = 5
"""Version of `schema.surql`. Version 1 kept an edge in one column for each attribute, without `learned` observations,
and events without `count`; version 2 had no `rest` of an event; version 3 no evidence; version 4 nothing of notes."""

SCHEMA = Path(__file__).with_name("schema.surql").read_text(encoding="utf-8")
"""The definition of every table and field, as SurrealQL."""

_DEFINITION = re.compile(
    r"^DEFINE (?P<what>TABLE|FIELD) (?P<name>\w+)(?: ON (?P<table>\w+))?\s+(?P<type>[^;']*?)"
    r"\s+COMMENT '(?P<text>(?:[^'\\]|\\.)*)';",
    re.MULTILINE,
)
_QUOTED = re.compile(r"type::record\('node', record::id\(id\)\)")


class Documented(msgspec.Struct, frozen=True):
    """One table or field of the schema and what it means."""

    table: str
    field: str
    """Empty: the table itself."""
    type: str
    """As in the schema; `computed` for what takes no space."""
    meaning: str


def definition_of(table: str) -> str:
    """Return what defines one table and its fields, as SurrealQL."""
    name = re.escape(table)
    found = re.findall(rf"^DEFINE (?:TABLE {name}\b|FIELD \w+ ON {name}\b).*?';$", SCHEMA, re.MULTILINE | re.DOTALL)
    return "\n".join(found)


def documented() -> list[Documented]:
    """Return every table and field of the schema with its comment, in order."""
    found = []
    for match in _DEFINITION.finditer(_QUOTED.sub("record::id(id)", SCHEMA)):
        is_field = match["what"] == "FIELD"
        written = match["type"].removeprefix("TYPE ")
        kind = "computed" if written.startswith("COMPUTED") else written
        found.append(
            Documented(match["table"] or match["name"], match["name"] if is_field else "", kind, match["text"])
        )
    return found
