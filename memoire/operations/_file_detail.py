"""Makes the answer of `expand` for a file or a document."""

from collections.abc import Iterable, Sequence
from posixpath import basename

from memoire.budget import CHARS_PER_TOKEN, Part, clip
from memoire.graph import Node, change_path
from memoire.labels import is_secret
from memoire.memory import Memory, Source
from memoire.model import WRITE, Definition, Edge, FileFacts, Use
from memoire.operations._binding_notes import MOST, binding
from memoire.operations._detail import (
    RATIONALE_CHARS,
    Defined,
    Detail,
    Document,
    Effected,
    Section,
    Trouble,
    fit_detail,
    head_of_text,
    listed,
    outline,
    whole_text,
)
from memoire.operations._reach import impact_section
from memoire.operations._text import document_title, first_paragraph, front_matter_tags, signature
from memoire.operations._via import effects_via
from memoire.operations._wire import current, redact_each, relationships, shown_pending

LISTED = 100
"""Most edges, tests or dependents of one answer."""
_DEFINITIONS = 400
_MESSAGE_CHARS = 160
_DOC_CHARS = 120
_DOCUMENT_SHARE = 6000
"""Characters of its text that a document gets before its sections and edges get more than their shares."""
_REDACT_AHEAD = 2000
"""A secret that begins in what is shown ends within so many characters after it."""


def file_detail(memory: Memory, path: str, *, budget: int, pending: Sequence[str]) -> Detail:
    """Return what is known of one file or document, within `budget` tokens."""
    node, facts = memory.graph.node(path), memory.facts(path)
    source = None if is_secret(path) else memory.read_text(path)
    is_current = source is not None and facts is not None and source.sha == facts.sha
    if source is not None and facts is not None and not is_current:
        pending = sorted({*pending, path})
    detail = Detail(
        path=path,
        type="file" if node is None else node.kind,
        summary=f"File: {path} | nothing is known of its content"
        if node is None
        else outline(node, memory.redact(node.summary), path=path),
        side_effects=[] if node is None else list(node.effects),
        uses=[] if node is None else list(node.uses),
        document=None,
        lines="" if facts is None else str(facts.lines),
        as_of=current(memory),
    )
    room = budget * CHARS_PER_TOKEN
    is_document = node is not None and node.kind == "document"
    sections = [
        listed("problems", troubles(path, node, facts, source), share=5, most=20),
        listed("pending", shown_pending(pending), share=11, most=11),
        listed("notes", binding(memory, path), share=5, most=MOST),
        listed("writes_state", [] if facts is None else writes_state(facts, None), share=15, most=60),
        (_document if is_document else _content)(memory, path, source, room),
        _definitions(memory, facts, source.text if is_current and source is not None else ""),
        *_neighbours(memory, path),
        impact_section(memory, path),
        listed("effects", [] if facts is None else effects(facts, None) + effects_via(memory, path), share=8, most=40),
    ]
    return fit_detail(detail, sections, budget=budget, more="raise budget; expand('path::Name') has one definition")


def troubles(path: str, node: Node | None, facts: FileFacts | None, source: Source | None) -> list[Trouble]:
    """Return why parts of a file are not known; none where all of it was understood."""
    if is_secret(path):
        return [Trouble("secret", "a file of this name is never read: its content is not known")]
    found = (
        []
        if facts is None
        else [Trouble(problem.code, clip(problem.message, _MESSAGE_CHARS), problem.line) for problem in facts.problems]
    )
    if facts is None and (node is None or not node.language):
        found.append(Trouble("not-parsed", "no language is known for it: what it defines and uses is not known"))
    elif facts is None:
        found.append(Trouble("not-parsed", "its facts are missing: what it defines and uses is not known"))
    if source is None and not found:
        found.append(Trouble("unreadable", "its text cannot be read now"))
    return found


def writes_state(facts: FileFacts, scopes: set[int] | None) -> list[str]:
    """Return the names of attributes and globals that a file assigns (within some definitions), each once, in order.

    A module-level variable that the module itself defines at its top is its definition, not a write.
    """
    names = (_written(facts, use) for use in facts.uses if use.how & WRITE and (scopes is None or use.scope in scopes))
    return list(dict.fromkeys(name for name in names if name))


def _written(facts: FileFacts, use: Use) -> str:
    if use.attr:
        return use.attr.rpartition(".")[2]
    if use.root >= 0 or use.scope < 0:
        return ""
    return facts.definitions[-1 - use.root].name.rpartition(".")[2]


