"""What `expand` gives: one shape for files, documents, directories, definitions and packages.

The published fields of a kind are always there; everything else is left out where there is nothing to say.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated

import msgspec

from memoire.budget import CHARS_PER_TOKEN, Part, clip, clip_middle, fit, size
from memoire.graph import Node
from memoire.memory import AsOf
from memoire.operations._binding_notes import BindingNote
from memoire.operations._wire import Relationship

RATIONALE_CHARS = 200
SUMMARY_CHARS = 400
_PATH_CHARS = 200
"""What is left of a path where the whole does not fit the budget."""

_LANGUAGES = {
    "asciidoc": "AsciiDoc", "c": "C", "cpp": "C++", "csharp": "C#", "css": "CSS", "dockerfile": "Docker",
    "gomod": "Go module", "graphql": "GraphQL", "html": "HTML", "ini": "INI", "javascript": "JavaScript",
    "json": "JSON", "jsx": "JSX", "less": "Less", "pdf": "PDF", "php": "PHP", "protobuf": "Protobuf",
    "rest": "reStructuredText", "scss": "SCSS", "sql": "SQL", "svg": "SVG", "toml": "TOML", "tsx": "TSX",
    "typescript": "TypeScript", "xml": "XML", "yaml": "YAML",
}  # fmt: skip


class Document(msgspec.Struct, frozen=True):
    """A document's own text."""

    title: str
    summary: str
    """Its first paragraph."""
    content: str
    tags: list[str]
    """Of its front matter."""


class Child(msgspec.Struct, frozen=True):
    """One entry of a directory."""

    name: str
    """Its path from the project root; a directory's ends in `/`."""
    type: str
    summary: str


class Defined(msgspec.Struct, frozen=True, omit_defaults=True):
    """One definition of a file, or a section of a document."""

    name: str
    kind: str
    lines: str
    """`12-40`."""
    signature: str = ""
    doc: str = ""


