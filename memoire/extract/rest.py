"""Reads reStructuredText into an `Outline`: sections by their underlines, directives, roles, targets.

The block rules are those of docutils as far as sections, literal blocks, directives and comments go; lists, tables and
fields are read as prose.

Source: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
"""

import re
from collections.abc import Sequence
from operator import attrgetter

from memoire.extract.citations import names_in_span, paths_in
from memoire.extract.directives import CODE_DIRECTIVES, LISTS, NAMING, Directives
from memoire.extract.markdown_inline import Found, local_target, role_names
from memoire.extract.sections import Outline
from memoire.extract.sentences import Sentences, plain_rest

_MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
"""Characters a title may be underlined with."""
_EXPLICIT = re.compile(r"\.\.(?=\s|\Z)|__(?=\s)")
_DIRECTIVE = re.compile(r"(?:\|[^|]+\|\s+)?([A-Za-z][\w+.:-]*?)\s?::(?=\s|\Z)\s*(.*)\Z")
_TARGET = re.compile(r"_(?:`[^`]+`|(?:\\:|[^:])+):(?=\s|\Z)\s*(.*)\Z")
_NOTE = re.compile(r"\[[^\]\s]+\]\s*(.*)\Z")
_ITEM = re.compile(r"(?:[-*+•]|(?:\d{1,4}|[A-Za-z#])[.)]|\((?:\d{1,4}|[A-Za-z])\))[ ]+")
_BULLET = re.compile(r"[-*+•](?:[ ]|\Z)")
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|\Z)")
_INLINE = re.compile(
    r"``(?P<literal>[^`]*+(?:`(?!`)[^`]*+)*+)``"
    r"|(?::(?P<role>[A-Za-z][\w+.-]{0,30}(?::[\w+.-]{1,30}){0,2}):)?`(?P<text>[^`]+)`(?P<reference>_{0,2})"
)
_INTERESTING = re.compile(r"`|/|\.(?=[A-Za-z])")
_MAX_INDENT = 64
"""Columns; what is indented further is still read, but opens no directive."""