def effects(facts: FileFacts, scopes: set[int] | None) -> list[Effected]:
    """Return the calls of a file (within some definitions) that act on the world, each callee at its first line."""
    found: dict[tuple[str, str], Effected] = {}
    for effect in facts.effects:
        if not effect.is_void and (scopes is None or effect.scope in scopes):
            found.setdefault((effect.category, effect.callee), Effected(effect.category, effect.callee, effect.line))
    return list(found.values())


def defined(definitions: Iterable[Definition], text: str, memory: Memory) -> tuple[list[Defined], list[Defined]]:
    """Return definitions as they go out, with their signatures and without; without text, there are none."""
    lines = text.split("\n") if text else []
    kept = list(definitions)
    headers = [signature(lines, found) if lines and found.kind != "section" else "" for found in kept]
    clean = redact_each(memory, headers)
    docs = redact_each(memory, [found.doc for found in kept])
    bare = [
        Defined(found.name, found.kind, f"{found.line}-{found.end_line}", doc=clip(doc, _DOC_CHARS))
        for found, doc in zip(kept, docs, strict=True)
    ]
    full = [
        Defined(item.name, item.kind, item.lines, header, item.doc) for item, header in zip(bare, clean, strict=True)
    ]
    return full, bare


def tests_and_dependents(path: str, edges: Iterable[Edge]) -> tuple[list[str], list[str]]:
    """Return (tests that check a node, other files that a change of it reaches directly), in the order of the edges."""
    tests: dict[str, None] = {}
    reached: dict[str, None] = {}
    for edge in edges:
        key = edge.key
        ends = change_path(edge)
        if key.relation == "ASSERTS_ON" and ends is not None and ends[0] == path:
            tests[key.source] = None
        elif ends is not None and ends[0] == path and ends[1] != path:
            reached[ends[1]] = None
    return list(tests), [other for other in reached if other not in tests]


def _neighbours(memory: Memory, path: str) -> list[Section]:
    edges = [edge for edge in memory.graph.edges_of(path) if edge.key.relation != "CONTAINS"]
    ranked = memory.graph.rank(edges, now=memory.now())
    tests, dependents = tests_and_dependents(path, (item.edge for item in ranked))
    shown = relationships(memory, ranked[:LISTED], rationale_chars=RATIONALE_CHARS)
    return [
        listed("tests", tests, share=8, most=LISTED),
        listed("dependents", dependents, share=12, most=LISTED),
        listed("relationships", shown, share=10, most=LISTED, total=len(ranked)),
    ]


def _definitions(memory: Memory, facts: FileFacts | None, text: str) -> Section:
    """Return the section of what a file defines: when cut, variables go first, then private names, then the deepest."""
    found = () if facts is None else facts.definitions
    depths: list[int] = []
    for item in found:
        depths.append(depths[item.parent] + 1 if 0 <= item.parent < len(depths) else 0)

    def minor(index: int) -> tuple[bool, bool, int, int]:
        name = found[index].name.rpartition(".")[2]
        return found[index].kind == "variable", name.startswith("_"), depths[index], index

    order = sorted(range(len(found)), key=minor)
    kept = order[:_DEFINITIONS]
    full, bare = defined([found[index] for index in kept], text, memory)

    def pick(items: Sequence[Defined], length: int) -> list[Defined]:
        return [items[place] for place in sorted(range(length), key=kept.__getitem__)]  # as in the file

    return Section(
        name="definitions",
        part=Part(len(kept), min(25, len(kept))),
        show=lambda length: pick(full, length),
        note=lambda length: f"{length} of {len(found)}" if length < len(found) else "",
        bare=lambda length: pick(bare, length),
    )


def _content(memory: Memory, _path: str, source: Source | None, room: int) -> Section:
    text = "" if source is None else source.text
    note = f"{len(text.splitlines())} lines, {len(text)} characters" if text else ""
    return whole_text("content", memory.redact(text) if len(text) <= room else "", note=note)


def _document(memory: Memory, path: str, source: Source | None, room: int) -> Section:
    whole = "" if source is None else source.text
    text = memory.redact(whole[: room + _REDACT_AHEAD])[:room]
    node = memory.graph.node(path)
    title = document_title("" if node is None else memory.redact(node.summary)) or basename(path)
    summary, tags = first_paragraph(text), front_matter_tags(text)

    def show(length: int) -> Document:
        if not length:
            return Document(clip(title, 60), "", "", [])
        return Document(title, summary, head_of_text(text, length - 1), tags)

    return Section(
        name="document",
        # One more than the text has: the first is for all but the text.
        part=Part(len(text) + 1, min(_DOCUMENT_SHARE, len(text)) + 1),
        show=show,
        note=lambda length: f"{len(show(length).content)} of {len(whole)} characters" if length <= len(whole) else "",
    )
