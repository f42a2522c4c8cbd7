"""Reads what the inline text of Markdown names: links, images, code spans, roles, plain paths. Pure and linear.

Code spans bind tighter than links, as in CommonMark; a backslash escapes; comments and tags are no text. What stands
in the text of a link that leads out of the project is not about the project.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from urllib.parse import unquote

import msgspec

from memoire.extract.citations import MAX_TARGET, names_in_span, paths_in
from memoire.extract.suffixes import word_set


class Found(msgspec.Struct, frozen=True, gc=False):
    """A mention inside a text: where it stands (markup included) and what it names."""

    start: int
    end: int
    text: str
    kind: str


_START = attrgetter("start")
# Each of these begins with one set or literals: that is what lets `re` skip to the next place that can match.
_INTERESTING = re.compile(r"[`\[</.](?:(?<!\.)|(?=[A-Za-z]))")
_TOKEN = re.compile(r"`(?<!``)([^`]+)`(?!`)|``*|<!--|<[A-Za-z/][^<>]*>|\\[!-/:-@\[-`{-~]")
"""The first alternative is nearly every code span there is; the others are found by the long way."""
_COMMENT = "<!--"
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TICKS = re.compile(r"`+")
_BRACKET = re.compile(r"\[|\]|!\[|\\.", re.DOTALL)
_DESTINATION = re.compile(
    r"\(\s*+(?:<([^<>\n]*+)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*+\))*+))"
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?+\s*+\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]{0,999})\]")
_DEFINITION = re.compile(
    r"\[((?:[^\[\]\\]|\\.){1,999})\]:[ ]*\n?[ ]*(?:<([^<>\n]*)>|(\S+))"
    r"(?:(?:[ ]+|[ ]*\n[ ]*)(?:\"[^\"]*\"|'[^']*'|\([^()]*\))(?=[ ]*(?:\n|\Z)))?+[ ]*(?:\n|\Z)"
)
_ATTRIBUTE = re.compile(r"\s(?:href|src|srcset|poster)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ROLE = re.compile(r"(?:\{([\w:.+-]+)\}|:([\w.+-]+(?::[\w.+-]+)*):)\Z")

_MAX_BRACKETS = 32
"""Open brackets that are remembered."""
_CALLABLE_ROLES = word_set("func meth function method deco decorator")
_TYPE_ROLES = word_set("class exc exception type")
_VALUE_ROLES = word_set("attr data obj const property")
_LITERAL_ROLES = word_set("code literal command program samp")


def label_key(label: str) -> str:
    """Return a link label as CommonMark compares it."""
    return " ".join(label.split()).casefold()


def definitions_in(text: str) -> tuple[dict[str, str], int]:
    """Return the link reference definitions that a paragraph begins with (label -> target), and where its text begins.

    A label stands in it as written and as `label_key` makes it, because nearly every use is written the same way.
    """
    targets: dict[str, str] = {}
    position = 0
    while text.startswith("[", position) and not text.startswith("[^", position):
        match = _DEFINITION.match(text, position)
        if match is None:
            break
        target = match[2] if match[2] is not None else match[3]
        targets.setdefault(label_key(match[1]), target)
        targets.setdefault(match[1], target)
        position = match.end()
    return targets, position


def local_target(target: str) -> str:
    """Return a link's path without fragment and query, percent signs decoded; empty where it leaves the project."""
    target = target.strip()
    if not target or len(target) > 3 * MAX_TARGET or target.startswith(("#", "//", "{", "<", "$")):
        return ""
    if _SCHEME.match(target):
        return ""
    path = target.partition("#")[0].partition("?")[0]
    if "%" in path:
        path = unquote(path)
    return path if len(path) <= MAX_TARGET and path.isprintable() else ""


def links_in_html(text: str) -> list[Found]:
    """Return the local targets of `href` and `src` in HTML."""
    found = []
    for match in _ATTRIBUTE.finditer(text):
        target = local_target(match[1] if match[1] is not None else match[2])
        if target:
            found.append(Found(match.start() + 1, match.end(), target, "link"))
    return found


