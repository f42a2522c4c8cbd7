"""What an operation is given: one project as it is known now, and the few things it may ask or tell.

Plain values and callables, put together by the process that owns the store; an operation reads nothing else.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from memoire.config import Settings
from memoire.episodes.git_lines import Lines, Which
from memoire.episodes.history import HistoryCommit
from memoire.graph import Graph
from memoire.impact.ranking import Change, Impacted
from memoire.impact.reasons import Reason
from memoire.impact.testing import TestOf
from memoire.model import Edge, Event, Evidence, FileFacts, Session
from memoire.notes.keeper import Keeper
from memoire.notes.verdicts import Verdicts
from memoire.runs.sightings import Node, Sighting
from memoire.tree import Tree


class AsOf(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of the project that an answer describes."""

    generation: int
    """Transactions applied to the store."""
    commit: str = ""
    """Of the work tree's HEAD, abbreviated; empty without git."""
    branch: str = ""


class Source(msgspec.Struct, frozen=True):
    """The text of one file as it is on disk now."""

    text: str
    sha: str
    """SHA-256 of its bytes, hex: differs from the facts' where the file was changed and not yet taken in."""


class SymbolRelation(msgspec.Struct, frozen=True):
    """One use of a definition by another, anywhere in the project."""

    source: str
    """`path::Name`, or a path where the use stands at the top of a module."""
    relation: str
    """CALLS, REFERENCES or INHERITS."""
    target: str
    line: int = 0
    """Of the first such use, in the source's file."""


class Found(Protocol):
    """One hit of the search index: `memoire.search.Hit`."""

    @property
    def kind(self) -> str:
        """What was found: file, document, symbol, section, event or session."""

    @property
    def path(self) -> str:
        """The file it is or lies in; of an event the first path it touches, which may be empty; `session:<id>`."""

    @property
    def name(self) -> str:
        """Qualified name, heading, title; the kind of an event; what a session was asked first."""

    @property
    def line(self) -> int:
        """1-based; 0 where there is none."""

    @property
    def snippet(self) -> str:
        """The text around what matched."""

    @property
    def score(self) -> float:
        """The relevance; higher is better."""

    @property
    def symbol_kind(self) -> str:
        """class, function …; empty for what is no symbol."""

    @property
    def id(self) -> str:
        """Of an event or a session."""

    @property
    def at(self) -> datetime | None:
        """When an event happened, or the last one of a session."""


class SearchFunction(Protocol):
    """`memoire.search.SearchIndex.search` with its `read` bound to the project's files."""

    def __call__(
        self, query: str, *, limit: int, offset: int, kinds: Sequence[str], prefix: str, language: str
    ) -> Sequence[Found]:
        """Return a page of hits, best first.

        Raises:
            InvalidQueryError: The query holds nothing to search for.
        """


class EventsFunction(Protocol):
    """`memoire.timeline.Timeline.events`."""

    def __call__(
        self,
        limit: int,
        *,
        before: str = "",
        kinds: Sequence[str] = (),
        without: Sequence[str] = (),
        path: str = "",
        session: str = "",
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Awaitable[Sequence[Event]]:
        """Return at most `limit` events, the newest first; what is empty filters nothing."""


class SessionsFunction(Protocol):
    """`memoire.store.Store.sessions`."""

    def __call__(self, ids: Sequence[str] = (), *, limit: int = 0, after: str = "") -> Awaitable[Sequence[Session]]:
        """Return the sessions with these ids; without ids, the last active first, or by id those behind one."""


class ClosedEdgesFunction(Protocol):
    """`memoire.store.Store.closed_edges`."""

    def __call__(self, limit: int = 0, *, source: str = "", target: str = "") -> Awaitable[Sequence[Edge]]:
        """Return edges that no longer hold, the last closed first."""


class ImpactFunctions(Protocol):
    """`memoire.impact.ranking.Impact`, as far as operations ask it."""

    def rank(self, changes: Sequence[Change]) -> list[Impacted]:
        """Return the files that a change may reach, the likeliest first."""

    def reasons(self, change: Change, others: Sequence[str]) -> dict[str, list[Reason]]:
        """Return why each of some files may be reached by a change of one."""

    def shared_commits(self, one: str, other: str) -> list[HistoryCommit]:
        """Return the commits that touched both of two files, newest first."""

    def sightings(self, test: Node, target: Node) -> list[Sighting]:
        """Return the runs that saw tests of one place execute definitions of another, the newest first."""

    def tests(self, change: Change) -> list[TestOf]:
        """Return the tests of a file, the one that is most about it first."""


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """One project, as operations see it."""

    root: str
    """Real path of the project."""
    project_id: str
    settings: Settings
    graph: Graph
    tree: Tree
    """All files of the project, those without facts included."""
    facts: Callable[[str], FileFacts | None]
    """The facts of a file; None where it has none."""
    symbol_relations: Callable[[str], Sequence[SymbolRelation]]
    """Relations that start or end at this `path::Symbol` or at one inside it; for a path, at any of its symbols."""
    relations_from: Callable[[str], Sequence[SymbolRelation]]
    """Relations that start at this `path::Symbol` or at one inside it; for a path, at any of its symbols."""
    search: SearchFunction
    knows_meaning: Callable[[], bool]
    """Whether search finds what says the same in other words: embeddings are installed."""
    events: EventsFunction
    sessions: SessionsFunction
    closed_edges: ClosedEdgesFunction
    evidence: Callable[[str, str], Sequence[Evidence]]
    """What was learned that binds two files, in either direction, the newest first; what was taken back too."""
    state: Callable[[Evidence], Awaitable[None]]
    """Takes in what somebody states of an edge; when it returns that is durable and shown."""
    as_of: Callable[[], AsOf]
    settle: Callable[[float], Awaitable[Sequence[str]]]
    """Waits up to so many seconds for changed paths to be taken in; returns those that are not yet, sorted."""
    impact: ImpactFunctions
    """What a change reaches."""
    renamed: Callable[[str], str]
    """What a path that is gone is called today, by the history of git; empty where it was not renamed."""
    notes: Keeper
    """What was decided, agreed and found out."""
    verdicts: Verdicts
    """What became of what the notes are about."""
    changed_lines: Callable[[Which, str], Sequence[Lines] | None]
    """Which lines differ: not committed, staged, or of a commit; None where git cannot say. Blocks."""
    uncommitted: Callable[[], Awaitable[frozenset[str]]]
    """Files that differ from the last commit; the last that was known where git takes long."""
    read_text: Callable[[str], Source | None]
    """The text of a file of the project; None where it is gone, no text, too large, secret or outside."""
    redact: Callable[[str], str]
    """Returns the text with what looks like a secret taken out."""
    absence: Callable[[str], str]
    """Why a path on disk is no file of the project (`ignored by .gitignore`, `a secrets file`); empty = not there."""
    record_access: Callable[[str], None]
    """Notes that this file was asked for; returns at once."""
    now: Callable[[], datetime]
