"""Finds what a question about a change means: files, definitions, what is not committed, what a commit did."""

import asyncio
from collections.abc import Sequence

from memoire.episodes.git_lines import Lines, Which
from memoire.errors import InvalidArgumentError, UnknownPathError
from memoire.identifiers import identifier_hashes
from memoire.impact.ranking import Change
from memoire.memory import Memory
from memoire.model import Definition, FileFacts
from memoire.operations._lookup import locate

_SCOPES = frozenset({"class", "interface", "trait", "struct", "enum", "namespace", "module", "extension"})
"""Kinds of definitions of which only the header is their own: a line inside belongs to a member."""
_HEADER_LINES = 12
"""Lines of a definition at which its header is taken to end, where no bracket says so before."""


async def find_changes(memory: Memory, paths: Sequence[str], which: Which | None, commit: str) -> list[Change]:
    """Return what changes, one value for each file.

    Args:
        memory: The project.
        paths: Files, or definitions as `path::Name`.
        which: Take the lines that differ, of these files or of all; None where the paths alone are meant.
        commit: For `commit`.

    Raises:
        UnknownPathError: A path names nothing of the project, or a directory.
        InvalidArgumentError: Git knows no such commit, or there is no git.
    """
    named: dict[str, set[str]] = {}
    for given in paths:
        place = locate(memory, given)
        if place.kind not in {"file", "symbol"}:
            raise UnknownPathError(given, why=f"it is a {place.kind}: name the files that change")
        named.setdefault(place.path, set()).update({place.symbol} - {""})
    if which is None:
        return [_of_symbols(memory, path, frozenset(symbols)) for path, symbols in named.items()]
    lines = await asyncio.to_thread(memory.changed_lines, which, commit)
    if lines is None:
        why = f"git knows no commit {commit!r}" if which == "commit" else "git cannot say what differs here"
        raise InvalidArgumentError("commit" if which == "commit" else which, why)
    return [of_lines(memory, item) for item in lines if not named or item.path in named]


def of_lines(memory: Memory, item: Lines) -> Change:
    """Return the change of one file of which it is known which lines differ."""
    facts, source = memory.facts(item.path), memory.read_text(item.path)
    words = identifier_hashes(item.text)
    if facts is None or source is None or source.sha != facts.sha:
        return Change(item.path, words=words)
    lines = source.text.split("\n")
    symbols, resigned = set[str](), set[str]()
    for first, last in item.spans:
        for name, is_header in _touched(facts, lines, first, last):
            symbols.add(name)
            if is_header:
                resigned.add(name)
    return Change(item.path, frozenset(symbols), frozenset(resigned), words)


def _of_symbols(memory: Memory, path: str, symbols: frozenset[str]) -> Change:
    """Return the change of some definitions of a file, or of any of it."""
    facts, source = memory.facts(path), memory.read_text(path)
    if not symbols or facts is None or source is None or source.sha != facts.sha:
        return Change(path, symbols)
    lines = source.text.split("\n")
    spans = [(item.line, item.end_line) for item in facts.definitions if item.name in symbols]
    text = "\n".join(line for first, last in spans for line in lines[first - 1 : last])
    return Change(path, symbols, words=identifier_hashes(text.encode("utf-8", "replace")))


def _touched(facts: FileFacts, lines: Sequence[str], first: int, last: int) -> list[tuple[str, bool]]:
    """Return (definition, whether its header is meant) of those that some lines lie in, each by its innermost."""
    found = []
    inside = [item for item in facts.definitions if item.line <= last and item.end_line >= first]
    parents = {facts.definitions[item.parent].name for item in inside if item.parent >= 0}
    for item in inside:
        is_header = first <= header_end(item, lines)
        if is_header or (item.kind not in _SCOPES and item.name not in parents):
            found.append((item.name, is_header and item.kind != "section"))
    return found


def header_end(item: Definition, lines: Sequence[str]) -> int:
    """Return the last line of a definition's header, 1-based: where its brackets are closed and its body begins."""
    depth = 0
    for number in range(item.line, min(item.end_line, item.line + _HEADER_LINES, len(lines)) + 1):
        line = lines[number - 1]
        depth += sum(line.count(sign) for sign in "([") - sum(line.count(sign) for sign in ")]")
        is_mark = line.lstrip().startswith(("@", "#["))
        if depth <= 0 and not is_mark:
            return number
    return item.line