class _Hole(msgspec.Struct, frozen=True, gc=False):
    """A code span, tag or comment: what stands in it is no text."""

    start: int
    end: int
    names: tuple[tuple[str, str], ...]
    """(text, kind) of what a code span names."""


class _Link(msgspec.Struct, frozen=True, gc=False):
    """A link or image."""

    start: int
    close: int
    """Where its text ends."""
    end: int
    leaves: bool
    """Whether it leads out of the project."""


def inline_mentions(text: str, references: Mapping[str, str], module: str = "") -> list[Found]:
    """Return what a paragraph names, in order of position.

    Args:
        text: Markdown, free of quote marks and list indentation.
        references: Link label as `label_key` makes it -> target, of the whole document.
        module: The current module of the page, where a directive set one.
    """
    if _INTERESTING.search(text) is None:
        return []
    found: list[Found] = []
    holes = _holes(text, found, module) if "`" in text or "<" in text else []
    if "](" in text or (references and "]" in text):
        links = _links(text, references, holes, found)
        if links:
            holes = _outside(holes, links)
            holes += [_Hole(link.start, link.end, ()) for link in links]
            holes.sort(key=_START)
    for hole in holes:
        found.extend(Found(hole.start, hole.end, name, kind) for name, kind in hole.names)
    found.extend(
        Found(start, end, path, "path")
        for start, end, path in paths_in(text, [(hole.start, hole.end) for hole in holes])
    )
    if len(found) > 1:
        found.sort(key=_START)
    return found


def _holes(text: str, found: list[Found], module: str = "") -> list[_Hole]:
    """Return code spans, tags and comments in order; keep what the tags link to."""
    holes: list[_Hole] = []
    runs: dict[int, list[int]] | None = None
    position = 0
    while True:
        match = _TOKEN.search(text, position)
        if match is None:
            return holes
        start, position = match.span()
        if match[1] is not None:
            role = _role_before(text, start) if start and text[start - 1] in "}:" else ""
            names = role_names(role, match[1], module) if role else names_in_span(match[1].replace("\n", " "))
            holes.append(_Hole(start, position, names))
            continue
        token = match[0]
        if token[0] == "\\":
            continue
        if token[0] == "`":
            runs = _runs(text) if runs is None else runs
            close = _closing(runs, start, position)
            if close < 0:
                continue
            content = text[position:close]
            position = close + position - start
            holes.append(_Hole(start, position, names_in_span(content.replace("\n", " "))))
            continue
        if token == _COMMENT:
            close = text.find("-->", position)
            position = len(text) if close < 0 else close + 3
        elif "=" in token:
            found.extend(Found(start, position, link.text, "link") for link in links_in_html(token))
        holes.append(_Hole(start, position, ()))


def _runs(text: str) -> dict[int, list[int]]:
    """Return length -> where the runs of that many backticks begin."""
    runs: dict[int, list[int]] = {}
    for run in _TICKS.finditer(text):
        runs.setdefault(run.end() - run.start(), []).append(run.start())
    return runs


def _closing(runs: Mapping[int, Sequence[int]], start: int, end: int) -> int:
    """Return where the run begins that closes the code span opened by `text[start:end]`; -1 if none does."""
    closers = runs.get(end - start, ())
    index = bisect_left(closers, end)
    return closers[index] if index < len(closers) else -1


def _outside(holes: Sequence[_Hole], links: Sequence[_Link]) -> list[_Hole]:
    """Return the holes without those that name nothing of their own.

    They stand in a link that leads out of the project, in what follows a link's text, or in a link and have no name.
    """
    kept = []
    around: list[_Link] = []
    at = 0
    links = sorted(links, key=_START)
    for hole in holes:
        while at < len(links) and links[at].start <= hole.start:
            around.append(links[at])
            at += 1
        around = [link for link in around if link.end > hole.start]
        if not any(link.leaves or not hole.names or hole.start > link.close for link in around):
            kept.append(hole)
    return kept


def _role_before(text: str, start: int) -> str:
    """Return the role that a code span is marked with (`{func}` of MyST, `:func:`); empty for plain code."""
    match = _ROLE.search(text, max(0, start - 40), start)
    return (match[1] or match[2]).rpartition(":")[2] if match else ""


