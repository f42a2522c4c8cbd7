"""Turns the result of an operation into blocks: lines for single values, a table for each list.

It knows the published fields by name and shows any other field all the same, so a new operation needs nothing here.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from memoire.terminal.blocks import Block, Lines, heading, lines, table

COLUMNS = {
    "relationships": ("source", "relation", "target", "observations", "cost", "rationale"),
    "recent_events": ("created_at", "summary"),
    "events": ("created_at", "actor", "summary"),
    "children": ("name", "type", "summary"),
    "results": ("kind", "path", "line", "name", "said"),
}
"""The columns of lists whose fields would not fit beside each other, as far as they are given; elsewhere all fields."""

TITLES = {"created_at": "when", "actor": "who", "observations": "seen", "rationale": "why", "said": ""}

ABOUT = frozenset(("as_of", "pending", "cut"))
"""Fields that tell of the answer itself: with nothing beside them, nothing was found."""

_PHRASE_CHARS = 60
"""A list of longer texts is one of sentences or commands: each has a line of its own."""
_EMPTY: tuple[object, ...] = (None, "", [], {}, ())


def show_result(result: Mapping[str, Any]) -> list[Block]:
    """Return the blocks of any result: what fits into a line as a line, each list as a table, in the result's order."""
    is_empty = all(value in _EMPTY for name, value in result.items() if name not in ABOUT)
    blocks: list[Block] = [Lines(("nothing found",))] if is_empty else []
    facts: list[str] = []
    for name, value in result.items():
        if _is_single(value):
            facts += [f"{_title(name)}: {_one_line(value)}"] if value not in _EMPTY else []
        else:
            blocks += [*_facts(facts, is_first=not blocks), *_show_part(name, value)]
            facts = []
    return [*blocks, *_facts(facts, is_first=not blocks)]


def _facts(facts: Sequence[str], *, is_first: bool) -> list[Block]:
    if not facts:
        return []
    return [lines("\n".join(facts) if is_first else "\n".join(["", *facts]))]


def _show_part(name: str, value: Any) -> list[Block]:
    title = heading(_title(name))
    if name == "structure" and isinstance(value, Mapping):
        return [
            title,
            table(("directory", "holds"), [(parent, _names(parent, held)) for parent, held in value.items()]),
        ]
    if name == "document" and isinstance(value, Mapping):
        text = "\n".join(str(value.get(part) or "") for part in ("title", "content"))
        return [title, lines(text.strip("\n"))]
    if isinstance(value, str):
        return [title, lines(value)]
    if isinstance(value, Mapping):
        found = {key: item for key, item in value.items() if item not in _EMPTY}
        return [title, table(("", ""), [(_title(key), _one_line(item)) for key, item in found.items()])]
    rows = [row if isinstance(row, Mapping) else {"": row} for row in value]
    if name in {"notes", "archived", "around"}:
        rows = [_noted(row) for row in rows]
    if name == "results" and any("action" in row for row in rows):
        rows = [_written(row) for row in rows]
        name = ""
    if name == "results":
        rows = [_found(row) for row in rows]
    found = dict.fromkeys(key for row in rows for key in row if any(one.get(key) not in _EMPTY for one in rows))
    columns = [column for column in COLUMNS.get(name, tuple(found)) if column in found]
    if not columns:
        return []
    return [
        title,
        table([_title(column) for column in columns], [[_one_line(row.get(key)) for key in columns] for row in rows]),
    ]


def _found(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a hit with what an event or a session says beside its name, which says little."""
    if row.get("kind") not in {"event", "session"}:
        return row
    when = f"{row['created_at']} " if row.get("created_at") else ""
    return {**row, "said": f"{when}{_one_line(row.get('snippet'))}"}


def _written(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what became of a note that was written, without what says nothing."""
    told = {name: row.get(name) for name in ("action", "id", "path", "error")}
    if conflict := row.get("conflict"):
        told["at odds with"] = f"{conflict['id']} ({conflict['kind']})"
    if near := row.get("near_duplicates"):
        told["says the same as"] = ", ".join(each["id"] for each in near)
    return told


def _noted(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a note in a few columns: what it says, of what, and whether it still holds."""
    known = row.get("hit", row)
    if not isinstance(known, Mapping) or "claim" not in known:
        return row
    fresh = known.get("freshness") or {}
    troubled = [each for each in fresh.get("anchors", ()) if each["state"] not in {"fresh", "cosmetic", "unknown"}]
    why = ", ".join(f"{each['entity']} {each['state']}" for each in troubled)
    shown = {name: known.get(name) for name in ("id", "type", "claim")}
    told = {name: row[name] for name in ("text", "why", "details") if row is not known and row.get(name)}
    state = fresh.get("state") or known.get("state", "")
    holds = f"{state}{': ' if why else ''}{why}" if known.get("status", "active") == "active" else known.get("status")
    return {**shown, "about": known.get("about"), "still holds": holds, **told}


def _is_single(value: Any) -> bool:
    """Return whether a value fits into one line."""
    if isinstance(value, Mapping):
        return all(_is_word(item) for item in value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(_is_word(item) and len(str(item)) <= _PHRASE_CHARS for item in value)
    return value is None or _is_word(value)


def _is_word(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and "\n" not in value)


def _one_line(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_one_line(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_one_line(item) for item in value)
    return " ".join(str(value).split())


def _names(parent: str, held: Sequence[str]) -> str:
    prefix = "" if parent == "." else parent
    return " ".join(name.removeprefix(prefix) for name in held)


def _title(name: str) -> str:
    return TITLES.get(name, name).replace("_", " ")
