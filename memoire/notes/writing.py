"""Makes a note of what somebody wrote: checks it, gives it a place and an address. Pure.

What is wrong is said with what to do about it, and nothing is repaired in silence: what could be understood only in
part (an anchor that is none of the project) is kept as written and told.
"""

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta

from memoire.errors import MemoryRefusedError, MemoryTooLargeError
from memoire.notes.model import NOTE, WATCH, Anchor, Note, NoteType, Scope, Watch
from memoire.notes.screen import refusal

MAX_TEXT = 8_000
"""Characters of a text, and of its details. Source: the sizes that peers allow, and what an answer can hold."""
CLAIM_CHARS = 300
STATUS_DAYS = 14
"""After which what is the state of things is no more."""
TYPES: dict[str, NoteType] = {
    "procedural": "convention",
    "error_pattern": "gotcha",
    "verdict": "decision",
    "precedent": "decision",
    "user_preference": "preference",
    "semantic": "reference",
    "episodic": "status",
    "agent_insight": "gotcha",
    "task": "status",
}
"""What other systems call a type -> ours."""
_PLACES = frozenset({"project", "branch", "personal"})
_ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Those of Crockford's base 32: none is taken for another."""
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]?(?:\s|$)|\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|#{1,6}|```)\s?)")
_FENCE = re.compile(r"^(?:```|~~~)[ \t]*([\w+#.-]{1,30})[^\n]*$", re.MULTILINE)
_DAYS = re.compile(r"(\d{1,5})\s*(d|day|days|w|week|weeks)")
_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_CHARS = 48
_KEY = re.compile(r"[\w.@:+/ -]{1,512}")
_OUTSIDE = re.compile(r"(?:https?://|[a-z][a-z_]{1,19}:(?!:)\S).*", re.DOTALL)
_QUOTED = re.compile(r"`([^`\n]{3,200})`")
_MOST_SUGGESTED = 5


def new_id() -> str:
    """Return the id of a new note."""
    return "n" + "".join(secrets.choice(_ID_LETTERS) for _ in range(9))


def new_transaction_id(at: datetime) -> str:
    """Return the id of a transaction: it sorts by time."""
    return f"{int(at.timestamp() * 1000):012x}-{secrets.token_hex(8)}"


def claim_of(text: str) -> str:
    """Return the first sentence of a text: what it claims; at most `CLAIM_CHARS` characters, in one line."""
    bare = re.sub(r"^\s*(?:#{1,6}\s+|[-*+]\s+|>\s?)", "", text.strip())
    found = _SENTENCE.search(bare)
    first = " ".join((bare[: found.start() + 1] if found else bare).split())
    return first if len(first) <= CLAIM_CHARS else first[: CLAIM_CHARS - 1].rstrip() + "…"


def checked_text(text: str, what: str = "text") -> str:
    """Return a text as it is kept.

    Raises:
        MemoryRefusedError: It is empty, too long, holds a secret, or is not what it seems.
    """
    kept = unicodedata.normalize("NFC", text.replace("\r\n", "\n").strip())
    if not kept:
        raise MemoryRefusedError(f"{what} is empty; say one thing in a sentence or more")
    if len(kept) > MAX_TEXT:
        over = len(kept) - MAX_TEXT
        raise MemoryTooLargeError(f"{what} is {over} characters over {MAX_TEXT}: split it, or use `details`")
    if (found := refusal(kept, what)) is not None:
        raise found
    return kept


def type_of(given: str) -> NoteType:
    """Return the type that a name stands for, those of other systems included.

    Raises:
        MemoryRefusedError: It is none, or one that nobody writes.
    """
    name = given.strip().lower()
    if name in WATCH and name != "digest":
        return name
    if name in TYPES:
        return TYPES[name]
    known = ", ".join(each for each in WATCH if each != "digest")
    raise MemoryRefusedError(f"there is no type {given!r}; there are {known}")


def moment(given: str, what: str) -> datetime:
    """Return the moment that an ISO date or time means, UTC; a day is its beginning.

    Raises:
        MemoryRefusedError: It is neither.
    """
    text = given.strip()
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return datetime.combine(date.fromisoformat(text), time(), UTC)
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise MemoryRefusedError(f"{what}: {given[:40]!r} is no date such as 2026-05-18") from error


