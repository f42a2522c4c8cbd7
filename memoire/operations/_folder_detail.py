"""Makes the answer of `expand` for a directory, and for an external package."""

from collections import Counter
from collections.abc import Sequence

from memoire.budget import clip
from memoire.memory import Memory
from memoire.model import parse_path
from memoire.operations._detail import (
    RATIONALE_CHARS,
    SUMMARY_CHARS,
    Child,
    Detail,
    Trouble,
    fit_detail,
    language_title,
    listed,
    outline,
)
from memoire.operations._structure import Folder, build, folders
from memoire.operations._wire import current, is_troubled, redact_each, relationships, shown_pending
from memoire.relations._spec import PACKAGE

_CHILDREN = 500
_LISTED = 100
_TOPICS = ("__init__.py", "README.md", "README.rst", "README", "index.ts", "index.js", "mod.rs", "doc.go")
"""The files of a directory that say what it is, the best first."""


def folder_detail(memory: Memory, path: str, *, budget: int, pending: Sequence[str]) -> Detail:
    """Return what a directory holds, within `budget` tokens.

    Args:
        memory: The project.
        path: Of an existing directory, with its trailing slash; `.` for the root.
        budget: Tokens.
        pending: Paths not yet taken in.
    """
    now = memory.now()
    # The tree may be ahead of what was kept of it by one delta.
    folder = folders(memory, now).get(path) or build(memory.graph, memory.tree, now)[path]
    weighed: list[tuple[float, str, Folder | None]] = [(weight, file, None) for weight, file in folder.own]
    weighed += [(below.weight, below.path, below) for below in folder.folders]
    weighed.sort(key=lambda child: (-child[0], child[1]))
    kept = _children(memory, weighed[:_CHILDREN])
    detail = Detail(
        path=path, type="directory", summary=memory.redact(_folder_summary(memory, folder)), as_of=current(memory)
    )
    sections = [
        listed("children", kept, share=40, most=_CHILDREN, total=len(weighed)),
        listed("problems", _troubled(memory, "" if path == "." else path), share=5, most=20),
        listed("pending", shown_pending(pending), share=11, most=11),
    ]
    return fit_detail(detail, sections, budget=budget, more="raise budget; expand a child, or search(prefix='dir/')")


def package_detail(memory: Memory, node: str, *, budget: int, pending: Sequence[str]) -> Detail:
    """Return who imports an external package, within `budget` tokens."""
    ranked = memory.graph.rank(memory.graph.edges_of(node), now=memory.now())
    shown = relationships(memory, ranked[:_LISTED], rationale_chars=RATIONALE_CHARS)
    importers = list(dict.fromkeys(parse_path(item.edge.key.source)[0] for item in ranked))
    detail = Detail(
        path=node,
        type="package",
        summary=f"External package: {node.removeprefix(PACKAGE)}, used by {_count(len(importers), 'file')}",
        as_of=current(memory),
    )
    sections = [
        listed("pending", shown_pending(pending), share=11, most=11),
        listed("dependents", importers, share=30, most=300),
        listed("relationships", shown, share=10, most=_LISTED, total=len(ranked)),
    ]
    return fit_detail(detail, sections, budget=budget, more="raise budget")


def _children(memory: Memory, weighed: Sequence[tuple[float, str, Folder | None]]) -> list[Child]:
    summaries: list[str] = []
    kinds: list[str] = []
    for _, path, folder in weighed:
        node = memory.graph.node(path)
        if folder is not None:
            kind, summary = "directory", _folder_summary(memory, folder)
        elif node is None:
            kind, summary = "file", "File | nothing is known of its content"
        else:
            kind, summary = node.kind, outline(node, node.summary)
        kinds.append(kind)
        summaries.append(summary)
    clean = redact_each(memory, summaries)
    return [
        Child(path, kind, clip(summary, SUMMARY_CHARS))
        for (_, path, _), kind, summary in zip(weighed, kinds, clean, strict=True)
    ]


def _folder_summary(memory: Memory, folder: Folder) -> str:
    """Return `12 files (Python 10, Markdown 2) | what its main file says`; only its own files are told by language."""
    counts: Counter[str] = Counter()
    for _, path in folder.own:
        node = memory.graph.node(path)
        counts[language_title(node.language) if node is not None and node.language else "other"] += 1
    told = ", ".join(
        f"{language} {count}" for language, count in sorted(counts.items(), key=lambda kind: (-kind[1], kind))
    )
    text = _count(folder.files, "file") + (f" ({told})" if told and len(folder.own) == folder.files else "")
    prefix = "" if folder.path == "." else folder.path
    topics = (memory.graph.node(f"{prefix}{name}") for name in _TOPICS)
    topic = next((node.summary for node in topics if node is not None and node.summary), "")
    return f"{text} | {topic}" if topic else text


def _troubled(memory: Memory, prefix: str) -> list[Trouble]:
    """Return the files below a directory that were not fully understood, in order."""
    found = [node for node in memory.graph.nodes() if node.path.startswith(prefix) and is_troubled(node)]
    found.sort(key=lambda node: node.path)
    return [Trouble(", ".join(node.problems) or "not-parsed", node.path) for node in found]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