def role_names(role: str, content: str, module: str = "") -> tuple[tuple[str, str], ...]:
    """Return (text, kind) of what a Sphinx role names: `func`, `class`, `mod`, `doc`, `file` and the like.

    Args:
        role: Without its domain.
        content: What stands in its backticks.
        module: The current module: as Sphinx does, names without one are looked for in it.
    """
    title, bracket, target = content.strip().rpartition("<")
    explicit = target[:-1] if bracket and target.endswith(">") and (not title or title[-1] in " \n") else content
    content = " ".join(explicit.split())
    if not content or content[0] == "!" or len(content) > MAX_TARGET:
        return ()
    if role in ("doc", "download"):
        target = local_target(content)
        return ((target, "link"),) if target else ()
    if role == "file":
        return () if "{" in content or " " in content else ((content, "path"),)
    if role in _LITERAL_ROLES:
        return names_in_span(content)
    name = content.lstrip("~.").removesuffix("()")
    if role in _CALLABLE_ROLES and name:
        return ((f"{qualified(module, name)}()", "symbol"),)
    if role in ("mod", "module"):
        return ((name, "symbol"),) if name else ()
    is_named = role in _TYPE_ROLES or (role in _VALUE_ROLES and ("." in name or "_" in name.strip("_")))
    return ((qualified(module, name), "symbol"),) if name and is_named else ()


def qualified(module: str, name: str) -> str:
    """Return a name with the current module before it, unless it names a module itself."""
    package = module.partition(".")[0]
    head, dot, _ = name.partition(".")
    if not module or head == package or (dot and not head[0].isupper()):
        return name
    return f"{module}.{name}"


def _links(text: str, references: Mapping[str, str], holes: Sequence[_Hole], found: list[Found]) -> list[_Link]:
    """Keep the targets of links and images; return the links."""
    links: list[_Link] = []
    opened: list[int] = []
    position = 0
    for start, is_open in _brackets(text, holes):
        if start < position:
            continue
        if is_open:
            opened.append(start)
            if len(opened) > _MAX_BRACKETS:
                del opened[0]
            continue
        if not opened:
            continue
        begin = opened.pop()
        target, end = _target_at(text, begin, start, references)
        if not end:
            continue
        position = end
        local = local_target(target)
        if local:
            found.append(Found(begin, end, local, "link"))
        links.append(_Link(begin, start, end, not local and not target.startswith("#")))
        if text[begin] == "[":
            # No link stands in the text of another one; a picture may.
            opened = [other for other in opened if text[other] == "!"]
    return links


def _brackets(text: str, holes: Sequence[_Hole]) -> Iterator[tuple[int, bool]]:
    """Yield (index, whether it opens) of the square brackets outside of holes; an image's begins at its mark."""
    at = 0
    for match in _BRACKET.finditer(text):
        start = match.start()
        while at < len(holes) and holes[at].end <= start:
            at += 1
        if text[start] != "\\" and (at == len(holes) or start < holes[at].start):
            yield start, text[start] != "]"


def _target_at(text: str, start: int, close: int, references: Mapping[str, str]) -> tuple[str, int]:
    """Return the target of the brackets from `start` to `close`, and where the link ends; end 0 if they are none."""
    following = text[close + 1 : close + 2]
    begin = start + 2 if text[start] == "!" else start + 1
    if following == "(":
        match = _DESTINATION.match(text, close + 1)
        if match is not None:
            target = match[1] if match[1] is not None else match[2]
            return _ESCAPE.sub(r"\1", target) if "\\" in target else target, match.end()
    elif following == "[":
        reference = _REFERENCE.match(text, close + 1)
        if reference is not None:
            label = reference[1] or text[begin : min(close, begin + 1000)]
            target = _referenced(label, references)
            return (target, reference.end()) if target else ("", 0)
    target = _referenced(text[begin:close], references) if references and close - start < 1000 else ""
    return (target, close + 1) if target else ("", 0)


def _referenced(label: str, references: Mapping[str, str]) -> str:
    """Return the target of a label, empty where it has none."""
    return references.get(label) or references.get(label_key(label), "")
