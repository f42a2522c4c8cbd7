"""Finds what prose and code spans name: paths and symbols. Knows no markup; pure, and linear in its input.

The tests here are about form only: whether something of that name exists is asked later, by `memoire.mentions`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from memoire.extract.sentences import Sentences
from memoire.extract.suffixes import (
    DATA_SUFFIXES,
    DOCUMENT_SUFFIXES,
    IMAGE_SUFFIXES,
    PROGRAM_SUFFIXES,
    suffix_of,
    word_set,
)
from memoire.model import Mention

_CITED_SUFFIXES = PROGRAM_SUFFIXES | DOCUMENT_SUFFIXES | {"json", "yaml", "yml", "toml", "cfg", "ini"}
_KNOWN_SUFFIXES = _CITED_SUFFIXES | DATA_SUFFIXES | IMAGE_SUFFIXES

MAX_CITED = 50
"""Paths kept of one comment; one with more is a list of data."""
MAX_TARGET = 240
"""Characters of a path or symbol; longer ones name nothing that a project has."""

_BREAKS = r"\s`\"'<>()\[\]{}|,;!\u201c\u201d\u2018\u2019«»—…"
"""Characters that no path holds: white space, quotes (the typographic ones included), brackets."""
_CANDIDATE = re.compile(rf"(?<![^{_BREAKS}])[^{_BREAKS}./]*+(?:/|\.+(?=[/A-Za-z]))[^{_BREAKS}]*+")
"""A run without white space, quotes or brackets that holds a slash, or a dot before a letter."""
_PIVOT = re.compile(r"/|\.(?=[A-Za-z./])")
_SPACE = re.compile(r"\s")
_NO_PATH = re.compile(r"[\s(<>{}*]")
_ASCII_PATH = re.compile(r"[A-Za-z0-9_.@+/-]+")
_PATH = re.compile(r"(?:\.{0,2}/)*(?:[\w.@+~=-]+/)*[\w.@+~=-]*\w\.(\w{1,10})\Z|(?:\.{0,2}/)*(?:[\w.@+~=-]+/)+\Z")
_SHORT = re.compile(r"(?:.{1,2}|.*\..*)\.\w\Z|.*\.asc\Z")
"""`a.b.c` has the suffix of a program, and is none; `name.asc` has that of a document, and is an order."""
_PLACE = re.compile(r"(?::\d+(?:[-:,]\d+)*|#L\d+(?:-L?\d+)?|#[\w-]*|\?[\w=&-]*)\Z")
"""What follows a path: a line, a range, a fragment, a query."""
_SPAN_PATH = re.compile(r"(?:\.{0,2}/)*(?:[\w.@+~=\[\]-]+/)+[\w.@+~=\[\]-]*\Z")
_MEMBER = re.compile(
    r"([\w.@+/~=-]+\.\w{1,10})(?:::|#(?!L\d+\Z))([A-Za-z_$][\w$]*(?:(?:::|\.)[A-Za-z_$][\w$]*)*)(?:\(\)|\[.*\])?\Z"
)
_SYMBOL = re.compile(
    r"@?(?:(?:async\s+)?(?:def|class|function|func|fn|struct|interface|enum|trait|type|new|await)\s+|self\.|this\.|\.)?"
    r"([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)\s?(\(.*\)|\()?(?:\s*(?:->\s*.+)?[:;{]?)?\Z",
    re.DOTALL,
)
_HUMPS = re.compile(r"[A-Z][a-z0-9]+[A-Z]|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2}")
_IMPORT = re.compile(
    r"^(?:[ \t]*(?:>>>|\.\.\.)[ \t])?[ \t]*+(?:from[ \t]+(\w+(?:\.\w+)*)[ \t]+import[ \t]+\(?([\w, \t]*)"
    r"|import[ \t]+(\w+(?:\.\w+)+))",
    re.MULTILINE,
)
_CITED = re.compile(
    r"\.(?<=\w\.)(?:md|mdx|markdown|rst|txt|adoc|asciidoc|pdf|py|pyi|[cm]?[jt]sx?|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|sql|"
    r"proto|lua|vue|svelte|json|ya?ml|toml)\b"
)
_COMMENT_MARKS = re.compile(r"^[ \t]*(?:#+!?|//[/!]*|/?\*+/?|--+|;+|%+)(?=[ \t]|$)|\"\"\"|'''|\*/", re.MULTILINE)


def paths_in(text: str, holes: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int, str]]:
    """Return (start, end, path) of the paths in plain text: with a known suffix, or directories that end in a slash.

    URLs, e-mail addresses, globs and placeholders (`<name>.py`, `{id}/x.py`) are none.

    Args:
        text: A paragraph.
        holes: (start, end) of what in it is no plain text, in order.
    """
    found: list[tuple[int, int, str]] = []
    at = position = 0
    while True:
        pivot = _PIVOT.search(text, position)
        if pivot is None:
            return found
        # Only the word around a slash or a dot is looked at closely: that is three times faster than every word.
        begin = pivot.start()
        while at < len(holes) and holes[at][1] <= begin:
            at += 1
        if at < len(holes) and holes[at][0] <= begin:
            position = holes[at][1]
            continue
        begin = max(text.rfind(" ", position, begin), text.rfind("\n", position, begin), position - 1) + 1
        space = _SPACE.search(text, pivot.end())
        position = space.start() if space else len(text)
        if at < len(holes):
            position = min(position, holes[at][0])
        for match in _CANDIDATE.finditer(text, begin, position):
            start = match.start()
            if match.end() - start > MAX_TARGET or _is_placeholder(text, start, match.end()):
                continue
            path = _path_of(match[0])
            if path:
                start = text.index(path, start)
                found.append((start, start + len(path), path))


def _path_of(token: str) -> str:
    """Return the path in one run of characters; of a run with other than ASCII letters also a part that is ASCII."""
    if "://" in token:
        return ""
    path = as_path(token.rstrip(".:?*_"))
    if path or token.isascii():
        return path
    return next(filter(None, (as_path(part[0].rstrip(".")) for part in _ASCII_PATH.finditer(token))), "")


def _is_placeholder(text: str, start: int, end: int) -> bool:
    """Return whether the run goes on in brackets: `<name>.py`, `src/{a,b}.py`, `pages/[id].tsx`."""
    return (start > 0 and text[start - 1] in ">}]" and text[start] in "./") or (
        end < len(text) and text[end] in "<{[" and text[end - 1] in "/._-"
    )


def as_path(token: str) -> str:
    """Return the path that one word of plain text is, without line, fragment and query; empty where it is none."""
    token = token.lstrip("*_=:")
    place = _PLACE.search(token)
    while place and place[0]:
        token = token[: place.start()]
        place = _PLACE.search(token)
    match = _PATH.match(token)
    if match is None or token.startswith(("//", "www.", "~")):
        return ""
    if match[1] is None:
        return token if token.strip("./") else ""
    is_bare = "/" not in token
    if match[1].lower() not in _KNOWN_SUFFIXES or (is_bare and ("@" in token or _SHORT.match(token))):
        return ""
    head = token.split("/", 1)[0]
    is_host = not is_bare and head.count(".") and not head.startswith(".") and suffix_of(head) in _HOST_ENDINGS
    return "" if is_host else token


_HOST_ENDINGS = word_set("com org net io dev ai app co edu gov land sh me")


@lru_cache(maxsize=4096)
def names_in_span(span: str) -> tuple[tuple[str, str], ...]:
    """Return (text, kind) of what a code span names: one symbol, one path, or the paths in a command line.

    Cached because a page says the same few names again and again.
    """
    span = span.strip()
    if not span or len(span) > MAX_TARGET:
        return ()
    member = _MEMBER.match(span)
    if member and suffix_of(member[1]) in PROGRAM_SUFFIXES:
        return ((f"{member[1]}::{member[2].replace('::', '.')}", "symbol"),)
    if _NO_PATH.search(span) is None:
        path = _span_path(span)
        if path:
            return ((path, "path"),)
    symbol = as_symbol(span)
    if symbol:
        return ((symbol, "symbol"),)
    if len(span.split(None, 1)) == 1:
        return ()
    imports = imports_in(span)
    if imports:
        return tuple((name, "symbol") for _, name in imports)
    return tuple((path, "path") for _, _, path in paths_in(span))


def _span_path(span: str) -> str:
    path = as_path(span.strip("\"'"))
    if path or "://" in span or span.startswith(("//", "~", "@")):
        return path
    return span if _SPAN_PATH.match(span) and span.strip("./") else ""


def as_symbol(span: str) -> str:
    """Return `name`, `Class.method`, with `()` where it was written as a call; empty unless its form is distinctive.

    Distinctive is: qualified, called, CamelCase, capitalised, or snake_case.
    """
    match = _SYMBOL.match(span)
    if match is None:
        return ""
    name = match[1].replace("::", ".").replace("#", ".")
    is_called = bool(match[2]) or span.startswith(("def ", "async ", "function ", "func ", "fn "))
    if not is_called and not is_distinctive(name) and not (name[0].isupper() and not name.isupper() and len(name) > 3):
        return ""
    return f"{name}()" if is_called else name


def is_distinctive(name: str) -> bool:
    """Return whether a name is more than one plain word: dotted, CamelCase or snake_case."""
    return "." in name or "_" in name.strip("_") or _HUMPS.search(name) is not None


def imports_in(code: str) -> list[tuple[int, str]]:
    """Return (offset, dotted name) of what Python import statements name: `from a.b import c` is `a.b.c`.

    A plain `import a` is left out: every example starts so, it says nothing about the page.
    """
    if "import" not in code:
        return []
    found = []
    for match in _IMPORT.finditer(code):
        if match[3]:
            found.append((match.start(3), match[3]))
            continue
        names = [name.split()[0] for name in match[2].split(",") if name.split()]
        found.extend((match.start(1), f"{match[1]}.{name}") for name in names)
        if not names and "." in match[1]:
            found.append((match.start(1), match[1]))
    return found


def mentions_in_comment(text: str, line: int, scope: int) -> list[Mention]:
    """Return the paths of documents and code that a comment or docstring of source code cites.

    Cheap where there is none: one search for a known suffix.

    Args:
        text: The comment or docstring, comment marks included or not; several lines are fine.
        line: Its first line, 1-based.
        scope: Index of the definition it stands in; -1 at the top.
    """
    if _CITED.search(text) is None:
        return []
    mentions = []
    clean = _COMMENT_MARKS.sub(lambda mark: " " * len(mark[0]), text)
    seen: set[tuple[str, int]] = set()
    sentences = Sentences(clean)
    for start, end, path in paths_in(clean):
        at = line + clean.count("\n", 0, start)
        if suffix_of(path) in _CITED_SUFFIXES and (path, at) not in seen and len(seen) < MAX_CITED:
            seen.add((path, at))
            mentions.append(Mention(path, "path", at, sentences.at(start, end), scope))
    return mentions