def end_of(given: str, now: datetime) -> datetime:
    """Return when a note expires: a date or a number of days (`30d`, `2 weeks`).

    Raises:
        MemoryRefusedError: It is neither.
    """
    if found := _DAYS.fullmatch(given.strip().lower()):
        return now + timedelta(days=int(found[1]) * (7 if found[2].startswith("w") else 1))
    return moment(given, "expires")


def tags_of(given: Iterable[str], text: str) -> tuple[str, ...]:
    """Return the tags of a note, and one for the language of each block of code in its text."""
    languages = (f"lang:{name.lower()}" for name in _FENCE.findall(text))
    return tuple(dict.fromkeys(tag for tag in (*(" ".join(each.split()) for each in given), *languages) if tag))


def facets_of(given: dict[str, object]) -> dict[str, str]:
    """Return the facets of a note: names and values as text, white space collapsed.

    Raises:
        MemoryRefusedError: One has no name, or holds more than one value.
    """
    found = {}
    for name, value in given.items():
        key = " ".join(name.split())
        if not key or "=" in key or isinstance(value, dict | list):
            raise MemoryRefusedError(f"facets: {name!r} needs a name without `=` and one value")
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        found[key] = checked_text(" ".join(shown.split()), f"facets.{key}")
    return found


def anchors_of(
    given: Sequence[str], watch: Watch | None, note_type: NoteType, find: Callable[[str], str]
) -> tuple[tuple[Anchor, ...], tuple[str, ...]]:
    """Return what a note is about, and which of it nobody knows: it is kept as it was written.

    Args:
        given: Paths, symbols, packages, notes, sessions, `type:name`, URLs.
        watch: What makes it stale; None = what its type says.
        note_type: The type.
        find: Returns the node id that an address means; empty where it means none.
    """
    anchors: dict[str, Anchor] = {}
    unknown = []
    for address in given:
        bare = address.strip()
        if not bare:
            continue
        node = find(bare)
        if not node:
            node = bare
            if not _OUTSIDE.fullmatch(bare):
                unknown.append(bare)
        default = WATCH[note_type]
        if note_type == "convention" and node.endswith("/"):
            default = "exists"
        anchors.setdefault(node, Anchor(node, watch or default))
    return tuple(anchors.values()), tuple(unknown)


def suggested(text: str, about: Iterable[Anchor], find: Callable[[str], str]) -> list[str]:
    """Return nodes that a text names verbatim, in code marks, and that it is not about yet."""
    known = {anchor.node for anchor in about}
    found = (find(name) for name in dict.fromkeys(_QUOTED.findall(text)))
    return [node for node in dict.fromkeys(found) if node and node not in known][:_MOST_SUGGESTED]


def checked_key(given: str) -> str:
    """Return a key as it is kept.

    Raises:
        MemoryRefusedError: It cannot be one.
    """
    key = " ".join(unicodedata.normalize("NFC", given).split())
    if key and (not _KEY.fullmatch(key) or ".." in key or key.startswith(("/", NOTE))):
        raise MemoryRefusedError(f"key: {given[:60]!r} cannot be one; use letters, digits and `. _ - : / @ +`")
    return key


def place_of(note: Note, is_taken: Callable[[str], bool]) -> str:
    """Return the path of a new note, by its type, what it is about and what it says; numbered where it is taken."""
    first = next((anchor.node for anchor in note.about if not _OUTSIDE.fullmatch(anchor.node)), "")
    path = first.partition("::")[0]
    area = "/".join(_slug(part) for part in path.split("/")[:-1][:2]) or (_slug(path) if path else "") or "general"
    base = f"notes/{note.type}/{area}/{_slug(note.title or claim_of(note.text)) or 'note'}"
    place, number = base, 1
    while is_taken(place):
        number += 1
        place = f"{base}-{number}"
    return place


def scope_of(given: str, note_type: NoteType) -> Scope:
    """Return who is to see a note.

    Raises:
        MemoryRefusedError: There is no such scope.
    """
    name = given.strip().lower() or ("branch" if note_type == "status" else "project")
    if name not in _PLACES:
        raise MemoryRefusedError(f"there is no scope {given!r}; there are project, branch, personal")
    return name  # type: ignore[return-value]  # looked up


def expiry_of(given: str, note_type: NoteType, now: datetime) -> datetime | None:
    """Return when a note expires, None = never.

    Raises:
        MemoryRefusedError: It is no date and no number of days.
    """
    if given.strip():
        return end_of(given, now)
    return now + timedelta(days=STATUS_DAYS) if note_type == "status" else None


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _SLUG.sub("-", plain).strip("-")[:_SLUG_CHARS].strip("-")
