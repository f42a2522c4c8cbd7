"""The value types that every other module speaks. Knows nobody.

They are `msgspec` structs: frozen, slotted, five times cheaper to make than a frozen dataclass, and encoded in C as
MessagePack arrays, which is how facts travel from worker processes, rest in the store and are cached. A field may
therefore only be *added at the end*, with a default; anything else raises `FACTS_VERSION`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NewType

import msgspec

RelPath = NewType("RelPath", str)
"""POSIX, relative to the project root, NFC, without `.` or `..`; a directory ends in `/` on the wire only."""

FACTS_VERSION = 6
"""Part of the facts cache key: raise it whenever the meaning or the shape of `FileFacts` changes."""

FUNCTION_KINDS = frozenset({"function", "method"})
CLASS_KINDS = frozenset({"class", "interface", "enum", "struct", "trait", "module", "extension"})
"""Kinds of definitions with members that are reached through them or their instances."""

OUTLINE_KINDS = frozenset({"key", "rule", "element"})
"""Kinds of definitions that outline a file of data: found through their file, not as symbols of their own."""

CALL, READ, WRITE, BASE, TYPE = 1, 2, 4, 8, 16
"""Bits of `Use.how`: the target is called (or constructed), read, assigned, inherited from, or named in a type."""
MEMBER = 32
"""Another bit of how a definition is referred to, of what linking found: it is a member of a class, or a state of its
instances, so that two files which use it may mean two objects."""
BEHIND = 64
"""Another one: something behind it is called that is no definition itself, as what a class inherits from outside."""


class Definition(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a name is introduced: a class, function, method, module-level variable, section of a document."""

    name: str
    """Qualified inside its file: `Class.method`. Sections: the heading's text."""
    kind: str
    """One of `CLASS_KINDS`, or function, method, variable, type, namespace, macro, declaration, section…

    An extension adds members to a type that is defined elsewhere (`impl`, `extension`, a class opened again) and is
    called like it. A declaration says that a function is defined elsewhere (a prototype in a header).

    In files that are read for their structure: `key` (JSON, YAML, TOML and manifests), `rule`, `mixin` (style sheets),
    `element` (an id in HTML), `target` (make), `stage` (of an image), `job` (of a workflow), `service` (of compose,
    protobuf), `resource` (Terraform, Kubernetes), `message` (protobuf), `field` (of a schema), `operation`, `fragment`
    (GraphQL).
    """
    line: int
    """First line, 1-based (of the decorators, where there are any)."""
    end_line: int
    """Last line, included."""
    parent: int = -1
    """Index of the enclosing definition in `FileFacts.definitions`; -1 at the top."""
    body: str = ""
    """Fingerprint of the syntax without comments, docstrings and format: 16 hex digits."""
    signature: str = ""
    """Fingerprint of the header alone: name, parameters, bases, annotations, decorators."""
    doc: str = ""
    """First sentence of its docstring, at most 200 characters."""
    returns: str = ""
    """Dotted name of the annotated return type where it is one plain name; else empty."""
    bases: tuple[str, ...] = ()
    """Base classes as written (dotted names only)."""
    is_test: bool = False
    is_private: bool = False
    """Whether no other file sees it, whatever its name."""


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name bound by one import, or one module named by a re-export, `require` or dynamic import."""

    specifier: str
    """The module name as written: `..pkg.mod`, `./util.js`, `requests`."""
    name: str
    """The imported name; empty = the module itself, `*` = all its names, `default` in JavaScript."""
    alias: str
    """The local name it is bound to; for a re-export the exported name; empty where nothing is bound."""
    line: int
    kind: str = "static"
    """static, type_only, lazy (inside a function), conditional, dynamic, reexport, require; global: for all files of
    the project; implicit: the language brings the names without a statement, such as those of the file's own package;
    injected: names that a test runner gives to parameters; mocked: a module that the tests of the file run without,
    something else being in its place; dependency (a manifest requires a package), entry (a manifest, image or job names
    what it starts, builds or ships); part: names of the library that the file is a piece of, which sees what that
    imports."""
    scope: int = -1
    """Index of the definition it stands in; -1 at module level."""
    hides: tuple[str, ...] = ()
    """Names that an import of all names leaves out."""

    @property
    def is_star(self) -> bool:
        """Whether it brings all names of a module, each under its own."""
        return self.name == "*" and not self.alias and self.kind != "injected"


class Use(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One thing that one scope uses: resolved inside the file to an import or a definition, never by bare name."""

    scope: int
    """Index of the definition that uses it; -1 at module level."""
    root: int
    """>= 0: index of the `Import` its head is bound by; < 0: `-1 - index` of a `Definition` of the same file."""
    attr: str
    """What follows the head: `client.get`, `Class.method`; `()` stands for the result of a call: `connect().send`.

    An attribute of an instance is written as one of its class: after `x = pkg.Class()`, `x.run()` is `Class.run`
    on the import of `pkg`; `self.run()` is `run` on the enclosing class.
    """
    how: int
    """CALL | READ | WRITE | BASE | TYPE."""
    line: int
    """The first line that uses it so."""
    count: int = 1


