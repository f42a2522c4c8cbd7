"""Makes the answer of `expand` for one definition: its text, who calls it, what it calls, which tests check it."""

from collections.abc import Iterable, Sequence

from memoire.budget import Part, clip
from memoire.effects import PUBLISHED
from memoire.memory import Memory, SymbolRelation
from memoire.model import FileFacts, parse_path
from memoire.operations._detail import (
    RATIONALE_CHARS,
    Detail,
    Neighbour,
    Section,
    fit_detail,
    head_of_text,
    language_title,
    listed,
)
from memoire.operations._file_detail import (
    LISTED,
    defined,
    effects,
    tests_and_dependents,
    troubles,
    writes_state,
)
from memoire.operations._lookup import find_definition
from memoire.operations._reach import impact_section
from memoire.operations._via import effects_via
from memoire.operations._wire import Relationship, current, relationships, shown_pending

_CONTENT_SHARE = 5000
"""Characters of its text that a definition gets before its callers get more than their share."""
_MEMBERS = 200


def symbol_detail(memory: Memory, path: str, symbol: str, *, budget: int, pending: Sequence[str]) -> Detail:
    """Return what is known of one definition, within `budget` tokens.

    Args:
        memory: The project.
        path: A file with facts.
        symbol: Qualified name of one of its definitions.
        budget: Tokens.
        pending: Paths not yet taken in.
    """
    facts = memory.facts(path)
    index = None if facts is None else find_definition(facts, symbol)
    assert facts is not None
    assert index is not None
    found = facts.definitions[index]
    name = f"{path}::{found.name}"
    scopes = _within(facts, index)
    source = memory.read_text(path)
    text = ""
    if source is not None and source.sha == facts.sha:
        text = source.text
    else:
        pending = sorted({*pending, path})
    acts = effects(facts, scopes)
    node = memory.graph.node(path)
    detail = Detail(
        path=name,
        type="symbol",
        summary=memory.redact(_summary(facts, index, name, [act.effect for act in acts if act.effect in PUBLISHED])),
        side_effects=[effect for effect in (node.effects if node else ()) if any(act.effect == effect for act in acts)],
        uses=[use for use in (node.uses if node else ()) if any(act.effect == use for act in acts)],
        document=None,
        lines=f"{found.line}-{found.end_line}",
        as_of=current(memory),
    )
    body = memory.redact("\n".join(text.split("\n")[found.line - 1 : found.end_line])) if text else ""
    members, _ = defined((facts.definitions[inner] for inner in sorted(scopes - {index})), text, memory)
    sections = [
        listed("problems", troubles(path, node, facts, source), share=3, most=10),
        listed("pending", shown_pending(pending), share=11, most=11),
        listed("writes_state", writes_state(facts, scopes), share=15, most=60),
        _content(body, is_known=bool(text)),
        *_relations(memory, path, name),
        impact_section(memory, path, found.name),
        listed("definitions", members, share=20, most=_MEMBERS),
        listed("effects", acts + effects_via(memory, name), share=8, most=40),
    ]
    return fit_detail(detail, sections, budget=budget, more="raise budget; search(name) finds uses in text")


def _within(facts: FileFacts, index: int) -> set[int]:
    """Return a definition and all those inside it, by index."""
    found = {index}
    for inner in range(index + 1, len(facts.definitions)):
        if facts.definitions[inner].parent in found:
            found.add(inner)
    return found


def _summary(facts: FileFacts, index: int, name: str, acts: Sequence[str]) -> str:
    found = facts.definitions[index]
    parts = [f"{language_title(facts.language)} {found.kind}: {name}".strip()]
    if acts:
        parts.append(f"side-effects: {', '.join(dict.fromkeys(acts))}")
    if found.doc:
        parts.append(found.doc)
    return " | ".join(parts)


def _content(body: str, *, is_known: bool) -> Section:
    return Section(
        name="content",
        part=Part(len(body), min(_CONTENT_SHARE, len(body))),
        show=lambda length: head_of_text(body, length),
        note=lambda length: _content_note(body, length) if is_known else "its text is not the one that was read",
    )


def _content_note(body: str, length: int) -> str:
    return f"{len(head_of_text(body, length))} of {len(body)} characters" if length < len(body) else ""


def _relations(memory: Memory, path: str, name: str) -> list[Section]:
    edges = memory.graph.rank(memory.graph.edges_of(name), now=memory.now())
    file_edges = memory.graph.rank(memory.graph.edges_in(path), now=memory.now())
    tests, _ = tests_and_dependents(path, (item.edge for item in file_edges))
    testing = {parse_path(test)[0] for test in tests}
    uses = sorted(memory.symbol_relations(name), key=lambda use: (use.source, use.relation, use.target, use.line))
    into = [use for use in uses if _is_in(use.target, name) and not _is_in(use.source, name)]
    calls_in = [use for use in into if use.relation == "CALLS"]
    callers = _neighbours((use.source, use.line) for use in calls_in if parse_path(use.source)[0] not in testing)
    callees = _neighbours((use.target, use.line) for use in uses if use.relation == "CALLS" and _leaves(use, name))
    checks = list(dict.fromkeys(use.source for use in into if parse_path(use.source)[0] in testing))
    # What a test calls by name is known better than what its file checks; without it, the file's tests are.
    checks += [test for test in tests_and_dependents(path, (item.edge for item in edges))[0] if test not in checks]
    shown = relationships(memory, edges, rationale_chars=RATIONALE_CHARS)
    shown += [_use(use) for use in uses if use.relation != "CALLS" and (use in into or _leaves(use, name))]
    return [
        listed("callers", callers, share=15, most=LISTED),
        listed("callees", callees, share=15, most=LISTED),
        listed("tests", checks or tests, share=10, most=LISTED),
        listed("relationships", shown, share=10, most=LISTED),
    ]


def _is_in(node: str, name: str) -> bool:
    """Return whether a node is a definition or inside it."""
    return node == name or node.startswith(f"{name}.")


def _leaves(use: SymbolRelation, name: str) -> bool:
    return _is_in(use.source, name) and not _is_in(use.target, name)


def _neighbours(ends: Iterable[tuple[str, int]]) -> list[Neighbour]:
    """Return each symbol once, at the first line it comes with."""
    found: dict[str, int] = {}
    for symbol, line in ends:
        found.setdefault(symbol, line)
    return [Neighbour(symbol, line) for symbol, line in found.items()]


def _use(use: SymbolRelation) -> Relationship:
    return Relationship(
        source=use.source,
        relation=use.relation,
        target=use.target,
        rationale=clip(f"line {use.line}" if use.line else "in the source", RATIONALE_CHARS),
        is_causal=False,
        cost="normal",
        observations=1,
    )
