"""Reads what other memories export as JSON: an array, an object that holds one, or a line for each. Pure.

Three forms are told apart by their fields: records with `content` and `memory_type`, items with `text`, and a graph of
entities with their observations and relations.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

from memoire.notes.exchange._entry import (
    SOURCE,
    SOURCE_ID,
    Entry,
    Json,
    Read,
    Trouble,
    moment_of,
    text_of,
    texts_of,
)
from memoire.notes.exchange.records import read_lines
from memoire.notes.model import Certainty, Status

_Given: TypeAlias = Sequence[tuple[int, Json]]
_LISTS = ("memories", "items", "notes", "data", "results", "passages")
"""Names under which an object holds its list."""
_STATUS: dict[str, Status] = {"deprecated": "deprecated", "superseded_by": "superseded", "superseded": "superseded"}
_KINDS = {
    "fact": "reference", "note": "reference", "document": "reference", "message": "status", "event": "status",
    "rule": "convention", "lesson": "gotcha",
}  # fmt: skip
_CERTAIN: dict[str, Certainty] = {
    "verified": "verified",
    "hard": "verified",
    "speculative": "speculative",
    "soft": "inferred",
}


def read_json(text: str, source: str) -> Read:
    """Return the entries of an export; of one that nobody knows, why not."""
    found = list(_objects(text, source))
    objects: _Given = [(number, each) for number, each in found if not isinstance(each, Trouble)]
    troubles = tuple(each for _, each in found if isinstance(each, Trouble))
    if any("memoire" in each and "valid_from" in each for _, each in objects):
        return read_lines(text, source)
    for name, is_one, read in _FORMS:
        if any(is_one(each) for _, each in objects):
            made = read(objects, source)
            return Read(name, made.entries, (*troubles, *made.troubles))
    why = "it is the export of no memory that is known"
    return Read("", (), troubles or (Trouble(source, 0, why),))


def _objects(text: str, source: str) -> Iterator[tuple[int, Json | Trouble]]:
    """Yield (line, object); 0 where the file is one document."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict):
        lists = [whole[name] for name in _LISTS if isinstance(whole.get(name), list)]
        is_graph = isinstance(whole.get("entities"), list)
        if is_graph:
            entities = [{"type": "entity", **each} for each in whole["entities"] if isinstance(each, dict)]
            relations = [
                {"type": "relation", **each} for each in whole.get("relations") or [] if isinstance(each, dict)
            ]
            lists = [[*entities, *relations]]
        whole = lists[0] if lists else [whole]
    if isinstance(whole, list):
        yield from ((0, each) for each in whole if isinstance(each, dict))
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            each = json.loads(line)
        except (ValueError, RecursionError):
            each = None
        yield number, each if isinstance(each, dict) else Trouble(source, number, "it is no JSON object")


def _records(objects: _Given, source: str) -> Read:
    """Of machine-memory: `{id, content, tags, context, memory_type, certainty, status, superseded_by, …}`."""
    entries = []
    for line, each in objects:
        if not text_of(each.get("content")):
            continue
        name = text_of(each.get("id"))
        tags = texts_of(each.get("tags"))
        by = text_of(each.get("superseded_by"))
        status = _STATUS.get(text_of(each.get("status")), "active")
        days = text_of(each.get("expires_after_days"))
        entries.append(
            Entry(
                text=text_of(each["content"]),
                source=source,
                line=line,
                name=name,
                type=text_of(each.get("memory_type")) or "convention",
                why=text_of(each.get("context")),
                about=texts_of(each.get("refs")),
                tags=tags,
                facets=_from(source, name),
                certainty=_CERTAIN.get(text_of(each.get("certainty")), "inferred"),
                since=moment_of(each.get("created_at")),
                expires=_end(moment_of(each.get("updated_at")), days),
                author=text_of(each.get("source_agent")),
                status="superseded" if by else status,
                by=by,
                reason="" if status == "active" else "so in the memory it comes from",
            )
        )
    return Read("records", tuple(entries))