class Effect(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A call that acts on the world outside the process."""

    category: str
    """network, file_io, subprocess, database, cache; or one of the `uses`: env, clock, random, logging, ui."""
    callee: str
    """Qualified: `requests.get`, `sqlite3.Connection.execute`."""
    line: int
    scope: int = -1
    origin: int = -1
    """Index of the `Import` the callee comes from; -1 for a global of the language."""
    is_void: bool = False
    """Set by linking where the name turns out to be one of the project: the call is none of the library's."""
    head: str = ""
    """The first name of the call as written, where `origin` is an import of all names of a module; or a name that is a
    library's or a program's only if no file of the project has it: see `Language.loads_anywhere`."""
    is_linked: bool = False
    """Found by linking: other files of the project lead to the callee."""


class Mention(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A path, link or symbol that a document (or a comment or docstring) names."""

    text: str
    """The target as written, without fragment and query: `memoire/sdk.py`, `../spec.md`, `Client.send`."""
    kind: str
    """path, link, symbol; in a command: command (a path), module (of Python, with `:name` behind it or without)."""
    line: int
    sentence: str = ""
    """The sentence around it, at most 200 characters."""
    scope: int = -1
    """The section or definition it stands in."""


class Problem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What kept (part of) a file from being understood. Data, not an exception."""

    code: str
    """syntax, encoding, binary, too-large, minified, too-deep, too-slow, unreadable, crashed, unlinked, not-a-file,
    secret."""
    message: str
    line: int = 0


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Everything one file says by itself: a pure function of (path, bytes)."""

    language: str
    sha: str
    """SHA-256 of the bytes, hex."""
    size: int
    lines: int
    summary: str = ""
    """First sentence of the module docstring or leading comment; the title of a document."""
    definitions: tuple[Definition, ...] = ()
    """In order of their first byte; a parent precedes its children."""
    imports: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    effects: tuple[Effect, ...] = ()
    exports: dict[str, str] = {}
    """Exported name -> local name, where the language says so (JavaScript); empty = all top-level names."""
    mentions: tuple[Mention, ...] = ()
    problems: tuple[Problem, ...] = ()
    words: str = ""
    """Identifiers and words for the search index, already split and weighted; not stored."""
    package: str = ""
    """The package or namespace that the whole file declares itself to be in, its parts joined by dots."""
    attributes: dict[str, str] = {}
    """`Class.attribute` -> its class as `Definition.returns` gives it, where the source says or shows it."""
    selectors: dict[int, str] = {}
    """Scope -> the names of members that it selects of anything, known or not, joined by spaces."""
    identifiers: bytes = b""
    """Its words as `memoire.identifiers` hashes them; empty for what is no text."""
    status: str = ""
    """What a document says of its own standing: `Accepted`, `Superseded by ADR 7`; empty where it says nothing."""
    public: str = ""
    """The names that an import of all its names brings, each after a space; empty where they are not listed."""


class EdgeKey(msgspec.Struct, frozen=True, array_like=True, gc=False, order=True):
    """What makes an edge one edge: at most one is open per key."""

    source: str
    """Node id: a path, `pkg:NAME` for a package, `path::Symbol` for a symbol."""
    relation: str
    target: str

    def __hash__(self) -> int:
        return hash((self.source, self.relation, self.target))


class Claim(msgspec.Struct, frozen=True, gc=False):
    """An edge that the facts of one file support now."""

    key: EdgeKey
    rationale: str
    """One sentence that names its evidence: a line, a commit, a run."""
    extracted_from: str
    """Path of the file whose content supports it: with that file's next save it is confirmed or retracted."""
    is_causal: bool = False
    cost: str = "normal"
    """normal or high."""
    line: int = 0
    confidence: float = 1.0


class Edge(msgspec.Struct, frozen=True, gc=False):
    """One relation between two nodes, over the time it held.

    Valid time is when the relation held in the source tree: a half-open UTC interval; `valid_to` None = still holds.
    """

    key: EdgeKey
    rationale: str
    extracted_from: str
    is_causal: bool
    cost: str
    confidence: float
    valid_from: datetime
    valid_to: datetime | None = None
    changes_before: int = 0
    """`FileRecord.changes` of `extracted_from` when the edge opened: what it has changed since are observations."""
    learned: int = 0
    """Observations from other evidence: commits, sessions, test outcomes, confirmations."""
    line: int = 0


class FileRecord(msgspec.Struct, frozen=True, gc=False):
    """What the store keeps of one file beside its facts."""

    path: str
    kind: str
    """file or document."""
    language: str
    sha: str
    size: int
    mtime_ns: int
    """The later of the times at which its content and its inode changed, when it was read (`scan.Entry.stamp_ns`)."""
    changed_at: datetime
    """When its content last changed: the last commit or the mtime at first index, later the save."""
    changes: int = 0
    """Content changes seen since first index."""
    accesses: int = 0
    """Recorded reads and edits by an assistant or a person."""
    facts: bytes = b""
    """MessagePack of `FileFacts` without `words`; effects that linking found void are marked."""


class FileChange(msgspec.Struct, frozen=True, gc=False):
    """One file as it is now."""

    path: str
    facts: FileFacts
    mtime_ns: int
    """As in `FileRecord`."""
    changed_at: datetime
    """When its content last changed."""


class Event(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened: recorded once, never changed.

    In the event log it is one line of JSON: a field may only be added with a default, and keeps its name.
    """

    id: str
    """Sorts by time: 12 hex digits of milliseconds since the epoch, `-`, then 16 hex digits that make it idempotent."""
    kind: str
    """file_edit, file_create, file_delete, file_move, batch, access, turn, command, prompt, session, commit, ingest,
    note; day, which stands for those of one; other operations of git: checkout, merge, pull, rebase, reset, stash,
    branch, clone, moved…"""
    at: datetime
    summary: str
    importance: float
    """In [0, 1]."""
    entities: tuple[str, ...] = ()
    """Paths and `path::symbol` ids it touches."""
    actor: str = "person"
    """person, assistant, git, memoire."""
    client: str = ""
    session: str = ""
    count: int = 1
    """How many happenings it tells as one."""
    replaces: str = ""
    """Id of an event that it tells again, together with what came after: that one leaves store and index."""
    outcome: str = ""
    """Of a command: passed or failed, where that is known."""
    failed: tuple[str, ...] = ()
    """Ids of the tests that failed, as the test runner prints them."""
    duration_ms: int = -1
    """-1: not known."""
    changes: int = 0
    """Of a `day`: content changes it stands for."""
    looks: dict[str, int] = {}
    """Of a `day`: path -> how often it was looked at."""


class Session(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What one session of an assistant came to: a pure function of its events, whatever their order.

    A session is a node, `session:<id>`. A mark stands for an event: it sorts by time, and counting the same one twice
    counts it once. `episodes.sessions` makes and joins them. A field may only be added at the end, with a default.
    """

    id: str
    """The client's own."""
    client: str = ""
    started: datetime | None = None
    last: datetime | None = None
    """When anything happened in it last."""
    active: datetime | None = None
    """When it was last asked or ran something: later than `ended` where it was taken up again."""
    ended: datetime | None = None
    opening: tuple[str, str] | None = None
    """Event id and head of the first prompt."""
    prompts: dict[str, str] = {}
    """Event id -> head of the prompt, redacted; the last ones."""
    edits: dict[str, tuple[bytes, ...]] = {}
    """Path -> marks of its edits."""
    looked: dict[str, str] = {}
    """Path -> id of the last event that looked at it."""
    ran: dict[bytes, bool] = {}
    """Mark of a command -> whether it failed."""
    told: dict[str, tuple[str, str]] = {}
    """Event id of a command -> summary and outcome; the last ones."""
    failing: tuple[str, tuple[str, ...]] | None = None
    """Event id and tests of the last command in which tests failed."""


class Evidence(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that happened and that binds two nodes; what the source tree says is none of it.

    In the event log and in the store it is known by its id: of two pieces with one id the later revision holds,
    whatever their order. A field may only be added with a default, and keeps its name.
    """

    id: str
    """16 hex digits, made of what it rests on: the same happening is the same piece."""
    kind: str
    """session, outcome, asserted, denied: see the modules of `relations` with these names."""
    source: str
    relation: str
    target: str
    at: datetime
    """When it happened, or last happened."""
    origin: str
    """Where it comes from: the id of a session, of the event that ended it, or who said so."""
    text: str = ""
    """What was run, or why it is said to be so; redacted, one line."""
    count: int = 1
    """How often it was seen."""
    until: datetime | None = None
    """When it was taken back; None = it counts."""
    revision: int = 0
    """Rises with every change: of its count, its paths (a rename), its end."""


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """What became of one node that a note is about: judged when something that it rests on changed, and kept.

    Which states there are, and what they mean, is for `notes.anchors`.
    """

    note: str
    """Id."""
    node: str
    """As the note says."""
    of: str
    """Fingerprint of what was judged: of an anchor with another baseline nothing is known yet."""
    watch: str
    """What change makes the note stale."""
    state: str
    now: str = ""
    """Where it stands today, if elsewhere; what is missing, if contradicted."""
    place: str = ""
    """Where it stands today, if elsewhere and in one place only."""
    since: datetime | None = None
    """Since when it is so; None where it was so when it was first judged."""
    cause: str = ""
    """Id of the event that tells of the change; may be empty."""
    commit: str = ""
    """What was checked out then."""
    what: str = ""
    """What changed, in a few words; empty where nothing did."""


class GraphDelta(msgspec.Struct, frozen=True, gc=False):
    """What one batch of events changes: applied as one transaction, then to the graph and the index."""

    files: Sequence[FileRecord] = ()
    """New or changed."""
    gone: Sequence[str] = ()
    """Paths of files that are no more."""
    opened: Sequence[Edge] = ()
    closed: Sequence[Edge] = ()
    """With `valid_to` set."""
    updated: Sequence[Edge] = ()
    """Still open; rationale, cost or learned observations changed."""
    events: Sequence[Event] = ()
    accesses: dict[str, int] = {}
    """Path -> its new access count."""
    sessions: Sequence[Session] = ()
    """States to be joined with what is known; what `events` say of sessions is joined without being named here."""
    forgotten: Sequence[str] = ()
    """Ids of events that leave: others stand for them."""
    evidence: Sequence[Evidence] = ()
    """Pieces that are new, or revised."""
    judged: Sequence[Judgement] = ()
    """What became of nodes that notes are about."""
    unbound: Sequence[tuple[str, str]] = ()
    """(note, node) of what a live note is about no longer."""

    def is_empty(self) -> bool:
        """Return whether applying it would change nothing."""
        return not (
            self.files
            or self.gone
            or self.opened
            or self.closed
            or self.updated
            or self.events
            or self.accesses
            or self.sessions
            or self.forgotten
            or self.evidence
            or self.judged
            or self.unbound
        )


class Target(msgspec.Struct, frozen=True, gc=False):
    """What an import specifier names."""

    kind: str
    """file, directory (a namespace package), namespace, package (external), builtin (the language's own), unresolved.

    A namespace is an open set of names that many files add to: see `Language.package_of`.
    """
    path: str
    """The file, the directory, the namespace, or the external package's name."""


def parse_path(symbol: str) -> tuple[str, str]:
    """Return (path, symbol) of `path::Symbol`; the symbol is empty for a plain path."""
    path, _, name = symbol.partition("::")
    return path, name