class _Reader:
    def __init__(self, lines: Sequence[str], first: int, outline: Outline, directives: Directives) -> None:
        self.lines = [line.expandtabs(8) if "\t" in line else line for line in lines]
        self.first = first
        self.outline = outline
        self.directives = directives
        self.styles: list[str] = []

    def read(self) -> None:
        index = 0
        lines = self.lines
        while index < len(lines):
            line = lines[index]
            if not line or line.isspace():
                index += 1
                continue
            body = line.lstrip(" ")
            indent = len(line) - len(body)
            if body[0] in "._" and indent <= _MAX_INDENT and _EXPLICIT.match(body):
                index = self._explicit(index, body, indent)
            elif indent == 0 and not _BULLET.match(body) and (after := self._title(index)):
                index = after
            elif body.startswith(">>> "):
                index = self._example(index)
            else:
                index = self._paragraph(index, body, indent)

    def _title(self, index: int) -> int:
        """Take in the section title or transition at a line; return the index after it, 0 where there is none."""
        lines = self.lines
        line = lines[index].rstrip()
        below = lines[index + 1].rstrip() if index + 1 < len(lines) else ""
        if _is_adornment(line):
            under = lines[index + 2].rstrip() if index + 2 < len(lines) else ""
            if below and under and not _is_adornment(below) and _is_adornment(under) and under[0] == line[0]:
                self._section(index, below.strip(), line[0] * 2)
                return index + 3
            return index + 1 if len(line) >= 4 and not below else 0
        if not _is_adornment(below) or (len(below) < 4 and len(below) < len(line)):
            return 0
        self._section(index, line, below[0])
        return index + 2

    def _section(self, index: int, text: str, style: str) -> None:
        if style not in self.styles:
            self.styles.append(style)
        line = self.first + index
        self.outline.heading(line, self.styles.index(style) + 1, plain_rest(text[:1000]))
        self._inline(text, line)

    def _block_end(self, index: int, indent: int) -> int:
        """Return the index after the last line that is indented by more than `indent`."""
        lines = self.lines
        end = index
        while index < len(lines):
            line = lines[index]
            body = line.lstrip(" ")
            if body:
                if len(line) - len(body) <= indent:
                    break
                end = index + 1
            index += 1
        return end

    def _explicit(self, index: int, body: str, indent: int) -> int:
        """Take in a directive, target, footnote or comment; return the index after the part of it that is not prose."""
        line = self.first + index
        rest = body[2:].strip()
        if body.startswith("__"):
            self._link(line, rest, body)
            return index + 1
        directive = _DIRECTIVE.match(rest)
        if directive is not None:
            return self._directive(index, indent, directive[1], directive[2])
        target = _TARGET.match(rest)
        if target is not None:
            self._link(line, target[1], rest)
            return index + 1
        note = _NOTE.match(rest)
        if note is not None:
            self._inline(note[1], line)
            return index + 1
        if not rest and (index + 1 >= len(self.lines) or not self.lines[index + 1].strip()):
            return index + 1
        return self._block_end(index + 1, indent)

    def _link(self, line: int, target: str, sentence: str) -> None:
        local = "" if target.endswith("_") else local_target(target.strip("`"))
        if local and ("/" in local or "." in local) and " " not in local:
            self.outline.mention(line, local, "link", plain_rest(sentence)[:200])

    def _directive(self, index: int, indent: int, name: str, argument: str) -> int:
        line = self.first + index
        sentence = f"{name} {argument}"[:200]
        for text, kind in self.directives.read(name, argument, indent):
            self.outline.mention(line, text, kind, sentence)
        if name in LISTS or name in CODE_DIRECTIVES:
            end = self._block_end(index + 1, indent)
            content = self.lines[index + 1 : end]
            if name in CODE_DIRECTIVES:
                self.outline.code(line + 1, "\n".join(content))
                return end
            for offset, entry in enumerate(content, 1):
                for text, kind in self.directives.listed(name, entry):
                    self.outline.mention(line + offset, text, kind, f"{name} {entry.strip()}"[:200])
            return end
        # Lines right below belong to it: more of its argument, options, or an admonition's first paragraph, which names
        # things but does not sum up a section. After a blank line its content is prose that the caller reads on with.
        argued = [argument]
        for number in range(index + 1, len(self.lines)):
            following = self.lines[number]
            body = following.lstrip(" ")
            if not body or len(following) - len(body) <= indent or _EXPLICIT.match(body):
                break
            argued.append("" if _OPTION.match(body) else body)
        if name.rpartition(":")[2] not in NAMING:
            self._inline("\n".join(argued), line)
        return index + len(argued)

    def _example(self, index: int) -> int:
        """Take in a doctest: it ends at a blank line."""
        end = index
        while end < len(self.lines) and self.lines[end].strip():
            end += 1
        self.outline.code(self.first + index, "\n".join(self.lines[index:end]))
        return end

    def _paragraph(self, index: int, body: str, indent: int) -> int:
        """Take in a paragraph, and the literal block that one ending in `::` announces."""
        lines = self.lines
        item = _ITEM.match(body)
        indent += item.end() if item else 0
        end = index + 1
        while end < len(lines):
            following = lines[end].lstrip(" ")
            if not following or (following[0] in "-*+.0123456789#" and self._interrupts(end, following)):
                break
            end += 1
        text = "\n".join([body[item.end() :] if item else body, *lines[index + 1 : end]])
        line = self.first + index
        if _OPTION.match(text) is None:
            self.outline.prose(text)
        self._inline(text, line)
        if not text.rstrip().endswith("::"):
            return end
        block = self._block_end(end, indent - (item.end() if item else 0))
        if block > end:
            self.outline.code(self.first + end, "\n".join(lines[end:block]))
        return block

    def _interrupts(self, index: int, following: str) -> bool:
        """Return whether a line begins a list item or explicit markup: each is a paragraph of its own."""
        return _ITEM.match(following) is not None or (following[0] == "." and _EXPLICIT.match(following) is not None)

    def _inline(self, text: str, line: int) -> None:
        last = 0
        sentences = Sentences(text, plain_rest)
        for found in rest_mentions(text, self.directives.module):
            line += text.count("\n", last, found.start)
            last = found.start
            self.outline.mention(line, found.text, found.kind, sentences.at(found.start, found.end))


def rest_mentions(text: str, module: str = "") -> list[Found]:
    """Return what a paragraph of reStructuredText names, in order of position; `module` is the current one."""
    if _INTERESTING.search(text) is None:
        return []
    found: list[Found] = []
    holes = []
    if "`" in text:
        for match in _INLINE.finditer(text):
            start, end = match.span()
            holes.append((start, end))
            found.extend(Found(start, end, name, kind) for name, kind in _names(match, module))
    found.extend(Found(start, end, path, "path") for start, end, path in paths_in(text, holes))
    found.sort(key=attrgetter("start"))
    return found


def _names(match: re.Match[str], module: str) -> tuple[tuple[str, str], ...]:
    """Return what one literal, role or reference names."""
    if match["literal"] is not None:
        return names_in_span(" ".join(match["literal"].split()))
    if match["role"]:
        return role_names(match["role"].rpartition(":")[2], match["text"], module)
    text = match["text"]
    if not match["reference"]:
        return names_in_span(" ".join(text.split()))
    head, bracket, target = text.rpartition("<")
    if not bracket or not target.endswith(">") or target.endswith("_>") or not head:
        return ()
    local = local_target("".join(target[:-1].split()))
    return ((local, "link"),) if local else ()


def _is_adornment(line: str) -> bool:
    """Return whether a line is one punctuation character, repeated or alone."""
    return bool(line) and line[0] in _MARKS and line[0] == line[-1] and not line.strip(line[0])


def read_rest(lines: Sequence[str], first: int, outline: Outline, directives: Directives | None = None) -> None:
    """Read a document, or a part of one, into its outline.

    Args:
        lines: Without line ends.
        first: The number of the first of them.
        outline: Takes what is found.
        directives: Carries the current module over from one part to the next.
    """
    _Reader(lines, first, outline, directives or Directives()).read()