def _items(objects: _Given, source: str) -> Read:
    """Of twin memory: `{text, kind, id, at, author, role, session, title, about, expires, metadata}`."""
    entries = []
    for line, each in objects:
        if not text_of(each.get("text")):
            continue
        name = text_of(each.get("id"))
        kind = text_of(each.get("kind")).lower()
        metadata = each.get("metadata")
        extra = metadata.items() if isinstance(metadata, dict) else ()
        about = each.get("about")
        entries.append(
            Entry(
                text=text_of(each["text"]),
                source=source,
                line=line,
                name=name,
                key=name,
                type=_KINDS.get(kind, kind or "reference"),
                title=text_of(each.get("title")),
                about=texts_of(about) if isinstance(about, list) else tuple(filter(None, (text_of(about),))),
                tags=texts_of(each.get("tags")),
                facets={
                    **{key.replace("=", " "): value for key, given in extra if (value := text_of(given))},
                    **_from(source, name),
                },
                since=moment_of(each.get("at")),
                expires=moment_of(each.get("expires")),
                author=text_of(each.get("author")),
                role=text_of(each.get("role")),
                session=text_of(each.get("session")),
            )
        )
    return Read("items", tuple(entries))


def _graph(objects: _Given, source: str) -> Read:
    """Of the reference server: entities with observations, each a note about its entity, and relations between them."""
    kinds = {
        text_of(each.get("name")): text_of(each.get("entityType")) or "concept"
        for _, each in objects
        if _kind(each) == "entity"
    }
    entries: list[Entry] = []
    for line, each in objects:
        if _kind(each) == "entity":
            entries += _observations(each, line, source)
        elif _kind(each) == "relation":
            ends = [text_of(each.get(end)) for end in ("from", "to")]
            verb = text_of(each.get("relationType"))
            if all(ends) and verb:
                about = tuple(_entity(kinds.get(end, "concept"), end) for end in ends)
                text = f"{ends[0]} {verb.replace('_', ' ')} {ends[1]}."
                entries.append(Entry(text=text, source=source, line=line, about=about, facets=_from(source, "")))
    return Read("graph", tuple(entries))


def _observations(each: Json, line: int, source: str) -> Iterator[Entry]:
    name, kind = text_of(each.get("name")), text_of(each.get("entityType")) or "concept"
    observed = each.get("observations")
    for said in observed if isinstance(observed, list) else ():
        text = text_of(said.get("content")) if isinstance(said, dict) else text_of(said)
        if not text or not name:
            continue
        is_named = name.casefold() in text.casefold()
        yield Entry(
            text=text if is_named else f"{name}: {text}",
            source=source,
            line=line,
            about=(_entity(kind, name),),
            tags=(f"kind:{kind}",),
            facets=_from(source, ""),
            subject=name,
        )


def _kind(each: Json) -> str:
    found = text_of(each.get("type"))
    return found if found in {"entity", "relation"} else ""


def _entity(kind: str, name: str) -> str:
    """Return the address of what is no node of a project: `type:name`."""
    bare = re.sub(r"[^a-z_]+", "_", kind.lower()).strip("_")[:19]
    return f"{bare or 'concept'}:{name}"


def _from(source: str, name: str) -> dict[str, str]:
    return {SOURCE: source, **({SOURCE_ID: name} if name else {})}


def _end(at: datetime | None, days: str) -> datetime | None:
    return at + timedelta(days=int(days)) if at is not None and days.isdigit() and len(days) < 6 else None


def _is_record(each: Json) -> bool:
    return "content" in each and ("memory_type" in each or "certainty" in each)


def _is_item(each: Json) -> bool:
    return isinstance(each.get("text"), str)


def _is_of_graph(each: Json) -> bool:
    return bool(_kind(each)) and ("observations" in each or "relationType" in each)


_FORMS: tuple[tuple[str, Callable[[Json], bool], Callable[[_Given, str], Read]], ...] = (
    ("graph", _is_of_graph, _graph),
    ("records", _is_record, _records),
    ("items", _is_item, _items),
)