class Effected(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call that acts on the world outside the process."""

    effect: str
    call: str
    line: int
    """Of the call; of one that a helper makes, where the helper is called."""
    via: str = ""
    """The helper, `path::Name`, that makes the call; without it the call stands here."""


class Neighbour(msgspec.Struct, frozen=True):
    """A definition at the other end of a call."""

    symbol: str
    line: int
    """Of the call, in the caller's file."""


class Reached(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file that a change may reach."""

    path: str
    probability: float
    """That it has to change too."""
    reasons: list[str] = []


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """What kept (part of) a file from being understood."""

    code: str
    message: str
    line: int = 0


class Asked(msgspec.Struct, frozen=True):
    """One prompt of a session."""

    at: datetime
    prompt: str


class Worked(msgspec.Struct, frozen=True):
    """One file that a session edited."""

    path: str
    edits: int


class Ran(msgspec.Struct, frozen=True, omit_defaults=True):
    """One command of a session."""

    at: datetime
    command: str
    outcome: str = ""
    """passed or failed, where that is known."""


Unset = msgspec.UnsetType
UNSET = msgspec.UNSET


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `expand` gives."""

    path: str
    type: Annotated[str, msgspec.Meta(description="file, document, directory, symbol, package, session or note.")]
    summary: str | Unset = UNSET
    side_effects: list[str] | Unset = UNSET
    writes_state: list[str] | Unset = UNSET
    document: Document | Unset | None = UNSET
    relationships: Annotated[list[Relationship] | Unset, msgspec.Meta(description="Its edges, the best first.")] = UNSET
    children: list[Child] | Unset = UNSET
    lines: Annotated[str, msgspec.Meta(description="Of a file, how many; of a symbol, from-to.")] = ""
    uses: Annotated[list[str], msgspec.Meta(description="Effects that do not count as side effects.")] = []
    effects: list[Effected] = []
    definitions: list[Defined] = []
    callers: list[Neighbour] = []
    callees: list[Neighbour] = []
    tests: Annotated[list[str], msgspec.Meta(description="Tests that check it.")] = []
    dependents: Annotated[list[str], msgspec.Meta(description="What a change here reaches first.")] = []
    impact: Annotated[list[Reached], msgspec.Meta(description="Likely to change with it; `memoire impact`.")] = []
    notes: Annotated[list[BindingNote], msgspec.Meta(description="Notes that bind who works on it.")] = []
    content: str = ""
    problems: Annotated[list[Trouble], msgspec.Meta(description="What of it is not known, and why.")] = []
    client: str = ""
    started: datetime | Unset = UNSET
    last: Annotated[datetime | Unset, msgspec.Meta(description="When anything happened in it last.")] = UNSET
    ended: Annotated[datetime | Unset, msgspec.Meta(description="Absent: it may still be open.")] = UNSET
    prompts: Annotated[list[Asked], msgspec.Meta(description="What was asked in a session.")] = []
    edited: Annotated[list[Worked], msgspec.Meta(description="Files it edited, the most edited first.")] = []
    looked_at: list[str] = []
    commands: Annotated[list[Ran], msgspec.Meta(description="The last ones, the newest first.")] = []
    failing: Annotated[list[str], msgspec.Meta(description="Tests that failed when it last ran failing ones.")] = []
    as_of: AsOf | Unset = UNSET
    pending: Annotated[list[str], msgspec.Meta(description="Changed files not yet taken in.")] = []
    cut: Annotated[dict[str, str], msgspec.Meta(description="What was left out, and how to get it.")] = {}


class Section(msgspec.Struct, frozen=True):
    """One part of a detail that can be shorter."""

    name: str
    """The field."""
    part: Part
    show: Callable[[int], object]
    """The field's value at a length."""
    note: Callable[[int], str]
    """What is left out at a length; empty where nothing is."""
    bare: Callable[[int], object] | None = None
    """Stands in for `show` where `content` is shown and already holds part of this."""


def listed(name: str, items: Sequence[object], *, share: int, most: int, total: int | None = None) -> Section:
    """Return a section that shows the first of some items, at most `most`.

    Args:
        name: The field.
        items: The most important first.
        share: How many it gets before any other section gets more than its share.
        most: How many it ever shows.
        total: How many there are, where `items` are not all.
    """
    kept = list(items[:most])
    whole = len(items) if total is None else total
    return Section(
        name=name,
        part=Part(len(kept), min(share, len(kept))),
        show=lambda length: kept[:length],
        note=lambda length: f"{length} of {whole}" if length < whole else "",
    )


def whole_text(name: str, text: str, *, note: str) -> Section:
    """Return a section that shows a text whole or, where there is no room, not at all but for a note."""
    return Section(
        name=name,
        part=Part(int(bool(text)), 0),
        show=lambda length: text if length else "",
        note=lambda length: "" if length else note,
    )


def head_of_text(text: str, length: int) -> str:
    """Return at most the first `length` characters, cut at the end of a line where one ends there."""
    if length >= len(text):
        return text
    end = text.rfind("\n", 0, length + 1)
    return text[: end if end > 0 else length]


def fit_detail(detail: Detail, sections: Sequence[Section], *, budget: int, more: str) -> Detail:
    """Return the detail with as much of its sections as the budget holds.

    Args:
        detail: What is in no section; its summary is shortened last.
        sections: The most important first; `content` before one that has a `bare` form.
        budget: Tokens.
        more: How to get what was left out.
    """
    summary = detail.summary or ""

    def make(lengths: Sequence[int]) -> Detail:
        changes: dict[str, object] = {"summary": clip(summary, lengths[0])}
        cut: dict[str, str] = {}
        for section, length in zip(sections, lengths[1:], strict=True):
            show = section.bare if section.bare is not None and changes.get("content") else section.show
            changes[section.name] = show(length)
            note = section.note(length)
            if note:
                cut[section.name] = note
        changes["cut"] = {**cut, "more": more} if cut else {}
        return msgspec.structs.replace(detail, **changes)

    def make_lean(lengths: Sequence[int]) -> Detail:
        # A path of hundreds of characters under the smallest budget: still the path's ends, and that all else is cut.
        lean = make(lengths)
        cut = {"more": "raise budget"} if lean.cut else {}
        return msgspec.structs.replace(lean, path=clip_middle(detail.path, _PATH_CHARS), lines="", uses=[], cut=cut)

    parts = [Part(len(summary), min(SUMMARY_CHARS, len(summary))), *(section.part for section in sections)]
    fits = size(make([0] * len(parts))) <= budget * CHARS_PER_TOKEN
    return fit(make if fits else make_lean, parts, budget)


def language_title(language: str) -> str:
    """Return a language as people write it; empty for none."""
    return _LANGUAGES.get(language, language.capitalize())


def outline(node: Node, summary: str, *, path: str = "") -> str:
    """Return a file's summary: `Python file: memoire/sdk.py | side-effects: database | First line of its docstring`.

    Args:
        node: The file or document.
        summary: The node's, without secrets.
        path: Named in it; empty = not named.
    """
    noun = "document" if node.kind == "document" else "file"
    parts = [f"{language_title(node.language)} {noun}".strip() + (f": {path}" if path else "")]
    parts[0] = parts[0][0].upper() + parts[0][1:]
    if node.effects:
        parts.append(f"side-effects: {', '.join(node.effects)}")
    if node.problems or not node.is_read:
        parts.append(f"not fully read: {', '.join(node.problems) or 'nothing is known of its content'}")
    if summary:
        parts.append(summary)
    return " | ".join(parts)
