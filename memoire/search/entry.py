"""What goes into the search index and what comes out of it."""

from datetime import datetime

import msgspec

from memoire.languages import language_of
from memoire.model import Definition, FileFacts

KINDS = ("file", "document", "symbol", "section", "event", "session")
"""Every kind of hit."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One file or document for the index. Its texts have passed the secret patterns already."""

    path: str
    kind: str
    """file or document."""
    language: str
    words: str
    """What `tokens.index_words` makes of the content."""
    summary: str = ""
    definitions: tuple[Definition, ...] = ()
    """Each becomes a symbol; those of kind section become sections."""
    text: str = ""
    """The content, needed only where definitions hold sections: it is indexed section by section, and kept for few."""
    changed_at: datetime | None = None
    """When the content last changed; a search `since` a time leaves out files without it."""
    is_kept: bool = False
    """Whether the index keeps the text: of a document whose text cannot be read from the file at any time."""

    @classmethod
    def of(
        cls, path: str, kind: str, facts: FileFacts, *, text: str = "", changed_at: datetime | None = None
    ) -> "Entry":
        """Return the entry of a file whose facts are known."""
        language = language_of(path)
        return cls(
            path=path,
            kind=kind,
            language=facts.language,
            words=facts.words,
            summary=facts.summary,
            definitions=facts.definitions,
            text=text,
            changed_at=changed_at,
            is_kept=language is not None and language.is_isolated,
        )


class Scope(msgspec.Struct, frozen=True, gc=False):
    """What a search may find."""

    kinds: frozenset[str] = frozenset(KINDS)
    prefix: str = ""
    """Only what lies in paths that begin so, and events that touch one."""
    language: str = ""
    """Only files of this language, and what lies in them."""
    since: datetime | None = None
    """Only what happened, or what last changed, at or after this time."""


class Hit(msgspec.Struct, frozen=True, gc=False):
    """One result of a search."""

    kind: str
    """file, document, symbol, section, event, session."""
    path: str
    """The file it is, or lies in; of an event the first path it touches, which may be empty; `session:<id>`."""
    name: str
    """Qualified name of a symbol, heading of a section, summary of a file or document, kind of an event; what a session
    was asked first."""
    line: int
    """1-based line of the snippet; 0 where there is none."""
    snippet: str
    """At most 200 characters: the line that says most about the query, as the file stands now."""
    score: float
    """Comparable within one answer only. From 2 up: the query names this very thing."""
    language: str = ""
    symbol_kind: str = ""
    """Kind of the definition: class, function, method…"""
    id: str = ""
    """Of an event or a session."""
    at: datetime | None = None
    """When an event happened, or the last one of a session; when the content of anything else changed, where known."""
