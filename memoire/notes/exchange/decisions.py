"""Reads records of architecture decisions: one Markdown file each, as Nygard and MADR lay them out. Pure.

The decision becomes the statement, its context the reason, all else the details. A record says of itself whether it
still holds, since when, and what stands in its place; that is what becomes of the note.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from posixpath import basename, dirname
from typing import NamedTuple

from memoire.notes.exchange import front_matter
from memoire.notes.exchange._entry import SOURCE, Entry, Read, Tie, moment_of
from memoire.notes.exchange.sections import Section, link_targets, sections
from memoire.notes.model import Certainty, Status

FORMAT = "decisions"
_NAME = re.compile(r"(?:adr|ADR)?[-_]?(\d{1,8})[-_. ].*\.(?:md|markdown)$")
_FOLDER = re.compile(
    r"(?:^|/)(?:adrs?|decisions?|decision-records?|architecture-decisions?|rfcs?/accepted)(?:/|$)", re.IGNORECASE
)
_ASIDE = frozenset(("readme.md", "index.md", "template.md", "adr-template.md", "0000-template.md", "_template.md"))
_FIELD = re.compile(
    r"^[ \t]*[-*]?[ \t]*\**(status|date|deciders|decision[- ]makers|supersedes|superseded[- ]by|tags)\**[ \t]*:"
    r"\**[ \t]*(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = re.compile(r"^(?:adr[- ]?)?\d{1,8}\s*[.:)\u2013\u2014-]\s*", re.IGNORECASE)
_DRIVERS = "decision driver"
_CONTEXT = ("context", "problem", "issue", "background", "motivation", _DRIVERS)
_DECISION = ("decision outcome", "decision", "outcome", "solution", "resolution")
_CHANGES = frozenset(("changelog", "change log", "history"))
_SAID = ("status", "date", "deciders", "decision-makers", "decision makers")
_REF = re.compile(r"(?:adr[- #]?)?0*(\d{1,8})\b", re.IGNORECASE)


class _Record(NamedTuple):
    """What one file says of itself."""

    title: str
    parts: list[Section]
    said: Mapping[str, str]


def is_decision(path: str, text: str) -> bool:
    """Return whether a file is the record of a decision: by its name, its folder, and what it is made of."""
    name = basename(path)
    if not name.lower().endswith((".md", ".markdown")) or name.lower() in _ASIDE:
        return False
    if not (_NAME.match(name) or _FOLDER.search(dirname(path))):
        return False
    record = _record(text)
    return bool(_pick(record.parts, _DECISION)) or bool(record.said.get("status"))


def read_decision(text: str, source: str) -> Read:
    """Return the decision of a file."""
    record = _record(text)
    decision, context = _pick(record.parts, _DECISION), _pick(record.parts, _CONTEXT)
    rest = [part for part in record.parts if part not in decision and part not in context and not _is_said(part)]
    title = _NUMBER.sub("", record.title) or basename(source).rpartition(".")[0]
    words = record.said.get("status", "").strip()
    status, by = _status(words, record)
    statement = _joined(decision, first_bare=True)
    ties = [Tie("supersedes", name) for name in _refs(record.said.get("supersedes", ""), source)]
    made = Entry(
        text=f"{title.rstrip('.')}.\n\n{statement}" if statement else f"{title.rstrip('.')}.",
        source=source,
        name=source,
        key=source,
        type="decision",
        title=title,
        why=_joined(context, first_bare=True),
        details=_joined(rest, first_bare=False),
        about=(source,),
        facets={SOURCE: source, **({"adr": number} if (number := _number(source)) else {})},
        tags=tuple(front_matter.texts(record.said.get("tags"))),
        certainty=_certainty(words),
        since=_date(record),
        author=record.said.get("decision-makers") or record.said.get("deciders") or "",
        status=status,
        by=next(iter(_refs(by, source)), "") if by else "",
        reason=words if status != "active" else "",
        ties=tuple(ties),
    )
    return Read(FORMAT, (made,))


def _record(text: str) -> _Record:
    head, body = front_matter.split(text)
    values = front_matter.read(head)
    found = sections(body)
    title = next((part.title for part in found if part.level == 1), "")
    said = {name.lower(): value if isinstance(value, str) else ", ".join(value) for name, value in values.items()}
    lead = "\n".join(part.text for part in found if part.level <= 1)
    for name, value in _FIELD.findall(lead):
        said.setdefault(name.lower().replace(" ", "-"), value.strip().strip("*_ "))
    for part in found:
        if part.title.lower() in _SAID and part.text.strip():
            lines = [line.strip() for line in part.text.strip().split("\n") if line.strip()]
            said.setdefault(part.title.lower().replace(" ", "-"), lines[0].strip("*_ "))
            for line in lines:
                if found_again := re.match(r"(supersedes|superseded\s+by)\s*:?\s+(.*)", line, re.IGNORECASE):
                    said.setdefault(re.sub(r"\s+", "-", found_again[1].lower()), found_again[2])
    title = title or said.get("title", "")
    return _Record(title, [part for part in found if part.level > 1], said)


def _pick(parts: list[Section], names: tuple[str, ...]) -> list[Section]:
    """Return the first section whose title begins with one of some names, with what stands below it."""
    for name in names:
        for at, part in enumerate(parts):
            title = part.title.lower()
            if not title.startswith(name) or (name == "decision" and title.startswith(_DRIVERS)):
                continue
            end = at + 1
            while end < len(parts) and parts[end].level > part.level:
                end += 1
            return parts[at:end]
    return []


def _is_said(part: Section) -> bool:
    return part.title.lower() in _SAID


def _joined(parts: list[Section], *, first_bare: bool) -> str:
    texts = []
    for at, part in enumerate(parts):
        heading = "" if first_bare and at == 0 else f"{'#' * part.level} {part.title}\n\n"
        if part.text.strip() or heading:
            texts.append(f"{heading}{part.text.strip()}".strip())
    return "\n\n".join(texts).strip()


def _status(words: str, record: _Record) -> tuple[Status, str]:
    """Return what became of a decision, and the words that name what stands in its place."""
    bare = words.lower()
    by = record.said.get("superseded-by", "")
    if "supersede" in bare and "supersedes" not in bare:
        return "superseded", by or words
    if by and by.lower() not in {"none", "-", "n/a"}:
        return "superseded", by
    if "deprecated" in bare:
        return "deprecated", ""
    if "rejected" in bare or "withdrawn" in bare:
        return "archived", ""
    return "active", ""


def _certainty(words: str) -> Certainty:
    bare = words.lower()
    if any(word in bare for word in ("accepted", "approved", "decided", "implemented", "done")):
        return "verified"
    return "speculative" if any(word in bare for word in ("proposed", "draft", "pending")) else "inferred"


def _date(record: _Record) -> datetime | None:
    """Return when a decision was made: what its record says, else the first change that it lists."""
    changes = [part.text for part in record.parts if part.title.lower() in _CHANGES]
    found = (re.search(r"\d{4}[-/]\d{2}[-/]\d{2}", given) for given in (record.said.get("date", ""), *changes))
    return next((moment_of(one[0].replace("/", "-")) for one in found if one), None)


def _refs(words: str, source: str) -> list[str]:
    """Return the records that words name: by links to their files, else by their numbers (`#7` stands for any name)."""
    folder = dirname(source)
    linked = [target for target in link_targets(words, folder) if target.lower().endswith((".md", ".markdown"))]
    if linked:
        return linked
    return [f"{folder}/#{int(number)}" for number in dict.fromkeys(_REF.findall(words))]


def _number(source: str) -> str:
    found = _NAME.match(basename(source))
    return str(int(found[1])) if found else ""


def numbered(source: str) -> str:
    """Return the name by which other records may call the one of a file: its folder and number; empty without one."""
    number = _number(source)
    return f"{dirname(source)}/#{number}" if number else ""
