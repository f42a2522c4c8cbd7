"""A note as a Markdown file: a head for machines, the statement and its reasons for people. Pure.

The tree that they make is made to be read and reviewed, and may be edited: another statement under the same id is taken
back as one that supersedes the first.
"""

import re
from posixpath import basename

import msgspec

from memoire.errors import MemoryRefusedError
from memoire.notes.exchange import front_matter
from memoire.notes.exchange._entry import Entry, Read, Trouble, moment_of
from memoire.notes.exchange.front_matter import Value
from memoire.notes.exchange.records import FORMAT, VERSION, Record, entry_of
from memoire.notes.model import Anchor, NoteType
from memoire.notes.writing import type_of

_WHY, _DETAILS = "## Why", "## Details"
_SECTION = re.compile(rf"^(?:{_WHY}|{_DETAILS})[ \t]*$", re.MULTILINE)
_ANCHOR = msgspec.json.Decoder(Anchor)
_PLAIN = (
    "branch",
    "subject",
    "attribute",
    "key",
    "superseded_by",
    "reason",
    "author",
    "role",
    "session",
    "prompt",
    "turn",
)
DEFAULTS = {"certainty": "inferred", "importance": "5", "scope": "project", "version": "1"}


def file_name(record: Record) -> str:
    """Return where a note lies in the tree: its path below `notes/`."""
    return f"{record.path.removeprefix('notes/')}.md"


def render(record: Record) -> str:
    """Return the file of a note."""
    head: dict[str, Value] = {"memoire": record.id, "type": record.type, "status": record.status}
    texts = (record.text, record.why, record.details)
    is_split = not any(_SECTION.search(text) for text in texts)
    if not is_split or (record.title and "\n" in record.title) or (not record.title and record.text.startswith("# ")):
        # What would be taken for something else in the text stands in the head.
        head |= {"title": record.title, "why": record.why, "details": record.details, "layout": "plain"}
        is_split = False
    head |= {
        "date": _time(record, "valid_from"),
        "valid_to": _time(record, "valid_to"),
        "expires": _time(record, "expires"),
        "path": record.path,
    }
    numbers = {
        "version": str(record.version),
        "certainty": record.certainty,
        "importance": str(record.importance),
        "scope": record.scope,
    }
    head |= {name: value for name, value in numbers.items() if value != DEFAULTS[name]}
    head |= {"confidence": "" if record.confidence is None else repr(record.confidence)}
    head |= {name: str(getattr(record, name)) for name in _PLAIN}
    head |= {"tags": list(record.tags), "facets": record.facets}
    head |= {"about": [anchor.node for anchor in record.about]}
    head |= {
        "links": [msgspec.json.encode(link).decode() for link in record.links],
        "ratings": list(record.ratings),
        "opens": str(record.opens) if record.opens else "",
        "anchors": [msgspec.json.encode(anchor).decode() for anchor in record.about],
    }
    body = [f"# {record.title}\n"] if is_split and record.title else []
    body += [record.text + "\n"]
    if is_split:
        body += [f"{mark}\n\n{text}\n" for mark, text in ((_WHY, record.why), (_DETAILS, record.details)) if text]
    return front_matter.write(head) + "\n" + "\n".join(body)


def is_ours(text: str) -> bool:
    """Return whether a file is one that `render` made."""
    head, _ = front_matter.split(text)
    return bool(front_matter.read(head).get("memoire")) if "memoire:" in head else False


def id_of(text: str) -> str:
    """Return the id of the note in a file of ours; empty in any other."""
    head, _ = front_matter.split(text)
    return _text(front_matter.read(head), "memoire") if "memoire:" in head else ""


def read_note(text: str, source: str) -> Read:
    """Return the note of a file that `render` made, edited by hand or not."""
    head, body = front_matter.split(text)
    values = front_matter.read(head)
    try:
        return Read(FORMAT, (_entry(values, body.strip("\n"), source),))
    except (ValueError, MemoryRefusedError, msgspec.DecodeError) as error:
        return Read(FORMAT, (), (Trouble(source, 0, f"its head cannot be understood: {error}"),))


def _entry(values: dict[str, Value], body: str, source: str) -> Entry:
    kind: NoteType = "digest" if _text(values, "type") == "digest" else type_of(_text(values, "type") or "reference")
    title, text, why, details = _text(values, "title"), body, _text(values, "why"), _text(values, "details")
    if _text(values, "layout") != "plain":
        heading = re.match(r"# (.*)\n+", body)
        title, text = (heading[1].strip(), body[heading.end() :]) if heading else ("", body)
        text, details = _cut(text, _DETAILS)
        text, why = _cut(text, _WHY)
    facets = values.get("facets")
    nodes = dict.fromkeys(front_matter.texts(values.get("about")))
    known = {anchor.node: anchor for anchor in map(_ANCHOR.decode, front_matter.texts(values.get("anchors")))}
    said = {
        "memoire": VERSION,
        "id": _text(values, "memoire"),
        "path": _text(values, "path") or f"notes/{kind}/general/{basename(source).removesuffix('.md')}",
        "status": _text(values, "status") or "active",
        "type": kind,
        "text": text.strip("\n"),
        "title": title,
        "why": why,
        "details": details,
        "about": [anchor for node in nodes if (anchor := known.get(node)) is not None],
        "tags": front_matter.texts(values.get("tags")),
        "facets": facets if isinstance(facets, dict) else {},
        "confidence": _text(values, "confidence") or None,
        "valid_from": moment_of(_text(values, "date")),
        "valid_to": moment_of(_text(values, "valid_to")),
        "expires": moment_of(_text(values, "expires")),
        "links": [msgspec.json.decode(each) for each in front_matter.texts(values.get("links"))],
        "ratings": front_matter.texts(values.get("ratings")),
        "opens": _text(values, "opens") or 0,
        **{name: _text(values, name) for name in _PLAIN},
        **{name: _text(values, name) or default for name, default in DEFAULTS.items()},
    }
    record = msgspec.convert(said, Record, strict=False)
    # What somebody added to the list by hand has no baseline yet.
    return msgspec.structs.replace(entry_of(record, source), about=tuple(node for node in nodes if node not in known))


def _cut(text: str, mark: str) -> tuple[str, str]:
    """Return (what stands before a section, the section)."""
    found = re.search(rf"^{mark}[ \t]*$", text, re.MULTILINE)
    if found is None:
        return text, ""
    return text[: found.start()].strip("\n"), text[found.end() :].strip("\n")


def _text(values: dict[str, Value], name: str) -> str:
    found = values.get(name, "")
    return found if isinstance(found, str) else ", ".join(found)


def _time(record: Record, name: str) -> str:
    at = getattr(record, name)
    return "" if at is None else at.isoformat().replace("+00:00", "Z")
