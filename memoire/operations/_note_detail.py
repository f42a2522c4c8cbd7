"""Makes the answer of `expand` for a note: what it says, what it is about, and what it bears on."""

from collections.abc import Sequence

from memoire.memory import Memory
from memoire.notes.model import NOTE
from memoire.notes.writing import claim_of
from memoire.operations._detail import UNSET, Detail, Document, fit_detail, listed, whole_text
from memoire.operations._note_sessions import of_note
from memoire.operations._note_wire import find, freshness
from memoire.operations._wire import Relationship, current, shown_pending


def note_detail(memory: Memory, address: str, *, budget: int, pending: Sequence[str]) -> Detail:
    """Return what is known of a note, within `budget` tokens.

    Raises:
        UnknownNoteError: No note has the id, path or key.
    """
    book = memory.notes.book
    name = book.resolve(find(memory, address)).id
    row = book.get(name)
    if row is None:
        name = find(memory, address)
        row = book.get(name)
    assert row is not None  # it was found
    note = row.note
    withheld = memory.notes.withheld.get(name)
    state = freshness(memory, row)
    memory.notes.opened(name)
    text = f"[withheld: {withheld}]" if withheld else note.text
    node = f"{NOTE}{name}"
    edges = [
        _edge(node, "ABOUT", anchor.entity, f"{anchor.state}{f' ({anchor.now})' if anchor.now else ''}")
        for anchor in state.anchors
    ]
    edges += [_edge(node, link.rel.upper(), f"{NOTE}{link.to}", _claim(memory, link.to)) for link in row.links]
    for other in sorted(book.linking(name)):
        linking = book.get(other)
        links = linking.links if linking is not None else ()
        edges += [
            _edge(f"{NOTE}{other}", link.rel.upper(), node, _claim(memory, other)) for link in links if link.to == name
        ]
    edges += of_note(memory, name)
    detail = Detail(
        path=node,
        type="note",
        summary=f"{note.type} | {row.status} | {state.state} | {claim_of(text)}",
        document=Document(note.title or claim_of(text), claim_of(text), "", list(note.tags)),
        relationships=UNSET,
        as_of=current(memory),
    )
    sections = [
        whole_text("content", "\n\n".join(filter(None, (text, note.why))), note="memory_read(ids=[…]) has it"),
        listed("relationships", edges, share=20, most=200),
        listed("pending", shown_pending(pending), share=3, most=11),
    ]
    return fit_detail(detail, sections, budget=budget, more="memory_read has the whole note")


def _claim(memory: Memory, name: str) -> str:
    row = memory.notes.book.get(name)
    return claim_of(row.note.text) if row is not None and name not in memory.notes.withheld else ""


def _edge(source: str, relation: str, target: str, why: str) -> Relationship:
    return Relationship(source, relation, target, why, is_causal=False, cost="normal", observations=1)
